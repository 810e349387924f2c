/** Minutes after a charge was made at which its provider is asked about it, whatever a webhook said. */
const firstMinutes = [1, 5, 15, 60, 75, 240, 1_440]
const DAY_MINUTES = 1_440
/** Past this many nobody asks by the clock any more; a webhook still does. */
const MOST_CHECKS = 60

/**
 * When a provider is asked next whether a charge was paid; null: not by the clock. A charge that ran out is asked about
 * a few times more, since what was paid in its last minute may be told late.
 * @param checks how often it was asked so far
 */
export function nextCheck(
  { createdAt, expiresAt }: { createdAt: Date; expiresAt: Date | null },
  checks: number,
  now: Date,
): Date | null {
  if (checks >= MOST_CHECKS) return null
  const minutes = firstMinutes[checks] ?? DAY_MINUTES * (checks - firstMinutes.length + 2)
  const at = new Date(createdAt.getTime() + minutes * 60_000)
  const last = expiresAt && new Date(expiresAt.getTime() + DAY_MINUTES * 60_000)
  if (last && at > last && now > last) return null
  // After a night without a server, one question is enough.
  return at > now ? at : new Date(now.getTime() + 60_000)
}

/**
 * Days between the questions whether money that was paid has gone back: Pix lets it for 90. A webhook tells sooner, but
 * not every return has one.
 */
const returnDays = [1, 2, 4, 8, 15, 30, 30]

/** When a provider is asked next whether a payment has gone back; null: not by the clock. @param checks since it was paid */
export function nextReturnCheck(checks: number, now: Date): Date | null {
  const days = returnDays[checks]
  return days === undefined ? null : new Date(now.getTime() + days * DAY_MINUTES * 60_000)
}

/** When a provider is asked about a charge that it may never have made, or whose answer was lost: not while it answers. */
export const checkUnmade = (now: Date): Date => new Date(now.getTime() + 5 * 60_000)

/**
 * When a provider that could not be asked is asked again: what was paid while nobody could be reached is not lost
 * because the one question that was left had no answer.
 */
export const checkAgain = (checks: number, now: Date): Date | null =>
  checks >= MOST_CHECKS ? null : new Date(now.getTime() + 15 * 60_000)
