import { useLingui } from '@lingui/react/macro'
import type { Company } from '../../schema/companies/companies.table.ts'

/** What each rhythm of paying is called. */
export function useRecurrenceNames(): Record<Company['recurrence'], string> {
  const { t } = useLingui()
  return {
    MENSAL: t`Mensal`,
    BIMESTRAL: t`Bimestral`,
    TRIMESTRAL: t`Trimestral`,
    SEMESTRAL: t`Semestral`,
    ANUAL: t`Anual`,
  }
}
