import { settingRules } from '../../schema/settings/settings.keys.ts'
import type { SettingKey } from '../../schema/settings/settings.keys.ts'
import { api } from '../session/api.ts'
import { useFetched } from '../session/fetched.ts'
import type { Fetched } from '../session/fetched.ts'
import { useCompanyEvent } from '../session/use-event.ts'

export interface SettingValue {
  key: string
  value: string
}

export function useSettings(): Fetched<SettingValue[]> {
  const list = useFetched<SettingValue[]>('/settings')
  useCompanyEvent('settings', list.reload)
  return list
}

/** A setting's value, its default while none is known. */
export function useSetting(key: SettingKey): string {
  return useSettings().data?.find((setting) => setting.key === key)?.value ?? settingRules[key].default
}

export const saveSetting = (key: SettingKey, value: string) => api.put(`/settings/${key}`, { key, value })
