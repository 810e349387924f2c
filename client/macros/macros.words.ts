import { useLingui } from '@lingui/react/macro'
import type { Sharing } from '../../schema/sharing.ts'

/** Who has a macro. */
export function useSharingWords(): Record<Sharing, string> {
  const { t } = useLingui()
  return { own: t`Só eu`, company: t`Toda a empresa`, queues: t`Pessoas das filas` }
}
