import { administers, type Rights } from '../permissions.ts'

/** Who must prove a login with a code, too. */
export const twoFactorRules = ['none', 'admins', 'all'] as const
export type TwoFactorRule = (typeof twoFactorRules)[number]

/** So long a person may go on without, after it was asked of them. */
export const TWO_FACTOR_GRACE_MS = 7 * 24 * 3600_000
/** Wrong codes after which none is looked at for a while. */
export const MOST_WRONG_CODES = 5
export const CODE_LOCK_MS = 15 * 60_000
export const RECOVERY_CODES = 10

/**
 * From when on a person is let in only with two-factor; null where nobody asks it of them.
 * @param since when the rule was set
 * @param userSince when the person came: who comes later has as long
 */
export function twoFactorDue(
  rule: { rule: TwoFactorRule; since: Date } | undefined,
  person: Rights & { userSince: Date },
): Date | null {
  if (!rule || rule.rule === 'none' || (rule.rule === 'admins' && !administers(person))) return null
  return new Date(Math.max(rule.since.getTime(), person.userSince.getTime()) + TWO_FACTOR_GRACE_MS)
}
