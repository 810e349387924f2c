import { createHmac, randomBytes } from 'node:crypto'
import { type FileHandle, link, mkdir, open, readdir, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileTypeFromBuffer } from 'file-type'
import { DomainError } from '../../schema/errors.ts'
import { recognise } from './media-types.ts'

export type MediaSource = Uint8Array | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>

export interface PutOptions {
  /** Its extension is used where the content names none. */
  name: string
  /** As claimed by whoever brings the file. */
  mimetype: string
  maxBytes: number
  /** Refuse content that contradicts `mimetype`; otherwise the content is believed. */
  strict?: boolean
  /** Makes the path follow from this secret-free name: the same file brought again lies in the same place. */
  key?: string | undefined
  /** `contacts` is for pictures of people, which the whole company may see. */
  area?: 'messages' | 'contacts'
}

export interface StoredFile {
  /** Relative, with slashes: `company1/x4f….png`. */
  path: string
  /** Bytes. */
  size: number
  mimetype: string
  /** False when the same key had brought the file before; then that one stays. */
  isNew: boolean
}

export interface MediaStore {
  /**
   * Writes a file whole or not at all.
   * @throws DomainError `ERR_FILE_REQUIRED` (empty), `ERR_FILE_TOO_LARGE` (`limit`), `ERR_FILE_TYPE`, `ERR_STORAGE_FULL`,
   * `ERR_IDEMPOTENCY_MISMATCH` (`strict`: the key brought other bytes before)
   */
  put(companyId: number, source: MediaSource, options: PutOptions): Promise<StoredFile>
  /** The file's place on disk, its size (bytes) and its time, or undefined where there is none. */
  open(path: string): Promise<{ absolutePath: string; size: number; modifiedAt: Date } | undefined>
  /** @throws DomainError `ERR_NO_FILE_FOUND` for what is not a path of the store */
  absolutePath(path: string): string
  /** Every file of a company. */
  removeCompany(companyId: number): Promise<void>
  /** No error where there is no such file. */
  remove(path: string): Promise<void>
}

/** The only paths there are: nothing of them comes from a person. */
const PATH = /^company([1-9][0-9]{0,9})\/(contacts\/)?[a-f0-9]{48}\.[a-z0-9]{1,8}$/

/** The company and the area that a path lies in, or undefined for what is not a path of the store. */
export function parseMediaPath(path: string): { companyId: number; area: 'messages' | 'contacts' } | undefined {
  const match = PATH.exec(path)
  return match ? { companyId: Number(match[1]), area: match[2] ? 'contacts' : 'messages' } : undefined
}

/** No upload stands still for this long. */
const ABANDONED_MS = 3_600_000

/** As much of a file as its kind is recognised by. */
const SNIFFED_BYTES = 4_100

/**
 * @param root folder; made when missing
 * @param secret what `key`s are mixed with, so that nobody can guess a path
 */
export async function createMediaStore({ root, secret }: { root: string; secret: string }): Promise<MediaStore> {
  const uploads = join(root, 'uploads')
  await mkdir(uploads, { recursive: true, mode: 0o700 })
  // What a crash left half written. Another server on the same folder may be writing what is younger.
  for (const name of await readdir(uploads)) {
    const draft = join(uploads, name)
    const found = await stat(draft).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(draft, { force: true })
  }

  const absolutePath = (path: string) => {
    if (!PATH.test(path)) throw new DomainError('ERR_NO_FILE_FOUND')
    return join(root, path)
  }

  const openFile = async (path: string) => {
    if (!PATH.test(path)) return undefined
    const place = join(root, path)
    const found = await stat(place).catch(() => undefined)
    return found?.isFile() ? { absolutePath: place, size: found.size, modifiedAt: found.mtime } : undefined
  }

  return {
    absolutePath,
    open: openFile,
    async remove(path) {
      await rm(absolutePath(path), { force: true })
    },
    async removeCompany(companyId) {
      await rm(join(root, `company${companyId}`), { recursive: true, force: true })
    },
    async put(companyId, source, { name, mimetype, maxBytes, strict = false, key, area = 'messages' }) {
      const draft = join(uploads, randomBytes(16).toString('hex'))
      try {
        const { size, head } = await write(draft, source, maxBytes)
        if (size === 0) throw new DomainError('ERR_FILE_REQUIRED')
        const sniffed = await fileTypeFromBuffer(head).catch(() => undefined)
        const { mimetype: recognised, extension } = recognise(mimetype, sniffed, name, strict)
        const unguessable =
          key === undefined
            ? randomBytes(24)
            : createHmac('sha256', secret).update(`media ${companyId} ${key}`).digest().subarray(0, 24)
        const path = `company${companyId}/${area === 'contacts' ? 'contacts/' : ''}${unguessable.toString('hex')}.${extension}`
        const place = absolutePath(path)
        await mkdir(dirname(place), { recursive: true, mode: 0o700 })
        // A link never replaces what is there.
        const isNew = await link(draft, place).then(
          () => true,
          (error: NodeJS.ErrnoException) => {
            if (error.code === 'EEXIST') return false
            throw error
          },
        )
        const kept = isNew ? undefined : await openFile(path)
        // Somebody repeats a key with another file, and would be told that it was taken.
        if (strict && kept && !(await sameBytes(draft, place))) throw new DomainError('ERR_IDEMPOTENCY_MISMATCH')
        return { path, size: kept?.size ?? size, mimetype: recognised, isNew }
      } catch (error) {
        throw fullDisk(error) ?? error
      } finally {
        await unlink(draft).catch(() => undefined)
      }
    },
  }
}

async function sameBytes(one: string, other: string): Promise<boolean> {
  const hash = async (path: string) => {
    const hasher = new Bun.CryptoHasher('sha256')
    for await (const part of Bun.file(path).stream()) hasher.update(part)
    return hasher.digest('hex')
  }
  return Bun.file(one).size === Bun.file(other).size && (await hash(one)) === (await hash(other))
}

async function write(
  draft: string,
  source: MediaSource,
  maxBytes: number,
): Promise<{ size: number; head: Uint8Array }> {
  const file: FileHandle = await open(draft, 'wx', 0o600)
  let size = 0
  const heads: Uint8Array[] = []
  let headSize = 0
  try {
    for await (const piece of source instanceof Uint8Array ? [source] : source) {
      size += piece.length
      if (size > maxBytes) throw new DomainError('ERR_FILE_TOO_LARGE', { limit: maxBytes })
      if (headSize < SNIFFED_BYTES) {
        const part = piece.slice(0, SNIFFED_BYTES - headSize)
        heads.push(part)
        headSize += part.length
      }
      for (let at = 0; at < piece.length; ) at += (await file.write(piece, at, piece.length - at)).bytesWritten
    }
    // The row that names the file is durable when it is committed; so must be the file.
    await file.sync()
  } finally {
    await file.close()
  }
  return { size, head: Buffer.concat(heads) }
}

const fullDisk = (error: unknown) =>
  ['ENOSPC', 'EDQUOT', 'EFBIG'].includes((error as NodeJS.ErrnoException).code ?? '')
    ? new DomainError('ERR_STORAGE_FULL')
    : undefined
