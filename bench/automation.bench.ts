/**
 * What answering by itself costs: messages of many people that are each answered with a menu, through the whole pipeline;
 * an event of a flow with the database; and flows in which ten thousand contacts wait.
 */
import { asc, eq } from 'drizzle-orm'
import { newId } from '../schema/ids.ts'
import { flow, facts } from '../schema/flows/flows.fixture.ts'
import { newRun } from '../schema/flows/flows.run.ts'
import { frozen } from '../schema/flows/flows.rows.ts'
import { step } from '../schema/flows/flows.step.ts'
import { flowRuns, flows, flowVersions } from '../schema/flows/flows.table.ts'
import { tickets } from '../schema/tickets/tickets.table.ts'
import { rulesFacts } from '../server/automation/automation.facts.ts'
import { createGraphs } from '../server/automation/automation.graphs.ts'
import { type RunsDeps, wakeRuns } from '../server/automation/automation.runs.ts'
import { createLogger } from '../server/log.ts'
import { companyFacts } from '../server/settings/settings.facts.ts'
import { type Api, until } from '../tests/support/stack.ts'
import { type Bench, type Measure, often, spread, time } from './measure.ts'
import { addCompany, type Company, link, password, rounded, type Stage, startStage } from './stage.ts'

const connections = 4
const people = 50
const forMs = often(20) * 1_000
/** So many messages are under way at most. */
const ahead = 1_000
const perSecond = 50
const writers = 100
const waiting = 10_000
/** So many events go before those that are timed: a server that runs has met the code before. */
const warm = often(100)

const bench: Bench = {
  name: 'Automation',
  async run(say) {
    const measures: Measure[] = []
    const stage = await startStage()
    try {
      const company = await addCompany(stage, { tickets: 100, messages: 1_000 })
      const api = await stage.stack.login(company.admin.email, password)
      await api('POST', '/queue', { name: 'Suporte', color: '#123456', greetingMessage: 'Olá' })
      const queueIds = (
        await stage.sql<{ id: number }[]>`SELECT id FROM queues WHERE "companyId" = ${company.id} ORDER BY id`
      ).map(({ id }) => id)
      measures.push(await answers(stage, api, company, queueIds, say))
      measures.push(await firstAnswer(stage, api, company, queueIds, say))
    } finally {
      await stage.stop()
    }
    const quiet = await startStage()
    try {
      measures.push(...(await waitingRuns(quiet, say)))
    } finally {
      await quiet.stop()
    }
    return measures
  },
}
export default bench

/** A connection that shows its menu again to whatever is written, with a phone. @returns the phone's number */
async function withMenu(stage: Stage, api: Api, name: string, queueIds: number[]): Promise<string> {
  const { id } = (await api('POST', '/whatsapp', {
    ...{ name, greetingMessage: 'Olá! Em que podemos ajudar?', queueIds, maxUseBotQueues: 0 },
  })) as { id: number }
  return link(stage, api, id)
}

async function answers(
  stage: Stage,
  api: Api,
  company: Company,
  queueIds: number[],
  say: (text: string) => void,
): Promise<Measure> {
  const { sql } = stage
  const phones: string[] = []
  while (phones.length < connections) phones.push(await withMenu(stage, api, `Menu ${phones.length}`, queueIds))
  let sent = 0
  const burst = async (to: string, each: number) => {
    const answer = (await stage.stack.phone.call('POST', '/ctl/burst', { to, contacts: people, each })) as {
      sent: number
    }
    sent += answer.sent
  }
  const arrived = async () =>
    (
      await sql<{ n: number }[]>`SELECT coalesce(sum("unreadMessages"), 0)::int AS n FROM tickets
        WHERE "companyId" = ${company.id} AND status = 'pending'`
    )[0]!.n
  const settled = () => until('all messages', arrived, (n) => n >= sent, 240_000)
  say('first messages of everybody')
  for (const phone of phones) await burst(phone, 1)
  await settled()
  say(`everybody writes for ${forMs / 1_000} s, and is answered with a menu each time`)
  const begin = sent
  const startedAt = performance.now()
  let now = begin
  const watch = setInterval(async () => {
    now = await arrived()
  }, 200)
  await Promise.all(
    phones.map(async (phone) => {
      while (performance.now() - startedAt < forMs)
        if (sent - now < ahead) await burst(phone, 2)
        else await Bun.sleep(20)
    }),
  )
  await settled()
  clearInterval(watch)
  const stored = (sent - begin) / ((performance.now() - startedAt) / 1_000)
  const count = async () =>
    (
      await sql<{ said: number; unsent: number }[]>`SELECT count(*)::int AS said,
        count(*) FILTER (WHERE ack < 2)::int AS unsent FROM messages
        WHERE "companyId" = ${company.id} AND "fromMe" AND body LIKE 'Olá! Em que%'`
    )[0]!
  const { said } = await count()
  say(`${sent} messages, ${said} menus; ${rounded(stored)} messages stored a second`)
  await until('all menus at the phones', count, ({ unsent }) => unsent === 0, 240_000)
  const answered = (sent - begin) / ((performance.now() - startedAt) / 1_000)
  return {
    name: `Inbound messages each answered with a menu, ${connections} connections, ${connections * people} chats, ${forMs / 1_000} s and until all were filed; and until all menus had left`,
    target: '≥ 400/s stored, none unanswered',
    values: { stored: Math.round(stored), 'answered and sent': Math.round(answered), unanswered: sent - said },
    unit: '/s',
    runs: sent - begin,
    ok: stored >= 400 && sent === said,
  }
}

