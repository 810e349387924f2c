/** The REST lists of a company that has been at it for years. */
import { hashPassword } from '../server/auth/passwords.ts'
import type { Sql } from '../server/db/database.ts'
import { examples } from '../tests/example-data.ts'
import { type Bench, type Measure, often, spread, time } from './measure.ts'
import { addCompany, type Company, password, startStage } from './stage.ts'

const tickets = 100_000
const messages = Number(process.env['BENCH_MESSAGES'] ?? 2_000_000)
const days = 700

const bench: Bench = {
  name: 'Tickets',
  async run(say) {
    // One person asks as fast as they are answered, which nobody may for long.
    const stage = await startStage({ LIMIT_CALLS: 'off' })
    try {
      say(`filling in ${tickets} tickets and ${messages} messages`)
      const company = await addCompany(stage, { tickets, messages: 0, days })
      await fillMessages(stage.sql, company, messages)
      const agent = await examples(stage.db).user(company.id, {
        passwordHash: await hashPassword(password),
        name: 'Bia',
        queueIds: [company.queue.id],
      })
      // As autovacuum leaves a database that is in use.
      await stage.sql.unsafe('VACUUM ANALYZE')
      const { admin } = company
      const size = `${tickets.toLocaleString('en')} tickets and ${messages.toLocaleString('en')} messages`
      const measures: Measure[] = []
      const asked = async (what: string, email: string, path: string, limit: number): Promise<void> => {
        const api = await stage.stack.login(email, password)
        const runs = often(200)
        const values = spread(await time(runs, () => api('GET', path), 20))
        say(`${what}: ${JSON.stringify(values)}`)
        const name = `GET ${path.split('?')[0]}, first page of ${what}${measures.length === 0 ? `, ${size}` : ''}`
        measures.push({ name, target: `p95 ≤ ${limit} ms`, values, unit: 'ms', runs, ok: values.p95 <= limit })
      }
      await asked('75,000 open ones', admin.email, '/tickets?status=open&showAll=true', 20)
      await asked('everything', admin.email, '/tickets?showAll=true', 20)
      await asked('the closed ones', admin.email, '/tickets?status=closed&showAll=true', 20)
      await asked('an agent’s closed ones', agent.email, '/tickets?status=closed', 20)
      await asked(
        'open ones with unread messages',
        admin.email,
        '/tickets?status=open&showAll=true&withUnreadMessages=true',
        20,
      )
      const search = (what: string, text: string) =>
        asked(what, admin.email, `/tickets?showAll=true&searchParam=${encodeURIComponent(text)}`, 30)
      await search('a search by name', 'Contact 4711')
      await search('a search for the one message with a number', 'pedido 1234550')
      await search('a search for a rare word of messages', word(1_900))
      await search('a search for a word that one message in two hundred holds', word(400))
      await search('a search for a word that one message in a hundred holds', word(120))
      await search('a search for a word that every second message holds', word(0))
      await search('a search for one letter', 'c')
      await search('a search for a letter that no name holds', 'z')
      await search('a search for what every name holds', 'Contact')
      await asked('contacts', admin.email, '/contacts', 30)
      await asked('a search in contacts', admin.email, '/contacts?searchParam=Contact%204711', 30)
      return measures
    } finally {
      await stage.stop()
    }
  },
}
export default bench

const syllables = 'ca sa me lo pi ra to vi nu go be da fi ju ke zo li mo te ru'.split(' ')
const word = (i: number) => [i, i / 20, i / 400].map((n) => syllables[Math.floor(n) % 20]).join('')

/** What people write: as in every language, few words are most of it. */
function texts(count: number): string[] {
  let state = 1
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
  return Array.from({ length: count }, () =>
    Array.from({ length: 3 + Math.floor(random() * 15) }, () => word(Math.floor(2_000 * random() ** 3))).join(' '),
  )
}

/**
 * Years of messages, spread evenly over the company's tickets and days: without triggers, and with indexes and
 * references made afterwards, because one row after the other would take half an hour.
 */
export async function fillMessages(sql: Sql, { id, whatsapp, queue, admin }: Company, count: number): Promise<void> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    SELECT indexname AS name, indexdef AS definition FROM pg_indexes
    WHERE schemaname = 'public' AND tablename = 'messages' AND indexname <> 'messages_pkey'`
  const references = await sql<{ name: string; definition: string }[]>`
    SELECT conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
    WHERE conrelid = 'messages'::regclass AND contype = 'f'`
  const own = await sql.reserve()
  try {
    for (const { name } of indexes) await own.unsafe(`DROP INDEX "${name}"`)
    await own`CREATE TEMPORARY TABLE said AS
      SELECT body, (k - 1)::int AS k FROM unnest(${texts(20_000)}::text[]) WITH ORDINALITY AS t (body, k)`
    await own`ALTER TABLE messages DISABLE TRIGGER USER`
    for (const { name } of references) await own.unsafe(`ALTER TABLE messages DROP CONSTRAINT "${name}"`)
    // In portions, so that no single transaction has to be decoded and thrown away as a whole.
    const portion = 250_000
    for (let from = 0; from < count; from += portion)
      await own`
        INSERT INTO messages (id, "companyId", "ticketId", "contactId", "whatsappId", wid, "fromMe", read, ack, body, "queueScope", "userScope", "createdAt", "updatedAt")
        SELECT uuidv7(at - now())::text, ${id}, t.id, t."contactId", ${whatsapp.id}, 'W' || ${id}::int || '-' || n,
          n % 3 = 0, true, CASE WHEN n % 3 = 0 THEN 4 ELSE 1 END,
          said.body || CASE WHEN n % 50 = 0 THEN ' pedido ' || n ELSE '' END,
          ${queue.id}, ${admin.id}, at, at
        FROM generate_series(${from}::int, ${Math.min(count, from + portion) - 1}::int) n
        JOIN (SELECT id, "contactId", row_number() OVER (ORDER BY id) - 1 AS k FROM tickets WHERE "companyId" = ${id}) t ON t.k = n % ${tickets}::int
        JOIN said ON said.k = (n::bigint * 7919 + n / ${tickets}::int) % 20000,
          LATERAL (SELECT now() - (${count}::int - n) * (${days}::int * interval '1 day' / ${count}::int) AS at) moment`
    for (const { name, definition } of references)
      await own.unsafe(`ALTER TABLE messages ADD CONSTRAINT "${name}" ${definition}`)
    await own`ALTER TABLE messages ENABLE TRIGGER USER`
    await own`SET maintenance_work_mem = '1GB'`
    for (const { definition } of indexes) await own.unsafe(definition)
    await own`RESET maintenance_work_mem`
  } finally {
    own.release()
  }
}
