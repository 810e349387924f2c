import { msOf, type Rows } from '../replica/rows.ts'
import { messageColumns, readMessage, type MessageRow } from './messages.rows.ts'

export const sharedKinds = ['media', 'files', 'links'] as const
export type SharedKind = (typeof sharedKinds)[number]

/** Something that was sent between the company and a contact, in whichever of the contact's tickets. */
export interface SharedRow extends MessageRow {
  ticketUuid: string
}

/** How many a list begins with, and how many more each step brings. */
export const sharedPage = 30

const conditions: Record<SharedKind, string> = {
  media: `m."mediaType" IN ('image', 'video') AND m."mediaState" = 'ready'`,
  files: `m."mediaType" IN ('application', 'audio') AND NOT m."isVoice" AND m."mediaState" = 'ready'`,
  links: `m."mediaType" = 'chat' AND (m.body ILIKE '%http://%' OR m.body ILIKE '%https://%' OR m.body ILIKE '%www.%')`,
}

const scope = (kind: SharedKind) => `m."contactId" = $1 AND NOT m."isDeleted" AND ${conditions[kind]}`

/** The newest of a kind; with `since` (milliseconds since 1970), instead all from then on. */
export const sharedOf = (contactId: number, kind: SharedKind, since: number | null): Rows<SharedRow> => ({
  query: {
    sql: `SELECT ${messageColumns}, t.uuid AS "ticketUuid" FROM messages m JOIN tickets t ON t.id = m."ticketId"
    WHERE ${scope(kind)} AND m."createdAt" >= $2 ORDER BY m."createdAt" DESC, m.id DESC LIMIT $3`,
    params: [
      contactId,
      since === null || since === -Infinity ? '-infinity' : new Date(since).toISOString(),
      since === null ? sharedPage : null,
    ],
    tables: [{ table: 'messages', only: { column: 'contactId', value: contactId } }],
  },
  read: (raw) => ({ ...readMessage(raw), ticketUuid: String(raw['ticketUuid']) }),
  keyOf: ({ id }) => id,
})

/** Since when the next page before a moment is; `-Infinity` where fewer are left. */
export const sharedSince = (contactId: number, kind: SharedKind, before: number) => ({
  sql: `SELECT m."createdAt" AS since FROM messages m WHERE ${scope(kind)} AND m."createdAt" < $2
  ORDER BY m."createdAt" DESC, m.id DESC OFFSET $3 LIMIT 1`,
  params: [contactId, new Date(before).toISOString(), sharedPage - 1],
  read: (rows: readonly { since: unknown }[]): number => (rows[0] ? msOf(rows[0].since) : -Infinity),
})
