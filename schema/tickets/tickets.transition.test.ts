import { describe, expect, test } from 'bun:test'
import type { Principal } from '../permissions.ts'
import { now, person, ticket } from '../example-facts.fixture.ts'
import type { RowChange } from '../command.ts'
import type { TicketStatus } from './tickets.table.ts'
import { notSnoozed, untilAnswered } from './tickets.snooze.ts'
import { type TicketFacts, type TicketMove, transition } from './tickets.transition.ts'

const people = {
  agent: person({ userId: 7 }),
  colleague: person({ userId: 8 }),
  stranger: person({ userId: 9, queueIds: [2] }),
  manager: person({ userId: 10, profile: 'supervisor', queueIds: [] }),
}
type Who = keyof typeof people
type PersonMove = Extract<TicketMove, { who: Principal }>['type']
type OtherMove = Exclude<TicketMove['type'], PersonMove>

const tomorrow = new Date(now.getTime() + 86_400_000)
const asItWas = { status: 'open' as const, userId: 7, unreadMessages: 2, updatedAt: new Date('2026-07-01T08:00:00Z') }

const moves: { [T in PersonMove]: (who: Principal) => TicketMove } = {
  accept: (who) => ({ type: 'accept', who }),
  return: (who) => ({ type: 'return', who }),
  resolve: (who) => ({ type: 'resolve', who }),
  reopen: (who) => ({ type: 'reopen', who }),
  undo: (who) => ({ type: 'undo', who, done: 'resolved', was: asItWas }),
  transfer: (who) => ({ type: 'transfer', who, queueId: 2, userId: null }),
  merge: (who) => ({ type: 'merge', who, intoId: 6 }),
  snooze: (who) => ({ type: 'snooze', who, until: tomorrow, keep: false, note: null }),
}
const others: { [T in OtherMove]: TicketMove } = {
  contactWrote: { type: 'contactWrote' },
  expire: { type: 'expire' },
  queue: { type: 'queue', queueId: 4 },
  choose: { type: 'choose', queueId: 4 },
  assign: { type: 'assign', userId: 8 },
  leave: { type: 'leave', userId: null },
  finish: { type: 'finish' },
  place: { type: 'place', queueId: 4, userId: null },
  campaignReply: { type: 'campaignReply', queueId: 4 },
  release: { type: 'release' },
  part: { type: 'part', was: asItWas },
  wake: { type: 'wake', who: null },
  escalate: { type: 'escalate', queueId: 4 },
  erase: { type: 'erase' },
}
/** A ticket of queue 1: it waits, or 7 serves it, or 7 served it. */
const tickets: Record<TicketStatus, TicketFacts> = {
  pending: ticket({ status: 'pending', userId: null }),
  open: ticket({ status: 'open', userId: 7 }),
  closed: ticket({ status: 'closed', userId: 7 }),
}
/** The status, and whose it is; `-`: nothing has changed. */
const said = (facts: TicketFacts, move: TicketMove) => {
  const outcome = transition(facts, move, { now, cause: 'c' })
  if ('refused' in outcome) return outcome.refused
  if (outcome.event === null) return '-'
  const { status, userId, queueId } = { ...facts, ...outcome.patch }
  return `${status} ${userId ?? 'nobody'}${queueId === facts.queueId ? '' : ` queue ${queueId}`}`
}

