import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useForm } from 'react-hook-form'
import { ApiError } from '../session/api.ts'
import { useProductName } from '../session/branding.ts'
import { errorCodeText } from '../session/error-text.ts'
import { keys, local } from '../base/local.ts'
import { hasPasskeys, loginWithPasskey } from '../account/passkeys.ts'
import { type Challenge, login } from '../session/session.tsx'
import { session } from '../session/session-store.ts'
import type { EndedBy, SessionEnd } from '../session/session-store.ts'
import { useSignInText } from '../account/sign-in-words.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { useDocumentTitle } from '../ui/page.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { usePasskeyAutofill } from './use-passkey-autofill.ts'
import { useSwitchedOn } from './open-resource.ts'
import { CompanyAccount, enterReturned, takeFrom, takeReturned } from './company-account.tsx'
import { SecondStep } from './second-step.tsx'
import { EmailField } from './email-field.tsx'
import { Failure, linkClasses, OfflineHint, PublicPage } from './public-page.tsx'

const saysOnlyWay = (error: unknown) => error instanceof ApiError && error.code === 'ERR_OIDC_ONLY'

type LoginForm = { email: string; password: string }

export default function LoginScreen() {
  const { t } = useLingui()
  const product = useProductName()
  const router = useRouter()
  const navigate = useNavigate()
  const { from, company } = useSearch({ from: '/public/login' })
  const [returned] = useState(takeReturned)
  const { on: showsSignUp } = useSwitchedOn('viewregister')
  const remembered = local.get(keys.lastEmail) ?? ''
  const [failure, setFailure] = useState<unknown>(() =>
    returned && 'error' in returned ? new ApiError(returned.error, 400) : null,
  )
  const [challenge, setChallenge] = useState<Challenge | undefined>(() =>
    returned && 'challenge' in returned ? returned : undefined,
  )
  // It stands until the next login: nobody may have been looking when it happened.
  const [lastEnd] = useState(() => session.lastEnd())
  const {
    register,
    handleSubmit,
    setFocus,
    trigger,
    getValues,
    formState: { errors, isSubmitting },
  } = useForm<LoginForm>({ defaultValues: { email: remembered, password: '' } })
  useDocumentTitle(t`Entrar`)

  const enter = async () => {
    const wanted = from ?? takeFrom()
    if (wanted) router.history.push(wanted)
    else await navigate({ to: '/' })
  }
  const isEntering = returned !== null && 'entered' in returned && failure === null
  useEffect(() => {
    if (returned && 'entered' in returned) void enterReturned().then(enter, setFailure)
    // Once, when the provider has sent somebody back.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])
  const submit = handleSubmit(async ({ email, password }) => {
    setFailure(null)
    try {
      const answer = await login(email, password)
      if ('challenge' in answer) setChallenge(answer)
      else await enter()
    } catch (error) {
      setFailure(error)
      if (!saysOnlyWay(error)) setFocus('password', { shouldSelect: true })
    }
  })

  const [keyBusy, setKeyBusy] = useState(false)
  const byKey = useRef<HTMLButtonElement>(null)
  const enterByKey = async () => {
    setKeyBusy(true)
    setFailure(null)
    try {
      await loginWithPasskey({})
      await enter()
    } catch (error) {
      flushSync(() => {
        setFailure(error)
        setKeyBusy(false)
      })
      // While it was busy it could not have the keyboard.
      byKey.current?.focus()
    }
  }
  const isKeyTaken = usePasskeyAutofill(keyBusy || isEntering || isSubmitting || challenge !== undefined, {
    onEntered: () => void enter(),
    onFailed: setFailure,
  })

  if (challenge)
    return (
      <SecondStep
        challenge={challenge}
        onEntered={enter}
        onAgain={(reason) => {
          setChallenge(undefined)
          setFailure(reason)
        }}
      />
    )
  return (
    <PublicPage
      title={<Trans>Entrar na sua conta</Trans>}
      footer={
        showsSignUp && (
          <p>
            <Trans>Ainda não tem conta?</Trans>{' '}
            <Link to="/signup" className={linkClasses}>
              <Trans>Cadastre sua empresa</Trans>
            </Link>
          </p>
        )
      }
    >
      <form className="mt-5 flex flex-col gap-4" noValidate onSubmit={(event) => void submit(event)}>
        <EmailField
          error={errors.email?.message}
          autoFocus={!remembered}
          passkeys
          registered={register('email', { required: t`Informe o e-mail` })}
        />
        <Field label={t`Senha`} error={errors.password?.message}>
          <PasswordInput
            autoComplete="current-password"
            autoFocus={remembered !== ''}
            className="h-10"
            {...register('password', { required: t`Informe a senha` })}
          />
        </Field>
        {failure !== null && <Failure of={failure} />}
        {failure === null && lastEnd && lastEnd.why !== 'logout' && <LastEnd {...lastEnd} />}
        <OfflineHint>
          <Trans>
            Sem conexão. Para entrar pela primeira vez neste navegador é preciso internet; depois, {product} abre também
            sem ela.
          </Trans>
        </OfflineHint>
        <Button
          type="submit"
          variant={saysOnlyWay(failure) ? 'outline' : 'primary'}
          size="lg"
          busy={isSubmitting || isEntering}
          disabled={isKeyTaken || keyBusy}
          className="mt-1 w-full"
        >
          <Trans>Entrar</Trans>
        </Button>
        {hasPasskeys() && (
          <Button
            ref={byKey}
            type="button"
            variant="outline"
            size="lg"
            busy={keyBusy || isKeyTaken}
            disabled={isSubmitting || isEntering}
            className="w-full"
            onClick={() => void enterByKey()}
          >
            <KeyRound />
            <Trans>Entrar com chave de acesso</Trans>
          </Button>
        )}
        <CompanyAccount
          company={company}
          from={from}
          isOnlyWay={saysOnlyWay(failure)}
          emailOf={async () => {
            // Of a company that stands in the address nobody has to say more.
            if (company) return undefined
            return (await trigger('email', { shouldFocus: true })) ? getValues('email').trim() : undefined
          }}
          onFailed={setFailure}
        />
        <p className="-mb-1 text-center text-sm">
          <Link to="/forgetpsw" className={linkClasses}>
            <Trans>Esqueci minha senha</Trans>
          </Link>
        </p>
      </form>
    </PublicPage>
  )
}

/** Why one has to sign in again, and who did it where, when that is the reason. */
function LastEnd({ why, by }: { why: SessionEnd; by: EndedBy | undefined }) {
  const signInText = useSignInText()
  if (why === 'password')
    return (
      <p role="status" className="rounded-md bg-success-soft px-3 py-2 text-sm text-success-soft-foreground">
        <Trans>Senha alterada. Entre com a nova senha.</Trans>
      </p>
    )
  return (
    <div role="alert" className="rounded-md bg-warning-soft px-3 py-2 text-sm text-warning-soft-foreground">
      {why !== 'elsewhere' ? (
        errorCodeText('ERR_SESSION_EXPIRED')
      ) : (
        <>
          <p>
            <Trans>Sua conta foi acessada em outro computador.</Trans>
          </p>
          {by && (
            <>
              <p className="mt-1 text-xs break-words">{signInText(by)}</p>
              <p className="mt-1 text-xs">
                <Trans>Não foi você? Entre e troque a sua senha.</Trans>
              </p>
            </>
          )}
        </>
      )}
    </div>
  )
}
