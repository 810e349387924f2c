import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { pino } from 'pino'
import { type TestDatabase, testDatabase } from '../../tests/support/postgres.ts'
import { until } from '../../tests/support/stack.ts'
import { ALIVE, createAlive } from '../leases/alive.ts'
import { freeOwn, watchOthers, workerName } from './left.ts'

setDefaultTimeout(60_000)

const log = pino({ level: 'silent' })
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  await database.sql`DELETE FROM jobs`
})

const alive = (owner: string, worker: string) =>
  createAlive({ ...{ url: database.url, owner, worker, log }, lost: () => undefined })
const job = (worker: string, seconds = 12) => database.sql`
  INSERT INTO jobs (kind, payload, "lockedBy", "lockedUntil") VALUES ('x', '{}', ${worker}, now() + ${seconds} * interval '1 second')`
const clock = (name: string, holder: string) => database.sql`
  INSERT INTO clock_leases (name, holder, until) VALUES (${name}, ${holder}, now() + interval '10 seconds')`
const locked = async () =>
  (await database.sql`SELECT "lockedBy" AS by FROM jobs WHERE "lockedUntil" IS NOT NULL ORDER BY id`).map(
    (row) => row.by,
  )
const holders = async () => (await database.sql`SELECT holder FROM clock_leases ORDER BY name`).map((row) => row.holder)

test('what a process was at when it died is free as soon as nobody sees it any more, and what the living are at is not', async () => {
  const [dead, living] = [workerName('one'), workerName('two')]
  const [first, second] = [alive('one', dead), alive('two', living)]
  await Promise.all([first.hold(), second.hold()])
  await job(dead)
  await job(living)
  // It was renewed just now: the process lives, and its word was lost.
  await job(dead, 60)
  await clock('a', dead)
  await clock('b', living)
  let freed = 0
  const watch = watchOthers({
    sql: database.sql,
    alive: ALIVE,
    freed: () => void freed++,
    log,
    lookMs: 50,
    silentMs: 500,
  })
  try {
    await Bun.sleep(700)
    expect(await locked()).toEqual([dead, living, dead])
    await first.close()
    await until(
      'the work to be free',
      async () => freed,
      (times) => times > 0,
    )
    expect(await locked()).toEqual([living, dead])
    expect(await holders()).toEqual([living])
  } finally {
    await watch.stop()
    await second.close()
    await database.sql`DELETE FROM clock_leases`
  }
})

test('a server that starts again has at once what its process before was at, and nothing of others', async () => {
  const [before, me, other] = [workerName('one'), workerName('one'), workerName('other')]
  for (const worker of [before, me, other]) await job(worker, 20)
  await clock('a', before)
  await clock('b', other)
  await freeOwn(database.sql, me)
  expect(await locked()).toEqual([me, other])
  expect(await holders()).toEqual([other])
  expect(me).not.toBe(before)
})
