import { and, desc, eq, inArray, ne, or, type SQL, sql } from 'drizzle-orm'
import { type Decision, nothing, together } from '../../schema/command.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import type { Effect } from '../../schema/effects.ts'
import { newId } from '../../schema/ids.ts'
import {
  type Arrival,
  arrive,
  type ChatFacts,
  type FiledIn,
  ticketFor,
  writtenAt,
} from '../../schema/messages/messages.arrive.ts'
import {
  acksArrived,
  type ChangedFacts,
  editArrived,
  reactionArrived,
  revokeArrived,
} from '../../schema/messages/messages.changed.ts'
import type { ChatAddress } from '../../schema/messages/messages.content.ts'
import type {
  InboundAck,
  InboundCall,
  InboundCharge,
  InboundEdit,
  InboundEvent,
  InboundMessage,
} from '../../schema/messages/messages.inbound.ts'
import { namedMentions } from '../../schema/messages/messages.mentions.ts'
import { isOther, knownAs, type KnownMessage } from '../../schema/messages/messages.reused.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { refuseCall } from '../../schema/tickets/tickets.call.ts'
import { chooseTicket } from '../../schema/tickets/tickets.open.ts'
import { tickets, type Ticket } from '../../schema/tickets/tickets.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { CampaignReplies } from '../campaigns/campaigns.answers.ts'
import { applyDecision, type Change } from '../commands/apply.ts'
import { lastMessageOf, unreadMessagesOf } from '../commands/facts.ts'
import {
  addressOf,
  atAddresses,
  contactOf,
  contactsOf,
  mergeIdentity,
  renameContact,
  type Seen,
  type KnownContact,
} from '../contacts/contacts.identity.ts'
import { recordCharges } from '../costs/costs.changes.ts'
import type { Db, Tx } from '../db/database.ts'
import { retryOnConflict, retrying } from '../db/retrying.ts'
import { wholeText } from '../messages/messages.queries.ts'
import type { CompanyConfig, CompanyFacts } from '../settings/settings.facts.ts'
import { newestTicket, onlyQueueOf, reserveTicketIds } from './tickets.facts.ts'
import { missedCallBody } from './tickets.notices.ts'
import { lastWordsAfterRating, rateGiven } from './tickets.rating.ts'

/**
 * The inbound pipeline: what a WhatsApp session tells becomes contacts, tickets and messages. Every event may come
 * twice (a crash repeats what was not finished), so each write is keyed by WhatsApp's own id or only ever raises.
 */
export interface ReceiverDeps {
  db: Db
  now(): Date
  facts: CompanyFacts
  /** Whether a browser of the company might have to be woken; asked for each batch, so it must not look it up. */
  mayWake?(companyId: number): boolean
  /** Who answers for a company when no agent does. */
  answers?(companyId: number): Promise<AnswerMessages>
  /** What campaigns hear; undefined where a company has never sent to many. */
  bulk?(companyId: number, company: CompanyConfig, now: Date): Promise<CampaignReplies>
  /** Called after each commit. `jobs`: it may have written some. */
  committed(changes: Change[], jobs: boolean): void
}

/** @returns the function that `server/whatsapp` hands its events to, in order within a chat. */
export function createReceiver(deps: ReceiverDeps): (events: readonly InboundEvent[]) => Promise<void> {
  return async (events) => {
    for (const batch of batches(events)) {
      // Asked before the transaction begins: a transaction that waits for a second connection can starve the pool.
      const { companyId, kind } = batch[0]!
      const company = await deps.facts.of(companyId)
      const mayWake = deps.mayWake?.(companyId) ?? false
      const answers = kind === 'message' ? await deps.answers?.(companyId) : undefined
      const now = deps.now()
      const bulk = await deps.bulk?.(batch[0]!.companyId, company, now)
      const work: Receiving = { company, now, mayWake, answers, bulk }
      // Two first messages that meet make the same contact or ticket: the second finds it when it is done again.
      const codes = [...retryOnConflict, '23505']
      const { changes, jobs } = await retrying(codes, () => {
        bulk?.forget()
        return deps.db.transaction((tx) => receiveBatch(work, tx, batch))
      })
      deps.committed(changes, jobs)
      bulk?.committed()
    }
  }
}

/**
 * Messages of a company share a transaction, and so do its acks with what they say of prices; everything else goes alone. Nothing overtakes what
 * came before it, but for acks: they are about messages that are filed, or are about to be, and so come last.
 */
