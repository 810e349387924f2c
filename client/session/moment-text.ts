import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { dateText } from '../i18n/dates.ts'

/** When something is: `às 14:20` of today, else `em 30/11/26 às 14:20`. Read it while rendering: the language may change. */
export function whenText(at: Date, now = new Date()): string {
  const time = dateText(i18n.locale, at, 'time')
  if (at.toDateString() === now.toDateString()) return t`às ${time}`
  const date = dateText(i18n.locale, at, 'date')
  return t`em ${date} às ${time}`
}
