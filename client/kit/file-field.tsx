import { Trans, useLingui } from '@lingui/react/macro'
import { ImagePlus, Paperclip, X } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { toast } from '../ui/toaster.tsx'
import { fileSize } from './file-size.ts'

/** The one file of a row in its form: the one it has, or the one that was chosen and waits to be sent with the rest. */
export interface OwnFileState {
  chosen: File | null
  /** Of the one that the row has, unless it was taken off. */
  keptName: string | null
  /** Whether saving takes off the one that the row has. */
  dropped: boolean
  choose: (file: File) => void
  /** Takes off the chosen one, and after it the one that the row has. */
  takeOff: () => void
  /** Sends what has changed, once the row is stored. */
  save: (calls: { attach: (file: File) => Promise<unknown>; detach: () => Promise<unknown> }) => Promise<void>
}

/** @param name of the file that the row has; it may come while the form is open */
export function useOwnFile(name: string | null): OwnFileState {
  const [chosen, choose] = useState<File | null>(null)
  const [isTakenOff, setTakenOff] = useState(false)
  // An attempt at saving that failed later has left its file.
  const [isSent, setSent] = useState(false)
  const keptName = isTakenOff ? null : name
  const dropped = chosen === null && (isSent || (name !== null && isTakenOff))
  return {
    ...{ chosen, keptName, dropped, choose },
    takeOff: () => (chosen ? choose(null) : setTakenOff(true)),
    save: async ({ attach, detach }) => {
      if (chosen) {
        setSent(true)
        await attach(chosen)
      } else if (dropped) await detach()
    },
  }
}

/** Attaches a file, shows which one is attached, and takes it off. */
export function FileField({
  file,
  testId,
  kind = 'file',
  accept,
  refuse,
  disabled = false,
  fixed = false,
  beside,
}: {
  file: OwnFileState
  testId: string
  kind?: 'file' | 'image'
  /** As an input of the browser has it. */
  accept?: string
  /** Why a chosen file cannot be taken, in the words of the screen. */
  refuse?: (file: File) => string | null
  /** No file can be chosen now. */
  disabled?: boolean
  /** Nor can the one that the row has be taken off. */
  fixed?: boolean
  /** Another way to a file, or a word on it; stands beside the button. */
  beside?: ReactNode
}) {
  const { t, i18n } = useLingui()
  const picker = useRef<HTMLInputElement>(null)
  const { chosen, keptName } = file
  const Icon = kind === 'image' ? ImagePlus : Paperclip
  return (
    <>
      {chosen || keptName !== null ? (
        <p className="flex items-center gap-2 rounded-md bg-muted px-2.5 py-1.5 text-sm">
          <Icon aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
          <span className="min-w-0 flex-1 truncate">{chosen?.name ?? keptName}</span>
          {chosen && (
            <span className="text-xs text-muted-foreground tabular-nums">{fileSize(chosen.size, i18n.locale)}</span>
          )}
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={kind === 'image' ? t`Retirar a imagem` : t`Retirar o arquivo`}
            disabled={fixed && !chosen}
            onClick={file.takeOff}
          >
            <X />
          </Button>
        </p>
      ) : (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <Button variant="outline" disabled={disabled} onClick={() => picker.current?.click()}>
            <Icon />
            {kind === 'image' ? <Trans>Anexar imagem</Trans> : <Trans>Anexar arquivo</Trans>}
          </Button>
          {beside}
        </div>
      )}
      <input
        ref={picker}
        type="file"
        hidden
        accept={accept}
        data-testid={testId}
        onChange={(event) => {
          const next = event.target.files?.[0]
          event.target.value = ''
          if (!next) return
          const problem = refuse?.(next)
          if (problem) toast.error(problem)
          else file.choose(next)
        }}
      />
    </>
  )
}
