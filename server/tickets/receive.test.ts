import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { and, asc, eq } from 'drizzle-orm'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import type { MessageContent } from '../../schema/messages/messages.content.ts'
import type { InboundRevoke } from '../../schema/messages/messages.inbound.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import {
  BODY_LENGTH,
  bodyOf,
  EARLIER_BODIES,
  EARLIER_LENGTH,
  TEXT_LENGTH,
} from '../../schema/messages/messages.text.ts'
import { settings } from '../../schema/settings/settings.table.ts'
import { ticketTrackings, tickets } from '../../schema/tickets/tickets.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { examples } from '../../tests/example-data.ts'
import { testDatabase, type TestDatabase } from '../../tests/support/postgres.ts'
import type { Change } from '../commands/apply.ts'
import { wholeText } from '../messages/messages.queries.ts'
import { companyFacts } from '../settings/settings.facts.ts'
import { createReceiver } from './receive.ts'

let database: TestDatabase
let eg: ReturnType<typeof examples>
let clock = new Date('2026-11-20T12:00:00Z')
const changes: Change[] = []
let receive: ReturnType<typeof createReceiver>

beforeAll(async () => {
  database = await testDatabase()
  eg = examples(database.db)
  receive = createReceiver({
    db: database.db,
    now: () => clock,
    facts: companyFacts(database.db, 0),
    committed: (c) => void changes.push(...c),
  })
})
afterAll(() => database.close())

async function counter() {
  const company = await eg.company()
  const connection = await eg.whatsapp(company.id)
  return { company, connection }
}
const ticketsOf = (companyId: number) =>
  database.db.select().from(tickets).where(eq(tickets.companyId, companyId)).orderBy(asc(tickets.id))
const messagesOf = (companyId: number) =>
  database.db.select().from(messages).where(eq(messages.companyId, companyId)).orderBy(asc(messages.id))
const contactsOf = (companyId: number) =>
  database.db.select().from(contacts).where(eq(contacts.companyId, companyId)).orderBy(asc(contacts.id))

