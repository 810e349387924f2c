import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dateText, hourText } from './dates.ts'
import { languageTags, locales } from './locale.ts'

const evening = new Date(2026, 10, 5, 21, 3, 9)
const morning = new Date(2026, 10, 5, 9, 3, 9)
/** What is written in Portuguese, Spanish and English. Browsers differ in which blank stands before "PM". */
const inAll = (text: (locale: string) => string) =>
  locales.map((locale) => text(languageTags[locale]).replaceAll(/\s/g, ' '))

describe('what a person reads of a moment', () => {
  test('in English the clock has twelve hours and no nought before them; in Portuguese and Spanish it has 24', () => {
    expect(inAll((locale) => dateText(locale, evening, 'time'))).toEqual(['21:03', '21:03', '9:03 PM'])
    expect(inAll((locale) => dateText(locale, morning, 'time'))).toEqual(['09:03', '09:03', '9:03 AM'])
    expect(inAll((locale) => dateText(locale, morning, 'clock'))).toEqual(['09:03:09', '09:03:09', '9:03:09 AM'])
    expect(inAll((locale) => hourText(locale, 9))).toEqual(['9h', '9h', '9 AM'])
    expect(inAll((locale) => hourText(locale, 21))).toEqual(['21h', '21h', '9 PM'])
  })

  test('midnight is not the hour 24', () => {
    const midnight = new Date(2026, 10, 5)
    expect(inAll((locale) => dateText(locale, midnight, 'time'))).toEqual(['00:00', '00:00', '12:00 AM'])
  })

  test('days come as the language orders them, alone or before the time', () => {
    expect(inAll((locale) => dateText(locale, evening, 'moment'))).toEqual([
      '05/11/2026, 21:03',
      '05/11/2026, 21:03',
      '11/05/2026, 9:03 PM',
    ])
    expect(inAll((locale) => dateText(locale, evening, 'date', 'time'))).toEqual([
      '05/11/26 21:03',
      '05/11/26 21:03',
      '11/05/26 9:03 PM',
    ])
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
