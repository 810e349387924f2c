import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { HOUR_MS, MINUTE_MS } from '../../schema/durations.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { schedules } from '../../schema/schedules/schedules.table.ts'
import { templates } from '../../schema/templates/templates.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { loadAccess } from '../auth/auth.queries.ts'
import { companyFacts } from '../settings/settings.facts.ts'
import { sendDueSchedules } from './schedules.due.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
  // The first company is the operator's.
  await t.eg.company()
})
afterAll(() => t.close())

const parts = {
  ...{ named: false, header: null, footer: 'Padaria Sol', buttons: [] },
  ...{ body: 'Olá, {{1}}! Seu pedido está pronto.', examples: {} },
}

/** A company with an official number, to which Ana wrote some hours ago. */
async function office(heardHoursAgo: number) {
  const company = await t.eg.company()
  const agent = await t.eg.user(company.id, { profile: 'admin' })
  const token = await t.login(agent.email)
  const line = await t.eg.whatsapp(company.id, { provider: 'official', isDefault: true })
  const contact = await t.eg.contact(company.id, { name: 'Ana Lima', number: `55119777${10_000 + company.id}` })
  const ticket = await t.eg.ticket(company.id, { contactId: contact.id, whatsappId: line.id, status: 'closed' })
  const createdAt = new Date(t.clock.now.getTime() - heardHoursAgo * HOUR_MS)
  await t.eg.messageIn(ticket, { whatsappId: line.id, fromMe: false, createdAt })
  const values = { companyId: company.id, whatsappId: line.id, metaId: '1', name: 'pedido_pronto', language: 'pt_BR' }
  const state = { category: 'UTILITY', confirmedCategory: 'UTILITY', status: 'APPROVED' }
  const [template] = await t.database.db
    .insert(templates)
    .values({ ...values, ...state, parts })
    .returning()
  const call = async (method: string, path: string, body?: unknown) => t.call(method, path, { token, body })
  const scheduled = async (given: Record<string, unknown>): Promise<{ id: string; body: string }> => {
    const sendAt = new Date(t.clock.now.getTime() + HOUR_MS).toISOString()
    const { status, body } = await call('POST', '/schedules', { contactId: contact.id, sendAt, ...given })
    expect({ status, error: body.error }).toEqual({ status: 200, error: null })
    return body
  }
  return { company, line, contact, template: template!, call, scheduled }
}
type Office = Awaited<ReturnType<typeof office>>

/** Its time comes, `now` being the moment at which it does. */
async function due(id: string) {
  const sendAt = new Date(t.clock.now.getTime() - MINUTE_MS)
  await t.database.db.update(schedules).set({ sendAt }).where(eq(schedules.id, id))
  await sendDueSchedules({
    db: t.database.db,
    now: () => t.clock.now,
    facts: companyFacts(t.database.db, 0),
    principalOf: async (tx, userId) => (await loadAccess(tx, userId))?.who,
    committed: () => undefined,
  })
  const [row] = await t.database.db.select().from(schedules).where(eq(schedules.id, id))
  return { status: row!.status, error: row!.error }
}
const lastSaid = async ({ contact }: Office) => {
  const rows = await t.database.db.select().from(messages).where(eq(messages.contactId, contact.id))
  return rows.filter(({ fromMe }) => fromMe).at(-1)
}
const values = { 'body.1': '{{firstName}}' }

test('a text whose time comes after the window has closed is not sent, and says so', async () => {
  const here = await office(30)
  const { id } = await here.scheduled({ body: 'Seu pedido está pronto' })
  expect(await due(id)).toEqual({ status: 'ERRO', error: 'ERR_WINDOW_CLOSED' })
  expect(await lastSaid(here)).toBeUndefined()
})

test('a text whose time comes within the window is sent', async () => {
  const here = await office(3)
  const { id } = await here.scheduled({ body: 'Seu pedido está pronto' })
  expect(await due(id)).toEqual({ status: 'ENVIADA', error: null })
})

test('a template is sent at any time, filled with what is known of the contact then', async () => {
  const here = await office(300)
  const { id, body } = await here.scheduled({ templateId: here.template.id, templateValues: values })
  expect(body).toBe('Olá, {{firstName}}! Seu pedido está pronto.\n\n_Padaria Sol_')
  expect(await due(id)).toEqual({ status: 'ENVIADA', error: null })
  expect(await lastSaid(here)).toMatchObject({
    body: 'Olá, Ana! Seu pedido está pronto.\n\n_Padaria Sol_',
    about: { is: 'template', name: 'pedido_pronto', values: { 'body.1': 'Ana' } },
  })
})

test('a template that is paused, gone or left without a value at its time sends nothing, each with its reason', async () => {
  const here = await office(300)
  const { db } = t.database
  const one = eq(templates.id, here.template.id)
  const anew = async () => (await here.scheduled({ templateId: here.template.id, templateValues: values })).id
  const [paused, nameless, gone] = [await anew(), await anew(), await anew()]
  await db.update(templates).set({ status: 'PAUSED' }).where(one)
  expect(await due(paused)).toEqual({ status: 'ERRO', error: 'ERR_TEMPLATE_STOPPED' })
  await db.update(templates).set({ status: 'APPROVED' }).where(one)
  await db
    .update(schedules)
    .set({ templateValues: { 'body.1': '{{email}}' } })
    .where(eq(schedules.id, nameless))
  expect(await due(nameless)).toEqual({ status: 'ERRO', error: 'ERR_TEMPLATE_VALUES' })
  await db.delete(templates).where(one)
  expect(await due(gone)).toEqual({ status: 'ERRO', error: 'ERR_NO_TEMPLATE_FOUND' })
  expect(await lastSaid(here)).toBeUndefined()
})

test('a schedule says a text or a template, which is of its connection and wants all its values', async () => {
  const here = await office(1)
  const other = await office(1)
  const sendAt = new Date(t.clock.now.getTime() + HOUR_MS).toISOString()
  const refused = async (given: Record<string, unknown>) =>
    (await here.call('POST', '/schedules', { contactId: here.contact.id, sendAt, ...given })).body.error
  expect(await refused({})).toBe('ERR_VALIDATION')
  expect(await refused({ templateId: here.template.id })).toBe('ERR_TEMPLATE_VALUES')
  expect(await refused({ templateId: other.template.id, templateValues: values })).toBe('ERR_NO_TEMPLATE_FOUND')
  const phone = await t.eg.whatsapp(here.company.id)
  const there = { whatsappId: phone.id, templateId: here.template.id, templateValues: values }
  expect(await refused(there)).toBe('ERR_NO_TEMPLATE_FOUND')
})

test('a text becomes a template’s, and a template’s a text again', async () => {
  const here = await office(1)
  const { id } = await here.scheduled({ body: 'Seu pedido está pronto' })
  const put = async (given: Record<string, unknown>) => (await here.call('PUT', `/schedules/${id}`, given)).body
  expect(await put({ templateId: here.template.id, templateValues: values })).toMatchObject({
    ...{ body: 'Olá, {{firstName}}! Seu pedido está pronto.\n\n_Padaria Sol_' },
    ...{ templateId: here.template.id, templateValues: values, whatsappId: here.line.id },
  })
  expect(await put({ bulk: true })).toMatchObject({ bulk: true, templateId: here.template.id })
  expect(await put({ templateId: null, body: 'Tudo certo' })).toMatchObject({
    body: 'Tudo certo',
    templateId: null,
    templateValues: {},
  })
})