describe('[T1] each move in each status, by each kind of person', () => {
  const hidden = 'ERR_NO_TICKET_FOUND'
  const no = 'ERR_FORBIDDEN'
  const never = 'ERR_TICKET_TRANSITION'
  const taken = 'ERR_TICKET_TAKEN'
  const late = 'ERR_UNDO_LATE'
  const nobody = 'pending nobody queue 2'
  const waits = 'pending nobody'
  /** `agent` is 7, in queue 1; a colleague is in queue 1, too; a stranger in queue 2; a manager sees all. */
  const table: Record<TicketStatus, Record<PersonMove, Record<Who, string>>> = {
    pending: {
      accept: { agent: 'open 7', colleague: 'open 8', stranger: hidden, manager: 'open 10' },
      return: { agent: '-', colleague: '-', stranger: '-', manager: '-' },
      resolve: { agent: 'closed 7', colleague: 'closed 8', stranger: no, manager: 'closed 10' },
      reopen: { agent: never, colleague: never, stranger: never, manager: never },
      undo: { agent: late, colleague: late, stranger: late, manager: late },
      transfer: { agent: nobody, colleague: nobody, stranger: no, manager: nobody },
      merge: {
        agent: 'closed nobody',
        colleague: 'closed nobody',
        stranger: 'closed nobody',
        manager: 'closed nobody',
      },
      snooze: { agent: waits, colleague: waits, stranger: no, manager: waits },
    },
    open: {
      accept: { agent: '-', colleague: taken, stranger: taken, manager: taken },
      return: { agent: 'pending nobody', colleague: no, stranger: no, manager: 'pending nobody' },
      resolve: { agent: 'closed 7', colleague: no, stranger: no, manager: 'closed 7' },
      reopen: { agent: '-', colleague: '-', stranger: '-', manager: '-' },
      undo: { agent: late, colleague: late, stranger: late, manager: late },
      transfer: { agent: nobody, colleague: no, stranger: no, manager: nobody },
      merge: { agent: 'closed 7', colleague: no, stranger: no, manager: 'closed 7' },
      snooze: { agent: 'open 7', colleague: no, stranger: no, manager: 'open 7' },
    },
    closed: {
      accept: { agent: never, colleague: never, stranger: never, manager: never },
      return: { agent: never, colleague: never, stranger: never, manager: never },
      resolve: { agent: '-', colleague: '-', stranger: '-', manager: '-' },
      reopen: { agent: 'open 7', colleague: no, stranger: hidden, manager: 'open 10' },
      undo: { agent: 'open 7', colleague: late, stranger: late, manager: 'open 7' },
      transfer: { agent: never, colleague: never, stranger: never, manager: never },
      merge: { agent: 'closed 7', colleague: 'closed 7', stranger: 'closed 7', manager: 'closed 7' },
      snooze: { agent: never, colleague: never, stranger: never, manager: never },
    },
  }
  for (const status of ['pending', 'open', 'closed'] as const)
    test.each(Object.keys(moves) as PersonMove[])(`${status}: %s`, (type) => {
      const found = Object.fromEntries(
        Object.entries(people).map(([name, who]) => [name, said(tickets[status], moves[type](who))]),
      )
      expect(found).toEqual(table[status][type])
    })
})

test('nobody is called to a ticket that is over, however it ended', () => {
  const closes: TicketMove[] = [moves.resolve(people.agent), moves.merge(people.agent), others.expire]
  for (const move of [...closes, others.finish]) {
    const outcome = transition(move.type === 'finish' ? tickets.pending : tickets.open, move, { now, cause: 'c' })
    expect('patch' in outcome && outcome.patch, move.type).toMatchObject({
      ...{ status: 'closed', supervisorCalledAt: null, supervisorCalledBy: null },
    })
  }
})

test('[T35] a broken promise takes a ticket that is not over to its queue, and leaves one that is there', () => {
  const move: TicketMove = { type: 'escalate', queueId: 4 }
  const there = (facts: TicketFacts): TicketFacts => ({ ...facts, queueId: 4 })
  expect(said(tickets.open, move)).toBe('pending nobody queue 4')
  expect([said(there(tickets.open), move), said(there(tickets.pending), move), said(tickets.closed, move)]).toEqual([
    '-',
    '-',
    '-',
  ])
  expect(said({ ...tickets.open, isGroup: true }, move)).toBe('-')
})

test('[T1] each move in each status that no person makes', () => {
  const nothing = Object.fromEntries(Object.keys(others).map((type) => [type, '-'])) as Record<OtherMove, string>
  const table: Record<TicketStatus, Record<OtherMove, string>> = {
    pending: {
      contactWrote: '-',
      expire: '-',
      queue: '-',
      choose: 'pending nobody queue 4',
      assign: 'open 8',
      leave: '-',
      finish: 'closed nobody',
      place: 'pending nobody queue 4',
      campaignReply: '-',
      release: '-',
      part: 'ERR_UNDO_LATE',
      wake: '-',
      escalate: 'pending nobody queue 4',
      erase: 'closed nobody',
    },
    open: {
      ...nothing,
      expire: 'closed 7',
      leave: 'pending nobody',
      part: 'ERR_UNDO_LATE',
      escalate: 'pending nobody queue 4',
      erase: 'closed 7',
    },
    closed: { ...nothing, part: 'ERR_UNDO_LATE', contactWrote: 'pending nobody', place: 'pending nobody queue 4' },
  }
  const found = Object.fromEntries(
    Object.entries(tickets).map(([status, facts]) => [
      status,
      Object.fromEntries(Object.entries(others).map(([type, move]) => [type, said(facts, move)])),
    ]),
  )
  expect(found).toEqual(table)
})

