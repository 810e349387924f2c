import type { FieldPatch } from '../../schema/custom-fields/custom-fields.table.ts'
import type { Rows } from '../replica/rows.ts'

/** What is filled in of these contacts. */
export const contactFieldsOf = (ids: readonly number[]): Rows<{ id: number; fields: FieldPatch }> => ({
  query: {
    sql: 'SELECT id, fields FROM contacts WHERE id = ANY($1::int[])',
    params: [[...ids]],
    tables: ['contacts'],
  },
  read: (raw) => ({ id: Number(raw['id']), fields: (raw['fields'] ?? {}) as FieldPatch }),
  keyOf: ({ id }) => id,
})
