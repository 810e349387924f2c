import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'

export const migrationsFolder = join(import.meta.dir, '..', '..', 'schema', 'migrations')

/** Beside the migrations from the first release on: what they were when they were released. See `docs/releases.md`. */
export const frozenName = 'frozen.json'

/**
 * Beside the migrations: of those that an older version works beside, the oldest that does, by the file's name. What is not
 * named needs a stop. See `docs/releases.md`.
 */
export const besideName = 'beside.json'

/** Any number that no other program uses on this database. */
export const migrationsLock = 7_262_226

/** Thrown with a sentence for the operator: a newer version has been here, and this one would write what it does not know. */
export class NewerDatabase extends Error {
  override readonly name = 'NewerDatabase'
}

/** Thrown with a sentence for the operator: a version that runs could not work with what this one makes of the tables. */
export class NeedsStop extends Error {
  override readonly name = 'NeedsStop'
}

/** Who migrates. */
interface Who {
  version: string
  /** The version that works on the database meanwhile. */
  beside?: string | undefined
}

/**
 * Brings the database to the newest schema. Several servers may call it at once: one migrates, the
 * others wait and find nothing left to do. A database that a newer version went through is left as it is, where that one
 * said that this one may work beside it.
 * @param folder where the migrations are, for tests
 * @throws NewerDatabase where it went through migrations that this version does not have, and may not work with
 * @throws NeedsStop where a migration is not for the version that runs beside; nothing was changed
 */
export async function migrateDatabase(url: string, folder = migrationsFolder, who?: Who): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    const database = drizzle(sql)
    await sql`SELECT pg_advisory_lock(${migrationsLock})`
    const { known, applied } = await migrationState(sql, folder)
    const foreign = applied.filter((hash) => !known.includes(hash))
    if (foreign.length > 0) {
      const said = await besideIn(sql)
      if (!who || foreign.some((hash) => !isFor(said[hash], who.version)))
        throw new NewerDatabase(
          'The database was changed by a version of Balcão that this one does not know. Nothing was changed. Start the newer version, or restore a backup made by this one.',
        )
      // The newer one has been here, and what this one would do is done.
      return
    }
    const beside = besideOf(folder)
    if (who?.beside !== undefined) {
      const pending = known.filter((hash) => !applied.includes(hash))
      if (pending.some((hash) => !isFor(beside[hash], who.beside!)))
        throw new NeedsStop(
          `This version changes tables in a way that version ${who.beside} cannot work with. Nothing was changed. End the server, make a backup, and start this version.`,
        )
      // Who waits for a table keeps everybody waiting who comes after.
      await sql.unsafe(`SET lock_timeout = '${MOST_WAIT_MS}ms'`)
    }
    await migrate(database, { migrationsFolder: folder })
    // For a version before, which may start again while this one is tried.
    const text = JSON.stringify(beside).replaceAll("'", "''")
    await sql.unsafe(`COMMENT ON TABLE drizzle.__drizzle_migrations IS '${text}'`)
  } finally {
    // The lock ends with the connection.
    await sql.end({ timeout: 5 })
  }
}

/** So long a migration waits for a table beside a server that works; then the upgrade goes back. */
const MOST_WAIT_MS = 5_000

/** By hash, the oldest version that works beside each migration. */
function besideOf(folder: string): Record<string, string> {
  const path = join(folder, besideName)
  if (!existsSync(path)) return {}
  const named = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>
  const journal = JSON.parse(readFileSync(join(folder, 'meta', '_journal.json'), 'utf8')) as {
    entries: { tag: string }[]
  }
  // Drizzle reads them in the journal's order.
  const files = readMigrationFiles({ migrationsFolder: folder })
  return Object.fromEntries(
    journal.entries.flatMap(({ tag }, at) => {
      const oldest = named[`${tag}.sql`]
      return oldest === undefined ? [] : [[files[at]!.hash, oldest]]
    }),
  )
}

/** The same, as the newest version that migrated this database said it. */
async function besideIn(sql: postgres.Sql): Promise<Record<string, string>> {
  const [row] = await sql<{ said: string | null }[]>`
    SELECT obj_description('drizzle.__drizzle_migrations'::regclass, 'pg_class') AS said`
  try {
    return JSON.parse(row?.said ?? '{}') as Record<string, string>
  } catch {
    return {}
  }
}

/** Whether a version is no older than that. */
function isFor(oldest: string | undefined, version: string): boolean {
  return oldest !== undefined && Bun.semver.order(version, oldest) >= 0
}

/** Hashes of the migrations that this version has, and of those that the database went through. */
export async function migrationState(
  sql: postgres.Sql,
  folder = migrationsFolder,
): Promise<{ known: string[]; applied: string[] }> {
  const known = readMigrationFiles({ migrationsFolder: folder }).map(({ hash }) => hash)
  const [there] = await sql`SELECT to_regclass('drizzle.__drizzle_migrations') AS at`
  const rows = there?.at
    ? await sql<{ hash: string }[]>`SELECT hash FROM drizzle.__drizzle_migrations ORDER BY created_at`
    : []
  return { known, applied: rows.map(({ hash }) => hash) }
}
