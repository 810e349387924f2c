import { describe, expect, test } from 'bun:test'
import type { Condition, SweepingChange } from '../command.ts'
import { shippingStates, type ShippingState } from './campaigns.state.ts'
import type { Shipping } from './campaigns.table.ts'
import { type SweepingEvent, sweepShippings } from './shippings.decide.ts'
import { shippingAfter, type ShippingEvent, shippingTransitions } from './shippings.transition.ts'

const now = new Date('2026-11-28T12:00:00Z')
const before = (days: number) => new Date(now.getTime() - days * 24 * 3_600_000)
const leaving = { whatsappId: 3, body: 'Oi', messageId: 'm', wid: 'w' }

const row = (values: Partial<Shipping> = {}): Shipping => ({
  ...{ id: 1, companyId: 1, campaignId: 1, name: 'Ana', number: '5511987651835', key: '1187651835', lid: null },
  ...{
    email: '',
    itemId: null,
    state: 'planned',
    reason: null,
    messageIndex: 0,
    body: null,
    about: null,
    whatsappId: 3,
  },
  ...{ wid: null, messageId: null, ack: 0, attempts: 0, dueAt: now, turn: 1, checkedAt: null },
  ...{ confirmationBody: null, confirmationWid: null, confirmationMessageId: null, confirmationRequestedAt: null },
  ...{ confirmedAt: null, isNewChat: false, sentAt: null, deliveredAt: null, readAt: null, repliedAt: null },
  ...{ answerBody: null, answerWid: null, answerMessageId: null, answeredAt: null },
  ...{ optedOutAt: null, ticketId: null, createdAt: now },
  ...values,
})
const events: { [T in ShippingEvent['type']]: Extract<ShippingEvent, { type: T }> } = {
  check: { type: 'check', until: now },
  unsure: { type: 'unsure' },
  found: { type: 'found', number: '5511987651835', lid: null, key: '1187651835' },
  missing: { type: 'missing', whatsappId: 3 },
  double: { type: 'double' },
  ask: { type: 'ask', ...leaving },
  take: { type: 'take', ...leaving },
  giveBack: { type: 'giveBack', isOut: false, isCancelled: false },
  tick: { type: 'tick', level: 3, isQuestion: false },
  fail: { type: 'fail', reason: '463' },
  reply: { type: 'reply', ticketId: 9 },
  confirm: { type: 'confirm', ticketId: 9, dueAt: now },
  decline: { type: 'decline', ticketId: null, kept: { messageId: 'a', wid: 'aw', body: 'não' } },
  meet: { type: 'meet', ticketId: 9 },
  wrote: { type: 'wrote' },
  lack: { type: 'lack' },
  optOut: { type: 'optOut' },
  blame: { type: 'blame' },
  lapse: { type: 'lapse' },
  cancel: { type: 'cancel' },
  restart: { type: 'restart' },
  retry: { type: 'retry' },
}
const types = Object.keys(events) as ShippingEvent['type'][]
const left = { ack: 1, attempts: 1, sentAt: now, messageId: 'm', wid: 'w', dueAt: null }
/** As each state is reached. */
const standing: Record<ShippingState, Shipping> = {
  planned: row({ isNewChat: true }),
  skipped: row({ state: 'skipped', reason: 'opted_out', dueAt: null }),
  sent: row({ state: 'sent', ...left }),
  delivered: row({ state: 'delivered', ...left, ack: 3, deliveredAt: now }),
  read: row({ state: 'read', ...left, ack: 4, deliveredAt: now, readAt: now }),
  replied: row({ state: 'replied', ...left, ack: 4, repliedAt: now }),
  failed: row({ state: 'failed', ...left, ack: 0, reason: '463' }),
  cancelled: row({ state: 'cancelled', dueAt: null }),
}
/** The state after it; `=`: the same state with something changed; `-`: nothing; `no`: refused. */
const said = (facts: Shipping, event: ShippingEvent) => {
  const patch = shippingAfter(facts, event, now)
  if (patch === 'refused') return 'no'
  const isChanged = Object.entries(patch).some(([key, value]) => !Object.is(facts[key as keyof Shipping], value))
  if (!isChanged) return '-'
  return patch.state === undefined || patch.state === facts.state ? '=' : patch.state
}

