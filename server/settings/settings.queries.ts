import { and, eq } from 'drizzle-orm'
import { DomainError } from '../../schema/errors.ts'
import { type SettingKey, type SettingRule, settingKeys, settingRules } from '../../schema/settings/settings.keys.ts'
import { settings } from '../../schema/settings/settings.table.ts'
import type { Db } from '../db/database.ts'

export interface SettingValue {
  key: SettingKey
  value: string
}

/** Stands for a secret that is set. Sent back unchanged it changes nothing. */
export const MASK = '••••••••'

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

/** One setting in clear, for the server's own use and for the three public ones. */
export async function readSetting(db: Db, companyId: number, key: SettingKey): Promise<string> {
  const [row] = await db
    .select({ value: settings.value })
    .from(settings)
    .where(and(eq(settings.companyId, companyId), eq(settings.key, key)))
  return row?.value ?? ruleOf(key).default
}

/** @throws DomainError `ERR_VALIDATION` for a value that the setting does not take */
export async function writeSetting(
  db: Db,
  companyId: number,
  key: SettingKey,
  value: string,
  now: Date,
): Promise<void> {
  const { values, secret } = ruleOf(key)
  if (secret && value === MASK) return
  if (values ? !values.includes(value) : value.length > 2_000)
    throw new DomainError('ERR_VALIDATION', { fields: ['value'], allowed: values })
  await db
    .insert(settings)
    .values({ companyId, key, value, updatedAt: now })
    .onConflictDoUpdate({ target: [settings.companyId, settings.key], set: { value, updatedAt: now } })
}
