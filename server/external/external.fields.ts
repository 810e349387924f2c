import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Contact } from '../../schema/contacts/contacts.table.ts'
import type { FieldEntity, FieldPatch } from '../../schema/custom-fields/custom-fields.table.ts'
import { type KeyedValues, patchFromKeys } from '../../schema/custom-fields/custom-fields.values.ts'
import { toApiContact, toApiTicket } from '../../schema/external/external.rows.ts'
import type { Ticket } from '../../schema/tickets/tickets.table.ts'
import { fieldsOf } from '../commands/fields.ts'
import type { Db } from '../db/database.ts'

/** How tickets of a company are told, with its fields by their keys. */
export async function asTicket(db: Db, companyId: number) {
  const fields = await fieldsOf(db, companyId)
  return (ticket: Ticket) => toApiTicket(ticket, fields)
}

/** The same of contacts. */
export async function asContact(db: Db, companyId: number) {
  const fields = await fieldsOf(db, companyId)
  return (contact: Contact) => toApiContact(contact, fields)
}

/** What a program writes of fields, by their ids. @throws DomainError `ERR_NO_FIELD_FOUND`, `ERR_FIELD_VALUE` */
export const keyedPatchOf = async (
  db: Db,
  companyId: number,
  entity: FieldEntity,
  given: KeyedValues | undefined,
): Promise<FieldPatch> => (given ? patchFromKeys(await fieldsOf(db, companyId), entity, given) : {})

/** The fields of a row by a change: what is not named stays, and null empties. */
export const withPatch = (column: PgColumn, patch: FieldPatch): SQL =>
  sql`jsonb_strip_nulls(${column} || ${JSON.stringify(patch)}::jsonb)`
