import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'

export const migrationsFolder = join(import.meta.dir, '..', '..', 'schema', 'migrations')

/** Beside the migrations from the first release on: what they were when they were released. See `docs/releases.md`. */
export const frozenName = 'frozen.json'

/** Any number that no other program uses on this database. */
export const migrationsLock = 7_262_226

/** Thrown with a sentence for the operator: a newer version has been here, and this one would write what it does not know. */
export class NewerDatabase extends Error {
  override readonly name = 'NewerDatabase'
}

/**
 * Brings the database to the newest schema. Several servers may call it at once: one migrates, the
 * others wait and find nothing left to do.
 * @param folder where the migrations are, for tests
 * @throws NewerDatabase where it went through migrations that this version does not have
 */
export async function migrateDatabase(url: string, folder = migrationsFolder): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    const database = drizzle(sql)
    await sql`SELECT pg_advisory_lock(${migrationsLock})`
    const { known, applied } = await migrationState(sql, folder)
    if (applied.some((hash) => !known.includes(hash)))
      throw new NewerDatabase(
        'The database was changed by a version of Balcão that this one does not know. Nothing was changed. Start the newer version, or restore a backup made by this one.',
      )
    await migrate(database, { migrationsFolder: folder })
  } finally {
    // The lock ends with the connection.
    await sql.end({ timeout: 5 })
  }
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
