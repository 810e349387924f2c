import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'

export const migrationsFolder = join(import.meta.dir, '..', '..', 'schema', 'migrations')

/** Any number that no other program uses on this database. */
export const migrationsLock = 7_262_226

/**
 * Brings the database to the newest schema. Several servers may call it at once: one migrates, the
 * others wait and find nothing left to do.
 */
export async function migrateDatabase(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    const database = drizzle(sql)
    await sql`SELECT pg_advisory_lock(${migrationsLock})`
    await migrate(database, { migrationsFolder })
  } finally {
    // The lock ends with the connection.
    await sql.end({ timeout: 5 })
  }
}
