import { Trans, useLingui } from '@lingui/react/macro'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { longerIntervals, messageIntervals, settingBounds } from '../../schema/campaigns/campaigns.settings.ts'
import type { CampaignSettings } from '../../schema/campaigns/campaigns.settings.ts'
import { useConnectionState } from '../session/connection-state.ts'
import { errorText } from '../session/error-text.ts'
import { toastError } from '../session/failure.tsx'
import { useFetched } from '../session/fetched.ts'
import { PlanGate } from '../session/plan-gate.tsx'
import { useUnsaved } from '../kit/unsaved.tsx'
import { CampaignsLink } from './campaigns.link.tsx'
import { Button } from '../ui/button.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Page, PageCard } from '../ui/page.tsx'
import { Select } from '../ui/select.tsx'
import { LoadingBlock } from '../ui/skeleton.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { toast } from '../ui/toaster.tsx'
import { BulkHoursCard } from './campaigns.hours.tsx'
import { LinesCard } from './campaigns.lines.tsx'
import { campaigns, settingsOf } from './campaigns.queries.ts'
import { useCampaignSettingWords } from './campaigns.settings.words.ts'

export default function CampaignSettingsScreen() {
  const { t } = useLingui()
  const { data, error, loading, reload } = useFetched<{ key: string; value: string }[]>('/campaign-settings')
  const settings = settingsOf(data)
  return (
    <PlanGate feature="useCampaigns">
      <Page title={t`Configurações de campanhas`} actions={<CampaignsLink />}>
        {settings ? (
          <div className="flex flex-col gap-4">
            <Form settings={settings} onSaved={reload} />
            <BulkHoursCard hours={settings.hours} onSaved={reload} />
            <LinesCard />
          </div>
        ) : error && !loading ? (
          <PageCard>
            <ErrorState onRetry={reload}>{errorText(error)}</ErrorState>
          </PageCard>
        ) : (
          <LoadingBlock className="h-64 w-full" />
        )}
      </Page>
    </PlanGate>
  )
}

type Edited = Pick<
  CampaignSettings,
  | 'messageInterval'
  | 'longerIntervalAfter'
  | 'greaterInterval'
  | 'variables'
  | 'optOutReply'
  | 'returnReply'
  | 'optOutWords'
  | 'dailyCap'
>

