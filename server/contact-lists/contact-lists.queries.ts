import { and, asc, eq, or, sql } from 'drizzle-orm'
import { type ContactList, contactListItems, contactLists } from '../../schema/contact-lists/contact-lists.table.ts'
import { numberPattern } from '../../schema/contacts/contacts.masking.ts'
import type { Principal } from '../../schema/permissions.ts'
import type { Db } from '../db/database.ts'
import { anywhere, isReadable, sortedName } from '../tickets/tickets.queries.ts'

export const LISTS_PER_PAGE = 20
export const ITEMS_PER_PAGE = 20

const columns = {
  id: contactLists.id,
  name: contactLists.name,
  companyId: contactLists.companyId,
  checkState: contactLists.checkState,
  checkTotal: contactLists.checkTotal,
  checkDone: contactLists.checkDone,
  createdAt: contactLists.createdAt,
  updatedAt: contactLists.updatedAt,
}
// Named in full: inside the subquery a bare "id" would be the item's.
const count = (where = sql`true`) =>
  sql<number>`(SELECT count(*)::int FROM ${contactListItems} WHERE ${contactListItems.contactListId} = "contact_lists"."id" AND ${where})`
const counted = {
  ...columns,
  contactsCount: count(),
  validCount: count(sql`${contactListItems.isWhatsappValid}`),
  invalidCount: count(sql`NOT ${contactListItems.isWhatsappValid}`),
}

export async function listContactLists(
  db: Db,
  companyId: number,
  { search, pageNumber }: { search: string | undefined; pageNumber: number },
) {
  const where = and(
    eq(contactLists.companyId, companyId),
    search ? sql`plain(${contactLists.name}) LIKE plain(${anywhere(search)})` : undefined,
  )
  const [rows, total] = await Promise.all([
    db
      .select(counted)
      .from(contactLists)
      .where(where)
      .orderBy(asc(contactLists.name), asc(contactLists.id))
      .limit(LISTS_PER_PAGE + 1)
      .offset((pageNumber - 1) * LISTS_PER_PAGE),
    db.$count(contactLists, where),
  ])
  return { records: rows.slice(0, LISTS_PER_PAGE), count: total, hasMore: rows.length > LISTS_PER_PAGE }
}

/** What a picker shows of them. */
export const allContactLists = (db: Db, companyId: number) =>
  db
    .select({ id: contactLists.id, name: contactLists.name })
    .from(contactLists)
    .where(eq(contactLists.companyId, companyId))
    .orderBy(asc(contactLists.name), asc(contactLists.id))
    .limit(1_000)

export type ContactListRow = ContactList & { contactsCount: number; validCount: number; invalidCount: number }

export async function findContactList(db: Db, companyId: number, id: number) {
  const [row] = await db
    .select(counted)
    .from(contactLists)
    .where(and(eq(contactLists.companyId, companyId), eq(contactLists.id, id)))
  return row
}

export async function listItems(
  db: Db,
  who: Principal,
  { contactListId, search, pageNumber }: { contactListId: number; search: string | undefined; pageNumber: number },
) {
  const digits = search?.replace(/\D/g, '') ?? ''
  const where = and(
    eq(contactListItems.companyId, who.companyId),
    eq(contactListItems.contactListId, contactListId),
    search
      ? or(
          and(
            sql`plain(${contactListItems.name}) LIKE plain(${anywhere(search)})`,
            isReadable(who, contactListItems.name),
          ),
          digits ? sql`${contactListItems.number} LIKE ${numberPattern(who, digits, anywhere)}` : undefined,
          sql`plain(${contactListItems.email}) LIKE plain(${anywhere(search)})`,
        )
      : undefined,
  )
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(contactListItems)
      .where(where)
      .orderBy(asc(sortedName(who, contactListItems.name)), asc(contactListItems.id))
      .limit(ITEMS_PER_PAGE + 1)
      .offset((pageNumber - 1) * ITEMS_PER_PAGE),
    db.$count(contactListItems, where),
  ])
  return { contacts: rows.slice(0, ITEMS_PER_PAGE), count: total, hasMore: rows.length > ITEMS_PER_PAGE }
}

export async function findItem(db: Db, companyId: number, id: number) {
  const [row] = await db
    .select()
    .from(contactListItems)
    .where(and(eq(contactListItems.companyId, companyId), eq(contactListItems.id, id)))
  return row
}
