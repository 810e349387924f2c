import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { readDays } from '../../schema/privacy/privacy.terms.ts'
import type { SettingKey } from '../../schema/settings/settings.keys.ts'
import { CopyButton } from '../kit/copy-button.tsx'
import { LoadingRows } from '../kit/data-list.tsx'
import { useConnectionState } from '../session/connection-state.ts'
import { toastError } from '../session/failure.tsx'
import { useUser } from '../session/session.tsx'
import { saveSetting, useSettings } from '../settings/settings.queries.ts'
import { Button } from '../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { toast } from '../ui/toaster.tsx'

/** What the company tells people about their data, filled in from what it has set; for its website, or to be sent. */
export function PrivacyText() {
  const { t } = useLingui()
  const settings = useSettings()
  const lines = useLines(settings.data ?? [])
  if (!settings.data) return <LoadingRows label={t`Texto de privacidade`} />
  const valueOf = (key: SettingKey) => settings.data?.find((setting) => setting.key === key)?.value ?? ''
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      <Officer
        key={`${valueOf('privacyOfficer')}\n${valueOf('privacyContact')}`}
        name={valueOf('privacyOfficer')}
        contact={valueOf('privacyContact')}
        onSaved={settings.reload}
      />
      <Card aria-label={t`Texto de privacidade`}>
        <CardHeader
          title={<Trans>Texto de privacidade</Trans>}
          description={<Trans>Feito do que está configurado. Revise com quem cuida das leis na sua empresa.</Trans>}
          actions={
            <CopyButton text={lines.join('\n\n')}>
              <Trans>Copiar</Trans>
            </CopyButton>
          }
        />
        <CardBody className="flex flex-col gap-3 text-sm leading-relaxed wrap-anywhere">
          {lines.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </CardBody>
      </Card>
    </div>
  )
}

function useLines(settings: readonly { key: string; value: string }[]): string[] {
  const { t } = useLingui()
  const company = useUser().company.name
  const valueOf = (key: SettingKey) => settings.find((setting) => setting.key === key)?.value ?? ''
  const officer = valueOf('privacyOfficer').trim() || t`[nome do encarregado]`
  const contact = valueOf('privacyContact').trim() || t`[e-mail do encarregado]`
  const days = (key: SettingKey) => readDays(valueOf(key)) ?? 0
  const [messages, files] = [days('retentionMessages'), days('retentionMedia')]
  return [
    t`${company} usa os dados de quem nos escreve pelo WhatsApp para atender: o nome, o número, as mensagens, os arquivos enviados e o que anotamos sobre o atendimento.`,
    messages === 0
      ? t`As mensagens são guardadas enquanto forem necessárias ao atendimento.`
      : plural(messages, {
          one: 'As mensagens são guardadas por # dia e depois apagadas.',
          other: 'As mensagens são guardadas por # dias e depois apagadas.',
        }),
    ...(files === 0
      ? []
      : [
          plural(files, {
            one: 'Fotos, áudios e documentos são guardados por # dia.',
            other: 'Fotos, áudios e documentos são guardados por # dias.',
          }),
        ]),
    t`Os dados são vistos por quem atende e por quem administra o atendimento. Eles passam pelo WhatsApp, e por mais ninguém além dos serviços que contratamos para responder.`,
    t`Você pode pedir para ver, corrigir, receber ou apagar os seus dados, e para não receber mais mensagens em massa. Respondemos em até 15 dias.`,
    t`Quem responde pelos dados: ${officer}, ${contact}.`,
  ]
}

function Officer({ name, contact, onSaved }: { name: string; contact: string; onSaved: () => void }) {
  const { t } = useLingui()
  const offline = useConnectionState() === 'offline'
  const [typed, setTyped] = useState({ name, contact })
  const [busy, setBusy] = useState(false)
  const isChanged = typed.name.trim() !== name || typed.contact.trim() !== contact
  const save = async () => {
    setBusy(true)
    try {
      if (typed.name.trim() !== name) await saveSetting('privacyOfficer', typed.name.trim())
      if (typed.contact.trim() !== contact) await saveSetting('privacyContact', typed.contact.trim())
      toast.success(t`Operação atualizada com sucesso.`)
      onSaved()
    } catch (error) {
      toastError(error)
    }
    setBusy(false)
  }
  return (
    <Card aria-label={t`Encarregado`}>
      <CardHeader
        title={<Trans>Encarregado</Trans>}
        description={<Trans>A pessoa a quem se escreve sobre os dados; a lei pede que se diga quem é.</Trans>}
      />
      <CardBody className="flex flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={<Trans>Nome</Trans>}>
            <Input
              autoComplete="off"
              value={typed.name}
              onChange={(event) => setTyped({ ...typed, name: event.target.value })}
            />
          </Field>
          <Field label={<Trans>Como escrever a essa pessoa</Trans>}>
            <Input
              autoComplete="off"
              value={typed.contact}
              onChange={(event) => setTyped({ ...typed, contact: event.target.value })}
            />
          </Field>
        </div>
        {isChanged && (
          <Button className="self-start" size="sm" disabled={offline} busy={busy} onClick={() => void save()}>
            <Trans>Salvar</Trans>
          </Button>
        )}
      </CardBody>
    </Card>
  )
}
