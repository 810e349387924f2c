import { Trans, useLingui } from '@lingui/react/macro'
import { Paperclip, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { fileSize } from './file-size.ts'
import { Button } from '../ui/button.tsx'

/** The one file of a row in its form: the one it has, or the one that was chosen and waits to be sent with the rest. */
export interface OwnFileState {
  chosen: File | null
  /** Of the one that the row has, unless it was taken off. */
  keptName: string | null
  choose: (file: File | null) => void
  keep: (name: string | null) => void
  /** Sends what has changed, once the row is stored. */
  save: (calls: { attach: (file: File) => Promise<unknown>; detach: () => Promise<unknown> }) => Promise<void>
}

/** @param name of the file that the row has */
export function useOwnFile(name: string | null): OwnFileState {
  const [chosen, choose] = useState<File | null>(null)
  const [keptName, keep] = useState(name)
  return {
    ...{ chosen, keptName, choose, keep },
    save: async ({ attach, detach }) => {
      if (chosen) await attach(chosen)
      else if (name !== null && keptName === null) await detach()
    },
  }
}

/** Attaches a file, shows which one is attached, and takes it off. */
export function FileField({ file, testId }: { file: OwnFileState; testId: string }) {
  const { t, i18n } = useLingui()
  const picker = useRef<HTMLInputElement>(null)
  const { chosen, keptName } = file
  return (
    <>
      {chosen || keptName !== null ? (
        <p className="flex items-center gap-2 rounded-md bg-muted px-2.5 py-1.5 text-sm">
          <Paperclip aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
          <span className="min-w-0 flex-1 truncate">{chosen?.name ?? keptName}</span>
          {chosen && (
            <span className="text-xs text-muted-foreground tabular-nums">{fileSize(chosen.size, i18n.locale)}</span>
          )}
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={t`Retirar o arquivo`}
            onClick={() => (chosen ? file.choose(null) : file.keep(null))}
          >
            <X />
          </Button>
        </p>
      ) : (
        <div>
          <Button variant="outline" onClick={() => picker.current?.click()}>
            <Paperclip />
            <Trans>Anexar arquivo</Trans>
          </Button>
        </div>
      )}
      <input
        ref={picker}
        type="file"
        hidden
        data-testid={testId}
        onChange={(event) => {
          const next = event.target.files?.[0]
          event.target.value = ''
          if (next) file.choose(next)
        }}
      />
    </>
  )
}
