/** Lists by deadlines, and thousands of deadlines at one moment beside agents at work. */
import { listedTickets } from '../client/tickets/tickets.rows.ts'
import { listOf } from '../schema/tickets/tickets.list.ts'
import { memoryReplica } from '../sync/client/replica.fixture.ts'
import { type Bench, type Measure, often, spread, time } from './measure.ts'
import { addCompany, cpuSeconds, descendantsCpuSeconds, password, rounded, startStage } from './stage.ts'

const tickets = 100_000
const atOnce = 10_000
/** What an agent writes during them may take so much longer. */
const mostMore = 20

const bench: Bench = {
  name: 'Deadlines',
  async run(say) {
    const measures: Measure[] = [await inReplica(say)]
    // One person asks as fast as they are answered, which nobody may for long.
    const stage = await startStage({ LIMIT_CALLS: 'off' })
    try {
      measures.push(await onServer(stage, say))
      measures.push(...(await together(stage, say)))
      return measures
    } finally {
      await stage.stop()
    }
  },
}
export default bench

type Stage = Awaited<ReturnType<typeof startStage>>
type Say = (text: string) => void

async function onServer(stage: Stage, say: Say): Promise<Measure> {
  const company = await addCompany(stage, { tickets, messages: 0, days: 700 })
  await stage.sql`UPDATE tickets SET "nextDueAt" = now() + (id * 7919 % 100000) * interval '1 second', "nextDueMetric" = 'firstAnswer'
    WHERE "companyId" = ${company.id} AND status <> 'closed' AND id % 2 = 0`
  await stage.sql.unsafe('VACUUM ANALYZE')
  const api = await stage.stack.login(company.admin.email, password)
  const runs = often(200)
  const values = spread(await time(runs, () => api('GET', '/tickets?status=open&showAll=true&order=due'), 20))
  say(`server: ${JSON.stringify(values)}`)
  const name = `GET /tickets, first page of 75,000 open ones by deadline, ${tickets.toLocaleString('en')} tickets`
  return { name, target: 'p95 ≤ 20 ms', values, unit: 'ms', runs, ok: values.p95 <= 20 }
}

/** The statement of the inbox, in a replica that holds them all: more than a browser is given. */
async function inReplica(say: Say): Promise<Measure> {
  const replica = await memoryReplica()
  try {
    await replica.exec(`
      INSERT INTO contacts (id, name, number) SELECT n, 'Contact ' || n, '55' || n FROM generate_series(1, ${tickets}) n;
      INSERT INTO tickets (id, uuid, status, "contactId", "userId", "lastMessage", "updatedAt", "nextDueAt", "nextDueMetric")
      SELECT n, gen_random_uuid(), CASE WHEN n % 4 = 0 THEN 'closed' ELSE 'open' END, n, 1, 'oi', now() - n * interval '10 seconds',
        CASE WHEN n % 4 > 0 AND n % 2 = 1 THEN now() + (n::bigint * 7919 % 100000) * interval '1 second' END, 'firstAnswer'
      FROM generate_series(1, ${tickets}) n;
      ANALYZE`)
    const { sql, params } = listedTickets(listOf([{ is: 'status', any: ['open'] }], 40, 'due')).query
    const runs = often(200)
    const values = spread(await time(runs, () => replica.query(sql, params), 20))
    say(`replica: ${JSON.stringify(values)}`)
    return {
      ...{ name: 'replica alone: 75,000 open tickets by deadline, first page of 100,000 tickets', unit: 'ms' as const },
      ...{ target: 'p95 ≤ 50 ms', values, runs, ok: values.p95 <= 50 },
    }
  } finally {
    await replica.close()
  }
}

/** A promise that was made to all who wait is broken for all of them at one moment. */
async function together(stage: Stage, say: Say): Promise<Measure[]> {
  const { sql, stack } = stage
  // Three of four are open, and one is written in.
  const company = await addCompany(stage, { tickets: Math.ceil(((atOnce + 1) * 4) / 3), messages: 0 })
  const { id } = company
  await sql`UPDATE tickets SET status = 'closed' WHERE "companyId" = ${id} AND id IN (
    SELECT id FROM tickets WHERE "companyId" = ${id} AND status = 'open' ORDER BY id OFFSET ${atOnce + 1})`
  const [own] = await sql`SELECT id FROM tickets WHERE "companyId" = ${id} AND status = 'open' ORDER BY id LIMIT 1`
  const api = await stack.login(company.admin.email, password)
  const policy = { name: 'Padrão', calendar: '24x7', firstAnswer: 1, warnAt: 100 }
  await api('POST', '/sla-policies', policy)
  const count = async (what: 'going' | 'told') => {
    const [row] =
      what === 'going'
        ? await sql`SELECT count(*)::int AS n FROM sla_clocks WHERE "companyId" = ${id}`
        : await sql`SELECT count(*)::int AS n FROM ticket_events WHERE "companyId" = ${id} AND kind = 'sla_breached'`
    return Number(row!['n'])
  }
  while ((await count('going')) < atOnce + 1) await Bun.sleep(100)
  const [due] =
    await sql`SELECT extract(epoch FROM max("dueAt"))::float8 * 1000 AS at, count(DISTINCT "dueAt")::int AS moments
    FROM sla_clocks WHERE "companyId" = ${id}`
  const at = Number(due!['at'])
  say(`${atOnce} promises, of ${due!['moments']} moment, made ${Math.round((at - Date.now()) / 1000)} s before`)
  const took: Record<'before' | 'during', number[]> = { before: [], during: [] }
  let ended = false
  const writing = (async () => {
    while (!ended) {
      const begin = Date.now()
      const from = performance.now()
      await api('POST', '/commands', {
        ...{ id: crypto.randomUUID(), name: 'messages.send' },
        input: { id: crypto.randomUUID(), ticketId: own!['id'], body: 'Olá' },
      })
      took[begin < at ? 'before' : 'during'].push(performance.now() - from)
      await Bun.sleep(20)
    }
  })()
  let told = 0
  while (Date.now() < at) await Bun.sleep(50)
  const pid = stack.pid() ?? 0
  const spent = () => ({ server: cpuSeconds(pid), database: descendantsCpuSeconds(pid) })
  const idle = spent()
  while (Date.now() < at + 60_000 && told < atOnce) {
    await Bun.sleep(50)
    told = await count('told')
  }
  const seconds = (Date.now() - at) / 1000
  const busy = spent()
  say(
    `processor time meanwhile: server ${rounded(busy.server - idle.server, 1)} s, database ${rounded(busy.database - idle.database, 1)} s`,
  )
  ended = true
  await writing
  await Bun.sleep(5_000)
  const twice = (await count('told')) - atOnce
  const [before, during] = [spread(took.before), spread(took.during)]
  say(
    `told ${told} in ${seconds} s, ${twice} too many; messages before ${JSON.stringify(before)}, during ${JSON.stringify(during)}`,
  )
  const more = rounded(during.p95 - before.p95)
  return [
    {
      name: `${atOnce.toLocaleString('en')} deadlines at one moment, the last one told`,
      target: '≤ 5 s, each once',
      values: { all: rounded(seconds, 2), 'told twice or never': Math.abs(twice) },
      unit: 's',
      runs: atOnce,
      ok: seconds <= 5 && twice === 0,
    },
    {
      name: 'An agent’s message meanwhile, answered by the server later than before',
      target: `p95 ≤ +${mostMore} ms`,
      values: { 'more at p95': more, 'p95 before': before.p95, 'p95 during': during.p95 },
      unit: 'ms',
      runs: took.during.length,
      ok: more <= mostMore,
    },
  ]
}
