import { expect, test } from 'bun:test'
import { person } from './example-facts.fixture.ts'
import { can, canAnswer, canSeeTicket, type Permission, principalFrom } from './permissions.ts'

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
