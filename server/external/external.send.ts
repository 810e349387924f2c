import { DAY_MS } from '../../schema/durations.ts'
import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { type Decision, together } from '../../schema/command.ts'
import { commandLog } from '../../schema/commands/commands.table.ts'
import { numberVariants } from '../../schema/contacts/contacts.phone.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import type { Effect } from '../../schema/effects.ts'
import { DomainError } from '../../schema/errors.ts'
import { sayForProgram, sayParts } from '../../schema/external/external.send.ts'
import { newId } from '../../schema/ids.ts'
import type { Card } from '../../schema/messages/messages.cards.ts'
import type { Place } from '../../schema/messages/messages.content.ts'
import type { OwnFile } from '../../schema/messages/messages.own.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { lidOf } from '../../schema/opt-outs/opt-outs.transition.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import type { ProgramTemplate } from '../../schema/templates/templates.inputs.ts'
import { valuesBy } from '../../schema/templates/templates.parts.ts'
import { sayingBy } from '../../schema/templates/templates.state.ts'
import { tickets, type Ticket } from '../../schema/tickets/tickets.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { isCannot } from '../../schema/whatsapps/whatsapps.providers.ts'
import { noteBulk } from '../campaigns/campaigns.bulk.changes.ts'
import { optedOut, stoppedLines } from '../campaigns/campaigns.bulk.queries.ts'
import { applyDecision, type Change } from '../commands/apply.ts'
import { contactsOf } from '../contacts/contacts.identity.ts'
import { typedNumber } from '../contacts/contacts.typed.queries.ts'
import type { Db, Tx } from '../db/database.ts'
import { retryOnConflict, retrying } from '../db/retrying.ts'
import type { CompanyFacts } from '../settings/settings.facts.ts'
import { chatsWith, newChatHolds } from '../whatsapps/whatsapps.new-chats.queries.ts'
import { namedTemplates, templatePlace } from '../templates/templates.queries.ts'
import { closedWindows, windowKey } from '../whatsapps/whatsapps.window.queries.ts'
import { lockTicket, newestTicket, onlyQueueOf, reserveTicketIds } from '../tickets/tickets.facts.ts'

/** One call of a program: what is to be said to a number. */
export interface Sending {
  companyId: number
  whatsappId: number
  /** The caller's idempotency key with whose it is; null for a call that is not repeated. */
  key: string | null
  /** Empty where it is to a contact. */
  number: string
  /** Who may have no number. */
  contactId?: number | null
  body: string
  files: OwnFile[]
  /** In place of a text. */
  place?: Place | null
  /** People whose cards are sent, in place of a text. */
  cards?: readonly Card[] | null
  /** In place of all of it: a template of the connection. */
  template?: ProgramTemplate | null
  /** A message of the same person that it answers. */
  quotedMsgId?: string | null
  queueId: number | null
  userId: number | null
  closeTicket: boolean
  /** One of many: whoever wants none gets none. */
  bulk: boolean
}

export interface Sent {
  /** Of the first message. */
  id: string
  /** Of each: several files are several messages. */
  ids: string[]
  ticketId: number
}

/** @throws DomainError `ERR_CHECK_NUMBER`, `ERR_IDEMPOTENCY_MISMATCH`, `ERR_NEW_CHATS_HELD` and `ERR_WINDOW_CLOSED` with the moment, `ERR_NO_…_FOUND` and what the session says */
export type SendForProgram = (sending: Sending) => Promise<Sent>

interface SendDeps {
  db: Db
  now(): Date
  facts: CompanyFacts
  /** @returns the canonical digits, or null where there is no such account */
  checkNumber(whatsappId: number, number: string): Promise<{ number: string } | null>
  committed(changes: Change[]): void
  /** Something was sent to many. */
  bulkBegan(companyId: number): void
  /** Calls of a company are being written, and then no more. */
  writing?(companyId: number, isWriting: boolean): void
}

/** So many share a transaction. */
const MOST_TOGETHER = 50
/** How long WhatsApp’s word on a number counts; a number that has no account may get one. */
const KNOWN_MS = DAY_MS
const UNKNOWN_MS = 10 * 60_000
const MOST_NUMBERS = 100_000

