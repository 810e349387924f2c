import { DomainError } from '../../schema/errors.ts'
import type { MediaStore } from '../media/media-store.ts'
import { discard, isMultipart, readUpload, type UploadedFile } from './body.ts'

/** What a row keeps of its file. */
export const noFile = { mediaPath: null, mediaName: null, mediaMime: null, mediaSize: null } as const

/** The same for a file that has come; blanks in names trouble old phones. */
export const fileColumns = ({ path, name, mimetype, size }: UploadedFile) => ({
  mediaPath: path,
  mediaName: name.replaceAll(/\s+/g, '_'),
  mediaMime: mimetype,
  mediaSize: size,
})

/**
 * Takes the one file of a form and does something with it; whatever that fails with, the file is gone again.
 * @param only MIME types that are taken; undefined takes all that the store takes
 * @throws DomainError `ERR_VALIDATION`, `ERR_FILE_REQUIRED`, `ERR_FILE_TOO_LARGE`, `ERR_FILE_TYPE`, `ERR_STORAGE_FULL`
 */
export async function takeFile<T>(
  request: Request,
  {
    media,
    companyId,
    maxBytes,
    only,
  }: { media: MediaStore; companyId: number; maxBytes: number; only?: readonly string[] },
  work: (file: UploadedFile) => Promise<T>,
): Promise<T> {
  if (!isMultipart(request)) throw new DomainError('ERR_FILE_REQUIRED')
  const upload = await readUpload(request, { media, companyId, maxBytes })
  try {
    const [file, ...more] = upload.files
    if (!file) throw new DomainError('ERR_FILE_REQUIRED')
    if (more.length > 0) throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'body', message: 'one file' }] })
    if (only && !only.includes(file.mimetype))
      throw new DomainError('ERR_FILE_TYPE', { found: file.mimetype, allowed: only })
    return await work(file)
  } catch (error) {
    await discard(media, upload)
    throw error
  }
}

/** How the description says "a form with one file". */
export const fileForm = {
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object' as const,
        properties: { file: { type: 'string' as const, format: 'binary' } },
        required: ['file'],
      },
    },
  },
  required: true,
}
