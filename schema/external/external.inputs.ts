import { keyedPatch } from '../custom-fields/custom-fields.inputs.ts'
import { costGroups } from '../costs/costs.inputs.ts'
import { type Static, type TObject, Type } from '@sinclair/typebox'
import { shippingStates } from '../campaigns/campaigns.state.ts'
import {
  cardName,
  clientId,
  email,
  messageBody,
  messageId,
  moment,
  MOST_CARDS,
  nullable,
  patterned,
  personName,
  phoneNumber,
  requiring,
  rowId,
  sharedPlace,
} from '../inputs.ts'
import { transferNote, wishedSnooze } from '../tickets/tickets.inputs.ts'
import { newNote } from '../notes/notes.inputs.ts'
import { programTemplate } from '../templates/templates.inputs.ts'
import { tagInput } from '../tags/tags.inputs.ts'

/** What is said to a number, beside the files. */
export const outgoing = Type.Object({
  number: phoneNumber,
  body: Type.Optional(Type.String({ maxLength: 65_536, description: 'The text; the caption of a file' })),
  template: Type.Optional(programTemplate),
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

/** The same as a form, with files: a form has no other values than text, so what comes in JSON only is left out. */
export const asForm = (schema: TObject) =>
  Type.Object({
    ...Type.Omit(schema, ['contacts', 'file', 'location', 'mediaUrl', 'template']).properties,
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
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: '40 where it is left out' })),
  updatedSince: Type.Optional(moment),
})
export type ListQuery = Static<typeof listQuery>

const calendarDay = patterned({ maxLength: 10, pattern: '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' })

export const contactQuery = Type.Object({ ...listQuery.properties, number: Type.Optional(phoneNumber) })

export const messageParams = Type.Object({ id: messageId })

const countBetween = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum })
/** Where a text is looked for. */
export const messageSearch = Type.Object({
  search: Type.String({ minLength: 3, maxLength: 200 }),
  ticketId: Type.Optional(rowId),
  contactId: Type.Optional(rowId),
  before: Type.Optional(messageId),
  limit: Type.Optional(countBetween(1, 100)),
})
export const changedProgramMessage = Type.Object({ body: messageBody })
export const reaction = Type.Object({
  emoji: Type.String({ maxLength: 16, description: 'One emoji; empty takes the reaction back' }),
})
const place = Type.Object({ ...sharedPlace.properties, name: Type.Optional(sharedPlace.properties.name) })
/** Somebody whose card is sent: a contact of the company, or a name with a number. */
const programCard = Type.Union([
  Type.Object({ contactId: rowId }, { additionalProperties: false }),
  Type.Object({ name: cardName, number: phoneNumber }, { additionalProperties: false }),
])

/** Letters of a file in base64: what a JSON body has room for, a little under 3 MB. */
const MOST_BASE64 = 3_900_000

/** What a program says: a text, a file with a text as its caption, a place, or cards of people. */
export const programSaying = Type.Object({
  body: Type.Optional(Type.String({ maxLength: 65_536, description: 'The text; the caption of a file' })),
  mediaUrl: Type.Optional(
    patterned({
      minLength: 8,
      maxLength: 2_000,
      pattern: '^https?://\\S+$',
      description: 'A public address of a file',
    }),
  ),
  file: Type.Optional(
    Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 255 }),
        mimetype: Type.Optional(Type.String({ minLength: 3, maxLength: 127 })),
        base64: Type.String({ minLength: 4, maxLength: MOST_BASE64 }),
      },
      { description: 'A file of up to 2.9 MB; larger ones come as a form, or from an address' },
    ),
  ),
  location: Type.Optional(place),
  contacts: Type.Optional(
    Type.Array(programCard, {
      minItems: 1,
      maxItems: MOST_CARDS,
      description: 'Cards of people: contacts by their id, or names with numbers. Who has no number has no card',
    }),
  ),
  /** With `mediaUrl` or `file` where its header is one. */
  template: Type.Optional(programTemplate),
  quotedMessageId: Type.Optional(messageId),
})
export type ProgramSaying = Static<typeof programSaying>

/** A message to a number, or to a contact, who may have none. */
export const programMessage = Type.Object({
  number: Type.Optional(phoneNumber),
  contactId: Type.Optional(rowId),
  ...programSaying.properties,
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
  /** Puts it aside until a moment, or with `answer` until its contact answers; null takes it up again. */
  snoozedUntil: Type.Optional(wishedSnooze),
  /** The contact's message does not wake it. */
  keep: Type.Optional(Type.Boolean()),
  /** By their keys; null empties, those that are not named stay. */
  fields: Type.Optional(keyedPatch),
})
export type ProgramTicket = Static<typeof programTicket>

/** Where what was said in a ticket goes. */
export const programJoin = Type.Object({ intoId: rowId })
/** Why a supervisor is called. */
export const programCall = Type.Object({ note: Type.Optional(transferNote) })

/** What the contact sees while a program thinks. */
export const programTyping = Type.Object({
  state: Type.Union([Type.Literal('composing'), Type.Literal('paused')]),
})
export const programNote = Type.Object({ note: newNote.properties.note, mentions: newNote.properties.mentions })
/** The version as it was read: one that was changed since is refused. */
export const programMacro = Type.Object({ ticketId: rowId, version: Type.Optional(rowId) })
export const viewParams = Type.Object({ id: clientId })
export const contactMerge = Type.Object({ goneId: rowId })
export const numberCheck = Type.Object({ number: phoneNumber, whatsappId: Type.Optional(rowId) })
/** A label of tickets; a column of the board is made on the screen. */
export const newProgramTag = requiring(Type.Pick(tagInput, ['name', 'color']), ['name'])
export const changedProgramTag = requiring(Type.Pick(tagInput, ['name', 'color']), [])
/** Days of the company's calendar, both included. */
export const reportQuery = Type.Object({ from: calendarDay, to: calendarDay })
/** Days, both included, without any this month so far; and by what they are broken up. */
export const costReportQuery = Type.Object({
  by: Type.Optional(Type.Union(costGroups.map((group) => Type.Literal(group)))),
  from: Type.Optional(calendarDay),
  to: Type.Optional(calendarDay),
})
/** People of a campaign. */
export const peopleQuery = Type.Object({
  cursor: Type.Optional(rowId),
  limit: listQuery.properties.limit,
  state: Type.Optional(Type.Union(shippingStates.map((state) => Type.Literal(state)))),
})

const extra = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  value: Type.String({ minLength: 1, maxLength: 1_000 }),
})
const programContact = Type.Object({
  name: personName,
  number: phoneNumber,
  email: Type.Union([Type.Literal(''), email]),
  extraInfo: Type.Array(extra, { maxItems: 50 }),
  fields: keyedPatch,
  disableBot: Type.Boolean(),
})
export const newProgramContact = requiring(programContact, ['name', 'number'])
export const changedProgramContact = requiring(Type.Omit(programContact, ['number']), [])
