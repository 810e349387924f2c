import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import { classRanks } from '../../schema/costs/costs.class.ts'
import { costDays } from '../../schema/costs/costs.table.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { automationDecisions } from '../../schema/automation/automation.table.ts'
import { campaigns, shippings } from '../../schema/campaigns/campaigns.table.ts'
import { flows } from '../../schema/flows/flows.table.ts'
import type { InboundCharge } from '../../schema/messages/messages.inbound.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { recordCharges } from './costs.changes.ts'
import { freeTierEffects, notifyFreeTier } from './costs.notices.ts'

let t: TestApp
let operator: string
beforeAll(async () => {
  t = await testApp()
  const first = await t.eg.company()
  expect(first.id).toBe(OPERATOR_COMPANY_ID)
  operator = await t.login((await t.eg.user(first.id, { profile: 'admin', super: true })).email)
})
afterAll(() => t.close())

async function office() {
  const company = await t.eg.company({ timeZone: 'America/Sao_Paulo' })
  const admin = await t.login((await t.eg.user(company.id, { profile: 'admin', name: 'Ada' })).email)
  const line = await t.eg.whatsapp(company.id, { provider: 'official', name: 'Oficial' })
  let made = 0
  const charge = (more: Partial<InboundCharge> = {}): InboundCharge => {
    const wamid = more.wamid ?? `wamid.${company.id}.${++made}`
    return {
      ...{ kind: 'charge', companyId: company.id, whatsappId: line.id, wamid, wid: wamid, template: null },
      ...{ deliveredAt: new Date('2026-11-10T15:00:00Z'), class: { category: 'service', type: 'regular' } },
      ...{ rank: classRanks.delivered, market: 'BR' },
      ...more,
    }
  }
  const record = (...charges: InboundCharge[]) =>
    t.database.db.transaction((tx) => recordCharges(tx, company.id, charges))
  const report = async (query: string, token = admin) => (await t.call('GET', `/costs?${query}`, { token })).body
  return { company, admin, line, charge, record, report }
}
const november = 'from=2026-11-01&to=2026-11-30'

test('what each ticket, agent, queue, flow, campaign and template costs is the sum of its delivered messages', async () => {
  const { company, line, charge, record, report } = await office()
  const { db } = t.database
  const ana = await t.eg.user(company.id, { name: 'Ana' })
  const sales = await t.eg.queue(company.id, { name: 'Vendas' })
  const contact = await t.eg.contact(company.id, { name: 'Vanessa' })
  const ticket = await t.eg.ticket(company.id, {
    ...{ contactId: contact.id, whatsappId: line.id, queueId: sales.id, userId: ana.id, status: 'open' },
  })
  const own = { whatsappId: line.id, fromMe: true }
  const written = await t.eg.messageIn(ticket, { ...own, authorId: ana.id })
  const drawn = await t.eg.messageIn(ticket, own)
  const [flow] = await db.insert(flows).values({ companyId: company.id, name: 'Boas-vindas' }).returning()
  await db.insert(automationDecisions).values({
    ...{ id: `message:${drawn.id}`, companyId: company.id, ticketId: ticket.id, trigger: 'message' as const },
    ...{ steps: [], replies: [drawn.id], by: { flowId: flow!.id } },
  })
  const [campaign] = await db
    .insert(campaigns)
    .values({ companyId: company.id, name: 'Páscoa', seed: 1, whatsappId: line.id })
    .returning()
  await db.insert(shippings).values({
    ...{ companyId: company.id, campaignId: campaign!.id, name: 'Bia', number: '5511980000009', key: '5511980000009' },
    ...{ whatsappId: line.id, wid: 'campaign-1' },
  })
  const marketing = { category: 'marketing', type: 'regular' } as const
  await record(
    charge({ wid: written.wid! }),
    charge({ wid: drawn.wid! }),
    charge({ wid: 'campaign-1', class: marketing, template: 'pascoa' }),
    // Written elsewhere over the same number.
    charge({ class: { category: 'service', type: 'free_entry_point' } }),
    charge({ class: null, rank: classRanks.none }),
    charge({ market: 'PT' }),
    charge({ deliveredAt: null }),
  )
  const total = { micros: 391_700, messages: 6, charged: 3, free: 1, unknown: 1, unpriced: 1 }
  const rows = async (by: string) => {
    const { rows: all, total: sum, currency } = await report(`by=${by}&${november}`)
    expect([sum, currency]).toEqual([total, 'BRL'])
    return all.map(({ key, name, micros, messages }: Record<string, unknown>) => [key, name, micros, messages])
  }
  const rest = (micros: number, messages: number) => [null, null, micros, messages]
  expect(await rows('ticket')).toEqual([rest(321_700, 4), [String(ticket.id), 'Vanessa', 70_000, 2]])
  expect(await rows('agent')).toEqual([rest(356_700, 5), [String(ana.id), 'Ana', 35_000, 1]])
  expect(await rows('queue')).toEqual([rest(321_700, 4), [String(sales.id), 'Vendas', 70_000, 2]])
  expect(await rows('flow')).toEqual([rest(356_700, 5), [String(flow!.id), 'Boas-vindas', 35_000, 1]])
  expect(await rows('campaign')).toEqual([[String(campaign!.id), 'Páscoa', 321_700, 1], rest(70_000, 5)])
  expect(await rows('template')).toEqual([['pascoa', null, 321_700, 1], rest(70_000, 5)])
  expect(await rows('month')).toEqual([['2026-11', null, 391_700, 6]])
  expect(await rows('day')).toEqual([['2026-11-10', null, 391_700, 6]])
  expect(await rows('connection')).toEqual([[String(line.id), 'Oficial', 391_700, 6]])
  expect(await rows('category')).toEqual([
    ['marketing', null, 321_700, 1],
    ['service', null, 70_000, 4],
    [null, null, 0, 1],
  ])
  // Who has the ticket later has said nothing of it.
  await t.database.sql`UPDATE tickets SET "queueId" = NULL WHERE "id" = ${ticket.id}`
  await record(charge({ wamid: `wamid.${company.id}.1`, wid: written.wid!, rank: classRanks.read }))
  expect(await rows('queue')).toEqual([rest(321_700, 4), [String(sales.id), 'Vendas', 70_000, 2]])
})

