import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogBody, DialogContent, DialogFooter } from '../ui/dialog.tsx'
import { CopyButton } from './copy-button.tsx'

/** A secret that the server tells this once: it can be copied, and the dialog goes only when it is closed. */
export function ShownOnce({
  title,
  text,
  children,
  onClose,
}: {
  title: ReactNode
  text: string
  children: ReactNode
  onClose: () => void
}) {
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={title} onInteractOutside={(event) => event.preventDefault()}>
        <DialogBody className="flex flex-col gap-3">
          <p className="text-sm text-muted-foreground">{children}</p>
          <code className="rounded-md bg-muted px-3 py-2 font-mono text-xs break-all select-all">{text}</code>
          <CopyButton text={text} className="self-start">
            <Trans>Copiar</Trans>
          </CopyButton>
        </DialogBody>
        <DialogFooter>
          <Button onClick={onClose}>
            <Trans>Já guardei</Trans>
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}
