import { afterAll, beforeAll, expect, test } from 'bun:test'
import { and, eq, like } from 'drizzle-orm'
import { newId } from '../../schema/ids.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { ticketEvents, ticketTrackings, tickets } from '../../schema/tickets/tickets.table.ts'
import { HELD_MS } from '../../schema/undo.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'

/** What an agent takes back before the contact has heard of it. */
let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

async function serving() {
  const company = await t.eg.company()
  const queue = await t.eg.queue(company.id)
  const agent = await t.eg.user(company.id, { queueIds: [queue.id] })
  const colleague = await t.eg.user(company.id, { queueIds: [queue.id] })
  const whatsapp = await t.eg.whatsapp(company.id)
  const ticket = await t.eg.ticket(company.id, {
    status: 'pending',
    userId: null,
    queueId: queue.id,
    whatsappId: whatsapp.id,
  })
  const { db } = t.database
  const [token, other] = [await t.login(agent.email), await t.login(colleague.email)]
  const does = async (name: string, input: object, by = token) => {
    const id = newId()
    const { status, body } = await t.call('POST', '/commands', { token: by, body: { id, name, input } })
    return { id, status, error: body.error as string | undefined }
  }
  await does('tickets.accept', { ticketId: ticket.id })
  await db.delete(jobs).where(eq(jobs.companyId, company.id))
  return {
    agent,
    ticket,
    whatsapp,
    other,
    does,
    now: async () => (await db.select().from(tickets).where(eq(tickets.id, ticket.id)))[0]!,
    waiting: () =>
      db
        .select()
        .from(jobs)
        .where(and(eq(jobs.companyId, company.id), like(jobs.uniqueKey, 'held:%'))),
    services: () => db.select().from(ticketTrackings).where(eq(ticketTrackings.ticketId, ticket.id)),
    told: async () =>
      (await db.select().from(ticketEvents).where(eq(ticketEvents.ticketId, ticket.id)).orderBy(ticketEvents.createdAt))
        .map(({ kind }) => kind)
        .toSorted(),
  }
}

test('what is resolved is resolved at once, for everybody; the farewell waits, and is not lost with the browser', async () => {
  const { does, ticket, now, waiting } = await serving()
  const { id } = await does('tickets.resolve', { ticketId: ticket.id, undoable: true })
  expect((await now()).status).toBe('closed')
  const [job, ...more] = await waiting()
  expect(job).toMatchObject({ kind: 'tickets.closed', payload: { ticketId: ticket.id, cause: id }, lane: null })
  expect(more).toEqual([])
  expect(job!.runAt.getTime() - job!.createdAt.getTime()).toBe(HELD_MS)
})

test('taken back, the ticket is with its agent as before, the service goes on, and nobody is told goodbye', async () => {
  const { does, ticket, agent, now, waiting, services, told } = await serving()
  const updatedAt = new Date(Date.now() - 3_600_000)
  await t.database.db.update(tickets).set({ unreadMessages: 2, updatedAt }).where(eq(tickets.id, ticket.id))
  const { id } = await does('tickets.resolve', { ticketId: ticket.id, undoable: true })
  expect((await does('tickets.undo', { ticketId: ticket.id, commandId: id })).status).toBe(200)
  // In the list, too, it stands where it stood.
  expect(await now()).toMatchObject({ status: 'open', userId: agent.id, unreadMessages: 2, updatedAt })
  expect(await waiting()).toEqual([])
  expect(await services()).toMatchObject([{ userId: agent.id, finishedAt: null }])
  expect(await told()).toEqual(['accepted', 'resolved', 'undone'])
  // Once.
  expect((await does('tickets.undo', { ticketId: ticket.id, commandId: id })).error).toBe('ERR_UNDO_LATE')
})

