import { afterAll, beforeAll, expect, test } from 'bun:test'
import { drizzle } from 'drizzle-orm/postgres-js'
import { pino } from 'pino'
import { centsOfMicros, costOf, spansOf } from '../../schema/costs/costs.price.ts'
import { CloudWorld } from '../../server/cloud/cloud.fixture.ts'
import { countedOf, pricesOf } from '../../server/costs/costs.queries.ts'
import { companyFacts } from '../../server/settings/settings.facts.ts'
import { createReceiver } from '../../server/tickets/receive.ts'
import { FakeInvoice } from '../fakes/cloud-api/invoice.ts'
import { escaped, signatureOf } from '../fakes/cloud-api/server.ts'
import { dose } from '../support/dose.ts'

/**
 * The ledger against what the service charges: states that are doubled, skipped, shuffled and batched, through the real
 * webhook's door, its worker and the product's receiver.
 */
let world: CloudWorld
beforeAll(async () => {
  world = await CloudWorld.open()
  const { db } = world.database
  const receive = createReceiver({ db, now: () => new Date(), facts: companyFacts(db, 0), committed: () => undefined })
  world.receive = (events) => receive(events)
})
afterAll(() => world.close())

const statuses = dose(5_000, 1_000_000)
const seed = Number(process.env['FUZZ_SEED'] ?? 28)
/** Updates of one webhook. */
const MOST_UPDATES = 1_000

/** Numbers from 0 to 1 that follow from a seed. */
function chanceOf(from: number): () => number {
  let state = from | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

test(
  `the ledger and the service's invoice are equal to the cent, over ${statuses} states`,
  async () => {
    const { cloud, ...first } = await world.linked()
    const second = await world.connection({ app: first.app })
    const lines = [first, second]
    const chance = chanceOf(seed)
    const invoice = new FakeInvoice()
    // So that they run out, also in a small dose.
    invoice.free = Math.min(1_000, Math.round(statuses / 40))
    const begun = Date.parse('2026-10-01T03:00:00Z')
    const length = Date.parse('2026-11-29T00:00:00Z') - begun
    const categories = ['service', 'service', 'service', 'marketing', 'utility', 'authentication']

    let waiting: { number: number; status: Record<string, unknown> }[] = []
    let [told, messages] = [0, 0]
    async function leave() {
      for (let i = waiting.length - 1; i > 0; i--) {
        const j = Math.floor(chance() * (i + 1))
        ;[waiting[i], waiting[j]] = [waiting[j]!, waiting[i]!]
      }
      for (let at = 0; at < waiting.length; at += MOST_UPDATES) {
        const part = waiting.slice(at, at + MOST_UPDATES)
        const changes = lines.flatMap(({ number }, which) => {
          const own = part.filter((one) => one.number === which).map(({ status }) => status)
          const metadata = { display_phone_number: '5511300000000', phone_number_id: number.id }
          const value = { messaging_product: 'whatsapp', metadata, statuses: own }
          return own.length === 0 ? [] : [{ field: 'messages', value }]
        })
        const body = {
          object: 'whatsapp_business_account',
          entry: [{ id: first.number.account, at: told + at, changes }],
        }
        const raw = escaped(body)
        const hook = world.hookUrl(first.app).split('/').at(-1)!
        expect(await cloud.inbox.take(hook, Buffer.from(raw), signatureOf(first.app.secret, raw))).toBe('kept')
      }
      told += waiting.length
      waiting = []
    }

    while (told + waiting.length < statuses) {
      const i = messages++
      const which = chance() < 0.7 ? 0 : 1
      const { number } = lines[which]!
      const category = categories[Math.floor(chance() * categories.length)]!
      const at = begun + Math.floor((chance() * length) / 1_000) * 1_000
      const wamid = `wamid.${seed}.${i}`
      const state = (status: string, ms: number, more: Record<string, unknown> = {}) => {
        const own = { id: wamid, status, timestamp: String(ms / 1_000), recipient_id: '5511980000001', ...more }
        for (let n = chance() < 0.3 ? 2 + Math.floor(chance() * 2) : 1; n > 0; n--)
          waiting.push({ number: which, status: own })
      }
      // What only left is never charged.
      const expected = invoice.expected(number.id, category, at)
      // Until it is delivered others may have used the free ones up.
      if (category === 'service' && chance() < 0.05) expected.type = 'regular'
      if (chance() < 0.9) state('sent', at, { pricing: expected })
      if (chance() < 0.08) {
        if (chance() < 0.5) state('failed', at + 1_000, { errors: [{ code: 131026 }] })
        continue
      }
      const deliveredAt = at + Math.floor(chance() * 90) * 1_000
      const pricing = { pricing: invoice.delivered(number.id, wamid, category, deliveredAt) }
      const isRead = chance() < 0.6
      // One of the two carries the price, and the other may be missing.
      const byRead = isRead && chance() < 0.4
      const readAt = deliveredAt + (byRead ? 0 : Math.floor(chance() * 3_600) * 1_000)
      if (!byRead || chance() < 0.5) state('delivered', deliveredAt, byRead ? {} : pricing)
      if (isRead && (byRead || chance() < 0.8)) state('read', readAt, byRead ? pricing : {})
      if (waiting.length >= 5_000) await leave()
    }
    await leave()
    const { sql } = world.database
    for (;;) {
      const [row] = await sql<{ waits: number }[]>`
        SELECT count(*)::int AS waits FROM cloud_hooks WHERE "body" IS NOT NULL`
      if (row!.waits === 0) break
      await Bun.sleep(50)
    }

    const db = drizzle(sql)
    const counted = await countedOf(db, world.companyId, { from: '2026-10-01', to: '2026-12-31' })
    const cost = costOf([...counted.values()].flat(), spansOf(await pricesOf(db, world.companyId), 'BRL'))
    const { cents, ...bill } = invoice.total()
    expect({ cents: centsOfMicros(cost.micros), messages: cost.messages, free: cost.free }).toEqual({ cents, ...bill })
    expect(cost).toMatchObject({ unknown: 0, unpriced: 0 })
    const days = (list: Iterable<{ day: string; category: string; type: string; n: number }>) => {
      const sums = new Map<string, number>()
      for (const { day, category, type, n } of list)
        sums.set(`${day} ${category} ${type}`, (sums.get(`${day} ${category} ${type}`) ?? 0) + n)
      return Object.fromEntries([...sums].sort())
    }
    const ofInvoice = invoice.lines.values().map((line) => ({
      ...line,
      day: new Date(line.at - 3 * 3_600_000).toISOString().slice(0, 10),
      n: 1,
    }))
    expect(days([...counted.values()].flat())).toEqual(days(ofInvoice))
    const [sums] = await sql`SELECT
      (SELECT count(*)::int FROM message_costs WHERE "day" IS NOT NULL) AS rows,
      (SELECT sum("n")::int FROM cost_days) AS days`
    expect(sums).toEqual({ rows: bill.messages, days: bill.messages })
    if (statuses > 100_000) pino().info({ statuses: told, messages, cents }, 'the ledger is the invoice')
  },
  { timeout: 3_600_000 },
)
