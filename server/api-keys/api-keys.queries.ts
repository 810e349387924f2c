import { createHash, randomBytes } from 'node:crypto'
import { and, desc, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { ApiKeyInput } from '../../schema/api-keys/api-keys.inputs.ts'
import { MOST_API_KEYS } from '../../schema/api-keys/api-keys.scopes.ts'
import { type ApiKey, apiKeys } from '../../schema/api-keys/api-keys.table.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { DomainError } from '../../schema/errors.ts'
import type { Db, Tx } from '../db/database.ts'

/** Keys that were revoked long ago are of no use to anybody. */
const MOST_LISTED = 200
const DEFAULT_RATE = 120

/** A key without what it is known by. */
export const shown = ({ hash: _hash, companyId: _company, createdBy: _by, ...key }: ApiKey) => key

/** What of a key is kept: as random as they are, nobody guesses one from its hash. */
export const hashOfKey = (key: string): string => createHash('sha256').update(key).digest('hex')

const isActive = (now: Date) =>
  and(isNull(apiKeys.revokedAt), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)))

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

/** @returns the key itself, which nobody is told again, and its row */
export async function makeApiKey(
  db: Db,
  who: { companyId: number; userId: number },
  input: Pick<ApiKeyInput, 'name' | 'scopes'> & Partial<Omit<ApiKeyInput, 'expiresAt'>> & { expiresAt?: Date | null },
  now: Date,
): Promise<{ key: string; row: ApiKey }> {
  const key = `bk_${randomBytes(32).toString('base64url')}`
  return db.transaction(async (tx) => {
    // Two at once are counted one after the other.
    await tx.select({ id: companies.id }).from(companies).where(eq(companies.id, who.companyId)).for('update')
    const active = await tx.$count(apiKeys, and(eq(apiKeys.companyId, who.companyId), isActive(now)))
    if (active >= MOST_API_KEYS) throw new DomainError('ERR_API_KEY_LIMIT', { limit: MOST_API_KEYS })
    const { name, scopes, ipAllow = [], ratePerMinute = DEFAULT_RATE, expiresAt } = input
    const [row] = await tx
      .insert(apiKeys)
      .values({
        ...{ companyId: who.companyId, createdBy: who.userId, createdAt: now },
        ...{ name: name.trim(), prefix: key.slice(0, 11), hash: hashOfKey(key), scopes, ipAllow, ratePerMinute },
        expiresAt: expiresAt ?? null,
      })
      .returning()
    return { key, row: row! }
  })
}
