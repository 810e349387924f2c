import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { and, asc, eq, inArray, like } from 'drizzle-orm'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { newId } from '../../schema/ids.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import type { BulkAction } from '../../schema/tickets/tickets.bulk.ts'
import { ticketEvents, tickets } from '../../schema/tickets/tickets.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'

/** One thing done with several tickets, each by its own rules. */
let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

async function office() {
  const { id: companyId } = await t.eg.company()
  const [sales, support] = [await t.eg.queue(companyId), await t.eg.queue(companyId)]
  const person = async (values: Parameters<TestApp['eg']['user']>[1]) => {
    const user = await t.eg.user(companyId, values)
    return { ...user, token: await t.login(user.email) }
  }
  const agent = await person({ queueIds: [sales.id] })
  const colleague = await person({ queueIds: [sales.id] })
  const admin = await person({ profile: 'admin' })
  const whatsapp = await t.eg.whatsapp(companyId)
  const { db } = t.database
  const some = async (n: number, values: Partial<Parameters<TestApp['eg']['ticket']>[1]> = {}) => {
    const ids: number[] = []
    for (let i = 0; i < n; i++) {
      const { id: contactId } = await t.eg.contact(companyId)
      const { id } = await t.eg.ticket(companyId, {
        ...{ contactId, whatsappId: whatsapp.id, queueId: sales.id, status: 'pending', userId: null, ...values },
      })
      ids.push(id)
    }
    return ids
  }
  const rows = (ids: number[]) => db.select().from(tickets).where(inArray(tickets.id, ids)).orderBy(asc(tickets.id))
  return {
    ...{ companyId, sales, support, agent, colleague, admin, some, rows },
    /** Status, queue, agent, tags and what is unread, of each. */
    places: async (ids: number[]) =>
      (await rows(ids)).map((one) => [one.status, one.queueId, one.userId, one.tagIds, one.unreadMessages]),
    held: () =>
      db
        .select()
        .from(jobs)
        .where(and(eq(jobs.companyId, companyId), like(jobs.uniqueKey, 'held:%'))),
  }
}
type Office = Awaited<ReturnType<typeof office>>

const bulk = (by: Office['agent'], ids: number[], action: BulkAction, more: object = {}) =>
  t.call('POST', '/tickets/bulk', { token: by.token, body: { ids, action, ...more } })
const does = async (by: Office['agent'], name: string, input: object, id = newId()) => {
  const { status, body } = await t.call('POST', '/commands', { token: by.token, body: { id, name, input } })
  return { id, status, body }
}
const undoOf = async (o: Office, ids: number[], action: BulkAction) => {
  const { id: commandId } = await does(o.agent, 'tickets.bulk', { ids, action, undoable: true })
  return () => does(o.agent, 'tickets.undoBulk', { ids, commandId })
}

