import { MINUTE_MS } from '../../schema/durations.ts'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { and, asc, eq } from 'drizzle-orm'
import type { ScheduleEntry } from '../../schema/hours/hours.open.ts'
import { automationDecisions } from '../../schema/automation/automation.table.ts'
import { newId } from '../../schema/ids.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { ratings } from '../../schema/ratings/ratings.table.ts'
import type { SettingKey } from '../../schema/settings/settings.keys.ts'
import { settings } from '../../schema/settings/settings.table.ts'
import { ticketEvents, ticketTrackings, tickets } from '../../schema/tickets/tickets.table.ts'
import { whatsappQueues } from '../../schema/whatsapps/whatsapps.table.ts'
import { examples } from '../../tests/example-data.ts'
import { testDatabase, type TestDatabase } from '../../tests/support/postgres.ts'
import { createAnswers } from '../automation/automation.answer.ts'
import { rulesFacts } from '../automation/automation.facts.ts'
import { createGraphs } from '../automation/automation.graphs.ts'
import { createCommandRunner, type RunCommand } from '../commands/run.ts'
import { learnStandstills, STOOD_STILL_KIND } from '../jobs/standstills.ts'
import { createLogger } from '../log.ts'
import { companyFacts } from '../settings/settings.facts.ts'
import { createReceiver } from './receive.ts'
import { ticketEffects } from './tickets.effects.ts'
import { closeIdleTickets } from './tickets.expiry.ts'
import { queueWaitingTickets } from './tickets.waiting.ts'

/** What the product says and does by itself: after a service, out of hours, and when nobody does anything. */

let database: TestDatabase
let eg: ReturnType<typeof examples>
// A Friday, 9 o'clock in São Paulo.
let clock = new Date('2026-11-20T12:00:00Z')
const later = (ms: number) => {
  clock = new Date(clock.getTime() + ms)
}
let receive: ReturnType<typeof createReceiver>
let effects: ReturnType<typeof ticketEffects>
let run: RunCommand

beforeAll(async () => {
  database = await testDatabase()
  const { db } = database
  eg = examples(db)
  const shared = { db, now: () => clock, facts: companyFacts(db, 0), committed: () => undefined }
  const graphs = createGraphs()
  const rules = rulesFacts(db, shared.facts, graphs, 0)
  receive = createReceiver({
    ...shared,
    answers: createAnswers({ rules, graphs, log: createLogger({ level: 'silent' }) }),
  })
  effects = ticketEffects({ ...shared, rejectCall: async () => undefined })
  run = createCommandRunner(shared)
})
afterAll(() => database.close())

const set = (companyId: number, key: SettingKey, value: string) =>
  database.db.insert(settings).values({ companyId, key, value })
const ticketsOf = (companyId: number) =>
  database.db.select().from(tickets).where(eq(tickets.companyId, companyId)).orderBy(asc(tickets.id))
/** What the product said by itself, in order. */
const said = async (companyId: number) =>
  (
    await database.db
      .select()
      .from(messages)
      .where(and(eq(messages.companyId, companyId), eq(messages.fromMe, true)))
      .orderBy(asc(messages.createdAt))
  ).map((message) => message.body)
const ratesOf = async (companyId: number) =>
  database.db
    .select({ rate: ratings.rate, userId: ratings.userId })
    .from(ratings)
    .where(eq(ratings.companyId, companyId))

