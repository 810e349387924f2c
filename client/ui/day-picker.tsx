import { Trans, useLingui } from '@lingui/react/macro'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { dateText, firstDayOf } from '../i18n/dates.ts'
import { addMonths, dayKey, monthOf, weeksOf } from '../i18n/month.ts'
import { Button } from './button.tsx'
import { cn } from './cn.ts'

const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/** A day of a month's page, in the language of the screens. Arrows go from day to day, Page Up and Down from month to month. */
export function DayPicker({
  value,
  min,
  max,
  onPick,
}: {
  /** `YYYY-MM-DD`, or empty. */
  value: string
  min?: string | undefined
  max?: string | undefined
  onPick: (day: string) => void
}) {
  const { t, i18n } = useLingui()
  const [at, setAt] = useState(() => (value ? new Date(`${value}T00:00`) : new Date()))
  const grid = useRef<HTMLTableElement>(null)
  // The day where the keys are has the focus, at first and wherever they go; who turns pages keeps it on the button.
  const [byKeys, setByKeys] = useState(true)
  const month = monthOf(at.getTime())
  const weeks = weeksOf(month, firstDayOf(i18n.locale))
  const [today] = useState(() => dayKey(Date.now()))
  const here = dayKey(at)
  useEffect(() => {
    if (byKeys) grid.current?.querySelector<HTMLElement>(`[data-day="${here}"]`)?.focus()
  }, [here, byKeys])

  const turn = (months: number) => {
    const { year, month: index } = addMonths(month, months)
    const last = new Date(year, index + 1, 0).getDate()
    setAt(new Date(year, index, Math.min(at.getDate(), last)))
  }
  const press = (event: KeyboardEvent) => {
    const step = steps[event.key]
    const page = event.key === 'PageUp' ? -1 : event.key === 'PageDown' ? 1 : 0
    if (step === undefined && page === 0) return
    event.preventDefault()
    setByKeys(true)
    if (step === undefined) turn(page)
    else setAt(new Date(at.getFullYear(), at.getMonth(), at.getDate() + step))
  }
  const outside = (day: string) => (min !== undefined && day < min) || (max !== undefined && day > max)
  const page = (label: string, months: number) => (
    <Button
      variant="ghost"
      size="icon-sm"
      aria-label={label}
      onClick={() => {
        setByKeys(false)
        turn(months)
      }}
    >
      {months < 0 ? <ChevronLeft /> : <ChevronRight />}
    </Button>
  )
  const name = dateText(i18n.locale, at, 'month')
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center justify-between">
        {page(t`Mês anterior`, -1)}
        <span aria-live="polite" className="text-sm font-medium first-letter:uppercase">
          {name}
        </span>
        {page(t`Mês seguinte`, 1)}
      </div>
      <table ref={grid} aria-label={name} className="border-collapse" onKeyDown={press}>
        <thead>
          <tr>
            {weeks[0]!.map((day) => (
              <th key={day.getDay()} scope="col" className="size-8 text-xs font-medium text-muted-foreground">
                <abbr title={dateText(i18n.locale, day, 'weekdayName')} className="no-underline">
                  {dateText(i18n.locale, day, 'weekday')}
                </abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={dayKey(week[0]!)}>
              {week.map((date) => {
                const day = dayKey(date)
                return (
                  <td key={day} className="p-0">
                    <button
                      type="button"
                      data-day={day}
                      tabIndex={day === here ? 0 : -1}
                      disabled={outside(day)}
                      aria-label={dateText(i18n.locale, date, 'day')}
                      aria-pressed={day === value}
                      aria-current={day === today ? 'date' : undefined}
                      onClick={() => onPick(day)}
                      className={cn(
                        'focus-ring flex size-8 items-center justify-center rounded-md text-sm tabular-nums hover:bg-accent disabled:pointer-events-none disabled:opacity-40',
                        date.getMonth() !== month.month && 'text-muted-foreground',
                        day === today && 'font-semibold text-primary-soft-foreground',
                        day === value && 'bg-primary text-primary-foreground hover:bg-primary',
                      )}
                    >
                      {date.getDate()}
                    </button>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <Button variant="outline" size="sm" disabled={outside(today)} onClick={() => onPick(today)}>
        <Trans>Hoje</Trans>
      </Button>
    </div>
  )
}
