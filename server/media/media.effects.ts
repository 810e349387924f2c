import type { Db } from '../db/database.ts'
import type { Handlers } from '../jobs/worker.ts'
import type { MediaStore } from './media-store.ts'
import { removeUnused } from './media.usage.ts'

/** Files whose row went away by a command, which touches rows only. */
export function mediaEffects(deps: { db: Db; media: MediaStore }): Pick<Handlers, 'media.release'> {
  return { 'media.release': ({ path }, { companyId }) => removeUnused(deps, companyId, path) }
}
