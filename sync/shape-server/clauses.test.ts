import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { isChangeMessage, type Message } from '@electric-sql/client'
import { type Cluster, eventually, silentLog, startCluster } from './shape-server.fixture.ts'
import { type ShapeServer, startShapeServer } from './shape-server.ts'

setDefaultTimeout(60_000)

let cluster: Cluster
let server: ShapeServer
let tableNumber = 0

beforeAll(async () => {
  cluster = await startCluster()
  await cluster.sql.unsafe(`
    CREATE COLLATION german (provider = icu, locale = 'de');
    CREATE COLLATION upper_first (provider = icu, locale = 'und-u-kf-upper');
    CREATE COLLATION caseless (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    CREATE DOMAIN short AS varchar(3);
    CREATE DOMAIN brief AS short`)
  server = await startShapeServer({ databaseUrl: cluster.url, mode: 'open', log: silentLog, replicationId: 'clauses' })
}, 60_000)

afterAll(async () => {
  await server?.stop()
  await cluster?.stop()
}, 60_000)

function get(query: Record<string, string>): Promise<Response> {
  return server.fetch(new Request(`http://localhost/v1/shape?${new URLSearchParams(query)}`))
}

/** The ids that a client of the shape is told of, when the rows are written after its snapshot. */
async function toldLive(table: string, where: string, write: string): Promise<number[]> {
  const first = await get({ table, where, offset: '-1' })
  if (first.status !== 200) throw new Error(await first.text())
  const handle = first.headers.get('electric-handle')!
  await cluster.sql.unsafe(write)
  const [at] = await cluster.sql<{ lsn: string }[]>`SELECT (pg_current_wal_lsn() - '0/0')::text AS lsn`
  await eventually(() => (server.nudge(), BigInt(server.stats().lastLsn) >= BigInt(at!.lsn)))
  const log = await get({ table, where, offset: '0_inf', handle })
  if (log.status !== 200) throw new Error(`${log.status} ${await log.text()}`)
  const messages = (await log.json()) as Message[]
  return messages.filter(isChangeMessage).map(({ value }) => Number(value.id))
}

const texts = `'a', 'A', 'á', 'b', 'B', 'z', 'Z', 'ä', 'straße', 'STRASSE', '', 'abc', 'abcd'`

