/** Reports over 90 days of 100,000 tickets and 1,000,000 messages, the tickets behind a figure, and a year on paper. */
import { figuresOf } from '../schema/reports/reports.figures.ts'
import { reportNames } from '../schema/reports/reports.inputs.ts'
import { hashPassword } from '../server/auth/passwords.ts'
import { examples } from '../tests/example-data.ts'
import { type Bench, type Measure, often, spread, time } from './measure.ts'
import { password, rounded, type Stage, startStage } from './stage.ts'

const tickets = 100_000
const each = 10
const days = 90
/** Milliseconds. */
const [most, mostPaper] = [300, 3_000]

const bench: Bench = {
  name: 'Reports',
  async run(say) {
    const stage = await startStage({ LIMIT_CALLS: 'off' })
    try {
      const company = await fill(stage)
      await stage.sql.unsafe('VACUUM ANALYZE')
      const api = await stage.stack.login(company.email, password)
      const measures: Measure[] = []
      const from = performance.now()
      while (!((await api('GET', '/reports/agents')) as { isWhole: boolean }).isWhole);
      const made = rounded((performance.now() - from) / 1_000)
      say(`all facts made in ${made} s`)
      measures.push({
        ...{ name: 'The facts of 100,000 tickets and 1,000,000 messages, made for the first time' },
        ...{ target: 'in the background', values: { s: made }, unit: 's', runs: 1, ok: true },
      })
      await stage.sql.unsafe('VACUUM ANALYZE report_services, report_hours')
      const to = new Date().toISOString().slice(0, 10)
      const begin = new Date(Date.now() - (days - 1) * 86_400_000).toISOString().slice(0, 10)
      const period = `from=${begin}&to=${to}`
      for (const report of reportNames) {
        const samples = await time(often(20), () => api('GET', `/reports/${report}?${period}`))
        measures.push(
          measureOf(`Report by ${report}, 90 days of 1,000,000 messages and 100,000 tickets`, samples, most),
        )
        say(`${report}: ${JSON.stringify(spread(samples))}`)
      }
      const narrowed = `${period}&queueIds=[${company.queueId}]&tagIds=[${company.tagId}]`
      const filtered = await time(often(20), () => api('GET', `/reports/agents?${narrowed}`))
      measures.push(measureOf('The same by agents, of one queue and one tag', filtered, most))
      const behind: number[] = []
      for (const figure of figuresOf('queues'))
        behind.push(
          ...(await time(often(5), () => api('GET', `/reports/queues/tickets?${period}&figure=${figure}`), 1)),
        )
      measures.push(measureOf('The first page of the tickets behind a figure, of 100,000', behind, most))
      const year = new Date(Date.now() - 364 * 86_400_000).toISOString().slice(0, 10)
      const paper = await time(
        often(5),
        () => paperOf(stage, api.token, `/reports/tags/export?from=${year}&to=${to}&format=pdf&language=pt`),
        1,
      )
      measures.push(measureOf('A report of 12 months as PDF', paper, mostPaper))
      return measures
    } finally {
      await stage.stop()
    }
  },
}
export default bench

async function paperOf({ stack }: Stage, token: string, path: string): Promise<void> {
  const answer = await fetch(`${stack.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
  const bytes = await answer.bytes()
  if (!answer.ok || bytes.length < 1_000) throw new Error(`${path}: ${answer.status}`)
}

function measureOf(name: string, samples: number[], limit: number): Measure {
  const { p50, p95 } = spread(samples)
  return { name, target: `p95 ≤ ${limit} ms`, values: { p50, p95 }, unit: 'ms', runs: samples.length, ok: p95 <= limit }
}

/** Twenty agents in eight queues, three numbers, twelve tags; one in a hundred tickets is open. */
async function fill({ sql, db }: Stage) {
  const eg = examples(db)
  const { id } = await eg.company({ plan: { users: 1_000, connections: 100, queues: 100 } })
  const passwordHash = await hashPassword(password)
  const admin = await eg.user(id, { passwordHash, profile: 'admin' })
  const agents = [admin.id]
  for (let n = 1; n < 20; n++) agents.push((await eg.user(id)).id)
  const queues: number[] = []
  for (let n = 0; n < 8; n++) queues.push((await eg.queue(id)).id)
  const lines: number[] = []
  for (let n = 0; n < 3; n++) lines.push((await eg.whatsapp(id, { status: 'DISCONNECTED' })).id)
  const tags: number[] = []
  for (let n = 0; n < 12; n++) tags.push((await eg.tag(id)).id)
  await sql`INSERT INTO contacts ("companyId", name, number, "nameSource", "activeOn")
    SELECT ${id}, 'Contact ' || n, '5531' || lpad(n::text, 9, '0'), 'push', current_date FROM generate_series(1, ${tickets}::int) n`
  await sql`INSERT INTO tickets ("companyId", "contactId", "whatsappId", "queueId", "userId", status, "tagIds", "lastMessageAt", "updatedAt", "createdAt")
    SELECT ${id}, c.id, (${lines}::int[])[1 + n % 3], (${queues}::int[])[1 + n % 8], (${agents}::int[])[1 + (n / 8) % 20],
      CASE WHEN n % 100 = 0 THEN 'open' ELSE 'closed' END, ARRAY[(${tags}::int[])[1 + (n / 5) % 12]], at, at, at
    FROM (SELECT id, (row_number() OVER (ORDER BY id))::int AS n FROM contacts WHERE "companyId" = ${id}) c,
      LATERAL (SELECT now() - c.n * (${days}::int * interval '1 day' / ${tickets}::int) AS at) moment`
  await sql`INSERT INTO ticket_trackings ("companyId", "ticketId", "whatsappId", "queueId", "userId", "queuedAt", "startedAt", "finishedAt", "createdAt")
    SELECT ${id}, id, "whatsappId", CASE WHEN status = 'closed' THEN "queueId" END, "userId", "createdAt", "createdAt" + interval '5 minutes',
      CASE WHEN status = 'closed' THEN "createdAt" + interval '1 hour' + (id % 5000) * interval '10 seconds' END, "createdAt"
    FROM tickets WHERE "companyId" = ${id}`
  await sql`INSERT INTO ratings ("companyId", "ticketId", "trackingId", "userId", rate, "createdAt")
    SELECT ${id}, "ticketId", id, "userId", 1 + id % 3, "finishedAt" + interval '1 minute' FROM ticket_trackings
    WHERE "companyId" = ${id} AND "finishedAt" IS NOT NULL AND id % 3 = 0`
  const portion = 10_000
  for (let from = 0; from < tickets; from += portion)
    await sql`INSERT INTO messages (id, "companyId", "ticketId", "contactId", "whatsappId", wid, "fromMe", "authorId", read, ack, body, "createdAt", "updatedAt")
      SELECT gen_random_uuid()::text, ${id}, t.id, t."contactId", t."whatsappId", 'W' || t.id || '-' || n, n % 2 = 1,
        CASE WHEN n % 2 = 1 THEN t."userId" END, true, 1, 'Message ' || n, at, at
      FROM (SELECT *, row_number() OVER (ORDER BY id) AS k FROM tickets WHERE "companyId" = ${id}) t,
        generate_series(0, ${each - 1}::int) n,
        LATERAL (SELECT t."createdAt" + (n * (120 + t.id % 900)) * interval '1 second' AS at) moment
      WHERE t.k > ${from}::int AND t.k <= ${from + portion}::int`
  return { id, email: admin.email, queueId: queues[0]!, tagId: tags[0]! }
}
