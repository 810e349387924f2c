import { sql } from 'drizzle-orm'
import type { Tx } from './database.ts'

/**
 * Waits until no other transaction holds this name, on whichever server, and holds it until the end of this one.
 * @param name such as `rules/7`
 */
export const lockName = (tx: Tx, name: string): Promise<unknown> =>
  tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`).execute()
