import { DomainError } from '../../schema/errors.ts'

/** What was tried, remembered for a while, by e-mail and by address. Each server process counts for itself. */
export interface Attempts {
  /**
   * Counts an attempt as failed before it is made, so that many at once are no way around.
   * @throws DomainError `ERR_TOO_MANY_ATTEMPTS` with `retryAfter` (seconds)
   */
  begin(email: string, address: string | null, now: Date): void
  /** The attempt was right after all: the e-mail starts afresh, and the address has one failure less. */
  succeeded(email: string, address: string | null): void
}

const WINDOW_MS = 10 * 60 * 1000
/** Failed logins; an office shares one address. */
const logins = { perEmail: 8, perAddress: 60 }
/** Past this many names, the oldest are forgotten: an attacker does not choose how much memory we use. */
const MOST_NAMES = 50_000

/** @param limits so many in ten minutes */
export function createAttempts(limits: { perEmail: number; perAddress: number } = logins): Attempts {
  const failures = new Map<string, number[]>()
  const emailKey = (email: string) => `e ${email.toLowerCase()}`
  const addressKey = (address: string) => `a ${address}`

  return {
    begin(email, address, now) {
      const bounds: [key: string, most: number][] = [[emailKey(email), limits.perEmail]]
      if (address) bounds.push([addressKey(address), limits.perAddress])
      const time = now.getTime()
      const recent = bounds.map(([key, most]) => {
        const times = (failures.get(key) ?? []).filter((at) => at > time - WINDOW_MS)
        if (times.length >= most) {
          const free = times[times.length - most]! + WINDOW_MS
          throw new DomainError('ERR_TOO_MANY_ATTEMPTS', { retryAfter: Math.max(1, Math.ceil((free - time) / 1000)) })
        }
        return [key, times] as const
      })
      for (const [key, times] of recent) {
        // Moved to the end, where the youngest are.
        failures.delete(key)
        failures.set(key, [...times, time])
      }
      while (failures.size > MOST_NAMES) failures.delete(failures.keys().next().value!)
    },
    succeeded(email, address) {
      failures.delete(emailKey(email))
      if (address) failures.get(addressKey(address))?.pop()
    },
  }
}
