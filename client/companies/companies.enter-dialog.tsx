import { Trans, useLingui } from '@lingui/react/macro'
import { RadioGroup } from 'radix-ui'
import { useId } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { impersonationInput } from '../../schema/auth/impersonation.inputs.ts'
import { FormDialog, schemaResolver } from '../kit/form.tsx'
import { errorText } from '../session/error-text.ts'
import { SearchInput, useSearchText } from '../kit/search-input.tsx'
import { session } from '../session/session-store.ts'
import { Badge } from '../ui/badge.tsx'
import { Field } from '../ui/field.tsx'
import { LoadingBlock } from '../ui/skeleton.tsx'
import { Switch } from '../ui/switch.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { useProfileNames } from '../users/users.words.ts'
import { companies, type Company, type CompanyPerson, useCompanyPeople } from './companies.queries.ts'

interface Values {
  userId: number
  reason: string
  write: boolean
}

/** For whom the operator acts, and why: the company's admins read it. */
export function EnterAsDialog({ company, onClose }: { company: Company; onClose: () => void }) {
  const { t } = useLingui()
  const { name } = company
  const form = useForm<Values>({
    defaultValues: { reason: '', write: false },
    resolver: schemaResolver(impersonationInput),
  })
  const {
    register,
    control,
    formState: { errors },
  } = form
  return (
    <FormDialog
      title={t`Entrar como alguém de ${name}`}
      form={form}
      save={<Trans>Entrar por 30 minutos</Trans>}
      fieldOf={{ ERR_NO_USER_FOUND: 'userId' }}
      onClose={onClose}
      onSubmit={async ({ userId, reason, write }) => {
        const { token, user } = await companies.impersonate(company.id, { userId, reason, write })
        session.act(token, user)
      }}
    >
      <Controller
        control={control}
        name="userId"
        render={({ field }) => (
          <People
            companyId={company.id}
            value={field.value}
            onChange={field.onChange}
            focusRef={field.ref}
            error={errors.userId && t`Escolha em nome de quem`}
          />
        )}
      />
      <Field
        label={<Trans>Motivo</Trans>}
        required
        hint={<Trans>Os administradores da empresa são avisados e leem o motivo.</Trans>}
        error={errors.reason?.message}
      >
        <Textarea rows={2} {...register('reason')} />
      </Field>
      <Controller
        control={control}
        name="write"
        render={({ field }) => (
          <Field
            inline
            label={<Trans>Permitir alterações</Trans>}
            hint={<Trans>Sem isto você só lê. O que for alterado fica na auditoria com o seu nome.</Trans>}
          >
            <Switch checked={field.value} onCheckedChange={field.onChange} />
          </Field>
        )}
      />
    </FormDialog>
  )
}

function People({
  companyId,
  value,
  onChange,
  error,
  focusRef,
}: {
  companyId: number
  value: number | undefined
  onChange: (id: number) => void
  error: string | undefined
  focusRef: (element: HTMLButtonElement | null) => void
}) {
  const { t } = useLingui()
  const id = useId()
  const { search, setSearch, settled } = useSearchText()
  const { data, error: failure } = useCompanyPeople(companyId, settled)
  return (
    <div className="flex flex-col gap-2">
      <span id={`${id}-label`} className="text-[0.8125rem] leading-none font-medium">
        <Trans>Em nome de</Trans>
      </span>
      <SearchInput value={search} onChange={setSearch} label={t`Buscar por nome ou e-mail`} />
      {failure && !data && (
        <p role="alert" className="text-xs text-destructive-soft-foreground">
          {errorText(failure)}
        </p>
      )}
      {!data && !failure && <LoadingBlock className="h-11" />}
      {data?.users.length === 0 && (
        <p className="text-sm text-muted-foreground">
          <Trans>Ninguém com este nome.</Trans>
        </p>
      )}
      <RadioGroup.Root
        aria-labelledby={`${id}-label`}
        aria-describedby={error ? `${id}-error` : undefined}
        aria-required
        value={value === undefined ? '' : String(value)}
        onValueChange={(next) => onChange(Number(next))}
        className="flex max-h-52 flex-col gap-1 overflow-y-auto p-0.5"
      >
        {data?.users.map((person, index) => (
          <Person key={person.id} of={person} focusRef={index === 0 ? focusRef : undefined} />
        ))}
      </RadioGroup.Root>
      {error && (
        <p id={`${id}-error`} className="text-xs text-destructive-soft-foreground">
          {error}
        </p>
      )}
    </div>
  )
}

function Person({
  of: { id, name, email, profile },
  focusRef,
}: {
  of: CompanyPerson
  focusRef: ((element: HTMLButtonElement | null) => void) | undefined
}) {
  const profiles = useProfileNames()
  return (
    <RadioGroup.Item
      ref={focusRef}
      value={String(id)}
      className="focus-ring group flex items-center gap-3 rounded-lg border px-3 py-2 text-left transition-colors hover:bg-accent/50 data-[state=checked]:border-primary data-[state=checked]:bg-primary-soft"
    >
      <span
        aria-hidden="true"
        className="flex size-4 shrink-0 items-center justify-center rounded-full border border-control bg-background group-data-[state=checked]:border-primary"
      >
        <RadioGroup.Indicator className="size-2 rounded-full bg-primary" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm font-medium">{name}</span>
        <span className="block truncate text-xs text-muted-foreground">{email}</span>
      </span>
      <Badge tone="neutral">{profiles[profile]}</Badge>
    </RadioGroup.Item>
  )
}
