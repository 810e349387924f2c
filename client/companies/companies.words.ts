import { useLingui } from '@lingui/react/macro'
import type { Company } from '../../schema/companies/companies.table.ts'

/** Whether a company is served, in a word. */
export function useCompanyStateName(): (isActive: boolean) => string {
  const { t } = useLingui()
  return (isActive) => (isActive ? t`Ativa` : t`Inativa`)
}

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
