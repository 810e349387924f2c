import { randomBytes } from 'node:crypto'
import { and, eq, gt, isNull, or } from 'drizzle-orm'
import type { ApiKeyInput } from '../../schema/api-keys/api-keys.inputs.ts'
import { MOST_API_KEYS } from '../../schema/api-keys/api-keys.scopes.ts'
import { type ApiKey, apiKeys } from '../../schema/api-keys/api-keys.table.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { DomainError } from '../../schema/errors.ts'
import type { Db } from '../db/database.ts'
import { hashOfKey } from './api-keys.queries.ts'

const DEFAULT_RATE = 120

const isActive = (now: Date) =>
  and(isNull(apiKeys.revokedAt), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)))

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
