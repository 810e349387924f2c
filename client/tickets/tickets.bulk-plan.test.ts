import { describe, expect, test } from 'bun:test'
import type { Principal } from '../../schema/permissions.ts'
import { planOf, tagsBack } from './tickets.bulk-plan.ts'
import { askedOnClose } from './tickets.closing.ts'
import { readTicket } from './tickets.rows.ts'

const agent: Principal = {
  ...{ userId: 1, companyId: 1, name: 'Ana', profile: 'user', super: false },
  ...{ queueIds: [10], allTicket: false, whatsappId: null },
}
const ticket = (id: number, values: object) =>
  readTicket({ id, uuid: String(id), queueId: 10, userId: null, ...values })
const waiting = ticket(1, { status: 'pending' })
const mine = ticket(2, { status: 'open', userId: 1, unreadMessages: 2 })
const read = ticket(3, { status: 'open', userId: 1 })
const colleague = ticket(4, { status: 'open', userId: 2, unreadMessages: 1 })
const closed = ticket(5, { status: 'closed', userId: 1 })
const all = [waiting, mine, read, colleague, closed]

/** With which it can be done, and how often for which reason it cannot. */
const says = (type: Parameters<typeof planOf>[1], who = agent) => {
  const { able, unable } = planOf(all, type, who)
  return [able.map(({ id }) => id), Object.fromEntries(unable.map(({ why, count }) => [why, count]))]
}

describe('what will be done with several tickets', () => {
  test('is said of each by its own rules', () => {
    expect(says('accept')).toEqual([[1], { UNCHANGED: 2, ERR_TICKET_TAKEN: 1, ERR_TICKET_TRANSITION: 1 }])
    expect(says('return')).toEqual([[2, 3], { UNCHANGED: 1, ERR_FORBIDDEN: 1, ERR_TICKET_TRANSITION: 1 }])
    expect(says('resolve')).toEqual([[1, 2, 3], { ERR_FORBIDDEN: 1, UNCHANGED: 1 }])
    expect(says('transfer')).toEqual([[1, 2, 3], { ERR_FORBIDDEN: 1, ERR_TICKET_TRANSITION: 1 }])
    expect(says('read')).toEqual([[2], { ERR_FORBIDDEN: 2, UNCHANGED: 2 }])
    expect(says('tag')).toEqual([[1, 2, 3, 4, 5], {}])
  })

  test('an admin also resolves what is of others', () => {
    expect(says('resolve', { ...agent, userId: 9, profile: 'admin' })).toEqual([[1, 2, 3, 4], { UNCHANGED: 1 }])
  })

  test('what asks for fields before it is closed is closed by itself', () => {
    askedOnClose.set([{ id: 4, entity: 'ticket' }])
    const told = ticket(6, { status: 'open', userId: 1, fields: { 4: 'Encomenda' } })
    expect(planOf([told, mine, read], 'resolve', agent)).toEqual({
      able: [told],
      unable: [{ why: 'ERR_FIELDS_REQUIRED', count: 2 }],
    })
    askedOnClose.set([])
  })

  test('of contacts whose fields are asked for, those that lack them are named, and the others go', () => {
    askedOnClose.set([{ id: 7, entity: 'contact' }])
    const [a, b, c] = [1, 2, 3].map((contactId) => ticket(10 + contactId, { status: 'open', userId: 1, contactId }))
    const group = ticket(20, { status: 'open', userId: 1, contactId: 4, isGroup: true })
    const contacts = new Map<number, Record<number, string>>([
      [1, { 7: 'Moema' }],
      [2, {}],
    ])
    expect(planOf([a!, b!, c!, group], 'resolve', agent, contacts)).toEqual({
      able: [a!, c!, group],
      unable: [{ why: 'ERR_FIELDS_REQUIRED', count: 1 }],
    })
    askedOnClose.set([])
  })

  test('the most frequent reason is named first', () => {
    expect(planOf([waiting, ...all], 'return', agent).unable[0]).toEqual({ why: 'UNCHANGED', count: 2 })
  })
})

test('tags are put back as each ticket had them, those alike together', () => {
  const had = [
    { id: 1, tagIds: [7] },
    { id: 2, tagIds: [] },
    { id: 3, tagIds: [8] },
    { id: 4, tagIds: [] },
    { id: 5, tagIds: [7, 9] },
  ]
  const back = tagsBack(had, { type: 'tag', add: [7], remove: [8] })
  expect(back).toEqual([
    { ids: [2, 4], action: { type: 'tag', add: [], remove: [7] } },
    { ids: [3], action: { type: 'tag', add: [8], remove: [7] } },
  ])
})
