import { DomainError } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'
import type { Db } from '../db/database.ts'
import type { AuthLog } from './auth-log.ts'
import { ownLoginOf } from './auth.queries.ts'
import { verifyPassword } from './passwords.ts'
import type { SignInLimits } from './sign-in-limits.ts'

/**
 * Whether the current password is theirs; asked for so that an unlocked screen, or a token that somebody has copied,
 * does not take the account over.
 * @throws DomainError `ERR_CURRENT_PASSWORD_REQUIRED`, `ERR_CURRENT_PASSWORD`, `ERR_TOO_MANY_ATTEMPTS`
 */
export type DemandPassword = (
  who: Pick<Principal, 'userId' | 'companyId'>,
  given: string | undefined,
  address: string | null,
) => Promise<void>

export function createPasswordProof({
  db,
  authLog,
  signIn,
  now,
}: {
  db: Db
  authLog: AuthLog
  signIn: SignInLimits
  now: () => Date
}): DemandPassword {
  return async ({ userId, companyId }, given, address) => {
    if (!given) throw new DomainError('ERR_CURRENT_PASSWORD_REQUIRED')
    const own = await ownLoginOf(db, userId)
    const locked = () => authLog('lock', { userId, companyId, address })
    const succeeded = signIn.beginCurrent({ email: own?.email ?? `${userId}`, address }, now(), locked)
    if (!(await verifyPassword(given, own?.passwordHash))) {
      authLog('refused', { userId, companyId, address })
      throw new DomainError('ERR_CURRENT_PASSWORD')
    }
    succeeded()
  }
}
