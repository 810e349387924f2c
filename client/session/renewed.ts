import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { dateText } from '../i18n/dates.ts'
import { toast } from '../ui/toaster.tsx'
import { dueDay } from '../base/due-date.ts'

/** The good news after a payment. @param dueDate the last valid day from now on */
export function announceRenewal(dueDate: string): void {
  const date = dateText(i18n.locale, dueDay(dueDate), 'fullDate')
  toast.success(t`Sua licença foi renovada até ${date}!`)
}
