import { useState } from 'react'
import { Trans, useLingui } from '@lingui/react/macro'
import { Controller, useForm } from 'react-hook-form'
import {
  companyInput,
  type CompanyInput,
  isCampaigns,
  newCompanyForm,
  phoneMask,
  phoneTyped,
} from '../../schema/companies/companies.inputs.ts'
import { languages } from '../../schema/languages.ts'
import { recurrences } from '../../schema/companies/companies.table.ts'
import { homeCode } from '../../schema/contacts/contacts.phone.ts'
import { SelectField, SwitchField } from '../kit/form-fields.tsx'
import { FormDialog, schemaResolver } from '../kit/form.tsx'
import { useUser } from '../session/session.tsx'
import { countryOptions } from '../contacts/contacts.countries.ts'
import { localeNames, storedLocale } from '../i18n/locale.ts'
import { useFreeOfCharge } from '../invoices/invoices.free.tsx'
import { usePlans } from '../plans/plans.queries.ts'
import { DateInput } from '../ui/date-input.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import type { Invited } from '../kit/invitation.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { Switch } from '../ui/switch.tsx'
import { toast } from '../ui/toaster.tsx'
import { companies } from './companies.queries.ts'
import type { Company } from './companies.queries.ts'
import { useRecurrenceNames } from './companies.words.ts'
import { ZonePicker } from './companies.zone-picker.tsx'

type Form = CompanyInput & { password: string }

