import { useLingui } from '@lingui/react/macro'

/** What the ranks of announcements are called, the most pressing first. */
export function usePriorityNames(): Record<1 | 2 | 3, string> {
  const { t } = useLingui()
  return { 1: t`Alta`, 2: t`Média`, 3: t`Baixa` }
}
