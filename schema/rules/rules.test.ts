import { describe, expect, test } from 'bun:test'
import type { TicketAction } from '../actions/actions.inputs.ts'
import { before, minutes, now, ticket } from '../example-facts.fixture.ts'
import type { Ticket } from '../tickets/tickets.table.ts'
import { ask, type AskedAbout, type Done, guarded, guards } from './rules.ask.ts'
import { eventsOf, type RuleEvent } from './rules.events.ts'
import type { RuleCondition } from './rules.inputs.ts'
import { answerEvent } from './rules.run.ts'
import type { Rule } from './rules.table.ts'
import { type RuleTrigger, ruleTriggers } from './rules.triggers.ts'

const ruleOf = (values: Partial<Rule> = {}): Rule => ({
  ...{ id: 1, companyId: 1, name: 'Regra', position: 1, active: true, activeSince: new Date(0), trigger: 'messageIn' },
  ...{ minutes: null, byPeople: false, match: 'all', conditions: [], stopOnMatch: false, version: 1 },
  ...{ actions: [{ type: 'tag', add: [4], remove: [] }], createdAt: now, updatedAt: now },
  ...values,
})
const eventOf = (values: Partial<RuleEvent> = {}): RuleEvent => ({
  ...{ id: 'e', trigger: 'messageIn', ticketId: 5, at: now.toISOString(), root: 'e', depth: 0 },
  ...values,
})

const queues = new Map([1, 2, 3].map((id) => [id, { id, name: `Fila ${id}` } as never]))
const users = new Map([7, 8].map((id) => [id, { id, name: `Pessoa ${id}` } as never]))
const actionFacts = (of: Ticket) => ({
  ...{ ticket: of, unread: [], fields: [], contact: undefined, queues, users },
  words: { timeZone: 'America/Sao_Paulo', language: 'pt' as const, company: { name: 'Padaria' } },
})

const answer = (event: RuleEvent, given: Ticket, rules: readonly Rule[], done: readonly Done[] = [], text = '') =>
  answerEvent(
    event,
    given,
    {
      ...{ rules, done, about: { text, contactFields: {} }, isOpen: () => true, webhookIds: new Set([1]) },
      factsOf: (_rule, of) => actionFacts(of),
    },
    now,
  )

describe('conditions', () => {
  const about = (values: Partial<AskedAbout> = {}): AskedAbout => ({
    ...{ ticket: ticket({ tagIds: [4, 5], fields: { 9: 'vip' } }), contactFields: { 3: true } },
    ...{ text: 'Quero CANCELAR a encomenda', isOpen: () => false },
    ...values,
  })
  const held = (condition: RuleCondition, of: Partial<AskedAbout> = {}, event: Partial<RuleEvent> = {}) =>
    ask({ match: 'all', conditions: [condition] }, about(of), event).holds

  test('ask where the ticket is, whose it is, and what is on it', () => {
    expect(held({ kind: 'status', is: ['pending'] })).toBe(true)
    expect(held({ kind: 'queue', ids: [1, 2], not: false })).toBe(true)
    expect(held({ kind: 'queue', ids: [1], not: true })).toBe(false)
    // Nobody has it.
    expect(held({ kind: 'user', ids: [0], not: false })).toBe(true)
    expect(held({ kind: 'user', ids: [0], not: true })).toBe(false)
    expect(held({ kind: 'connection', ids: [2], not: false })).toBe(true)
    expect(held({ kind: 'tag', ids: [5, 6], not: false })).toBe(true)
    expect(held({ kind: 'tag', ids: [6], not: true })).toBe(true)
    expect(held({ kind: 'field', entity: 'ticket', test: { id: 9, op: 'any', values: ['vip'] } })).toBe(true)
    expect(held({ kind: 'field', entity: 'contact', test: { id: 9, op: 'filled' } })).toBe(false)
  })

  test('find words whatever their case and accents, and never in what holds no text', () => {
    const words = (said: string[], not = false): RuleCondition => ({ kind: 'words', words: said, not })
    expect(held(words(['cancelar']))).toBe(true)
    expect(held(words(['ÇANCELAR', 'x']))).toBe(true)
    expect(held(words(['devolver']))).toBe(false)
    expect(held(words(['devolver'], true))).toBe(true)
    expect(held(words(['cancelar']), { text: null })).toBe(false)
  })

  test('ask what has just happened, and when', () => {
    expect(held({ kind: 'tagAdded', ids: [4] }, {}, { added: [4] })).toBe(true)
    expect(held({ kind: 'tagAdded', ids: [4] })).toBe(false)
    expect(held({ kind: 'rate', is: [1] }, {}, { rate: 1 })).toBe(true)
    expect(held({ kind: 'hours', open: false })).toBe(true)
  })

  test('hold all together or any of them, and each is told', () => {
    const conditions: RuleCondition[] = [
      { kind: 'status', is: ['closed'] },
      { kind: 'queue', ids: [1], not: false },
    ]
    const all = ask({ match: 'all', conditions }, about(), {})
    expect([all.holds, all.met]).toEqual([
      false,
      [
        { kind: 'status', held: false, found: 'pending' },
        { kind: 'queue', held: true, found: 1 },
      ],
    ])
    expect(ask({ match: 'any', conditions }, about(), {}).holds).toBe(true)
    expect(ask({ match: 'any', conditions: [] }, about(), {}).holds).toBe(true)
  })
})

