import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { drafts } from '../../schema/drafts/drafts.table.ts'
import { newId } from '../../schema/ids.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { PART_MS } from '../../schema/tickets/tickets.merge.ts'
import { ticketEvents, ticketTrackings, tickets } from '../../schema/tickets/tickets.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { companyFacts } from '../settings/settings.facts.ts'
import { createReceiver } from './receive.ts'

/** Two tickets of a contact become one, and one becomes two again. */
let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

/** Vanessa waits on one connection and is served by Ana on another; each has two messages, one unread. */
async function twoServices() {
  const company = await t.eg.company()
  const [sales, support] = [await t.eg.queue(company.id), await t.eg.queue(company.id)]
  const ana = await t.eg.user(company.id, { queueIds: [sales.id, support.id] })
  const bia = await t.eg.user(company.id, { queueIds: [sales.id] })
  const contact = await t.eg.contact(company.id)
  const { db } = t.database
  const at = (minute: number) => new Date(Date.now() - 3_600_000 + minute * 60_000)
  const one = async (queueId: number, status: 'pending' | 'open', minute: number) => {
    const { id: whatsappId } = await t.eg.whatsapp(company.id)
    const userId = status === 'open' ? ana.id : null
    const said = { lastMessage: `${minute}`, lastMessageAt: at(minute), updatedAt: at(minute), unreadMessages: 1 }
    const ticket = await t.eg.ticket(company.id, {
      ...{ contactId: contact.id, queueId, status, userId, whatsappId },
      ...said,
    })
    for (const [i, read] of [true, false].entries())
      await t.eg.message(company.id, {
        ticketId: ticket.id,
        contactId: contact.id,
        body: `${minute} ${i}`,
        read,
        createdAt: at(minute + i / 10),
      })
    return ticket
  }
  const from = await one(sales.id, 'pending', 20)
  const into = await one(support.id, 'open', 10)
  const token = await t.login(ana.email)
  const does = async (name: string, input: object, by = token) => {
    const id = newId()
    const { status, body } = await t.call('POST', '/commands', { token: by, body: { id, name, input } })
    return { id, status, error: body.error as string | undefined }
  }
  return {
    ...{ company, contact, sales, ana, bia, from, into, token, does, at },
    merge: (by = token) => does('tickets.merge', { ticketId: from.id, intoId: into.id }, by),
    part: (mergeId: string, by = token) => does('tickets.part', { ticketId: from.id, intoId: into.id, mergeId }, by),
    now: async (id: number) => (await db.select().from(tickets).where(eq(tickets.id, id)))[0]!,
    saidIn: async (id: number) =>
      (await db.select().from(messages).where(eq(messages.ticketId, id)).orderBy(messages.createdAt)).map(
        (m) => m.body,
      ),
    toldIn: async (id: number) =>
      (await db.select().from(ticketEvents).where(eq(ticketEvents.ticketId, id)).orderBy(ticketEvents.createdAt)).map(
        ({ kind }) => kind,
      ),
  }
}

test('[T26] what was said in both stands in one, in its order, for who serves that one; the other is closed and leads there', async () => {
  const { merge, now, saidIn, toldIn, from, into, ana, at } = await twoServices()
  const { db } = t.database
  await db.insert(drafts).values({
    ...{ id: `${ana.id}:${from.id}`, companyId: from.companyId, userId: ana.id, ticketId: from.id },
    ...{ body: 'Já ve', updatedAt: at(30) },
  })
  expect((await merge()).status).toBe(200)
  expect(await now(from.id)).toMatchObject({ status: 'closed', unreadMessages: 0, mergedIntoId: into.id })
  expect(await now(into.id)).toMatchObject({
    ...{ status: 'open', userId: ana.id, queueId: into.queueId, whatsappId: into.whatsappId },
    ...{ unreadMessages: 2, lastMessage: '20', updatedAt: at(20) },
  })
  expect(await saidIn(from.id)).toEqual([])
  expect(await saidIn(into.id)).toEqual(['10 0', '10 1', '20 0', '20 1'])
  expect(await toldIn(from.id)).toEqual(['merged_into'])
  expect(await toldIn(into.id)).toEqual(['merged'])
  // Who sees the ticket sees what came, and nobody else.
  const [message] = await db.select().from(messages).where(eq(messages.body, '20 0')).limit(1)
  expect(message).toMatchObject({ queueScope: into.queueId })
  expect(await db.select().from(drafts).where(eq(drafts.ticketId, into.id))).toMatchObject([{ body: 'Já ve' }])
  const [service] = await db.select().from(ticketTrackings).where(eq(ticketTrackings.ticketId, from.id))
  expect(service!.finishedAt).not.toBeNull()
})

