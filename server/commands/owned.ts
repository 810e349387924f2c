import { and, eq, inArray } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { CommandTable } from '../../schema/command.ts'
import { DomainError, type ErrorCode } from '../../schema/errors.ts'
import { nouns } from '../../schema/nouns.ts'
import type { Db, Tx } from '../db/database.ts'

type Ids = readonly (number | null | undefined)[] | undefined

/** @throws DomainError the code of `nouns.ts`, such as `ERR_NO_QUEUE_FOUND`, where one of these is not the company's */
export const demandOwned = (db: Db | Tx, companyId: number, table: CommandTable, given: Ids): Promise<void> =>
  demandRows(db, companyId, nouns[table].table, given, nouns[table].notFound)

/** The same of a table that no command reads. @throws DomainError `error` */
export async function demandRows(
  db: Db | Tx,
  companyId: number,
  rows: PgTable & { id: PgColumn; companyId: PgColumn },
  given: Ids,
  error: ErrorCode,
): Promise<void> {
  const ids = [...new Set(given)].filter((id) => typeof id === 'number')
  if (ids.length === 0) return
  const found = await db.$count(rows, and(eq(rows.companyId, companyId), inArray(rows.id, ids)))
  if (found < ids.length) throw new DomainError(error)
}
