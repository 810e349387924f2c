import { createHash } from 'node:crypto'

/** What a file in an archive is. */
export interface Part {
  /** With slashes; no part of it comes from a person but its end. */
  name: string
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

const LOCAL = 0x04034b50
const DESCRIPTOR = 0x08074b50
const CENTRAL = 0x02014b50
const CENTRAL_64_END = 0x06064b50
const CENTRAL_64_LOCATOR = 0x07064b50
const END = 0x06054b50
/** Sizes follow the bytes (bit 3); names are UTF-8 (bit 11). */
const FLAGS = 0x0808
/** 4.5: archives and files beyond 4 GB. */
const VERSION = 45
const UNKNOWN_32 = 0xffffffff
const UNKNOWN_16 = 0xffff

/**
 * A ZIP file, as it is read: nothing of it stands in memory but its list of contents. Parts are stored as they are, since
 * nearly all bytes are pictures and sounds, which no packing makes smaller. APPNOTE.TXT 6.3.10, 4.3 and 4.4.
 * @param at when its parts are said to be of
 */
export async function* zipOf(parts: AsyncIterable<Part>, at: Date): AsyncGenerator<Uint8Array> {
  const entries: { name: Buffer; crc: number; size: number; offset: number }[] = []
  const stamp = dosTime(at)
  let offset = 0
  for await (const part of parts) {
    const name = Buffer.from(part.name)
    const head = Buffer.alloc(30)
    head.writeUInt32LE(LOCAL, 0)
    head.writeUInt16LE(VERSION, 4)
    head.writeUInt16LE(FLAGS, 6)
    head.writeUInt32LE(stamp, 10)
    // Whatever it comes to: then the descriptor counts in 64 bits.
    head.writeUInt32LE(UNKNOWN_32, 18)
    head.writeUInt32LE(UNKNOWN_32, 22)
    head.writeUInt16LE(name.length, 26)
    head.writeUInt16LE(20, 28)
    const extra = Buffer.alloc(20)
    extra.writeUInt16LE(1, 0)
    extra.writeUInt16LE(16, 2)
    yield Buffer.concat([head, name, extra])
    let crc = 0
    let size = 0
    for await (const bytes of part.bytes) {
      crc = Bun.hash.crc32(bytes, crc)
      size += bytes.length
      yield bytes
    }
    const tail = Buffer.alloc(24)
    tail.writeUInt32LE(DESCRIPTOR, 0)
    tail.writeUInt32LE(crc, 4)
    tail.writeBigUInt64LE(BigInt(size), 8)
    tail.writeBigUInt64LE(BigInt(size), 16)
    yield tail
    entries.push({ name, crc, size, offset })
    offset += head.length + name.length + extra.length + size + tail.length
  }
  const start = offset
  for (const { name, crc, size, offset: place } of entries) {
    const head = Buffer.alloc(46)
    head.writeUInt32LE(CENTRAL, 0)
    head.writeUInt16LE(VERSION, 4)
    head.writeUInt16LE(VERSION, 6)
    head.writeUInt16LE(FLAGS, 8)
    head.writeUInt32LE(stamp, 12)
    head.writeUInt32LE(crc, 16)
    head.writeUInt32LE(UNKNOWN_32, 20)
    head.writeUInt32LE(UNKNOWN_32, 24)
    head.writeUInt16LE(name.length, 28)
    head.writeUInt16LE(28, 30)
    head.writeUInt32LE(UNKNOWN_32, 42)
    const extra = Buffer.alloc(28)
    extra.writeUInt16LE(1, 0)
    extra.writeUInt16LE(24, 2)
    extra.writeBigUInt64LE(BigInt(size), 4)
    extra.writeBigUInt64LE(BigInt(size), 12)
    extra.writeBigUInt64LE(BigInt(place), 20)
    yield Buffer.concat([head, name, extra])
    offset += head.length + name.length + extra.length
  }
  yield ending(entries.length, start, offset)
}

function ending(count: number, start: number, offset: number): Buffer {
  const end = Buffer.alloc(56 + 20 + 22)
  end.writeUInt32LE(CENTRAL_64_END, 0)
  end.writeBigUInt64LE(44n, 4)
  end.writeUInt16LE(VERSION, 12)
  end.writeUInt16LE(VERSION, 14)
  end.writeBigUInt64LE(BigInt(count), 24)
  end.writeBigUInt64LE(BigInt(count), 32)
  end.writeBigUInt64LE(BigInt(offset - start), 40)
  end.writeBigUInt64LE(BigInt(start), 48)
  end.writeUInt32LE(CENTRAL_64_LOCATOR, 56)
  end.writeBigUInt64LE(BigInt(offset), 64)
  end.writeUInt32LE(1, 72)
  end.writeUInt32LE(END, 76)
  end.writeUInt16LE(UNKNOWN_16, 84)
  end.writeUInt16LE(UNKNOWN_16, 86)
  end.writeUInt32LE(UNKNOWN_32, 88)
  end.writeUInt32LE(UNKNOWN_32, 92)
  return end
}

/** Date and time as DOS wrote them, in UTC; two seconds are one. */
function dosTime(at: Date): number {
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  return date * 0x10000 + time
}

/** The same parts, and behind them one that names each with its size and its SHA-256. */
export async function* withManifest(parts: AsyncIterable<Part>, facts: Record<string, unknown>): AsyncGenerator<Part> {
  const files: { path: string; bytes: number; sha256: string }[] = []
  for await (const { name, bytes } of parts) {
    const hasher = createHash('sha256')
    let size = 0
    async function* hashed() {
      for await (const some of bytes) {
        hasher.update(some)
        size += some.length
        yield some
      }
      files.push({ path: name, bytes: size, sha256: hasher.digest('hex') })
    }
    yield { name, bytes: hashed() }
  }
  yield { name: 'manifest.json', bytes: [Buffer.from(`${JSON.stringify({ ...facts, files }, null, 2)}\n`)] }
}
