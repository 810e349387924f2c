import { and, eq, inArray } from 'drizzle-orm'
import { numberVariants } from '../../schema/contacts/contacts.phone.ts'
import {
  fieldsInRow,
  importPatch,
  type ImportMode,
  type ImportProgress,
  type SheetContact,
} from '../../schema/contacts/contacts.sheet.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import type { FieldPatch } from '../../schema/custom-fields/custom-fields.table.ts'
import type { Language } from '../../schema/languages.ts'
import { fieldsOf } from '../commands/fields.ts'
import type { Db, Tx } from '../db/database.ts'
import { type Reading, type ReadPiece, readPieces } from '../../schema/contacts/contacts.reading.ts'

/**
 * Brings the rows of a sheet into the company's contacts, a piece at a time: each piece is committed before it is
 * told. Whoever stops asking stops the import after the piece at work; importing the same file again goes on where it
 * stopped, since a row that is there already changes nothing.
 */
export async function* importContacts(
  db: Db,
  companyId: number,
  reading: Reading,
  { mode, language, now }: { mode: ImportMode; language: Promise<Language>; now: () => Date },
): AsyncGenerator<ImportProgress> {
  const spoken = await language
  const fields = (await fieldsOf(db, companyId)).filter(({ entity }) => entity === 'contact')
  for await (const { wanted: read, progress } of readPieces(reading)) {
    const wanted = read.map(({ row, entry }) => ({ row: { ...row, ...fieldsInRow(fields, row.extra, spoken) }, entry }))
    if (wanted.length > 0 && reading.dryRun) await comparePiece(db, companyId, wanted, mode)
    else if (wanted.length > 0)
      await db.transaction(async (tx) => {
        const fresh = await comparePiece(tx, companyId, wanted, mode, now())
        if (fresh.length > 0) await addPiece(tx, companyId, fresh)
      })
    yield progress
  }
}

type Wanted = (Omit<ReadPiece['wanted'][number], 'row'> & { row: SheetContact & { fields: FieldPatch } })[]

/**
 * Says of each row whether its number is new, and what it changes where it is not.
 * @param writeAt when the changes are made; without it they are only told
 * @returns the new ones
 */
async function comparePiece(
  db: Db | Tx,
  companyId: number,
  wanted: Wanted,
  mode: ImportMode,
  writeAt?: Date,
): Promise<Wanted> {
  const numbers = [...new Set(wanted.flatMap(({ row }) => numberVariants(row.number)))]
  const find = db
    .select()
    .from(contacts)
    .where(and(eq(contacts.companyId, companyId), eq(contacts.isGroup, false), inArray(contacts.number, numbers)))
    // In one order everywhere, so that two imports of one file wait for each other and do not lock each other.
    .orderBy(contacts.id)
  const found = await (writeAt ? find.for('update') : find)
  const known = new Map(found.map((contact) => [contact.number, contact]))
  const fresh: Wanted = []
  for (const item of wanted) {
    const { row, entry } = item
    const there = numberVariants(row.number)
      .map((number) => known.get(number))
      .find((contact) => contact !== undefined)
    if (!there) {
      fresh.push(item)
      if (!writeAt) entry.outcome = 'created'
      continue
    }
    const patch = importPatch(there, row, mode, () => crypto.randomUUID())
    if (Object.keys(patch).length === 0) continue
    if (writeAt)
      await db
        .update(contacts)
        .set({ ...patch, updatedAt: writeAt })
        .where(eq(contacts.id, there.id))
    entry.outcome = 'updated'
  }
  return fresh
}

async function addPiece(tx: Tx, companyId: number, fresh: Wanted): Promise<void> {
  const made = await tx
    .insert(contacts)
    .values(
      fresh.map(({ row }) => ({
        companyId,
        name: row.name || row.number,
        nameSource: row.name ? ('edited' as const) : ('number' as const),
        number: row.number,
        email: row.email,
        fields: row.fields,
        extraInfo: row.extra.map((info) => ({ id: crypto.randomUUID(), ...info })),
      })),
    )
    // A message may make the same contact at this very moment.
    .onConflictDoNothing()
    .returning({ number: contacts.number })
  const created = new Set(made.map(({ number }) => number))
  for (const { row, entry } of fresh) if (created.has(row.number)) entry.outcome = 'created'
}
