import { and, asc, eq, or } from 'drizzle-orm'
import type { Principal } from '../../schema/permissions.ts'
import { reportBounds } from '../../schema/reports/reports.inputs.ts'
import {
  type ReportSchedule,
  reportSchedules,
  type ReportView,
  reportViews,
} from '../../schema/reports/reports.table.ts'
import type { Db, Tx } from '../db/database.ts'

/** A person's own views and those that are shared, by name. */
export const viewsOf = (db: Db | Tx, who: Pick<Principal, 'companyId' | 'userId'>): Promise<ReportView[]> =>
  db
    .select()
    .from(reportViews)
    .where(
      and(
        eq(reportViews.companyId, who.companyId),
        or(eq(reportViews.userId, who.userId), eq(reportViews.isShared, true)),
      ),
    )
    .orderBy(asc(reportViews.name), asc(reportViews.id))
    .limit(2 * reportBounds.views)

export async function findView(
  db: Db | Tx,
  who: Pick<Principal, 'companyId' | 'userId'>,
  id: number,
): Promise<ReportView | undefined> {
  const [row] = await db
    .select()
    .from(reportViews)
    .where(
      and(
        eq(reportViews.companyId, who.companyId),
        eq(reportViews.id, id),
        or(eq(reportViews.userId, who.userId), eq(reportViews.isShared, true)),
      ),
    )
  return row
}

/** All of a company, by name. */
export const schedulesOf = (db: Db | Tx, companyId: number): Promise<ReportSchedule[]> =>
  db
    .select()
    .from(reportSchedules)
    .where(eq(reportSchedules.companyId, companyId))
    .orderBy(asc(reportSchedules.name), asc(reportSchedules.id))

export async function findSchedule(db: Db | Tx, companyId: number, id: number): Promise<ReportSchedule | undefined> {
  const [row] = await db
    .select()
    .from(reportSchedules)
    .where(and(eq(reportSchedules.companyId, companyId), eq(reportSchedules.id, id)))
  return row
}
