import { useMemo } from 'react'
import { useRows } from '../app/live-rows.ts'
import type { Rows } from '../app/rows.ts'

const servedAs = (digits: string): Rows<{ uuid: string }> => ({
  query: {
    sql: `SELECT t.uuid FROM tickets t JOIN contacts c ON c.id = t."contactId"
    WHERE c.number = $1 AND t.status = 'open' ORDER BY t."updatedAt" DESC LIMIT 1`,
    params: [digits],
    tables: ['tickets', 'contacts'],
  },
  keyOf: ({ uuid }) => uuid,
})

/** The conversation in which a number is being served, among those that the person sees; null where there is none. */
export function useServed(digits: string): { uuid: string } | null {
  const { rows } = useRows(useMemo(() => servedAs(digits), [digits]))
  return rows?.[0] ?? null
}
