import type { Replica } from '../../sync/client/replica.types.ts'
import { columnsOf, or, type RowOf, someOf } from '../replica/columns.ts'
import type { Rows } from '../replica/rows.ts'
import { saysSql, wordPattern } from '../replica/says.ts'

const contact = columnsOf<'contacts'>()({
  id: true,
  companyId: false,
  name: true,
  number: true,
  lid: false,
  username: true,
  email: true,
  isGroup: true,
  profilePicUrl: true,
  extraInfo: true,
  fields: or({}),
  disableBot: false,
  activeOn: false,
  erasedAt: false,
  createdAt: false,
  updatedAt: false,
})
const columns = contact.text()

/** Without a number while only WhatsApp's other name for the person is known. */
export type Contact = RowOf<typeof contact>

const idOf = ({ id }: { id: number }) => id

/** Contacts whose name or number holds a text in lower case. */
export const contactsCopy = (search: string): Rows<Contact> => ({
  query: {
    sql: `SELECT ${columns} FROM contacts
    WHERE "erasedAt" IS NULL AND (strpos(lower(name), $1) > 0 OR strpos(number, $1) > 0 OR strpos(lower(username), ltrim($1, '@')) > 0)
    ORDER BY name, id LIMIT 60`,
    params: [search],
    tables: ['contacts'],
  },
  read: contact.read,
  keyOf: idOf,
})

const found = someOf<'contacts'>()({ id: true, name: true, number: true, username: true })
export type FoundContact = Omit<RowOf<typeof found>, 'username'> & { username?: string | null }

/** The same, as a field offers them that a contact is chosen in. */
export const contactsToChoose = (search: string): Rows<FoundContact> => ({
  query: {
    sql: `SELECT ${found.text()} FROM contacts WHERE "erasedAt" IS NULL
      AND (strpos(lower(name), $1) > 0 OR strpos(number, $1) > 0 OR strpos(lower(username), ltrim($1, '@')) > 0)
    ORDER BY name, id LIMIT 30`,
    params: [search],
    tables: ['contacts'],
  },
  read: found.read,
  keyOf: idOf,
})

/** People, no groups, by name in any case and with or without marks, or by three digits of their number. */
export function peopleSaying(text: string, most: number): Rows<Contact> {
  const digits = text.replace(/\D/g, '')
  return {
    query: {
      sql: `SELECT ${columns} FROM contacts
      WHERE NOT "isGroup" AND "erasedAt" IS NULL AND (${saysSql('name', '$1')} OR ($2 <> '' AND number LIKE '%' || $2 || '%'))
      ORDER BY name LIMIT ${most}`,
      params: [wordPattern(text), digits.length >= 3 ? digits : ''],
      tables: ['contacts'],
    },
    read: contact.read,
    keyOf: idOf,
  }
}

const details = someOf<'contacts'>()({ id: true, username: true, email: or(''), extraInfo: or([]), fields: or({}) })

/** What is known of a contact besides their name and number. */
export const contactDetails = (id: number): Rows<RowOf<typeof details>> => ({
  query: {
    sql: `SELECT ${details.text()} FROM contacts WHERE id = $1`,
    params: [id],
    tables: [{ table: 'contacts', only: { column: 'id', value: id } }],
  },
  read: details.read,
  keyOf: idOf,
})

/** The name of whoever has a number; undefined where the replica knows nobody. */
export async function nameOfNumber(replica: Replica, digits: string): Promise<string | undefined> {
  const [here] = await replica.query<{ name: string }>('SELECT name FROM contacts WHERE number = $1', [digits])
  return here?.name
}

const tagged = someOf<'tickets'>()({ id: true, tagIds: true })
export type TaggedTicket = RowOf<typeof tagged>

/** The tickets of contacts that are not over, with their tags. */
export async function activeTicketsOf(replica: Replica, contactIds: readonly number[]): Promise<TaggedTicket[]> {
  const places = contactIds.map((_, at) => `$${at + 1}`).join()
  const rows = await replica.query<Record<string, unknown>>(
    `SELECT ${tagged.text()} FROM tickets WHERE status <> 'closed' AND "contactId" IN (${places})`,
    [...contactIds],
  )
  return rows.map(tagged.read)
}
