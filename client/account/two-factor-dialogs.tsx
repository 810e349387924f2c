import { Trans, useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { dateText } from '../i18n/dates.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogBody, DialogButtons, DialogContent, DialogFooter, DialogForm } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { qrPath } from '../ui/qr.ts'
import { api } from '../session/api.ts'
import { useProductName } from '../session/branding.ts'
import { CopyButton } from '../kit/copy-button.tsx'
import { PasskeyAdd } from './passkey-dialogs.tsx'
import { hasPasskeys } from './passkeys.ts'
import { Password, useStep } from './password-proof.tsx'
import { logout, useUser } from '../session/session.tsx'

function Code({
  value,
  onChange,
  error,
  autoFocus,
  hint,
}: {
  value: string
  onChange: (text: string) => void
  error: string | undefined
  autoFocus?: boolean
  hint?: ReactNode
}) {
  const { t } = useLingui()
  return (
    <Field label={t`Código do aplicativo`} required error={error} hint={hint}>
      <Input
        autoFocus={autoFocus}
        autoComplete="one-time-code"
        inputMode="numeric"
        className="tabular-nums"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}

/** The password, then the secret for the app and its first code, then the codes for when the phone is gone. */
export function TwoFactorSetup({
  onClose,
  onCodes,
  onDone,
  orKey = false,
}: {
  /** Left out where nothing else is to be had before. */
  onClose?: () => void
  /** It is on, and the codes are shown that have to be kept. */
  onCodes?: () => void
  onDone: () => void
  /** A device's key would do as well. */
  orKey?: boolean
}) {
  const { t } = useLingui()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [given, setGiven] = useState<{ secret: string; uri: string }>()
  const [recovery, setRecovery] = useState<{ codes: string[]; madeAt: Date }>()
  const prove = useStep(async () => setGiven(await api.post('/auth/2fa/setup', { currentPassword: password })))
  const enable = useStep(async () => {
    const { recoveryCodes } = await api.post<{ recoveryCodes: string[] }>('/auth/2fa/enable', { code })
    setRecovery({ codes: recoveryCodes, madeAt: new Date() })
    onCodes?.()
  })
  const stays = (event: Event) => event.preventDefault()
  // Who may do nothing else before may still leave.
  const wayOut = onClose ? undefined : { label: <Trans>Sair</Trans>, onClick: () => void logout() }
  const [withKey, setWithKey] = useState(false)
  if (withKey) return <PasskeyAdd onClose={() => setWithKey(false)} onDone={onDone} />
  return (
    <Dialog open onOpenChange={() => (recovery ? onDone() : onClose?.())}>
      <DialogContent
        title={t`Verificação em duas etapas`}
        size="sm"
        // The codes are shown this once: they go when somebody says that they are kept, and not by a key hit by chance.
        closable={!wayOut && !recovery}
        onInteractOutside={stays}
        {...(recovery && { onEscapeKeyDown: stays })}
      >
        {recovery ? (
          <>
            <RecoveryCodes {...recovery} />
            <DialogFooter>
              <Button onClick={onDone}>
                <Trans>Já guardei</Trans>
              </Button>
            </DialogFooter>
          </>
        ) : given ? (
          <DialogForm key="code" onSubmit={(event) => void enable.submit(event)}>
            <DialogBody className="flex flex-col gap-4">
              <p className="text-sm">
                <Trans>
                  Leia o código com um aplicativo como o Google Authenticator e digite o número que ele mostra.
                </Trans>
              </p>
              <Qr text={given.uri} />
              <p className="text-center font-mono text-xs break-all text-muted-foreground select-all">{given.secret}</p>
              <Code autoFocus value={code} onChange={setCode} error={enable.refusal} />
            </DialogBody>
            <DialogButtons busy={enable.busy} wayOut={wayOut}>
              <Trans>Ativar</Trans>
            </DialogButtons>
          </DialogForm>
        ) : (
          <DialogForm key="password" onSubmit={(event) => void prove.submit(event)}>
            <DialogBody className="flex flex-col gap-4">
              {!onClose && (
                <p className="text-sm">
                  <Trans>Sua empresa pede a verificação em duas etapas. Ative-a para continuar.</Trans>
                </p>
              )}
              <Password value={password} onChange={setPassword} error={prove.refusal} />
              {orKey && hasPasskeys() && (
                <p className="text-sm">
                  <button
                    type="button"
                    className="focus-ring rounded-sm text-left underline"
                    onClick={() => setWithKey(true)}
                  >
                    <Trans>Usar uma chave de acesso em vez de um aplicativo</Trans>
                  </button>
                </p>
              )}
            </DialogBody>
            <DialogButtons busy={prove.busy} wayOut={wayOut}>
              <Trans>Continuar</Trans>
            </DialogButtons>
          </DialogForm>
        )}
      </DialogContent>
    </Dialog>
  )
}

/** The codes for when the phone is gone, to be copied, or kept as a file that still says what it is years later. */
function RecoveryCodes({ codes, madeAt }: { codes: string[]; madeAt: Date }) {
  const { t, i18n } = useLingui()
  const product = useProductName()
  const { email } = useUser()
  const { host } = location
  const made = dateText(i18n.locale, madeAt, 'moment')
  const file = [
    t`Códigos de recuperação da verificação em duas etapas`,
    t`Sem o celular, cada um deles permite entrar uma vez.`,
    '',
    t`Conta: ${email} em ${host}`,
    t`Gerados em: ${made}`,
    '',
    ...codes,
    '',
  ].join('\n')
  return (
    <DialogBody className="flex flex-col gap-3">
      <p className="text-sm">
        <Trans>
          Guarde estes códigos. Sem o celular, cada um deles permite entrar uma vez. Não serão mostrados outra vez.
        </Trans>
      </p>
      <ul className="grid grid-cols-2 gap-x-4 gap-y-1 rounded-md bg-muted px-3 py-2 font-mono text-sm select-all">
        {codes.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={codes.join('\n')}>
          <Trans>Copiar</Trans>
        </CopyButton>
        <Button variant="outline" size="sm" asChild>
          <a
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(file)}`}
            download={`${product}-${t`codigos-de-recuperacao`}.txt`}
          >
            <Download />
            <Trans>Salvar como arquivo</Trans>
          </a>
        </Button>
      </div>
    </DialogBody>
  )
}

/** Without it again. */
export function TwoFactorOff({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const { t } = useLingui()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const off = useStep(async () => {
    await api.post('/auth/2fa/disable', { currentPassword: password, code })
    onDone()
  })
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={t`Desativar a verificação em duas etapas`} size="sm">
        <DialogForm onSubmit={(event) => void off.submit(event)}>
          <DialogBody className="flex flex-col gap-4">
            <Password value={password} onChange={setPassword} error={undefined} />
            <Code
              value={code}
              onChange={setCode}
              error={off.refusal}
              hint={<Trans>Ou um código de recuperação</Trans>}
            />
          </DialogBody>
          <DialogButtons busy={off.busy}>
            <Trans>Desativar</Trans>
          </DialogButtons>
        </DialogForm>
      </DialogContent>
    </Dialog>
  )
}

function Qr({ text }: { text: string }) {
  const { t } = useLingui()
  const { size, path } = useMemo(() => qrPath(text), [text])
  return (
    <svg
      role="img"
      aria-label={t`Código QR para o aplicativo`}
      viewBox={`0 0 ${size} ${size}`}
      className="mx-auto size-48 rounded-lg bg-white"
    >
      <path d={path} fill="black" />
    </svg>
  )
}
