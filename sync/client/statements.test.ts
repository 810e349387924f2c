import { afterAll, beforeAll, beforeEach, expect, spyOn, test } from 'bun:test'
import type { PGlite } from '@electric-sql/pglite'
import { memoryReplica } from './replica.fixture.ts'
import { Statements } from './statements.ts'

let db: PGlite
let statements: Statements
beforeAll(async () => {
  db = await memoryReplica()
  await db.exec(
    'CREATE TABLE things ("id" int PRIMARY KEY, "name" text, "at" timestamptz, "on" date, "more" jsonb, "tags" int[])',
  )
}, 60_000)
beforeEach(async () => {
  await db.exec('TRUNCATE things')
  statements = new Statements(db)
})
afterAll(() => db.close())

const put = 'INSERT INTO things VALUES ($1, $2, $3, $4, $5, $6)'
const rows = (where = '') => statements.query<Record<string, unknown>>(`SELECT * FROM things ${where} ORDER BY 1`)

test('values go in and come out as they do with PGlite’s own query', async () => {
  const at = new Date('2026-02-03T04:05:06.789Z')
  await statements.query(put, [1, 'João “ção” 😀\n\\', at, '2026-02-03', { a: [1, null, 'é'] }, [3, 4]])
  await statements.query(put, [2, '', null, null, null, []])
  await statements.query(put, [3, null, null, null, null, null])
  const { rows: own } = await db.query('SELECT * FROM things ORDER BY 1')
  expect((await rows()).rows).toEqual(own as Record<string, unknown>[])
  expect((await statements.queryOnce('SELECT * FROM things ORDER BY 1')).rows).toEqual(own as Record<string, unknown>[])
  expect(own).toHaveLength(3)
})

test('rows can be told apart without being read, an empty text from none at all', async () => {
  await statements.exec(`INSERT INTO things ("id", "name") VALUES (1, ''), (2, NULL), (3, 'ã'), (4, 'á')`)
  const names = 'SELECT "name" FROM things ORDER BY "id"'
  const [first, second] = [await statements.answer(names), await statements.answer(names)]
  expect(first.keys).toEqual([...second.keys])
  expect(new Set(first.keys).size).toBe(4)
  expect(first.row(2)).toEqual({ name: 'ã' })
})

test('a statement that fails says why, and the same one works afterwards', async () => {
  await statements.query(put, [1, 'one', null, null, null, null])
  for (let i = 0; i < 2; i++)
    await expect(statements.query(put, [1, 'again', null, null, null, null])).rejects.toThrow(/duplicate key/)
  await expect(statements.query('SELECT nonsense FROM things')).rejects.toThrow(/nonsense/)
  await expect(statements.query('SELECT $1::int AS n', ['x'])).rejects.toThrow(/invalid input/)
  await expect(statements.query('SELECT $1::int AS n', [])).rejects.toThrow(/parameters/)
  await statements.query(put, [2, 'two', null, null, null, null])
  expect((await rows()).rows.map((row) => row['id'])).toEqual([1, 2])
})

test('[Q3] a transaction is all or nothing, and nobody else gets in between', async () => {
  const failed = statements.transaction(async (tx) => {
    await tx.query(put, [1, 'one', null, null, null, null])
    throw new Error('changed my mind')
  })
  await expect(failed).rejects.toThrow('changed my mind')
  const swallowed = statements.transaction(async (tx) => {
    await tx.query(put, [2, 'two', null, null, null, null])
    await tx.query('SELECT 1 / 0').catch(() => undefined)
  })
  await expect(swallowed).rejects.toThrow(/rolled back/)
  const seen: number[] = []
  const slow = statements.transaction(async (tx) => {
    await tx.query(put, [3, 'three', null, null, null, null])
    await Bun.sleep(20)
    await tx.query(put, [4, 'four', null, null, null, null])
  })
  const beside = [rows(), db.query('SELECT * FROM things')].map(async (asked) => seen.push((await asked).rows.length))
  await Promise.all([slow, ...beside])
  expect(seen).toEqual([2, 2])
})

test('[Q3] more statements than are kept, and one from before, all work', async () => {
  await statements.query(put, [1, 'one', null, null, null, null])
  for (let i = 0; i < 300; i++)
    expect((await statements.query<{ n: number }>(`SELECT "id" + ${i} AS n FROM things`)).rows).toEqual([{ n: 1 + i }])
  const { rows: kept } = await db.query<{ n: number }>('SELECT count(*)::int AS n FROM pg_prepared_statements')
  expect(kept[0]!.n).toBeLessThan(150)
  expect((await statements.query<{ n: number }>('SELECT "id" + 0 AS n FROM things')).rows).toEqual([{ n: 1 }])
})

test('an index that is dropped and made again changes no answer', async () => {
  await statements.exec(`INSERT INTO things ("id", "name") SELECT n, 'thing ' || n FROM generate_series(1, 2000) n`)
  const one = () => statements.query('SELECT "id" FROM things WHERE "name" = $1', ['thing 77'])
  for (let i = 0; i < 8; i++) expect((await one()).rows).toEqual([{ id: 77 }])
  await statements.exec('CREATE INDEX things_name ON things ("name"); ANALYZE things')
  for (let i = 0; i < 8; i++) expect((await one()).rows).toEqual([{ id: 77 }])
  await statements.exec('DROP INDEX things_name')
  expect((await one()).rows).toEqual([{ id: 77 }])
})

test('[Q3] a statement is prepared once, and planned anew after a minute', async () => {
  const sql = 'SELECT "id" + 41 AS n FROM things'
  const plan = async () => {
    await statements.query(sql)
    return (await db.query('SELECT name FROM pg_prepared_statements WHERE statement = $1', [sql])).rows
  }
  const first = await plan()
  expect(first).toHaveLength(1)
  expect(await plan()).toEqual(first)
  const later = performance.now() + 61_000
  const clock = spyOn(performance, 'now').mockImplementation(() => later)
  try {
    const second = await plan()
    expect(second).toHaveLength(1)
    expect(second).not.toEqual(first)
  } finally {
    clock.mockRestore()
  }
})
