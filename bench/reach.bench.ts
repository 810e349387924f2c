/**
 * Reaching many: a campaign of ten thousand with an agent who writes meanwhile, its pace, a spreadsheet of fifty thousand
 * rows, programs that send, and programs that are told.
 */
import { gapAfter } from '../schema/campaigns/campaigns.pace.ts'
import { campaigns, shippings } from '../schema/campaigns/campaigns.table.ts'
import { contactListItems, contactLists } from '../schema/contact-lists/contact-lists.table.ts'
import { newId } from '../schema/ids.ts'
import { webhookDeliveries } from '../schema/webhooks/webhooks.table.ts'
import { asc, eq } from 'drizzle-orm'
import { type Api, until } from '../tests/support/stack.ts'
import { type Bench, type Measure, often, percentile, spread } from './measure.ts'
import {
  addCompany,
  type Company,
  cpuSeconds,
  descendantsCpuSeconds,
  link,
  password,
  residentMb,
  rounded,
  type Stage,
  startStage,
} from './stage.ts'

const listed = often(10_000)
const paced = often(500)
const imported = often(50_000)
const calls = often(3_000)
const callsAtOnce = 50
/** What they are to reach together. */
const callsPerSecond = 300
const waiting = often(100_000)
const receivers = 50
/** A slow receiver answers after so long. */
const slowMs = 10_000
/** Only these of the five, by the names of their functions. */
const asked = process.env['BENCH_PARTS']
/** What an agent writes while nothing else happens, and while a campaign runs. */
const writings = often(60)

const bench: Bench = {
  name: 'Reaching many',
  async run(say) {
    const stage = await startStage({ OUTBOUND_ALLOW: '127.0.0.1' })
    try {
      const company = await addCompany(stage, { tickets: 100, messages: 1_000 })
      const api = await stage.stack.login(company.admin.email, password)
      phone = await link(stage, api, company.whatsapp.id)
      const measures: Measure[] = []
      for (const part of [bigCampaign, pace, importing, programs, told].filter(
        ({ name }) => !asked || asked.split(',').includes(name),
      ))
        for (const measure of await part(stage, api, company, say)) {
          measures.push(measure)
          say(`${measure.name}: ${JSON.stringify(measure.values)} ${measure.unit}`)
        }
      return measures
    } finally {
      await stage.stop()
    }
  },
}
export default bench

type Part = (
  stage: Stage,
  api: Api & { token: string },
  company: Company,
  say: (text: string) => void,
) => Promise<Measure[]>
/** The company’s, which contacts write to. */
let phone = ''
const rows = (...all: Measure[]): Measure[] => all
const numberOf = (n: number) => `5512${String(900_000_000 + n)}`

/** A list of people whose phones exist, and a campaign to them. */
async function campaignTo(stage: Stage, { id, whatsapp }: Company, from: number, count: number) {
  const { db, stack } = stage
  const [list] = await db
    .insert(contactLists)
    .values({ companyId: id, name: `Lista ${from}` })
    .returning()
  const people = Array.from({ length: count }, (_, i) => numberOf(from + i))
  for (let i = 0; i < count; i += 50)
    await Promise.all(people.slice(i, i + 50).map((number) => stack.phone.contact(number, `Pessoa ${number}`)))
  for (let i = 0; i < count; i += 1_000)
    await db.insert(contactListItems).values(
      people.slice(i, i + 1_000).map((number) => ({
        ...{ companyId: id, contactListId: list!.id, name: `Pessoa ${number}`, number, key: number.slice(2) },
        ...{ isWhatsappValid: true, checkedAt: new Date() },
      })),
    )
  const [made] = await db
    .insert(campaigns)
    .values({
      ...{ companyId: id, name: `Campanha ${from}`, message1: 'Oi {nome}!', whatsappId: whatsapp.id },
      ...{ contactListId: list!.id, seed: from + 1 },
    })
    .returning()
  return made!
}

/** What the machine does for each message; unlike the time it takes, hardly more on a busy one. */
async function spending({ stack, sql }: Stage) {
  const look = async () => {
    const [{ commits }] = (await sql`SELECT sum(xact_commit)::int AS commits FROM pg_stat_database`) as unknown as [
      { commits: number },
    ]
    const server = cpuSeconds(stack.pid()!)
    return { server, others: descendantsCpuSeconds(stack.pid()!), commits }
  }
  const before = await look()
  return async (messages: number): Promise<string> => {
    const after = await look()
    const each = (key: keyof typeof after, scale: number) => rounded(((after[key] - before[key]) * scale) / messages, 2)
    return `for each message: ${each('server', 1_000)} ms of the server, ${each('others', 1_000)} ms of Postgres, ${each('commits', 1)} transactions`
  }
}

