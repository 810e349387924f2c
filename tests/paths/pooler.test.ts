import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql as query } from 'drizzle-orm'
import { newId, widOf } from '../../schema/ids.ts'
import { connectDatabase } from '../../server/db/database.ts'
import { Engine } from '../../sync/client/engine.ts'
import { memoryStorage } from '../../sync/client/outbox.dexie.ts'
import { agent, memoryReplica } from '../../sync/client/replica.fixture.ts'
import { type Cluster, startCluster } from '../../sync/shape-server/shape-server.fixture.ts'
import { dose } from '../support/dose.ts'
import { findPgbouncer, type Pooler, startPgbouncer } from '../support/pgbouncer.ts'
import { adminEmail, adminPassword, type Api, type Arrived, type Stack, startStack, until } from '../support/stack.ts'

/**
 * Two servers whose statements go through PgBouncer in transaction mode. It is killed under traffic, and so is the server
 * that speaks: afterwards everything is there once. Skipped where PgBouncer is not, and cannot be installed.
 */
const pgbouncer = await findPgbouncer()
if (!pgbouncer)
  process.stderr.write('PgBouncer is not installed, and only root can: no server is run behind a pooler\n')
const behind = test.skipIf(!pgbouncer)

let cluster: Cluster
let pooler: Pooler
let servers: Stack[] = []
let api: Api & { token: string }
let whatsappId: number
let browser: Engine
const lia = { number: '5511970000021', name: 'Lia Moura' }
let ticket: { id: number; contactId: number }

beforeAll(async () => {
  if (!pgbouncer) return
  cluster = await startCluster()
  pooler = await startPgbouncer(pgbouncer, cluster.url, { servers: 8 })
  const env = {
    DATABASE_URL: cluster.url,
    DATABASE_POOLER_URL: pooler.url,
    JWT_SECRET: 'the-same-at-every-server-thirty-two-characters',
    ENCRYPTION_KEY: Buffer.alloc(32, 3).toString('base64'),
  }
  const first = await startStack({ env })
  servers = [first, await startStack({ env, beside: first })]
  api = await first.login(adminEmail, adminPassword)
  whatsappId = ((await api('POST', '/whatsapp', { name: 'Main' })) as { id: number }).id
  await first.pair(api, whatsappId)
  await first.phone.contact(lia.number, lia.name)
  await first.phone.write(lia.number, 'first')
  const { tickets } = await until(
    'a ticket',
    () =>
      api('GET', '/tickets?showAll=true&status=pending') as Promise<{
        tickets: { id: number; contact: { id: number } }[]
      }>,
    (page) => page.tickets.length === 1,
  )
  ticket = { id: tickets[0]!.id, contactId: tickets[0]!.contact.id }
  await api('POST', '/commands', { id: newId(), name: 'tickets.accept', input: { ticketId: ticket.id } })
  const me = (await api('GET', '/auth/me')) as { id: number; companyId: number }
  browser = new Engine({
    who: { ...agent, userId: me.id, companyId: me.companyId, profile: 'admin', super: true },
    // The one that is not killed.
    baseUrl: servers[1]!.url,
    token: async () => api.token,
    storage: memoryStorage(),
    openDatabase: memoryReplica,
    fetch,
    WebSocket,
    hasNetwork: () => true,
    statusChanged: () => undefined,
    outboxChanged: () => undefined,
  })
  await browser.start()
}, 180_000)

afterAll(async () => {
  await browser?.close()
  for (const server of servers.toReversed()) await server.stop()
  await pooler?.stop()
  await cluster?.stop()
}, 90_000)

const textOf = ({ message }: Arrived) => message.conversation ?? message.extendedTextMessage?.text ?? ''

