import { and, asc, count, desc, eq, gte, lt, sql } from 'drizzle-orm'
import { dayIn } from '../../schema/companies/companies.subscription.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { contactAliases } from '../../schema/contacts/aliases.table.ts'
import { numberKey, numberVariants } from '../../schema/contacts/contacts.phone.ts'
import { type Contact, contacts } from '../../schema/contacts/contacts.table.ts'
import { DomainError } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'
import type { ErasedCounts } from '../../schema/privacy/privacy.kinds.ts'
import {
  type Erasure,
  erasures,
  type PrivacyExport,
  privacyExports,
  type PrivacyHold,
  privacyHolds,
  privacyRequests,
  type RequestState,
} from '../../schema/privacy/privacy.table.ts'
import type { RetentionKind } from '../../schema/privacy/privacy.terms.ts'
import type { Db, Tx } from '../db/database.ts'
import { oldOf } from './privacy.old.ts'
import { erasablePlaces, leftIn, type Person } from './privacy.places.ts'

/** What holds the data of a contact today, by the company's clock; undefined where nothing does. */
export async function holdOf(
  db: Db | Tx,
  companyId: number,
  contactId: number,
  now: Date,
): Promise<PrivacyHold | undefined> {
  const [row] = await db
    .select({ hold: privacyHolds, timeZone: companies.timeZone })
    .from(privacyHolds)
    .innerJoin(companies, eq(companies.id, privacyHolds.companyId))
    .where(and(eq(privacyHolds.companyId, companyId), eq(privacyHolds.contactId, contactId)))
  return row && row.hold.until >= dayIn(row.timeZone, now) ? row.hold : undefined
}

/** @throws DomainError `ERR_LEGAL_HOLD` */
export async function demandNoHold(db: Db | Tx, companyId: number, contactId: number, now: Date): Promise<void> {
  const hold = await holdOf(db, companyId, contactId, now)
  if (hold) throw new DomainError('ERR_LEGAL_HOLD', { until: hold.until })
}

/** Everything by which a contact is or was known: digits and ids. */
export async function namesOf(
  db: Db | Tx,
  contact: Pick<Contact, 'id' | 'companyId' | 'number' | 'lid'>,
): Promise<string[]> {
  const aliases = await db
    .select({ value: contactAliases.value })
    .from(contactAliases)
    .where(eq(contactAliases.contactId, contact.id))
  const merged = await db.execute<{ number: string | null; lid: string | null }>(sql`
    WITH RECURSIVE made_of AS (
      SELECT ${contact.id}::int AS id
      UNION
      SELECT (m."before"->'gone'->>'id')::int FROM contact_merges m JOIN made_of ON m."keptId" = made_of.id
      WHERE m."companyId" = ${contact.companyId} AND m."undoneAt" IS NULL
    )
    SELECT m."before"->'gone'->>'number' AS number, m."before"->'gone'->>'lid' AS lid
    FROM contact_merges m JOIN made_of ON m."keptId" = made_of.id
    WHERE m."companyId" = ${contact.companyId} AND m."undoneAt" IS NULL`)
  const known = [
    ...[contact.number, contact.lid, ...aliases.map(({ value }) => value)],
    ...merged.flatMap(({ number, lid }) => [number, lid]),
  ].filter((name): name is string => name !== null && name !== '')
  // However a number is spelt, in lists that were typed by others.
  const spelt = [...new Set(known.flatMap((name) => (/^\d{8,15}$/.test(name) ? numberVariants(name) : [name])))]
  // A number that was theirs once may be somebody else's today, who is to miss nothing.
  const others = await db.execute<{ name: string }>(sql`
    SELECT unnest(ARRAY[c."number", c."lid"]) AS name FROM contacts c
    WHERE c."companyId" = ${contact.companyId} AND c."id" <> ${contact.id}
      AND (c."number" = ANY(${sql.param(spelt)}::text[]) OR c."lid" = ANY(${sql.param(spelt)}::text[]))`)
  const taken = new Set([...others].flatMap(({ name }) => (name ? numberVariants(name) : [])))
  return spelt.filter((name) => !taken.has(name))
}

/** Whom the statements of `privacy.places.ts` are about. */
export const personOf = (erasure: Pick<Erasure, 'companyId' | 'contactId'>, names: readonly string[]): Person => ({
  ...{ companyId: erasure.companyId, contactId: erasure.contactId, names },
  keys: [...new Set(names.flatMap((name) => (/^\d+$/.test(name) ? [numberKey(name)] : [])))],
  lids: [...new Set([...names, String(erasure.contactId)])],
})

