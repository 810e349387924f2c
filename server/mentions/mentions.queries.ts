import { and, count, desc, eq, inArray, isNull, or, type SQL } from 'drizzle-orm'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { mentions } from '../../schema/mentions/mentions.table.ts'
import { ticketNotes } from '../../schema/notes/notes.table.ts'
import type { Principal } from '../../schema/permissions.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { userQueues, users } from '../../schema/users/users.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { visibleTo } from '../tickets/tickets.queries.ts'

const pageSize = 40

/** A person's own, of tickets that they see now. */
const ofPerson = (who: Principal, isUnread: boolean): SQL =>
  and(visibleTo(who), eq(mentions.userId, who.userId), isUnread ? isNull(mentions.readAt) : undefined)!

/** How many of what somebody was called for they have not read. */
export async function unreadMentions(db: Db, who: Principal): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(mentions)
    .innerJoin(tickets, eq(tickets.id, mentions.ticketId))
    .where(ofPerson(who, true))
  return row?.count ?? 0
}

/** A page of what somebody was called for, newest first, of tickets that they see. */
export async function listMentions(
  db: Db,
  who: Principal,
  { isUnread, pageNumber }: { isUnread: boolean; pageNumber: number },
) {
  const rows = await db
    .select({
      id: mentions.id,
      noteId: mentions.noteId,
      ticketId: mentions.ticketId,
      ticketUuid: tickets.uuid,
      contactName: contacts.name,
      queueId: mentions.queueId,
      note: ticketNotes.note,
      by: { id: users.id, name: users.name },
      readAt: mentions.readAt,
      createdAt: mentions.createdAt,
    })
    .from(mentions)
    .innerJoin(tickets, eq(tickets.id, mentions.ticketId))
    .innerJoin(contacts, eq(contacts.id, tickets.contactId))
    .innerJoin(ticketNotes, eq(ticketNotes.id, mentions.noteId))
    .leftJoin(users, eq(users.id, mentions.byUserId))
    .where(ofPerson(who, isUnread))
    .orderBy(desc(mentions.createdAt), desc(mentions.id))
    .limit(pageSize + 1)
    .offset((pageNumber - 1) * pageSize)
  return { mentions: rows.slice(0, pageSize), hasMore: rows.length > pageSize, unread: await unreadMentions(db, who) }
}

/** Whom people and queues stand for: ids of users of the company, by the queue that each was called with, or null. */
export async function calledPeople(
  db: Db | Tx,
  companyId: number,
  called: { userIds: readonly number[]; queueIds: readonly number[] },
): Promise<Map<number, number | null>> {
  if (called.userIds.length + called.queueIds.length === 0) return new Map()
  const rows = await db
    .select({ userId: users.id, queueId: userQueues.queueId })
    .from(users)
    .leftJoin(userQueues, and(eq(userQueues.userId, users.id), inArray(userQueues.queueId, [...called.queueIds, 0])))
    .where(
      and(
        eq(users.companyId, companyId),
        or(inArray(users.id, [...called.userIds, 0]), inArray(userQueues.queueId, [...called.queueIds, 0])),
      ),
    )
  const people = new Map<number, number | null>()
  for (const { userId, queueId } of rows)
    if (called.userIds.includes(userId)) people.set(userId, null)
    else if (!people.has(userId)) people.set(userId, queueId)
  return people
}
