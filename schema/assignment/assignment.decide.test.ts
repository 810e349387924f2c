import { expect, test } from 'bun:test'
import {
  type AssigningQueue,
  assignTickets,
  type Candidate,
  readPassed,
  type Seeking,
  traceOf,
} from './assignment.decide.ts'
import { isPresent, SILENCE_MS } from './assignment.presence.ts'

const now = new Date('2026-07-01T12:00:00Z')
const ago = (ms: number) => new Date(now.getTime() - ms)
const agent = (id: number, values: Partial<Candidate> = {}): Candidate => ({
  ...{ id, online: true, lastSeenAt: ago(1_000), awayAt: null, awayUntil: null },
  ...{ capacity: null, skillIds: [], open: 0, ...values },
})
const ticket = (id: number, values: Partial<Seeking> = {}): Seeking => ({
  ...{ id, tagIds: [], since: ago(60_000), lastAgentId: null, gaveBack: [], heldBy: null, ...values },
})
const queue = (assignment: AssigningQueue['assignment'], values: Partial<AssigningQueue> = {}): AssigningQueue => ({
  ...{ id: 1, assignment, lastAgentFirst: false, whenAway: 'keep', ...values },
})
const given = (
  of: AssigningQueue,
  people: Candidate[],
  seeking: Seeking[],
  turn: number | null = null,
): (number | null)[] => assignTickets({ queue: of, people, seeking, turn }, now).choices.map(({ userId }) => userId)
const many = (n: number) => Array.from({ length: n }, (_, i) => ticket(i + 1))

const cases: [string, (number | null)[], (number | null)[]][] = [
  ['nobody is chosen where agents choose', given(queue('manual'), [agent(1)], many(1)), [null]],
  ['nobody there: it waits', given(queue('roundRobin'), [], many(1)), [null]],
  ['in turn', given(queue('roundRobin'), [agent(1), agent(2), agent(3)], many(4)), [1, 2, 3, 1]],
  ['in turn, from whose turn was last', given(queue('roundRobin'), [agent(1), agent(2), agent(3)], many(2), 2), [3, 1]],
  [
    'in turn, also when whose turn was last has left',
    given(queue('roundRobin'), [agent(1), agent(9)], many(2), 5),
    [9, 1],
  ],
  [
    'in turn, past who is full',
    given(queue('roundRobin'), [agent(1), agent(2, { capacity: 1, open: 1 })], many(2)),
    [1, 1],
  ],
  ['to the least busy', given(queue('leastBusy'), [agent(1, { open: 3 }), agent(2, { open: 1 })], many(3)), [2, 2, 1]],
  ['of the least busy in turn', given(queue('leastBusy'), [agent(1), agent(2), agent(3)], many(1), 1), [2]],
  ['at the end of capacity it waits', given(queue('leastBusy'), [agent(1, { capacity: 2 })], many(3)), [1, 1, null]],
  ['above it by hand, too', given(queue('leastBusy'), [agent(1, { capacity: 2, open: 5 })], many(1)), [null]],
  ['past who is away', given(queue('roundRobin'), [agent(1, { awayAt: ago(1) }), agent(2)], many(1)), [2]],
  ['away until later', given(queue('roundRobin'), [agent(1, { awayAt: ago(9), awayUntil: ago(-1) })], many(1)), [null]],
  ['away until now is back', given(queue('roundRobin'), [agent(1, { awayAt: ago(9), awayUntil: now })], many(1)), [1]],
  ['past who is not there', given(queue('roundRobin'), [agent(1, { online: false }), agent(2)], many(1)), [2]],
  ['past who fell silent', given(queue('roundRobin'), [agent(1, { lastSeenAt: ago(SILENCE_MS) })], many(1)), [null]],
  ['past who gave it back', given(queue('roundRobin'), [agent(1), agent(2)], [ticket(1, { gaveBack: [1] })]), [2]],
  [
    'who served last first, and the turn stays',
    given(
      queue('roundRobin', { lastAgentFirst: true }),
      [agent(1), agent(2), agent(3)],
      [ticket(1, { lastAgentId: 3 }), ticket(2)],
    ),
    [3, 1],
  ],
  [
    'who served last is full: by the rule',
    given(
      queue('leastBusy', { lastAgentFirst: true }),
      [agent(1), agent(2, { capacity: 1, open: 1 })],
      [ticket(1, { lastAgentId: 2 })],
    ),
    [1],
  ],
  [
    'who served last, though nobody else is asked by turn',
    given(queue('roundRobin'), [agent(1), agent(2)], [ticket(1, { lastAgentId: 2 })]),
    [1],
  ],
  [
    'to who knows it',
    given(queue('skill'), [agent(1), agent(2, { skillIds: [7], open: 4 })], [ticket(1, { tagIds: [7, 8] })]),
    [2],
  ],
  [
    'who knows it is waited for',
    given(queue('skill'), [agent(1), agent(2, { skillIds: [7], online: false })], [ticket(1, { tagIds: [7] })]),
    [null],
  ],
  [
    'a tag that is nobody’s skill asks nothing',
    given(queue('skill'), [agent(1, { open: 1 }), agent(2)], [ticket(1, { tagIds: [8] })]),
    [2],
  ],
  [
    'of those who know as much the least busy',
    given(
      queue('skill'),
      [agent(1, { skillIds: [7], open: 1 }), agent(2, { skillIds: [7] })],
      [ticket(1, { tagIds: [7] })],
    ),
    [2],
  ],
  [
    'what who is away has goes to another, never back to them',
    given(
      queue('leastBusy', { whenAway: 'others' }),
      [agent(1, { awayAt: ago(9) }), agent(2)],
      [ticket(1, { heldBy: 1 })],
    ),
    [2],
  ],
]
test.each(cases)('%s', (_, found, wanted) => {
  expect(found).toEqual(wanted)
})

