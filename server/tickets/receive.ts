import { and, desc, eq, lt, ne, type SQL, sql } from 'drizzle-orm'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import type { Effect } from '../../schema/effects.ts'
import { newId } from '../../schema/ids.ts'
import type { ChatAddress } from '../../schema/messages/messages.content.ts'
import { previewOf, storedForm } from '../../schema/messages/messages.content.ts'
import type { InboundEvent, InboundMessage } from '../../schema/messages/messages.inbound.ts'
import { lineOf, withReaction } from '../../schema/messages/messages.commands.ts'
import { messages, type Message, type NewMessage } from '../../schema/messages/messages.table.ts'
import { ticketEvents, tickets, type Ticket } from '../../schema/tickets/tickets.table.ts'
import { chooseTicket } from '../../schema/tickets/tickets.open.ts'
import { transition } from '../../schema/tickets/tickets.transition.ts'
import { whatsappQueues } from '../../schema/whatsapps/whatsapps.table.ts'
import { applyTracking, type Change, placeOf as ticketPlaceOf } from '../commands/apply.ts'
import { lastMessageOf } from '../commands/facts.ts'
import { contactOf, contactsOf, mergeIdentity, type KnownContact } from '../contacts/contacts.identity.ts'
import type { Db, Tx } from '../db/database.ts'
import { met, retrying } from '../db/retrying.ts'
import { addJobs } from '../jobs/queue.ts'
import type { CompanyConfig, CompanyFacts } from '../settings/settings.facts.ts'
import { tellHours } from './tickets.hours.ts'
import { missedCallBody } from './tickets.notices.ts'
import { type GivenRate, keepRate, rateGiven } from './tickets.rating.ts'

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
  /** Called after each commit. `jobs`: it may have written some. */
  committed(changes: Change[], jobs: boolean): void
}

/** @returns the function that `server/whatsapp` hands its events to, in order within a chat. */
export function createReceiver(deps: ReceiverDeps): (events: readonly InboundEvent[]) => Promise<void> {
  return async (events) => {
    for (const batch of batches(events)) {
      // Asked before the transaction begins: a transaction that waits for a second connection can starve the pool.
      const company = await deps.facts.of(batch[0]!.companyId)
      const mayWake = deps.mayWake?.(batch[0]!.companyId) ?? false
      const work: Receiving = { company, now: deps.now(), mayWake, jobs: false }
      // Two first messages that meet make the same contact or ticket: the second finds it when it is done again.
      const codes = [...met, '23505']
      const changes = await retrying(codes, () => deps.db.transaction((tx) => receiveBatch(work, tx, batch)))
      deps.committed(changes, work.jobs)
    }
  }
}

/**
 * Messages of a company share a transaction, and so do its acks; everything else goes alone. Nothing overtakes what
 * came before it, but for acks: they are about messages that are filed, or are about to be, and so come last.
 */