const outcome = (facts: TicketFacts, move: TicketMove) => {
  const result = transition(facts, move, { now, cause: 'c' })
  if ('refused' in result) throw new Error(result.refused)
  return result
}
const ana = people.agent

test('[T2] who accepts has read what was written, ends the automation, and starts the clock of the service', () => {
  const { patch, tracking } = outcome(tickets.pending, { type: 'accept', who: ana })
  expect(patch).toMatchObject({ unreadMessages: 0, chatbot: false, useIntegration: false, promptId: null })
  expect(tracking).toEqual({ startedAt: now, userId: 7 })
})

test('[T3] a transfer names a queue or a person: a person has the ticket open, a queue lets it wait', () => {
  const facts = tickets.open
  const to = (queueId: number | null, userId: number | null) =>
    said(facts, { type: 'transfer', who: ana, queueId, userId })
  expect(to(null, null)).toBe('ERR_QUEUE_REQUIRED')
  expect(to(2, 8)).toBe('open 8 queue 2')
  expect(to(2, null)).toBe('pending nobody queue 2')
  expect(to(null, 8)).toBe('open 8 queue null')
})

test('[T3] who returns a ticket, or transfers it, ends the automation alike', () => {
  const off = { chatbot: false, useIntegration: false, promptId: null, integrationId: null }
  for (const move of [moves.return(ana), moves.transfer(ana)])
    expect(outcome(tickets.open, move).patch).toMatchObject(off)
})

test('[T4] a closed ticket keeps its agent; one that nobody took is of who closed it', () => {
  expect(outcome(tickets.open, { type: 'resolve', who: people.manager }).patch.userId).toBe(7)
  expect(outcome(tickets.pending, { type: 'resolve', who: people.manager }).patch.userId).toBe(10)
})

test('[T5] a closed ticket whose contact writes waits in its queue, without its agent', () => {
  expect<unknown>(outcome(tickets.closed, { type: 'contactWrote' })).toEqual({
    patch: { status: 'pending', userId: null, updatedAt: now },
    tracking: { queuedAt: now, userId: null },
    event: 'reopened_by_contact',
    effects: [],
  })
})

test('[T3] an open ticket goes on over another connection, and is the same service', () => {
  const { queueId, userId } = tickets.open
  const move: TicketMove = { type: 'transfer', who: ana, queueId, userId, whatsappId: 9 }
  expect(outcome(tickets.open, move)).toMatchObject({ patch: { whatsappId: 9 }, tracking: null, effects: [] })
  expect(outcome(tickets.open, move).patch).not.toHaveProperty('status')
})

test('[T6] a group is not told what becomes of its ticket, and no clock closes it or gives it a queue', () => {
  const group = (values: Partial<TicketFacts>) => ({ ...tickets.open, isGroup: true, ...values })
  const effects = (facts: TicketFacts, move: TicketMove) => outcome(facts, move).effects.map(({ kind }) => kind)
  for (const [facts, move, told] of [
    [tickets.pending, moves.accept(ana), 'tickets.accepted'],
    [tickets.open, moves.resolve(ana), 'tickets.closed'],
    [tickets.open, moves.transfer(ana), 'tickets.transferred'],
  ] as const) {
    expect(effects(facts, move)).toEqual([told])
    expect(effects({ ...facts, isGroup: true }, move)).toEqual([])
  }
  expect(said(group({}), others.expire)).toBe('-')
  expect(said(group({ status: 'pending', userId: null, queueId: null }), others.queue)).toBe('-')
})

test('[T7] a queue is given to a waiting ticket that has none, and to no other', () => {
  expect(said({ ...tickets.pending, queueId: null }, others.queue)).toBe('pending nobody queue 4')
  expect(said({ ...tickets.open, queueId: null }, others.queue)).toBe('-')
  expect(said(tickets.pending, others.queue)).toBe('-')
})

