import { expect, test } from 'bun:test'
import {
  chartQuery,
  countersQuery,
  everyMoment,
  hoursAndMinutes,
  problemOf,
  thisMonth,
} from './dashboard.filter.queries.ts'

const today = '2026-03-05'

test('it begins with this month, up to today', () => {
  expect(thisMonth(today)).toEqual({ kind: 'dates', from: '2026-03-01', to: '2026-03-05' })
})
test('nothing is asked while nothing is given; one of the two dates is enough', () => {
  expect(problemOf({ kind: 'period', days: null })).toBe('nothing')
  expect(problemOf({ kind: 'dates', from: '', to: '' })).toBe('nothing')
  expect(problemOf({ kind: 'dates', from: '2026-03-01', to: '' })).toBeNull()
})
test('a range cannot end before it begins', () => {
  expect(problemOf({ kind: 'dates', from: '2026-03-02', to: '2026-03-01' })).toBe('backwards')
  expect(problemOf({ kind: 'dates', from: '2026-03-01', to: '2026-03-01' })).toBeNull()
})
test('a period is asked for by its days, and of the charts by its first and last day', () => {
  expect(countersQuery({ kind: 'period', days: 7 })).toEqual({ days: 7 })
  expect(chartQuery({ kind: 'period', days: 7 }, today)).toEqual({ initialDate: '2026-02-27', finalDate: '2026-03-05' })
})
test('an open end is left out', () => {
  expect(countersQuery({ kind: 'dates', from: '', to: '2026-03-05' })).toEqual({ date_to: '2026-03-05' })
  expect(chartQuery({ kind: 'dates', from: '2026-03-01', to: '' }, today)).toEqual({ initialDate: '2026-03-01' })
})
test('times are read as hours and minutes; where there was nothing, there is no mean', () => {
  expect([null, undefined].map(hoursAndMinutes)).toEqual(['—', '—'])
  expect([0, 4.6, 65, 1500].map(hoursAndMinutes)).toEqual(['0h 00m', '0h 05m', '1h 05m', '25h 00m'])
})
test('a day or an hour between others in which nothing began is nought, not left out', () => {
  expect(everyMoment([])).toEqual([])
  expect(
    everyMoment([
      { horario: 9, total: 2 },
      { horario: 11, total: 1 },
    ]),
  ).toEqual([
    { horario: 9, total: 2 },
    { horario: 10, total: 0 },
    { horario: 11, total: 1 },
  ])
  expect(
    everyMoment([
      { data: '2026-02-28', total: 2 },
      { data: '2026-03-02', total: 1 },
    ]),
  ).toEqual([
    { data: '2026-02-28', total: 2 },
    { data: '2026-03-01', total: 0 },
    { data: '2026-03-02', total: 1 },
  ])
})
