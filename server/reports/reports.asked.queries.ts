import { sql } from 'drizzle-orm'
import { DAY_MS } from '../../schema/durations.ts'
import { DomainError } from '../../schema/errors.ts'
import { type Principal, ticketSight } from '../../schema/permissions.ts'
import { reportBounds, type ReportName, type ReportQuery } from '../../schema/reports/reports.inputs.ts'
import { daysOfRange, type ReportDays } from '../../schema/reports/reports.range.ts'
import { fieldsOf } from '../commands/fields.ts'
import { calendarOf } from '../dashboard/dashboard.queries.ts'
import type { Db } from '../db/database.ts'
import type { Asked } from './reports.terms.ts'

const wrong = (path: string, message: string) => new DomainError('ERR_VALIDATION', { fields: [{ path, message }] })

/**
 * What somebody asks of a report: of the tickets that they see, over whole days of the company's clock.
 * @throws DomainError `ERR_VALIDATION` for a period that is none, or longer than 400 days
 */
export async function askedBy(
  db: Db,
  who: Principal,
  report: ReportName,
  query: ReportQuery,
  now: Date,
): Promise<{ asked: Asked; days: ReportDays }> {
  const { companyId } = who
  const { zone, today } = await calendarOf(db, companyId, now)
  const days = daysOfRange(query, today)
  const length = (Date.parse(days.to) - Date.parse(days.from)) / DAY_MS + 1
  if (!(length >= 1)) throw wrong('query/to', 'a day after `from`')
  if (length > reportBounds.days) throw wrong('query/to', `at most ${reportBounds.days} days`)
  const [[bounds], fields] = await Promise.all([
    db.execute<{ from: string; to: string }>(sql`SELECT
      to_json(${days.from}::date::timestamp AT TIME ZONE ${zone}) #>> '{}' AS "from",
      to_json((${days.to}::date + 1)::timestamp AT TIME ZONE ${zone}) #>> '{}' AS "to"`),
    query.fields?.length ? fieldsOf(db, companyId) : [],
  ])
  const { range: _range, from: _from, to: _to, ...filter } = query
  const asked: Asked = {
    ...{ companyId, report, zone, filter, from: bounds!.from, to: bounds!.to, sight: ticketSight(who) },
    contactFields: new Set(fields.filter(({ entity }) => entity === 'contact').map(({ id }) => id)),
  }
  return { asked, days }
}
