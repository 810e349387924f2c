import { Type } from '@sinclair/typebox'
import { patterned, rowId } from '../inputs.ts'
import { requestKinds, requestLaws, requestStates } from './privacy.table.ts'

const day = patterned({ maxLength: 10, pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' })
const oneOf = <const T extends readonly string[]>(words: T) =>
  Type.Union(words.map((word) => Type.Literal(word as T[number])))

/** Why something is done to a person's data; it outlives them, so it is not to name them. */
export const reasonText = patterned({ minLength: 3, maxLength: 500, pattern: '\\S' })

export const exportInput = Type.Object({ notes: Type.Optional(Type.Boolean()) }, { additionalProperties: false })

export const eraseInput = Type.Object(
  {
    /** The name of the contact, as a sign that it is meant. */
    confirm: Type.String({ minLength: 1, maxLength: 500 }),
    reason: reasonText,
  },
  { additionalProperties: false },
)

export const holdInput = Type.Object(
  { until: Type.Union([day, Type.Null()]), reason: Type.Optional(reasonText) },
  { additionalProperties: false },
)

export const newRequest = Type.Object(
  {
    contactId: Type.Optional(Type.Union([rowId, Type.Null()])),
    subject: patterned({ minLength: 1, maxLength: 200, pattern: '\\S' }),
    kind: oneOf(requestKinds),
    law: oneOf(requestLaws),
    receivedAt: day,
    note: Type.Optional(Type.String({ maxLength: 2_000 })),
  },
  { additionalProperties: false },
)

export const changedRequest = Type.Object(
  {
    contactId: Type.Optional(Type.Union([rowId, Type.Null()])),
    subject: Type.Optional(patterned({ minLength: 1, maxLength: 200, pattern: '\\S' })),
    kind: Type.Optional(oneOf(requestKinds)),
    law: Type.Optional(oneOf(requestLaws)),
    receivedAt: Type.Optional(day),
    note: Type.Optional(Type.String({ maxLength: 2_000 })),
    state: Type.Optional(oneOf(requestStates)),
  },
  { additionalProperties: false },
)

/** `seq` of the last erasure that was told; in an address, as text. */
export const erasedQuery = Type.Object({ after: Type.Optional(patterned({ maxLength: 15, pattern: '^[0-9]+$' })) })

const days = Type.Optional(patterned({ maxLength: 4, pattern: '^[0-9]+$' }))
export const retentionQuery = Type.Object({ messages: days, media: days, traces: days })
