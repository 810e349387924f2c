import { Trans, useLingui } from '@lingui/react/macro'
import { useForm, useWatch } from 'react-hook-form'
import { newReportView, type ReportName, type ReportQuery } from '../../schema/reports/reports.inputs.ts'
import { FormDialog, schemaResolver } from '../kit/form.tsx'
import { useCan } from '../session/session.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Switch } from '../ui/switch.tsx'
import { reports, type ReportViewRow } from './reports.queries.ts'

type Values = Omit<ReportViewRow, 'id' | 'userId'>

/** Keeps a report with its period and its filters under a name. */
export default function ViewDialog({
  report,
  query,
  onClose,
}: {
  report: ReportName
  query: ReportQuery
  onClose: () => void
}) {
  const { t } = useLingui()
  const mayShare = useCan('reports:export')
  const form = useForm<Values>({
    defaultValues: { name: '', isShared: false, report, query },
    resolver: schemaResolver<Values>(newReportView),
  })
  const { register, control, setValue, formState } = form
  const isShared = useWatch({ control, name: 'isShared' })
  return (
    <FormDialog
      title={t`Salvar esta visão`}
      form={form}
      onSubmit={async (values) => void (await reports.keepView(values))}
      onClose={onClose}
    >
      <Field label={t`Nome`} required error={formState.errors.name?.message}>
        <Input autoFocus autoComplete="off" {...register('name')} />
      </Field>
      {mayShare && (
        <Field label={t`De todos que veem relatórios`} hint={t`Cada pessoa vê só o que pode ver.`} inline>
          <Switch
            checked={isShared}
            onCheckedChange={(shared) => setValue('isShared', shared, { shouldDirty: true })}
          />
        </Field>
      )}
      <p className="text-sm text-muted-foreground">
        <Trans>
          Guarda o relatório, o período e os filtros. Um período como “Últimos 30 dias” anda com o calendário.
        </Trans>
      </p>
    </FormDialog>
  )
}
