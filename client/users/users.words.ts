import { useLingui } from '@lingui/react/macro'
import type { Profile } from '../../schema/users/users.table.ts'

/** The name of each profile in the interface's language. */
export function useProfileNames(): Record<Profile, string> {
  const { t } = useLingui()
  return { admin: t`Administrador`, supervisor: t`Supervisor`, user: t`Atendente` }
}
