import { and, eq, inArray } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { companies } from '../../schema/companies/companies.table.ts'
import { DomainError } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'
import {
  changedReportSchedule,
  changedReportView,
  newReportSchedule,
  newReportView,
  reportBounds,
  type ReportQuery,
} from '../../schema/reports/reports.inputs.ts'
import { nextLeaving } from '../../schema/reports/reports.rhythm.ts'
import {
  type ReportSchedule,
  reportSchedules,
  type ReportView,
  reportViews,
} from '../../schema/reports/reports.table.ts'
import { users } from '../../schema/users/users.table.ts'
import type { Tx } from '../db/database.ts'
import { lockName } from '../db/locks.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams, isRealDay } from '../http/inputs.ts'
import { findSchedule, findView, schedulesOf, viewsOf } from './reports.kept.queries.ts'

const tags = ['reports']

/** @throws DomainError `ERR_VALIDATION` for days that the calendar has not */
function demandDays(query: ReportQuery | undefined): void {
  for (const name of ['from', 'to'] as const) {
    const value = query?.[name]
    if (value !== undefined && !isRealDay(value))
      throw new DomainError('ERR_VALIDATION', { fields: [{ path: `/query/${name}`, message: 'a day' }] })
  }
}

const shownView = ({ companyId: _companyId, ...view }: ReportView) => view
const shownSchedule = ({ companyId: _companyId, ...schedule }: ReportSchedule) => schedule

/** Reports with their filters under a name: one's own, and those that are shared. */
export function reportViewRoutes(deps: AppDeps) {
  const { db, events, now } = deps
  /** A shared one is changed by whoever may share. */
  const needMine = async (who: Principal, id: number) => {
    const row = await findView(db, who, id)
    if (!row) throw new DomainError('ERR_NO_REPORT_VIEW_FOUND')
    if (row.isShared) demand(who, 'reports:export')
    return row
  }
  const emit = (row: ReportView, wasShared = row.isShared) =>
    events.emit({
      ...{ companyId: row.companyId, name: 'report', action: 'views', payload: {} },
      ...(!row.isShared && !wasShared && { audience: { userIds: row.userId === null ? [] : [row.userId] } }),
    })
  return new Elysia({ prefix: '/report-views' })
    .use(authed(deps))
    .get(
      '/',
      async ({ who }) => {
        demand(who, 'reports:read')
        return { records: (await viewsOf(db, who)).map(shownView) }
      },
      { detail: { tags, summary: 'Reports kept under a name: one’s own, and those that are shared' } },
    )
    .post(
      '/',
      async ({ who, body }) => {
        demand(who, 'reports:read')
        if (body.isShared) demand(who, 'reports:export')
        demandDays(body.query)
        const { companyId, userId } = who
        const row = await db.transaction(async (tx) => {
          await lockName(tx, `report-views/${companyId}`)
          if ((await tx.$count(reportViews, eq(reportViews.companyId, companyId))) >= reportBounds.views)
            throw new DomainError('ERR_REPORT_LIMIT', { limit: reportBounds.views })
          const [made] = await tx
            .insert(reportViews)
            .values({ ...body, name: body.name.trim(), companyId, userId })
            .returning()
          return made!
        })
        emit(row)
        return shownView(row)
      },
      { body: newReportView, detail: { tags, summary: 'Keep a report with its filters under a name' } },
    )
    .put(
      '/:id',
      async ({ who, params, body }) => {
        demand(who, 'reports:read')
        const before = await needMine(who, params.id)
        if (body.isShared) demand(who, 'reports:export')
        demandDays(body.query)
        const [row] = await db
          .update(reportViews)
          .set({ ...body, ...(body.name && { name: body.name.trim() }), updatedAt: now() })
          .where(eq(reportViews.id, before.id))
          .returning()
        emit(row!, before.isShared)
        return shownView(row!)
      },
      { params: idParams, body: changedReportView, detail: { tags, summary: 'Change one' } },
    )
    .delete(
      '/:id',
      async ({ who, params }) => {
        demand(who, 'reports:read')
        const row = await needMine(who, params.id)
        await db.delete(reportViews).where(eq(reportViews.id, row.id))
        emit(row)
        return {}
      },
      { params: idParams, detail: { tags, summary: 'Delete one' } },
    )
}

