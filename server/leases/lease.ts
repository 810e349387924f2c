import type postgres from 'postgres'
import { ALIVE } from './alive.ts'

/** A connection that this process may speak for. */
export interface LeasedConnection {
  id: number
  companyId: number
}

export interface Lease {
  /** Of these connections that the wire serves, those that no other live process holds. */
  claim(ids: readonly number[]): Promise<LeasedConnection[]>
  /** The connections that an admin wants to run, and that the wire serves, which no other live process holds. */
  free(): Promise<number[]>
  /** @returns the ids still ours, with `ttlMs` more to run. */
  renew(ids: number[]): Promise<number[]>
  release(ids: number[]): Promise<void>
  ttlMs: number
  /** A process that says no more that it lives (`alive.ts`) has lost what it did not renew for so long. */
  silentMs: number
}

/**
 * Leases in Postgres, by its clock: the clocks of two servers need not agree.
 * @param providers the values of `whatsapps.provider` that the wire serves
 */
export function createLease(
  sql: postgres.Sql,
  owner: string,
  providers: readonly string[],
  ttlMs = 30_000,
  silentMs = 4_500,
): Lease {
  const ttl = `${ttlMs} milliseconds`
  // Both: a process that lives may lose the connection on which it says so, and renews its leases meanwhile.
  const isLeft = sql`(l."until" < now() OR (l."until" < now() + ${`${ttlMs - silentMs} milliseconds`}::interval
    AND NOT EXISTS (SELECT FROM pg_locks p WHERE p."locktype" = 'advisory' AND p."classid" = ${ALIVE}
      AND p."objid"::bigint = (hashtext(l."owner")::bigint & 4294967295) AND p."objsubid" = 2 AND p."granted"
      AND p."database" = (SELECT d."oid" FROM pg_database d WHERE d."datname" = current_database()))))`
  const isServed = sql`w."provider" = ANY(${[...providers]}::text[])`
  return {
    ttlMs,
    silentMs,
    claim(ids) {
      return sql<LeasedConnection[]>`
        WITH mine AS (
          INSERT INTO whatsapp_leases AS l ("whatsappId", "owner", "until")
          SELECT w."id", ${owner}, now() + ${ttl}::interval FROM whatsapps w
          WHERE w."id" = ANY(${[...ids]}::int[]) AND ${isServed} ORDER BY w."id"
          ON CONFLICT ("whatsappId") DO UPDATE SET "owner" = excluded."owner", "until" = excluded."until"
          WHERE l."owner" = excluded."owner" OR ${isLeft}
          RETURNING "whatsappId"
        )
        SELECT w."id", w."companyId" FROM whatsapps w JOIN mine ON mine."whatsappId" = w."id" ORDER BY w."id"`
    },
    async free() {
      const rows = await sql<{ id: number }[]>`
        SELECT w."id" FROM whatsapps w LEFT JOIN whatsapp_leases l ON l."whatsappId" = w."id"
        WHERE w."wanted" AND ${isServed} AND (l."whatsappId" IS NULL OR l."owner" = ${owner} OR ${isLeft}) ORDER BY w."id"`
      return rows.map(({ id }) => id)
    },
    async renew(ids) {
      const rows = await sql<{ whatsappId: number }[]>`
        WITH mine AS (
          SELECT "whatsappId" FROM whatsapp_leases
          WHERE "whatsappId" = ANY(${ids}::int[]) AND "owner" = ${owner} AND "until" > now()
          -- In the order in which writes of devices hold them (the fence of the store).
          ORDER BY "whatsappId" FOR NO KEY UPDATE)
        UPDATE whatsapp_leases l SET "until" = now() + ${ttl}::interval
        FROM mine WHERE l."whatsappId" = mine."whatsappId" RETURNING l."whatsappId"`
      return rows.map((row) => row.whatsappId)
    },
    async release(ids) {
      await sql`DELETE FROM whatsapp_leases WHERE "whatsappId" = ANY(${ids}::int[]) AND "owner" = ${owner}`
    },
  }
}
