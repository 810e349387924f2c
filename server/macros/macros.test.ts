import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { and, asc, eq, like } from 'drizzle-orm'
import type { TicketAction } from '../../schema/actions/actions.inputs.ts'
import { customFields } from '../../schema/custom-fields/custom-fields.table.ts'
import { newId } from '../../schema/ids.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { macros } from '../../schema/macros/macros.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { ticketNotes } from '../../schema/notes/notes.table.ts'
import { ticketEvents, tickets } from '../../schema/tickets/tickets.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'

/** Several actions with one ticket, by one command. */
let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

async function office() {
  const { id: companyId, name: companyName } = await t.eg.company()
  const [sales, support] = [await t.eg.queue(companyId, { name: 'Vendas' }), await t.eg.queue(companyId)]
  const person = async (values: Parameters<TestApp['eg']['user']>[1]) => {
    const user = await t.eg.user(companyId, values)
    return { ...user, token: await t.login(user.email) }
  }
  const agent = await person({ name: 'Bruno', queueIds: [sales.id] })
  const colleague = await person({ queueIds: [support.id] })
  const admin = await person({ profile: 'admin' })
  const whatsapp = await t.eg.whatsapp(companyId)
  const { db } = t.database
  const [red, blue] = [await t.eg.tag(companyId), await t.eg.tag(companyId)]
  const ticketOf = async (values: Partial<Parameters<TestApp['eg']['ticket']>[1]> = {}) => {
    const contact = await t.eg.contact(companyId, { name: 'Ana Maria Lima' })
    return (
      await t.eg.ticket(companyId, {
        ...{ contactId: contact.id, whatsappId: whatsapp.id, queueId: sales.id, status: 'pending', userId: null },
        ...values,
      })
    ).id
  }
  const make = async (actions: TicketAction[], by = agent, more: object = {}): Promise<number> =>
    (await t.call('POST', '/macros', { token: by.token, body: { name: 'Despedida', actions, ...more } })).body.id
  const place = async (id: number) => {
    const [row] = await db.select().from(tickets).where(eq(tickets.id, id))
    return [row!.status, row!.queueId, row!.userId, row!.tagIds, row!.unreadMessages]
  }
  return {
    ...{ companyId, companyName, sales, support, agent, colleague, admin, red, blue, ticketOf, make, place },
    said: async (id: number) =>
      (await db.select().from(messages).where(eq(messages.ticketId, id)).orderBy(asc(messages.id))).map(
        ({ body }) => body,
      ),
    notes: async (id: number) =>
      (await db.select().from(ticketNotes).where(eq(ticketNotes.ticketId, id))).map(({ note }) => note),
    timeline: async (id: number) =>
      (
        await db
          .select()
          .from(ticketEvents)
          .where(eq(ticketEvents.ticketId, id))
          .orderBy(asc(ticketEvents.createdAt), asc(ticketEvents.id))
      ).map(({ kind }) => kind),
    held: async () =>
      (
        await db
          .select()
          .from(jobs)
          .where(and(eq(jobs.companyId, companyId), like(jobs.uniqueKey, 'held:%')))
      ).map(({ kind }) => kind),
    fieldOf: async (values: Partial<typeof customFields.$inferInsert> = {}) =>
      (
        await db
          .insert(customFields)
          .values({ companyId, entity: 'ticket', name: newId(), key: `k${newId().slice(-6)}`, type: 'text', ...values })
          .returning()
      )[0]!,
  }
}
type Office = Awaited<ReturnType<typeof office>>

const run = async (by: Office['agent'], macroId: number, ticketId: number, more: object = {}, id = newId()) => {
  const input = { macroId, ticketId, ...more }
  const { status, body } = await t.call('POST', '/commands', {
    token: by.token,
    body: { id, name: 'macros.run', input },
  })
  return { id, status, body }
}
const undo = (by: Office['agent'], ticketId: number, commandId: string) =>
  t.call('POST', '/commands', {
    token: by.token,
    body: { id: newId(), name: 'macros.undo', input: { ticketId, commandId } },
  })

