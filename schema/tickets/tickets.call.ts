import type { Decision } from '../command.ts'
import { lastWord } from '../messages/messages.line.ts'
import type { Ticket } from './tickets.table.ts'

/**
 * Keeps a line about a call that is not answered; where calls are off, the caller is told so.
 *
 * @param ticket the one that the call belongs to, after it was opened
 * @param line its id, its words in the company's language, and WhatsApp's id of the call
 */
export function refuseCall(
  ticket: Ticket,
  whatsappId: number,
  { id, body, callId }: { id: string; body: string; callId: string },
  { now, isOff }: { now: Date; isOff: boolean },
): Decision {
  const { id: ticketId, companyId, contactId } = ticket
  const message = { id, companyId, ticketId, contactId, whatsappId, wid: callId, body, mediaType: 'call_log' as const }
  return {
    rows: [
      { table: 'messages', op: 'insert', values: { ...message, createdAt: now, updatedAt: now } },
      {
        table: 'tickets',
        op: 'update',
        ids: [ticketId],
        values: {
          ...lastWord(`📞 ${body}`, false, now),
          unreadMessages: ticket.unreadMessages + 1,
          updatedAt: now,
        },
      },
    ],
    effects: isOff ? [{ kind: 'calls.refused', ticketId, whatsappId, callId }] : [],
  }
}
