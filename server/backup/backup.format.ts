import { createReadStream } from 'node:fs'
import { mkdir, open, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

// A backup is a folder: `manifest.json`, `SHA256SUMS` of all other files (`sha256sum -c` reads it), `database/` with a
// file for each table, `keys/` and `media/`.

export const FORMAT = 1
export const manifestName = 'manifest.json'
export const sumsName = 'SHA256SUMS'
/** Files of the data directory without which the rest cannot be read. */
export const keyNames = ['jwt.secret', 'encryption.key'] as const

export interface TableDump {
  name: string
  columns: string[]
  rows: number
  /** Of the rows as text, before they are compressed. */
  bytes: number
  sha256: string
}

export interface Manifest {
  format: typeof FORMAT
  /** Of package.json. */
  version: string
  /** The moment whose state the backup holds. */
  at: string
  postgres: string
  /** What made the tables, oldest first, as drizzle remembers it. */
  migrations: { hash: string; at: number }[]
  tables: TableDump[]
  sequences: { name: string; last: string; called: boolean }[]
  files: { count: number; bytes: number }
}

/** Thrown with a sentence for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/** Says how far it is; called often. */
export type Progress = (sentence: string) => void

/** @throws BackupError */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch(() => {
    throw new BackupError(`${folder} is no backup: it has no ${manifestName}.`)
  })
  let manifest: Omit<Manifest, 'format'> & { format: number }
  try {
    manifest = JSON.parse(text) as Manifest
  } catch {
    throw new BackupError(`${manifestName} of ${folder} cannot be read.`)
  }
  const { format } = manifest
  if (format !== FORMAT)
    throw new BackupError(`The backup is of format ${String(format)}; this version reads format ${String(FORMAT)}.`)
  return { ...manifest, format }
}

export const tableFile = (name: string): string => join('database', `${name}.copy.zst`)

/** SHA-256 of a file, in hexadecimal digits. */
export async function hashOf(path: string, signal?: AbortSignal): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256')
  for await (const part of createReadStream(path, { highWaterMark: 1 << 20 })) {
    signal?.throwIfAborted()
    hasher.update(part as Buffer)
  }
  return hasher.digest('hex')
}

/** Copies a file, for nobody else to read. @param from its path or its bytes. @returns its size, and its SHA-256 */
export async function copyHashed(
  from: string | AsyncIterable<Uint8Array>,
  to: string,
  signal?: AbortSignal,
): Promise<{ size: number; sha256: string }> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const hasher = new Bun.CryptoHasher('sha256')
  const target = await open(to, 'w', 0o600)
  let size = 0
  try {
    const parts = typeof from === 'string' ? createReadStream(from, { highWaterMark: 1 << 20 }) : from
    for await (const part of parts) {
      signal?.throwIfAborted()
      const bytes = part as Uint8Array
      hasher.update(bytes)
      for (let at = 0; at < bytes.length; ) at += (await target.write(bytes, at, bytes.length - at)).bytesWritten
      size += bytes.length
    }
  } finally {
    await target.close()
  }
  return { size, sha256: hasher.digest('hex') }
}

/** Does the work for each, so many at a time, and waits for all. The first failure ends it. */
export async function forEach<T>(
  items: AsyncIterable<T> | Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
  let failed = false
  // An async iterator answers in the order in which it is asked.
  const worker = async () => {
    for (;;) {
      const { done, value } = await iterator.next()
      if (done || failed) return
      try {
        await work(value)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, worker))
  for (const end of ended) if (end.status === 'rejected') throw end.reason
}

/** The lines of SHA256SUMS. @throws BackupError for a line that is none */
export async function* readSums(folder: string): AsyncGenerator<{ sha256: string; path: string }> {
  let rest = ''
  const parse = (line: string) => {
    const [, sha256, path] = /^([0-9a-f]{64}) {2}((?!\/)(?!(?:.*\/)?\.\.(?:\/|$)).+)$/.exec(line) ?? []
    if (sha256 === undefined || path === undefined) throw new BackupError(`${sumsName} has a line that is no sum.`)
    return { sha256, path }
  }
  try {
    for await (const part of createReadStream(join(folder, sumsName), 'utf8')) {
      const lines = (rest + String(part)).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield parse(line)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new BackupError(`${folder} has no ${sumsName}.`)
    throw error
  }
  if (rest !== '') throw new BackupError(`${sumsName} is cut off.`)
}