interface Waiting {
  sending: Sending
  /** As WhatsApp writes it; empty where they have none, and are the contact of that id. */
  number: string
  contactId: number | null
  /** What such a contact is known by instead, see `lidOf`. */
  lid: string | null
  resolve(sent: Sent): void
  reject(error: unknown): void
}

/**
 * Sends what programs say. Calls of a company that come while another is written are written together, so that many
 * cost little more than one. The number is what a contact has, or what WhatsApp was asked about; only numbers that
 * nobody knows are asked for.
 */
export function createProgramSender(deps: SendDeps): SendForProgram {
  const lanes = new Map<number, { waiting: Waiting[]; busy: boolean }>()
  const numbers = new Map<string, { until: number; canonical: string | null }>()

  /** By what a contact that is named is known. @throws ERR_NO_CONTACT_FOUND */
  const knownBy = async (companyId: number, contactId: number): Promise<{ number: string; lid: string | null }> => {
    const isThis = and(eq(contacts.companyId, companyId), eq(contacts.id, contactId), eq(contacts.isGroup, false))
    const [contact] = await deps.db.select({ number: contacts.number, lid: contacts.lid }).from(contacts).where(isThis)
    if (!contact) throw new DomainError('ERR_NO_CONTACT_FOUND')
    return { number: contact.number ?? '', lid: lidOf({ id: contactId, ...contact }) }
  }

  const canonicalOf = async ({ companyId, whatsappId, number }: Sending): Promise<string> => {
    const place = `${companyId}/${number}`
    const time = deps.now().getTime()
    const known = numbers.get(place)
    const keep = (canonical: string | null) => {
      if (numbers.size >= MOST_NUMBERS) numbers.clear()
      numbers.set(place, { until: time + (canonical === null ? UNKNOWN_MS : KNOWN_MS), canonical })
      return canonical
    }
    const find = async () => {
      const [contact] = await deps.db
        .select({ id: contacts.id })
        .from(contacts)
        .where(and(eq(contacts.companyId, companyId), eq(contacts.number, number)))
      if (contact) return keep(number)
      const given = await typedNumber(deps.db, companyId, number, 'country')
      const [spelt] = await deps.db
        .select({ number: contacts.number })
        .from(contacts)
        .where(and(eq(contacts.companyId, companyId), inArray(contacts.number, numberVariants(given))))
      if (spelt) return keep(spelt.number)
      try {
        return keep((await deps.checkNumber(whatsappId, given))?.number ?? null)
      } catch (error) {
        // Over this wire nobody can be asked: the message itself will tell.
        if (isCannot(error)) return given
        throw error
      }
    }
    const canonical = known && known.until > time ? known.canonical : await find()
    if (canonical === null) throw new DomainError('ERR_CHECK_NUMBER', { number })
    return canonical
  }

  const drain = async (companyId: number, lane: { waiting: Waiting[]; busy: boolean }): Promise<void> => {
    lane.busy = true
    deps.writing?.(companyId, true)
    while (lane.waiting.length > 0) {
      const batch = lane.waiting.splice(0, MOST_TOGETHER)
      await write(batch).catch(async (error: unknown) => {
        const [only] = batch
        if (batch.length === 1) return only!.reject(error)
        // One of them is in the way of the others: each for itself.
        for (const one of batch) await write([one]).catch(one.reject)
      })
    }
    lane.busy = false
    deps.writing?.(companyId, false)
    lanes.delete(companyId)
  }

  const write = async (batch: Waiting[]): Promise<void> => {
    const company = await deps.facts.of(batch[0]!.sending.companyId)
    // Two first messages that meet make the same contact, ticket or answer: the second finds it when it is done again.
    const { changes, answers } = await retrying([...retryOnConflict, '23505'], () =>
      deps.db.transaction((tx) => writeBatch(tx, batch, deps.now(), company.reopenWindowMs)),
    )
    if (changes.length > 0) deps.committed(changes)
    if (batch.some(({ sending }) => sending.bulk)) deps.bulkBegan(batch[0]!.sending.companyId)
    for (const [i, answer] of answers.entries())
      if (answer instanceof Error) batch[i]!.reject(answer)
      else batch[i]!.resolve(answer)
  }

  return async (sending) => {
    const { companyId, contactId = null } = sending
    const { number, lid } =
      contactId === null ? { number: await canonicalOf(sending), lid: null } : await knownBy(companyId, contactId)
    return new Promise<Sent>((resolve, reject) => {
      let lane = lanes.get(companyId)
      if (!lane) lanes.set(companyId, (lane = { waiting: [], busy: false }))
      lane.waiting.push({ sending, number, contactId: number === '' ? contactId : null, lid, resolve, reject })
      if (!lane.busy) void drain(companyId, lane)
    })
  }
}

