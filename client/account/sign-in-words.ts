import { useLingui } from '@lingui/react/macro'
import { dateText } from '../i18n/dates.ts'
import type { Device, EndedBy } from '../session/session-store.ts'

/** A browser and its system in words, such as "Chrome no Windows". */
export function useDeviceText(): (device: Device | null) => string {
  const { t } = useLingui()
  return (device) => {
    const { browser, system } = device ?? {}
    if (browser && system) return t`${browser} no ${system}`
    return browser ?? system ?? t`Dispositivo desconhecido`
  }
}

/** A login in one line: with what, from where, when. */
export function useSignInText(): (by: EndedBy) => string {
  const { i18n } = useLingui()
  const deviceText = useDeviceText()
  return ({ device, address, at }) =>
    [deviceText(device), address, dateText(i18n.locale, Date.parse(at), 'moment')].filter(Boolean).join(' · ')
}
