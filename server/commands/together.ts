import { DomainError, statusOf } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'
import type { Call, CommandOutcome, RunCommand } from './run.ts'

/** Commands in one request; a browser that was away for hours sends several requests. */
export const mostTogether = 100

/** So many lanes are worked on at once: each has a transaction open. */
const side = 2

/** A command among others. */
export interface Lined {
  /** What is wrong with it already, or the command. */
  call: Call | DomainError
  /** Commands of one lane are done one after the other, in the order of the list. */
  lane: string
}

/** What `POST /commands` would have answered, and its status. */
export type Told = ({ status: 200 } & CommandOutcome) | ({ status: number; error: string } & Record<string, unknown>)

/** Asked again, it may be done: what comes behind it in its lane is to wait for that. */
const isForNow = (status: number): boolean => status >= 500 || status === 429 || status === 408

/**
 * Does commands that came together, each in a transaction of its own and once for its key, and answers each for itself,
 * in the order of the list. One that is refused stops no other. One that cannot be done for now stops those behind it in
 * its lane, which are then not done and answered alike, so that the order is kept when they come again.
 *
 * @param failed what a failure is called on the wire
 */
export async function runTogether(
  run: RunCommand,
  who: Principal,
  list: readonly Lined[],
  failed: (error: unknown) => DomainError,
): Promise<Told[]> {
  const results: Told[] = []
  const one = async (call: Call | DomainError): Promise<Told> => {
    try {
      if (call instanceof DomainError) throw call
      return { status: 200, ...(await run(who, call)) }
    } catch (error) {
      const failure = error instanceof DomainError ? error : failed(error)
      return { ...failure.params, status: statusOf(failure), error: failure.code }
    }
  }
  const lanes = [...Map.groupBy(list.keys(), (place) => list[place]!.lane).values()]
  const work = async (): Promise<void> => {
    for (let lane = lanes.shift(); lane; lane = lanes.shift()) {
      let stopped = false
      for (const place of lane) {
        results[place] = stopped
          ? { status: 503, error: 'ERR_UNAVAILABLE', reason: 'order' }
          : await one(list[place]!.call)
        stopped ||= isForNow(results[place].status)
      }
    }
  }
  await Promise.all(Array.from({ length: side }, work))
  return results
}