test.each([
  // The column's collation decides what is less, what is equal, and what a pattern folds.
  [`text COLLATE german`, `t < 'b'`, texts],
  [`text COLLATE "C"`, `upper(t) < 'b'`, texts],
  [`text COLLATE upper_first`, `t || '' < 'b' || ''`, texts],
  [`text COLLATE caseless`, `t = 'A'`, texts],
  [`text COLLATE caseless`, `t IN ('a', 'Z')`, texts],
  [`varchar(9) COLLATE upper_first`, `t BETWEEN 'A' AND 'a'`, texts],
  [`text[] COLLATE upper_first`, `t < ARRAY['a']`, `'{A}', '{a}', '{b}', '{B}'`],
  // A constant is never cut to what the column holds.
  [`varchar(3)`, `t = 'abcd'`, `'abc', 'ab', 'abd'`],
  [`varchar(3)`, `t IN ('abcd', 'ab')`, `'abc', 'ab', 'abd'`],
  [`varchar(3)`, `t = ANY('{abcd,ab}')`, `'abc', 'ab', 'abd'`],
  [`varchar(3)`, `t <> 'abcd'`, `'abc', 'ab', 'abd'`],
  [`short`, `t = 'abcd'`, `'abc', 'ab', 'abd'`],
  [`brief`, `t = 'abcd'`, `'abc', 'ab', 'abd'`],
  [`char(3)`, `t = 'abcd'`, `'abc', 'ab', 'abd'`],
  [`varchar(3)`, `length(t) = 3 AND t < 'abcd'`, `'abc', 'ab', 'abd'`],
  [`timestamptz(3)`, `t >= '2026-01-01 00:00:00.0004Z'`, `'2026-01-01 00:00:00Z', '2026-01-01 00:00:00.001Z'`],
  [`timestamptz(0)`, `t = '2026-01-01 00:00:00.4Z'`, `'2026-01-01 00:00:00Z', '2026-01-01 00:00:01Z'`],
  [
    `timestamp(0)`,
    `t IN ('2026-01-01 00:00:00.4', '2026-01-01 00:00:01')`,
    `'2026-01-01 00:00:00', '2026-01-01 00:00:01'`,
  ],
  [`timestamp(0)`, `t = ANY('{2026-01-01 00:00:00.4}')`, `'2026-01-01 00:00:00', '2026-01-01 00:00:01'`],
  [`numeric(4,1)`, `t = 1.04`, `1, 1.0, 1.1`],
  [`bit(3)`, `t = '101'`, `'101', '100'`],
  // Unknown lets nobody in, and neither does its opposite.
  [`int`, `NOT (t = ANY(NULL))`, `1, NULL`],
  [`int`, `(t = ANY(NULL)) IS NULL`, `1, NULL`],
  [`int`, `NOT (t = ANY('{}'))`, `1, NULL`],
  [`int`, `t = ANY('{{1,2},{3,4}}')`, `1, 4, 5`],
  // A value among the members of a list, which may hold what is unknown, lists within it, or begin elsewhere than at 1.
  [
    `int[]`,
    `3 = ANY(t)`,
    `'{1,3}', '{13}', '{}', NULL, '{NULL}', '{3,NULL}', '{{1,2},{3,4}}', '[0:1]={3,5}', '[3:3]={1}'`,
  ],
  [`int[]`, `NOT ('3' = ANY(t))`, `'{1,3}', '{13}', '{-3}', '{}', NULL, '{NULL}', '{3,NULL}', '[3:3]={1}'`],
  [`int[]`, `'3'::int = SOME(t) OR -3 = ANY(t)`, `'{1,3}', '{-3}', '{}', NULL`],
  [`bigint[]`, `'9007199254740993' = ANY(t)`, `'{9007199254740993}', '{9007199254740992}'`],
  [`int[]`, `NULL = ANY(t) IS NULL`, `'{1,3}', '{}', NULL`],
  [`int[]`, `3.0 = ANY(t)`, `'{1,3}', '{4}'`],
  [`text[]`, `'3' = ANY(t)`, `'{1,3}', '{13}', '{}', NULL, '{NULL}'`],
  [`int`, `NOT (t IN (1, NULL))`, `1, 2, NULL`],
  // A row as a whole, and names that are folded as Postgres folds them.
  [`int`, `TABLE IS NOT NULL`, `1, NULL`],
  [`int`, `ROW(TABLE.*) IS NOT NULL`, `1, NULL`],
  [`int`, `"É" > 1`, `1, 2`],
  [`int`, `É > 1 AND abs(É) > 1`, `1, 2`],
])('a column of %s, asked %s: a live row is told by the answer that a snapshot gives', async (type, clause, values) => {
  const table = `clauses_${++tableNumber}`
  const column = clause.includes('É') ? '"É"' : 't'
  await cluster.sql.unsafe(`CREATE TABLE ${table} (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ${column} ${type})`)
  const where = clause.replaceAll('TABLE', table)
  const rows = values.split(', ').map((value) => `(${value})`)
  let told: number[] | string
  try {
    told = await toldLive(table, where, `INSERT INTO ${table} (${column}) VALUES ${rows.join()}`)
  } catch (error) {
    told = String(error)
  }
  const expected = await cluster.sql.unsafe<{ id: number }[]>(`SELECT id FROM ${table} WHERE ${where} ORDER BY id`)
  expect(told).toEqual(expected.map(({ id }) => id))
})

