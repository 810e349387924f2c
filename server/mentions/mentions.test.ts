import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { and, asc, eq } from 'drizzle-orm'
import type { Effect } from '../../schema/effects.ts'
import { newId } from '../../schema/ids.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { mentions } from '../../schema/mentions/mentions.table.ts'
import { roles } from '../../schema/roles/roles.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { mentionEffects } from './mentions.effects.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

/** Two queues, an agent of each, one of none, an admin, and a ticket that waits in the first queue. */
async function office() {
  const { id: companyId } = await t.eg.company()
  const sales = await t.eg.queue(companyId, { name: 'Vendas' })
  const support = await t.eg.queue(companyId, { name: 'Suporte' })
  const person = async (values: Parameters<TestApp['eg']['user']>[1]) => {
    const user = await t.eg.user(companyId, values)
    return { ...user, token: await t.login(user.email) }
  }
  const admin = await person({ profile: 'admin', name: 'Ana' })
  const seller = await person({ name: 'Beto', queueIds: [sales.id] })
  const helper = await person({ name: 'Caio', queueIds: [support.id] })
  const contact = await t.eg.contact(companyId, { name: 'Dona Rita' })
  const ticket = await t.eg.ticket(companyId, { contactId: contact.id, queueId: sales.id, userId: null })
  return { companyId, sales, support, admin, seller, helper, contact, ticket }
}
type Office = Awaited<ReturnType<typeof office>>
type Person = Office['admin']

const write = (o: Office, by: Person, called: { kind: 'user' | 'queue'; id: number }[], note = 'olhe isto') =>
  t.call('POST', '/ticket-notes', { token: by.token, body: { ticketId: o.ticket.id, note, mentions: called } })
const user = ({ id }: { id: number }) => ({ kind: 'user' as const, id })
const queue = ({ id }: { id: number }) => ({ kind: 'queue' as const, id })
const listOf = async (who: Person, query = '') => (await t.call('GET', `/mentions${query}`, { token: who.token })).body

/** Does what the notes of a company have asked for. */
async function work({ companyId }: Office) {
  const { db } = t.database
  const handlers = mentionEffects({
    db,
    events: t.events,
    principalOf: (id) => t.deps.auth.principalOf(id),
    wake: () => undefined,
  })
  const waiting = await db
    .select()
    .from(jobs)
    .where(and(eq(jobs.companyId, companyId), eq(jobs.kind, 'notes.mentioned')))
    .orderBy(asc(jobs.id))
  for (const { payload } of waiting)
    await handlers['notes.mentioned'](payload as Extract<Effect, { kind: 'notes.mentioned' }>, {
      ...{ companyId, attempt: 1, last: false },
    })
}

