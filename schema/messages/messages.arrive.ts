import type { Decision, RowChange } from '../command.ts'
import { clip, fileNameOf, legible, nameOf } from '../texts.ts'
import { together } from '../command.ts'
import type { Contact } from '../contacts/contacts.table.ts'
import type { Effect } from '../effects.ts'
import { type GivenComment, type GivenRate, keepComment, keepRate, type LastWords } from '../ratings/ratings.decide.ts'
import { beginTicket } from '../tickets/tickets.begin.ts'
import { chooseTicket } from '../tickets/tickets.open.ts'
import { type Cause, moveTicket } from '../tickets/tickets.move.ts'
import { isSnoozed, wokenBy } from '../tickets/tickets.snooze.ts'
import type { Ticket } from '../tickets/tickets.table.ts'
import type { TicketTouch } from '../tickets/tickets.transition.ts'
import { type MessageAbout, previewOf, storedForm } from './messages.content.ts'
import type { InboundMessage } from './messages.inbound.ts'
import { lastWord } from './messages.line.ts'
import { secondsSaid } from './messages.waveform.ts'
import type { NewMessage } from './messages.table.ts'

/** What decides how the messages of one company that arrive together are filed. */
export interface ArrivalFacts {
  companyId: number
  now: Date
  /** How long after its last change a closed ticket takes the contact's next message; 0 never. */
  reopenWindowMs: number
  /** Whether a browser of the company might have to be woken. */
  mayWake: boolean
  /** Each chat once. */
  chats: ChatFacts[]
}

/** What arrives in one chat, and what is known of it. Its tickets are locked. */
export interface ChatFacts {
  contact: Pick<Contact, 'id' | 'isGroup'> & { created: boolean }
  whatsappId: number
  /** In their order, none of them stored yet. */
  arrivals: Arrival[]
  /** The active ticket of the contact on the connection, else its latest. */
  newest: Ticket | undefined
  /** The rate, or the reason for it, that the first message gives to the service of `newest`, which is closed. */
  rated?: { given: GivenRate | GivenComment; last: LastWords } | undefined
  /** When the contact's last message was written, where some of these were missed while we were away. */
  lastHeardAt?: Date | undefined
  /** The contact's messages that nobody has read, where the phone's owner wrote. */
  unread: string[]
  /** For a new ticket. */
  newTicketId: number
  onlyQueueId: number | null
}

export interface Arrival {
  /** Ids ascend in the order of arrival. */
  id: string
  event: InboundMessage
  /** The stored message that it answers to. */
  quotedMsgId: string | null
}

/** Where the messages of a chat were filed. */
export interface FiledIn {
  ticket: Ticket
  contact: ChatFacts['contact']
  /** The phone's owner wrote. */
  byOwner: boolean
  /** What the contact wrote and the owner has not answered, in order. */
  waiting: Arrival[]
}

/**
 * Files messages: in the active ticket of the chat, in one that is reopened, or in a new one.
 * A rate is filed in the closed ticket that it is about, stickers alone with the last ticket, and neither reopens it.
 *
 * @returns `filedIn`: the tickets in which something was said
 */
export function arrive(facts: ArrivalFacts): { decision: Decision; filedIn: FiledIn[] } {
  const filed = facts.chats.map((chat) => arriveInChat(facts, chat))
  return {
    decision: together(...filed.map(({ decision }) => decision)),
    filedIn: filed.flatMap(({ filedIn }) => filedIn ?? []),
  }
}

