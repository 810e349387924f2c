import { Trans, useLingui } from '@lingui/react/macro'
import { Check, ChevronLeft, ChevronRight, Paperclip, Pencil, Trash2, TriangleAlert } from 'lucide-react'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { narrowQuery, useMedia } from '../ui/use-media.ts'
import { useNow } from '../base/now.ts'
import { dateText } from '../i18n/dates.ts'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { PageCard } from '../ui/page.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '../ui/popover.tsx'
import { addMonths, dayKey, type Month, monthOf } from '../i18n/month.ts'
import type { Schedule } from './schedules.rows.ts'

/** A cell has room for so many; the others open from it. */
const mostInCell = 2

export interface Handling {
  /** False while nothing can be changed. */
  enabled: boolean
  edit: (schedule: Schedule) => void
  remove: (schedule: Schedule) => void
  nameOf: (schedule: Schedule) => string
  /** Its text, with what its variables say. */
  wordsOf: (schedule: Schedule) => string
}

/** Which month is shown, and the ways to others. */
export function MonthSwitch({ month, onChange }: { month: Month; onChange: (month: Month) => void }) {
  const { t, i18n } = useLingui()
  const name = dateText(i18n.locale, new Date(month.year, month.month, 1), 'month')
  return (
    <div className="flex min-w-0 items-center gap-1">
      <Button variant="ghost" size="icon" aria-label={t`Mês anterior`} onClick={() => onChange(addMonths(month, -1))}>
        <ChevronLeft />
      </Button>
      <h2 aria-live="polite" className="min-w-36 text-center text-sm font-semibold first-letter:uppercase">
        {name}
      </h2>
      <Button variant="ghost" size="icon" aria-label={t`Mês seguinte`} onClick={() => onChange(addMonths(month, 1))}>
        <ChevronRight />
      </Button>
      <Button variant="outline" size="sm" onClick={() => onChange(monthOf(Date.now()))}>
        <Trans>Hoje</Trans>
      </Button>
    </div>
  )
}