describe('a message arrives', () => {
  test('a first message makes a contact named as it calls itself, a pending ticket with one unread, and starts the clock', async () => {
    const { company, connection } = await counter()
    await receive([eg.inbound(connection, { number: '5511988887777', chatName: 'Ana Lima', text: 'Bom dia' })])
    const [contact] = await contactsOf(company.id)
    expect(contact).toMatchObject({ name: 'Ana Lima', number: '5511988887777', nameSource: 'push' })
    const [ticket] = await ticketsOf(company.id)
    expect(ticket).toMatchObject({
      status: 'pending',
      unreadMessages: 1,
      lastMessage: 'Bom dia',
      userId: null,
      whatsappId: connection.id,
    })
    const [clockRow] = await database.db.select().from(ticketTrackings).where(eq(ticketTrackings.ticketId, ticket!.id))
    expect(clockRow).toMatchObject({ queuedAt: clock, startedAt: null, finishedAt: null })
  })

  test('twenty first messages of one contact at the same time make one contact, one ticket, twenty messages, twenty unread', async () => {
    const { company, connection } = await counter()
    await Promise.all(Array.from({ length: 20 }, () => receive([eg.inbound(connection, { number: '5511900000001' })])))
    expect(await contactsOf(company.id)).toHaveLength(1)
    const all = await ticketsOf(company.id)
    expect(all).toHaveLength(1)
    expect(all[0]!.unreadMessages).toBe(20)
    expect(await messagesOf(company.id)).toHaveLength(20)
  })

  test('[T18] a sticker stands in the service that is going on, at the end of the last one where none is, and begins none', async () => {
    const { company, connection } = await counter()
    const number = '5511900000077'
    const sticker = () =>
      eg.inbound(connection, {
        number,
        content: { type: 'sticker', media: { mimetype: 'image/webp', fileName: null, size: 10 }, caption: '' },
      })
    await receive([sticker()])
    expect(await ticketsOf(company.id)).toEqual([])

    await receive([sticker(), eg.inbound(connection, { number })])
    const [opened] = await ticketsOf(company.id)
    expect(opened).toMatchObject({ status: 'pending', unreadMessages: 2 })

    await database.db.update(tickets).set({ status: 'closed', unreadMessages: 0 }).where(eq(tickets.id, opened!.id))
    const [closed] = await ticketsOf(company.id)
    const last = sticker()
    await receive([last])
    expect(await ticketsOf(company.id)).toEqual([closed!])
    const kept = (await messagesOf(company.id)).find((message) => message.wid === last.wid)
    expect(kept).toMatchObject({ ticketId: opened!.id, mediaType: 'sticker', mediaState: 'pending', read: true })
    const fetching = await database.db.select().from(jobs).where(eq(jobs.companyId, company.id))
    expect(fetching.map((job) => job.payload)).toContainEqual(expect.objectContaining({ messageId: kept!.id }))

    await receive([eg.inbound(connection, { number })])
    expect(await ticketsOf(company.id)).toMatchObject([{ id: opened!.id, status: 'pending', unreadMessages: 1 }])
  })

  test('the same message twice is one row, counted once and told once', async () => {
    const { company, connection } = await counter()
    const event = eg.inbound(connection)
    await receive([event, event])
    changes.length = 0
    await receive([event])
    expect(await messagesOf(company.id)).toHaveLength(1)
    expect((await ticketsOf(company.id))[0]!.unreadMessages).toBe(1)
    expect(changes).toEqual([])
  })

  test('another message with the id of one that is kept is lost, and its connection tells so; the same one again is none', async () => {
    const { company, connection } = await counter()
    const counted = async () => {
      const [row] = await database.db.select().from(whatsapps).where(eq(whatsapps.id, connection.id))
      return row!.reusedIds
    }
    const number = '5511987650079'
    const event = (values: object = {}) => eg.inbound(connection, { number, wid: 'AGAIN', text: 'Oi', ...values })
    const media = { mimetype: 'image/jpeg', fileName: null, size: 9 }
    await receive([event(), event({ offline: true })])
    await receive([event({ offline: true, chatName: 'Outro nome' }), event({ fromMe: true, text: 'Do celular' })])
    // Without the digit that Brazil has added, it is the same person.
    await receive([event({ number: '551187650079' })])
    expect(await counted()).toBe(0)
    await receive([event({ text: 'Quero cancelar' })])
    expect(await counted()).toBe(1)
    await receive([event({ content: { type: 'image', media, caption: '' } }), event({ number: '5511987650080' })])
    expect(await counted()).toBe(3)
    expect((await messagesOf(company.id)).map(({ body }) => body)).toEqual(['Oi'])
    // Both in one batch, from a person who is known by the address that hides their number.
    const lid = '700000000000079'
    const hidden = event({ wid: 'B', number: null, lid, text: 'Um' })
    await receive([hidden, event({ wid: 'B', number: null, lid, text: 'Dois' })])
    await receive([event({ wid: 'B', lid, text: 'Um' })])
    expect(await counted()).toBe(4)
    // What was changed since is not what came first.
    const { wid, chat } = event()
    const place = { companyId: company.id, whatsappId: connection.id, wid, chat }
    await receive([{ ...place, kind: 'edit', fromMe: false, body: 'Olá', at: clock }])
    await receive([event({ offline: true })])
    expect(await counted()).toBe(4)
  })

  test('what was missed stands after what had arrived before, though only the second of its writing is known', async () => {
    const { company, connection } = await counter()
    const number = '5511900000078'
    const said = (text: string, at: string, offline: boolean) =>
      eg.inbound(connection, { number, text, sentAt: new Date(at), offline })
    const before = clock
    clock = new Date('2026-11-20T12:00:05.700Z')
    await receive([said('one', '2026-11-20T12:00:05Z', false)])
    clock = new Date('2026-11-20T12:00:20Z')
    await receive([said('two', '2026-11-20T12:00:05Z', true), said('three', '2026-11-20T12:00:06Z', true)])
    clock = before
    const shown = await database.db
      .select()
      .from(messages)
      .where(eq(messages.companyId, company.id))
      .orderBy(asc(messages.createdAt), asc(messages.id))
    expect(shown.map(({ body, createdAt }) => `${body} ${createdAt.toISOString().slice(17, 23)}`)).toEqual([
      'one 05.700',
      'two 05.700',
      'three 06.000',
    ])
  })

  test('a batch of several chats files each message in its own ticket, in order', async () => {
    const { company, connection } = await counter()
    const a = '5511900000002'
    const b = '5511900000003'
    await receive([
      eg.inbound(connection, { number: a, text: 'a1' }),
      eg.inbound(connection, { number: b, text: 'b1' }),
      eg.inbound(connection, { number: a, text: 'a2' }),
    ])
    const all = await ticketsOf(company.id)
    expect(all.map((t) => [t.lastMessage, t.unreadMessages]).sort()).toEqual([
      ['a2', 2],
      ['b1', 1],
    ])
    const inA = (await messagesOf(company.id)).filter((m) => m.body.startsWith('a')).map((m) => m.body)
    expect(inA).toEqual(['a1', 'a2'])
  })

  test('one person who writes to two connections at once is one contact with a ticket on each', async () => {
    const { company, connection } = await counter()
    const second = await eg.whatsapp(company.id)
    const number = '5511900000031'
    await receive([eg.inbound(connection, { number, text: 'sales' }), eg.inbound(second, { number, text: 'support' })])
    await receive([
      eg.inbound(connection, { number, text: 'sales again', wid: 'SHARED' }),
      // Ids are unique for a connection only.
      eg.inbound(second, { number, text: 'support again', wid: 'SHARED' }),
    ])
    expect(await contactsOf(company.id)).toHaveLength(1)
    const all = await ticketsOf(company.id)
    expect(all.map((t) => [t.whatsappId, t.lastMessage, t.unreadMessages])).toEqual([
      [connection.id, 'sales again', 2],
      [second.id, 'support again', 2],
    ])
    expect(await messagesOf(company.id)).toHaveLength(4)
  })

  test('a person known by LID first and by number later is one contact with one ticket', async () => {
    const { company, connection } = await counter()
    await receive([eg.inbound(connection, { number: null, lid: '77001', text: 'one' })])
    await receive([eg.inbound(connection, { number: '5511900000004', lid: '77001', text: 'two' })])
    await receive([eg.inbound(connection, { number: '5511900000004', lid: null, text: 'three' })])
    expect(await contactsOf(company.id)).toHaveLength(1)
    expect(await ticketsOf(company.id)).toHaveLength(1)
    expect(await messagesOf(company.id)).toHaveLength(3)
  })

  test('two contacts that turn out to be one person are merged, and the older active ticket keeps every message', async () => {
    const { company, connection } = await counter()
    await receive([eg.inbound(connection, { number: '5511900000005', text: 'by number' })])
    await receive([eg.inbound(connection, { number: null, lid: '77002', text: 'by lid' })])
    expect(await contactsOf(company.id)).toHaveLength(2)
    await receive([
      { kind: 'identity', companyId: company.id, whatsappId: connection.id, number: '5511900000005', lid: '77002' },
    ])
    const [contact, ...others] = await contactsOf(company.id)
    expect(others).toEqual([])
    expect(contact).toMatchObject({ number: '5511900000005', lid: '77002' })
    const all = await ticketsOf(company.id)
    expect(all).toHaveLength(1)
    expect(all[0]).toMatchObject({ unreadMessages: 2, lastMessage: 'by lid' })
    expect((await messagesOf(company.id)).map((m) => m.ticketId)).toEqual([all[0]!.id, all[0]!.id])
  })

  test('a name that the company edited is not overwritten by the one the phone sends', async () => {
    const { company, connection } = await counter()
    const number = '5511900000006'
    await eg.contact(company.id, { number, name: 'Dona Maria (cliente)', nameSource: 'edited' })
    await receive([eg.inbound(connection, { number, chatName: 'maria123' })])
    expect((await contactsOf(company.id))[0]!.name).toBe('Dona Maria (cliente)')
  })

  test('[T17] what the owner types on the phone is stored as ours, marks the rest read and does not count as unread', async () => {
    const { company, connection } = await counter()
    const number = '5511900000007'
    await receive([eg.inbound(connection, { number, text: 'anyone there?' })])
    await receive([eg.inbound(connection, { number, text: 'yes, from the phone', fromMe: true })])
    const [ticket] = await ticketsOf(company.id)
    expect(ticket).toMatchObject({ unreadMessages: 0, lastMessageFromMe: true })
    expect((await messagesOf(company.id)).map((m) => [m.fromMe, m.read])).toEqual([
      [false, true],
      [true, true],
    ])
  })

  test('a file becomes a message whose bytes are fetched by a job', async () => {
    const { company, connection } = await counter()
    await receive([
      eg.inbound(connection, {
        content: { type: 'image', caption: 'the invoice', media: { mimetype: 'image/png', fileName: null, size: 10 } },
      }),
    ])
    const [message] = await messagesOf(company.id)
    expect(message).toMatchObject({ mediaType: 'image', mediaState: 'pending', body: 'the invoice' })
    const due = await database.db
      .select()
      .from(jobs)
      .where(and(eq(jobs.companyId, company.id), eq(jobs.kind, 'media.fetch')))
    expect(due.map((j) => j.payload)).toEqual([{ messageId: message!.id, whatsappId: connection.id }])
  })

  test('half an emoji, which Postgres cannot store, is stored as a sign for what cannot be read', async () => {
    const { company, connection } = await counter()
    await receive([eg.inbound(connection, { text: 'ok \ud83d' })])
    expect((await messagesOf(company.id))[0]!.body).toBe('ok \ufffd')
  })

  test('a text with a NUL in it, which Postgres cannot store, is stored without', async () => {
    const { company, connection } = await counter()
    await receive([eg.inbound(connection, { text: 'a\u0000b' })])
    expect((await messagesOf(company.id))[0]!.body).toBe('ab')
  })

  test('what a file or a reaction says of itself that no row can hold keeps no message from being stored', async () => {
    const { company, connection } = await counter()
    const media = { mimetype: 'application/\u0000pdf', fileName: 'x.pdf', size: 2_147_483_648 }
    const message = eg.inbound(connection, { content: { type: 'document', caption: 'two gigabytes', media } })
    await receive([message])
    const { chat, wid, companyId, whatsappId, sentAt: at } = message
    const emoji = `👍\u0000${'x'.repeat(5_000)}`
    await receive([{ kind: 'reaction', companyId, whatsappId, chat, wid, emoji, by: '55', at }])
    const [row] = await messagesOf(company.id)
    expect(row).toMatchObject({ body: 'two gigabytes', mediaMime: 'application/pdf', mediaSize: null })
    expect(row!.reactions[0]!.emoji).toStartWith('👍x')
    expect(row!.reactions[0]!.emoji.length).toBeLessThan(50)
  })

  test('a long name that ends in the middle of an emoji is one name, and the next message changes nothing', async () => {
    const { company, connection } = await counter()
    const chatName = `${'a'.repeat(99)}😀`
    const number = '5511977776666'
    await receive([eg.inbound(connection, { number, chatName })])
    changes.length = 0
    await receive([eg.inbound(connection, { number, chatName })])
    expect(changes.filter((change) => change.companyId === company.id && change.table === 'contacts')).toEqual([])
  })

  test('on a connection with a single queue a new ticket starts in that queue', async () => {
    const company = await eg.company()
    const queue = await eg.queue(company.id)
    const connection = await eg.whatsapp(company.id, { queueIds: [queue.id] })
    await receive([eg.inbound(connection)])
    expect((await ticketsOf(company.id))[0]!.queueId).toBe(queue.id)
  })
})