describe('a service is rated', () => {
  async function closed({ rating = 'enabled', served = true }: { rating?: string; served?: boolean } = {}) {
    const company = await eg.company()
    await set(company.id, 'userRating', rating)
    const connection = await eg.whatsapp(company.id, {
      ratingMessage: 'Obrigado, {{firstName}}.',
      completionMessage: 'Até logo, {{name}}!',
    })
    const agent = await eg.user(company.id, { profile: 'admin' })
    const contact = await eg.contact(company.id, { name: 'Ana Lima', nameSource: 'edited' })
    const write = (text: string, values = {}) =>
      receive([eg.inbound(connection, { number: contact.number, text, ...values })])
    await write('Oi')
    const [ticket] = await ticketsOf(company.id)
    const act = async (name: 'tickets.accept' | 'tickets.resolve' | 'tickets.reopen') => {
      const id = newId()
      await run(agent.who, { id, name, input: { ticketId: ticket!.id } })
      return id
    }
    if (served) await act('tickets.accept')
    const cause = await act('tickets.resolve')
    const close = () =>
      effects['tickets.closed'](
        { kind: 'tickets.closed', ticketId: ticket!.id, userId: agent.id, cause },
        { companyId: company.id, attempt: 1, last: false },
      )
    await close()
    const state = async () => {
      const all = await ticketsOf(company.id)
      return { statuses: all.map((one) => one.status), unread: all[0]!.unreadMessages }
    }
    return { company, connection, agent, contact, ticket: ticket!, write, act, close, state }
  }
  const question = /^Obrigado, Ana\.\n\nAvalie.*\*1\* - Insatisfeito\n\*2\* - Satisfeito\n\*3\* - Muito satisfeito$/s

  test('on closing the contact is asked at once, once, and the ticket is closed', async () => {
    const { company, state, close, ticket } = await closed()
    await close()
    const [text, ...more] = await said(company.id)
    expect([question.test(text!), more]).toEqual([true, []])
    expect(await state()).toEqual({ statuses: ['closed'], unread: 0 })
    const [service] = await database.db.select().from(ticketTrackings).where(eq(ticketTrackings.ticketId, ticket.id))
    expect(service).toMatchObject({ ratingAt: clock, finishedAt: clock, rated: false })
  })

  test('closed, opened and closed again while the farewell was held, the contact is told goodbye once', async () => {
    const { company, ticket, agent, act } = await closed({ rating: 'disabled', served: false })
    const [first] = await said(company.id)
    expect([first, (await said(company.id)).length]).toEqual(['Até logo, Ana Lima!', 1])
    const causes: string[] = []
    for (const name of ['tickets.reopen', 'tickets.resolve', 'tickets.reopen', 'tickets.resolve'] as const) {
      later(2_000)
      const cause = await act(name)
      if (name === 'tickets.resolve') causes.push(cause)
    }
    for (const cause of causes)
      await effects['tickets.closed'](
        { kind: 'tickets.closed', ticketId: ticket.id, userId: agent.id, cause },
        { companyId: company.id, attempt: 1, last: false },
      )
    expect((await said(company.id)).slice(1)).toEqual(['Até logo, Ana Lima!'])
  })

  test('“2” is the rate: kept with the agent, thanked for, and nothing reopens', async () => {
    const { company, write, state, agent, ticket } = await closed()
    later(4 * MINUTE_MS)
    await write(' 2\n')
    expect(await ratesOf(company.id)).toEqual([{ rate: 2, userId: agent.id }])
    expect((await said(company.id)).slice(1)).toEqual(['Até logo, Ana Lima!'])
    expect(await state()).toEqual({ statuses: ['closed'], unread: 0 })
    const told = await database.db
      .select()
      .from(ticketEvents)
      .where(and(eq(ticketEvents.ticketId, ticket.id), eq(ticketEvents.kind, 'rated')))
    expect(told.map((event) => event.data)).toEqual([{ rate: 2 }])
    // A second number is a message like any other.
    await write('3')
    expect(await ratesOf(company.id)).toHaveLength(1)
    expect(await state()).toEqual({ statuses: ['pending'], unread: 1 })
  })

  test('[G5] who is to be asked why is asked once; their next text is the comment, and the farewell follows it', async () => {
    const { company, write, state, ticket } = await closed()
    await set(company.id, 'askComment', 'enabled')
    const commentOf = async () =>
      (await database.db.select().from(ratings).where(eq(ratings.ticketId, ticket.id)))[0]!.comment
    await write('1')
    expect((await said(company.id)).slice(1)).toEqual([expect.stringContaining('motivo da nota')])
    later(MINUTE_MS)
    await write(' Demorou demais ')
    expect(await commentOf()).toBe('Demorou demais')
    expect((await said(company.id)).slice(2)).toEqual(['Até logo, Ana Lima!'])
    expect(await state()).toEqual({ statuses: ['closed'], unread: 0 })
    // What comes then is a message like any other.
    await write('E agora?')
    expect([await commentOf(), await state()]).toEqual(['Demorou demais', { statuses: ['pending'], unread: 1 }])
  })

  test('[G5] who says nothing for five minutes has no comment: what comes then opens the ticket', async () => {
    const { company, write, state } = await closed()
    await set(company.id, 'askComment', 'enabled')
    await write('3')
    later(5 * MINUTE_MS + 1)
    await write('Oi, preciso de outra coisa')
    expect(await state()).toEqual({ statuses: ['pending'], unread: 1 })
  })

  test('the same answer delivered twice is one rate', async () => {
    const { company, connection, contact, state } = await closed()
    const event = eg.inbound(connection, { number: contact.number, text: '3' })
    await receive([event])
    await receive([event])
    expect(await ratesOf(company.id)).toMatchObject([{ rate: 3 }])
    expect((await state()).statuses).toEqual(['closed'])
  })

  test('a rate and a word more, in one breath: the rate counts, the word reopens', async () => {
    const { company, connection, contact, state } = await closed()
    const by = (text: string) => eg.inbound(connection, { number: contact.number, text })
    await receive([by('1'), by('e mais uma coisa')])
    expect(await ratesOf(company.id)).toMatchObject([{ rate: 1 }])
    expect(await state()).toEqual({ statuses: ['pending'], unread: 1 })
  })

  for (const text of ['9', 'ok', '0', '2.0', '22', 'nota 3'])
    test(`“${text}” is no rate: a message like any other, and the question is over`, async () => {
      const { company, write, state } = await closed()
      await write(text)
      expect(await state()).toEqual({ statuses: ['pending'], unread: 1 })
      await write('3')
      expect(await ratesOf(company.id)).toEqual([])
      expect(await said(company.id)).toHaveLength(1)
    })

  test('no answer is no rate; an answer after five minutes is a message', async () => {
    const { company, write, state } = await closed()
    later(5 * MINUTE_MS + 1)
    expect(await ratesOf(company.id)).toEqual([])
    await write('3')
    expect(await ratesOf(company.id)).toEqual([])
    expect((await state()).statuses).toEqual(['pending'])
  })

  test('an answer in time that reached us late is in time', async () => {
    const { company, write } = await closed()
    const sentAt = new Date(clock.getTime() + MINUTE_MS)
    later(60 * MINUTE_MS)
    await write('3', { offline: true, sentAt })
    expect(await ratesOf(company.id)).toMatchObject([{ rate: 3 }])
  })

  test('what the phone’s owner types is no rate', async () => {
    const { company, write } = await closed()
    await write('3', { fromMe: true })
    expect(await ratesOf(company.id)).toEqual([])
  })

  test('nobody is asked where the company does not wish it, or no agent served: there is only the farewell', async () => {
    for (const how of [{ rating: 'disabled' }, { served: false }]) {
      const { company, write } = await closed(how)
      expect(await said(company.id)).toEqual(['Até logo, Ana Lima!'])
      await write('3')
      expect(await ratesOf(company.id)).toEqual([])
    }
  })

  test('the next service of the same ticket is asked about, too', async () => {
    const { company, write, act, ticket, agent } = await closed()
    await write('2')
    await write('só mais uma dúvida')
    await act('tickets.accept')
    const cause = await act('tickets.resolve')
    await effects['tickets.closed'](
      { kind: 'tickets.closed', ticketId: ticket.id, userId: agent.id, cause },
      { companyId: company.id, attempt: 1, last: false },
    )
    await write('3')
    expect((await ratesOf(company.id)).map(({ rate }) => rate)).toEqual([2, 3])
  })
})