async function firstAnswer(
  stage: Stage,
  api: Api,
  company: Company,
  queueIds: number[],
  say: (text: string) => void,
): Promise<Measure> {
  const { phone } = stage.stack
  const to = await withMenu(stage, api, 'Menu at ease', queueIds)
  const numbers = Array.from({ length: writers }, (_, i) => `5541${String(900_000_000 + i)}`)
  const write = async (number: string, text: string) =>
    ((await phone.call('POST', `/ctl/contacts/${number}/messages`, { text, to })) as { sentAt: number }).sentAt
  const answersTo = async (number: string) => (await phone.lines(number)).filter(({ by }) => by === 'business')
  // The first message of somebody makes the keys of their conversation, once for all.
  for (const number of numbers) {
    await phone.contact(number, `Pessoa ${number}`)
    await write(number, 'bom dia')
  }
  for (const number of numbers)
    await until(
      'the first menu',
      () => answersTo(number),
      (all) => all.length > 0,
      60_000,
    )
  const each = often(10)
  say(`${perSecond} messages a second for ${(each * writers) / perSecond} s`)
  const sentAt = new Map<string, number[]>(numbers.map((number) => [number, []]))
  const begin = performance.now()
  const underWay: Promise<unknown>[] = []
  for (let n = 0; n < each * writers; n++) {
    const wait = begin + (n * 1_000) / perSecond - performance.now()
    if (wait > 0) await Bun.sleep(wait)
    const number = numbers[n % writers]!
    underWay.push(write(number, `pergunta ${n}`).then((at) => sentAt.get(number)!.push(at)))
  }
  await Promise.all(underWay)
  const took: number[] = []
  for (const number of numbers) {
    const all = await until(
      'all menus',
      () => answersTo(number),
      (lines) => lines.length > each,
      60_000,
    )
    for (const [n, at] of sentAt.get(number)!.entries()) took.push(all[n + 1]!.at - at)
  }
  const values = spread(took)
  say(JSON.stringify(values))
  return {
    name: `Stanza on the wire → its answer, a menu, at the contact’s phone, ${perSecond} messages/s`,
    target: 'p95 ≤ 150 ms',
    values,
    unit: 'ms',
    runs: took.length,
    ok: values.p95 <= 150,
  }
}

// ── flows in which contacts wait ─────────────────────────────────────────────────────────────