function batches(events: readonly InboundEvent[]): InboundEvent[][] {
  const others: InboundEvent[][] = []
  const acks: InboundEvent[][] = []
  const latest = new Map<string, InboundEvent[]>()
  for (const event of events) {
    const isAck = event.kind === 'ack' || event.kind === 'charge'
    const key = `${event.companyId}/${isAck}`
    const open = latest.get(key)
    if (open && (isAck || (event.kind === 'message' && open[0]!.kind === 'message'))) {
      open.push(event)
      continue
    }
    const begun = [event]
    latest.set(key, begun)
    const list = isAck ? acks : others
    list.push(begun)
  }
  return [...others, ...acks]
}

/** What every step needs to know, besides the rows. */
interface Receiving {
  company: CompanyConfig
  now: Date
  mayWake: boolean
  answers: AnswerMessages | undefined
  bulk: CampaignReplies
}

/** Answers what contacts wrote, in the transaction that filed it. */
export type AnswerMessages = (tx: Tx, filed: readonly FiledIn[], now: Date) => Promise<Received>

/** What a batch changed, and whether it wrote jobs. */
export interface Received {
  changes: Change[]
  jobs: boolean
}

async function receiveBatch(deps: Receiving, tx: Tx, batch: InboundEvent[]): Promise<Received> {
  const first = batch[0]!
  const { companyId } = first
  const decided = async (decision: Decision): Promise<Received> => ({
    changes: await applyDecision(tx, companyId, decision),
    jobs: decision.effects.length > 0,
  })
  const about = async <E extends { whatsappId: number; wid: string; chat: ChatAddress }>(
    event: E,
    decide: (facts: ChangedFacts, event: E) => Decision,
  ) => {
    const facts = await messageOf(tx, companyId, event)
    return decided(facts ? decide(facts, event) : nothing)
  }
  switch (first.kind) {
    case 'message':
      return receiveMessages(deps, tx, batch as InboundMessage[])
    case 'call':
      return receiveCall(deps, tx, first)
    case 'identity':
      return { changes: await mergeIdentity(tx, companyId, first, first.at ?? deps.now), jobs: false }
    case 'renamed':
      return { changes: await renameContact(tx, companyId, first, first.at), jobs: false }
    case 'ack':
    case 'charge': {
      const acks = batch.filter((event): event is InboundAck => event.kind === 'ack')
      await recordCharges(
        tx,
        companyId,
        batch.filter((event): event is InboundCharge => event.kind === 'charge'),
      )
      if (acks.length === 0) return { changes: [], jobs: false }
      await deps.bulk?.acks(tx, acks)
      return decided(await acksDecision(tx, acks, deps.now))
    }
    case 'edit':
      await nameMentioned(tx, [first])
      return about(first, editArrived)
    case 'revoke':
      return about(first, revokeArrived)
    case 'reaction':
      return about(first, reactionArrived)
  }
}

// ── messages ─────────────────────────────────────────────────────────────────────────────────

