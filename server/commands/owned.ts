import { and, eq, inArray } from 'drizzle-orm'
import type { CommandTable } from '../../schema/command.ts'
import { DomainError } from '../../schema/errors.ts'
import { nouns } from '../../schema/nouns.ts'
import type { Db, Tx } from '../db/database.ts'

/** @throws DomainError the code of `nouns.ts`, such as `ERR_NO_QUEUE_FOUND`, where one of these is not the company's */
export async function demandOwned(
  db: Db | Tx,
  companyId: number,
  table: CommandTable,
  given: readonly number[] | undefined,
): Promise<void> {
  const ids = [...new Set(given)]
  if (ids.length === 0) return
  const { table: rows, notFound } = nouns[table]
  const found = await db.$count(rows, and(eq(rows.companyId, companyId), inArray(rows.id, ids)))
  if (found < ids.length) throw new DomainError(notFound)
}
