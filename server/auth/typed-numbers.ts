import { TYPED_PER_HOUR } from '../../schema/contacts/contacts.masking.ts'
import { lacksNumbers, type Principal } from '../../schema/permissions.ts'
import type { Between } from '../between.ts'
import { createAttempts } from './attempts.ts'

/**
 * Counts numbers that people type to whom a role hides them, wherever they type one: what becomes of it, or of what is
 * counted afterwards, tells whether the guess was right.
 */
export interface TypedNumbers {
  /** @throws DomainError `ERR_TOO_MANY_ATTEMPTS` with `retryAfter` (seconds) */
  count(who: Principal): void
}

export function createTypedNumbers(now: () => Date, between?: Between): TypedNumbers {
  const typed = createAttempts({ topic: 'typed', between })
  const minutes = 60
  return {
    count(who) {
      if (!lacksNumbers(who)) return
      typed.begin(
        [
          { name: `user ${who.userId}`, most: TYPED_PER_HOUR.user, minutes },
          // Whoever may add people has as many pairs of hands as they like.
          { name: `company ${who.companyId}`, most: TYPED_PER_HOUR.company, minutes },
        ],
        now(),
      )
    },
  }
}
