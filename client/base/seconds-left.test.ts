import { expect, test } from 'bun:test'
import { clockText } from './seconds-left.ts'

test('seconds that are left are read as on a clock', () =>
  expect([0, 9, 59, 60, 754, 3_599, 3_600, 36_061].map(clockText)).toEqual([
    ...['0:00', '0:09', '0:59', '1:00', '12:34', '59:59', '1:00:00', '10:01:01'],
  ]))
