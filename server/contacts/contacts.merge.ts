import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { contacts, type Contact, type ExtraInfo } from '../../schema/contacts/contacts.table.ts'
import { contactMerges, type JoinedTicket } from '../../schema/contacts/merges.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { ticketNotes } from '../../schema/notes/notes.table.ts'
import { schedules } from '../../schema/schedules/schedules.table.ts'
import { ticketEvents, tickets, type Ticket } from '../../schema/tickets/tickets.table.ts'
import { type Change, violates } from '../commands/apply.ts'
import type { Tx } from '../db/database.ts'

/**
 * Two contacts become one, and one becomes two again. The only place that moves what belongs to a contact.
 *
 * Undoing gives everything back that came with the other contact. What was written since stays where it was written.
 * Where two active tickets of a connection became one, both are there again, each with the messages it had; the one
 * that had gone comes back closed if its contact is being served on that connection by another ticket meanwhile.
 */

export interface Merge {
  id: number
  kept: Contact
  changes: Change[]
  /** Tickets that were joined into another and are gone. */
  goneTickets: Ticket[]
}

/** Everything of `gone` becomes `kept`'s. Both rows are of one company, locked or new to everybody else. */
export async function mergeContacts(tx: Tx, kept: Contact, gone: Contact, userId: number | null): Promise<Merge> {
  const { companyId } = kept
  const before = await jsonOf(tx, 'contacts', [kept.id, gone.id])
  const row = (id: number) => before.find((one) => one.id === id)!
  const patch = await patchOf(tx, kept, gone, userId !== null)
  const joined = await joinActive(tx, kept.id, gone.id)

  const moved = await tx
    .update(tickets)
    .set({ contactId: kept.id })
    .where(eq(tickets.contactId, gone.id))
    .returning({ id: tickets.id })
  await tx.update(messages).set({ contactId: kept.id }).where(eq(messages.contactId, gone.id))
  await tx.update(ticketNotes).set({ contactId: kept.id }).where(eq(ticketNotes.contactId, gone.id))
  const planned = await tx
    .update(schedules)
    .set({ contactId: kept.id })
    .where(eq(schedules.contactId, gone.id))
    .returning({ id: schedules.id })
  await tx.delete(contacts).where(eq(contacts.id, gone.id))
  const [updated] = await tx
    .update(contacts)
    .set({ ...patch, updatedAt: new Date() })
    .where(eq(contacts.id, kept.id))
    .returning()
  const [after] = await jsonOf(tx, 'contacts', [kept.id])
  const [merge] = await tx
    .insert(contactMerges)
    .values({
      companyId,
      keptId: kept.id,
      userId,
      before: {
        kept: row(kept.id),
        after: after!,
        gone: row(gone.id),
        ticketIds: moved.map(({ id }) => id),
        scheduleIds: planned.map(({ id }) => id),
        joined: joined.map(({ record }) => record),
      },
    })
    .returning({ id: contactMerges.id })
  const touched = new Set([...moved.map(({ id }) => id), ...joined.map(({ record }) => record.intoId)])
  return {
    id: merge!.id,
    kept: updated!,
    goneTickets: joined.map(({ gone: ticket }) => ticket),
    changes: [
      ...joined.map(({ gone: { id } }): Change => ({ companyId, table: 'tickets', action: 'delete', id })),
      ...[...touched].map((id): Change => ({ companyId, table: 'tickets', action: 'update', id })),
      { companyId, table: 'contacts', action: 'delete', id: gone.id },
      { companyId, table: 'contacts', action: 'update', id: kept.id },
    ],
  }
}

