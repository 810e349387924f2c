/** How a sound looks: so many parts, each as loud as one of 36 steps. A letter for each, so that a row carries it. */
export const WAVEFORM_PARTS = 64
const STEPS = 36

/** @param parts 0 to 100 each, any number of them; null where there is nothing to draw */
export function waveformText(parts: ArrayLike<number> | null | undefined): string | null {
  if (!parts || parts.length === 0) return null
  return Array.from({ length: WAVEFORM_PARTS }, (_, at) => {
    const part = parts[Math.floor((at * parts.length) / WAVEFORM_PARTS)] ?? 0
    const loud = Math.min(1, Math.max(0, part / 100)) || 0
    return Math.round(loud * (STEPS - 1)).toString(STEPS)
  }).join('')
}

/** What `waveformText` wrote, 0 to 1 each; empty for anything else. */
export const waveformOf = (text: string | null): number[] =>
  text !== null && /^[0-9a-z]{64}$/.test(text) ? [...text].map((letter) => parseInt(letter, STEPS) / (STEPS - 1)) : []

/** A day: what a sender says of a longer sound is not believed. */
const MOST_SECONDS = 86_400

/** Whole seconds of a sound as somebody tells them, where they may be true. */
export const secondsSaid = (seconds: number | null | undefined): number | null =>
  typeof seconds === 'number' && seconds > 0 && seconds <= MOST_SECONDS ? Math.max(1, Math.round(seconds)) : null
