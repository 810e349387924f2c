import { useLingui } from '@lingui/react/macro'
import { type LucideIcon, MessageSquarePlus, MessageSquareText } from 'lucide-react'
import { useMemo } from 'react'
import { useRows } from '../replica/live-rows.ts'
import type { Rows } from '../replica/rows.ts'
import { useTicketActions } from '../tickets/tickets.use-actions.tsx'

const servedAs = (digits: string): Rows<{ uuid: string }> => ({
  query: {
    sql: `SELECT t.uuid FROM tickets t JOIN contacts c ON c.id = t."contactId"
    WHERE c.number = $1 AND t.status = 'open' ORDER BY t."updatedAt" DESC LIMIT 1`,
    params: [digits],
    tables: ['tickets', 'contacts'],
  },
  keyOf: ({ uuid }) => uuid,
})

/**
 * How one comes to talk with a number: whoever is being served already, among those that the person sees, is gone to; with
 * others a conversation is begun.
 */
export function useTalk(
  digits: string,
  begin: (digits: string) => void,
): { icon: LucideIcon; label: string; run: () => void } {
  const { t } = useLingui()
  const { rows } = useRows(useMemo(() => servedAs(digits), [digits]))
  const actions = useTicketActions()
  const served = rows?.[0]
  return served
    ? { icon: MessageSquareText, label: t`Abrir`, run: () => actions.open(served) }
    : { icon: MessageSquarePlus, label: t`Conversar`, run: () => begin(digits) }
}