/** What the kept contact takes over. Where people decided, nothing that they could read is lost. */
async function patchOf(tx: Tx, kept: Contact, gone: Contact, byHand: boolean): Promise<Partial<Contact>> {
  const patch: Partial<Contact> = {
    number: kept.number ?? gone.number,
    lid: kept.lid ?? gone.lid,
    email: kept.email || gone.email,
    profilePicUrl: kept.profilePicUrl ?? gone.profilePicUrl,
    activeOn: kept.activeOn > gone.activeOn ? kept.activeOn : gone.activeOn,
  }
  // A name that people gave survives one that the phone gave.
  if (
    kept.nameSource !== 'edited' &&
    gone.nameSource !== 'number' &&
    !(byHand && kept.nameSource === 'push' && gone.nameSource === 'push')
  )
    Object.assign(patch, { name: gone.name, nameSource: gone.nameSource })
  const named = new Set(kept.extraInfo.map(({ name }) => name.toLowerCase()))
  const extraInfo: ExtraInfo[] = [
    ...kept.extraInfo,
    ...gone.extraInfo.filter(({ name }) => !named.has(name.toLowerCase())),
  ]
  if (byHand && kept.number && gone.number && kept.number !== gone.number) {
    // The number that answers is the one that wrote; the other stays readable.
    const takeOther = !(await hasWritten(tx, kept.id)) && (await hasWritten(tx, gone.id))
    const other = takeOther ? kept : gone
    if (takeOther) Object.assign(patch, { number: gone.number, lid: gone.lid ?? kept.lid })
    extraInfo.push({ id: crypto.randomUUID(), name: 'WhatsApp', value: other.number! })
  }
  return { ...patch, extraInfo: extraInfo.slice(0, 50) }
}

async function hasWritten(tx: Tx, contactId: number): Promise<boolean> {
  const [row] = await tx
    .select({ id: messages.id })
    .from(messages)
    .innerJoin(tickets, eq(tickets.id, messages.ticketId))
    .where(and(eq(tickets.contactId, contactId), eq(messages.fromMe, false)))
    .limit(1)
  return row !== undefined
}

/** Where both contacts have an active ticket on a connection: the open one goes on, of two alike the older one. */
async function joinActive(tx: Tx, keptId: number, goneId: number): Promise<{ record: JoinedTicket; gone: Ticket }[]> {
  const active = await tx
    .select()
    .from(tickets)
    .where(and(inArray(tickets.contactId, [keptId, goneId]), ne(tickets.status, 'closed')))
    .orderBy(sql`${tickets.status} <> 'open'`, tickets.id)
    .for('update')
  const joined: { record: JoinedTicket; gone: Ticket }[] = []
  for (const [first, second] of Map.groupBy(active, (ticket) => ticket.whatsappId).values()) {
    if (!first || !second) continue
    const [ticket] = await jsonOf(tx, 'tickets', [second.id])
    const [into] = await jsonOf(tx, 'tickets', [first.id])
    const trackings = await tx.execute<{ row: Record<string, unknown> }>(
      sql`SELECT to_jsonb(t) AS row FROM ticket_trackings t WHERE "ticketId" = ${second.id}`,
    )
    const ids: Record<string, string[]> = {}
    for (const [key, table] of [
      ['messageIds', messages],
      ['noteIds', ticketNotes],
      ['eventIds', ticketEvents],
    ] as const) {
      const rows = await tx
        .update(table)
        .set({ ticketId: first.id })
        .where(eq(table.ticketId, second.id))
        .returning({ id: table.id })
      ids[key] = rows.map(({ id }) => id)
    }
    // What somebody has begun to write goes along, unless they write in both.
    await tx.execute(sql`UPDATE drafts d SET id = d."userId" || ':' || ${first.id}::int, "ticketId" = ${first.id}
      WHERE "ticketId" = ${second.id}
        AND NOT EXISTS (SELECT FROM drafts other WHERE other."userId" = d."userId" AND other."ticketId" = ${first.id})`)
    await tx
      .update(tickets)
      .set({
        unreadMessages: sql`${tickets.unreadMessages} + ${second.unreadMessages}`,
        tagIds: [...new Set([...first.tagIds, ...second.tagIds])],
        ...(second.lastMessageAt >= first.lastMessageAt
          ? {
              lastMessage: second.lastMessage,
              lastMessageAt: second.lastMessageAt,
              lastMessageFromMe: second.lastMessageFromMe,
            }
          : {}),
        updatedAt: second.updatedAt > first.updatedAt ? second.updatedAt : first.updatedAt,
      })
      .where(eq(tickets.id, first.id))
    await tx.delete(tickets).where(eq(tickets.id, second.id))
    joined.push({
      gone: second,
      record: {
        intoId: first.id,
        into: into!,
        ticket: ticket!,
        trackings: [...trackings].map(({ row }) => row),
        messageIds: ids.messageIds!,
        noteIds: ids.noteIds!,
        eventIds: ids.eventIds!,
      },
    })
  }
  return joined
}