function batches(events: readonly InboundEvent[]): InboundEvent[][] {
  const others: InboundEvent[][] = []
  const acks: InboundEvent[][] = []
  const latest = new Map<string, InboundEvent[]>()
  for (const event of events) {
    const isAck = event.kind === 'ack'
    const key = `${event.companyId}/${isAck}`
    const open = latest.get(key)
    if (open && open[0]!.kind === event.kind && (isAck || event.kind === 'message')) {
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
  /** Set when jobs were written. */
  jobs: boolean
}

async function receiveBatch(deps: Receiving, tx: Tx, batch: InboundEvent[]): Promise<Change[]> {
  const first = batch[0]!
  switch (first.kind) {
    case 'message':
      return receiveMessages(deps, tx, batch as InboundMessage[])
    case 'ack':
      return receiveAcks(tx, batch as Extract<InboundEvent, { kind: 'ack' }>[])
    case 'edit':
      return receiveEdit(tx, first)
    case 'revoke':
      return receiveRevoke(tx, first)
    case 'reaction':
      return receiveReaction(tx, first)
    case 'identity':
      return mergeIdentity(tx, first.companyId, { number: first.number, lid: first.lid })
    case 'call':
      return receiveCall(deps, tx, first)
  }
}

// ── messages ─────────────────────────────────────────────────────────────────────────────────

interface Filed {
  event: InboundMessage
  contact: KnownContact
  ticket: Ticket
  row: Row
  /** It answers how the service was, and reopens nothing. */
  rate?: GivenRate
  /** It stands at the end of a service that is over, and reopens nothing. */
  aside?: true
}

/** All of one company. */
async function receiveMessages(deps: Receiving, tx: Tx, events: InboundMessage[]): Promise<Change[]> {
  const { companyId } = events[0]!
  // Neither needs the other's answer: together they are one round trip.
  const [stored, find] = await Promise.all([
    storedIds(tx, events),
    contactsOf(tx, companyId, [...new Map(events.map((e) => [chatKey(e.chat), e.chat])).values()]),
  ])
  const seen = new Set<string>()
  const fresh = events.filter((event) => {
    const place = placeOf(event.whatsappId, event.wid)
    if (stored.has(place) || seen.has(place)) return false
    seen.add(place)
    return true
  })
  if (fresh.length === 0) return []

  const changes: Change[] = []
  const effects: Effect[] = []
  const byChat = Map.groupBy(fresh, (e) => `${e.whatsappId}/${chatKey(e.chat)}`)
  const filed: Filed[] = []
  const chats = [...byChat.keys()].sort().map((key) => byChat.get(key)!)
  const found: { own: InboundMessage[]; contact: KnownContact; whatsappId: number }[] = []
  for (const own of chats) {
    const { whatsappId } = own[0]!
    const contact = await find(own[0]!.chat, nameFor(own), today(deps.now))
    found.push({ own, contact, whatsappId })
    changes.push(...contact.merged)
    if (contact.created || contact.changed)
      changes.push({ companyId, table: 'contacts', action: contact.created ? 'create' : 'update', id: contact.id })
    if (contact.created && !contact.isGroup)
      effects.push({ kind: 'contacts.picture', contactId: contact.id, whatsappId })
  }
  const active = await activeTickets(
    tx,
    found.filter(({ contact }) => !contact.created),
  )
  for (const { own, contact, whatsappId } of found) {
    const known = active.get(placeOf(whatsappId, contact.id))
    const rated = known ? undefined : await ratedBy(deps, tx, contact, whatsappId, own[0]!)
    if (rated) {
      const row = { ...toRow(own[0]!, contact, rated.ticket, stored, deps.now), read: true }
      filed.push({ event: own[0]!, contact, row, ...rated })
    }
    const rest = rated ? own.slice(1) : own
    if (rest.length === 0) continue
    // Stickers alone begin no service (`server-behaviour.md` §1): they are kept with the last one, where there was one.
    if (!known && rest.every((event) => event.content.type === 'sticker')) {
      const last = contact.created ? undefined : await latestTicket(tx, contact, whatsappId)
      if (!last) continue
      if (last.status === 'closed') {
        for (const event of rest) {
          const row = { ...toRow(event, contact, last, stored, deps.now), read: true }
          filed.push({ event, contact, ticket: last, row, aside: true })
        }
        continue
      }
    }
    const opened = known ? { ticket: known, changes: [] } : await openTicket(deps, tx, contact, whatsappId, rest[0]!)
    changes.push(...opened.changes)
    // Once a service: people change their picture, and nobody tells.
    if (opened.changes.length > 0 && !contact.created && !contact.isGroup)
      effects.push({ kind: 'contacts.picture', contactId: contact.id, whatsappId })
    // What arrives later stands later, though WhatsApp tells of what was missed only the second in which it was written.
    let earliest = known && rest.some((event) => event.offline) ? await lastHeard(tx, known.id) : new Date(0)
    for (const event of rest) {
      const row = toRow(event, contact, opened.ticket, stored, deps.now)
      row.createdAt = later(row.createdAt, earliest)
      earliest = row.createdAt
      filed.push({ event, contact, ticket: opened.ticket, row })
    }
  }

  const insertedIds = await insertRows(
    tx,
    filed.map((f) => f.row),
  )
  const arrived = filed.filter((f) => insertedIds.has(f.row.id))
  for (const { ticket, row, event, rate } of arrived) {
    if (!rate) continue
    changes.push({ companyId, table: 'messages', action: 'create', id: row.id, ticketId: ticket.id })
    const said = { lastMessage: previewOf(event.content), lastMessageAt: deps.now, lastMessageFromMe: false }
    await tx.update(tickets).set(said).where(eq(tickets.id, ticket.id))
    changes.push(...(await keepRate(tx, ticket, rate, deps.company, deps.now)))
    changes.push({ companyId, table: 'tickets', action: 'update', id: ticket.id })
    deps.jobs = true
  }
  const fetchMedia = ({ row, event: { whatsappId } }: Filed) => {
    if (row.mediaState === 'pending') effects.push({ kind: 'media.fetch', messageId: row.id, whatsappId })
  }
  for (const file of arrived.filter((f) => f.aside)) {
    changes.push({ companyId, table: 'messages', action: 'create', id: file.row.id, ticketId: file.ticket.id })
    fetchMedia(file)
  }
  const byTicket = Map.groupBy(
    arrived.filter((f) => !f.rate && !f.aside),
    (f) => f.ticket.id,
  )
  await touchTickets(tx, byTicket, deps.now)
  for (const [ticketId, group] of byTicket) {
    changes.push({ companyId, table: 'tickets', action: 'update', id: ticketId })
    // One for a ticket: a burst is one piece of news.
    const news = deps.mayWake ? group.findLast((f) => !f.event.fromMe) : undefined
    if (news) effects.push({ kind: 'push.notify', messageId: news.row.id })
    for (const file of group) {
      changes.push({ companyId, table: 'messages', action: 'create', id: file.row.id, ticketId })
      fetchMedia(file)
    }
  }
  await addJobs(tx, companyId, effects)
  if (effects.length > 0) deps.jobs = true
  for (const group of byTicket.values()) {
    // Nobody answers what came while we were away; a person who answered on the phone is there.
    const last = group.at(-1)!
    if (last.event.fromMe || last.event.offline || last.contact.disableBot) continue
    const told = await tellHours(tx, last.ticket, deps.company, last.row.id, deps.now)
    changes.push(...told)
    if (told.length > 0) deps.jobs = true
  }
  return changes
}

/** The closed ticket whose service the message rates, locked, and the rate; undefined for any other message. */
async function ratedBy(deps: Receiving, tx: Tx, contact: KnownContact, whatsappId: number, event: InboundMessage) {
  const mayRate = deps.company.settings.userRating === 'enabled' && !contact.created && !contact.isGroup
  if (!mayRate || event.fromMe || event.content.type !== 'text') return undefined
  const ticket = await latestTicket(tx, contact, whatsappId)
  if (ticket?.status !== 'closed') return undefined
  const at = event.offline ? earlier(event.sentAt, deps.now) : deps.now
  const rate = await rateGiven(tx, ticket, event.content.text, at)
  return rate && { ticket, rate }
}

/** Locked. */
async function latestTicket(tx: Tx, contact: KnownContact, whatsappId: number): Promise<Ticket | undefined> {
  const [ticket] = await tx
    .select()
    .from(tickets)
    .where(and(eq(tickets.contactId, contact.id), eq(tickets.whatsappId, whatsappId)))
    .orderBy(desc(tickets.updatedAt))
    .limit(1)
    .for('update')
  return ticket
}

const chatKey = (chat: ChatAddress) =>
  chat.kind === 'group' ? `g:${chat.groupId}` : `p:${chat.number ?? ''}:${chat.lid ?? ''}`

/** The sender's own name for themselves; what the phone's owner typed carries the owner's, which is not it. */
function nameFor(events: InboundMessage[]): string | null {
  return events.findLast((e) => e.chatName && (!e.fromMe || e.chat.kind === 'group'))?.chatName ?? null
}

const today = (now: Date) => now.toISOString().slice(0, 10)

const placeOf = (whatsappId: number, id: string | number) => `${whatsappId}/${id}`

/** The ids of the rows that hold these messages already, and of those that they quote. */
async function storedIds(tx: Tx, events: InboundMessage[]): Promise<Map<string, string>> {
  const asked = events.flatMap(({ whatsappId, wid, quotedWid }) =>
    (quotedWid ? [wid, quotedWid] : [wid]).map((w) => ({ w, whatsappId })),
  )
  const rows = await tx
    .select({ id: messages.id, wid: messages.wid, whatsappId: messages.whatsappId })
    .from(messages)
    .innerJoin(
      sql`unnest(${sql.param(asked.map((a) => a.whatsappId))}::int[], ${sql.param(asked.map((a) => a.w))}::text[]) AS asked(c, w)`,
      sql`${messages.whatsappId} = asked.c AND ${messages.wid} = asked.w`,
    )
  return new Map(rows.map((row) => [placeOf(row.whatsappId!, row.wid!), row.id]))
}

/** What a message that arrives may fill in; the rest of its columns have their defaults. */
const columns = {
  id: 'text',
  companyId: 'int',
  ticketId: 'int',
  contactId: 'int',
  whatsappId: 'int',
  wid: 'text',
  fromMe: 'boolean',
  participantName: 'text',
  participantNumber: 'text',
  body: 'text',
  mediaType: 'text',
  mediaState: 'text',
  mediaName: 'text',
  mediaMime: 'text',
  mediaSize: 'int',
  isVoice: 'boolean',
  read: 'boolean',
  ack: 'smallint',
  quotedMsgId: 'text',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
} satisfies Partial<Record<keyof NewMessage, string>>
type Row = Required<Pick<NewMessage, keyof typeof columns>>
const columnNames = sql.raw(
  Object.keys(columns)
    .map((name) => `"${name}"`)
    .join(', '),
)
const columnTypes = sql.raw(
  Object.entries(columns)
    .map(([name, type]) => `"${name}" ${type}`)
    .join(', '),
)

/** One statement of one text, however many rows: Postgres has read it before. @returns the ids of those that are new */
async function insertRows(tx: Tx, rows: Row[]): Promise<Set<string>> {
  const inserted = await tx.execute<{ id: string }>(sql`
    INSERT INTO ${messages} (${columnNames})
    SELECT ${columnNames} FROM json_to_recordset(${JSON.stringify(rows)}::text::json) AS x(${columnTypes})
    ON CONFLICT DO NOTHING RETURNING "id"`)
  return new Set(inserted.map((row) => row.id))
}

const MOST_BYTES = 2_147_483_647

/** Postgres keeps neither NUL nor half an emoji in its text; nobody can read either. */
const legible = (text: string) => text.replaceAll('\u0000', '').toWellFormed()

function toRow(
  event: InboundMessage,
  contact: KnownContact,
  ticket: Ticket,
  stored: ReadonlyMap<string, string>,
  now: Date,
): Row {
  const { body, mediaType } = storedForm(event.content)
  const media = 'media' in event.content ? event.content.media : null
  return {
    id: newId(),
    companyId: event.companyId,
    ticketId: ticket.id,
    contactId: contact.id,
    whatsappId: event.whatsappId,
    wid: event.wid,
    fromMe: event.fromMe,
    participantName: event.participant?.pushName ? legible(event.participant.pushName) : null,
    participantNumber: event.participant?.number ?? event.participant?.lid ?? null,
    body: legible(body),
    mediaType,
    mediaState: media ? 'pending' : 'none',
    mediaName: media?.fileName ? legible(media.fileName.slice(0, 255)) : null,
    mediaMime: media ? legible(media.mimetype.slice(0, 127)) : null,
    // Two gigabytes, which WhatsApp allows, are one byte too many for the column; the true size comes with the file.
    mediaSize: media?.size != null && media.size <= MOST_BYTES ? media.size : null,
    isVoice: event.content.type === 'audio' && event.content.voice,
    read: event.fromMe,
    ack: event.fromMe ? 2 : 1,
    quotedMsgId: (event.quotedWid && stored.get(placeOf(event.whatsappId, event.quotedWid))) || null,
    createdAt: event.offline ? earlier(event.sentAt, now) : now,
    updatedAt: now,
  }
}

/** A clock of the other side that runs ahead must not put a message into our future. */
const earlier = (a: Date, b: Date) => (a < b ? a : b)

const later = (a: Date, b: Date) => (a > b ? a : b)

/** When the contact's last message of a ticket was written. */
async function lastHeard(tx: Tx, ticketId: number): Promise<Date> {
  const [last] = await tx
    .select({ at: messages.createdAt })
    .from(messages)
    .where(and(eq(messages.ticketId, ticketId), eq(messages.fromMe, false)))
    .orderBy(desc(messages.createdAt), desc(messages.id))
    .limit(1)
  return last?.at ?? new Date(0)
}

/** Tells the tickets, all in one statement, what was written last and how much is unread. */
async function touchTickets(tx: Tx, byTicket: ReadonlyMap<number, Filed[]>, now: Date): Promise<void> {
  if (byTicket.size === 0) return
  const touched = [...byTicket].map(([id, group]) => {
    const last = group.at(-1)!
    const ownerAt = group.findLastIndex((f) => f.event.fromMe)
    return {
      id,
      said: legible(previewOf(last.event.content)),
      own: last.event.fromMe,
      // What the owner answered on the phone was read there; only what came after is unread.
      unread: group.slice(ownerAt + 1).filter((f) => !f.event.fromMe).length,
      ownerWrote: ownerAt >= 0,
      // The ids of this batch were made in its order.
      readBefore: group[ownerAt]?.row.id,
    }
  })
  await tx.execute(sql`
    UPDATE ${tickets} t SET "lastMessage" = x.said, "lastMessageAt" = ${now.toISOString()}::timestamptz, "lastMessageFromMe" = x.own,
      "unreadMessages" = CASE WHEN x."ownerWrote" THEN 0 ELSE t."unreadMessages" END + x.unread, "updatedAt" = ${now.toISOString()}::timestamptz
    FROM json_to_recordset(${JSON.stringify(touched)}::text::json) AS x(id int, said text, own boolean, unread int, "ownerWrote" boolean)
    WHERE t.id = x.id`)
  for (const { id, readBefore } of touched)
    if (readBefore !== undefined)
      await tx
        .update(messages)
        .set({ read: true })
        .where(
          and(
            eq(messages.ticketId, id),
            eq(messages.read, false),
            eq(messages.fromMe, false),
            lt(messages.id, readBefore),
          ),
        )
}

/** The active tickets of these contacts, each on its connection, locked. */
async function activeTickets(
  tx: Tx,
  chats: readonly { contact: KnownContact; whatsappId: number }[],
): Promise<Map<string, Ticket>> {
  if (chats.length === 0) return new Map()
  const among = (ids: number[]) => sql`ANY(${sql.param([...new Set(ids)])}::int[])`
  const rows = await tx
    .select()
    .from(tickets)
    .where(
      and(
        sql`${tickets.contactId} = ${among(chats.map((chat) => chat.contact.id))}`,
        sql`${tickets.whatsappId} = ${among(chats.map((chat) => chat.whatsappId))}`,
        ne(tickets.status, 'closed'),
      ),
    )
    .orderBy(tickets.id)
    .for('update')
  return new Map(rows.map((ticket) => [placeOf(ticket.whatsappId!, ticket.contactId), ticket]))
}

/** The ticket of a contact on a connection, locked: found, reopened or made. */
async function openTicket(
  deps: Receiving,
  tx: Tx,
  contact: KnownContact,
  whatsappId: number,
  cause: { wid: string; companyId: number },
): Promise<{ ticket: Ticket; changes: Change[] }> {
  const now = deps.now
  const { companyId } = cause
  const [active] = await tx
    .select()
    .from(tickets)
    .where(and(eq(tickets.contactId, contact.id), eq(tickets.whatsappId, whatsappId), ne(tickets.status, 'closed')))
    .for('update')
  const latest = active ?? (await latestTicket(tx, contact, whatsappId))
  const choice = chooseTicket(latest, contact.isGroup, now, deps.company.reopenWindowMs)

  if (choice.use === 'active') return { ticket: choice.ticket, changes: [] }
  if (choice.use === 'reopen') {
    const outcome = transition(choice.ticket, { type: 'contactWrote' }, { now, cause: cause.wid })
    if ('refused' in outcome) throw new Error(`a closed ticket refused its contact: ${outcome.refused}`)
    const [ticket] = await tx.update(tickets).set(outcome.patch).where(eq(tickets.id, choice.ticket.id)).returning()
    if (outcome.tracking) await applyTracking(tx, companyId, ticket!.id, outcome.tracking)
    await tx
      .insert(ticketEvents)
      .values({
        id: `${whatsappId}:${cause.wid}`,
        companyId,
        ticketId: ticket!.id,
        kind: 'reopened_by_contact',
        createdAt: now,
      })
      .onConflictDoNothing()
    const was = ticketPlaceOf(choice.ticket)
    return { ticket: ticket!, changes: [{ companyId, table: 'tickets', action: 'update', id: ticket!.id, was }] }
  }
  const [ticket] = await tx
    .insert(tickets)
    .values({
      companyId,
      contactId: contact.id,
      whatsappId,
      status: 'pending',
      isGroup: contact.isGroup,
      queueId: await onlyQueue(tx, whatsappId),
      lastMessageAt: now,
      createdAt: now,
      updatedAt: now,
    })
    .returning()
  await applyTracking(tx, companyId, ticket!.id, { queuedAt: now, userId: null })
  await tx
    .insert(ticketEvents)
    .values({ id: `${whatsappId}:${cause.wid}`, companyId, ticketId: ticket!.id, kind: 'created', createdAt: now })
    .onConflictDoNothing()
  return { ticket: ticket!, changes: [{ companyId, table: 'tickets', action: 'create', id: ticket!.id }] }
}

/** With one queue there is nothing to choose: its tickets start there. */
async function onlyQueue(tx: Tx, whatsappId: number): Promise<number | null> {
  const rows = await tx
    .select({ queueId: whatsappQueues.queueId })
    .from(whatsappQueues)
    .where(eq(whatsappQueues.whatsappId, whatsappId))
    .limit(2)
  return rows.length === 1 ? rows[0]!.queueId : null
}

// ── what happens to messages later ───────────────────────────────────────────────────────────

/** Of one company. Only ever raises; an error is told only about what has not reached WhatsApp. */
async function receiveAcks(tx: Tx, events: Extract<InboundEvent, { kind: 'ack' }>[]): Promise<Change[]> {
  const { companyId } = events[0]!
  const highest = new Map<string, (typeof events)[number]>()
  const failed = new Map<string, (typeof events)[number]>()
  for (const event of events) {
    const group = event.ack === 0 ? failed : highest
    const place = placeOf(event.whatsappId, event.wid)
    const before = group.get(place)
    if (!before || before.ack < event.ack) group.set(place, event)
  }
  const told = async (group: typeof highest, change: SQL, where: SQL) => {
    if (group.size === 0) return []
    const list = [...group.values()]
    return tx.execute<{ id: string; ticketId: number }>(sql`
      UPDATE ${messages} m SET ${change}
      FROM unnest(${sql.param(list.map((e) => e.whatsappId))}::int[], ${sql.param(list.map((e) => e.wid))}::text[],
        ${sql.param(list.map((e) => e.ack))}::int[], ${sql.param(list.map((e) => e.error ?? 'unknown'))}::text[]) AS x(c, w, ack, error)
      WHERE m."whatsappId" = x.c AND m."wid" = x.w AND m."fromMe" AND ${where} RETURNING m."id", m."ticketId"`)
  }
  const rows = [
    ...(await told(highest, sql`"ack" = x.ack, "ackError" = NULL`, sql`m."ack" < x.ack`)),
    ...(await told(failed, sql`"ack" = 0, "ackError" = x.error`, sql`m."ack" = 1`)),
  ]
  return rows.map(({ id, ticketId }) => ({ companyId, table: 'messages', action: 'update', id, ticketId }))
}

/** The message an event is about, locked, and its ticket, if it was said in that chat: nobody edits or deletes what stands in another. */
async function messageOf(tx: Tx, event: { whatsappId: number; wid: string; chat: ChatAddress }) {
  const { chat } = event
  const named = and(eq(messages.whatsappId, event.whatsappId), eq(messages.wid, event.wid))
  const [place] = await tx.select({ ticketId: messages.ticketId }).from(messages).where(named)
  if (!place) return undefined
  // The ticket before its message, as everywhere: who moves a ticket changes all that was said in it.
  await tx.select({ id: tickets.id }).from(tickets).where(eq(tickets.id, place.ticketId)).for('update')
  const [row] = await tx
    .select({ message: messages, contact: { number: contacts.number, lid: contacts.lid } })
    .from(messages)
    .innerJoin(contacts, eq(contacts.id, messages.contactId))
    .where(named)
    .for('update', { of: messages })
  if (!row) return undefined
  const same =
    chat.kind === 'group'
      ? row.contact.number === chat.groupId
      : (chat.number !== null && row.contact.number === chat.number) ||
        (chat.lid !== null && row.contact.lid === chat.lid)
  return same ? row.message : undefined
}

async function receiveEdit(tx: Tx, event: Extract<InboundEvent, { kind: 'edit' }>): Promise<Change[]> {
  const message = await messageOf(tx, event)
  const body = event.body.replaceAll('\u0000', '')
  if (!message || message.fromMe !== event.fromMe || message.body === body) return []
  // Said again after a crash, maybe with a newer edit in between.
  const texts = [...message.earlierBodies.slice(1).map((earlier) => earlier.body), message.body]
  const at = event.at.toISOString()
  if (message.earlierBodies.some((earlier, i) => earlier.at === at && texts[i] === body)) return []
  const by = event.participant
  if (by && message.participantNumber !== by.number && message.participantNumber !== by.lid) return []
  await tx
    .update(messages)
    .set({
      body,
      isEdited: true,
      earlierBodies: [...message.earlierBodies, { body: message.body, at }],
      updatedAt: event.at,
    })
    .where(eq(messages.id, message.id))
  return [
    { companyId: event.companyId, table: 'messages', action: 'update', id: message.id, ticketId: message.ticketId },
    ...(await followLast(tx, { ...message, body })),
  ]
}

/** The line of the ticket in the list, after one of its messages was edited or deleted. */
async function followLast(tx: Tx, message: Message): Promise<Change[]> {
  const { companyId, ticketId } = message
  // Its ticket is locked: who writes in it at this moment writes what comes last, and was seen, or comes after.
  if ((await lastMessageOf(tx, companyId, ticketId)) !== message.id) return []
  await tx
    .update(tickets)
    .set({ lastMessage: legible(lineOf(message)) })
    .where(eq(tickets.id, ticketId))
  return [{ companyId, table: 'tickets', action: 'update', id: ticketId }]
}

async function receiveRevoke(tx: Tx, event: Extract<InboundEvent, { kind: 'revoke' }>): Promise<Change[]> {
  const message = await messageOf(tx, event)
  // In a group an admin may delete what others wrote; in a person's chat each deletes their own.
  if (!message || message.isDeleted || (event.chat.kind === 'person' && message.fromMe !== event.fromMe)) return []
  await tx.update(messages).set({ isDeleted: true, updatedAt: event.at }).where(eq(messages.id, message.id))
  return [
    { companyId: event.companyId, table: 'messages', action: 'update', id: message.id, ticketId: message.ticketId },
    ...(await followLast(tx, { ...message, isDeleted: true })),
  ]
}

/** The longest there are, two people kissing, take half of it. */
const LONGEST_EMOJI = 32

async function receiveReaction(tx: Tx, event: Extract<InboundEvent, { kind: 'reaction' }>): Promise<Change[]> {
  const message = await messageOf(tx, event)
  if (!message) return []
  await tx
    .update(messages)
    .set({ reactions: withReaction(message.reactions, event.by, legible(event.emoji.slice(0, LONGEST_EMOJI))) })
    .where(eq(messages.id, message.id))
  return [
    { companyId: event.companyId, table: 'messages', action: 'update', id: message.id, ticketId: message.ticketId },
  ]
}

/** With calls switched off the caller is told so, and the ticket keeps a line about it. */
async function receiveCall(deps: Receiving, tx: Tx, event: Extract<InboundEvent, { kind: 'call' }>): Promise<Change[]> {
  const { company } = deps
  const { companyId, whatsappId, callId } = event
  if (company.settings.call !== 'disabled' || event.from.kind === 'group') return []
  const [seen] = await tx
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.whatsappId, whatsappId), eq(messages.wid, callId)))
  if (seen) return []
  const contact = await contactOf(tx, companyId, event.from, null, today(deps.now))
  const { ticket, changes } = await openTicket(deps, tx, contact, whatsappId, { wid: callId, companyId })
  const body = missedCallBody(event.at, company)
  const now = deps.now
  const id = newId()
  await tx.insert(messages).values({
    id,
    companyId,
    ticketId: ticket.id,
    contactId: contact.id,
    whatsappId,
    wid: callId,
    body,
    mediaType: 'call_log',
    createdAt: now,
    updatedAt: now,
  })
  await tx
    .update(tickets)
    .set({
      lastMessage: `📞 ${body}`,
      lastMessageAt: now,
      lastMessageFromMe: false,
      unreadMessages: sql`${tickets.unreadMessages} + 1`,
      updatedAt: now,
    })
    .where(eq(tickets.id, ticket.id))
  deps.jobs = true
  const refusal: Effect = { kind: 'calls.refused', ticketId: ticket.id, whatsappId, callId }
  const look: Effect = { kind: 'contacts.picture', contactId: contact.id, whatsappId }
  await addJobs(tx, companyId, contact.created ? [refusal, look] : [refusal])
  return [
    ...(contact.created ? [{ companyId, table: 'contacts' as const, action: 'create' as const, id: contact.id }] : []),
    ...contact.merged,
    ...changes,
    { companyId, table: 'tickets', action: 'update', id: ticket.id },
    { companyId, table: 'messages', action: 'create', id, ticketId: ticket.id },
  ]
}
