import { and, asc, eq, isNull } from 'drizzle-orm'
import { type CustomField, customFields } from '../../schema/custom-fields/custom-fields.table.ts'
import type { Db, Tx } from '../db/database.ts'

export const fieldsInOrder = [asc(customFields.position), asc(customFields.id)]

/** The fields of a company that are in use, contacts' and tickets', in their order. */
export const fieldsOf = (db: Db | Tx, companyId: number): Promise<CustomField[]> =>
  db
    .select()
    .from(customFields)
    .where(and(eq(customFields.companyId, companyId), isNull(customFields.archivedAt)))
    .orderBy(...fieldsInOrder)
    .execute()
