import { Trans, useLingui } from '@lingui/react/macro'
import { Clock } from 'lucide-react'
import { useNow } from '../base/now.ts'
import { clockText, useSecondsLeft } from '../base/seconds-left.ts'
import { dateText } from '../i18n/dates.ts'
import { cn } from '../ui/cn.ts'
import type { TalkWindow } from './messages.window.ts'

/** Above the field: how long one may still write; by the second where that is less than an hour. */
export function WindowClock({ until, isEnding }: Extract<TalkWindow, { is: 'open' }>) {
  const { i18n } = useLingui()
  const left = useSecondsLeft(isEnding ? until.getTime() : null)
  const isToday = until.toDateString() === new Date(useNow()).toDateString()
  const end = isToday ? dateText(i18n.locale, until, 'time') : dateText(i18n.locale, until, 'dayMonth', 'time')
  const clock = left === null ? '' : clockText(left)
  return (
    <p
      className={cn(
        'flex items-center gap-1.5 px-2 pb-1.5 text-xs tabular-nums',
        left === null ? 'text-muted-foreground' : 'font-medium text-warning-soft-foreground',
      )}
    >
      <Clock aria-hidden="true" className="size-3.5 shrink-0" />
      <time dateTime={until.toISOString()}>
        {left === null ? <Trans>Pode escrever até {end}</Trans> : <Trans>Pode escrever por mais {clock}</Trans>}
      </time>
    </p>
  )
}
