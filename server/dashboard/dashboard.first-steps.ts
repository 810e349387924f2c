import { eq, sql } from 'drizzle-orm'
import {
  OPERATOR_COMPANY_ID,
  OPERATOR_COMPANY_NAME,
  runsPlatform,
} from '../../schema/companies/companies.subscription.ts'
import { branding } from '../../schema/companies/branding.table.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { flowDefaults } from '../../schema/flows/flows.table.ts'
import { counterOf, type UnheardLack, unnoticedHours } from '../../schema/hours/hours.notice.ts'
import { invoices, paymentAccounts } from '../../schema/invoices/invoices.table.ts'
import type { Principal } from '../../schema/permissions.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { settingRules } from '../../schema/settings/settings.keys.ts'
import { settings } from '../../schema/settings/settings.table.ts'
import { tickets, ticketTrackings } from '../../schema/tickets/tickets.table.ts'
import { userQueues, users } from '../../schema/users/users.table.ts'
import { whatsappQueues, whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Db } from '../db/database.ts'

/** What the operator does after that, so that companies come, and pay. */
const businessSteps = ['plan', 'payment', 'companies', 'logo'] as const
/** What a new company does first, in this order. */
export const firstSteps = [
  ...(['password', 'name', 'queue', 'agent', 'connection', 'answer', 'hours'] as const),
  ...businessSteps,
] as const
export type FirstStep = (typeof firstSteps)[number]
type BusinessStep = (typeof businessSteps)[number]

/**
 * What a step that was begun lacks still: a queue, without which nobody sees a ticket; somebody invited who sees the one
 * that waits; words or a week, without which nobody hears of the
 * company's hours, or of the queues'; a plan, without which nobody can sign up; a way to pay what is billed already.
 */
export type StepLack = 'queue' | 'seen' | 'offer' | 'unpayable' | `${'company' | 'queue'}-${UnheardLack}`

/** A service among so many of the latest: a company of which it is not known is at it already, or has none. */
const LATEST = 1_000

/**
 * How far a company is, by its rows alone: nobody ticks anything off. Only the operator has a password, and a company a
 * name, that nobody chose. Who were invited are all but the first of it.
 */
export async function stepsOf(
  db: Db,
  { companyId, userId, super: isOperator }: Pick<Principal, 'companyId' | 'userId' | 'super'>,
): Promise<{ step: FirstStep; done: boolean; lack?: StepLack }[]> {
  const invited = sql`u."companyId" = ${companyId}
    AND u."id" <> (SELECT min("id") FROM ${users} WHERE "companyId" = ${companyId})`
  // Whoever has a role of their own, or administers, sees by other rules.
  const seesElsewhere = sql`(u."profile" <> 'user' OR u."roleId" IS NOT NULL)`
  const runsBusiness = runsPlatform({ super: isOperator, companyId })
  const [[row], hours, business] = await Promise.all([
    db.execute<Record<Exclude<FirstStep, 'hours' | BusinessStep> | 'people' | 'linked' | 'unseen', boolean>>(sql`
      SELECT
        (SELECT NOT "passwordIsInitial" FROM ${users} WHERE "id" = ${userId}) AS "password",
        (SELECT "name" <> ${OPERATOR_COMPANY_NAME} FROM ${companies} WHERE "id" = ${companyId}) AS "name",
        EXISTS (SELECT FROM ${queues} WHERE "companyId" = ${companyId}) AS "queue",
        EXISTS (SELECT FROM ${users} u WHERE ${invited}) AS "people",
        EXISTS (SELECT FROM ${users} u WHERE ${invited} AND (${seesElsewhere} OR u."allTicket"
          OR EXISTS (SELECT FROM ${userQueues} q WHERE q."userId" = u."id"))) AS "agent",
        EXISTS (SELECT FROM ${whatsapps} WHERE "companyId" = ${companyId} AND "connectedAt" IS NOT NULL) AS "linked",
        EXISTS (SELECT FROM ${whatsapps} w WHERE w."companyId" = ${companyId} AND w."connectedAt" IS NOT NULL
          AND (w."promptId" IS NOT NULL OR w."integrationId" IS NOT NULL
            OR EXISTS (SELECT FROM ${whatsappQueues} q WHERE q."whatsappId" = w."id")
            -- A flow may choose the queue; where tickets have one, somebody does.
            OR EXISTS (SELECT FROM ${flowDefaults} f WHERE f."companyId" = ${companyId})
            OR EXISTS (SELECT FROM ${tickets} t WHERE t."companyId" = ${companyId} AND t."status" = 'open'
              AND t."queueId" IS NOT NULL))) AS "connection",
        EXISTS (SELECT FROM (SELECT "userId", "startedAt" FROM ${ticketTrackings} WHERE "companyId" = ${companyId}
          ORDER BY "createdAt" DESC LIMIT ${LATEST}) s JOIN ${users} u ON u."id" = s."userId"
          WHERE s."startedAt" IS NOT NULL AND ${invited}) AS "answer",
        EXISTS (SELECT FROM (SELECT "queueId" FROM ${tickets} WHERE "companyId" = ${companyId} AND "status" = 'pending'
          ORDER BY "updatedAt" DESC LIMIT 1) t WHERE NOT EXISTS (SELECT FROM ${users} u WHERE ${invited}
            AND (${seesElsewhere} OR (t."queueId" IS NULL AND u."allTicket") OR EXISTS (SELECT FROM ${userQueues} q
              WHERE q."userId" = u."id" AND q."queueId" = t."queueId")))) AS "unseen"`),
    unheardHours(db, companyId),
    runsBusiness ? businessOf(db) : null,
  ])
  const { people, linked, unseen, ...own } = row!
  const done = { ...own, ...business?.done }
  const lacks: Partial<Record<FirstStep, StepLack | null | false>> = {
    agent: people && 'queue',
    connection: linked && 'queue',
    answer: unseen && 'seen',
    hours: hours === 'off' ? null : hours,
    ...business?.lacks,
  }
  return firstSteps
    .filter((step) => business !== null || !(businessSteps as readonly FirstStep[]).includes(step))
    .filter((step) => step !== 'password' || isOperator)
    .filter((step) => step !== 'name' || companyId === OPERATOR_COMPANY_ID)
    .map((step) => {
      const isDone = step === 'hours' ? hours === null : done[step]
      const lack = lacks[step]
      return { step, done: isDone === true, ...(isDone !== true && lack && { lack }) }
    })
}

