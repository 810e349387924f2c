import { and, eq, inArray, sql } from 'drizzle-orm'
import { MOST_ITEMS } from '../../schema/contact-lists/contact-lists.inputs.ts'
import { contactListItems, contactLists } from '../../schema/contact-lists/contact-lists.table.ts'
import {
  type Columns,
  type ImportedRow,
  type ImportProgress,
  numberKey,
  readRow,
  type SheetContact,
} from '../../schema/contacts/contacts.sheet.ts'
import type { Sheet } from '../contacts/contacts.sheet.ts'
import type { Db } from '../db/database.ts'

/** So many rows as one statement writes; each is committed before it is told. */
const AT_ONCE = 1_000

interface Wanted {
  row: SheetContact
  entry: ImportedRow
}

/**
 * Puts the rows of a sheet on a list, a piece at a time. Who stands on it already stays as they are, and the report
 * says so; where the list is full, the rest is refused, row by row.
 */
export async function* importItems(
  db: Db,
  list: { id: number; companyId: number },
  { sheet, columns, country }: { sheet: Sheet; columns: Columns; country: string },
  now: () => Date,
): AsyncGenerator<ImportProgress> {
  const { total } = sheet
  const firstLines = new Map<string, number>()
  let line = 1
  let report: ImportedRow[] = []
  let wanted: Wanted[] = []
  const flush = async (): Promise<ImportProgress> => {
    if (wanted.length > 0) await writeItems(db, list, wanted, now())
    const rows = report
    report = []
    wanted = []
    return { total, done: Math.min(line - 1, total), rows }
  }
  yield { total, done: 0, rows: [] }
  for await (const piece of sheet.pieces()) {
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
      const key = numberKey(number)
      const firstLine = firstLines.get(key)
      if (firstLine !== undefined) Object.assign(entry, { outcome: 'duplicate', firstLine })
      else {
        firstLines.set(key, line)
        wanted.push({ row: read.contact, entry })
      }
    }
    if (report.length >= AT_ONCE) yield await flush()
  }
  if (report.length > 0 || line > 1) yield await flush()
}

async function writeItems(
  db: Db,
  list: { id: number; companyId: number },
  wanted: readonly Wanted[],
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    // Two imports into one list take turns, so that neither counts what the other is about to write.
    await tx.select({ id: contactLists.id }).from(contactLists).where(eq(contactLists.id, list.id)).for('update')
    const mine = eq(contactListItems.contactListId, list.id)
    const keys = wanted.map(({ row }) => numberKey(row.number))
    const [count, there] = await Promise.all([
      tx.$count(contactListItems, mine),
      tx
        .select({ key: contactListItems.key })
        .from(contactListItems)
        .where(and(mine, inArray(contactListItems.key, keys))),
    ])
    const known = new Set(there.map(({ key }) => key))
    const fresh = wanted.filter(({ row }) => !known.has(numberKey(row.number)))
    const room = Math.max(0, MOST_ITEMS - count)
    for (const { entry } of fresh.slice(room)) Object.assign(entry, { outcome: 'invalid', reason: 'full' })
    const taken = fresh.slice(0, room)
    if (taken.length === 0) return
    const rows = taken.map(({ row }) => ({
      name: (row.name || row.number).slice(0, 100),
      number: row.number,
      key: numberKey(row.number),
      email: row.email,
    }))
    await tx.execute(sql`INSERT INTO ${contactListItems}
      ("companyId", "contactListId", "name", "number", "key", "email", "createdAt", "updatedAt")
      SELECT ${list.companyId}, ${list.id}, x."name", x."number", x."key", x."email", ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz
      FROM json_to_recordset(${JSON.stringify(rows)}::text::json) AS x("name" text, "number" text, "key" text, "email" text)`)
    for (const { entry } of taken) entry.outcome = 'created'
  })
}
