import { readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { startEmbeddedPostgres } from '../db/embedded-postgres.ts'
import type { Logger } from '../log.ts'
import { scratchFolder } from '../scratch.ts'
import { openedBy } from '../sealed.ts'
import { dumpDatabase, loadDatabase, migrationsOf } from './backup.database.ts'
import {
  BackupError,
  forEach,
  hashOf,
  keyNames,
  type Manifest,
  manifestName,
  type Progress,
  readManifest,
  readSums,
  tableFile,
} from './backup.format.ts'
import { connect } from './backup.place.ts'

/**
 * Proves that a backup can be restored: every file against its sum, then all rows into a Postgres of their own, aside,
 * out of which the same rows must come; and that the key opens what it sealed. Nothing is left of it.
 * @throws BackupError naming what is wrong
 */
export async function verifyBackup(
  folder: string,
  { log, progress, signal }: { log: Logger; progress: Progress; signal?: AbortSignal },
): Promise<Manifest> {
  const source = resolve(folder)
  const manifest = await readManifest(source)
  migrationsOf(manifest)

  const needed = new Set([
    manifestName,
    ...keyNames.map((name) => `keys/${name}`),
    ...manifest.tables.map(({ name }) => tableFile(name)),
  ])
  let files = 0
  await forEach(readSums(source), 2, async ({ sha256, path }) => {
    signal?.throwIfAborted()
    const found = await hashOf(join(source, path), signal).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw new BackupError(`${path} is missing in the backup.`)
      throw error
    })
    if (found !== sha256) throw new BackupError(`${path} of the backup is damaged.`)
    needed.delete(path)
    if (path.startsWith('media/')) files++
    progress(`checked ${files.toLocaleString('en')} files`)
  })
  for (const path of needed) throw new BackupError(`${path} is not among the sums of the backup.`)
  if (files !== manifest.files.count)
    throw new BackupError(`The backup has ${files} files of media, and had ${manifest.files.count}.`)

  await verifyRows(source, manifest, { log, progress, ...(signal && { signal }) })
  return manifest
}

/**
 * Restores the rows of a backup into a Postgres of their own, aside, out of which the same rows must come, and tries the
 * key. Nothing is left of it.
 * @param source folder with `manifest.json`, `database/` and `keys/`
 * @throws BackupError naming what is wrong
 */
export async function verifyRows(
  source: string,
  manifest: Manifest,
  { log, progress, signal }: { log: Logger; progress: Progress; signal?: AbortSignal },
): Promise<void> {
  const aside = scratchFolder('verify')
  try {
    const own = await startEmbeddedPostgres({ dataDir: aside, fast: true, log })
    const sql = connect(own.url)
    try {
      await loadDatabase(sql, manifest, { folder: source, progress, settle: false, ...(signal && { signal }) })
      const again = await dumpDatabase(sql, { progress: (text) => progress(`comparing ${text}`), signal })
      for (const table of manifest.tables) {
        const found = again.tables.find(({ name }) => name === table.name)
        if (found?.rows !== table.rows || found.sha256 !== table.sha256)
          throw new BackupError(
            `Restored, ${table.name} holds ${found?.rows ?? 0} rows that are not its ${table.rows}.`,
          )
      }
      const key = Buffer.from((await readFile(join(source, 'keys', 'encryption.key'), 'utf8')).trim(), 'base64')
      const { refused } = await openedBy(sql, key)
      if (refused.length > 0)
        throw new BackupError(
          `The key of the backup does not open ${refused.join(', ')}: it is not the one they were sealed with.`,
        )
    } finally {
      await sql.end({ timeout: 1 })
      await own.stop()
    }
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}
