import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { MailX, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import {
  newReportSchedule,
  reportBounds,
  type ReportName,
  type ReportQuery,
  type ReportScheduleInput,
} from '../../schema/reports/reports.inputs.ts'
import {
  type ReportFormat,
  reportFormats,
  type ReportRhythm,
  reportRhythms,
} from '../../schema/reports/reports.table.ts'
import { dateText } from '../i18n/dates.ts'
import { FormDialog, schemaResolver } from '../kit/form.tsx'
import { useUsers } from '../replica/directory.ts'
import { errorText } from '../session/error-text.ts'
import { toastError } from '../session/failure.tsx'
import { useUser } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { MultiCombobox } from '../ui/combobox.tsx'
import { Dialog, DialogBody, DialogContent, DialogFooter } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Select } from '../ui/select.tsx'
import { LoadingBlock } from '../ui/skeleton.tsx'
import { Switch } from '../ui/switch.tsx'
import { reports, type ReportScheduleRow, useReportSchedules } from './reports.queries.ts'
import { useReportWords } from './reports.words.ts'

type Values = Omit<ReportScheduleInput, 'active'>

function useRhythms(): Record<ReportRhythm, string> {
  const { t } = useLingui()
  return { day: t`Todos os dias, sobre ontem`, week: t`Às segundas, sobre a semana`, month: t`No dia 1, sobre o mês` }
}

/** What goes out by mail, and one more: of the report that is shown. */
export default function SchedulesDialog({
  report,
  query,
  onClose,
}: {
  report: ReportName
  query: ReportQuery
  onClose: () => void
}) {
  const { t } = useLingui()
  const [adding, setAdding] = useState(false)
  const { data, error, loading, reload } = useReportSchedules()
  if (adding) return <NewSchedule report={report} query={query} onClose={() => setAdding(false)} />
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={t`Relatórios por e-mail`}
        description={t`Cada pessoa recebe só o que pode ver, enquanto puder ver relatórios.`}
      >
        <DialogBody className="flex flex-col gap-3">
          {!data && error && !loading ? (
            <ErrorState onRetry={reload}>{errorText(error)}</ErrorState>
          ) : !data ? (
            <LoadingBlock />
          ) : !data.hasMail ? (
            <EmptyState icon={MailX} title={<Trans>Este sistema não envia e-mails</Trans>}>
              <Trans>Quem administra o servidor pode informar um servidor de e-mail.</Trans>
            </EmptyState>
          ) : data.records.length === 0 ? (
            <EmptyState icon={MailX} title={<Trans>Nenhum relatório sai por e-mail</Trans>} />
          ) : (
            <ul className="flex flex-col divide-y">
              {data.records.map((row) => (
                <ScheduleLine key={row.id} row={row} onChanged={reload} />
              ))}
            </ul>
          )}
        </DialogBody>
        <DialogFooter>
          <Button disabled={!data?.hasMail} onClick={() => setAdding(true)}>
            <Trans>Enviar este relatório</Trans>
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}

function ScheduleLine({ row, onChanged }: { row: ReportScheduleRow; onChanged: () => void }) {
  const { t, i18n } = useLingui()
  const rhythms = useRhythms()
  const words = useReportWords()
  const { name } = row
  const work = async (run: Promise<unknown>) => {
    try {
      await run
      onChanged()
    } catch (error) {
      toastError(error)
    }
  }
  const people = plural(row.userIds.length, { one: '# pessoa', other: '# pessoas' })
  const next = dateText(i18n.locale, new Date(row.nextAt), 'moment')
  return (
    <li className="flex items-center gap-3 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm font-medium">{name}</p>
        <p className="text-xs text-muted-foreground">
          {[words.reports[row.report as ReportName], rhythms[row.every], row.format.toUpperCase(), people].join(' · ')}
        </p>
        {row.active && (
          <p className="text-xs text-muted-foreground">
            <Trans>Próximo envio: {next}</Trans>
          </p>
        )}
      </div>
      <Switch
        aria-label={t`Enviar ${name}`}
        checked={row.active}
        onCheckedChange={(active) => void work(reports.changeSchedule(row.id, { active }))}
      />
      <Button
        variant="ghost"
        size="icon"
        aria-label={t`Excluir ${name}`}
        onClick={() => void work(reports.removeSchedule(row.id))}
      >
        <Trash2 />
      </Button>
    </li>
  )
}

function NewSchedule({ report, query, onClose }: { report: ReportName; query: ReportQuery; onClose: () => void }) {
  const { t } = useLingui()
  const words = useReportWords()
  const rhythms = useRhythms()
  const users = useUsers().list
  const user = useUser()
  const form = useForm<Values>({
    defaultValues: {
      ...{ name: words.reports[report], report, query, every: 'week', hour: 8, format: 'pdf', userIds: [user.id] },
    },
    resolver: schemaResolver<Values>(newReportSchedule),
  })
  const { register, control, setValue, formState } = form
  const [every, hour, format, userIds] = useWatch({ control, name: ['every', 'hour', 'format', 'userIds'] })
  const set = <K extends 'every' | 'hour' | 'format' | 'userIds'>(name: K, value: Values[K]) =>
    setValue(name, value as never, { shouldDirty: true })
  return (
    <FormDialog
      title={t`Enviar por e-mail: ${words.reports[report]}`}
      form={form}
      onSubmit={async (values) => void (await reports.schedule(values))}
      onClose={onClose}
    >
      <Field label={t`Nome`} required error={formState.errors.name?.message}>
        <Input autoFocus autoComplete="off" {...register('name')} />
      </Field>
      <Field label={t`Quando`}>
        <Select<ReportRhythm>
          value={every}
          onChange={(next) => set('every', next)}
          options={reportRhythms.map((value) => ({ value, label: rhythms[value] }))}
        />
      </Field>
      <Field label={t`Hora`}>
        <Select
          value={String(hour)}
          onChange={(next) => set('hour', Number(next))}
          options={Array.from({ length: 24 }, (_, at) => ({ value: String(at), label: words.hour(at) }))}
        />
      </Field>
      <Field label={t`Arquivo`}>
        <Select<ReportFormat>
          value={format}
          onChange={(next) => set('format', next)}
          options={reportFormats.map((value) => ({ value, label: value.toUpperCase() }))}
        />
      </Field>
      <Field
        label={t`Para`}
        required
        hint={plural(reportBounds.users, { one: 'Até # pessoa.', other: 'Até # pessoas.' })}
        error={formState.errors.userIds?.message}
      >
        <MultiCombobox
          placeholder={t`Escolha as pessoas`}
          options={users.map(({ id, name }) => ({ id: String(id), label: name }))}
          values={userIds.map(String)}
          onChange={(ids) => set('userIds', ids.map(Number))}
        />
      </Field>
    </FormDialog>
  )
}