test('a contact’s picture is fetched with the first message, and looked at again when another service begins', async () => {
  const { company, connection } = await counter()
  const asked = async () =>
    (await database.db.select().from(jobs).where(eq(jobs.companyId, company.id))).filter(
      ({ kind }) => kind === 'contacts.picture',
    ).length
  const write = () => receive([eg.inbound(connection, { number: '5511900000123' })])
  await write()
  expect(await asked()).toBe(1)
  await write()
  expect(await asked()).toBe(1)
  await database.db.delete(jobs).where(eq(jobs.companyId, company.id))
  await write()
  expect(await asked()).toBe(0)
  await database.db.update(tickets).set({ status: 'closed' }).where(eq(tickets.companyId, company.id))
  await write()
  expect(await asked()).toBe(1)
})

describe('a closed ticket', () => {
  async function closed(minutesAgo: number) {
    const { company, connection } = await counter()
    const queue = await eg.queue(company.id)
    const agent = await eg.user(company.id)
    const contact = await eg.contact(company.id)
    const at = new Date(clock.getTime() - minutesAgo * 60_000)
    const ticket = await eg.ticket(company.id, {
      contactId: contact.id,
      whatsappId: connection.id,
      status: 'closed',
      userId: agent.id,
      queueId: queue.id,
      updatedAt: at,
    })
    return { company, connection, contact, ticket, queue }
  }

  test('[T5, T11] reopens as pending in its queue, without its agent, when the contact writes after 1 h 59 min', async () => {
    const { company, connection, contact, ticket, queue } = await closed(119)
    await receive([eg.inbound(connection, { number: contact.number })])
    const all = await ticketsOf(company.id)
    expect(all).toHaveLength(1)
    expect(all[0]).toMatchObject({
      id: ticket.id,
      status: 'pending',
      userId: null,
      queueId: queue.id,
      unreadMessages: 1,
    })
  })

  test('stays closed, and a new one begins, when the contact writes after 2 h 01 min', async () => {
    const { company, connection, contact, ticket } = await closed(121)
    await receive([eg.inbound(connection, { number: contact.number })])
    const all = await ticketsOf(company.id)
    expect(all.map((t) => t.status)).toEqual(['closed', 'pending'])
    expect(all[0]!.id).toBe(ticket.id)
  })

  test('never reopens where the company set the window to nothing', async () => {
    const { company, connection, contact } = await closed(1)
    await database.db.insert(settings).values({ companyId: company.id, key: 'reopenWindowHours', value: '0' })
    await receive([eg.inbound(connection, { number: contact.number })])
    expect(await ticketsOf(company.id)).toHaveLength(2)
  })
})

