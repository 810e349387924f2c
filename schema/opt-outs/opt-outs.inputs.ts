import { Type } from '@sinclair/typebox'
import { typedDigits } from '../contacts/contacts.inputs.ts'
import { patterned } from '../inputs.ts'

export const newOptOut = Type.Object({
  number: typedDigits,
  text: Type.Optional(Type.String({ maxLength: 300 })),
})
/** Why somebody may get bulk messages again. */
export const revokedOptOut = Type.Object({ reason: patterned({ minLength: 3, maxLength: 300, pattern: '\\S' }) })