test('a clause by which no live row can be told is refused in words, and not answered by beginning again for ever', async () => {
  const table = `clauses_${++tableNumber}`
  // A snapshot reads rows of the table; a row of the log is only like one, which this function does not take.
  await cluster.sql.unsafe(`
    CREATE TABLE ${table} (id int PRIMARY KEY);
    CREATE FUNCTION is_good(${table}) RETURNS bool IMMUTABLE LANGUAGE sql AS 'SELECT $1.id > 1'`)
  const refused = await get({ table, where: `is_good(${table})`, offset: '-1' })
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('cannot cast type record')])
})

test('[S11] a clause that fails on row after row is refused after a few', async () => {
  const table = `clauses_${++tableNumber}`
  await cluster.sql.unsafe(`CREATE TABLE ${table} (id int PRIMARY KEY)`)
  const query = { table, where: '10 / id > 1 OR id IS NULL' }
  const answers: number[] = []
  for (let i = 0; i < 8 && answers.at(-1) !== 400; i++) {
    const first = await get({ ...query, offset: '-1' })
    answers.push(first.status)
    if (first.status !== 200) break
    const handle = first.headers.get('electric-handle') ?? ''
    // Gone before anybody can read it: no snapshot ever fails.
    await cluster.sql.begin(async (sql) => {
      await sql.unsafe(`INSERT INTO ${table} VALUES (0)`)
      await sql.unsafe(`DELETE FROM ${table}`)
    })
    await eventually(async () => (server.nudge(), (await get({ ...query, offset: '0_inf', handle })).status !== 200))
  }
  expect(answers.at(-1)).toBe(400)
  expect(answers.length).toBeGreaterThan(2)
})

test('a table that was asked about, but never followed, is read again when it has a new column', async () => {
  const table = `clauses_${++tableNumber}`
  await cluster.sql.unsafe(`CREATE TABLE ${table} (id int PRIMARY KEY)`)
  expect((await get({ table, where: 'later > 1', offset: '-1' })).status).toBe(400)
  await cluster.sql.unsafe(`ALTER TABLE ${table} ADD COLUMN later int`)
  expect((await get({ table, where: 'later > 1', offset: '-1' })).status).toBe(200)
  expect((await get({ table, columns: 'id,later', offset: '-1' })).status).toBe(200)
})

test.each(['/v1/shape/', '/v1//shape', '//v1/shape', '/v1/%73hape', '/%761/shape//'])(
  'the path %s is the one of shapes, with its secret too',
  async (path) => {
    const table = `clauses_${++tableNumber}`
    await cluster.sql.unsafe(`CREATE TABLE ${table} (id int PRIMARY KEY)`)
    const ask = (on: ShapeServer, more = '') =>
      on.fetch(new Request(`http://localhost${path}?table=${table}&offset=-1${more}`))
    expect((await ask(server)).status).toBe(200)
    const guarded = await startShapeServer({
      databaseUrl: cluster.url,
      mode: 'open',
      log: silentLog,
      replicationId: 'clauses',
      secret: 'right',
    })
    try {
      expect([(await ask(guarded)).status, (await ask(guarded, '&secret=right')).status]).toEqual([401, 200])
    } finally {
      await guarded.stop()
    }
  },
)

test('what is no path of ours is not found', async () => {
  for (const path of ['/v1%2Fshape', '/v1/shapes', '/shape', '/v1/%E0%A4%A'])
    expect([path, (await server.fetch(new Request(`http://localhost${path}?offset=-1`))).status]).toEqual([path, 404])
})

test('the empty snapshot of a shape of changes only says where it ends', async () => {
  const table = `clauses_${++tableNumber}`
  await cluster.sql.unsafe(`CREATE TABLE ${table} (id int PRIMARY KEY); INSERT INTO ${table} VALUES (1)`)
  const messages = (await (await get({ table, log: 'changes_only', offset: '-1' })).json()) as Message[]
  expect(messages).toMatchObject([{ headers: { control: 'snapshot-end', xip_list: [] } }])
})