describe('what happens to a message later', () => {
  async function conversation() {
    const { company, connection } = await counter()
    const contact = await eg.contact(company.id)
    const ticket = await eg.ticket(company.id, { contactId: contact.id, whatsappId: connection.id, status: 'open' })
    const said = (values: { wid: string; fromMe?: boolean; body?: string }) =>
      eg.message(company.id, { ticketId: ticket.id, contactId: contact.id, whatsappId: connection.id, ...values })
    const from = { companyId: company.id, whatsappId: connection.id }
    const chat = { kind: 'person' as const, number: contact.number, lid: null }
    return { company, said, from, chat }
  }

  test('ticks only ever rise, whatever the order they come in', async () => {
    const { company, said, from } = await conversation()
    await said({ wid: 'A1', fromMe: true })
    const ack = (n: 2 | 3 | 4) => ({ kind: 'ack' as const, ...from, wid: 'A1', ack: n, error: null })
    await receive([ack(4), ack(2), ack(3)])
    await receive([ack(2)])
    expect((await messagesOf(company.id))[0]!.ack).toBe(4)
  })

  test('an error is shown for what has not left, and ignored for what was delivered', async () => {
    const { company, said, from } = await conversation()
    await said({ wid: 'B1', fromMe: true })
    await said({ wid: 'B2', fromMe: true })
    await receive([{ kind: 'ack', ...from, wid: 'B2', ack: 3, error: null }])
    await receive([
      { kind: 'ack', ...from, wid: 'B1', ack: 0, error: '463' },
      { kind: 'ack', ...from, wid: 'B2', ack: 0, error: '463' },
    ])
    const all = await messagesOf(company.id)
    expect(all.map((m) => [m.wid, m.ack, m.ackError])).toEqual([
      ['B1', 0, '463'],
      ['B2', 3, null],
    ])
  })

  test('an edit keeps the earlier text, a deletion keeps the text, a reaction replaces the same person’s', async () => {
    const { company, said, from, chat } = await conversation()
    await said({ wid: 'C1', body: 'helo' })
    const at = clock
    await receive([{ kind: 'edit', ...from, chat, fromMe: false, wid: 'C1', body: 'hello', at }])
    await receive([{ kind: 'reaction', ...from, chat, wid: 'C1', emoji: '👍', by: '55', at }])
    await receive([{ kind: 'reaction', ...from, chat, wid: 'C1', emoji: '❤️', by: '55', at }])
    await receive([{ kind: 'revoke', ...from, chat, fromMe: false, wid: 'C1', at }])
    expect((await messagesOf(company.id))[0]).toMatchObject({
      body: 'hello',
      isEdited: true,
      isDeleted: true,
      earlierBodies: [{ body: 'helo' }],
      reactions: [{ emoji: '❤️', by: '55' }],
    })
  })

  test('a caption that was taken away is empty, and stands in the history; a document is called by its name again', async () => {
    const { company, connection } = await counter()
    const media = { mimetype: 'image/jpeg', fileName: null, size: 1 }
    const photo = eg.inbound(connection, { content: { type: 'image', media, caption: 'alarme 4477' } })
    const note = { type: 'document' as const, media: { ...media, fileName: 'nota.pdf' }, caption: 'vence hoje' }
    const document = eg.inbound(connection, { content: note })
    const text = eg.inbound(connection, { text: 'fica' })
    await receive([photo, document, text])
    for (const { companyId, whatsappId, chat, wid } of [photo, document, text])
      await receive([{ kind: 'edit', companyId, whatsappId, chat, fromMe: false, wid, body: '', at: clock }])
    const row = async (wid: string) => (await messagesOf(company.id)).find((message) => message.wid === wid)!
    expect(await row(photo.wid)).toMatchObject({ body: '', isEdited: true, earlierBodies: [{ body: 'alarme 4477' }] })
    expect(await row(document.wid)).toMatchObject({ body: 'nota.pdf', earlierBodies: [{ body: 'vence hoje' }] })
    // A text has no words to take away: who wants that deletes it.
    expect(await row(text.wid)).toMatchObject({ body: 'fica', isEdited: false })
  })

  test('what a message is about is kept, unless it answers what is here', async () => {
    const { company, connection } = await counter()
    const first = eg.inbound(connection, { text: 'Tem bolo?' })
    const more = { number: first.chat.kind === 'person' ? first.chat.number : null }
    const quote = { is: 'quote' as const, text: 'Tem bolo?' }
    const status = { is: 'status' as const, text: 'Broa' }
    await receive([
      first,
      eg.inbound(connection, { ...more, text: 'e torta', quotedWid: first.wid, about: quote }),
      eg.inbound(connection, { ...more, text: 'e pão', quotedWid: 'NOT HERE', about: quote }),
      eg.inbound(connection, { ...more, text: 'essa', quotedWid: 'STATUS', about: status }),
      eg.inbound(connection, { ...more, content: { type: 'notice', kind: 'view_once', text: '' } }),
    ])
    expect((await messagesOf(company.id)).map(({ body, about, mediaType }) => [body, about, mediaType])).toEqual([
      ['Tem bolo?', null, 'chat'],
      ['e torta', null, 'chat'],
      ['e pão', quote, 'chat'],
      ['essa', status, 'chat'],
      ['', null, 'view_once'],
    ])
    expect(await ticketsOf(company.id)).toMatchObject([{ unreadMessages: 5, lastMessage: '👁️' }])
  })

  test('people whom a text names by an address have their names: contacts, and members of the group', async () => {
    const { company, connection } = await counter()
    const bia = await eg.contact(company.id, { name: 'Bia', nameSource: 'edited', lid: '777000111' })
    const nameless = await eg.contact(company.id, { lid: '777000222', nameSource: 'number' })
    const chat = { kind: 'group' as const, groupId: '120363000' }
    const carl = { number: null, lid: '777000333', pushName: 'Carl' }
    const mentions = [bia.lid!, nameless.lid!, carl.lid]
    const said = `@${bia.lid} e @${nameless.lid}, falem com @${carl.lid}`
    const asked = eg.inbound(connection, { chat, participant: carl, text: said, mentions })
    await receive([eg.inbound(connection, { chat, participant: carl, text: 'oi' })])
    await receive([asked])
    const last = async () => (await messagesOf(company.id)).at(-1)!.body
    expect(await last()).toBe('@Bia e @777000222, falem com @Carl')
    const { companyId, whatsappId, wid } = asked
    const edit = {
      kind: 'edit' as const,
      companyId,
      whatsappId,
      chat,
      wid,
      fromMe: false,
      participant: carl,
      at: clock,
    }
    await receive([{ ...edit, body: `só @${bia.lid}`, mentions }])
    expect(await last()).toBe('só @Bia')
  })

  test('a long text is kept whole beside its row, which holds the beginning; an edit replaces both', async () => {
    const { company, connection } = await counter()
    const long = `${'palavra '.repeat(8_000)}fim`
    const message = eg.inbound(connection, { number: '5511900000076', text: long })
    await receive([message])
    const row = async () => (await messagesOf(company.id))[0]!
    const whole = async () => wholeText(database.db, await row())
    expect(await row()).toMatchObject({ ...bodyOf(long), isCut: true })
    expect(await whole()).toBe(long)
    const { companyId, whatsappId, wid, chat } = message
    const edit = (body: string) =>
      receive([{ kind: 'edit', companyId, whatsappId, chat, fromMe: false, wid, body, at: clock }])
    await edit(long)
    expect((await row()).isEdited).toBe(false)
    const other = `${long.slice(0, -3)}outro fim`
    await edit(other)
    expect((await row()).isEdited).toBe(true)
    expect(await whole()).toBe(other)
    await edit('curta')
    expect(await whole()).toBe('curta')
    expect(await row()).toMatchObject({ body: 'curta', isCut: false })
    for (let i = 0; i < 30; i++) {
      clock = new Date(clock.getTime() + 1_000)
      await edit(`versão ${i}`)
    }
    const { earlierBodies } = await row()
    expect(earlierBodies).toHaveLength(EARLIER_BODIES)
    expect(earlierBodies.at(-1)!.body).toBe('versão 28')
    // Of long ones fewer are kept: every browser holds the row.
    for (let i = 0; i < EARLIER_BODIES; i++) {
      clock = new Date(clock.getTime() + 1_000)
      await edit(`${i} ${long}`)
    }
    const letters = (await row()).earlierBodies.map(({ body }) => body.length)
    expect(letters.reduce((sum, length) => sum + length)).toBeLessThanOrEqual(EARLIER_LENGTH)
    expect(letters.length).toBeGreaterThan(1)
  })

  test('whatever strangers send, no row becomes longer than is said', async () => {
    const { company, connection } = await counter()
    const huge = 'A\u202e\n'.repeat(1_000_000)
    const media = { mimetype: huge, fileName: huge, size: 1 }
    const vcard = `BEGIN:VCARD\nVERSION:3.0\nFN:Ana\nPHOTO:${huge.slice(0, 500_000)}\nTEL;waid=551199:+55 11 99\nEND:VCARD`
    const small = { displayName: 'Bia', vcard: 'BEGIN:VCARD\nFN:Bia\nTEL:+55 11 98\nEND:VCARD' }
    const contents: MessageContent[] = [
      { type: 'text', text: huge },
      { type: 'image', media, caption: huge },
      { type: 'document', media, caption: '' },
      { type: 'location', latitude: 1, longitude: 2, name: huge, thumbnail: huge },
      { type: 'contacts', cards: [{ displayName: huge, vcard }, ...Array.from({ length: 3_000 }, () => small)] },
      { type: 'notice', kind: 'poll', text: huge },
    ]
    await receive(
      contents.map((content) => eg.inbound(connection, { number: '5511900000078', chatName: huge, content })),
    )
    const rows = await messagesOf(company.id)
    expect(rows).toHaveLength(contents.length)
    for (const row of rows) {
      const bound = { vcard: 32_768, locationMessage: 400 }[row.mediaType as 'vcard'] ?? BODY_LENGTH
      expect([row.mediaType, row.body.length <= bound]).toEqual([row.mediaType, true])
      expect(row.mediaName?.length ?? 0).toBeLessThanOrEqual(255)
      expect(row.mediaMime?.length ?? 0).toBeLessThanOrEqual(127)
      expect((await wholeText(database.db, row)).length).toBeLessThanOrEqual(TEXT_LENGTH)
    }
    expect(rows.some((row) => row.body.includes('TEL;waid=551199:+55 11 99\nEND:VCARD'))).toBe(true)
    const [contact] = await contactsOf(company.id)
    expect(contact!.name).toMatch(/^[A ]{100}$/)
    expect((await ticketsOf(company.id))[0]!.lastMessage.length).toBeLessThanOrEqual(255)
  })

  test('edits that are told again after a crash change nothing', async () => {
    const { company, connection } = await counter()
    const message = eg.inbound(connection, { number: '5511900000079', text: 'one' })
    const edit = (body: string, at: string) => ({
      companyId: company.id,
      whatsappId: connection.id,
      kind: 'edit' as const,
      wid: message.wid,
      chat: message.chat,
      fromMe: false,
      body,
      at: new Date(at),
    })
    const edits = [edit('two', '2026-11-20T12:00:01Z'), edit('three', '2026-11-20T12:00:01Z')]
    await receive([message, ...edits])
    await receive([message, ...edits])
    const [row] = await messagesOf(company.id)
    expect(row!.body).toBe('three')
    expect(row!.earlierBodies.map(({ body }) => body)).toEqual(['one', 'two'])
  })

  test('the list follows the last message when it is edited or deleted, and no other one of the same text', async () => {
    const { company, said, from, chat } = await conversation()
    const line = async () => {
      const { lastMessage, lastMessageDeleted } = (await ticketsOf(company.id))[0]!
      return lastMessageDeleted ? 'deleted' : lastMessage
    }
    const at = clock
    const edited = (wid: string, body: string) =>
      receive([{ kind: 'edit', ...from, chat, fromMe: false, wid, body, at }])
    const revoked = (wid: string) => receive([{ kind: 'revoke', ...from, chat, fromMe: false, wid, at }])
    for (const wid of ['L1', 'L2']) await said({ wid, body: 'ok' })
    await edited('L1', 'okay')
    expect(await line()).toBe('')
    await edited('L2', 'certo')
    expect(await line()).toBe('certo')
    await revoked('L1')
    expect(await line()).toBe('certo')
    await revoked('L2')
    expect(await line()).toBe('deleted')
    await edited('L2', 'tarde demais')
    expect(await line()).toBe('deleted')
    await said({ wid: 'L3', body: '🚫' })
    await edited('L3', '🚫 não')
    expect(await line()).toBe('🚫 não')
  })

  test('nobody edits or deletes a message of another chat, or of the other side', async () => {
    const { company, said, from, chat } = await conversation()
    await said({ wid: 'D1', fromMe: true, body: 'ours' })
    const stranger = { kind: 'person' as const, number: '5511911112222', lid: null }
    await receive([{ kind: 'edit', ...from, chat, fromMe: false, wid: 'D1', body: 'forged', at: clock }])
    await receive([{ kind: 'revoke', ...from, chat: stranger, fromMe: true, wid: 'D1', at: clock }])
    expect((await messagesOf(company.id))[0]).toMatchObject({ body: 'ours', isDeleted: false })
  })

  test('in a group nobody edits what another wrote; who wrote it does, by whichever of their names', async () => {
    const { company, connection } = await counter()
    const group = { kind: 'group' as const, groupId: '120363000000000001' }
    const ana = { number: '5511988887777', lid: '20005' }
    const said = { chat: group, wid: 'G1', participant: { ...ana, pushName: 'Ana' }, text: 'dez' }
    await receive([eg.inbound(connection, said)])
    const edit = (body: string, participant: { number: string | null; lid: string | null }) =>
      receive([
        {
          ...{ kind: 'edit', companyId: company.id, whatsappId: connection.id, chat: group, wid: 'G1', fromMe: false },
          ...{ body, participant, at: clock },
        } as const,
      ])
    const body = async () => (await messagesOf(company.id))[0]!.body
    await edit('mil', { number: '5511911112222', lid: '20006' })
    expect(await body()).toBe('dez')
    await edit('cem', { number: null, lid: null })
    expect(await body()).toBe('dez')
    await edit('onze', ana)
    expect(await body()).toBe('onze')
  })

  test('in a group a message is deleted by who wrote it or by an admin, ours by us or by an admin; by nobody else', async () => {
    const { company, connection } = await counter()
    const group = { kind: 'group' as const, groupId: '120363000000000002' }
    const [ana, bia] = [
      { number: '5511988887777', lid: '20005' },
      { number: '5511911112222', lid: '20006' },
    ]
    const say = (wid: string, by: typeof ana | null) =>
      receive([
        eg.inbound(connection, {
          ...{ chat: group, wid, text: wid, fromMe: by === null },
          participant: by && { ...by, pushName: 'x' },
        }),
      ])
    const revoke = async (wid: string, by: Partial<Pick<InboundRevoke, 'participant' | 'byAdmin' | 'fromMe'>>) => {
      const from = { companyId: company.id, whatsappId: connection.id, chat: group, wid, at: clock }
      await receive([{ kind: 'revoke', fromMe: false, ...by, ...from }])
      return (await messagesOf(company.id)).find((message) => message.wid === wid)!.isDeleted
    }
    for (const [wid, by] of [
      ['A1', ana],
      ['A2', ana],
      ['A3', ana],
      ['A4', ana],
      ['O1', null],
      ['O2', null],
    ] as const)
      await say(wid, by)
    expect(await revoke('A1', { participant: bia, byAdmin: false })).toBe(false)
    expect(await revoke('A1', { participant: bia })).toBe(false)
    // A journal that an older version wrote names nobody.
    expect(await revoke('A1', {})).toBe(false)
    expect(await revoke('A1', { participant: { number: null, lid: null } })).toBe(false)
    expect(await revoke('A1', { participant: ana })).toBe(true)
    expect(await revoke('A2', { participant: { number: ana.number, lid: null } })).toBe(true)
    expect(await revoke('A3', { participant: bia, byAdmin: true })).toBe(true)
    expect(await revoke('A4', { fromMe: true, participant: null })).toBe(true)
    expect(await revoke('O1', { participant: bia })).toBe(false)
    expect(await revoke('O1', { participant: bia, byAdmin: true })).toBe(true)
    expect(await revoke('O2', { fromMe: true, participant: null })).toBe(true)
  })

  test('edits, reactions and ticks about unknown messages open no ticket', async () => {
    const { company, connection } = await counter()
    const from = { companyId: company.id, whatsappId: connection.id }
    const chat = { kind: 'person' as const, number: '5511900000009', lid: null }
    await receive([{ kind: 'edit', ...from, chat, fromMe: false, wid: 'X', body: 'x', at: clock }])
    await receive([{ kind: 'reaction', ...from, chat, wid: 'X', emoji: '👍', by: '55', at: clock }])
    await receive([{ kind: 'ack', ...from, wid: 'X', ack: 3, error: null }])
    expect(await ticketsOf(company.id)).toEqual([])
  })
})

