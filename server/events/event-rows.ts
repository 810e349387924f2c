import { findContact } from '../contacts/contacts.queries.ts'
import type { Db } from '../db/database.ts'
import { messageOfCompany } from '../messages/messages.queries.ts'
import { type TicketRow, ticketOfCompany } from '../tickets/tickets.queries.ts'
import { findUser } from '../users/users.queries.ts'
import type { EventName, EventTicket } from './bus.ts'

const scopeOf = ({ id, queueId, userId, status }: TicketRow): EventTicket => ({ id, queueId, userId, status })

/** The row that an event names by id, as it is now, and the ticket that decides who gets it. */
export async function loadEventRow(
  db: Db,
  name: EventName,
  companyId: number,
  id: string | number,
): Promise<{ payload: Record<string, unknown>; ticket?: EventTicket } | undefined> {
  switch (name) {
    case 'ticket': {
      const ticket = await ticketOfCompany(db, companyId, Number(id))
      return ticket && { payload: { ticket, ticketId: ticket.id }, ticket: scopeOf(ticket) }
    }
    case 'appMessage': {
      const message = await messageOfCompany(db, companyId, String(id))
      const ticket = message && (await ticketOfCompany(db, companyId, message.ticketId))
      return ticket && { payload: { message, ticket, contact: ticket.contact }, ticket: scopeOf(ticket) }
    }
    case 'contact': {
      const contact = await findContact(db, companyId, { id: Number(id) })
      return contact && { payload: { contact } }
    }
    case 'user': {
      const user = await findUser(db, companyId, Number(id))
      if (!user) return undefined
      const { name: userName, profile, online } = user
      return { payload: { user: { id: user.id, name: userName, profile, companyId, online } } }
    }
    default:
      return undefined
  }
}
