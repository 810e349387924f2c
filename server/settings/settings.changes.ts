import { and, eq, inArray } from 'drizzle-orm'
import { DomainError } from '../../schema/errors.ts'
import { MASK } from '../../schema/secrets.ts'
import type { SettingKey } from '../../schema/settings/settings.keys.ts'
import { settings } from '../../schema/settings/settings.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { type Sealer, sealText } from '../seal.ts'
import { placeOf, readSecrets, ruleOf } from './settings.queries.ts'

/**
 * Writes a setting; a secret is sealed.
 * @throws DomainError `ERR_VALIDATION` for a value that the setting does not take
 */
export async function writeSetting(
  db: Db | Tx,
  sealer: Sealer,
  companyId: number,
  key: SettingKey,
  value: string,
  now: Date,
): Promise<void> {
  const { values, secret, guards, read } = ruleOf(key)
  if (secret && value === MASK) return
  if (values ? !values.includes(value) : value.length > 2_000)
    throw new DomainError('ERR_VALIDATION', { fields: ['value'], allowed: values })
  const text = read ? read(value) : value
  if (text === undefined) throw new DomainError('ERR_VALIDATION', { fields: ['value'] })
  if (guards && value === (await readSecrets(db, sealer, companyId, [key]))[key]) return
  const kept = secret ? sealText(sealer, text, placeOf(companyId, key)) : text
  await db
    .insert(settings)
    .values({ companyId, key, value: kept, updatedAt: now })
    .onConflictDoUpdate({ target: [settings.companyId, settings.key], set: { value: kept, updatedAt: now } })
  // Keys that were given for one address are not sent to another.
  if (guards)
    await db.delete(settings).where(and(eq(settings.companyId, companyId), inArray(settings.key, [...guards])))
}