/** Adds (`company` null) or edits a company of the platform; `inline` as a part of a page. */
export function CompanyDialog({
  company,
  inline = false,
  onClose,
  onSaved,
}: {
  company: Company | null
  inline?: boolean
  onClose: () => void
  /** Hears of the admin who was invited. */
  onSaved: (invited?: Invited) => void
}) {
  const { t, i18n } = useLingui()
  const { company: own } = useUser()
  const plans = usePlans().data ?? []
  const recurrenceNames = useRecurrenceNames()
  const { agreed, question } = useFreeOfCharge()
  const [openedDueDate] = useState(company?.dueDate ?? null)
  const campaigns = company?.settings.find(({ key }) => key === 'campaignsEnabled')?.value
  const form = useForm<Form>({
    defaultValues: {
      name: company?.name ?? '',
      email: company?.email ?? '',
      phone: phoneMask(company?.phone ?? ''),
      planId: company?.planId ?? undefined,
      status: company?.status ?? true,
      campaignsEnabled: campaigns === undefined || isCampaigns(campaigns),
      dueDate: company?.dueDate ?? '',
      recurrence: company?.recurrence ?? 'MENSAL',
      timeZone: company?.timeZone ?? own.timeZone ?? 'America/Sao_Paulo',
      language: company?.language ?? storedLocale(),
      callingCode: company?.callingCode ?? own.callingCode ?? homeCode,
      password: '',
    },
    resolver: schemaResolver(company ? companyInput : newCompanyForm, {
      email: t`E-mail inválido`,
      password: t`Use de 5 a 128 caracteres`,
    }),
  })
  const {
    register,
    control,
    formState: { errors },
  } = form
  return (
    <FormDialog
      onClose={onClose}
      inline={inline}
      size="lg"
      title={company ? t`Editar empresa` : t`Adicionar empresa`}
      form={form}
      failed={t`Não foi possível realizar a operação. Verifique se já existe uma empresa com o mesmo nome ou se os campos foram preenchidos corretamente`}
      fieldOf={{
        ERR_COMPANY_ALREADY_EXISTS: 'name',
        ERR_DUPLICATED_EMAIL: 'email',
        ERR_NO_PLAN_FOUND: 'planId',
        ERR_UNKNOWN_TIME_ZONE: 'timeZone',
      }}
      onSubmit={async ({ password, ...values }) => {
        const input = { ...values, dueDate: values.dueDate || null }
        // A payment may have moved the date while the dialog was open: it is sent only when it was changed here.
        const { dueDate, ...rest } = input
        const isFree = plans.some(({ id, value }) => id === values.planId && Number(value) === 0)
        if (company && isFree && values.planId !== company.planId && !(await agreed({ companyId: company.id })))
          return false
        const made = company
          ? await companies.update(company.id, dueDate === openedDueDate ? rest : input).then(() => null)
          : await companies.create({ ...input, password })
        toast.success(t`Operação realizada com sucesso!`)
        const { invitation } = made ?? {}
        // After the dialog has closed, so that what opens next keeps the focus.
        setTimeout(() => onSaved(invitation && { ...invitation, name: values.name, email: values.email }))
      }}
    >
      {question}
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={<Trans>Nome</Trans>} required error={errors.name?.message}>
          <Input autoFocus={!inline} autoComplete="off" {...register('name')} />
        </Field>
        <Field
          label={<Trans>E-mail</Trans>}
          required
          hint={company ? undefined : <Trans>Também o login do primeiro administrador.</Trans>}
          error={errors.email?.message}
        >
          <Input type="email" autoComplete="off" {...register('email')} />
        </Field>
        {!company && (
          <Field
            label={<Trans>Senha do administrador</Trans>}
            hint={<Trans>Em branco, a pessoa recebe um convite e escolhe a sua.</Trans>}
            error={errors.password?.message}
          >
            <PasswordInput autoComplete="new-password" {...register('password')} />
          </Field>
        )}
        <Field label={<Trans>Telefone</Trans>} error={errors.phone?.message}>
          <Controller
            control={control}
            name="phone"
            render={({ field: { value, onChange, ref, onBlur } }) => (
              <Input
                ref={ref}
                inputMode="tel"
                autoComplete="off"
                value={value}
                onBlur={onBlur}
                onChange={(event) => onChange(phoneTyped(event.target.value, value))}
              />
            )}
          />
        </Field>
        <Field label={<Trans>Plano</Trans>} required error={errors.planId?.message}>
          <SelectField
            control={control}
            name="planId"
            options={plans.map((plan) => ({ value: plan.id, label: plan.name }))}
          />
        </Field>
        <Field
          label={<Trans>Vencimento</Trans>}
          hint={<Trans>O último dia de uso. Em branco, não vence.</Trans>}
          error={errors.dueDate?.message}
        >
          <Controller
            control={control}
            name="dueDate"
            render={({ field: { value, onChange, ref, onBlur } }) => (
              <DateInput ref={ref} value={value ?? ''} onBlur={onBlur} onChange={onChange} />
            )}
          />
        </Field>
        <Field label={<Trans>Recorrência</Trans>}>
          <SelectField
            control={control}
            name="recurrence"
            // Others are kept where they are stored, and offered to nobody new.
            options={recurrences
              .filter((name) => name === 'MENSAL' || name === company?.recurrence)
              .map((name) => ({ value: name, label: recurrenceNames[name] }))}
          />
        </Field>
        <Field label={<Trans>Fuso horário</Trans>} required error={errors.timeZone?.message}>
          <Controller
            control={control}
            name="timeZone"
            render={({ field: { value, onChange } }) => <ZonePicker value={value} onChange={onChange} />}
          />
        </Field>
        <Field label={<Trans>Idioma das mensagens automáticas</Trans>} required>
          <SelectField
            control={control}
            name="language"
            options={languages.map((name) => ({ value: name, label: localeNames[name] }))}
          />
        </Field>
        <Field label={<Trans>País dos números</Trans>} required>
          <SelectField control={control} name="callingCode" options={countryOptions(i18n.locale)} />
        </Field>
      </div>
      <Field label={<Trans>Ativa: as pessoas entram e os robôs respondem</Trans>} inline>
        <SwitchField control={control} name="status" />
      </Field>
      <Field label={<Trans>Campanhas</Trans>} hint={<Trans>Só onde o plano também as inclui.</Trans>} inline>
        <Controller
          control={control}
          name="campaignsEnabled"
          render={({ field: { value, onChange, ref } }) => (
            <Switch ref={ref} checked={isCampaigns(value)} onCheckedChange={onChange} />
          )}
        />
      </Field>
    </FormDialog>
  )
}
