import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { sql } from 'drizzle-orm'
import type postgres from 'postgres'
import { testDatabase, type TestDatabase } from '../../tests/support/postgres.ts'
import { connectDatabase, type Database } from './database.ts'

let base: TestDatabase
let line: Server
/** Through a line that can be cut, without a word of Postgres'. */
let through: Database
/** Where the line begins. */
let lineUrl: string
/** Bytes of Postgres' that a new line carries before it is cut. */
let cutAfter = Number.POSITIVE_INFINITY
const ends = new Set<Socket>()

beforeAll(async () => {
  base = await testDatabase()
  await base.sql`CREATE TABLE written (what text)`
  const { hostname, port } = new URL(base.url)
  line = createServer((near) => {
    const far = connect(Number(port || 5432), hostname)
    for (const end of [near, far]) {
      ends.add(end)
      end.on('error', () => undefined)
      end.on('close', () => ends.delete(end))
    }
    near.pipe(far)
    let left = cutAfter
    far.on('data', (bytes: Buffer) => {
      near.write(bytes.subarray(0, left))
      left -= bytes.length
      if (left < 0) near.end(() => far.destroy())
    })
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve))
  const url = new URL(base.url)
  url.hostname = '127.0.0.1'
  url.port = String((line.address() as { port: number }).port)
  lineUrl = url.href
  through = connectDatabase(lineUrl, { max: 1, name: 'balcao-cut' })
})
afterAll(async () => {
  await through.close()
  line.close()
  await base.close()
})

/** Without a word of Postgres', and as a network device does it, or as a process does that ends. */
const cut = (how: 'reset' | 'closed') => {
  for (const end of ends) {
    if (how === 'reset') end.resetAndDestroy()
    else end.destroy()
  }
}
/** Whatever was said on a line that is gone; 57P01 is Postgres' own word for it. */
const lost = /CONNECTION_CLOSED|ECONNRESET|57P01/
const written = async () => (await base.sql`SELECT what FROM written ORDER BY what`).map(({ what }) => what as string)

test.each(['closed', 'reset'] as const)(
  'a line that is %s within a transaction fails it whole: what it still says later is not written',
  async (how) => {
    let late: Promise<unknown> | undefined
    const broken = through.sql.begin(async (tx) => {
      await tx`INSERT INTO written VALUES ('before')`
      cut(how)
      await Bun.sleep(100)
      // Somebody else has the connection anew.
      await through.sql`SELECT 1`
      late = Promise.allSettled([
        tx`INSERT INTO written VALUES ('late')`,
        tx`INSERT INTO written VALUES (${'x'.repeat(5_000)})`,
      ])
      await late
    })
    await expect(broken).rejects.toThrow(lost)
    await late
    expect(await written()).toEqual([])
    expect(await through.sql`SELECT 1 AS one`).toMatchObject([{ one: 1 }])
  },
)

test.each(['closed', 'reset'] as const)(
  'a line that is %s under a statement of a transaction ends neither the process nor the pool',
  async (how) => {
    for (let round = 0; round < 5; round++) {
      const broken = through.sql.begin(async (tx) => {
        await tx`INSERT INTO written VALUES ('before')`
        setTimeout(() => cut(how), 20 * round)
        // Some of what a transaction does is not waited for one by one.
        const several = [tx`SELECT pg_sleep(1)`, tx`SELECT 1`, tx`SELECT 2`]
        await Promise.allSettled(several)
        await tx`INSERT INTO written VALUES (${'y'.repeat(round * 1_000)})`
      })
      await expect(broken).rejects.toThrow(lost)
      await Bun.sleep(20 * round)
    }
    expect(await written()).toEqual([])
    expect(await through.sql`SELECT 1 AS one`).toMatchObject([{ one: 1 }])
  },
)

