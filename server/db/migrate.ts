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

/**
 * Brings the database to the newest schema. Several servers may call it at once: one migrates, the
 * others wait and find nothing left to do.
 * @param folder where the migrations are, for tests
 */
export async function migrateDatabase(url: string, folder = migrationsFolder): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    const database = drizzle(sql)
    await sql`SELECT pg_advisory_lock(${migrationsLock})`
    await migrate(database, { migrationsFolder: folder })
  } finally {
    // The lock ends with the connection.
    await sql.end({ timeout: 5 })
  }
}

/** Hashes of the migrations that this version has, and of those that the database went through. */
export async function migrationState(sql: postgres.Sql): Promise<{ known: string[]; applied: string[] }> {
  const known = readMigrationFiles({ migrationsFolder }).map(({ hash }) => hash)
  const [there] = await sql`SELECT to_regclass('drizzle.__drizzle_migrations') AS at`
  const rows = there?.at
    ? await sql<{ hash: string }[]>`SELECT hash FROM drizzle.__drizzle_migrations ORDER BY created_at`
    : []
  return { known, applied: rows.map(({ hash }) => hash) }
}