/** All of one company. */
async function receiveMessages(deps: Receiving, tx: Tx, events: InboundMessage[]): Promise<Received> {
  const { companyId } = events[0]!
  const { company, now, mayWake, answers } = deps
  // None needs the others' answer: together they are one round trip.
  const [, { ids: stored, known }, find, active] = await Promise.all([
    nameMentioned(tx, events),
    storedMessages(tx, events),
    contactsOf(tx, companyId, distinctChats(events)),
    activeTicketsAt(tx, events),
  ])
  const reused: number[] = []
  const firsts = new Map<string, InboundMessage>()
  for (const event of events) {
    const place = placeOf(event.whatsappId, event.wid)
    const earlier = firsts.get(place)
    const first = known.get(place) ?? (earlier && knownAs(earlier))
    if (!first) firsts.set(place, event)
    else if (isOther(first, event)) reused.push(event.whatsappId)
  }
  const fresh = [...firsts.values()]
  if (reused.length > 0) await countReused(tx, reused, now)
  if (fresh.length === 0) return { changes: [], jobs: false }

  const changes: Change[] = []
  const pictures: Effect[] = []
  const found: FoundChat[] = []
  const byChat = Map.groupBy(fresh, (e) => `${e.whatsappId}/${chatKey(e.chat)}`)
  for (const key of [...byChat.keys()].sort()) {
    const own = byChat.get(key)!
    const { whatsappId, chat } = own[0]!
    const contact = await find(chat, seenIn(own, now))
    changes.push(...contactChanges(companyId, contact))
    if (contact.created && !contact.isGroup)
      pictures.push({ kind: 'contacts.picture', contactId: contact.id, whatsappId })
    const arrivals = own.map((event) => {
      const id = newId()
      const quotedMsgId = (event.quotedWid && stored.get(placeOf(whatsappId, event.quotedWid))) || null
      // What comes together may answer what came just before.
      stored.set(placeOf(whatsappId, event.wid), id)
      return { id, event, quotedMsgId }
    })
    found.push({ contact, whatsappId, arrivals })
  }
  const { left, jobs: saysWords } = (await deps.bulk?.words(tx, found)) ?? { left: found, jobs: false }
  const arrived = left.filter(({ arrivals }) => arrivals.length > 0)
  if (arrived.length === 0) return { changes, jobs: saysWords }
  // Where two contacts became one, their tickets are another's.
  const isMerged = found.some(({ contact }) => contact.merged.length > 0)
  const chats = await chatFacts(deps, tx, arrived, isMerged ? undefined : active)
  const { reopenWindowMs } = company
  const filed = arrive({ companyId, now, mayWake, reopenWindowMs, chats })
  const decision = together(filed.decision, { rows: [], effects: pictures })
  changes.push(...(await applyDecision(tx, companyId, decision)))
  const replies = await deps.bulk?.replies(tx, filed.filedIn)
  changes.push(...(replies?.changes ?? []))
  const asked = replies ? filed.filedIn.filter(({ ticket }) => !replies.silent.has(ticket.id)) : filed.filedIn
  // What is said stands behind what was asked.
  const answered = await answers?.(tx, asked, now)
  changes.push(...(answered?.changes ?? []))
  return { changes, jobs: saysWords || decision.effects.length > 0 || (answered?.jobs ?? false) }
}

interface FoundChat {
  contact: KnownContact
  whatsappId: number
  arrivals: Arrival[]
}

/**
 * What decides where the messages of these chats are filed. Most are filed in active tickets.
 * @param known their active tickets, where they were read already
 */
async function chatFacts(
  deps: Receiving,
  tx: Tx,
  found: readonly FoundChat[],
  known?: ReadonlyMap<string, Ticket>,
): Promise<ChatFacts[]> {
  const { company, now } = deps
  const active =
    known ??
    (await activeTickets(
      tx,
      found.filter(({ contact }) => !contact.created),
    ))
  const chats: ChatFacts[] = []
  for (const chat of found) {
    const { contact, whatsappId, arrivals } = chat
    const current = active.get(placeOf(whatsappId, contact.id))
    const newest = current ?? (contact.created ? undefined : await newestTicket(tx, contact.id, whatsappId))
    const isMissed = current && arrivals.some(({ event }) => event.offline)
    const isOwners = arrivals.some(({ event }) => event.fromMe)
    chats.push({
      ...{ ...chat, newest, newTicketId: 0, onlyQueueId: null },
      rated: await ratedBy(deps, tx, contact, newest, arrivals[0]?.event),
      lastHeardAt: isMissed ? await lastInboundAt(tx, current.id) : undefined,
      unread: newest && isOwners ? await unreadMessagesOf(tx, newest.companyId, newest.id) : [],
    })
  }
  const begin = chats.filter(
    (c) => chooseTicket(c.newest, c.contact.isGroup, now, company.reopenWindowMs).use === 'new',
  )
  const ids = await reserveTicketIds(tx, begin.length)
  const queues = new Map<number, number | null>()
  for (const [i, chat] of begin.entries()) {
    const { whatsappId } = chat
    if (!queues.has(whatsappId)) queues.set(whatsappId, await onlyQueueOf(tx, whatsappId))
    Object.assign(chat, { newTicketId: ids[i], onlyQueueId: queues.get(whatsappId) })
  }
  return chats
}

/** The rate that a message gives to the service of a ticket that is closed; undefined for any other message. */
async function ratedBy(
  { company, now }: Receiving,
  tx: Tx,
  contact: KnownContact,
  newest: Ticket | undefined,
  event: InboundMessage | undefined,
): Promise<ChatFacts['rated']> {
  const mayRate = company.settings.userRating === 'enabled' && !contact.isGroup && newest?.status === 'closed'
  if (!mayRate || event?.fromMe !== false || event.content.type !== 'text') return undefined
  const given = await rateGiven(tx, newest, company, event.content.text, writtenAt(event, now))
  return given && { given, last: await lastWordsAfterRating(tx, newest, company, given, now) }
}

