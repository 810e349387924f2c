import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { resetInput } from '../../schema/auth/auth.inputs.ts'
import { api } from '../session/api.ts'
import { keys, local } from '../base/local.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { useDocumentTitle } from '../ui/page.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { toast } from '../ui/toaster.tsx'
import { Failure, linkClasses, OfflineHint, PublicPage } from './public-page.tsx'

const { newPassword: rule } = resetInput.properties

/** Where somebody who was invited chooses their first password. Who they are stands behind the mark of the address. */
export default function InvitationScreen() {
  const { t } = useLingui()
  const [given] = useState(() => new URLSearchParams(location.hash.slice(1)))
  const [email, code] = [given.get('email') ?? '', given.get('code') ?? '']
  useDocumentTitle(t`Escolha a sua senha`)
  return (
    <PublicPage
      title={<Trans>Escolha a sua senha</Trans>}
      footer={
        <Link to="/login" className={linkClasses}>
          <Trans>Voltar para a entrada</Trans>
        </Link>
      }
    >
      {email && code ? (
        <Form email={email} code={code} />
      ) : (
        <p role="alert" className="mt-4 rounded-md bg-warning-soft px-3 py-2 text-sm text-warning-soft-foreground">
          <Trans>
            O endereço do convite está incompleto. Abra-o como o recebeu, ou peça outro a quem convidou você.
          </Trans>
        </p>
      )}
    </PublicPage>
  )
}

function Form({ email, code }: { email: string; code: string }) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const [failure, setFailure] = useState<unknown>(null)
  const {
    register,
    handleSubmit,
    getValues,
    formState: { errors, isSubmitting },
  } = useForm({ defaultValues: { newPassword: '', confirmPassword: '' } })
  const submit = handleSubmit(async ({ newPassword }) => {
    setFailure(null)
    try {
      await api.post('/resetpasswords', { email, token: code, newPassword }, { auth: false })
    } catch (error) {
      setFailure(error)
      return
    }
    local.set(keys.lastEmail, email)
    toast.success(t`Senha escolhida. Agora entre com ela.`)
    await navigate({ to: '/login' })
  })
  const weak = t`Sua senha precisa ter no mínimo 8 caracteres, sendo uma letra maiúscula, uma minúscula e um número.`
  const required = t`Campo obrigatório`
  return (
    <form className="mt-5 flex flex-col gap-4" noValidate onSubmit={(event) => void submit(event)}>
      <Field label={t`E-mail`}>
        <Input readOnly autoComplete="username" className="h-10" value={email} />
      </Field>
      <Field label={t`Nova senha`} required error={errors.newPassword?.message}>
        <PasswordInput
          autoFocus
          autoComplete="new-password"
          className="h-10"
          {...register('newPassword', {
            required,
            minLength: { value: rule.minLength!, message: weak },
            maxLength: { value: rule.maxLength!, message: t`Longo demais: use até 128 caracteres` },
            pattern: { value: new RegExp(rule.pattern!), message: weak },
          })}
        />
      </Field>
      <Field label={t`Confirme a nova senha`} required error={errors.confirmPassword?.message}>
        <PasswordInput
          autoComplete="new-password"
          className="h-10"
          {...register('confirmPassword', {
            required,
            validate: (value) => value === getValues('newPassword') || t`As senhas não correspondem`,
          })}
        />
      </Field>
      {failure !== null && <Failure of={failure} />}
      <OfflineHint />
      <Button type="submit" size="lg" busy={isSubmitting} className="mt-1 w-full">
        <Trans>Salvar a senha</Trans>
      </Button>
    </form>
  )
}