test('two companies whose programs use the same key for closing both say goodbye', async () => {
  for (const name of ['Ana', 'Bia']) {
    const company = await eg.company()
    const connection = await eg.whatsapp(company.id, { completionMessage: 'Até logo, {{name}}!' })
    const agent = await eg.user(company.id, { profile: 'admin' })
    const contact = await eg.contact(company.id, { name })
    const ticket = await eg.ticket(company.id, { contactId: contact.id, whatsappId: connection.id })
    const cause = 'fechar-0001'
    await run(agent.who, { id: cause, name: 'tickets.resolve', input: { ticketId: ticket.id } })
    await effects['tickets.closed'](
      { kind: 'tickets.closed', ticketId: ticket.id, userId: agent.id, cause },
      { companyId: company.id, attempt: 1, last: false },
    )
    expect(await said(company.id)).toEqual([`Até logo, ${name}!`])
  }
})

describe('out of hours', () => {
  const day = (weekdayEn: ScheduleEntry['weekdayEn'], startTime: string, endTime: string): ScheduleEntry => ({
    weekday: weekdayEn,
    weekdayEn,
    startTime,
    endTime,
  })
  const evening = [day('friday', '18:00', '22:00')]

  async function counter(
    type: 'company' | 'queue' | 'disabled',
    values: Parameters<typeof eg.whatsapp>[1] = {},
    timeZone = 'America/Sao_Paulo',
  ) {
    const company = await eg.company({ schedules: evening, timeZone })
    await set(company.id, 'scheduleType', type)
    const queue = await eg.queue(company.id, {
      name: 'Vendas',
      schedules: evening,
      outOfHoursMessage: 'A fila {{queue}} está fechada.',
    })
    const connection = await eg.whatsapp(company.id, {
      outOfHoursMessage: 'Fechado, {{firstName}}.',
      ...(type === 'queue' ? { queueIds: [queue.id] } : {}),
      ...values,
    })
    const number = `5531${Math.floor(Math.random() * 1e9)}`
    const write = (more = {}) => receive([eg.inbound(connection, { number, chatName: 'Ana Lima', ...more })])
    return { company, connection, write, number }
  }

  test('the contact hears it, once in five minutes, and the ticket waits', async () => {
    const { company, write } = await counter('company')
    await write()
    later(MINUTE_MS)
    await write()
    expect(await said(company.id)).toEqual(['Fechado, Ana.'])
    later(4 * MINUTE_MS)
    await write()
    expect(await said(company.id)).toHaveLength(2)
    const [ticket] = await ticketsOf(company.id)
    expect(ticket).toMatchObject({ status: 'pending', unreadMessages: 3 })
    expect(
      await database.db
        .select()
        .from(ticketEvents)
        .where(and(eq(ticketEvents.ticketId, ticket!.id), eq(ticketEvents.kind, 'out_of_hours'))),
    ).toHaveLength(2)
    const sent = await database.db
      .select()
      .from(jobs)
      .where(and(eq(jobs.companyId, company.id), eq(jobs.kind, 'whatsapp.send')))
    expect(sent).toHaveLength(2)
  })

  test('[H1, H2] the edge minutes are open; the wall is the company’s, not the server’s', async () => {
    const before = clock
    const { company, write } = await counter('company', {}, 'Asia/Tokyo')
    // 18:00 to 22:00 in Tokyo, nine hours before UTC gets there.
    for (const [time, notices] of [
      ['2026-11-20T08:59:59Z', 1],
      ['2026-11-20T09:00:00Z', 1],
      ['2026-11-20T13:00:59Z', 1],
      ['2026-11-20T13:01:00Z', 2],
    ] as const) {
      clock = new Date(time)
      await write()
      expect([time, (await said(company.id)).length]).toEqual([time, notices])
    }
    clock = before
  })

  test('[H7] a connection’s own hours win over the company’s', async () => {
    const { company, write } = await counter('company', { schedules: [day('friday', '08:00', '10:00')] })
    const before = clock
    clock = new Date('2026-11-20T12:00:00Z')
    await write()
    expect(await said(company.id)).toEqual([])
    clock = before
  })

  test('with hours by queue the ticket’s queue speaks', async () => {
    const { company, write } = await counter('queue')
    await write()
    expect(await said(company.id)).toEqual(['A fila Vendas está fechada.'])
  })

  test('nothing is said where hours do not count, where there are no words, or about what came while we were away', async () => {
    for (const [type, values, more] of [
      ['disabled', {}, {}],
      ['company', { outOfHoursMessage: ' ' }, {}],
      ['company', {}, { offline: true }],
      ['company', {}, { fromMe: true }],
      [
        'company',
        {},
        { chat: { kind: 'group', groupId: '12036300000' }, participant: { number: '5511', lid: null, pushName: 'x' } },
      ],
    ] as const) {
      const { company, write } = await counter(type, values)
      await write(more)
      expect([type, values, more, (await said(company.id)).filter((text) => /fechad/i.test(text))]).toEqual([
        type,
        values,
        more,
        [],
      ])
    }
  })

  test('a ticket that somebody serves hears nothing', async () => {
    const { company, connection, write, number } = await counter('company')
    const contact = await eg.contact(company.id, { number })
    await eg.ticket(company.id, { contactId: contact.id, whatsappId: connection.id, status: 'open' })
    await write()
    expect(await said(company.id)).toEqual([])
  })
})

