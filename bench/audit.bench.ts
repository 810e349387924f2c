/** What it costs that who changed what is written down, in the transaction of the change. */
import { eq } from 'drizzle-orm'
import { auditEntries } from '../schema/audit/audit.table.ts'
import { examples } from '../tests/example-data.ts'
import { hashPassword } from '../server/auth/passwords.ts'
import { type Bench, type Measure, often, percentile } from './measure.ts'
import { addCompany, password, startStage } from './stage.ts'

/** Calls of a round with the log, and as many without it. */
const perRound = 20
/** After the triggers are switched, Postgres plans its statements anew. */
const warmUp = 5
const most = 10

const bench: Bench = {
  name: 'Audit',
  async run(say) {
    const stage = await startStage({ LIMIT_CALLS: 'off' })
    try {
      const { sql, db, stack } = stage
      const company = await addCompany(stage, { tickets: 20, messages: 400 })
      const eg = examples(db)
      const admin = await eg.user(company.id, {
        ...{ passwordHash: await hashPassword(password), profile: 'admin', queueIds: [company.queue.id] },
      })
      const other = await eg.queue(company.id, { name: 'Suporte' })
      const tag = await eg.tag(company.id)
      const api = await stack.login(admin.email, password)
      const [ticket] = await sql<{ id: number }[]>`
        SELECT id FROM tickets WHERE "companyId" = ${company.id} AND status = 'open' ORDER BY id LIMIT 1`
      const triggers = await sql<{ table: string; name: string }[]>`
        SELECT g.tgrelid::regclass::text AS table, g.tgname AS name FROM pg_trigger g JOIN pg_proc p ON p.oid = g.tgfoid
        WHERE p.proname IN ('audit_row', 'audit_link', 'audit_session')`
      const write = async (down: boolean) => {
        for (const { table, name } of triggers)
          await sql.unsafe(`ALTER TABLE ${table} ${down ? 'ENABLE' : 'DISABLE'} TRIGGER "${name}"`)
      }

      let turn = 0
      const calls: Record<string, () => Promise<unknown>> = {
        'A queue saved': () =>
          api('PUT', `/queue/${other.id}`, { name: 'Suporte', color: other.color, greetingMessage: `Olá ${++turn}` }),
        'A tag saved': () => api('PUT', `/tags/${tag.id}`, { name: `Etiqueta ${++turn}`, color: '#16a34a' }),
        'A ticket transferred': () =>
          api('POST', '/commands', {
            id: crypto.randomUUID(),
            name: 'tickets.transfer',
            input: { ticketId: ticket!.id, queueId: ++turn % 2 ? other.id : company.queue.id, userId: admin.id },
          }),
      }
      const entries = () => db.$count(auditEntries, eq(auditEntries.companyId, company.id))
      const measures: Measure[] = []
      for (const [what, call] of Object.entries(calls)) {
        const took: Record<'on' | 'off', number[]> = { on: [], off: [] }
        const ratios: number[] = []
        const before = await entries()
        for (let round = 0; round < often(30); round++) {
          const median = { on: 0, off: 0 }
          for (const state of round % 2 ? (['on', 'off'] as const) : (['off', 'on'] as const)) {
            await write(state === 'on')
            const samples: number[] = []
            for (let run = -warmUp; run < perRound; run++) {
              const begin = performance.now()
              await call()
              if (run >= 0) samples.push(performance.now() - begin)
            }
            took[state].push(...samples)
            median[state] = percentile(samples, 0.5)
          }
          ratios.push((median.on / median.off - 1) * 100)
        }
        await write(true)
        const tenth = (value: number) => Math.round(value * 10) / 10
        const values = {
          more: tenth(percentile(ratios, 0.5)),
          'p50 with, ms': tenth(percentile(took.on, 0.5)),
          'p50 without, ms': tenth(percentile(took.off, 0.5)),
        }
        say(`${what}: ${JSON.stringify(values)}, ${(await entries()) - before} entries`)
        measures.push({
          ...{ name: `${what}, with the audit log and without it`, target: `≤ ${most} % more`, values, unit: '%' },
          ...{ runs: took.on.length, ok: values.more <= most },
        })
      }
      return measures
    } finally {
      await stage.stop()
    }
  },
}
export default bench
