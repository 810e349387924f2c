import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { DomainError } from '../../schema/errors.ts'
import { patiently } from './media.patiently.ts'
import type { MediaPort } from './media.port.ts'

const AT_ONCE = 4
/** A service that was away is tried again after such pauses, ms; then the move ends, and may be begun again. */
const PAUSES_MS = [1_000, 3_000, 10_000, 30_000, 60_000]

export interface Moved {
  files: number
  bytes: number
  /** Paths of which another file lies where they were to go. They stay where they are. */
  differing: string[]
}

interface Moving {
  from: MediaPort
  to: MediaPort
  progress(sentence: string): void
  signal?: AbortSignal | undefined
  /** Tests do not wait. */
  pausesMs?: readonly number[]
}

/**
 * Moves every file, while people work: a file goes only when its copy has been read back and is the same. What was moved
 * is not moved again, so it goes on where it was interrupted. Only one may be at work at a time.
 * @throws DomainError `ERR_UNAVAILABLE`, `ERR_STORAGE_FULL`: what was moved by then is moved
 */
export async function moveMedia({ from, to, progress, signal, pausesMs = PAUSES_MS }: Moving): Promise<Moved> {
  let all = 0
  for await (const _ of from.list()) progress(`counting: ${(++all).toLocaleString('en')} files`)
  const moved: Moved = { files: 0, bytes: 0, differing: [] }
  const paths = from.list()[Symbol.asyncIterator]()
  const worker = async () => {
    for (;;) {
      signal?.throwIfAborted()
      const { done, value: path } = await paths.next()
      if (done) return
      const size = await patiently(() => moveOne({ from, to }, path), pausesMs, signal)
      if (size === 'differs') moved.differing.push(path)
      else if (size !== undefined) {
        moved.files++
        moved.bytes += size
      }
      progress(
        `${moved.files.toLocaleString('en')} of ${all.toLocaleString('en')} files, ${Math.round(moved.bytes / 1e6).toLocaleString('en')} MB`,
      )
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker))
  for (const end of ended) if (end.status === 'rejected') throw end.reason
  return moved
}

/** @returns bytes; undefined for a file that was deleted meanwhile */
async function moveOne(
  { from, to }: { from: MediaPort; to: MediaPort },
  path: string,
): Promise<number | 'differs' | undefined> {
  try {
    return await from.local(path, async (file) => {
      // What is deleted there must be on the disk here.
      const handle = await open(file, 'r')
      await handle.sync().finally(() => handle.close())
      const source = await hashOf(createReadStream(file, { highWaterMark: 1 << 20 }))
      const isNew = await to.write(path, file)
      const copy = await hashOf(await to.read(path))
      if (copy.sha256 !== source.sha256) {
        // What we wrote ourselves and cannot be read again was cut off on its way.
        if (isNew) await to.delete(path)
        return 'differs' as const
      }
      // Deleted by a person while it was copied: then the copy goes, too.
      if (await from.find(path)) await from.delete(path)
      else await to.delete(path)
      return source.size
    })
  } catch (error) {
    if ((error as DomainError).code === 'ERR_NO_FILE_FOUND') return undefined
    throw error
  }
}

async function hashOf(parts: AsyncIterable<Uint8Array>): Promise<{ sha256: string; size: number }> {
  const hasher = new Bun.CryptoHasher('sha256')
  let size = 0
  for await (const part of parts) {
    hasher.update(part)
    size += part.length
  }
  return { sha256: hasher.digest('hex'), size }
}
