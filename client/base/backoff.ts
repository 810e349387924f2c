/**
 * How long to wait before the next attempt, in ms: doubles from half a second to half a minute.
 * The random half keeps a thousand browsers from returning in the same instant after a restart.
 *
 * @param attempt 0 for the first retry
 * @param random from 0 to 1
 */
export function backoffMs(attempt: number, random: number): number {
  const ceiling = Math.min(30_000, 500 * 2 ** Math.min(attempt, 10))
  return Math.round(ceiling / 2 + (ceiling / 2) * random)
}
