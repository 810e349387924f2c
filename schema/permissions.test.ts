import { expect, test } from 'bun:test'
import { person } from './example-facts.fixture.ts'
import {
  can,
  canAnswer,
  canSeeTicket,
  covers,
  grantable,
  type Permission,
  principalFrom,
  type PrincipalRole,
} from './permissions.ts'
import { isNotifiedOf } from './tickets/tickets.notify.ts'

const role = (ticketScope: PrincipalRole['ticketScope'], permissions: Permission[] = []): PrincipalRole => ({
  ...{ id: 3, ticketScope, permissions, maskNumbers: false },
})

const own = { queueId: 2, userId: 7 }
const inQueue = { queueId: 1, userId: 8 }
const elsewhere = { queueId: 2, userId: 8 }
const withoutQueue = { queueId: null, userId: null }

test('[T8] who sees a ticket: its agent, the people of its queue, those who see all; without a queue, those of allTicket', () => {
  const table = {
    agent: person(),
    'agent with allTicket': person({ allTicket: true }),
    supervisor: person({ userId: 9, profile: 'supervisor', queueIds: [] }),
    admin: person({ userId: 9, profile: 'admin', queueIds: [] }),
    'role of one’s own tickets': person({ allTicket: true, role: role('own') }),
    'role of one’s queues': person({ role: role('queues') }),
    'role of all': person({ queueIds: [], role: role('all') }),
  }
  const seen = Object.fromEntries(
    Object.entries(table).map(([name, who]) => [
      name,
      [own, inQueue, elsewhere, withoutQueue].map((ticket) => canSeeTicket(who, ticket)),
    ]),
  )
  expect(seen).toEqual({
    agent: [true, true, false, false],
    'agent with allTicket': [true, true, false, true],
    supervisor: [true, true, true, true],
    admin: [true, true, true, true],
    'role of one’s own tickets': [true, false, false, false],
    'role of one’s queues': [true, true, false, false],
    'role of all': [true, true, true, true],
  })
})

test('[T9] in an open ticket its agent writes, and who sees all; a colleague reads along; in one that nobody has, anyone', () => {
  expect(canAnswer(person(), own)).toBe(true)
  expect(canAnswer(person(), inQueue)).toBe(false)
  expect(canAnswer(person({ profile: 'supervisor' }), inQueue)).toBe(true)
  expect(canAnswer(person(), withoutQueue)).toBe(true)
})

test('who holds what', () => {
  const asked: Permission[] = [
    'tickets-manager:showall',
    'ticket-options:deleteTicket',
    'settings:write',
    'tags:kanban',
  ]
  const held = (profile: 'user' | 'supervisor' | 'admin') => asked.map((permission) => can({ profile }, permission))
  expect(held('user')).toEqual([false, false, false, false])
  expect(held('supervisor')).toEqual([true, false, false, true])
  expect(held('admin')).toEqual([true, true, true, true])
})

test('a person is made from their row and their queues', () => {
  const row = { id: 7, companyId: 1, name: 'Ana', profile: 'user', super: false, whatsappId: null } as const
  expect(principalFrom({ ...row, allTicket: true }, [1])).toEqual(person({ allTicket: true }))
  expect(principalFrom({ ...row, allTicket: false }, [1])).toEqual(person())
})

test('a role gives what it names, and nothing of the profile besides', () => {
  const writer = person({ role: role('queues', ['settings:write', 'tags:kanban']) })
  expect(grantable.filter((permission) => can(writer, permission))).toEqual(['settings:write', 'tags:kanban'])
  expect(can(writer, 'tickets-manager:showall')).toBe(false)
  expect(can(person({ role: role('all') }), 'tickets-manager:showall')).toBe(true)
  // One that this version does not know opens nothing, whatever it is called.
  expect(
    can(person({ role: { ...role('own'), permissions: ['tickets-manager:showall'] } }), 'tickets-manager:showall'),
  ).toBe(false)
})

test('who sees their own tickets only is rung for no other, and writes in no other', () => {
  const who = person({ allTicket: true, role: role('own') })
  const waiting = { status: 'pending', userId: null, unreadMessages: 1, snoozedUntil: null } as const
  expect(isNotifiedOf(who, { ...waiting, queueId: 1 })).toBe(false)
  expect(isNotifiedOf(who, { ...waiting, queueId: null })).toBe(false)
  expect(isNotifiedOf(person({ role: role('queues') }), { ...waiting, queueId: 1 })).toBe(true)
  expect(canAnswer(who, inQueue)).toBe(false)
})

test('nobody gives what they do not have: neither a permission nor a wider view', () => {
  const some = person({ role: role('queues', ['users:write', 'roles:write']) })
  expect(covers(some, { profile: 'user' })).toBe(true)
  expect(covers(some, { profile: 'user', role: role('own', ['users:write']) })).toBe(true)
  expect(covers(some, { profile: 'user', role: role('queues', ['settings:write']) })).toBe(false)
  expect(covers(some, { profile: 'user', role: role('all') })).toBe(false)
  expect(covers(some, { profile: 'supervisor' })).toBe(false)
  expect(covers(some, { profile: 'admin' })).toBe(false)
  const admin = person({ profile: 'admin' })
  expect(covers(admin, { profile: 'admin' })).toBe(true)
  expect(covers(admin, { profile: 'user', role: role('all', [...grantable]) })).toBe(true)
  // The operator, who acts for an admin, hands no keys on.
  expect(covers({ ...admin, acting: true }, { profile: 'admin' })).toBe(false)
})

test('an admin holds whatever a role may, so that there is nothing they could not give', () => {
  expect(grantable.filter((permission) => !can({ profile: 'admin' }, permission))).toEqual([])
})