test('a message is of the day of its delivery by the company’s clock, whichever state is heard first', async () => {
  const { charge, record, report } = await office()
  const late = charge({ deliveredAt: new Date('2026-11-11T03:00:05Z'), class: null, rank: classRanks.none })
  const days = async () => (await report(`by=day&${november}`)).rows.map(({ key }: { key: string }) => key)
  await record(late)
  expect(await days()).toEqual(['2026-11-11'])
  await record({ ...late, deliveredAt: new Date('2026-11-11T02:59:55Z') })
  await record(late)
  expect(await days()).toEqual(['2026-11-10'])
  await record({ ...late, deliveredAt: null, class: { category: 'utility', type: 'regular' }, rank: classRanks.sent })
  expect((await report(`by=category&${november}`)).rows).toMatchObject([{ key: 'utility', micros: 35_000 }])
})

test('a company writes prices of its own, the operator those of all, and what is deleted gives way to what was below it', async () => {
  const { admin, charge, record, report } = await office()
  await record(charge(), charge({ deliveredAt: new Date('2026-11-20T15:00:00Z') }))
  const sum = async () => (await report(november)).total.micros
  const write = (body: object, token: string) => t.call('POST', '/message-prices', { token, body })
  const price = { market: 'BR', category: 'service', currency: 'BRL', since: '2026-11-15', micros: 40_000 }
  expect(await sum()).toBe(70_000)
  expect((await write({ ...price, forAll: true }, admin)).body.error).toBe('ERR_NO_PERMISSION')
  const forAll = await write({ ...price, forAll: true }, operator)
  expect(forAll.status).toBe(200)
  expect(await sum()).toBe(75_000)
  const own = await write({ ...price, since: '2026-11-01', micros: 10_000 }, admin)
  expect(await sum()).toBe(20_000)
  await write({ ...price, since: '2026-11-01', micros: 20_000 }, admin)
  expect(await sum()).toBe(40_000)
  const remove = (id: number, token: string) => t.call('DELETE', `/message-prices/${id}`, { token })
  expect((await remove(forAll.body.id, admin)).body.error).toBe('ERR_NO_MESSAGE_PRICE_FOUND')
  expect((await remove(own.body.id, admin)).status).toBe(200)
  expect((await remove(forAll.body.id, operator)).status).toBe(200)
  expect(await sum()).toBe(70_000)
  // Charged in dollars, nothing is converted.
  await t.call('PUT', '/settings/messageCurrency', { token: admin, body: { value: 'USD' } })
  expect(await report(november)).toMatchObject({ currency: 'USD', total: { micros: 13_600 } })
})