describe('a macro', () => {
  test('does all that it says, in its order, as one command', async () => {
    const o = await office()
    const field = await o.fieldOf()
    const id = await o.ticketOf({ tagIds: [o.red.id] })
    const macro = await o.make([
      { type: 'assign', to: 'me' },
      { type: 'message', body: 'Oi, {{firstName}}! Aqui é {{user}}, da {{company}}, fila {{queue}}.' },
      { type: 'message', body: 'Até logo.' },
      { type: 'note', note: 'Cliente atendido' },
      { type: 'tag', add: [o.blue.id], remove: [o.red.id] },
      { type: 'field', fieldId: field.id, value: 'sim' },
      { type: 'resolve' },
    ])
    const { status, body } = await run(o.agent, macro, id)
    expect([status, body.result]).toEqual([200, { ticketId: id }])
    expect(await o.place(id)).toEqual(['closed', o.sales.id, o.agent.id, [o.blue.id], 0])
    expect(await o.said(id)).toEqual([`Oi, Ana! Aqui é Bruno, da ${o.companyName}, fila Vendas.`, 'Até logo.'])
    expect(await o.notes(id)).toEqual(['Cliente atendido'])
    expect(await o.timeline(id)).toEqual(['accepted', 'macro', 'fields', 'resolved'])
  })

  test('is done wholly or not at all, and says at which action it stopped', async () => {
    const o = await office()
    const id = await o.ticketOf()
    const macro = await o.make([
      { type: 'tag', add: [o.red.id], remove: [] },
      { type: 'note', note: 'nunca escrita' },
      // It waits: nobody writes there yet.
      { type: 'message', body: 'oi' },
    ])
    const { status, body } = await run(o.agent, macro, id)
    expect([status, body.error, body.step, body.action]).toEqual([400, 'ERR_TICKET_NOT_OPEN', 3, 'message'])
    expect(await o.place(id)).toEqual(['pending', o.sales.id, null, [], 0])
    expect([await o.said(id), await o.notes(id), await o.timeline(id)]).toEqual([[], [], []])
  })

  test('run twice under one key, also at once and by REST, is done once', async () => {
    const o = await office()
    const id = await o.ticketOf({ status: 'open', userId: o.agent.id })
    const macro = await o.make([
      { type: 'message', body: 'oi' },
      { type: 'note', note: 'uma vez' },
    ])
    const key = newId()
    const [a, b] = await Promise.all([run(o.agent, macro, id, {}, key), run(o.agent, macro, id, {}, key)])
    expect(b.body).toEqual(a.body)
    expect([await o.said(id), await o.notes(id)]).toEqual([['oi'], ['uma vez']])
    const byRest = () =>
      t.call('POST', `/macros/${macro}/run`, {
        token: o.agent.token,
        body: { ticketId: id },
        headers: { 'idempotency-key': 'um-programa-1' },
      })
    const [first, second] = [await byRest(), await byRest()]
    expect([first.status, second.body]).toEqual([200, first.body])
    expect([await o.said(id), await o.notes(id)]).toEqual([
      ['oi', 'oi'],
      ['uma vez', 'uma vez'],
    ])
  })

  test('moves to a queue, to a colleague there, and back to who runs it', async () => {
    const o = await office()
    const id = await o.ticketOf({ status: 'open', userId: o.agent.id })
    const toQueue = await o.make([{ type: 'queue', queueId: o.support.id }])
    expect((await run(o.agent, toQueue, id)).status).toBe(200)
    expect((await o.place(id)).slice(0, 3)).toEqual(['pending', o.support.id, null])
    const toColleague = await o.make(
      [
        { type: 'queue', queueId: o.sales.id },
        { type: 'assign', to: o.agent.id },
      ],
      o.admin,
    )
    expect((await run(o.admin, toColleague, id)).status).toBe(200)
    expect((await o.place(id)).slice(0, 3)).toEqual(['open', o.sales.id, o.agent.id])
    // Already there: nothing happens, and nobody is told.
    const mine = await o.make([{ type: 'assign', to: 'me' }])
    expect((await run(o.agent, mine, id)).status).toBe(200)
    expect((await o.timeline(id)).filter((kind) => kind !== 'macro')).toEqual(['transferred', 'transferred'])
  })

  test('asks what a company wants to know before a ticket is closed, and may fill it in itself', async () => {
    const o = await office()
    const field = await o.fieldOf({ required: true, name: 'Motivo' })
    const id = await o.ticketOf({ status: 'open', userId: o.agent.id })
    const without = await o.make([{ type: 'resolve' }])
    const refused = await run(o.agent, without, id)
    expect([refused.body.error, refused.body.fields, refused.body.step]).toEqual(['ERR_FIELDS_REQUIRED', ['Motivo'], 1])
    const filled = await o.make([{ type: 'field', fieldId: field.id, value: 'Troca' }, { type: 'resolve' }])
    expect((await run(o.agent, filled, id)).status).toBe(200)
    expect((await o.place(id))[0]).toBe('closed')
  })

  test('that was changed since it was seen is not run', async () => {
    const o = await office()
    const id = await o.ticketOf()
    const macro = await o.make([{ type: 'assign', to: 'me' }])
    const change = (body: object) => t.call('PUT', `/macros/${macro}`, { token: o.agent.token, body })
    // Called otherwise it still does the same.
    expect((await change({ name: 'Meu' })).body.version).toBe(1)
    expect((await change({ actions: [{ type: 'resolve' }] })).body.version).toBe(2)
    expect((await run(o.agent, macro, id, { version: 1 })).body.error).toBe('ERR_MACRO_CHANGED')
    expect((await run(o.agent, macro, id, { version: 2 })).status).toBe(200)
  })

  test('that names what is gone since is refused, not done in part', async () => {
    const o = await office()
    const id = await o.ticketOf()
    const macro = await o.make([
      { type: 'assign', to: 'me' },
      { type: 'tag', add: [o.red.id], remove: [] },
    ])
    expect((await t.call('DELETE', `/tags/${o.red.id}`, { token: o.admin.token })).status).toBe(200)
    const { body } = await run(o.agent, macro, id)
    expect([body.error, body.step]).toEqual(['ERR_NO_TAG_FOUND', 2])
    expect((await o.place(id))[0]).toBe('pending')
  })

  test('puts a ticket aside until the morning on the company’s wall, and back', async () => {
    const o = await office()
    const id = await o.ticketOf({ status: 'open', userId: o.agent.id })
    const macro = await o.make([{ type: 'snooze', until: 'tomorrow' }])
    const { id: commandId, status } = await run(o.agent, macro, id, { undoable: true })
    expect(status).toBe(200)
    const until = async () => (await t.database.db.select().from(tickets).where(eq(tickets.id, id)))[0]!.snoozedUntil
    // Nine o'clock in São Paulo.
    expect((await until())!.toISOString().slice(11)).toBe('12:00:00.000Z')
    expect((await undo(o.agent, id, commandId)).status).toBe(200)
    expect(await until()).toBeNull()
  })

  test('can make a ticket unread again', async () => {
    const o = await office()
    const id = await o.ticketOf({ status: 'open', userId: o.agent.id })
    const macro = await o.make([{ type: 'unread' }])
    const { id: commandId } = await run(o.agent, macro, id, { undoable: true })
    expect((await o.place(id))[4]).toBe(1)
    expect((await undo(o.agent, id, commandId)).status).toBe(200)
    expect((await o.place(id))[4]).toBe(0)
  })
})

