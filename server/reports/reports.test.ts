import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { widOf } from '../../schema/ids.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { type FigureKey, figureOf, figuresOf } from '../../schema/reports/reports.figures.ts'
import type { ReportName } from '../../schema/reports/reports.inputs.ts'
import { ratings } from '../../schema/ratings/ratings.table.ts'
import { reportHours, reportServices, reportStates } from '../../schema/reports/reports.table.ts'
import { ticketTrackings, tickets } from '../../schema/tickets/tickets.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { dose } from '../../tests/support/dose.ts'
import { makeAnew } from './reports.make.ts'

/** Reports count what happened, and each figure opens what it counted. */
let t: TestApp
beforeAll(async () => {
  t = await testApp()
  t.clock.now = new Date('2026-03-01T15:00:00Z')
})
afterAll(() => t.close())

const HOUR = 3_600_000

/** Dice that fall alike each time. */
function dice(seed: number) {
  let state = seed
  const next = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
  return {
    next,
    int: (below: number) => Math.floor(next() * below),
    pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!,
    some: <T>(list: readonly T[]): T[] => list.filter(() => next() < 0.4),
  }
}
type Dice = ReturnType<typeof dice>

/** A company and two months of its services, at random. */
async function busyCompany(d: Dice, count: number) {
  const { db } = t.database
  const company = await t.eg.company({
    schedules: (['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const).map((weekdayEn) => ({
      ...{ weekday: weekdayEn, weekdayEn, startTime: '08:00', endTime: '17:59' },
    })),
  })
  const companyId = company.id
  const queues = [await t.eg.queue(companyId), await t.eg.queue(companyId)]
  const admin = await t.eg.user(companyId, { profile: 'admin' })
  const agents = [await t.eg.user(companyId), await t.eg.user(companyId), admin]
  const lines = [await t.eg.whatsapp(companyId), await t.eg.whatsapp(companyId)]
  const tags = [await t.eg.tag(companyId), await t.eg.tag(companyId), await t.eg.tag(companyId)]
  const begin = Date.parse('2026-01-01T00:00:00Z')
  const contact = await t.eg.contact(companyId)
  const rows = {
    trackings: [] as (typeof ticketTrackings.$inferInsert)[],
    messages: [] as (typeof messages.$inferInsert)[],
  }
  const ids: number[] = []
  for (let i = 0; i < count; i++) {
    const isOpen = d.next() < 0.1
    const times = d.next() < 0.2 ? 2 : 1
    const queueId = d.next() < 0.1 ? null : d.pick(queues).id
    const [ticket] = await db
      .insert(tickets)
      .values({
        ...{ companyId, contactId: (await t.eg.contact(companyId)).id, whatsappId: d.pick(lines).id, queueId },
        ...{ status: isOpen ? ('open' as const) : ('closed' as const), tagIds: d.some(tags).map(({ id }) => id) },
        userId: d.next() < 0.2 ? null : d.pick(agents).id,
      })
      .returning()
    ids.push(ticket!.id)
    let at = begin + d.int(55 * 24) * HOUR + d.int(HOUR)
    for (let n = 0; n < times; n++) {
      const isLast = n === times - 1
      const openedAt = at
      const say = (fromMe: boolean, authorId: number | null, isOurs = false) => {
        const id = crypto.randomUUID()
        const wid = isOurs || authorId !== null ? widOf(id) : `W${id}`
        const createdAt = new Date(at)
        rows.messages.push({
          ...{ id, wid, companyId, ticketId: ticket!.id, contactId: contact.id, whatsappId: ticket!.whatsappId },
          ...{ fromMe, authorId, createdAt },
        })
        at += 1_000 + d.int(d.next() < 0.2 ? 20 * HOUR : 1_800_000)
      }
      for (let said = d.int(8); said >= 0; said--) {
        const voice = d.next()
        say(voice > 0.45, voice > 0.6 ? d.pick(agents).id : null, voice <= 0.52)
      }
      const ends = !isLast || !isOpen
      rows.trackings.push({
        ...{
          companyId,
          ticketId: ticket!.id,
          whatsappId: ticket!.whatsappId,
          userId: d.pick([...agents, null])?.id ?? null,
        },
        ...{ createdAt: new Date(openedAt), queueId: ends ? queueId : null, finishedAt: ends ? new Date(at) : null },
        ...(ends && d.next() < 0.3 && { ratingAt: new Date(at), rated: true }),
      })
      at += HOUR + d.int(24) * HOUR
    }
  }
  await db.insert(messages).values(rows.messages)
  const made = await db.insert(ticketTrackings).values(rows.trackings).returning()
  await db.insert(ratings).values(
    made
      .filter(({ rated }) => rated)
      .map(({ id, ticketId, userId, finishedAt }) => ({
        ...{ companyId, ticketId, trackingId: id, userId, rate: 1 + d.int(3) },
        ...{ createdAt: new Date(finishedAt!.getTime() + 60_000), comment: d.next() < 0.3 ? 'Bom' : null },
      })),
  )
  const token = await t.login(admin.email)
  const get = async (path: string) => {
    const { status, body } = await t.call('GET', path, { token })
    expect([path, status, body.error]).toEqual([path, 200, undefined])
    return body
  }
  return { companyId, queues, agents, lines, tags, admin, token, get, ids }
}
type Company = Awaited<ReturnType<typeof busyCompany>>

