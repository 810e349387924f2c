import { numberKey } from './contacts.phone.ts'
import {
  type Columns,
  guessMapping,
  type ImportedRow,
  type ImportProgress,
  mappedColumns,
  MOST_PROBLEMS,
  MOST_ROWS,
  readRow,
  rowOutcomes,
  type RowOutcome,
  type SheetContact,
  type SheetMapping,
} from './contacts.sheet.ts'
import { DomainError } from '../errors.ts'

/** The cells of a spreadsheet as text. */
export interface SheetLines {
  /** The first lines of the file, the column names among them. */
  top: string[][]
  /** All lines. */
  total: number
  /** Those lines behind the first so many, some at a time. */
  pieces(after: number): AsyncGenerator<string[][]>
}

/** A sheet, and how it is to be read. */
export interface Reading {
  sheet: SheetLines
  columns: Columns
  /** The people begin below this line. */
  headerLine: number
  /** Calling code for numbers without one; empty leaves them. */
  country: string
  /** Everything is looked up and nothing is written. */
  dryRun: boolean
}

/** How the sheet seems to be meant, or was said to be. */
export const mappingOf = ({ top }: Pick<SheetLines, 'top'>, said: SheetMapping | undefined): SheetMapping =>
  said ?? guessMapping(top)

/** @throws DomainError `ERR_VALIDATION` when no column has the numbers, or nobody stands in it; `ERR_FILE_TOO_LARGE` */
export function readingOf(
  sheet: SheetLines,
  mapping: SheetMapping,
  { country, dryRun }: Pick<Reading, 'country' | 'dryRun'>,
): Reading {
  const { headerLine } = mapping
  const columns = mappedColumns(sheet.top[headerLine - 1] ?? [], mapping)
  const bad = (message: string) => new DomainError('ERR_VALIDATION', { fields: [{ path: 'body/file', message }] })
  if (!columns) throw bad('no number column')
  if (sheet.total <= headerLine) throw bad('no rows')
  if (sheet.total - headerLine > MOST_ROWS) throw new DomainError('ERR_FILE_TOO_LARGE', { rows: MOST_ROWS })
  return { sheet, columns, headerLine, country, dryRun }
}

/** Rows that are read; what becomes of those that are `wanted` is for whoever writes them to say, in their `entry`. */
export interface ReadPiece {
  wanted: { row: SheetContact; entry: ImportedRow }[]
  progress: ImportProgress
}

/**
 * Reads the people of a sheet, some at a time. Who cannot be read, or stands in it a second time, is told of and not
 * wanted.
 * @param atOnce so many rows at least, the last ones excepted
 */
export async function* readPieces(
  { sheet, columns, headerLine, country }: Reading,
  atOnce = 1,
): AsyncGenerator<ReadPiece> {
  const total = sheet.total - headerLine
  const firstLines = new Map<string, number>()
  // As the spreadsheet counts them, from 1.
  let line = headerLine
  let rows: ImportedRow[] = []
  let wanted: ReadPiece['wanted'] = []
  const made = (): ReadPiece => {
    const piece = { wanted, progress: { total, done: Math.min(line - headerLine, total), rows } }
    rows = []
    wanted = []
    return piece
  }
  yield made()
  for await (const piece of sheet.pieces(headerLine)) {
    for (const cells of piece) {
      line++
      if (cells.every((cell) => !cell.trim())) continue
      const read = readRow(cells, columns, country)
      if (!('contact' in read)) {
        rows.push({ line, name: read.name, number: read.number, outcome: 'invalid', reason: read.reason })
        continue
      }
      const { name, number } = read.contact
      const entry: ImportedRow = {
        line,
        name,
        number,
        outcome: 'unchanged',
        ...(read.reason && { reason: read.reason }),
      }
      rows.push(entry)
      const key = numberKey(number)
      const firstLine = firstLines.get(key)
      if (firstLine !== undefined) Object.assign(entry, { outcome: 'duplicate', firstLine })
      else {
        firstLines.set(key, line)
        wanted.push({ row: read.contact, entry })
      }
    }
    if (rows.length >= atOnce) yield made()
  }
  if (rows.length > 0 || line > headerLine) yield made()
}

/** What an import that writes nothing says: counts, and some of the rows that have a problem. */
export async function* countsOf(work: AsyncGenerator<ImportProgress>): AsyncGenerator<ImportProgress> {
  const counts = Object.fromEntries(rowOutcomes.map((outcome) => [outcome, 0])) as Record<RowOutcome, number>
  let written = 0
  for await (const { total, done, rows } of work) {
    const problems: ImportedRow[] = []
    for (const row of rows) {
      counts[row.outcome]++
      if ((row.outcome === 'invalid' || row.outcome === 'duplicate' || row.reason) && written < MOST_PROBLEMS) {
        problems.push(row)
        written++
      }
    }
    yield { total, done, rows: problems, counts: { ...counts } }
  }
}
