import type { Effect } from '../../schema/effects.ts'
import type { Db } from '../db/database.ts'
import { addJobs } from '../jobs/queue.ts'
import { silentTickets } from './rules.idle.queries.ts'

/** So many in one go; the next minute goes on. */
const MOST = 2_000

/**
 * Has rules asked about tickets in which nobody has written for as long as they say. Doing it twice asks once: what was
 * asked is known, and what waits to be asked has its key.
 * @returns how many silences were found
 */
export async function askAboutSilence({ db, now }: { db: Db; now(): Date }): Promise<number> {
  const found = await silentTickets(db, now(), MOST)
  for (const [companyId, own] of Map.groupBy(found, (one) => one.companyId)) {
    const jobs = own.map(({ ruleId, ticketId, messageId, at }): Effect => {
      const id = `idle:${ruleId}:${messageId}`
      return {
        ...{ kind: 'rules.ask', ticketId },
        event: { id, root: id, depth: 0, trigger: 'idle', ticketId, at, messageId, ruleId },
      }
    })
    await addJobs(db, companyId, jobs)
  }
  return found.length
}
