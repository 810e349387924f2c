import { type Holiday, holds, isOpen, type ScheduleEntry, weekdays } from './hours.open.ts'

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

/** What hours lack of which no contact would ever hear. */
export type UnheardLack = 'words' | 'week'

/** Why nobody would ever be told that it is out of hours: nothing is said, or it is never out of them. Null where they are. */
export function unnoticedHours(
  counter: ReturnType<typeof counterOf>,
  holidays: readonly Holiday[] = [],
): UnheardLack | null {
  if (!counter?.words.trim()) return 'words'
  return holidays.length > 0 || weekdays.some((day) => closes(counter.schedules, day)) ? null : 'week'
}

const LAST_MINUTE = 24 * 60 - 1

/** Whether the counter is closed at some minute of that weekday: at its edges, or just after a period. */
function closes(schedules: readonly ScheduleEntry[], weekday: string): boolean {
  const periods = schedules.filter((entry) => entry.weekdayEn === weekday && entry.startTime && entry.endTime)
  const ends = periods.map(({ endTime }) => Number(endTime.slice(0, 2)) * 60 + Number(endTime.slice(3)))
  const times = [0, LAST_MINUTE, ...ends.map((end) => Math.min(end + 1, LAST_MINUTE))].map(clock)
  return periods.length > 0 && times.some((time) => !periods.some((period) => holds(period, time)))
}

const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
