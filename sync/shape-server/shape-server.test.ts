import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { isChangeMessage, type Message, Shape, ShapeStream, type ShapeStreamOptions } from '@electric-sql/client'
import { type Cluster, eventually, silentLog, startCluster } from './shape-server.fixture.ts'
import { type Answer, type ShapeServer, startShapeServer } from './shape-server.ts'

setDefaultTimeout(60_000)

let cluster: Cluster
let server: ShapeServer
let tableNumber = 0

beforeAll(async () => {
  cluster = await startCluster()
  server = await start()
}, 60_000)

afterAll(async () => {
  await server?.stop()
  await cluster?.stop()
}, 60_000)

function start(options: { chunkBytes?: number; secret?: string; mode?: 'open' | 'closed'; liveHoldMs?: number } = {}) {
  return startShapeServer({ databaseUrl: cluster.url, mode: 'open', log: silentLog, replicationId: 'test', ...options })
}

function get(query: Record<string, string>, init?: RequestInit, on = server): Promise<Response> {
  return on.fetch(new Request(`http://localhost/v1/shape?${new URLSearchParams(query)}`, init))
}

async function messages(response: Response): Promise<Message[]> {
  expect(response.status).toBe(200)
  return (await response.json()) as Message[]
}

/** A table of its own for each test. */
async function issuesTable(rows = 0): Promise<string> {
  const table = `issues_${++tableNumber}`
  await cluster.sql.unsafe(
    `CREATE TABLE ${table} (id int PRIMARY KEY, title text NOT NULL, company int, done bool NOT NULL DEFAULT false)`,
  )
  if (rows > 0) {
    await cluster.sql.unsafe(`INSERT INTO ${table} SELECT i, 'issue ' || i, i % 3 FROM generate_series(1, ${rows}) i`)
  }
  return table
}

type Row = Record<string, string | null>

/** Follows a shape with the upstream client, and keeps what it has been told. */
function follow(
  params: NonNullable<ShapeStreamOptions['params']>,
  on: () => ShapeServer = () => server,
  more: Partial<ShapeStreamOptions> = {},
) {
  const aborter = new AbortController()
  const log: Message[] = []
  const failures: unknown[] = []
  const text = (value: string) => value
  const stream = new ShapeStream({
    url: 'http://localhost/v1/shape',
    params,
    ...more,
    signal: aborter.signal,
    fetchClient: ((url: string, init?: RequestInit) => on().fetch(new Request(url, init))) as typeof fetch,
    backoffOptions: { initialDelay: 20, maxDelay: 200, multiplier: 2 },
    // Texts as Postgres writes them, booleans in one spelling.
    parser: {
      int4: text,
      int8: text,
      float8: text,
      jsonb: text,
      json: text,
      bool: (v: string) => (v[0] === 't' ? 't' : 'f'),
    },
    onError: (error) => {
      failures.push(error)
    },
  })
  const shape = new Shape(stream)
  shape.subscribe(() => {})
  stream.subscribe((batch) => {
    log.push(...batch)
  })
  return {
    log,
    failures,
    stream,
    rows: () => [...shape.currentValue.values()] as unknown as Row[],
    stop: () => aborter.abort(),
  }
}

async function rowsOf(table: string, where = 'true', columns = '*'): Promise<Row[]> {
  const rows = await cluster.sql.unsafe(`SELECT ${columns} FROM ${table} WHERE ${where}`)
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        value === null ? null : typeof value === 'boolean' ? (value ? 't' : 'f') : String(value),
      ]),
    ),
  )
}

const sorted = (rows: Row[]) => rows.map((r) => JSON.stringify(Object.entries(r).sort())).sort()

async function converges(followed: { rows: () => Row[] }, table: string, where?: string, columns?: string) {
  await eventually(async () => {
    server.nudge()
    expect(sorted(followed.rows())).toEqual(sorted(await rowsOf(table, where, columns)))
  })
}

/** What a snapshot has already seen must not be told again. */
function expectNothingTwice(log: Message[]): void {
  let sees: (xid: bigint) => boolean = () => false
  for (const { headers } of log) {
    if (headers.control === 'snapshot-end') {
      const { xmin, xmax, xip_list: running } = headers as { xmin: string; xmax: string; xip_list: string[] }
      sees = (xid) => xid < BigInt(xmin) || (xid < BigInt(xmax) && !running.map(BigInt).includes(xid))
    }
    for (const xid of (headers.txids as number[] | undefined) ?? []) expect(sees(BigInt(xid))).toBe(false)
  }
}