/** How much of each kind would go. Rows that are found without an index are not counted: that would read all of them. */
export async function previewOf(db: Db, person: Person): Promise<ErasedCounts> {
  const counts: ErasedCounts = {}
  for (const [table, place] of erasablePlaces) {
    if (!place.kind || (place.does === 'erases' && place.whole)) continue
    const files = (place.files ?? []).map((file) => sql`count(t.${sql.identifier(file)})`)
    for (const which of leftIn(place, person)) {
      const [row] = await db.execute<{ n: number; files: number }>(sql`
        SELECT count(*)::int AS n, (${files.length > 0 ? sql.join(files, sql` + `) : sql`0`})::int AS files
        FROM ${sql.identifier(table)} t WHERE ${which}`)
      if (row!.n > 0) counts[place.kind] = (counts[place.kind] ?? 0) + row!.n
      if (row!.files > 0) counts.files = (counts.files ?? 0) + row!.files
    }
  }
  return counts
}

/** An erasure as it goes out. What only the work needs stays behind. */
export const shownErasure = ({ names: _names, hashes: _hashes, steps: _steps, ...rest }: Erasure) => rest
export type ShownErasure = ReturnType<typeof shownErasure>

/** Erasures of a company, the latest first. @param cursor `seq` of the last one of the page before */
export async function listErasures(
  db: Db,
  companyId: number,
  { cursor, limit }: { cursor: number | undefined; limit: number },
) {
  const rows = await db
    .select()
    .from(erasures)
    .where(and(eq(erasures.companyId, companyId), cursor === undefined ? undefined : lt(erasures.seq, cursor)))
    .orderBy(desc(erasures.seq))
    .limit(limit + 1)
  const page = rows.slice(0, limit)
  return { records: page.map(shownErasure), nextCursor: rows.length > limit ? page.at(-1)!.seq : null }
}

/** @throws DomainError `ERR_NO_ERASURE_FOUND` */
export async function needErasure(db: Db, companyId: number, id: string): Promise<Erasure> {
  const [row] = await db
    .select()
    .from(erasures)
    .where(and(eq(erasures.companyId, companyId), eq(erasures.id, id)))
  if (!row) throw new DomainError('ERR_NO_ERASURE_FOUND')
  return row
}

/** So many contacts at once are told to a browser; beyond, it begins anew, which it does for one as well. */
const MOST_TOLD = 200

/** Erasures that are done, up to the first that is not: what a browser fetches while one goes on still has rows of it. */
const settled = (companyId: number) => sql`${erasures.companyId} = ${companyId} AND ${erasures.seq} < coalesce(
  (SELECT min(e."seq") FROM "erasures" e WHERE e."companyId" = ${companyId} AND e."state" = 'running'), 9007199254740991)`

/**
 * Of whom a browser has to forget what it keeps: contacts that were erased behind `after`, with their tickets.
 * @returns `seq` of the last one that is told; with nothing new, of the last there is
 */
export async function erasedSince(db: Db, companyId: number, after: number) {
  const [last] = await db
    .select({ seq: sql<number>`coalesce(max(${erasures.seq}), 0)::int` })
    .from(erasures)
    .where(settled(companyId))
  const rows = await db
    .select({ contactId: erasures.contactId, seq: erasures.seq })
    .from(erasures)
    .where(and(settled(companyId), sql`${erasures.seq} > ${after}`))
    .orderBy(asc(erasures.seq))
    .limit(MOST_TOLD)
  const contactIds = rows.map(({ contactId }) => contactId)
  const found =
    contactIds.length === 0
      ? []
      : await db.execute<{ id: number }>(
          sql`SELECT id FROM tickets WHERE "contactId" = ANY(${sql.param(contactIds)}::int[]) ORDER BY id`,
        )
  return { seq: rows.at(-1)?.seq ?? last!.seq, contactIds, ticketIds: [...found].map(({ id }) => id) }
}

/** An export as it goes out. */
export const shownExport = ({ companyId: _company, path, ...rest }: PrivacyExport) => ({
  ...rest,
  /** For whoever asked, by their session or a pass; null until it is there, and when its time is over. */
  url: path === null ? null : `/public/${path}`,
})
export type ShownExport = ReturnType<typeof shownExport>

/** What somebody has asked for of a contact, the latest first; few. */
export async function exportsOf(db: Db, { companyId, userId }: Principal, contactId: number) {
  const rows = await db
    .select()
    .from(privacyExports)
    .where(
      and(
        eq(privacyExports.companyId, companyId),
        eq(privacyExports.userId, userId),
        eq(privacyExports.contactId, contactId),
      ),
    )
    .orderBy(desc(privacyExports.id))
    .limit(20)
  return rows.map(shownExport)
}

