import { plain } from '../../schema/plain.ts'
import { columnsOf, or, type RowOf } from '../replica/columns.ts'
import type { Rows } from '../replica/rows.ts'

const macro = columnsOf<'macros'>()({
  id: true,
  companyId: false,
  userId: true,
  name: true,
  shortcut: or(''),
  actions: or([]),
  sharing: true,
  queueIds: or([]),
  version: true,
  createdAt: false,
  updatedAt: false,
})
/** Several actions under a name. */
export type MacroRow = RowOf<typeof macro>

/** Those that the person may run, by name: the replica holds no others. */
export const ownMacros: Rows<MacroRow> = {
  query: { sql: `SELECT ${macro.text()} FROM macros ORDER BY lower(name), id`, tables: ['macros'] },
  read: macro.read,
  keyOf: ({ id }) => id,
}

/** The same of which the name or the shortcut says `search`. */
export const macrosSaying = (search: string): Rows<MacroRow> => ({
  query: {
    sql: `SELECT ${macro.text()} FROM macros WHERE strpos(lower(name), $1) > 0 OR strpos(lower(shortcut), $1) > 0 ORDER BY lower(name), id`,
    params: [search],
    tables: ['macros'],
  },
  read: macro.read,
  keyOf: ({ id }) => id,
})

const mostShown = 4

/** Those whose shortcut or name begins with the query, then those that hold it. */
export function findMacros(macros: readonly MacroRow[], query: string): readonly MacroRow[] {
  const rank = ({ shortcut, name }: MacroRow) => {
    const texts = [plain(shortcut), plain(name)].filter(Boolean)
    return texts.some((text) => text.startsWith(query)) ? 0 : texts.some((text) => text.includes(query)) ? 1 : 2
  }
  return macros
    .map((row) => ({ row, rank: rank(row) }))
    .filter((ranked) => ranked.rank < 2)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, mostShown)
    .map(({ row }) => row)
}