test('[T27] within a day the merge is taken back: each is as it was, with what it had, and keeps what came since', async () => {
  const { merge, part, now, saidIn, from, into, at } = await twoServices()
  const { id } = await merge()
  const { db } = t.database
  await t.eg.message(into.companyId, {
    ticketId: into.id,
    contactId: into.contactId,
    body: 'depois',
    createdAt: at(40),
  })
  await db
    .update(tickets)
    .set({ lastMessage: 'depois', lastMessageAt: at(40) })
    .where(eq(tickets.id, into.id))
  expect((await part(id)).status).toBe(200)
  expect(await now(from.id)).toMatchObject({
    ...{ status: 'pending', userId: null, unreadMessages: 1, mergedIntoId: null, lastMessage: '20', updatedAt: at(20) },
  })
  expect(await now(into.id)).toMatchObject({ status: 'open', lastMessage: 'depois', unreadMessages: 2 })
  expect(await saidIn(from.id)).toEqual(['20 0', '20 1'])
  expect(await saidIn(into.id)).toEqual(['10 0', '10 1', 'depois'])
  const services = await db.select().from(ticketTrackings).where(eq(ticketTrackings.ticketId, from.id))
  expect(services).toMatchObject([{ finishedAt: null }])
  // Once.
  expect((await part(id)).error).toBe('ERR_UNDO_LATE')
})

test('[T26] own fields that are empty where the conversation goes on are filled in; parted, they are empty again', async () => {
  const { merge, part, now, from, into } = await twoServices()
  const fill = (id: number, fields: Record<string, string>) =>
    t.database.db.update(tickets).set({ fields }).where(eq(tickets.id, id))
  await fill(from.id, { 7: 'azul', 8: 'de lá' })
  await fill(into.id, { 8: 'de cá' })
  const { id } = await merge()
  expect((await now(into.id)).fields).toEqual({ 7: 'azul', 8: 'de cá' })
  await part(id)
  expect((await now(into.id)).fields).toEqual({ 8: 'de cá' })
  expect((await now(from.id)).fields).toEqual({ 7: 'azul', 8: 'de lá' })
})

test('[T27] what nothing followed has its own last line again', async () => {
  const { merge, part, now, into } = await twoServices()
  await part((await merge()).id)
  expect(await now(into.id)).toMatchObject({ lastMessage: '10', unreadMessages: 1 })
})

test('[T27] a day later it stays as it is', async () => {
  const { merge, part, into } = await twoServices()
  const { id } = await merge()
  await t.database.db
    .update(ticketEvents)
    .set({ createdAt: new Date(Date.now() - PART_MS - 60_000) })
    .where(eq(ticketEvents.id, `${id}:${into.id}`))
  await t.database.db
    .update(ticketEvents)
    .set({ createdAt: new Date(Date.now() - PART_MS - 60_000) })
    .where(eq(ticketEvents.kind, 'merged_into'))
  expect((await part(id)).error).toBe('ERR_UNDO_LATE')
})

test('[T26] only tickets of one contact become one; not what has gone already, nor what waits into what is over', async () => {
  const { merge, does, from, into, company, contact } = await twoServices()
  const other = await t.eg.ticket(company.id, { queueId: into.queueId })
  const over = await t.eg.ticket(company.id, { contactId: contact.id, status: 'closed', queueId: into.queueId })
  const errorOf = async (ticketId: number, intoId: number) =>
    (await does('tickets.merge', { ticketId, intoId })).error ?? null
  expect(await errorOf(from.id, other.id)).toBe('ERR_TICKET_MERGE')
  expect(await errorOf(from.id, from.id)).toBe('ERR_TICKET_MERGE')
  expect(await errorOf(from.id, over.id)).toBe('ERR_TICKET_MERGE')
  expect(await errorOf(over.id, into.id)).toBeNull()
  await merge()
  expect(await errorOf(from.id, into.id)).toBe('ERR_TICKET_MERGE')
  expect(await errorOf(into.id, from.id)).toBe('ERR_TICKET_MERGE')
})

test('[T28] a ticket that went into another is reopened by nobody: the contact begins a new one', async () => {
  const { merge, does, from } = await twoServices()
  await merge()
  expect((await does('tickets.reopen', { ticketId: from.id })).error).toBe('ERR_TICKET_MERGED')
})

test('[T28] nor by taking back that it was resolved a moment before', async () => {
  const { merge, does, now, from, into } = await twoServices()
  const { id: commandId } = await does('tickets.resolve', { ticketId: from.id, undoable: true })
  expect((await merge()).status).toBe(200)
  expect((await does('tickets.undo', { ticketId: from.id, commandId })).status).not.toBe(200)
  expect(await now(from.id)).toMatchObject({ status: 'closed', mergedIntoId: into.id })
})

