import { Type } from '@sinclair/typebox'
import { clientId, patterned, requiring, rowId } from '../inputs.ts'

/** Shorter notes say nothing. */
export const noteText = patterned({ minLength: 2, maxLength: 10_000, pattern: '\\S' })

/** So many people and queues one note may call. */
export const mostMentions = 20

/** Whom a note calls, by id. What stands in the text is their name behind an `@`. */
export const noteMentions = Type.Array(
  Type.Object(
    { kind: Type.Union([Type.Literal('user'), Type.Literal('queue')]), id: rowId },
    { additionalProperties: false },
  ),
  { maxItems: mostMentions },
)

/** A new note; its id is the client's. */
export const newNote = Type.Object(
  { id: clientId, ticketId: rowId, note: noteText, mentions: Type.Optional(noteMentions) },
  { additionalProperties: false },
)

/** What other clients of this family send: they name no id, and a contact that the ticket has anyway. */
export const postedNote = Type.Object({
  ...requiring(newNote, ['ticketId', 'note']).properties,
  contactId: Type.Optional(rowId),
})
