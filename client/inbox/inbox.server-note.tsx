import { Trans } from '@lingui/react/macro'
import { CloudOff } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { Spinner } from '../ui/spinner.tsx'

/** What the server still has to say about the list above. */
export function ServerNote({
  online,
  loading,
  failed,
  onRetry,
}: {
  online: boolean
  loading: boolean
  failed: boolean
  onRetry: () => void
}) {
  if (online && !loading && !failed) return null
  return (
    <p className="flex min-h-9 shrink-0 items-center justify-center gap-2 border-t px-3 py-1.5 text-xs text-muted-foreground">
      {!online ? (
        <>
          <CloudOff aria-hidden="true" className="size-3.5" />
          <Trans>Sem rede: só o que está neste navegador</Trans>
        </>
      ) : loading ? (
        <>
          <Spinner className="size-3.5" />
          <Trans>Buscando no servidor…</Trans>
        </>
      ) : (
        <>
          <Trans>O servidor não respondeu.</Trans>
          <Button variant="link" size="sm" onClick={onRetry}>
            <Trans>Tentar de novo</Trans>
          </Button>
        </>
      )}
    </p>
  )
}