/** A message for each file, or one for the text. Several files without a text go by their names. */
const partsOf = ({ files, body }: Pick<Sending, 'files' | 'body'>) =>
  (files.length > 0 ? files : [null]).map((file) => ({
    ...{ id: newId(), file },
    body: file && files.length > 1 && body === '' ? file.name : body,
  }))

/** What a program says in a ticket that it names. */
export type TicketSending = Pick<
  Sending,
  'companyId' | 'key' | 'body' | 'files' | 'place' | 'cards' | 'template' | 'quotedMsgId'
> & {
  ticketId: number
}

/**
 * Says something in a ticket that waits or is served, once for each key. Who serves it goes on serving it.
 * @throws DomainError `ERR_NO_TICKET_FOUND`, `ERR_TICKET_NOT_OPEN` for a closed one, `ERR_NO_MESSAGE_FOUND` for what it
 * answers, `ERR_NO_WAPP_FOUND`, `ERR_WINDOW_CLOSED`, `ERR_IDEMPOTENCY_MISMATCH`
 */
export async function sendInTicket(
  { db, now, committed }: Pick<SendDeps, 'db' | 'now' | 'committed'>,
  sending: TicketSending,
): Promise<Sent> {
  const { companyId, ticketId, key, body, files, place = null, cards = null, template = null } = sending
  const { quotedMsgId = null } = sending
  const named = [
    ticketId,
    body,
    files.map((f) => [f.name, f.size]),
    place,
    quotedMsgId,
    ...(template ? [template] : []),
    ...(cards ? [{ cards }] : []),
  ]
  const hash = String(Bun.hash(JSON.stringify(named)))
  const { changes, answer } = await retrying(retryOnConflict, () =>
    db.transaction(async (tx) => {
      // Locked before the log is asked: a repeat waits for the first.
      const ticket = await lockTicket(tx, ticketId)
      if (ticket?.companyId !== companyId) throw new DomainError('ERR_NO_TICKET_FOUND')
      const before = key === null ? undefined : (await answered(tx, companyId, [key])).get(key)
      if (before && before.hash !== hash) throw new DomainError('ERR_IDEMPOTENCY_MISMATCH')
      if (before) return { changes: [], answer: before.answer }
      if (ticket.status === 'closed') throw new DomainError('ERR_TICKET_NOT_OPEN', { ticketId })
      if (ticket.whatsappId === null) throw new DomainError('ERR_NO_WAPP_FOUND')
      if (quotedMsgId !== null) {
        const isOfContact = and(eq(messages.id, quotedMsgId), eq(messages.contactId, ticket.contactId))
        if ((await tx.$count(messages, isOfContact)) === 0) throw new DomainError('ERR_NO_MESSAGE_FOUND')
      }
      const [contact] = await tx
        .select({ id: contacts.id, number: contacts.number })
        .from(contacts)
        .where(eq(contacts.id, ticket.contactId))
      const { whatsappId } = ticket
      // Who hides their number has a window like everybody.
      const people = contact && !template ? [{ whatsappId, number: contact.number ?? '', contactId: contact.id }] : []
      for (const refusal of (await closedWindows(tx, companyId, people, now())).values()) throw refusal
      const by =
        template &&
        (await saidBy(tx, companyId, [{ whatsappId: ticket.whatsappId, template }]))(
          ticket.whatsappId,
          template,
          files[0] ?? null,
        )
      if (by instanceof DomainError) throw by
      const parts = partsOf(by ? { files, body: by.body } : sending)
      const answer: Sent = { id: parts[0]!.id, ids: parts.map(({ id }) => id), ticketId }
      const saying = { parts, place, cards, about: by?.about ?? null, quotedMsgId }
      const changes = await applyDecision(tx, companyId, sayParts(ticket, saying, now()))
      if (key !== null) await tx.insert(commandLog).values(logged(companyId, key, hash, answer, now()))
      return { changes, answer }
    }),
  )
  committed(changes)
  return answer
}

