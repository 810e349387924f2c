import { Trans, useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import type { ReactNode } from 'react'
import { shownSettingKeys, settingRules } from '../../schema/settings/settings.keys.ts'
import type { ShownSettingKey, SettingKey, SettingRule } from '../../schema/settings/settings.keys.ts'
import { useConnectionState } from '../app/connection-state.ts'
import { LoadingRows } from '../app/data-list.tsx'
import { errorText, toastError } from '../app/error-text.ts'
import { NeedsNetwork } from '../app/form.tsx'
import { useCan, useUser } from '../app/session.tsx'
import { Card, CardBody, CardHeader } from '../ui/card.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Page, PageCard } from '../ui/page.tsx'
import { Select } from '../ui/select.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../ui/tabs.tsx'
import { toast } from '../ui/toaster.tsx'
import { HelpSettings } from '../helps/helps.settings.tsx'
import { CompanyHours } from './settings.company-hours.tsx'
import { saveSetting, useSettings } from './settings.queries.ts'
import { useSettingWords } from './settings.words.ts'

const ruleOf = (key: SettingKey): SettingRule => settingRules[key]
const ofCompany = shownSettingKeys.filter((key) => !ruleOf(key).global)
const ofPlatform = shownSettingKeys.filter((key) => ruleOf(key).global)

export default function SettingsScreen() {
  const { t } = useLingui()
  const user = useUser()
  const mayWrite = useCan('settings:write')
  const mayWriteHours = useCan('company:schedules')
  const offline = useConnectionState() === 'offline'
  const settings = useSettings()

  const valueOf = (key: SettingKey) =>
    settings.data?.find((setting) => setting.key === key)?.value ?? settingRules[key].default
  const show = (key: SettingKey, value: string) =>
    settings.patch((list) => [...list.filter((setting) => setting.key !== key), { key, value }])
  /** Shown at once, taken back when the server refuses it. */
  const save = async (key: SettingKey, value: string): Promise<boolean> => {
    const before = valueOf(key)
    show(key, value)
    try {
      await saveSetting(key, value)
      toast.success(t`Operação atualizada com sucesso.`)
      return true
    } catch (error) {
      show(key, before)
      toastError(error)
      return false
    }
  }

  const disabled = !mayWrite || offline
  const options = settings.data ? (
    <div className="flex max-w-3xl flex-col gap-4">
      {offline && <NeedsNetwork />}
      <Card aria-label={t`Opções da empresa`}>
        <CardHeader
          title={<Trans>Atendimento</Trans>}
          description={<Trans>Vale para toda a empresa, assim que muda.</Trans>}
        />
        <Rows keys={ofCompany} valueOf={valueOf} onSave={save} disabled={disabled} />
      </Card>
      {user.super && (
        <Card aria-label={t`Opções da plataforma`}>
          <CardHeader
            title={<Trans>Plataforma</Trans>}
            description={<Trans>Vale para todas as empresas. Só o operador vê.</Trans>}
          />
          <Rows keys={ofPlatform} valueOf={valueOf} onSave={save} disabled={disabled} />
        </Card>
      )}
    </div>
  ) : settings.error && !settings.loading ? (
    <PageCard>
      <ErrorState onRetry={settings.reload}>{errorText(settings.error)}</ErrorState>
    </PageCard>
  ) : (
    <LoadingRows label={t`Configurações`} />
  )

  const hoursOf = valueOf('scheduleType')
  const hasHours = settings.data !== undefined && hoursOf !== 'disabled' && mayWriteHours
  if (!hasHours && !user.super) return <Page title={t`Configurações`}>{options}</Page>
  return (
    <Page title={t`Configurações`}>
      <Tabs defaultValue="options" className="flex flex-col gap-5">
        <TabsList aria-label={t`Partes das configurações`}>
          <TabsTrigger value="options">
            <Trans>Opções</Trans>
          </TabsTrigger>
          {hasHours && (
            <TabsTrigger value="hours">
              {hoursOf === 'company' ? <Trans>Horários</Trans> : <Trans>Feriados</Trans>}
            </TabsTrigger>
          )}
          {user.super && (
            <TabsTrigger value="helps">
              <Trans>Ajuda</Trans>
            </TabsTrigger>
          )}
        </TabsList>
        <TabsContent value="options">{options}</TabsContent>
        {hasHours && (
          <TabsContent value="hours">
            <CompanyHours withWeek={hoursOf === 'company'} />
          </TabsContent>
        )}
        {user.super && (
          <TabsContent value="helps">
            <HelpSettings />
          </TabsContent>
        )}
      </Tabs>
    </Page>
  )
}

function Rows({
  keys,
  valueOf,
  onSave,
  disabled,
}: {
  keys: readonly ShownSettingKey[]
  valueOf: (key: SettingKey) => string
  onSave: (key: SettingKey, value: string) => Promise<boolean>
  disabled: boolean
}) {
  const words = useSettingWords()
  return (
    <CardBody className="flex flex-col divide-y pb-1">
      {keys.map((key) => {
        const { label, hint, values } = words[key]
        return (
          <Row key={key} label={label} hint={hint}>
            {(ids) => (
              <Select
                {...ids}
                disabled={disabled}
                value={valueOf(key)}
                onChange={(value) => void onSave(key, value)}
                options={settingRules[key].values.map((value) => ({ value, label: values?.[value] ?? value }))}
              />
            )}
          </Row>
        )
      })}
    </CardBody>
  )
}

type RowIds = { 'aria-labelledby': string; 'aria-describedby'?: string }

function Row({
  label,
  hint,
  children,
}: {
  label: string
  hint: string | undefined
  children: (ids: RowIds) => ReactNode
}) {
  const id = useId()
  return (
    <div className="flex flex-col gap-2 py-3 sm:flex-row sm:items-center sm:gap-6">
      <div className="min-w-0 flex-1">
        <p id={id} className="text-sm font-medium">
          {label}
        </p>
        {hint && (
          <p id={`${id}-hint`} className="text-xs text-muted-foreground">
            {hint}
          </p>
        )}
      </div>
      <div className="w-full sm:w-64">
        {children({ 'aria-labelledby': id, ...(hint ? { 'aria-describedby': `${id}-hint` } : {}) })}
      </div>
    </div>
  )
}
