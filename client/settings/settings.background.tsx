import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { settingRules, shownSettingKeys } from '../../schema/settings/settings.keys.ts'
import type { SettingRule } from '../../schema/settings/settings.keys.ts'
import { useCan, useUser } from '../app/session.tsx'
import { useActions } from '../palette/actions.ts'
import { useRegionWords, useSettingWords } from './settings.words.ts'

/** Each setting stands in the palette by its name, and leads to its place. */
export default function SettingsInPalette() {
  const { t } = useLingui()
  const navigate = useNavigate()
  const user = useUser()
  const mayWrite = useCan('settings:write')
  const maySecure = useCan('security:write')
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
    ...[
      { id: 'logo', label: t`Logo` },
      { id: 'companies', label: t`Empresas` },
      { id: 'plans', label: t`Planos` },
    ].map(({ id, label }) => ({
      id: `settings.${id}`,
      label,
      group,
      when: user.super,
      run: () => void navigate({ to: '/settings', search: { tab: id } }),
    })),
  ])
  return null
}
