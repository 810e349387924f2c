import type { Db } from '../db/database.ts'
import type { Handlers } from '../jobs/worker.ts'
import type { MediaStore } from './media-store.ts'
import { removeUnused } from './media.usage.ts'

/** Files whose rows have let go of them, removed after the commit; it is no error when one is gone already. */
export function mediaEffects(deps: { db: Db; media: MediaStore }): Pick<Handlers, 'media.release'> {
  return { 'media.release': ({ path }, { companyId }) => removeUnused(deps, companyId, path) }
}
