import { stopOf } from '../../schema/templates/templates.state.ts'
import { columnsOf, type RowOf } from '../replica/columns.ts'
import { useRows } from '../replica/live-rows.ts'
import type { Rows } from '../replica/rows.ts'

const synced = columnsOf<'templates'>()({
  id: true,
  companyId: false,
  whatsappId: true,
  metaId: false,
  name: true,
  language: true,
  category: true,
  confirmedCategory: true,
  nextCategory: true,
  status: true,
  quality: true,
  reason: true,
  advice: true,
  parts: true,
  isStrange: true,
  edits: true,
  createdAt: false,
  updatedAt: false,
})
export type TemplateRow = RowOf<typeof synced>

const ofConnection = (whatsappId: number): Rows<TemplateRow> => ({
  query: {
    sql: `SELECT ${synced.text()} FROM templates WHERE "whatsappId" = $1 ORDER BY name, language`,
    params: [whatsappId],
    tables: ['templates'],
  },
  read: synced.read,
  keyOf: ({ id }) => id,
})

/** The templates of a connection by name; undefined until they have been read. */
export const useTemplates = (whatsappId: number | null): readonly TemplateRow[] | undefined =>
  useRows(whatsappId === null ? null : ofConnection(whatsappId)).rows

export const isSendable = (template: TemplateRow): boolean => stopOf(template) === null

const all: Rows<TemplateRow> = {
  query: { sql: `SELECT ${synced.text()} FROM templates ORDER BY name, language, id`, tables: ['templates'] },
  read: synced.read,
  keyOf: ({ id }) => id,
}

/** Those of all connections by name; undefined until they have been read. */
export const useAllTemplates = (): readonly TemplateRow[] | undefined => useRows(all).rows
