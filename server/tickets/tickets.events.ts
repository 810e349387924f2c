import { and, eq, ne } from 'drizzle-orm'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import type { ChatAddress } from '../../schema/messages/messages.content.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { atAddresses } from '../contacts/contacts.identity.ts'
import type { Db } from '../db/database.ts'

/** The active ticket of a chat on a connection, if there is one. */
export async function contactOfChat(db: Db, companyId: number, whatsappId: number, chat: ChatAddress) {
  const at = atAddresses(companyId, [chat])
  if (!at) return undefined
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
    .where(and(at, eq(tickets.whatsappId, whatsappId), ne(tickets.status, 'closed')))
  return ticket
}
