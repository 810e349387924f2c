import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useId, useState } from 'react'
import { readDays, type RetentionKind } from '../../schema/privacy/privacy.terms.ts'
import type { SettingKey } from '../../schema/settings/settings.keys.ts'
import { LoadingRows } from '../kit/data-list.tsx'
import { NeedsNetwork } from '../kit/form.tsx'
import { useConnectionState } from '../session/connection-state.ts'
import { errorText } from '../session/error-text.ts'
import { toastError } from '../session/failure.tsx'
import { saveSetting, useSettings } from '../settings/settings.queries.ts'
import { Button } from '../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../ui/card.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Input } from '../ui/input.tsx'
import { PageCard } from '../ui/page.tsx'
import { Switch } from '../ui/switch.tsx'
import { toast } from '../ui/toaster.tsx'
import { privacy } from './privacy.queries.ts'

const terms = [
  { kind: 'messages', key: 'retentionMessages' },
  { kind: 'media', key: 'retentionMedia' },
  { kind: 'traces', key: 'retentionTraces' },
] as const satisfies readonly { kind: RetentionKind; key: SettingKey }[]

/** For how long something is kept, and whether numbers are shown. */
export function PrivacyTerms() {
  const { t } = useLingui()
  const settings = useSettings()
  const offline = useConnectionState() === 'offline'
  const id = useId()
  if (!settings.data)
    return settings.error && !settings.loading ? (
      <PageCard>
        <ErrorState onRetry={settings.reload}>{errorText(settings.error)}</ErrorState>
      </PageCard>
    ) : (
      <LoadingRows label={t`Prazos e números`} />
    )
  const valueOf = (key: SettingKey) => settings.data?.find((setting) => setting.key === key)?.value ?? ''
  const save = async (key: SettingKey, value: string) => {
    await saveSetting(key, value)
    settings.reload()
    toast.success(t`Operação atualizada com sucesso.`)
  }
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      {offline && <NeedsNetwork />}
      <Card aria-label={t`Prazos`}>
        <CardHeader
          title={<Trans>Prazos</Trans>}
          description={
            <Trans>Toda noite vai embora o que passou do prazo. Quem está retido por um processo fica de fora.</Trans>
          }
        />
        <CardBody className="flex flex-col divide-y pb-1">
          {terms.map(({ kind, key }) => (
            <Term
              key={`${key}:${valueOf(key)}`}
              kind={kind}
              value={valueOf(key)}
              disabled={offline}
              onSave={(days) => save(key, days)}
            />
          ))}
        </CardBody>
      </Card>
      <Card aria-label={t`Números dos contatos`}>
        <CardHeader
          title={
            <label htmlFor={id}>
              <Trans>Ocultar os números dos contatos</Trans>
            </label>
          }
          description={
            <Trans>
              Todos veem +55 11 9••••-1835, também em arquivos e avisos. Quem pode mostrar um número o faz um a um, e
              fica na auditoria.
            </Trans>
          }
          actions={
            <Switch
              id={id}
              disabled={offline}
              checked={valueOf('maskNumbers') === 'enabled'}
              onCheckedChange={(isOn) => void save('maskNumbers', isOn ? 'enabled' : 'disabled').catch(toastError)}
            />
          }
        />
      </Card>
    </div>
  )
}

/** A term in days; before it is saved it is told how much goes today. */
function Term({
  kind,
  value,
  disabled,
  onSave,
}: {
  kind: RetentionKind
  value: string
  disabled: boolean
  onSave: (days: string) => Promise<void>
}) {
  const { t } = useLingui()
  const [typed, setTyped] = useState(value)
  const [counted, setCounted] = useState<{ days: string; n: number } | null>(null)
  const [busy, setBusy] = useState(false)
  const id = useId()
  const days = readDays(typed.trim())
  const isChanged = days !== undefined && String(days) !== value
  const wanted = isChanged && days > 0 ? String(days) : null
  useEffect(() => {
    if (wanted === null) return
    let left = false
    const timer = setTimeout(() => {
      privacy.wouldGo({ [kind]: wanted }).then(
        (answer) => !left && setCounted({ days: wanted, n: answer[kind] }),
        () => undefined,
      )
    }, 300)
    return () => {
      left = true
      clearTimeout(timer)
    }
  }, [kind, wanted])
  const names = {
    messages: t`Mensagens`,
    media: t`Arquivos das mensagens`,
    traces: t`Registros do porquê de respostas`,
  }
  const hints = {
    messages: t`O que foi dito some; o atendimento e os números dos relatórios ficam.`,
    media: t`Fotos, áudios e documentos.`,
    traces: t`Sem prazo, ficam por 90 dias.`,
  }
  const save = async () => {
    setBusy(true)
    await onSave(String(days)).catch(toastError)
    setBusy(false)
  }
  return (
    <div className="flex flex-col gap-2 py-3 sm:flex-row sm:items-start sm:gap-6">
      <div className="min-w-0 flex-1">
        <label htmlFor={id} className="block text-sm font-medium">
          {names[kind]}
        </label>
        <p id={`${id}-hint`} className="text-xs text-muted-foreground">
          {hints[kind]}
        </p>
      </div>
      <div className="flex flex-col items-start gap-2 sm:items-end">
        <div className="flex items-center gap-2">
          <Input
            id={id}
            className="w-24 text-right tabular-nums"
            inputMode="numeric"
            disabled={disabled}
            aria-describedby={`${id}-hint ${id}-said`}
            aria-invalid={days === undefined}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          <span className="text-sm text-muted-foreground">
            <Trans>dias</Trans>
          </span>
          {isChanged && (
            <Button
              size="sm"
              disabled={disabled || (wanted !== null && counted?.days !== wanted)}
              busy={busy}
              onClick={() => void save()}
            >
              <Trans>Salvar</Trans>
            </Button>
          )}
        </div>
        <p id={`${id}-said`} role="status" className="text-xs text-muted-foreground">
          {days === undefined ? (
            <span className="text-destructive">
              <Trans>0 guarda para sempre; senão, ao menos 30 dias</Trans>
            </span>
          ) : wanted !== null && counted?.days === wanted ? (
            <span className="text-warning-soft-foreground">
              <Plural value={counted.n} one="Apagaria hoje: # linha" other="Apagaria hoje: # linhas" />
            </span>
          ) : days === 0 ? (
            <Trans>Guarda para sempre</Trans>
          ) : null}
        </p>
      </div>
    </div>
  )
}