describe('rules about one event', () => {
  test('are asked in their order, each about the ticket as the one before leaves it', async () => {
    const first = ruleOf({ id: 1, actions: [{ type: 'queue', queueId: 2 }] })
    const second = ruleOf({
      ...{ id: 2, conditions: [{ kind: 'queue', ids: [2], not: false }] },
      actions: [
        { type: 'message', body: 'Já vamos te atender' },
        { type: 'note', note: 'Veio da padaria' },
      ],
    })
    const { runs, ticket: after, decision, replies } = await answer(eventOf(), ticket(), [first, second])
    expect(runs.map(({ result }) => result)).toEqual(['done', 'done'])
    expect([after.queueId, replies.length, decision.byRule]).toEqual([2, 1, { root: 'e', depth: 1 }])
    // Nobody's answer: it stops no promise, and is no event.
    expect(decision.spoken ?? []).toEqual([])
    const authors = decision.rows.flatMap((row) =>
      row.op === 'insert' ? [(row.values as { userId?: unknown }).userId ?? null] : [],
    )
    expect(new Set(authors)).toEqual(new Set([null]))
    const [reversed] = [await answer(eventOf(), ticket(), [second, first])]
    expect(reversed.runs.map(({ result }) => result)).toEqual(['passed', 'done'])
  })

  test('stop behind one that says so, if it acts', async () => {
    const stops = ruleOf({ id: 1, stopOnMatch: true })
    const asked = async (one: Rule) => (await answer(eventOf(), ticket(), [one, ruleOf({ id: 2 })])).runs.length
    expect(await asked(stops)).toBe(1)
    expect(await asked({ ...stops, conditions: [{ kind: 'status', is: ['closed'] }] })).toBe(2)
  })

  test('one that is refused does nothing at all, says why, and the others go on', async () => {
    const refused = ruleOf({
      id: 1,
      actions: [
        { type: 'tag', add: [9], remove: [] },
        { type: 'assign', to: 'me' },
      ],
    })
    const { runs, ticket: after } = await answer(eventOf(), ticket(), [refused, ruleOf({ id: 2 })])
    expect(runs.map(({ result, outcome }) => [result, outcome.why, outcome.step])).toEqual([
      ['refused', 'ERR_NO_USER_FOUND', 2],
      ['done', undefined, undefined],
    ])
    expect(after.tagIds).toEqual([4])
  })

  test('a ticket that a person began is for those that say so', async () => {
    const created = eventOf({ trigger: 'created', byPerson: true })
    const rules = [ruleOf({ id: 1, trigger: 'created' }), ruleOf({ id: 2, trigger: 'created', byPeople: true })]
    expect((await answer(created, ticket(), rules)).runs.map(({ ruleId }) => ruleId)).toEqual([2])
    expect((await answer({ ...created, byPerson: false }, ticket(), rules)).runs.length).toBe(2)
  })
})

