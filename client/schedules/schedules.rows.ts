import { columnsOf, ms, msOrNull, type RowOf } from '../replica/columns.ts'
import type { Rows } from '../replica/rows.ts'
import { dayKey } from '../i18n/month.ts'

const schedule = columnsOf<'schedules'>()({
  id: true,
  companyId: false,
  contactId: false,
  userId: true,
  whatsappId: true,
  body: true,
  templateId: true,
  templateValues: true,
  bulk: true,
  sendAt: ms,
  sentAt: false,
  /** It was due, and WhatsApp lets its connection begin no chats before that. */
  waitsUntil: msOrNull,
  status: true,
  error: true,
  mediaPath: false,
  mediaName: true,
  mediaMime: false,
  mediaSize: false,
  createdAt: false,
  updatedAt: false,
})
/** A scheduled message as the contact's panel shows it; moments in milliseconds since 1970. */
export type ScheduleRow = RowOf<typeof schedule>

/** A scheduled message with whom it is for; moments in milliseconds since 1970. */
export interface Schedule extends ScheduleRow {
  contact: { id: number; name: string; number: string | null }
  /** Who scheduled it; null for a user who is gone. */
  user: { name: string } | null
}

/** A row of the replica, which has the contact's name beside, or a record of the REST API. */
export function readSchedule(raw: Record<string, unknown>): Schedule {
  const given = raw as { contactId: number; contactName?: string | null } & Partial<Pick<Schedule, 'contact' | 'user'>>
  return {
    ...schedule.read(raw),
    contact: given.contact ?? { id: given.contactId, name: given.contactName ?? '', number: null },
    user: given.user ?? null,
  }
}

const withContact = `SELECT ${schedule.text('s')}, s."contactId", c.name AS "contactName"
  FROM schedules s LEFT JOIN contacts c ON c.id = s."contactId"
  WHERE (strpos(lower(s.body), $1) > 0 OR strpos(lower(coalesce(c.name, '')), $1) > 0)`

/** All that the replica has and that say it: first what is to be sent, then what was. */
export const schedulesSaying = (search: string): Rows<Schedule> => ({
  query: {
    sql: `${withContact}
    ORDER BY s.status = 'ENVIADA', CASE WHEN s.status = 'ENVIADA' THEN NULL ELSE s."sendAt" END, s."sendAt" DESC, s.id LIMIT 100`,
    params: [search],
    tables: ['schedules', 'contacts'],
  },
  read: readSchedule,
  keyOf: (row) => row.id,
})

/** The same from one moment to before another, ISO instants. */
export const schedulesWithin = (search: string, from: string, to: string): Rows<Schedule> => ({
  query: {
    sql: `${withContact} AND s."sendAt" >= $2::timestamptz AND s."sendAt" < $3::timestamptz`,
    params: [search, from, to],
    tables: ['schedules', 'contacts'],
  },
  read: readSchedule,
  keyOf: (row) => row.id,
})

/** How many there are, and when one was changed last. */
export const latestSchedule: Rows<{ n: unknown; at: unknown }> = {
  query: { sql: 'SELECT count(*) AS n, max("updatedAt") AS at FROM schedules', tables: ['schedules'] },
  keyOf: () => 0,
}

/** What is still to be sent to a contact, or could not be, the next one first. */
export const schedulesOfContact = (contactId: number): Rows<ScheduleRow> => ({
  query: {
    sql: `SELECT ${schedule.text()} FROM schedules WHERE "contactId" = $1 AND status <> 'ENVIADA' ORDER BY "sendAt", id LIMIT 50`,
    params: [contactId],
    tables: [{ table: 'schedules', only: { column: 'contactId', value: contactId } }],
  },
  read: schedule.read,
  keyOf: (row) => row.id,
})

/** The picture of one. */
export const scheduledFile = (id: string): Rows<Pick<ScheduleRow, 'mediaName'>> => ({
  query: {
    sql: 'SELECT "mediaName" FROM schedules WHERE id = $1',
    params: [id],
    tables: [{ table: 'schedules', only: { column: 'id', value: id } }],
  },
  keyOf: () => 0,
})

/** Whether one has been sent. */
export const scheduleStatus = (id: string): Rows<Pick<ScheduleRow, 'status'>> => ({
  query: {
    sql: 'SELECT status FROM schedules WHERE id = $1',
    params: [id],
    tables: [{ table: 'schedules', only: { column: 'id', value: id } }],
  },
  keyOf: () => 0,
})

/** What a `datetime-local` field holds, on the machine's own wall clock, to the minute. */
export function wallTime(at: number): string {
  const date = new Date(at)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${dayKey(at)}T${two(date.getHours())}:${two(date.getMinutes())}`
}

export const scheduleImages = ['image/png', 'image/jpeg']
