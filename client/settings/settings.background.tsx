import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { covers } from '../../schema/permissions.ts'
import { settingRules, shownSettingKeys } from '../../schema/settings/settings.keys.ts'
import type { SettingRule } from '../../schema/settings/settings.keys.ts'
import { useCan, usePrincipal, useUser } from '../session/session.tsx'
import { useActions } from '../kit/actions.ts'
import { useRegionWords, useSettingWords } from './settings.words.ts'

/** Each setting stands in the palette by its name, and leads to its place. */
export default function SettingsInPalette() {
  const { t } = useLingui()
  const navigate = useNavigate()
  const user = useUser()
  const mayWrite = useCan('settings:write')
  const maySecure = useCan('security:write')
  const mayWriteHours = useCan('company:schedules')
  const isAdmin = covers(usePrincipal(), { profile: 'admin' })
  const words = useSettingWords()
  const region = useRegionWords()
  const group = t`Configurações`
  useActions([
    ...shownSettingKeys.map((key) => {
      const rule: SettingRule = settingRules[key]
      return {
        id: `setting:${key}`,
        label: words[key].label,
        keywords: `${key} ${words[key].hint ?? ''}`,
        group,
        when: (rule.security ? maySecure : mayWrite) && (!rule.global || user.super),
        run: () => void navigate({ to: '/settings', search: { tab: 'options', key } }),
      }
    }),
    ...Object.entries(region).map(([key, { label, hint }]) => ({
      id: `setting:${key}`,
      label,
      keywords: hint,
      group,
      when: mayWrite,
      run: () => void navigate({ to: '/settings', search: { tab: 'options', key } }),
    })),
    {
      id: 'settings.hours',
      label: t`Horários e feriados da empresa`,
      group,
      when: mayWriteHours,
      // While there are no hours there is no such tab: then one sees the choice that brings it.
      run: () => void navigate({ to: '/settings', search: { tab: 'hours', key: 'scheduleType' } }),
    },
    {
      id: 'settings.company-account',
      label: t`Conta da empresa para entrar`,
      keywords: 'OpenID Connect OIDC SSO',
      group,
      when: maySecure && isAdmin,
      run: () => void navigate({ to: '/settings', search: { tab: 'options', key: 'companyAccount' } }),
    },
    ...[
      { id: 'logo', label: t`Logo` },
      { id: 'companies', label: t`Empresas` },
      { id: 'register', label: t`Cadastrar empresa` },
      { id: 'payments', label: t`Pagamentos`, keywords: 'Pix Efí Asaas' },
      { id: 'plans', label: t`Planos` },
      { id: 'helps', label: t`Ajuda` },
    ].map(({ id, ...words }) => ({
      id: `settings.${id}`,
      ...words,
      group,
      when: user.super,
      run: () => void navigate({ to: '/settings', search: { tab: id } }),
    })),
  ])
  return null
}