/** The schedules of a month on its days; on a phone, where seven columns have no room, day by day. */
export function Calendar({
  month,
  weeks,
  schedules,
  handling,
  card,
}: {
  month: Month
  /** Midnights, as `weeksOf` makes them. */
  weeks: readonly (readonly Date[])[]
  schedules: readonly Schedule[]
  handling: Handling
  /** One of them where there is room. */
  card: (schedule: Schedule) => ReactNode
}) {
  const { t, i18n } = useLingui()
  const narrow = useMedia(narrowQuery)
  const today = dayKey(useNow())
  const byDay = useMemo(() => {
    const days = new Map<string, Schedule[]>()
    for (const schedule of schedules.toSorted((a, b) => a.sendAt - b.sendAt)) {
      const key = dayKey(schedule.sendAt)
      days.set(key, [...(days.get(key) ?? []), schedule])
    }
    return days
  }, [schedules])

  if (narrow) {
    const days = weeks.flat().filter((day) => day.getMonth() === month.month && byDay.has(dayKey(day)))
    return (
      <div className="flex flex-col gap-5">
        {days.map((day) => (
          <section key={dayKey(day)} aria-labelledby={`day-${dayKey(day)}`} className="flex flex-col gap-2">
            <h3 id={`day-${dayKey(day)}`} className="text-xs font-medium text-muted-foreground first-letter:uppercase">
              {dayKey(day) === today && <Trans>Hoje,</Trans>} {dateText(i18n.locale, day, 'day')}
            </h3>
            <ul className="flex flex-col gap-2.5">
              {byDay.get(dayKey(day))!.map((schedule) => (
                <li key={schedule.id} className="rounded-xl border bg-card p-4 shadow-xs">
                  {card(schedule)}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    )
  }

  return (
    <PageCard>
      <table aria-label={t`Agendamentos do mês`} className="w-full table-fixed border-collapse">
        <thead>
          <tr>
            {weeks[0]!.map((day) => (
              <th
                key={day.getDay()}
                scope="col"
                className="h-9 border-b px-2 text-left text-xs font-medium text-muted-foreground"
              >
                <abbr title={dateText(i18n.locale, day, 'weekdayName')} className="no-underline">
                  {dateText(i18n.locale, day, 'weekday')}
                </abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={dayKey(week[0]!)} className="not-last:border-b">
              {week.map((day) => (
                <Day
                  key={dayKey(day)}
                  day={day}
                  outside={day.getMonth() !== month.month}
                  today={dayKey(day) === today}
                  schedules={byDay.get(dayKey(day)) ?? []}
                  handling={handling}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </PageCard>
  )
}

function Day({
  day,
  outside,
  today,
  schedules,
  handling,
}: {
  day: Date
  /** Of the month before or after. */
  outside: boolean
  today: boolean
  schedules: readonly Schedule[]
  handling: Handling
}) {
  const { t, i18n } = useLingui()
  const name = dateText(i18n.locale, day, 'day')
  // One more is shown rather than a line that says "one more".
  const shown = schedules.length <= mostInCell + 1 ? schedules : schedules.slice(0, mostInCell)
  const more = schedules.length - shown.length
  return (
    <td className={cn('h-28 border-l p-1 align-top first:border-l-0', outside && 'bg-muted/40')}>
      <time
        dateTime={dayKey(day)}
        aria-current={today ? 'date' : undefined}
        className={cn(
          'mb-1 flex size-6 items-center justify-center rounded-full text-xs tabular-nums',
          outside && 'text-muted-foreground',
          today && 'bg-primary font-semibold text-primary-foreground',
        )}
      >
        <span aria-hidden="true">{day.getDate()}</span>
        <span className="sr-only">{name}</span>
      </time>
      {schedules.length > 0 && (
        <ul className="flex flex-col gap-1">
          {shown.map((schedule) => (
            <Event key={schedule.id} schedule={schedule} handling={handling} />
          ))}
        </ul>
      )}
      {more > 0 && (
        <Popover>
          <PopoverTrigger asChild>
            <Button
              variant="ghost"
              size="sm"
              className="mt-1 h-6 w-full justify-start px-1.5 text-xs text-muted-foreground"
            >
              <Trans>mais {more}</Trans>
            </Button>
          </PopoverTrigger>
          <PopoverContent align="start" aria-label={t`Agendamentos de ${name}`} className="w-64 p-2">
            <p className="px-1 pb-2 text-xs font-medium text-muted-foreground first-letter:uppercase">{name}</p>
            <ul className="flex max-h-80 flex-col gap-1 overflow-y-auto">
              {schedules.map((schedule) => (
                <Event key={schedule.id} schedule={schedule} handling={handling} />
              ))}
            </ul>
          </PopoverContent>
        </Popover>
      )}
    </td>
  )
}

const looks = {
  PENDENTE: 'bg-primary-soft text-primary-soft-foreground',
  AGENDADA: 'bg-primary-soft text-primary-soft-foreground',
  ENVIADA: 'bg-secondary text-secondary-foreground',
  ERRO: 'bg-destructive-soft text-destructive-soft-foreground',
} as const

function Event({
  schedule,
  handling: { enabled, edit, remove, nameOf, wordsOf },
}: {
  schedule: Schedule
  handling: Handling
}) {
  const { t, i18n } = useLingui()
  const name = nameOf(schedule)
  const time = dateText(i18n.locale, schedule.sendAt, 'time')
  const button =
    'size-5 rounded-sm text-current opacity-70 hover:bg-transparent hover:text-current hover:opacity-100 [&_svg]:size-3.5'
  return (
    <li className={cn('rounded-md px-1.5 py-1 text-xs', looks[schedule.status])} title={wordsOf(schedule)}>
      <span className="flex items-center gap-1">
        <time dateTime={new Date(schedule.sendAt).toISOString()} className="tabular-nums">
          {time}
        </time>
        {/* In a shape what the ground says in colour. */}
        {schedule.status === 'ENVIADA' && <Check role="img" aria-label={t`Enviada`} className="size-3" />}
        {schedule.status === 'ERRO' && <TriangleAlert role="img" aria-label={t`Erro no envio`} className="size-3" />}
        {schedule.mediaName && <Paperclip role="img" aria-label={t`com arquivo`} className="size-3" />}
        <span className="flex-1" />
        {schedule.status !== 'ENVIADA' && (
          <Button
            variant="ghost"
            size="icon-sm"
            className={button}
            disabled={!enabled}
            aria-label={t`Editar o agendamento de ${name}, ${time}`}
            onClick={() => edit(schedule)}
          >
            <Pencil />
          </Button>
        )}
        <Button
          variant="ghost"
          size="icon-sm"
          className={button}
          disabled={!enabled}
          aria-label={t`Excluir o agendamento de ${name}, ${time}`}
          onClick={() => remove(schedule)}
        >
          <Trash2 />
        </Button>
      </span>
      <span className="block truncate font-medium">{name}</span>
    </li>
  )
}