describe('several tickets at once', () => {
  test('whose contacts lack what is asked for on closing stay and are named, the others are resolved', async () => {
    const o = await office()
    const { db } = t.database
    const made = await t.call('POST', '/custom-fields', {
      token: o.admin.token,
      body: { entity: 'contact', name: 'Bairro', type: 'text', required: true },
    })
    expect(made.status).toBe(200)
    const ids = await o.some(3, { status: 'open', userId: o.agent.id })
    const [told] = await o.rows(ids)
    await db
      .update(contacts)
      .set({ fields: { [made.body.id]: 'Moema' } })
      .where(eq(contacts.id, told!.contactId))
    expect((await bulk(o.agent, ids, { type: 'resolve' })).body).toEqual({
      done: [ids[0]],
      failed: ids.slice(1).map((id) => ({ id, error: 'ERR_FIELDS_REQUIRED' })),
    })
    expect((await o.rows(ids)).map(({ status }) => status)).toEqual(['closed', 'open', 'open'])
  })

  test('are accepted, tagged, returned, transferred, resolved', async () => {
    const o = await office()
    const ids = await o.some(3)
    const tag = await t.eg.tag(o.companyId)
    const other = await t.eg.tag(o.companyId)
    const all = { done: ids, failed: [] }
    expect((await bulk(o.agent, ids, { type: 'accept' })).body).toEqual(all)
    expect((await bulk(o.agent, ids, { type: 'tag', add: [tag.id, other.id], remove: [] })).body).toEqual(all)
    expect((await bulk(o.agent, ids, { type: 'tag', add: [], remove: [other.id] })).body).toEqual(all)
    expect(await o.places(ids)).toEqual(ids.map(() => ['open', o.sales.id, o.agent.id, [tag.id], 0]))
    expect((await bulk(o.agent, ids, { type: 'return' })).body).toEqual(all)
    expect((await bulk(o.agent, ids, { type: 'transfer', queueId: o.support.id, note: 'de vocês' })).body).toEqual(all)
    expect(await o.places(ids)).toEqual(ids.map(() => ['pending', o.support.id, null, [tag.id], 0]))
    expect((await bulk(o.admin, ids, { type: 'resolve' })).body).toEqual(all)
    expect((await o.rows(ids)).map(({ status }) => status)).toEqual(['closed', 'closed', 'closed'])
  })

  test('[T36] of which one’s contact wrote before the word came that they are resolved: that one stays open', async () => {
    const o = await office()
    const ids = await o.some(4, { status: 'open', userId: o.agent.id, unreadMessages: 1 })
    const [alone, seen, unseen, untold] = ids as [number, number, number, number]
    const wrote = await does(o.agent, 'tickets.resolve', { ticketId: alone, unread: 0, undoable: true })
    expect([wrote.status, wrote.body.error]).toEqual([409, 'ERR_TICKET_UNSEEN'])
    expect(await o.held()).toEqual([])
    const unread = { [seen]: 1, [unseen]: 0 }
    expect((await bulk(o.agent, [seen, unseen, untold], { type: 'resolve', unread })).body).toEqual({
      done: [seen, untold],
      failed: [{ id: unseen, error: 'ERR_TICKET_UNSEEN' }],
    })
    expect((await o.rows(ids)).map(({ status }) => status)).toEqual(['open', 'closed', 'open', 'closed'])
    // Once it is read it is resolved like any other.
    await does(o.agent, 'tickets.read', { ticketId: alone })
    expect((await does(o.agent, 'tickets.resolve', { ticketId: alone, unread: 0 })).status).toBe(200)
  })

  test('are put aside until a moment, each with the reminder, and taken up again at once; what cannot be is named', async () => {
    const o = await office()
    const mine = await o.some(2, { status: 'open', userId: o.agent.id })
    const [theirs] = (await o.some(1, { status: 'open', userId: o.colleague.id })) as [number]
    const until = new Date(t.clock.now.getTime() + 3_600_000)
    const action = { type: 'snooze' as const, until: until.toISOString(), note: 'O forno' }
    const { body } = await bulk(o.agent, [...mine, theirs], action)
    expect(body).toEqual({ done: mine, failed: [{ id: theirs, error: 'ERR_FORBIDDEN' }] })
    for (const row of await o.rows(mine)) expect(row).toMatchObject({ snoozedUntil: until, snoozeNote: 'O forno' })
    const past = new Date(t.clock.now.getTime() - 1_000).toISOString()
    const late = await bulk(o.agent, mine, { type: 'snooze', until: past })
    expect(late.body.failed.map(({ error }: { error: string }) => error)).toEqual(mine.map(() => 'ERR_SNOOZE_PAST'))
  })

  test('that may not be are named with the reason, and the others are done', async () => {
    const o = await office()
    const [mine] = (await o.some(1, { status: 'open', userId: o.agent.id })) as [number]
    const [theirs] = (await o.some(1, { status: 'open', userId: o.colleague.id })) as [number]
    const [elsewhere] = (await o.some(1, { queueId: o.support.id })) as [number]
    const [strange] = (await (await office()).some(1)) as [number]
    const ids = [mine, theirs, elsewhere, strange]
    const { status, body } = await bulk(o.agent, ids, { type: 'resolve' })
    expect(status).toBe(200)
    expect(body.done).toEqual([mine])
    expect(body.failed.toSorted((a: { id: number }, b: { id: number }) => a.id - b.id)).toEqual([
      { id: theirs, error: 'ERR_FORBIDDEN' },
      { id: elsewhere, error: 'ERR_NO_TICKET_FOUND' },
      { id: strange, error: 'ERR_NO_TICKET_FOUND' },
    ])
    expect((await o.rows(ids)).map(({ status: now }) => now)).toEqual(['closed', 'open', 'pending', 'pending'])
  })

  test('the same twice is done once, and answered alike', async () => {
    const o = await office()
    const ids = await o.some(4)
    const key = newId()
    const input = { ids, action: { type: 'accept' } }
    const [first, second] = await Promise.all([
      does(o.agent, 'tickets.bulk', input, key),
      does(o.agent, 'tickets.bulk', input, key),
    ])
    expect(second.body).toEqual(first.body)
    const events = await t.database.db.select().from(ticketEvents).where(inArray(ticketEvents.ticketId, ids))
    expect(events.map(({ kind }) => kind)).toEqual(ids.map(() => 'accepted'))
  })

  test('two people take the same hundred: each is one person’s', async () => {
    const o = await office()
    const ids = await o.some(100)
    const [a, b] = await Promise.all([
      bulk(o.agent, ids, { type: 'accept' }),
      bulk(o.colleague, ids.toReversed(), { type: 'accept' }),
    ])
    expect([...a.body.done, ...b.body.done].toSorted((x, y) => x - y)).toEqual(ids)
    expect([...a.body.failed, ...b.body.failed].every(({ error }) => error === 'ERR_TICKET_TAKEN')).toBe(true)
  })

  test('are two hundred at most, each named once, and one at least', async () => {
    const o = await office()
    const many = Array.from({ length: 201 }, (_, i) => i + 1)
    for (const ids of [many, [], [7, 7]]) {
      const { status, body } = await bulk(o.agent, ids, { type: 'accept' })
      expect([status, body.error]).toEqual([400, 'ERR_VALIDATION'])
    }
    expect((await bulk(o.agent, many.slice(1), { type: 'accept' })).status).toBe(200)
  })

  test('what is the same for all is refused at once: a tag, a queue or a colleague that is not there', async () => {
    const [o, stranger] = [await office(), await office()]
    const ids = await o.some(2)
    const foreign = await t.eg.tag(stranger.companyId)
    const refused = async (action: BulkAction) => (await bulk(o.agent, ids, action)).body.error
    expect(await refused({ type: 'tag', add: [foreign.id], remove: [] })).toBe('ERR_NO_TAG_FOUND')
    expect(await refused({ type: 'transfer', queueId: stranger.sales.id })).toBe('ERR_NO_QUEUE_FOUND')
    expect(await refused({ type: 'transfer', queueId: null, userId: stranger.agent.id })).toBe('ERR_NO_USER_FOUND')
    expect(await refused({ type: 'transfer', queueId: null })).toBe('ERR_QUEUE_REQUIRED')
  })

  test('are read only by whose they are, and their contacts are told', async () => {
    const o = await office()
    const [mine] = (await o.some(1, { status: 'open', userId: o.agent.id, unreadMessages: 1 })) as [number]
    const [waits] = (await o.some(1, { unreadMessages: 1 })) as [number]
    const [row] = await o.rows([mine])
    await t.eg.message(o.companyId, { ticketId: mine, contactId: row!.contactId, whatsappId: row!.whatsappId })
    const { body } = await bulk(o.agent, [mine, waits], { type: 'read' })
    expect(body).toEqual({ done: [mine], failed: [{ id: waits, error: 'ERR_FORBIDDEN' }] })
    expect((await o.rows([mine, waits])).map(({ unreadMessages }) => unreadMessages)).toEqual([0, 1])
  })
})