test('a farewell that a worker has begun, or that was said, is not taken back, and the ticket stays resolved', async () => {
  const { does, ticket, now, waiting } = await serving()
  const { id } = await does('tickets.resolve', { ticketId: ticket.id, undoable: true })
  const [job] = await waiting()
  const inAMinute = new Date(Date.now() + 60_000)
  await t.database.db.update(jobs).set({ lockedUntil: inAMinute }).where(eq(jobs.id, job!.id))
  const undo = () => does('tickets.undo', { ticketId: ticket.id, commandId: id })
  expect((await undo()).error).toBe('ERR_UNDO_LATE')
  await t.database.db.delete(jobs).where(eq(jobs.id, job!.id))
  expect((await undo()).error).toBe('ERR_UNDO_LATE')
  expect((await now()).status).toBe('closed')
})

test('who returned a ticket takes it back, but not from a colleague who has it now', async () => {
  const { does, ticket, agent, other, now } = await serving()
  const back = async () => (await does('tickets.return', { ticketId: ticket.id, undoable: true })).id
  expect((await does('tickets.undo', { ticketId: ticket.id, commandId: await back() })).status).toBe(200)
  expect(await now()).toMatchObject({ status: 'open', userId: agent.id })
  const again = await back()
  // Something comes meanwhile, and keeps its moment.
  const updatedAt = new Date(Date.now() + 1_000)
  await t.database.db.update(tickets).set({ updatedAt, lastMessageAt: updatedAt }).where(eq(tickets.id, ticket.id))
  expect((await does('tickets.undo', { ticketId: ticket.id, commandId: again })).status).toBe(200)
  expect(await now()).toMatchObject({ status: 'open', userId: agent.id, updatedAt })
  const id = await back()
  await does('tickets.accept', { ticketId: ticket.id }, other)
  expect((await does('tickets.undo', { ticketId: ticket.id, commandId: id })).error).toBe('ERR_UNDO_LATE')
})

test('nobody takes back what another did', async () => {
  const { does, ticket, other } = await serving()
  const { id } = await does('tickets.resolve', { ticketId: ticket.id, undoable: true })
  expect((await does('tickets.undo', { ticketId: ticket.id, commandId: id }, other)).error).toBe('ERR_NO_TICKET_FOUND')
})

test('a client that offers no way back has the farewell said at once', async () => {
  const { does, ticket, waiting } = await serving()
  await does('tickets.resolve', { ticketId: ticket.id })
  expect(await waiting()).toEqual([])
  const [job] = await t.database.db.select().from(jobs).where(eq(jobs.kind, 'tickets.closed'))
  expect(job).toBeDefined()
})

test('a deleted message is brought back before the phone hears of it; one that was about to leave leaves after all', async () => {
  const { does, ticket, waiting } = await serving()
  const { db } = t.database
  const messageId = newId()
  await does('messages.send', { id: messageId, ticketId: ticket.id, body: 'Já vou' })
  const row = async () => (await db.select().from(messages).where(eq(messages.id, messageId)))[0]!
  const first = await does('messages.delete', { messageId, undoable: true })
  expect(await row()).toMatchObject({ isDeleted: true })
  expect(await waiting()).toMatchObject([{ kind: 'whatsapp.revoke', lane: null }])
  await does('messages.undelete', { messageId, commandId: first.id })
  expect([await waiting(), (await row()).isDeleted]).toEqual([[], false])

  // The worker found it deleted.
  const second = await does('messages.delete', { messageId, undoable: true })
  await db.delete(jobs).where(eq(jobs.uniqueKey, `whatsapp.send:${messageId}`))
  await db.update(messages).set({ ack: 0, ackError: 'taken_back' }).where(eq(messages.id, messageId))
  await does('messages.undelete', { messageId, commandId: second.id })
  expect(await row()).toMatchObject({ isDeleted: false, ack: 1, ackError: null })
  expect(
    await db
      .select()
      .from(jobs)
      .where(eq(jobs.uniqueKey, `whatsapp.send:${messageId}`)),
  ).toHaveLength(1)
})
