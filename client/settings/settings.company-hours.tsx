import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { useForm } from 'react-hook-form'
import { companyHours } from '../../schema/companies/companies.inputs.ts'
import type { ScheduleEntry } from '../../schema/hours/hours.open.ts'
import { api } from '../app/api.ts'
import { useConnectionState } from '../app/connection-state.ts'
import { LoadingRows } from '../app/data-list.tsx'
import { errorText, toastError } from '../app/error-text.ts'
import { NeedsNetwork, schemaResolver } from '../app/form.tsx'
import { useRows } from '../app/live-rows.ts'
import type { Rows } from '../app/rows.ts'
import { useUser } from '../app/session.tsx'
import { HoursEditor } from '../queues/hours.editor.tsx'
import { fullWeek } from '../queues/hours.rules.ts'
import { Button } from '../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../ui/card.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { PageCard } from '../ui/page.tsx'
import { toast } from '../ui/toaster.tsx'

interface Stored {
  id: number
  schedules: ScheduleEntry[]
  timeZone: string
}

const storedHours = (companyId: number): Rows<Stored> => ({
  query: {
    sql: 'SELECT id, schedules, "timeZone" FROM companies WHERE id = $1',
    params: [companyId],
    tables: ['companies'],
  },
  keyOf: ({ id }) => id,
})

/** The hours of the whole company, for the `company` kind of schedule. */
export function CompanyHours() {
  const { t } = useLingui()
  const { company } = useUser()
  const { rows, error } = useRows(storedHours(company.id))
  const found = rows?.[0]
  if (found) return <HoursForm companyId={company.id} stored={found.schedules} timeZone={found.timeZone} />
  if (!error) return <LoadingRows label={t`Horários`} />
  return (
    <PageCard>
      <ErrorState>{errorText(error)}</ErrorState>
    </PageCard>
  )
}

function HoursForm({ companyId, stored, timeZone }: { companyId: number; stored: ScheduleEntry[]; timeZone: string }) {
  const { t } = useLingui()
  const offline = useConnectionState() === 'offline'
  const { control, handleSubmit, formState, reset } = useForm<{ schedules: ScheduleEntry[] }>({
    defaultValues: { schedules: fullWeek(stored) },
    resolver: schemaResolver(companyHours),
  })
  const shown = useRef(stored)
  const { isDirty } = formState
  useEffect(() => {
    if (shown.current === stored) return
    shown.current = stored
    // First come the hours that were stored when the page was last open, then those that are; and a colleague may save.
    if (!isDirty) reset({ schedules: fullWeek(stored) })
  }, [stored, isDirty, reset])
  const save = handleSubmit(async ({ schedules }) => {
    try {
      await api.put(`/companies/${companyId}/schedules`, { id: companyId, schedules })
      reset({ schedules })
      toast.success(t`Horários atualizados com sucesso.`)
    } catch (error) {
      toastError(error)
    }
  })
  return (
    <Card className="max-w-3xl">
      <CardHeader
        title={<Trans>Horário de atendimento da empresa</Trans>}
        description={<Trans>No fuso horário {timeZone}. Início e fim iguais fecham o dia.</Trans>}
      />
      <CardBody>
        <form noValidate className="flex flex-col items-start gap-5" onSubmit={(event) => void save(event)}>
          <HoursEditor control={control} name="schedules" />
          {offline && <NeedsNetwork />}
          <Button type="submit" busy={formState.isSubmitting} disabled={offline}>
            <Trans>Salvar</Trans>
          </Button>
        </form>
      </CardBody>
    </Card>
  )
}
