import { and, eq, inArray, sql } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { erasures } from '../../schema/privacy/privacy.table.ts'
import type { Db } from '../db/database.ts'
import { type Sealer, sealText } from '../seal.ts'
import { beginErasure, carryOut, erasureMark, erasurePlace } from './privacy.erase.changes.ts'
import type { Remembered } from './privacy.journal.ts'

/** Where the number of somebody stands who need not be a contact. */
const numbered = ['contacts', 'contact_list_items', 'shippings', 'opt_outs'] as const
const PAGE = 10_000

/**
 * Erases again, in a database that was restored, whom the journal names and the backup still knows. Each is held against
 * the hashes, so an id that has become another's erases nobody.
 * @returns how many
 */
export async function repeatErasures(
  { db, sealer, now }: { db: Db; sealer: Sealer; now(): Date },
  journal: readonly Remembered[],
): Promise<number> {
  let repeated = 0
  const known = new Set<string>()
  for (let at = 0; at < journal.length; at += PAGE) {
    const ids = journal.slice(at, at + PAGE).map(({ id }) => id)
    const rows = await db.select({ id: erasures.id }).from(erasures).where(inArray(erasures.id, ids))
    for (const { id } of rows) known.add(id)
  }
  const byCompany = Map.groupBy(
    journal.filter(({ id }) => !known.has(id)),
    ({ companyId }) => companyId,
  )
  for (const [companyId, lines] of byCompany) {
    const [company] = await db
      .select({ language: companies.language })
      .from(companies)
      .where(eq(companies.id, companyId))
    if (!company) continue
    const namesOf = await namesIn(db, sealer, companyId, new Set(lines.flatMap(({ hashes }) => hashes)))
    for (const { id, contactId, hashes } of lines) {
      const names = hashes.flatMap((hash) => namesOf.get(hash) ?? [])
      const [contact] = await db
        .select()
        .from(contacts)
        .where(and(eq(contacts.companyId, companyId), eq(contacts.id, contactId)))
      const isSame =
        contact &&
        !contact.erasedAt &&
        [contact.number, contact.lid].some((name) => name && hashes.includes(erasureMark(sealer, companyId, name)))
      if (isSame) {
        const { erasure } = await db.transaction((tx) =>
          beginErasure(tx, {
            ...{ sealer, companyId, contactId, userId: null, reason: `restored: ${id}`, now: now() },
            ...{ language: company.language, id, despiteHold: true },
          }),
        )
        await carryOut({ db, sealer, now }, erasure.id)
        repeated++
      } else if (names.length > 0) {
        await db.insert(erasures).values({
          ...{ id, companyId, contactId: 0, userId: null, reason: `restored: ${id}`, hashes: [...hashes] },
          names: sealText(sealer, JSON.stringify(names), erasurePlace(id)),
          createdAt: now(),
        })
        await carryOut({ db, sealer, now }, id)
        repeated++
      }
    }
  }
  return repeated
}

/** Which numbers and LIDs of a company have these hashes. */
async function namesIn(
  db: Db,
  sealer: Sealer,
  companyId: number,
  hashes: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const table of numbered)
    for (let after = 0; ; ) {
      const rows = await db.execute<{ id: number; number: string | null; lid: string | null }>(sql`
        SELECT "id"::int AS id, "number", "lid" FROM ${sql.identifier(table)}
        WHERE "companyId" = ${companyId} AND "id" > ${after} ORDER BY "id" LIMIT ${PAGE}`)
      for (const { number, lid } of rows)
        for (const name of [number, lid]) {
          if (!name) continue
          const hash = erasureMark(sealer, companyId, name)
          if (hashes.has(hash)) found.set(hash, name)
        }
      const last = [...rows].at(-1)
      if (!last || rows.length < PAGE) break
      after = last.id
    }
  return found
}
