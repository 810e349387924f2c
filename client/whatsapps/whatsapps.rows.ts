import { columnsOf, iso, type RowOf, someOf } from '../replica/columns.ts'
import type { Rows } from '../replica/rows.ts'

const synced = columnsOf<'whatsapps'>()({
  id: true,
  companyId: false,
  name: true,
  number: true,
  status: true,
  provider: true,
  isDefault: true,
  lastError: true,
  updatedAt: iso,
})

/** All connections, as the replica has them. */
export const connectionsCopy = {
  query: { sql: `SELECT ${synced.text()} FROM whatsapps ORDER BY name`, tables: ['whatsapps'] },
  read: synced.read,
  keyOf: ({ id }: { id: number }) => id,
} satisfies Rows<RowOf<typeof synced>>

const state = someOf<'whatsapps'>()({ id: true, status: true })

/** How they are, and nothing else: other changes of theirs have nothing drawn again. */
export const connectionStates: Rows<RowOf<typeof state>> = {
  query: { sql: `SELECT ${state.text()} FROM whatsapps`, tables: ['whatsapps'] },
  read: state.read,
  keyOf: ({ id }) => id,
}
