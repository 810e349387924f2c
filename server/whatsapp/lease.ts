import type postgres from 'postgres'
import type { Provider } from '../../schema/whatsapps/whatsapps.providers.ts'

/** The providers whose connections are a linked device. */
export const linkedDevices = ['beta', 'stable'] as const satisfies Provider[]

/** A connection that this process may speak for. */
export interface LeasedConnection {
  id: number
  companyId: number
}

export interface Lease {
  /** Of these connections (or of all that an admin wants to run) that are linked devices, those that no other live process holds. */
  claim(ids: number[] | 'wanted'): Promise<LeasedConnection[]>
  /** @returns the ids still ours, with `ttlMs` more to run. */
  renew(ids: number[]): Promise<number[]>
  release(ids: number[]): Promise<void>
  ttlMs: number
}

/** Leases in Postgres, by its clock: the clocks of two servers need not agree. */
export function createLease(sql: postgres.Sql, owner: string, ttlMs = 30_000): Lease {
  const ttl = `${ttlMs} milliseconds`
  return {
    ttlMs,
    claim(ids) {
      return sql<LeasedConnection[]>`
        WITH mine AS (
          INSERT INTO whatsapp_leases AS l ("whatsappId", "owner", "until")
          SELECT w."id", ${owner}, now() + ${ttl}::interval FROM whatsapps w
          WHERE ${ids === 'wanted' ? sql`w."wanted"` : sql`w."id" = ANY(${ids}::int[])`}
            AND w."provider" = ANY(${linkedDevices as unknown as string[]}::text[])
          ON CONFLICT ("whatsappId") DO UPDATE SET "owner" = excluded."owner", "until" = excluded."until"
          WHERE l."owner" = excluded."owner" OR l."until" < now()
          RETURNING "whatsappId"
        )
        SELECT w."id", w."companyId" FROM whatsapps w JOIN mine ON mine."whatsappId" = w."id" ORDER BY w."id"`
    },
    async renew(ids) {
      const rows = await sql<{ whatsappId: number }[]>`
        UPDATE whatsapp_leases SET "until" = now() + ${ttl}::interval
        WHERE "whatsappId" = ANY(${ids}::int[]) AND "owner" = ${owner} AND "until" > now() RETURNING "whatsappId"`
      return rows.map((row) => row.whatsappId)
    },
    async release(ids) {
      await sql`DELETE FROM whatsapp_leases WHERE "whatsappId" = ANY(${ids}::int[]) AND "owner" = ${owner}`
    },
  }
}
