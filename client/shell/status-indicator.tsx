import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { CloudOff, CloudUpload, LoaderCircle, TriangleAlert, Wifi } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { Popover, PopoverContent, PopoverTrigger } from '../ui/popover.tsx'
import { useConnectionState } from '../session/connection-state.ts'
import type { ConnectionState } from '../session/connection-state.ts'
import { OutboxPanel } from './outbox-panel.tsx'
import { useSyncStatus } from '../replica/sync-status.ts'

/** A connection that is lost for a moment is nobody's business. */
const graceMs = 1500

function useSettledConnection(): ConnectionState {
  const now = useConnectionState()
  const [shown, setShown] = useState<ConnectionState>(now === 'connecting' ? 'online' : now)
  useEffect(() => {
    if (now !== 'connecting') {
      setShown(now)
      return
    }
    const timer = setTimeout(() => setShown('connecting'), graceMs)
    return () => clearTimeout(timer)
  }, [now])
  return shown
}

/** How the connection stands and what waits to be sent; silent words while all is well. */
export default function StatusIndicator() {
  const { t } = useLingui()
  const connection = useSettledConnection()
  const { online, syncing, pending, failed } = useSyncStatus()
  const state: ConnectionState = connection === 'online' && !online ? 'connecting' : connection

  const looks: Record<ConnectionState, { icon: ReactNode; text: string; tone: string }> = {
    online: { icon: <Wifi />, text: t`Conectado`, tone: 'text-muted-foreground' },
    connecting: {
      icon: <LoaderCircle className="animate-spin" />,
      text: t`Reconectando…`,
      tone: 'bg-warning-soft text-warning-soft-foreground hover:bg-warning-soft',
    },
    offline: {
      icon: <CloudOff />,
      text: t`Sem conexão`,
      tone: 'bg-warning-soft text-warning-soft-foreground hover:bg-warning-soft',
    },
  }
  const look = looks[state]
  const busy = state === 'online' && syncing
  return (
    <div className="flex items-center gap-1">
      <Popover>
        <PopoverTrigger asChild>
          <Button
            variant="ghost"
            size={state === 'online' ? 'icon' : 'md'}
            aria-label={look.text}
            aria-busy={busy || undefined}
            className={cn(look.tone, state !== 'online' && 'max-sm:size-11 max-sm:px-0')}
          >
            {/* Still at first: whatever moves has every frame put together, beside the database that opens. */}
            {busy ? <LoaderCircle className="animate-spin [animation-delay:2s]" /> : look.icon}
            {state !== 'online' && <span className="max-sm:sr-only">{look.text}</span>}
          </Button>
        </PopoverTrigger>
        <PopoverContent align="end" className="text-sm">
          <p className="font-medium">{busy ? <Trans>Sincronizando…</Trans> : look.text}</p>
          <p className="mt-0.5 text-muted-foreground">
            {busy ? (
              <Trans>O que já aparece pode ser usado; o resto ainda está a caminho.</Trans>
            ) : state === 'online' ? (
              <Trans>Tudo o que chega aparece na hora.</Trans>
            ) : (
              <Trans>
                Você pode continuar a ler e a responder. O que escrever é enviado assim que a conexão voltar.
              </Trans>
            )}
          </p>
        </PopoverContent>
      </Popover>
      {pending + failed > 0 && (
        <Popover>
          <PopoverTrigger asChild>
            <Button
              variant="ghost"
              className={cn(
                'tabular-nums touch:px-2.5',
                failed > 0
                  ? 'bg-destructive-soft text-destructive-soft-foreground hover:bg-destructive-soft'
                  : 'bg-info-soft text-info-soft-foreground hover:bg-info-soft',
              )}
            >
              {failed > 0 ? <TriangleAlert /> : <CloudUpload />}
              <span aria-hidden="true" className="sm:hidden">
                {failed > 0 ? failed : pending}
              </span>
              <span className="max-sm:sr-only">
                {failed > 0 ? (
                  <Plural value={failed} one="# não enviada" other="# não enviadas" />
                ) : (
                  <Plural value={pending} one="# à espera de envio" other="# à espera de envio" />
                )}
              </span>
            </Button>
          </PopoverTrigger>
          <PopoverContent align="end" className="w-88 text-sm">
            <OutboxPanel />
          </PopoverContent>
        </Popover>
      )}
      {/* Spoken once for every change, without moving the focus. */}
      <span role="status" className="sr-only">
        {state === 'online' ? '' : look.text}
      </span>
    </div>
  )
}
