import type { PastPiece } from '../../schema/messages/messages.past.ts'
import type { Db } from '../db/database.ts'
import type { Handlers } from '../jobs/worker.ts'
import { fileHistory } from './history.changes.ts'

/** What waits of the histories of phones; the wire keeps it. */
export interface KeptHistory {
  /** Undefined when it is filed already. */
  piece(id: string): Promise<PastPiece | undefined>
  /** @param count how many messages it brought */
  filed(id: string, count: number): Promise<void>
}

export const historyEffects = (deps: {
  db: Db
  history: KeptHistory
  now(): Date
}): Pick<Handlers, 'cloud.history'> => ({
  'cloud.history': async ({ whatsappId, piece: id }, { companyId }) => {
    const piece = await deps.history.piece(id)
    if (!piece) return
    const count = await fileHistory(deps.db, { companyId, whatsappId, now: deps.now() }, piece)
    await deps.history.filed(id, count)
  },
})
