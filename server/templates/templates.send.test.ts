import { afterAll, beforeAll, expect, test } from 'bun:test'
import { HOUR_MS } from '../../schema/durations.ts'
import { newId } from '../../schema/ids.ts'
import type { OutgoingMessage } from '../../schema/messages/messages.content.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { templates } from '../../schema/templates/templates.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import type { JobChannel } from '../channels/channel.port.ts'
import { messageEffects } from '../messages/messages.effects.ts'
import { eq } from 'drizzle-orm'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
  // The first company is the operator's.
  await t.eg.company()
})
afterAll(() => t.close())

const parts = {
  ...{ named: false, header: null, footer: 'Padaria Sol', buttons: [{ kind: 'reply' as const, text: 'Obrigado' }] },
  ...{ body: 'Olá, {{1}}! Seu pedido está pronto.', examples: {} },
}

/** An agent's open ticket over an official connection, in which the contact wrote two days ago. */
async function desk() {
  const company = await t.eg.company()
  const agent = await t.eg.user(company.id)
  const admin = await t.login((await t.eg.user(company.id, { profile: 'admin' })).email)
  const line = await t.eg.whatsapp(company.id, { provider: 'official' })
  const number = `55119666${String(10_000 + company.id)}`
  const contact = await t.eg.contact(company.id, { number })
  const ticket = await t.eg.ticket(company.id, {
    ...{ contactId: contact.id, whatsappId: line.id, status: 'open', userId: agent.id },
  })
  const createdAt = new Date(t.clock.now.getTime() - 48 * HOUR_MS)
  await t.eg.messageIn(ticket, { whatsappId: line.id, fromMe: false, createdAt })
  const values = { companyId: company.id, whatsappId: line.id, metaId: '1', name: 'pedido_pronto', language: 'pt_BR' }
  const [template] = await t.database.db
    .insert(templates)
    .values({ ...values, ...{ category: 'UTILITY', confirmedCategory: 'UTILITY', status: 'APPROVED', parts } })
    .returning()
  const token = await t.login(agent.email)
  const says = async (input: object = {}) =>
    (
      await t.call('POST', '/commands', {
        token,
        body: {
          ...{ id: newId(), name: 'messages.sendTemplate' },
          input: { id: newId(), ticketId: ticket.id, templateId: template!.id, values: { 'body.1': 'Ana' }, ...input },
        },
      })
    ).body
  const set = (more: Partial<typeof templates.$inferInsert>) =>
    t.database.db.update(templates).set(more).where(eq(templates.id, template!.id))
  const said = async () =>
    (
      await t.database.db.select().from(messages).where(eq(messages.ticketId, ticket.id)).orderBy(messages.createdAt)
    ).at(-1)!
  return { company, admin, line, number, ticket, template: template!, says, set, said }
}

/** What the worker hands to the wire. */
async function left(companyId: number, messageId: string, whatsappId: number, by?: 'agent' | 'many') {
  const out: OutgoingMessage[] = []
  const effects = messageEffects({
    ...{ db: t.database.db, media: t.deps.media, tools: {} as never, maxMediaBytes: 1, now: () => t.clock.now },
    channel: { send: async (message: OutgoingMessage) => void out.push(message) } as unknown as JobChannel,
    committed: () => undefined,
  })
  await effects['whatsapp.send'](
    { kind: 'whatsapp.send', messageId, whatsappId, chat: 0, ...(by && { by }) },
    { companyId, attempt: 1, last: false },
  )
  return out
}

test('an agent writes outside the window by a template; the ticket shows what its reader sees', async () => {
  const { company, line, says, said } = await desk()
  expect((await says()).result).toMatchObject({ messageId: expect.any(String) })
  const row = await said()
  expect(row).toMatchObject({
    body: 'Olá, Ana! Seu pedido está pronto.\n\n_Padaria Sol_',
    mediaType: 'chat',
    about: { is: 'template', name: 'pedido_pronto', values: { 'body.1': 'Ana' }, buttons: ['Obrigado'] },
  })
  expect(await left(company.id, row.id, line.id, 'agent')).toMatchObject([
    { content: { type: 'template', template: { name: 'pedido_pronto', language: 'pt_BR' }, text: row.body } },
  ])
})

test('nothing is said by what is not filled, not approved, dearer than known, or of another connection', async () => {
  const { company, says, set } = await desk()
  expect(await says({ values: { 'body.1': '  ' } })).toMatchObject({
    error: 'ERR_TEMPLATE_VALUES',
    missing: ['body.1'],
  })
  await set({ status: 'PAUSED' })
  expect(await says()).toMatchObject({ error: 'ERR_TEMPLATE_STOPPED', reason: 'paused' })
  await set({ status: 'APPROVED', category: 'MARKETING' })
  expect(await says()).toMatchObject({ error: 'ERR_TEMPLATE_STOPPED', reason: 'drift' })
  await set({ confirmedCategory: 'MARKETING' })
  expect((await says()).error).toBeUndefined()
  await set({ whatsappId: (await t.eg.whatsapp(company.id, { provider: 'official' })).id })
  expect(await says()).toMatchObject({ error: 'ERR_NO_TEMPLATE_FOUND' })
})