/** @throws DomainError `ERR_NO_EXPORT_FOUND` also of another's */
export async function needExport(db: Db, { companyId, userId }: Principal, id: string): Promise<PrivacyExport> {
  const [row] = await db
    .select()
    .from(privacyExports)
    .where(and(eq(privacyExports.companyId, companyId), eq(privacyExports.userId, userId), eq(privacyExports.id, id)))
  if (!row) throw new DomainError('ERR_NO_EXPORT_FOUND')
  return row
}

/** Files with the data of a contact who is about to be deleted. */
export async function exportsToRelease(db: Db | Tx, contactId: number): Promise<string[]> {
  const rows = await db
    .select({ path: privacyExports.path })
    .from(privacyExports)
    .where(eq(privacyExports.contactId, contactId))
  return rows.flatMap(({ path }) => path ?? [])
}

/** The file of an export, for whoever asked for it, while its time lasts. */
export async function exportedFile(db: Db, { companyId, userId }: Principal, path: string, now: Date) {
  const [row] = await db
    .select({ id: privacyExports.id, contactId: privacyExports.contactId })
    .from(privacyExports)
    .where(
      and(
        ...[eq(privacyExports.path, path), eq(privacyExports.companyId, companyId)],
        ...[eq(privacyExports.userId, userId), eq(privacyExports.state, 'ready'), gte(privacyExports.expiresAt, now)],
      ),
    )
  return row && { name: `contact-${row.contactId}.zip`, mimetype: 'application/zip' }
}

const shownRequest = {
  id: privacyRequests.id,
  contactId: privacyRequests.contactId,
  contactName: contacts.name,
  subject: privacyRequests.subject,
  kind: privacyRequests.kind,
  law: privacyRequests.law,
  state: privacyRequests.state,
  note: privacyRequests.note,
  receivedAt: privacyRequests.receivedAt,
  dueAt: privacyRequests.dueAt,
  closedAt: privacyRequests.closedAt,
  userId: privacyRequests.userId,
}

/** The register, what is open first and of that what is due first. */
export async function listRequests(
  db: Db,
  companyId: number,
  { cursor, limit, state }: { cursor: number | undefined; limit: number; state: RequestState | undefined },
) {
  const offset = cursor ?? 0
  const rows = await db
    .select(shownRequest)
    .from(privacyRequests)
    .leftJoin(contacts, eq(contacts.id, privacyRequests.contactId))
    .where(and(eq(privacyRequests.companyId, companyId), state && eq(privacyRequests.state, state)))
    .orderBy(
      sql`${privacyRequests.state} <> 'open'`,
      sql`CASE WHEN ${privacyRequests.state} = 'open' THEN ${privacyRequests.dueAt} END`,
      desc(privacyRequests.id),
    )
    .limit(limit + 1)
    .offset(offset)
  return { records: rows.slice(0, limit), nextCursor: rows.length > limit ? offset + limit : null }
}

/** @throws DomainError `ERR_NO_PRIVACY_REQUEST_FOUND` */
export async function needRequest(db: Db, companyId: number, id: number) {
  const [row] = await db
    .select(shownRequest)
    .from(privacyRequests)
    .leftJoin(contacts, eq(contacts.id, privacyRequests.contactId))
    .where(and(eq(privacyRequests.companyId, companyId), eq(privacyRequests.id, id)))
  if (!row) throw new DomainError('ERR_NO_PRIVACY_REQUEST_FOUND')
  return row
}
export type RequestRow = Awaited<ReturnType<typeof needRequest>>

/** Requests that nobody has answered, and how many of them are late. */
export async function openRequests(db: Db, companyId: number, today: string) {
  const [row] = await db
    .select({ open: count(), late: sql<number>`(count(*) FILTER (WHERE ${privacyRequests.dueAt} < ${today}))::int` })
    .from(privacyRequests)
    .where(and(eq(privacyRequests.companyId, companyId), eq(privacyRequests.state, 'open')))
  return row!
}

/** How much a term of so many days would let go of today. 0 days: nothing. */
export async function wouldGo(db: Db, companyId: number, kind: RetentionKind, days: number, now: Date) {
  if (days === 0) return 0
  let n = 0
  for (const { table, which } of oldOf(kind, companyId, days, now)) {
    const [row] = await db.execute<{ n: number }>(
      sql`SELECT count(*)::int AS n FROM ${sql.identifier(table)} t WHERE ${which}`,
    )
    n += row!.n
  }
  return n
}
