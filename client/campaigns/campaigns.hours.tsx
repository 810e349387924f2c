import { Trans, useLingui } from '@lingui/react/macro'
import { useForm } from 'react-hook-form'
import type { BulkHours } from '../../schema/campaigns/campaigns.hours.ts'
import { companyHours } from '../../schema/companies/companies.inputs.ts'
import { useConnectionState } from '../session/connection-state.ts'
import { toastError } from '../session/failure.tsx'
import { schemaResolver } from '../kit/form.tsx'
import { HolidaysEditor } from '../hours/hours.holidays.tsx'
import type { HoursForm } from '../hours/hours.holidays.tsx'
import { HoursEditor } from '../hours/hours.editor.tsx'
import { Button } from '../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../ui/card.tsx'
import { toast } from '../ui/toaster.tsx'
import { periodsOf, weekOf } from './campaigns.hours.rules.ts'
import { campaigns } from './campaigns.queries.ts'

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