test('a company whose subscription has ended says nothing by itself: out of hours, to callers, to who fell silent', async () => {
  // The first is the operator's, which never ends.
  await eg.company()
  const everyDay = (['monday', 'friday', 'sunday'] as const).map((weekdayEn) => ({
    weekday: weekdayEn,
    weekdayEn,
    startTime: '00:00',
    endTime: '00:00',
  }))
  const company = await eg.company({ dueDate: '2026-11-01', schedules: everyDay })
  for (const [key, value] of [
    ['scheduleType', 'company'],
    ['call', 'disabled'],
  ] as const)
    await set(company.id, key, value)
  const connection = await eg.whatsapp(company.id, {
    outOfHoursMessage: 'Fechado.',
    expiresTicket: 30,
    expiresInactiveMessage: 'Encerrado.',
  })
  await receive([eg.inbound(connection)])
  const silent = await eg.ticket(company.id, {
    whatsappId: connection.id,
    status: 'open',
    lastMessageFromMe: true,
    lastMessageAt: clock,
    updatedAt: clock,
  })
  await effects['calls.refused'](
    { kind: 'calls.refused', ticketId: silent.id, whatsappId: connection.id, callId: 'C1' },
    { companyId: company.id, attempt: 1, last: false },
  )
  later(31 * MINUTE_MS)
  await closeIdleTickets({ db: database.db, now: () => clock, facts: companyFacts(database.db, 0), defaultHours: 24 })
  expect(await said(company.id)).toEqual([])
})

