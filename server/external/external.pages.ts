import { and, eq, gte, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { DomainError } from '../../schema/errors.ts'
import { dateOf } from '../../schema/inputs.ts'
import type { ListQuery } from '../../schema/external/external.inputs.ts'
import type { Db } from '../db/database.ts'

const PER_PAGE = 40

/** A table whose rows say which transaction changed them last (`changeId` of migration 0001). */
type Stamped = PgTable & { id: PgColumn; companyId: PgColumn; updatedAt: PgColumn }

/**
 * A page of what has changed, in the order of the transactions that changed it. What commits later than a page was read
 * comes behind it: transactions end in another order than they begin, and their clocks differ, so a page ends before
 * the oldest that is still running. A row that changes again comes again.
 * @returns `nextCursor` also at the end: whoever asks with it again is told what changed since
 */
export async function pageOf<T>(
  db: Db,
  table: Stamped,
  companyId: number,
  { cursor, limit, updatedSince }: ListQuery,
  toApi: (row: never) => T,
  where?: SQL,
): Promise<{ records: T[]; nextCursor: string | null; hasMore: boolean }> {
  const change = sql`${table}."changeId"`
  const here = await postgresOf(db)
  const place = cursor === undefined ? undefined : placeOf(cursor)
  // Transactions of another Postgres say nothing here: after a restore everything is told again, so nothing is skipped.
  const after = place?.postgres === here ? place : undefined
  const most = limit ?? PER_PAGE
  const id = table.id.dataType === 'number' ? sql`int` : sql`text`
  const rows = await db
    .select({ row: table as never, change: sql<string>`${change}::text` })
    .from(table as PgTable)
    .where(
      and(
        eq(table.companyId, companyId),
        sql`${change} < pg_snapshot_xmin(pg_current_snapshot())`,
        // A copy of the same Postgres from an earlier day does not know the transaction yet.
        after &&
          sql`(${change}, ${table.id}) > (CASE WHEN ${after.change}::xid8 < pg_snapshot_xmax(pg_current_snapshot())
            THEN ${after.change}::xid8 ELSE '0'::xid8 END, ${after.id}::${id})`,
        updatedSince === undefined ? undefined : gte(table.updatedAt, dateOf(updatedSince, 'query/updatedSince')),
        where,
      ),
    )
    .orderBy(change, table.id)
    .limit(most + 1)
  const page = rows.slice(0, most) as unknown as { row: { id: string | number }; change: string }[]
  const last = page.at(-1)
  return {
    records: page.map(({ row }) => toApi(row as never)),
    nextCursor: last ? Buffer.from(`${here}.${last.change}.${last.row.id}`).toString('base64url') : (cursor ?? null),
    hasMore: rows.length > most,
  }
}

const known = new WeakMap<Db, Promise<string>>()

/** Which Postgres it is, as it says of itself; the same for as long as its transactions count on. */
function postgresOf(db: Db): Promise<string> {
  let asked = known.get(db)
  if (!asked) {
    asked = db
      .execute<{ name: string }>(sql`SELECT system_identifier::text AS name FROM pg_control_system()`)
      .then(([row]) => row?.name ?? '0')
    asked.catch(() => known.delete(db))
    known.set(db, asked)
  }
  return asked
}

/** @throws DomainError `ERR_VALIDATION` */
function placeOf(cursor: string): { postgres: string; change: string; id: string } {
  const [, postgres, change, id] =
    /^([0-9]{1,20})\.([0-9]{1,18})\.([A-Za-z0-9-]{1,64})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (
    postgres === undefined ||
    change === undefined ||
    id === undefined ||
    (/^[0-9]+$/.test(id) && Number(id) > 2_147_483_647)
  )
    throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'query/cursor', message: 'nextCursor of a page' }] })
  return { postgres, change, id }
}