describe('taking a macro back', () => {
  test('puts everything where it was, and tells the contact nothing', async () => {
    const o = await office()
    const [text, kept] = [await o.fieldOf(), await o.fieldOf()]
    const id = await o.ticketOf({ tagIds: [o.red.id], fields: { [text.id]: 'antes', [kept.id]: 'x' } })
    const before = await o.place(id)
    const macro = await o.make([
      { type: 'assign', to: 'me' },
      { type: 'note', note: 'um engano' },
      { type: 'tag', add: [o.blue.id], remove: [o.red.id] },
      { type: 'field', fieldId: text.id, value: 'depois' },
      { type: 'resolve' },
    ])
    const { id: commandId } = await run(o.agent, macro, id, { undoable: true })
    expect(await o.held()).toEqual(['tickets.accepted', 'tickets.closed'])
    expect((await undo(o.agent, id, commandId)).status).toBe(200)
    expect(await o.place(id)).toEqual(before)
    expect([await o.notes(id), await o.held()]).toEqual([[], []])
    const [row] = await t.database.db.select().from(tickets).where(eq(tickets.id, id))
    expect(row!.fields).toEqual({ [text.id]: 'antes', [kept.id]: 'x' })
    expect((await o.timeline(id)).at(-1)).toBe('undone')
  })

  test('leaves what was said to the contact, and takes back the rest', async () => {
    const o = await office()
    const id = await o.ticketOf()
    const macro = await o.make([{ type: 'assign', to: 'me' }, { type: 'message', body: 'Tchau!' }, { type: 'resolve' }])
    const { id: commandId } = await run(o.agent, macro, id, { undoable: true })
    // The greeting leaves before the message that stands behind it.
    expect(await o.held()).toEqual(['tickets.closed'])
    expect((await undo(o.agent, id, commandId)).status).toBe(200)
    expect(await o.place(id)).toEqual(['open', o.sales.id, o.agent.id, [], 0])
    expect(await o.said(id)).toEqual(['Tchau!'])
  })

  test('is for who ran it, and not where somebody went on since', async () => {
    const o = await office()
    const id = await o.ticketOf()
    const macro = await o.make([{ type: 'queue', queueId: o.support.id }])
    const { id: commandId } = await run(o.agent, macro, id, { undoable: true })
    expect((await undo(o.admin, id, commandId)).body.error).toBe('ERR_NO_TICKET_FOUND')
    await t.call('POST', '/commands', {
      token: o.colleague.token,
      body: { id: newId(), name: 'tickets.accept', input: { ticketId: id } },
    })
    expect((await undo(o.agent, id, commandId)).body.error).toBe('ERR_UNDO_LATE')
    expect((await o.place(id)).slice(0, 3)).toEqual(['open', o.support.id, o.colleague.id])
  })
})

