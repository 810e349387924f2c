import { GraphRefusal } from './wire.ts'

/** So many to one person on credit, one of which comes back every six seconds. */
const PAIR = { most: 45, everyMs: 6_000 }

/** How fast the service lets one write: over a number, and from it to one person. */
export class FakeRates {
  /** When all of the credit is back, ms since 1970. */
  private readonly pairs = new Map<string, number>()
  private readonly seconds = new Map<string, { at: number; count: number }>()

  /** @throws 130429 over the number, 131056 to this person */
  demand(number: string, person: string, now: number, perSecond: number): void {
    const second = Math.floor(now / 1_000)
    const known = this.seconds.get(number)
    const count = known?.at === second ? known.count + 1 : 1
    if (count > perSecond) throw new GraphRefusal(130429, 400, 'Rate limit hit')
    const key = `${number}/${person}`
    const backAt = Math.max(now, this.pairs.get(key) ?? 0) + PAIR.everyMs
    if (backAt - now > PAIR.most * PAIR.everyMs) throw new GraphRefusal(131056, 400, 'Pair rate limit hit')
    this.pairs.set(key, backAt)
    this.seconds.set(number, { at: second, count })
  }
}
