import { Trans } from '@lingui/react/macro'
import { CloudOff } from 'lucide-react'
import { Button } from './button.tsx'
import { Spinner } from './spinner.tsx'

/** What stands before the oldest message while more may come: that it is coming, or why not. */
export function OlderMessages({ state, onRetry }: { state: 'loading' | 'offline' | 'failed'; onRetry: () => void }) {
  switch (state) {
    case 'loading':
      return (
        <>
          <Spinner className="size-3.5" />
          <Trans>Buscando mensagens anteriores…</Trans>
        </>
      )
    case 'offline':
      return (
        <>
          <CloudOff aria-hidden="true" className="size-3.5" />
          <Trans>Mensagens anteriores, só com rede</Trans>
        </>
      )
    case 'failed':
      return (
        <Button variant="link" size="sm" onClick={onRetry}>
          <Trans>Não foi possível buscar as anteriores. Tentar de novo</Trans>
        </Button>
      )
  }
}
