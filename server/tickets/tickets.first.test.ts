import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { roles } from '../../schema/roles/roles.table.ts'
import type { Principal } from '../../schema/permissions.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { firstRows } from './tickets.first.queries.ts'

/** What a browser that holds nothing yet draws first. */
let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

async function office() {
  const { id: companyId } = await t.eg.company()
  const [sales, support] = [await t.eg.queue(companyId, { name: 'Vendas' }), await t.eg.queue(companyId)]
  const agent = await t.eg.user(companyId, { queueIds: [sales.id] })
  const admin = await t.eg.user(companyId, { profile: 'admin' })
  const whatsapp = await t.eg.whatsapp(companyId)
  const tag = await t.eg.tag(companyId)
  const ticketOf = async (values: Partial<Parameters<TestApp['eg']['ticket']>[1]>) => {
    const contact = await t.eg.contact(companyId, { name: 'Ana', number: `55119876518${String(10 + made++)}` })
    return (await t.eg.ticket(companyId, { contactId: contact.id, whatsappId: whatsapp.id, ...values })).id
  }
  const whoOf = async (userId: number): Promise<Principal> => (await t.deps.auth.principalOf(userId))!
  return { companyId, sales, support, agent, admin, whatsapp, tag, ticketOf, whoOf }
}
let made = 0
const ids = (rows: readonly { id?: unknown }[]) => rows.map(({ id }) => id)

test('has the lists that a person sees, how many they hold, and what they refer to', async () => {
  const o = await office()
  const mine = await o.ticketOf({ status: 'open', userId: o.agent.id, queueId: o.sales.id, tagIds: [o.tag.id] })
  const waits = await o.ticketOf({ status: 'pending', userId: null, queueId: o.sales.id })
  const theirs = await o.ticketOf({ status: 'open', userId: o.admin.id, queueId: o.sales.id })
  const elsewhere = await o.ticketOf({ status: 'pending', userId: null, queueId: o.support.id })
  await o.ticketOf({ status: 'closed', userId: o.agent.id, queueId: o.sales.id })
  const { db } = t.database
  const agent = await firstRows(db, await o.whoOf(o.agent.id), false)
  expect([ids(agent.open), ids(agent.pending), agent.counts]).toEqual([
    [mine],
    [waits],
    { open: 1, pending: 1, snoozed: 0, promised: false },
  ])
  expect(agent.open[0]).toMatchObject({ contactName: 'Ana', tagIds: [o.tag.id] })
  expect([ids(agent.queues), ids(agent.tags), ids(agent.whatsapps)]).toEqual([
    expect.arrayContaining([o.sales.id, o.support.id]),
    [o.tag.id],
    [o.whatsapp.id],
  ])
  expect(ids(agent.users).toSorted()).toEqual([o.agent.id, o.admin.id])
  expect(agent.users[0]).not.toHaveProperty('email')
  const admin = await firstRows(db, await o.whoOf(o.admin.id), true)
  expect([ids(admin.open).toSorted(), ids(admin.pending).toSorted()]).toEqual([
    [mine, theirs],
    [waits, elsewhere],
  ])
})

test('is of nobody else, whoever asks, and hides numbers from whom a role hides them', async () => {
  const [o, stranger] = [await office(), await office()]
  await stranger.ticketOf({ status: 'open', userId: stranger.admin.id })
  await o.ticketOf({ status: 'open', userId: o.agent.id, queueId: o.sales.id })
  const all = await t.call('GET', '/sync/first?showAll=true', { token: await t.login(o.admin.email) })
  expect([all.status, all.body.open.length, all.body.counts.open]).toEqual([200, 1, 1])
  // Who may not see all asks for it in vain.
  const asked = await t.call('GET', '/sync/first?showAll=true', { token: await t.login(o.agent.email) })
  expect(asked.body.open[0].contactNumber).toMatch(/^55119876518/)
  const [role] = await t.database.db
    .insert(roles)
    .values({ companyId: o.companyId, name: 'Sem números', permissions: [], maskNumbers: true })
    .returning()
  await t.database.db.update(users).set({ roleId: role!.id }).where(eq(users.id, o.agent.id))
  const hidden = await t.call('GET', '/sync/first', { token: await t.login(o.agent.email) })
  expect(hidden.body.open[0].contactNumber).toMatch(/^\+55 11 9••••-/)
  expect((await t.call('GET', '/sync/first', {})).status).toBe(401)
})

test('a conversation that is asked for before it is seen is marked as read by nobody', async () => {
  const o = await office()
  const id = await o.ticketOf({ status: 'open', userId: o.agent.id, queueId: o.sales.id, unreadMessages: 1 })
  const [ticket] = await t.database.db.select().from(tickets).where(eq(tickets.id, id))
  const { contactId } = ticket!
  await t.eg.message(o.companyId, { ticketId: id, contactId, fromMe: false, read: false })
  const token = await t.login(o.agent.email)
  const unread = async () => (await t.call('GET', `/tickets/${id}`, { token })).body.unreadMessages
  await t.call('GET', `/messages/${id}?seen=false`, { token })
  expect(await unread()).toBe(1)
  await t.call('GET', `/messages/${id}`, { token })
  expect(await unread()).toBe(0)
})
