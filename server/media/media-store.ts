import { createHmac, randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileTypeFromBuffer } from 'file-type'
import { DomainError } from '../../schema/errors.ts'
import type { Bucket } from '../config.ts'
import { recognise } from './media-types.ts'
import { mediaBoth } from './media.both.ts'
import { mediaBucket } from './media.bucket.ts'
import { fullDisk, mediaFolder } from './media.folder.ts'
import type { MediaPort } from './media.port.ts'
import type { Scan } from './media.scan.ts'

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
  /** Whoever brings it may bring other bytes under the same key, as a page does that makes its file anew: the first stay. */
  keepsFirst?: boolean
  /** Made here, of what lies here already: nobody looks for viruses in it again. */
  isOurs?: boolean
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

/** The files of the product: what may lie there, what it is called and what it is, over the place where files lie. */
export interface MediaStore extends Omit<MediaPort, 'write'> {
  /**
   * Takes a file whole or not at all.
   * @throws DomainError `ERR_FILE_REQUIRED` (empty), `ERR_FILE_TOO_LARGE` (`limit`), `ERR_FILE_TYPE`, `ERR_STORAGE_FULL`,
   * `ERR_FILE_INFECTED`, `ERR_UNAVAILABLE` (its scanner is away),
   * `ERR_IDEMPOTENCY_MISMATCH` (`strict`: the key brought other bytes before)
   */
  put(companyId: number, source: MediaSource, options: PutOptions): Promise<StoredFile>
}

/** In `root`: what is half written, and copies that programs read. */
const DRAFTS = 'uploads'
/** No upload stands still for this long. */
const ABANDONED_MS = 3_600_000

/** As much of a file as its kind is recognised by. */
const SNIFFED_BYTES = 4_100

/**
 * @param root folder of this machine, made when missing: files lie here, or in `bucket`, and what is half written lies
 * here in any case
 * @param secret what `key`s are mixed with, so that nobody can guess a path
 * @param scan looks at each file before it is taken
 */
export async function createMediaStore({
  secret,
  scan,
  ...place
}: Place & { secret: string; scan?: Scan | undefined }): Promise<MediaStore> {
  const { root } = place
  const drafts = join(root, DRAFTS)
  await mkdir(drafts, { recursive: true, mode: 0o700 })
  // What a crash left half written. Another server on the same folder may be writing what is younger.
  for (const name of await readdir(drafts)) {
    const draft = join(drafts, name)
    const found = await stat(draft).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(draft, { force: true })
  }
  const { write, ...port } = mediaPort(place)

  return {
    ...port,
    async put(
      companyId,
      source,
      { name, mimetype, maxBytes, strict = false, key, keepsFirst = !strict, area = 'messages', isOurs = false },
    ) {
      const draft = join(drafts, randomBytes(16).toString('hex'))
      try {
        const { size, head } = await writeDraft(draft, source, maxBytes)
        if (size === 0) throw new DomainError('ERR_FILE_REQUIRED')
        if (!isOurs) await scan?.(draft, companyId)
        const sniffed = await fileTypeFromBuffer(head).catch(() => undefined)
        const { mimetype: recognised, extension } = recognise(mimetype, sniffed, name, strict)
        const unguessable =
          key === undefined
            ? randomBytes(24)
            : createHmac('sha256', secret).update(`media ${companyId} ${key}`).digest().subarray(0, 24)
        const path = `company${companyId}/${area === 'contacts' ? 'contacts/' : ''}${unguessable.toString('hex')}.${extension}`
        // Not every service keeps what is there when it is told to; of a path that nobody could guess there is nothing.
        const isThere = key !== undefined && (await port.find(path)) !== undefined
        const isNew = !isThere && (await write(path, draft))
        const kept = isNew ? undefined : await port.find(path)
        // Somebody repeats a key with another file, and would be told that it was taken.
        const isSame = async () =>
          kept?.size === size && (await hashOf(await port.read(path))) === (await hashOf(Bun.file(draft).stream()))
        if (!keepsFirst && kept && !(await isSame())) throw new DomainError('ERR_IDEMPOTENCY_MISMATCH')
        return { path, size: kept?.size ?? size, mimetype: recognised, isNew }
      } catch (error) {
        throw fullDisk(error) ?? error
      } finally {
        await unlink(draft).catch(() => undefined)
      }
    },
  }
}

/** Where files lie: in a folder, or in a bucket beside it; what new ones go into. */
export interface Place {
  root: string
  bucket?: Bucket | undefined
  mediaIn?: 'bucket' | 'folder'
}

/** @returns where files lie with a configuration */
export const mediaPlace = ({
  dataDir,
  bucket,
  mediaIn,
}: {
  dataDir: string
  bucket: Bucket | undefined
  mediaIn: 'bucket' | 'folder'
}): Place => ({ root: join(dataDir, 'media'), bucket, mediaIn })

/** Files as they lie, for programs beside the server. */
export function mediaPort(place: Place): MediaPort {
  const { to, from } = mediaPorts(place)
  return from ? mediaBoth(to, from) : to
}

/** Where new files go, and, beside a bucket, where others may lie. */
export function mediaPorts({ root, bucket, mediaIn = 'bucket' }: Place): { to: MediaPort; from?: MediaPort } {
  const folder = mediaFolder(root)
  if (!bucket) return { to: folder }
  const away = mediaBucket(bucket, join(root, DRAFTS))
  return mediaIn === 'bucket' ? { to: away, from: folder } : { to: folder, from: away }
}

async function hashOf(bytes: ReadableStream<Uint8Array>): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256')
  for await (const part of bytes) hasher.update(part)
  return hasher.digest('hex')
}

async function writeDraft(
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
