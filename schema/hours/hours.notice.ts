import type { TicketStatus } from '../tickets/tickets.table.ts'
import { isOpen, type ScheduleEntry } from './hours.open.ts'

/** A ticket hears that nobody is there at most this often. */
export const NOTICE_EVERY_MS = 5 * 60_000

export interface HoursFacts {
  /** The company's setting: whose hours count. */
  scheduleType: string
  timeZone: string
  ticket: { status: TicketStatus; isGroup: boolean }
  company: { schedules: readonly ScheduleEntry[] }
  connection: { schedules: readonly ScheduleEntry[]; outOfHoursMessage: string }
  /** The ticket's; null while it has none. */
  queue: { schedules: readonly ScheduleEntry[]; outOfHoursMessage: string } | null
  /** When this ticket was told the last time. */
  lastNoticeAt: Date | null
}

/**
 * What a contact who has just written is told because it is out of hours, or null (`server-behaviour.md` §3). An open
 * ticket has somebody who answers; no message means no restriction. A connection's own hours win over the company's.
 */
export function outOfHoursNotice(facts: HoursFacts, now: Date): string | null {
  const { scheduleType, ticket, connection, queue, lastNoticeAt } = facts
  if (ticket.status !== 'pending' || ticket.isGroup) return null
  if (lastNoticeAt && now.getTime() - lastNoticeAt.getTime() < NOTICE_EVERY_MS) return null
  const counter =
    scheduleType === 'company'
      ? {
          schedules: connection.schedules.some((entry) => entry.startTime && entry.endTime)
            ? connection.schedules
            : facts.company.schedules,
          words: connection.outOfHoursMessage,
        }
      : scheduleType === 'queue' && queue
        ? { schedules: queue.schedules, words: queue.outOfHoursMessage }
        : null
  if (!counter?.words.trim()) return null
  return isOpen(counter.schedules, now, facts.timeZone) ? null : counter.words
}
