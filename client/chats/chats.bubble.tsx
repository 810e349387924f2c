import { Trans, useLingui } from '@lingui/react/macro'
import { Check, Clock3, RotateCw, Trash2 } from 'lucide-react'
import { memo, useId } from 'react'
import { errorCodeText } from '../session/error-text.ts'
import { FormattedText } from '../kit/formatted-text.tsx'
import { dateText } from '../i18n/dates.ts'
import { hueOf } from '../ui/avatar-text.ts'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { Tooltip } from '../ui/tooltip.tsx'

export interface BubbleActions {
  retry: (entryId: string) => void
  discard: (entryId: string) => void
}

/** One message among colleagues. Plain values, so that it is drawn again only when it says something else. */
export const ChatBubble = memo(function ChatBubble({
  message,
  createdAt,
  own,
  sender,
  first,
  last,
  state,
  waitsForNetwork,
  entryId,
  errorCode,
  actions,
}: {
  message: string
  createdAt: number
  own: boolean
  sender: string
  first: boolean
  last: boolean
  /** How far an own message has come. */
  state: 'queued' | 'sending' | 'failed' | 'sent'
  waitsForNetwork: boolean
  entryId: string | null
  errorCode: string | null
  actions: BubbleActions
}) {
  const { i18n } = useLingui()
  const id = useId()
  return (
    <div
      role="article"
      aria-labelledby={id}
      className={cn('flex px-3 sm:px-5', own ? 'justify-end' : 'justify-start', first ? 'pt-2' : 'pt-0.5')}
    >
      <div
        id={id}
        className={cn(
          'relative min-w-0 max-w-[min(34rem,82%)] rounded-xl px-2.5 py-1.5 text-[0.8125rem] leading-[1.45] shadow-xs touch:text-[0.9375rem]',
          own ? 'bg-bubble-out' : 'bg-bubble-in',
          last && (own ? 'rounded-br-sm' : 'rounded-bl-sm'),
          state === 'failed' && 'ring-1 ring-destructive/45',
        )}
      >
        {own ? (
          <span className="sr-only">
            <Trans>Você:</Trans>{' '}
          </span>
        ) : (
          <p
            className={cn(
              'mb-0.5 truncate text-xs font-semibold text-[oklch(0.46_0.11_var(--hue))] dark:text-[oklch(0.8_0.09_var(--hue))]',
              !first && 'sr-only',
            )}
            style={{ '--hue': hueOf(sender) } as React.CSSProperties}
          >
            {sender}
          </p>
        )}
        <div dir="auto" className="relative [&:dir(rtl)]:pb-3.5">
          <FormattedText text={message} />
          {/* Keeps the last line free of the time, which lies in the corner. */}
          <span aria-hidden="true" className={cn('inline-block h-3', own ? 'w-15' : 'w-11')} />
          <span className="absolute right-0 bottom-0.5 flex items-center gap-1 text-[0.6875rem] leading-none text-muted-foreground select-none">
            <time dateTime={new Date(createdAt).toISOString()} className="tabular-nums">
              {dateText(i18n.locale, createdAt, 'time')}
            </time>
            {own && state !== 'failed' && <Mark sent={state === 'sent'} waitsForNetwork={waitsForNetwork} />}
          </span>
        </div>
        {state === 'failed' && entryId !== null && (
          <div
            role="alert"
            className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-0.5 border-t border-destructive/25 pt-1.5 text-xs text-destructive-soft-foreground"
          >
            <span className="min-w-0 flex-1">
              {errorCode?.startsWith('ERR_') ? errorCodeText(errorCode) : <Trans>A rede falhou.</Trans>}
            </span>
            <span className="flex">
              <Button variant="ghost" size="sm" className="h-6.5 touch:h-9" onClick={() => actions.retry(entryId)}>
                <RotateCw className="size-3.5" />
                <Trans>Reenviar</Trans>
              </Button>
              <Button
                variant="destructive-ghost"
                size="sm"
                className="h-6.5 touch:h-9"
                onClick={() => actions.discard(entryId)}
              >
                <Trash2 className="size-3.5" />
                <Trans>Descartar</Trans>
              </Button>
            </span>
          </div>
        )}
      </div>
    </div>
  )
})

function Mark({ sent, waitsForNetwork }: { sent: boolean; waitsForNetwork: boolean }) {
  const { t } = useLingui()
  const words = sent ? t`Enviada` : t`Na fila de envio`
  const Icon = sent ? Check : Clock3
  return (
    <Tooltip content={waitsForNetwork ? t`Sem rede: será enviada assim que ela voltar` : words} side="top">
      <Icon role="img" aria-label={words} className={sent ? 'size-3.5' : 'size-3'} />
    </Tooltip>
  )
}
