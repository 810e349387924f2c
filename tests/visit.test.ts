import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { messages } from '../schema/messages/messages.table.ts'
import { tickets } from '../schema/tickets/tickets.table.ts'
import { PASSWORD, type TestApp } from './support/app.ts'
import { attempts, type World } from './support/attempts.ts'
import { betweenCompanies } from './support/between-companies.ts'

let t: TestApp
let world: World
betweenCompanies((app, both) => {
  t = app
  world = both
})

/** What each table holds, the jobs among them, by name. */
async function stored(): Promise<Map<string, string>> {
  const { db } = t.database
  const names = await db.execute<{ name: string }>(
    sql`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  )
  const each = [...names].map(
    ({ name }) =>
      sql`SELECT ${name} AS name, (SELECT md5(string_agg(x::text, '|' ORDER BY x::text)) FROM ${sql.identifier(name)} x) AS content`,
  )
  const rows = await db.execute<{ name: string; content: string | null }>(sql.join(each, sql` UNION ALL `))
  return new Map([...rows].map(({ name, content }) => [name, content ?? '']))
}

/** Files that are taken away are written down for the company itself. */
const noted = /^GET \/(?:contacts\/export|campaigns\/:id\/export|audit\/export|reports\/:report\/export)$/
const isLog = (table: string) => table.startsWith('audit_')
/** What reports count is made of what is written, whoever reads them first, and can be made anew. */
const made: ReadonlySet<string> = new Set(['report_hours', 'report_services', 'report_stale', 'report_states'])

test('who only looks in a user’s name changes nothing by reading: no row, no job, nothing that is told', async () => {
  const { db } = t.database
  const { company, user, ticket } = world.owned
  // The user's own conversation, with something that they have not read.
  await db.update(tickets).set({ status: 'open', userId: user.id, unreadMessages: 1 }).where(eq(tickets.id, ticket.id))
  await db.update(messages).set({ fromMe: false, read: false }).where(eq(messages.ticketId, ticket.id))
  const house = await t.eg.user((await t.eg.company()).id, { profile: 'admin', super: true })
  const token = await t.login(house.email, PASSWORD)
  const visit = await t.call('POST', `/companies/${company.id}/impersonate`, {
    token,
    body: { userId: user.id, reason: 'O cliente pediu ajuda com as filas' },
  })
  expect(visit.status).toBe(200)
  const changed: string[] = []
  let answered = 0
  let before = await stored()
  for (const [route, tries] of Object.entries(attempts(world))) {
    if (!route.startsWith('GET ')) continue
    for (const { path } of tries) {
      const [emitted, asked] = [t.emitted.length, t.asked.length]
      const { status } = await t.call('GET', path, { token: visit.body.token })
      if (status === 200) answered++
      const after = await stored()
      const tables = [...after].filter(([name, content]) => before.get(name) !== content).map(([name]) => name)
      for (const table of tables)
        if (!made.has(table) && !(isLog(table) && noted.test(route))) changed.push(`${path}: ${table}`)
      for (const event of t.emitted.slice(emitted)) changed.push(`${path}: tells ${event.name}`)
      for (const [what] of t.asked.slice(asked)) changed.push(`${path}: asks ${what}`)
      before = after
    }
  }
  expect(answered).toBeGreaterThan(80)
  expect(changed).toEqual([])
  // The test sees what it looks for: the user's own reading is another thing.
  await t.call('GET', `/messages/${ticket.id}`, { token: await t.login(user.email, PASSWORD) })
  const after = await stored()
  expect(['tickets', 'messages', 'jobs'].filter((name) => before.get(name) !== after.get(name))).toEqual([
    ...['tickets', 'messages', 'jobs'],
  ])
}, 120_000)
