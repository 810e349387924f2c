import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { widOf } from '../../schema/ids.ts'
import { ratings } from '../../schema/ratings/ratings.table.ts'
import { slaClocks, slaPolicies } from '../../schema/sla-policies/sla-policies.table.ts'
import { ticketTrackings } from '../../schema/tickets/tickets.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'

/** A manager asks ten questions about last month, and opens the tickets of each answer. No spreadsheet is needed. */
let t: TestApp
let get: (path: string) => Promise<any>
let shop: Awaited<ReturnType<typeof lastMonth>>
beforeAll(async () => {
  t = await testApp()
  t.clock.now = new Date('2026-03-02T12:00:00Z')
  shop = await lastMonth()
  const token = await t.login(shop.manager.email)
  get = async (path) => (await t.call('GET', path, { token })).body
})
afterAll(() => t.close())

const MINUTE = 60_000

/** February of a shop with two agents and two queues: what each of them did is written out. */
async function lastMonth() {
  const { db } = t.database
  const { id: companyId } = await t.eg.company()
  const [sales, support] = [
    await t.eg.queue(companyId, { name: 'Vendas' }),
    await t.eg.queue(companyId, { name: 'Suporte' }),
  ]
  const manager = await t.eg.user(companyId, { profile: 'supervisor', name: 'Helena' })
  const [ana, bruno] = [await t.eg.user(companyId, { name: 'Ana' }), await t.eg.user(companyId, { name: 'Bruno' })]
  const line = await t.eg.whatsapp(companyId, { name: 'Loja' })
  const late = await t.eg.tag(companyId, { name: 'Atraso' })
  /** @param answer minutes until somebody answers; null: nobody does */
  const served = async (of: {
    at: string
    agent: { id: number } | null
    queue: { id: number }
    answer: number | null
    minutes: number
    tagIds?: number[]
    rate?: number
    comment?: string
  }) => {
    const begin = Date.parse(of.at)
    const contact = await t.eg.contact(companyId)
    const ticket = await t.eg.ticket(companyId, {
      ...{ contactId: contact.id, whatsappId: line.id, queueId: of.queue.id, userId: of.agent?.id ?? null },
      ...{ status: 'closed', tagIds: of.tagIds ?? [] },
    })
    const [service] = await db
      .insert(ticketTrackings)
      .values({
        ...{ companyId, ticketId: ticket.id, whatsappId: line.id, queueId: of.queue.id, userId: of.agent?.id ?? null },
        ...{ createdAt: new Date(begin), finishedAt: new Date(begin + of.minutes * MINUTE) },
      })
      .returning()
    await t.eg.messageIn(ticket, { wid: `in${ticket.id}`, createdAt: new Date(begin) })
    if (of.answer !== null) {
      const id = crypto.randomUUID()
      await t.eg.messageIn(ticket, {
        ...{ id, wid: widOf(id), fromMe: true, authorId: of.agent!.id },
        createdAt: new Date(begin + of.answer * MINUTE),
      })
    }
    if (of.rate)
      await db.insert(ratings).values({
        ...{ companyId, ticketId: ticket.id, trackingId: service!.id, userId: of.agent!.id, rate: of.rate },
        ...{ createdAt: new Date(begin + of.minutes * MINUTE), comment: of.comment ?? null },
      })
    return ticket
  }
  const monday = '2026-02-09T13:00:00Z'
  await served({ at: monday, agent: ana, queue: sales, answer: 2, minutes: 10, rate: 3, comment: 'Ótima' })
  await served({ at: '2026-02-09T13:20:00Z', agent: ana, queue: sales, answer: 4, minutes: 20, rate: 2 })
  await served({ at: '2026-02-10T15:00:00Z', agent: ana, queue: support, answer: 6, minutes: 30 })
  const slow = await served({
    ...{ at: '2026-02-11T12:00:00Z', agent: bruno, queue: support, answer: 90, minutes: 240 },
    ...{ tagIds: [late.id], rate: 1, comment: 'Demorou demais' },
  })
  const forgotten = await served({
    at: '2026-02-12T20:00:00Z',
    agent: null,
    queue: support,
    answer: null,
    minutes: 600,
  })
  // What is of another month is not of this one.
  await served({ at: '2026-01-31T15:00:00Z', agent: bruno, queue: sales, answer: 1, minutes: 5 })
  const [policy] = await db
    .insert(slaPolicies)
    .values({ companyId, name: 'Padrão', position: 1, firstAnswer: 15 })
    .returning()
  await db.insert(slaClocks).values({
    ...{
      id: crypto.randomUUID(),
      companyId,
      ticketId: slow.id,
      policyId: policy!.id,
      metric: 'firstAnswer',
      minutes: 15,
    },
    ...{ startedAt: new Date('2026-02-11T12:00:00Z'), endedAt: new Date('2026-02-11T13:30:00Z'), tookMs: 90 * MINUTE },
    ...{ metAt: new Date('2026-02-11T13:30:00Z'), breachedAt: new Date('2026-02-11T12:15:00Z') },
  })
  const [check] = await db.select().from(slaPolicies).where(eq(slaPolicies.companyId, companyId))
  return { companyId, manager, ana, bruno, sales, support, late, slow, forgotten, policy: check! }
}

