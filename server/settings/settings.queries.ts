import { and, eq, inArray } from 'drizzle-orm'
import { DomainError } from '../../schema/errors.ts'
import { type SettingKey, type SettingRule, settingKeys, settingRules } from '../../schema/settings/settings.keys.ts'
import { settings } from '../../schema/settings/settings.table.ts'
import { MASK } from '../../schema/secrets.ts'
import type { Db, Tx } from '../db/database.ts'
import { openText, type Sealer, sealText } from '../seal.ts'

export interface SettingValue {
  key: SettingKey
  value: string
}

const ruleOf = (key: SettingKey): SettingRule => settingRules[key]

/** Whether the text names a setting that exists. */
export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(settingRules, key)

/**
 * Every setting of a company, defaults included, secrets masked.
 * @param global the operator's settings instead of the company's own
 */
export async function listSettings(
  db: Db,
  companyId: number,
  { global }: { global: boolean },
): Promise<SettingValue[]> {
  const rows = await db.select().from(settings).where(eq(settings.companyId, companyId))
  const stored = new Map(rows.map((row) => [row.key, row.value]))
  return settingKeys
    .filter((key) => Boolean(ruleOf(key).global) === global)
    .map((key) => {
      const value = stored.get(key) ?? ruleOf(key).default
      return { key, value: ruleOf(key).secret && value ? MASK : value }
    })
}

/** One setting as it is stored, for the server's own use and for the three public ones. */
export async function readSetting(db: Db | Tx, companyId: number, key: SettingKey): Promise<string> {
  const [row] = await db
    .select({ value: settings.value })
    .from(settings)
    .where(and(eq(settings.companyId, companyId), eq(settings.key, key)))
  return row?.value ?? ruleOf(key).default
}

const placeOf = (companyId: number, key: SettingKey) => `settings:${companyId}:${key}`

/** Secrets in clear, for calling the services that they are of; empty where none is set. */
export async function readSecrets<Key extends SettingKey>(
  db: Db | Tx,
  sealer: Sealer,
  companyId: number,
  keys: readonly Key[],
): Promise<Record<Key, string>> {
  const rows = await db
    .select()
    .from(settings)
    .where(and(eq(settings.companyId, companyId), inArray(settings.key, [...keys])))
  const open = (key: Key) => {
    const value = rows.find((row) => row.key === key)?.value ?? ''
    return [key, ruleOf(key).secret ? openText(sealer, value, placeOf(companyId, key)) : value] as const
  }
  return Object.fromEntries(keys.map(open)) as Record<Key, string>
}

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
  const { values, secret, guards } = ruleOf(key)
  if (secret && value === MASK) return
  if (values ? !values.includes(value) : value.length > 2_000)
    throw new DomainError('ERR_VALIDATION', { fields: ['value'], allowed: values })
  if (guards && value === (await readSecrets(db, sealer, companyId, [key]))[key]) return
  const kept = secret ? sealText(sealer, value, placeOf(companyId, key)) : value
  await db
    .insert(settings)
    .values({ companyId, key, value: kept, updatedAt: now })
    .onConflictDoUpdate({ target: [settings.companyId, settings.key], set: { value: kept, updatedAt: now } })
  // Keys that were given for one address are not sent to another.
  if (guards)
    await db.delete(settings).where(and(eq(settings.companyId, companyId), inArray(settings.key, [...guards])))
}
