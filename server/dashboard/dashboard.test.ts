import { MINUTE_MS } from '../../schema/durations.ts'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { announcements } from '../../schema/announcements/announcements.table.ts'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import { invoices } from '../../schema/invoices/invoices.table.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { ratings } from '../../schema/ratings/ratings.table.ts'
import { tickets, ticketTrackings } from '../../schema/tickets/tickets.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { PASSWORD, type TestApp, testApp } from '../../tests/support/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

/** A company west of Greenwich with a quarter of services, made by arithmetic, so that every run has the same. */
async function office(services = 400) {
  const { db } = t.database
  const company = await t.eg.company({ timeZone: 'America/Sao_Paulo' })
  const admin = await t.eg.user(company.id, { profile: 'admin', name: 'Zoé' })
  const agents = [
    await t.eg.user(company.id, { name: 'Ana', online: true }),
    await t.eg.user(company.id, { name: 'Bruno' }),
  ]
  const contact = await t.eg.contact(company.id)
  for (const status of ['open', 'pending', 'pending'] as const) await t.eg.ticket(company.id, { status })
  if (services === 0) return signedIn(company, admin, agents)
  const made = await db
    .insert(tickets)
    .values(
      Array.from({ length: services }, () => ({
        companyId: company.id,
        contactId: contact.id,
        status: 'closed' as const,
      })),
    )
    .returning({ id: tickets.id })
  const base = Date.parse('2026-01-01T00:00:00Z')
  const rows = Array.from({ length: services }, (_, i) => {
    const createdAt = new Date(base + i * 317 * MINUTE_MS)
    const startedAt = i % 7 === 0 ? null : new Date(createdAt.getTime() + (i % 50) * MINUTE_MS)
    const finishedAt = startedAt && i % 5 !== 0 ? new Date(startedAt.getTime() + (i % 90) * MINUTE_MS) : null
    return {
      companyId: company.id,
      ticketId: made[i]!.id,
      userId: startedAt ? agents[i % 2]!.id : null,
      queuedAt: createdAt,
      startedAt,
      finishedAt,
      ratingAt: finishedAt && i % 4 === 0 ? new Date(finishedAt.getTime() - MINUTE_MS) : null,
      createdAt,
    }
  })
  const rated = (await db.insert(ticketTrackings).values(rows).returning()).filter((row) => row.ratingAt)
  await db.insert(ratings).values(
    rated.map((row, i) => ({
      companyId: company.id,
      ticketId: row.ticketId,
      trackingId: row.id,
      userId: row.userId,
      rate: (i % 3) + 1,
      createdAt: row.finishedAt!,
    })),
  )
  return signedIn(company, admin, agents)
}

async function signedIn<C, U extends { email: string }>(company: C, admin: U, agents: U[]) {
  return { company, admin, agents, token: await t.login(admin.email), agent: await t.login(agents[0]!.email) }
}

