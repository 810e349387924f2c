import { and, asc, eq, sql } from 'drizzle-orm'
import type { CommandRows, CommandTable, FactReader } from '../../schema/command.ts'
import { notFound } from '../../schema/command.ts'
import { chatMessages, chats, chatUsers } from '../../schema/chats/chats.table.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { drafts } from '../../schema/drafts/drafts.table.ts'
import { savedFilters } from '../../schema/filters/filters.table.ts'
import { schedules } from '../../schema/schedules/schedules.table.ts'
import { ticketNotes } from '../../schema/notes/notes.table.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { tags } from '../../schema/tags/tags.table.ts'
import { ticketEvents, tickets } from '../../schema/tickets/tickets.table.ts'
import { userQueues, users } from '../../schema/users/users.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Tx } from '../db/database.ts'

/** The tables of `CommandRows` in Postgres. */
export const commandTables = {
  tickets,
  messages,
  ticketNotes,
  ticketEvents,
  contacts,
  queues,
  tags,
  users,
  whatsapps,
  schedules,
  drafts,
  savedFilters,
  chats,
  chatUsers,
  chatMessages,
}

/**
 * Reads facts of one company inside a transaction. Tickets, messages and chats stay locked until the commit, so what a
 * decision saw is what it changes.
 */
export function factReader(tx: Tx, companyId: number): FactReader {
  const get = async <T extends CommandTable>(table: T, id: string | number): Promise<CommandRows[T] | undefined> => {
    // Each branch returns the row type of its own table, which the compiler cannot tie to T.
    const row = (value: unknown) => value as CommandRows[T] | undefined
    switch (table) {
      case 'tickets':
        return row(
          (
            await tx
              .select()
              .from(tickets)
              .where(and(eq(tickets.companyId, companyId), eq(tickets.id, Number(id))))
              .for('update')
          )[0],
        )
      case 'messages': {
        const one = and(eq(messages.companyId, companyId), eq(messages.id, String(id)))
        const [place] = await tx.select({ ticketId: messages.ticketId }).from(messages).where(one)
        if (!place) return undefined
        // The ticket before its message, as everywhere: who moves a ticket changes all that was said in it.
        await tx.select({ id: tickets.id }).from(tickets).where(eq(tickets.id, place.ticketId)).for('update')
        return row((await tx.select().from(messages).where(one).for('update'))[0])
      }
      case 'ticketNotes':
        return row(
          (
            await tx
              .select()
              .from(ticketNotes)
              .where(and(eq(ticketNotes.companyId, companyId), eq(ticketNotes.id, String(id))))
          )[0],
        )
      case 'ticketEvents':
        return row(
          (
            await tx
              .select()
              .from(ticketEvents)
              .where(and(eq(ticketEvents.companyId, companyId), eq(ticketEvents.id, String(id))))
          )[0],
        )
      case 'contacts':
        return row(
          (
            await tx
              .select()
              .from(contacts)
              .where(and(eq(contacts.companyId, companyId), eq(contacts.id, Number(id))))
          )[0],
        )
      case 'queues':
        return row(
          (
            await tx
              .select()
              .from(queues)
              .where(and(eq(queues.companyId, companyId), eq(queues.id, Number(id))))
          )[0],
        )
      case 'tags':
        return row(
          (
            await tx
              .select()
              .from(tags)
              .where(and(eq(tags.companyId, companyId), eq(tags.id, Number(id))))
          )[0],
        )
      case 'schedules':
        return row(
          (
            await tx
              .select()
              .from(schedules)
              .where(and(eq(schedules.companyId, companyId), eq(schedules.id, String(id))))
              .for('update')
          )[0],
        )
      case 'drafts':
        return row(
          (
            await tx
              .select()
              .from(drafts)
              .where(and(eq(drafts.companyId, companyId), eq(drafts.id, String(id))))
              .for('update')
          )[0],
        )
      case 'savedFilters':
        return row(
          (
            await tx
              .select()
              .from(savedFilters)
              .where(and(eq(savedFilters.companyId, companyId), eq(savedFilters.id, String(id))))
              .for('update')
          )[0],
        )
      case 'chats':
        return row(
          (
            await tx
              .select()
              .from(chats)
              .where(and(eq(chats.companyId, companyId), eq(chats.id, Number(id))))
              .for('update')
          )[0],
        )
      case 'chatUsers':
        return row(
          (
            await tx
              .select()
              .from(chatUsers)
              .where(and(eq(chatUsers.companyId, companyId), eq(chatUsers.id, String(id))))
              .for('update')
          )[0],
        )
      case 'chatMessages':
        return row(
          (
            await tx
              .select()
              .from(chatMessages)
              .where(and(eq(chatMessages.companyId, companyId), eq(chatMessages.id, String(id))))
          )[0],
        )
      case 'whatsapps':
        return row(
          (
            await tx
              .select()
              .from(whatsapps)
              .where(and(eq(whatsapps.companyId, companyId), eq(whatsapps.id, Number(id))))
          )[0],
        )
      default: {
        const [user] = await tx
          .select({ id: users.id, companyId: users.companyId, name: users.name, profile: users.profile })
          .from(users)
          .where(and(eq(users.companyId, companyId), eq(users.id, Number(id))))
        if (!user) return undefined
        const own = await tx
          .select({ queueId: userQueues.queueId })
          .from(userQueues)
          .where(eq(userQueues.userId, user.id))
        return row({ ...user, queueIds: own.map((q) => q.queueId) })
      }
    }
  }
  return {
    get,
    need: async (table, id) => {
      const found = await get(table, id)
      if (!found) throw new DomainError(notFound[table])
      return found
    },
    unreadMessages: async (ticketId) => {
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
    },
    lastMessage: (ticketId) => lastMessageOf(tx, companyId, ticketId),
  }
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
