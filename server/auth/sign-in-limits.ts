import { DomainError } from '../../schema/errors.ts'
import { networkOf } from '../network.ts'
import type { Attempts, Count } from './attempts.ts'

/**
 * How often a password may be tried. A stranger must not be able to lock somebody out, so nothing that a stranger does
 * counts against a browser that the person has signed in with before; and a wrong password counts for the e-mail and
 * the network it came from together. What many networks try on one e-mail only slows down.
 *
 * Who is signed in, or has been in this browser, has one count for their account, whatever asks for the password: signing
 * in, a new password, two-factor, keys. It counts for a stranger’s way in as well.
 */
export const WRONG_PER_PAIR = 8
/** An office shares one address. */
export const WRONG_PER_NETWORK = 60
/** Wrong passwords for one e-mail from all unknown browsers together, after which they are answered slowly. */
export const SLOW_AFTER = 30
/** So slowly, and so many at once for one e-mail: 40 tries a minute, however many networks an attacker has. */
export const SLOW_MS = 3_000
const SLOW_AT_ONCE = 2

export interface SignInLimits {
  /**
   * Counts a try before it is made, and waits where it has to.
   * @param device id of a browser that somebody has signed in with under this e-mail, where it is one
   * @returns what to call when the password was right
   * @throws DomainError `ERR_TOO_MANY_ATTEMPTS` with `retryAfter` (seconds)
   */
  begin(
    of: { email: string; address: string | null; device: string | undefined },
    now: Date,
    onLocked: () => void,
  ): Promise<() => void>
  /**
   * Counts a try by somebody who is signed in, before it is made.
   * @returns what to call when the password was right
   * @throws DomainError `ERR_TOO_MANY_ATTEMPTS` with `retryAfter` (seconds)
   */
  beginCurrent(of: { email: string; address: string | null }, now: Date, onLocked: () => void): () => void
  /** The mailbox was shown to be the person's: what was tried from here before does not count. */
  proven(of: { email: string; address: string | null }): void
}

const pairOf = (email: string, address: string | null): Count => ({
  name: `sign-in ${email.toLowerCase()} ${networkOf(address)}`,
  most: WRONG_PER_PAIR,
})

const accountOf = (email: string): Count => ({ name: `account ${email.toLowerCase()}`, most: WRONG_PER_PAIR })

/** @param wait how long a slow answer takes; tests do not wait */
export function createSignInLimits(
  attempts: Attempts,
  wait: (ms: number) => Promise<unknown> = Bun.sleep,
): SignInLimits {
  const slow = new Map<string, number>()

  const beginCurrent: SignInLimits['beginCurrent'] = ({ email, address }, now, onLocked) => {
    const [account, pair] = [accountOf(email), pairOf(email, address)]
    attempts.begin([account], now, onLocked)
    attempts.note(pair, now)
    return () => {
      attempts.forget([account])
      attempts.succeeded([pair])
    }
  }

  return {
    beginCurrent,
    async begin({ email, address, device }, now, onLocked) {
      if (device) return beginCurrent({ email, address }, now, onLocked)
      // Whoever gets it right in the end starts afresh.
      const own = pairOf(email, address)
      const everywhere: Count = { name: `sign-in all ${email.toLowerCase()}`, most: SLOW_AFTER }
      const counts: Count[] = [
        own,
        ...(address ? [{ name: `sign-in ${networkOf(address)}`, most: WRONG_PER_NETWORK }] : []),
      ]
      attempts.begin(counts, now, onLocked)

      if (attempts.failures(everywhere, now) >= SLOW_AFTER) {
        const waiting = slow.get(everywhere.name) ?? 0
        if (waiting >= SLOW_AT_ONCE) {
          // It was not tried.
          attempts.succeeded(counts)
          throw new DomainError('ERR_TOO_MANY_ATTEMPTS', { retryAfter: SLOW_MS / 1_000 })
        }
        slow.set(everywhere.name, waiting + 1)
        try {
          await wait(SLOW_MS)
        } finally {
          const left = slow.get(everywhere.name)! - 1
          if (left > 0) slow.set(everywhere.name, left)
          else slow.delete(everywhere.name)
        }
      }
      // It slows down and never refuses: the count stands at its most and goes on.
      attempts.note(everywhere, now)
      return () => {
        attempts.succeeded([...counts, everywhere])
        attempts.forget([own])
      }
    },
    proven: ({ email, address }) => attempts.forget([pairOf(email, address), accountOf(email)]),
  }
}
