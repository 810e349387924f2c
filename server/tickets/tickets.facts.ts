import { eq } from 'drizzle-orm'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { fillPlaceholders } from '../../schema/placeholders/placeholders.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Db, Tx } from '../db/database.ts'
import type { CompanyConfig } from '../settings/settings.facts.ts'

/**
 * What a text to the contact of a ticket becomes, every `{{placeholder}}` filled in.
 * @param by who says it, where that is not the ticket's agent
 */
export async function wordsFor(
  db: Db | Tx,
  ticketId: number,
  company: CompanyConfig,
  now: Date,
  by?: { name: string } | null,
): Promise<(text: string) => string> {
  const [row] = await db
    .select({
      contact: { name: contacts.name, number: contacts.number, email: contacts.email },
      user: { name: users.name },
      queue: { name: queues.name },
      connection: { name: whatsapps.name },
    })
    .from(tickets)
    .innerJoin(contacts, eq(contacts.id, tickets.contactId))
    .leftJoin(users, eq(users.id, tickets.userId))
    .leftJoin(queues, eq(queues.id, tickets.queueId))
    .leftJoin(whatsapps, eq(whatsapps.id, tickets.whatsappId))
    .where(eq(tickets.id, ticketId))
  const { timeZone, language, name } = company
  return (text) =>
    fillPlaceholders(text, {
      ...row,
      ...(by ? { user: by } : {}),
      ticket: { id: ticketId },
      company: { name },
      now,
      timeZone,
      language,
    })
}
