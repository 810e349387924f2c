import { DomainError } from '../../schema/errors.ts'
import { isMultipart } from './body.ts'
import { readMultipart } from '../media/multipart.ts'
import { createTurns } from '../turns.ts'
import { readSheet, type Sheet } from '../contacts/contacts.sheet.ts'

/** The spreadsheet in the first file of a form. @throws DomainError `ERR_FILE_REQUIRED`, `ERR_FILE_TOO_LARGE` */
export async function uploadedSheet(companyId: number, request: Request): Promise<Sheet> {
  if (isMultipart(request))
    for await (const part of readMultipart(request))
      if (part.filename !== undefined) return await readSheet(companyId, part)
  throw new DomainError('ERR_FILE_REQUIRED')
}

const imports = createTurns({ atOnce: 6, waiting: 0, eachAtOnce: 2, eachWaiting: 0 })

/**
 * A place among the imports, whatever is imported.
 * @returns gives it back
 * @throws DomainError `ERR_TOO_MANY_REQUESTS`
 */
export function placeForImport(companyId: number): () => void {
  try {
    return imports.hold(companyId)
  } catch {
    throw new DomainError('ERR_TOO_MANY_REQUESTS', { retryAfter: 10 })
  }
}