const day = (at: number) => new Date(at).toISOString().slice(0, 10)

/** A period and filters at random, as an address has them. */
function filterOf(d: Dice, { queues, agents, lines, tags }: Company) {
  const from = Date.parse('2026-01-01') + d.int(50) * 24 * HOUR
  const chosen = {
    ...(d.next() < 0.4 && { queueIds: [...d.some(queues).map(({ id }) => id), ...(d.next() < 0.3 ? [0] : [])] }),
    ...(d.next() < 0.4 && { userIds: [...d.some(agents).map(({ id }) => id), ...(d.next() < 0.3 ? [0] : [])] }),
    ...(d.next() < 0.3 && { whatsappIds: d.some(lines).map(({ id }) => id) }),
    ...(d.next() < 0.3 && { tagIds: [d.pick(tags).id] }),
  }
  const days = { from: day(from), to: day(from + d.int(30) * 24 * HOUR) }
  const query = new URLSearchParams({
    ...days,
    ...Object.fromEntries(Object.entries(chosen).map(([name, ids]) => [name, JSON.stringify(ids)])),
  })
  return { ...chosen, ...days, query }
}
type Filter = ReturnType<typeof filterOf>

const within = (column: string, { from, to }: Filter) =>
  `(${column} >= '${from} 00:00:00-03' AND ${column} < '${to} 00:00:00-03'::timestamptz + interval '1 day')`
const oneOf = (column: string, ids: number[] | undefined) =>
  !ids?.length
    ? 'TRUE'
    : `(${column} IN (${[-1, ...ids.filter((id) => id > 0)].join()})${ids.includes(0) ? ` OR ${column} IS NULL` : ''})`

/** The same by plain SQL over what happened. */
async function plainly(c: Company, filter: Filter) {
  const { tagIds, queueIds, userIds, whatsappIds } = filter
  const services = `FROM ticket_trackings tr JOIN tickets t ON t.id = tr."ticketId" LEFT JOIN ratings r ON r."trackingId" = tr.id
    WHERE tr."companyId" = ${c.companyId} AND ${oneOf('CASE WHEN tr."finishedAt" IS NULL THEN t."queueId" ELSE tr."queueId" END', queueIds)}
      AND ${oneOf('tr."userId"', userIds)} AND ${oneOf('tr."whatsappId"', whatsappIds)}
      AND ${tagIds ? `t."tagIds" @> ARRAY[${tagIds.join()}]` : 'TRUE'}`
  const [row] = await t.database.sql.unsafe<Record<string, number>[]>(`SELECT
    (SELECT count(*) ${services} AND ${within('tr."createdAt"', filter)})::int AS opened,
    (SELECT count(*) ${services} AND ${within('tr."createdAt"', filter)} AND EXISTS (SELECT FROM ticket_trackings b
      WHERE b."ticketId" = t.id AND b.id < tr.id))::int AS reopened,
    (SELECT count(*) ${services} AND ${within('tr."finishedAt"', filter)})::int AS closed,
    (SELECT count(*) ${services} AND ${within('r."createdAt"', filter)})::int AS ratings,
    (SELECT round(avg(r.rate), 2)::float8 ${services} AND ${within('r."createdAt"', filter)}) AS rating,
    (SELECT percentile_disc(0.9) WITHIN GROUP (ORDER BY round(extract(epoch FROM tr."finishedAt" - tr."createdAt")))
      ${services} AND ${within('tr."finishedAt"', filter)}) AS "closeP90"`)
  return row!
}

