import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { TriangleAlert } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useConnectionState } from '../session/connection-state.ts'
import { emitEvent, onConnect } from '../session/events.ts'
import { usePrincipal } from '../session/session.tsx'
import { useCompanyEvent } from '../session/use-event.ts'
import { afterPaint } from '../base/after-paint.ts'
import { Avatar } from '../ui/avatar.tsx'
import { cn } from '../ui/cn.ts'
import { Tooltip } from '../ui/tooltip.tsx'

export interface Viewer {
  userId: number
  name: string
  typing: boolean
}

/** The server forgets who has not said for a while that they still look. */
const repeatMs = 30_000
const nobody: readonly Viewer[] = []

/**
 * Tells the server that this person has the ticket before them, and hears which colleagues do. A window that is out
 * of sight looks at nothing.
 */
export function useViewers(ticketId: number, enabled: boolean): readonly Viewer[] {
  const { userId } = usePrincipal()
  const connected = useConnectionState() === 'online'
  const [received, setReceived] = useState<{ ticketId: number; viewers: readonly Viewer[] }>({
    ticketId,
    viewers: nobody,
  })

  useEffect(() => {
    if (!enabled) return
    const look = () => {
      if (!document.hidden) emitEvent('viewing', { ticketId })
    }
    const onVisibility = () => (document.hidden ? emitEvent('viewing', { ticketId: null }) : look())
    // The conversation comes first: React runs the effects of a click before its frame.
    const callOff = afterPaint(look)
    const timer = setInterval(look, repeatMs)
    const stop = onConnect(look)
    document.addEventListener('visibilitychange', onVisibility)
    return () => {
      callOff()
      clearInterval(timer)
      stop()
      document.removeEventListener('visibilitychange', onVisibility)
      afterPaint(() => emitEvent('viewing', { ticketId: null }))
    }
  }, [ticketId, enabled])

  useCompanyEvent('viewers', (data) => {
    const said = data as { ticketId?: number; viewers?: Viewer[] } | null
    if (said?.ticketId === ticketId && said.viewers) setReceived({ ticketId, viewers: said.viewers })
  })
  return useMemo(
    () =>
      // What was heard before the connection was lost says nothing about now.
      connected && received.ticketId === ticketId
        ? received.viewers.filter((viewer) => viewer.userId !== userId)
        : nobody,
    [connected, received, ticketId, userId],
  )
}

const mostAvatars = 3

/** Colleagues who look at the same ticket, in its header. */
export function ViewerAvatars({ viewers }: { viewers: readonly Viewer[] }) {
  const { t } = useLingui()
  const more = viewers.length - mostAvatars
  const first = viewers[0]
  return (
    <div role="status" aria-label={t`Quem está aqui`} className="flex min-w-0 shrink-0 items-center gap-1.5">
      {first && (
        <>
          <span className="flex -space-x-1.5">
            {viewers.slice(0, mostAvatars).map(({ userId, name, typing }) => (
              <Tooltip key={userId} content={typing ? t`${name} está escrevendo…` : t`${name} está vendo`}>
                <span className={cn('rounded-full ring-2', typing ? 'ring-warning' : 'ring-card')}>
                  <Avatar name={name} size="sm" />
                </span>
              </Tooltip>
            ))}
          </span>
          {more > 0 && <span className="text-xs text-muted-foreground tabular-nums">+{more}</span>}
          <span className="truncate text-xs text-muted-foreground @max-3xl:sr-only">
            <ViewersText viewers={viewers} />
          </span>
        </>
      )}
    </div>
  )
}

function ViewersText({ viewers }: { viewers: readonly Viewer[] }) {
  const name = (viewers.find(({ typing }) => typing) ?? viewers[0])?.name
  if (viewers.some(({ typing }) => typing)) return <Trans>{name} está escrevendo…</Trans>
  if (viewers.length === 1) return <Trans>{name} está vendo</Trans>
  return <Plural value={viewers.length} one="# colega está vendo" other="# colegas estão vendo" />
}

/** Above the field: somebody else is answering at this moment. */
export function TypingWarning({ viewers }: { viewers: readonly Viewer[] }) {
  const typing = viewers.filter((viewer) => viewer.typing)
  const name = typing[0]?.name
  return (
    <div role="status">
      {typing.length > 0 && (
        <p className="flex items-center gap-2 border-t bg-warning-soft px-4 py-1.5 text-xs text-warning-soft-foreground">
          <TriangleAlert aria-hidden="true" className="size-3.5 shrink-0" />
          {typing.length === 1 ? (
            <Trans>{name} está escrevendo uma resposta neste atendimento.</Trans>
          ) : (
            <Plural
              value={typing.length}
              one="# colega está escrevendo uma resposta neste atendimento."
              other="# colegas estão escrevendo uma resposta neste atendimento."
            />
          )}
        </p>
      )}
    </div>
  )
}
