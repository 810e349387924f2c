import { Type } from '@sinclair/typebox'
import { clientId, patterned, rowId } from '../inputs.ts'

/** A text that says something. */
export const chatText = patterned({ minLength: 1, maxLength: 10_000, pattern: '\\S' })
const title = patterned({ minLength: 1, maxLength: 100, pattern: '\\S' })
const mostUsers = 500

/** All that people write of a chat: its title, and the colleagues who are in it. */
export const chatInput = Type.Object({ title, users: Type.Array(rowId, { minItems: 1, maxItems: mostUsers }) })

/** What other clients of this family send. */
export const postedChat = Type.Object({
  title,
  users: Type.Array(Type.Union([rowId, Type.Object({ id: rowId }, { additionalProperties: true })]), {
    maxItems: mostUsers,
    description: 'Ids, or objects with an id. Whoever makes the chat is in it anyway',
  }),
})
export const postedChatMessage = Type.Object({ id: Type.Optional(clientId), message: chatText })