const number = (value: unknown) => (value === null ? null : Number(value))

describe('figures', () => {
  test('are what plain SQL counts over the rows, with filters at random; and the list behind each has as many', async () => {
    const seed = Number(process.env['SEED'] ?? 11)
    const d = dice(seed)
    const c = await busyCompany(d, 150)
    const general = ['queues', 'connections', 'agents', 'tags', 'hours'] as const
    for (let round = 0; round < dose(40, 200); round++) {
      const filter = filterOf(d, c)
      const report = d.pick(general)
      const told = await c.get(`/reports/${report}?${filter.query}`)
      const plain = await plainly(c, filter)
      for (const [key, value] of Object.entries(plain).filter(([name]) => name in told.total))
        expect([seed, round, String(filter.query), key, told.total[key]]).toEqual([
          ...[seed, round, String(filter.query), key],
          number(value),
        ])
      // Messages, which are added up by services here, are those that are added up hour by hour there.
      if (round % 3 === 0 && report !== 'agents' && report !== 'hours') {
        const byHour = (await c.get(`/reports/hours?${filter.query}`)).total
        const voices = ({ received, sent }: Record<string, number>) => ({ received, sent })
        expect([seed, round, String(filter.query), voices(told.total)]).toEqual([
          ...[seed, round, String(filter.query)],
          voices(byHour),
        ])
      }
      // One figure of one row, and one of all of them.
      const key = d.pick(figuresOf(report))
      const row =
        told.rows.length > 0 ? d.pick(told.rows as { key: string; values: Record<string, number> }[]) : undefined
      await opens(c, report, filter, key, undefined, told.total[key])
      if (row) await opens(c, report, filter, key, row.key, row.values[key]!)
    }
  }, 120_000)

  test('of all rows together are those of each, where a ticket stands in one alone', async () => {
    const d = dice(5)
    const c = await busyCompany(d, 60)
    for (const report of ['queues', 'connections', 'agents', 'hours'] as const) {
      const told = await c.get(`/reports/${report}?from=2026-01-01&to=2026-02-28`)
      for (const key of figuresOf(report)) {
        if (figureOf(key).unit !== 'count') continue
        const sum = told.rows.reduce(
          (all: number, { values }: { values: Record<string, number> }) => all + values[key]!,
          0,
        )
        expect([report, key, sum]).toEqual([report, key, told.total[key]])
      }
    }
    // And each message is in one hour of the week.
    const hours = await c.get('/reports/hours?from=2026-01-01&to=2026-03-31')
    const [all] = await t.database
      .sql`SELECT count(*)::int AS n FROM messages WHERE "companyId" = ${c.companyId} AND NOT "fromMe"`
    expect(hours.total.received).toBe(all!['n'])
    for (const { key } of hours.rows) expect(Number(key)).toBeWithin(0, 168)
  })

  test('made anew are what they were', async () => {
    const d = dice(7)
    const c = await busyCompany(d, 60)
    await c.get('/reports/queues')
    const rows = async () => [
      await t.database.db
        .select()
        .from(reportServices)
        .where(eq(reportServices.companyId, c.companyId))
        .orderBy(reportServices.trackingId),
      await t.database.db
        .select()
        .from(reportHours)
        .where(eq(reportHours.companyId, c.companyId))
        .orderBy(reportHours.trackingId, reportHours.hourAt, reportHours.authorId),
    ]
    const before = await rows()
    expect(before[0]!.length).toBeGreaterThan(60)
    await makeAnew(t.database.db, c.companyId, () => t.clock.now)
    expect(await rows()).toEqual(before)
    // Also where some were lost.
    await t.database.sql`DELETE FROM report_hours WHERE "companyId" = ${c.companyId} AND received > 1`
    await t.database
      .sql`UPDATE report_services SET "closeSeconds" = 1, "outcome" = 'empty' WHERE "companyId" = ${c.companyId}`
    await makeAnew(t.database.db, c.companyId, () => t.clock.now)
    expect(await rows()).toEqual(before)
  })

  test('follow what happens, and cost nothing who never asked', async () => {
    const d = dice(9)
    const c = await busyCompany(d, 10)
    const [none] = await t.database
      .sql`SELECT count(*)::int AS n FROM report_services WHERE "companyId" = ${c.companyId}`
    expect(none!['n']).toBe(0)
    const today = '/reports/queues?from=2026-03-01&to=2026-03-01'
    expect((await c.get(today)).total).toMatchObject({ opened: 0, received: 0 })
    const ticket = await t.eg.ticket(c.companyId, { whatsappId: c.lines[0]!.id, queueId: c.queues[0]!.id })
    await t.database.db
      .update(ticketTrackings)
      .set({ createdAt: t.clock.now, whatsappId: c.lines[0]!.id })
      .where(eq(ticketTrackings.ticketId, ticket.id))
    await t.eg.messageIn(ticket, { wid: 'A', createdAt: t.clock.now })
    await t.database.sql`UPDATE tickets SET "updatedAt" = now() WHERE id = ${ticket.id}`
    expect((await c.get(today)).total).toMatchObject({ opened: 1, received: 1, answered: 0, closed: 0 })
    const accepted = await t.call('PUT', `/tickets/${ticket.id}`, {
      token: c.token,
      body: { status: 'open', userId: c.admin.id },
    })
    expect(accepted.status).toBe(200)
    t.clock.advance(60_000)
    const said = await t.call('POST', `/messages/${ticket.id}`, { token: c.token, body: { body: 'Olá' } })
    expect(said.status).toBe(200)
    expect((await c.get(today)).total).toMatchObject({ opened: 1, received: 1, sent: 1, answered: 1, answerP50: 60 })
    await t.call('PUT', `/tickets/${ticket.id}`, { token: c.token, body: { status: 'closed' } })
    const { rows } = await c.get(today)
    expect(rows).toMatchObject([{ key: String(c.queues[0]!.id), values: { closed: 1, closeP50: 60, abandoned: 0 } }])
    // Its tags are those that it has now.
    const [tag] = c.tags
    const tagged = async () => (await c.get(`${today}&tagIds=[${tag!.id}]`)).total.opened
    expect(await tagged()).toBe(0)
    await t.database.sql`UPDATE tickets SET "tagIds" = ARRAY[${tag!.id}::int] WHERE id = ${ticket.id}`
    expect(await tagged()).toBe(1)
    expect((await c.get(today.replace('queues', 'tags'))).rows).toMatchObject([{ key: String(tag!.id) }])
    // Where it goes later, the service stays where it ended.
    await t.database.sql`UPDATE tickets SET "queueId" = ${c.queues[1]!.id} WHERE id = ${ticket.id}`
    expect((await c.get(today)).rows).toMatchObject([{ key: String(c.queues[0]!.id) }])
  })
})

