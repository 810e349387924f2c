import type { Schedule as StoredSchedule } from '../../schema/schedules/schedules.table.ts'
import { msOf, type Rows } from '../replica/rows.ts'
import { dayKey } from '../i18n/month.ts'

/** A scheduled message as the contact's panel shows it; moments in milliseconds since 1970. */
export type ScheduleRow = Pick<StoredSchedule, 'id' | 'userId' | 'body' | 'status' | 'error' | 'mediaName' | 'bulk'> & {
  sendAt: number
}

/** A scheduled message with whom it is for; moments in milliseconds since 1970. */
export interface Schedule extends ScheduleRow {
  /** It was due, and WhatsApp lets its connection begin no chats before that. */
  waitsUntil: number | null
  contact: { id: number; name: string; number: string | null }
  /** Who scheduled it; null for a user who is gone. */
  user: { name: string } | null
}

/** What is still to be sent to a contact, or could not be, the next one first. */
export const schedulesOfContact = (contactId: number): Rows<ScheduleRow> => ({
  query: {
    sql: `SELECT id, "userId", body, status, error, "mediaName", bulk, "sendAt" FROM schedules WHERE "contactId" = $1 AND status <> 'ENVIADA' ORDER BY "sendAt", id LIMIT 50`,
    params: [contactId],
    tables: [{ table: 'schedules', only: { column: 'contactId', value: contactId } }],
  },
  read: (raw) => ({ ...(raw as unknown as ScheduleRow), sendAt: msOf(raw['sendAt']) }),
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

/** What a `datetime-local` field holds, on the machine's own wall clock, to the minute. */
export function wallTime(at: number): string {
  const date = new Date(at)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${dayKey(at)}T${two(date.getHours())}:${two(date.getMinutes())}`
}

export const scheduleImages = ['image/png', 'image/jpeg']
