import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { type Control, Controller, useForm, useWatch } from 'react-hook-form'
import { isWholeTest } from '../../schema/custom-fields/custom-fields.conditions.ts'
import { slaBounds, slaPolicyForm, type SlaPolicyInput } from '../../schema/sla-policies/sla-policies.inputs.ts'
import { slaCalendars } from '../../schema/sla-policies/sla-policies.table.ts'
import { type SlaMetric, slaMetrics } from '../../schema/sla-policies/sla.metrics.ts'
import { fieldsOn, useFields } from '../custom-fields/custom-fields.rows.ts'
import { blankTest, FieldTestEditor } from '../custom-fields/custom-fields.tests.tsx'
import { SelectField, SwitchField } from '../kit/form-fields.tsx'
import { FormDialog, Refusal, schemaResolver } from '../kit/form.tsx'
import { useDirectory } from '../replica/directory.ts'
import { MultiCombobox } from '../ui/combobox.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Select } from '../ui/select.tsx'
import { toast } from '../ui/toaster.tsx'
import { inUnit, type Unit, units } from './sla-policies.minutes.ts'
import { type SlaPolicyRow, slaPolicies } from './sla-policies.queries.ts'
import { useSlaWords } from './sla-policies.words.ts'

type Form = Omit<SlaPolicyInput, 'position'>
/** What is asked of the contact. */
type Asked = SlaPolicyInput['contactField']

