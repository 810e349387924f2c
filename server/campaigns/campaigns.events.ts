import type { Db } from '../db/database.ts'
import type { Events } from '../events/bus.ts'
import type { Logger } from '../log.ts'
import { findCampaign } from './campaigns.queries.ts'

/** While a campaign is sent it changes many times a second; screens are told of it at most this often. */
const PAUSE_MS = 1_000

/** Tells what campaigns the server itself has changed. */
export function campaignEmitter({ db, events, log }: { db: Db; events: Pick<Events, 'emit'>; log: Logger }) {
  const waiting = new Map<number, Timer>()
  return ({ id, companyId }: { id: number; companyId: number }): void => {
    if (waiting.has(id)) return
    const timer = setTimeout(() => {
      waiting.delete(id)
      findCampaign(db, companyId, id)
        .then((record) => {
          if (record) events.emit({ companyId, name: 'campaign', action: 'update', payload: { record } })
        })
        .catch((err: unknown) => log.warn({ err }, 'a campaign was not told of'))
    }, PAUSE_MS)
    timer.unref()
    waiting.set(id, timer)
  }
}
