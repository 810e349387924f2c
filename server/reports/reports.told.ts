import type { Principal } from '../../schema/permissions.ts'
import type { ReportName, ReportQuery } from '../../schema/reports/reports.inputs.ts'
import type { ReportDays } from '../../schema/reports/reports.range.ts'
import type { Db } from '../db/database.ts'
import { askedBy } from './reports.asked.queries.ts'
import { bringUpToDate, type Made } from './reports.make.ts'
import { type Report, reportOf } from './reports.queries.ts'

/** A report as somebody is told it: of the tickets that they see, with what has happened until now. */
export async function reportFor(
  { db, now }: { db: Db; now(): Date },
  who: Principal,
  report: ReportName,
  query: ReportQuery,
): Promise<{ days: ReportDays; made: Made; told: Report }> {
  const { asked, days } = await askedBy(db, who, report, query, now())
  const made = await bringUpToDate(db, who.companyId, now)
  return { days, made, told: await reportOf(db, asked) }
}