async function waitingRuns(stage: Stage, say: (text: string) => void): Promise<Measure[]> {
  const { db, sql } = stage
  const company = await addCompany(stage, { tickets: waiting, messages: 0 })
  await sql`UPDATE tickets SET status = 'pending', "userId" = NULL WHERE "companyId" = ${company.id}`
  const graph = flow({
    '1': ['start', {}, { a: 'pause' }],
    pause: ['interval', { seconds: 60 }, { a: 'one' }],
    one: ['message', { text: 'Olá {{firstName}}' }, { a: 'two' }],
    two: ['message', { text: 'Seu pedido está a caminho' }, { a: 'three' }],
    three: ['message', { text: 'Até logo' }, { a: 'again' }],
    again: ['interval', { seconds: 120 }, {}],
  })
  const [made] = await db.insert(flows).values({ companyId: company.id, name: 'Espera' }).returning()
  const [version] = await db
    .insert(flowVersions)
    .values({ companyId: company.id, flowId: made!.id, number: 1, nodes: frozen(graph) })
    .returning()
  await db.update(flows).set({ versionId: version!.id }).where(eq(flows.id, made!.id))
  const name = String(version!.id)
  const start = new Date()
  const context = { now: start, facts: facts() }
  const graphs = { versions: { [name]: graph }, live: {} }
  const rows = await db
    .select({ id: tickets.id, contactId: tickets.contactId })
    .from(tickets)
    .where(eq(tickets.companyId, company.id))
    .orderBy(asc(tickets.id))
  const sizeOf = async () =>
    Number((await sql<{ n: string }[]>`SELECT pg_total_relation_size('flow_runs') AS n`)[0]!.n) / 2 ** 20
  const before = await sizeOf()
  const heap = () => {
    Bun.gc(true)
    return process.memoryUsage().heapUsed / 2 ** 20
  }
  const heapBefore = heap()
  for (let at = 0; at < rows.length; at += 1_000)
    await db.insert(flowRuns).values(
      rows.slice(at, at + 1_000).map(({ id, contactId }) => {
        const { run } = step(graphs, newRun({ id: newId(), version: name, seed: id }), { kind: 'started' }, context)
        return {
          ...{ id: run.id, companyId: company.id, flowId: made!.id, versionId: version!.id, ticketId: id, contactId },
          ...{ whatsappId: company.whatsapp.id, run, wakeAt: new Date(run.wait!.until!) },
        }
      }),
    )
  const rest = { rows: rounded((await sizeOf()) - before), process: rounded(Math.max(0, heap() - heapBefore)) }
  say(`${waiting} runs wait: ${JSON.stringify(rest)} MB`)

  let now = start
  const versions = createGraphs()
  const deps: RunsDeps = {
    ...{ db, graphs: versions, now: () => now, log: createLogger({ level: 'error' }), committed: () => undefined },
    rules: rulesFacts(db, companyFacts(db), versions),
  }
  const wake = () => wakeRuns(deps, [company.whatsapp.id])
  await sql`ANALYZE flow_runs`
  const polls = spread(await time(often(200), wake))
  say(`an empty poll: ${JSON.stringify(polls)}`)

  // One after the other is due.
  const singles = often(200)
  await sql`UPDATE flow_runs SET "wakeAt" = "wakeAt" + interval '1 week' WHERE "companyId" = ${company.id}`
  await sql`UPDATE flow_runs r SET "wakeAt" = ${start.toISOString()}::timestamptz + n * interval '1 minute',
      run = jsonb_set(run, '{wait,until}', to_jsonb(${start.getTime()}::bigint))
    FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM flow_runs WHERE "companyId" = ${company.id} LIMIT ${singles + warm}) picked
    WHERE r.id = picked.id`
  const due = await sql<{ id: string; at: Date }[]>`
    SELECT id, "wakeAt" AS at FROM flow_runs WHERE "companyId" = ${company.id} ORDER BY 2 LIMIT ${singles + warm}`
  const three: number[] = []
  for (const [n, { id, at }] of due.entries()) {
    now = new Date(at)
    const begin = performance.now()
    const woken = await wake()
    if (n >= warm && woken === 1) three.push(performance.now() - begin)
    // What it said makes it wait two minutes: it is put out of the way.
    await sql`UPDATE flow_runs SET "wakeAt" = "wakeAt" + interval '1 week' WHERE id = ${id}`
  }
  const event = spread(three)
  say(`an event with three messages: ${JSON.stringify(event)}`)

  await sql`UPDATE flow_runs SET "wakeAt" = ${start.toISOString()}::timestamptz, run = jsonb_set(jsonb_set(run, '{wait,until}', to_jsonb(${start.getTime()}::bigint)), '{sends}', '0')
    WHERE "companyId" = ${company.id}`
  const [left] = await sql<
    { n: number }[]
  >`SELECT count(*)::int AS n FROM flow_runs WHERE "companyId" = ${company.id} AND "endedAt" IS NULL`
  now = new Date(start.getTime() + 1_000)
  const begin = performance.now()
  let woken = 0
  for (let some = 1; some > 0; ) woken += some = await wake()
  const all = (performance.now() - begin) / 1_000
  say(`${woken} of ${left!.n} at once: ${rounded(all, 2)} s`)
  return [
    {
      name: `${waiting.toLocaleString('en')} contacts who wait in a flow: their rows, and what the process holds of them`,
      target: '≤ 10 MB',
      values: rest,
      unit: 'MB',
      runs: waiting,
      ok: rest.rows <= 10 && rest.process <= 10,
    },
    {
      name: 'The same: looking whether anybody’s time has come, while nobody’s has',
      target: 'p50 ≤ 1 ms',
      values: polls,
      unit: 'ms',
      runs: often(200),
      ok: polls.p50 <= 1,
    },
    {
      name: 'An event of a flow that says three messages, database included',
      target: 'p50 ≤ 5 ms',
      values: event,
      unit: 'ms',
      runs: three.length,
      ok: event.p50 <= 5,
    },
    {
      name: `${woken.toLocaleString('en')} flows that go on at once, three messages each`,
      target: '≤ 5 s',
      values: { total: rounded(all, 2) },
      unit: 's',
      runs: 1,
      ok: all <= 5 && woken === left!.n,
    },
  ]
}