test('a call that opens a window is kept where calls are welcome, too; the caller hears nothing of it', async () => {
  const { company, connection } = await counter()
  await database.db.insert(settings).values({ companyId: company.id, key: 'call', value: 'enabled' })
  const call = {
    ...{ kind: 'call' as const, companyId: company.id, whatsappId: connection.id, video: false, at: clock },
    from: { kind: 'person' as const, number: '5511900000011', lid: null },
  }
  await receive([{ ...call, callId: 'WELCOME' }])
  expect(await messagesOf(company.id)).toEqual([])
  await receive([{ ...call, callId: 'OPENS', opens: true }])
  await receive([{ ...call, callId: 'OPENS', opens: true }])
  expect((await messagesOf(company.id)).map((m) => [m.mediaType, m.fromMe])).toEqual([['call_log', false]])
  const refused = and(eq(jobs.companyId, company.id), eq(jobs.kind, 'calls.refused'))
  expect(await database.db.$count(jobs, refused)).toBe(0)
})

test('a call is noted in the conversation and refused by a job, once, where calls are off', async () => {
  const { company, connection } = await counter()
  const call = {
    kind: 'call' as const,
    companyId: company.id,
    whatsappId: connection.id,
    callId: 'CALL1',
    from: { kind: 'person' as const, number: '5511900000010', lid: null },
    at: new Date('2026-11-20T15:05:00Z'),
    video: false,
  }
  changes.length = 0
  await receive([call])
  await receive([call])
  // A stranger who calls is a contact like one who writes: told of, and looked at.
  const [caller] = await contactsOf(company.id)
  expect(changes).toContainEqual({ companyId: company.id, table: 'contacts', action: 'create', id: caller!.id })
  const looks = and(eq(jobs.companyId, company.id), eq(jobs.kind, 'contacts.picture'))
  expect(await database.db.$count(jobs, looks)).toBe(1)
  const all = await messagesOf(company.id)
  expect(all.map((m) => [m.mediaType, m.body])).toEqual([['call_log', 'Chamada de voz perdida às 12:05']])
  const due = await database.db
    .select()
    .from(jobs)
    .where(and(eq(jobs.companyId, company.id), eq(jobs.kind, 'calls.refused')))
  expect(due).toHaveLength(1)
  clock = new Date('2026-11-20T12:00:00Z')
})