/** Adds (`policy` null) or edits what is promised to some contacts. */
export function SlaPolicyDialog({
  policy,
  onClose,
  onSaved,
}: {
  policy: SlaPolicyRow | null
  onClose: () => void
  onSaved: () => void
}) {
  const { t } = useLingui()
  const words = useSlaWords()
  const { queues, tags, users } = useDirectory()
  const form = useForm<Form>({
    defaultValues: {
      name: policy?.name ?? '',
      active: policy?.active ?? true,
      queueIds: policy?.queueIds ?? [],
      tagIds: policy?.tagIds ?? [],
      contactField: policy?.contactField ?? null,
      firstAnswer: policy ? policy.firstAnswer : 15,
      nextAnswer: policy?.nextAnswer ?? null,
      resolution: policy?.resolution ?? null,
      calendar: policy?.calendar ?? 'company',
      warnAt: policy?.warnAt ?? 80,
      escalate: policy?.escalate ?? { userIds: [], queueId: null },
    },
    resolver: schemaResolver(slaPolicyForm),
  })
  const {
    register,
    control,
    formState: { errors },
  } = form
  const options = (rows: readonly { id: number; name: string }[]) =>
    rows.map(({ id, name }) => ({ id: String(id), label: name }))
  const many = (
    name: 'queueIds' | 'tagIds' | 'escalate.userIds',
    rows: readonly { id: number; name: string }[],
    none: string,
  ) => (
    <Controller
      control={control}
      name={name}
      render={({ field }) => (
        <MultiCombobox
          placeholder={none}
          options={options(rows)}
          values={field.value.map(String)}
          onChange={(ids) => field.onChange(ids.map(Number))}
        />
      )}
    />
  )
  return (
    <FormDialog
      onClose={onClose}
      title={policy ? t`Editar política de prazos` : t`Nova política de prazos`}
      size="lg"
      form={form}
      fieldOf={{ ERR_SLA_POLICY_NAME: 'name' }}
      onSubmit={async (values) => {
        if (slaMetrics.every((metric) => values[metric] === null))
          throw new Refusal<Form>('root', t`Informe ao menos um prazo.`)
        if (!isWhole(values.contactField))
          throw new Refusal<Form>('root', t`Complete a informação do contato, ou deixe-a em branco.`)
        await (policy ? slaPolicies.update(policy.id, values) : slaPolicies.create(values))
        toast.success(t`Política salva`)
        onSaved()
      }}
    >
      <div className="grid gap-4 sm:grid-cols-[1fr_auto]">
        <Field label={<Trans>Nome</Trans>} required error={errors.name?.message}>
          <Input autoFocus autoComplete="off" {...register('name')} />
        </Field>
        <Field label={<Trans>Ativa</Trans>}>
          <SwitchField control={control} name="active" />
        </Field>
      </div>
      <fieldset className="flex flex-col gap-4 rounded-lg border p-3">
        <legend className="px-1 text-sm font-medium">
          <Trans>Para quais atendimentos</Trans>
        </legend>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={<Trans>Filas</Trans>}>{many('queueIds', queues.list, t`Todas, e sem fila`)}</Field>
          <Field label={<Trans>Etiquetas</Trans>}>{many('tagIds', tags.list, t`Qualquer uma, ou nenhuma`)}</Field>
          <Controller
            control={control}
            name="contactField"
            render={({ field }) => <ContactAsked value={field.value} onChange={field.onChange} />}
          />
        </div>
      </fieldset>
      <fieldset className="flex flex-col gap-4 rounded-lg border p-3">
        <legend className="px-1 text-sm font-medium">
          <Trans>O que é prometido</Trans>
        </legend>
        <div className="grid gap-4 sm:grid-cols-3">
          {slaMetrics.map((metric) => (
            <Promise
              key={metric}
              control={control}
              name={metric}
              label={words.metrics[metric]}
              error={errors[metric]?.message}
            />
          ))}
        </div>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={<Trans>Horário que conta</Trans>}>
            <SelectField
              control={control}
              name="calendar"
              options={slaCalendars.map((value) => ({ value, label: words.calendars[value] }))}
            />
          </Field>
          <Field
            label={<Trans>Avisar com (% do prazo)</Trans>}
            hint={<Trans>100: só quando vencer.</Trans>}
            error={errors.warnAt?.message}
          >
            <Input
              type="number"
              inputMode="numeric"
              min={slaBounds.leastWarning}
              max={100}
              {...register('warnAt', { valueAsNumber: true })}
            />
          </Field>
        </div>
      </fieldset>
      <fieldset className="flex flex-col gap-4 rounded-lg border p-3">
        <legend className="px-1 text-sm font-medium">
          <Trans>Quando vencer</Trans>
        </legend>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={<Trans>Avisar também</Trans>} hint={<Trans>Só quem vê o atendimento é avisado</Trans>}>
            {many('escalate.userIds', users.list, t`Ninguém mais`)}
          </Field>
          <Field label={<Trans>Passar para a fila</Trans>}>
            <SelectField
              control={control}
              name="escalate.queueId"
              options={[
                { value: null, label: t`Fica onde está` },
                ...queues.list.map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          </Field>
        </div>
      </fieldset>
    </FormDialog>
  )
}

/** Whether there is nothing left to choose in it. */
const isWhole = (asked: Asked): boolean =>
  asked === null || ('op' in asked ? isWholeTest(asked) : asked.name.trim() !== '' && asked.value.trim() !== '')

/** Which contacts it is for: by a field of the company's own, or by a piece of extra information. */
function ContactAsked({ value, onChange }: { value: Asked; onChange: (asked: Asked) => void }) {
  const { t } = useLingui()
  const fields = fieldsOn(useFields(), 'contact')
  const field = value && 'op' in value ? fields.find(({ id }) => id === value.id) : undefined
  return (
    <>
      <Field label={<Trans>Contatos</Trans>}>
        <Select
          value={value === null ? 'all' : 'op' in value ? String(value.id) : 'extra'}
          onChange={(next) => {
            const chosen = fields.find(({ id }) => String(id) === next)
            onChange(next === 'all' ? null : chosen ? blankTest(chosen) : { name: '', value: '' })
          }}
          options={[
            { value: 'all', label: t`Todos` },
            ...fields.map(({ id, name }) => ({ value: String(id), label: name })),
            // One that was deleted since is named by nobody any more.
            ...(value && 'op' in value && !field ? [{ value: String(value.id), label: t`(excluído)` }] : []),
            { value: 'extra', label: t`Informação extra` },
          ]}
        />
      </Field>
      {value !== null && !('op' in value) && (
        <div className="grid grid-cols-2 gap-2">
          <Field label={<Trans>Informação</Trans>}>
            <Input
              autoComplete="off"
              maxLength={slaBounds.said}
              value={value.name}
              onChange={({ target }) => onChange({ ...value, name: target.value })}
            />
          </Field>
          <Field label={<Trans>Valor</Trans>}>
            <Input
              autoComplete="off"
              maxLength={slaBounds.said}
              value={value.value}
              onChange={({ target }) => onChange({ ...value, value: target.value })}
            />
          </Field>
        </div>
      )}
      {field && value && 'op' in value && (
        <div className="flex flex-col gap-1.5">
          <span aria-hidden="true" className="text-[0.8125rem] leading-none font-medium">
            {field.name}
          </span>
          <FieldTestEditor field={field} test={value} onChange={onChange} />
        </div>
      )}
    </>
  )
}

/** So long; blank for no promise. */
function Promise({
  control,
  name,
  label,
  error,
}: {
  control: Control<Form>
  name: SlaMetric
  label: string
  error: string | undefined
}) {
  const { t } = useLingui()
  const minutes = useWatch({ control, name })
  const [unit, setUnit] = useState<Unit>(() => (minutes === null ? 'minutes' : inUnit(minutes).unit))
  const unitNames: Record<Unit, string> = { minutes: t`minutos`, hours: t`horas`, days: t`dias` }
  return (
    // Beside its unit the field is too narrow to say it inside.
    <Field label={label} hint={minutes === null ? <Trans>Sem prazo</Trans> : undefined} error={error}>
      <Controller
        control={control}
        name={name}
        render={({ field }) => (
          <div className="flex gap-2">
            <Input
              type="number"
              inputMode="numeric"
              min={1}
              max={Math.floor(slaBounds.mostMinutes / units[unit])}
              ref={field.ref}
              onBlur={field.onBlur}
              value={field.value === null ? '' : field.value / units[unit]}
              onChange={({ target }) =>
                field.onChange(target.value === '' ? null : Math.round(target.valueAsNumber * units[unit]))
              }
            />
            <Select<Unit>
              aria-label={t`Unidade`}
              className="w-28 shrink-0"
              value={unit}
              onChange={(next) => {
                if (field.value !== null) field.onChange((field.value / units[unit]) * units[next])
                setUnit(next)
              }}
              options={(Object.keys(units) as Unit[]).map((value) => ({ value, label: unitNames[value] }))}
            />
          </div>
        )}
      />
    </Field>
  )
}
