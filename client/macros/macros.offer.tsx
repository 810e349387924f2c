import { useLingui } from '@lingui/react/macro'
import { Suspense, useEffect } from 'react'
import { onDemand } from '../base/late.tsx'
import { useActions } from '../kit/actions.ts'
import { useRows } from '../replica/live-rows.ts'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import { useStore } from '../base/store.ts'
import { ownMacros } from './macros.rows.ts'
import { wantedMacro } from './macros.wanted.ts'

const RunDialog = onDemand(() => import('./macros.run-dialog.tsx'))

/** Macros by their key and in the palette, for the ticket in front. Without one there is nothing. */
export function MacroOffer({ ticket }: { ticket: TicketRow }) {
  const { t } = useLingui()
  const { rows = [] } = useRows(ownMacros)
  const wanted = useStore(wantedMacro)
  const ticketId = ticket.id
  const hasMacros = rows.length > 0
  // Whoever has one may want it without a network: then it is here.
  useEffect(() => {
    if (hasMacros) void RunDialog.fetch().catch(() => undefined)
  }, [hasMacros])
  useActions([
    {
      id: 'ticket.macro',
      label: t`Executar uma macro`,
      group: t`Este atendimento`,
      shortcut: 'y',
      when: rows.length > 0,
      run: () => wantedMacro.set({ ticketId, macroId: null }),
    },
    ...rows.map(({ id, name, shortcut }) => ({
      id: `macro.${id}`,
      label: t`Macro: ${name}`,
      group: t`Macros`,
      keywords: shortcut,
      run: () => wantedMacro.set({ ticketId, macroId: id }),
    })),
  ])
  return (
    <Suspense fallback={null}>
      {wanted?.ticketId === ticketId && rows.length > 0 && (
        <RunDialog ticket={ticket} macros={rows} first={wanted.macroId} onClose={() => wantedMacro.set(null)} />
      )}
    </Suspense>
  )
}
