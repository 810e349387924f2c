import { expect, test } from 'bun:test'
import { TWO_FACTOR_GRACE_MS, twoFactorDue } from './two-factor.ts'

const monday = new Date('2026-03-02T12:00:00Z')
const wednesday = new Date('2026-03-04T12:00:00Z')
const person = { profile: 'user', userSince: monday } as const

test('nobody must where no rule is set, and of admins alone no agent must', () => {
  expect(twoFactorDue(undefined, person)).toBeNull()
  expect(twoFactorDue({ rule: 'none', since: monday }, person)).toBeNull()
  expect(twoFactorDue({ rule: 'admins', since: monday }, person)).toBeNull()
  expect(twoFactorDue({ rule: 'admins', since: monday }, { ...person, profile: 'admin' })).not.toBeNull()
})

test('everybody has seven days from when it was asked of them, who comes later too', () => {
  const from = (since: Date, userSince: Date) =>
    twoFactorDue({ rule: 'all', since }, { ...person, userSince })!.getTime() - TWO_FACTOR_GRACE_MS
  expect(from(wednesday, monday)).toBe(wednesday.getTime())
  expect(from(monday, wednesday)).toBe(wednesday.getTime())
})
