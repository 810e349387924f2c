import { type Static, Type } from '@sinclair/typebox'
import { messageBody, patterned, rowId } from '../inputs.ts'

/** Digits only: country, area and number. */
export const phoneNumber = patterned({
  minLength: 8,
  maxLength: 15,
  pattern: '^[0-9]+$',
  description: 'Digits only: country code, area code and number, such as 5511940001835',
})

/** What is said to a number, beside the files. */
export const outgoing = Type.Object({
  number: phoneNumber,
  body: Type.Optional(Type.String({ maxLength: 65_536, description: 'The text; the caption of a file' })),
  queueId: Type.Optional(rowId),
  userId: Type.Optional(rowId),
  closeTicket: Type.Optional(
    Type.Boolean({ description: 'The ticket waits for nobody: it is closed until the contact answers' }),
  ),
})
export type Outgoing = Static<typeof outgoing>

/** The same as a form, with files. */
export const outgoingForm = Type.Object({
  ...outgoing.properties,
  medias: Type.Array(Type.String({ format: 'binary' }), { minItems: 1, maxItems: 20 }),
})

/** The forms of the page that tries it. */
export const textTrial = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 200 }),
  number: phoneNumber,
  body: messageBody,
})
export const fileTrial = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 200 }),
  number: phoneNumber,
})
