import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Clock } from 'lucide-react'
import { useNow } from '../base/now.ts'
import { dateText } from '../i18n/dates.ts'
import { cn } from '../ui/cn.ts'
import type { TalkWindow } from './messages.window.ts'

/** Above the field: how long one may still write. */
export function WindowClock({ until, minutes }: Extract<TalkWindow, { is: 'open' }>) {
  const { i18n } = useLingui()
  const isToday = until.toDateString() === new Date(useNow()).toDateString()
  const end = isToday ? dateText(i18n.locale, until, 'time') : dateText(i18n.locale, until, 'dayMonth', 'time')
  return (
    <p
      className={cn(
        'flex items-center gap-1.5 px-2 pb-1.5 text-xs tabular-nums',
        minutes === null ? 'text-muted-foreground' : 'font-medium text-warning-soft-foreground',
      )}
    >
      <Clock aria-hidden="true" className="size-3.5 shrink-0" />
      <time dateTime={until.toISOString()}>
        {minutes === null ? (
          <Trans>Pode escrever até {end}</Trans>
        ) : minutes === 0 ? (
          <Trans>Pode escrever por menos de um minuto</Trans>
        ) : (
          <Plural value={minutes} one="Pode escrever por mais # minuto" other="Pode escrever por mais # minutos" />
        )}
      </time>
    </p>
  )
}
