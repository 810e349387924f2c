import { and, eq, inArray, sql } from 'drizzle-orm'
import { MOST_ITEMS } from '../../schema/contact-lists/contact-lists.inputs.ts'
import { contactListItems, contactLists } from '../../schema/contact-lists/contact-lists.table.ts'
import { numberKey } from '../../schema/contacts/contacts.phone.ts'
import type { ImportProgress } from '../../schema/contacts/contacts.sheet.ts'
import { type Reading, type ReadPiece, readPieces } from '../../schema/contacts/contacts.reading.ts'
import type { Db, Tx } from '../db/database.ts'

/** So many rows as one statement writes; each is committed before it is told. */
const AT_ONCE = 1_000

type Wanted = ReadPiece['wanted']

/**
 * Puts the rows of a sheet on a list, a piece at a time. Who stands on it already stays as they are, and the report
 * says so; where the list is full, the rest is refused, row by row.
 */
export async function* importItems(
  db: Db,
  list: { id: number; companyId: number },
  reading: Reading,
  now: () => Date,
): AsyncGenerator<ImportProgress> {
  // What a dry run would have put there already.
  let planned = 0
  for await (const { wanted, progress } of readPieces(reading, AT_ONCE)) {
    if (wanted.length > 0 && reading.dryRun) planned += (await fittingRows(db, list, wanted, planned)).length
    else if (wanted.length > 0) await writeItems(db, list, wanted, now())
    yield progress
  }
}

/** Those who are not on the list and find room on it. */
async function fittingRows(db: Db | Tx, list: { id: number }, wanted: Wanted, planned: number): Promise<Wanted> {
  const mine = eq(contactListItems.contactListId, list.id)
  const keys = wanted.map(({ row }) => numberKey(row.number))
  const [count, there] = await Promise.all([
    db.$count(contactListItems, mine),
    db
      .select({ key: contactListItems.key })
      .from(contactListItems)
      .where(and(mine, inArray(contactListItems.key, keys))),
  ])
  const known = new Set(there.map(({ key }) => key))
  const fresh = wanted.filter(({ row }) => !known.has(numberKey(row.number)))
  const room = Math.max(0, MOST_ITEMS - count - planned)
  for (const { entry } of fresh.slice(room)) Object.assign(entry, { outcome: 'invalid', reason: 'full' })
  const taken = fresh.slice(0, room)
  for (const { entry } of taken) entry.outcome = 'created'
  return taken
}

async function writeItems(db: Db, list: { id: number; companyId: number }, wanted: Wanted, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    // Two imports into one list take turns, so that neither counts what the other is about to write.
    await tx.select({ id: contactLists.id }).from(contactLists).where(eq(contactLists.id, list.id)).for('update')
    const taken = await fittingRows(tx, list, wanted, 0)
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
  })
}
