import { and, asc, eq, gt, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { Campaign, PlanCursor } from '../../schema/campaigns/campaigns.table.ts'
import type { SkipReason } from '../../schema/campaigns/campaigns.state.ts'
import { contactListItems } from '../../schema/contact-lists/contact-lists.table.ts'
import { numberKey, numberVariants } from '../../schema/contacts/contacts.phone.ts'
import { contactAliases } from '../../schema/contacts/aliases.table.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { lidOf, optOutKey } from '../../schema/opt-outs/opt-outs.transition.ts'
import { cloudNumbers } from '../../schema/whatsapps/cloud-store.table.ts'
import { portfolioSql } from '../contacts/contacts.address.queries.ts'
import { segments } from '../../schema/segments/segments.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { segmentWhere } from '../segments/segments.queries.ts'
import { optOutsAmong } from '../opt-outs/opt-outs.queries.ts'

/** Somebody whom a campaign finds, and whether they get it. */
export interface Found {
  key: string
  name: string
  number: string
  lid: string | null
  email: string
  itemId: number | null
  skip: SkipReason | null
  /** WhatsApp has said that the number has an account. */
  checkedAt: Date | null
  isNewChat: boolean
}

/** So many people are read together. */
export const AUDIENCE_BATCH = 2_000

type Audience = Pick<Campaign, 'companyId' | 'contactListId' | 'tagListId' | 'segmentIds'> & {
  /** Over which connection: who has no number may be reached by their id there. */
  whatsappId?: number | null
}

interface Raw {
  id: number
  name: string
  number: string | null
  lid: string | null
  email: string
  isItem: boolean
  isWhatsappValid: boolean | null
  checkedAt: Date | null
}

/**
 * The next people of a campaign: those of its list, then those with its tag, then those of its segments. The same
 * person may come more than once.
 * @returns `next` is null when everybody was read
 */
export async function nextPeople(
  db: Db | Tx,
  audience: Audience,
  cursor: PlanCursor,
  now: Date,
): Promise<{ people: Found[]; next: PlanCursor | null }> {
  const [source, following] = (await sourcesOf(db, audience, now)).filter(({ place }) => place >= cursor.source)
  if (!source) return { people: [], next: null }
  // One that was being read may have been deleted meanwhile.
  const rows = await source.read(source.place === cursor.source ? cursor.after : 0)
  const last = rows.at(-1)
  const isMore = rows.length === AUDIENCE_BATCH && last !== undefined
  const next = isMore
    ? { source: source.place, after: last.id }
    : following
      ? { source: following.place, after: 0 }
      : null
  return { people: await judged(db, audience, rows, now), next }
}

type Reader = (after: number) => Promise<Raw[]>

/** Where people come from: its place stays, whichever others are deleted. */
interface Source {
  place: number
  read: Reader
}

/** The list, the tag, and segments by their ids. */
const LIST = 0
const TAG = 1
const SEGMENTS = 2

/** @returns in the order of their places */
async function sourcesOf(db: Db | Tx, audience: Audience, now: Date): Promise<Source[]> {
  const { companyId, contactListId, tagListId, segmentIds } = audience
  const fromContacts =
    (where: SQL): Reader =>
    async (after) =>
      (
        await db
          .select({
            id: contacts.id,
            name: contacts.name,
            number: contacts.number,
            lid: contacts.lid,
            email: contacts.email,
          })
          .from(contacts)
          .where(
            and(
              ...[eq(contacts.companyId, companyId), eq(contacts.isGroup, false), isNull(contacts.erasedAt)],
              ...[gt(contacts.id, after), where],
            ),
          )
          .orderBy(asc(contacts.id))
          .limit(AUDIENCE_BATCH)
      ).map((row) => ({ ...row, isItem: false, isWhatsappValid: null, checkedAt: null }))
  const sources: Source[] = []
  if (contactListId !== null)
    sources.push({
      place: LIST,
      read: async (after) =>
        (
          await db
            .select()
            .from(contactListItems)
            .where(
              and(
                eq(contactListItems.companyId, companyId),
                eq(contactListItems.contactListId, contactListId),
                gt(contactListItems.id, after),
              ),
            )
            .orderBy(asc(contactListItems.id))
            .limit(AUDIENCE_BATCH)
        ).map((row) => ({ ...row, isItem: true })),
    })
  if (tagListId !== null)
    sources.push({
      place: TAG,
      read: fromContacts(segmentWhere(companyId, 'all', [{ kind: 'tag', tagId: tagListId }], now)),
    })
  if (segmentIds.length > 0) {
    const rows = await db
      .select()
      .from(segments)
      .where(and(eq(segments.companyId, companyId), inArray(segments.id, segmentIds)))
      .orderBy(asc(segments.id))
    for (const { id, match, rules } of rows)
      sources.push({ place: SEGMENTS + id, read: fromContacts(segmentWhere(companyId, match, rules, now)) })
  }
  return sources
}

/** Who has opted out, who has no WhatsApp, who has never written. */
async function judged(
  db: Db | Tx,
  { companyId, whatsappId = null }: Audience,
  rows: readonly Raw[],
  now: Date,
): Promise<Found[]> {
  if (rows.length === 0) return []
  const keyed = rows.map((row) => {
    const lid = row.isItem ? row.lid : lidOf(row)
    return { ...row, lid, key: optOutKey({ number: row.number, lid }) }
  })
  const hidden = keyed.flatMap(({ id, number, isItem }) => (number || isItem ? [] : id))
  const numbers = sql.param(keyed.flatMap(({ number }) => (number ? numberVariants(number) : [])))
  const [out, wrote, byId] = await Promise.all([
    optOutsAmong(db, companyId, { keys: keyed.map(({ key }) => key), lids: keyed.flatMap(({ lid }) => lid ?? []) }),
    db
      .select({ number: contacts.number })
      .from(contacts)
      .where(
        and(
          eq(contacts.companyId, companyId),
          sql`${contacts.number} = ANY(${numbers}::text[])`,
          sql`EXISTS (SELECT FROM messages m WHERE m."contactId" = ${contacts.id} AND NOT m."fromMe")`,
        ),
      ),
    reachedById(db, hidden, whatsappId),
  ])
  const known = new Set(wrote.flatMap(({ number }) => (number ? [numberKey(number)] : [])))
  return keyed.map((row) => ({
    key: row.key,
    name: row.name,
    number: row.number ?? '',
    lid: row.lid,
    email: row.email,
    itemId: row.isItem ? row.id : null,
    // Nobody is asked about an id: it was told.
    checkedAt:
      byId.has(row.id) && !row.isItem ? now : row.isWhatsappValid ? row.checkedAt : known.has(row.key) ? now : null,
    isNewChat: byId.has(row.id) && !row.isItem ? !byId.get(row.id)! : !known.has(row.key),
    skip:
      out.keys.has(row.key) || (row.lid !== null && out.lids.has(row.lid))
        ? 'opted_out'
        : !row.number && (row.isItem || !byId.has(row.id))
          ? 'no_number'
          : row.isWhatsappValid === false && !known.has(row.key)
            ? 'not_on_whatsapp'
            : null,
  }))
}

/** Which of these contacts are reached by their id over a connection of the official API, and whether they have written. */
async function reachedById(
  db: Db | Tx,
  contactIds: readonly number[],
  whatsappId: number | null,
): Promise<ReadonlyMap<number, boolean>> {
  if (contactIds.length === 0 || whatsappId === null) return new Map()
  const rows = await db
    .select({
      id: contactAliases.contactId,
      wrote: sql<boolean>`EXISTS (SELECT FROM messages m WHERE m."contactId" = ${contactAliases.contactId} AND NOT m."fromMe")`,
    })
    .from(contactAliases)
    .innerJoin(cloudNumbers, and(eq(cloudNumbers.whatsappId, whatsappId), eq(contactAliases.scope, portfolioSql)))
    .where(
      and(
        sql`${contactAliases.contactId} = ANY(${sql.param(contactIds)}::int[])`,
        ...[eq(contactAliases.kind, 'bsuid'), isNull(contactAliases.until)],
      ),
    )
  return new Map(rows.map(({ id, wrote }) => [id, wrote]))
}
