import { type Decision, together } from '../command.ts'
import { lineOf } from '../messages/messages.line.ts'

/** What was said by itself and has not left. */
export interface UnsentReply {
  id: string
  ticketId: number
  /** It stands last in its ticket. */
  isLast: boolean
}

/** Takes back what was said by itself and has not left: a person has the ticket now. */
export const takeBackReplies = (unsent: readonly UnsentReply[], now: Date): Decision =>
  together(
    ...unsent.map(({ id, ticketId, isLast }): Decision => {
      const line = lineOf({ isDeleted: true, body: '', mediaType: 'chat', isVoice: false })
      return {
        rows: [
          { table: 'messages', op: 'update', ids: [id], values: { isDeleted: true, updatedAt: now } },
          ...(isLast ? [{ table: 'tickets' as const, op: 'update' as const, ids: [ticketId], values: line }] : []),
        ],
        effects: [],
      }
    }),
  )
