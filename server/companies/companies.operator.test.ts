import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { invoices } from '../../schema/invoices/invoices.table.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { demandFeature } from '../commands/plan-features.ts'
import { companyEffects } from './companies.removal.ts'

let t: TestApp
let operator: string
let stranger: string
let planId: number
beforeAll(async () => {
  t = await testApp()
  const first = await t.eg.company()
  expect(first.id).toBe(OPERATOR_COMPANY_ID)
  operator = await t.login((await t.eg.user(first.id, { profile: 'admin', super: true })).email)
  const other = await t.eg.company()
  stranger = await t.login((await t.eg.user(other.id, { profile: 'admin' })).email)
  const [plan] = await t.database.db
    .insert(plans)
    .values({ name: 'Básico', users: 3, connections: 1, queues: 2, value: '49.90' })
    .returning()
  planId = plan!.id
})
afterAll(() => t.close())

const call = (method: string, path: string, body?: unknown) => t.call(method, path, { token: operator, body })
let serial = 0
const wish = (values: Record<string, unknown> = {}) => ({
  name: `Mercado ${++serial}`,
  email: `mercado${serial}@example.test`,
  planId,
  password: 'segredo1',
  ...values,
})

describe('the operator', () => {
  test('makes a company whose admin can log in, and finds it by a part of its name', async () => {
    const made = await call(
      'POST',
      '/companies',
      wish({ phone: '(11) 98765-4321', dueDate: '', campaignsEnabled: false }),
    )
    expect(made).toMatchObject({
      status: 200,
      body: {
        ...{ phone: '11987654321', dueDate: null, recurrence: 'MENSAL', status: true, removal: null },
        ...{ plan: { name: 'Básico', users: 3 }, users: 1, connections: 0, queues: 0 },
        settings: [{ key: 'campaignsEnabled', value: 'false' }],
      },
    })
    await t.login(made.body.email, 'segredo1')
    const search = encodeURIComponent(made.body.name.toUpperCase())
    expect((await call('GET', `/companies?searchParam=${search}`)).body).toMatchObject({
      ...{ companies: [{ id: made.body.id }], hasMore: false },
    })
    expect((await call('GET', '/companies/list')).body.some(({ id }: { id: number }) => id === made.body.id)).toBe(true)
  })

  test('invents no password for an admin: the link opens once, another takes its place, and none is given to who came in', async () => {
    const { body } = await call('POST', '/companies', wish({ password: '' }))
    expect(body).toMatchObject({ invited: true, invitation: { days: 7, mailed: false } })
    const again = await call('POST', `/companies/${body.id}/invitation`)
    expect(again.body).toMatchObject({ name: body.name, email: body.email, invitation: { days: 7 } })
    const opens = async (code: string, newPassword: string) =>
      (await t.call('POST', '/resetpasswords', { body: { email: body.email, token: code, newPassword } })).status
    expect(await opens(body.invitation.code, 'Segredo12')).not.toBe(200)
    expect(await opens(again.body.invitation.code, 'Segredo12')).toBe(200)
    expect(await opens(again.body.invitation.code, 'Segredo13')).not.toBe(200)
    await t.login(body.email, 'Segredo12')
    expect((await call('POST', `/companies/${body.id}/invitation`)).body.error).toBe('ERR_NOT_INVITED')
    expect((await call('GET', `/companies/${body.id}`)).body.invited).toBe(false)
    const known = await call('POST', '/companies', wish())
    expect([known.body.invited, known.body.invitation]).toEqual([false, undefined])
    expect((await call('POST', `/companies/${known.body.id}/invitation`)).body.error).toBe('ERR_NOT_INVITED')
    const refused = await t.call('POST', `/companies/${body.id}/invitation`, { token: stranger })
    expect(refused.status).toBe(403)
  })

  test('hears when a name, an e-mail, a plan or a day is not good', async () => {
    const first = wish()
    await call('POST', '/companies', first)
    const refused = async (values: Record<string, unknown>) =>
      (await call('POST', '/companies', wish(values))).body.error
    expect(await refused({ name: first.name.toUpperCase() })).toBe('ERR_COMPANY_ALREADY_EXISTS')
    expect(await refused({ email: first.email })).toBe('ERR_DUPLICATED_EMAIL')
    expect(await refused({ planId: 2_000_000 })).toBe('ERR_NO_PLAN_FOUND')
    expect(await refused({ dueDate: '2027-02-31' })).toBe('ERR_VALIDATION')
    expect(await refused({ email: 'x' })).toBe('ERR_VALIDATION')
  })

  test('sees who owes, since when and how much: late ones first where they ask, with what is open, late and paid', async () => {
    const { db } = t.database
    t.clock.now = new Date('2026-11-20T12:00:00Z')
    const make = async (values: Record<string, unknown>) => (await call('POST', '/companies', wish(values))).body
    // Not billed by the calls: each owes what stands here.
    const late = await make({ dueDate: '2026-11-01' })
    const soon = await make({ dueDate: '2026-11-25' })
    const free = await make({ dueDate: '2026-11-19' })
    const good = await make({ dueDate: '' })
    await db.delete(invoices)
    const invoice = { detail: 'Básico', months: 1, createdAt: t.clock.now, updatedAt: t.clock.now }
    await db.insert(invoices).values([
      { ...invoice, companyId: late.id, value: '49.90', dueDate: '2026-10-01' },
      { ...invoice, companyId: late.id, value: '50.10', dueDate: '2026-11-01' },
      { ...invoice, companyId: soon.id, value: '149.90', dueDate: '2026-11-25' },
      { ...invoice, companyId: good.id, value: '30.00', dueDate: '2026-10-25', status: 'paid', paidAt: t.clock.now },
      // Of last month, of the operator's calendar: it is 1 November there at three o'clock in London.
      ...['2026-11-01T02:59:00Z', '2026-11-01T03:01:00Z'].map((at, n) => ({
        ...{ ...invoice, companyId: good.id, value: '10.00', dueDate: `2026-0${n + 1}-25` },
        ...{ status: 'paid' as const, paidAt: new Date(at) },
      })),
      { ...invoice, companyId: good.id, value: '99.00', dueDate: '2026-09-25', status: 'cancelled' },
    ])
    const mine = [late.id, soon.id, free.id, good.id]
    const list = async (query: string) =>
      (await call('GET', `/companies?searchParam=mercado&${query}`)).body.companies
        .filter(({ id }: { id: number }) => mine.includes(id))
        .map(({ id, owed, owedSince }: { id: number; owed: string; owedSince: string | null }) => [id, owed, owedSince])
    const [lateRow, soonRow, freeRow] = [
      [late.id, '100.00', '2026-10-01'],
      [soon.id, '149.90', '2026-11-25'],
      [free.id, '0', null],
    ]
    expect(await list('filter=late&order=owed')).toEqual([lateRow, freeRow])
    expect(await list('filter=owing&order=owed')).toEqual([soonRow, lateRow])
    expect((await list('order=owed')).slice(0, 2)).toEqual([soonRow, lateRow])
    expect(await list('order=name')).toHaveLength(4)
    expect((await call('GET', '/companies?filter=rich')).body.error).toBe('ERR_VALIDATION')
    expect((await call('GET', '/invoices/totals')).body).toEqual({
      open: { invoices: 3, value: '249.90', companies: 2 },
      late: { invoices: 2, value: '100.00', companies: 1 },
      paid: { invoices: 2, value: '40.00' },
      // Nobody has said how: these companies cannot pay.
      canBePaid: false,
    })
    const { body: account } = await call('GET', '/invoices/provider')
    const { isSet: _isSet, webhook: _webhook, ...fields } = account
    const pix = { ...fields, provider: 'pix', pixKey: 'paga@balcao.test', pixName: 'Balcao', pixCity: 'SP' }
    expect((await call('PUT', '/invoices/provider', pix)).status).toBe(200)
    expect((await call('GET', '/invoices/totals')).body.canBePaid).toBe(true)
  })

  test('makes a plan that allows enough to begin with', async () => {
    const { body } = await call('POST', '/plans', { name: 'Só o nome' })
    expect(body).toMatchObject({ users: 5, connections: 1, queues: 5 })
  })

  test('switches a company off and on, and gives it more time; its people feel it at once', async () => {
    const { body: company } = await call('POST', '/companies', wish())
    const token = await t.login(company.email, 'segredo1')
    const works = async () => (await t.call('GET', '/queue', { token })).status
    expect(await works()).toBe(200)
    await call('PUT', `/companies/${company.id}`, { status: false })
    expect(await works()).toBe(402)
    const { body } = await call('PUT', `/companies/${company.id}`, { status: true, dueDate: '2099-12-31' })
    expect(body).toMatchObject({ status: true, dueDate: '2099-12-31', name: company.name })
    expect(await works()).toBe(200)
    // Its own it cannot.
    const own = await call('PUT', `/companies/${OPERATOR_COMPANY_ID}`, { status: false })
    expect(own.body.error).toBe('ERR_FORBIDDEN')
  })

  test('alone does so: admins of a company read their own, and nothing else', async () => {
    const { body: company } = await call('POST', '/companies', wish())
    const token = await t.login(company.email, 'segredo1')
    const own = await t.call('GET', `/companies/${company.id}`, { token })
    expect(own.body).toMatchObject({ id: company.id, plan: { name: 'Básico' } })
    expect((await t.call('GET', `/companies/${company.id}`, { token: stranger })).status).toBe(404)
    for (const [method, path, body] of [
      ['GET', '/companies'],
      ['GET', '/companies/list'],
      ['POST', '/companies', wish()],
      ['PUT', `/companies/${company.id}`, { dueDate: '2099-01-01' }],
      ['DELETE', `/companies/${company.id}`],
      ['GET', `/plans/${planId}`],
      ['POST', '/plans', { name: 'Meu' }],
      ['PUT', `/plans/${planId}`, { users: 99 }],
      ['DELETE', `/plans/${planId}`],
    ] as const)
      expect((await t.call(method, path, { token, ...(body && { body }) })).body.error).toBe('ERR_NO_SUPER')
  })
})

