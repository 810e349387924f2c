import { Trans, useLingui } from '@lingui/react/macro'
import type { MissingProps } from '../base/late.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogBody, DialogClose, DialogContent, DialogFooter } from '../ui/dialog.tsx'
import { ErrorState } from '../ui/error-state.tsx'

/** In the place of a dialog, or of a part of the screen, that could not be fetched. */
export default function PartFailed({ onRetry, onClose }: MissingProps) {
  const { t } = useLingui()
  const said = (
    <Trans>Esta parte não chegou: a conexão caiu, ou há uma versão nova. Se não vier, recarregue a página.</Trans>
  )
  if (!onClose) return <ErrorState onRetry={onRetry}>{said}</ErrorState>
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={t`Não foi possível abrir`} size="sm">
        <DialogBody>
          <p role="alert" className="text-sm text-muted-foreground">
            {said}
          </p>
        </DialogBody>
        <DialogFooter>
          <DialogClose asChild>
            <Button variant="outline">
              <Trans>Fechar</Trans>
            </Button>
          </DialogClose>
          <Button onClick={onRetry} data-autofocus>
            <Trans>Tentar de novo</Trans>
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}
