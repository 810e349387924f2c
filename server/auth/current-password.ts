import { DomainError } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'
import type { Db } from '../db/database.ts'
import { type Count, createAttempts } from './attempts.ts'
import type { AuthLog } from './auth-log.ts'
import { passwordHashOf } from './auth.queries.ts'
import { verifyPassword } from './passwords.ts'

/** The current password, asked of somebody who is signed in, in ten minutes. */
const WRONG_PASSWORDS = 8

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
  now,
}: {
  db: Db
  authLog: AuthLog
  now: () => Date
}): DemandPassword {
  const attempts = createAttempts()
  return async ({ userId, companyId }, given, address) => {
    if (!given) throw new DomainError('ERR_CURRENT_PASSWORD_REQUIRED')
    const counts: Count[] = [{ name: `current ${userId}`, most: WRONG_PASSWORDS }]
    attempts.begin(counts, now(), () => authLog('lock', { userId, companyId, address }))
    if (!(await verifyPassword(given, await passwordHashOf(db, userId)))) {
      authLog('refused', { userId, companyId, address })
      throw new DomainError('ERR_CURRENT_PASSWORD')
    }
    attempts.forget(counts)
  }
}
