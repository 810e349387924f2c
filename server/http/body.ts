import { DomainError } from '../../schema/errors.ts'
import { fileNameOf } from '../../schema/texts.ts'
import type { MediaStore, StoredFile } from '../media/media-store.ts'
import { readMultipart } from '../media/multipart.ts'
import { parseJson } from './json.ts'

/** Bytes of a JSON body: several times the longest text that a row takes. */
const JSON_BYTES = 500_000
/** Where it is another: a browser sends many commands at once; a flow comes whole; a stranger has little to say. */
const jsonBytes: Readonly<Record<string, number>> = {
  '/commands': 2_000_000,
  '/commands/batch': 2_000_000,
  '/api/v1/messages': 4_000_000,
  '/api/v1/tickets/:id/messages': 4_000_000,
  '/flowbuilder': 2_000_000,
  '/flowbuilder/flow': 2_000_000,
  '/auth/login': 100_000,
  '/auth/refresh_token': 100_000,
  '/companies/cadastro': 100_000,
  '/resetpasswords': 100_000,
}
/** What the official API tells at once; it says itself that it is no more. */
const HOOK_BYTES = 3_200_000
const HOOK_ROUTE = '/cloud-api/:hook'
/** Bytes beside the file in an upload: field names, the caption, delimiters. */
export const FORM_ROOM = 2_000_000
const MAX_FIELD_BYTES = 1_000_000
const MAX_FIELDS = 50
const MAX_FILES = 20

export interface UploadedFile extends StoredFile {
  /** The file's name as the sender knows it, without folders. */
  name: string
}

export interface Upload {
  fields: Record<string, string>
  /** The same, with every value of a field that came several times. */
  repeated: Record<string, string[]>
  files: UploadedFile[]
}

export const isMultipart = (request: Request): boolean =>
  (request.headers.get('content-type') ?? '').toLowerCase().startsWith('multipart/form-data')

/** Routes that take files, which they stream themselves; everywhere else a body is JSON, and short. */
const fileRoutes: readonly string[] = [
  '/api/messages/send',
  '/api/v1/messages',
  '/api/v1/tickets/:id/messages',
  '/commands',
  '/announcements/:id/media-upload',
  '/contacts/import',
  '/files/uploadList/:id',
  '/contact-lists/:id/upload',
  '/campaigns/:id/media-upload',
  '/opt-outs/import',
  '/flowbuilder/audio',
  '/flowbuilder/content',
  '/flowbuilder/img',
  '/messages/:ticketId',
  '/queue/:id/media-upload',
  '/queue-options/:id/media-upload',
  '/quick-messages/:id/media-upload',
  '/schedules/:id/media-upload',
  '/settings/media-upload',
  '/templates/sample',
]

const isJson = (request: Request): boolean =>
  (request.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase() === 'application/json'

/**
 * The body of a request, before its route sees it; null for a form, which is left to the route. Whether it is too large
 * is known by its announced length, before any of it is read.
 * @throws DomainError `ERR_VALIDATION`, `ERR_BODY_TOO_LARGE`
 */
export async function readBody(request: Request, route: string, maxUploadBytes: number): Promise<unknown> {
  // Its signature is over the bytes as they came.
  if (route === HOOK_ROUTE) return readBytes(request, HOOK_BYTES)
  if (!isMultipart(request)) return readJson(request, jsonBytes[route] ?? JSON_BYTES)
  if (!fileRoutes.includes(route))
    throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'body', message: 'JSON' }] })
  demandShorter(request, maxUploadBytes + FORM_ROOM)
  return null
}

function demandShorter(request: Request, most: number): void {
  if (Number(request.headers.get('content-length') ?? 0) > most)
    throw new DomainError('ERR_BODY_TOO_LARGE', { limit: most })
}

/**
 * A JSON body, of which no more than `most` bytes are ever held; an empty one is null. JSON under another name is
 * refused: a page of another site can send that without being asked for leave.
 * @throws DomainError `ERR_VALIDATION`, `ERR_BODY_TOO_LARGE`
 */
async function readJson(request: Request, most: number): Promise<unknown> {
  const bytes = await readBytes(request, most, () => {
    if (!isJson(request))
      throw new DomainError('ERR_VALIDATION', {
        fields: [{ path: 'header/content-type', message: 'application/json' }],
      })
  })
  return bytes.length === 0 ? null : parseJson(bytes, 'body')
}

/** @param begins is called when there are any */
async function readBytes(request: Request, most: number, begins?: () => void): Promise<Buffer> {
  demandShorter(request, most)
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of request.body ?? []) {
    size += part.length
    if (size > 0) begins?.()
    if (size > most) throw new DomainError('ERR_BODY_TOO_LARGE', { limit: most })
    parts.push(part)
  }
  const announced = Number(request.headers.get('content-length') ?? size)
  // Cut off on its way, which is nobody's mistake: whoever asks again with the whole of it is heard.
  if (size < announced) throw new DomainError('ERR_UNAVAILABLE', { reason: 'incomplete', size, announced })
  return Buffer.concat(parts)
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
  const upload: Upload = {
    fields: Object.create(null) as Record<string, string>,
    repeated: Object.create(null) as Record<string, string[]>,
    files: [],
  }
  const bad = (message: string) => new DomainError('ERR_VALIDATION', { fields: [{ path: 'body', message }] })
  let fields = 0
  try {
    for await (const part of readMultipart(request)) {
      if (part.filename === undefined) {
        if (++fields > MAX_FIELDS) throw bad('too many fields')
        const value = await text(part.body, bad)
        upload.fields[part.name] = value
        ;(upload.repeated[part.name] ??= []).push(value)
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
export async function discard(
  media: MediaStore,
  { files }: { files: readonly Pick<UploadedFile, 'path' | 'isNew'>[] },
): Promise<void> {
  for (const file of files) if (file.isNew) await media.delete(file.path)
}

async function text(body: AsyncIterable<Uint8Array>, bad: (message: string) => DomainError): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > MAX_FIELD_BYTES) throw bad('field too long')
    parts.push(part)
  }
  const whole = Buffer.concat(parts).toString('utf8')
  if (whole.includes('\0')) throw bad('NUL is not a character')
  return whole
}

/** The name of a file that has to have one. */
export const fileName = (name: string): string => fileNameOf(name) || 'file'
