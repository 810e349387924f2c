import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { and, asc, eq } from 'drizzle-orm'
import { newId } from '../../schema/ids.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { ticketNotes } from '../../schema/notes/notes.table.ts'
import { ticketEvents, tickets, ticketTrackings } from '../../schema/tickets/tickets.table.ts'
import { examples } from '../../tests/example-data.ts'
import { testDatabase, type TestDatabase } from '../../tests/support/postgres.ts'
import { applyDecision, type Change } from './apply.ts'
import { createCommandRunner, type RunCommand } from './run.ts'

let database: TestDatabase
let eg: ReturnType<typeof examples>
let run: RunCommand
/** What was told after the last commit. */
let told: Change[] = []
const now = new Date('2026-11-20T12:00:00Z')

beforeAll(async () => {
  database = await testDatabase()
  eg = examples(database.db)
  run = createCommandRunner({ db: database.db, now: () => now, committed: (changes) => (told = changes) })
})
afterAll(() => database.close())

/** A company with two queues, an agent in the first, and a pending ticket there. */
async function counter(status: 'pending' | 'open' | 'closed' = 'pending') {
  const company = await eg.company()
  const sales = await eg.queue(company.id, { name: 'Sales' })
  const support = await eg.queue(company.id, { name: 'Support' })
  const connection = await eg.whatsapp(company.id)
  const agent = await eg.user(company.id, { queueIds: [sales.id] })
  const colleague = await eg.user(company.id, { queueIds: [sales.id] })
  const stranger = await eg.user(company.id, { queueIds: [support.id] })
  const admin = await eg.user(company.id, { profile: 'admin' })
  const contact = await eg.contact(company.id)
  const ticket = await eg.ticket(company.id, {
    contactId: contact.id,
    whatsappId: connection.id,
    queueId: sales.id,
    status,
    userId: status === 'pending' ? null : agent.id,
  })
  const reload = async () => (await database.db.select().from(tickets).where(eq(tickets.id, ticket.id)))[0]!
  const jobsOf = (kind: string) =>
    database.db
      .select()
      .from(jobs)
      .where(and(eq(jobs.companyId, company.id), eq(jobs.kind, kind)))
      .orderBy(asc(jobs.id))
  return { company, sales, support, connection, agent, colleague, stranger, admin, contact, ticket, reload, jobsOf }
}
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (e: { code?: string }) => e.code ?? String(e),
  )

describe('accepting', () => {
  test('makes the ticket the agent’s, starts the clock, tells the timeline, and greets by a job', async () => {
    const { ticket, agent, reload, jobsOf } = await counter()
    await run(agent.who, { id: newId(), name: 'tickets.accept', input: { ticketId: ticket.id } })
    expect(await reload()).toMatchObject({ status: 'open', userId: agent.id, unreadMessages: 0 })
    const [clock] = await database.db.select().from(ticketTrackings).where(eq(ticketTrackings.ticketId, ticket.id))
    expect(clock).toMatchObject({ startedAt: now, userId: agent.id })
    const events = await database.db.select().from(ticketEvents).where(eq(ticketEvents.ticketId, ticket.id))
    expect(events.map((e) => [e.kind, e.userId])).toEqual([['accepted', agent.id]])
    expect(await jobsOf('tickets.accepted')).toHaveLength(1)
  })

  test('of two agents at the same moment, one has it and the other is told so', async () => {
    const { ticket, agent, colleague, reload } = await counter()
    const both = await Promise.all(
      [agent, colleague].map((a) =>
        refusal(run(a.who, { id: newId(), name: 'tickets.accept', input: { ticketId: ticket.id } })),
      ),
    )
    expect(both.sort()).toEqual(['ERR_TICKET_TAKEN', 'done'])
    expect([agent.id, colleague.id]).toContain((await reload()).userId!)
  })

  test('is not found by an agent of another queue, nor by another company', async () => {
    const { ticket, stranger } = await counter()
    const elsewhere = await counter()
    for (const who of [stranger.who, elsewhere.agent.who, elsewhere.admin.who])
      expect(await refusal(run(who, { id: newId(), name: 'tickets.accept', input: { ticketId: ticket.id } }))).toBe(
        'ERR_NO_TICKET_FOUND',
      )
  })
})