function contactChanges(companyId: number, contact: KnownContact): Change[] {
  const action = contact.created ? 'create' : 'update'
  const own: Change[] =
    contact.created || contact.changed ? [{ companyId, table: 'contacts', action, id: contact.id }] : []
  return [...contact.merged, ...own]
}

const chatKey = (chat: ChatAddress) =>
  chat.kind === 'group'
    ? `g:${chat.groupId}`
    : `p:${chat.number ?? ''}:${chat.lid ?? ''}:${chat.bsuid?.portfolio ?? ''}:${chat.bsuid?.id ?? ''}`

const distinctChats = (events: readonly { chat: ChatAddress }[]): ChatAddress[] => [
  ...new Map(events.map((event) => [chatKey(event.chat), event.chat])).values(),
]

/**
 * Puts the names of people into texts that name them by the digits of an address: those of the company's contacts, and in a
 * group those that its members go by.
 */
async function nameMentioned(tx: Tx, events: readonly (InboundMessage | InboundEdit)[]): Promise<void> {
  const naming = events.filter(({ mentions }) => mentions && mentions.length > 0)
  if (naming.length === 0) return
  const { companyId } = naming[0]!
  const users = [...new Set(naming.flatMap(({ mentions }) => mentions!))]
  const known = await tx
    .select({ name: contacts.name, number: contacts.number, lid: contacts.lid })
    .from(contacts)
    .where(
      and(
        eq(contacts.companyId, companyId),
        ne(contacts.nameSource, 'number'),
        or(inArray(contacts.number, users), inArray(contacts.lid, users)),
      ),
    )
  const names = new Map(known.flatMap(({ name, ...by }) => [by.number, by.lid].map((user) => [user, name] as const)))
  for (const event of naming) {
    const inGroup = event.chat.kind === 'group' ? await namesInGroup(tx, event, event.chat.groupId) : null
    const named = (text: string) => namedMentions(text, (user) => names.get(user) ?? inGroup?.get(user) ?? null)
    if (event.kind === 'edit') event.body = named(event.body)
    else if (event.content.type === 'text') event.content = { ...event.content, text: named(event.content.text) }
    else if ('caption' in event.content) event.content = { ...event.content, caption: named(event.content.caption) }
  }
}

/** How far back a group is asked for its members' names. */
const GROUP_MESSAGES = 1_000

/** By what names those went who lately wrote in a group. */
async function namesInGroup(
  tx: Tx,
  { companyId, whatsappId, mentions }: InboundMessage | InboundEdit,
  groupId: string,
): Promise<Map<string, string>> {
  const rows = await tx.execute<{ user: string; name: string }>(sql`
    SELECT DISTINCT ON (said."user") said."user", said.name FROM (
      SELECT m."participantNumber" AS "user", m."participantName" AS name, m."createdAt" FROM ${messages} m
      WHERE m."ticketId" = (
        SELECT t.id FROM ${tickets} t JOIN ${contacts} c ON c.id = t."contactId"
        WHERE c."companyId" = ${companyId} AND c.number = ${groupId} AND t."whatsappId" = ${whatsappId}
        ORDER BY t.id DESC LIMIT 1)
      ORDER BY m."createdAt" DESC LIMIT ${GROUP_MESSAGES}) said
    WHERE said."user" = ANY(${sql.param(mentions)}::text[]) AND said.name IS NOT NULL
    ORDER BY said."user", said."createdAt" DESC`)
  return new Map(rows.map(({ user, name }) => [user, name]))
}

function seenIn(events: InboundMessage[], now: Date): Seen {
  const last = events.findLast(({ fromMe }) => !fromMe)
  const said = events.reduce((at, { sentAt }) => (sentAt > at ? sentAt : at), new Date(0))
  return { name: nameFor(events), username: last?.username, day: today(now), at: said < now ? said : now }
}

/** The sender's own name for themselves; what the phone's owner typed carries the owner's, which is not it. */
function nameFor(events: InboundMessage[]): string | null {
  return events.findLast((e) => e.chatName && (!e.fromMe || e.chat.kind === 'group'))?.chatName ?? null
}

