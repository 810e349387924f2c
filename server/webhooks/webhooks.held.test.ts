import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { pino } from 'pino'
import { type TestDatabase, testDatabase } from '../../tests/support/postgres.ts'
import { until } from '../../tests/support/stack.ts'
import type { Events } from '../events/bus.ts'
import { watchOthers, workerName } from '../jobs/left.ts'
import { ALIVE, createAlive } from '../leases/alive.ts'
import type { Outside } from '../outside/outside.ts'
import { createSealer, sealText } from '../seal.ts'
import { newWebhookSecret } from '../signing.ts'
import { startWebhooks, type WebhookSender } from './webhooks.deliver.ts'
import { placeOf } from './webhooks.queries.ts'

setDefaultTimeout(60_000)

const log = pino({ level: 'silent' })
const sealer = createSealer(Buffer.alloc(32, 7))
let database: TestDatabase
let senders: WebhookSender[] = []
let webhookId: number

beforeEach(async () => {
  database = await testDatabase({ max: 10 })
  senders = []
  const { sql } = database
  const [company] = await sql<{ id: number }[]>`INSERT INTO companies (name) VALUES ('Padaria') RETURNING id`
  const [hook] = await sql<{ id: number }[]>`
    INSERT INTO webhooks ("companyId", url, events, secret, active)
    VALUES (${company!.id}, 'https://example.com/', '{message.sent}', 's', true) RETURNING id`
  webhookId = hook!.id
  const secret = sealText(sealer, JSON.stringify({ secret: newWebhookSecret() }), placeOf(webhookId))
  await sql`UPDATE webhooks SET secret = ${secret} WHERE id = ${webhookId}`
  await sql`INSERT INTO webhook_deliveries ("companyId", "webhookId", "eventId", type, payload, "nextAt")
    VALUES (${company!.id}, ${webhookId}, 'event 1', 'message.sent', '{}', now())`
})
afterEach(async () => {
  for (const sender of senders) await sender.stop()
  await database.close()
})

/** A server of which the receiver's answer is known; it says when it was called. */
function server(name: string, called: () => Promise<number>, isSeen = () => true): WebhookSender {
  const outside = { fetch: async () => new Response('', { status: await called() }) } as unknown as Outside
  const events = { emit: () => undefined } as unknown as Events
  const sender = startWebhooks({
    ...{ db: database.db, sql: database.sql, now: () => new Date(), outside, sealer, events, log },
    ...{ name, isSeen, pollMs: 30, renewMs: 50 },
  })
  senders.push(sender)
  return sender
}
const row = async () =>
  (await database.sql`SELECT "state", "tries", "lockedBy" AS by FROM webhook_deliveries`)[0] as {
    state: string
    tries: number
    by: string
  }

/** Watches as another server does. `seen` resolves when it has seen who lives now. */
function watch(silentMs: number, freed: () => void = () => undefined) {
  let queries = 0
  const sql = new Proxy(database.sql, {
    apply: (target, _this, args: Parameters<typeof database.sql>) => {
      queries++
      return target(...args)
    },
  })
  const others = watchOthers({ ...{ sql, alive: ALIVE, freed, log, lookMs: 30, silentMs } })
  // A look begins when the one before has ended.
  const seen = async () => {
    const from = queries
    await until(
      'two looks',
      async () => queries,
      (n) => n >= from + 2,
    )
  }
  return { ...others, seen }
}

test('a server that lives and is not seen calls a receiver once, however long the receiver takes', async () => {
  const [mine, other] = [workerName('one'), workerName('two')]
  let calls = 0
  const answer = Promise.withResolvers<number>()
  server(
    mine,
    () => (calls++, answer.promise),
    () => false,
  )
  await until(
    'the call',
    async () => calls,
    (n) => n === 1,
  )
  // It was seen, and is not any more: its connection has ended, and the server has not.
  const alive = createAlive({ url: database.url, owner: 'one', worker: mine, log, lost: () => undefined })
  await alive.hold()
  let looks = 0
  const others = watch(400, () => void looks++)
  await others.seen()
  await alive.close()
  server(other, async () => (calls++, 200))
  await until(
    'others to take it for dead',
    async () => looks,
    (n) => n > 3,
  )
  await Bun.sleep(300)
  expect(calls).toBe(1)
  answer.resolve(200)
  await until('the outcome', row, ({ state }) => state === 'delivered')
  expect([calls, await row()]).toEqual([1, { state: 'delivered', tries: 1, by: mine }])
  await others.stop()
})

test('what a dead server had taken up just before it died is called by another as soon as it is silent', async () => {
  const [dead, other] = [workerName('one'), workerName('two')]
  const alive = createAlive({ url: database.url, owner: 'one', worker: dead, log, lost: () => undefined })
  await alive.hold()
  let calls = 0
  const others = watch(2_000)
  await others.seen()
  await alive.close()
  await Bun.sleep(1_000)
  // Taken a second after it was seen last.
  await database.sql`UPDATE webhook_deliveries SET "lockedUntil" = now() + interval '90 seconds', "lockedBy" = ${dead}`
  const since = performance.now()
  server(other, async () => (calls++, 200))
  await until('the call', row, ({ state }) => state === 'delivered')
  expect(calls).toBe(1)
  expect(performance.now() - since).toBeGreaterThan(900)
  await others.stop()
})

test('a call that fails at a server that was taken for dead undoes nothing of what the other did', async () => {
  const mine = workerName('one')
  let calls = 0
  const answer = Promise.withResolvers<number>()
  server(mine, () => (calls++, answer.promise))
  await until(
    'the call',
    async () => calls,
    (n) => n === 1,
  )
  await database.sql`UPDATE webhook_deliveries SET "state" = 'delivered', "lockedUntil" = NULL, "lockedBy" = 'another'`
  answer.resolve(500)
  await senders[0]!.stop()
  expect(await row()).toEqual({ state: 'delivered', tries: 0, by: 'another' })
})
