import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { newId } from '../../schema/ids.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { untilAnswered } from '../../schema/tickets/tickets.snooze.ts'
import { ticketEvents, tickets } from '../../schema/tickets/tickets.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { companyFacts } from '../settings/settings.facts.ts'
import { closeIdleTickets } from './tickets.expiry.ts'
import { createReceiver } from './receive.ts'
import { wakeSnoozed } from './tickets.snoozed.ts'

/** What agents put aside, and what takes it up again. */
let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())
// The clock looks at all companies.
beforeEach(async () => void (await t.database.db.update(tickets).set({ snoozedUntil: null })))

const HOUR = 3_600_000

async function desk() {
  const company = await t.eg.company()
  const queue = await t.eg.queue(company.id)
  const agent = await t.eg.user(company.id, { queueIds: [queue.id] })
  const colleague = await t.eg.user(company.id, { queueIds: [queue.id] })
  const whatsapp = await t.eg.whatsapp(company.id)
  const contact = await t.eg.contact(company.id)
  const place = { queueId: queue.id, whatsappId: whatsapp.id }
  const ticket = await t.eg.ticket(company.id, {
    ...{ ...place, status: 'open', userId: agent.id, contactId: contact.id },
  })
  const { db } = t.database
  let token = await t.login(agent.email)
  const other = await t.login(colleague.email)
  const does = async (name: string, input: object, by = token, id = newId()) => {
    const { status, body } = await t.call('POST', '/commands', { token: by, body: { id, name, input } })
    return { id, status, error: body.error as string | undefined }
  }
  const until = (ms: number) => new Date(t.clock.now.getTime() + ms).toISOString()
  return {
    ...{ company, queue, agent, colleague, whatsapp, contact, ticket, token, other, does, until, place },
    snooze: (more: object = {}) => does('tickets.snooze', { ticketId: ticket.id, until: until(HOUR), ...more }),
    now: async () => (await db.select().from(tickets).where(eq(tickets.id, ticket.id)))[0]!,
    lines: async () =>
      (await db.select().from(ticketEvents).where(eq(ticketEvents.ticketId, ticket.id)).orderBy(ticketEvents.createdAt))
        .filter(({ kind }) => kind !== 'created')
        .map(({ kind, data, userId }) => ({ kind, data, userId })),
    /** The clock went on, and with it the token's time. */
    again: async () => void (token = await t.login(agent.email)),
    told: () =>
      db
        .select({ payload: jobs.payload })
        .from(jobs)
        .where(and(eq(jobs.companyId, company.id), eq(jobs.kind, 'push.notify'))),
    inbound: (text = 'Oi', fromMe = false) =>
      createReceiver({ db, now: () => t.clock.now, facts: companyFacts(db, 0), committed: () => undefined })([
        t.eg.inbound(whatsapp, {
          ...{ number: contact.number!, fromMe, content: { type: 'text', text } },
        } as Parameters<typeof t.eg.inbound>[1]),
      ]),
    listed: async (query: string) =>
      (
        (await t.call('GET', `/tickets?${query}`, { token })).body.tickets as {
          id: number
        }[]
      ).map(({ id }) => id),
  }
}
const clock = () => wakeSnoozed({ db: t.database.db, now: () => t.clock.now, committed: () => undefined })

test('[T34] what is put aside leaves the normal lists and stands in its own, whole with its note, and searches find it', async () => {
  const d = await desk()
  expect((await d.snooze({ note: ' Cobrar o boleto ' })).status).toBe(200)
  expect(await d.now()).toMatchObject({ snoozeNote: 'Cobrar o boleto', snoozedBy: d.agent.id, status: 'open' })
  expect(await d.listed('status=open')).toEqual([])
  expect(await d.listed('status=open&snoozed=true')).toEqual([d.ticket.id])
  expect(await d.listed(`searchParam=${d.contact.number}`)).toEqual([d.ticket.id])
  expect(await d.lines()).toMatchObject([{ kind: 'snoozed', userId: d.agent.id, data: { note: 'Cobrar o boleto' } }])
})

test('its time wakes it once, on top of its list, with its note, and tells its agent', async () => {
  const d = await desk()
  const another = await t.eg.ticket(d.company.id, { ...d.place, status: 'open', userId: d.agent.id })
  await d.snooze({ note: 'Cobrar' })
  expect(await clock()).toBe(0)
  t.clock.advance(HOUR)
  expect([await clock(), await clock()]).toEqual([1, 0])
  await d.again()
  expect(await d.now()).toMatchObject({ snoozedUntil: null, snoozeNote: 'Cobrar' })
  expect(await d.listed('status=open')).toEqual([d.ticket.id, another.id])
  expect((await d.lines()).at(-1)).toEqual({ kind: 'woken', userId: null, data: { by: 'time', note: 'Cobrar' } })
  expect(await d.told()).toEqual([{ payload: { wokenTicketId: d.ticket.id, userId: d.agent.id } }])
  // Who answers needs no reminder any more.
  await d.does('messages.send', { id: newId(), ticketId: d.ticket.id, body: 'Oi' })
  expect((await d.now()).snoozeNote).toBeNull()
})

