import { expect, test } from 'bun:test'
import { now } from '../example-facts.fixture.ts'
import { type HoursFacts, outOfHoursNotice } from './hours.notice.ts'
import type { ScheduleEntry } from './hours.open.ts'

const closed: ScheduleEntry[] = [{ weekday: '', weekdayEn: 'thursday', startTime: '08:00', endTime: '08:00' }]
const allDay: ScheduleEntry[] = [{ weekday: '', weekdayEn: 'thursday', startTime: '00:00', endTime: '23:59' }]
/** A company that is closed today, and says so. */
const notice = (facts: Partial<HoursFacts> = {}) =>
  outOfHoursNotice(
    {
      scheduleType: 'company',
      timeZone: 'America/Sao_Paulo',
      company: { schedules: closed },
      connection: { schedules: [], outOfHoursMessage: 'of the connection' },
      queue: { schedules: closed, outOfHoursMessage: 'of the queue' },
      ...facts,
    },
    now,
  )

test('[H7] a connection’s own hours win over the company’s; by queue, the queue’s count; without words nothing is said', () => {
  const words = 'of the connection'
  expect(notice({ connection: { schedules: allDay, outOfHoursMessage: words } })).toBeNull()
  expect(notice({ company: { schedules: allDay }, connection: { schedules: closed, outOfHoursMessage: words } })).toBe(
    words,
  )
  expect(notice({ scheduleType: 'queue' })).toBe('of the queue')
  expect(notice({ scheduleType: 'queue', queue: null })).toBeNull()
  expect(notice({ scheduleType: 'disabled' })).toBeNull()
  expect(notice({ connection: { schedules: [], outOfHoursMessage: ' ' } })).toBeNull()
})
