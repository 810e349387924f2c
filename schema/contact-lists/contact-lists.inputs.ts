import { DAY_MS } from '../durations.ts'
import { type Static, Type } from '@sinclair/typebox'
import { email, patterned, personName, requiring, rowId } from '../inputs.ts'
import { typedDigits } from '../contacts/contacts.inputs.ts'

/** Most people of one list, and of one campaign. */
export const MOST_ITEMS = 50_000
/** What WhatsApp said of a number is believed for so long. */
export const CHECK_VALID_MS = 30 * DAY_MS

export const contactListInput = Type.Object({ name: personName })
export type ContactListInput = Static<typeof contactListInput>

/** All that people write of a person on a list. */
export const contactListItemInput = Type.Object({
  name: personName,
  number: typedDigits,
  email: Type.Union([Type.Literal(''), email]),
})
/** Of a person whose number the writer's role hides. */
export const unnumberedContactListItemInput = Type.Omit(contactListItemInput, ['number'])
export type ContactListItemInput = Static<typeof unnumberedContactListItemInput> & { number?: string }

/** What other clients of this family send: marks in the number, and a field left empty. */
const posted = Type.Object({
  name: personName,
  number: patterned({ minLength: 8, maxLength: 50, pattern: '[0-9]' }),
  email: Type.Union([Type.Null(), Type.Literal(''), email]),
  contactListId: rowId,
})
export const newContactListItem = requiring(posted, ['name', 'number', 'contactListId'])
export const changedContactListItem = requiring(posted, [])
