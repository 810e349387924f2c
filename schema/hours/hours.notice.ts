import { type Holiday, isOpen, type ScheduleEntry } from './hours.open.ts'

/** A ticket hears that nobody is there at most this often. */
export const NOTICE_EVERY_MS = 5 * 60_000

export interface HoursFacts {
  /** The company's setting: whose hours count. */
  scheduleType: string
  timeZone: string
  /** Its holidays count for the hours of queues and connections too. */
  company: { schedules: readonly ScheduleEntry[]; holidays?: readonly Holiday[] }
  connection: { schedules: readonly ScheduleEntry[]; outOfHoursMessage: string }
  /** The ticket's; null while it has none. */
  queue: { schedules: readonly ScheduleEntry[]; outOfHoursMessage: string } | null
}

/** The hours that count, and what is said outside them; null where none do. A connection's own win over the company's. */
export function counterOf({ scheduleType, company, connection, queue }: Omit<HoursFacts, 'timeZone'>) {
  if (scheduleType === 'queue') return queue && { schedules: queue.schedules, words: queue.outOfHoursMessage }
  if (scheduleType !== 'company') return null
  const hasOwn = connection.schedules.some((entry) => entry.startTime && entry.endTime)
  return {
    schedules: hasOwn ? connection.schedules : company.schedules,
    words: connection.outOfHoursMessage,
  }
}

/** What a contact who waits is told because nobody is there now, or null. No message means no restriction. */
export function outOfHoursNotice(facts: HoursFacts, now: Date): string | null {
  const counter = counterOf(facts)
  if (!counter?.words.trim()) return null
  return isOpen(counter.schedules, now, facts.timeZone, facts.company.holidays) ? null : counter.words
}
