import { Type } from '@sinclair/typebox'
import { typedDigits } from '../contacts/contacts.inputs.ts'
import { patterned } from '../inputs.ts'

/** Of what they wrote, what a colleague noted, and why it was taken back. */
export const OPT_OUT_TEXT_LENGTH = 300

export const newOptOut = Type.Object({
  number: typedDigits,
  text: Type.Optional(Type.String({ maxLength: OPT_OUT_TEXT_LENGTH })),
})
/** Why somebody may get bulk messages again. */
export const revokedOptOut = Type.Object({
  reason: patterned({ minLength: 3, maxLength: OPT_OUT_TEXT_LENGTH, pattern: '\\S' }),
})
