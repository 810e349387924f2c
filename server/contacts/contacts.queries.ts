import { DomainError } from '../../schema/errors.ts'
import { and, arrayContains, asc, desc, eq, gte, inArray, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import type { FieldTest } from '../../schema/custom-fields/custom-fields.conditions.ts'
import type { ContactSort } from '../../schema/contacts/contacts.inputs.ts'
import { numberPattern } from '../../schema/contacts/contacts.masking.ts'
import { numberVariants } from '../../schema/contacts/contacts.phone.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import type { Principal } from '../../schema/permissions.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { fieldCondition } from '../custom-fields/custom-fields.queries.ts'
import type { Db, Tx } from '../db/database.ts'
import { anywhere, isReadable, publicUrl, sortedName, visibleTo } from '../tickets/tickets.queries.ts'

export const CONTACTS_PER_PAGE = 30
/** The indexes know three letters and more: what holds fewer is found by reading on, and counted up to here. */
const INDEXED_FROM = 3
const MOST_COUNTED = 1_000

/** What a contact is answered with, as it is stored. */
export const shownColumns = {
  id: contacts.id,
  name: contacts.name,
  number: contacts.number,
  username: contacts.username,
  email: contacts.email,
  isGroup: contacts.isGroup,
  profilePicUrl: contacts.profilePicUrl,
  extraInfo: contacts.extraInfo,
  fields: contacts.fields,
  disableBot: contacts.disableBot,
  createdAt: contacts.createdAt,
  updatedAt: contacts.updatedAt,
}
const columns = {
  ...shownColumns,
  /** The connection over which they were last spoken to. Columns are named in full: this is a subquery. */
  whatsapp: sql<{ id: number; name: string } | null>`(
    SELECT json_build_object('id', w.id, 'name', w.name) FROM ${tickets} t JOIN ${whatsapps} w ON w.id = t."whatsappId"
    WHERE t."contactId" = "contacts"."id" ORDER BY t."updatedAt" DESC NULLS LAST LIMIT 1)`,
}

/** A contact as it goes out. The picture has both of the names that the family's clients read. */
const dressed = (
  contact: Pick<typeof contacts.$inferSelect, Exclude<keyof typeof columns, 'whatsapp'>> & {
    whatsapp: { id: number; name: string } | null
  },
) => {
  const picture = publicUrl(contact.profilePicUrl)
  return { ...contact, profilePicUrl: picture, urlPicture: picture }
}
export type ContactRow = ReturnType<typeof dressed>

export interface ContactFilter {
  search?: string | undefined
  /** Days of creation, `YYYY-MM-DD`, of the company's calendar; the end included. */
  from?: string | undefined
  to?: string | undefined
  /** Of a ticket that the person sees: all of these tags, one of these queues, one of these connections, in progress. */
  tagIds?: number[] | undefined
  queueIds?: number[] | undefined
  whatsappIds?: number[] | undefined
  isServed?: boolean | undefined
  /** Whether an e-mail address is known. */
  hasEmail?: boolean | undefined
  /** Fields of the company's own; all of them are to be met. */
  fields?: readonly FieldTest[] | undefined
  sort?: ContactSort | undefined
}

/** Contacts with a ticket of the kind that the filter names; undefined where it names none. */
function withTicket(db: Db, who: Principal, { tagIds, queueIds, whatsappIds, isServed }: ContactFilter) {
  if (!tagIds?.length && !queueIds?.length && !whatsappIds?.length && !isServed) return undefined
  // Read from the tickets' side: few match what is asked for, and each names its contact.
  return inArray(
    contacts.id,
    db
      .select({ id: tickets.contactId })
      .from(tickets)
      .where(
        and(
          visibleTo(who),
          tagIds?.length ? arrayContains(tickets.tagIds, tagIds) : undefined,
          queueIds?.length ? inArray(tickets.queueId, queueIds) : undefined,
          whatsappIds?.length ? inArray(tickets.whatsappId, whatsappIds) : undefined,
          isServed ? ne(tickets.status, 'closed') : undefined,
        ),
      ),
  )
}

const orders = (who: Principal): Record<ContactSort, SQL[]> => ({
  name: [asc(sortedName(who, contacts.name)), asc(contacts.id)],
  created: [desc(contacts.createdAt), desc(contacts.id)],
  active: [desc(contacts.activeOn), desc(contacts.id)],
})

/** A page of contacts, and how many there are; of what one or two letters find, up to 1,000. */
export async function listContacts(db: Db, who: Principal, filter: ContactFilter, pageNumber: number) {
  const { companyId } = who
  const { search, from, to, hasEmail, sort = 'name' } = filter
  const digits = search?.replace(/\D/g, '')
  const zone = sql`(SELECT ${companies.timeZone} FROM ${companies} WHERE ${companies.id} = ${companyId})`
  const where = and(
    eq(contacts.companyId, companyId),
    isNull(contacts.erasedAt),
    search
      ? or(
          and(sql`plain(${contacts.name}) LIKE plain(${anywhere(search)})`, isReadable(who, contacts.name)),
          sql`lower(${contacts.email}) LIKE lower(${anywhere(search)})`,
          sql`lower(${contacts.username}) LIKE lower(${anywhere(search.replace(/^@/, ''))})`,
          digits ? sql`${contacts.number} LIKE ${numberPattern(who, digits, anywhere)}` : undefined,
        )
      : undefined,
    from ? gte(contacts.createdAt, sql`${from}::date::timestamp AT TIME ZONE ${zone}`) : undefined,
    withTicket(db, who, filter),
    ...(filter.fields ?? []).map((test) => fieldCondition(contacts.fields, test)),
    hasEmail === undefined ? undefined : hasEmail ? ne(contacts.email, '') : eq(contacts.email, ''),
    to ? lt(contacts.createdAt, sql`(${to}::date + 1)::timestamp AT TIME ZONE ${zone}`) : undefined,
  )
  const isShort = search !== undefined && search.length < INDEXED_FROM
  // A search has to find everything to sort it; then it also counts, and is not made twice.
  const countsItself = search !== undefined && !isShort
  const matches = sql<number>`${countsItself ? sql`count(*) OVER ()` : sql`0`}::int`
  const counted = db
    .select({ one: sql<number>`1`.as('one') })
    .from(contacts)
    .where(where)
  const [rows, total] = await Promise.all([
    db
      .select({ ...columns, matches })
      .from(contacts)
      .where(where)
      .orderBy(...orders(who)[sort])
      .limit(CONTACTS_PER_PAGE + 1)
      .offset((pageNumber - 1) * CONTACTS_PER_PAGE),
    countsItself
      ? undefined
      : db
          .select({ count: sql<number>`count(*)::int` })
          .from((isShort ? counted.limit(MOST_COUNTED) : counted).as('some')),
  ])
  return {
    contacts: rows.slice(0, CONTACTS_PER_PAGE).map(({ matches: _matches, ...row }) => dressed(row)),
    count: total?.[0]?.count ?? rows[0]?.matches ?? 0,
    hasMore: rows.length > CONTACTS_PER_PAGE,
  }
}

/** Every contact, with what a picker needs. */
export const allContacts = (db: Db, who: Principal) =>
  db
    .select({ id: contacts.id, name: contacts.name, number: contacts.number, username: contacts.username })
    .from(contacts)
    .where(and(eq(contacts.companyId, who.companyId), isNull(contacts.erasedAt)))
    .orderBy(asc(sortedName(who, contacts.name)), asc(contacts.id))

/** @throws DomainError `ERR_NO_CONTACT_FOUND` */
export async function needContact(db: Db | Tx, companyId: number, id: number): Promise<ContactRow> {
  const contact = await findContact(db, companyId, { id })
  if (!contact) throw new DomainError('ERR_NO_CONTACT_FOUND')
  return contact
}

export async function findContact(
  db: Db | Tx,
  companyId: number,
  where: { id: number } | { number: string },
): Promise<ContactRow | undefined> {
  const [contact] = await db
    .select(columns)
    .from(contacts)
    .where(
      and(
        eq(contacts.companyId, companyId),
        'id' in where ? eq(contacts.id, where.id) : inArray(contacts.number, numberVariants(where.number)),
      ),
    )
    // As it is given, before another spelling of it.
    .orderBy('id' in where ? contacts.id : sql`${contacts.number} <> ${where.number}`)
    .limit(1)
  return contact && dressed(contact)
}
