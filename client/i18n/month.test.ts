import { expect, test } from 'bun:test'
import { addMonths, dayKey, monthOf, weeksOf } from './month.ts'

const keys = (weeks: Date[][]) => weeks.map((week) => week.map(dayKey))

test('a page of the calendar holds whole weeks, with the days of its neighbours at both ends', () => {
  const november = keys(weeksOf({ year: 2026, month: 10 }, 0))
  expect(november).toHaveLength(5)
  expect(november[0]?.[0]).toBe('2026-11-01')
  expect(november.at(-1)?.at(-1)).toBe('2026-12-05')
  const fromMonday = keys(weeksOf({ year: 2026, month: 10 }, 1))
  expect(fromMonday).toHaveLength(6)
  expect(fromMonday[0]?.[0]).toBe('2026-10-26')
})

test('every day stands once, also where the clock is changed', () => {
  for (let month = 0; month < 24; month++) {
    const days = keys(weeksOf(addMonths({ year: 2026, month: 0 }, month), month % 7)).flat()
    expect(new Set(days).size).toBe(days.length)
    expect(days.length % 7).toBe(0)
  }
})

test('after December comes January', () => {
  expect(addMonths({ year: 2026, month: 11 }, 1)).toEqual({ year: 2027, month: 0 })
  expect(addMonths({ year: 2026, month: 0 }, -1)).toEqual({ year: 2025, month: 11 })
  expect(monthOf(new Date(2026, 1, 28, 23, 59).getTime())).toEqual({ year: 2026, month: 1 })
})