const bigCampaign: Part = async (stage, api, company, say) => {
  const { sql, stack } = stage
  await api('POST', '/campaign-settings', { settings: { messageInterval: 0, longerIntervalAfter: 0 } })
  const customer = '5512800000001'
  await stack.phone.contact(customer, 'Vera')
  await stack.phone.call('POST', `/ctl/contacts/${customer}/messages`, { text: 'bom dia', to: phone })
  const ticketId = await until(
    'a ticket',
    async () =>
      (
        await sql<{ id: number }[]>`SELECT t.id FROM tickets t JOIN contacts c ON c.id = t."contactId"
          WHERE c.number = ${customer} AND t."companyId" = ${company.id}`
      )[0]?.id,
    (id) => id !== undefined,
  )
  await api('POST', '/commands', { id: newId(), name: 'tickets.accept', input: { ticketId } })
  /** From the call to WhatsApp's tick. */
  const write = async (): Promise<number> => {
    const id = newId()
    const begin = performance.now()
    await api('POST', '/commands', { id: newId(), name: 'messages.send', input: { id, ticketId, body: 'já vejo' } })
    for (;;) {
      const [row] = await sql<{ ack: number }[]>`SELECT ack FROM messages WHERE id = ${id}`
      if ((row?.ack ?? 0) >= 2) return performance.now() - begin
      await Bun.sleep(2)
    }
  }
  for (let i = 0; i < 5; i++) await write()
  const alone: number[] = []
  for (let i = 0; i < writings; i++) alone.push(await write())
  say(`phones for ${listed} people`)
  const { id } = await campaignTo(stage, company, 0, listed)
  const spent = await spending(stage)
  const begin = performance.now()
  await api('POST', `/campaigns/${id}/start`)
  const [{ planned }] = (await until(
    'the plan',
    () => sql`SELECT extract(epoch FROM "plannedAt" - "startedAt")::float AS planned FROM campaigns WHERE id = ${id}`,
    ([row]) => row?.planned !== null,
    60_000,
  )) as unknown as [{ planned: number }]
  say(`planned in ${rounded(planned, 2)} s`)
  const during: number[] = []
  const sent = async () =>
    (
      await sql<
        { n: number }[]
      >`SELECT count(*)::int AS n FROM shippings WHERE "campaignId" = ${id} AND "sentAt" IS NOT NULL AND ack >= 2`
    )[0]!.n
  for (let left = listed; left > 0; ) {
    if (during.length < writings * 3) during.push(await write())
    else await Bun.sleep(100)
    left = listed - (await sent())
  }
  const perSecond = listed / ((performance.now() - begin) / 1_000)
  say(await spent(listed))
  const [quiet, busy] = [spread(alone), spread(during)]
  return rows(
    {
      name: `Campaign of ${listed.toLocaleString('en')}, from its start until all its rows stand`,
      target: '≤ 3 s',
      values: { total: rounded(planned, 2) },
      unit: 's',
      runs: 1,
      ok: planned <= 3,
    },
    {
      name: 'The same without pauses, on one connection, until WhatsApp has all of it',
      target: '≥ 100/s',
      values: { sent: rounded(perSecond) },
      unit: '/s',
      runs: listed,
      ok: perSecond >= 100,
    },
    {
      name: 'An agent’s own message until WhatsApp has it, alone and while the campaign leaves',
      target: 'p95 ≤ 20 ms more',
      values: { 'p95 alone': quiet.p95, 'p50 meanwhile': busy.p50, 'p95 meanwhile': busy.p95 },
      unit: 'ms',
      runs: during.length,
      ok: busy.p95 - quiet.p95 <= 20,
    },
  )
}

const pace: Part = async (stage, api, company) => {
  const { db } = stage
  const rule = { messageInterval: 1, longerIntervalAfter: 0, greaterInterval: 0 }
  await api('POST', '/campaign-settings', { settings: rule })
  // The settings are kept for a few seconds.
  await Bun.sleep(6_000)
  const campaign = await campaignTo(stage, company, 100_000, paced)
  await api('POST', `/campaigns/${campaign.id}/start`)
  await until(
    'the end of it',
    () => api('GET', `/campaigns/${campaign.id}`) as Promise<{ status: string }>,
    ({ status }) => status === 'FINALIZADA',
    paced * 1_500 + 60_000,
  )
  const rows = await db
    .select({ at: shippings.sentAt })
    .from(shippings)
    .where(eq(shippings.campaignId, campaign.id))
    .orderBy(asc(shippings.sentAt))
  const late = rows.slice(1).map(({ at }, i) => {
    const gap = at!.getTime() - rows[i]!.at!.getTime()
    return gap - gapAfter(rule, i + 1, campaign.seed)
  })
  const mean = late.reduce((sum, ms) => sum + ms, 0) / late.length
  const values = { mean: rounded(mean), p95: rounded(percentile(late, 0.95)), earliest: rounded(Math.min(...late)) }
  return [
    {
      name: `Pace of a campaign against its plan, one second between messages`,
      target: 'mean ≤ 500 ms late, never early',
      values,
      unit: 'ms',
      runs: late.length,
      ok: mean <= 500 && values.earliest >= 0,
    },
  ]
}