const today = (now: Date) => now.toISOString().slice(0, 10)

const placeOf = (whatsappId: number, id: string | number) => `${whatsappId}/${id}`

/** What of these messages, and of those that they answer, is stored: ids of all, and what the messages themselves are. */
async function storedMessages(
  tx: Tx,
  events: InboundMessage[],
): Promise<{ ids: Map<string, string>; known: Map<string, KnownMessage> }> {
  const own = new Set(events.map(({ whatsappId, wid }) => placeOf(whatsappId, wid)))
  const asked = events.flatMap(({ whatsappId, wid, quotedWid }) =>
    (quotedWid ? [wid, quotedWid] : [wid]).map((w) => ({ w, whatsappId })),
  )
  const rows = await tx
    .select({
      ...{ id: messages.id, wid: messages.wid, whatsappId: messages.whatsappId, fromMe: messages.fromMe },
      ...{ mediaType: messages.mediaType, body: messages.body },
      ...{ isEdited: messages.isEdited, isDeleted: messages.isDeleted },
      chat: { isGroup: contacts.isGroup, number: contacts.number, lid: contacts.lid },
    })
    .from(messages)
    .innerJoin(
      sql`unnest(${sql.param(asked.map((a) => a.whatsappId))}::int[], ${sql.param(asked.map((a) => a.w))}::text[]) AS asked(c, w)`,
      sql`${messages.whatsappId} = asked.c AND ${messages.wid} = asked.w`,
    )
    .innerJoin(contacts, eq(contacts.id, messages.contactId))
  const ids = new Map(rows.map((row) => [placeOf(row.whatsappId!, row.wid!), row.id]))
  const known = new Map<string, KnownMessage>()
  for (const { chat, ...row } of rows) {
    const place = placeOf(row.whatsappId!, row.wid!)
    if (own.has(place)) known.set(place, { ...row, chat: addressOf(chat) })
  }
  return { ids, known }
}

/** Messages that are not kept, since another has their id: their connections tell so. */
async function countReused(tx: Tx, whatsappIds: readonly number[], now: Date): Promise<void> {
  for (const [id, own] of Map.groupBy(whatsappIds, (one) => one))
    await tx
      .update(whatsapps)
      .set({ reusedIds: sql`${whatsapps.reusedIds} + ${own.length}`, reusedIdAt: now })
      .where(eq(whatsapps.id, id))
}

/** When the contact's last message of a ticket was written. */
async function lastInboundAt(tx: Tx, ticketId: number): Promise<Date> {
  const [last] = await tx
    .select({ at: messages.createdAt })
    .from(messages)
    .where(and(eq(messages.ticketId, ticketId), eq(messages.fromMe, false)))
    .orderBy(desc(messages.createdAt), desc(messages.id))
    .limit(1)
  return last?.at ?? new Date(0)
}

/** The active tickets of these contacts, each on its connection, locked. */
function activeTickets(
  tx: Tx,
  chats: readonly { contact: KnownContact; whatsappId: number }[],
): Promise<Map<string, Ticket>> {
  const byConnection = Map.groupBy(chats, (chat) => chat.whatsappId)
  return lockedTickets(
    tx,
    [...byConnection].map(([whatsappId, own]) => {
      const contactIds = sql`${sql.param([...new Set(own.map(({ contact }) => contact.id))])}::int[]`
      return { whatsappId, contactIds }
    }),
  )
}

/** The same by the contacts' addresses, for who does not know yet which contacts these are. */
function activeTicketsAt(tx: Tx, events: readonly InboundMessage[]): Promise<Map<string, Ticket>> {
  const { companyId } = events[0]!
  const byConnection = Map.groupBy(events, (event) => event.whatsappId)
  return lockedTickets(
    tx,
    [...byConnection].flatMap(([whatsappId, own]) => {
      const at = atAddresses(companyId, distinctChats(own))
      return at ? [{ whatsappId, contactIds: sql`ARRAY(SELECT ${contacts.id} FROM ${contacts} WHERE ${at})` }] : []
    }),
  )
}

/**
 * No ticket but these: who writes over two connections has a ticket on each, and one that is locked here without need
 * would hold up the batch that brings messages of the other.
 */
