import { afterAll, beforeAll, expect, test } from 'bun:test'
import { HOUR_MS } from '../../schema/durations.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
  // The first company is the operator's.
  await t.eg.company()
})
afterAll(() => t.close())

let people = 0
async function line(provider: 'official' | 'beta', hides = false) {
  const company = await t.eg.company()
  const connection = await t.eg.whatsapp(company.id, { provider })
  const number = `55119777${String(10_000 + ++people)}`
  const contact = await t.eg.contact(company.id, { number: hides ? null : number })
  const ticket = await t.eg.ticket(company.id, { contactId: contact.id, whatsappId: connection.id, status: 'pending' })
  const ago = (hours: number) => new Date(t.clock.now.getTime() - hours * HOUR_MS)
  const admin = await t.login((await t.eg.user(company.id, { profile: 'admin' })).email)
  const made = await t.call('POST', '/api-keys', { token: admin, body: { name: 'Loja', scopes: ['messages:send'] } })
  return {
    ago,
    /** In the ticket, by a key. */
    sendIn: () =>
      t.call('POST', `/api/v1/tickets/${ticket.id}/messages`, { token: made.body.key, body: { body: 'Oi' } }),
    wrote: (hours: number, more: object = {}) =>
      t.eg.messageIn(ticket, { whatsappId: connection.id, fromMe: false, createdAt: ago(hours), ...more }),
    send: (to = number, key?: string) =>
      t.call('POST', '/api/messages/send', {
        ...{ token: connection.token, body: { number: to, body: 'Oi' } },
        headers: key === undefined ? {} : { 'idempotency-key': key },
      }),
  }
}

test('a program writes over the official API within a day of the contact’s message, and is told since when it may not', async () => {
  const { wrote, send, ago } = await line('official')
  await wrote(30)
  const refused = await send(undefined, 'a-key-of-ours')
  expect(refused).toMatchObject({ status: 409, body: { error: 'ERR_WINDOW_CLOSED', closedAt: ago(6).toISOString() } })
  expect(refused.body.mensagem).toContain('24 horas')
  await wrote(23)
  expect((await send(undefined, 'a-key-of-ours')).status).toBe(200)
})

test('who has never written is not written to, and nothing of the call is kept', async () => {
  const { send } = await line('official')
  const number = '5511977779999'
  expect((await send(number)).body).toMatchObject({ error: 'ERR_WINDOW_CLOSED', closedAt: null })
  const rows = await t.database.sql`SELECT FROM contacts WHERE "number" = ${number}`
  expect(rows).toHaveLength(0)
})

test('an ad that was answered opens three days; our own words open nothing', async () => {
  const { wrote, send } = await line('official')
  await wrote(50, { about: { is: 'ad', title: 'Bolos', text: '', url: null } })
  expect((await send()).status).toBe(409)
  await wrote(1, { fromMe: true })
  expect((await send()).status).toBe(409)
  await wrote(49, { fromMe: true })
  expect((await send()).status).toBe(200)
})

test('over a linked device nobody has such a window', async () => {
  const { wrote, send } = await line('beta')
  await wrote(300)
  expect((await send()).status).toBe(200)
})

test('who hides their number has the same window in a ticket that a program names', async () => {
  const { wrote, sendIn, ago } = await line('official', true)
  await wrote(30)
  expect(await sendIn()).toMatchObject({
    status: 409,
    body: { error: 'ERR_WINDOW_CLOSED', closedAt: ago(6).toISOString() },
  })
  await wrote(3)
  expect((await sendIn()).status).toBe(202)
})
