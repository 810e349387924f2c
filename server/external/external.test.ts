import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { cannot } from '../../schema/whatsapps/whatsapps.providers.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'

let t: TestApp
let companyId: number
let whatsappId: number
const token = 'o token da conexão'.replaceAll(' ', '-')
beforeEach(async () => {
  t = await testApp()
  companyId = (await t.eg.company()).id
  whatsappId = (await t.eg.whatsapp(companyId, { token, status: 'CONNECTED', isDefault: true })).id
})
afterEach(() => t.close())

const number = '5511940001835'
const send = (body: unknown, headers: Record<string, string> = {}, by = token) =>
  t.call('POST', '/api/messages/send', { token: by, body, headers })
const ticketOf = async (id: number) => (await t.database.db.select().from(tickets).where(eq(tickets.id, id)))[0]!
const allMessages = () => t.database.db.select().from(messages).orderBy(messages.createdAt)

describe('a program that sends by a connection’s token', () => {
  test('begins a ticket that waits, with nothing unread, and has the message sent', async () => {
    const { status, body } = await send({ number, body: 'O seu bolo está pronto.' })
    expect([status, body]).toEqual([
      200,
      { mensagem: 'Mensagem enviada', id: expect.any(String), ticketId: expect.any(Number) },
    ])
    expect(await ticketOf(body.ticketId)).toMatchObject({
      ...{ status: 'pending', unreadMessages: 0, whatsappId, userId: null, lastMessage: 'O seu bolo está pronto.' },
      lastMessageFromMe: true,
    })
    expect(await allMessages()).toMatchObject([{ id: body.id, fromMe: true, ack: 1, authorId: null }])
    const waiting = await t.database.db.select().from(jobs).where(eq(jobs.kind, 'whatsapp.send'))
    expect(waiting).toMatchObject([{ payload: { messageId: body.id } }])
  })

  test('goes on in the ticket that is active, whoever has it', async () => {
    const user = await t.eg.user(companyId)
    const contact = await t.eg.contact(companyId, { number })
    const ticket = await t.eg.ticket(companyId, { contactId: contact.id, whatsappId, status: 'open', userId: user.id })
    const { body } = await send({ number, body: 'Chegou.', closeTicket: true })
    expect(body.ticketId).toBe(ticket.id)
    expect(await ticketOf(ticket.id)).toMatchObject({ status: 'open', userId: user.id })
    expect(t.asked).toEqual([])
  })

  test('goes on in the ticket that was closed a moment ago, and begins another one later', async () => {
    const first = (await send({ number, body: 'Um' })).body.ticketId as number
    await t.database.db.update(tickets).set({ status: 'closed', updatedAt: t.clock.now }).where(eq(tickets.id, first))
    expect((await send({ number, body: 'Dois' })).body.ticketId).toBe(first)
    expect((await ticketOf(first)).status).toBe('pending')
    await t.database.db.update(tickets).set({ status: 'closed', updatedAt: t.clock.now }).where(eq(tickets.id, first))
    t.clock.advance(3 * 3_600_000)
    expect((await send({ number, body: 'Três' })).body.ticketId).not.toBe(first)
  })

  test('names a queue, a colleague, or that nobody is to wait', async () => {
    const queue = await t.eg.queue(companyId)
    const user = await t.eg.user(companyId)
    const waits = (await send({ number, body: 'a', queueId: queue.id })).body.ticketId as number
    expect(await ticketOf(waits)).toMatchObject({ status: 'pending', queueId: queue.id, userId: null })
    const taken = (await send({ number, body: 'b', userId: user.id })).body.ticketId as number
    expect([taken, await ticketOf(taken)]).toMatchObject([
      waits,
      { status: 'open', queueId: queue.id, userId: user.id },
    ])
    const other = '5511940001836'
    const over = (await send({ number: other, body: 'c', closeTicket: true })).body.ticketId as number
    expect(await ticketOf(over)).toMatchObject({ status: 'closed', unreadMessages: 0 })
    const stranger = await t.eg.company()
    const theirs = await t.eg.queue(stranger.id)
    const their = await t.eg.user(stranger.id)
    expect((await send({ number, body: 'd', queueId: theirs.id })).body.error).toBe('ERR_NO_QUEUE_FOUND')
    expect((await send({ number, body: 'd', userId: their.id })).body.error).toBe('ERR_NO_USER_FOUND')
  })

  test('sends files, each as a message of its own, and a repeat of them is the same', async () => {
    const form = () => {
      const made = new FormData()
      made.set('number', number)
      made.set('body', 'A nota')
      made.append('medias', new Blob(['%PDF-1.4 um'], { type: 'application/pdf' }), 'um.pdf')
      made.append('medias', new Blob(['%PDF-1.4 dois'], { type: 'application/pdf' }), 'dois.pdf')
      return made
    }
    const headers = { 'idempotency-key': 'order-8812-bill' }
    const one = await t.call('POST', '/api/messages/send', { token, form: form(), headers })
    const two = await t.call('POST', '/api/messages/send', { token, form: form(), headers })
    expect([one.status, two.body]).toEqual([200, one.body])
    const sent = await allMessages()
    expect(sent.map(({ mediaName, body }) => [mediaName, body]).sort()).toEqual([
      ['dois.pdf', 'A nota'],
      ['um.pdf', 'A nota'],
    ])
    expect(sent.map(({ id }) => id).sort()).toEqual([...one.body.ids].sort())
    for (const { mediaPath } of sent) expect(await t.deps.media.find(mediaPath!)).toBeDefined()
  })

  test('is answered the same for the same key, also by fifty calls at once, and not for another message', async () => {
    const headers = { 'idempotency-key': 'order-8812-ready' }
    const replies = await Promise.all(Array.from({ length: 50 }, () => send({ number, body: 'Pronto.' }, headers)))
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(await allMessages()).toHaveLength(1)
    const other = await send({ number, body: 'Outra coisa' }, headers)
    expect([other.status, other.body.error]).toEqual([409, 'ERR_IDEMPOTENCY_MISMATCH'])
    // The key of one connection is not that of another.
    await t.eg.whatsapp(companyId, { token: 'another-token' })
    expect((await send({ number, body: 'Outra coisa' }, headers, 'another-token')).status).toBe(200)
  })

  test('many at once to new and known numbers make one contact and one ticket each', async () => {
    const numbers = Array.from({ length: 20 }, (_, i) => `55119400020${String(i).padStart(2, '0')}`)
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, i) => send({ number: numbers[i % 20], body: `${i}` })),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 200))
    expect(await t.database.db.select().from(contacts)).toHaveLength(20)
    expect(await t.database.db.select().from(tickets)).toHaveLength(20)
    expect(await allMessages()).toHaveLength(100)
  })

  test('is refused a number that WhatsApp does not know, and asks about each only once', async () => {
    for (let i = 0; i < 3; i++) {
      const { status, body } = await send({ number: '5511940000000', body: 'oi' })
      expect([status, body.error]).toEqual([400, 'ERR_CHECK_NUMBER'])
    }
    for (let i = 0; i < 3; i++) await send({ number, body: 'oi' })
    expect(t.asked).toEqual([
      ['checkNumber', whatsappId, '5511940000000'],
      ['checkNumber', whatsappId, number],
    ])
  })

  test('writes to the number as WhatsApp has it', async () => {
    t.sessions.checkNumber = async () => ({ number: '551140001835' })
    const { body } = await send({ number, body: 'oi' })
    const [contact] = await t.database.db.select().from(contacts)
    expect([contact!.number, (await ticketOf(body.ticketId)).contactId]).toEqual(['551140001835', contact!.id])
  })

  test('writes to the number as it is given where nobody can be asked', async () => {
    t.sessions.checkNumber = async () => {
      throw cannot('checkNumber')
    }
    const { status, body } = await send({ number, body: 'oi' })
    const [contact] = await t.database.db.select().from(contacts)
    expect([status, contact!.number, (await ticketOf(body.ticketId)).contactId]).toEqual([200, number, contact!.id])
  })

  test('must say a number of digits, and something', async () => {
    for (const wrong of [
      { number: '+5511940001835', body: 'oi' },
      { number: '1234567', body: 'oi' },
      { number: '1234567890123456', body: 'oi' },
      { number, body: ' ' },
      { number },
      { body: 'oi' },
      [],
      null,
    ])
      expect([wrong, (await send(wrong)).body.error]).toEqual([wrong, 'ERR_VALIDATION'])
    expect(await allMessages()).toEqual([])
  })

  test('is told in the old words that its token opens nothing', async () => {
    for (const by of ['wrong', '', 'x'.repeat(500)]) {
      const { status, body } = await send({ number, body: 'oi' }, {}, by)
      expect([status, body]).toEqual([401, { error: 'ERR_API_TOKEN', mensagem: 'Acesso não permitido' }])
    }
    const user = await t.eg.user(companyId, { profile: 'admin' })
    expect((await send({ number, body: 'oi' }, {}, await t.login(user.email))).status).toBe(401)
  })

  test('is refused once the token is another, the plan leaves it out, or the company has expired', async () => {
    const admin = await t.eg.user(companyId, { profile: 'admin' })
    expect((await send({ number, body: 'oi' })).status).toBe(200)
    const [company] = await t.database.db.select().from(companies).where(eq(companies.id, companyId))
    await t.database.db.update(plans).set({ useExternalApi: false }).where(eq(plans.id, company!.planId!))
    expect((await send({ number, body: 'oi' })).body).toMatchObject({ error: 'ERR_PLAN_FEATURE' })
    await t.database.db.update(plans).set({ useExternalApi: true }).where(eq(plans.id, company!.planId!))
    await t.eg.company()
    const other = await t.eg.company({ dueDate: '2020-01-01' })
    await t.eg.whatsapp(other.id, { token: 'expired-token' })
    expect((await send({ number, body: 'oi' }, {}, 'expired-token')).status).toBe(402)
    await t.database.db.update(whatsapps).set({ token: 'a new one' }).where(eq(whatsapps.id, whatsappId))
    t.events.emit({ companyId, name: 'whatsapp', action: 'update', payload: {} })
    expect((await send({ number, body: 'oi' })).status).toBe(401)
    expect(admin.companyId).toBe(companyId)
  })
})

test('a connection’s token has a bucket of its own, and the answer says when to come again', async () => {
  const limited = await testApp({ limitCalls: true })
  try {
    const company = await limited.eg.company()
    await limited.eg.whatsapp(company.id, { token })
    const call = () => limited.call('POST', '/api/messages/send', { token, body: { number: '1' } })
    for (let i = 0; i < 1_000; i++) expect((await call()).status).toBe(400)
    const { status, headers } = await call()
    expect([status, headers.get('retry-after')]).toEqual([429, '1'])
    limited.clock.advance(1_000)
    expect((await call()).status).toBe(400)
  } finally {
    await limited.close()
  }
}, 60_000)
