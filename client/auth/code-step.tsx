import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, useRef, useState } from 'react'
import { ApiError } from '../app/api.ts'
import { type Challenge, loginWithCode } from '../app/session.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Failure, linkClasses, OfflineHint, PublicPage } from './public-page.tsx'

/** The second half of a login: the number that the app on the phone shows. */
export function CodeStep({
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
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const input = useRef<HTMLInputElement>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setFailure(null)
    try {
      await loginWithCode(challenge, code)
      await onEntered()
    } catch (error) {
      if (error instanceof ApiError && error.code === 'ERR_2FA_CHALLENGE') return onAgain(error)
      setFailure(error)
      setBusy(false)
      input.current?.select()
    }
  }
  return (
    <PublicPage title={<Trans>Verificação em duas etapas</Trans>}>
      <form className="mt-5 flex flex-col gap-4" noValidate onSubmit={(event) => void submit(event)}>
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
        {failure !== null && <Failure of={failure} />}
        <OfflineHint />
        <Button type="submit" size="lg" busy={busy} disabled={code.trim().length < 6} className="mt-1 w-full">
          <Trans>Entrar</Trans>
        </Button>
        <p className="-mb-1 text-center text-sm">
          <button type="button" className={linkClasses} onClick={() => onAgain(null)}>
            <Trans>Voltar</Trans>
          </button>
        </p>
      </form>
    </PublicPage>
  )
}
