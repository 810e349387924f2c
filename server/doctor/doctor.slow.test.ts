import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import postgres from 'postgres'
import { type Cluster, startCluster } from '../../sync/shape-server/shape-server.fixture.ts'
import { until } from '../../tests/support/stack.ts'
import { migrateDatabase } from '../db/migrate.ts'
import { loopDelay, slowness } from './doctor.slow.ts'

setDefaultTimeout(60_000)

// One of its own: a slot of replication is the whole cluster's.
let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
  await migrateDatabase(cluster.url)
}, 120_000)
afterAll(() => cluster.stop())

const all = async (bounds = {}) => {
  const found = await slowness(cluster.sql, bounds)
  return Object.fromEntries(found.map((finding) => [finding.name, finding]))
}

test('where nothing is slow, nothing is to be done', async () => {
  for (const { name, state } of Object.values(await all())) expect([name, state]).toEqual([name, 'good'])
})

test('who waits for whom is named, and who has a transaction open', async () => {
  const [holder, waiter] = [0, 1].map(() => postgres(cluster.url, { max: 1 })) as [postgres.Sql, postgres.Sql]
  const free = Promise.withResolvers<void>()
  await cluster.sql`INSERT INTO plans (name, users, connections, queues, value) VALUES ('Um', 1, 1, 1, 10)`
  const holding = Promise.withResolvers<number>()
  const held = holder.begin(async (tx) => {
    const [row] = await tx<{ pid: number }[]>`SELECT pg_backend_pid() AS pid FROM plans WHERE name = 'Um' FOR UPDATE`
    holding.resolve(row!.pid)
    await free.promise
  })
  const pid = await holding.promise
  const waits = waiter`UPDATE plans SET value = 11 WHERE name = 'Um'`.execute()
  const { Locks } = await until(
    'the wait to be seen',
    () => all({ longWait: 0, longTransaction: 0 }),
    (found) => found.Locks!.says.includes(`s for ${pid}`),
  )
  expect(Locks).toMatchObject({ state: 'warning', says: expect.stringContaining(`process ${pid} (`) })
  free.resolve()
  await Promise.all([held, waits])
  await Promise.all([holder.end(), waiter.end()])
})

test('a slot that nobody reads is named before it fills the disk', async () => {
  await cluster.sql`SELECT pg_create_logical_replication_slot('left_behind', 'pgoutput')`
  await cluster.sql`INSERT INTO plans (name, users, connections, queues, value) VALUES ('Dois', 1, 1, 1, 10)`
  const { Replication } = await all()
  expect(Replication).toMatchObject({ state: 'warning', says: expect.stringContaining('left_behind is ') })
  expect(Replication!.remedy).toContain('pg_drop_replication_slot')
  await cluster.sql`SELECT pg_drop_replication_slot('left_behind')`
  expect((await all()).Replication).toMatchObject({ state: 'good' })
})

test('the company that makes most of the load is named', async () => {
  const [one, two] = await cluster.sql<{ id: number }[]>`
    INSERT INTO companies (name, email) VALUES ('A', 'a@b.test'), ('B', 'b@b.test') RETURNING id`
  const jobs = (company: number, n: number) => cluster.sql`
    INSERT INTO jobs ("companyId", kind, payload, "runAt") SELECT ${company}, 'x', '{}', now() - interval '1 minute' FROM generate_series(1, ${n})`
  await jobs(one!.id, 3)
  await jobs(two!.id, 40)
  expect((await all()).Load!.says).toContain(`company ${two!.id}: 40 jobs wait; company ${one!.id}: 3 jobs wait`)
})

test('how late the server comes to its work is read of its figures, by the token alone', async () => {
  let says = 'balcao_loop_delay_seconds{of="99 %"} 0.9\n'
  const server = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    fetch: ({ headers }) =>
      new Response(headers.get('authorization') === 'Bearer the-token' ? says : '', { status: 200 }),
  })
  const at = { host: '127.0.0.1', port: server.port! }
  expect(await loopDelay({ ...at, metricsToken: 'the-token' })).toMatchObject({
    ...{ state: 'warning', says: expect.stringContaining('900 ms late') },
  })
  says = 'balcao_loop_delay_seconds{of="99 %"} 0.004\n'
  expect(await loopDelay({ ...at, metricsToken: 'the-token' })).toMatchObject({ state: 'good' })
  expect(await loopDelay({ ...at, metricsToken: 'another' })).toMatchObject({ state: 'warning' })
  expect(await loopDelay({ ...at, metricsToken: undefined })).toMatchObject({ state: 'good' })
  await server.stop(true)
})
