import { Trans, useLingui } from '@lingui/react/macro'
import { useRef } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { announcementInput, announcementPictures } from '../../schema/announcements/announcements.inputs.ts'
import type { AnnouncementInput } from '../../schema/announcements/announcements.inputs.ts'
import { useFetched } from '../session/fetched.ts'
import { FileField, useOwnFile } from '../kit/file-field.tsx'
import { SelectField, SwitchField } from '../kit/form-fields.tsx'
import { FormDialog, Refusal, schemaResolver } from '../kit/form.tsx'
import { MultiCombobox } from '../ui/combobox.tsx'
import { DateInput } from '../ui/date-input.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { toast } from '../ui/toaster.tsx'
import { wallTime } from '../schedules/schedules.rows.ts'
import { announcements } from './announcements.queries.ts'
import type { WrittenAnnouncement } from './announcements.queries.ts'
import { usePriorityNames } from './announcements.words.ts'

/** Adds (`row` null) or edits an announcement, with its picture. */
export function AnnouncementDialog({
  row,
  onClose,
  onSaved,
}: {
  row: WrittenAnnouncement | null
  onClose: () => void
  onSaved: () => void
}) {
  const { t } = useLingui()
  const priorities = usePriorityNames()
  const file = useOwnFile(row?.mediaName ?? null)
  // Once a new one is stored, another attempt only repeats the upload that failed.
  const stored = useRef<number | null>(row?.id ?? null)
  const { data: audience } =
    useFetched<Record<'companies' | 'plans', { id: number; name: string }[]>>('/announcements/audience')
  const form = useForm<AnnouncementInput>({
    defaultValues: {
      title: row?.title ?? '',
      text: row?.text ?? '',
      priority: row?.priority ?? 3,
      status: row?.status ?? true,
      startsAt: row?.startsAt ?? null,
      endsAt: row?.endsAt ?? null,
      companyIds: row?.companyIds ?? [],
      planIds: row?.planIds ?? [],
      profiles: row?.profiles ?? [],
    },
    resolver: schemaResolver(announcementInput),
  })
  const {
    register,
    control,
    formState: { errors },
  } = form
  const options = (rows: readonly { id: number; name: string }[] | undefined) =>
    (rows ?? []).map(({ id, name }) => ({ id: String(id), label: name }))
  const profiles = [
    { id: 'user', label: t`Atendentes` },
    { id: 'supervisor', label: t`Supervisores` },
    { id: 'admin', label: t`Administradores` },
  ]
  const moment = (name: 'startsAt' | 'endsAt', time: string) => (
    <Controller
      control={control}
      name={name}
      render={({ field: { value, onChange } }) => (
        <DateInput
          type="datetime-local"
          value={value === null ? '' : wallTime(Date.parse(value))}
          time={time}
          onChange={(written) => onChange(written === '' ? null : new Date(written).toISOString())}
        />
      )}
    />
  )
  return (
    <FormDialog
      onClose={onClose}
      size="lg"
      title={row ? t`Editar comunicado` : t`Adicionar comunicado`}
      form={form}
      onSubmit={async (values) => {
        const { startsAt, endsAt } = values
        if (startsAt !== null && endsAt !== null && Date.parse(endsAt) <= Date.parse(startsAt))
          throw new Refusal<AnnouncementInput>('endsAt', t`O fim vem depois do começo`)
        if (stored.current === null) stored.current = (await announcements.create(values)).id
        else await announcements.update(stored.current, values)
        const id = stored.current
        await file.save({
          attach: (chosen) => announcements.attach(id, chosen),
          detach: () => announcements.detach(id),
        })
        toast.success(t`Comunicado salvo`)
        onSaved()
      }}
    >
      <Field label={<Trans>Título</Trans>} required error={errors.title?.message}>
        <Input autoFocus autoComplete="off" {...register('title')} />
      </Field>
      <Field label={<Trans>Texto</Trans>} required error={errors.text?.message}>
        <Textarea rows={4} maxRows={10} {...register('text')} />
      </Field>
      <div className="grid gap-4 sm:grid-cols-3">
        <Field label={<Trans>Prioridade</Trans>} required error={errors.priority?.message}>
          <SelectField
            control={control}
            name="priority"
            options={Object.entries(priorities).map(([value, label]) => ({ value: Number(value), label }))}
          />
        </Field>
        <Field label={<Trans>Mostrar a partir de</Trans>} error={errors.startsAt?.message}>
          {moment('startsAt', '00:00')}
        </Field>
        <Field label={<Trans>Mostrar até</Trans>} error={errors.endsAt?.message}>
          {moment('endsAt', '23:59')}
        </Field>
      </div>
      <div className="grid gap-4 sm:grid-cols-3">
        <Field label={<Trans>Empresas</Trans>} error={errors.companyIds?.message}>
          <Controller
            control={control}
            name="companyIds"
            render={({ field: { value, onChange } }) => (
              <MultiCombobox
                placeholder={t`Todas`}
                options={options(audience?.companies)}
                values={value.map(String)}
                onChange={(ids) => onChange(ids.map(Number))}
              />
            )}
          />
        </Field>
        <Field label={<Trans>Planos</Trans>} error={errors.planIds?.message}>
          <Controller
            control={control}
            name="planIds"
            render={({ field: { value, onChange } }) => (
              <MultiCombobox
                placeholder={t`Todos`}
                options={options(audience?.plans)}
                values={value.map(String)}
                onChange={(ids) => onChange(ids.map(Number))}
              />
            )}
          />
        </Field>
        <Field label={<Trans>Perfis</Trans>} error={errors.profiles?.message}>
          <Controller
            control={control}
            name="profiles"
            render={({ field: { value, onChange } }) => (
              <MultiCombobox placeholder={t`Todos`} options={profiles} values={value} onChange={onChange} />
            )}
          />
        </Field>
      </div>
      <FileField kind="image" file={file} testId="announcement-file" accept={announcementPictures.join(',')} />
      <Field label={<Trans>Ativo</Trans>} inline>
        <SwitchField control={control} name="status" />
      </Field>
    </FormDialog>
  )
}
