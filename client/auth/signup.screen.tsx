import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Type } from '@sinclair/typebox'
import { Link, Navigate, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { phoneDigits, phoneTyped, signUpFields } from '../../schema/companies/companies.inputs.ts'
import { api, ApiError } from '../session/api.ts'
import { errorText } from '../session/error-text.ts'
import { schemaResolver } from '../kit/form.tsx'
import { keys, local } from '../base/local.ts'
import { storedLocale } from '../i18n/locale.ts'
import { Button } from '../ui/button.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { useDocumentTitle } from '../ui/page.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { toast } from '../ui/toaster.tsx'
import { useOpen, useSwitchedOn } from './open-resource.ts'
import { PlanChoice, type OfferedPlan } from './plan-choice.tsx'
import { EmailField } from './email-field.tsx'
import { Failure, linkClasses, OfflineHint, PublicPage } from './public-page.tsx'

interface SignUpForm {
  name: string
  userName: string
  email: string
  phone: string
  password: string
  planId: number | null
}

const schema = Type.Object(signUpFields)

/** Error code → the field that it is about. */
const fieldOf: Partial<Record<string, keyof SignUpForm>> = {
  ERR_COMPANY_ALREADY_EXISTS: 'name',
  ERR_DUPLICATED_EMAIL: 'email',
  ERR_NO_PLAN_FOUND: 'planId',
}

export default function SignUpScreen() {
  const { t } = useLingui()
  const allowed = useSwitchedOn('allowregister')
  const trial = useOpen<{ value: string }>('/settings/trial')
  const plans = useOpen<OfferedPlan[]>('/plans/register')
  // Old links carry it; it only goes on to the screen beside this one.
  const search = useSearch({ from: '/public/signup' })
  useDocumentTitle(t`Cadastro`)
  if (allowed.on === false) return <Navigate to="/login" replace />
  const days = Number(trial.data?.value)
  const label = t`Cadastro`
  return (
    <PublicPage
      brand="signup"
      title={<Trans>Cadastre sua empresa</Trans>}
      footer={
        <p>
          <Trans>Já tem conta?</Trans>{' '}
          <Link to="/login" className={linkClasses}>
            <Trans>Entrar</Trans>
          </Link>
          {' · '}
          <Link to="/forgetpsw" search={search} className={linkClasses}>
            <Trans>Esqueci minha senha</Trans>
          </Link>
        </p>
      }
    >
      {days > 0 && (
        <p className="mt-1 text-sm text-muted-foreground">
          <Plural value={days} one="Teste grátis por # dia." other="Teste grátis por # dias." />
        </p>
      )}
      {allowed.failed !== null || plans.failed !== null ? (
        <ErrorState
          onRetry={() => {
            allowed.reload()
            trial.reload()
            plans.reload()
          }}
        >
          {errorText(allowed.failed ?? plans.failed)}
        </ErrorState>
      ) : allowed.on && plans.data ? (
        <Form plans={plans.data} />
      ) : (
        <Loading label={t`Carregando: ${label}`} />
      )}
    </PublicPage>
  )
}

function Loading({ label }: { label: string }) {
  return (
    <div role="status" aria-busy="true" aria-label={label} className="mt-5 flex flex-col gap-4">
      {Array.from({ length: 4 }, (_, index) => (
        <Skeleton key={index} className="h-10" />
      ))}
    </div>
  )
}

function Form({ plans }: { plans: readonly OfferedPlan[] }) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const [failure, setFailure] = useState<unknown>(null)
  const form = useForm<SignUpForm>({
    defaultValues: {
      ...{ name: '', userName: '', email: '', phone: '', password: '' },
      // With one plan there is nothing to choose.
      planId: plans.length === 1 ? plans[0]!.id : null,
    },
    resolver: schemaResolver(schema, { email: t`E-mail inválido` }),
  })
  const {
    register,
    control,
    handleSubmit,
    setError,
    formState: { errors, isSubmitting },
  } = form
  const submit = handleSubmit(async (values) => {
    setFailure(null)
    try {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
      const body = {
        ...values,
        ...{ phone: phoneDigits(values.phone), recurrence: 'MENSAL', language: storedLocale(), timeZone },
      }
      await api.post('/companies/cadastro', body, { auth: false })
    } catch (error) {
      const field = error instanceof ApiError ? fieldOf[error.code] : undefined
      if (field) setError(field, { message: errorText(error) }, { shouldFocus: true })
      else setFailure(error)
      return
    }
    local.set(keys.lastEmail, values.email)
    toast.success(t`Cadastro realizado com sucesso! Entre com seu e-mail e sua senha.`)
    await navigate({ to: '/login' })
  })
  return (
    <form className="mt-5 flex flex-col gap-4" noValidate onSubmit={(event) => void submit(event)}>
      <Field label={t`Nome da empresa`} required error={errors.name?.message}>
        <Input autoFocus autoComplete="organization" className="h-10" {...register('name')} />
      </Field>
      <Field label={t`Seu nome`} required error={errors.userName?.message}>
        <Input autoComplete="name" className="h-10" {...register('userName')} />
      </Field>
      <EmailField required error={errors.email?.message} registered={register('email')} />
      <Field label={t`Telefone`} error={errors.phone?.message}>
        <Controller
          control={control}
          name="phone"
          render={({ field: { onChange, value, ref, onBlur, name } }) => (
            <Input
              ref={ref}
              name={name}
              type="tel"
              inputMode="tel"
              autoComplete="tel-national"
              placeholder="(99) 99999-9999"
              className="h-10"
              value={value}
              onBlur={onBlur}
              onChange={(event) => onChange(phoneTyped(event.target.value, value))}
            />
          )}
        />
      </Field>
      <Field label={t`Senha`} required hint={t`De 5 a 128 caracteres`} error={errors.password?.message}>
        <PasswordInput autoComplete="new-password" className="h-10" {...register('password')} />
      </Field>
      <Controller
        control={control}
        name="planId"
        render={({ field: { value, onChange, ref } }) => (
          <PlanChoice plans={plans} value={value} onChange={onChange} focusRef={ref} error={errors.planId?.message} />
        )}
      />
      {failure !== null && <Failure of={failure} />}
      <OfflineHint />
      <Button type="submit" size="lg" busy={isSubmitting} disabled={plans.length === 0} className="mt-1 w-full">
        <Trans>Cadastrar</Trans>
      </Button>
    </form>
  )
}