describe('the same command twice', () => {
  test('is done once and answered alike, also when both arrive together', async () => {
    const { ticket, agent, company } = await counter('open')
    const call = {
      id: newId(),
      name: 'messages.send' as const,
      input: { id: newId(), ticketId: ticket.id, body: 'hello' },
    }
    const [first, second] = await Promise.all([run(agent.who, call), run(agent.who, call)])
    const third = await run(agent.who, call)
    expect(second).toEqual(first!)
    expect(third).toEqual(first!)
    const stored = await database.db.select().from(messages).where(eq(messages.companyId, company.id))
    expect(stored).toHaveLength(1)
  })

  test('with another input under the same key is refused', async () => {
    const { ticket, agent } = await counter('open')
    const id = newId()
    await run(agent.who, { id, name: 'messages.send', input: { id: newId(), ticketId: ticket.id, body: 'one' } })
    const other = run(agent.who, {
      id,
      name: 'messages.send',
      input: { id: newId(), ticketId: ticket.id, body: 'two' },
    })
    expect(await refusal(other)).toBe('ERR_IDEMPOTENCY_MISMATCH')
  })

  test('a row id used under another key is refused, and nothing of the second is kept', async () => {
    const { ticket, agent, jobsOf } = await counter('open')
    const row = newId()
    await run(agent.who, { id: newId(), name: 'messages.send', input: { id: row, ticketId: ticket.id, body: 'one' } })
    const again = run(agent.who, {
      id: newId(),
      name: 'messages.send',
      input: { id: row, ticketId: ticket.id, body: 'one' },
    })
    expect(await refusal(again)).toBe('ERR_IDEMPOTENCY_MISMATCH')
    expect(await jobsOf('whatsapp.send')).toHaveLength(1)
  })
})

describe('writing to a contact', () => {
  test('stores the message as waiting, reads what came before, and queues it behind what the chat was told earlier', async () => {
    const { company, ticket, agent, contact, connection, reload, jobsOf } = await counter('open')
    await eg.message(company.id, { ticketId: ticket.id, contactId: contact.id, whatsappId: connection.id, wid: 'IN1' })
    for (const body of ['one', 'two'])
      await run(agent.who, { id: newId(), name: 'messages.send', input: { id: newId(), ticketId: ticket.id, body } })
    expect(await reload()).toMatchObject({ lastMessage: 'two', lastMessageFromMe: true, unreadMessages: 0 })
    const sends = await jobsOf('whatsapp.send')
    expect(new Set(sends.map((j) => j.lane)).size).toBe(1)
    const stored = await database.db.select().from(messages).where(eq(messages.ticketId, ticket.id))
    expect(stored.every((m) => m.read)).toBe(true)
    expect(stored.filter((m) => m.fromMe).every((m) => m.ack === 1 && m.wid?.startsWith('3EB0'))).toBe(true)
  })

  test('is refused while the ticket is not open, without a text, and with more than the text', async () => {
    const pending = await counter()
    const send = (c: typeof pending, input: object) =>
      refusal(
        run(c.agent.who, {
          id: newId(),
          name: 'messages.send',
          input: { id: newId(), ticketId: c.ticket.id, ...input },
        }),
      )
    expect(await send(pending, { body: 'x' })).toBe('ERR_TICKET_NOT_OPEN')
    const open = await counter('open')
    expect(await send(open, { body: '  \n ' })).toBe('ERR_CREATING_MESSAGE')
    expect(await send(open, { body: 'x', companyId: 1 })).toBe('ERR_VALIDATION')
    expect(await send(open, { body: 'a\u0000b' })).toBe('ERR_VALIDATION')
  })

  test('is refused where a colleague was first, so that nobody gets two answers; an admin may step in', async () => {
    const { ticket, colleague, admin, reload } = await counter('open')
    const send = (who: typeof admin) =>
      refusal(
        run(who.who, {
          id: newId(),
          name: 'messages.send',
          input: { id: newId(), ticketId: ticket.id, body: 'me too' },
        }),
      )
    expect(await send(colleague)).toBe('ERR_TICKET_TAKEN')
    expect((await reload()).lastMessage).toBe('')
    expect(await send(admin)).toBe('done')
  })

  test('what failed is sent again only by whoever may write there now', async () => {
    const c = await counter('open')
    const { ticket, agent, colleague, stranger, admin, company } = c
    const retry = async (who: typeof admin, values: Partial<typeof tickets.$inferInsert> = {}) => {
      await database.db.update(tickets).set(values).where(eq(tickets.id, ticket.id))
      const { id } = await eg.message(company.id, {
        ticketId: ticket.id,
        contactId: ticket.contactId,
        whatsappId: c.connection.id,
        fromMe: true,
        ack: 0,
        ackError: 'no',
      })
      return refusal(run(who.who, { id: newId(), name: 'messages.retry', input: { messageId: id } }))
    }
    const open = { status: 'open' as const, userId: agent.id, queueId: c.sales.id }
    expect(await retry(agent, open)).toBe('done')
    expect(await retry(admin, open)).toBe('done')
    expect(await retry(colleague, open)).toBe('ERR_TICKET_TAKEN')
    expect(await retry(stranger, open)).toBe('ERR_NO_TICKET_FOUND')
    expect(await retry(agent, { ...open, userId: colleague.id })).toBe('ERR_TICKET_TAKEN')
    expect(await retry(agent, { ...open, status: 'closed' })).toBe('ERR_TICKET_NOT_OPEN')
  })

  test('an edit is possible for fifteen minutes, of own texts only', async () => {
    const { company, ticket, agent, contact, connection, reload } = await counter('open')
    const said = (minutesAgo: number, fromMe: boolean) =>
      eg.message(company.id, {
        ticketId: ticket.id,
        contactId: contact.id,
        whatsappId: connection.id,
        fromMe,
        body: 'helo',
        createdAt: new Date(now.getTime() - minutesAgo * 60_000),
      })
    const edit = (messageId: string) =>
      refusal(run(agent.who, { id: newId(), name: 'messages.edit', input: { messageId, body: 'hello' } }))
    const [fresh, late, theirs] = [await said(14, true), await said(16, true), await said(20, false)]
    await database.db
      .update(tickets)
      .set({ lastMessage: 'helo', lastMessageFromMe: true })
      .where(eq(tickets.id, ticket.id))
    expect(await edit(fresh.id)).toBe('done')
    expect((await reload()).lastMessage).toBe('hello')
    expect(await edit(late.id)).toBe('ERR_EDITING_WAPP_MSG')
    expect(await edit(theirs.id)).toBe('ERR_EDITING_WAPP_MSG')
    const [kept] = await database.db.select().from(messages).where(eq(messages.id, fresh.id))
    expect(kept).toMatchObject({ body: 'hello', isEdited: true, earlierBodies: [{ body: 'helo' }] })
  })
})