/** The row by which a repeated call is told the same. */
const logged = (companyId: number, id: string, inputHash: string, answer: Sent, createdAt: Date) => ({
  ...{ companyId, userId: 0, id, name: NAME, inputHash, createdAt },
  result: { tables: ['messages' as const], value: { ...answer } },
  txid: sql`pg_current_xact_id()::xid::text` as unknown as string,
})

/** What the log knows a call of a program by. */
const NAME = 'external.send'

const hashOf = ({ whatsappId, number, body, files, queueId, userId, closeTicket, bulk, ...more }: Sending): string =>
  String(
    Bun.hash(
      JSON.stringify([
        whatsappId,
        number,
        body,
        files.map((f) => [f.name, f.size]),
        queueId,
        userId,
        closeTicket,
        bulk,
        ...(more.place || more.quotedMsgId ? [more.place, more.quotedMsgId] : []),
        ...(more.template ? [more.template] : []),
        ...(more.contactId ? [{ contactId: more.contactId }] : []),
        ...(more.cards ? [{ cards: more.cards }] : []),
      ]),
    ),
  )

async function writeBatch(
  tx: Tx,
  batch: readonly Waiting[],
  now: Date,
  reopenWindowMs: number,
): Promise<{ changes: Change[]; answers: (Sent | DomainError)[] }> {
  const { companyId } = batch[0]!.sending
  const { done, find, active, by, refusalOf } = await batchFacts(tx, companyId, batch, now)
  const answers: (Sent | DomainError)[] = []
  const changes: Change[] = []
  const decisions: Decision[] = []
  const log: (typeof commandLog.$inferInsert)[] = []
  const pictures: Effect[] = []
  const bulk: { messageId: string; whatsappId: number; contactId: number }[] = []
  const newest = new Map(active)
  const keys = new Map<string, { hash: string; answer: Sent }>()
  for (const waiting of batch) {
    const { sending, number, contactId } = waiting
    const hash = hashOf(sending)
    const before = sending.key === null ? undefined : (done.get(sending.key) ?? keys.get(sending.key))
    if (before) {
      answers.push(before.hash === hash ? before.answer : new DomainError('ERR_IDEMPOTENCY_MISMATCH'))
      continue
    }
    const { whatsappId, queueId, userId, closeTicket } = sending
    const refusal = refusalOf(waiting)
    if (refusal) {
      answers.push(refusal)
      continue
    }
    const contact = contactId
      ? { id: contactId, isGroup: false, created: false }
      : await find({ kind: 'person', number, lid: null }, { name: null, day: now.toISOString().slice(0, 10), at: now })
    if (contact.created) {
      changes.push({ companyId, table: 'contacts', action: 'create', id: contact.id })
      pictures.push({ kind: 'contacts.picture', contactId: contact.id, whatsappId })
    }
    const chat = `${whatsappId}/${contact.id}`
    let latest: Ticket | undefined = newest.get(chat)
    if (!latest && !contact.created) latest = await newestTicket(tx, contact.id, whatsappId)
    const isOver = !latest || latest.status === 'closed'
    const [newTicketId = 0] = isOver ? await reserveTicketIds(tx, 1) : []
    const onlyQueueId = isOver && queueId === null ? await onlyQueueOf(tx, whatsappId) : null
    const template = sending.template ? by(whatsappId, sending.template, sending.files[0] ?? null) : null
    const saidIt = template instanceof DomainError ? null : template
    const parts = partsOf(saidIt ? { files: sending.files, body: saidIt.body } : sending)
    const said = sayForProgram(
      {
        ...{ companyId, contactId: contact.id, isGroup: contact.isGroup, whatsappId, parts },
        ...{ queueId, userId, isClosed: closeTicket },
        ...{ place: sending.place ?? null, cards: sending.cards ?? null, quotedMsgId: sending.quotedMsgId ?? null },
        about: saidIt?.about ?? null,
      },
      { latest, onlyQueueId, reopenWindowMs, newTicketId },
      { id: parts[0]!.id, userId: 0, now },
    )
    newest.set(chat, said.ticket)
    decisions.push(said.decision)
    const answer: Sent = { id: parts[0]!.id, ids: parts.map(({ id }) => id), ticketId: said.ticket.id }
    answers.push(answer)
    if (sending.bulk) bulk.push(...answer.ids.map((messageId) => ({ messageId, whatsappId, contactId: contact.id })))
    if (sending.key !== null) {
      keys.set(sending.key, { hash, answer })
      log.push(logged(companyId, sending.key, hash, answer, now))
    }
  }
  const decision = together(...decisions, { rows: [], effects: pictures })
  const written = await applyDecision(tx, companyId, decision, () => [
    ...(log.length > 0 ? [tx.insert(commandLog).values(log)] : []),
    noteBulk(tx, companyId, bulk, now),
  ])
  return { changes: [...changes, ...written], answers }
}

