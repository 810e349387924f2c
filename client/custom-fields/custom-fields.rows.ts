import type { FieldEntity } from '../../schema/custom-fields/custom-fields.table.ts'
import { columnsOf, msOrNull, or, type RowOf } from '../replica/columns.ts'
import { useRows } from '../replica/live-rows.ts'
import type { Rows } from '../replica/rows.ts'

const columns = columnsOf<'customFields'>()({
  id: true,
  companyId: false,
  entity: true,
  name: true,
  key: true,
  type: true,
  options: or([]),
  help: or(''),
  position: true,
  required: true,
  archivedAt: msOrNull,
  createdAt: false,
  updatedAt: false,
})
/** A field of the company's own. */
export type FieldRow = RowOf<typeof columns>

const listed = (where: string, remember: string): Rows<FieldRow> => ({
  query: {
    sql: `SELECT ${columns.text()} FROM custom_fields${where} ORDER BY position, id`,
    tables: ['custom_fields'],
    remember,
  },
  read: columns.read,
  keyOf: ({ id }) => id,
})
/** All of them, those that are put aside too. */
export const everyField = listed('', 'every custom field')
/** Those in use. */
export const fieldsInUse = listed(' WHERE "archivedAt" IS NULL', 'custom fields')

const none: readonly FieldRow[] = []

/** The fields that are in use, in their order. Everybody who asks shares one query; for most companies there are none. */
export const useFields = (): readonly FieldRow[] => useRows(fieldsInUse).rows ?? none

/** Those of an entity. */
export const fieldsOn = (fields: readonly FieldRow[], entity: FieldEntity): readonly FieldRow[] =>
  fields.filter((field) => field.entity === entity)