test('a rule is kept from answering itself, from going too deep, and from acting too often', () => {
  const done = (root: string, ms: number): Done => ({ ruleId: 1, root, at: before(ms) })
  const asked = (event: Partial<RuleEvent>, list: Done[]) => guarded(1, eventOf(event), list, now)
  expect(asked({}, [])).toBeNull()
  expect(asked({ depth: guards.mostDepth }, [])).toBe('depth')
  expect(asked({ root: 'r' }, [done('r', 5)])).toBe('once')
  const often = Array.from({ length: guards.anHour }, (_, n) => done(`r${n}`, minutes(n)))
  expect(asked({}, often)).toBe('hour')
  expect(asked({}, [...often.slice(1), done('old', minutes(61))])).toBeNull()
  const many = Array.from({ length: guards.perRoot }, (_, n): Done => ({ ruleId: n + 2, root: 'e', at: now }))
  expect(asked({}, many)).toBe('many')
})

describe('what happened', () => {
  const all = new Set<RuleTrigger>(ruleTriggers)
  let made = 0
  const told = (decision: Parameters<typeof eventsOf>[0], wanted: ReadonlySet<RuleTrigger> = all) =>
    eventsOf(decision, wanted, { now, newId: () => `id${++made}` })
  const message = (values: object) =>
    ({
      table: 'messages',
      op: 'insert',
      values: { id: 'm', ticketId: 5, fromMe: false, createdAt: now, ...values },
    }) as never

  test('is what people say, in time; nothing that the product says by itself', () => {
    const said = (values: object, by?: 'contact' | 'person') =>
      told({ rows: [message(values)], effects: [], ...(by && { spoken: [{ ticketId: 5, by, at: now }] }) }).map(
        ({ trigger }) => trigger,
      )
    expect(said({}, 'contact')).toEqual(['messageIn'])
    expect(said({ fromMe: true }, 'person')).toEqual(['messageOut'])
    expect(said({ fromMe: true })).toEqual([])
    expect(said({ createdAt: before(minutes(11)) }, 'contact')).toEqual([])
  })

  test('is an answer to a campaign, with what was written first', () => {
    const line = {
      id: 'campaign:3',
      ticketId: 5,
      kind: 'campaign_replied',
      data: { campaign: 'Páscoa', messageId: 'm' },
    }
    const [event, ...others] = told({
      ...{ rows: [{ table: 'ticketEvents', op: 'insert', values: line }] as never, effects: [] },
    })
    expect([event!.trigger, event!.ticketId, event!.messageId, others]).toEqual(['campaignReply', 5, 'm', []])
  })

  test('a ticket that begins comes before what it begins with; one that is kept closed waits for nobody', () => {
    const begun = (status: string, userId: number | null) =>
      told({
        rows: [
          { table: 'tickets', op: 'insert', values: { id: 5, status } },
          { table: 'ticketEvents', op: 'insert', values: { id: 'c', ticketId: 5, kind: 'created', userId } },
          message({}),
        ] as never,
        ...{ effects: [], spoken: [{ ticketId: 5, by: 'contact', at: now }] },
      }).map(({ trigger, byPerson, messageId }) => [trigger, byPerson, messageId])
    expect(begun('pending', null)).toEqual([
      ['created', false, 'm'],
      ['messageIn', undefined, 'm'],
    ])
    expect(begun('open', 7)[0]).toEqual(['created', true, 'm'])
    expect(begun('closed', null)).toEqual([['messageIn', undefined, 'm']])
  })

  test('is what changed of where a ticket is, and what was put on it', () => {
    const rows = [{ table: 'tickets', op: 'update', ids: [5], values: { status: 'open', userId: 7 } }] as never
    const moved = [{ id: 5, status: 'pending', queueId: 1, userId: null }] as never
    expect(told({ rows, moved, effects: [] }).map(({ trigger }) => trigger)).toEqual(['status', 'user'])
    expect(told({ rows, moved, effects: [] }, new Set<RuleTrigger>(['user'])).map(({ trigger }) => trigger)).toEqual([
      'user',
    ])
    const tagged = [{ ticketId: 5, added: [4], removed: [] }]
    expect(told({ rows: [], tagged, effects: [] })[0]).toMatchObject({ trigger: 'tagged', added: [4] })
  })

  test('bears what it follows from', () => {
    const tagged = [{ ticketId: 5, added: [4], removed: [] }]
    const [first] = told({ rows: [], tagged, effects: [] })
    expect([first!.root === first!.id, first!.depth]).toEqual([true, 0])
    const [next] = told({ rows: [], tagged, effects: [], byRule: { root: first!.id, depth: 1 } })
    expect([next!.root, next!.depth]).toEqual([first!.id, 1])
  })
})