describe('moving a ticket on', () => {
  test('a transfer to a queue waits there for anybody, and its messages follow it out of the old queue’s sight', async () => {
    const { company, ticket, agent, support, contact, connection, reload } = await counter('open')
    await eg.message(company.id, { ticketId: ticket.id, contactId: contact.id, whatsappId: connection.id })
    await run(agent.who, { id: newId(), name: 'tickets.transfer', input: { ticketId: ticket.id, queueId: support.id } })
    expect(await reload()).toMatchObject({ status: 'pending', queueId: support.id, userId: null })
    const [message] = await database.db.select().from(messages).where(eq(messages.ticketId, ticket.id))
    expect(message).toMatchObject({ queueScope: support.id, userScope: null })
  })

  test('a transfer to a colleague stays open and is theirs; a queue or person of another company does not exist', async () => {
    const { ticket, agent, colleague, sales, reload } = await counter('open')
    const elsewhere = await counter()
    const to = (input: object) =>
      refusal(run(agent.who, { id: newId(), name: 'tickets.transfer', input: { ticketId: ticket.id, ...input } }))
    expect(await to({ queueId: elsewhere.sales.id })).toBe('ERR_NO_QUEUE_FOUND')
    expect(await to({ queueId: sales.id, userId: elsewhere.agent.id })).toBe('ERR_NO_USER_FOUND')
    expect(await to({ queueId: null })).toBe('ERR_QUEUE_REQUIRED')
    expect(await to({ queueId: sales.id, userId: colleague.id })).toBe('done')
    expect(await reload()).toMatchObject({ status: 'open', userId: colleague.id })
  })

  test('an agent cannot resolve or return what a colleague is working on; an admin can', async () => {
    const { ticket, colleague, admin, reload } = await counter('open')
    for (const name of ['tickets.resolve', 'tickets.return'] as const)
      expect(await refusal(run(colleague.who, { id: newId(), name, input: { ticketId: ticket.id } }))).toBe(
        'ERR_FORBIDDEN',
      )
    await run(admin.who, { id: newId(), name: 'tickets.resolve', input: { ticketId: ticket.id } })
    expect((await reload()).status).toBe('closed')
  })

  test('a closed ticket cannot be reopened while its contact has another one open', async () => {
    const { company, ticket, agent, contact, connection } = await counter('closed')
    await eg.ticket(company.id, { contactId: contact.id, whatsappId: connection.id, status: 'pending' })
    expect(await refusal(run(agent.who, { id: newId(), name: 'tickets.reopen', input: { ticketId: ticket.id } }))).toBe(
      'ERR_OTHER_OPEN_TICKET',
    )
  })

  test('reading marks only what was on the screen, and only for the one who serves', async () => {
    const { company, ticket, agent, admin, contact, connection, reload, jobsOf } = await counter('open')
    const said = () => eg.message(company.id, { ticketId: ticket.id, contactId: contact.id, whatsappId: connection.id })
    const [seen, unseen] = [await said(), await said()]
    const input = { ticketId: ticket.id, seen: [seen.id] }
    await run(admin.who, { id: newId(), name: 'tickets.read', input })
    expect(await jobsOf('whatsapp.read')).toHaveLength(0)
    await run(agent.who, { id: newId(), name: 'tickets.read', input })
    expect((await reload()).unreadMessages).toBe(1)
    const [left] = await database.db.select().from(messages).where(eq(messages.id, unseen.id))
    expect(left!.read).toBe(false)
    expect((await jobsOf('whatsapp.read')).map((j) => j.payload)).toMatchObject([{ messageIds: [seen.id] }])
    expect(told).toContainEqual({ companyId: company.id, table: 'tickets', action: 'update', id: ticket.id })
    await run(agent.who, { id: newId(), name: 'tickets.read', input: { ticketId: ticket.id } })
    expect(told).toContainEqual({ companyId: company.id, table: 'tickets', action: 'updateUnread', id: ticket.id })
  })
})

