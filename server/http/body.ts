import { DomainError } from '../../schema/errors.ts'
import type { MediaStore, StoredFile } from '../media/media-store.ts'
import { readMultipart } from '../media/multipart.ts'

/** Bytes of a JSON body. */
export const MAX_JSON_BYTES = 2_000_000
const MAX_FIELD_BYTES = 1_000_000
const MAX_FIELDS = 50
const MAX_FILES = 20

export interface UploadedFile extends StoredFile {
  /** The file's name as the sender knows it, without folders. */
  name: string
}

export interface Upload {
  fields: Record<string, string>
  files: UploadedFile[]
}

export const isMultipart = (request: Request): boolean =>
  (request.headers.get('content-type') ?? '').toLowerCase().startsWith('multipart/form-data')

/** Routes that take files, which they stream themselves; everywhere else a body is JSON, and short. */
const fileRoutes: readonly string[] = [
  '/commands',
  '/contacts/import',
  '/messages/:ticketId',
  '/quick-messages/:id/media-upload',
  '/schedules/:id/media-upload',
]

/**
 * The body of a request, before its route sees it; null for a form, which is left to the route.
 * @throws DomainError `ERR_VALIDATION`, `ERR_BODY_TOO_LARGE`
 */
export async function readBody(request: Request, route: string): Promise<unknown> {
  if (!isMultipart(request)) return readJson(request)
  if (fileRoutes.includes(route)) return null
  throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'body', message: 'JSON' }] })
}

/**
 * A JSON body, of which no more than `MAX_JSON_BYTES` is ever held; an empty one is null.
 * @throws DomainError `ERR_VALIDATION`, `ERR_BODY_TOO_LARGE`
 */
async function readJson(request: Request): Promise<unknown> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of request.body ?? []) {
    size += part.length
    if (size > MAX_JSON_BYTES) throw new DomainError('ERR_BODY_TOO_LARGE', { limit: MAX_JSON_BYTES })
    parts.push(part)
  }
  const announced = Number(request.headers.get('content-length') ?? size)
  // Cut off on its way, which is nobody's mistake: whoever asks again with the whole of it is heard.
  if (size < announced) throw new DomainError('ERR_UNAVAILABLE', { reason: 'incomplete', size, announced })
  if (size === 0) return null
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown
  } catch {
    throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'body', message: 'unreadable' }] })
  }
}

/**
 * Streams a form with files into the media store. When it fails, what was stored is removed again.
 * @param keyOf name of the file's place, so that the same upload sent again lands in the same one
 * @throws DomainError `ERR_VALIDATION`, `ERR_FILE_TOO_LARGE`, `ERR_FILE_TYPE`, `ERR_STORAGE_FULL`
 */
export async function readUpload(
  request: Request,
  {
    media,
    companyId,
    maxBytes,
    keyOf,
  }: {
    media: MediaStore
    companyId: number
    maxBytes: number
    keyOf?: (fields: Record<string, string>, index: number) => string | undefined
  },
): Promise<Upload> {
  const upload: Upload = { fields: Object.create(null) as Record<string, string>, files: [] }
  const bad = (message: string) => new DomainError('ERR_VALIDATION', { fields: [{ path: 'body', message }] })
  try {
    for await (const part of readMultipart(request)) {
      if (part.filename === undefined) {
        if (Object.keys(upload.fields).length >= MAX_FIELDS) throw bad('too many fields')
        upload.fields[part.name] = await text(part.body, bad)
      } else {
        if (upload.files.length >= MAX_FILES) throw bad('too many files')
        const name = fileName(part.filename)
        const key = keyOf?.(upload.fields, upload.files.length)
        const stored = await media.put(companyId, part.body, {
          name,
          mimetype: part.mimetype,
          maxBytes,
          strict: true,
          key,
        })
        upload.files.push({ ...stored, name })
      }
    }
    return upload
  } catch (error) {
    await discard(media, upload)
    throw error
  }
}

/** Removes what this upload brought, but not what lay there before it. */
export async function discard(media: MediaStore, { files }: Pick<Upload, 'files'>): Promise<void> {
  for (const file of files) if (file.isNew) await media.remove(file.path)
}

async function text(body: AsyncIterable<Uint8Array>, bad: (message: string) => DomainError): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > MAX_FIELD_BYTES) throw bad('field too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** The last part of a path, without control characters; at most 255 characters. */
export function fileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  // eslint-disable-next-line no-control-regex -- control characters are what is removed
  const clean = last.replace(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g, '').trim()
  return clean.slice(-255) || 'file'
}
