/** Opus in an Ogg file (RFC 3533, RFC 7845), one channel. Opus counts at 48 kHz, whatever was recorded. */
export const OPUS_RATE = 48_000
/** Samples in a packet of 20 ms. */
export const PACKET_SAMPLES = 960

/** One second, so that a player can seek to each. */
const PACKETS_A_PAGE = 50
const MAX_LACES = 255
const FIRST = 2
const LAST = 4
/** A file has one stream, so its number tells nothing; the same sound makes the same bytes. */
const STREAM = 1

export interface OpusStream {
  /** Each of `PACKET_SAMPLES`; together at least `preSkip + samples`. */
  packets: readonly Uint8Array[]
  /** Samples at the beginning that the encoder made up. */
  preSkip: number
  /** Of the sound itself, at 48 kHz. */
  samples: number
  /** Hz, of the recording. Told, and used by no player. */
  recordedAt: number
}

/**
 * An Ogg file of Opus packets, as phones play a voice note (RFC 7845).
 * @param stream `preSkip` and `samples` count at 48 kHz
 */
export function oggOpus({ packets, preSkip, samples, recordedAt }: OpusStream): Uint8Array {
  const head = Buffer.alloc(19)
  head.write('OpusHead')
  head[8] = 1
  head[9] = 1
  head.writeUInt16LE(preSkip, 10)
  head.writeUInt32LE(recordedAt, 12)
  const tags = Buffer.concat([Buffer.from('OpusTags'), counted('Balcão'), Buffer.alloc(4)])

  const pages = [page([head], 0, 0, FIRST), page([tags], 0, 1, 0)]
  for (let next = 0; next < packets.length; ) {
    const begin = next
    for (let laces = 0; next < packets.length && next - begin < PACKETS_A_PAGE; next++) {
      laces += lacesOf(packets[next]!)
      if (laces > MAX_LACES) break
    }
    const isLast = next === packets.length
    // The last page says where the sound ends, which is inside its last packet.
    const position = isLast ? preSkip + samples : next * PACKET_SAMPLES
    pages.push(page(packets.slice(begin, next), position, pages.length, isLast ? LAST : 0))
  }
  return Buffer.concat(pages)
}

/** The sound's length in seconds, or undefined for what is not Opus in Ogg. */
export function oggOpusSeconds(bytes: Uint8Array): number | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (file.toString('latin1', 0, 4) !== 'OggS' || file.toString('latin1', 28, 36) !== 'OpusHead') return undefined
  const last = file.lastIndexOf('OggS')
  if (last + 14 > file.length || file.length < 40) return undefined
  const samples = Number(file.readBigInt64LE(last + 6)) - file.readUInt16LE(38)
  return Math.max(0, samples) / OPUS_RATE
}

/** The packets of sound in an Ogg file, each a view of the file where it lies in one piece. What is broken ends them. */
export function* oggPackets(bytes: Uint8Array): Generator<Uint8Array> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let open: Uint8Array[] = []
  let number = 0
  for (let at = 0; at + 27 <= file.length && file.toString('latin1', at, at + 4) === 'OggS'; ) {
    const laces = file.subarray(at + 27, at + 27 + file[at + 26]!)
    let next = at + 27 + laces.length
    let begin = next
    for (const lace of laces) {
      next += lace
      if (next > file.length) return
      if (lace === 255) continue
      const piece = file.subarray(begin, next)
      begin = next
      // The first two tell of the stream.
      if (number++ >= 2) yield open.length === 0 ? piece : Buffer.concat([...open, piece])
      open = []
    }
    if (begin < next) open.push(file.subarray(begin, next))
    at = next
  }
}

function page(packets: readonly Uint8Array[], position: number, number: number, flags: number): Buffer {
  const laces = packets.flatMap((packet) => [
    ...Array.from({ length: lacesOf(packet) - 1 }, () => 255),
    packet.length % 255,
  ])
  const header = Buffer.alloc(27)
  header.write('OggS')
  header[5] = flags
  header.writeBigUInt64LE(BigInt(position), 6)
  header.writeUInt32LE(STREAM, 14)
  header.writeUInt32LE(number, 18)
  header[26] = laces.length
  const whole = Buffer.concat([header, Buffer.from(laces), ...packets])
  whole.writeUInt32LE(checksum(whole), 22)
  return whole
}

/** A packet's length is written in bytes of 255 and one that is less. */
const lacesOf = (packet: Uint8Array) => Math.floor(packet.length / 255) + 1

function counted(text: string): Buffer {
  const bytes = Buffer.from(text)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** Ogg's own CRC-32: bits are not reflected, and nothing is inverted. */
const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24
  for (let bit = 0; bit < 8; bit++) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1
  return crc
})

function checksum(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) crc = (crc << 8) ^ CRC[((crc >>> 24) ^ byte) & 255]!
  return crc >>> 0
}