/** The list behind a figure, page by page, has as many as it says; every one of them once. */
async function opens(
  c: Company,
  report: ReportName,
  filter: Filter,
  key: FigureKey,
  row: string | undefined,
  value: number | null,
): Promise<void> {
  const { unit, counting } = figureOf(key)
  const seen: { id: string; value: number | null }[] = []
  let count = 0
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { count: number; records: typeof seen; nextCursor: string | null } = await c.get(
      `/reports/${report}/tickets?${filter.query}&figure=${key}&limit=7${row === undefined ? '' : `&row=${row}`}${cursor && `&cursor=${cursor}`}`,
    )
    count = page.count
    seen.push(...page.records)
    cursor = page.nextCursor
  }
  expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length)
  const about: unknown[] = [report, String(filter.query), key, row]
  if (counting.of === 'messages') {
    expect([...about, seen.reduce((sum, one) => sum + (one.value ?? 0), 0)]).toEqual([...about, value ?? 0])
    expect(count ?? 0).toBe(value ?? 0)
  } else if (unit === 'count') expect([...about, seen.length, count]).toEqual([...about, value, value])
  else {
    expect([...about, seen.length]).toEqual([...about, count])
    if ('measure' in counting && counting.measure) {
      const sorted = seen.map((one) => one.value!).toSorted((a, b) => a - b)
      const place = Math.ceil((counting.measure.percentile / 100) * sorted.length) - 1
      expect([...about, sorted[place] ?? null]).toEqual([...about, value])
    }
  }
}

