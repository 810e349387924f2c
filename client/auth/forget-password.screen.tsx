import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { isEmail } from '../../schema/inputs.ts'
import { resetInput } from '../../schema/auth/auth.inputs.ts'
import { ApiError, api } from '../session/api.ts'
import { keys, local } from '../base/local.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { useDocumentTitle } from '../ui/page.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { toast } from '../ui/toaster.tsx'
import { useOpen, useSwitchedOn } from './open-resource.ts'
import { EmailField } from './email-field.tsx'
import { Failure, linkClasses, OfflineHint, PublicPage } from './public-page.tsx'

interface ResetForm {
  email: string
  token: string
  newPassword: string
  confirmPassword: string
}

const { newPassword } = resetInput.properties

/** Sends a code to an e-mail, then takes the code and the new password. */
export default function ForgetPasswordScreen() {
  const { t } = useLingui()
  const search = useSearch({ from: '/public/forgetpsw' })
  const { on: showsSignUp } = useSwitchedOn('viewregister')
  const mail = useOpen<{ enabled: boolean }>('/forgetpassword')
  useDocumentTitle(t`Redefinir senha`)
  return (
    <PublicPage
      title={<Trans>Redefinir senha</Trans>}
      footer={
        <>
          <Link to="/login" className={linkClasses}>
            <Trans>Voltar para a entrada</Trans>
          </Link>
          {showsSignUp && (
            <p>
              <Trans>Ainda não tem conta?</Trans>{' '}
              <Link to="/signup" search={search} className={linkClasses}>
                <Trans>Cadastre sua empresa</Trans>
              </Link>
            </p>
          )}
        </>
      }
    >
      {mail.data?.enabled === false ? (
        <p role="status" className="mt-4 rounded-md bg-warning-soft px-3 py-2 text-sm text-warning-soft-foreground">
          <Trans>
            Este sistema não envia e-mails, e por isso não há como mandar um código. Peça a um administrador da sua
            empresa que defina uma nova senha em Usuários.
          </Trans>
        </p>
      ) : (
        <Form />
      )}
    </PublicPage>
  )
}

function Form() {
  const { t } = useLingui()
  const navigate = useNavigate()
  const [step, setStep] = useState<'email' | 'code'>('email')
  const [failure, setFailure] = useState<unknown>(null)
  const [sendingAgain, setSendingAgain] = useState(false)
  const {
    register,
    handleSubmit,
    trigger,
    getValues,
    setError,
    setFocus,
    formState: { errors, isSubmitting },
  } = useForm<ResetForm>({
    defaultValues: { email: local.get(keys.lastEmail) ?? '', token: '', newPassword: '', confirmPassword: '' },
  })
  const showCode = () => {
    setStep('code')
    // Once its field is there.
    setTimeout(() => setFocus('token'))
  }

  /** Has a code sent; one that was sent before stays good. */
  const send = async () => {
    setFailure(null)
    const email = getValues('email').trim()
    try {
      const { status } = await api.post<{ status: number }>(`/forgetpassword/${encodeURIComponent(email)}`, undefined, {
        auth: false,
      })
      if (status === 404) {
        setError('email', { message: t`Email não encontrado` }, { shouldFocus: true })
        return
      }
      toast.success(t`Email enviado com sucesso!`)
      showCode()
    } catch (error) {
      setFailure(error)
    }
  }
  const sendAgain = async () => {
    if (!(await trigger('email', { shouldFocus: true }))) return
    setSendingAgain(true)
    await send()
    setSendingAgain(false)
  }
  const reset = async ({ email, token, newPassword }: ResetForm) => {
    setFailure(null)
    try {
      await api.post('/resetpasswords', { email: email.trim(), token: token.trim(), newPassword }, { auth: false })
    } catch (error) {
      setFailure(error)
      return
    }
    local.set(keys.lastEmail, email.trim())
    toast.success(t`Senha redefinida com sucesso.`)
    await navigate({ to: '/login' })
  }
  const submit = handleSubmit(step === 'email' ? send : reset)

  const weak = t`Sua senha precisa ter no mínimo 8 caracteres, sendo uma letra maiúscula, uma minúscula e um número.`
  const required = t`Campo obrigatório`
  return (
    <form className="mt-5 flex flex-col gap-4" noValidate onSubmit={(event) => void submit(event)}>
      {step === 'email' && (
        <p className="text-sm text-muted-foreground">
          <Trans>Enviaremos um código de verificação para o seu e-mail.</Trans>
        </p>
      )}
      <EmailField
        required
        error={errors.email?.message}
        autoFocus
        registered={register('email', {
          required: t`Obrigatório`,
          validate: (value) => isEmail(value.trim()) || t`E-mail inválido`,
        })}
      />
      {step === 'code' && (
        <>
          <Field
            label={t`Código de verificação`}
            required
            hint={t`Está no e-mail; vale por 30 minutos`}
            error={errors.token?.message}
          >
            <Input
              autoComplete="one-time-code"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={resetInput.properties.token.maxLength}
              className="h-10 font-mono tracking-wider"
              {...register('token', { required })}
            />
          </Field>
          <Field label={t`Nova senha`} required error={errors.newPassword?.message}>
            <PasswordInput
              autoComplete="new-password"
              className="h-10"
              {...register('newPassword', {
                required,
                minLength: { value: newPassword.minLength!, message: weak },
                maxLength: { value: newPassword.maxLength!, message: t`Longo demais: use até 128 caracteres` },
                pattern: { value: new RegExp(newPassword.pattern!), message: weak },
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
        </>
      )}
      {failure !== null && <Failure of={failure} />}
      {failure instanceof ApiError && failure.code === 'ERR_OIDC_ONLY' && (
        <Link to="/login" className={linkClasses}>
          <Trans>Entrar com a conta da empresa</Trans>
        </Link>
      )}
      <OfflineHint />
      <Button type="submit" size="lg" busy={isSubmitting} className="mt-1 w-full">
        {step === 'email' ? <Trans>Enviar código</Trans> : <Trans>Redefinir senha</Trans>}
      </Button>
      <p className="-mb-1 text-center text-sm">
        {step === 'email' ? (
          <button type="button" className={linkClasses} onClick={showCode}>
            <Trans>Já tenho um código</Trans>
          </button>
        ) : (
          <button
            type="button"
            className={linkClasses}
            disabled={isSubmitting || sendingAgain}
            onClick={() => void sendAgain()}
          >
            <Trans>Enviar outro código</Trans>
          </button>
        )}
      </p>
    </form>
  )
}
