import { createHash } from 'node:crypto'
import { and, desc, eq, sql } from 'drizzle-orm'
import { type ApiKey, apiKeys } from '../../schema/api-keys/api-keys.table.ts'
import type { Db, Tx } from '../db/database.ts'

/** Keys that were revoked long ago are of no use to anybody. */
const MOST_LISTED = 200

/** A key without what it is known by. */
export const shown = ({ hash: _hash, companyId: _company, createdBy: _by, ...key }: ApiKey) => key

/** What of a key is kept: as random as they are, nobody guesses one from its hash. */
export const hashOfKey = (key: string): string => createHash('sha256').update(key).digest('hex')

/** The active ones first, then by age. */
export async function listApiKeys(db: Db, companyId: number) {
  const rows = await db
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.companyId, companyId))
    .orderBy(sql`${apiKeys.revokedAt} DESC NULLS FIRST`, desc(apiKeys.id))
    .limit(MOST_LISTED)
  return rows.map(shown)
}

export async function findApiKey(db: Db | Tx, companyId: number, id: number): Promise<ApiKey | undefined> {
  const [row] = await db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.companyId, companyId), eq(apiKeys.id, id)))
  return row
}
