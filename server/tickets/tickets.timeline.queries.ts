import { type SQL, sql } from 'drizzle-orm'
import { DomainError } from '../../schema/errors.ts'
import { ticketNotes } from '../../schema/notes/notes.table.ts'
import type { Principal } from '../../schema/permissions.ts'
import { ticketEvents, type TicketEventKind, tickets } from '../../schema/tickets/tickets.table.ts'
import type { Db } from '../db/database.ts'
import { visibleTo } from './tickets.queries.ts'

/** One thing that happened in a contact's tickets, or that a colleague noted there. */
export interface TimelineEntry {
  id: string
  ticketId: number
  kind: TicketEventKind | 'note'
  /** Who did it; null for the contact and for automation. */
  userId: number | null
  /** As of the timeline of one ticket; of a note `{note}`. */
  data: Record<string, string | number | null>
  /** ISO. */
  createdAt: string
}

/**
 * What happened over all tickets of a contact that the person sees, the latest first.
 * @param cursor `nextCursor` of the page before
 * @throws DomainError `ERR_VALIDATION` for a cursor that is none
 */
export async function contactTimeline(
  db: Db,
  who: Principal,
  contactId: number,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<{ records: TimelineEntry[]; nextCursor: string | null }> {
  const place = cursor === undefined ? null : placeOf(cursor)
  const mine = sql`JOIN ${tickets} ON ${tickets.id} = e."ticketId" AND ${tickets.contactId} = ${contactId} AND ${visibleTo(who)}`
  const before = place ? sql`WHERE (e."createdAt", e."id") < (${place.at}::timestamptz, ${place.id})` : sql``
  const page = (rows: SQL, table: typeof ticketEvents | typeof ticketNotes) =>
    sql`(SELECT ${rows} FROM ${table} e ${mine} ${before} ORDER BY e."createdAt" DESC, e."id" DESC LIMIT ${limit + 1})`
  const events = page(sql`e."id", e."ticketId", e."kind", e."userId", e."data", e."createdAt"`, ticketEvents)
  const notes = page(
    sql`e."id", e."ticketId", 'note', e."userId", jsonb_build_object('note', e."note"), e."createdAt"`,
    ticketNotes,
  )
  const found = await db.execute<Omit<TimelineEntry, 'createdAt'> & { at: string; createdAt: string }>(sql`
    SELECT *, to_char("createdAt" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at FROM (${events} UNION ALL ${notes}) e
    ORDER BY "createdAt" DESC, "id" DESC LIMIT ${limit + 1}`)
  const rows = [...found]
  const records = rows.slice(0, limit)
  const last = records.at(-1)
  return {
    records: records.map(({ at, ...row }) => ({ ...row, createdAt: new Date(at).toISOString() })),
    nextCursor: rows.length > limit && last ? Buffer.from(`${last.at} ${last.id}`).toString('base64url') : null,
  }
}

function placeOf(cursor: string): { at: string; id: string } {
  const [, at, id] =
    /^([0-9]{4}-[0-9T:.-]{10,24}Z) ([A-Za-z0-9:_-]{1,200})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (!at || !id || Number.isNaN(Date.parse(at)))
    throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'query/cursor', message: 'nextCursor of a page' }] })
  return { at, id }
}
