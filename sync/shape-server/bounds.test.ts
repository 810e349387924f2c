import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { isSoak } from '../../tests/support/dose.ts'
import { type Cluster, eventually, silentLog, startCluster } from './shape-server.fixture.ts'
import { type ShapeServer, startShapeServer } from './shape-server.ts'

setDefaultTimeout(120_000)

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
  await cluster.sql.unsafe(`
    CREATE TABLE letters (id int PRIMARY KEY, company int NOT NULL, body text NOT NULL, at timestamptz NOT NULL DEFAULT now());
    CREATE TABLE small (id int PRIMARY KEY, body text);
    INSERT INTO small SELECT i, 'small ' || i FROM generate_series(1, 20000) i`)
}, 60_000)
afterAll(() => cluster?.stop(), 60_000)

describe('snapshots', () => {
  let server: ShapeServer
  beforeAll(async () => {
    server = await startShapeServer({ databaseUrl: cluster.url, mode: 'open', log: silentLog, replicationId: 'bounds' })
  })
  afterAll(() => server?.stop())
  const get = (query: Record<string, string>) =>
    server.fetch(new Request(`http://localhost/v1/shape?${new URLSearchParams(query)}`))

  test('[S8, S12] an offset that is not there is answered by the snapshot that is: asking again and again takes no other', async () => {
    const first = await get({ table: 'small', offset: '-1' })
    let handle = first.headers.get('electric-handle')!
    const rows = (await first.text()).length
    const handles = new Set([handle])
    for (let i = 0; i < 150; i++) {
      const ahead = await get({ table: 'small', offset: `999999999999_${i}`, handle })
      expect(ahead.status).toBe(409)
      handle = ahead.headers.get('electric-handle')!
      handles.add(handle)
    }
    // Clients remember handles that have expired: none comes twice.
    expect(handles.size).toBe(151)
    expect(server.stats().logBytes).toBeLessThan(rows * 1.5)
    // The last one reads all rows, and hears of what is written then.
    const again = await get({ table: 'small', offset: '-1' })
    expect([again.headers.get('electric-handle'), (await again.text()).length]).toEqual([handle, rows])
    await cluster.sql`INSERT INTO small VALUES (0, 'late')`
    await eventually(async () => {
      server.nudge()
      expect(await (await get({ table: 'small', offset: '0_0', handle })).text()).toContain('late')
    })
  })
  test('[S12] many who ask at once for many shapes are all served, a few snapshots at a time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => get({ table: 'small', where: `id > ${i} AND ${i} = ${i}`, offset: '-1' })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200))
    const [running] = await cluster.sql<{ n: number }[]>`
      SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'shape server'`
    expect(running!.n).toBeLessThanOrEqual(6)
  })
})