/** What is known of what is to be said, and who refuses it. */
async function batchFacts(tx: Tx, companyId: number, batch: readonly Waiting[], now: Date) {
  const addresses = batch.flatMap(({ number }) =>
    number === '' ? [] : [{ kind: 'person' as const, number, lid: null }],
  )
  // None needs the others' answer: together they are one round trip.
  const [done, find, active, places, isOut, stopped, held, closed, by] = await Promise.all([
    answered(
      tx,
      companyId,
      batch.flatMap(({ sending }) => sending.key ?? []),
    ),
    contactsOf(tx, companyId, addresses),
    activeTickets(tx, companyId, batch),
    placesOf(tx, companyId, batch),
    optedOut(
      tx,
      companyId,
      batch.flatMap(({ sending, number, lid }) => (sending.bulk ? [{ number: number || null, lid }] : [])),
    ),
    stoppedLines(
      tx,
      batch.flatMap(({ sending }) => (sending.bulk ? sending.whatsappId : [])),
    ),
    newChatHolds(
      tx,
      batch.map(({ sending }) => sending.whatsappId),
      now,
    ),
    closedWindows(
      tx,
      companyId,
      batch.flatMap(({ sending: { whatsappId, template }, number, contactId }) =>
        template ? [] : [{ whatsappId, number, ...(contactId !== null && { contactId }) }],
      ),
      now,
    ),
    saidBy(
      tx,
      companyId,
      batch.flatMap(({ sending: { whatsappId, template } }) => (template ? [{ whatsappId, template }] : [])),
    ),
  ])
  const chats = await chatsWith(
    tx,
    companyId,
    batch.flatMap(({ sending: { whatsappId }, number }) => (held.has(whatsappId) ? [{ whatsappId, number }] : [])),
  )
  const refusalOf = ({ sending, number, contactId, lid }: Waiting): DomainError | undefined => {
    const { whatsappId } = sending
    const template = sending.template ? by(whatsappId, sending.template, sending.files[0] ?? null) : null
    const missing =
      places.missing(sending, number, contactId) ??
      (template ? undefined : closed.get(windowKey({ whatsappId, number, contactId }))) ??
      (template instanceof DomainError ? template : undefined)
    if (missing) return missing
    if (sending.bulk && isOut({ number: number || null, lid }))
      return new DomainError('ERR_OPTED_OUT', number ? { number } : { contactId })
    if (sending.bulk && stopped.has(whatsappId))
      return new DomainError('ERR_BULK_STOPPED', { reason: stopped.get(whatsappId) ?? null })
    const hold = held.get(whatsappId)
    // Who has no number is known because they wrote: with them no chat begins.
    if (!hold || contactId !== null || chats.has(`${whatsappId}/${number}`)) return undefined
    return new DomainError('ERR_NEW_CHATS_HELD', { by: hold.by, until: hold.until.toISOString() })
  }
  return { done, find, active, by, refusalOf }
}

/**
 * What is said by these templates.
 * @returns the refusal where it is not: ERR_NO_TEMPLATE_FOUND, ERR_TEMPLATE_STOPPED, ERR_TEMPLATE_VALUES, ERR_TEMPLATE_FILE
 */
async function saidBy(
  tx: Tx,
  companyId: number,
  asked: readonly { whatsappId: number; template: ProgramTemplate }[],
): Promise<
  (whatsappId: number, template: ProgramTemplate, file: OwnFile | null) => ReturnType<typeof sayingBy> | DomainError
