import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { useForm } from 'react-hook-form'
import { companyHours } from '../../schema/companies/companies.inputs.ts'
import { api } from '../session/api.ts'
import { useConnectionState } from '../session/connection-state.ts'
import { LoadingRows } from '../kit/data-list.tsx'
import { errorText } from '../session/error-text.ts'
import { toastError } from '../session/failure.tsx'
import { NeedsNetwork, schemaResolver } from '../kit/form.tsx'
import { useRows } from '../replica/live-rows.ts'
import { type Company, ownCompany } from '../replica/own-company.ts'
import { useUser } from '../session/session.tsx'
import { HolidaysEditor } from '../hours/hours.holidays.tsx'
import type { HoursForm } from '../hours/hours.holidays.tsx'
import { HoursEditor, HoursProposed } from '../hours/hours.editor.tsx'
import { fullWeek } from '../hours/hours.rules.ts'
import { HoursUnheard } from './companies.hours-unheard.tsx'
import { Button } from '../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../ui/card.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { PageCard } from '../ui/page.tsx'
import { toast } from '../ui/toaster.tsx'

/** The hours of the whole company, for the `company` kind of schedule. */
export function CompanyHours({ scheduleType }: { scheduleType: string }) {
  const { t } = useLingui()
  const { company } = useUser()
  const { rows, error } = useRows(ownCompany)
  const found = rows?.[0]
  const withWeek = scheduleType === 'company'
  if (found)
    return (
      <div className="flex max-w-3xl flex-col gap-4">
        <HoursUnheard scheduleType={scheduleType} />
        <CompanyHoursForm withWeek={withWeek} companyId={company.id} stored={found} timeZone={found.timeZone} />
      </div>
    )
  if (!error) return <LoadingRows label={t`Horários`} />
  return (
    <PageCard>
      <ErrorState>{errorText(error)}</ErrorState>
    </PageCard>
  )
}

/** The hours and holidays of a company, to be changed. */
export function CompanyHoursForm({
  companyId,
  stored,
  timeZone,
  withWeek,
  onSaved,
}: {
  companyId: number
  stored: Pick<Company, 'schedules' | 'holidays'>
  timeZone: string
  /** False where the hours of queues count: then only the holidays are asked for. */
  withWeek: boolean
  onSaved?: () => void
}) {
  const { t } = useLingui()
  const offline = useConnectionState() === 'offline'
  const valuesOf = ({ schedules, holidays }: typeof stored): HoursForm => ({
    schedules: fullWeek(schedules),
    holidays: [...holidays],
  })
  const form = useForm<HoursForm>({
    defaultValues: valuesOf(stored),
    resolver: schemaResolver(companyHours, { 'holidays.*.date': t`Data inválida` }),
  })
  const { control, handleSubmit, formState, reset } = form
  const shown = useRef(stored)
  const { isDirty } = formState
  useEffect(() => {
    if (shown.current === stored) return
    shown.current = stored
    // First come the hours that were stored when the page was last open, then those that are; and a colleague may save.
    if (!isDirty) reset(valuesOf(stored))
  }, [stored, isDirty, reset])
  const save = handleSubmit(async (values) => {
    try {
      await api.put(`/companies/${companyId}/schedules`, { id: companyId, ...values })
      reset(values)
      toast.success(t`Horários atualizados com sucesso.`)
      onSaved?.()
    } catch (error) {
      toastError(error)
    }
  })
  return (
    <Card className="max-w-3xl">
      <CardHeader
        title={withWeek ? <Trans>Horário de atendimento da empresa</Trans> : <Trans>Feriados</Trans>}
        description={
          withWeek ? (
            <Trans>
              No fuso horário {timeZone}. Início e fim iguais fecham o dia. A mensagem fora do horário fica em cada
              conexão.
            </Trans>
          ) : (
            <Trans>Nesses dias a empresa, as filas e as conexões ficam fechadas.</Trans>
          )
        }
      />
      <CardBody>
        <form noValidate className="flex flex-col items-start gap-5" onSubmit={(event) => void save(event)}>
          {withWeek && (
            <>
              {stored.schedules.length === 0 && <HoursProposed />}
              <HoursEditor control={control} name="schedules" />
              <div>
                <h3 className="text-sm font-semibold">
                  <Trans>Feriados</Trans>
                </h3>
                <p className="text-xs text-muted-foreground">
                  <Trans>Nesses dias a empresa, as filas e as conexões ficam fechadas.</Trans>
                </p>
              </div>
            </>
          )}
          <HolidaysEditor form={form} />
          {offline && <NeedsNetwork />}
          <Button type="submit" busy={formState.isSubmitting} disabled={offline}>
            <Trans>Salvar</Trans>
          </Button>
        </form>
      </CardBody>
    </Card>
  )
}
