import { Trans } from '@lingui/react/macro'
import { Hourglass, Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { whenText } from '../session/moment-text.ts'
import { cn } from '../ui/cn.ts'

/** Stands where one would write, and says why one cannot. */
export function Closed({
  state,
  action,
}: {
  state: 'pending' | 'closed' | 'merged' | 'colleague' | 'no-connection'
  action: ReactNode
}) {
  return (
    <div
      className={cn(
        'flex min-h-13 items-center gap-3 border-t bg-card px-4 py-2.5 text-sm text-muted-foreground',
        // Two buttons stand beside it.
        state === 'merged' && 'max-sm:flex-wrap max-sm:justify-end',
      )}
    >
      <Lock aria-hidden="true" className="size-4 shrink-0" />
      <p className={cn('min-w-0 flex-1', state === 'merged' && 'max-sm:basis-[calc(100%-2rem)]')}>
        {state === 'pending' && <Trans>Aceite o atendimento para escrever.</Trans>}
        {state === 'closed' && <Trans>Este atendimento foi resolvido. Reabra-o para escrever.</Trans>}
        {state === 'merged' && <Trans>A conversa continua em outro atendimento deste contato.</Trans>}
        {state === 'colleague' && (
          <Trans>Outro atendente cuida deste atendimento. Para escrever, peça que ele o transfira a você.</Trans>
        )}
        {state === 'no-connection' && (
          <Trans>A conexão deste atendimento foi excluída. Transfira-o para outra conexão para escrever.</Trans>
        )}
      </p>
      {action}
    </div>
  )
}

/** Stands there while the contact has to write first: `since` when; null where they have not lately, as far as is known. */
export function ClosedWindow({ since, action }: { since: Date | null; action: ReactNode }) {
  const when = since && whenText(since)
  return (
    <div
      role="status"
      className="flex min-h-13 items-center gap-3 border-t bg-card px-4 py-2.5 text-sm text-muted-foreground max-sm:flex-wrap"
    >
      <Hourglass aria-hidden="true" className="size-4 shrink-0" />
      <p className="min-w-0 flex-1 max-sm:basis-[calc(100%-2rem)]">
        {when ? (
          <Trans>O prazo para responder por este número terminou {when}.</Trans>
        ) : (
          <Trans>O contato não escreveu a este número nas últimas 24 horas, e só então pode receber mensagens.</Trans>
        )}{' '}
        <Trans>
          Até que ele escreva de novo, só se pode enviar um modelo de mensagem. Quando escrever, o campo volta na hora.
        </Trans>
      </p>
      {action}
    </div>
  )
}
