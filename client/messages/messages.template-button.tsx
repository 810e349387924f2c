import { Trans } from '@lingui/react/macro'
import { LayoutTemplate } from 'lucide-react'
import { useState } from 'react'
import { hasWindow } from '../../schema/whatsapps/whatsapps.providers.ts'
import { late } from '../base/late.tsx'
import { useConnections } from '../replica/directory.ts'
import type { TicketRow } from '../tickets/tickets.rows.ts'
import { Button } from '../ui/button.tsx'

export const TemplateDialog = late(() => import('../templates/templates.send-dialog.tsx'))

/** Whether the conversation's connection has message templates, as far as that is known. */
export function useHasTemplates({ whatsappId }: TicketRow): boolean {
  const { byId } = useConnections()
  return whatsappId !== null && hasWindow(byId.get(whatsappId)?.provider)
}

/** Stands where one cannot write otherwise. */
export function TemplateButton({ ticket }: { ticket: TicketRow }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <LayoutTemplate />
        <Trans>Enviar modelo</Trans>
      </Button>
      {open && <TemplateDialog ticket={ticket} onClose={() => setOpen(false)} />}
    </>
  )
}
