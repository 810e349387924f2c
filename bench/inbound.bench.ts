/**
 * How many messages per second go through the whole pipeline: encrypted stanzas of many people to several linked
 * devices, decrypted by Baileys, journalled, filed as contacts, tickets and messages, and streamed to a browser's shape.
 */
import { until } from '../tests/support/stack.ts'
import type { Bench, Measure } from './measure.ts'
import {
  addCompany,
  cpuSeconds,
  descendantsCpuSeconds,
  link,
  password,
  rounded,
  type Stage,
  startStage,
} from './stage.ts'

const connections = 4
const people = 50
const forMs = Number(process.env['BENCH_SECONDS'] ?? 25) * 1_000
/** So many messages are under way at most: what a server that keeps up has to do, and never an endless backlog. */
const ahead = 2_000

const bench: Bench = {
  name: 'Inbound',
  async run(say) {
    const stage = await startStage()
    try {
      const company = await addCompany(stage, { tickets: 100, messages: 1_000 })
      const api = await stage.stack.login(company.admin.email, password)
      const phones = [await link(stage, api, company.whatsapp.id)]
      while (phones.length < connections) {
        const { id } = (await api('POST', '/whatsapp', { name: `Line ${phones.length + 1}` })) as { id: number }
        phones.push(await link(stage, api, id))
      }
      say('first messages of everybody')
      let sent = 0
      const first = await stored(stage, company.id)
      const burst = async (to: string, each: number) => {
        const answer = (await stage.stack.phone.call('POST', '/ctl/burst', { to, contacts: people, each })) as {
          sent: number
        }
        sent += answer.sent
      }
      for (const phone of phones) await burst(phone, 1)
      await settled(stage, company.id, () => sent)

      say(`everybody writes for ${forMs / 1000} s`)
      const begin = await stored(stage, company.id)
      const startedAt = performance.now()
      const pid = stage.stack.pid() ?? 0
      const spent = () => ({ server: cpuSeconds(pid), database: descendantsCpuSeconds(pid) })
      const before = spent()
      const perSecond: number[] = []
      let arrived = sent
      let last = arrived
      const watch = setInterval(async () => {
        arrived = await unread(stage, company.id)
      }, 200)
      const ticks = setInterval(() => {
        perSecond.push(arrived - last)
        last = arrived
      }, 1_000)
      await Promise.all(
        phones.map(async (phone) => {
          while (performance.now() - startedAt < forMs)
            if (sent - arrived < ahead) await burst(phone, 2)
            else await Bun.sleep(20)
        }),
      )
      await settled(stage, company.id, () => sent)
      const seconds = (performance.now() - startedAt) / 1000
      clearInterval(watch)
      clearInterval(ticks)
      const total = await stored(stage, company.id)
      const after = spent()
      const each = (part: keyof typeof after) =>
        `${part} ${rounded((1_000 * (after[part] - before[part])) / (total - begin), 2)} ms`
      say(`processor time of a message: ${each('server')}, ${each('database')}`)
      say(`${total - begin} messages in ${rounded(seconds)} s; in each second: ${perSecond.join(' ')}`)
      return [measure(total - begin, (total - begin) / seconds, first + sent - total)]
    } finally {
      await stage.stop()
    }
  },
}
export default bench

const measure = (runs: number, rate: number, lost: number): Measure => ({
  name: `Sustained inbound messages, ${connections} connections, ${connections * people} chats, ${forMs / 1000} s and until the journal was empty`,
  target: '≥ 500/s, none lost',
  values: { stored: Math.round(rate), lost },
  unit: '/s',
  runs,
  ok: rate >= 500 && lost === 0,
})

/** Rows. Counting them takes the longer the more they are, so it is done before and after. */
async function stored({ sql }: Stage, companyId: number): Promise<number> {
  const [row] = await sql<{ n: number }[]>`SELECT count(*)::int AS n FROM messages WHERE "companyId" = ${companyId}`
  return row!.n
}

/** What the tickets say they got. */
async function unread({ sql }: Stage, companyId: number): Promise<number> {
  const [row] = await sql<
    { n: number }[]
  >`SELECT sum("unreadMessages")::int AS n FROM tickets WHERE "companyId" = ${companyId}`
  return row!.n
}

/** All messages are filed, and nothing waits in the journal. */
async function settled(stage: Stage, companyId: number, wanted: () => number): Promise<void> {
  await until(
    'all messages',
    () => unread(stage, companyId),
    (n) => n >= wanted(),
    180_000,
  )
  await until(
    'an empty journal',
    () => stage.sql<{ n: number }[]>`SELECT count(*)::int AS n FROM whatsapp_journal`,
    ([row]) => row?.n === 0,
    60_000,
  )
}
