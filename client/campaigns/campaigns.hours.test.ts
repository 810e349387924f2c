import { expect, test } from 'bun:test'
import { standardHours } from '../../schema/campaigns/campaigns.hours.ts'
import { periodsOf, weekOf } from './campaigns.hours.rules.ts'

test('hours that are shown and saved again are the same', () => {
  expect(periodsOf(weekOf(standardHours))).toEqual({ ...standardHours.periods, sunday: [] })
  const lunch = {
    monday: [
      { from: '08:00', to: '12:00' },
      { from: '13:00', to: '18:00' },
    ],
  }
  expect(periodsOf(weekOf({ periods: lunch, holidays: [] })).monday).toEqual(lunch.monday)
})

test('a night belongs to two days, and a day without a limit is open all day', () => {
  const day = { weekday: 'x', weekdayEn: 'sunday' as const }
  const { sunday, monday } = periodsOf([{ ...day, startTime: '22:00', endTime: '02:00' }])
  expect([sunday, monday]).toEqual([[{ from: '22:00', to: '23:59' }], [{ from: '00:00', to: '02:00' }]])
  expect(periodsOf([{ ...day, startTime: '', endTime: '' }]).sunday).toEqual([{ from: '00:00', to: '23:59' }])
})
