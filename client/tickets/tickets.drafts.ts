import { useMemo } from 'react'
import { useRows } from '../replica/live-rows.ts'
import { or, type RowOf, someOf } from '../replica/columns.ts'
import type { Rows } from '../replica/rows.ts'

const draft = someOf<'drafts'>()({ ticketId: Number, body: or('') })

/** Everything this person has begun to write, on any device. One shared query: the list shows it, the composer opens with it. */
const ownDrafts: Rows<RowOf<typeof draft>> = {
  query: { sql: `SELECT ${draft.text()} FROM drafts`, tables: ['drafts'] },
  read: draft.read,
  keyOf: (row) => row.ticketId,
}

/** Text by ticket id; undefined until the replica has answered. */
export function useDrafts(): ReadonlyMap<number, string> | undefined {
  const { rows } = useRows(ownDrafts)
  return useMemo(() => rows && new Map(rows.map(({ ticketId, body }) => [ticketId, body])), [rows])
}
