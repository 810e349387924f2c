import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DomainError } from '../../schema/errors.ts'
import type { SheetLines } from '../../schema/contacts/contacts.reading.ts'
import { MOST_ROWS, MOST_SHEET_BYTES, TOP_LINES } from '../../schema/contacts/contacts.sheet.ts'
import { type Bounds, OutOfBounds, runBounded } from '../bounded.ts'
import type { Part } from '../media/multipart.ts'
import { scratchFolder } from '../scratch.ts'
import { Crowded, createFairQueue } from '../fair-queue.ts'

/** A file that takes longer than this to read was made to. */
const bounds: Bounds = { ms: 30_000, memory: 256_000_000 }
/** Characters of text that a file may hold; fifty thousand rows of contacts hold a fifth. */
const MOST_TEXT = 40_000_000
/** Rows that are handed on together, unless they are long. */
const ROWS_AT_ONCE = 250
const TEXT_AT_ONCE = 250_000

/** Two cores read two files; who finds the line full tries again in a while. */
const turns = createFairQueue({ atOnce: 2, waiting: 6, eachAtOnce: 1, eachWaiting: 1 })

export interface SheetOrder {
  file: string
  /** Where the rows are written, each a line of JSON. */
  into: string
  mostRows: number
  mostText: number
}
export type SheetAnswer = { rows: number } | { problem: 'unreadable' | 'rows' | 'text' }

/** Lines that lie on disk. */
export interface Sheet extends SheetLines {
  /** Removes it from the disk. */
  remove(): Promise<void>
}

/**
 * Reads an uploaded spreadsheet (xlsx, xls, ods or csv): the first sheet that has any rows. The file is read by a
 * process of its own, and its rows are never in memory together.
 *
 * @throws DomainError `ERR_FILE_TOO_LARGE` with `limit` (bytes), `rows` or `text`; `ERR_FILE_TYPE` for what is no
 * spreadsheet or cannot be read within the limits; `ERR_TOO_MANY_REQUESTS` when too many files are being read
 */
export async function readSheet(companyId: number, { body }: Part): Promise<Sheet> {
  const folder = scratchFolder('sheet')
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const order: SheetOrder = {
      file: join(folder, 'file'),
      into: join(folder, 'rows'),
      // Names of columns, and titles above them, are no rows.
      mostRows: MOST_ROWS + TOP_LINES,
      mostText: MOST_TEXT,
    }
    await write(order.file, body)
    const answer = await turns.take(companyId, () =>
      runBounded<SheetAnswer>(join(import.meta.dir, 'contacts.sheet.child.ts'), order, bounds),
    )
    if ('problem' in answer) {
      if (answer.problem === 'rows') throw new DomainError('ERR_FILE_TOO_LARGE', { rows: MOST_ROWS })
      if (answer.problem === 'text') throw new DomainError('ERR_FILE_TOO_LARGE', { text: MOST_TEXT })
      throw unreadable()
    }
    const top: string[][] = []
    for await (const piece of piecesOf(order.into)) {
      top.push(...piece.slice(0, TOP_LINES - top.length))
      if (top.length >= TOP_LINES) break
    }
    return { top, total: answer.rows, pieces: (after) => withoutFirst(piecesOf(order.into), after), remove }
  } catch (error) {
    await remove()
    if (error instanceof Crowded) throw new DomainError('ERR_TOO_MANY_REQUESTS', { retryAfter: 10 })
    throw error instanceof OutOfBounds ? unreadable() : error
  }
}

const unreadable = () => new DomainError('ERR_FILE_TYPE', { accepted: ['xlsx', 'xls', 'csv'] })

async function write(path: string, body: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    let size = 0
    for await (const piece of body) {
      size += piece.length
      if (size > MOST_SHEET_BYTES) throw new DomainError('ERR_FILE_TOO_LARGE', { limit: MOST_SHEET_BYTES })
      for (let at = 0; at < piece.length; ) at += (await file.write(piece, at, piece.length - at)).bytesWritten
    }
  } finally {
    await file.close()
  }
}

/** Lines of JSON, as many together as one turn of the main loop can take. */
async function* piecesOf(path: string): AsyncGenerator<string[][]> {
  const decoder = new TextDecoder()
  let rows: string[][] = []
  let text = 0
  let rest = ''
  for await (const part of Bun.file(path).stream()) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      rows.push(JSON.parse(line) as string[])
      text += line.length
      if (rows.length < ROWS_AT_ONCE && text < TEXT_AT_ONCE) continue
      yield rows
      rows = []
      text = 0
    }
  }
  if (rows.length > 0) yield rows
}

async function* withoutFirst(pieces: AsyncGenerator<string[][]>, count: number): AsyncGenerator<string[][]> {
  let left = count
  for await (const piece of pieces) {
    if (left < piece.length) yield left > 0 ? piece.slice(left) : piece
    left = Math.max(0, left - piece.length)
  }
}
