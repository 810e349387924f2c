import { expect, test } from 'bun:test'
import { before, minutes, now, ticket } from '../example-facts.fixture.ts'
import { type Arrival, arrive, type ChatFacts } from './messages.arrive.ts'
import type { InboundMessage } from './messages.inbound.ts'
import { inWritingOrder } from '../writing-order.ts'

const arrival = (id: string, event: Partial<InboundMessage> = {}): Arrival => ({
  id,
  quotedMsgId: null,
  event: {
    wid: `wid-${id}`,
    fromMe: false,
    sentAt: now,
    offline: false,
    content: { type: 'text', text: id },
    ...event,
  } as InboundMessage,
})
const sticker = { content: { type: 'sticker', media: { mimetype: 'image/webp' } } } as unknown as InboundMessage
const fileAll = (...chats: Partial<ChatFacts>[]) =>
  arrive({
    companyId: 1,
    now,
    reopenWindowMs: minutes(120),
    mayWake: false,
    chats: chats.map((chat) => ({
      contact: { id: 3, isGroup: false, created: false },
      whatsappId: 2,
      arrivals: [arrival('a')],
      newest: undefined,
      unread: [],
      newTicketId: 6,
      onlyQueueId: 1,
      ...chat,
    })),
  })
const file = (chat: Partial<ChatFacts>) => fileAll(chat).decision
type Values = Record<string, unknown>
const messagesOf = ({ rows }: ReturnType<typeof file>) =>
  rows.flatMap((row) => (row.table === 'messages' && row.op === 'insert' ? [row.values as Values] : []))
const ticketOf = ({ rows }: ReturnType<typeof file>) =>
  rows.flatMap((row) =>
    row.table === 'tickets' && row.op !== 'delete' ? [[row.op, row.values as Values] as const] : [],
  )
const closed = ticket({ status: 'closed', userId: 7, updatedAt: before(minutes(10)) })

test('[T16] messages that arrive together are filed in one ticket, in order, and count as unread', () => {
  const decision = file({ newest: ticket({ unreadMessages: 2 }), arrivals: [arrival('a'), arrival('b')] })
  expect(messagesOf(decision).map(({ id, ticketId, read }) => [id, ticketId, read])).toEqual([
    ['a', 5, false],
    ['b', 5, false],
  ])
  expect(ticketOf(decision)).toMatchObject([['update', { unreadMessages: 4, lastMessage: 'b' }]])
})

test('[T16, T11] of who has no ticket a new one begins; one that is closed is reopened with one change of its row', () => {
  expect(ticketOf(file({}))).toMatchObject([['insert', { id: 6, status: 'pending', queueId: 1, unreadMessages: 1 }]])
  expect(ticketOf(file({ newest: closed }))).toMatchObject([['update', { status: 'pending', userId: null }]])
})

test('[T17] what the owner of the phone writes reads what came before; only what comes after is unread', () => {
  const decision = file({
    newest: ticket({ unreadMessages: 3 }),
    unread: ['old'],
    arrivals: [arrival('a'), arrival('b', { fromMe: true }), arrival('c')],
  })
  expect(messagesOf(decision).map(({ id, read }) => [id, read])).toEqual([
    ['a', true],
    ['b', true],
    ['c', false],
  ])
  expect(ticketOf(decision)).toMatchObject([['update', { unreadMessages: 1 }]])
  expect(decision.rows).toContainEqual({ table: 'messages', op: 'update', ids: ['old'], values: { read: true } })
})

test('[T18] stickers alone begin no service and reopen none; they stand at the end of the last one', () => {
  const arrivals = [arrival('a', sticker)]
  expect(file({ arrivals }).rows).toEqual([])
  expect(messagesOf(file({ arrivals, newest: closed }))).toMatchObject([{ ticketId: 5 }])
  expect(ticketOf(file({ arrivals, newest: closed }))).toEqual([])
  expect(ticketOf(file({ arrivals: [...arrivals, arrival('b')], newest: closed }))).toMatchObject([
    ['update', { status: 'pending' }],
  ])
})

test('[T19] a rate stays in the closed ticket that it is about; what comes with it reopens', () => {
  const rated: ChatFacts['rated'] = {
    given: { rate: 2, trackingId: 9, userId: 7 },
    last: {
      completionMessage: '',
      ratingMessage: '',
      words: (text) => text,
      language: 'pt',
      goodbye: { id: 'goodbye', isSaid: false },
    },
  }
  const alone = file({ newest: closed, rated })
  expect(alone.ratings).toMatchObject([{ ticketId: 5, rate: 2 }])
  expect(ticketOf(alone).filter(([, values]) => 'status' in values)).toEqual([])
  const more = file({ newest: closed, rated, arrivals: [arrival('a'), arrival('b')] })
  expect(messagesOf(more).map(({ id, ticketId }) => [id, ticketId])).toEqual([
    ['a', 5],
    ['b', 5],
  ])
  expect(ticketOf(more).filter(([, values]) => 'status' in values)).toMatchObject([['update', { status: 'pending' }]])
})

test('[T20] what was missed stands where it was written, after what was heard before, and never in the future', () => {
  const at = (sentAt: Date, lastHeardAt?: Date) =>
    messagesOf(file({ arrivals: [arrival('a', { offline: true, sentAt })], lastHeardAt }))[0]!['createdAt']
  expect(at(before(minutes(30)))).toEqual(before(minutes(30)))
  expect(at(before(minutes(30)), before(minutes(20)))).toEqual(before(minutes(20)))
  expect(at(new Date(now.getTime() + minutes(5)))).toEqual(now)
})

test('[T16] what arrives in two chats at once is filed in each by itself, and tickets are written before what is said in them', () => {
  const one = {
    contact: { id: 3, isGroup: false, created: false },
    newest: ticket({ unreadMessages: 2 }),
  }
  const other = { contact: { id: 4, isGroup: false, created: true }, newTicketId: 7 }
  const { decision, filedIn } = fileAll(
    { ...one, arrivals: [arrival('a'), arrival('b')] },
    { ...other, arrivals: [arrival('c')] },
  )
  expect(messagesOf(decision).map(({ id, ticketId, contactId }) => [id, ticketId, contactId])).toEqual([
    ['a', 5, 3],
    ['b', 5, 3],
    ['c', 7, 4],
  ])
  expect(inWritingOrder(decision.rows).map(({ table, op }) => `${op} ${table}`)).toEqual([
    'insert tickets',
    'update tickets',
    'insert ticketEvents',
    'insert messages',
    'insert messages',
    'insert messages',
  ])
  expect(ticketOf(decision)).toMatchObject([
    ['update', { unreadMessages: 4, lastMessage: 'b' }],
    ['insert', { id: 7, contactId: 4, unreadMessages: 1, lastMessage: 'c' }],
  ])
  expect(filedIn.map(({ ticket, contact, waiting }) => [ticket.id, contact.id, waiting.map(({ id }) => id)])).toEqual([
    [5, 3, ['a', 'b']],
    [7, 4, ['c']],
  ])
})