test('[T31] the contact wakes it, unless it is kept; what the owner of the phone writes does not', async () => {
  const d = await desk()
  await d.does('tickets.snooze', { ticketId: d.ticket.id, until: null })
  expect((await d.now()).snoozedUntil).toEqual(untilAnswered)
  await d.inbound('Do celular', true)
  expect((await d.now()).snoozedUntil).not.toBeNull()
  t.clock.advance(1_000)
  await d.inbound()
  expect(await d.now()).toMatchObject({ snoozedUntil: null, unreadMessages: 1, userId: d.agent.id })
  expect((await d.lines()).at(-1)).toMatchObject({ kind: 'woken', data: { by: 'contact' } })

  await d.snooze({ keep: true })
  await d.inbound('De novo')
  expect(await d.now()).toMatchObject({ snoozeKeep: true, unreadMessages: 2 })
  expect(await d.listed('withUnreadMessages=true')).toEqual([])
  expect((await d.does('tickets.wake', { ticketId: d.ticket.id })).status).toBe(200)
  expect(await d.now()).toMatchObject({ snoozedUntil: null, snoozeKeep: false })
})

test('a command that comes twice puts it aside once, and it is taken back as it was', async () => {
  const d = await desk()
  const before = await d.now()
  const id = newId()
  const input = { ticketId: d.ticket.id, until: d.until(HOUR), note: 'Um', undoable: true }
  expect((await d.does('tickets.snooze', input, d.token, id)).status).toBe(200)
  expect((await d.does('tickets.snooze', input, d.token, id)).status).toBe(200)
  expect((await d.lines()).map(({ kind }) => kind)).toEqual(['snoozed'])
  const first = await d.now()
  const second = await d.snooze({ until: null, note: 'Dois', undoable: true })
  const undo = (commandId: string, by = d.token) => d.does('tickets.undo', { ticketId: d.ticket.id, commandId }, by)
  expect((await undo(second.id, d.other)).error).toBe('ERR_NO_TICKET_FOUND')
  expect((await undo(second.id)).status).toBe(200)
  expect(await d.now()).toMatchObject({ snoozedUntil: first.snoozedUntil, snoozeNote: 'Um' })
  expect((await undo(id)).status).toBe(200)
  expect(await d.now()).toEqual(before)
})

test('a resolution that is taken back leaves the ticket aside as it was', async () => {
  const d = await desk()
  await d.snooze({ note: 'Um', keep: true })
  const aside = await d.now()
  const { id } = await d.does('tickets.resolve', { ticketId: d.ticket.id, undoable: true })
  expect(await d.now()).toMatchObject({ status: 'closed', snoozedUntil: null, snoozeNote: null })
  await d.does('tickets.undo', { ticketId: d.ticket.id, commandId: id })
  expect(await d.now()).toEqual(aside)
})

test('[T34] no clock closes what lies aside', async () => {
  const d = await desk()
  const longAgo = new Date(t.clock.now.getTime() - 48 * HOUR)
  await d.snooze({ until: d.until(2 * HOUR) })
  await t.database.db
    .update(tickets)
    .set({ lastMessageFromMe: true, lastMessageAt: longAgo, updatedAt: longAgo })
    .where(eq(tickets.id, d.ticket.id))
  const facts = companyFacts(t.database.db, 0)
  await closeIdleTickets({ db: t.database.db, now: () => t.clock.now, facts, defaultHours: 24 })
  expect((await d.now()).status).toBe('open')
})

test('over REST it is put aside by a moment, or by “answer”, and taken up again by null', async () => {
  const d = await desk()
  const put = (body: object, by = d.token) => t.call('PUT', `/tickets/${d.ticket.id}`, { token: by, body })
  const at = d.until(HOUR)
  expect((await put({ snoozedUntil: at, keep: true })).body).toMatchObject({ snoozedUntil: at, snoozeKeep: true })
  expect((await put({ snoozedUntil: 'answer' })).body.snoozedUntil).toBe(untilAnswered.toISOString())
  expect((await put({ snoozedUntil: null })).body.snoozedUntil).toBeNull()
  expect((await put({ snoozedUntil: d.until(-1) })).body.error).toBe('ERR_SNOOZE_PAST')
  expect((await put({ snoozedUntil: '2027-13-01T00:00:00Z' })).status).toBe(400)
  expect((await put({ snoozedUntil: at }, d.other)).body.error).toBe('ERR_FORBIDDEN')
})

test('so many that are due at one moment are woken in batches, each once', async () => {
  const d = await desk()
  const due = new Date(t.clock.now.getTime() + HOUR)
  const contacts = await Promise.all(Array.from({ length: 450 }, () => t.eg.contact(d.company.id)))
  await t.database.db.insert(tickets).values(
    contacts.map(({ id }) => ({
      ...{ companyId: d.company.id, contactId: id, ...d.place, status: 'open' as const, userId: d.agent.id },
      snoozedUntil: due,
    })),
  )
  t.clock.advance(HOUR)
  const both = await Promise.all([clock(), clock()])
  expect(both[0] + both[1]).toBe(450)
  expect(await d.told()).toHaveLength(450)
})
