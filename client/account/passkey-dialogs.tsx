import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { longestPasskeyName } from '../../schema/auth/passkeys.inputs.ts'
import { Dialog, DialogBody, DialogButtons, DialogContent, DialogForm } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { api } from '../session/api.ts'
import { useFetched } from '../session/fetched.ts'
import { makePasskey, type Passkey } from './passkeys.ts'
import { Password, useStep } from './password-proof.tsx'
import type { Device } from '../session/session-store.ts'
import { useDeviceText } from './sign-in-words.ts'

/** The password, what the key is to be called, and then the browser's own window. */
export function PasskeyAdd({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const { t } = useLingui()
  const deviceText = useDeviceText()
  const { data } = useFetched<{ sessions: { current: boolean; device: Device | null }[] }>('/auth/sessions')
  const here = data?.sessions.find(({ current }) => current)?.device
  const [typed, setTyped] = useState<string>()
  const [password, setPassword] = useState('')
  const name = typed ?? (here ? deviceText(here).slice(0, longestPasskeyName) : '')
  const add = useStep(async () => {
    await makePasskey(password, name.trim())
    onDone()
  })
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={t`Nova chave de acesso`} size="sm">
        <DialogForm onSubmit={(event) => void add.submit(event)}>
          <DialogBody className="flex flex-col gap-4">
            <p className="text-sm text-muted-foreground">
              <Trans>
                O navegador pergunta onde guardá-la: neste aparelho, no celular ou em uma chave de segurança. Depois
                você entra com a digital, o rosto ou o PIN.
              </Trans>
            </p>
            <Field label={t`Nome`} required hint={t`Para reconhecê-la na lista`}>
              <Input
                maxLength={longestPasskeyName}
                autoComplete="off"
                value={name}
                onChange={(event) => setTyped(event.target.value)}
              />
            </Field>
            <Password value={password} onChange={setPassword} error={add.refusal} />
          </DialogBody>
          <DialogButtons busy={add.busy} disabled={name.trim() === '' || password === ''}>
            <Trans>Continuar</Trans>
          </DialogButtons>
        </DialogForm>
      </DialogContent>
    </Dialog>
  )
}

/** Called something else. */
export function PasskeyRename({ of, onClose, onDone }: { of: Passkey; onClose: () => void; onDone: () => void }) {
  const { t } = useLingui()
  const [name, setName] = useState(of.name)
  const rename = useStep(async () => {
    await api.put(`/auth/passkeys/${of.id}`, { name: name.trim() })
    onDone()
  })
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={t`Renomear a chave de acesso`} size="sm">
        <DialogForm onSubmit={(event) => void rename.submit(event)}>
          <DialogBody>
            <Field label={t`Nome`} required error={rename.refusal}>
              <Input
                autoFocus
                maxLength={longestPasskeyName}
                autoComplete="off"
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            </Field>
          </DialogBody>
          <DialogButtons busy={rename.busy} disabled={name.trim() === ''}>
            <Trans>Salvar</Trans>
          </DialogButtons>
        </DialogForm>
      </DialogContent>
    </Dialog>
  )
}

/** With the password: whoever finds the screen unlocked locks nobody out. */
export function PasskeyRemove({ of, onClose, onDone }: { of: Passkey; onClose: () => void; onDone: () => void }) {
  const { t } = useLingui()
  const [password, setPassword] = useState('')
  const remove = useStep(async () => {
    await api.post(`/auth/passkeys/${of.id}/remove`, { currentPassword: password })
    onDone()
  })
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={t`Remover ${of.name}?`} size="sm">
        <DialogForm onSubmit={(event) => void remove.submit(event)}>
          <DialogBody className="flex flex-col gap-4">
            <p className="text-sm text-muted-foreground">
              <Trans>Ela deixa de entrar na sua conta. Apague-a também no aparelho em que está guardada.</Trans>
            </p>
            <Password value={password} onChange={setPassword} error={remove.refusal} />
          </DialogBody>
          <DialogButtons busy={remove.busy} disabled={password === ''}>
            <Trans>Remover</Trans>
          </DialogButtons>
        </DialogForm>
      </DialogContent>
    </Dialog>
  )
}