test.each(['closed', 'reset'] as const)(
  'a line that is %s under a reserved connection fails what it still says',
  async (how) => {
    const own = await through.sql.reserve()
    await own`SELECT 1`
    cut(how)
    await Bun.sleep(100)
    await through.sql`SELECT 1`
    await expect(own`INSERT INTO written VALUES ('late')`.execute()).rejects.toThrow(lost)
    own.release()
    expect(await written()).toEqual([])
    expect(await through.sql`SELECT 1 AS one`).toMatchObject([{ one: 1 }])
  },
)

// ── nothing is carried from one question to the next ─────────────────────────────────────────

/** Each test has connections of its own: what one leaves behind is not to fail the next. */
async function withPool<T>(max: number, work: (sql: postgres.Sql) => Promise<T>, options = ''): Promise<T> {
  const { sql, close } = connectDatabase(lineUrl + options, { max, name: 'balcao-carried' })
  try {
    return await work(sql)
  } finally {
    await close()
  }
}
const codeOf = (error: unknown) => String((error as { code?: unknown }).code ?? error)
const failing = (question: Promise<unknown>): Promise<string> => question.then(() => 'no error', codeOf)
const isRight = async (sql: postgres.Sql) => expect([...(await sql`SELECT 1 AS one`)]).toEqual([{ one: 1 }])

test('a question that fails after some of its rows takes none from the next answer', () =>
  withPool(1, async (sql) => {
    expect(await failing(sql`SELECT 10 / (5 - i) FROM generate_series(1, 10) i`)).toBe('22012')
    await isRight(sql)
    expect(await failing(sql.unsafe('SELECT 10 / (5 - i) FROM generate_series(1, 10) i'))).toBe('22012')
    await isRight(sql)
    await sql`SET statement_timeout = 100`
    const slow = sql`SELECT i, pg_sleep(CASE WHEN i > 900 THEN 0.2 ELSE 0 END) FROM generate_series(1, 1000) i`
    expect(await failing(slow)).toBe('57014')
    await isRight(sql)
  }))