/** How far the operator is with what is sold. */
async function businessOf(db: Db) {
  const [row] = await db.execute<Record<BusinessStep | 'open' | 'billed', boolean>>(sql`
    SELECT
      EXISTS (SELECT FROM ${plans} WHERE "useInternal") AS "plan",
      EXISTS (SELECT FROM ${paymentAccounts}) AS "payment",
      EXISTS (SELECT FROM ${companies} WHERE "id" <> ${OPERATOR_COMPANY_ID}) AS "companies",
      EXISTS (SELECT FROM ${branding}) AS "logo",
      EXISTS (SELECT FROM ${settings} WHERE "companyId" = ${OPERATOR_COMPANY_ID} AND "key" = 'allowregister'
        AND "value" = 'enabled') AS "open",
      EXISTS (SELECT FROM ${invoices} WHERE "status" = 'open') AS "billed"`)
  const { open, billed, plan, companies: has, ...rest } = row!
  // Whoever lets companies come has done their part, where these have something to choose.
  return {
    done: { ...rest, plan, companies: has || (open && plan) },
    lacks: { companies: open && !plan && 'offer', payment: billed && 'unpayable' } as const,
  }
}

/** What keeps contacts from hearing of the hours; null where some of them do. */
async function unheardHours(db: Db, companyId: number): Promise<StepLack | 'off' | null> {
  const [of] = await db
    .select({ schedules: companies.schedules, holidays: companies.holidays, scheduleType: settings.value })
    .from(companies)
    .leftJoin(settings, sql`${settings.companyId} = ${companies.id} AND ${settings.key} = 'scheduleType'`)
    .where(eq(companies.id, companyId))
  const { schedules, holidays } = of!
  const scheduleType = of!.scheduleType ?? settingRules.scheduleType.default
  if (scheduleType === 'disabled') return 'off'
  const counters =
    scheduleType === 'queue'
      ? await db
          .select({ schedules: queues.schedules, outOfHoursMessage: queues.outOfHoursMessage })
          .from(queues)
          .where(eq(queues.companyId, companyId))
      : await db
          .select({ schedules: whatsapps.schedules, outOfHoursMessage: whatsapps.outOfHoursMessage })
          .from(whatsapps)
          .where(eq(whatsapps.companyId, companyId))
  const found = counters.map((counter) =>
    unnoticedHours(counterOf({ scheduleType, company: { schedules }, connection: counter, queue: counter }), holidays),
  )
  // What is nearest to being heard: words are there, and only the week is missing.
  if (found.includes(null)) return null
  return `${scheduleType === 'queue' ? 'queue' : 'company'}-${found.includes('week') ? 'week' : 'words'}`
}

/** Whether they want no more of it, on whatever browser. */
export async function stepsClosed(db: Db, userId: number): Promise<boolean> {
  const [row] = await db.select({ at: users.firstStepsClosedAt }).from(users).where(eq(users.id, userId))
  return row?.at != null
}

export async function closeSteps(db: Db, userId: number, now: Date): Promise<void> {
  await db.update(users).set({ firstStepsClosedAt: now }).where(eq(users.id, userId))
}
