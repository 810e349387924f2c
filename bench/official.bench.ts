/**
 * The webhook of the official API: 300 calls a second of ten updates each, two messages of people and eight states with their
 * prices, as Meta asks of a receiver. How long each call waits for its answer, and that whatever was answered is filed.
 */
import { FakeCloudApi, escaped, signatureOf } from '../tests/fakes/cloud-api/server.ts'
import { until } from '../tests/support/stack.ts'
import { type Bench, type Measure, spread } from './measure.ts'
import { addOfficial, rounded, startStage } from './stage.ts'

const perSecond = Number(process.env['BENCH_RATE'] ?? 300)
const seconds = Number(process.env['BENCH_SECONDS'] ?? 60)
const people = 200
const [messagesEach, statesEach] = [2, 8]

const bench: Bench = {
  name: 'Official API',
  async run(say) {
    const fake = await FakeCloudApi.open()
    const stage = await startStage({ CLOUD_API_URL: fake.url, OUTBOUND_ALLOW: '127.0.0.1' })
    try {
      const { app, number, id, webhookPath } = await addOfficial(stage, fake)
      const address = `${stage.stack.url}${webhookPath}`
      const metadata = { display_phone_number: '551130000000', phone_number_id: number.id }
      const bodyOf = (call: number) => {
        const timestamp = String(Math.floor(Date.now() / 1000))
        const messages = Array.from({ length: messagesEach }, (_, i) => {
          const from = `55119${70_000_000 + ((call * messagesEach + i) % people)}`
          return { from, id: `wamid.in.${call}.${i}`, timestamp, type: 'text', text: { body: `Olá ${call}` } }
        })
        const statuses = Array.from({ length: statesEach }, (_, i) => ({
          ...{ id: `wamid.out.${call}.${i >> 1}`, status: i % 2 === 0 ? 'sent' : 'delivered', timestamp },
          recipient_id: '5511970000000',
          pricing: { billable: true, pricing_model: 'PMP', category: 'service', type: 'regular' },
        }))
        const contacts = messages.map(({ from }) => ({ profile: { name: 'Ana' }, wa_id: from }))
        const value = { messaging_product: 'whatsapp', metadata, contacts, messages, statuses }
        return escaped({
          object: 'whatsapp_business_account',
          entry: [{ id: number.account, changes: [{ field: 'messages', value }] }],
        })
      }
      let refused = 0
      const waits: number[] = []
      const post = async (call: number) => {
        const raw = bodyOf(call)
        const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signatureOf(app.secret, raw) }
        const begin = performance.now()
        const status = await fetch(address, { method: 'POST', headers, body: raw }).then(
          async (answer) => (await answer.text(), answer.status),
          () => 0,
        )
        waits.push(performance.now() - begin)
        if (status !== 200) refused++
      }
      for (let call = -20; call < 0; call++) await post(1_000_000 + call)
      waits.length = 0

      say(`${perSecond} calls a second for ${seconds} s`)
      const calls = perSecond * seconds
      const startedAt = performance.now()
      const under: Promise<void>[] = []
      for (let call = 0; call < calls; call++) {
        const due = startedAt + (call * 1_000) / perSecond
        // Each at its time, whether those before were answered or not.
        for (let now = performance.now(); now < due; now = performance.now()) await Bun.sleep(Math.min(5, due - now))
        under.push(post(call))
      }
      await Promise.all(under)
      say(`answered; the last calls are filed`)
      const left = () => stage.sql<{ n: number }[]>`
        SELECT count(*)::int AS n FROM cloud_hooks WHERE "body" IS NOT NULL AND "parkedAt" IS NULL`
      await until('all calls to be filed', left, ([row]) => row!.n === 0, 1_200_000)
      const filedIn = (performance.now() - startedAt) / 1_000
      const [filed] = await stage.sql<{ messages: number; charged: number }[]>`SELECT
        (SELECT count(*)::int FROM messages WHERE "whatsappId" = ${id} AND wid LIKE 'wamid.in.%') AS messages,
        (SELECT count(*)::int FROM message_costs WHERE "whatsappId" = ${id} AND "day" IS NOT NULL) AS charged`
      const all = calls + 20
      const lost = all * messagesEach - filed!.messages + (all * statesEach) / 2 - filed!.charged
      say(`all of it was filed ${rounded(filedIn - seconds)} s after the last call`)
      return [measure(waits, lost, refused)]
    } finally {
      await stage.stop()
      await fake.stop()
    }
  },
}
export default bench

function measure(waits: readonly number[], lost: number, refused: number): Measure {
  const { p50, p95, p99 } = spread(waits)
  return {
    name: `Webhook of the official API answered, ${perSecond} calls a second of ${messagesEach + statesEach} updates each, ${seconds} s`,
    target: 'p50 ≤ 50 ms, p99 ≤ 250 ms, none lost',
    values: { p50, p95, p99, lost, refused },
    unit: 'ms',
    runs: waits.length,
    ok: p50 <= 50 && p99 <= 250 && lost === 0 && refused === 0,
  }
}
