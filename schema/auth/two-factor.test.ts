import { expect, test } from 'bun:test'
import type { Permission, PrincipalRole } from '../permissions.ts'
import type { Profile } from '../users/users.table.ts'
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

test('an admin is who has an admin’s permissions, by profile or by role', () => {
  const asked = (profile: Profile, permissions: Permission[], maskNumbers = false) => {
    const role: PrincipalRole = { id: 1, permissions, ticketScope: 'queues', maskNumbers }
    return twoFactorDue({ rule: 'admins', since: monday }, { ...person, profile, role }) !== null
  }
  for (const name of ['settings:write', 'users:write', 'security:write', 'api-keys:write', 'invoices:pay'] as const)
    expect([name, asked('user', ['quick-messages:any', name])]).toEqual([name, true])
  // What supervisors have, too, and figures.
  expect(asked('user', ['contacts:export', 'tags:kanban', 'dashboard:view', 'drawer-admin-items:view'])).toBe(false)
  expect(asked('supervisor', [])).toBe(false)
  // What a role that hides numbers takes away, nobody has.
  expect(asked('user', ['connections:token'], true)).toBe(false)
  expect(asked('admin', [])).toBe(true)
})

test('everybody has seven days from when it was asked of them, who comes later too', () => {
  const from = (since: Date, userSince: Date) =>
    twoFactorDue({ rule: 'all', since }, { ...person, userSince })!.getTime() - TWO_FACTOR_GRACE_MS
  expect(from(wednesday, monday)).toBe(wednesday.getTime())
  expect(from(monday, wednesday)).toBe(wednesday.getTime())
})