async function lockedTickets(
  tx: Tx,
  places: readonly { whatsappId: number; contactIds: SQL }[],
): Promise<Map<string, Ticket>> {
  if (places.length === 0) return new Map()
  const rows = await tx
    .select()
    .from(tickets)
    .where(
      and(
        or(
          ...places.map(
            ({ whatsappId, contactIds }) =>
              sql`(${tickets.whatsappId} = ${whatsappId} AND ${tickets.contactId} = ANY(${contactIds}))`,
          ),
        ),
        ne(tickets.status, 'closed'),
      ),
    )
    .orderBy(tickets.id)
    .for('update')
  return new Map(rows.map((ticket) => [placeOf(ticket.whatsappId!, ticket.contactId), ticket]))
}

// ── what happens to messages later ───────────────────────────────────────────────────────────

/** Acks of one company's messages; the messages are locked. */
async function acksDecision(tx: Tx, events: readonly InboundAck[], now: Date): Promise<Decision> {
  const byMessage = Map.groupBy(events, (event) => placeOf(event.whatsappId, event.wid))
  const first = [...byMessage.values()].map(([event]) => event!)
  const rows = await tx.execute<{ id: string; ack: number; whatsappId: number; wid: string }>(sql`
    SELECT m."id", m."ack", m."whatsappId", m."wid"
    FROM ${messages} m, unnest(${sql.param(first.map((e) => e.whatsappId))}::int[], ${sql.param(first.map((e) => e.wid))}::text[]) AS x(c, w)
    WHERE m."whatsappId" = x.c AND m."wid" = x.w AND m."fromMe" ORDER BY m."id" FOR UPDATE OF m`)
  return acksArrived(
    rows.map((message) => ({ message, events: byMessage.get(placeOf(message.whatsappId, message.wid)) ?? [] })),
    now,
  )
}

/** The message an event is about, locked, and its ticket, if it was said in that chat: nobody edits or deletes what stands in another. */
async function messageOf(
  tx: Tx,
  companyId: number,
  event: { whatsappId: number; wid: string; chat: ChatAddress },
): Promise<ChangedFacts | undefined> {
  const { chat } = event
  const named = and(eq(messages.whatsappId, event.whatsappId), eq(messages.wid, event.wid))
  const [place] = await tx.select({ ticketId: messages.ticketId }).from(messages).where(named)
  if (!place) return undefined
  // The ticket before its message, as everywhere: who moves a ticket changes all that was said in it.
  await tx.select({ id: tickets.id }).from(tickets).where(eq(tickets.id, place.ticketId)).for('update')
  const [row] = await tx.select({ message: messages }).from(messages).where(named).for('update', { of: messages })
  if (!row) return undefined
  const [same] = await tx
    .select({ id: contacts.id })
    .from(contacts)
    .where(and(eq(contacts.id, row.message.contactId), atAddresses(companyId, [chat])))
  if (!same) return undefined
  const isLast = (await lastMessageOf(tx, companyId, row.message.ticketId)) === row.message.id
  return { message: row.message, text: await wholeText(tx, row.message), isLast }
}

/** With calls switched off the caller is told so, and the ticket keeps a line about it; so it does of one that opens a window. */
async function receiveCall(deps: Receiving, tx: Tx, event: InboundCall): Promise<Received> {
  const { company, now } = deps
  const { companyId, whatsappId, callId } = event
  const isOff = company.settings.call === 'disabled'
  if ((!isOff && !event.opens) || event.from.kind === 'group') return { changes: [], jobs: false }
  const [seen] = await tx
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.whatsappId, whatsappId), eq(messages.wid, callId)))
  if (seen) return { changes: [], jobs: false }
  const contact = await contactOf(tx, companyId, event.from, { name: null, day: today(now), at: now })
  const [chat] = await chatFacts(deps, tx, [{ contact, whatsappId, arrivals: [] }])
  const { reopenWindowMs } = company
  const opening = ticketFor({ companyId, now, reopenWindowMs }, chat!, { wid: callId })
  const line = { id: newId(), body: missedCallBody(event, company), callId }
  const picture: Effect[] = contact.created ? [{ kind: 'contacts.picture', contactId: contact.id, whatsappId }] : []
  const decision = together(opening.decision, refuseCall(opening.ticket, whatsappId, line, { now, isOff }), {
    rows: [],
    effects: picture,
  })
  const changes = contactChanges(companyId, contact)
  return { changes: [...changes, ...(await applyDecision(tx, companyId, decision))], jobs: true }
}