test('[T21] a contact’s choice gives a waiting ticket a queue, or takes it back; one that is served stays where it is', () => {
  const waits = tickets.pending
  expect(outcome(waits, { type: 'choose', queueId: 4 })).toMatchObject({ patch: { queueId: 4 }, event: 'chosen' })
  expect(outcome(waits, { type: 'choose', queueId: null }).patch.queueId).toBeNull()
  expect(outcome(waits, { type: 'choose', queueId: 1 }).event).toBeNull()
  expect(outcome({ ...waits, isGroup: true }, { type: 'choose', queueId: 4 }).event).toBeNull()
})

test('[T22] what was resolved or returned is taken back as it was, unless something has followed', () => {
  const resolved = { type: 'undo', who: ana, done: 'resolved', was: asItWas } as const
  expect(outcome(tickets.closed, resolved)).toMatchObject({
    patch: asItWas,
    tracking: { resumed: { userId: 7 } },
    event: 'undone',
    effects: [],
  })
  const returned = { ...resolved, done: 'returned' } as const
  expect(said(tickets.pending, returned)).toBe('open 7')
  expect(said(tickets.open, returned)).toBe('ERR_UNDO_LATE')
  expect(said({ ...tickets.pending, userId: 8 }, returned)).toBe('ERR_UNDO_LATE')
  expect(said({ ...tickets.closed, userId: 8 }, resolved)).toBe('ERR_UNDO_LATE')
})

test('[T28] what went into another ticket does not come back by taking back its end', () => {
  const undo: TicketMove = { type: 'undo', who: ana, done: 'resolved', was: asItWas }
  expect(said({ ...tickets.closed, mergedIntoId: 6 }, undo)).toBe('ERR_UNDO_LATE')
})

test('[T23] a program gives what nobody has to a colleague or a queue, and takes from nobody what they serve', () => {
  const place = (facts: TicketFacts, queueId: number | null, userId: number | null) =>
    said(facts, { type: 'place', queueId, userId })
  expect(place(tickets.pending, null, 8)).toBe('open 8')
  expect(place(tickets.pending, null, null)).toBe('-')
  expect(place(tickets.pending, 1, null)).toBe('-')
  expect(place(tickets.closed, null, 8)).toBe('open 8')
  expect(place(tickets.closed, null, null)).toBe('pending nobody')
  expect(place(tickets.open, 4, 8)).toBe('-')
  const off = { chatbot: false, useIntegration: false, promptId: null, integrationId: null }
  const toColleague = outcome(tickets.pending, { type: 'place', queueId: null, userId: 8 })
  expect(toColleague.patch).toMatchObject({ ...off, unreadMessages: 0 })
  expect(toColleague.tracking).toEqual({ queuedAt: now, startedAt: now, userId: 8 })
  const toQueue = outcome(tickets.pending, { type: 'place', queueId: 4, userId: null })
  expect(toQueue.patch).not.toHaveProperty('chatbot')
  expect(toQueue.tracking).toEqual({ queuedAt: now, userId: null })
})

test('[T24] who answers a campaign waits in its queue, unless they have one', () => {
  const reply = { type: 'campaignReply', queueId: 4 } as const
  expect(outcome({ ...tickets.pending, queueId: null }, reply).patch.queueId).toBe(4)
  for (const facts of [tickets.pending, { ...tickets.open, queueId: null }, { ...tickets.closed, queueId: null }])
    expect<unknown>(outcome(facts, reply).patch).toEqual({})
})

test('[T25] a bot that has said its last word leaves the ticket where it is', () => {
  const off = { chatbot: false, useIntegration: false, promptId: null, integrationId: null }
  for (const facts of Object.values(tickets)) expect<unknown>(outcome(facts, { type: 'release' }).patch).toEqual(off)
})

test('[T1] nobody else says where a ticket stands: it does not compile', () => {
  const row = { table: 'tickets', op: 'update', ids: [1] } as const
  const changes: RowChange[] = [
    // @ts-expect-error the status
    { ...row, ids: [1], values: { status: 'closed' } },
    // @ts-expect-error the queue
    { ...row, ids: [1], values: { unreadMessages: 0, queueId: 4 } },
    // @ts-expect-error the agent
    { ...row, ids: [1], values: { userId: null } },
    { ...row, ids: [1], values: { unreadMessages: 0 } },
    { ...row, ids: [1], values: outcome(tickets.open, others.expire).patch },
  ]
  expect(changes).toHaveLength(5)
})