describe('[M1] each event in each state', () => {
  const table: Record<ShippingState, Record<ShippingEvent['type'], string>> = {
    planned: {
      ...{
        check: '-',
        unsure: '-',
        found: '=',
        missing: 'skipped',
        double: 'skipped',
        lack: 'skipped',
        ask: '=',
        take: 'sent',
      },
      ...{
        giveBack: '-',
        tick: '=',
        fail: '-',
        reply: 'no',
        confirm: 'no',
        decline: 'no',
        meet: '-',
        wrote: '=',
        optOut: 'skipped',
      },
      ...{ blame: '=', lapse: '-', cancel: 'cancelled', restart: '-', retry: '-' },
    },
    skipped: {
      ...{ check: 'no', unsure: 'no', found: 'no', missing: 'no', double: 'no', lack: 'no', ask: 'no', take: 'no' },
      ...{
        giveBack: '-',
        tick: '=',
        fail: '-',
        reply: 'no',
        confirm: 'no',
        decline: 'no',
        meet: '-',
        wrote: '-',
        optOut: '-',
      },
      ...{ blame: '=', lapse: '-', cancel: '-', restart: '-', retry: '-' },
    },
    sent: {
      ...{ check: 'no', unsure: 'no', found: 'no', missing: 'no', double: 'no', lack: 'no', ask: 'no', take: 'no' },
      ...{
        giveBack: 'planned',
        tick: 'delivered',
        fail: 'failed',
        reply: 'replied',
        confirm: 'no',
        decline: 'no',
        meet: '-',
        wrote: '-',
      },
      ...{ optOut: '-', blame: '=', lapse: '-', cancel: '-', restart: '-', retry: '-' },
    },
    delivered: {
      ...{ check: 'no', unsure: 'no', found: 'no', missing: 'no', double: 'no', lack: 'no', ask: 'no', take: 'no' },
      ...{ giveBack: '-', tick: '-', fail: '-', reply: 'replied', confirm: 'no', decline: 'no', meet: '-', wrote: '-' },
      ...{ optOut: '-', blame: '=', lapse: '-', cancel: '-', restart: '-', retry: '-' },
    },
    read: {
      ...{ check: 'no', unsure: 'no', found: 'no', missing: 'no', double: 'no', lack: 'no', ask: 'no', take: 'no' },
      ...{ giveBack: '-', tick: '-', fail: '-', reply: 'replied', confirm: 'no', decline: 'no', meet: '-', wrote: '-' },
      ...{ optOut: '-', blame: '=', lapse: '-', cancel: '-', restart: '-', retry: '-' },
    },
    replied: {
      ...{ check: 'no', unsure: 'no', found: 'no', missing: 'no', double: 'no', lack: 'no', ask: 'no', take: 'no' },
      ...{ giveBack: '-', tick: '=', fail: '-', reply: '-', confirm: 'no', decline: 'no', meet: '-', wrote: '-' },
      ...{ optOut: '-', blame: '=', lapse: '-', cancel: '-', restart: '-', retry: '-' },
    },
    failed: {
      ...{ check: 'no', unsure: 'no', found: 'no', missing: 'no', double: 'no', lack: 'no', ask: 'no', take: 'no' },
      ...{ giveBack: '-', tick: '=', fail: '-', reply: 'no', confirm: 'no', decline: 'no', meet: '-', wrote: '-' },
      ...{ optOut: '-', blame: '=', lapse: '-', cancel: '-', restart: 'planned', retry: 'planned' },
    },
    cancelled: {
      ...{ check: 'no', unsure: 'no', found: 'no', missing: 'no', double: 'no', lack: 'no', ask: 'no', take: 'no' },
      ...{ giveBack: '-', tick: '=', fail: '-', reply: 'no', confirm: 'no', decline: 'no', meet: '-', wrote: '-' },
      ...{ optOut: '-', blame: '=', lapse: '-', cancel: '-', restart: 'planned', retry: '-' },
    },
  }
  test.each(shippingStates.map((state) => [state] as const))('%s', (state) => {
    expect(Object.fromEntries(types.map((type) => [type, said(standing[state], events[type])]))).toEqual(table[state])
    expect(Object.keys(shippingTransitions[state]).sort()).toEqual([...types].sort())
  })
})

/** Numbers that are the same at each run. */
function dice(seed: number) {
  let at = seed
  const next = () => (at = (Math.imul(at, 1_664_525) + 1_013_904_223) >>> 0) / 4_294_967_296
  return {
    below: (n: number) => Math.floor(next() * n),
    of: <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)]!,
  }
}

/** Any event, with all that may differ in it. */
function anyEvent(roll: ReturnType<typeof dice>): ShippingEvent {
  const type = roll.of(types)
  if (type === 'tick') return { type, level: roll.below(6), isQuestion: roll.below(2) === 0 }
  if (type === 'giveBack') return { type, isOut: roll.below(3) === 0, isCancelled: roll.below(3) === 0 }
  if (type === 'fail') return { type, reason: roll.of(['463', 'no_server_ack', 'not_sent']) }
  if (type === 'ask' || type === 'take') return { type, ...leaving, wid: `w${roll.below(1_000)}` }
  return events[type]
}
const lives = function* () {
  for (let seed = 1; seed <= 400; seed++) {
    const roll = dice(seed)
    let shipping = row({ isNewChat: roll.below(2) === 0 })
    let at = now
    for (let step = 0; step < 60; step++) {
      const event = anyEvent(roll)
      at = new Date(at.getTime() + roll.of([1_000, 3_600_000, 8 * 24 * 3_600_000]))
      const patch = shippingAfter(shipping, event, at)
      const after = patch === 'refused' ? shipping : { ...shipping, ...patch }
      yield { was: shipping, event, patch, after }
      shipping = after
    }
  }
}