test('what the wire of a connection cannot is refused, and changes nothing', async () => {
  const { agent, ticket, company, contact, jobsOf } = await counter('open')
  const nobodys = await eg.whatsapp(company.id, { provider: 'telepathy' as never })
  const said = { ticketId: ticket.id, contactId: contact.id, whatsappId: nobodys.id }
  const mine = await eg.message(company.id, { ...said, fromMe: true, ack: 2, body: 'oi' })
  const theirs = await eg.message(company.id, said)
  const asked = [
    { name: 'messages.edit', input: { messageId: mine.id, body: 'olá' }, capability: 'edit' },
    { name: 'messages.delete', input: { messageId: mine.id }, capability: 'revoke' },
    { name: 'messages.react', input: { messageId: theirs.id, emoji: '👍' }, capability: 'react' },
  ] as const
  for (const { name, input, capability } of [...asked, ...asked]) {
    const error = await run(agent.who, { id: newId(), name, input }).catch((given: unknown) => given)
    expect(error).toMatchObject({ code: 'ERR_CHANNEL_CANNOT', params: { capability } })
  }
  for (const before of [mine, theirs])
    expect((await database.db.select().from(messages).where(eq(messages.id, before.id)))[0]).toEqual(before)
  for (const kind of ['whatsapp.edit', 'whatsapp.revoke', 'whatsapp.react']) expect(await jobsOf(kind)).toEqual([])
})

test('what is done to a message and to its ticket at the same moment is both done, whichever lock comes first', async () => {
  const { agent, admin, ticket, sales, support } = await counter('open')
  const said = await Promise.all(Array.from({ length: 8 }, () => eg.messageIn(ticket)))
  const both = (round: number) => [
    ...said.map(({ id: messageId }) =>
      run(admin.who, { id: newId(), name: 'messages.react', input: { messageId, emoji: round % 2 ? '👍' : '❤️' } }),
    ),
    run(admin.who, {
      id: newId(),
      name: 'tickets.transfer',
      input: { ticketId: ticket.id, queueId: round % 2 ? sales.id : support.id, userId: agent.id },
    }),
  ]
  for (let round = 0; round < 10; round++) expect(await refusal(Promise.all(both(round)))).toBe('done')
}, 60_000)

test('a decision may be about more rows than a statement has parameters, as in a group that nobody read for weeks', async () => {
  const { company, ticket } = await counter('open')
  const { id } = await eg.messageIn(ticket)
  const ids = [id, ...Array.from({ length: 66_000 }, newId)]
  const rows = [{ table: 'messages' as const, op: 'update' as const, ids, values: { read: true } }]
  await database.db.transaction((tx) => applyDecision(tx, company.id, { rows, effects: [] }))
  const [row] = await database.db.select().from(messages).where(eq(messages.id, id))
  expect(row!.read).toBe(true)
})

test('a note is deleted by its author or an admin, by nobody else', async () => {
  const { ticket, agent, colleague, admin } = await counter('open')
  const write = async () => {
    const id = newId()
    await run(agent.who, {
      id: newId(),
      name: 'notes.create',
      input: { id, ticketId: ticket.id, note: 'calls back at 5' },
    })
    return id
  }
  const remove = (who: typeof agent, id: string) =>
    refusal(run(who.who, { id: newId(), name: 'notes.delete', input: { id } }))
  const [a, b] = [await write(), await write()]
  expect(await remove(colleague, a)).toBe('ERR_NO_PERMISSION')
  expect(await remove(agent, a)).toBe('done')
  expect(await remove(admin, b)).toBe('done')
  expect(await database.db.select().from(ticketNotes).where(eq(ticketNotes.ticketId, ticket.id))).toEqual([])
})
