import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { CommandRows, CommandTable, FactReader } from '../../schema/command.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import type { CustomField } from '../../schema/custom-fields/custom-fields.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { notFound, nouns } from '../../schema/nouns.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { userQueues, users } from '../../schema/users/users.table.ts'
import type { Tx } from '../db/database.ts'
import { fieldsOf } from './fields.ts'

/**
 * Reads facts of one company inside a transaction. What `nouns.ts` says is locked stays so until the commit, so what a
 * decision saw is what it changes.
 */
export function factReader(tx: Tx, companyId: number, wires: KnownWires = new Map()): FactReader {
  /** What was read ahead, by `table/id`. */
  const rows = new Map<string, unknown>()
  const unread = new Map<number, string[]>()
  let inUse: Promise<CustomField[]> | undefined
  const ahead = async <T extends CommandTable>(name: T, ids: readonly (string | number)[]) => {
    const { table, lock } = nouns[name]
    // A user has queues besides: one after the other.
    if (name === 'users') for (const id of ids) rows.set(`${name}/${id}`, await get(name, id))
    // Of messages their tickets come first.
    if (name === 'users' || lock === 'with its ticket' || ids.length === 0) return
    const { id: idColumn } = table
    const read = tx
      .select()
      .from(table as PgTable)
      .where(and(sql`${table.companyId} = ${companyId}`, inArray(idColumn, [...ids])))
      .orderBy(asc(idColumn))
    const found = (await (lock === 'nothing' ? read : read.for('update'))) as { id: string | number }[]
    for (const id of ids) rows.set(`${name}/${id}`, undefined)
    for (const row of found) rows.set(`${name}/${row.id}`, row)
  }
  const get = async <T extends CommandTable>(name: T, id: string | number): Promise<CommandRows[T] | undefined> => {
    const known = `${name}/${id}`
    if (rows.has(known)) return rows.get(known) as CommandRows[T] | undefined
    const { table, lock } = nouns[name]
    // Each noun has its own row type, which the compiler cannot tie to T.
    const row = (value: unknown) => value as CommandRows[T] | undefined
    const { id: idColumn } = table
    const given = idColumn.dataType === 'number' ? Number(id) : String(id)
    const one = sql`${table.companyId} = ${companyId} AND ${idColumn} = ${given}`
    if (lock === 'with its ticket') {
      const [place] = await tx.select({ ticketId: messages.ticketId }).from(messages).where(one)
      if (!place) return undefined
      await tx.select({ id: tickets.id }).from(tickets).where(eq(tickets.id, place.ticketId)).for('update')
    }
    if (name === 'users') return row(await userOf(tx, one))
    const read = tx
      .select()
      .from(table as PgTable)
      .where(one)
    return row((await (lock === 'nothing' ? read : read.for('update')))[0])
  }
  return {
    get,
    need: async (table, id) => {
      const found = await get(table, id)
      if (!found) throw new DomainError(notFound(table))
      return found
    },
    unreadMessages: async (ticketId) => unread.get(ticketId) ?? unreadMessagesOf(tx, companyId, ticketId),
    ahead: async ({ unreadOf = [], ...tables }) => {
      for (const [name, ids] of Object.entries(tables)) await ahead(name as CommandTable, ids ?? [])
      if (unreadOf.length === 0) return
      for (const ticketId of unreadOf) unread.set(ticketId, [])
      const found = await tx
        .select({ id: messages.id, ticketId: messages.ticketId })
        .from(messages)
        .where(
          and(
            inArray(messages.ticketId, [...unreadOf]),
            eq(messages.companyId, companyId),
            eq(messages.read, false),
            eq(messages.fromMe, false),
          ),
        )
        .orderBy(asc(messages.createdAt))
      for (const { id, ticketId } of found) unread.get(ticketId)!.push(id)
    },
    lastMessage: (ticketId) => lastMessageOf(tx, companyId, ticketId),
    customFields: () => (inUse ??= fieldsOf(tx, companyId)),
    company: () => companyOf(tx, companyId),
    provider: async (whatsappId) => {
      const place = `${companyId}/${whatsappId}`
      const found = wires.get(place) ?? (await get('whatsapps', whatsappId))?.provider
      if (found !== undefined) wires.set(place, found)
      return found
    },
  }
}

async function companyOf(tx: Tx, companyId: number) {
  const [company] = await tx
    .select({ name: companies.name, timeZone: companies.timeZone, language: companies.language })
    .from(companies)
    .where(eq(companies.id, companyId))
  if (!company) throw new DomainError('ERR_NO_COMPANY_FOUND')
  return company
}

/** By which wires connections speak, which never changes: a message asks for it once for each. */
export type KnownWires = Map<string, string>

/** A user without what only the server may know. */
async function userOf(tx: Tx, one: SQL) {
  const [user] = await tx
    .select({
      ...{ id: users.id, companyId: users.companyId, name: users.name, profile: users.profile },
      ...{ awayAt: users.awayAt, awayUntil: users.awayUntil },
    })
    .from(users)
    .where(one)
  if (!user) return undefined
  const own = await tx.select({ queueId: userQueues.queueId }).from(userQueues).where(eq(userQueues.userId, user.id))
  return { ...user, queueIds: own.map((q) => q.queueId) }
}

/** Id of the message that stands last in a ticket's conversation. */
export async function lastMessageOf(tx: Tx, companyId: number, ticketId: number): Promise<string | undefined> {
  const [last] = await tx
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.companyId, companyId), eq(messages.ticketId, ticketId)))
    .orderBy(sql`${messages.createdAt} DESC NULLS LAST`, sql`${messages.id} DESC NULLS LAST`)
    .limit(1)
  return last?.id
}

/** Ids of a ticket's messages from the contact that nobody has read. */
export async function unreadMessagesOf(tx: Tx, companyId: number, ticketId: number): Promise<string[]> {
  const rows = await tx
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(
        eq(messages.ticketId, ticketId),
        eq(messages.companyId, companyId),
        eq(messages.read, false),
        eq(messages.fromMe, false),
      ),
    )
    .orderBy(asc(messages.createdAt))
  return rows.map((r) => r.id)
}