test('[T27] what went on into a third ticket is parted one after the other, the last first', async () => {
  const { merge, part, does, saidIn, from, into, company, contact } = await twoServices()
  const { id: whatsappId } = await t.eg.whatsapp(company.id)
  const place = { contactId: contact.id, queueId: into.queueId, status: 'pending' as const, userId: null }
  const third = await t.eg.ticket(company.id, { ...place, whatsappId })
  const first = await merge()
  const second = await does('tickets.merge', { ticketId: into.id, intoId: third.id })
  expect((await part(first.id)).error).toBe('ERR_UNDO_LATE')
  expect(await saidIn(third.id)).toHaveLength(4)
  await does('tickets.part', { ticketId: into.id, intoId: third.id, mergeId: second.id })
  expect((await part(first.id)).status).toBe(200)
  expect(await saidIn(from.id)).toEqual(['20 0', '20 1'])
})

test('[T29] a colleague merges neither what Ana serves nor what they do not see', async () => {
  const { does, from, into, bia } = await twoServices()
  const token = await t.login(bia.email)
  const crosswise = (ticketId: number, intoId: number) => does('tickets.merge', { ticketId, intoId }, token)
  expect((await crosswise(from.id, into.id)).error).toBe('ERR_NO_TICKET_FOUND')
  await t.database.db.update(tickets).set({ queueId: from.queueId }).where(eq(tickets.id, into.id))
  expect((await crosswise(from.id, into.id)).error).toBe('ERR_FORBIDDEN')
  expect((await crosswise(into.id, from.id)).error).toBe('ERR_FORBIDDEN')
})

test('two who merge the same two crosswise at once: one is told that it cannot be', async () => {
  const { does, from, into } = await twoServices()
  await t.database.db.update(tickets).set({ status: 'open', userId: into.userId }).where(eq(tickets.id, from.id))
  const both = await Promise.all([
    does('tickets.merge', { ticketId: from.id, intoId: into.id }),
    does('tickets.merge', { ticketId: into.id, intoId: from.id }),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('by REST: the ticket that goes on is answered, and the merge is taken back without its id', async () => {
  const { from, into, token, saidIn } = await twoServices()
  const merged = await t.call('POST', `/tickets/${from.id}/merge`, { token, body: { intoId: into.id } })
  expect(merged.body).toMatchObject({ id: into.id, status: 'open' })
  expect((await t.call('POST', `/tickets/${from.id}/part`, { token })).body).toMatchObject({ status: 'pending' })
  expect(await saidIn(from.id)).toHaveLength(2)
  expect((await t.call('POST', `/tickets/${from.id}/part`, { token })).body.error).toBe('ERR_UNDO_LATE')
})

test('the contact’s timeline tells what happened in all tickets that the person sees, page by page, with notes', async () => {
  const { contact, from, into, token, bia, does, merge } = await twoServices()
  await does('notes.create', { id: newId(), ticketId: into.id, note: 'Cliente antiga' })
  await does('tickets.accept', { ticketId: from.id })
  await merge()
  const read = async (by: string) => {
    const found: { kind: string; ticketId: number }[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const after: string = cursor && `&cursor=${cursor}`
      const { body } = await t.call('GET', `/contacts/${contact.id}/timeline?limit=2${after}`, { token: by })
      found.push(...body.records)
      cursor = body.nextCursor
    }
    return found.map(({ kind, ticketId }) => `${kind} ${ticketId === into.id ? 'into' : 'from'}`)
  }
  expect((await read(token)).toSorted()).toEqual([...['accepted into', 'merged into', 'merged_into from', 'note into']])
  // Bia sees the tickets of her queue only.
  expect(await read(await t.login(bia.email))).toEqual(['merged_into from'])
  const bad = await t.call('GET', `/contacts/${contact.id}/timeline?cursor=abc`, { token })
  expect(bad.status).toBe(400)
})

test('messages that arrive while tickets become one stand in the one, or in a new one, and none is lost', async () => {
  const { merge, from, contact, company } = await twoServices()
  const { db } = t.database
  const receive = createReceiver({ db, now: () => new Date(), facts: companyFacts(db, 0), committed: () => undefined })
  const connection = { id: from.whatsappId!, companyId: company.id }
  const arriving = Array.from({ length: 30 }, (_, i) =>
    receive([t.eg.inbound(connection, { number: contact.number!, text: `chega ${i}` })]),
  )
  const [merged] = await Promise.all([merge(), ...arriving])
  expect(merged.status).toBe(200)
  const all = await db.select().from(messages).where(eq(messages.contactId, contact.id))
  const arrived = all.filter(({ body }) => body.startsWith('chega'))
  expect(new Set(arrived.map(({ body }) => body)).size).toBe(30)
  expect(arrived.filter(({ ticketId }) => ticketId === from.id)).toEqual([])
  const begun = await db.select().from(tickets).where(eq(tickets.contactId, contact.id))
  expect(begun.length).toBeLessThanOrEqual(3)
  for (const ticket of begun) {
    const unread = all.filter(({ ticketId, read, fromMe }) => ticketId === ticket.id && !read && !fromMe)
    expect(ticket.unreadMessages).toBe(unread.length)
  }
})
