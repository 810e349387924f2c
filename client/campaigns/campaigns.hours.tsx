import { Trans, useLingui } from '@lingui/react/macro'
import { useForm } from 'react-hook-form'
import type { BulkHours } from '../../schema/campaigns/campaigns.hours.ts'
import { companyHours } from '../../schema/companies/companies.inputs.ts'
import { type ScheduleEntry, type Weekday, weekdays } from '../../schema/hours/hours.open.ts'
import { useConnectionState } from '../app/connection-state.ts'
import { toastError } from '../app/error-text.ts'
import { schemaResolver } from '../app/form.tsx'
import { HolidaysEditor } from '../queues/holidays.editor.tsx'
import type { HoursForm } from '../queues/holidays.editor.tsx'
import { HoursEditor } from '../queues/hours.editor.tsx'
import { fullWeek } from '../queues/hours.rules.ts'
import { Button } from '../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../ui/card.tsx'
import { toast } from '../ui/toaster.tsx'
import { campaigns } from './campaigns.queries.ts'

const MIDNIGHT = '00:00'
const END_OF_DAY = '23:59'

/** As the editor of a week has it: a closed day begins and ends at the same time. */
export function weekOf({ periods }: BulkHours): ScheduleEntry[] {
  return fullWeek(
    weekdays.flatMap((weekdayEn) => {
      const open = periods[weekdayEn] ?? []
      const entry = (startTime: string, endTime: string) => ({ weekday: weekdayEn, weekdayEn, startTime, endTime })
      return open.length === 0 ? [entry(MIDNIGHT, MIDNIGHT)] : open.map(({ from, to }) => entry(from, to))
    }),
  )
}

/** As it is stored: what goes on after midnight belongs to the next day, and a day without a limit ends with its last minute. */
export function periodsOf(week: readonly ScheduleEntry[]): BulkHours['periods'] {
  const periods: Record<Weekday, { from: string; to: string }[]> = Object.fromEntries(
    weekdays.map((weekday) => [weekday, []]),
  ) as never
  for (const { weekdayEn, startTime, endTime } of week) {
    if (!startTime || !endTime) periods[weekdayEn].push({ from: MIDNIGHT, to: END_OF_DAY })
    else if (startTime < endTime) periods[weekdayEn].push({ from: startTime, to: endTime })
    else if (startTime > endTime) {
      periods[weekdayEn].push({ from: startTime, to: END_OF_DAY })
      const next = weekdays[(weekdays.indexOf(weekdayEn) + 1) % weekdays.length]!
      if (endTime > MIDNIGHT) periods[next].push({ from: MIDNIGHT, to: endTime })
    }
  }
  return periods
}

/** When protected campaigns may leave. */
export function BulkHoursCard({ hours, onSaved }: { hours: BulkHours; onSaved: () => void }) {
  const { t } = useLingui()
  const offline = useConnectionState() === 'offline'
  const form = useForm<HoursForm>({
    defaultValues: { schedules: weekOf(hours), holidays: [...hours.holidays] },
    resolver: schemaResolver(companyHours, { 'holidays.*.date': t`Data inválida` }),
  })
  const save = form.handleSubmit(async ({ schedules, holidays }) => {
    try {
      await campaigns.writeSettings({ hours: { periods: periodsOf(schedules), holidays } })
      toast.success(t`Horários de envio salvos`)
      onSaved()
    } catch (error) {
      toastError(error)
    }
  })
  return (
    <Card className="max-w-3xl">
      <CardHeader
        title={<Trans>Horários de envio</Trans>}
        description={
          <Trans>Para campanhas com o número protegido, no fuso da empresa. Início e fim iguais fecham o dia.</Trans>
        }
      />
      <CardBody>
        <form noValidate className="flex flex-col items-start gap-5" onSubmit={(event) => void save(event)}>
          <HoursEditor control={form.control} name="schedules" />
          <div>
            <h3 className="text-sm font-semibold">
              <Trans>Feriados</Trans>
            </h3>
            <p className="text-xs text-muted-foreground">
              <Trans>Nesses dias nenhuma campanha protegida é enviada.</Trans>
            </p>
          </div>
          <HolidaysEditor form={form} />
          <Button type="submit" busy={form.formState.isSubmitting} disabled={offline}>
            <Trans>Salvar horários de envio</Trans>
          </Button>
        </form>
      </CardBody>
    </Card>
  )
}
