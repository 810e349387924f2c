import { Trans, useLingui } from '@lingui/react/macro'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ApiError } from '../session/api.ts'
import { hasPasskeys, loginWithPasskey } from '../account/passkeys.ts'
import { type Challenge, loginWithCode } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Failure, linkClasses, OfflineHint, PublicPage } from './public-page.tsx'

/** The second half of a login: the number that the app on the phone shows, or a key of a device. */
export function SecondStep({
  challenge,
  onEntered,
  onAgain,
}: {
  challenge: Challenge
  onEntered: () => Promise<void>
  /** Back to the password, with the reason where it is not the person's wish. */
  onAgain: (reason: unknown) => void
}) {
  const { t } = useLingui()
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState<'code' | 'passkey' | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const input = useRef<HTMLInputElement>(null)
  const keyButton = useRef<HTMLButtonElement>(null)
  const byCode = challenge.methods.includes('code')
  const byKey = challenge.methods.includes('passkey') && hasPasskeys()
  const tried = async (step: () => Promise<unknown>) => {
    setFailure(null)
    try {
      await step()
      await onEntered()
    } catch (error) {
      if (error instanceof ApiError && error.code === 'ERR_2FA_CHALLENGE') return onAgain(error)
      flushSync(() => {
        setFailure(error)
        setBusy(null)
      })
    }
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy('code')
    await tried(() => loginWithCode(challenge, code))
    input.current?.select()
  }
  const enterByKey = async () => {
    setBusy('passkey')
    await tried(() => loginWithPasskey({ challenge: challenge.challenge }))
    // While it was busy it could not have the keyboard.
    keyButton.current?.focus()
  }
  return (
    <PublicPage title={<Trans>Verificação em duas etapas</Trans>}>
      <form className="mt-5 flex flex-col gap-4" noValidate onSubmit={(event) => void submit(event)}>
        {byCode && (
          <Field label={t`Código do aplicativo`} hint={<Trans>Ou um código de recuperação</Trans>}>
            <Input
              ref={input}
              autoFocus
              autoComplete="one-time-code"
              inputMode="text"
              className="h-10 tabular-nums"
              value={code}
              onChange={(event) => setCode(event.target.value)}
            />
          </Field>
        )}
        {!byCode && (
          <p className="text-sm text-muted-foreground">
            {byKey ? (
              <Trans>Confirme que é você com a sua chave de acesso.</Trans>
            ) : (
              <Trans>Sua conta pede uma chave de acesso, que este navegador não oferece. Entre por outro.</Trans>
            )}
          </p>
        )}
        {failure !== null && <Failure of={failure} />}
        <OfflineHint />
        {byCode && (
          <Button
            type="submit"
            size="lg"
            busy={busy === 'code'}
            disabled={code.trim().length < 6 || busy === 'passkey'}
            className="mt-1 w-full"
          >
            <Trans>Entrar</Trans>
          </Button>
        )}
        {byKey && (
          <Button
            ref={keyButton}
            type="button"
            variant={byCode ? 'outline' : 'primary'}
            size="lg"
            autoFocus={!byCode}
            busy={busy === 'passkey'}
            disabled={busy === 'code'}
            className="w-full"
            onClick={() => void enterByKey()}
          >
            <KeyRound />
            <Trans>Usar chave de acesso</Trans>
          </Button>
        )}
        <p className="-mb-1 text-center text-sm">
          <button type="button" className={linkClasses} onClick={() => onAgain(null)}>
            <Trans>Voltar</Trans>
          </button>
        </p>
      </form>
    </PublicPage>
  )
}