test('a market without a price takes that of all others, where there is one', async () => {
  const { admin, charge, record, report } = await office()
  await record(charge({ market: 'PT' }), charge({ market: '' }), charge())
  expect((await report(november)).total).toMatchObject({ micros: 35_000, unpriced: 2 })
  const body = { market: '*', category: 'service', currency: 'BRL', since: '2026-10-01', micros: 50_000 }
  await t.call('POST', '/message-prices', { token: admin, body })
  expect(await report(`by=connection&${november}`)).toMatchObject({
    ...{ total: { micros: 135_000, unpriced: 0 }, rows: [{ micros: 135_000, charged: 3 }] },
  })
})

test('a report is of days that there are, and of at most 400 of them', async () => {
  const { report } = await office()
  for (const days of [
    'from=2026-02-30&to=2026-03-01',
    'from=2026-03-02&to=2026-03-01',
    'from=2020-01-01&to=2026-03-01',
  ])
    expect((await report(days)).error).toBe('ERR_VALIDATION')
})

/** So many answers of a number, as the ledger counts them. */
const answers = (companyId: number, whatsappId: number, n: number, day = '2026-11-03') =>
  t.database.db
    .insert(costDays)
    .values({ ...{ companyId, whatsappId, day, market: 'BR', category: 'service', type: 'free_customer_service' }, n })

test('this month says how much is spent, how many free answers each number has left, and where it will end', async () => {
  const { company, admin, line } = await office()
  t.clock.now = new Date('2026-11-11T12:00:00Z')
  await answers(company.id, line.id, 500)
  const { body } = await t.call('GET', '/costs/month', { token: admin })
  expect(body).toMatchObject({
    ...{ month: '2026-11', currency: 'BRL', soFar: { micros: 0, free: 500 } },
    // 50 a day: 1,000 more, of which 500 are free.
    forecast: { days: 10, micros: 500 * 35_000 },
    freeTier: [{ whatsappId: line.id, name: 'Oficial', used: 500, of: 1_000, level: null }],
  })
})

test('admins are told once at 80 % and once when the free answers are used up, and anew in the next month', async () => {
  const { company, line } = await office()
  await t.eg.user(company.id, { profile: 'user' })
  const at = new Date('2026-11-12T12:00:00Z')
  const letters = async () =>
    (await t.database.db.select().from(jobs).where(eq(jobs.companyId, company.id)).orderBy(jobs.id)).flatMap(
      ({ kind, payload }) => (kind === 'mail.freeTier' ? [(payload as { level: number; month: string }).level] : []),
    )
  const grow = (n: number) => t.database.sql`UPDATE cost_days SET "n" = ${n} WHERE "companyId" = ${company.id}`
  await answers(company.id, line.id, 799)
  await notifyFreeTier(t.database.db, at)
  expect(await letters()).toEqual([])
  await grow(800)
  await Promise.all([notifyFreeTier(t.database.db, at), notifyFreeTier(t.database.db, at)])
  expect(await letters()).toEqual([80])
  await grow(1_200)
  await notifyFreeTier(t.database.db, at)
  await notifyFreeTier(t.database.db, at)
  expect(await letters()).toEqual([80, 100])
  // Midnight there, not here.
  await notifyFreeTier(t.database.db, new Date('2026-12-01T02:00:00Z'))
  await answers(company.id, line.id, 900, '2026-12-01')
  await notifyFreeTier(t.database.db, new Date('2026-12-01T04:00:00Z'))
  expect(await letters()).toEqual([80, 100, 80])
})

test('the letter names the number, and what the end of the free answers means', async () => {
  const { company, line } = await office()
  const admin = await t.eg.user(company.id, { profile: 'admin', name: 'Eva' })
  const sent: { to: string; subject: string; text: string }[] = []
  const effects = freeTierEffects({
    ...{ db: t.database.db, publicUrl: 'https://balcao.example', now: () => t.clock.now },
    mailer: { send: async (letter) => void sent.push(letter as (typeof sent)[number]), stop: () => undefined },
    push: { send: async () => 'sent' },
  })
  const job = { companyId: company.id } as Parameters<(typeof effects)['mail.freeTier']>[1]
  for (const level of [80, 100])
    await effects['mail.freeTier'](
      { kind: 'mail.freeTier', userId: admin.id, whatsappId: line.id, month: '2026-11', level },
      job,
    )
  expect(sent.map(({ to, subject }) => [to, subject])).toEqual([
    [admin.email, 'Oficial: 80 % das respostas grátis do mês já foram'],
    [admin.email, 'Oficial: as respostas grátis do mês acabaram'],
  ])
  expect(sent[1]!.text).toContain('sem forma de pagamento na Meta')
})