// ── over random rules ────────────────────────────────────────────────────────────────────────

/** mulberry32 */
function random(seed: number) {
  let a = seed
  const next = () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  return { next, of: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]! }
}

const moving: readonly RuleTrigger[] = ['created', 'messageIn', 'status', 'queue', 'user', 'tagged']

function randomRule(id: number, { of, next }: ReturnType<typeof random>): Rule {
  const action = (): TicketAction =>
    of<() => TicketAction>([
      () => ({ type: 'tag', add: [of([1, 2, 3])], remove: [] }),
      () => ({ type: 'tag', add: [], remove: [of([1, 2, 3])] }),
      () => ({ type: 'queue', queueId: of([1, 2, 3]) }),
      () => ({ type: 'assign', to: of([7, 8]) }),
      () => ({ type: 'message', body: 'oi' }),
      () => ({ type: 'resolve' }),
      () => ({ type: 'note', note: 'x' }),
    ])()
  const condition = (): RuleCondition =>
    of<() => RuleCondition>([
      () => ({ kind: 'tag', ids: [of([1, 2, 3])], not: next() < 0.5 }),
      () => ({ kind: 'queue', ids: [of([0, 1, 2, 3])], not: next() < 0.5 }),
      () => ({ kind: 'status', is: [of(['pending', 'open', 'closed'] as const)] }),
    ])()
  return ruleOf({
    ...{ id, position: id, name: `R${id}`, trigger: of(moving), match: of(['all', 'any'] as const) },
    conditions: next() < 0.6 ? [] : [condition()],
    actions: Array.from({ length: 1 + Math.floor(next() * 3) }, action),
    stopOnMatch: next() < 0.1,
  })
}

/** All that follows from one event, with rules in this order, as the server does it. */
async function follow(rules: readonly Rule[], first: RuleEvent, given: Ticket) {
  const wanted = new Set(rules.map(({ trigger }) => trigger))
  let [current, asked, made] = [given, 0, 0]
  const done: Done[] = []
  const waiting = [first]
  const acted = new Map<string, number>()
  while (waiting.length > 0) {
    const event = waiting.shift()!
    asked++
    if (asked > 100_000) throw new Error('it goes on')
    const { decision, runs, ticket: after } = await answer(event, current, rules, done)
    current = after
    for (const { result, ruleId, root, depth } of runs) {
      if (result !== 'done') continue
      done.push({ ruleId, root, at: now })
      acted.set(`${ruleId} ${root}`, (acted.get(`${ruleId} ${root}`) ?? 0) + 1)
      expect(depth).toBeLessThan(guards.mostDepth)
    }
    if (decision.rows.length > 0) waiting.push(...eventsOf(decision, wanted, { now, newId: () => `n${++made}` }))
  }
  return { asked, acted, ticket: current }
}

test('rules end, whatever they are, in any order, and none acts twice for one event', async () => {
  for (let seed = 1; seed <= 300; seed++) {
    const dice = random(seed)
    const rules = Array.from({ length: 1 + Math.floor(dice.next() * 12) }, (_, n) => randomRule(n + 1, dice))
    const shuffled = rules.toSorted(() => dice.next() - 0.5)
    const event = eventOf({ trigger: dice.of(moving), added: [1] })
    const { acted } = await follow(shuffled, event, ticket())
    const often = [...acted.values()].filter((n) => n > 1)
    if (often.length > 0) throw new Error(`seed ${seed}: a rule acted twice for one event`)
    const total = [...acted.values()].reduce((sum, n) => sum + n, 0)
    expect(total).toBeLessThanOrEqual(guards.perRoot)
  }
})

test('two rules that put on what the other takes off end', async () => {
  const puts = (id: number, when: number, add: number, remove: number) =>
    ruleOf({
      ...{ id, trigger: 'tagged', conditions: [{ kind: 'tagAdded', ids: [when] }] },
      actions: [{ type: 'tag', add: [add], remove: [remove] }],
    })
  const { acted, ticket: after } = await follow(
    [puts(1, 1, 2, 1), puts(2, 2, 1, 2)],
    eventOf({ trigger: 'tagged', added: [1] }),
    ticket({ tagIds: [1] }),
  )
  expect([[...acted.values()], after.tagIds]).toEqual([[1, 1], [1]])
})
