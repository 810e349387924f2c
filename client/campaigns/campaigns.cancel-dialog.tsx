import { Trans, useLingui } from '@lingui/react/macro'
import { succeeds } from '../kit/row-actions.tsx'
import { ConfirmDialog } from '../ui/alert-dialog.tsx'
import { campaigns } from './campaigns.queries.ts'
import type { Campaign } from './campaigns.queries.ts'

/**
 * Asks before a campaign is cancelled that waits for its date, which it then never gets back. One that has begun is
 * cancelled at once: each second is a message, and to restart it takes up what was left.
 */
export function CancelDialog({
  campaign: { id, name },
  onClose,
  onCancelled,
}: {
  campaign: Campaign
  onClose: () => void
  onCancelled: () => void
}) {
  const { t } = useLingui()
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      destructive
      title={<Trans>Cancelar a campanha {name}?</Trans>}
      confirmLabel={<Trans>Cancelar campanha</Trans>}
      cancelLabel={<Trans>Voltar</Trans>}
      onConfirm={() => succeeds(() => campaigns.move(id, 'cancel'), t`Campanha cancelada`, onCancelled)}
    >
      <p>
        <Trans>
          Ela não começa mais na data marcada, e a data não pode ser mudada depois. Reiniciar começa o envio na hora.
        </Trans>
      </p>
    </ConfirmDialog>
  )
}
