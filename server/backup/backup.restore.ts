import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { lockDataDir } from '../data-dir.ts'
import { startEmbeddedPostgres } from '../db/embedded-postgres.ts'
import { connectDatabase } from '../db/database.ts'
import { migrateDatabase } from '../db/migrate.ts'
import type { Logger } from '../log.ts'
import { mediaFolder } from '../media/media.folder.ts'
import { mediaPlace, mediaPort } from '../media/media-store.ts'
import { copyJournal, readJournal, type Remembered } from '../privacy/privacy.journal.ts'
import { repeatErasures } from '../privacy/privacy.restored.changes.ts'
import { createSealer, type Sealer } from '../seal.ts'
import { loadDatabase, migrationsOf, type Settled } from './backup.database.ts'
import {
  BackupError,
  copyHashed,
  forEach,
  keyNames,
  type Manifest,
  type Progress,
  readManifest,
  readSums,
} from './backup.format.ts'
import { connect, type PlaceConfig } from './backup.place.ts'

const draftName = '.restoring'
const COPIES_AT_ONCE = 4

export interface Restored extends Settled {
  manifest: Manifest
  /** People whose data were erased after the backup, and are again. */
  erased: number
}

/**
 * Makes a data directory of a backup: its own Postgres, or an empty one that DATABASE_URL names. Nothing is there until
 * all is; every file is held against its sum. The database is brought to this version's tables.
 * @throws BackupError where the folder or the database is not empty, or the backup is not whole
 */
export async function restoreBackup(
  config: PlaceConfig,
  folder: string,
  { log, progress, signal }: { log: Logger; progress: Progress; signal?: AbortSignal },
): Promise<Restored> {
  const source = resolve(folder)
  const manifest = await readManifest(source)
  migrationsOf(manifest)
  const { dataDir } = config
  const draft = join(dataDir, draftName)
  // A draft of another restore that was killed counts as nothing.
  const there = existsSync(dataDir) ? await readdir(dataDir) : []
  const others = there.filter((name) => name !== draftName && name !== 'lock')
  if (others.length > 0)
    throw new BackupError(`${dataDir} is not empty. Name an empty folder, or one that does not exist, in DATA_DIR.`)
  await compareKeys(config, source)
  const unlock = lockDataDir(dataDir)
  try {
    await rm(draft, { recursive: true, force: true })
    await mkdir(draft, { mode: 0o700 })
    let copied = 0
    await forEach(readSums(source), COPIES_AT_ONCE, async ({ sha256, path }) => {
      if (!path.startsWith('media/') && !path.startsWith('keys/')) return
      signal?.throwIfAborted()
      const to = join(draft, path.startsWith('keys/') ? path.slice('keys/'.length) : path)
      const copy = await copyHashed(join(source, path), to, signal).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') throw new BackupError(`${path} is missing in the backup.`)
        throw error
      })
      if (copy.sha256 !== sha256) throw new BackupError(`${path} of the backup is damaged.`)
      progress(`media: ${(++copied).toLocaleString('en')} files`)
    })
    for (const name of keyNames)
      if (!existsSync(join(draft, name))) throw new BackupError(`keys/${name} is missing in the backup.`)

    // Beside the backups; in it, where it comes out of a bucket.
    const journal = [...(await readJournal(dirname(source))), ...(await readJournal(source))]
    const key = config.encryptionKey ?? Buffer.from(await readFile(join(draft, 'encryption.key'), 'utf8'), 'base64')
    const settled = await fill(config.database.url, draft, source, manifest, {
      ...{ log, progress, signal, erased: { journal, sealer: createSealer(Buffer.from(key)) } },
    })
    await copyJournal(journal, draft)
    if (config.bucket) await fillBucket(config, draft, { progress, signal })
    signal?.throwIfAborted()
    // The database last: without it, what is there is seen to be no installation.
    const parts = (await readdir(draft)).toSorted((a, b) => Number(a === 'postgres') - Number(b === 'postgres'))
    for (const part of parts) await rename(join(draft, part), join(dataDir, part))
    await rm(draft, { recursive: true, force: true })
    return { manifest, ...settled }
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  } finally {
    unlock()
  }
}

/** Brings the files to where the configuration has them. What lies there already is of the same name: the same file. */
async function fillBucket(
  config: PlaceConfig,
  draft: string,
  { progress, signal }: { progress: Progress; signal: AbortSignal | undefined },
): Promise<void> {
  const media = mediaPort(mediaPlace(config))
  const folder = join(draft, 'media')
  let brought = 0
  await forEach(mediaFolder(folder).list(), COPIES_AT_ONCE, async (path) => {
    signal?.throwIfAborted()
    await media.write(path, join(folder, path))
    progress(`bucket: ${(++brought).toLocaleString('en')} files`)
  })
  await rm(folder, { recursive: true, force: true })
}

async function fill(
  url: string | undefined,
  draft: string,
  source: string,
  manifest: Manifest,
  {
    log,
    progress,
    signal,
    erased,
  }: {
    log: Logger
    progress: Progress
    signal: AbortSignal | undefined
    erased: { journal: readonly Remembered[]; sealer: Sealer }
  },
): Promise<Settled & { erased: number }> {
  const own = url === undefined ? await startEmbeddedPostgres({ dataDir: draft, log }) : undefined
  const at = url ?? own?.url ?? ''
  const sql = connect(at)
  try {
    const loading = { folder: source, progress, settle: true, ...(signal && { signal }) }
    const settled = await loadDatabase(sql, manifest, loading)
    progress('bringing the tables to this version')
    await migrateDatabase(at)
    return { ...settled, erased: await eraseAgain(at, erased, progress) }
  } finally {
    await sql.end({ timeout: 1 })
    await own?.stop()
  }
}

/** Whose data were erased after the backup was written is erased in it, before anybody looks. */
async function eraseAgain(
  at: string,
  { journal, sealer }: { journal: readonly Remembered[]; sealer: Sealer },
  progress: Progress,
): Promise<number> {
  if (journal.length === 0) return 0
  progress('erasing whom the journal names')
  const { db, close } = connectDatabase(at, { max: 2 })
  try {
    return await repeatErasures({ db, sealer, now: () => new Date() }, journal)
  } finally {
    await close()
  }
}

/** The environment's keys win over the folder's: with others, every sealed column would be unreadable. */
async function compareKeys(config: PlaceConfig, source: string): Promise<void> {
  const given = {
    JWT_SECRET: ['jwt.secret', config.jwtSecret],
    ENCRYPTION_KEY: ['encryption.key', config.encryptionKey && Buffer.from(config.encryptionKey).toString('base64')],
  } as const
  for (const [variable, [name, value]] of Object.entries(given)) {
    const stored = await readFile(join(source, 'keys', name), 'utf8').catch(() => undefined)
    if (value !== undefined && stored !== undefined && value !== stored.trim())
      throw new BackupError(
        `${variable} is another key than the backup's. Take it out of the environment, or set the one of keys/${name}.`,
      )
  }
}