describe('a company that is deleted', () => {
  test('is shut at once, and goes with all that is theirs, in pieces; others keep theirs', async () => {
    const { db } = t.database
    const { body: company } = await call('POST', '/companies', wish())
    const token = await t.login(company.email, 'segredo1')
    const whatsapp = await t.eg.whatsapp(company.id)
    for (let i = 0; i < 3; i++) {
      const contact = await t.eg.contact(company.id)
      const ticket = await t.eg.ticket(company.id, { contactId: contact.id, whatsappId: whatsapp.id })
      await t.eg.messageIn(ticket, { body: 'oi' })
    }
    const options = { name: 'a.pdf', mimetype: 'application/pdf', maxBytes: 100 }
    const file = await t.deps.media.put(company.id, Buffer.from('%PDF-1.4 x'), options)
    const kept = await t.deps.media.put(OPERATOR_COMPANY_ID, Buffer.from('%PDF-1.4 y'), options)
    const others = await db.$count(users)

    const begun = await call('DELETE', `/companies/${company.id}`)
    expect(begun.body).toMatchObject({ status: false, removal: { done: 0, total: 6 } })
    // Twice is once.
    expect((await call('DELETE', `/companies/${company.id}`)).status).toBe(200)
    expect((await t.call('GET', '/queue', { token })).status).toBe(402)
    expect((await call('PUT', `/companies/${company.id}`, { status: true })).body.error).toBe('ERR_FORBIDDEN')
    const waiting = await db.select().from(jobs).where(eq(jobs.kind, 'companies.remove'))
    expect(waiting.map(({ companyId, payload }) => [companyId, payload])).toEqual([
      [OPERATOR_COMPANY_ID, { removedId: company.id }],
    ])

    const forgotten: number[] = []
    const handler = companyEffects({
      db,
      media: t.deps.media,
      events: t.events,
      forgetSession: async (id) => void forgotten.push(id),
    })['companies.remove']
    const before = t.emitted.length
    // And once more, as after a crash.
    for (const attempt of [1, 2])
      await handler(
        { kind: 'companies.remove', removedId: company.id },
        { companyId: OPERATOR_COMPANY_ID, attempt, last: false },
      )
    expect(forgotten).toEqual([whatsapp.id])
    const told = t.emitted.slice(before).filter(({ name }) => name === 'company')
    expect(told.map(({ action, payload }) => [action, payload])).toEqual([
      ['update', { company: { id: company.id, removal: { done: 3, total: 6 } } }],
      ['update', { company: { id: company.id, removal: { done: 6, total: 6 } } }],
      ['delete', { companyId: company.id }],
    ])
    for (const table of [tickets, contacts, messages, users])
      expect(await db.$count(table, eq(table.companyId, company.id))).toBe(0)
    expect(await db.$count(companies, eq(companies.id, company.id))).toBe(0)
    expect(await db.$count(users)).toBe(others - 1)
    expect(await t.deps.media.find(file.path)).toBeUndefined()
    expect(await t.deps.media.find(kept.path)).toBeDefined()
    expect((await call('GET', `/companies/${company.id}`)).status).toBe(404)
  })

  test('is answered also where it was gone before the answer', async () => {
    const { sql } = t.database
    const { body: company } = await call('POST', '/companies', wish())
    // A worker that is done at once.
    await sql.unsafe(`CREATE FUNCTION done_at_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        DELETE FROM companies WHERE id = ${company.id}; RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER done_at_once AFTER INSERT ON jobs DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION done_at_once()`)
    const begun = await call('DELETE', `/companies/${company.id}`)
    await sql.unsafe('DROP TRIGGER done_at_once ON jobs; DROP FUNCTION done_at_once()')
    expect(begun).toMatchObject({
      status: 200,
      body: { id: company.id, status: false, removal: { done: 0, total: 0 } },
    })
    expect((await call('GET', `/companies/${company.id}`)).status).toBe(404)
  })

  test('is never the operator’s own', async () => {
    expect((await call('DELETE', `/companies/${OPERATOR_COMPANY_ID}`)).body.error).toBe('ERR_FORBIDDEN')
  })
})

