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
    ...{ ago, connection, companyId: company.id, contactId: contact.id, ticketId: ticket.id, key: made.body.key },
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

test('a reaction opens it as a message does, also to something old; one of ours, and one without its time, do not', async () => {
  const { wrote, send, ago } = await line('official')
  await wrote(60)
  const react = (by: string, hours: number | null) =>
    wrote(59, {
      fromMe: true,
      reactions: [{ emoji: '❤️', by, ...(hours !== null && { at: ago(hours).toISOString() }) }],
    })
  await react('me', 1)
  await react('5511', null)
  await react('5511', 30)
  expect((await send()).body).toMatchObject({ error: 'ERR_WINDOW_CLOSED', closedAt: ago(6).toISOString() })
  await react('5511', 23)
  expect((await send()).status).toBe(200)
})

test('what was heard last counts over all services of the contact, and an ad before it where it ends later', async () => {
  const { wrote, send, contactId, connection, companyId } = await line('official')
  const older = await t.eg.ticket(companyId, { contactId, whatsappId: connection.id, status: 'closed' })
  const hour = (hours: number) => new Date(t.clock.now.getTime() - hours * HOUR_MS)
  const inOlder = (hours: number, more: object) =>
    t.eg.messageIn(older, { whatsappId: connection.id, createdAt: hour(hours), ...more })
  await inOlder(70, { fromMe: false, about: { is: 'ad', title: 'Bolos', text: '', url: null } })
  await inOlder(69, { fromMe: true })
  await wrote(40)
  expect((await send()).status).toBe(200)
  await wrote(25)
  // Three days from the ad are still later than a day from then.
  expect((await send()).status).toBe(200)
})

test('who hides their number is written to as the contact they are, once for each key; nobody by both names, or as another company’s', async () => {
  const { wrote, contactId, ticketId, companyId, connection, key: token } = await line('official', true)
  const send = (body: object, key?: string) =>
    t.call('POST', '/api/v1/messages', {
      ...{ token, body: { body: 'Seu pedido saiu', whatsappId: connection.id, ...body } },
      headers: key === undefined ? {} : { 'idempotency-key': key },
    })
  expect((await send({ contactId })).body).toMatchObject({ error: 'ERR_WINDOW_CLOSED', closedAt: null })
  await wrote(2)
  const [first, again] = [await send({ contactId }, 'the-first-one'), await send({ contactId }, 'the-first-one')]
  expect(first).toMatchObject({ status: 202, body: { ticketId } })
  expect(again.body).toEqual(first.body)
  const other = await t.eg.contact(companyId, { number: null })
  expect((await send({ contactId: other.id }, 'the-first-one')).body.error).toBe('ERR_IDEMPOTENCY_MISMATCH')
  for (const both of [{}, { contactId, number: '5511977770001' }])
    expect((await send(both)).body).toMatchObject({ error: 'ERR_VALIDATION', fields: [{ path: 'body/number' }] })
  const stranger = await line('official', true)
  expect((await send({ contactId: stranger.contactId })).body.error).toBe('ERR_NO_CONTACT_FOUND')
})

test('two who hide their numbers are two, also where they are written to at once', async () => {
  const { wrote, contactId, companyId, connection, key: token, ticketId } = await line('official', true)
  await wrote(2)
  const other = await t.eg.contact(companyId, { number: null })
  const theirs = await t.eg.ticket(companyId, { contactId: other.id, whatsappId: connection.id, status: 'pending' })
  const both = await Promise.all(
    [contactId, other.id, contactId].map((id) =>
      t.call('POST', '/api/v1/messages', { token, body: { contactId: id, body: 'Oi', whatsappId: connection.id } }),
    ),
  )
  expect(both.map(({ status }) => status)).toEqual([202, 409, 202])
  await t.eg.messageIn(theirs, { whatsappId: connection.id, fromMe: false, createdAt: t.clock.now })
  const all = await Promise.all(
    [contactId, other.id].map((id) =>
      t.call('POST', '/api/v1/messages', { token, body: { contactId: id, body: 'Oi', whatsappId: connection.id } }),
    ),
  )
  expect(all.map(({ body }) => body.ticketId)).toEqual([ticketId, theirs.id])
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
