/** Where the sound lies in an MP3 file. The decoder is given whole frames only: on anything else it may never return. */

const RATES = [44_100, 48_000, 32_000]
const KBITS_1 = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const KBITS_2 = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]

interface Frame {
  /** Hz */
  rate: number
  /** In each channel. */
  samples: number
  /** Bytes, with its header. */
  length: number
}

/** The header of a Layer III frame with a stated bit rate, or undefined where there is none. */
function frameAt(bytes: Uint8Array, at: number): Frame | undefined {
  const [sync = 0, kind = 0, rates = 0] = bytes.subarray(at, at + 3)
  if (sync !== 0xff || (kind & 0xe6) !== 0xe2) return undefined
  // 3 is MPEG 1, 2 is MPEG 2 with half of its rates, 0 is MPEG 2.5 with a quarter.
  const version = (kind >> 3) & 3
  const isFirst = version === 3
  const kbits = (isFirst ? KBITS_1 : KBITS_2)[(rates >> 4) - 1]
  const full = RATES[(rates >> 2) & 3]
  if (version === 1 || !kbits || !full) return undefined
  const rate = full / (isFirst ? 1 : version === 2 ? 2 : 4)
  const samples = isFirst ? 1_152 : 576
  return { rate, samples, length: Math.floor((samples * 125 * kbits) / rate) + ((rates >> 1) & 1) }
}

/** Bytes of the tag that may stand before the sound; a picture in it may look like a frame. */
function tagLength(bytes: Uint8Array): number {
  const [i, d, three, , , , a = 0, b = 0, c = 0, e = 0] = bytes
  if (i !== 0x49 || d !== 0x44 || three !== 0x33) return 0
  return 10 + ((a & 127) << 21) + ((b & 127) << 14) + ((c & 127) << 7) + (e & 127)
}

/**
 * The file's frames, in pieces of about `seconds`; what lies between frames is left out, and so is a frame that was
 * cut off at the end.
 * @returns undefined for what is no MP3: less than half of it are frames
 */
export function mp3Pieces(bytes: Uint8Array, seconds: number): { rate: number; pieces: Uint8Array[] } | undefined {
  const begin = tagLength(bytes)
  const pieces: Uint8Array[] = []
  let rate = 0
  let inFrames = 0
  let start = begin
  let samples = 0
  let at = begin
  const fits = (frame: Frame | undefined) => frame !== undefined && (rate === 0 || frame.rate === rate)
  const close = () => {
    if (samples > 0) pieces.push(bytes.subarray(start, at))
    samples = 0
  }
  while (at + 4 <= bytes.length) {
    const frame = frameAt(bytes, at)
    const end = frame ? at + frame.length : 0
    // Two bytes are soon found by chance: where a frame does not follow another, one must follow it.
    const isFrame =
      frame && fits(frame) && end <= bytes.length && (samples > 0 || end === bytes.length || fits(frameAt(bytes, end)))
    if (!isFrame) {
      close()
      at++
      continue
    }
    if (samples === 0) start = at
    rate = frame.rate
    samples += frame.samples
    inFrames += frame.length
    at = end
    if (samples >= seconds * rate) close()
  }
  close()
  return inFrames * 2 > bytes.length - begin ? { rate, pieces } : undefined
}