describe('an open ticket in which nobody answers', () => {
  const look = (defaultHours = 24) =>
    closeIdleTickets({ db: database.db, now: () => clock, facts: companyFacts(database.db, 0), defaultHours })

  async function idle(minutes: number, values: Partial<typeof tickets.$inferInsert> = {}, defaultHours = 24) {
    const company = await eg.company()
    const connection = await eg.whatsapp(company.id, {
      expiresTicket: 30,
      expiresInactiveMessage: 'Encerrado, {{firstName}}.',
    })
    const contact = await eg.contact(company.id, { name: 'Ana Lima' })
    const ticket = await eg.ticket(company.id, {
      contactId: contact.id,
      whatsappId: connection.id,
      status: 'open',
      lastMessageAt: new Date(clock.getTime() - minutes * MINUTE_MS),
      lastMessageFromMe: true,
      updatedAt: new Date(clock.getTime() - minutes * MINUTE_MS),
      ...values,
    })
    await look(defaultHours)
    const [after] = await database.db.select().from(tickets).where(eq(tickets.id, ticket.id))
    return { status: after!.status, said: await said(company.id) }
  }

  test('is closed a minute after its time, with a word and without a rating; a minute before it is not', async () => {
    expect(await idle(31)).toEqual({ status: 'closed', said: ['Encerrado, Ana.'] })
    expect(await idle(29)).toEqual({ status: 'open', said: [] })
  })
  test('stays when it is a group, when the last word is the contact’s, or when it still waits', async () => {
    expect((await idle(31, { isGroup: true })).status).toBe('open')
    expect((await idle(31, { lastMessageFromMe: false })).status).toBe('open')
    expect((await idle(31, { status: 'pending' })).status).toBe('pending')
  })
  test('that an agent opens again has its whole time anew, and is closed again without stopping the others', async () => {
    const company = await eg.company()
    // Without words of its own: the last message stays what it was.
    const connection = await eg.whatsapp(company.id, { expiresTicket: 30 })
    const agent = await eg.user(company.id, { profile: 'admin' })
    const silent = { whatsappId: connection.id, lastMessageFromMe: true, lastMessageAt: clock, updatedAt: clock }
    const { id } = await eg.ticket(company.id, { ...silent, status: 'open', userId: agent.id })
    const status = async (ticketId: number) =>
      (await database.db.select().from(tickets).where(eq(tickets.id, ticketId)))[0]!.status
    later(31 * MINUTE_MS)
    await look()
    expect(await status(id)).toBe('closed')

    await run(agent.who, { id: newId(), name: 'tickets.reopen', input: { ticketId: id } })
    later(29 * MINUTE_MS)
    await look()
    expect(await status(id)).toBe('open')
    const other = await eg.ticket(company.id, { ...silent, status: 'open' })
    later(2 * MINUTE_MS)
    await look()
    expect([await status(id), await status(other.id)]).toEqual(['closed', 'closed'])
  })
})

