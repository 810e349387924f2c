import { DomainError } from '../../schema/errors.ts'
import { MOST_ROWS, MOST_SHEET_BYTES } from '../../schema/contacts/contacts.sheet.ts'
import type { Part } from '../media/multipart.ts'

/** A file that takes longer than this to read was made to. */
const READ_MS = 20_000

/**
 * The bytes of an uploaded spreadsheet.
 * @throws DomainError `ERR_FILE_TOO_LARGE`
 */
export async function sheetBytes({ body }: Part): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of body) {
    size += piece.length
    if (size > MOST_SHEET_BYTES) throw new DomainError('ERR_FILE_TOO_LARGE', { limit: MOST_SHEET_BYTES })
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

export type SheetAnswer = { rows: string[][] } | { problem: 'unreadable' | 'rows' }

/**
 * The cells of the first sheet that has any, as text. Read in a thread of its own: a large file takes seconds, in which
 * messages go on arriving.
 *
 * @throws DomainError `ERR_FILE_TYPE` for what is no spreadsheet, `ERR_FILE_TOO_LARGE` with `rows` for too many rows
 */
export async function readSheet(bytes: Uint8Array): Promise<string[][]> {
  const worker = new Worker(new URL('./contacts.sheet.worker.ts', import.meta.url))
  try {
    const answer = await new Promise<SheetAnswer>((resolve) => {
      const unreadable = () => resolve({ problem: 'unreadable' })
      worker.onmessage = (event: MessageEvent<SheetAnswer>) => resolve(event.data)
      worker.onerror = unreadable
      setTimeout(unreadable, READ_MS).unref()
      worker.postMessage(bytes)
    })
    if ('rows' in answer) return answer.rows
    if (answer.problem === 'rows') throw new DomainError('ERR_FILE_TOO_LARGE', { rows: MOST_ROWS })
    throw new DomainError('ERR_FILE_TYPE', { accepted: ['xlsx', 'xls', 'csv'] })
  } finally {
    worker.terminate()
  }
}
