/**
 * The past of a phone that shares its number with the official API: 100,000 messages of a thousand people, told in chunks of
 * a hundred in no order. How long it takes until all of it is filed, and what an agent's own message takes meanwhile.
 */
import { newId } from '../schema/ids.ts'
import { FakeCloudApi, type FakePerson } from '../tests/fakes/cloud-api/server.ts'
import { until } from '../tests/support/stack.ts'
import { type Bench, type Measure, often, spread } from './measure.ts'
import { addOfficial, officialVerifyToken, rounded, startStage } from './stage.ts'

const people = 1_000
const each = Number(process.env['BENCH_EACH'] ?? 100)
const all = people * each
const writings = often(100)
/** To one person the service takes forty-five at once; an agent writes to as many. */
const served = 20
const PAUSE_MS = 100
const MOST_MS = 900_000

const bench: Bench = {
  name: 'History of a phone',
  async run(say) {
    const fake = await FakeCloudApi.open()
    const stage = await startStage({ CLOUD_API_URL: fake.url, OUTBOUND_ALLOW: '127.0.0.1' })
    try {
      const { company, api, app, number, id, webhookPath } = await addOfficial(stage, fake, { coexistence: true })
      await fake.setCallback(app, `${stage.stack.url}${webhookPath}`, officialVerifyToken)
      fake.subscribed.set(number.account, new Set([app]))

      const customers: { person: FakePerson; ticketId: number }[] = []
      for (let n = 0; n < served; n++) {
        const person = fake.person()
        await fake.text(person, number, 'bom dia')
        const [row] = await until(
          'a ticket',
          () => stage.sql<{ id: number }[]>`SELECT t.id FROM tickets t JOIN contacts c ON c.id = t."contactId"
            WHERE c.number = ${person.number} AND t."companyId" = ${company.id}`,
          (rows) => rows.length > 0,
        )
        await api('POST', '/commands', { id: newId(), name: 'tickets.accept', input: { ticketId: row!.id } })
        customers.push({ person, ticketId: row!.id })
      }
      let written = 0
      /** From the call until the service has it. */
      const write = async (): Promise<number> => {
        const { person, ticketId } = customers[written++ % served]!
        const before = person.inbox.length
        const begin = performance.now()
        const input = { id: newId(), ticketId, body: 'já vejo' }
        await api('POST', '/commands', { id: newId(), name: 'messages.send', input })
        while (person.inbox.length === before) await Bun.sleep(1)
        const took = performance.now() - begin
        await Bun.sleep(PAUSE_MS)
        return took
      }
      for (let n = 0; n < served; n++) await write()
      const alone: number[] = []
      for (let n = 0; n < writings; n++) alone.push(await write())

      say(`${all.toLocaleString('en')} messages of the phone`)
      const newest = Date.now() - 3_600_000
      const lines = (person: number) =>
        Array.from({ length: each }, (_, n) => ({
          ...{ id: `wamid.past.${person}.${n}`, fromMe: n % 3 === 0, at: newest - (each - n) * 1_500_000 - person },
          message: { type: 'text', text: { body: `Mensagem ${n}: palavras de um cliente` } },
        }))
      number.past = {
        threads: new Map(Array.from({ length: people }, (_, n) => [`55319${70_000_000 + n}`, lines(n)])),
        book: new Map(Array.from({ length: people }, (_, n) => [`55319${70_000_000 + n}`, `Cliente ${n}`])),
        asked: [],
      }
      const begin = performance.now()
      await api('POST', `/whatsapp/${id}/official/history`)
      const during: number[] = []
      const past = async () =>
        (
          (await api('GET', `/whatsapp/${id}/official`)) as {
            history: { state: string; waiting: number; count: number }
          }
        ).history
      for (let found = await past(); !(found.state === 'told' && found.waiting === 0 && found.count >= all); ) {
        if (performance.now() - begin > MOST_MS) throw new Error(`it ended at ${JSON.stringify(found)}`)
        if (during.length < 30 * served) during.push(await write())
        else await Bun.sleep(PAUSE_MS)
        found = await past()
      }
      const seconds = (performance.now() - begin) / 1_000
      const [filed] = await stage.sql<{ n: number; unread: number }[]>`SELECT count(*)::int AS n,
        count(*) FILTER (WHERE NOT "read")::int AS unread FROM messages
        WHERE "whatsappId" = ${id} AND wid LIKE 'wamid.past.%'`
      const [quiet, busy] = [spread(alone), spread(during)]
      const measures: Measure[] = [
        {
          name: `History of a phone, ${all.toLocaleString('en')} messages of ${people.toLocaleString('en')} people, until all is filed`,
          target: '≤ 5 min, none lost, none unread',
          values: { total: rounded(seconds), lost: all - filed!.n, unread: filed!.unread },
          unit: 's',
          runs: 1,
          ok: seconds <= 300 && filed!.n === all && filed!.unread === 0,
        },
        {
          name: 'An agent’s own message until the official API has it, alone and while the history is filed',
          target: 'p95 ≤ 20 ms more',
          values: { 'p95 alone': quiet.p95, 'p50 meanwhile': busy.p50, 'p95 meanwhile': busy.p95 },
          unit: 'ms',
          runs: during.length,
          ok: busy.p95 - quiet.p95 <= 20,
        },
      ]
      return measures
    } finally {
      await stage.stop()
      await fake.stop()
    }
  },
}
export default bench
