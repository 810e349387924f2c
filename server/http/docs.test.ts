import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { unlike } from '../../tests/support/described.ts'
import { answers } from './docs.examples.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

test('what the screens are answered about messages, tickets, contacts, keys and webhooks is as it is described', async () => {
  const company = await t.eg.company()
  const admin = await t.eg.user(company.id, { profile: 'admin' })
  const token = await t.login(admin.email)
  const description = (await t.call('GET', '/docs/json')).body
  const tried = new Set<string>()
  /** Makes a call, and holds its answer against what is said of it. */
  const does = async (name: string, path: string, body?: unknown) => {
    const [method] = name.split(' ') as [string]
    const reply = await t.call(method, path, { token, body })
    expect([name, reply.status, reply.status === 200 ? '' : reply.body]).toEqual([name, 200, ''])
    expect([name, unlike(description, name, reply)]).toEqual([name, []])
    tried.add(name)
    return reply.body
  }

  const { id: whatsappId } = await t.eg.whatsapp(company.id, { status: 'CONNECTED', isDefault: true })
  const queue = await t.eg.queue(company.id)
  const tag = await t.eg.tag(company.id)
  const made = await does('POST /contacts/', '/contacts', { name: 'Ana', number: '5511940001836' })
  expect((await does('POST /contacts/', '/contacts', { name: 'Ana', number: '5511940001836' })).alreadyExists).toBe(
    true,
  )
  const contact = `/contacts/${made.id}`
  await does('PUT /contacts/{id}', contact, {
    email: 'ana@example.test',
    extraInfo: [{ name: 'Cidade', value: 'Recife' }],
  })
  const opened = await does('POST /tickets/', '/tickets', { contactId: made.id, whatsappId, queueId: queue.id })
  const ticket = `/tickets/${opened.id}`
  await t.call('POST', '/tags/sync', { token, body: { ticketId: opened.id, tags: [{ id: tag.id }] } })
  await does('PUT /tickets/{id}', ticket, { status: 'open', userId: admin.id })
  const { messages } = await does('POST /messages/{ticketId}', `/messages/${opened.id}`, {
    body: 'O seu bolo está pronto.',
  })
  const [{ id: messageId }] = messages
  await t.database.sql`UPDATE messages SET ack = 2 WHERE id = ${messageId}`
  await does('POST /messages/edit/{id}', `/messages/edit/${messageId}`, { body: 'O bolo está pronto.' })
  const answer = { body: 'Obrigada', quotedMsg: { id: messageId } }
  await does('POST /messages/{ticketId}', `/messages/${opened.id}`, answer)
  await does('GET /messages/{ticketId}', `/messages/${opened.id}`)
  await does('GET /messages/{ticketId}', `/messages/${opened.id}?around=${messageId}`)
  await does('PUT /messages/{id}', `/messages/${messageId}`)
  await does('GET /tickets/{id}', ticket)
  await does('GET /tickets/u/{uuid}', `/tickets/u/${opened.uuid}`)
  expect((await does('GET /tickets/', '/tickets?searchParam=bolo')).tickets[0].found.messageId).toBe(messageId)
  expect((await does('GET /tickets/', '/tickets?status=open')).tickets[0].tags).toHaveLength(1)
  await does('GET /contacts/{id}', contact)
  expect((await does('GET /contacts/', '/contacts')).contacts[0].whatsapp.id).toBe(whatsappId)
  await does('DELETE /messages/{id}', `/messages/${messageId}`)
  await does('DELETE /contacts/{id}', contact)

  const key = await does('POST /api-keys/', '/api-keys', { name: 'Loja', scopes: ['messages:send'] })
  await does('PUT /api-keys/{id}', `/api-keys/${key.id}`, { expiresAt: '2030-01-01T00:00:00.000Z' })
  await does('GET /api-keys/{id}', `/api-keys/${key.id}`)
  await does('GET /api-keys/', '/api-keys')
  await does('DELETE /api-keys/{id}', `/api-keys/${key.id}`)

  const hook = await does('POST /webhooks/', '/webhooks', { url: 'https://example.com/x', events: ['message.sent'] })
  const webhook = `/webhooks/${hook.id}`
  await does('PUT /webhooks/{id}', webhook, { active: true })
  await does('GET /webhooks/{id}', webhook)
  await does('GET /webhooks/', '/webhooks')
  await does('POST /webhooks/{id}/rotate', `${webhook}/rotate`)
  const delivery = await does('POST /webhooks/{id}/test', `${webhook}/test`)
  await t.database.sql`UPDATE webhook_deliveries SET state = 'failed', "nextAt" = NULL`
  await does('POST /webhooks/{id}/deliveries/{deliveryId}/replay', `${webhook}/deliveries/${delivery.id}/replay`)
  const span = { from: '2020-01-01T00:00:00Z', to: '2040-01-01T00:00:00Z' }
  await does('POST /webhooks/{id}/replay', `${webhook}/replay`, span)
  expect((await does('GET /webhooks/{id}/deliveries', `${webhook}/deliveries`)).records).toHaveLength(1)
  await does('DELETE /webhooks/{id}', webhook)

  // Nothing is said that was not tried.
  const said = Object.keys(answers).filter((name) => !name.includes(' /api/'))
  expect([...tried].sort()).toEqual(said.sort())
})
