import type { NodeContent } from '../../schema/flows/flows.rows.ts'
import type { Replica } from '../../sync/client/replica.types.ts'
import { columnsOf, type RowOf, someOf } from '../replica/columns.ts'
import type { Rows } from '../replica/rows.ts'

const drawn = columnsOf<'flowNodes'>()({
  id: false,
  companyId: false,
  flowId: false,
  node: true,
  type: true,
  x: true,
  y: true,
  data: true,
  exits: true,
  rev: true,
  userId: true,
  updatedAt: (at) => at as Date,
})
/** A block of the draft, as it is drawn. */
export type DraftRow = RowOf<typeof drawn>

/** The blocks of a flow's draft, the start first. */
export const draftRows = (flowId: number): Rows<DraftRow> => ({
  query: {
    sql: `SELECT ${drawn.text()} FROM flow_nodes WHERE "flowId" = $1 ORDER BY (type <> 'start'), x, y, node`,
    params: [flowId],
    tables: [{ table: 'flow_nodes', only: { column: 'flowId', value: flowId } }],
  },
  read: drawn.read,
  keyOf: (row) => row.node,
})

const content = someOf<'flowNodes'>()({ node: true, type: true, x: true, y: true, data: true, exits: true })

/** What a flow's draft is, now. */
export async function draftOf(replica: Replica, flowId: number): Promise<NodeContent[]> {
  const sql = `SELECT ${content.text()} FROM flow_nodes WHERE "flowId" = $1 ORDER BY node`
  return (await replica.query<Record<string, unknown>>(sql, [flowId])).map(content.read)
}

const hours = someOf<'queues'>()({ id: true, schedules: true })

/** The hours of all queues. */
export const queueHours: Rows<RowOf<typeof hours>> = {
  query: { sql: `SELECT ${hours.text()} FROM queues`, tables: ['queues'] },
  read: hours.read,
  keyOf: ({ id }) => id,
}