describe('plans', () => {
  test('have limits, a price and what they leave out; a name is taken once', async () => {
    const made = await call('POST', '/plans', { name: ' Ouro ', users: 10, value: '199,9', useKanban: false })
    expect(made.body).toMatchObject({
      ...{ name: 'Ouro', users: 10, connections: 1, value: '199.90', useKanban: false, useOpenAi: true, companies: 0 },
    })
    expect((await call('POST', '/plans', { name: 'Ouro' })).body.error).toBe('ERR_PLAN_ALREADY_EXISTS')
    expect((await call('PUT', `/plans/${made.body.id}`, { value: 250 })).body).toMatchObject({
      ...{ value: '250.00', users: 10 },
    })
    expect((await call('PUT', `/plans/${made.body.id}`, { users: -1 })).body.error).toBe('ERR_VALIDATION')
    expect((await call('DELETE', `/plans/${made.body.id}`)).status).toBe(200)
    expect((await call('DELETE', `/plans/${made.body.id}`)).status).toBe(404)
  })

  test('that a company has are not deleted, and internal ones are the operator’s to see', async () => {
    await call('POST', '/companies', wish())
    const refused = await call('DELETE', `/plans/${planId}`)
    expect(refused).toMatchObject({ status: 400, body: { error: 'ERR_PLAN_IN_USE' } })
    const { body: internal } = await call('POST', '/plans', { name: 'Da casa', useInternal: false })
    const all = async (token: string) =>
      (await t.call('GET', '/plans/all', { token })).body.map(({ id }: { id: number }) => id)
    expect(await all(operator)).toContain(internal.id)
    expect(await all(stranger)).not.toContain(internal.id)
  })

  test('a limit that is lowered takes nothing away, and lets nothing new in; what a plan leaves out is refused', async () => {
    const { body: plan } = await call('POST', '/plans', { name: 'Prata', users: 3, queues: 3, connections: 3 })
    const { body: company } = await call('POST', '/companies', wish({ planId: plan.id }))
    const token = await t.login(company.email, 'segredo1')
    const own = (method: string, path: string, body?: unknown) => t.call(method, path, { token, body })
    const colors = ['#111111', '#222222', '#333333']
    for (const color of colors.slice(0, 2))
      expect((await own('POST', '/queue', { name: `Fila ${color}`, color })).status).toBe(200)
    await call('PUT', `/plans/${plan.id}`, { users: 1, queues: 1, connections: 0 })
    expect((await own('GET', '/queue')).body).toHaveLength(2)
    const room = [
      ['/queue', { name: 'Mais uma', color: '#333333' }, 1],
      ['/users', { name: 'Ana', email: 'ana.prata@example.test', password: 'segredo1' }, 1],
      ['/whatsapp', { name: 'Loja' }, 0],
    ] as const
    for (const [path, body, limit] of room)
      expect((await own('POST', path, body)).body).toMatchObject({ error: 'ERR_PLAN_LIMIT', limit })

    // Campaigns are the plan's word and the operator's.
    const campaigns = async () => (await own('GET', `/companies/listPlan/${company.id}`)).body.plan.useCampaigns
    expect(await campaigns()).toBe(true)
    await call('PUT', `/companies/${company.id}`, { campaignsEnabled: false })
    expect(await campaigns()).toBe(false)
    expect((await own('PUT', '/settings/campaignsEnabled', { value: 'true' })).body.error).toBe('ERR_NO_SUPER')
    const asked = demandFeature(t.database.db, company.id, 'useCampaigns')
    expect(asked).rejects.toMatchObject({ code: 'ERR_PLAN_FEATURE' })

    const gated = {
      useSchedules: ['POST', '/schedules', { body: 'oi oi', contactId: 1, sendAt: '2099-01-01T00:00:00Z' }],
      useInternalChat: ['GET', '/chats'],
      useOpenAi: ['GET', '/prompt'],
      useIntegrations: ['GET', '/queueIntegration'],
    } as const
    for (const [feature, [method, path, body]] of Object.entries(gated)) {
      expect((await own(method, path, body)).body.error).not.toBe('ERR_PLAN_FEATURE')
      await call('PUT', `/plans/${plan.id}`, { [feature]: false })
      expect((await own(method, path, body)).body).toMatchObject({ error: 'ERR_PLAN_FEATURE', feature })
    }
  })
})
