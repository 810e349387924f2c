import { type Static, Type } from '@sinclair/typebox'
import { email, messageBody, messageId, moment, nullable, patterned, personName, requiring, rowId } from '../inputs.ts'

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
  bulk: Type.Optional(
    Type.Boolean({
      description:
        'One of many: refused with `ERR_OPTED_OUT` where the person wants none, and counted for the connection',
    }),
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

// ── /api/v1 ──────────────────────────────────────────────────────────────────────────────────

/** A page of a list: what changed after the cursor, or since a moment. */
export const listQuery = Type.Object({
  cursor: Type.Optional(
    patterned({
      minLength: 1,
      maxLength: 100,
      pattern: '^[A-Za-z0-9_-]+$',
      description: '`nextCursor` of the page before',
    }),
  ),
  limit: Type.Optional(
    patterned({
      minLength: 1,
      maxLength: 3,
      pattern: '^([1-9][0-9]?|100)$',
      description: '1 to 100; 40 where it is left out',
    }),
  ),
  updatedSince: Type.Optional(moment),
})
export type ListQuery = Static<typeof listQuery>

export const contactQuery = Type.Object({ ...listQuery.properties, number: Type.Optional(phoneNumber) })

export const messageParams = Type.Object({ id: messageId })

/** A message to a number. */
export const programMessage = Type.Object({
  number: phoneNumber,
  body: Type.Optional(Type.String({ maxLength: 65_536 })),
  mediaUrl: Type.Optional(
    patterned({
      minLength: 8,
      maxLength: 2_000,
      pattern: '^https?://\\S+$',
      description: 'A public address of a file',
    }),
  ),
  whatsappId: Type.Optional(rowId),
  queueId: Type.Optional(rowId),
  userId: Type.Optional(rowId),
  closeTicket: Type.Optional(Type.Boolean()),
  bulk: outgoing.properties.bulk,
})

/** What a program changes of a ticket. */
export const programTicket = Type.Object({
  status: Type.Optional(Type.Union([Type.Literal('pending'), Type.Literal('closed')])),
  queueId: Type.Optional(nullable(rowId)),
  userId: Type.Optional(nullable(rowId)),
  tagIds: Type.Optional(Type.Array(rowId, { maxItems: 50, uniqueItems: true })),
})
export type ProgramTicket = Static<typeof programTicket>

const extra = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  value: Type.String({ minLength: 1, maxLength: 1_000 }),
})
const programContact = Type.Object({
  name: personName,
  number: phoneNumber,
  email: Type.Union([Type.Literal(''), email]),
  extraInfo: Type.Array(extra, { maxItems: 50 }),
  disableBot: Type.Boolean(),
})
export const newProgramContact = requiring(programContact, ['name', 'number'])
export const changedProgramContact = requiring(Type.Omit(programContact, ['number']), [])
