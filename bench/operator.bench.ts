/** The pages of who runs an installation of ten thousand companies. */
import { hashPassword } from '../server/auth/passwords.ts'
import type { Sql } from '../server/db/database.ts'
import { adminEmail, adminPassword } from '../tests/support/stack.ts'
import { type Bench, type Measure, often, spread, time } from './measure.ts'
import { password, startStage } from './stage.ts'

const companies = 10_000
const perPage = 20

const bench: Bench = {
  name: 'Operator',
  async run(say) {
    const stage = await startStage({ LIMIT_CALLS: 'off' })
    try {
      say(`filling in ${companies} companies`)
      await fillCompanies(stage.sql, companies)
      // As autovacuum leaves a database that is in use.
      await stage.sql.unsafe('VACUUM ANALYZE')
      const api = await stage.stack.login(adminEmail, adminPassword)
      const measures: Measure[] = []
      const asked = async (what: string, path: string, limit = 20): Promise<void> => {
        const runs = often(200)
        const values = spread(await time(runs, () => api('GET', path), 20))
        say(`${what}: ${JSON.stringify(values)}`)
        const name = `GET ${path.split('?')[0]}, ${what}${measures.length === 0 ? `, ${companies.toLocaleString('en')} companies` : ''}`
        measures.push({ name, target: `p95 ≤ ${limit} ms`, values, unit: 'ms', runs, ok: values.p95 <= limit })
      }
      const search = (text: string) => `/companies?searchParam=${encodeURIComponent(text)}`
      await asked('first page', '/companies')
      await asked('a page in the middle', `/companies?pageNumber=${companies / 2 / perPage}`)
      await asked('last page', `/companies?pageNumber=${companies / perPage}`)
      await asked('a search for one name', search('Company 4711'))
      await asked('a search for what every name holds', search('company'))
      await asked('a search for one letter', search('c'))
      await asked('a search for what no name holds', search('zebra'))
      await asked('first page', '/operator/connections')
      await asked('those that need somebody', '/operator/connections?state=broken')
      await asked('failed ones', '/operator/jobs')
      await asked('a month', '/operator/usage?days=30')
      await asked('a year', '/operator/usage?days=365')
      await asked('all warnings', '/operator/plan-warnings', 100)
      await asked('version and counts', '/operator/system')
      return measures
    } finally {
      await stage.stop()
    }
  },
}
export default bench

const filled = ['plans', 'companies', 'users', 'whatsapps', 'queues', 'settings']

/** Companies of one plan, each with three people, two connections and three queues; one connection in a hundred is down. */
export async function fillCompanies(sql: Sql, count: number): Promise<void> {
  const own = await sql.reserve()
  try {
    // Neither the audit log nor webhooks tell of them: that would take minutes.
    for (const table of filled) await own`ALTER TABLE ${own(table)} DISABLE TRIGGER USER`
    const passwordHash = await hashPassword(password)
    const [plan] = await own<{ id: number }[]>`
      INSERT INTO plans (name, users, connections, queues, value) VALUES ('Bench', 10, 5, 10, '100') RETURNING id`
    await own`
      INSERT INTO companies (name, email, "planId", "dueDate")
      SELECT 'Company ' || n, 'owner' || n || '@company.test', ${plan!.id}, current_date + (n % 40)::int
      FROM generate_series(1, ${count}::int) n`
    await own`
      INSERT INTO users ("companyId", name, email, "passwordHash", profile)
      SELECT c.id, 'Person ' || k, 'p' || k || '.' || c.id || '@company.test', ${passwordHash}, CASE WHEN k = 1 THEN 'admin' ELSE 'user' END
      FROM companies c, generate_series(1, 3) k WHERE c.name LIKE 'Company %'`
    await own`
      INSERT INTO whatsapps ("companyId", name, token, status, wanted)
      SELECT c.id, 'Phone ' || k, gen_random_uuid()::text, CASE WHEN c.id % 100 = 0 THEN 'PENDING' ELSE 'CONNECTED' END, true
      FROM companies c, generate_series(1, 2) k WHERE c.name LIKE 'Company %'`
    await own`
      INSERT INTO queues ("companyId", name, color)
      SELECT c.id, 'Queue ' || k, '#00000' || k FROM companies c, generate_series(1, 3) k WHERE c.name LIKE 'Company %'`
    await own`
      INSERT INTO settings ("companyId", key, value)
      SELECT c.id, 'campaignsEnabled', 'true' FROM companies c WHERE c.name LIKE 'Company %'`
    await own`
      INSERT INTO usage_days (day, companies, "activeUsers", "messagesIn", "messagesOut", tickets, connections, "countedAt")
      SELECT current_date - n, ${count}, ${count}, 1000 * n, 900 * n, 10 * n, ${count}, now() FROM generate_series(1, 365) n
      ON CONFLICT DO NOTHING`
    for (const table of filled) await own`ALTER TABLE ${own(table)} ENABLE TRIGGER USER`
  } finally {
    own.release()
  }
}
