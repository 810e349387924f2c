import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { slaPolicies } from '../../schema/sla-policies/sla-policies.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { until } from '../../tests/support/stack.ts'

/** What hangs on the wall says what the list says. */
let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

async function house() {
  const company = await t.eg.company({ plan: { users: 10 } })
  const [sales, support] = [
    await t.eg.queue(company.id, { name: 'Vendas', orderQueue: 1 }),
    await t.eg.queue(company.id, { name: 'Suporte', orderQueue: 2 }),
  ]
  const admin = await t.eg.user(company.id, { profile: 'admin', queueIds: [sales.id, support.id] })
  const token = await t.login(admin.email)
  const whatsapp = await t.eg.whatsapp(company.id)
  const ticket = async (own: Partial<typeof tickets.$inferInsert>) =>
    t.eg.ticket(company.id, {
      ...{ contactId: (await t.eg.contact(company.id)).id, whatsappId: whatsapp.id, status: 'pending', userId: null },
      ...own,
    })
  return {
    ...{ company, sales, support, admin, whatsapp, ticket },
    wall: async (query = '') => (await t.call('GET', `/wall${query}`, { token })).body,
    listed: async (status: string, queueIds: number[] = [sales.id, support.id]) =>
      (await t.call('GET', `/tickets?status=${status}&showAll=true&queueIds=${JSON.stringify(queueIds)}`, { token }))
        .body.tickets.length,
  }
}

test('it counts what the list holds, queue by queue, and follows within a second', async () => {
  const h = await house()
  const first = await h.ticket({ queueId: h.sales.id, createdAt: new Date(t.clock.now.getTime() - 600_000) })
  await h.ticket({ queueId: h.sales.id })
  await h.ticket({ queueId: h.support.id, status: 'open', userId: h.admin.id })
  await h.ticket({ queueId: h.support.id, status: 'closed', userId: h.admin.id })
  const wall = await h.wall()
  expect([wall.waiting, wall.open]).toEqual([await h.listed('pending'), await h.listed('open')])
  expect([wall.waiting, wall.open]).toEqual([2, 1])
  expect(wall.queues).toMatchObject([
    { name: 'Vendas', waiting: 2, open: 0 },
    { name: 'Suporte', waiting: 0, open: 1, since: null },
  ])
  expect(wall.since).toBe(wall.queues[0].since)
  expect(wall.connections).toMatchObject([{ name: h.whatsapp.name }])

  await t.database.db.update(tickets).set({ status: 'open', userId: h.admin.id }).where(eq(tickets.id, first.id))
  const after = await until('the wall follows', h.wall, ({ open }) => open === 2)
  expect([after.waiting, after.open]).toEqual([await h.listed('pending'), await h.listed('open')])
  expect([after.waiting, after.open]).toEqual([1, 2])

  const own = await h.wall(`?queueIds=[${h.support.id}]`)
  expect([own.waiting, own.open]).toEqual([0, await h.listed('open', [h.support.id])])
})

test('who is away, and until when, and how much each has of how much', async () => {
  const h = await house()
  const until = new Date(t.clock.now.getTime() + 1_800_000)
  const here = { online: true, lastSeenAt: t.clock.now, queueIds: [h.sales.id] }
  const bia = await t.eg.user(h.company.id, { ...here, name: 'Bia', capacity: 4 })
  await t.eg.user(h.company.id, { ...here, name: 'Caio', awayAt: t.clock.now, awayUntil: until })
  // In no queue: nothing is given to them.
  await t.eg.user(h.company.id, { ...here, name: 'Davi', queueIds: [] })
  await h.ticket({ queueId: h.sales.id, status: 'open', userId: bia.id })
  const { agents } = await h.wall(`?queueIds=[${h.sales.id}]`)
  expect(agents.filter(({ id }: { id: number }) => id !== h.admin.id)).toEqual([
    { id: bia.id, name: 'Bia', state: 'present', awayUntil: null, open: 1, capacity: 4 },
    expect.objectContaining({ name: 'Caio', state: 'away', awayUntil: until.toISOString(), open: 0, capacity: null }),
  ])
})

test('only where something is promised there is something at risk', async () => {
  const h = await house()
  const { db } = t.database
  await h.ticket({ queueId: h.sales.id })
  expect((await h.wall()).risk).toBeNull()
  await db.insert(slaPolicies).values({ companyId: h.company.id, name: 'Padrão', position: 1, firstAnswer: 30 })
  const at = (minutes: number) => new Date(t.clock.now.getTime() + minutes * 60_000)
  const promise = { nextDueMetric: 'firstAnswer' as const, queueId: h.sales.id }
  await h.ticket({ ...promise, nextDueAt: at(20), nextRiskAt: at(14) })
  await h.ticket({ ...promise, nextDueAt: at(5), nextRiskAt: at(-1) })
  await h.ticket({ ...promise, nextDueAt: at(-5), nextRiskAt: at(-11) })
  const { risk } = await until('the promises are seen', h.wall, (wall) => wall.risk !== null)
  expect(risk).toEqual({ atRisk: 1, breached: 1 })
})

test('agents do not see it, supervisors do', async () => {
  const h = await house()
  for (const [profile, status] of [
    ['user', 403],
    ['supervisor', 200],
  ] as const) {
    const who = await t.eg.user(h.company.id, { profile, queueIds: [h.sales.id] })
    expect((await t.call('GET', '/wall', { token: await t.login(who.email) })).status).toBe(status)
  }
})
