import { useMemo } from 'react'
import { useRows } from '../replica/live-rows.ts'
import type { Rows } from '../replica/rows.ts'

interface DraftRow {
  ticketId: number
  body: string
}

/** Everything this person has begun to write, on any device. One shared query: the list shows it, the composer opens with it. */
const ownDrafts: Rows<DraftRow> = {
  query: { sql: 'SELECT "ticketId", body FROM drafts', tables: ['drafts'] },
  read: (raw) => ({ ticketId: Number(raw['ticketId']), body: String(raw['body'] ?? '') }),
  keyOf: (row) => row.ticketId,
}

/** Text by ticket id; undefined until the replica has answered. */
export function useDrafts(): ReadonlyMap<number, string> | undefined {
  const { rows } = useRows(ownDrafts)
  return useMemo(() => rows && new Map(rows.map(({ ticketId, body }) => [ticketId, body])), [rows])
}
