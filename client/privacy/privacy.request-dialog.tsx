import { Trans, useLingui } from '@lingui/react/macro'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { newRequest } from '../../schema/privacy/privacy.inputs.ts'
import { requestKinds, requestLaws, requestStates, type RequestState } from '../../schema/privacy/privacy.table.ts'
import { dueOf } from '../../schema/privacy/privacy.terms.ts'
import { dateText } from '../i18n/dates.ts'
import { FormDialog, schemaResolver } from '../kit/form.tsx'
import { useToday } from '../session/company-day.ts'
import { DateInput } from '../ui/date-input.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Select } from '../ui/select.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { toast } from '../ui/toaster.tsx'
import { privacy, type RequestForm, type RequestRow } from './privacy.queries.ts'
import { usePrivacyWords } from './privacy.words.ts'

/** A request as the data officer writes it down; until when it is to be answered follows from the law. */
export function RequestDialog({
  request,
  onClose,
  onSaved,
}: {
  request: RequestRow | null
  onClose: () => void
  onSaved: () => void
}) {
  const { t, i18n } = useLingui()
  const words = usePrivacyWords()
  const today = useToday()
  const form = useForm<RequestForm & { state: RequestState }>({
    defaultValues: {
      subject: request?.subject ?? '',
      kind: request?.kind ?? 'access',
      law: request?.law ?? 'lgpd',
      receivedAt: request?.receivedAt ?? today,
      note: request?.note ?? '',
      state: request?.state ?? 'open',
    },
    resolver: schemaResolver(newRequest),
  })
  const { control, register, formState } = form
  const [law, receivedAt] = useWatch({ control, name: ['law', 'receivedAt'] })
  const due = receivedAt ? dateText(i18n.locale, new Date(`${dueOf(law, receivedAt)}T12:00:00`), 'fullDate') : ''
  return (
    <FormDialog
      onClose={onClose}
      title={request ? t`Pedido` : t`Registrar pedido`}
      form={form}
      fieldOf={{}}
      onSubmit={async (values) => {
        const { subject, kind, receivedAt: day, note } = values
        const sent = { subject, kind, law: values.law, receivedAt: day, note }
        if (request) await privacy.changeRequest(request.id, { ...sent, state: form.getValues('state') })
        else await privacy.addRequest(sent)
        toast.success(request ? t`Pedido alterado` : t`Pedido registrado`)
        onSaved()
      }}
    >
      <Field
        label={<Trans>Quem pede</Trans>}
        required
        hint={<Trans>Nome, e como responder</Trans>}
        error={formState.errors.subject?.message}
      >
        <Input autoFocus autoComplete="off" {...register('subject')} />
      </Field>
      <Field label={<Trans>O que pede</Trans>}>
        <Controller
          control={control}
          name="kind"
          render={({ field: { value, onChange } }) => (
            <Select
              value={value}
              onChange={onChange}
              options={requestKinds.map((kind) => ({ value: kind, label: words.requests[kind] }))}
            />
          )}
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={<Trans>Recebido em</Trans>} required error={formState.errors.receivedAt?.message}>
          <Controller
            control={control}
            name="receivedAt"
            render={({ field: { value, onChange } }) => <DateInput value={value} max={today} onChange={onChange} />}
          />
        </Field>
        <Field label={<Trans>Prazo</Trans>} hint={due && <Trans>Responder até {due}</Trans>}>
          <Controller
            control={control}
            name="law"
            render={({ field: { value, onChange } }) => (
              <Select
                value={value}
                onChange={onChange}
                options={requestLaws.map((one) => ({ value: one, label: words.laws[one] }))}
              />
            )}
          />
        </Field>
      </div>
      <Field label={<Trans>Anotações</Trans>} error={formState.errors.note?.message}>
        <Textarea rows={3} {...register('note')} />
      </Field>
      {request && (
        <Field label={<Trans>Situação</Trans>}>
          <Controller
            control={control}
            name="state"
            render={({ field: { value, onChange } }) => (
              <Select
                value={value}
                onChange={onChange}
                options={requestStates.map((one) => ({ value: one, label: words.states[one] }))}
              />
            )}
          />
        </Field>
      )}
    </FormDialog>
  )
}
