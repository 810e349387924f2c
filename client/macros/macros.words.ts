import { useLingui } from '@lingui/react/macro'
import type { MacroSharing } from '../../schema/macros/macros.table.ts'

/** Who has a macro. */
export function useSharingWords(): Record<MacroSharing, string> {
  const { t } = useLingui()
  return { own: t`Só eu`, company: t`Toda a empresa`, queues: t`Pessoas das filas` }
}
