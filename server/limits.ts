/**
 * How often anybody may call: every number is here. How often a secret may be tried stands where it is (`server/auth`).
 * A bucket holds `burst` calls and fills again by `perSecond`.
 * People and our own client stay far below; a program that does not is told when to come again (429, `Retry-After`).
 */
export const limits = {
  /** Calls of a user, whatever the browser or program. A browser that comes back sends 500 waiting actions at once. */
  user: { burst: 2_000, perSecond: 40 },
  /** Commands of a user in calls that bring several: what each would be as a call of its own. */
  commands: { burst: 2_000, perSecond: 40 },
  /**
   * Calls with a good token from one address: an office of several hundred people, and beside them a program that sends
   * 300 messages a second. After an outage each browser of the office makes about a hundred calls at the same time.
   */
  office: { burst: 40_000, perSecond: 1_000 },
  /** Calls without a good token from one address: logging in, renewing a session, signing up. */
  stranger: { burst: 2_000, perSecond: 40 },
  /** Messages that programs send by the token of one connection: 300 a second and what a moment adds. */
  connection: { burst: 1_000, perSecond: 400 },
  /** What the official API tells, from one of its addresses: three times what leaves, and what comes. */
  hooks: { burst: 5_000, perSecond: 1_000 },
  /** Files of the client from one address: after a release every browser of an office fetches all of them. */
  files: { burst: 30_000, perSecond: 500 },
  /** Files that a company's programs have fetched from elsewhere. */
  programFiles: { burst: 60, perSecond: 5 },
  /** Numbers that a company's programs ask WhatsApp about: who asks for many risks the number that asks. */
  programChecks: { burst: 60, perSecond: 1 },
  /** Trials of an integration by a user: each calls somebody. */
  integrationTrials: { burst: 20, perSecond: 0.5 },
  /** Dry runs of rules by a user: each may look at 200,000 tickets. */
  ruleTrials: { burst: 20, perSecond: 0.5 },
  /** Trials of an assistant by a user: each costs the company money. */
  promptTrials: { burst: 10, perSecond: 0.2 },
} as const

export interface Limiter {
  /**
   * Takes from the bucket of `key`; what is refused costs nothing.
   * @returns seconds until there is enough again; 0 when it was taken
   */
  take(key: string, cost?: number): number
  /** Takes it whether there is enough or not: it was given elsewhere. */
  spend(key: string, cost: number): void
  /** What `take` would say, and nothing is taken. */
  wait(key: string): number
  /** How many there are yet in the bucket of `key`. */
  left(key: string): number
  /** Buckets that are remembered. */
  size(): number
}

/** Past this many, buckets that were not used for longest are full again: an attacker does not choose how much memory we use. */
const MOST_BUCKETS = 50_000

/**
 * Buckets of tokens, one for each key.
 * @param time milliseconds of a clock that never goes back
 */
export function createLimiter(
  { burst, perSecond }: { burst: number; perSecond: number },
  time: () => number = () => performance.now(),
  most = MOST_BUCKETS,
): Limiter {
  /** When each bucket will be full again; least lately used first. */
  const fullAt = new Map<string, number>()
  const msEach = 1_000 / perSecond

  /** When the bucket would be full again, and the seconds until there is enough in it. */
  const after = (key: string, cost: number) => {
    const now = time()
    const full = Math.max(now, fullAt.get(key) ?? 0) + cost * msEach
    return { full, wait: Math.max(0, Math.ceil((full - now - burst * msEach) / 1_000)) }
  }

  const remember = (key: string, full: number) => {
    fullAt.delete(key)
    fullAt.set(key, full)
    if (fullAt.size > most) fullAt.delete(fullAt.keys().next().value!)
  }

  return {
    wait: (key) => after(key, 1).wait,
    take(key, cost = 1) {
      const { full, wait } = after(key, cost)
      if (wait > 0) return wait
      remember(key, full)
      return 0
    },
    spend: (key, cost) => remember(key, Math.min(after(key, cost).full, time() + burst * msEach)),
    left: (key) => Math.floor(burst - Math.max(0, (fullAt.get(key) ?? 0) - time()) / msEach + 1e-6),
    size: () => fullAt.size,
  }
}
