import { Trans, useLingui } from '@lingui/react/macro'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { shownSettingKeys, settingRules } from '../../schema/settings/settings.keys.ts'
import type { ShownSettingKey, SettingKey, SettingRule } from '../../schema/settings/settings.keys.ts'
import { useConnectionState } from '../session/connection-state.ts'
import { LoadingRows } from '../kit/data-list.tsx'
import { errorText } from '../session/error-text.ts'
import { toastError } from '../session/failure.tsx'
import { NeedsNetwork } from '../kit/form.tsx'
import { useAnyOffers } from '../replica/offers.ts'
import { useCan, usePrincipal, useUser } from '../session/session.tsx'
import { Card, CardHeader } from '../ui/card.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Page, PageCard } from '../ui/page.tsx'
import { Button } from '../ui/button.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { Select } from '../ui/select.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../ui/tabs.tsx'
import { toast } from '../ui/toaster.tsx'
import { HelpSettings } from '../helps/helps.settings.tsx'
import { CompanyDialog } from '../companies/companies.dialog.tsx'
import { CompanyList } from '../companies/companies.list.tsx'
import { PaymentSettings } from '../invoices/invoices.provider.tsx'
import { PlanList } from '../plans/plans.list.tsx'
import { HoursUnheard } from '../companies/companies.hours-unheard.tsx'
import { BrandingSettings } from './settings.branding.tsx'
import { covers } from '../../schema/permissions.ts'
import { InvitationDialog, type Invited } from '../kit/invitation.tsx'
import { CompanyAccountSettings } from './settings.oidc.tsx'
import { CompanyHours } from '../companies/companies.hours.tsx'
import { saveSetting, useSettings } from './settings.queries.ts'
import type { SettingValue } from './settings.queries.ts'
import { RegionRows } from './settings.region.tsx'
import { Row, type RowIds, SettingRows } from './settings.row.tsx'
import { keysOf, settingGroups, useGroupWords, useSettingWords } from './settings.words.ts'

const route = getRouteApi('/private/settings')

const ruleOf = (key: SettingKey): SettingRule => settingRules[key]
const ofPlatform = shownSettingKeys.filter((key) => ruleOf(key).global && !ruleOf(key).brand)

/** Whoever asks for the pictures of the platform without being its operator is led away after this. */
const leaveAfterMs = 500

