import { Trans, useLingui } from '@lingui/react/macro'
import { Files } from 'lucide-react'
import { Suspense, useState } from 'react'
import { onDemand } from '../base/late.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogContent } from '../ui/dialog.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '../ui/popover.tsx'
import { Tooltip } from '../ui/tooltip.tsx'

const FileListChoice = onDemand(() => import('./files.choice.tsx'))

type OnFiles = (files: readonly File[], caption?: string) => void

/** Offers the files of a list to be sent; its message goes with the first. */
export function FileListsButton({ onFiles, onClosed }: { onFiles: OnFiles; onClosed: () => void }) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  const label = t`Enviar uma lista de arquivos`
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <Tooltip content={label}>
        <PopoverTrigger asChild>
          <Button variant="ghost" size="icon" aria-label={label} className="text-muted-foreground">
            <Files />
          </Button>
        </PopoverTrigger>
      </Tooltip>
      <PopoverContent
        align="start"
        side="top"
        aria-label={t`Listas de arquivos`}
        className="w-80 p-2"
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          onClosed()
        }}
      >
        <Choice onFiles={onFiles} onClose={() => setOpen(false)} />
      </PopoverContent>
    </Popover>
  )
}

/** The same on a phone, where there is no room for another button. */
export function FileListsDialog({ onFiles, onClose }: { onFiles: OnFiles; onClose: () => void }) {
  const { t } = useLingui()
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={t`Enviar uma lista de arquivos`} size="sm">
        <div className="px-5 pb-5">
          <Choice onFiles={onFiles} onClose={onClose} />
        </div>
      </DialogContent>
    </Dialog>
  )
}

function Choice({ onFiles, onClose }: { onFiles: OnFiles; onClose: () => void }) {
  return (
    <Suspense
      fallback={
        <p className="p-2 text-sm text-muted-foreground">
          <Trans>Carregando…</Trans>
        </p>
      }
    >
      <FileListChoice
        onChosen={([first, ...others], message) => {
          onClose()
          if (first) onFiles([first], message)
          if (others.length > 0) onFiles(others)
        }}
      />
    </Suspense>
  )
}