describe('what was done with several is taken back', () => {
  test('an acceptance, with what was unread; the contacts were not greeted yet', async () => {
    const o = await office()
    const ids = await o.some(3, { unreadMessages: 2 })
    const before = await o.places(ids)
    const undo = await undoOf(o, ids, { type: 'accept' })
    expect(await o.held()).toHaveLength(3)
    expect((await undo()).body.result).toEqual({ done: ids, failed: [] })
    expect(await o.places(ids)).toEqual(before)
    expect(await o.held()).toEqual([])
  })

  test('a resolve and a return', async () => {
    const o = await office()
    const ids = await o.some(3, { status: 'open', userId: o.agent.id })
    const before = await o.places(ids)
    for (const type of ['resolve', 'return'] as const) {
      const undo = await undoOf(o, ids, { type })
      expect((await undo()).body.result).toEqual({ done: ids, failed: [] })
      expect(await o.places(ids)).toEqual(before)
    }
    expect(await o.held()).toEqual([])
  })

  test('a transfer to where they are out of sight, from whoever waited and whoever was served', async () => {
    const o = await office()
    const ids = [...(await o.some(2)), ...(await o.some(2, { status: 'open', userId: o.agent.id }))]
    const before = await o.places(ids)
    const undo = await undoOf(o, ids, { type: 'transfer', queueId: o.support.id })
    expect((await o.rows(ids)).map(({ queueId }) => queueId)).toEqual(ids.map(() => o.support.id))
    expect((await undo()).body.result).toEqual({ done: ids, failed: [] })
    expect(await o.places(ids)).toEqual(before)
  })

  test('of all but those with which something has happened since, and by nobody else', async () => {
    const o = await office()
    const ids = await o.some(3)
    const { id: commandId } = await does(o.agent, 'tickets.bulk', {
      ...{ ids, action: { type: 'return' } },
    })
    // Nothing was returned: they waited already.
    expect((await does(o.agent, 'tickets.undoBulk', { ids, commandId })).body.result.done).toEqual([])
    const accepted = await does(o.agent, 'tickets.bulk', { ids, action: { type: 'accept' }, undoable: true })
    const foreign = await does(o.colleague, 'tickets.undoBulk', { ids, commandId: accepted.id })
    expect(foreign.body.result.failed.map(({ error }: { error: string }) => error)).toEqual(
      ids.map(() => 'ERR_NO_TICKET_FOUND'),
    )
    await does(o.admin, 'tickets.transfer', { ticketId: ids[0], queueId: o.sales.id, userId: o.colleague.id })
    const { body } = await does(o.agent, 'tickets.undoBulk', { ids, commandId: accepted.id })
    expect(body.result).toEqual({ done: ids.slice(1), failed: [{ id: ids[0], error: 'ERR_UNDO_LATE' }] })
  })

  test('not once a contact has been told', async () => {
    const o = await office()
    const ids = await o.some(2)
    const undo = await undoOf(o, ids, { type: 'accept' })
    await t.database.db.delete(jobs).where(inArray(jobs.id, [(await o.held())[0]!.id]))
    expect((await undo()).body.error).toBe('ERR_UNDO_LATE')
    expect((await o.rows(ids)).map(({ status }) => status)).toEqual(['open', 'open'])
  })
})

test('who may not do it with several may do it with each', async () => {
  const o = await office()
  const [id] = (await o.some(1)) as [number]
  const { roles } = await import('../../schema/roles/roles.table.ts')
  const [role] = await t.database.db
    .insert(roles)
    .values({ companyId: o.companyId, name: 'Um por um', ticketScope: 'queues', permissions: [] })
    .returning()
  const user = await t.eg.user(o.companyId, { roleId: role!.id, queueIds: [o.sales.id] })
  const single = { ...user, token: await t.login(user.email) }
  expect((await bulk(single, [id], { type: 'accept' })).body.error).toBe('ERR_NO_PERMISSION')
  expect((await does(single, 'tickets.accept', { ticketId: id })).status).toBe(200)
})