/** Reports that go out by mail. */
export function reportScheduleRoutes(deps: AppDeps) {
  const { db, events, now, config } = deps
  const need = async (who: Principal, id: number) => {
    const row = await findSchedule(db, who.companyId, id)
    if (!row) throw new DomainError('ERR_NO_REPORT_SCHEDULE_FOUND')
    return row
  }
  /** Without a mail server nothing would ever leave. @throws DomainError `ERR_NO_MAIL`, `ERR_NO_USER_FOUND` */
  const check = async (
    tx: Tx,
    who: Principal,
    { userIds, query }: Partial<Pick<ReportSchedule, 'userIds' | 'query'>>,
  ) => {
    demandDays(query)
    const known = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.companyId, who.companyId), inArray(users.id, userIds ?? [])))
    if (known.length < (userIds?.length ?? 0)) throw new DomainError('ERR_NO_USER_FOUND')
    if (!config.mail) throw new DomainError('ERR_NO_MAIL')
  }
  const zoneOf = async (tx: Tx, companyId: number): Promise<string> => {
    const [row] = await tx.select({ zone: companies.timeZone }).from(companies).where(eq(companies.id, companyId))
    return row?.zone ?? 'UTC'
  }
  const emit = (companyId: number) => events.emit({ companyId, name: 'report', action: 'schedules', payload: {} })

  return new Elysia({ prefix: '/report-schedules' })
    .use(authed(deps))
    .get(
      '/',
      async ({ who }) => {
        demand(who, 'reports:export')
        return {
          records: (await schedulesOf(db, who.companyId)).map(shownSchedule),
          hasMail: config.mail !== undefined,
        }
      },
      { detail: { tags, summary: 'Reports that go out by mail; `hasMail`: whether any can' } },
    )
    .post(
      '/',
      async ({ who, body }) => {
        demand(who, 'reports:export')
        const { companyId, userId } = who
        const row = await db.transaction(async (tx) => {
          await lockName(tx, `report-schedules/${companyId}`)
          await check(tx, who, body)
          if ((await tx.$count(reportSchedules, eq(reportSchedules.companyId, companyId))) >= reportBounds.schedules)
            throw new DomainError('ERR_REPORT_LIMIT', { limit: reportBounds.schedules })
          const nextAt = nextLeaving(body, await zoneOf(tx, companyId), now())
          const [made] = await tx
            .insert(reportSchedules)
            .values({ ...body, name: body.name.trim(), companyId, userId, nextAt })
            .returning()
          return made!
        })
        emit(companyId)
        return shownSchedule(row)
      },
      {
        body: newReportSchedule,
        detail: {
          tags,
          summary: 'Have a report sent: of the day, week or month before, to at most 20 people',
          description:
            'At `hour` by the company’s clock: each day, each Monday, or on the first of each month. Each is sent what they may see, while they may read reports. Without a mail server it is `ERR_NO_MAIL`.',
        },
      },
    )
    .put(
      '/:id',
      async ({ who, params, body }) => {
        demand(who, 'reports:export')
        const before = await need(who, params.id)
        const row = await db.transaction(async (tx) => {
          await check(tx, who, body)
          const nextAt = nextLeaving({ ...before, ...body }, await zoneOf(tx, who.companyId), now())
          const [changed] = await tx
            .update(reportSchedules)
            .set({ ...body, ...(body.name && { name: body.name.trim() }), nextAt, updatedAt: now() })
            .where(eq(reportSchedules.id, before.id))
            .returning()
          return changed!
        })
        emit(who.companyId)
        return shownSchedule(row)
      },
      { params: idParams, body: changedReportSchedule, detail: { tags, summary: 'Change one' } },
    )
    .delete(
      '/:id',
      async ({ who, params }) => {
        demand(who, 'reports:export')
        const row = await need(who, params.id)
        await db.delete(reportSchedules).where(eq(reportSchedules.id, row.id))
        emit(who.companyId)
        return {}
      },
      { params: idParams, detail: { tags, summary: 'Delete one: nothing leaves any more' } },
    )
}