const importing: Part = async (stage, api) => {
  const { stack } = stage
  const list = (await api('POST', '/contact-lists', { name: 'Planilha' })) as { id: number }
  const lines = Array.from({ length: imported }, (_, i) => `Pessoa ${i},${numberOf(200_000 + i)},p${i}@example.com`)
  const form = new FormData()
  form.set('file', new Blob([`nome,numero,email\n${lines.join('\n')}\n`]), 'lista.csv')
  const before = residentMb(stack.pid()!)
  let most = before
  let going = true
  const gaps: number[] = []
  const watch = (async () => {
    while (going) {
      const begin = performance.now()
      await (await fetch(`${stack.url}/health`)).body?.cancel()
      gaps.push(performance.now() - begin)
      most = Math.max(most, residentMb(stack.pid()!))
      await Bun.sleep(10)
    }
  })()
  const begin = performance.now()
  const answer = await fetch(`${stack.url}/contact-lists/${list.id}/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.token}` },
    body: form,
  })
  await answer.text()
  const took = (performance.now() - begin) / 1_000
  going = false
  await watch
  const [row] = await stage.sql<
    { n: number }[]
  >`SELECT count(*)::int AS n FROM contact_list_items WHERE "contactListId" = ${list.id}`
  const name = `Import of ${imported.toLocaleString('en')} rows into a list`
  return rows(
    {
      name,
      target: '≤ 30 s',
      values: { total: rounded(took), rows: row!.n },
      unit: 's',
      runs: 1,
      ok: took <= 30 && row!.n === imported,
    },
    {
      name: `${name}: what the server grows by`,
      target: '≤ 150 MB',
      values: { growth: rounded(most - before) },
      unit: 'MB',
      runs: 1,
      ok: most - before <= 150,
    },
    {
      name: `${name}: other requests meanwhile`,
      target: 'longest ≤ 100 ms',
      values: { ...spread(gaps), longest: rounded(Math.max(...gaps)) },
      unit: 'ms',
      runs: gaps.length,
      ok: Math.max(...gaps) <= 100,
    },
  )
}

const programs: Part = async (stage, api, company, say) => {
  const { stack, sql } = stage
  const { token } = (await api('GET', `/whatsapp/${company.whatsapp.id}`)) as { token: string }
  const people = (
    await sql<
      { number: string }[]
    >`SELECT number FROM contacts WHERE "companyId" = ${company.id} AND number IS NOT NULL ORDER BY id LIMIT 100`
  ).map(({ number }) => number)
  for (const number of people) await stack.phone.contact(number, number).catch(() => undefined)
  /** @param pace calls a second that begin; without it each caller begins the next when it is answered */
  const run = async (pace?: number) => {
    const took: number[] = []
    let next = 0
    const begin = performance.now()
    const caller = async () => {
      while (next < calls) {
        const n = next++
        const wait = pace === undefined ? 0 : begin + (n * 1_000) / pace - performance.now()
        if (wait > 0) await Bun.sleep(wait)
        const asked = performance.now()
        const response = await fetch(`${stack.url}/api/messages/send`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ number: people[n % people.length], body: `Aviso ${n}` }),
        })
        await response.body?.cancel()
        if (response.ok) took.push(performance.now() - asked)
        // What anybody may call in a minute is not what is measured.
        else if (response.status === 429) await Bun.sleep(1_000 * Number(response.headers.get('retry-after') ?? 1))
        else throw new Error(`it answered ${response.status}`)
      }
    }
    await Promise.all(Array.from({ length: callsAtOnce }, caller))
    return { took, perSecond: took.length / ((performance.now() - begin) / 1_000) }
  }
  const spent = await spending(stage)
  const { took, perSecond } = await run()
  say(await spent(took.length))
  const values = spread(took)
  // What they said leaves before the next are measured.
  await until(
    'all of it',
    async () => Number((await sql<{ n: string }[]>`SELECT count(*) AS n FROM jobs WHERE kind = 'whatsapp.send'`)[0]!.n),
    (left) => left === 0,
    120_000,
  )
  const paced = await run(callsPerSecond)
  const pacedValues = spread(paced.took)
  return [
    {
      name: `POST /api/messages/send, ${callsAtOnce} at a time, as fast as they are answered`,
      target: 'p95 ≤ 50 ms, ≥ 300/s',
      values: { ...values, 'a second': Math.round(perSecond) },
      unit: 'ms',
      runs: took.length,
      ok: values.p95 <= 50 && perSecond >= 300,
      note: `${callsAtOnce} that are always under way are answered within 50 ms only where a thousand a second are`,
    },
    {
      name: `The same at ${callsPerSecond} a second, ${callsAtOnce} at most at a time`,
      target: 'p95 ≤ 50 ms',
      values: { ...pacedValues, 'a second': Math.round(paced.perSecond) },
      unit: 'ms',
      runs: paced.took.length,
      ok: pacedValues.p95 <= 50,
    },
  ]
}

