import { Type } from '@sinclair/typebox'
import { messageId, moment, nullable, patterned, rowId } from '../inputs.ts'

/** A few sentences. */
export const transferNote = Type.String({ maxLength: 500 })
export const snoozeNote = Type.String({ maxLength: 500 })

/** As programs wish it: until a moment, until the contact answers, or, with null, not any more. */
export const wishedSnooze = nullable(Type.Union([moment, Type.Literal('answer')]))

/** All tags of a ticket. */
export const ticketTags = Type.Array(rowId, { maxItems: 50, uniqueItems: true })
/** Messages that were on the screen. */
export const seenMessages = Type.Array(messageId, { maxItems: 1000 })
/** How many messages were unread to whoever looked at a ticket. */
export const unreadCount = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })
export const ticketUuid = patterned({
  maxLength: 36,
  pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
})