describe('the dashboard', () => {
  test('agrees with SQL said another way over the same rows', async () => {
    const { company, token } = await office()
    const [from, to] = ['2026-01-10', '2026-02-20']
    const { sql } = t.database
    const inRange = sql`to_char("createdAt" AT TIME ZONE 'America/Sao_Paulo', 'YYYY-MM-DD') BETWEEN ${from} AND ${to}`
    const [own] = await sql<{ finished: number; support: number; wait: number }[]>`
      SELECT sum(CASE WHEN "finishedAt" IS NULL THEN 0 ELSE 1 END)::int AS finished,
        (sum(CASE WHEN "ratingAt" IS NULL THEN extract(epoch FROM "finishedAt" - "startedAt") ELSE extract(epoch FROM "ratingAt" - "startedAt") END)
          / nullif(sum(CASE WHEN "startedAt" IS NOT NULL AND ("ratingAt" IS NOT NULL OR "finishedAt" IS NOT NULL) THEN 1 ELSE 0 END), 0) / 60)::float8 AS support,
        (sum(extract(epoch FROM "startedAt" - "queuedAt")) / count("startedAt") / 60)::float8 AS wait
      FROM ticket_trackings WHERE "companyId" = ${company.id} AND ${inRange}`
    const { body } = await t.call('GET', `/dashboard?date_from=${from}&date_to=${to}`, { token })
    expect(body.counters).toMatchObject({ supportHappening: 1, supportPending: 2, supportFinished: own!.finished })
    expect(body.counters.avgSupportTime).toBeCloseTo(own!.support, 0)
    expect(body.counters.avgWaitTime).toBeCloseTo(own!.wait, 0)
    expect(own!.finished).toBeGreaterThan(50)
    expect(body.counters).not.toHaveProperty('totalCompanies')

    expect(body.attendants.map((row: { name: string }) => row.name)).toEqual(['Ana', 'Bruno', 'Zoé'])
    for (const row of body.attendants) {
      const [mean] = await sql<{ rate: number | null }[]>`
        SELECT (sum(rate)::float8 / nullif(count(*), 0)) AS rate FROM ratings r WHERE "companyId" = ${company.id} AND "userId" = ${row.id} AND ${inRange}`
      if (mean!.rate === null) expect(row.rating).toBeNull()
      else expect(row.rating).toBeCloseTo(mean!.rate, 2)
    }
    expect(body.attendants[0]).toMatchObject({ online: true })
    expect(body.attendants[2]).toMatchObject({ name: 'Zoé', rating: null, avgSupportTime: null })

    const perUser = await t.call('GET', `/dashboard/ticketsUsers?initialDate=${from}&finalDate=${to}`, { token })
    for (const { nome, quantidade } of perUser.body.data) {
      const [row] = await sql<{ n: number }[]>`
        SELECT count(*)::int AS n FROM ticket_trackings WHERE "companyId" = ${company.id} AND ${inRange}
          AND "userId" = (SELECT id FROM users WHERE name = ${nome} AND "companyId" = ${company.id})`
      expect([nome, quantidade]).toEqual([nome, row!.n])
    }
    expect(perUser.body.data.at(-1)).toEqual({ nome: 'Zoé', quantidade: 0 })

    const perDay = await t.call('GET', `/dashboard/ticketsDay?initialDate=${from}&finalDate=${to}`, { token })
    const days = await sql<{ data: string; total: number }[]>`
      SELECT to_char("createdAt" AT TIME ZONE 'America/Sao_Paulo', 'YYYY-MM-DD') AS data, count(*)::int AS total
      FROM ticket_trackings WHERE "companyId" = ${company.id} AND ${inRange} GROUP BY 1 ORDER BY 1`
    expect(perDay.body.data).toEqual([...days])
    expect(perDay.body.count).toBe(days.reduce((sum, row) => sum + row.total, 0))
  })

  test('one day is told by its hours on the company’s wall, where days end at another moment than the server’s', async () => {
    const { db } = t.database
    const { company, token } = await office(0)
    const ticket = await t.eg.ticket(company.id, { status: 'closed' })
    // 23:30 of the 4th and 00:30 of the 5th in São Paulo: one day for UTC.
    for (const createdAt of ['2026-03-05T02:30:00Z', '2026-03-05T03:30:00Z', '2026-03-05T03:40:00Z'])
      await db.insert(ticketTrackings).values({
        companyId: company.id,
        ticketId: ticket.id,
        finishedAt: new Date(createdAt),
        createdAt: new Date(createdAt),
      })
    const of = async (day: string) =>
      (await t.call('GET', `/dashboard/ticketsDay?initialDate=${day}&finalDate=${day}`, { token })).body
    expect(await of('2026-03-04')).toEqual({ data: [{ horario: 23, total: 1 }], count: 1 })
    expect(await of('2026-03-05')).toEqual({ data: [{ horario: 0, total: 2 }], count: 2 })
  })

  test('the last days end today in the company’s zone', async () => {
    const { db } = t.database
    const { company, token } = await office(0)
    await db.delete(ticketTrackings).where(eq(ticketTrackings.companyId, company.id))
    const ticket = await t.eg.ticket(company.id, { status: 'closed' })
    const before = t.clock.now
    for (const createdAt of [
      '2026-03-03T02:59:00Z',
      '2026-03-03T03:00:00Z',
      '2026-03-06T02:59:00Z',
      '2026-03-06T03:00:00Z',
    ])
      await db.insert(ticketTrackings).values({
        companyId: company.id,
        ticketId: ticket.id,
        finishedAt: new Date(createdAt),
        createdAt: new Date(createdAt),
      })
    // Still the 5th in São Paulo.
    t.clock.now = new Date('2026-03-06T02:00:00Z')
    const fresh = await t.login((await t.eg.user(company.id, { profile: 'admin' })).email)
    const { body } = await t.call('GET', '/dashboard?days=3', { token: fresh })
    t.clock.now = before
    expect(body.counters.supportFinished).toBe(2)
    expect(token).not.toBe(fresh)
  })

  test('is for admins; the operator also sees how many companies and open connections there are', async () => {
    const { admin, token, agent } = await office(0)
    for (const path of [
      '/dashboard?days=3',
      '/dashboard/ticketsUsers?initialDate=2026-01-01',
      '/dashboard/ticketsDay?initialDate=2026-01-01',
    ])
      expect([path, (await t.call('GET', path, { token: agent })).body.error]).toEqual([path, 'ERR_NO_PERMISSION'])
    await t.database.db.update(users).set({ super: true }).where(eq(users.id, admin.id))
    t.deps.onRightsChanged(admin.id)
    const [count] = await t.database.sql`SELECT count(*)::int AS n FROM companies`
    const { body } = await t.call('GET', '/dashboard?days=3', { token })
    expect(body.counters).toMatchObject({ totalCompanies: count!.n, totalWhatsappSessions: 0 })
  })

  test('asks for a period or a day, and for days that exist', async () => {
    const { token } = await office(0)
    for (const path of [
      '/dashboard',
      '/dashboard?days=0',
      '/dashboard?days=x',
      '/dashboard?date_from=2026-02-30',
      '/dashboard?date_to=ontem',
      '/dashboard/ticketsUsers',
      '/dashboard/ticketsDay?initialDate=2026-13-01',
    ])
      expect([path, (await t.call('GET', path, { token })).body.error]).toEqual([path, 'ERR_VALIDATION'])
  })
})

