import { Trans, useLingui } from '@lingui/react/macro'
import { Plus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useController } from 'react-hook-form'
import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { weekdays } from '../../schema/hours/hours.open.ts'
import type { ScheduleEntry, Weekday } from '../../schema/hours/hours.open.ts'
import { useUser } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { Input } from '../ui/input.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { clockTime } from '../../schema/hours/hours.inputs.ts'
import { dayMeaning, maskTime, MOST_PERIODS, withPeriod } from './hours.rules.ts'

/** The seven days of a week and their hours, in as many periods as a day has; `name` is the form's field that holds them. */
export function HoursEditor<T extends FieldValues>({
  control,
  name,
  disabled,
}: {
  control: Control<T>
  name: FieldPath<T>
  disabled?: boolean
}) {
  const { t } = useLingui()
  const { field, formState } = useController({ control, name })
  const week = field.value as ScheduleEntry[]
  const errors = (formState.errors[name] ?? []) as { startTime?: object; endTime?: object }[]
  const names: Record<Weekday, string> = {
    monday: t`Segunda-feira`,
    tuesday: t`Terça-feira`,
    wednesday: t`Quarta-feira`,
    thursday: t`Quinta-feira`,
    friday: t`Sexta-feira`,
    saturday: t`Sábado`,
    sunday: t`Domingo`,
  }
  const meanings = { open: '', closed: t`Fechado`, always: t`Sem restrição`, overnight: t`Até o dia seguinte` }
  const change = (index: number, part: 'startTime' | 'endTime', typed: string) =>
    field.onChange(week.map((entry, at) => (at === index ? { ...entry, [part]: maskTime(typed) } : entry)))

  const period = (entry: ScheduleEntry, index: number, of: number, count: number) => {
    const day = names[entry.weekdayEn]
    const wrong = errors[index]
    const number = of + 1
    const time = (part: 'startTime' | 'endTime', label: string) => (
      <Input
        inputMode="numeric"
        autoComplete="off"
        placeholder="00:00"
        maxLength={clockTime.maxLength}
        aria-label={label}
        aria-invalid={wrong?.[part] ? true : undefined}
        className="w-17 text-center tabular-nums"
        disabled={disabled}
        value={entry[part]}
        onChange={(event) => change(index, part, event.target.value)}
        onBlur={field.onBlur}
      />
    )
    const button = (label: string, icon: ReactNode, onClick: () => void) => (
      <Tooltip content={label}>
        <Button variant="ghost" size="icon-sm" disabled={disabled} aria-label={`${day}: ${label}`} onClick={onClick}>
          {icon}
        </Button>
      </Tooltip>
    )
    return (
      <div key={of} className="flex flex-wrap items-center gap-x-1.5 gap-y-1 sm:gap-x-3">
        {time('startTime', of === 0 ? t`${day}: início` : t`${day}: início do período ${number}`)}
        <span aria-hidden="true" className="text-muted-foreground">
          –
        </span>
        {time('endTime', of === 0 ? t`${day}: fim` : t`${day}: fim do período ${number}`)}
        {of > 0 && button(t`Retirar o período`, <X />, () => field.onChange(week.toSpliced(index, 1)))}
        {of === count - 1 &&
          count < MOST_PERIODS &&
          dayMeaning(entry) !== 'always' &&
          button(t`Mais um período`, <Plus />, () => field.onChange(withPeriod(week, entry.weekdayEn)))}
        <span
          role={wrong ? 'alert' : undefined}
          className={wrong ? 'text-xs text-destructive-soft-foreground' : 'text-xs text-muted-foreground'}
        >
          {wrong ? t`Hora inválida` : count === 1 ? meanings[dayMeaning(entry)] : ''}
        </span>
      </div>
    )
  }

  return (
    <div className="flex flex-col gap-2">
      {weekdays.map((weekday) => {
        const periods = week
          .map((entry, index) => ({ entry, index }))
          .filter(({ entry }) => entry.weekdayEn === weekday)
        return (
          <div
            key={weekday}
            role="group"
            aria-label={names[weekday]}
            className="flex flex-wrap items-start gap-x-2 gap-y-1 sm:gap-x-3"
          >
            <span className="flex h-8 w-24 items-center text-sm sm:w-28 touch:h-11">{names[weekday]}</span>
            {/* Beside its day where two times fit, whatever is said behind them: all days stand alike. */}
            <div className="flex min-w-0 flex-1 basis-48 flex-col gap-1.5">
              {periods.map(({ entry, index }, of) => period(entry, index, of, periods.length))}
            </div>
          </div>
        )
      })}
    </div>
  )
}

/** What the form shows of who has stored no hours is a proposal; until it is stored, nothing is closed. */
export function HoursProposed() {
  return (
    <p role="status" className="rounded-md bg-info-soft px-3 py-2 text-sm text-info-soft-foreground">
      <Trans>Ainda não há horário salvo: por enquanto, vale qualquer hora. Este é só uma sugestão.</Trans>
    </p>
  )
}

/** By whose clock hours are meant. */
export function HoursZone() {
  const { timeZone } = useUser().company
  if (!timeZone) return null
  return (
    <p className="text-xs text-muted-foreground">
      <Trans>No fuso horário {timeZone}. Início e fim iguais fecham o dia.</Trans>
    </p>
  )
}
