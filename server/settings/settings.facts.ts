import { eq } from 'drizzle-orm'
import type { Subscription } from '../../schema/companies/companies.subscription.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import type { Holiday, ScheduleEntry } from '../../schema/hours/hours.open.ts'
import type { Language } from '../../schema/languages.ts'
import { type PlanFeature, planFeatures } from '../../schema/plans/plans.features.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { type SettingKey, settingKeys, settingRules } from '../../schema/settings/settings.keys.ts'
import { settings } from '../../schema/settings/settings.table.ts'
import type { Db } from '../db/database.ts'
import { type Cached, cached } from '../cached.ts'

export interface CompanyConfig {
  settings: Record<SettingKey, string>
  name: string
  timeZone: string
  language: Language
  /** Without it, what the product would say by itself is not said. */
  subscription: Subscription
  /** Business hours. */
  schedules: readonly ScheduleEntry[]
  holidays: readonly Holiday[]
  /** What the company's plan leaves out. */
  planLacks: readonly PlanFeature[]
  /** How long after its last change a closed ticket takes the contact's next message; 0 never. */
  reopenWindowMs: number
}

export type CompanyFacts = Cached<CompanyConfig>

/** Settings and the like. */
export const companyFacts = (db: Db, ttlMs?: number): CompanyFacts => cached((companyId) => load(db, companyId), ttlMs)

async function load(db: Db, companyId: number): Promise<CompanyConfig> {
  const [rows, [company]] = await Promise.all([
    db.select().from(settings).where(eq(settings.companyId, companyId)),
    db
      .select({
        name: companies.name,
        status: companies.status,
        dueDate: companies.dueDate,
        timeZone: companies.timeZone,
        language: companies.language,
        schedules: companies.schedules,
        holidays: companies.holidays,
        plan: plans,
      })
      .from(companies)
      .leftJoin(plans, eq(plans.id, companies.planId))
      .where(eq(companies.id, companyId)),
  ])
  const values = Object.fromEntries(settingKeys.map((key) => [key, settingRules[key].default])) as Record<
    SettingKey,
    string
  >
  for (const row of rows) if (row.key in values) values[row.key as SettingKey] = row.value
  const timeZone = company?.timeZone ?? 'UTC'
  return {
    settings: values,
    name: company?.name ?? '',
    subscription: { id: companyId, status: company?.status ?? false, dueDate: company?.dueDate ?? null, timeZone },
    schedules: company?.schedules ?? [],
    holidays: company?.holidays ?? [],
    planLacks: planFeatures.filter(
      (feature) =>
        company?.plan?.[feature] === false || (feature === 'useCampaigns' && values.campaignsEnabled === 'false'),
    ),
    timeZone,
    language: company?.language ?? 'pt',
    reopenWindowMs: Number(values.reopenWindowHours) * 3_600_000,
  }
}
