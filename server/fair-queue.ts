/** Thrown when there are too many in the line already; nothing was begun. */
export class Crowded extends Error {
  override readonly name = 'Crowded'
}

export interface FairQueueLimits {
  /** How many work side by side, and how many wait; in all, and of each company. */
  atOnce: number
  waiting: number
  eachAtOnce: number
  eachWaiting: number
}

export interface FairQueue {
  /**
   * Does the work when its turn has come. Companies that have nothing at work go before those that have.
   * @throws Crowded
   */
  take<T>(companyId: number, work: () => Promise<T>): Promise<T>
  /**
   * Takes a place without waiting.
   * @returns gives the place back
   * @throws Crowded when none is free
   */
  hold(companyId: number): () => void
}

/** A line for work that is dear to the machine, in which no company can keep all places. */
export function createFairQueue({ atOnce, waiting, eachAtOnce, eachWaiting }: FairQueueLimits): FairQueue {
  const line: { companyId: number; begin: () => void }[] = []
  const working = new Map<number, number>()
  let all = 0
  const of = (companyId: number) => working.get(companyId) ?? 0
  const isFree = (companyId: number) => all < atOnce && of(companyId) < eachAtOnce

  function enter(companyId: number): void {
    all++
    working.set(companyId, of(companyId) + 1)
  }

  function leave(companyId: number): void {
    all--
    if (of(companyId) === 1) working.delete(companyId)
    else working.set(companyId, of(companyId) - 1)
    const next = line.findIndex((entry) => isFree(entry.companyId))
    if (next >= 0) line.splice(next, 1)[0]!.begin()
  }

  return {
    hold(companyId) {
      if (!isFree(companyId)) throw new Crowded('no place is free')
      enter(companyId)
      let held = true
      return () => {
        if (held) leave(companyId)
        held = false
      }
    },
    async take(companyId, work) {
      if (isFree(companyId)) enter(companyId)
      else {
        const mine = line.filter((entry) => entry.companyId === companyId).length
        if (line.length >= waiting || mine >= eachWaiting) throw new Crowded('too many wait already')
        await new Promise<void>((resolve) => {
          line.push({
            companyId,
            begin: () => {
              // At once, or somebody who comes before we wake would take the place.
              enter(companyId)
              resolve()
            },
          })
        })
      }
      try {
        return await work()
      } finally {
        leave(companyId)
      }
    },
  }
}
