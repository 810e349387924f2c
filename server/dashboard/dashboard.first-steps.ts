import { eq, sql } from 'drizzle-orm'
import { OPERATOR_COMPANY_ID, OPERATOR_COMPANY_NAME } from '../../schema/companies/companies.subscription.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import type { Principal } from '../../schema/permissions.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { settings } from '../../schema/settings/settings.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Db } from '../db/database.ts'

/** What a new company does first, in this order. */
export const firstSteps = ['password', 'name', 'queue', 'agent', 'connection', 'answer', 'hours'] as const
export type FirstStep = (typeof firstSteps)[number]

/** An answer among so many of the latest messages: a company of which it is not known is at it already, or has none. */
const LATEST = 1_000

/**
 * How far a company is, by its rows alone: nobody ticks anything off. Only the operator has a password, and a company a
 * name, that nobody chose.
 */
export async function stepsOf(
  db: Db,
  { companyId, userId, super: isOperator }: Pick<Principal, 'companyId' | 'userId' | 'super'>,
): Promise<{ step: FirstStep; done: boolean }[]> {
  const [row] = await db.execute<Record<FirstStep, boolean>>(sql`
    SELECT
      (SELECT NOT "passwordIsInitial" FROM ${users} WHERE "id" = ${userId}) AS "password",
      (SELECT "name" <> ${OPERATOR_COMPANY_NAME} FROM ${companies} WHERE "id" = ${companyId}) AS "name",
      EXISTS (SELECT FROM ${queues} WHERE "companyId" = ${companyId}) AS "queue",
      (SELECT count(*) > 1 FROM ${users} WHERE "companyId" = ${companyId}) AS "agent",
      EXISTS (SELECT FROM ${whatsapps} WHERE "companyId" = ${companyId} AND "connectedAt" IS NOT NULL) AS "connection",
      EXISTS (SELECT FROM (SELECT "authorId" FROM ${messages} WHERE "companyId" = ${companyId}
        ORDER BY "createdAt" DESC LIMIT ${LATEST}) m WHERE m."authorId" IS NOT NULL) AS "answer",
      EXISTS (SELECT FROM ${settings} WHERE "companyId" = ${companyId} AND "key" = 'scheduleType'
        AND "value" <> 'disabled') AS "hours"`)
  return firstSteps
    .filter((step) => step !== 'password' || isOperator)
    .filter((step) => step !== 'name' || companyId === OPERATOR_COMPANY_ID)
    .map((step) => ({ step, done: row![step] }))
}

/** Whether they want no more of it, on whatever browser. */
export async function stepsClosed(db: Db, userId: number): Promise<boolean> {
  const [row] = await db.select({ at: users.firstStepsClosedAt }).from(users).where(eq(users.id, userId))
  return row?.at != null
}

export async function closeSteps(db: Db, userId: number, now: Date): Promise<void> {
  await db.update(users).set({ firstStepsClosedAt: now }).where(eq(users.id, userId))
}
