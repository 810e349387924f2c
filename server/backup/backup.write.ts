import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import type { Logger } from '../log.ts'
import { mediaPlace, mediaPort } from '../media/media-store.ts'
import { type Remembered, rememberBackup, rememberedOf } from '../privacy/privacy.journal.ts'
import { dumpDatabase, intoFolder } from './backup.database.ts'
import {
  BackupError,
  copyHashed,
  forEach,
  FORMAT,
  hashOf,
  keyNames,
  type Manifest,
  manifestName,
  type Progress,
  sumsName,
  tableFile,
} from './backup.format.ts'
import { connect, openDatabase, type PlaceConfig } from './backup.place.ts'

const COPIES_AT_ONCE = 4

/**
 * Writes everything that a server needs into a folder: the rows of one moment, the keys that sealed columns open with,
 * and the files. The server goes on meanwhile. The folder gets its name when it is whole; what is cancelled leaves none.
 *
 * A file is written before the row that names it, so every row of the moment has its file, unless it was deleted while
 * the backup ran.
 * @param folder must not exist
 * @param version of the product
 * @throws BackupError
 */
export async function writeBackup(
  config: PlaceConfig,
  folder: string,
  { version, log, progress, signal }: { version: string; log: Logger; progress: Progress; signal?: AbortSignal },
): Promise<Manifest> {
  const target = resolve(folder)
  if (existsSync(target)) throw new BackupError(`${target} exists already. Name a folder that does not.`)
  const keys = await keysOf(config)
  await mkdir(dirname(target), { recursive: true })
  await forgetCutOff(dirname(target))
  const draft = join(dirname(target), `.${basename(target)}.${process.pid}.part`)
  const database = await openDatabase(config, log, signal)
  const sql = connect(database.url)
  try {
    await mkdir(join(draft, 'database'), { recursive: true, mode: 0o700 })
    const sums = createWriteStream(join(draft, sumsName), { mode: 0o600 })
    const written = finished(sums)
    written.catch(() => undefined)
    const sum = (sha256: string, path: string) => {
      if (!sums.write(`${sha256}  ${path}\n`)) return new Promise<void>((go) => sums.once('drain', go))
    }

    const dump = await dumpDatabase(sql, { sink: intoFolder(draft), progress, signal })
    for (const { name } of dump.tables) await sum(await hashOf(join(draft, tableFile(name)), signal), tableFile(name))

    await mkdir(join(draft, 'keys'), { mode: 0o700 })
    for (const [name, text] of Object.entries(keys)) {
      await writeFile(join(draft, 'keys', name), text, { mode: 0o600 })
      await sum(await hashOf(join(draft, 'keys', name)), `keys/${name}`)
    }

    const files = { count: 0, bytes: 0 }
    const media = mediaPort(mediaPlace(config))
    await forEach(media.list(), COPIES_AT_ONCE, async (path) => {
      signal?.throwIfAborted()
      const to = join(draft, 'media', path)
      const copied = await media
        .read(path)
        .then((bytes) => copyHashed(bytes, to, signal))
        .catch(async (error: unknown) => {
          if (signal?.aborted || (await media.find(path))) throw error
          // Deleted since it was listed, or while it was read.
          await rm(to, { force: true })
        })
      if (!copied) return
      files.count++
      files.bytes += copied.size
      progress(`media: ${files.count.toLocaleString('en')} files`)
      await sum(copied.sha256, `media/${path}`)
    })

    const manifest: Manifest = { format: FORMAT, version, ...dump, files }
    await writeFile(join(draft, manifestName), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
    await sum(await hashOf(join(draft, manifestName)), manifestName)
    sums.end()
    await written
    // On the disk, before it is called a backup.
    Bun.spawnSync(['sync', '-f', join(draft, manifestName)], { stdio: ['ignore', 'ignore', 'ignore'] })
    signal?.throwIfAborted()
    await rename(draft, target)
    await rememberBackup(config.dataDir, target, await erasedIn(sql))
    return manifest
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  } finally {
    await sql.end({ timeout: 1 })
    await database.close()
  }
}

/** Whose data were erased until now. A database that is still an older version's knows of nobody. */
export async function erasedIn(sql: ReturnType<typeof connect>): Promise<Remembered[]> {
  const [there] = await sql<{ it: boolean }[]>`SELECT to_regclass('erasures') IS NOT NULL AS it`
  if (!there?.it) return []
  const rows = await sql<Parameters<typeof rememberedOf>[0][]>`
    SELECT "id", "companyId", "contactId", "hashes", "createdAt" FROM erasures ORDER BY "seq"`
  return rows.map(rememberedOf)
}

/** The keys in use, wherever they stand. @throws BackupError where one is missing */
export async function keysOf(config: PlaceConfig): Promise<Record<(typeof keyNames)[number], string>> {
  const given = {
    'jwt.secret': config.jwtSecret,
    'encryption.key': config.encryptionKey && Buffer.from(config.encryptionKey).toString('base64'),
  }
  const keys: Record<string, string> = {}
  for (const name of keyNames) {
    const text = given[name] ?? (await readFile(join(config.dataDir, name), 'utf8').catch(() => undefined))
    if (text === undefined)
      throw new BackupError(`${join(config.dataDir, name)} is missing. \`bun run doctor\` tells what that means.`)
    keys[name] = `${text.trim()}\n`
  }
  return keys
}

/** Drafts of backups whose process was killed. */
async function forgetCutOff(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = /^\..+\.([0-9]+)\.part$/.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(folder, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
