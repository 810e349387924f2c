import { createHash } from 'node:crypto'
import { makeZip } from 'client-zip'

/** What a file in an archive is. */
export interface Part {
  /** With slashes; no part of it comes from a person but its end. */
  name: string
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/**
 * A ZIP file, as it is read: nothing of it stands in memory but its list of contents. Parts are stored as they are, since
 * nearly all bytes are pictures and sounds, which no packing makes smaller; those beyond 4 GB are ZIP64.
 * @param at when its parts are said to be of
 */
export function zipOf(parts: AsyncIterable<Part>, at: Date): AsyncIterable<Uint8Array> {
  async function* inputs() {
    for await (const { name, bytes } of parts) yield { name, input: streamOf(bytes), lastModified: at }
  }
  return makeZip(inputs())
}

async function* streamOf(bytes: Part['bytes']): AsyncGenerator<Uint8Array> {
  yield* bytes
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
