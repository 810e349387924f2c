import { and, asc, desc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { zoneName } from '../../schema/companies/companies.inputs.ts'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { type CallingCode, homeCode } from '../../schema/contacts/contacts.phone.ts'
import { DomainError } from '../../schema/errors.ts'
import { isText } from '../../schema/inputs.ts'
import { invoices } from '../../schema/invoices/invoices.table.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { settingRules } from '../../schema/settings/settings.keys.ts'
import { settings } from '../../schema/settings/settings.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { isTimeZone } from '../../schema/wall.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Db } from '../db/database.ts'
import { anywhere } from '../tickets/tickets.queries.ts'

export const planColumns = {
  id: plans.id,
  name: plans.name,
  users: plans.users,
  connections: plans.connections,
  queues: plans.queues,
  value: plans.value,
  useCampaigns: plans.useCampaigns,
  useSchedules: plans.useSchedules,
  useInternalChat: plans.useInternalChat,
  useExternalApi: plans.useExternalApi,
  useKanban: plans.useKanban,
  useOpenAi: plans.useOpenAi,
  useIntegrations: plans.useIntegrations,
  useInternal: plans.useInternal,
}

/** What anybody may choose at sign-up. */
export const offered = eq(plans.useInternal, true)

/** Plans that a company which signs up may choose, the cheapest first. */
export const offeredPlans = (db: Db) =>
  db.select(planColumns).from(plans).where(offered).orderBy(asc(plans.value), asc(plans.id))

/** What a company has still to pay. */
const openOf = (what: SQL) =>
  sql`(SELECT ${what} FROM ${invoices} WHERE ${invoices.companyId} = ${companies.id} AND ${invoices.status} = 'open')`
/** Today by a company's own clock, by which its days end. */
const todayOf = (now: Date) => sql`(${now.toISOString()}::timestamptz AT TIME ZONE ${companies.timeZone})::date`

/** Of the operator's list: with how much of each a company has, and with what it owes. */
const companyColumns = {
  id: companies.id,
  name: companies.name,
  email: companies.email,
  phone: companies.phone,
  status: companies.status,
  planId: companies.planId,
  dueDate: companies.dueDate,
  dueDay: companies.dueDay,
  /** The last day on trial, also of one that tries no more; the name is that of older clients. */
  trialExpiration: companies.trialUntil,
  recurrence: companies.recurrence,
  timeZone: companies.timeZone,
  language: companies.language,
  callingCode: companies.callingCode,
  schedules: companies.schedules,
  holidays: companies.holidays,
  removal: companies.removal,
  createdAt: companies.createdAt,
  plan: planColumns,
  users: sql<number>`(SELECT count(*)::int FROM ${users} WHERE ${users.companyId} = ${companies.id})`,
  connections: sql<number>`(SELECT count(*)::int FROM ${whatsapps} WHERE ${whatsapps.companyId} = ${companies.id})`,
  queues: sql<number>`(SELECT count(*)::int FROM ${queues} WHERE ${queues.companyId} = ${companies.id})`,
  /** Of its open invoices, in BRL. */
  owed: sql<string>`${openOf(sql`coalesce(sum(${invoices.value}), 0)::text`)}`,
  /** The due date of the oldest open invoice; null where none is open. */
  owedSince: sql<string | null>`${openOf(sql`min(${invoices.dueDate})::text`)}`,
  /** Whether nobody of it has come in yet, nor chosen a password. */
  invited: sql<boolean>`NOT EXISTS (SELECT FROM ${users} WHERE ${users.companyId} = ${companies.id}
    AND (${users.passwordIsKnown} OR ${users.lastSeenAt} IS NOT NULL))`,
  campaigns: sql<
    string | null
  >`(SELECT ${settings.value} FROM ${settings} WHERE ${settings.companyId} = ${companies.id} AND ${settings.key} = 'campaignsEnabled')`,
}

/** As clients of this family read it: what the operator has set stands among the settings. */
const view = <Row extends { campaigns: string | null }>({ campaigns, ...row }: Row) => ({
  ...row,
  settings: [{ key: 'campaignsEnabled', value: campaigns ?? settingRules.campaignsEnabled.default }],
})

