import { useLingui } from '@lingui/react/macro'
import type { standingOf } from '../../schema/companies/companies.subscription.ts'
import type { Company } from '../../schema/companies/companies.table.ts'

/** Whether a company is served, in a word: as the server decides it. */
export function useCompanyStateName(): (standing: ReturnType<typeof standingOf>) => string {
  const { t } = useLingui()
  return (standing) => ({ good: t`Ativa`, over: t`Em atraso`, off: t`Inativa` })[standing]
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

/** The colour of that word. */
export const companyStateTones = { good: 'success', over: 'destructive', off: 'neutral' } as const
