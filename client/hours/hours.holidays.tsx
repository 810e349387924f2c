import { Trans, useLingui } from '@lingui/react/macro'
import { Plus, Trash2 } from 'lucide-react'
import { Controller, useFieldArray } from 'react-hook-form'
import type { UseFormReturn } from 'react-hook-form'
import type { Holiday, ScheduleEntry } from '../../schema/hours/hours.open.ts'
import { Button } from '../ui/button.tsx'
import { DateInput } from '../ui/date-input.tsx'
import { Input } from '../ui/input.tsx'

export interface HoursForm {
  schedules: ScheduleEntry[]
  holidays: Holiday[]
}

/** Days on which nobody is there: a date and what it is called. */
export function HolidaysEditor({ form }: { form: UseFormReturn<HoursForm> }) {
  const { t } = useLingui()
  const { register, control, formState } = form
  const { fields, append, remove } = useFieldArray({ control, name: 'holidays' })
  const errors = formState.errors.holidays ?? []
  return (
    <div className="flex w-full flex-col items-start gap-2">
      {fields.length === 0 && (
        <p className="text-sm text-muted-foreground">
          <Trans>Nenhum feriado: todos os dias seguem os horários acima.</Trans>
        </p>
      )}
      {fields.map((field, index) => {
        const wrong = errors[index]
        const number = index + 1
        return (
          <div key={field.id} role="group" aria-label={t`Feriado ${number}`} className="flex w-full items-start gap-2">
            <Controller
              control={control}
              name={`holidays.${index}.date`}
              render={({ field: date }) => (
                <DateInput
                  aria-label={t`Data do feriado ${number}`}
                  aria-invalid={wrong?.date ? true : undefined}
                  className="w-38 shrink-0"
                  {...date}
                />
              )}
            />
            <Input
              autoComplete="off"
              placeholder={t`Nome`}
              aria-label={t`Nome do feriado ${number}`}
              aria-invalid={wrong?.name ? true : undefined}
              {...register(`holidays.${index}.name`)}
            />
            <Button
              variant="destructive-ghost"
              size="icon"
              aria-label={t`Retirar o feriado ${number}`}
              onClick={() => remove(index)}
            >
              <Trash2 />
            </Button>
          </div>
        )
      })}
      <Button
        variant="outline"
        size="sm"
        disabled={fields.length >= 100}
        onClick={() => append({ date: '', name: '' })}
      >
        <Plus />
        <Trans>Adicionar feriado</Trans>
      </Button>
    </div>
  )
}
