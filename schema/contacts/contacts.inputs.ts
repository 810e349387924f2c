import { type Static, Type } from '@sinclair/typebox'
import { email, nullable, patterned, personName, requiring } from '../inputs.ts'

/** A number as people write or paste it; `readNumber` says which one it is. */
export const typedDigits = patterned({ minLength: 8, maxLength: 50, pattern: '^[^0-9A-Za-z]*[0-9][^A-Za-z]*$' })

const extraName = { maxLength: 100 }
const extraValue = { maxLength: 1_000 }

/** All that people write of a contact whose number is known. */
export const contactInput = Type.Object({
  name: personName,
  number: typedDigits,
  email: Type.Union([Type.Literal(''), email]),
  extraInfo: Type.Array(
    Type.Object({
      id: Type.String({ maxLength: 64 }),
      name: Type.String({ ...extraName, minLength: 1 }),
      value: Type.String({ ...extraValue, minLength: 1 }),
    }),
    { maxItems: 50 },
  ),
})
/** Of a group, whose id is no phone number, and of a person whose number WhatsApp has not told. */
export const unnumberedContactInput = Type.Omit(contactInput, ['number'])
/** Of somebody who is known by other names, and may have told their number. */
export const latelyNumberedInput = Type.Object({
  ...unnumberedContactInput.properties,
  number: Type.Union([Type.Literal(''), typedDigits]),
})
export type ContactInput = Static<typeof unnumberedContactInput> & { number?: string }

/** What other clients of this family send: marks in the number, which may be a group's, and fields left empty. */
const posted = Type.Object({
  name: personName,
  number: Type.String({ minLength: 8, maxLength: 50 }),
  email: nullable(contactInput.properties.email),
  extraInfo: Type.Array(
    Type.Object({
      id: Type.Optional(Type.Union([Type.String({ maxLength: 64 }), Type.Number()])),
      name: Type.String(extraName),
      value: Type.String(extraValue),
    }),
    { maxItems: 50 },
  ),
})
export const newContact = requiring(posted, ['name', 'number'])
export const changedContact = Type.Object({
  ...requiring(posted, []).properties,
  disableBot: Type.Optional(Type.Boolean()),
})

/** The orders of a list: by name, the newest first, or who wrote last first. */
export const contactSorts = ['name', 'created', 'active'] as const
export type ContactSort = (typeof contactSorts)[number]

const sheetColumn = Type.Union([Type.Null(), Type.Integer({ minimum: 0, maximum: 199 })])
/** How the columns of a spreadsheet are read, see `SheetMapping`. */
export const sheetMapping = Type.Object({
  headerLine: Type.Integer({ minimum: 0, maximum: 20 }),
  name: sheetColumn,
  moreNames: Type.Optional(Type.Array(Type.Integer({ minimum: 0, maximum: 199 }), { maxItems: 5 })),
  number: sheetColumn,
  moreNumbers: Type.Optional(Type.Array(Type.Integer({ minimum: 0, maximum: 199 }), { maxItems: 5 })),
  email: sheetColumn,
  extra: Type.Array(Type.Integer({ minimum: 0, maximum: 199 }), { maxItems: 30 }),
})

/** How a spreadsheet is read. */
export const importChoices = Type.Object({
  dryRun: Type.Optional(
    Type.String({ maxLength: 10, description: '`true` writes nothing, and tells what would become of the rows' }),
  ),
  mapping: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description:
        'JSON: which columns are read as what, counted from 0: `{headerLine, name, number, email, extra: []}`. ' +
        '`moreNames` are joined to the name, `moreNumbers` are read where the number is empty. Without it the names of the columns tell.',
    }),
  ),
  mode: Type.Optional(Type.Union([Type.Literal('fill'), Type.Literal('replace'), Type.Literal('keep')])),
  country: Type.Optional(
    patterned({
      maxLength: 3,
      pattern: '^([1-9][0-9]{0,2})?$',
      description: 'Calling code of numbers without one: the company’s where it is left out, none where it is empty',
    }),
  ),
})