/** Rows as JSON that `jsonb_populate_record` reads back, in the order of their ids. */
async function jsonOf(tx: Tx, table: 'contacts' | 'tickets', ids: number[]): Promise<Record<string, unknown>[]> {
  const rows = await tx.execute<{ row: Record<string, unknown> }>(
    sql`SELECT to_jsonb(t) AS row FROM ${sql.identifier(table)} t WHERE id IN ${ids} ORDER BY id`,
  )
  return [...rows].map(({ row }) => row)
}

/**
 * Makes two contacts of the one again.
 * @throws DomainError `ERR_NO_MERGE_FOUND`; `ERR_MERGE_UNDO` when it was undone already, the kept contact is gone, or
 * another contact has taken the number
 */
export async function undoMerge(
  tx: Tx,
  companyId: number,
  mergeId: number,
  now: Date,
): Promise<{ keptId: number; goneId: number; changes: Change[] }> {
  const [merge] = await tx
    .select()
    .from(contactMerges)
    .where(and(eq(contactMerges.companyId, companyId), eq(contactMerges.id, mergeId)))
    .for('update')
  if (!merge) throw new DomainError('ERR_NO_MERGE_FOUND')
  const [kept] = await tx
    .select()
    .from(contacts)
    .where(and(eq(contacts.companyId, companyId), eq(contacts.id, merge.keptId)))
    .for('update')
  if (merge.undoneAt || !kept) throw new DomainError('ERR_MERGE_UNDO')
  const { before, after, gone } = { before: merge.before.kept, after: merge.before.after, gone: merge.before.gone }
  const goneId = Number(gone.id)

  await tx
    .update(contacts)
    .set(keptAgain(kept, before, after, gone, now))
    .where(eq(contacts.id, kept.id))
  try {
    // A savepoint, so that the refusal is told and not the broken transaction.
    await tx.transaction((inner) =>
      inner.execute(
        sql`INSERT INTO contacts SELECT * FROM jsonb_populate_record(NULL::contacts, ${JSON.stringify(gone)}::jsonb)`,
      ),
    )
  } catch (error) {
    if (violates(error, /^contacts_/)) throw new DomainError('ERR_MERGE_UNDO')
    throw error
  }

  const changes: Change[] = [
    { companyId, table: 'contacts', action: 'create', id: goneId },
    { companyId, table: 'contacts', action: 'update', id: kept.id },
  ]
  const { ticketIds, scheduleIds, joined } = merge.before
  if (ticketIds.length > 0) {
    const back = await tx
      .update(tickets)
      .set({ contactId: goneId })
      .where(and(inArray(tickets.id, ticketIds), eq(tickets.contactId, kept.id)))
      .returning({ id: tickets.id })
    const ids = back.map(({ id }) => id)
    if (ids.length > 0)
      for (const table of [messages, ticketNotes] as const)
        await tx.update(table).set({ contactId: goneId }).where(inArray(table.ticketId, ids))
    changes.push(...ids.map((id): Change => ({ companyId, table: 'tickets', action: 'update', id })))
  }
  if (scheduleIds.length > 0)
    await tx
      .update(schedules)
      .set({ contactId: goneId })
      .where(and(inArray(schedules.id, scheduleIds), eq(schedules.contactId, kept.id)))
  for (const record of joined) changes.push(...(await partTickets(tx, companyId, record, now)))
  await tx.update(contactMerges).set({ undoneAt: now }).where(eq(contactMerges.id, merge.id))
  return { keptId: kept.id, goneId, changes }
}

/**
 * The contact is being deleted: what is kept for undoing its merges, and those of whoever it was made of, goes along.
 * @returns the pictures of those who had gone into it; paths of the media store
 */
