import { Trans } from '@lingui/react/macro'
import { Spinner } from '../ui/spinner.tsx'

export function ScreenPending() {
  return (
    <div role="status" className="flex h-full items-center justify-center text-muted-foreground">
      <Spinner className="size-5" />
      <span className="sr-only">
        <Trans>Carregando…</Trans>
      </span>
    </div>
  )
}