describe('the first steps', () => {
  const open = async (token: string) => {
    const { body } = await t.call('GET', '/dashboard/first-steps', { token })
    return body.steps.filter(({ done }: { done: boolean }) => !done).map(({ step }: { step: string }) => step)
  }

  const lacks = async (token: string): Promise<Record<string, string | undefined>> => {
    const { body } = await t.call('GET', '/dashboard/first-steps', { token })
    return Object.fromEntries(body.steps.map(({ step, lack }: { step: string; lack?: string }) => [step, lack]))
  }

  test('of a new company are open, and each is done by what it is about', async () => {
    const { sql } = t.database
    const { id } = await t.eg.company()
    const admin = await t.eg.user(id, { profile: 'admin' })
    const token = await t.login(admin.email)
    const all = ['queue', 'agent', 'connection', 'answer', 'hours']
    expect(await open(token)).toEqual(all)
    const queue = await t.eg.queue(id)
    expect(await open(token)).toEqual(all.slice(1))
    // Invited into no queue, they would see nothing.
    const agent = await t.eg.user(id)
    expect(await open(token)).toEqual(all.slice(1))
    expect((await lacks(token)).agent).toBe('queue')
    await sql`INSERT INTO user_queues ("companyId", "userId", "queueId") VALUES (${id}, ${agent.id}, ${queue.id})`
    expect(await open(token)).toEqual(all.slice(2))
    // Made is not linked, and linked is not led to a queue.
    const line = await t.eg.whatsapp(id, { connectedAt: null })
    expect(await open(token)).toEqual(all.slice(2))
    await sql`UPDATE whatsapps SET "connectedAt" = now() WHERE id = ${line.id}`
    expect(await open(token)).toEqual(all.slice(2))
    expect((await lacks(token)).connection).toBe('queue')
    await sql`INSERT INTO whatsapp_queues ("companyId", "whatsappId", "queueId") VALUES (${id}, ${line.id}, ${queue.id})`
    expect(await open(token)).toEqual(all.slice(3))
    // A conversation that nobody of the invited sees has not arrived, nor has one that the admin took.
    const ticket = await t.eg.ticket(id, { status: 'pending', queueId: null, whatsappId: line.id })
    expect(await open(token)).toEqual(all.slice(3))
    expect((await lacks(token)).answer).toBe('seen')
    await sql`UPDATE tickets SET "queueId" = ${queue.id} WHERE id = ${ticket.id}`
    expect((await lacks(token)).answer).toBeUndefined()
    const taken = (userId: number) =>
      t.database.db
        .update(ticketTrackings)
        .set({ userId, startedAt: t.clock.now })
        .where(eq(ticketTrackings.ticketId, ticket.id))
    await taken(admin.id)
    expect(await open(token)).toEqual(all.slice(3))
    await taken(agent.id)
    expect(await open(token)).toEqual(['hours'])
    // Hours that nobody hears of restrict nothing: they need the week, and words.
    await t.call('PUT', '/settings/scheduleType', { token, body: { value: 'company' } })
    expect([await open(token), (await lacks(token)).hours]).toEqual([['hours'], 'company-words'])
    await sql`UPDATE whatsapps SET "outOfHoursMessage" = 'Voltamos às 8 h.' WHERE id = ${line.id}`
    expect([await open(token), (await lacks(token)).hours]).toEqual([['hours'], 'company-week'])
    const week = [{ weekday: 'Segunda-feira', weekdayEn: 'monday', startTime: '08:00', endTime: '18:00' }]
    await t.call('PUT', `/companies/${id}/schedules`, { token, body: { schedules: week } })
    expect(await open(token)).toEqual([])
    // Those of the queues are others.
    await t.call('PUT', '/settings/scheduleType', { token, body: { value: 'queue' } })
    expect([await open(token), (await lacks(token)).hours]).toEqual([['hours'], 'queue-words'])
    await sql`UPDATE queues SET "outOfHoursMessage" = 'Voltamos.', schedules = ${JSON.stringify(week)}::text::jsonb WHERE id = ${queue.id}`
    expect(await open(token)).toEqual([])
    // Nothing is ticked off: what is taken back is open again.
    await t.call('PUT', '/settings/scheduleType', { token, body: { value: 'disabled' } })
    expect(await open(token)).toEqual(['hours'])
    const worker = await t.login(agent.email)
    expect((await t.call('GET', '/dashboard/first-steps', { token: worker })).status).toBe(403)
    expect((await t.call('DELETE', '/dashboard/first-steps', { token: worker })).status).toBe(403)
  })

  test('are closed for who wants no more of them, on every browser, and for nobody else', async () => {
    const { id } = await t.eg.company()
    const [one, two] = [await t.eg.user(id, { profile: 'admin' }), await t.eg.user(id, { profile: 'admin' })]
    const closed = async (email: string) =>
      (await t.call('GET', '/dashboard/first-steps', { token: await t.login(email) })).body.closed
    expect((await t.call('DELETE', '/dashboard/first-steps', { token: await t.login(one.email) })).status).toBe(200)
    expect([await closed(one.email), await closed(two.email)]).toEqual([true, false])
  })

  test('of the operator begin with another password than that of the first start', async () => {
    const { sql } = t.database
    const operator = await t.eg.user(OPERATOR_COMPANY_ID, { profile: 'admin', super: true, passwordIsInitial: true })
    const token = await t.login(operator.email)
    expect((await open(token))[0]).toBe('password')
    const body = { password: 'outra-senha-1', currentPassword: PASSWORD }
    expect((await t.call('PUT', `/users/${operator.id}`, { token, body })).status).toBe(200)
    expect(await open(await t.login(operator.email, 'outra-senha-1'))).not.toContain('password')
    // Those whose password an admin has written are asked for nothing.
    const admin = await t.eg.user((await t.eg.company()).id, { profile: 'admin' })
    expect(await open(await t.login(admin.email))).not.toContain('password')
    await sql`DELETE FROM users WHERE id = ${operator.id}`
  })

  test('of the operator go on to what is sold, how it is paid, who buys it, and under which mark', async () => {
    const { db, sql } = t.database
    const operator = await t.eg.user(OPERATOR_COMPANY_ID, { profile: 'admin', super: true })
    const token = await t.login(operator.email)
    const business = async () =>
      (await open(token)).filter((step: string) => ['plan', 'payment', 'companies', 'logo'].includes(step))
    await sql`UPDATE plans SET "useInternal" = false`
    await sql`DELETE FROM branding`
    const others = await sql`SELECT 1 FROM companies WHERE id <> ${OPERATOR_COMPANY_ID}`
    expect(others.length).toBeGreaterThan(0)
    expect(await business()).toEqual(['plan', 'payment', 'logo'])
    // What is billed, and cannot be paid, is told.
    const company = await t.eg.company()
    await db
      .insert(invoices)
      .values({ companyId: company.id, detail: 'x', value: '9.90', dueDate: '2026-11-01', months: 1 })
    expect((await lacks(token)).payment).toBe('unpayable')
    const [plan] = await db.insert(plans).values({ name: 'À venda', value: '9.90' }).returning()
    expect(await business()).toEqual(['payment', 'logo'])
    // Others sell nothing.
    const admin = await t.login((await t.eg.user(company.id, { profile: 'admin' })).email)
    const { body } = await t.call('GET', '/dashboard/first-steps', { token: admin })
    expect(body.steps.map(({ step }: { step: string }) => step)).toEqual([
      'queue',
      'agent',
      'connection',
      'answer',
      'hours',
    ])
    await db.delete(invoices)
    await db.delete(plans).where(eq(plans.id, plan!.id))
    await sql`DELETE FROM users WHERE id = ${operator.id}`
  })

  test('of the operator’s company begin with its name', async () => {
    const { sql } = t.database
    const operator = await t.eg.user(OPERATOR_COMPANY_ID, { profile: 'admin', super: true })
    const token = await t.login(operator.email)
    const [before] = await sql<{ name: string }[]>`SELECT name FROM companies WHERE id = ${OPERATOR_COMPANY_ID}`
    await sql`UPDATE companies SET name = 'Empresa 1' WHERE id = ${OPERATOR_COMPANY_ID}`
    expect(await open(token)).toContain('name')
    await sql`UPDATE companies SET name = ${before!.name} WHERE id = ${OPERATOR_COMPANY_ID}`
    expect(await open(token)).not.toContain('name')
  })
})