test('a template whose header is a place is filled with it, by an agent and by a program', async () => {
  const { company, admin, line, number, says, set, said } = await desk()
  await set({ parts: { ...parts, header: { kind: 'location' } } })
  expect(await says()).toMatchObject({
    error: 'ERR_TEMPLATE_VALUES',
    missing: ['place.point', 'place.name', 'place.address'],
  })
  const place = { 'place.point': '-8.05, -34.9', 'place.name': 'Loja', 'place.address': 'Rua A, 10' }
  expect((await says({ values: { 'body.1': 'Ana', ...place } })).error).toBeUndefined()
  const row = await said()
  expect(row).toMatchObject({
    body: '📍 Loja, Rua A, 10\n\nOlá, Ana! Seu pedido está pronto.\n\n_Padaria Sol_',
    about: { values: place },
  })
  expect(await left(company.id, row.id, line.id, 'agent')).toMatchObject([{ content: { template: { values: place } } }])
  const made = await t.call('POST', '/api-keys', { token: admin, body: { name: 'Loja', scopes: ['messages:send'] } })
  const template = { name: 'pedido_pronto', language: 'pt_BR', variables: { 1: 'Bia', ...place } }
  const body = { number, whatsappId: line.id, template }
  expect((await t.call('POST', '/api/v1/messages', { token: made.body.key, body })).status).toBe(202)
  expect(await said()).toMatchObject({ body: expect.stringContaining('📍 Loja'), about: { values: place } })
})

test('a program brings the file with which a template begins, and is told which kind it must be', async () => {
  const { company, admin, line, number, ticket, set, said } = await desk()
  await set({ parts: { ...parts, header: { kind: 'document' } } })
  const made = await t.call('POST', '/api-keys', { token: admin, body: { name: 'Loja', scopes: ['messages:send'] } })
  const v1 = (body: object, path = '/messages') => t.call('POST', `/api/v1${path}`, { token: made.body.key, body })
  const template = { name: 'pedido_pronto', language: 'pt_BR', variables: { 1: 'Bia' } }
  const to = { number, whatsappId: line.id }
  const file = { name: 'nota.pdf', mimetype: 'application/pdf', base64: btoa('%PDF-1.4 nota') }
  expect((await v1({ ...to, template })).body).toMatchObject({ error: 'ERR_TEMPLATE_FILE', kind: 'document' })
  expect((await v1({ ...to, template, file, body: 'e um texto' })).body).toMatchObject({ error: 'ERR_VALIDATION' })
  const brought = async (work: ReturnType<typeof v1>) => {
    const answer = await work
    expect(answer.status).toBe(202)
    const [row] = await t.database.db.select().from(messages).where(eq(messages.id, answer.body.id))
    expect(row).toMatchObject({ mediaName: 'nota.pdf', mediaType: 'application', about: { file: 'document' } })
    expect(await left(company.id, row!.id, line.id, 'many')).toMatchObject([
      { content: { type: 'template', file: { mediaPath: row!.mediaPath, fileName: 'nota.pdf' } } },
    ])
  }
  await brought(v1({ ...to, template, file }))
  await brought(v1({ template, file }, `/tickets/${ticket.id}/messages`))
  expect((await said()).about).toMatchObject({ is: 'template' })
})

test('a program names a template and its variables, by both calls, also to somebody who never wrote', async () => {
  const { company, admin, line, number, ticket, set, said } = await desk()
  const old = (body: object) => t.call('POST', '/api/messages/send', { token: line.token, body: { number, ...body } })
  expect((await old({ body: 'Oi' })).body).toMatchObject({ error: 'ERR_WINDOW_CLOSED' })
  const template = { name: 'pedido_pronto', language: 'pt_BR', variables: { 1: 'Bia' } }
  const sent = await old({ template })
  expect(sent).toMatchObject({ status: 200, body: { ticketId: ticket.id } })
  expect(await said()).toMatchObject({ body: expect.stringContaining('Olá, Bia!'), about: { is: 'template' } })
  const [out] = await left(company.id, sent.body.id, line.id, 'many')
  expect(out).toMatchObject({ content: { type: 'template' } })

  const made = await t.call('POST', '/api-keys', { token: admin, body: { name: 'Loja', scopes: ['messages:send'] } })
  const { key } = made.body
  const v1 = (body: object, path = '/messages') => t.call('POST', `/api/v1${path}`, { token: key, body })
  const stranger = '5511966669999'
  expect(await v1({ number: stranger, whatsappId: line.id, template })).toMatchObject({ status: 202 })
  expect((await v1({ template }, `/tickets/${ticket.id}/messages`)).status).toBe(202)
  for (const [body, error] of [
    [{ template, body: 'e um texto' }, 'ERR_VALIDATION'],
    [{ template: { ...template, name: 'nenhum' } }, 'ERR_NO_TEMPLATE_FOUND'],
    [{ template: { name: 'pedido_pronto', language: 'pt_BR' } }, 'ERR_TEMPLATE_VALUES'],
  ] as const)
    expect((await v1({ number: stranger, whatsappId: line.id, ...body })).body).toMatchObject({ error })
  await set({ status: 'DISABLED' })
  expect((await v1({ number: stranger, whatsappId: line.id, template })).body).toMatchObject({
    ...{ error: 'ERR_TEMPLATE_STOPPED', reason: 'disabled' },
  })
  expect((await old({ template })).body.mensagem).toContain('modelo')
})
