import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { testDatabase, type TestDatabase } from '../../tests/support/postgres.ts'
import { connectDatabase, type Database } from './database.ts'

let base: TestDatabase
let line: Server
/** Through a line that can be cut, without a word of Postgres'. */
let through: Database
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
    far.pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve))
  const url = new URL(base.url)
  url.hostname = '127.0.0.1'
  url.port = String((line.address() as { port: number }).port)
  through = connectDatabase(url.href, { max: 1, name: 'balcao-cut' })
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
const lost = /CONNECTION_CLOSED|ECONNRESET/
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