describe('what is put aside', () => {
  const aside = (values: Partial<TicketFacts> = {}) =>
    ticket({
      ...{ status: 'open', userId: 7, snoozedUntil: tomorrow, snoozeNote: 'Ligar', snoozedBy: 7 },
      ...(values as object),
    })
  const until = (at: Date) => said(tickets.open, { type: 'snooze', who: ana, until: at, keep: false, note: null })

  test('[T30] lies aside until a moment that is yet to come, at most a year, or until an answer', () => {
    const year = 366 * 86_400_000
    expect(until(now)).toBe('ERR_SNOOZE_PAST')
    expect(until(new Date(now.getTime() + year + 1))).toBe('ERR_SNOOZE_PAST')
    expect([tomorrow, new Date(now.getTime() + year), untilAnswered].map(until)).toEqual(['open 7', 'open 7', 'open 7'])
    const { patch, event } = outcome(tickets.open, {
      ...{ type: 'snooze', who: ana, until: tomorrow, keep: true, note: 'Ligar' },
    })
    expect([patch, event]).toMatchObject([
      { snoozedUntil: tomorrow, snoozeKeep: true, snoozeNote: 'Ligar', snoozedBy: 7, updatedAt: now },
      'snoozed',
    ])
  })

  test('[T31] its contact wakes it, unless it is kept; its time and a person wake it in any case, and its note stays', () => {
    const woken = { snoozedUntil: null, snoozeKeep: false, updatedAt: now }
    const wake = (facts: TicketFacts, move: TicketMove) => outcome(facts, move).patch
    expect(wake(aside(), { type: 'contactWrote' })).toEqual(woken as never)
    expect(wake(aside({ snoozeKeep: true }), { type: 'contactWrote' })).toEqual({} as never)
    for (const who of [null, ana])
      expect(wake(aside({ snoozeKeep: true }), { type: 'wake', who })).toEqual(woken as never)
    expect(said(aside(), { type: 'wake', who: people.stranger })).toBe('ERR_NO_TICKET_FOUND')
    // Who wakes it, and whose it is when the contact does, knows of it anyway.
    const told = (move: TicketMove, queueId: number | null = null) => outcome(aside({ queueId }), move).effects
    expect(told({ type: 'wake', who: null })).toEqual([{ kind: 'push.notify', wokenTicketId: 5, userId: 7 }])
    expect([told({ type: 'wake', who: ana }), told({ type: 'contactWrote' })]).toEqual([[], []])
    // Its queue may give it to somebody again.
    expect(told({ type: 'contactWrote' }, 3)).toEqual([{ kind: 'queues.assign', queueId: 3 }])
  })

  test('[T32] who takes, gives away or ends a ticket ends its snooze', () => {
    const none = { snoozedUntil: null, snoozeKeep: false, snoozeNote: null, snoozedBy: null }
    const waiting = aside({ status: 'pending', userId: null })
    for (const [facts, move] of [
      [aside(), moves.resolve(ana)],
      [aside(), moves.return(ana)],
      [aside(), moves.transfer(ana)],
      [aside(), others.expire],
      [waiting, moves.accept(ana)],
      [waiting, others.assign],
      [waiting, others.finish],
    ] as const)
      expect(outcome(facts, move).patch).toMatchObject(none)
    // A queue that is chosen meanwhile says nothing about it.
    expect(outcome(waiting, others.choose).patch).not.toHaveProperty('snoozedUntil')
    expect(outcome(tickets.open, moves.resolve(ana)).patch).not.toHaveProperty('snoozedUntil')
  })

  test('[T33] who put it aside may take that back while it lies there; it lies as it lay before', () => {
    const was = { ...asItWas, snooze: { ...notSnoozed, snoozedUntil: untilAnswered, snoozedBy: 8 } }
    const undo = (facts: TicketFacts, who: Principal) => said(facts, { type: 'undo', who, done: 'snoozed', was })
    expect(outcome(aside(), { type: 'undo', who: ana, done: 'snoozed', was }).patch).toEqual({
      ...{ snoozedUntil: untilAnswered, snoozeKeep: false, snoozeNote: null, snoozedBy: 8 },
      updatedAt: asItWas.updatedAt,
    } as never)
    expect(undo(aside(), people.manager)).toBe('ERR_UNDO_LATE')
    expect(undo(aside({ snoozedUntil: null }), ana)).toBe('ERR_UNDO_LATE')
    expect(undo(aside({ userId: 8 }), ana)).toBe('ERR_UNDO_LATE')
  })
})
