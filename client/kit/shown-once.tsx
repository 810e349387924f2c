import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogBody, DialogContent, DialogFooter } from '../ui/dialog.tsx'
import { CopyButton } from './copy-button.tsx'

/** A secret that the server tells this once: it can be copied, and goes only when somebody says that it is kept. */
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
  const stays = (event: Event) => event.preventDefault()
  return (
    <Dialog open>
      <DialogContent title={title} closable={false} onInteractOutside={stays} onEscapeKeyDown={stays}>
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