describe('a note that calls somebody', () => {
  test('keeps whom it calls by id, with the name that stands in it, and each once', async () => {
    const o = await office()
    const made = await write(o, o.admin, [user(o.seller), queue(o.sales), user(o.seller)])
    expect(made.body.mentions).toEqual([
      { kind: 'user', id: o.seller.id, name: 'Beto' },
      { kind: 'queue', id: o.sales.id, name: 'Vendas' },
    ])
  })

  test('stands in the list of the person, with who called and where, unread until they read it', async () => {
    const o = await office()
    await write(o, o.admin, [user(o.seller)], 'o pedido da @Beto')
    await work(o)
    const { mentions: mine, unread } = await listOf(o.seller)
    expect(unread).toBe(1)
    expect(mine).toMatchObject([
      { ticketId: o.ticket.id, contactName: 'Dona Rita', note: 'o pedido da @Beto', by: { name: 'Ana' }, readAt: null },
    ])
    const read = () => t.call('POST', '/mentions/read', { token: o.seller.token, body: { ids: [mine[0].id] } })
    expect((await read()).body).toEqual({ unread: 0 })
    expect((await read()).body).toEqual({ unread: 0 })
    expect((await listOf(o.seller, '?unread=true')).mentions).toEqual([])
    expect((await listOf(o.seller)).mentions).toHaveLength(1)
  })

  test('calls everybody of a queue, its author not, and nobody twice, however often the job is done', async () => {
    const o = await office()
    const second = await t.eg.user(o.companyId, { queueIds: [o.sales.id] })
    await write(o, o.seller, [queue(o.sales), user(second)])
    await work(o)
    await work(o)
    const rows = await t.database.db.select().from(mentions).where(eq(mentions.companyId, o.companyId))
    expect(rows.map(({ userId, queueId }) => [userId, queueId])).toEqual([[second.id, null]])
  })

  test('is in nobody’s list who does not see the ticket; it comes and goes with the ticket', async () => {
    const o = await office()
    await write(o, o.admin, [user(o.helper), user(o.seller)])
    await work(o)
    const event = t.emitted.filter(({ name, companyId }) => name === 'mention' && companyId === o.companyId)
    expect(event.map(({ audience }) => audience)).toEqual([{ userIds: [o.seller.id] }])
    const counts = async () => [(await listOf(o.seller)).unread, (await listOf(o.helper)).unread]
    expect(await counts()).toEqual([1, 0])
    await t.call('PUT', `/tickets/${o.ticket.id}`, {
      token: o.admin.token,
      body: { queueId: o.support.id, userId: null },
    })
    expect(await counts()).toEqual([0, 1])
    const scopes = await t.database.db.select().from(mentions).where(eq(mentions.companyId, o.companyId))
    expect(scopes.map(({ queueScope }) => queueScope)).toEqual([o.support.id, o.support.id])
  })

  test('names no stranger, nor what is gone, and too many are refused', async () => {
    const [o, other] = [await office(), await office()]
    expect((await write(o, o.admin, [user(other.seller)])).body.error).toBe('ERR_NO_USER_FOUND')
    expect((await write(o, o.admin, [queue(other.sales)])).body.error).toBe('ERR_NO_QUEUE_FOUND')
    const many = Array.from({ length: 21 }, () => user(o.seller))
    expect((await write(o, o.admin, many)).status).toBe(400)
  })

  test('takes its calls along when it is deleted', async () => {
    const o = await office()
    const note = await write(o, o.admin, [user(o.seller)])
    await work(o)
    await t.call('DELETE', `/ticket-notes/${note.body.id}`, { token: o.admin.token })
    expect(await listOf(o.seller)).toMatchObject({ mentions: [], unread: 0 })
  })

  test('nobody reads, or marks as read, what another was called for', async () => {
    const o = await office()
    await write(o, o.admin, [user(o.seller)])
    await work(o)
    const [row] = await t.database.db.select().from(mentions).where(eq(mentions.companyId, o.companyId))
    await t.call('POST', '/mentions/read', { token: o.admin.token, body: { ids: [row!.id] } })
    expect(await listOf(o.admin)).toMatchObject({ mentions: [] })
    expect((await listOf(o.seller)).unread).toBe(1)
  })

  test('by a program calls as one by a person', async () => {
    const o = await office()
    await t.deps.runCommand((await t.deps.auth.principalOf(o.admin.id))!, {
      id: newId(),
      name: 'notes.create',
      input: { id: newId(), ticketId: o.ticket.id, note: 'veja', mentions: [user(o.seller)] },
    })
    await work(o)
    expect((await listOf(o.seller)).unread).toBe(1)
  })
})

test('who sees only their own tickets is called when one becomes theirs', async () => {
  const o = await office()
  const [role] = await t.database.db
    .insert(roles)
    .values({ companyId: o.companyId, name: 'Só os seus', ticketScope: 'own' })
    .returning()
  const alone = await t.eg.user(o.companyId, { roleId: role!.id, queueIds: [o.sales.id] })
  const who = { ...alone, token: await t.login(alone.email) } as Person
  await write(o, o.admin, [user(who)])
  await work(o)
  expect((await listOf(who)).unread).toBe(0)
  await t.call('PUT', `/tickets/${o.ticket.id}`, {
    token: o.admin.token,
    body: { queueId: o.sales.id, userId: who.id, status: 'open' },
  })
  expect((await listOf(who)).unread).toBe(1)
})
