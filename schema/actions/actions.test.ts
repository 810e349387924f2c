import { describe, expect, test } from 'bun:test'
import { DomainError } from '../errors.ts'
import { now, person, ticket } from '../example-facts.fixture.ts'
import { newId } from '../ids.ts'
import { idWithin } from '../ids-within.ts'
import type { Ticket } from '../tickets/tickets.table.ts'
import { type ActionFacts, decideActions } from './actions.decide.ts'
import type { TicketAction } from './actions.inputs.ts'

const factsOf = (values: Partial<Ticket> = {}): ActionFacts => ({
  ...{ ticket: ticket({ whatsappId: 3, ...values }), unread: [], fields: [], contact: undefined },
  queues: new Map([[2, { id: 2, name: 'Suporte' } as never]]),
  users: new Map([
    [7, { id: 7, name: 'Ana' } as never],
    [8, { id: 8, name: 'Bia' } as never],
  ]),
  words: { timeZone: 'America/Sao_Paulo', language: 'pt', company: { name: 'Padaria' } },
})
const context = { who: person(), now, commandId: newId() }
const done = (actions: TicketAction[], values: Partial<Ticket> = {}, isHeld = false) =>
  decideActions(actions, factsOf(values), context, isHeld)
const refusal = (actions: TicketAction[], values: Partial<Ticket> = {}) => {
  try {
    return done(actions, values).ticket.status
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return [error.code, error.params['step']]
  }
}

describe('several actions', () => {
  test('each find the ticket as the one before left it', () => {
    const { ticket: after } = done([{ type: 'assign', to: 'me' }, { type: 'message', body: 'oi' }, { type: 'resolve' }])
    expect([after.status, after.userId, after.lastMessage]).toEqual(['closed', 7, 'oi'])
    // Without the first nobody may write.
    expect(refusal([{ type: 'message', body: 'oi' }])).toEqual(['ERR_TICKET_NOT_OPEN', 1])
    expect(refusal([{ type: 'resolve' }, { type: 'message', body: 'oi' }])).toEqual(['ERR_TICKET_NOT_OPEN', 2])
  })

  test('obey the same rules as the commands: what is a colleague’s stays theirs', () => {
    const theirs = { status: 'open', userId: 8 } as const
    for (const action of [{ type: 'resolve' }, { type: 'queue', queueId: 2 }, { type: 'assign', to: 'me' }] as const)
      expect(refusal([action], theirs)).toEqual(['ERR_FORBIDDEN', 1])
  })

  test('stand in their order, a moment one after the other, each under an id of its own', () => {
    const said: TicketAction[] = [1, 2, 3].map((n) => ({ type: 'message', body: `nº ${n}` }))
    const { decision } = done(said, { status: 'open', userId: 7 })
    const rows = decision.rows.flatMap((row) => (row.table === 'messages' && row.op === 'insert' ? [row.values] : []))
    const at = (row: (typeof rows)[number]) => [row.body, row.createdAt!.getTime() - now.getTime()]
    expect(rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(at)).toEqual([
      ['nº 1', 0],
      ['nº 2', 1],
      ['nº 3', 2],
    ])
    expect(new Set(rows.map(({ wid }) => wid)).size).toBe(3)
  })

  test('a queue and the person right behind it are one move', () => {
    const { decision, ticket: after } = done([
      { type: 'queue', queueId: 2 },
      { type: 'assign', to: 8 },
    ])
    expect([after.status, after.queueId, after.userId]).toEqual(['open', 2, 8])
    expect(decision.effects.map(({ kind }) => kind)).toEqual(['tickets.transferred'])
  })

  test('what changes nothing writes nothing', () => {
    const mine = { status: 'open', userId: 7, tagIds: [4], unreadMessages: 2 } as const
    const idle: TicketAction[] = [
      { type: 'assign', to: 'me' },
      { type: 'tag', add: [4], remove: [5] },
      { type: 'unread' },
    ]
    expect(done(idle, { ...mine, tagIds: [4] }).decision.rows).toEqual([])
    expect(done([{ type: 'queue', queueId: 1 }]).decision.rows).toEqual([])
  })

  test('of what can be taken back the contact is told later, unless a message follows', () => {
    const actions: TicketAction[] = [{ type: 'assign', to: 'me' }, { type: 'message', body: 'oi' }, { type: 'resolve' }]
    const kinds = (isHeld: boolean) => {
      const { decision } = done(actions, {}, isHeld)
      return [decision.effects.map(({ kind }) => kind), (decision.held ?? []).map(({ effect }) => effect.kind)]
    }
    expect(kinds(false)).toEqual([['tickets.accepted', 'whatsapp.send', 'tickets.closed'], []])
    expect(kinds(true)).toEqual([['tickets.accepted', 'whatsapp.send'], ['tickets.closed']])
  })
})

test('rows of a command have ids of their own, the same wherever it is decided, whatever its key', () => {
  for (const key of [newId(), 'um-programa-1']) {
    const ids = Array.from({ length: 10 }, (_, n) => idWithin(key, n, '1 7'))
    expect(ids).toEqual(Array.from({ length: 10 }, (_, n) => idWithin(key, n, '1 7')))
    expect(ids.toSorted()).toEqual(ids)
    expect(new Set(ids).size).toBe(10)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
  }
  expect(idWithin('um-programa-1', 0, '1 7')).not.toBe(idWithin('um-programa-1', 0, '2 7'))
})