export async function forgetMerges(tx: Tx, companyId: number, contactId: number): Promise<string[]> {
  const gone = await tx.execute<{ picture: string | null }>(sql`
    WITH RECURSIVE made_of AS (
      SELECT ${contactId}::int AS id
      UNION
      SELECT (m.before->'gone'->>'id')::int FROM contact_merges m JOIN made_of ON m."keptId" = made_of.id
      WHERE m."companyId" = ${companyId} AND m."undoneAt" IS NULL
    )
    DELETE FROM contact_merges m USING made_of
    WHERE m."companyId" = ${companyId} AND m."keptId" = made_of.id
    RETURNING CASE WHEN m."undoneAt" IS NULL THEN m.before->'gone'->>'profilePicUrl' END AS picture`)
  return [...gone].flatMap(({ picture }) => picture ?? [])
}

/** The kept contact without what it took over, except where somebody changed it since. */
function keptAgain(
  kept: Contact,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  gone: Record<string, unknown>,
  now: Date,
): Partial<Contact> {
  const patch: Record<string, unknown> = { updatedAt: now }
  for (const field of ['name', 'nameSource', 'email', 'profilePicUrl', 'extraInfo'] as const)
    if (Bun.deepEquals(kept[field], after[field])) patch[field] = before[field]
  for (const field of ['number', 'lid'] as const) {
    // Whatever happened since: what was the other's is the other's.
    if (kept[field] === after[field] || kept[field] === gone[field])
      patch[field] = before[field] === gone[field] ? null : before[field]
  }
  return patch
}

/** The ticket that had gone is there again, with what it had. */
async function partTickets(tx: Tx, companyId: number, record: JoinedTicket, now: Date): Promise<Change[]> {
  const { intoId, into, ticket, trackings, messageIds, noteIds, eventIds } = record
  const id = Number(ticket.id)
  const contactId = Number(ticket.contactId)
  const [busy] =
    ticket.whatsappId === null
      ? []
      : await tx
          .select({ id: tickets.id })
          .from(tickets)
          .where(
            and(
              eq(tickets.contactId, contactId),
              eq(tickets.whatsappId, Number(ticket.whatsappId)),
              ne(tickets.status, 'closed'),
            ),
          )
  // Queue, user and connection may have been deleted since.
  await tx.execute(sql`INSERT INTO tickets SELECT (jsonb_populate_record(NULL::tickets, row || jsonb_build_object(
      'queueId', (SELECT q.id FROM queues q WHERE q.id = (row->>'queueId')::int),
      'userId', (SELECT u.id FROM users u WHERE u.id = (row->>'userId')::int),
      'whatsappId', (SELECT w.id FROM whatsapps w WHERE w.id = (row->>'whatsappId')::int)))).*
    FROM (SELECT ${JSON.stringify(busy ? { ...ticket, status: 'closed' } : ticket)}::jsonb AS row) AS given`)
  for (const row of trackings)
    await tx.execute(sql`INSERT INTO ticket_trackings SELECT * FROM jsonb_populate_record(NULL::ticket_trackings,
      ${JSON.stringify(busy ? { ...row, finishedAt: row.finishedAt ?? now } : row)}::jsonb)`)
  if (messageIds.length > 0)
    await tx.update(messages).set({ ticketId: id, contactId }).where(inArray(messages.id, messageIds))
  if (noteIds.length > 0)
    await tx.update(ticketNotes).set({ ticketId: id, contactId }).where(inArray(ticketNotes.id, noteIds))
  if (eventIds.length > 0) await tx.update(ticketEvents).set({ ticketId: id }).where(inArray(ticketEvents.id, eventIds))
  // The last line that the other one brought goes with it, unless something was said since.
  await tx.execute(sql`UPDATE tickets SET "lastMessage" = ${String(into.lastMessage)}, "lastMessageAt" = ${String(into.lastMessageAt)},
      "lastMessageFromMe" = ${Boolean(into.lastMessageFromMe)}
    WHERE id = ${intoId} AND "lastMessageAt" = ${String(ticket.lastMessageAt)}::timestamptz`)
  await tx.execute(sql`UPDATE tickets SET "unreadMessages" =
      (SELECT count(*) FROM messages m WHERE m."ticketId" = tickets.id AND NOT m.read AND NOT m."fromMe")
    WHERE id IN (${id}, ${intoId})`)
  return [
    { companyId, table: 'tickets', action: 'create', id },
    { companyId, table: 'tickets', action: 'update', id: intoId },
  ]
}
