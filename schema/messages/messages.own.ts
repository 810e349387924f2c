import { mediaTypeOf } from './messages.content.ts'
import type { Message } from './messages.table.ts'

/** An own message may be edited for this long, as on the phone. */
export const EDIT_WINDOW_MS = 15 * 60 * 1000
/** And taken back for this long: what comes later, phones do not follow. */
export const REVOKE_WINDOW_MS = 60 * 60 * 60 * 1000

/** Set by the ticket, by the clock and by what the quoted message turns out to be. */
type Placed =
  | 'companyId'
  | 'contactId'
  | 'whatsappId'
  | 'wid'
  | 'quotedMsgId'
  | 'queueScope'
  | 'userScope'
  | 'createdAt'
  | 'updatedAt'

/**
 * The row of a message that somebody of the company writes, as far as it follows from what was written: in the first
 * frame, before any command runs, the bubble is drawn from the same values that `messages.send` stores.
 */
export function ownMessage(
  {
    id,
    ticketId,
    body,
    file,
  }: {
    id: string
    ticketId: number
    body: string
    file?: { path: string | null; name: string; mimetype: string; size: number; voice: boolean }
  },
  authorId: number | null,
): Omit<Message, Placed> {
  return {
    id,
    ticketId,
    fromMe: true,
    authorId,
    participantName: null,
    participantNumber: null,
    body: body || (file && !file.voice ? file.name : ''),
    mediaType: file ? mediaTypeOf(file.mimetype) : 'chat',
    mediaState: file ? (file.path ? 'ready' : 'pending') : 'none',
    mediaPath: file?.path ?? null,
    mediaName: file?.name ?? null,
    mediaMime: file?.mimetype ?? null,
    mediaSize: file?.size ?? null,
    isVoice: file?.voice ?? false,
    read: true,
    ack: 1,
    ackError: null,
    isDeleted: false,
    isEdited: false,
    earlierBodies: [],
    reactions: [],
  }
}