describe('who reads', () => {
  test('needs the permission, and sees of what lies within their sight', async () => {
    const d = dice(21)
    const c = await busyCompany(d, 40)
    const agent = await t.eg.user(c.companyId, { queueIds: [c.queues[0]!.id] })
    const token = await t.login(agent.email)
    expect((await t.call('GET', '/reports/queues', { token })).status).toBe(403)
    expect((await t.call('GET', '/reports/queues/tickets?figure=opened', { token })).status).toBe(403)
    const { body: role } = await t.call('POST', '/roles', {
      token: c.token,
      body: { name: 'Líder', permissions: ['reports:read'], ticketScope: 'queues', maskNumbers: false },
    })
    await t.call('PUT', `/users/${agent.id}`, { token: c.token, body: { roleId: role.id } })
    const lead = await t.login(agent.email)
    const period = 'from=2026-01-01&to=2026-02-28'
    const { body } = await t.call('GET', `/reports/queues?${period}`, { token: lead })
    const [seen] = await t.database
      .sql`SELECT count(*)::int AS n FROM ticket_trackings tr JOIN tickets t ON t.id = tr."ticketId"
      WHERE tr."companyId" = ${c.companyId} AND (t."queueId" = ${c.queues[0]!.id} OR t."userId" = ${agent.id})
        AND tr."createdAt" >= '2026-01-01 00:00-03' AND tr."createdAt" < '2026-03-01 00:00-03'`
    expect(body.total.opened).toBe(seen!['n'])
    expect(body.total.opened).toBeLessThan((await c.get(`/reports/queues?${period}`)).total.opened)
    const list = await t.call('GET', `/reports/queues/tickets?${period}&figure=opened`, { token: lead })
    expect(list.body.count).toBe(seen!['n'])
  })

  test('asks for days that there are, not more than 400, and for a figure of the report', async () => {
    const c = await busyCompany(dice(3), 1)
    const status = async (path: string) => (await t.call('GET', path, { token: c.token })).status
    expect(await status('/reports/queues?from=2025-01-01&to=2026-02-04')).toBe(200)
    expect(await status('/reports/queues?from=2025-01-01&to=2026-02-05')).toBe(400)
    expect(await status('/reports/queues?from=2026-02-31&to=2026-03-05')).toBe(400)
    expect(await status('/reports/queues?from=2026-02-02&to=2026-02-01')).toBe(400)
    expect(await status('/reports/nothing')).toBe(400)
    expect(await status('/reports/queues/tickets?figure=met')).toBe(400)
    expect(await status('/reports/queues/tickets?figure=opened&cursor=x')).toBe(400)
  })
})

test('of a long past the first who asks is told how much is made, and the clock makes the rest', async () => {
  const { companyId, get } = await busyCompany(dice(2), 5)
  expect(await get('/reports/agents')).toMatchObject({ isWhole: true, made: 1 })
  const [state] = await t.database.db.select().from(reportStates).where(eq(reportStates.companyId, companyId))
  expect(state).toMatchObject({ timeZone: 'America/Sao_Paulo' })
  // By another clock all hours are others.
  await t.database.sql`UPDATE companies SET "timeZone" = 'Asia/Kathmandu' WHERE id = ${companyId}`
  await get('/reports/agents')
  const rows = await t.database.db.select().from(reportHours).where(eq(reportHours.companyId, companyId))
  expect(new Set(rows.map(({ hourAt }) => hourAt.getUTCMinutes()))).toEqual(new Set([15]))
  void sql
})