/** `late`: its time is over, or an invoice was to be paid before today; `owing`: an invoice is open, late or not. */
export const companyFilters = ['late', 'owing'] as const
/** `owed`: who owes most first. */
export const companyOrders = ['name', 'owed'] as const

interface CompanyWish {
  search?: string | undefined
  filter?: (typeof companyFilters)[number] | undefined
  order?: (typeof companyOrders)[number] | undefined
  pageNumber: number
  perPage?: number
}

/** By name, of which no two are alike, or by what they owe. What a company has is counted for those of the page only. */
export async function listCompanies(
  db: Db,
  now: Date,
  { search, filter, order = 'name', pageNumber, perPage = 20 }: CompanyWish,
) {
  const like = search ? sql`plain(${anywhere(search)})` : undefined
  const today = todayOf(now)
  const openSince = sql`(SELECT min(${invoices.dueDate}) FROM ${invoices}
    WHERE ${invoices.companyId} = ${companies.id} AND ${invoices.status} = 'open')`
  const filters = {
    owing: sql`${openSince} IS NOT NULL`,
    late: sql`(${companies.id} <> ${OPERATOR_COMPANY_ID}
      AND (${companies.status} AND ${companies.dueDate} < ${today} OR ${openSince} < ${today}))`,
  }
  const owed = sql<number>`coalesce(o."owed", 0)`.as('by')
  const byName = sql`lower(${companies.name})`
  // One walk over what is open, instead of one for each company.
  const open = sql`(SELECT ${invoices.companyId} AS "companyId", sum(${invoices.value}) AS "owed" FROM ${invoices}
    WHERE ${invoices.status} = 'open' GROUP BY 1) o`
  const page = db
    .select({ id: companies.id, owed })
    .from(companies)
    .leftJoin(open, sql`o."companyId" = ${companies.id}`)
    .where(
      and(
        like && sql`(plain(${companies.name}) LIKE ${like} OR plain(${companies.email}) LIKE ${like})`,
        filter && filters[filter],
        // What is being deleted is asked for nothing any more.
        filter && isNull(companies.removal),
      ),
    )
    .orderBy(...(order === 'owed' ? [desc(owed)] : []), byName)
    .limit(perPage + 1)
    .offset((pageNumber - 1) * perPage)
    .as('page')
  const rows = await db
    .select(companyColumns)
    .from(page)
    .innerJoin(companies, eq(companies.id, page.id))
    .leftJoin(plans, eq(plans.id, companies.planId))
    .orderBy(...(order === 'owed' ? [desc(page.owed)] : []), byName)
  return { companies: rows.slice(0, perPage).map(view), hasMore: rows.length > perPage }
}

export async function findCompany(db: Db, id: number) {
  const [row] = await db
    .select(companyColumns)
    .from(companies)
    .leftJoin(plans, eq(plans.id, companies.planId))
    .where(eq(companies.id, id))
  return row && view(row)
}

/** How Postgres refuses a zone that it does not know. */
const INVALID_PARAMETER = '22023'

/**
 * Whether days and hours can be told by a zone's clock: this process and the database each keep a list of zones, and
 * both are asked for its time.
 */
export async function isKnownZone(db: Db, timeZone: string): Promise<boolean> {
  // Offsets such as `+03:00` count the other way round in Postgres.
  if (!isText(zoneName, timeZone) || !isTimeZone(timeZone)) return false
  try {
    await db.execute(sql`SELECT now() AT TIME ZONE ${timeZone}::text`)
    return true
  } catch (error) {
    // Drizzle wraps the driver's error.
    const { cause } = error as { cause?: { code?: string } }
    if (cause?.code === INVALID_PARAMETER) return false
    throw error
  }
}

/** @throws DomainError `ERR_UNKNOWN_TIME_ZONE` */
export async function demandZone(db: Db, timeZone: string | undefined): Promise<void> {
  if (timeZone !== undefined && !(await isKnownZone(db, timeZone))) throw new DomainError('ERR_UNKNOWN_TIME_ZONE')
}

/** Which country's numbers people of a company type without their calling code. */
export async function callingCodeOf(db: Db, companyId: number): Promise<CallingCode> {
  const [company] = await db
    .select({ callingCode: companies.callingCode })
    .from(companies)
    .where(eq(companies.id, companyId))
  return company?.callingCode ?? homeCode
}