export default function SettingsScreen() {
  const { t } = useLingui()
  const user = useUser()
  const mayWrite = useCan('settings:write')
  const maySecure = useCan('security:write')
  const mayDefine = useCan('fields:write')
  const mayAnswer = useCan('privacy:write')
  const mayWriteHours = useCan('company:schedules')
  const who = usePrincipal()
  const offline = useConnectionState() === 'offline'
  const settings = useSettings()
  const { tab, key: wanted } = route.useSearch()
  const navigate = route.useNavigate()
  const [invited, setInvited] = useState<Invited | null>(null)
  const mayNot = !user.super && tab === 'logo'
  useEffect(() => {
    if (!mayNot) return
    toast.error(t`Sem permissão para acessar!`, { id: 'logo' })
    const timer = setTimeout(() => void navigate({ to: '/', replace: true }), leaveAfterMs)
    return () => clearTimeout(timer)
  }, [mayNot, navigate, t])

  const valueOf = (key: SettingKey) =>
    settings.data?.find((setting) => setting.key === key)?.value ?? settingRules[key].default
  const shown = (key: SettingKey, value: string) => (list: SettingValue[]) => [
    ...list.filter((setting) => setting.key !== key),
    { key, value },
  ]
  /** Shown at once, taken back when the server refuses it. */
  const save = async (key: SettingKey, value: string): Promise<boolean> => {
    try {
      await settings.patchWhile(saveSetting(key, value), shown(key, value), shown(key, valueOf(key)))
      toast.success(t`Operação atualizada com sucesso.`)
      return true
    } catch (error) {
      toastError(error)
      return false
    }
  }

  const groupWords = useGroupWords()
  const hasGroups = useAnyOffers('groups')
  const isOff = (key: SettingKey) => offline || !(ruleOf(key).security ? maySecure : mayWrite)
  const options = settings.data ? (
    <div className="flex max-w-3xl flex-col gap-4">
      {offline && <NeedsNetwork />}
      {settingGroups.map((group) => (
        <Card key={group} aria-label={groupWords[group].title}>
          <CardHeader title={groupWords[group].title} description={groupWords[group].description} />
          <SettingRows>
            {group === 'region' && <RegionRows wanted={wanted} disabled={!mayWrite || offline} />}
            <Rows
              keys={keysOf(group).filter((key) => key !== 'CheckMsgIsGroup' || hasGroups)}
              valueOf={valueOf}
              onSave={save}
              isOff={isOff}
            />
          </SettingRows>
        </Card>
      ))}
      {mayDefine && (
        <Card aria-label={t`Campos próprios`}>
          <CardHeader
            title={<Trans>Campos próprios</Trans>}
            description={<Trans>O que a sua empresa anota de contatos e atendimentos, além do que já existe.</Trans>}
            actions={
              <Button asChild variant="outline" size="sm">
                <Link to="/custom-fields">
                  <Trans>Definir campos</Trans>
                </Link>
              </Button>
            }
          />
        </Card>
      )}
      {mayAnswer && (
        <Card aria-label={t`Privacidade`}>
          <CardHeader
            title={<Trans>Privacidade</Trans>}
            description={<Trans>Pedidos de pessoas sobre os seus dados, prazos, e números ocultos.</Trans>}
            actions={
              <Button asChild variant="outline" size="sm">
                <Link to="/privacy">
                  <Trans>Abrir</Trans>
                </Link>
              </Button>
            }
          />
        </Card>
      )}
      {/* Whoever says whom the company trusts could be anybody of it. */}
      {maySecure && covers(who, { profile: 'admin' }) && (
        <CompanyAccountSettings isWanted={wanted === 'companyAccount'} disabled={offline} />
      )}
      {user.super && (
        <Card aria-label={t`Opções da plataforma`}>
          <CardHeader
            title={<Trans>Plataforma</Trans>}
            description={<Trans>Vale para todas as empresas. Só o operador vê.</Trans>}
          />
          <SettingRows>
            <Rows keys={ofPlatform} valueOf={valueOf} onSave={save} isOff={isOff} />
          </SettingRows>
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
  const withHours = settings.data !== undefined && hoursOf !== 'disabled' && mayWriteHours
  const sections = [
    { id: 'options', label: t({ message: 'Opções', context: 'aba das configurações' }), content: options },
    withHours && {
      id: 'hours',
      label: hoursOf === 'company' ? t({ message: 'Horários', context: 'aba das configurações' }) : t`Feriados`,
      content: <CompanyHours scheduleType={hoursOf} />,
    },
    user.super && { id: 'logo', label: t`Logo`, content: <BrandingSettings /> },
    user.super && { id: 'companies', label: t`Empresas`, content: <CompanyList /> },
    user.super && {
      id: 'register',
      label: t`Cadastrar empresa`,
      content: (
        <CompanyDialog
          inline
          company={null}
          onSaved={(somebody) => somebody && setInvited(somebody)}
          onClose={() => void navigate({ search: { tab: 'companies' }, replace: true })}
        />
      ),
    },
    user.super && { id: 'payments', label: t`Pagamentos`, content: <PaymentSettings /> },
    user.super && { id: 'plans', label: t`Planos`, content: <PlanList /> },
    user.super && { id: 'helps', label: t`Ajuda`, content: <HelpSettings /> },
  ].filter((section) => section !== false)

  if (sections.length === 1) return <Page title={t`Configurações`}>{options}</Page>
  return (
    <Page title={t`Configurações`}>
      <Tabs
        value={sections.some(({ id }) => id === tab) ? tab : 'options'}
        onValueChange={(next) => void navigate({ search: { tab: next }, replace: true })}
        className="flex flex-col gap-5"
      >
        <TabsList aria-label={t`Partes das configurações`}>
          {sections.map(({ id, label }) => (
            <TabsTrigger key={id} value={id}>
              {label}
            </TabsTrigger>
          ))}
        </TabsList>
        {sections.map(({ id, content }) => (
          <TabsContent key={id} value={id}>
            {content}
          </TabsContent>
        ))}
      </Tabs>
      {invited && <InvitationDialog of={invited} onClose={() => setInvited(null)} />}
    </Page>
  )
}

function Rows({
  keys,
  valueOf,
  onSave,
  isOff,
}: {
  keys: readonly ShownSettingKey[]
  valueOf: (key: SettingKey) => string
  onSave: (key: SettingKey, value: string) => Promise<boolean>
  /** Whether it can only be read, here or now. */
  isOff: (key: SettingKey) => boolean
}) {
  const words = useSettingWords()
  const { key: wanted } = route.useSearch()
  return (
    <>
      {keys.map((key) => {
        const { label, hint, values, offered } = words[key]
        return (
          <Row
            key={key}
            name={key}
            isWanted={key === wanted}
            label={label}
            hint={hint}
            below={key === 'scheduleType' && <HoursUnheard scheduleType={valueOf(key)} />}
          >
            {(ids) =>
              'text' in settingRules[key] ? (
                <TextSetting
                  {...ids}
                  key={valueOf(key)}
                  disabled={isOff(key)}
                  value={valueOf(key)}
                  offered={offered}
                  onSave={(value) => onSave(key, value)}
                />
              ) : (
                <Select
                  {...ids}
                  disabled={isOff(key)}
                  value={valueOf(key)}
                  onChange={(value) => void onSave(key, value)}
                  options={valuesOf(key).map((value) => ({ value, label: values?.[value] ?? value }))}
                />
              )
            }
          </Row>
        )
      })}
    </>
  )
}

const valuesOf = (key: ShownSettingKey): readonly string[] => (settingRules[key] as SettingRule).values ?? []

/** Text is saved when the person says so, not with every letter. */
function TextSetting({
  value,
  offered = [],
  onSave,
  disabled,
  ...ids
}: RowIds & {
  value: string
  offered?: readonly string[] | undefined
  onSave: (value: string) => Promise<boolean>
  disabled: boolean
}) {
  const [typed, setTyped] = useState(value)
  const lines = typed.split(/[\n,;]/).map((line) => line.trim())
  const missing = offered.filter((line) => !lines.includes(line))
  return (
    <div className="flex flex-col items-end gap-2">
      <Textarea
        {...ids}
        rows={2}
        spellCheck={false}
        className="font-mono text-xs"
        disabled={disabled}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {missing.map((line) => (
        <Button
          key={line}
          variant="ghost"
          size="sm"
          disabled={disabled}
          onClick={() => setTyped([...lines.filter(Boolean), line].join('\n'))}
        >
          <Plus />
          <Trans>Acrescentar “{line}”</Trans>
        </Button>
      ))}
      {typed !== value && (
        <Button size="sm" disabled={disabled} onClick={() => void onSave(typed)}>
          <Trans>Salvar</Trans>
        </Button>
      )}
    </div>
  )
}