describe('one large transaction', () => {
  /** The shape server in a process of its own, whose memory is its alone. */
  async function startAlone() {
    const child = Bun.spawn([process.execPath, '--no-orphans', `${import.meta.dir}/main.ts`], {
      env: {
        PATH: process.env.PATH ?? '',
        HOST: '127.0.0.1',
        DATABASE_URL: cluster.url,
        ELECTRIC_INSECURE: 'true',
        ELECTRIC_PORT: '0',
        ELECTRIC_REPLICATION_STREAM_ID: 'large',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const reader = child.stderr.getReader()
    const decoder = new TextDecoder()
    let said = ''
    while (!said.includes('listens')) said += decoder.decode((await reader.read()).value)
    void (async () => {
      while (!(await reader.read()).done);
    })()
    const url = /"url":"([^"]+)"/.exec(said)?.[1] ?? ''
    return {
      get: (query: Record<string, string>) => fetch(`${url}v1/shape?${new URLSearchParams(query)}`),
      health: () => fetch(`${url}v1/health`),
      /** What it has used of processors. A busy machine makes it late, and adds nothing here. */
      usedMs: () => {
        // After the name, which may have spaces: user and system time, in hundredths of a second.
        const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
        return (Number(fields[11]) + Number(fields[12])) * 10
      },
      residentMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
      stop: async () => {
        child.kill()
        await child.exited
      },
    }
  }

  test.each(isSoak ? [300_000, 1_000_000] : [300_000])(
    '[S14] of %i rows takes no more memory than a small one, and holds up nobody',
    async (count) => {
      await cluster.sql`TRUNCATE letters`
      const server = await startAlone()
      let [most, gap, isTold, isOver] = [0, 0, false, false]
      try {
        const start = async (where: string) => {
          const answer = await server.get({ table: 'letters', where, offset: '-1' })
          await answer.text()
          return answer.headers.get('electric-handle')!
        }
        const [handle, other] = [await start('company = 1'), await start('company = 2')]
        const live = { table: 'letters', offset: '0_inf', live: 'true' }
        const told = server.get({ ...live, where: 'company = 1', handle })
        // A wait ends after 20 s when there was nothing to tell.
        const spared = (async () => {
          for (;;) {
            const answer = await server.get({ ...live, where: 'company = 2', handle: other })
            const text = await answer.text()
            if (answer.status !== 200 || text.includes('"key"')) return [answer.status, text]
          }
        })()
        const before = server.residentMb()
        const watch = (async () => {
          while (!isOver) {
            const asked = server.usedMs()
            await (await server.health()).text()
            // Afterwards this process reads megabytes itself, and asks late.
            if (!isTold) gap = Math.max(gap, server.usedMs() - asked)
            most = Math.max(most, server.residentMb())
            await Bun.sleep(20)
          }
        })()
        await cluster.sql.unsafe(
          `INSERT INTO letters SELECT i, 1, 'Bom dia! Em que podemos ajudar? ' || repeat(md5(i::text), 4) FROM generate_series(1, ${count}) i`,
        )
        expect((await told).status).toBe(409)
        // Another company's clients go on, and hear what comes after it.
        await cluster.sql`INSERT INTO letters VALUES (0, 2, 'Só para esta empresa.')`
        expect(await spared).toEqual([200, expect.stringContaining('Só para esta empresa.')])
        isTold = true
        // Whoever was told to begin anew reads every row.
        let answer = await server.get({ table: 'letters', where: 'company = 1', offset: '-1' })
        const again = answer.headers.get('electric-handle')!
        let rows = 0
        for (;;) {
          expect(answer.status).toBe(200)
          rows += (await answer.text()).split('{"key":').length - 1
          if (answer.headers.has('electric-up-to-date')) break
          answer = await server.get({
            table: 'letters',
            where: 'company = 1',
            handle: again,
            offset: answer.headers.get('electric-offset')!,
          })
        }
        expect(rows).toBe(count)
        isOver = true
        await watch
        // Some 50 MB before the first row.
        expect(before + 350).toBeGreaterThan(most)
        // What it did before it answered somebody else.
        expect(gap).toBeLessThan(1_000)
      } finally {
        isOver = true
        await server.stop()
      }
    },
  )

  test('that two hundred people see by filters of their own is not sent to each of them at once', async () => {
    await cluster.sql`TRUNCATE letters`
    const server = await startAlone()
    let [most, isOver] = [0, false]
    try {
      const held = await Promise.all(
        Array.from({ length: 200 }, async (_, i) => {
          const where = `company = 3 AND id > ${-i}`
          const answer = await server.get({ table: 'letters', where, offset: '-1' })
          await answer.text()
          const handle = answer.headers.get('electric-handle')!
          return { waiting: server.get({ table: 'letters', where, handle, offset: '0_inf', live: 'true' }) }
        }),
      )
      const before = server.residentMb()
      const watch = (async () => {
        while (!isOver) {
          most = Math.max(most, server.residentMb())
          await Bun.sleep(10)
        }
      })()
      await cluster.sql.unsafe(
        `INSERT INTO letters SELECT i, 3, 'Bom dia! ' || repeat(md5(i::text), 20) FROM generate_series(1, 10000) i`,
      )
      const answers = await Promise.all(held.map(async ({ waiting }) => (await waiting).status))
      expect(new Set(answers)).toEqual(new Set([409]))
      isOver = true
      await watch
      expect(before + 300).toBeGreaterThan(most)
    } finally {
      isOver = true
      await server.stop()
    }
  })
})
