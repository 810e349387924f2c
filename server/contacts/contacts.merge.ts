import { and, count, eq, inArray, ne, notInArray, sql } from 'drizzle-orm'
import {
  hasTwoNumbers,
  joinsOf,
  mergeContacts as mergeDecision,
  mergedAliases,
  type PartedTicket,
  partContacts,
} from '../../schema/contacts/contacts.merge.ts'
import { contactAliases } from '../../schema/contacts/aliases.table.ts'
import { contacts, type Contact } from '../../schema/contacts/contacts.table.ts'
import { type ContactMerge, contactMerges, type JoinedTicket } from '../../schema/contacts/merges.table.ts'
import { drafts } from '../../schema/drafts/drafts.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { ticketNotes } from '../../schema/notes/notes.table.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { schedules } from '../../schema/schedules/schedules.table.ts'
import { ticketEvents, tickets, type Ticket } from '../../schema/tickets/tickets.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { applyDecision, type Change, violates } from '../commands/apply.ts'
import type { Tx } from '../db/database.ts'
import { movePrivacy } from '../privacy/privacy.merge.changes.ts'

/**
 * Loads what decides how two contacts become one, or one becomes two again, and has that written together with what it
 * takes to undo it. See `schema/contacts/contacts.merge.ts`.
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
  const byHand = userId !== null
  const before = await jsonOf(tx, 'contacts', [kept.id, gone.id])
  const row = (id: number) => before.find((one) => one.id === id)!
  const active = await tx
    .select()
    .from(tickets)
    .where(and(inArray(tickets.contactId, [kept.id, gone.id]), ne(tickets.status, 'closed')))
    .orderBy(tickets.id)
    .for('update')
  const joins = joinsOf(active)
  const asksWhoWrote = byHand && hasTwoNumbers(kept, gone)
  const [theirs, begun, joined, planned, keptWrote, goneWrote] = await Promise.all([
    tx.select({ id: tickets.id }).from(tickets).where(eq(tickets.contactId, gone.id)).orderBy(tickets.id).for('update'),
    tx
      .select()
      .from(drafts)
      .where(
        inArray(
          drafts.ticketId,
          joins.flatMap((join) => [join.into.id, join.gone.id]),
        ),
      ),
    Promise.all(joins.map(({ into, gone: { id } }) => joinedOf(tx, into.id, id))),
    tx.select({ id: schedules.id }).from(schedules).where(eq(schedules.contactId, gone.id)),
    asksWhoWrote && contactWrote(tx, kept.id),
    asksWhoWrote && contactWrote(tx, gone.id),
  ])
  const hasWritten = { kept: keptWrote, gone: goneWrote }
  const { decision, kept: updated } = mergeDecision({
    ...{ kept, gone, byHand, active, drafts: begun, newInfoId: crypto.randomUUID(), now: new Date() },
    hasWritten,
    ticketIds: theirs.map(({ id }) => id),
  })
  // Before the contact goes, and its aliases with it.
  const aliases = await joinAliases(tx, { kept, gone, byHand, hasWritten })
  await movePrivacy(tx, gone.id, kept.id)
  const changes = await applyDecision(tx, companyId, decision)
  const goneIds = new Set(joins.map((join) => join.gone.id))
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
        ticketIds: theirs.flatMap(({ id }) => (goneIds.has(id) ? [] : [id])),
        scheduleIds: planned.map(({ id }) => id),
        joined,
        aliases,
      },
    })
    .returning({ id: contactMerges.id })
  return { id: merge!.id, kept: updated, goneTickets: joins.map((join) => join.gone), changes }
}

/** What both were known by becomes the kept one's. @returns it as it was */
async function joinAliases(tx: Tx, facts: Parameters<typeof mergedAliases>[0]) {
  const { kept, gone } = facts
  const rows = await tx
    .select()
    .from(contactAliases)
    .where(inArray(contactAliases.contactId, [kept.id, gone.id]))
  const of = (id: number) => rows.filter(({ contactId }) => contactId === id)
  const both = { kept: of(kept.id), gone: of(gone.id) }
  if (rows.length === 0) return both
  const { moved, left } = mergedAliases(facts, both)
  if (left.length > 0) await tx.delete(contactAliases).where(inArray(contactAliases.id, left))
  if (moved.length > 0)
    await tx.update(contactAliases).set({ contactId: kept.id }).where(inArray(contactAliases.id, moved))
  return both
}

/** What was the other's is theirs again, and what was left is the kept one's; what was told since stays. */
async function partAliases(tx: Tx, { keptId, before }: ContactMerge): Promise<void> {
  const { kept = [], gone = [] } = before.aliases ?? {}
  const ids = gone.map(({ id }) => Number(id))
  if (ids.length > 0)
    await tx
      .update(contactAliases)
      .set({ contactId: Number(before.gone.id) })
      .where(inArray(contactAliases.id, ids))
  const back = [...kept.map((row) => ({ ...row, contactId: keptId })), ...gone]
  for (const row of back)
    await tx.execute(sql`INSERT INTO contact_aliases SELECT * FROM jsonb_populate_record(NULL::contact_aliases,
      ${JSON.stringify(row)}::jsonb) ON CONFLICT DO NOTHING`)
}

async function contactWrote(tx: Tx, contactId: number): Promise<boolean> {
  const [row] = await tx
    .select({ id: messages.id })
    .from(messages)
    .innerJoin(tickets, eq(tickets.id, messages.ticketId))
    .where(and(eq(tickets.contactId, contactId), eq(messages.fromMe, false)))
    .limit(1)
  return row !== undefined
}

