import { eq } from 'drizzle-orm'
import { widOf } from '../../schema/ids.ts'
import { ownPreview } from '../../schema/messages/messages.commands.ts'
import { mediaTypeOf } from '../../schema/messages/messages.content.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { tickets, type Ticket } from '../../schema/tickets/tickets.table.ts'
import type { Change } from '../commands/apply.ts'
import type { Tx } from '../db/database.ts'
import { addJobs } from '../jobs/queue.ts'

/** What a message may have besides its text. */
export interface SaidBesides {
  /** The colleague in whose name it is said. */
  authorId?: number | null
  /** In the media store. */
  file?: { path: string; name: string; mimetype: string; size: number | null } | null
}

/**
 * Stores a message of the product's own in a ticket and has it sent. Its id follows from the cause, so that saying it
 * again for the same cause changes nothing.
 */
export async function sayIn(
  tx: Tx,
  ticket: Ticket,
  cause: string,
  body: string,
  now: Date,
  { authorId = null, file = null }: SaidBesides = {},
): Promise<Change[]> {
  if (ticket.whatsappId === null) return []
  // A cause may be a key that a caller chose; what another company's caller chose is another message.
  const id = idOf(`${ticket.id} ${cause}`)
  const mediaType = file ? mediaTypeOf(file.mimetype) : 'chat'
  const inserted = await tx
    .insert(messages)
    .values({
      id,
      companyId: ticket.companyId,
      ticketId: ticket.id,
      contactId: ticket.contactId,
      whatsappId: ticket.whatsappId,
      wid: widOf(id),
      fromMe: true,
      authorId,
      body,
      mediaType,
      ...(file && {
        mediaState: 'ready' as const,
        mediaPath: file.path,
        mediaName: file.name,
        mediaMime: file.mimetype,
        mediaSize: file.size,
      }),
      read: true,
      ack: 1,
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing()
    .returning({ id: messages.id })
  if (inserted.length === 0) return []
  await tx
    .update(tickets)
    .set({ lastMessage: ownPreview(mediaType, body, false), lastMessageAt: now, lastMessageFromMe: true })
    .where(eq(tickets.id, ticket.id))
  await addJobs(tx, ticket.companyId, [
    { kind: 'whatsapp.send', messageId: id, whatsappId: ticket.whatsappId, chat: ticket.contactId },
  ])
  return [
    { companyId: ticket.companyId, table: 'messages', action: 'create', id, ticketId: ticket.id },
    { companyId: ticket.companyId, table: 'tickets', action: 'update', id: ticket.id },
  ]
}

/** A UUID that follows from the cause. */
function idOf(cause: string): string {
  const hex = new Bun.CryptoHasher('sha256').update(cause).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
