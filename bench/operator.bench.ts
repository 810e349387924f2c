/** The pages of who runs an installation of ten thousand companies. */
import { hashPassword } from '../server/auth/passwords.ts'
import type { Sql } from '../server/db/database.ts'
import { countUsage } from '../server/operator/operator.usage.ts'
import { adminEmail, adminPassword } from '../tests/support/stack.ts'
import { type Bench, type Measure, often, spread, time } from './measure.ts'
import { password, startStage } from './stage.ts'

const companies = 10_000
const perPage = 20
/** Of one company. */
const people = 5_000
/** Of all companies together; of one as many as there are months in its life. */
const bills = 100_000
const ownBills = 120

const bench: Bench = {
  name: 'Operator',
  async run(say) {
    const stage = await startStage({ LIMIT_CALLS: 'off' })
    try {
      say(`filling in ${companies} companies`)
      await fillCompanies(stage.sql, companies)
      const own = await fillLists(stage.sql)
      await countUsage(stage.db, new Date())
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
      await asked('companies by what came in', '/operator/usage/companies')
      await asked('companies by files, a page behind', '/operator/usage/companies?order=mediaBytes&cursor=500:4000')
      await asked('one company', `/operator/usage/companies/${own.companyId}?days=30`)
      await asked('all warnings', '/operator/plan-warnings')
      await asked('version and counts', '/operator/system')
      const admin = await stage.stack.login(own.email, password)
      const askedByAdmin = async (what: string, path: string): Promise<void> => {
        const runs = often(200)
        const values = spread(await time(runs, () => admin('GET', path), 20))
        say(`${what}: ${JSON.stringify(values)}`)
        const name = `GET ${path.split('?')[0]}, ${what}`
        measures.push({ name, target: 'p95 ≤ 20 ms', values, unit: 'ms', runs, ok: values.p95 <= 20 })
      }
      await askedByAdmin(`first page, ${people.toLocaleString('en')} users of a company`, '/users')
      await askedByAdmin('a page in the middle', `/users?pageNumber=${people / 2 / perPage}`)
      await askedByAdmin('a search for one name', `/users?searchParam=${encodeURIComponent('Colleague 4711')}`)
      await askedByAdmin(`first page, ${bills.toLocaleString('en')} invoices`, '/invoices/all')
      await askedByAdmin('a search for one number', '/invoices/all?searchParam=9999999')
      return measures
    } finally {
      await stage.stop()
    }
  },
}
export default bench

const filled = ['plans', 'companies', 'users', 'user_queues', 'whatsapps', 'queues', 'settings', 'invoices']

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

/** One company of very many people, and invoices of all companies. @returns its admin's e-mail */
async function fillLists(sql: Sql): Promise<{ companyId: number; email: string }> {
  const own = await sql.reserve()
  const email = 'admin@large.test'
  try {
    for (const table of filled) await own`ALTER TABLE ${own(table)} DISABLE TRIGGER USER`
    const passwordHash = await hashPassword(password)
    const [company] = await own<{ id: number }[]>`
      INSERT INTO companies (name, email, "planId", "dueDate")
      SELECT 'Large', ${email}, "planId", current_date + 20 FROM companies WHERE name = 'Company 1' RETURNING id`
    const { id } = company!
    await own`
      INSERT INTO users ("companyId", name, email, "passwordHash", profile)
      SELECT ${id}, 'Colleague ' || n, CASE WHEN n = 1 THEN ${email} ELSE 'c' || n || '@large.test' END, ${passwordHash},
        CASE WHEN n = 1 THEN 'admin' ELSE 'user' END
      FROM generate_series(1, ${people}::int) n`
    await own`
      INSERT INTO queues ("companyId", name, color) SELECT ${id}, 'Queue ' || k, '#00010' || k FROM generate_series(1, 9) k`
    await own`
      INSERT INTO user_queues ("companyId", "userId", "queueId")
      SELECT ${id}, u.id, q.id FROM users u, queues q WHERE u."companyId" = ${id} AND q."companyId" = ${id}`
    await own`
      INSERT INTO invoices ("companyId", detail, value, "dueDate", months)
      SELECT c.id, 'Mensalidade ' || n, 100, current_date - n * 30, 1
      FROM companies c, generate_series(1, 10) n WHERE c.name LIKE 'Company %'`
    await own`
      INSERT INTO invoices ("companyId", detail, value, "dueDate", months)
      SELECT ${id}, 'Mensalidade ' || n, 100, current_date - n * 30, 1 FROM generate_series(1, ${ownBills}::int) n`
    await own`
      INSERT INTO company_usage_days ("companyId", day, "messagesIn", "messagesOut", "mediaBytes", tickets)
      SELECT c.id, current_date - n, c.id % 977, c.id % 313, c.id::bigint * 1000, c.id % 40
      FROM companies c, generate_series(1, 30) n`
    for (const table of filled) await own`ALTER TABLE ${own(table)} ENABLE TRIGGER USER`
    return { companyId: id, email }
  } finally {
    own.release()
  }
}
