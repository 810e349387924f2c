import { expect, test } from 'bun:test'
import { dueOf, readDays } from './privacy.terms.ts'

test('a request by the LGPD is answered in 15 days, one by the GDPR in a month', () => {
  expect(dueOf('lgpd', '2026-11-30')).toBe('2026-12-15')
  expect(dueOf('lgpd', '2028-02-20')).toBe('2028-03-06')
  expect(dueOf('gdpr', '2026-11-30')).toBe('2026-12-30')
  expect(dueOf('gdpr', '2026-12-15')).toBe('2027-01-15')
})

test('a month from its last day ends with the next month, however short that is', () => {
  expect(dueOf('gdpr', '2027-01-31')).toBe('2027-02-28')
  expect(dueOf('gdpr', '2028-01-31')).toBe('2028-02-29')
})

test('a term is 0, or 30 days and more', () => {
  expect(['0', '30', '365', '3650'].map(readDays)).toEqual([0, 30, 365, 3_650])
  expect(['29', '-1', '', '3651', '1e3', 'sempre', '30.5'].map(readDays)).toEqual(Array(7).fill(undefined))
})
