import mp3WasmUrl from 'wasm-media-encoders/wasm/mp3?url'

/** A recording shorter than this is a slip of the finger and is thrown away. */
export const minimumRecordingBytes = 10_000
const bitRate = 128
/** Sound that is not processed by then never will be. */
const startMs = 5_000

export interface Recording {
  /** Ends it and gives the MP3; null when it is too short to be meant. */
  finish(): Promise<File | null>
  /** Ends it and throws it away. */
  cancel(): void
  /** Loudness now, 0 to 1, for the meter. */
  level(): number
}

/**
 * Records the microphone as MP3, 128 kbit/s, one channel; encodes while it records.
 *
 * @throws DOMException as `getUserMedia`: `NotAllowedError`, `NotFoundError` …; `NotReadableError` where the browser hears
 * nothing, as Firefox does on a machine without any loudspeaker
 */
export async function startRecording(): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true },
  })
  const context = new AudioContext()
  const release = () => {
    for (const track of stream.getTracks()) track.stop()
    void context.close()
  }
  try {
    const [{ createEncoder }] = await Promise.all([
      import('wasm-media-encoders'),
      context.audioWorklet.addModule('/voice-worklet.js'),
    ])
    const encoder = await createEncoder('audio/mpeg', await (await fetch(mp3WasmUrl)).arrayBuffer())
    encoder.configure({ sampleRate: context.sampleRate, channels: 1, bitrate: bitRate })

    const source = context.createMediaStreamSource(stream)
    const capture = new AudioWorkletNode(context, 'voice-capture', {
      numberOfOutputs: 0,
      channelCount: 1,
      channelCountMode: 'explicit',
    })
    const analyser = context.createAnalyser()
    analyser.fftSize = 512
    source.connect(analyser)
    source.connect(capture)

    const parts: Uint8Array<ArrayBuffer>[] = []
    let ended: () => void = () => undefined
    const end = new Promise<void>((resolve) => {
      ended = resolve
    })
    capture.port.onmessage = ({ data }: MessageEvent<Float32Array | 'end'>) => {
      if (data === 'end') return ended()
      // The encoder reuses its memory, so each piece is copied out of it.
      if (data.length > 0) parts.push(new Uint8Array(encoder.encode([data])))
    }
    await running(context)
    const samples = new Uint8Array(analyser.frequencyBinCount)
    return {
      async finish() {
        capture.port.postMessage('end')
        await end
        parts.push(new Uint8Array(encoder.finalize()))
        release()
        return voiceFile(parts, new Date())
      },
      cancel: release,
      level() {
        analyser.getByteTimeDomainData(samples)
        let peak = 0
        for (const sample of samples) peak = Math.max(peak, Math.abs(sample - 128))
        return Math.min(1, peak / 90)
      },
    }
  } catch (error) {
    release()
    throw error
  }
}

/** What is said into a microphone that nobody listens to would be lost without a word. */
async function running(context: AudioContext): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new DOMException('No sound is processed', 'NotReadableError')), startMs)
  try {
    await Promise.race([context.resume(), late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** The recorded pieces as a file, or null when they are too few. */
export function voiceFile(parts: readonly Uint8Array<ArrayBuffer>[], now: Date): File | null {
  const size = parts.reduce((sum, part) => sum + part.length, 0)
  if (size < minimumRecordingBytes) return null
  return new File([...parts], `voz-${now.toISOString().slice(0, 19).replace(/[:T]/g, '-')}.mp3`, { type: 'audio/mpeg' })
}
