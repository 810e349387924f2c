import { and, eq, inArray } from 'drizzle-orm'
import {
  type Columns,
  columnsOf,
  importPatch,
  type ImportedRow,
  type ImportMode,
  type ImportProgress,
  numberKey,
  numberVariants,
  readRow,
  type SheetContact,
} from '../../schema/contacts/contacts.sheet.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { DomainError } from '../../schema/errors.ts'
import type { Db } from '../db/database.ts'
import type { Sheet } from './contacts.sheet.ts'

export interface ImportChoices {
  mode: ImportMode
  /** Calling code for numbers without one; empty leaves them. */
  country: string
}

/** @throws DomainError `ERR_VALIDATION` when there is no number column, or nothing below the header */
export function sheetColumns({ header, total }: Pick<Sheet, 'header' | 'total'>): Columns {
  const columns = columnsOf(header)
  const bad = (message: string) => new DomainError('ERR_VALIDATION', { fields: [{ path: 'body/file', message }] })
  if (!columns) throw bad('no number column')
  if (total === 0) throw bad('no rows')
  return columns
}

/**
 * Brings the rows of a sheet into the company's contacts, a piece at a time: each piece is committed before it is
 * told. Whoever stops asking stops the import after the piece at work; importing the same file again goes on where it
 * stopped, since a row that is there already changes nothing.
 */
export async function* importContacts(
  db: Db,
  companyId: number,
  sheet: Sheet,
  { mode, country }: ImportChoices,
  now: () => Date,
): AsyncGenerator<ImportProgress> {
  const columns = sheetColumns(sheet)
  const { total } = sheet
  const firstLines = new Map<string, number>()
  yield { total, done: 0, rows: [] }
  // Spreadsheets count from 1, and the header is the first.
  let line = 1
  for await (const piece of sheet.pieces()) {
    const report: ImportedRow[] = []
    const wanted: { line: number; row: SheetContact; entry: ImportedRow }[] = []
    for (const cells of piece) {
      line++
      if (cells.every((cell) => !cell.trim())) continue
      const read = readRow(cells, columns, country)
      if ('reason' in read) {
        report.push({ line, name: read.name, number: read.number, outcome: 'invalid', reason: read.reason })
        continue
      }
      const { name, number } = read.contact
      const entry: ImportedRow = { line, name, number, outcome: 'unchanged' }
      report.push(entry)
      const firstLine = firstLines.get(numberKey(number))
      if (firstLine !== undefined) Object.assign(entry, { outcome: 'duplicate', firstLine })
      else {
        firstLines.set(numberKey(number), line)
        wanted.push({ line, row: read.contact, entry })
      }
    }
    if (wanted.length > 0) await writePiece(db, companyId, wanted, mode, now())
    yield { total, done: Math.min(line - 1, total), rows: report }
  }
}

async function writePiece(
  db: Db,
  companyId: number,
  wanted: { row: SheetContact; entry: ImportedRow }[],
  mode: ImportMode,
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const found = await tx
      .select()
      .from(contacts)
      .where(
        and(
          eq(contacts.companyId, companyId),
          eq(contacts.isGroup, false),
          inArray(contacts.number, [...new Set(wanted.flatMap(({ row }) => numberVariants(row.number)))]),
        ),
      )
      // In one order everywhere, so that two imports of one file wait for each other and do not lock each other.
      .orderBy(contacts.id)
      .for('update')
    const known = new Map(found.map((contact) => [contact.number, contact]))
    const fresh: typeof wanted = []
    for (const item of wanted) {
      const { row, entry } = item
      const there = numberVariants(row.number)
        .map((number) => known.get(number))
        .find((contact) => contact !== undefined)
      if (!there) {
        fresh.push(item)
        continue
      }
      const patch = importPatch(there, row, mode, () => crypto.randomUUID())
      if (Object.keys(patch).length === 0) continue
      await tx
        .update(contacts)
        .set({ ...patch, updatedAt: now })
        .where(eq(contacts.id, there.id))
      entry.outcome = 'updated'
    }
    if (fresh.length === 0) return
    const made = await tx
      .insert(contacts)
      .values(
        fresh.map(({ row }) => ({
          companyId,
          name: row.name || row.number,
          nameSource: row.name ? ('edited' as const) : ('number' as const),
          number: row.number,
          email: row.email,
          extraInfo: row.extra.map((info) => ({ id: crypto.randomUUID(), ...info })),
        })),
      )
      // A message may make the same contact at this very moment.
      .onConflictDoNothing()
      .returning({ number: contacts.number })
    const created = new Set(made.map(({ number }) => number))
    for (const { row, entry } of fresh) if (created.has(row.number)) entry.outcome = 'created'
  })
}
