import { Elysia, t } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { day, isRealDay, queryId } from '../http/inputs.ts'
import {
  attendants,
  calendarOf,
  counters,
  type Days,
  platformCounters,
  servicesByTime,
  servicesByUser,
} from './dashboard.queries.ts'
import { closeSteps, stepsClosed, stepsOf } from './dashboard.first-steps.ts'

const tags = ['dashboard']
const chart = t.Object({ initialDate: day, finalDate: day, companyId: queryId })

const wrong = (path: string, message: string) => new DomainError('ERR_VALIDATION', { fields: [{ path, message }] })

/** @throws DomainError `ERR_VALIDATION` where nothing is given, or what the calendar has not */
function daysOf(given: { [name: string]: string | undefined }): Days {
  for (const [name, value] of Object.entries(given))
    if (value && !isRealDay(value)) throw wrong(`query/${name}`, 'a day')
  const [from, to] = Object.values(given)
  if (!from && !to) throw wrong(`query/${Object.keys(given)[0]}`, 'a period or a day')
  return { from: from || undefined, to: to || undefined }
}

/** `today` and the days before it, `count` in all. */
function lastDays(today: string, count: number): Days {
  const first = new Date(`${today}T00:00:00Z`)
  first.setUTCDate(first.getUTCDate() - count + 1)
  return { from: first.toISOString().slice(0, 10), to: today }
}

/** Figures for admins, in days of the company's time zone. */
export function dashboardRoutes(deps: AppDeps) {
  const { db, now } = deps
  return new Elysia({ prefix: '/dashboard' })
    .use(authed(deps))
    .get(
      '/',
      async ({ who, query }) => {
        demand(who, 'dashboard:view')
        const { companyId } = who
        const { zone, today } = await calendarOf(db, companyId, now())
        const days = query.days
          ? lastDays(today, query.days)
          : daysOf({ date_from: query.date_from, date_to: query.date_to })
        const [own, people, platform] = await Promise.all([
          counters(db, companyId, days, zone),
          attendants(db, companyId, days, zone),
          who.super ? platformCounters(db) : undefined,
        ])
        return { counters: { ...own, ...platform }, attendants: people }
      },
      {
        query: t.Object({
          days: t.Optional(t.Numeric({ minimum: 0, maximum: 3_650, multipleOf: 1 })),
          date_from: day,
          date_to: day,
        }),
        detail: { tags, summary: 'Counters and attendants: of the last days, or of the days between two dates' },
      },
    )
    .get(
      '/first-steps',
      async ({ who }) => {
        demand(who, 'drawer-admin-items:view')
        const [steps, closed] = await Promise.all([stepsOf(db, who), stepsClosed(db, who.userId)])
        return { steps, closed }
      },
      {
        detail: {
          tags,
          summary:
            'What a new company does first, what of it is done, by its rows, and whether one wants no more of it',
        },
      },
    )
    .delete(
      '/first-steps',
      async ({ who }) => {
        demand(who, 'drawer-admin-items:view')
        await closeSteps(db, who.userId, now())
        return {}
      },
      { detail: { tags, summary: 'Want no more of the first steps, on any browser' } },
    )
    .get(
      '/ticketsUsers',
      async ({ who, query }) => {
        demand(who, 'dashboard:view')
        const days = daysOf({ initialDate: query.initialDate, finalDate: query.finalDate })
        const { zone } = await calendarOf(db, who.companyId, now())
        return { data: await servicesByUser(db, who.companyId, days, zone) }
      },
      { query: chart, detail: { tags, summary: 'Services by user' } },
    )
    .get(
      '/ticketsDay',
      async ({ who, query }) => {
        demand(who, 'dashboard:view')
        const days = daysOf({ initialDate: query.initialDate, finalDate: query.finalDate })
        const { zone } = await calendarOf(db, who.companyId, now())
        return servicesByTime(db, who.companyId, days, zone)
      },
      { query: chart, detail: { tags, summary: 'Services by day; by hour when it is about one day' } },
    )
}
