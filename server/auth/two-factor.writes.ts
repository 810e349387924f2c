import { eq, isNull } from 'drizzle-orm'
import { generateSecret, verifySync } from 'otplib'
import { CODE_LOCK_MS, MOST_WRONG_CODES } from '../../schema/auth/two-factor.ts'
import { DomainError } from '../../schema/errors.ts'
import { type TwoFactor, twoFactors } from '../../schema/users/two-factor.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { openText, type Sealer, sealText } from '../seal.ts'
import type { Tokens } from './tokens.ts'
import { hashOf } from './two-factor.queries.ts'

/** Seconds that a phone's clock may be off: one step before and after. */
const TOLERANCE = 30
const placeOf = (userId: number) => `two-factor:${userId}`

export interface TwoFactorDeps {
  db: Db
  sealer: Sealer
  tokens: Tokens
  now: () => Date
}

/**
 * A new secret, which counts from the first code of it on.
 * @throws DomainError `ERR_2FA_ENABLED`
 */
export async function beginFactor(
  { db, sealer }: Pick<TwoFactorDeps, 'db' | 'sealer'>,
  { userId, companyId }: { userId: number; companyId: number },
): Promise<string> {
  const secret = generateSecret()
  const fresh = { secret: sealText(sealer, secret, placeOf(userId)), lastStep: 0, recovery: [] }
  const written = await db
    .insert(twoFactors)
    .values({ userId, companyId, ...fresh })
    // One that is in use is not replaced, or an open screen would be enough to take it.
    .onConflictDoUpdate({ target: twoFactors.userId, set: fresh, setWhere: isNull(twoFactors.enabledAt) })
    .returning({ userId: twoFactors.userId })
  if (written.length === 0) throw new DomainError('ERR_2FA_ENABLED')
  return secret
}

/**
 * Takes a code: of the app, or one of those for when it is gone. Each is good once; after some wrong ones none is looked
 * at for a while.
 * @param use what is done with a right code, in the same transaction
 * @throws DomainError `ERR_2FA_CODE`, `ERR_TOO_MANY_ATTEMPTS`, `ERR_2FA_SETUP` where there is no secret
 */
export async function takeCode<T>(
  { db, sealer, tokens, now }: TwoFactorDeps,
  { userId, code, state }: { userId: number; code: string; state: 'enabled' | 'begun' },
  use: (tx: Tx, factor: TwoFactor) => Promise<T>,
): Promise<T> {
  const outcome = await db.transaction(async (tx): Promise<{ done: T } | { refused: DomainError }> => {
    const [factor] = await tx.select().from(twoFactors).where(eq(twoFactors.userId, userId)).for('update')
    if (!factor || (factor.enabledAt !== null) !== (state === 'enabled'))
      return { refused: new DomainError('ERR_2FA_SETUP') }
    const at = now()
    if (factor.lockedUntil && factor.lockedUntil > at) return { refused: locked(factor.lockedUntil, at) }
    const good = judged(factor, code)
    if (!good) {
      const errors = factor.errors + 1
      const until = errors >= MOST_WRONG_CODES ? new Date(at.getTime() + CODE_LOCK_MS) : null
      await tx
        .update(twoFactors)
        .set({ errors: until ? 0 : errors, lockedUntil: until })
        .where(eq(twoFactors.userId, userId))
      return { refused: until ? locked(until, at) : new DomainError('ERR_2FA_CODE') }
    }
    await tx
      .update(twoFactors)
      .set({ ...good, errors: 0, lockedUntil: null })
      .where(eq(twoFactors.userId, userId))
    return { done: await use(tx, { ...factor, ...good }) }
  })
  if ('refused' in outcome) throw outcome.refused
  return outcome.done

  function judged(factor: TwoFactor, typed: string): Partial<TwoFactor> | undefined {
    const plain = typed.replace(/[\s-]/g, '').toLowerCase()
    if (/^\d{6}$/.test(plain)) {
      const secret = openText(sealer, factor.secret, placeOf(userId))
      const epoch = Math.floor(now().getTime() / 1_000)
      const result = verifySync({ secret, token: plain, epoch, epochTolerance: TOLERANCE })
      if (!result.valid || !('timeStep' in result) || result.timeStep <= factor.lastStep) return undefined
      return { lastStep: result.timeStep }
    }
    const hash = hashOf(tokens, plain)
    return factor.recovery.includes(hash) ? { recovery: factor.recovery.filter((one) => one !== hash) } : undefined
  }
}
const locked = (until: Date, at: Date) =>
  new DomainError('ERR_TOO_MANY_ATTEMPTS', { retryAfter: Math.ceil((until.getTime() - at.getTime()) / 1_000) })
