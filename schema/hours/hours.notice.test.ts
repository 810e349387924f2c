import { expect, test } from 'bun:test'
import { now } from '../example-facts.fixture.ts'
import { counterOf, type HoursFacts, outOfHoursNotice, unnoticedHours } from './hours.notice.ts'
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

test('[H11] hours of which no contact would ever hear lack their words, or their week', () => {
  const lack = (facts: Partial<HoursFacts>) =>
    unnoticedHours(
      counterOf({
        scheduleType: 'company',
        company: { schedules: closed },
        connection: { schedules: [], outOfHoursMessage: 'Voltamos.' },
        queue: null,
        ...facts,
      }),
      facts.company?.holidays,
    )
  expect(lack({})).toBeNull()
  expect(lack({ connection: { schedules: [], outOfHoursMessage: ' ' } })).toBe('words')
  expect(lack({ company: { schedules: [] } })).toBe('week')
  // Left empty, or open all day: nothing is ever outside of them.
  expect(lack({ company: { schedules: [{ ...closed[0]!, startTime: '', endTime: '' }] } })).toBe('week')
  expect(lack({ company: { schedules: allDay } })).toBe('week')
  const day = (startTime: string, endTime: string): ScheduleEntry => ({ ...closed[0]!, startTime, endTime })
  expect(lack({ company: { schedules: [day('00:00', '11:59'), day('12:00', '23:59')] } })).toBe('week')
  expect(lack({ company: { schedules: [day('00:00', '11:59'), day('13:00', '23:59')] } })).toBeNull()
  expect(lack({ company: { schedules: [day('18:00', '02:00')] } })).toBeNull()
  expect(lack({ company: { schedules: [], holidays: [{ date: '2026-12-25', name: 'Natal' }] } })).toBeNull()
})
