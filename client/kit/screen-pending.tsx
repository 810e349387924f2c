import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Spinner } from '../ui/spinner.tsx'

/** In the place of a screen, or of a pane, that is on its way; `children` say what comes. */
export function ScreenPending({ children = <Trans>Carregando…</Trans> }: { children?: ReactNode }) {
  return (
    <div role="status" className="flex h-full items-center justify-center text-muted-foreground">
      <Spinner className="size-5" />
      <span className="sr-only">{children}</span>
    </div>
  )
}
