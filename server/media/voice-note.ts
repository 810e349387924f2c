import { mp3Pieces } from './mp3.ts'
import { OPUS_RATE, oggOpus, oggOpusSeconds, oggPackets, PACKET_SAMPLES } from './ogg-opus.ts'
import { resampler } from './resample.ts'

/** A recording as WhatsApp's phones play it. */
export interface VoiceNote {
  /** One channel of Opus in Ogg. */
  ogg: Uint8Array
  /** Whole, at least 1. */
  seconds: number
  /** How loud each of 64 equal parts is, 0 to 100; undefined for a file that came as Ogg and was not decoded. */
  waveform: Uint8Array | undefined
}

const WAVEFORM_PARTS = 64
/** Speech at this rate is as clear as a phone's own notes. */
const BITS_PER_SECOND = 32_000
/** Converted in one go, in about 3 ms; other work goes on between two slices. */
const SLICE_SECONDS = 0.25

/** One note at a time: side by side they would be ready no sooner, and take more memory and longer turns. */
let turn: Promise<unknown> = Promise.resolve()

/**
 * Makes a voice note of a recording. Ogg/Opus is taken as it is; MP3, which our browser records, is converted, at
 * about half a second for a minute. Does not hold up other work.
 * @returns null for what is neither, and for an MP3 that cannot be decoded
 */
export async function voiceNoteOf(recording: Uint8Array): Promise<VoiceNote | null> {
  const seconds = oggOpusSeconds(recording)
  if (seconds !== undefined) return { ogg: recording, seconds: wholeSeconds(seconds), waveform: undefined }
  const mp3 = mp3Pieces(recording, SLICE_SECONDS)
  if (!mp3) return null
  const note = turn.then(() => converted(mp3))
  turn = note.catch(() => undefined)
  return note
}

async function converted({ rate, pieces }: { rate: number; pieces: Uint8Array[] }): Promise<VoiceNote | null> {
  // Only who sends a voice note pays for the codecs' memory.
  const [{ MPEGDecoder }, { Application, createEncoder }] = await Promise.all([
    import('mpg123-decoder'),
    import('libopus-wasm'),
  ])
  const decoder = new MPEGDecoder()
  await decoder.ready
  const encoder = await createEncoder({
    channels: 1,
    sampleRate: OPUS_RATE,
    frameSize: PACKET_SAMPLES,
    application: Application.Audio,
    bitrate: BITS_PER_SECOND,
  })
  try {
    const raise = resampler(rate, OPUS_RATE)
    const preSkip = encoder.getLookahead()
    const packets: Uint8Array[] = []
    const loudness: number[] = []
    const packet = new Float32Array(PACKET_SAMPLES)
    let filled = 0
    let samples = 0
    const encode = () => packets.push(encoder.encodeFloat(packet))

    for (const piece of pieces) {
      const sound = raise(decoded(decoder, piece))
      samples += sound.length
      for (let at = 0; at < sound.length; ) {
        const part = sound.subarray(at, at + PACKET_SAMPLES - filled)
        packet.set(part, filled)
        filled += part.length
        at += part.length
        if (filled < PACKET_SAMPLES) continue
        loudness.push(meanOf(packet))
        encode()
        filled = 0
      }
      await new Promise(setImmediate)
    }
    if (samples === 0) return null
    // Silence until the encoder has given back all that it was given.
    for (packet.fill(0, filled); packets.length * PACKET_SAMPLES < preSkip + samples; packet.fill(0)) encode()
    return {
      ogg: oggOpus({ packets, preSkip, samples, recordedAt: rate }),
      seconds: wholeSeconds(samples / OPUS_RATE),
      waveform: waveformOf(loudness),
    }
  } catch (error) {
    // Bytes made to break a decoder end here: in its own memory.
    if (error instanceof WebAssembly.RuntimeError) return null
    throw error
  } finally {
    encoder.free()
    decoder.free()
  }
}

/** Longer ones are drawn by nobody. */
const MOST_DRAWN_SECONDS = 3_600

/**
 * How long a sound is, and how loud each of its parts: of Opus in Ogg, which phones send, and of MP3.
 * @returns null for what is neither
 */
export async function listen(
  recording: Uint8Array,
): Promise<{ seconds: number; waveform: Uint8Array | undefined } | null> {
  const exact = oggOpusSeconds(recording)
  if (exact === undefined) {
    const note = await voiceNoteOf(recording)
    return note && { seconds: note.seconds, waveform: note.waveform }
  }
  const seconds = wholeSeconds(exact)
  if (exact > MOST_DRAWN_SECONDS) return { seconds, waveform: undefined }
  const { createDecoder } = await import('libopus-wasm')
  const decoder = await createDecoder({ channels: 1, sampleRate: OPUS_RATE })
  const loudness: number[] = []
  try {
    for (const packet of oggPackets(recording)) {
      const sound = decoder.decodeFloat(packet)
      for (let at = 0; at < sound.length; at += PACKET_SAMPLES)
        loudness.push(meanOf(sound.subarray(at, at + PACKET_SAMPLES)))
    }
  } catch {
    // What was understood before is drawn.
  } finally {
    decoder.free()
  }
  return { seconds, waveform: loudness.length > 0 ? waveformOf(loudness) : undefined }
}

/** The piece's sound, both channels in one. */
function decoded(decoder: { decode(mp3: Uint8Array): { channelData: Float32Array[] } }, piece: Uint8Array) {
  const [left = new Float32Array(0), right = left] = decoder.decode(piece).channelData
  return left.map((sample, at) => (sample + right[at]!) / 2)
}

const meanOf = (samples: Float32Array) => samples.reduce((sum, sample) => sum + Math.abs(sample), 0) / samples.length

const wholeSeconds = (seconds: number) => Math.max(1, Math.round(seconds))

/** The loudest part is 100, as WhatsApp draws it. @param loudness of each packet, in order */
function waveformOf(loudness: readonly number[]): Uint8Array {
  const parts = Array.from({ length: WAVEFORM_PARTS }, (_, part) => {
    const begin = Math.floor((part * loudness.length) / WAVEFORM_PARTS)
    const end = Math.max(begin + 1, Math.floor(((part + 1) * loudness.length) / WAVEFORM_PARTS))
    const within = loudness.slice(begin, end)
    return within.reduce((sum, value) => sum + value, 0) / (within.length || 1)
  })
  const loudest = Math.max(...parts)
  return Uint8Array.from(parts, (part) => (loudest > 0 ? Math.round((100 * part) / loudest) : 0))
}
