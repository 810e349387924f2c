import { Type } from '@sinclair/typebox'
import { command, type CommandContext, type Decision, nothing } from '../command.ts'
import { fieldPatch } from '../custom-fields/custom-fields.inputs.ts'
import type { CustomField, FieldPatch } from '../custom-fields/custom-fields.table.ts'
import { changedIn, takePatch } from '../custom-fields/custom-fields.values.ts'
import { rowId } from '../inputs.ts'
import type { Contact } from './contacts.table.ts'

/** Fields of the contact change. */
export function contactDecision(
  contact: Pick<Contact, 'id' | 'fields'>,
  fields: readonly CustomField[],
  given: FieldPatch,
  { now }: Pick<CommandContext, 'now'>,
): Decision {
  const patch = changedIn(contact.fields, takePatch(fields, 'contact', given, contact.fields))
  if (Object.keys(patch).length === 0) return nothing
  return {
    rows: [{ table: 'contacts', op: 'update', ids: [contact.id], values: { fields: patch, updatedAt: now } }],
    effects: [],
  }
}

export const contactCommands = {
  /** Fills in fields of the contact, or empties them with null. Those that are not named stay. */
  'contacts.setFields': command({
    name: 'contacts.setFields',
    needs: null,
    input: Type.Object({ contactId: rowId, fields: fieldPatch }, { additionalProperties: false }),
    facts: async ({ contactId }, read) => ({
      contact: await read.need('contacts', contactId),
      fields: await read.customFields(),
    }),
    decide: (input, { contact, fields }, context) => contactDecision(contact, fields, input.fields, context),
  }),
}
