import { DomainError, statusOf } from '../../schema/errors.ts'
import type { AppDeps } from './deps.ts'
import { discard, type UploadedFile } from './body.ts'
import { usedMedia } from '../messages/messages.queries.ts'

/**
 * Does something with files that a call has brought. When it is refused they are gone again, but for those that went out
 * all the same, or by an earlier call of the same key; where it fails otherwise, nobody knows what became of it.
 */
export async function unlessRefused<T>(
  { db, media }: Pick<AppDeps, 'db' | 'media'>,
  files: readonly Pick<UploadedFile, 'path' | 'isNew'>[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DomainError && statusOf(error) < 500) {
      const used = await usedMedia(
        db,
        files.map(({ path }) => path),
      )
      await discard(media, { files: files.filter(({ path }) => !used.has(path)) })
    }
    throw error
  }
}