describe('whose a macro is', () => {
  test('one’s own; everybody’s and a queue’s are made by who may', async () => {
    const o = await office()
    const actions: TicketAction[] = [{ type: 'assign', to: 'me' }]
    const own = await o.make(actions)
    const all = await o.make(actions, o.admin, { sharing: 'company', name: 'De todos' })
    const some = await o.make(actions, o.admin, { sharing: 'queues', queueIds: [o.support.id], name: 'Suporte' })
    const listOf = async (by: Office['agent'], path = '/macros/list') => {
      const { body } = await t.call('GET', path, { token: by.token })
      return ((body.records ?? body) as { id: number }[]).map(({ id }) => id).sort((a, b) => a - b)
    }
    expect(await listOf(o.agent)).toEqual([own, all])
    expect(await listOf(o.colleague)).toEqual([all, some])
    expect(await listOf(o.admin)).toEqual([all, some])
    expect(await listOf(o.admin, '/macros')).toEqual([all, some])
    const id = await o.ticketOf({ status: 'open', userId: o.agent.id })
    expect((await run(o.agent, some, id)).body.error).toBe('ERR_NO_MACRO_FOUND')
    expect((await run(o.colleague, own, id)).body.error).toBe('ERR_NO_MACRO_FOUND')
    const change = (by: Office['agent'], macro: number, body: object) =>
      t.call('PUT', `/macros/${macro}`, { token: by.token, body })
    expect((await change(o.agent, own, { sharing: 'company' })).body.error).toBe('ERR_NO_PERMISSION')
    expect((await change(o.agent, all, { name: 'x' })).body.error).toBe('ERR_NO_PERMISSION')
    expect((await change(o.colleague, own, { name: 'x' })).body.error).toBe('ERR_NO_MACRO_FOUND')
    expect((await change(o.admin, all, { sharing: 'queues' })).body.error).toBe('ERR_QUEUE_REQUIRED')
    const taken = await change(o.admin, all, { sharing: 'own', queueIds: [o.sales.id] })
    expect([taken.body.userId, taken.body.queueIds]).toEqual([o.admin.id, []])
    expect(await listOf(o.agent)).toEqual([own])
    expect((await t.call('DELETE', `/macros/${own}`, { token: o.colleague.token })).status).toBe(404)
    expect((await t.call('DELETE', `/macros/${own}`, { token: o.agent.token })).status).toBe(200)
  })

  test('own ones go with their author, shared ones stay', async () => {
    const o = await office()
    const actions: TicketAction[] = [{ type: 'resolve' }]
    await o.make(actions, o.agent)
    const shared = await o.make(actions, o.admin, { sharing: 'company' })
    const { db } = t.database
    await db.delete(users).where(eq(users.companyId, o.companyId))
    const left = await db.select().from(macros).where(eq(macros.companyId, o.companyId))
    expect(left.map(({ id, userId }) => [id, userId])).toEqual([[shared, null]])
  })

  test('what could never be done is not kept', async () => {
    const o = await office()
    const field = await o.fieldOf({ type: 'number' })
    const errorOf = async (actions: unknown[]) => {
      const { status, body } = await t.call('POST', '/macros', {
        token: o.agent.token,
        body: { name: 'x', actions },
      })
      return [status, body.error, body.step]
    }
    const fine = { type: 'resolve' }
    expect(await errorOf([fine, { type: 'tag', add: [999_999], remove: [] }])).toEqual([404, 'ERR_NO_TAG_FOUND', 2])
    expect(await errorOf([{ type: 'queue', queueId: 999_999 }])).toEqual([404, 'ERR_NO_QUEUE_FOUND', 1])
    expect(await errorOf([{ type: 'field', fieldId: field.id, value: 'x' }])).toEqual([400, 'ERR_FIELD_VALUE', 1])
    expect(await errorOf([{ type: 'message', body: '{{email}}'.repeat(400) }])).toEqual([400, 'ERR_TEXT_LONG', 1])
    // Of another company, too, there is none.
    const elsewhere = { sharing: 'queues', queueIds: [(await office()).sales.id] }
    const body = { name: 'x', actions: [fine], ...elsewhere }
    expect((await t.call('POST', '/macros', { token: o.admin.token, body })).body.error).toBe('ERR_NO_QUEUE_FOUND')
    expect((await errorOf([]))[0]).toBe(400)
    expect((await errorOf(Array.from({ length: 11 }, () => fine)))[0]).toBe(400)
    expect(await errorOf([{ type: 'flow', flowId: 999_999 }])).toEqual([404, 'ERR_NO_FLOW_FOUND', 1])
    expect((await errorOf([{ type: 'webhook' }]))[0]).toBe(400)
  })
})