/** Sends a command by one server after the other, under one key, until one of them has answered. */
async function send(command: { id: string; name: string; input: unknown }): Promise<void> {
  for (let turn = 0; ; turn++) {
    const response = await fetch(`${servers[turn % 2]!.url}/commands`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${api.token}` },
      body: JSON.stringify(command),
      signal: AbortSignal.timeout(5_000),
    }).catch(() => undefined)
    if (response?.ok) return
    if (response && response.status < 500)
      throw new Error(`${command.name}: ${response.status} ${await response.text()}`)
    await Bun.sleep(20)
  }
}

behind('of many statements at once each gets its own answer', async () => {
  const { sql, db, close } = connectDatabase(pooler.url, { max: 12, pooled: true })
  try {
    const numbers = Array.from({ length: dose(600, 10_000) }, (_, i) => i)
    const answered = await Promise.all(
      numbers.map(async (n) => {
        if (n % 3 === 0) return (await sql<{ n: number }[]>`SELECT ${n}::int AS n`)[0]!.n
        if (n % 3 === 1) return (await sql.unsafe<{ n: number }[]>(`SELECT ${n} AS n`))[0]!.n
        return db.transaction(
          async (tx) =>
            (await tx.execute<{ n: number }>(query`SELECT ${n}::int AS n, ${query.param([n])}::int[] AS all`))[0]!.n,
        )
      }),
    )
    expect(answered).toEqual(numbers)
  } finally {
    await close()
  }
})

behind('statements go through the pooler, and only what may not goes by it', async () => {
  const [pool] = await pooler.show('pools')
  expect(pool).toMatchObject({ pool_mode: 'transaction' })
  // Whoever speaks to Postgres itself has a name of its own.
  const rows = await cluster.sql<{ name: string; n: number }[]>`
    SELECT application_name AS name, count(*)::int AS n FROM pg_stat_activity
    WHERE datname IS NOT NULL AND pid <> pg_backend_pid() AND application_name <> 'postgres.js' GROUP BY 1 ORDER BY 1`
  // PgBouncer's own have none while nobody uses them.
  expect(rows.map(({ name }) => name).filter(Boolean)).toEqual([
    'balcao',
    'balcao alive',
    'balcao ears',
    'shape server',
    'shape server replication',
  ])
  const statements = rows.find(({ name }) => name === 'balcao')!.n
  expect(statements).toBeLessThanOrEqual(8)
})

behind(
  'the pooler is killed again and again under traffic, then the server that speaks: nothing is lost, nothing doubled',
  async () => {
    const written = new Map<string, string>()
    const sent = new Map<string, string>()
    const due: string[] = []
    let going = true
    const traffic = [
      (async () => {
        for (let i = 1; going; i++) {
          const text = `in ${i}`
          written.set(await servers[0]!.phone.write(lia.number, text), text)
          await Bun.sleep(50 + Math.random() * 100)
        }
      })(),
      (async () => {
        for (let i = 1; going; i++) {
          const id = newId()
          sent.set(widOf(id), `out ${i}`)
          const input = { id, ticketId: ticket.id, body: `out ${i}` }
          await send({ id: newId(), name: 'messages.send', input })
          await Bun.sleep(50 + Math.random() * 100)
        }
      })(),
      (async () => {
        for (let i = 1; going; i++) {
          const body = `due ${i}`
          const sendAt = new Date(Date.now() + 1_000).toISOString()
          const input = { id: newId(), contactId: ticket.contactId, body, sendAt }
          await send({ id: newId(), name: 'schedules.create', input })
          due.push(body)
          await Bun.sleep(1_000)
        }
      })(),
    ]
    const arrivedSince = async (count: number) => {
      const [row] = await cluster.sql<{ n: number }[]>`SELECT count(*)::int AS n FROM messages WHERE "body" LIKE 'in %'`
      return row!.n > count
    }
    for (let round = 0; round < dose(2, 12); round++) {
      await Bun.sleep(700)
      await pooler.kill()
      await Bun.sleep(Math.random() * 1_500)
      await pooler.start()
      const before = written.size
      await until('traffic after the pooler is back', () => arrivedSince(before), Boolean, 90_000)
    }
    const since = Date.now()
    await servers[0]!.kill()
    await until(
      'the other server to take over',
      async () =>
        ((await servers[1]!.as(api.token)('GET', '/health')) as { connections: { openHere: number } }).connections
          .openHere === 1,
      Boolean,
    )
    const tookMs = Date.now() - since
    await servers[0]!.start()
    going = false
    await Promise.all(traffic)
    process.stderr.write(
      `behind the pooler: taken over after ${tookMs} ms; ${written.size} in, ${sent.size} out, ${due.length} due\n`,
    )
    expect(tookMs).toBeLessThan(15_000)

    const stored = () => cluster.sql<{ wid: string; body: string }[]>`
      SELECT "wid", "body" FROM messages WHERE NOT "fromMe" AND "body" LIKE 'in %'`
    const rows = await until('every message', stored, (all) => all.length >= written.size, 60_000)
    const wanted = [...written].map(([wid, text]) => `${wid} ${text}`).sort()
    expect(rows.map(({ wid, body }) => `${wid} ${body}`).sort()).toEqual(wanted)
    const out = [...sent.values(), ...due].sort()
    // A phone shows a repeated id once, so ids count, not arrivals.
    const arrived = async () => {
      const all = new Map((await servers[0]!.phone.inbox(lia.number)).map((one) => [one.id, textOf(one)]))
      return [...all.values()].filter((text) => /^(out|due) /.test(text)).sort()
    }
    await until('all answers', arrived, (list) => list.length >= out.length, 60_000)
    expect(await arrived()).toEqual(out)
    // And in the browser, whose rows come by replication.
    const seen = async () =>
      (await browser.query(`SELECT "body" FROM messages WHERE "body" LIKE 'in %'`, [])).map(
        (row) => (row as { body: string }).body,
      )
    await until('the browser to have all', seen, (all) => all.length >= written.size, 60_000)
    expect((await seen()).sort()).toEqual([...written.values()].sort())
  },
  300_000,
)