function arriveInChat(facts: ArrivalFacts, chat: ChatFacts): { decision: Decision; filedIn?: FiledIn } {
  const { contact, newest, rated, whatsappId } = chat
  const active = newest !== undefined && newest.status !== 'closed'
  const ratedIn = rated && newest && !active ? { ...rated, ticket: newest, arrival: chat.arrivals[0]! } : undefined
  const rest = ratedIn ? chat.arrivals.slice(1) : chat.arrivals
  const rating = ratedIn ? [takeRate(facts, chat, ratedIn)] : []
  if (rest.length === 0) return { decision: together(...rating) }
  // Stickers alone begin no service: they are kept with the last one, where there was one.
  if (!active && rest.every(({ event }) => event.content.type === 'sticker'))
    return { decision: together(...rating, ...(newest ? [keepAside(facts, chat, newest, rest)] : [])) }

  const { decision: opening, ticket } = ticketFor(
    facts,
    chat,
    rest[0]!.event,
    rest.some(({ event }) => !event.fromMe),
  )
  const ownerAt = rest.findLastIndex(({ event }) => event.fromMe)
  const last = rest.at(-1)!
  const waiting = rest.slice(ownerAt + 1)
  const touch = {
    ...lastWord(previewOf(last.event.content), last.event.fromMe, facts.now),
    // What the owner answered on the phone was read there; only what came after is unread.
    unreadMessages: (ownerAt >= 0 ? 0 : ticket.unreadMessages) + waiting.length,
    updatedAt: facts.now,
  }
  // What arrives later stands later, though WhatsApp tells of what was missed only the second in which it was written.
  let earliest = chat.lastHeardAt ?? new Date(0)
  const messages = rest.map((arrival, i) => {
    const row = rowOf(facts, chat, ticket.id, arrival, { read: i < ownerAt || arrival.event.fromMe })
    earliest = later(row.createdAt, earliest)
    return { ...row, createdAt: earliest }
  })
  const effects: Effect[] = []
  // Once a service: people change their picture, and nobody tells.
  if (opening.rows.length > 0 && !contact.created && !contact.isGroup)
    effects.push({ kind: 'contacts.picture', contactId: contact.id, whatsappId })
  // One for a ticket: a burst is one piece of news.
  const news = facts.mayWake ? rest.findLast(({ event }) => !event.fromMe) : undefined
  if (news) effects.push({ kind: 'push.notify', messageId: news.id })
  const filing: Decision = {
    rows: [
      ...messages.map((values) => ({ table: 'messages' as const, op: 'insert' as const, values })),
      ...(ownerAt >= 0 && chat.unread.length > 0
        ? [{ table: 'messages' as const, op: 'update' as const, ids: chat.unread, values: { read: true } }]
        : []),
    ],
    texts: rest.flatMap(longText),
    spoken: messages.map(({ fromMe, createdAt: at }) => ({
      ticketId: ticket.id,
      by: fromMe ? 'person' : 'contact',
      at,
    })),
    effects: [...effects, ...messages.flatMap(fetching)],
  }
  return {
    decision: together(...rating, touched(opening, ticket.id, touch), filing),
    filedIn: { ticket: { ...ticket, ...touch }, contact, byOwner: ownerAt >= 0, waiting },
  }
}

/** The ticket's own change and what the messages make of it are one change of its row. */
function touched(opening: Decision, id: number, touch: TicketTouch): Decision {
  let found = false
  const rows = opening.rows.map((row): RowChange => {
    if (row.table !== 'tickets' || row.op === 'delete') return row
    found = true
    return row.op === 'insert'
      ? { ...row, values: { ...row.values, ...touch } }
      : { ...row, values: { ...row.values, ...touch } }
  })
  return found
    ? { ...opening, rows }
    : together(opening, { rows: [{ table: 'tickets', op: 'update', ids: [id], values: touch }], effects: [] })
}

/**
 * The ticket that the messages are filed in: the active one, the last one reopened, or a new one.
 * @param fromContact whether the contact wrote, which wakes what lies aside
 */
export function ticketFor(
  { companyId, now, reopenWindowMs }: Pick<ArrivalFacts, 'companyId' | 'now' | 'reopenWindowMs'>,
  { contact, newest, whatsappId, newTicketId, onlyQueueId }: Omit<ChatFacts, 'arrivals' | 'unread'>,
  { wid }: { wid: string },
  fromContact = true,
): { decision: Decision; ticket: Ticket } {
  const choice = chooseTicket(newest, contact.isGroup, now, reopenWindowMs)
  const cause: Cause = { id: wid, eventId: `${whatsappId}:${wid}`, userId: null, now }
  if (choice.use === 'active' && !(fromContact && isSnoozed(choice.ticket)))
    return { decision: { rows: [], effects: [] }, ticket: choice.ticket }
  if (choice.use !== 'new') {
    const data = choice.use === 'active' ? { data: wokenBy('contact', choice.ticket) } : {}
    const moved = moveTicket(choice.ticket, { type: 'contactWrote' }, { ...cause, ...data })
    if ('refused' in moved) throw new Error(`a ticket refused its contact: ${moved.refused}`)
    return moved
  }
  const { id: contactId, isGroup } = contact
  const beginning = { id: newTicketId, companyId, contactId, isGroup, whatsappId, queueId: onlyQueueId, userId: null }
  return beginTicket({ ...beginning, status: 'pending' }, cause)
}