> {
  const known = await namedTemplates(
    tx,
    companyId,
    asked.map(({ whatsappId, template: { name, language } }) => ({ whatsappId, name, language })),
  )
  return (whatsappId, { name, language, variables = {} }, file) => {
    const template = known.get(templatePlace({ whatsappId, name, language }))
    if (!template) return new DomainError('ERR_NO_TEMPLATE_FOUND', { name, language })
    try {
      return sayingBy(template, valuesBy(variables), file)
    } catch (error) {
      if (error instanceof DomainError) return error
      throw error
    }
  }
}

/** What calls with these keys were answered. */
async function answered(tx: Tx, companyId: number, keys: readonly string[]) {
  if (keys.length === 0) return new Map<string, { hash: string; answer: Sent }>()
  const rows = await tx
    .select({ id: commandLog.id, hash: commandLog.inputHash, result: commandLog.result })
    .from(commandLog)
    .where(and(eq(commandLog.companyId, companyId), eq(commandLog.userId, 0), inArray(commandLog.id, [...keys])))
  return new Map(rows.map(({ id, hash, result }) => [id, { hash, answer: result.value as unknown as Sent }]))
}

/** The active tickets of these numbers on these connections, locked, in the order of their ids as everywhere. */
async function activeTickets(tx: Tx, companyId: number, batch: readonly Waiting[]): Promise<Map<string, Ticket>> {
  const numbers = sql.param([...new Set(batch.map(({ number }) => number))])
  const ids = sql.param([...new Set(batch.flatMap(({ contactId }) => contactId ?? []))])
  const links = sql.param([...new Set(batch.map(({ sending }) => sending.whatsappId))])
  const rows = await tx
    .select()
    .from(tickets)
    .where(
      and(
        ne(tickets.status, 'closed'),
        sql`${tickets.whatsappId} = ANY(${links}::int[])`,
        sql`${tickets.contactId} IN (SELECT "id" FROM ${contacts} WHERE ${contacts.companyId} = ${companyId}
          AND (${contacts.number} = ANY(${numbers}::text[]) OR "id" = ANY(${ids}::int[])))`,
      ),
    )
    .orderBy(tickets.id)
    .for('update')
  return new Map(rows.map((ticket) => [`${ticket.whatsappId}/${ticket.contactId}`, ticket]))
}

/** Whether queues, colleagues and messages that are named are the company's, the messages of that number. */
async function placesOf(tx: Tx, companyId: number, batch: readonly Waiting[]) {
  const queueIds = batch.flatMap(({ sending }) => sending.queueId ?? [])
  const userIds = batch.flatMap(({ sending }) => sending.userId ?? [])
  const quotedIds = batch.flatMap(({ sending }) => sending.quotedMsgId ?? [])
  const [ownQueues, ownUsers, quoted] = await Promise.all([
    queueIds.length === 0
      ? []
      : tx
          .select({ id: queues.id })
          .from(queues)
          .where(and(eq(queues.companyId, companyId), inArray(queues.id, queueIds))),
    userIds.length === 0
      ? []
      : tx
          .select({ id: users.id })
          .from(users)
          .where(and(eq(users.companyId, companyId), inArray(users.id, userIds))),
    quotedIds.length === 0
      ? []
      : tx
          .select({ id: messages.id, number: contacts.number, contactId: contacts.id })
          .from(messages)
          .innerJoin(contacts, eq(contacts.id, messages.contactId))
          .where(and(eq(messages.companyId, companyId), inArray(messages.id, quotedIds))),
  ])
  return {
    missing(
      { queueId, userId, quotedMsgId }: Sending,
      number: string,
      contactId: number | null,
    ): DomainError | undefined {
      const isTheirs = (one: (typeof quoted)[number]) =>
        contactId === null ? one.number === number : one.contactId === contactId
      if (queueId !== null && !ownQueues.some(({ id }) => id === queueId)) return new DomainError('ERR_NO_QUEUE_FOUND')
      if (userId !== null && !ownUsers.some(({ id }) => id === userId)) return new DomainError('ERR_NO_USER_FOUND')
      if (quotedMsgId && !quoted.some((one) => one.id === quotedMsgId && isTheirs(one)))
        return new DomainError('ERR_NO_MESSAGE_FOUND')
      return undefined
    },
  }
}
