import { getVolume } from '../base/volume.ts'

/** Messages that come in a burst ring once. */
const quietMs = 1500
const rungKey = 'balcao.rung'

/** Rings at the volume of the top bar; one tab for all, and once for a burst. */
export function ring(): void {
  const now = Date.now()
  try {
    if (now - Number(localStorage.getItem(rungKey) ?? 0) < quietMs) return
    localStorage.setItem(rungKey, String(now))
  } catch {
    // Without storage the tabs do not know of each other: each of them rings.
  }
  play(getVolume())
}

/** Two short notes, made here so that no file has to be there before the first sound. */
function play(volume: number): void {
  if (volume === 0 || typeof AudioContext === 'undefined') return
  const context = new AudioContext()
  // Before the first click or key a page may not make a sound; then there is none.
  if (context.state === 'suspended') return void context.close()
  for (const [index, frequency] of [880, 1174.7].entries()) {
    const start = context.currentTime + index * 0.11
    const tone = context.createOscillator()
    const loudness = context.createGain()
    tone.frequency.value = frequency
    loudness.gain.setValueAtTime(0, start)
    loudness.gain.linearRampToValueAtTime(0.18 * volume, start + 0.012)
    loudness.gain.exponentialRampToValueAtTime(0.0001, start + 0.32)
    tone.connect(loudness).connect(context.destination)
    tone.start(start)
    tone.stop(start + 0.34)
    if (index === 1) tone.onended = () => void context.close()
  }
}