describe('a ticket that waits without a queue', () => {
  async function waiting(minutes: number, values: Partial<typeof tickets.$inferInsert> = {}) {
    const company = await eg.company()
    const queue = await eg.queue(company.id, { name: 'Plantão' })
    const connection = await eg.whatsapp(company.id, { timeToTransfer: 10, transferQueueId: queue.id })
    const contact = await eg.contact(company.id)
    const ticket = await eg.ticket(company.id, {
      contactId: contact.id,
      whatsappId: connection.id,
      lastMessageAt: new Date(clock.getTime() - minutes * MINUTE_MS),
      ...values,
    })
    const changes = await queueWaitingTickets({ db: database.db, now: () => clock })
    const [after] = await database.db.select().from(tickets).where(eq(tickets.id, ticket.id))
    return { queue, ticket, changes, moved: after!.queueId === queue.id, status: after!.status }
  }

  test('goes to the connection’s queue a minute after its time, once; a minute before it does not', async () => {
    expect((await waiting(9)).moved).toBe(false)
    const { moved, status, ticket, changes } = await waiting(11)
    expect([moved, status]).toEqual([true, 'pending'])
    expect(changes.filter((change) => change.id === ticket.id)).toMatchObject([{ table: 'tickets', action: 'update' }])
    const [service] = await database.db.select().from(ticketTrackings).where(eq(ticketTrackings.ticketId, ticket.id))
    expect(service!.queuedAt).toEqual(clock)
    const [event] = await database.db.select().from(ticketEvents).where(eq(ticketEvents.ticketId, ticket.id))
    expect(event).toMatchObject({ kind: 'queued', userId: null, data: { queue: 'Plantão' } })
    expect(await queueWaitingTickets({ db: database.db, now: () => clock })).toEqual([])
  })
  test('stays when it is a group, or when somebody serves it', async () => {
    expect((await waiting(11, { isGroup: true })).moved).toBe(false)
    expect((await waiting(11, { status: 'open' })).moved).toBe(false)
  })
})

test('[A15] the message over which the server stood still is filed and goes to people with its reason; other contacts are answered', async () => {
  const company = await eg.company()
  await set(company.id, 'sendGreetingMessageOneQueues', 'enabled')
  const queue = await eg.queue(company.id, { greetingMessage: 'Olá!' })
  const connection = await eg.whatsapp(company.id)
  await database.db
    .insert(whatsappQueues)
    .values({ companyId: company.id, whatsappId: connection.id, queueId: queue.id })
  const log = createLogger({ level: 'silent' })
  const ana = await eg.contact(company.id, { name: 'Ana' })
  const killer = eg.inbound(connection, { number: ana.number, text: 'Oi', wid: 'KILLER' })
  const told = { work: `${company.id} ${connection.id}/KILLER`, worker: '', doing: '' }
  await learnStandstills(database.db, log, JSON.stringify([told]))
  try {
    await receive([killer])
    const [ticket] = await ticketsOf(company.id)
    expect([await said(company.id), ticket]).toMatchObject([[], { status: 'pending', unreadMessages: 1 }])
    const [filed] = await database.db.select().from(messages).where(eq(messages.companyId, company.id))
    const why = await database.db.select().from(automationDecisions).where(eq(automationDecisions.messageId, filed!.id))
    expect(why).toMatchObject([{ steps: [{ step: 'stood_still', result: 'blocked', why: 'stood_still' }] }])
    await receive([eg.inbound(connection, { text: 'Oi' })])
    expect(await said(company.id)).toEqual(['Olá!'])
  } finally {
    await database.db.delete(jobs).where(eq(jobs.kind, STOOD_STILL_KIND))
    await learnStandstills(database.db, log, '[]')
  }
})