test('a line of the timeline says whom it came to, why, and who was passed over', () => {
  const people = [agent(1, { awayAt: ago(9) }), agent(2, { capacity: 1, open: 1 }), agent(3, { capacity: 4, open: 2 })]
  const { choices } = assignTickets({ queue: queue('leastBusy'), people, seeking: many(1), turn: null }, now)
  const trace = traceOf(choices[0]!, ticket(1), 'Ana', now)
  expect(trace).toEqual({
    ...{
      user: 'Ana',
      rule: 'leastBusy',
      load: 2,
      capacity: 4,
      waitedSeconds: 60,
      passed: '1:away 2:full',
      passedOver: 2,
    },
  })
  expect(readPassed(trace.passed)).toEqual([
    { userId: 1, why: 'away' },
    { userId: 2, why: 'full' },
  ])
  expect(readPassed('')).toEqual([])
})

/** Chance that repeats itself. */
function chance(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
}

test('whatever happens in whatever order: nobody above capacity, no ticket twice, none left while somebody is free', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const draw = chance(seed)
    const rule = (['roundRobin', 'leastBusy', 'skill'] as const)[draw(3)]!
    const of = queue(rule, { lastAgentFirst: draw(2) === 0 })
    const people = Array.from({ length: 1 + draw(5) }, (_, i) =>
      agent(i + 1, { capacity: draw(4) === 0 ? null : 1 + draw(3), skillIds: [draw(3)] }),
    )
    const waiting: Seeking[] = []
    const owner = new Map<number, number>()
    let turn: number | null = null
    let next = 1
    for (let step = 0; step < 60; step++) {
      const who = people[draw(people.length)]!
      switch (draw(6)) {
        case 0:
        case 1:
          waiting.push(ticket(next++, { tagIds: [draw(3)], lastAgentId: 1 + draw(6) }))
          break
        case 2: {
          const [mine] = [...owner].find(([, userId]) => userId === who.id) ?? []
          if (mine !== undefined) owner.delete(mine)
          break
        }
        case 3:
          who.online = !who.online
          break
        case 4:
          who.awayAt = who.awayAt ? null : ago(1)
          break
        case 5:
          who.capacity = draw(3) === 0 ? null : 1 + draw(3)
          break
      }
      for (const one of people) one.open = [...owner.values()].filter((id) => id === one.id).length
      const before = new Map(people.map(({ id, open }) => [id, open]))
      const result = assignTickets({ queue: of, people, seeking: waiting, turn }, now)
      turn = result.turn
      for (const { ticketId, userId, passed } of result.choices) {
        if (userId === null) {
          // Each of the others has a reason.
          expect(passed.map((one) => one.userId).sort()).toEqual(people.map(({ id }) => id).sort())
          continue
        }
        expect(owner.has(ticketId)).toBe(false)
        owner.set(ticketId, userId)
        waiting.splice(
          waiting.findIndex(({ id }) => id === ticketId),
          1,
        )
      }
      for (const one of people) {
        const has = [...owner.values()].filter((id) => id === one.id).length
        const got = has - before.get(one.id)!
        if (got === 0) continue
        expect(isPresent(one, now)).toBe(true)
        if (one.capacity !== null) expect(has).toBeLessThanOrEqual(one.capacity)
      }
    }
  }
})
