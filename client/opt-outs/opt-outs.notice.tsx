import { Trans, useLingui } from '@lingui/react/macro'
import { Ban } from 'lucide-react'
import { useState } from 'react'
import { perform } from '../session/perform.ts'
import { useReplica } from '../replica/replica.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/alert-dialog.tsx'
import { toast } from '../ui/toaster.tsx'
import { useOptedOut } from './opt-outs.queries.ts'

interface Of {
  ticketId: number
  contactId: number
  isGroup: boolean
}

/** Warns whoever writes; they are not stopped. */
export function OptedOutNotice({ contactId, isGroup }: Omit<Of, 'ticketId'>) {
  if (useOptedOut(contactId, isGroup) !== true) return null
  return (
    <p
      role="status"
      className="mx-3 mb-2 flex items-center gap-2 rounded-lg bg-warning-soft px-3 py-1.5 text-xs text-warning-soft-foreground"
    >
      <Ban className="size-3.5 shrink-0" aria-hidden="true" />
      <Trans>Este contato pediu para não receber divulgação.</Trans>
    </p>
  )
}

/** In the contact's panel: that they want no messages to many, or the way to note it. Also without a network. */
export function OptOutLine({ ticketId, contactId, isGroup }: Of) {
  const { t } = useLingui()
  const replica = useReplica()
  const isOut = useOptedOut(contactId, isGroup)
  const [asking, setAsking] = useState(false)
  if (isGroup) return null
  if (isOut)
    return (
      <p className="mt-1 flex items-center gap-1.5 text-xs text-warning-soft-foreground">
        <Ban className="size-3.5" aria-hidden="true" />
        <Trans>Não recebe divulgação</Trans>
      </p>
    )
  return (
    <>
      <Button variant="ghost" size="sm" className="text-muted-foreground" onClick={() => setAsking(true)}>
        <Ban className="size-3.5" />
        <Trans>Registrar descadastro</Trans>
      </Button>
      {asking && (
        <ConfirmDialog
          open
          onOpenChange={setAsking}
          title={t`Registrar descadastro?`}
          confirmLabel={t`Registrar`}
          onConfirm={async () => {
            if (await perform(replica, 'optOuts.note', { ticketId })) toast.success(t`Descadastro registrado`)
          }}
        >
          <Trans>O contato deixa de receber campanhas e mensagens em massa. As conversas continuam.</Trans>
        </ConfirmDialog>
      )}
    </>
  )
}