describe('the protocol', () => {
  test('a client reads the snapshot, hears that it is up to date, then waits for changes', async () => {
    const table = await issuesTable(2)
    const first = await get({ table, offset: '-1' })
    const handle = first.headers.get('electric-handle') ?? ''
    expect(first.headers.get('electric-offset')).toBe('0_0')
    expect(first.headers.get('electric-up-to-date')).toBeNull()
    expect(first.headers.get('cache-control')).toBe(
      'public, max-age=604800, s-maxage=3600, stale-while-revalidate=2629746',
    )
    expect(JSON.parse(first.headers.get('electric-schema') ?? '')).toEqual({
      id: { type: 'int4', not_null: true, pk_index: 0 },
      title: { type: 'text', not_null: true },
      company: { type: 'int4' },
      done: { type: 'bool', not_null: true },
    })
    const snapshot = await messages(first)
    expect(snapshot[0]).toEqual({
      key: `"public"."${table}"/"1"`,
      value: { id: '1', title: 'issue 1', company: '1', done: 'false' } as never,
      headers: { operation: 'insert', relation: ['public', table] },
    })
    expect(snapshot.at(-1)?.headers).toMatchObject({ control: 'snapshot-end', xip_list: [] })

    const second = await get({ table, offset: '0_0', handle })
    expect(second.headers.get('electric-offset')).toBe('0_inf')
    expect(second.headers.get('electric-up-to-date')).toBe('')
    expect((await messages(second))[0]?.headers).toMatchObject({ control: 'up-to-date' })

    const live = get({ table, offset: '0_inf', handle, live: 'true' })
    const [written] = await cluster.sql.begin(async (sql) => {
      await sql.unsafe(`UPDATE ${table} SET title = 'changed' WHERE id = 1`)
      await sql.unsafe(`INSERT INTO ${table} VALUES (3, 'new')`)
      return sql.unsafe(`SELECT pg_current_xact_id()::xid::text AS xid`)
    })
    server.nudge()
    const third = await live
    const changes = await messages(third)
    const lsn = String(changes[0]?.headers.lsn)
    expect(changes).toEqual([
      {
        key: `"public"."${table}"/"1"`,
        value: { id: '1', title: 'changed' } as never,
        headers: {
          operation: 'update',
          relation: ['public', table],
          txids: [Number(written?.xid)],
          lsn,
          op_position: 0,
        },
      },
      {
        key: `"public"."${table}"/"3"`,
        value: { id: '3', title: 'new', company: null, done: 'f' } as never,
        headers: {
          operation: 'insert',
          relation: ['public', table],
          txids: [Number(written?.xid)],
          lsn,
          op_position: 2,
          last: true,
        },
      },
      { headers: { control: 'up-to-date', global_last_seen_lsn: lsn as never } },
    ])
    expect(lsn).toMatch(/^\d+$/)
    expect(third.headers.get('electric-offset')).toBe(`${lsn}_2`)
    expect(third.headers.get('electric-cursor')).toMatch(/^\d+$/)
    expect(third.headers.get('electric-schema')).toBeNull()
    expect(third.headers.get('cache-control')).toBe('public, max-age=5, stale-while-revalidate=5')
  })

  test('[S6] a held request is answered in time although nothing happened, and a given up one leaves no trace', async () => {
    const short = await start({ liveHoldMs: 50 })
    try {
      const table = await issuesTable()
      const first = await get({ table, offset: '-1' }, {}, short)
      const handle = first.headers.get('electric-handle') ?? ''
      const live = await get({ table, offset: '0_inf', handle, live: 'true', cursor: '1' }, {}, short)
      expect(await messages(live)).toMatchObject([{ headers: { control: 'up-to-date' } }])
      expect(live.headers.get('electric-offset')).toBe('0_inf')
    } finally {
      await short.stop()
    }
    const table = await issuesTable()
    const handle = (await get({ table, offset: '-1' })).headers.get('electric-handle') ?? ''
    const aborter = new AbortController()
    const before = server.stats().waiters
    const held = get({ table, offset: '0_inf', handle, live: 'true' }, { signal: aborter.signal })
    await eventually(() => server.stats().waiters === before + 1)
    aborter.abort()
    await held
    expect(server.stats().waiters).toBe(before)
  })

  test.each([
    [{ offset: '-1' }, 'table', "can't be blank"],
    [{ table: 'TABLE' }, 'offset', "can't be blank"],
    [{ table: 'TABLE', offset: 'x' }, 'offset', 'has invalid format'],
    [{ table: 'TABLE', offset: '0_0' }, 'handle', "can't be blank when offset != -1"],
    [{ table: 'TABLE', offset: '-1', live: 'true' }, 'live', "can't be true when offset == -1"],
    [{ table: 'no such', offset: '-1' }, 'table', 'Invalid table name'],
    [{ table: 'nowhere', offset: '-1' }, 'table', 'Table "public"."nowhere" does not exist.'],
    [
      { table: 'TABLE', offset: '-1', columns: 'title' },
      'columns',
      'must include all primary key columns, missing: id',
    ],
    [{ table: 'TABLE', offset: '-1', columns: 'id,nope' }, 'columns', 'not found on the table: nope'],
    [{ table: 'TABLE', offset: '-1', where: '1 x 1' }, 'where', 'At location 17: syntax error at or near "x"'],
    [{ table: 'TABLE', offset: '-1', where: 'nope = 1' }, 'where', 'column "nope" does not exist'],
    [{ table: 'TABLE', offset: '-1', where: 'title' }, 'where', 'must be type boolean'],
    [{ table: 'TABLE', offset: '-1', where: 'id = $1' }, 'where', 'parameter $1 was not provided'],
    [{ table: 'TABLE', offset: '-1', where: 'id = $1', 'params[1]': 'x' }, 'where', 'invalid input syntax'],
    [{ table: 'TABLE', offset: '-1', where: 'id = $2', 'params[2]': '1' }, 'params', 'numbered sequentially'],
    [{ table: 'TABLE', offset: '-1', where: 'id IN (SELECT 1)' }, 'where', 'Subqueries are not supported'],
    [{ table: 'TABLE', offset: '-1', where: 'true) OR (true' }, 'where', 'syntax error'],
    [{ table: 'TABLE', offset: '-1', where: 'true; DROP TABLE x' }, 'where', 'not allowed'],
    [{ table: 'TABLE', offset: '-1', where: 'true -- x' }, 'where', 'not allowed'],
    [{ table: 'TABLE', offset: '-1', where: '1 =-- (\n1) OR (true' }, 'where', 'comments are not allowed'],
    [{ table: 'TABLE', offset: '-1', where: '1 =/* ( */ 1' }, 'where', 'comments are not allowed'],
    [{ table: 'TABLE', offset: '-1', where: 'pg_catalog."pg_sleep" (9) IS NULL' }, 'where', 'pg_sleep may not be used'],
    [{ table: 'TABLE', offset: '-1', where: 'random() > 0.5' }, 'where', 'random may not be used'],
    [
      { table: 'TABLE', offset: '-1', where: "set_config('a.b', 'c', false) = 'c'" },
      'where',
      'set_config may not be used',
    ],
    [{ table: 'TABLE', offset: '-1', where: "current_date > '2020-01-01'" }, 'where', 'changes with time'],
    [{ table: 'TABLE', offset: '-1', where: 'xmin IS NULL' }, 'where', 'system column'],
    [{ table: 'TABLE', offset: '0_0', handle: 'x', live_sse: 'true' }, 'live_sse', 'unless live is also true'],
    [{ table: 'TABLE', offset: '-1', log: 'half' }, 'log', 'is invalid'],
    [{ table: 'TABLE', offset: '-1', subset__limit: '1' }, 'subset', 'order_by is required'],
    [{ table: 'TABLE', offset: '-1', subset__limit: 'x', subset__order_by: 'id' }, 'subset', 'limit must be'],
    [{ table: 'TABLE', offset: '-1', subset__order_by: 'id LIMIT 1' }, 'where', 'syntax error at or near "limit"'],
    [{ table: 'TABLE', offset: '-1', subset__order_by: '(SELECT 1)' }, 'where', 'Subqueries are not supported'],
    [{ table: 'TABLE', offset: '-1', subset__where: 'nope = 1' }, 'where', 'column "nope" does not exist'],
    [{ table: 'TABLE', offset: '-1', replica: 'half' }, 'replica', 'is invalid'],
  ] as [Record<string, string>, string, string][])(
    'refuses %p, saying what is wrong with %s',
    async (query, field, words) => {
      const table = await issuesTable()
      const asked = query.table === 'TABLE' ? { ...query, table } : query
      const response = await get(asked)
      const body = (await response.json()) as { message: string; errors: Record<string, string[]> }
      expect(response.status).toBe(400)
      expect(body.message).toBe('Invalid request')
      expect(body.errors[field]?.join()).toContain(words)
      expect(response.headers.get('cache-control')).toBe('no-store')
    },
  )

  test('[S8] a handle that is unknown, deleted or of another shape means starting over with a new one', async () => {
    const table = await issuesTable(1)
    const unknown = await get({ table, offset: '0_0', handle: 'made-up' })
    expect(unknown.status).toBe(409)
    expect(await unknown.json()).toEqual([{ headers: { control: 'must-refetch' } }])
    const handle = unknown.headers.get('electric-handle') ?? ''
    expect((await get({ table, offset: '-1' })).headers.get('electric-handle')).toBe(handle)

    const other = await get({ table, offset: '0_0', handle, where: 'id = 1' })
    expect(other.status).toBe(409)
    expect(other.headers.get('electric-handle')).not.toBe(handle)

    const held = get({ table, offset: '0_inf', handle, live: 'true' })
    expect((await get({ table, handle }, { method: 'DELETE' })).status).toBe(202)
    const ended = await held
    expect(ended.status).toBe(409)
    const fresh = ended.headers.get('electric-handle')
    expect(fresh).not.toBeNull()
    expect(fresh).not.toBe(handle)
    expect((await get({ table, handle }, { method: 'DELETE' })).status).toBe(400)
    expect((await get({ handle }, { method: 'DELETE' })).status).toBe(404)
    expect((await get({ handle: fresh ?? '' }, { method: 'DELETE' })).status).toBe(202)
  })

  test('an offset ahead of the log is not waited for, and the new handle differs from the asker’s', async () => {
    const table = await issuesTable(1)
    const handle = (await get({ table, offset: '-1' })).headers.get('electric-handle') ?? ''
    const ahead = await get({ table, offset: '9007199254740991_0', handle, live: 'true' })
    expect(ahead.status).toBe(409)
    expect(ahead.headers.get('electric-handle')).not.toBe(handle)
  })

  test('an answer already known is not sent again, unless it was empty', async () => {
    const table = await issuesTable(1)
    const first = await get({ table, offset: '-1' })
    const handle = first.headers.get('electric-handle') ?? ''
    const known = (etag: string | null) => ({ headers: { 'if-none-match': etag ?? '' } })
    expect((await get({ table, offset: '-1' }, known(first.headers.get('etag')))).status).toBe(304)
    const empty = await get({ table, offset: '0_0', handle })
    expect((await get({ table, offset: '0_0', handle }, known(empty.headers.get('etag')))).status).toBe(200)
    await cluster.sql.unsafe(`INSERT INTO ${table} VALUES (2, 'x')`)
    await eventually(async () => {
      server.nudge()
      expect(await messages(await get({ table, offset: '0_0', handle }))).toHaveLength(2)
    })
    const full = await get({ table, offset: '0_0', handle })
    expect((await get({ table, offset: '0_0', handle }, known(full.headers.get('etag')))).status).toBe(304)
    expect((await get({ table, offset: '-1' })).headers.get('etag')).toBe(first.headers.get('etag'))
  })

  test('browsers of any origin may ask, and read the headers', async () => {
    const table = await issuesTable()
    const preflight = await get(
      { table },
      { method: 'OPTIONS', headers: { 'access-control-request-headers': 'x-mine' } },
    )
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toBe('x-mine')
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    const head = await get({ table, offset: '-1' }, { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(head.headers.get('electric-handle')).not.toBeNull()
    expect(head.headers.get('access-control-expose-headers')).toContain('electric-handle')
    expect(await head.text()).toBe('')
    expect((await get({ table }, { method: 'POST', body: '{}' })).status).toBe(400)
  })

  test('health is told, and other paths do not exist', async () => {
    const health = await server.fetch(new Request('http://localhost/v1/health'))
    expect(await health.json()).toEqual({ status: 'active' })
    expect((await server.fetch(new Request('http://localhost/v1/other'))).status).toBe(404)
    expect((await server.fetch(new Request('http://localhost/'))).status).toBe(200)
  })

  test('[S16] with a secret only its bearer is answered; a closed server deletes nothing, and serves whole shapes only', async () => {
    const table = await issuesTable()
    const guarded = await start({ secret: 'right', mode: 'closed' })
    try {
      expect((await get({ table, offset: '-1' }, {}, guarded)).status).toBe(401)
      expect((await get({ table, offset: '-1', secret: 'wrong' }, {}, guarded)).status).toBe(401)
      expect((await get({ table, offset: '-1', secret: 'right' }, {}, guarded)).status).toBe(200)
      expect((await get({ table, api_secret: 'right' }, { method: 'DELETE' }, guarded)).status).toBe(405)
      const openOnly: Record<string, string>[] = [
        { live_sse: 'true', live: 'true' },
        { log: 'changes_only' },
        { subset__where: 'true' },
      ]
      for (const asked of openOnly) {
        const refused = await get({ table, offset: '0_0', handle: 'x', secret: 'right', ...asked }, {}, guarded)
        expect(refused.status).toBe(400)
        expect(await refused.text()).toContain('not supported')
      }
    } finally {
      await guarded.stop()
    }
  })

  test('a large snapshot and a large log come in chunks that stay the same', async () => {
    const table = await issuesTable(100)
    const small = await start({ chunkBytes: 2_000 })
    try {
      const read = async () => {
        const bodies: string[] = []
        let offset = '-1'
        let handle = ''
        for (;;) {
          const response = await get({ table, offset, ...(handle && { handle }) }, {}, small)
          expect(response.status).toBe(200)
          handle = response.headers.get('electric-handle') ?? ''
          offset = response.headers.get('electric-offset') ?? ''
          bodies.push(await response.text())
          if (response.headers.get('electric-up-to-date') !== null) return { bodies, offset, handle }
        }
      }
      const once = await read()
      expect(once.bodies.length).toBeGreaterThan(5)
      expect(once.bodies.flatMap((b) => JSON.parse(b) as Message[]).filter(isChangeMessage)).toHaveLength(100)
      await cluster.sql.unsafe(`UPDATE ${table} SET title = title || ' more'`)
      await eventually(async () => {
        small.nudge()
        expect((await read()).bodies.length).toBeGreaterThan(once.bodies.length + 4)
      })
      const again = await read()
      const third = await read()
      expect(again.bodies.slice(0, -1)).toEqual(third.bodies.slice(0, -1))
      expect(again.bodies.slice(0, once.bodies.length - 1)).toEqual(once.bodies.slice(0, -1))
    } finally {
      await small.stop()
    }
  })

  test('the log’s position grows even when only other tables are written', async () => {
    const table = await issuesTable(1)
    const other = await issuesTable()
    const handle = (await get({ table, offset: '-1' })).headers.get('electric-handle') ?? ''
    const seen = async () => {
      const [last] = (await messages(await get({ table, offset: '0_0', handle }))).slice(-1)
      return Number(last?.headers.global_last_seen_lsn)
    }
    const before = await seen()
    await cluster.sql.unsafe(`INSERT INTO ${other} VALUES (1, 'x')`)
    await eventually(async () => expect(await seen()).toBeGreaterThan(before))
  })
})

describe('rows', () => {
  test('[S3] values are written as Postgres writes them, and keys agree between snapshot and log', async () => {
    await cluster.sql.unsafe(`
      CREATE SCHEMA app; CREATE TYPE app.mood AS ENUM ('sad', 'it''s ok'); CREATE DOMAIN app.posint AS int CHECK (VALUE > 0);
      CREATE TABLE app."All / Kinds.of" (
        "the ""key""" text, flag bool, code char(5), ip inet,
        n numeric(10, 2), f float8, ts timestamptz(3), d date, iv interval, raw bytea, j jsonb, u uuid,
        mood app.mood, moods app.mood[], grid int8[][], texts varchar(20)[], pos app.posint, bits bit(4),
        PRIMARY KEY ("the ""key""", flag, code, ip))`)
    const insert = (key: string) =>
      cluster.sql.unsafe(`INSERT INTO app."All / Kinds.of" VALUES ('${key}', true, 'ab', '10.0.0.1', 1.5, 0.1, '2024-05-06 07:08:09.5+02',
        '2024-12-31', '1 day 2 hours', '\\x00ff', '{"a": [1, null]}', 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', 'it''s ok', '{sad,"it''s ok"}',
        '{{1,2},{3,4}}', '{a,NULL,"b c"}', 5, B'1010')`)
    await insert('a/b."c"')
    const followed = follow({ table: 'app."All / Kinds.of"' })
    await eventually(() => followed.rows().length === 1)
    await insert('a/b."d"')
    await eventually(() => followed.rows().length === 2)
    const [first, second] = followed.log.filter(isChangeMessage)
    expect(first?.key).toBe(`"app"."All // Kinds..of"/"a//b."c""/"true"/"ab"/"10.0.0.1"`)
    expect(second?.key).toBe(`"app"."All // Kinds..of"/"a//b."d""/"true"/"ab"/"10.0.0.1"`)
    const snapshot = first?.value as Row
    const logged = second?.value as Row
    expect({ ...logged, 'the "key"': 'a/b."c"', flag: 'true' } as unknown).toEqual({ ...snapshot, flag: 'true' })
    expect(snapshot).toMatchObject({
      n: '1.50',
      f: '0.1',
      ts: '2024-05-06 05:08:09.5+00',
      d: '2024-12-31',
      iv: 'P1DT2H',
      raw: '\\x00ff',
      ip: '10.0.0.1',
      j: '{"a": [1, null]}',
      u: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
      mood: "it's ok",
      pos: '5',
      bits: '1010',
    })
    const schema = (await get({ table: 'app."All / Kinds.of"', offset: '-1' })).headers.get('electric-schema')
    expect(JSON.parse(schema ?? '')).toMatchObject({
      n: { type: 'numeric', precision: 10, scale: 2 },
      ts: { type: 'timestamptz', precision: 3 },
      code: { type: 'bpchar', length: 5, not_null: true, pk_index: 2 },
      moods: { type: 'mood', dims: 1 },
      grid: { type: 'int8', dims: 2 },
      pos: { type: 'posint' },
      bits: { type: 'bit', length: 4 },
    })
    followed.stop()
  })

  test('a table without a primary key is followed by its whole rows', async () => {
    const table = `loose_${++tableNumber}`
    await cluster.sql.unsafe(`CREATE TABLE ${table} (b text, a int); INSERT INTO ${table} VALUES ('x', 1), (NULL, 2)`)
    const followed = follow({ table })
    await eventually(() => followed.rows().length === 2)
    expect(followed.log.filter(isChangeMessage).map((m) => m.key)).toEqual([
      `"public"."${table}"/"1"/"x"`,
      `"public"."${table}"/"2"/_`,
    ])
    await cluster.sql.unsafe(`UPDATE ${table} SET b = 'y' WHERE a = 2; DELETE FROM ${table} WHERE a = 1`)
    await converges(followed, table)
    followed.stop()
  })

  test('[S4] a changed key is a deletion and an insertion that name each other', async () => {
    const table = await issuesTable(1)
    const followed = follow({ table })
    await eventually(() => followed.rows().length === 1)
    await cluster.sql.unsafe(`UPDATE ${table} SET id = 10 WHERE id = 1`)
    await converges(followed, table)
    const [, gone, come] = followed.log.filter(isChangeMessage)
    expect(gone?.headers).toMatchObject({
      operation: 'delete',
      key_change_to: `"public"."${table}"/"10"`,
      op_position: 0,
    })
    expect(come?.headers).toMatchObject({
      operation: 'insert',
      key_change_from: `"public"."${table}"/"1"`,
      op_position: 1,
    })
    followed.stop()
  })

  test('[S4] a row enters a filtered shape as an insertion and leaves it as a deletion', async () => {
    const table = await issuesTable(6)
    const followed = follow({ table, where: 'company = $1', params: { '1': '2' } })
    await converges(followed, table, 'company = 2')
    await cluster.sql.unsafe(`UPDATE ${table} SET company = 2 WHERE id = 1`)
    await converges(followed, table, 'company = 2')
    await cluster.sql.unsafe(`UPDATE ${table} SET company = NULL WHERE id = 2`)
    await converges(followed, table, 'company = 2')
    const [entered, left] = followed.log.filter(isChangeMessage).slice(-2)
    expect(entered).toMatchObject({
      headers: { operation: 'insert' },
      value: { id: '1', title: 'issue 1', company: '2' },
    })
    expect(left).toMatchObject({ headers: { operation: 'delete' }, value: { id: '2' } })
    expect(followed.failures).toEqual([])
    followed.stop()
  })

  test('[S5] with chosen columns only they are told, and other changes are not', async () => {
    const table = await issuesTable(1)
    const followed = follow({ table, columns: ['id', 'title'] })
    await eventually(() => followed.rows().length === 1)
    await cluster.sql.unsafe(`UPDATE ${table} SET done = true`)
    await cluster.sql.unsafe(`UPDATE ${table} SET title = 'two'`)
    await converges(followed, table, 'true', 'id, title')
    expect(followed.log.filter(isChangeMessage)).toHaveLength(2)
    followed.stop()
  })

  test('replica=full tells whole rows, and what the changed values were', async () => {
    const table = await issuesTable(1)
    const followed = follow({ table, replica: 'full' })
    await eventually(() => followed.rows().length === 1)
    await cluster.sql.unsafe(`UPDATE ${table} SET title = 'two'`)
    await cluster.sql.unsafe(`DELETE FROM ${table}`)
    await converges(followed, table)
    const [, update, deletion] = followed.log.filter(isChangeMessage)
    expect(update?.value as unknown as Row).toMatchObject({ id: '1', title: 'two', company: '1' })
    expect(update?.old_value as unknown as Row).toEqual({ title: 'issue 1' })
    expect(deletion?.value as unknown as Row).toMatchObject({ id: '1', title: 'two', company: '1' })
    followed.stop()
  })

  test('a large value that an update did not touch is still there', async () => {
    const table = await issuesTable()
    const large = 'x'.repeat(100_000)
    await cluster.sql.unsafe(
      `ALTER TABLE ${table} ALTER title SET STORAGE EXTERNAL; INSERT INTO ${table} VALUES (1, '${large}', 1)`,
    )
    const followed = follow({ table, where: 'company = 2' })
    await eventually(() => followed.stream.isUpToDate)
    await cluster.sql.unsafe(`UPDATE ${table} SET company = 2`)
    await converges(followed, table, 'company = 2')
    expect(followed.rows()[0]?.title?.length).toBe(large.length)
    followed.stop()
  })

  test('two tables written in one transaction tell the same transaction and count its changes together', async () => {
    const one = await issuesTable()
    const two = await issuesTable()
    const [a, b] = [follow({ table: one }), follow({ table: two })]
    await eventually(() => a.stream.isUpToDate && b.stream.isUpToDate)
    await cluster.sql.begin(async (sql) => {
      await sql.unsafe(`INSERT INTO ${one} VALUES (1, 'a')`)
      await sql.unsafe(`INSERT INTO ${two} VALUES (1, 'b')`)
    })
    await converges(a, one)
    await converges(b, two)
    const [x] = a.log.filter(isChangeMessage)
    const [y] = b.log.filter(isChangeMessage)
    expect(x?.headers.txids).toEqual(y?.headers.txids)
    expect(x?.headers).toMatchObject({ op_position: 0, last: true })
    expect(y?.headers).toMatchObject({ op_position: 2, last: true })
    a.stop()
    b.stop()
  })
})

describe('in an open server only', () => {
  test('events are told as they come, after everything the client had missed', async () => {
    const table = await issuesTable(2)
    const followed = follow({ table }, undefined, { liveSse: true })
    await eventually(() => followed.stream.isUpToDate)
    for (let i = 10; i < 15; i++) {
      await cluster.sql.unsafe(`INSERT INTO ${table} VALUES (${i}, 'event'); DELETE FROM ${table} WHERE id = ${i - 2}`)
      await converges(followed, table)
    }
    await eventually(() => server.stats().waiters > 0)
    await cluster.sql.unsafe(`TRUNCATE ${table}; INSERT INTO ${table} VALUES (1, 'after')`)
    await converges(followed, table)
    expect(followed.failures).toEqual([])
    followed.stop()
    await eventually(() => server.stats().waiters === 0)
  })

  test.each(['GET', 'POST'] as const)(
    'a client that wants changes only reads subsets beside them, with %s',
    async (method) => {
      const table = await issuesTable(10)
      const followed = follow({ table, where: 'id <> $1', params: { '1': '9' } }, undefined, { log: 'changes_only' })
      await eventually(() => followed.stream.isUpToDate)
      expect(followed.rows()).toEqual([])
      const { metadata, data } = await followed.stream.requestSnapshot({
        where: 'id > $1',
        params: { '1': '4' },
        orderBy: 'id DESC',
        limit: 3,
        method,
      })
      expect(data.map((m) => m.value.id as unknown)).toEqual(['10', '8', '7'])
      expect(data[0]?.headers.snapshot_mark).toBe(metadata.snapshot_mark)
      expect(BigInt(metadata.database_lsn)).toBeGreaterThan(0n)
      await cluster.sql.unsafe(
        `UPDATE ${table} SET title = 'changed' WHERE id = 8; INSERT INTO ${table} VALUES (11, 'new')`,
      )
      await eventually(() => {
        server.nudge()
        expect(sorted(followed.rows().map(({ id, title }) => ({ id: id ?? null, title: title ?? null })))).toEqual(
          sorted([
            { id: '10', title: 'issue 10' },
            { id: '8', title: 'changed' },
            { id: '7', title: 'issue 7' },
            { id: '11', title: 'new' },
          ]),
        )
      })
      followed.stop()
    },
  )
})

describe('starting over', () => {
  test.each([
    ['emptied', (t: string) => `TRUNCATE ${t}; INSERT INTO ${t} VALUES (7, 'after')`],
    ['given a column', (t: string) => `ALTER TABLE ${t} ADD extra text DEFAULT 'e'`],
    ['robbed of a column', (t: string) => `ALTER TABLE ${t} DROP company`],
    [
      'made anew under its name',
      (t: string) =>
        `DROP TABLE ${t}; CREATE TABLE ${t} (id int PRIMARY KEY, other text); INSERT INTO ${t} VALUES (1, 'o')`,
    ],
    [
      'taken out of the publication',
      (t: string) => `ALTER PUBLICATION shape_server_test DROP TABLE ${t}; INSERT INTO ${t} VALUES (9, 'unheard')`,
    ],
    [
      'left without its replica identity',
      (t: string) => `ALTER TABLE ${t} REPLICA IDENTITY DEFAULT; UPDATE ${t} SET title = 'new'`,
    ],
  ])('[S10] a client has the right rows after the table was %s', async (_, statements) => {
    const table = await issuesTable(2)
    const followed = follow({ table })
    await eventually(() => followed.rows().length === 2)
    await cluster.sql.unsafe(statements(table))
    await converges(followed, table)
    expect(followed.log.some((m) => 'control' in m.headers && m.headers.control === 'must-refetch')).toBe(true)
    followed.stop()
  })

  test('[S10] a column that is added ends no shape that has chosen its columns, and whoever asks for it has it', async () => {
    const table = await issuesTable(2)
    const chosen = follow({ table, columns: ['id', 'title'] })
    const all = follow({ table })
    await eventually(() => chosen.rows().length === 2 && all.rows().length === 2)
    await cluster.sql.unsafe(`ALTER TABLE ${table} ADD COLUMN extra text DEFAULT 'more'`)
    await cluster.sql.unsafe(`INSERT INTO ${table} (id, title) VALUES (7, 'later')`)
    await eventually(() => chosen.rows().length === 3)
    await eventually(() => all.rows().length === 3 && all.rows().every((row) => row.extra === 'more'))
    const both = follow({ table, columns: ['id', 'extra'] })
    await eventually(() => both.rows().length === 3 && both.rows().every((row) => row.extra === 'more'))
    await cluster.sql.unsafe(`UPDATE ${table} SET extra = 'other', title = 'changed' WHERE id = 7`)
    await eventually(() => both.rows().some((row) => row.extra === 'other'))
    await eventually(() => chosen.rows().some((row) => row.title === 'changed'))
    expect(chosen.log.filter((m) => 'control' in m.headers && m.headers.control === 'must-refetch')).toEqual([])
    expect(chosen.failures).toEqual([])
    for (const one of [chosen, all, both]) one.stop()
  })

  test('[S9] after a restart of the shape server clients start over and are right', async () => {
    let mine = await start()
    const table = await issuesTable(3)
    const followed = follow({ table }, () => mine)
    await eventually(() => followed.rows().length === 3)
    await mine.stop()
    await cluster.sql.unsafe(`DELETE FROM ${table} WHERE id = 1; INSERT INTO ${table} VALUES (4, 'meanwhile')`)
    mine = await start()
    await converges(followed, table)
    expect(followed.failures).toEqual([])
    followed.stop()
    await mine.stop()
  })

  test('[S9] after Postgres ended the replication connection no row is missing', async () => {
    const table = await issuesTable(3)
    const followed = follow({ table })
    await eventually(() => followed.rows().length === 3)
    for (let round = 0; round < 3; round++) {
      await cluster.sql.unsafe(`SELECT pg_terminate_backend(pid) FROM pg_stat_replication`)
      await cluster.sql.unsafe(
        `INSERT INTO ${table} VALUES (${100 + round}, 'during'); UPDATE ${table} SET title = 'round ${round}' WHERE id = 1`,
      )
      await converges(followed, table)
    }
    expect(followed.failures).toEqual([])
    followed.stop()
  })

  test('[S9] while Postgres is away requests are told to come back, and then everything goes on', async () => {
    const table = await issuesTable(3)
    const followed = follow({ table })
    await eventually(() => followed.rows().length === 3)
    const pid = cluster.pid()
    if (!pid) throw new Error('Postgres has no process')
    process.kill(pid, 'SIGQUIT')
    await eventually(() => server.health() === 'waiting')
    // What the client has it keeps.
    expect(followed.rows()).toHaveLength(3)
    await eventually(() => server.health() === 'active', 30_000)
    await eventually(() => cluster.sql.unsafe(`INSERT INTO ${table} VALUES (4, 'after')`))
    await converges(followed, table)
    expect(followed.failures).toEqual([])
    followed.stop()
  }, 60_000)
})

describe('races', () => {
  test('[S1, S2] whatever is written while snapshots are taken, clients end with the rows of the table', async () => {
    const table = await issuesTable(2_000)
    let writing = true
    const writers = Array.from({ length: 6 }, async (_, w) => {
      for (let i = 0; writing; i++) {
        const id = 1 + ((w * 7919 + i * 31) % 2_000)
        const fresh = 10_000 + w * 100_000 + i
        await cluster.sql
          .begin(async (sql) => {
            await sql.unsafe(`UPDATE ${table} SET title = 'w${w} ${i}', company = ${i % 4} WHERE id = ${id}`)
            if (i % 3 === 0) await sql.unsafe(`INSERT INTO ${table} VALUES (${fresh}, 'new ${w}', ${i % 4})`)
            if (i % 5 === 0) await sql.unsafe(`DELETE FROM ${table} WHERE id = ${fresh - 3}`)
          })
          .catch((error: unknown) => {
            // Two writers may wait for each other's rows.
            if (!String(error).includes('deadlock')) throw error
          })
      }
    })
    const followers: { where: string; followed: ReturnType<typeof follow> }[] = []
    for (let i = 0; i < 12; i++) {
      const where = ['true', 'company = 1', `company = 2 AND id % ${i + 2} = 0`, 'company IN (0, 3)'][i % 4] ?? 'true'
      followers.push({ where, followed: follow({ table, where: `${where} AND ${i} = ${i}` }) })
      await Bun.sleep(40)
    }
    writing = false
    await Promise.all(writers)
    for (const { where, followed } of followers) {
      await converges(followed, table, where)
      expect(followed.failures).toEqual([])
      expectNothingTwice(followed.log)
      followed.stop()
    }
  })

  test.each(['as it is', 'already telling whole rows'])(
    'a row being written while its table, %s, is first asked for is not lost',
    async (kind) => {
      const table = await issuesTable(1)
      if (kind !== 'as it is') await cluster.sql.unsafe(`ALTER TABLE ${table} REPLICA IDENTITY FULL`)
      const writing = Promise.withResolvers<void>()
      const commit = Promise.withResolvers<void>()
      const transaction = cluster.sql.begin(async (sql) => {
        await sql.unsafe(`INSERT INTO ${table} VALUES (2, 'early')`)
        writing.resolve()
        await commit.promise
      })
      await writing.promise
      const followed = follow({ table })
      // Long enough for a server that did not wait to have taken its snapshot.
      await Bun.sleep(200)
      commit.resolve()
      await transaction
      await converges(followed, table)
      expect(followed.failures).toEqual([])
      followed.stop()
    },
  )

  test('[S2] a commit that the stream tells before other transactions can see it is lost to nobody', async () => {
    const table = await issuesTable(1)
    const old = (await get({ table, offset: '-1' })).headers.get('electric-handle') ?? ''
    const held = get({ table, offset: '0_inf', handle: old, live: 'true' })
    // A commit that waits for a standby is in the log, and so in the stream, but not yet visible.
    // Each connection learns of a setting in its own time, so the one that is asked is the one that commits.
    const writer = await cluster.sql.reserve()
    const standby = async (name: string, reader: Pick<typeof cluster.sql, 'unsafe'> = cluster.sql) => {
      await cluster.sql.unsafe(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`)
      await cluster.sql.unsafe('SELECT pg_reload_conf()')
      await eventually(async () => {
        const [now] = await reader.unsafe('SHOW synchronous_standby_names')
        expect(now?.synchronous_standby_names).toBe(name)
      })
      // Whether commits wait is said by the checkpointer, which learns of it in its own time and shows it to nobody.
      await Bun.sleep(200)
    }
    await standby('nobody', writer)
    const commit = writer.unsafe(`INSERT INTO ${table} VALUES (2, 'early')`).execute()
    try {
      expect(await messages(await held)).toMatchObject([{ value: { id: '2' } }, { headers: { control: 'up-to-date' } }])
      expect(await rowsOf(table)).toHaveLength(1)

      // A new snapshot of the shape that was told: the row comes with the log.
      const ahead = await get({ table, offset: '9007199254740991_0', handle: old })
      const handle = ahead.headers.get('electric-handle') ?? ''
      const snapshot = await messages(await get({ table, offset: '-1' }))
      const rest = await messages(await get({ table, offset: '0_0', handle }))
      expect(snapshot.filter(isChangeMessage).map((m) => m.value.id as unknown)).toEqual(['1'])
      expect(rest.filter(isChangeMessage).map((m) => m.value.id as unknown)).toEqual(['2'])

      // A shape that did not exist when it was told: the snapshot waits for it.
      let isThere = false
      const late = get({ table, offset: '-1', where: 'id > 0' }).finally(() => {
        isThere = true
      })
      await Bun.sleep(100)
      expect(isThere).toBe(false)
      await standby('')
      expect((await messages(await late)).filter(isChangeMessage)).toHaveLength(2)
    } finally {
      await standby('')
      await commit
      writer.release()
    }
  })

  test('[S1] a hundred random operations leave every kind of filter with exactly its rows', async () => {
    const table = `kinds_${++tableNumber}`
    await cluster.sql.unsafe(`CREATE TYPE mood_${table} AS ENUM ('low', 'mid', 'high');
      CREATE TABLE ${table} (id int PRIMARY KEY, n int8, t text, b bool, at timestamp, day date, u uuid, m mood_${table}, f float8, tags text[], l int[], j jsonb)`)
    const u = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'
    const filters: [string, string[]][] = [
      ['n = 3', []],
      ['n <> $1', ['3']],
      ['n IN (1, 2, NULL)', []],
      ['n NOT IN (1, 2)', []],
      ['n NOT IN (1, NULL)', []],
      ['n = ANY($1)', ['{1,2}']],
      ['n BETWEEN 2 AND 4', []],
      ['n >= -1 AND n < 4', []],
      ['3 > n', []],
      ["t = 'b'", []],
      ['t LIKE $1', ['a%_']],
      ["t NOT LIKE '%c'", []],
      ["t LIKE 'a%b%c'", []],
      ["t LIKE '%b%'", []],
      ["t LIKE 'ab'", []],
      ["t LIKE '%bc%c'", []],
      ["t LIKE 'a\\%'", []],
      ["t < 'b'", []],
      ["t ILIKE 'A%'", []],
      ['b', []],
      ['NOT b', []],
      ['b IS NOT TRUE', []],
      ['b = $1', ['yes']],
      ['t IS NULL OR b', []],
      ['(n = 1 OR t = $1) AND NOT (b IS FALSE)', ['ab']],
      ['NOT (n = 1 AND b)', []],
      ["at > '2024-01-01'", []],
      ["at <= $1 AND day >= '2024-01-02'", ['2024-01-01 12:00']],
      [`u = '${u.toUpperCase()}'`, []],
      ['u = $1::uuid', [u]],
      ["m = 'mid'", []],
      ["m > 'low'", []],
      ['f = 0', []],
      ['f > 0.5 OR f IS NULL', []],
      ["'x' = ANY(tags)", []],
      ['3 = ANY(l)', []],
      ['NOT $1 = ANY(l) AND n > 1', ['3']],
      ["tags @> '{x}'", []],
      ["j->>'a' = '1'", []],
      ['length(t) > 1', []],
      ['coalesce(t, $1) = $1', ['none']],
      ["CASE WHEN b THEN n > 2 ELSE t = 'a' END", []],
      [`${table}.n % 2 = 0`, []],
      ['n = 1 IS NULL', []],
    ]
    const followers = filters.map(([where, params]) => ({
      where,
      params,
      followed: follow({
        table,
        where,
        ...(params.length > 0 && { params: Object.fromEntries(params.map((p, i) => [String(i + 1), p])) }),
      }),
    }))
    let state = 42
    const pick = <T>(list: T[]): T => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31
      return list[state % list.length] as T
    }
    const value = () => ({
      n: pick(['NULL', '1', '2', '3', '4', '-5', '9007199254740993']),
      t: pick(['NULL', "'a'", "'ab'", "'abc'", "'b'", "'none'", "'Ä'", "'a%'"]),
      b: pick(['NULL', 'true', 'false']),
      at: pick([
        'NULL',
        "'2023-12-31 23:59:59.5'",
        "'2024-01-01 12:00'",
        "'2024-01-01 12:00:00.001'",
        "'infinity'",
        "'0044-03-15 BC'",
        "'12024-01-01'",
      ]),
      day: pick(['NULL', "'2024-01-01'", "'2024-01-02'", "'infinity'"]),
      u: pick(['NULL', `'${u}'`, "'00000000-0000-0000-0000-000000000000'"]),
      m: pick(['NULL', "'low'", "'mid'", "'high'"]),
      f: pick(['NULL', '0', "'-0'", '0.75', "'NaN'"]),
      tags: pick(['NULL', "'{}'", "'{x}'", "'{x,y}'", "'{NULL}'"]),
      l: pick(['NULL', "'{}'", "'{3}'", "'{13,-3}'", "'{1,3}'", "'{NULL}'"]),
      j: pick(['NULL', `'{"a": 1}'`, `'{"a": "1"}'`, "'[]'"]),
    })
    for (let i = 0; i < 100; i++) {
      const v = value()
      const id = pick([1, 2, 3, 4, 5, 6, 7, 8])
      const operation = pick(['upsert', 'upsert', 'upsert', 'delete', 'rename'])
      const names = Object.keys(v)
      await cluster.sql.unsafe(
        operation === 'delete'
          ? `DELETE FROM ${table} WHERE id = ${id}`
          : operation === 'rename'
            ? `UPDATE ${table} SET id = ${id + 8} WHERE id = ${id} AND NOT EXISTS (SELECT FROM ${table} WHERE id = ${id + 8})`
            : `INSERT INTO ${table} (id, ${names.join()}) VALUES (${id}, ${Object.values(v).join()}) ON CONFLICT (id) DO UPDATE SET ${names.map((n) => `${n} = excluded.${n}`).join()}`,
      )
    }
    for (const { where, params, followed } of followers) {
      const literal = params.reduce((sql, p, i) => sql.replaceAll(`$${i + 1}`, `'${p}'`), where)
      await eventually(async () => {
        server.nudge()
        const expected = await cluster.sql.unsafe(
          `SELECT id::text, n::text, t FROM ${table} WHERE (${literal}) ORDER BY id`,
        )
        const actual = followed
          .rows()
          .map(({ id, n, t }) => ({ id, n, t }))
          .sort((a, b) => Number(a.id) - Number(b.id))
        expect({ where, rows: actual as unknown[] }).toEqual({ where, rows: [...expected] })
      })
      expect(followed.failures).toEqual([])
      followed.stop()
    }
  })

  test('[S11] a predicate that fails on a row ends its shape instead of leaving the row out', async () => {
    const table = await issuesTable(1)
    const followed = follow({ table, where: '10 / id > 1' })
    await eventually(() => followed.rows().length === 1)
    await cluster.sql.unsafe(`INSERT INTO ${table} VALUES (0, 'divides by zero')`)
    await eventually(() => followed.failures.length > 0)
    followed.stop()
  })
})

describe('over HTTP', () => {
  test('a client that hangs up is waited for no longer', async () => {
    const table = await issuesTable()
    const http = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => server.fetch(request) })
    const handle = (await get({ table, offset: '-1' })).headers.get('electric-handle') ?? ''
    const aborter = new AbortController()
    const before = server.stats().waiters
    const held = fetch(`${http.url.href}v1/shape?table=${table}&offset=0_inf&handle=${handle}&live=true`, {
      signal: aborter.signal,
    }).catch(() => 'hung up')
    await eventually(() => server.stats().waiters === before + 1)
    aborter.abort()
    expect(await held).toBe('hung up')
    await eventually(() => server.stats().waiters === before)
    await http.stop(true)
  })

  const standalone = (env: Record<string, string>) =>
    Bun.spawn([process.execPath, '--no-orphans', `${import.meta.dir}/main.ts`], {
      env: { PATH: process.env.PATH ?? '', HOST: '127.0.0.1', ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    })

  test('on its own it follows any database, and leaves when told to', async () => {
    const table = await issuesTable(3)
    const child = standalone({
      DATABASE_URL: cluster.url,
      ELECTRIC_SECRET: 'right',
      ELECTRIC_PORT: '0',
      ELECTRIC_REPLICATION_STREAM_ID: 'alone',
    })
    const decoder = new TextDecoder()
    let said = ''
    const reader = child.stderr.getReader()
    while (!said.includes('listens')) said += decoder.decode((await reader.read()).value)
    const url = /"url":"([^"]+)"/.exec(said)?.[1] ?? ''
    expect((await fetch(`${url}v1/shape?table=${table}&offset=-1`)).status).toBe(401)
    const aborter = new AbortController()
    const stream = new ShapeStream({
      url: `${url}v1/shape`,
      params: { table, secret: 'right' },
      signal: aborter.signal,
    })
    const shape = new Shape(stream)
    await eventually(() => shape.currentRows.length === 3)
    await cluster.sql.unsafe(`DELETE FROM ${table} WHERE id = 1`)
    await eventually(() => shape.currentRows.length === 2)
    aborter.abort()
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    await eventually(async () => {
      const slots =
        await cluster.sql`SELECT slot_name FROM pg_replication_slots WHERE slot_name LIKE 'shape_server_alone%'`
      expect(slots).toHaveLength(0)
    })
  })

  test.each([
    [{}, 'DATABASE_URL is missing'],
    [{ DATABASE_URL: 'URL' }, 'Set ELECTRIC_SECRET'],
    [{ DATABASE_URL: 'URL', ELECTRIC_SECRET: 'x', ELECTRIC_INSECURE: 'true' }, 'not both'],
    [{ DATABASE_URL: 'URL', ELECTRIC_INSECURE: 'true', ELECTRIC_PORT: 'x' }, 'ELECTRIC_PORT must be a whole number'],
  ] as [Record<string, string>, string][])('with the environment %p it says what to do', async (env, sentence) => {
    const child = standalone({ ...env, ...(env.DATABASE_URL && { DATABASE_URL: cluster.url }) })
    expect(await new Response(child.stderr).text()).toContain(sentence)
    expect(await child.exited).toBe(1)
  })

  test('a database user that may not replicate is told so at the start', async () => {
    await cluster.sql.unsafe(`CREATE ROLE plain LOGIN PASSWORD 'plain'`)
    const url = new URL(cluster.url)
    url.username = 'plain'
    url.password = 'plain'
    const starting = startShapeServer({ databaseUrl: url.href, mode: 'open', log: silentLog })
    expect(starting).rejects.toThrow('needs the right to replicate')
    await starting.catch(() => undefined)
  })
})

describe('an open transaction', () => {
  test('in the way of the slot does not keep the server from stopping', async () => {
    const release = Promise.withResolvers<void>()
    const open = Promise.withResolvers<void>()
    const transaction = cluster.sql.begin(async (sql) => {
      await sql.unsafe('SELECT pg_current_xact_id()')
      open.resolve()
      await release.promise
    })
    await open.promise
    const waiting = await start()
    expect(waiting.health()).toBe('starting')
    expect((await waiting.fetch(new Request('http://localhost/v1/health'))).status).toBe(202)
    const begin = Date.now()
    await waiting.stop()
    expect(Date.now() - begin).toBeLessThan(3_000)
    release.resolve()
    await transaction
  })
})

describe('partitions', () => {
  test('a partitioned table is one table, wherever its rows lie', async () => {
    const table = `parts_${++tableNumber}`
    await cluster.sql.unsafe(`CREATE TABLE ${table} (id int, region text, PRIMARY KEY (id, region)) PARTITION BY LIST (region);
      CREATE TABLE ${table}_a PARTITION OF ${table} FOR VALUES IN ('a'); CREATE TABLE ${table}_b PARTITION OF ${table} FOR VALUES IN ('b');
      INSERT INTO ${table} VALUES (1, 'a'), (2, 'b')`)
    const followed = follow({ table })
    await converges(followed, table)
    await cluster.sql.unsafe(
      `INSERT INTO ${table} VALUES (3, 'a'); UPDATE ${table} SET region = 'b' WHERE id = 1; DELETE FROM ${table} WHERE id = 2`,
    )
    await converges(followed, table)
    expect(followed.failures).toEqual([])
    followed.stop()
  })
})

describe('a request without HTTP', () => {
  const hold = (query: Record<string, string>, on = server) => {
    const answers: Answer[] = []
    const held = on.hold(new URLSearchParams(query), (answer) => answers.push(answer))
    const first = async () => {
      await eventually(() => answers.length > 0)
      return answers[0]!
    }
    return { answers, cancel: () => held.cancel(), first }
  }
  const place = ({ headers }: Pick<Answer, 'headers'>) => ({
    handle: headers['electric-handle']!,
    offset: headers['electric-offset']!,
  })
  /** Reads a shape from its beginning. */
  async function caughtUp(table: string, on = server) {
    const start = await hold({ table, offset: '-1' }, on).first()
    const end = await hold({ table, ...place(start) }, on).first()
    expect(end.headers).toHaveProperty('electric-up-to-date')
    return { start, end, live: { table, live: 'true', cursor: '', ...place(end) } }
  }

  test('is told what one over HTTP is told, snapshot and log', async () => {
    const table = await issuesTable(3)
    const { start, end } = await caughtUp(table)
    const overHttp = await get({ table, offset: '-1' })
    expect(await new Response(start.body).text()).toBe(await overHttp.text())
    for (const [name, value] of Object.entries(start.headers))
      expect([name, overHttp.headers.get(name)]).toEqual([name, value])
    expect(JSON.parse(String(end.body))).toEqual([
      { headers: { control: 'up-to-date', global_last_seen_lsn: expect.any(String) } },
    ])
  })
  test('who waited at the same place is handed the same answer', async () => {
    const table = await issuesTable(1)
    const { live } = await caughtUp(table)
    const before = server.stats().waiters
    const [one, other] = [hold(live), hold(live)]
    await eventually(() => server.stats().waiters === before + 2)
    expect([one.answers, other.answers]).toEqual([[], []])
    await cluster.sql.unsafe(`INSERT INTO ${table} VALUES (7, 'seven')`)
    server.nudge()
    expect(await one.first()).toBe(await other.first())
    const [change, upToDate] = JSON.parse(String(one.answers[0]!.body)) as Message[]
    expect(isChangeMessage(change!) && change.value).toMatchObject({ id: '7', title: 'seven' })
    expect(upToDate!.headers).toMatchObject({ control: 'up-to-date' })
    expect(one.answers[0]!.headers['electric-cursor']).toMatch(/^\d+$/)
    expect(server.stats().waiters).toBe(before)
    // The place it names is where the next wait begins.
    const next = hold({ ...live, ...place(one.answers[0]!) })
    await cluster.sql.unsafe(`DELETE FROM ${table} WHERE id = 7`)
    server.nudge()
    expect(String((await next.first()).body)).toContain('"delete"')
  })
  test('[S6] given up, it is told nothing and leaves nothing behind', async () => {
    const table = await issuesTable(1)
    const { live } = await caughtUp(table)
    const before = server.stats().waiters
    const [gone, early, stays] = [hold(live), hold(live), hold(live)]
    early.cancel()
    await eventually(() => server.stats().waiters === before + 2)
    gone.cancel()
    expect(server.stats().waiters).toBe(before + 1)
    await cluster.sql.unsafe(`INSERT INTO ${table} VALUES (8, 'eight')`)
    await stays.first()
    expect([gone.answers, early.answers]).toEqual([[], []])
  })
  test('waits no longer than it may, starts over when its shape ends, and is refused in words', async () => {
    const impatient = await start({ liveHoldMs: 50, mode: 'closed' })
    try {
      const table = await issuesTable(1)
      const { live } = await caughtUp(table, impatient)
      const empty = await hold(live, impatient).first()
      expect([empty.status, place(empty)]).toEqual([
        200,
        place({ headers: { 'electric-handle': live.handle, 'electric-offset': live.offset } }),
      ])
      expect(JSON.parse(String(empty.body))).toMatchObject([{ headers: { control: 'up-to-date' } }])
      const wrong = await hold({ ...live, table: 'nowhere' }, impatient).first()
      expect([wrong.status, JSON.parse(String(wrong.body))]).toMatchObject([400, { message: 'Invalid request' }])
      expect((await hold({ ...live, live_sse: 'true' }, impatient).first()).status).toBe(400)
    } finally {
      await impatient.stop()
    }
    const table = await issuesTable(1)
    const { live } = await caughtUp(table)
    const before = server.stats().waiters
    const ended = hold(live)
    await eventually(() => server.stats().waiters === before + 1)
    await cluster.sql.unsafe(`TRUNCATE ${table}`)
    server.nudge()
    const { status, headers } = await ended.first()
    expect(status).toBe(409)
    expect(headers['electric-handle']).not.toBe(live.handle)
  })
  test('[S15] a crowd that was just told is left alone for a moment, and then told together', async () => {
    const table = await issuesTable(1)
    const { live } = await caughtUp(table)
    const before = server.stats().waiters
    const crowd = Array.from({ length: 1_000 }, () => hold(live))
    await eventually(() => server.stats().waiters === before + crowd.length)
    await cluster.sql.unsafe(`INSERT INTO ${table} VALUES (10, 'ten')`)
    server.nudge()
    const next = { ...live, ...place(await crowd[0]!.first()) }
    // Within the pause: two transactions, one of them before the question.
    await cluster.sql.unsafe(`INSERT INTO ${table} VALUES (11, 'eleven')`)
    server.nudge()
    const again = hold(next)
    await cluster.sql.unsafe(`INSERT INTO ${table} VALUES (12, 'twelve')`)
    server.nudge()
    const told = String((await again.first()).body)
    expect([told.includes('eleven'), told.includes('twelve')]).toEqual([true, true])
    expect(crowd.every(({ answers }) => answers[0] === crowd[0]!.answers[0])).toBe(true)
  })
  test('who is left alone for a moment, in which more comes than a log holds, loses nothing of it', async () => {
    const table = await issuesTable(1)
    const { live } = await caughtUp(table)
    const many = (first: number, count: number) =>
      `INSERT INTO ${table} SELECT n, repeat('x', 1000000) FROM generate_series(${first}, ${first + count - 1}) n`
    const before = hold(live)
    await cluster.sql.unsafe(many(100, 5))
    server.nudge()
    const next = { ...live, ...place(await before.first()) }
    // Written already, and only to be committed: with it, the log is too long for what came before.
    const commit = Promise.withResolvers<void>()
    const written = Promise.withResolvers<void>()
    const last = cluster.sql.begin(async (tx) => {
      await tx.unsafe(many(200, 12))
      written.resolve()
      await commit.promise
    })
    await written.promise
    // Telling takes long here, so that the moment after it does, too: 0.2 s.
    const told = new Promise<Answer>((resolve) => {
      server.hold(new URLSearchParams(next), (answer) => {
        Bun.sleepSync(50)
        resolve(answer)
      })
    })
    const { waiters } = server.stats()
    await eventually(() => server.stats().waiters === waiters + 1)
    await cluster.sql.unsafe(`INSERT INTO ${table} VALUES (6, 'six')`)
    server.nudge()
    let asked = hold({ ...next, ...place(await told) })
    await cluster.sql.unsafe(`INSERT INTO ${table} VALUES (7, repeat('x', 900000))`)
    commit.resolve()
    await last
    server.nudge()
    const ids: string[] = []
    // All of it or, as it is in no log any more, word to read anew.
    while (!ids.includes('211')) {
      const answer = await asked.first()
      if (answer.status === 409) break
      const found = (JSON.parse(String(answer.body)) as Message[]).filter(isChangeMessage)
      ids.push(...found.map((m) => String(m.value.id)))
      asked = hold({ ...next, ...place(answer) })
    }
    asked.cancel()
    expect(ids.includes('7') || !ids.includes('211')).toBe(true)
  })
  test('ends with the server', async () => {
    const leaving = await start()
    const { live } = await caughtUp(await issuesTable(1), leaving)
    const before = leaving.stats().waiters
    const waiting = hold(live, leaving)
    await eventually(() => leaving.stats().waiters === before + 1)
    await leaving.stop()
    expect((await waiting.first()).status).toBe(503)
  })
})
