import type { Logger } from '../log.ts'
import { mediaPlace, mediaPorts } from '../media/media-store.ts'
import { type Moved, moveMedia } from '../media/media.move.ts'
import { BackupError, type Progress } from './backup.format.ts'
import { connect, openDatabase, type PlaceConfig } from './backup.place.ts'

/** The lock of whoever moves files: what two move at once, each may take for deleted. */
const MOVING = 0x62_61_6c_6d

/**
 * Moves all files to where the configuration has them, whether servers run or not.
 * @throws BackupError where there is nothing to move from, or somebody else is at it
 */
export async function moveAll(
  config: PlaceConfig,
  { log, progress, signal }: { log: Logger; progress: Progress; signal?: AbortSignal },
): Promise<Moved & { into: 'bucket' | 'folder' }> {
  const { to, from } = mediaPorts(mediaPlace(config))
  if (!from)
    throw new BackupError('No bucket is named: set S3_BUCKET and its keys, and MEDIA_IN to where the files are to go.')
  const database = await openDatabase(config, log, signal)
  const sql = connect(database.url)
  const held = await sql.reserve()
  try {
    const [lock] = await held<{ ours: boolean }[]>`SELECT pg_try_advisory_lock(${MOVING}) AS ours`
    if (!lock?.ours) throw new BackupError('Files are being moved already.')
    return { ...(await moveMedia({ from, to, progress, signal })), into: config.mediaIn }
  } finally {
    held.release()
    await sql.end({ timeout: 1 })
    await database.close()
  }
}
