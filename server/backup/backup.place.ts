import { existsSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import type { parseConfig } from '../config.ts'
import { DataDirInUse, lockDataDir } from '../data-dir.ts'
import { runningPostgres, startEmbeddedPostgres } from '../db/embedded-postgres.ts'
import type { Logger } from '../log.ts'
import { BackupError } from './backup.format.ts'

export type PlaceConfig = Pick<
  ReturnType<typeof parseConfig>,
  'dataDir' | 'bucket' | 'mediaIn' | 'database' | 'jwtSecret' | 'encryptionKey'
>

/** So long, a server that has just begun may take to start its Postgres. */
const STARTING_MS = 60_000

/**
 * The database that a server on this configuration works in, whether one runs or not: an outside one, the embedded one
 * of the running server, or the embedded one started for the while.
 * @throws BackupError where there is none
 */
export async function openDatabase(
  config: PlaceConfig,
  log: Logger,
  signal?: AbortSignal,
): Promise<{ url: string; close(): Promise<void> }> {
  if (config.database.url !== undefined) return { url: config.database.url, close: async () => undefined }
  if (!existsSync(join(config.dataDir, 'postgres')))
    throw new BackupError(`There is no database in ${config.dataDir}. Name the right folder in DATA_DIR.`)
  for (const deadline = Date.now() + STARTING_MS; ; ) {
    signal?.throwIfAborted()
    const url = runningPostgres(config.dataDir)
    if (url !== undefined) return { url, close: async () => undefined }
    try {
      const unlock = lockDataDir(config.dataDir)
      try {
        const { url, stop } = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
        return {
          url,
          async close() {
            await stop()
            unlock()
          },
        }
      } catch (error) {
        unlock()
        throw error
      }
    } catch (error) {
      if (!(error instanceof DataDirInUse) || Date.now() > deadline) throw error
    }
    await Bun.sleep(100)
  }
}

/** A few connections of their own, for work that streams. */
export const connect = (url: string): postgres.Sql =>
  postgres(url, { max: 2, onnotice: () => undefined, connect_timeout: 10, connection: { TimeZone: 'UTC' } })
