import { beforeEach, expect, test } from 'bun:test'
import { Changes } from './changes.ts'
import { LiveQueries, type RowOrPlace } from './live-queries.ts'
import type { LiveQuery } from './replica.types.ts'
import { eventually } from './replica.fixture.ts'
import type { Answer } from './statements.ts'
import { localTables } from './tables.ts'

let runs: string[]
let answer: unknown[]
let hold: Promise<void> | null
let live: LiveQueries
beforeEach(() => {
  runs = []
  answer = [{ id: 1 }, { id: 2 }]
  hold = null
  live = new LiveQueries(async (sql) => {
    runs.push(sql)
    await hold
    return answerOf(answer)
  })
})

const answerOf = (rows: readonly unknown[]): Answer => ({
  keys: rows.map((row) => JSON.stringify(row)),
  row: (place) => rows[place] as Record<string, unknown>,
})
const tickets: LiveQuery = { sql: 'tickets', tables: ['tickets'] }
const conversation = (ticketId: number): LiveQuery => ({
  sql: `conversation ${ticketId}`,
  tables: [{ table: 'messages', only: { column: 'ticketId', value: ticketId } }],
})
function listen(query: LiveQuery, visible = true) {
  const heard: { rows: RowOrPlace[]; whole: boolean }[] = []
  const errors: Error[] = []
  const stop = live.subscribe(query, {
    visible: () => visible,
    rows: (rows, whole) => heard.push({ rows, whole }),
    error: (e) => errors.push(e),
  })
  return { heard, errors, stop }
}
const change = (table: keyof typeof localTables, ...values: number[]) => {
  const changes = new Changes(live.watched)
  changes.returning(localTables[table])
  changes.add(
    localTables[table],
    values.map((value) => ({ o0: null, n0: value })),
  )
  live.changed(changes)
}
const settled = () => Bun.sleep(5)

test('equal queries of two components are one run, and each is told', async () => {
  const [one, two] = [listen(tickets), listen(tickets)]
  await eventually(() => one.heard.length === 1 && two.heard.length === 1)
  expect(runs.length).toBeLessThanOrEqual(2)
  change('tickets', 1)
  answer = [{ id: 3 }]
  await settled()
  const before = runs.length
  change('tickets', 1)
  await settled()
  expect(runs.length).toBe(before + 1)
})

test('[Q1] a conversation runs for messages of its own ticket only', async () => {
  listen(conversation(1))
  listen(conversation(2))
  await settled()
  runs = []
  change('messages', 2)
  await settled()
  expect(runs).toEqual(['conversation 2'])
  runs = []
  change('tickets', 1)
  await settled()
  expect(runs).toEqual([])
})

test('[Q1] an answer that is the same is not told again', async () => {
  const { heard } = listen(tickets)
  await settled()
  change('tickets', 1)
  await settled()
  expect(runs).toHaveLength(2)
  expect(heard).toHaveLength(1)
})

test('[Q1] only what is new in an answer is sent; a newcomer gets all of it', async () => {
  const { heard } = listen(tickets)
  await settled()
  answer = [{ id: 9 }, { id: 1 }, { id: 2 }]
  change('tickets', 1)
  await settled()
  expect(heard).toEqual([
    { rows: [{ row: { id: 1 } }, { row: { id: 2 } }], whole: true },
    { rows: [{ row: { id: 9 } }, 0, 1], whole: false },
  ])
  const late = listen(tickets)
  await settled()
  expect(late.heard).toEqual([{ rows: [{ row: { id: 9 } }, { row: { id: 1 } }, { row: { id: 2 } }], whole: true }])
  expect(heard).toHaveLength(2)
})

test('a burst of changes during a run leads to one more run', async () => {
  const gate = Promise.withResolvers<void>()
  hold = gate.promise
  listen(tickets)
  await settled()
  for (let i = 0; i < 10; i++) change('tickets', i)
  hold = null
  gate.resolve()
  await settled()
  expect(runs).toHaveLength(2)
})

test('[Q2] what somebody looks at is answered before what is hidden', async () => {
  const gate = Promise.withResolvers<void>()
  hold = gate.promise
  listen({ sql: 'first', tables: ['tickets'] })
  listen({ sql: 'hidden', tables: ['tickets'] }, false)
  listen({ sql: 'seen', tables: ['tickets'] })
  hold = null
  gate.resolve()
  await settled()
  expect(runs).toEqual(['first', 'seen', 'hidden'])
})

test('a query that fails says so, and works again when it can', async () => {
  let broken = true
  live = new LiveQueries(async () => {
    if (broken) throw new Error('no such column')
    return answerOf([{ id: 1 }])
  })
  const { heard, errors } = listen(tickets)
  await settled()
  expect(errors.map((e) => e.message)).toEqual(['no such column'])
  broken = false
  change('tickets', 1)
  await settled()
  expect(heard).toHaveLength(1)
})

test('nothing runs for a query that nobody watches any more', async () => {
  const { stop } = listen(tickets)
  await settled()
  stop()
  change('tickets', 1)
  await settled()
  expect(runs).toHaveLength(1)
})

test('[Q2] what somebody waits for is told at once, the lists around it after its frame, all in one go', async () => {
  const tellings: string[][] = []
  const told: string[] = []
  live = new LiveQueries(
    async (sql) => answerOf([{ sql, run: runs.push(sql) }]),
    () => {
      if (told.length > 0) tellings.push(told.splice(0))
    },
  )
  const watch = (query: LiveQuery) =>
    live.subscribe(query, { visible: () => true, rows: () => void told.push(query.sql), error: () => undefined })
  watch({ sql: 'list', tables: ['tickets', 'messages'] })
  watch({ sql: 'counts', tables: ['tickets', 'messages'] })
  watch({ ...conversation(1), first: true })
  await settled()
  // What opens together is drawn together.
  expect(tellings.flat().sort()).toEqual(['conversation 1', 'counts', 'list'])
  await Bun.sleep(60)
  tellings.length = 0

  change('messages', 1)
  await settled()
  expect(tellings).toEqual([['conversation 1']])
  change('tickets', 1)
  change('messages', 1)
  await settled()
  expect(tellings).toEqual([['conversation 1'], ['conversation 1']])
  await eventually(() => tellings.length === 3)
  expect(tellings[2]).toEqual(['list', 'counts'])

  // Where no conversation is concerned, nothing waits.
  await Bun.sleep(60)
  tellings.length = 0
  change('tickets', 1)
  await settled()
  expect(tellings).toEqual([['list', 'counts']])

  // A conversation in which much is said does not hold up the lists for ever.
  tellings.length = 0
  const lists = () => tellings.filter((telling) => telling.includes('list')).length
  const end = Date.now() + 10_000
  while (lists() < 2 && Date.now() < end) {
    change('messages', 1)
    await Bun.sleep(10)
  }
  expect(lists()).toBeGreaterThan(1)
})