function Form({ settings, onSaved }: { settings: CampaignSettings; onSaved: () => void }) {
  const { t } = useLingui()
  const words = useCampaignSettingWords()
  const offline = useConnectionState() === 'offline'
  const [edited, setEdited] = useState<Edited>(settings)
  const [saved, setSaved] = useState(edited)
  const unsaved = useUnsaved(JSON.stringify(edited) !== JSON.stringify(saved))
  const [variable, setVariable] = useState({ key: '', value: '' })
  const [busy, setBusy] = useState(false)
  const change = (values: Partial<Edited>) => setEdited((before) => ({ ...before, ...values }))
  const { messageInterval, longerIntervalAfter, greaterInterval, variables, optOutWords, dailyCap } = edited
  const choice = (name: 'messageInterval' | 'longerIntervalAfter' | 'greaterInterval', options: readonly number[]) => {
    const value = edited[name]
    // What an older client has set stays to be seen.
    const all = [...new Set([...options, value])].sort((a, b) => a - b)
    return (
      <Field label={words[name].label}>
        <Select
          value={String(value)}
          onChange={(next) => change({ [name]: Number(next) })}
          options={all.map((n) => ({ value: String(n), label: words[name].amount(n) }))}
        />
      </Field>
    )
  }
  const add = () => {
    const key = variable.key.trim().replace(/[{}\s]/g, '')
    if (!key || variables.some((one) => one.key === key)) return
    change({ variables: [...variables, { key, value: variable.value }] })
    setVariable({ key: '', value: '' })
  }
  const save = async () => {
    setBusy(true)
    try {
      const { optOutReply, returnReply } = edited
      await campaigns.writeSettings({
        ...{ messageInterval, longerIntervalAfter, greaterInterval, variables, optOutReply, returnReply },
        ...{ optOutWords: optOutWords.map((word) => word.trim()).filter((word) => word.length > 1), dailyCap },
      })
      setSaved(edited)
      toast.success(t`Configurações salvas`)
      onSaved()
    } catch (error) {
      toastError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className="flex max-w-3xl flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      {unsaved.question}
      <PageCard className="flex flex-col gap-4 p-4">
        <h2 className="text-sm font-semibold">
          <Trans>Intervalos</Trans>
        </h2>
        <div className="grid gap-4 sm:grid-cols-3">
          {choice('messageInterval', messageIntervals)}
          {choice('longerIntervalAfter', longerIntervals)}
          {choice('greaterInterval', longerIntervals)}
        </div>
        <Field label={words.dailyCap.label} hint={t`Vale para campanhas com o número protegido.`}>
          <Input
            type="number"
            min={settingBounds.leastDailyCap}
            className="max-w-40"
            value={dailyCap}
            onChange={(event) =>
              change({ dailyCap: Math.max(settingBounds.leastDailyCap, Math.trunc(Number(event.target.value)) || 0) })
            }
          />
        </Field>
      </PageCard>
      <PageCard className="flex flex-col gap-3 p-4">
        <h2 className="text-sm font-semibold">{words.variables.label}</h2>
        {variables.map(({ key, value }) => (
          <div key={key} className="flex items-center gap-2 text-sm">
            <code className="max-w-1/2 wrap-anywhere">{`{${key}}`}</code>
            <span className="min-w-0 flex-1 truncate text-muted-foreground">{value}</span>
            <Button
              type="button"
              variant="ghost"
              size="icon"
              aria-label={t`Excluir a variável ${key}`}
              onClick={() => change({ variables: variables.filter((one) => one.key !== key) })}
            >
              <X />
            </Button>
          </div>
        ))}
        <div className="flex flex-wrap items-end gap-2">
          <Field label={t`Atalho`} className="min-w-32 flex-1">
            <Input
              maxLength={settingBounds.variableKey}
              value={variable.key}
              onChange={(event) => setVariable({ ...variable, key: event.target.value })}
            />
          </Field>
          <Field label={t`Conteúdo`} className="min-w-32 flex-1">
            <Input
              maxLength={settingBounds.variableValue}
              value={variable.value}
              onChange={(event) => setVariable({ ...variable, value: event.target.value })}
            />
          </Field>
          <Button type="button" variant="outline" onClick={add}>
            <Plus />
            <Trans>Adicionar variável</Trans>
          </Button>
        </div>
      </PageCard>
      <PageCard className="flex flex-col gap-4 p-4">
        <h2 className="text-sm font-semibold">
          <Trans>Descadastro</Trans>
        </h2>
        <Field label={words.optOutWords.label} hint={t`Separadas por vírgula; valem como mensagem inteira.`}>
          <Input
            value={optOutWords.join(', ')}
            onChange={(event) => change({ optOutWords: event.target.value.split(',').map((word) => word.trimStart()) })}
          />
        </Field>
        <Field label={words.optOutReply.label}>
          <Textarea
            rows={2}
            maxLength={settingBounds.reply}
            value={edited.optOutReply}
            onChange={(event) => change({ optOutReply: event.target.value })}
          />
        </Field>
        <Field label={words.returnReply.label}>
          <Textarea
            rows={2}
            maxLength={settingBounds.reply}
            value={edited.returnReply}
            onChange={(event) => change({ returnReply: event.target.value })}
          />
        </Field>
      </PageCard>
      <div>
        <Button type="submit" disabled={busy || offline}>
          <Trans>Salvar configurações</Trans>
        </Button>
      </div>
    </form>
  )
}