/** Keeps a rate, or why it was given, as a message of the ticket that is over, and what follows from it. */
function takeRate(
  facts: ArrivalFacts,
  chat: ChatFacts,
  {
    ticket,
    arrival,
    given,
    last,
  }: { ticket: Ticket; arrival: Arrival; given: GivenRate | GivenComment; last: LastWords },
): Decision {
  const values = rowOf(facts, chat, ticket.id, arrival, { read: true })
  const said = lastWord(previewOf(arrival.event.content), false, facts.now)
  return together(
    {
      rows: [
        { table: 'messages', op: 'insert', values },
        { table: 'tickets', op: 'update', ids: [ticket.id], values: said },
      ],
      texts: longText(arrival),
      effects: [],
    },
    'rate' in given ? keepRate(ticket, given, last, facts.now) : keepComment(ticket, given, last, facts.now),
  )
}

/** Messages that stand at the end of a service that is over. */
function keepAside(facts: ArrivalFacts, chat: ChatFacts, ticket: Ticket, arrivals: readonly Arrival[]): Decision {
  const messages = arrivals.map((arrival) => rowOf(facts, chat, ticket.id, arrival, { read: true }))
  return {
    rows: messages.map((values) => ({ table: 'messages', op: 'insert', values })),
    texts: arrivals.flatMap(longText),
    effects: messages.flatMap(fetching),
  }
}

function longText({ id, event }: Arrival): { messageId: string; text: string }[] {
  const { whole } = storedForm(event.content)
  return whole === null ? [] : [{ messageId: id, text: whole }]
}

function fetching({ id, mediaState, whatsappId }: ReturnType<typeof rowOf>): Effect[] {
  return mediaState === 'pending' ? [{ kind: 'media.fetch', messageId: id, whatsappId }] : []
}

const MOST_BYTES = 2_147_483_647

/** A message as it is stored. All rows name the same columns; the rest of them have their defaults. */
function rowOf(
  { companyId, now }: ArrivalFacts,
  { contact, whatsappId }: ChatFacts,
  ticketId: number,
  { id, event, quotedMsgId }: Arrival,
  { read }: { read: boolean },
) {
  const { body, isCut, mediaType } = storedForm(event.content)
  const media = 'media' in event.content ? event.content.media : null
  return {
    id,
    companyId,
    ticketId,
    contactId: contact.id,
    whatsappId,
    wid: event.wid,
    fromMe: event.fromMe,
    participantName: nameOf(event.participant?.pushName) || null,
    participantNumber: event.participant?.number ?? event.participant?.lid ?? null,
    body,
    isCut,
    mediaType,
    mediaState: media ? 'pending' : 'none',
    mediaName: fileNameOf(media?.fileName) || null,
    mediaMime: media ? legible(clip(media.mimetype, 127)) : null,
    // Two gigabytes, which WhatsApp allows, are one byte too many for the column; the true size comes with the file.
    mediaSize: media?.size != null && media.size <= MOST_BYTES ? media.size : null,
    mediaSeconds: event.content.type === 'audio' ? secondsSaid(event.content.seconds) : null,
    waveform: event.content.type === 'audio' ? (event.content.waveform ?? null) : null,
    isVoice: event.content.type === 'audio' && event.content.voice,
    read,
    ack: event.fromMe ? 2 : 1,
    quotedMsgId,
    about: aboutOf(event, quotedMsgId),
    createdAt: writtenAt(event, now),
    updatedAt: now,
  } satisfies NewMessage
}

/** What a stored message says itself is not kept a second time. */
function aboutOf({ about = null }: InboundMessage, quotedMsgId: string | null): MessageAbout | null {
  if (!about || (about.is === 'quote' && quotedMsgId !== null)) return null
  const fit = Object.entries(about).map(([name, value]) => [name, value === null ? null : legible(value)])
  return Object.fromEntries(fit) as MessageAbout
}

/** When a message was written. A clock of the other side that runs ahead must not put it into our future. */
export const writtenAt = (event: InboundMessage, now: Date): Date =>
  event.offline && event.sentAt < now ? event.sentAt : now

const later = (a: Date, b: Date) => (a > b ? a : b)
