import { and, eq, inArray, ne, or } from 'drizzle-orm'
import { numberVariants } from '../../schema/contacts/contacts.phone.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import type { ChatAddress } from '../../schema/messages/messages.content.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import type { Db } from '../db/database.ts'

/** The active ticket of a chat on a connection, if there is one. */
export async function contactOfChat(db: Db, companyId: number, whatsappId: number, chat: ChatAddress) {
  const number = chat.kind === 'group' ? chat.groupId : chat.number
  const lid = chat.kind === 'group' ? null : chat.lid
  if (!number && !lid) return undefined
  const [ticket] = await db
    .select({
      id: tickets.id,
      status: tickets.status,
      queueId: tickets.queueId,
      userId: tickets.userId,
      contactId: tickets.contactId,
    })
    .from(tickets)
    .innerJoin(contacts, eq(contacts.id, tickets.contactId))
    .where(
      and(
        eq(contacts.companyId, companyId),
        or(
          number ? inArray(contacts.number, numberVariants(number)) : undefined,
          lid ? eq(contacts.lid, lid) : undefined,
        ),
        eq(tickets.whatsappId, whatsappId),
        ne(tickets.status, 'closed'),
      ),
    )
  return ticket
}
