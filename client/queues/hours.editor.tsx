import { useLingui } from '@lingui/react/macro'
import { useController } from 'react-hook-form'
import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import type { ScheduleEntry, Weekday } from '../../schema/hours/hours.open.ts'
import { Input } from '../ui/input.tsx'
import { clockTime } from '../../schema/hours/hours.inputs.ts'
import { dayMeaning, maskTime } from './hours.rules.ts'

/** The seven days of a week and their hours; `name` is the form's field that holds them. */
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

  return (
    <div className="flex flex-col gap-2">
      {week.map((entry, index) => {
        const day = names[entry.weekdayEn]
        const wrong = errors[index]
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
        return (
          <div
            key={entry.weekdayEn}
            role="group"
            aria-label={day}
            className="flex flex-wrap items-center gap-x-2 gap-y-1 sm:gap-x-3"
          >
            <span className="w-24 text-sm sm:w-28">{day}</span>
            {time('startTime', t`${day}: início`)}
            <span aria-hidden="true" className="text-muted-foreground">
              –
            </span>
            {time('endTime', t`${day}: fim`)}
            <span
              role={wrong ? 'alert' : undefined}
              className={wrong ? 'text-xs text-destructive-soft-foreground' : 'text-xs text-muted-foreground'}
            >
              {wrong ? t`Hora inválida` : meanings[dayMeaning(entry)]}
            </span>
          </div>
        )
      })}
    </div>
  )
}