/** What it takes to part two tickets again that are about to become one. */
async function joinedOf(tx: Tx, intoId: number, goneId: number): Promise<JoinedTicket> {
  const idsOf = async (table: typeof messages | typeof ticketNotes | typeof ticketEvents) =>
    (await tx.select({ id: table.id }).from(table).where(eq(table.ticketId, goneId))).map(({ id }) => id)
  const [both, trackings, messageIds, noteIds, eventIds] = await Promise.all([
    jsonOf(tx, 'tickets', [intoId, goneId]),
    tx.execute<{ row: Record<string, unknown> }>(
      sql`SELECT to_jsonb(t) AS row FROM ticket_trackings t WHERE "ticketId" = ${goneId}`,
    ),
    idsOf(messages),
    idsOf(ticketNotes),
    idsOf(ticketEvents),
  ])
  const row = (id: number) => both.find((one) => one.id === id)!
  return {
    ...{ intoId, into: row(intoId), ticket: row(goneId), messageIds, noteIds, eventIds },
    trackings: [...trackings].map((one) => one.row),
  }
}

/** Rows as JSON that Postgres reads back, in the order of their ids. */
async function jsonOf(tx: Tx, table: 'contacts' | 'tickets', ids: number[]): Promise<Record<string, unknown>[]> {
  const rows = await tx.execute<{ row: Record<string, unknown> }>(
    sql`SELECT to_jsonb(t) - 'changeId' AS row FROM ${sql.identifier(table)} t WHERE id IN ${ids} ORDER BY id`,
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
  const { gone, ticketIds, scheduleIds, joined } = merge.before
  const goneId = Number(gone.id)
  const [back, planned, parted] = await Promise.all([
    tx
      .select({ id: tickets.id })
      .from(tickets)
      .where(and(inArray(tickets.id, ticketIds), eq(tickets.contactId, kept.id)))
      .orderBy(tickets.id)
      .for('update'),
    tx
      .select({ id: schedules.id })
      .from(schedules)
      .where(and(inArray(schedules.id, scheduleIds), eq(schedules.contactId, kept.id))),
    Promise.all(joined.map((record) => partedOf(tx, record, merge))),
  ])
  const backIds = back.map(({ id }) => id)
  const decision = partContacts({
    ...{ merge, kept, ticketIds: backIds, joined: parted, now },
    scheduleIds: planned.map(({ id }) => id),
  })
  let changes: Change[]
  try {
    // A savepoint, so that the refusal is told and not the broken transaction.
    changes = await tx.transaction((inner) => applyDecision(inner, companyId, decision))
  } catch (error) {
    if (violates(error, /^contacts_/)) throw new DomainError('ERR_MERGE_UNDO')
    throw error
  }
  await partAliases(tx, merge)
  for (const { record, isBusy } of parted)
    for (const row of record.trackings)
      await tx.execute(sql`INSERT INTO ticket_trackings SELECT * FROM jsonb_populate_record(NULL::ticket_trackings,
        ${JSON.stringify(isBusy ? { ...row, finishedAt: row.finishedAt ?? now } : row)}::jsonb)`)
  await tx.update(contactMerges).set({ undoneAt: now }).where(eq(contactMerges.id, merge.id))
  return { keptId: kept.id, goneId, changes }
}

async function partedOf(tx: Tx, record: JoinedTicket, { keptId, before }: ContactMerge): Promise<PartedTicket> {
  const { intoId, ticket, messageIds } = record
  // The ticket that comes back is of either contact, and what was the other's goes back to them.
  const isKepts = ticket.contactId === keptId
  const theirs = isKepts ? notInArray(tickets.id, before.ticketIds) : inArray(tickets.id, before.ticketIds)
  const idIn = (name: string) => (typeof ticket[name] === 'number' ? ticket[name] : null)
  const stillThere = async (table: typeof queues | typeof users | typeof whatsapps, id: number | null) =>
    id === null ? null : ((await tx.select({ id: table.id }).from(table).where(eq(table.id, id)))[0]?.id ?? null)
  const unread = and(eq(messages.read, false), eq(messages.fromMe, false))
  const whatsappId = idIn('whatsappId')
  const [queueId, userId, connection, [into], [back], [staying], busy] = await Promise.all([
    stillThere(queues, idIn('queueId')),
    stillThere(users, idIn('userId')),
    stillThere(whatsapps, whatsappId),
    tx
      .select({ at: tickets.lastMessageAt, fields: tickets.fields })
      .from(tickets)
      .where(eq(tickets.id, intoId))
      .for('update'),
    tx
      .select({ count: count() })
      .from(messages)
      .where(and(inArray(messages.id, messageIds), unread)),
    tx
      .select({ count: count() })
      .from(messages)
      .where(and(eq(messages.ticketId, intoId), notInArray(messages.id, messageIds), unread)),
    whatsappId === null
      ? []
      : tx
          .select({ id: tickets.id })
          .from(tickets)
          .where(
            and(
              eq(tickets.contactId, keptId),
              theirs,
              eq(tickets.whatsappId, whatsappId),
              ne(tickets.status, 'closed'),
            ),
          ),
  ])
  return {
    record,
    isBusy: busy.length > 0,
    still: { queueId, userId, whatsappId: connection },
    fields: into?.fields ?? {},
    lastMessageAt: into?.at,
    unread: { back: back?.count ?? 0, staying: staying?.count ?? 0 },
  }
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
