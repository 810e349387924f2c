import { expect, test } from 'bun:test'
import { type BackupPast, dueBackupWork } from './backups.due.ts'

const at = (text: string) => new Date(`2026-11-${text}:00Z`)
const never: BackupPast = { goodAt: null, triedAt: null }
const done = (text: string): BackupPast => ({ goodAt: at(text), triedAt: at(text) })

test('a backup is made each day from its hour on, once', () => {
  const restored = done('28T05:00')
  expect(dueBackupWork({ made: never, restored: never }, 3, at('30T02:00'))).toBe('made')
  expect(dueBackupWork({ made: done('29T03:05'), restored }, 3, at('30T02:59'))).toBeUndefined()
  expect(dueBackupWork({ made: done('29T03:05'), restored }, 3, at('30T03:00'))).toBe('made')
  expect(dueBackupWork({ made: done('30T03:01'), restored }, 3, at('30T23:00'))).toBeUndefined()
})

test('one that failed is tried again after an hour', () => {
  const made: BackupPast = { goodAt: at('29T03:05'), triedAt: at('30T03:10') }
  const restored = done('28T05:00')
  expect(dueBackupWork({ made, restored }, 3, at('30T04:09'))).toBeUndefined()
  expect(dueBackupWork({ made, restored }, 3, at('30T04:10'))).toBe('made')
})

test('one is restored aside as soon as there is one, and each week from then on', () => {
  expect(dueBackupWork({ made: done('30T03:01'), restored: never }, 3, at('30T03:10'))).toBe('restored')
  expect(dueBackupWork({ made: done('30T03:01'), restored: done('23T03:11') }, 3, at('30T03:10'))).toBeUndefined()
  expect(dueBackupWork({ made: done('30T03:01'), restored: done('23T03:10') }, 3, at('30T03:10'))).toBe('restored')
  const failed: BackupPast = { goodAt: at('20T03:00'), triedAt: at('30T03:00') }
  expect(dueBackupWork({ made: done('30T03:01'), restored: failed }, 3, at('30T08:59'))).toBeUndefined()
  expect(dueBackupWork({ made: done('30T03:01'), restored: failed }, 3, at('30T09:00'))).toBe('restored')
})
