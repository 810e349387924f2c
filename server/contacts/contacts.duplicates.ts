import { and, count, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { contactMerges } from '../../schema/contacts/merges.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { users } from '../../schema/users/users.table.ts'
import type { Db } from '../db/database.ts'
import { publicUrl } from '../tickets/tickets.queries.ts'

const MOST_GROUPS = 50
const MOST_IN_GROUP = 10
const MOST_MERGES = 20

/** Why contacts seem to be one person; the surest first. */
export type DuplicateReason = 'lid' | 'number' | 'email'

/**
 * Contacts that seem to be one person: one number written in two ways (`numberKey` of `schema/`), a number that is
 * another's LID, a nameless half of the same name, or one e-mail address; and the merges that can be undone.
 */
export async function findDuplicates(db: Db, companyId: number) {
  const found = await db.execute<{ reason: DuplicateReason; ids: number[] }>(sql`
    WITH people AS (
      SELECT id, name, "nameSource", number, lid, lower(email) AS email
      FROM contacts WHERE "companyId" = ${companyId} AND NOT "isGroup" AND "erasedAt" IS NULL
    ), keyed AS (
      SELECT 2 AS rank, 'number' AS reason, id, number_key(number) AS key
      FROM people WHERE number IS NOT NULL
      UNION ALL
      SELECT 3, 'email', id, email FROM people WHERE email <> ''
      UNION ALL
      SELECT 1, 'lid', id, lid FROM people WHERE lid IS NOT NULL
      UNION ALL
      SELECT 1, 'lid', id, number FROM people WHERE lid IS NULL AND number IS NOT NULL
      UNION ALL
      -- Half a person each: one is known by the number only, the other by WhatsApp's other name only.
      SELECT 1, 'lid', id, 'name:' || plain(name) FROM people
      WHERE "nameSource" <> 'number' AND (number IS NULL) <> (lid IS NULL)
    )
    SELECT min(rank) AS rank, min(reason) AS reason, ids FROM (
      SELECT rank, reason, key, (array_agg(k.id ORDER BY k.id))[1:${MOST_IN_GROUP}::int] AS ids
      FROM keyed k JOIN people p USING (id)
      GROUP BY rank, reason, key
      HAVING count(*) > 1 AND (key NOT LIKE 'name:%' OR (count(p.number) > 0 AND count(p.lid) > 0))
    ) AS groups GROUP BY ids ORDER BY 1, ids LIMIT ${MOST_GROUPS}`)
  const groups = [...found]
  const rows = await rowsOf(db, companyId, [...new Set(groups.flatMap(({ ids }) => ids))])
  return {
    groups: groups.map(({ reason, ids }) => ({ reason, contacts: ids.flatMap((id) => rows.get(id) ?? []) })),
    merges: await openMerges(db, companyId),
  }
}

async function rowsOf(db: Db, companyId: number, ids: number[]) {
  if (ids.length === 0) return new Map<number, never>()
  const rows = await db
    .select({
      id: contacts.id,
      name: contacts.name,
      number: contacts.number,
      lid: contacts.lid,
      username: contacts.username,
      email: contacts.email,
      profilePicUrl: contacts.profilePicUrl,
      extraInfo: contacts.extraInfo,
      createdAt: contacts.createdAt,
      tickets: count(tickets.id),
      lastMessageAt: sql<string | null>`max(${tickets.lastMessageAt})`,
    })
    .from(contacts)
    .leftJoin(tickets, eq(tickets.contactId, contacts.id))
    .where(and(eq(contacts.companyId, companyId), inArray(contacts.id, ids)))
    .groupBy(contacts.id)
  return new Map(rows.map((row) => [row.id, { ...row, profilePicUrl: publicUrl(row.profilePicUrl) }]))
}

/** Merges whose contact is still there, the latest first; without a user it was WhatsApp that told. */
async function openMerges(db: Db, companyId: number) {
  const rows = await db
    .select({
      id: contactMerges.id,
      keptId: contactMerges.keptId,
      keptName: contacts.name,
      goneName: sql<string>`${contactMerges.before}->'gone'->>'name'`,
      goneNumber: sql<string | null>`${contactMerges.before}->'gone'->>'number'`,
      userName: users.name,
      createdAt: contactMerges.createdAt,
    })
    .from(contactMerges)
    .innerJoin(contacts, eq(contacts.id, contactMerges.keptId))
    .leftJoin(users, eq(users.id, contactMerges.userId))
    .where(and(eq(contactMerges.companyId, companyId), isNull(contactMerges.undoneAt)))
    .orderBy(desc(contactMerges.id))
    .limit(MOST_MERGES)
  return rows
}
