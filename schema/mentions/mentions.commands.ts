import { Type } from '@sinclair/typebox'
import { command, nothing } from '../command.ts'
import { patterned } from '../inputs.ts'

/** Of the note and the person, as `server/mentions` makes it. */
export const mentionId = (noteId: string, userId: number): string => `${noteId}:${userId}`

const mentionKey = patterned({ minLength: 3, maxLength: 80, pattern: '^[A-Za-z0-9_-]+:[0-9]+$' })

export const mentionCommands = {
  /** The person has seen what they were called for. What is not theirs, or gone from their sight, is passed over. */
  'mentions.read': command({
    name: 'mentions.read',
    needs: null,
    input: Type.Object(
      { ids: Type.Array(mentionKey, { minItems: 1, maxItems: 100, uniqueItems: true }) },
      { additionalProperties: false },
    ),
    facts: async ({ ids }, read, who) => {
      const found = []
      for (const id of ids.toSorted()) found.push(await read.get('mentions', id))
      return found.filter((mention) => mention !== undefined && mention.userId === who.userId)
    },
    decide: (_input, mentions, { now }) => {
      const ids = mentions.flatMap((mention) => (mention && mention.readAt === null ? [mention.id] : []))
      if (ids.length === 0) return nothing
      return {
        rows: [{ table: 'mentions', op: 'update', ids, values: { readAt: now } }],
        effects: [],
        result: { ids },
      }
    },
  }),
}
