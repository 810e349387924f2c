import { and, eq, inArray } from 'drizzle-orm'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import { OUR_NAME } from '../../schema/companies/product-name.ts'
import { MASK } from '../../schema/secrets.ts'
import { type SettingKey, type SettingRule, settingKeys, settingRules } from '../../schema/settings/settings.keys.ts'
import { settings } from '../../schema/settings/settings.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { openText, type Sealer } from '../seal.ts'

export interface SettingValue {
  key: SettingKey
  value: string
}

export const ruleOf = (key: SettingKey): SettingRule => settingRules[key]

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

/** What the product is called in all that people read: as the operator has named it, or as we do. */
export const productName = async (db: Db | Tx): Promise<string> =>
  (await readSetting(db, OPERATOR_COMPANY_ID, 'productName')) || OUR_NAME

export const placeOf = (companyId: number, key: SettingKey) => `settings:${companyId}:${key}`

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
