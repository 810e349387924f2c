import { DomainError } from '../../schema/errors.ts'
import { NotNow } from '../jobs/worker.ts'
import type { MediaStore } from './media-store.ts'

/** A place of files that is away is looked for again after this, ms; one that is full, which a person has to mend, later. */
const AWAY_MS = 15_000
const FULL_MS = 60_000

/**
 * The store as jobs use it: while the place of its files is away or full they wait, however long that is, and no try is
 * counted. A file that came, or is to leave, is late and not lost.
 */
export function patientMedia(media: MediaStore): MediaStore {
  const waiting = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      const { code } = error as { code?: unknown }
      if (!(error instanceof DomainError) || (code !== 'ERR_UNAVAILABLE' && code !== 'ERR_STORAGE_FULL')) throw error
      throw Object.assign(new NotNow(`files: ${code}`, code === 'ERR_STORAGE_FULL' ? FULL_MS : AWAY_MS), {
        cause: error.cause,
      })
    }
  }
  return {
    find: (path) => waiting(media.find(path)),
    read: (path, range) => waiting(media.read(path, range)),
    put: (companyId, source, options) => waiting(media.put(companyId, source, options)),
    delete: (path) => waiting(media.delete(path)),
    deleteCompany: (companyId) => waiting(media.deleteCompany(companyId)),
    list: () => media.list(),
    local: (path, work) => waiting(media.local(path, work)),
  }
}
