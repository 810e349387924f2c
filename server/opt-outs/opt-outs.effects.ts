import { DomainError } from '../../schema/errors.ts'
import type { Db } from '../db/database.ts'
import type { Events } from '../events/bus.ts'
import type { Handlers } from '../jobs/worker.ts'
import { addressOf } from './opt-outs.queries.ts'
import { optOutCalls } from './opt-outs.changes.ts'

/** What an agent noted in a ticket, perhaps while there was no network. */
export function optOutEffects(deps: {
  db: Db
  events: Pick<Events, 'emit'>
  now(): Date
}): Pick<Handlers, 'optOuts.note'> {
  const calls = optOutCalls(deps)
  return {
    'optOuts.note': async ({ contactId, userId }, { companyId }) => {
      try {
        const { number, lid } = await addressOf(deps.db, companyId, contactId)
        if (number || lid) await calls.note(companyId, { number: number ?? '', lid, source: 'hand', userId })
      } catch (error) {
        // They are noted already, or gone.
        if (!(error instanceof DomainError)) throw error
      }
    },
  }
}