test('[M1, M2] no sequence of events leaves the table, lowers a tick or takes back what has one', () => {
  const rank: Partial<Record<ShippingState, number>> = { sent: 1, delivered: 2, read: 3, replied: 4 }
  const seen = new Set<string>()
  for (const { was, event, patch, after } of lives()) {
    seen.add(after.state)
    expect(shippingStates).toContain(after.state)
    expect(after.ack).toBeGreaterThanOrEqual(0)
    expect(after.attempts).toBeGreaterThanOrEqual(0)
    if (patch === 'refused') continue
    if (event.type === 'tick') {
      expect(after.ack).toBeGreaterThanOrEqual(was.ack)
      expect(rank[after.state] ?? 0).toBeGreaterThanOrEqual(rank[was.state] ?? 0)
    }
    if (was.ack >= 2 && (event.type === 'fail' || event.type === 'giveBack')) expect(after).toEqual(was)
    if ((rank[was.state] ?? 0) >= 2 && was.ack >= 2) expect(rank[after.state]).toBeGreaterThanOrEqual(rank[was.state]!)
    // What is due has not left, and what has left is not due.
    if (after.state !== 'planned') expect(after.dueAt).toBeNull()
    if (after.state === 'sent') expect(after.sentAt).not.toBeNull()
  }
  expect([...seen].sort()).toEqual([...shippingStates].sort())
})

test('[M3] only what is planned is sent, and what leaves has its number and its place in time', () => {
  for (const { was, event, patch, after } of lives())
    if (event.type === 'take' || event.type === 'ask') {
      if (was.state !== 'planned') expect(patch).toBe('refused')
      else if (patch !== 'refused') {
        expect(after).toMatchObject({ ack: 1, dueAt: null })
        expect(after.attempts).toBe(event.type === 'take' ? was.attempts + 1 : was.attempts)
      }
    }
  // Who said yes is not asked again.
  expect(shippingAfter(row({ confirmedAt: now }), events.ask, now)).toBe('refused')
  expect(shippingAfter(row({ confirmedAt: now, confirmationRequestedAt: now }), events.confirm, now)).toBe('refused')
})

test('[M4] what was taken and has not left is as it was before, under the same id', () => {
  const planned = row({ isNewChat: true })
  for (const type of ['take', 'ask'] as const) {
    const taken = { ...planned, ...(shippingAfter(planned, events[type], now) as Partial<Shipping>) }
    const back = (event: Partial<Extract<ShippingEvent, { type: 'giveBack' }>>) => ({
      ...taken,
      ...(shippingAfter(taken, { ...events.giveBack, ...event }, now) as Partial<Shipping>),
    })
    expect(back({})).toMatchObject({ state: 'planned', ack: 0, attempts: 0, sentAt: null, dueAt: now })
    expect(back({}).confirmationRequestedAt).toBeNull()
    expect(back({ isOut: true })).toMatchObject({ state: 'skipped', reason: 'opted_out', ack: 0, dueAt: null })
    expect(back({ isCancelled: true })).toMatchObject({ state: 'cancelled', reason: null, ack: 0, dueAt: null })
  }
  // Who was asked, has said yes, and whose message did not leave, keeps the yes.
  const asked = row({ confirmationRequestedAt: before(1), confirmedAt: before(1), ...left, state: 'sent' })
  expect(shippingAfter(asked, events.giveBack, now)).not.toHaveProperty('confirmationRequestedAt')
  // Who has written meanwhile has got nothing yet: they get it, once.
  const answered = row({ ...left, state: 'replied' })
  expect(shippingAfter(answered, events.giveBack, now)).toMatchObject({ state: 'planned', attempts: 0 })
})

test('[M5, M6] what failed is tried again, but for what may have arrived; who was asked is waited for', () => {
  for (const event of [events.restart, events.retry]) {
    expect(said(row({ state: 'failed', reason: '463' }), event)).toBe('planned')
    expect(said(row({ state: 'failed', reason: 'no_server_ack' }), event)).toBe('-')
  }
  const cancelled = (values: Partial<Shipping>) =>
    shippingAfter(row({ state: 'cancelled', dueAt: null, ...values }), events.restart, now)
  expect(cancelled({})).toMatchObject({ state: 'planned', dueAt: now })
  expect(cancelled({ confirmationRequestedAt: before(1) })).toMatchObject({ state: 'planned', dueAt: null })
  expect(cancelled({ confirmationRequestedAt: before(1), confirmedAt: now })).toMatchObject({ dueAt: now })
})