const period = 'from=2026-02-01&to=2026-02-28'
const rowOf = (report: { rows: { name: string; key: string; values: Record<string, number> }[] }, name: string) =>
  report.rows.find((row) => row.name === name)!
const ticketsOf = async (report: string, figure: string, row?: string) =>
  (await get(`/reports/${report}/tickets?${period}&figure=${figure}${row ? `&row=${row}` : ''}`)).records.map(
    ({ ticketId }: { ticketId: number }) => ticketId,
  )

test('1. how many tickets did we serve, and how many did we end?', async () => {
  expect((await get(`/reports/queues?${period}`)).total).toMatchObject({ opened: 5, closed: 5, received: 5, sent: 4 })
})

test('2. who served most, and how fast?', async () => {
  const report = await get(`/reports/agents?${period}`)
  expect(report.rows[0]).toMatchObject({ name: 'Ana', values: { opened: 3, closed: 3, sent: 3, answerP50: 240 } })
})

test('3. which queue is slow?', async () => {
  const report = await get(`/reports/queues?${period}`)
  expect(rowOf(report, 'Suporte').values['closeP90']).toBeGreaterThan(rowOf(report, 'Vendas').values['closeP90']!)
})

test('4. whom did nobody answer?', async () => {
  expect(await ticketsOf('queues', 'abandoned')).toEqual([shop.forgotten.id])
})

test('5. when do people write?', async () => {
  const { rows } = await get(`/reports/hours?${period}`)
  const [busiest] = rows.toSorted((a: any, b: any) => b.values.received - a.values.received)
  // Monday, ten o'clock in São Paulo.
  expect(busiest).toMatchObject({ key: '10', values: { received: 2 } })
})

test('6. how happy were they, and what did the unhappy say?', async () => {
  expect((await get(`/reports/csat?${period}`)).total).toMatchObject({
    ratings: 3,
    rating: 2,
    satisfied: 66.7,
    unhappy: 1,
  })
  const { records } = await get(`/reports/csat/tickets?${period}&figure=unhappy`)
  expect(records).toMatchObject([{ ticketId: shop.slow.id, rate: 1, comment: 'Demorou demais' }])
})

test('7. did we keep what we promised, and where not?', async () => {
  expect((await get(`/reports/sla?${period}`)).total).toMatchObject({ met: 0, breached: 1, keptShare: 0 })
  expect(await ticketsOf('sla', 'breached')).toEqual([shop.slow.id])
})

test('8. what was it about?', async () => {
  expect(rowOf(await get(`/reports/tags?${period}`), 'Atraso').values).toMatchObject({ opened: 1, closed: 1 })
  expect(await ticketsOf('tags', 'opened', String(shop.late.id))).toEqual([shop.slow.id])
})

test('9. how did one agent do in one queue?', async () => {
  const path = `/reports/agents?${period}&queueIds=[${shop.support.id}]&userIds=[${shop.bruno.id}]`
  expect((await get(path)).total).toMatchObject({ opened: 1, answerP50: 5_400, closeP50: 14_400 })
})

test('10. was it better than the month before?', async () => {
  const before = await get('/reports/queues?from=2026-01-01&to=2026-01-31')
  expect(before.total).toMatchObject({ opened: 1, answerP50: 60, abandoned: 0 })
})

test('the dashboard says the same of what began, and of how it was found', async () => {
  const boss = await t.eg.user(shop.companyId, { profile: 'admin' })
  const token = await t.login(boss.email)
  const dashboard = async (path: string) => (await t.call('GET', `/dashboard${path}`, { token })).body
  const days = 'initialDate=2026-02-01&finalDate=2026-02-28'
  const agents = await get(`/reports/agents?${period}`)
  expect((await dashboard(`/ticketsDay?${days}`)).count).toBe(agents.total.opened)
  const byUser: { nome: string; quantidade: number }[] = (await dashboard(`/ticketsUsers?${days}`)).data
  const { attendants } = await dashboard('/?date_from=2026-02-01&date_to=2026-02-28')
  for (const name of ['Ana', 'Bruno']) {
    const { values } = rowOf(agents, name)
    expect(byUser.find(({ nome }) => nome === name)!.quantidade).toBe(values['opened']!)
    expect(attendants.find((one: { name: string }) => one.name === name).rating).toBe(values['rating'])
  }
})
