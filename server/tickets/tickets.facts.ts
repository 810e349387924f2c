import { and, desc, eq, gt, inArray, ne, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { readableBy } from '../../schema/contacts/contacts.masking.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import type { Principal, Rights } from '../../schema/permissions.ts'
import { fieldWords } from '../../schema/custom-fields/custom-fields.values.ts'
import { fillPlaceholders } from '../../schema/placeholders/placeholders.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { ticketNotes } from '../../schema/notes/notes.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import type { Saying } from '../../schema/messages/messages.say.ts'
import type { OutboundFacts } from '../../schema/tickets/tickets.begin.ts'
import { ticketEvents, tickets, type Ticket } from '../../schema/tickets/tickets.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { whatsappQueues, whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { fieldsOf } from '../commands/fields.ts'
import type { Db, Tx } from '../db/database.ts'
import type { CompanyConfig } from '../settings/settings.facts.ts'

/**
 * What a text to the contact of a ticket becomes, every `{{placeholder}}` filled in. The ticket need not be stored yet.
 * @param by who says it, where that is not the ticket's agent: what a role hides from them stays hidden, since they read
 *   what they say
 * @returns null for a text that no message would hold
 */
export async function wordsFor(
  db: Db | Tx,
  ticket: Pick<Ticket, 'id' | 'contactId' | 'userId' | 'queueId' | 'whatsappId'>,
  company: CompanyConfig,
  now: Date,
  by?: Rights & Pick<Principal, 'name'>,
): Promise<(text: string) => string | null> {
  const is = (column: AnyPgColumn, id: number | null) => (id === null ? sql`false` : eq(column, id))
  const [row] = await db
    .select({
      contact: { name: contacts.name, number: contacts.number, email: contacts.email },
      user: { name: users.name },
      queue: { name: queues.name },
      connection: { name: whatsapps.name },
      companyId: contacts.companyId,
      ofContact: contacts.fields,
      ofTicket: tickets.fields,
    })
    .from(contacts)
    .leftJoin(users, is(users.id, ticket.userId))
    .leftJoin(queues, is(queues.id, ticket.queueId))
    .leftJoin(whatsapps, is(whatsapps.id, ticket.whatsappId))
    .leftJoin(tickets, eq(tickets.id, ticket.id))
    .where(eq(contacts.id, ticket.contactId))
  const { timeZone, language, name } = company
  const values = { contact: row?.ofContact, ticket: row?.ofTicket ?? undefined }
  // Where nothing is filled in nothing is asked.
  const isFilled = Object.values(values).some((of) => of && Object.keys(of).length > 0)
  const fields = row && isFilled ? await fieldsOf(db, row.companyId) : []
  return (text) =>
    fillPlaceholders(text, {
      ...row,
      ...(by && { user: by, contact: readableBy(by, row?.contact) }),
      ticket: { id: ticket.id },
      company: { name },
      fields: fieldWords(fields, values, language),
      now,
      timeZone,
      language,
    })
}

/** The ticket, locked until the commit. */
export async function lockTicket(tx: Tx, ticketId: number): Promise<Ticket | undefined> {
  const [ticket] = await tx.select().from(tickets).where(eq(tickets.id, ticketId)).for('update')
  return ticket
}

/** Whether a ticket was opened again after this cause had closed it. */
export async function wentOn(tx: Tx, ticketId: number, cause: string): Promise<boolean> {
  const [closed] = await tx
    .select({ at: ticketEvents.createdAt })
    .from(ticketEvents)
    .where(eq(ticketEvents.id, `${cause}:${ticketId}`))
  if (!closed) return false
  const [opened] = await tx
    .select({ id: ticketEvents.id })
    .from(ticketEvents)
    .where(
      and(
        eq(ticketEvents.ticketId, ticketId),
        inArray(ticketEvents.kind, ['reopened', 'undone', 'reopened_by_contact']),
        gt(ticketEvents.createdAt, closed.at),
      ),
    )
    .limit(1)
  return opened !== undefined
}

/** The active ticket of a contact on a connection, else its latest; locked. */
export async function newestTicket(tx: Tx, contactId: number, whatsappId: number): Promise<Ticket | undefined> {
  const both = and(eq(tickets.contactId, contactId), eq(tickets.whatsappId, whatsappId))
  const [active] = await tx
    .select()
    .from(tickets)
    .where(and(both, ne(tickets.status, 'closed')))
    .for('update')
  if (active) return active
  const [latest] = await tx.select().from(tickets).where(both).orderBy(desc(tickets.updatedAt)).limit(1).for('update')
  return latest
}

/** The same as it stands, not locked: for who only asks. */
export async function newestTicketNow(db: Db, contactId: number, whatsappId: number): Promise<Ticket | undefined> {
  const [newest] = await db
    .select()
    .from(tickets)
    .where(and(eq(tickets.contactId, contactId), eq(tickets.whatsappId, whatsappId)))
    .orderBy(desc(ne(tickets.status, 'closed')), desc(tickets.updatedAt))
    .limit(1)
  return newest
}

/** Ids for tickets that a decision may make: what belongs to them can name them before they are written. */
export async function reserveTicketIds(tx: Tx, count: number): Promise<number[]> {
  if (count === 0) return []
  const rows = await tx.execute<{ id: number }>(
    sql`SELECT nextval('tickets_id_seq')::int AS id FROM generate_series(1, ${count})`,
  )
  return rows.map((row) => row.id)
}

/** The queue in which a connection's tickets begin: with one queue there is nothing to choose, with more a contact chooses. */
export async function onlyQueueOf(tx: Tx, whatsappId: number): Promise<number | null> {
  const rows = await tx
    .select({ queueId: whatsappQueues.queueId })
    .from(whatsappQueues)
    .where(eq(whatsappQueues.whatsappId, whatsappId))
    .limit(2)
  return rows.length === 1 ? rows[0]!.queueId : null
}

/**
 * The id of what is said in a ticket for each of these causes, and whether it is stored already, or a note that it could not
 * be said. Two that ask at once must
 * have locked the ticket, or one of them fails when it writes.
 */
export async function sayingsFor<T extends string>(
  tx: Tx,
  ticketId: number,
  causes: Record<T, string>,
): Promise<Record<T, Pick<Saying, 'id' | 'isSaid'>>> {
  const ids = Object.entries<string>(causes).map(([name, cause]) => [name, idIn(ticketId, cause)] as const)
  const among = sql`ANY(${sql.param(ids.map(([, id]) => id))}::text[])`
  const stored = await tx
    .select({ id: messages.id })
    .from(messages)
    .where(sql`${messages.id} = ${among}`)
    .unionAll(tx.select({ id: ticketNotes.id }).from(ticketNotes).where(sql`${ticketNotes.id} = ${among}`))
  const said = new Set(stored.map((row) => row.id))
  return Object.fromEntries(ids.map(([name, id]) => [name, { id, isSaid: said.has(id) }])) as Record<
    T,
    Pick<Saying, 'id' | 'isSaid'>
  >
}

/** A UUID that follows from the cause. A cause may be a key that a caller chose; in another ticket it is another message. */
export function idIn(ticketId: number, cause: string): string {
  const hex = new Bun.CryptoHasher('sha256').update(`${ticketId} ${cause}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** What decides in which ticket the company writes of its own accord; the newest ticket is locked. */
export async function outboundFacts(
  tx: Tx,
  to: { contactId: number; whatsappId: number },
  { reopenWindowMs }: Pick<CompanyConfig, 'reopenWindowMs'>,
): Promise<OutboundFacts> {
  const latest = await newestTicket(tx, to.contactId, to.whatsappId)
  // An active ticket takes what is said; in any other case one may begin.
  if (latest && latest.status !== 'closed') return { latest, newTicketId: 0, onlyQueueId: null, reopenWindowMs }
  const [newTicketId = 0] = await reserveTicketIds(tx, 1)
  return { latest, newTicketId, onlyQueueId: await onlyQueueOf(tx, to.whatsappId), reopenWindowMs }
}
