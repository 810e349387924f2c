import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dateText, firstDayOf, hourText } from './dates.ts'
import { locales } from './locale.ts'

const evening = new Date(2026, 10, 5, 21, 3, 9)
const morning = new Date(2026, 10, 5, 9, 3, 9)
/** What is written in Portuguese, Spanish and English. */
const inAll = (text: (locale: string) => string) => locales.map(text)

describe('what a person reads of a moment', () => {
  test('the clock has 24 hours in all three languages', () => {
    expect(inAll((locale) => dateText(locale, evening, 'time'))).toEqual(['21:03', '21:03', '21:03'])
    expect(inAll((locale) => dateText(locale, morning, 'time'))).toEqual(['09:03', '09:03', '09:03'])
    expect(inAll((locale) => dateText(locale, morning, 'clock'))).toEqual(['09:03:09', '09:03:09', '09:03:09'])
    expect(inAll((locale) => hourText(locale, 9))).toEqual(['9h', '9h', '09:00'])
    expect(inAll((locale) => hourText(locale, 21))).toEqual(['21h', '21h', '21:00'])
  })

  test('midnight is not the hour 24', () => {
    const midnight = new Date(2026, 10, 5)
    expect(inAll((locale) => dateText(locale, midnight, 'time'))).toEqual(['00:00', '00:00', '00:00'])
  })

  test('the day comes before the month, alone or before the time: the English is British', () => {
    expect(inAll((locale) => dateText(locale, evening, 'moment'))).toEqual([
      '05/11/2026, 21:03',
      '05/11/2026, 21:03',
      '05/11/2026, 21:03',
    ])
    expect(inAll((locale) => dateText(locale, evening, 'date', 'time'))).toEqual([
      '05/11/26 21:03',
      '05/11/26 21:03',
      '05/11/26 21:03',
    ])
    expect(dateText('en', evening, 'day')).toBe('Thursday 5 November')
  })

  test('weeks begin on Sunday in Brazil and on Monday in Spain and Britain', () => {
    // A program that does not know says Sunday.
    expect(firstDayOf('pt')).toBe(0)
    if ('getWeekInfo' in Intl.Locale.prototype || 'weekInfo' in Intl.Locale.prototype)
      expect([firstDayOf('es'), firstDayOf('en')]).toEqual([1, 1])
  })
})

test('nothing else in the client writes dates', () => {
  const root = join(import.meta.dir, '..')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.tsx?$/.test(path) && !path.startsWith('dist') && !/^i18n\/dates\.(test\.)?ts$/.test(path),
  )
  expect(files.length).toBeGreaterThan(100)
  const writes = /toLocale(Date|Time)String|DateTimeFormat\(\w|i18n\.date\(/
  expect(files.filter((path) => writes.test(readFileSync(join(root, path), 'utf8')))).toEqual([])
})