test('rows and errors of a connection that is lost do not come with the answers of the next', () =>
  withPool(1, async (sql) => {
    await sql`SELECT 1`
    const rows = failing(sql`SELECT i, pg_sleep(CASE WHEN i > 900 THEN 1 ELSE 0 END) FROM generate_series(1, 1000) i`)
    await Bun.sleep(200)
    cut('closed')
    expect(await rows).toMatch(lost)
    await isRight(sql)

    const [{ pid } = { pid: 0 }] = await sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`
    const ended = failing(sql`SELECT pg_sleep(5)`)
    await Bun.sleep(100)
    await base.sql`SELECT pg_terminate_backend(${pid})`
    expect(await ended).toMatch(lost)
    await isRight(sql)
  }))

test('a question that cannot be asked fails alone, not the one before it', () =>
  withPool(1, async (sql) => {
    await sql`SELECT 1`
    const nothing = undefined as unknown as string
    const answers = await Promise.allSettled([
      sql`SELECT pg_sleep(0.1), 1 AS a`,
      sql`SELECT ${nothing} AS b`,
      sql`SELECT 3 AS c`,
      sql.begin((tx) => Promise.all([tx`SELECT 4 AS d`, tx`SELECT ${nothing} AS e`])),
      sql`SELECT 6 AS f`,
    ])
    const said = answers.map((answer) =>
      answer.status === 'rejected' ? codeOf(answer.reason) : Object.keys(answer.value[0] as object).at(-1),
    )
    expect(said).toEqual(['a', 'UNDEFINED_VALUE', 'c', 'UNDEFINED_VALUE', 'f'])
    await isRight(sql)
  }))

test('a transaction that begins behind a hundred waiting questions is a transaction', async () => {
  for (const waiting of [98, 99, 100, 101]) {
    await withPool(1, async (sql) => {
      await sql`SELECT 1`
      const before = Array.from({ length: waiting }, () => sql`SELECT 1 AS a`.execute())
      const taken = sql.begin(async (tx) => {
        await tx`INSERT INTO written VALUES ('taken back')`
        throw new Error('taken back')
      })
      const after = sql`INSERT INTO written VALUES (${`after ${waiting}`})`.execute()
      await Promise.all(before)
      await expect(taken).rejects.toThrow('taken back')
      await after
    })
    expect(await written()).toEqual([`after ${waiting}`])
    await base.sql`DELETE FROM written`
  }
})

test('what is said in a transaction after its end is refused, not written into whatever follows', () =>
  withPool(1, async (sql) => {
    let late = Promise.resolve('never said')
    const ended = sql.begin((tx) => {
      const later = Bun.sleep(50).then(() => {
        late = failing(tx`INSERT INTO written VALUES ('late')`)
      })
      return Promise.all([tx`SELECT 1 / 0`, later])
    })
    expect(await failing(ended)).toBe('22012')
    await sql.begin(async (tx) => {
      await tx`INSERT INTO written VALUES ('of another')`
      await Bun.sleep(150)
    })
    expect(await late).toBe('TRANSACTION_ENDED')
    expect(await written()).toEqual(['of another'])
    await base.sql`DELETE FROM written`
  }))

test('a statement that is prepared anew, because its table changed, writes the same values', () =>
  withPool(1, async (sql) => {
    await base.sql`CREATE TABLE changing (id int, yes boolean, list int[])`
    await base.sql`INSERT INTO changing VALUES (1)`
    const put = () => sql`UPDATE changing SET yes = ${true}, list = ${[1, 2]} WHERE id = ${1} RETURNING *`
    await put()
    await base.sql`ALTER TABLE changing ADD COLUMN more int`
    expect([...(await put())]).toEqual([{ id: 1, yes: true, list: [1, 2], more: null }])
    await base.sql`ALTER TABLE changing ADD COLUMN still_more int`
    // Others wait behind it on the same connection.
    const answers = await Promise.all([put(), sql`SELECT 2 AS b`, sql`SELECT ${3}::int AS c`])
    expect(answers.map((rows) => Object.keys(rows[0]!).at(-1))).toEqual(['still_more', 'b', 'c'])
  }))

test('a question that is taken back takes no other answer along, waiting or not', () =>
  withPool(1, async (sql) => {
    await sql`SELECT 1`
    const first = sql`SELECT pg_sleep(0.2), 1 AS a`.execute()
    const second = sql`SELECT pg_sleep(5), 2 AS b`.execute()
    const third = sql`SELECT 3 AS c`.execute()
    await Bun.sleep(50)
    second.cancel()
    expect(await failing(second)).toBe('57014')
    expect([(await first)[0]!.a, (await third)[0]!.c]).toEqual([1, 3])
    const unsaid = sql`SELECT 4 AS d`.execute()
    unsaid.cancel()
    expect(await failing(unsaid)).toBe('57014')
    await isRight(sql)
  }))

test('wherever a new connection is cut, the question fails and the next one is answered', async () => {
  for (let bytes = 0; bytes < 1_300; bytes += 41) {
    cutAfter = bytes
    await withPool(1, async (sql) => {
      const first = failing(sql`SELECT 1 AS one`)
      expect([bytes, await Promise.race([first, Bun.sleep(3_000).then(() => 'no answer')])]).toEqual([
        bytes,
        expect.stringMatching(/CONNECTION_CLOSED|ECONNRESET|no error/),
      ])
      cutAfter = Number.POSITIVE_INFINITY
      if ((await first) === 'no error') cut('closed')
      await Bun.sleep(5)
      await isRight(sql)
    })
  }
}, 60_000)

test('who listens hears again after the line was away', () =>
  withPool(1, async (sql) => {
    const heard: string[] = []
    const { unlisten } = await sql.listen('heard', (text) => void heard.push(text))
    cutAfter = 0
    cut('reset')
    await Bun.sleep(500)
    cutAfter = Number.POSITIVE_INFINITY
    for (let i = 0; i < 100 && heard.length === 0; i++) {
      await base.sql.notify('heard', 'again')
      await Bun.sleep(50)
    }
    expect(heard[0]).toBe('again')
    await unlisten()
  }))

/**
 * A thousand questions of every sort at once on three connections that fail, time out, are cancelled, are lost and
 * end of their own accord. Each
 * must get its own answer or an error, and of a transaction all is there or nothing.
 */
test.each([1, 2, 3])(
  'in a storm of failures every question gets its own answer (%i)',
  async (seed) => {
    await base.sql`DROP TABLE IF EXISTS storm`
    await base.sql`CREATE TABLE storm (mark int, part int, yes boolean, list int[])`
    const chance = randomOf(seed)
    const below = (n: number) => Math.floor(chance() * n)
    const wrong: string[] = []
    const outcomes: Record<string, number> = {}
    /** Of each transaction: whether it must be there, must not, or nobody knows. */
    const fates = new Map<number, 'kept' | 'gone' | 'unknown'>()

    await withPool(
      3,
      async (sql) => {
        type Question = (mark: number, n: number) => { asked: Promise<unknown>; right: unknown }
        const series = (n: number, mark: number) => Array.from({ length: n }, (_, i) => ({ i: i + 1, mark }))
        const fails = (asked: Promise<unknown>, code: string) => ({ asked: failing(asked), right: code })
        const questions: Question[] = [
          (mark, n) => ({
            asked: sql`SELECT i, ${mark}::int AS mark FROM generate_series(1, ${n}) i`.then((rows) => [...rows]),
            right: series(n, mark),
          }),
          (mark, n) => ({
            asked: sql
              .unsafe(`SELECT i, ${mark} AS mark FROM generate_series(1, ${n}) i`)
              .then((rows: Iterable<unknown>) => [...rows]),
            right: series(n, mark),
          }),
          (mark, n) => ({
            asked: sql
              .unsafe(`SELECT ${mark} AS a; SELECT i FROM generate_series(1, ${n}) i`)
              .then((both) => (both as unknown as unknown[][]).map((rows) => rows.length)),
            right: [1, n],
          }),
          // More than one packet, so that a message comes in parts.
          (mark) => ({
            asked: sql`SELECT repeat(${String(mark % 10)}, 200000) AS text`.then(
              ([row]) => row!.text.length + row!.text[0],
            ),
            right: `200000${mark % 10}`,
          }),
          (mark, n) => {
            const seen: unknown[] = []
            return {
              asked: sql`SELECT i, ${mark}::int AS mark FROM generate_series(1, ${n}) i`
                .forEach((row) => void seen.push({ ...row }))
                .then(() => seen),
              right: series(n, mark),
            }
          },
          (mark, n) => ({
            asked: (async () => {
              const seen: unknown[] = []
              const cursor = sql`SELECT i, ${mark}::int AS mark FROM generate_series(1, ${n}) i`.cursor(7)
              for await (const rows of cursor) seen.push(...rows)
              return seen
            })(),
            right: series(n, mark),
          }),
          (mark, n) => fails(sql`SELECT 10 / (${n}::int - i), ${mark}::int FROM generate_series(1, 200) i`, '22012'),
          (_, n) => fails(sql.unsafe(`SELECT 10 / (${n} - i) FROM generate_series(1, 200) i`), '22012'),
          (mark) => fails(sql`SELECT ${mark}::int FROM nowhere`, '42P01'),
          (mark) => fails(sql`SELECT ${mark}::int, ${undefined as unknown as string}`, 'UNDEFINED_VALUE'),
          (_, n) =>
            fails(
              sql`SELECT i, CASE WHEN i = ${n} THEN pg_cancel_backend(pg_backend_pid()) END, CASE WHEN i > ${n} THEN pg_sleep(1) END FROM generate_series(1, 200) i`,
              '57014',
            ),
          (_, n) =>
            fails(
              sql.begin(async (tx) => {
                await tx`SET LOCAL statement_timeout = 30`
                await tx`SELECT i, pg_sleep(CASE WHEN i > ${n} THEN 1 ELSE 0 END) FROM generate_series(1, 200) i`
              }),
              '57014',
            ),
          (mark, n) => {
            fates.set(mark, 'unknown')
            const work = sql.begin(async (tx) => {
              const part = (i: number) =>
                tx`INSERT INTO storm VALUES (${mark}, ${i}, ${true}, ${[mark, i]}) RETURNING yes, list`
              const rows = await Promise.all([part(1), part(2), part(3)])
              if (rows.some(([row], i) => row!.yes !== true || row!.list[1] !== i + 1))
                wrong.push(`transaction ${mark}`)
              if (n % 3 === 0) throw Object.assign(new Error('taken back'), { code: 'TAKEN_BACK' })
              if (n % 3 === 1) await tx.savepoint((inner) => inner`SELECT 1 / ${0}::int`).catch(() => undefined)
              return 'kept'
            })
            return {
              asked: work.catch(codeOf).then((end) => {
                if (end === 'kept') fates.set(mark, 'kept')
                // Lost while it was to be kept: before it or after, nobody knows.
                else if (!lost.test(String(end)) || n % 3 === 0) fates.set(mark, 'gone')
                return end
              }),
              right: n % 3 === 0 ? 'TAKEN_BACK' : 'kept',
            }
          },
        ]
        const disturb = setInterval(() => {
          const kind = below(4)
          if (kind === 0) cut(below(2) ? 'reset' : 'closed')
          else if (kind === 1)
            void base.sql`ALTER TABLE storm ALTER COLUMN part TYPE ${base.sql.unsafe(below(2) ? 'int' : 'bigint')}`.catch(
              () => undefined,
            )
          else
            void base.sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE application_name = 'balcao-carried' AND datname = current_database() LIMIT 1`.catch(() => undefined)
        }, 120)
        let mark = 0
        const ask = async () => {
          for (let i = 0; i < 25; i++) {
            const question = questions[below(questions.length)]!
            const { asked, right } = question(++mark, 1 + below(150))
            const answer = await Promise.race([asked.catch(codeOf), Bun.sleep(15_000).then(() => 'no answer')])
            // A line that is lost fails whatever is on it.
            const isLost = typeof answer === 'string' && lost.test(answer)
            outcomes[isLost ? 'lost' : 'answered'] = (outcomes[isLost ? 'lost' : 'answered'] ?? 0) + 1
            if (!isLost && !Bun.deepEquals(answer, right))
              wrong.push(`${questions.indexOf(question)}: ${JSON.stringify(answer).slice(0, 200)}`)
            if (below(3) === 0) await Bun.sleep(below(10))
          }
        }
        await Promise.all(Array.from({ length: 40 }, ask))
        clearInterval(disturb)
        // The last disturbance may still end the lines that are open.
        await Bun.sleep(500)
        await Promise.allSettled(Array.from({ length: 3 }, () => sql`SELECT pg_sleep(0.05)`))
        await isRight(sql)
        // In seconds: connections also end of their own accord, in use or not.
      },
      '?max_lifetime=0.3',
    )

    expect(wrong).toEqual([])
    expect(outcomes.answered).toBeGreaterThan(500)
    expect(outcomes.lost).toBeGreaterThan(0)
    const rows = await base.sql<{ mark: number; n: number }[]>`
      SELECT mark, count(*)::int AS n FROM storm WHERE yes AND list = ARRAY[mark, part::int] GROUP BY mark`
    const there = new Map(rows.map(({ mark, n }) => [mark, n]))
    for (const [mark, fate] of fates) {
      const n = there.get(mark) ?? 0
      expect([mark, fate, n]).toEqual([mark, fate, fate === 'kept' ? 3 : fate === 'gone' ? 0 : n === 3 ? 3 : 0])
    }
    const [all] = await base.sql<{ n: number }[]>`SELECT count(*)::int AS n FROM storm`
    expect(all!.n).toBe([...there.values()].reduce((sum, n) => sum + n, 0))
  },
  60_000,
)

/** The same numbers in [0, 1) for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

test('plans are kept in transactions only, where rows are found by their keys', async () => {
  const mode = sql`SELECT current_setting('plan_cache_mode') AS mode`
  const within = await base.db.transaction((tx) => tx.execute(mode))
  const outside = await base.db.execute(mode)
  expect([within[0]!['mode'], outside[0]!['mode']]).toEqual(['auto', 'force_custom_plan'])
})