describe('announcements', () => {
  test('everybody reads the active ones, the most urgent first', async () => {
    const { agent } = await office(0)
    await t.database.db.insert(announcements).values([
      { title: 'Manutenção', text: 'domingo', priority: 3 },
      { title: 'Urgente', text: 'agora', priority: 1 },
      { title: 'Velho', text: 'passou', priority: 1, status: false },
    ])
    const titles = async (query = '') =>
      (await t.call('GET', `/announcements${query}`, { token: agent })).body.records.map(
        (row: { title: string }) => row.title,
      )
    expect(await titles()).toEqual(['Urgente', 'Manutenção'])
    expect(await titles('?searchParam=manutencao')).toEqual(['Manutenção'])
    expect(await titles('?pageNumber=2')).toEqual([])
  })
})

describe('a connection’s health', () => {
  test('tells admins its state, its last messages, what waits and what failed; nobody else', async () => {
    const { company, token, agent } = await office(0)
    const { sql } = t.database
    const [inAt, outAt] = [new Date('2026-03-05T12:00:00Z'), new Date('2026-03-05T12:01:00Z')]
    const line = await t.eg.whatsapp(company.id, {
      status: 'CONNECTED',
      lastError: 'logged_out',
      lastMessageInAt: inAt,
      lastMessageOutAt: outAt,
      reusedIds: 3,
      reusedIdAt: inAt,
    })
    const health = () => t.call('GET', `/whatsapp/${line.id}/health`, { token })
    expect((await health()).body).toMatchObject({
      status: 'CONNECTED',
      state: null,
      server: null,
      queueDepth: 0,
      failed: 0,
      lastError: 'logged_out',
      reusedIds: 3,
      reusedIdAt: inAt.toISOString(),
      lastMessageInAt: inAt.toISOString(),
      lastMessageOutAt: outAt.toISOString(),
    })
    for (const failedAt of [null, null, outAt])
      await sql`INSERT INTO jobs ("companyId", kind, payload, "whatsappId", "createdAt", "failedAt")
        VALUES (${company.id}, 'whatsapp.send', '{}', ${line.id}, ${inAt.toISOString()}, ${failedAt?.toISOString() ?? null})`
    await sql`INSERT INTO whatsapp_leases ("whatsappId", owner, until) VALUES (${line.id}, 'server-1', now() + interval '1 minute')`
    t.sessions.health = async () => ({
      state: 'open',
      lastInAt: null,
      lastOutAt: new Date('2026-03-05T12:02:00Z'),
      reconnects: 2,
      waitingAcks: 1,
      lastError: null,
    })
    expect((await health()).body).toMatchObject({
      state: 'open',
      server: 'server-1',
      queueDepth: 2,
      failed: 1,
      oldestWaitingAt: inAt.toISOString(),
      lastMessageInAt: inAt.toISOString(),
      lastMessageOutAt: '2026-03-05T12:02:00.000Z',
      reconnections: 2,
      waitingAcks: 1,
    })
    expect((await t.call('GET', `/whatsapp/${line.id}/health`, { token: agent })).status).toBe(403)
  })
})