const told: Part = async (stage, api, company) => {
  const { sql, db } = stage
  const heard: number[] = []
  let all = 0
  const ids = new Set<string>()
  const slow = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1', idleTimeout: 60 },
    fetch: async () => {
      await Bun.sleep(slowMs)
      return new Response('late')
    },
  })
  const quick = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    async fetch(request) {
      const { at } = (await request.json()) as { at: number }
      all++
      ids.add(`${request.url} ${request.headers.get('webhook-id')}`)
      heard.push(Date.now() - at)
      return new Response('ok')
    },
  })
  try {
    const hooks: { id: number; companyId: number }[] = []
    // Ten for each company at most.
    for (let i = 0; i < receivers; i++) {
      const owner = i < 10 ? { company, api } : undefined
      const url = i === 0 ? `http://127.0.0.1:${slow.port}/slow` : `http://127.0.0.1:${quick.port}/${i}`
      if (owner) {
        const { id } = (await owner.api('POST', '/webhooks', { url, events: ['contact.merged'] })) as { id: number }
        hooks.push({ id, companyId: company.id })
        continue
      }
      if (i % 10 === 0) {
        const other = await addCompany(stage, { tickets: 1, messages: 1 })
        const theirs = await stage.stack.login(other.admin.email, password)
        for (let k = 0; k < 10; k++) {
          const at = `http://127.0.0.1:${quick.port}/${i + k}`
          const { id } = (await theirs('POST', '/webhooks', { url: at, events: ['contact.merged'] })) as { id: number }
          hooks.push({ id, companyId: other.id })
        }
      }
    }
    const later = new Date(Date.now() + 3_600_000)
    for (let from = 0; from < waiting; from += 5_000)
      await db.insert(webhookDeliveries).values(
        Array.from({ length: Math.min(5_000, waiting - from) }, (_, k) => {
          const hook = hooks[(from + k) % hooks.length]!
          return {
            ...{ companyId: hook.companyId, webhookId: hook.id, eventId: newId(), type: 'contact.merged' as const },
            ...{ payload: JSON.stringify({ at: 0 }), nextAt: later },
          }
        }),
      )
    await sql`ANALYZE webhook_deliveries`
    const expected = (
      await sql<{ n: number }[]>`SELECT count(*)::int AS n FROM webhook_deliveries WHERE "webhookId" <> ${hooks[0]!.id}`
    )[0]!.n
    const begin = performance.now()
    await sql`UPDATE webhook_deliveries SET "nextAt" = now()`
    await until(
      'all of it',
      async () => all,
      (n) => n >= expected,
      600_000,
    )
    const perSecond = all / ((performance.now() - begin) / 1_000)
    // Now one at a time, beside the slow one that still has thousands waiting.
    heard.length = 0
    const singles = often(200)
    for (let i = 0; i < singles; i++) {
      const hook = hooks[1 + (i % (hooks.length - 1))]!
      const at = Date.now()
      const before = heard.length
      await db.insert(webhookDeliveries).values({
        ...{ companyId: hook.companyId, webhookId: hook.id, eventId: newId(), type: 'contact.merged' as const },
        ...{ payload: JSON.stringify({ at }), nextAt: new Date(at) },
      })
      await until(
        'one more',
        async () => heard.length,
        (n) => n > before,
      )
    }
    const values = spread(heard)
    return [
      {
        name: `${waiting.toLocaleString('en')} events that wait for ${receivers} receivers, one of which takes ${slowMs / 1_000} s: the others’`,
        target: 'none lost, none twice',
        values: { delivered: Math.round(perSecond), lost: expected + singles - ids.size, twice: all - ids.size },
        unit: '/s',
        runs: expected,
        ok: ids.size === expected + singles && all === ids.size,
      },
      {
        name: 'An event written → heard by a quick receiver, while the slow one has thousands waiting',
        target: 'p95 ≤ 1,500 ms, a look each second',
        values,
        unit: 'ms',
        runs: heard.length,
        ok: values.p95 <= 1_500,
      },
    ]
  } finally {
    await slow.stop(true)
    await quick.stop(true)
  }
}