test('[M7] a question that was asked is ticked as far as it arrived, and lapses after a week', () => {
  const asked = row({ ack: 1, dueAt: null, confirmationRequestedAt: before(6) })
  expect(shippingAfter(asked, { type: 'tick', level: 4, isQuestion: true }, now)).toEqual<unknown>({ ack: 4 })
  expect(shippingAfter({ ...asked, ...left }, { type: 'tick', level: 4, isQuestion: true }, now)).toEqual<unknown>({})
  expect(said(asked, events.lapse)).toBe('-')
  expect(said({ ...asked, confirmationRequestedAt: before(8) }, events.lapse)).toBe('skipped')
})

// ── many at once ─────────────────────────────────────────────────────────────────────────────

const holds = (shipping: Shipping, condition: Condition): boolean => {
  const value = shipping[condition.column as keyof Shipping]
  if ('is' in condition) return (value !== null) === (condition.is === 'set')
  if ('isNot' in condition) return value !== condition.isNot
  return condition.in.includes(value as string | number)
}
/** As Postgres runs them, one behind the other. */
const swept = (shipping: Shipping, changes: readonly SweepingChange[]) =>
  changes.reduce<Shipping>(
    (at, { where, and = [], values }) =>
      [where, ...and].every((condition) => holds(at, condition)) ? { ...at, ...(values as Partial<Shipping>) } : at,
    shipping,
  )

/** A hundred thousand pairs: only one that differs is worth its words. */
const alike = (is: unknown, should: unknown) => {
  if (!Bun.deepEquals(is, should)) expect(is).toEqual(should)
}

test('[M8] what happens to many at once is what the table says of each', () => {
  const sweeping: SweepingEvent[] = [
    ...[events.optOut, events.cancel, events.restart, events.retry],
    { type: 'cancel', reason: 'no_connection' },
  ]
  const scope = { column: 'campaignId', in: [1] } as const
  for (const event of sweeping) {
    const changes = sweepShippings(scope, event, now).rows as SweepingChange[]
    let moved = 0
    for (const { after } of lives()) {
      const patch = shippingAfter(after, event, now)
      alike(swept(after, changes), { ...after, ...(patch === 'refused' ? {} : patch) })
      if (patch !== 'refused' && patch.state !== undefined) moved++
      alike(swept({ ...after, campaignId: 2 }, changes), { ...after, campaignId: 2 })
    }
    expect(moved).toBeGreaterThan(100)
  }
})

describe('[M13, M14] an answer to a question', () => {
  const asked = row({ confirmationRequestedAt: before(1), dueAt: null, ack: 2, isNewChat: true })
  const kept = { messageId: 'a', wid: 'aw', body: 'sim' }
  const dueAt = new Date(now.getTime() + 5_000)
  const step = (shipping: Shipping, event: ShippingEvent) => {
    const patch = shippingAfter(shipping, event, now)
    if (patch === 'refused') throw new Error('refused')
    return { ...shipping, ...patch }
  }

  test('that is a yes is kept with the person until they have a ticket, and the message follows', () => {
    const yes = step(asked, { type: 'confirm', ticketId: null, kept, dueAt })
    expect(yes).toMatchObject({ state: 'planned', confirmedAt: now, turn: -1, dueAt, ticketId: null })
    expect(yes).toMatchObject({ answerBody: 'sim', answerWid: 'aw', answerMessageId: 'a', answeredAt: now })
    expect(shippingAfter(yes, { type: 'confirm', ticketId: null, kept, dueAt }, now)).toBe('refused')
    const met = step(yes, { type: 'meet', ticketId: 9 })
    expect(met).toMatchObject({ state: 'planned', ticketId: 9, dueAt })
    // The first ticket is the one.
    expect(step(met, { type: 'meet', ticketId: 10 }).ticketId).toBe(9)
  })
  test('that is a no ends it: nothing is sent, and nobody waits for them', () => {
    const no = step(asked, { type: 'decline', ticketId: null, kept })
    expect(no).toMatchObject({ state: 'skipped', reason: 'declined', dueAt: null, ack: 3, answerWid: 'aw' })
    for (const type of ['take', 'confirm'] as const) expect(shippingAfter(no, events[type], now)).toBe('refused')
    expect(step(no, { type: 'restart' })).toEqual(no)
    expect(step(no, { type: 'meet', ticketId: 9 }).ticketId).toBe(9)
  })
  test('that was filed in a ticket is kept nowhere else', () => {
    expect(step(asked, { type: 'decline', ticketId: 7 })).toMatchObject({ ticketId: 7, answerBody: null })
    expect(step(asked, { type: 'confirm', ticketId: 7, dueAt })).toMatchObject({ ticketId: 7, answeredAt: null })
  })
})
