import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { Timer, TimerOff } from 'lucide-react'
import { useNow } from '../base/now.ts'
import { dateText } from '../i18n/dates.ts'
import { useSlaWords } from '../sla-policies/sla-policies.words.ts'
import { cn } from '../ui/cn.ts'
import { dueIn } from './tickets.due-in.ts'
import type { TicketRow } from './tickets.rows.ts'

const tones = {
  calm: 'text-muted-foreground',
  risk: 'text-warning-soft-foreground',
  late: 'text-destructive-soft-foreground',
}

/** What is left of the nearest promise of a ticket, or how late it is; nothing where nothing is promised. */
export default function DueChip({ ticket }: { ticket: Pick<TicketRow, 'nextDueAt' | 'nextRiskAt' | 'nextDueMetric'> }) {
  const { t, i18n } = useLingui()
  const now = useNow()
  const { metrics } = useSlaWords()
  const { nextDueAt, nextRiskAt, nextDueMetric } = ticket
  if (nextDueAt === null || nextDueMetric === null) return null
  const { tone, unit, count } = dueIn(nextDueAt, nextRiskAt, now)
  const metric = metrics[nextDueMetric]
  const when = dateText(i18n.locale, nextDueAt, 'moment')
  const Icon = tone === 'late' ? TimerOff : Timer
  const span = {
    minutes: plural(count, { one: '# min', other: '# min' }),
    hours: plural(count, { one: '# h', other: '# h' }),
    days: plural(count, { one: '# dia', other: '# dias' }),
  }[unit]
  return (
    <span
      title={t`${metric} até ${when}`}
      className={cn('inline-flex shrink-0 items-center gap-0.5 font-medium tabular-nums', tones[tone])}
    >
      <Icon aria-hidden="true" className="size-3" />
      <span className="sr-only">{tone === 'late' ? t`${metric}: prazo vencido há` : t`${metric}: prazo em`} </span>
      <span>
        {tone === 'late' && <span aria-hidden="true">−</span>}
        {span}
      </span>
    </span>
  )
}
