import { and, eq } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import { costGroups, MOST_COST_DAYS, newMessagePrice } from '../../schema/costs/costs.inputs.ts'
import { messagePrices } from '../../schema/costs/costs.table.ts'
import { DAY_MS } from '../../schema/durations.ts'
import { DomainError } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'
import { calendarOf } from '../dashboard/dashboard.queries.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { day, idParams, isRealDay } from '../http/inputs.ts'
import { pricesOf } from './costs.queries.ts'
import { type CostDays, costMonth, costReport } from './costs.report.queries.ts'

const tags = ['costs']

export const costQuery = t.Object({
  by: t.Optional(t.Union(costGroups.map((group) => t.Literal(group)))),
  from: day,
  to: day,
})

const wrong = (path: string, message: string) => new DomainError('ERR_VALIDATION', { fields: [{ path, message }] })

/**
 * The days that are asked about; without any the month until today.
 * @throws DomainError `ERR_VALIDATION` for days that the calendar has not, and for too many
 */
export function costDaysOf(given: { from?: string | undefined; to?: string | undefined }, today: string): CostDays {
  const to = given.to || today
  const from = given.from || `${to.slice(0, 7)}-01`
  for (const [name, value] of Object.entries({ from, to })) if (!isRealDay(value)) throw wrong(`query/${name}`, 'a day')
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  if (days < 1 || days > MOST_COST_DAYS) throw wrong('query/to', `at most ${MOST_COST_DAYS} days`)
  return { from, to }
}

/** What messages over the official API cost, and by which prices. Money is in millionths. */
export function costRoutes(deps: AppDeps) {
  const { db, now } = deps
  const today = async (companyId: number) => (await calendarOf(db, companyId, now())).today
  /** Whose prices somebody writes. */
  const placeOf = (who: Principal, forAll: boolean) => {
    const companyId = forAll ? OPERATOR_COMPANY_ID : who.companyId
    if (companyId === OPERATOR_COMPANY_ID && !who.super) throw new DomainError('ERR_NO_PERMISSION')
    return companyId
  }
  return new Elysia()
    .use(authed(deps))
    .get(
      '/costs',
      async ({ who, query }) => {
        demand(who, 'dashboard:view')
        const days = costDaysOf(query, await today(who.companyId))
        return { ...days, ...(await costReport(db, who.companyId, { ...days, by: query.by ?? 'month' })) }
      },
      {
        query: costQuery,
        detail: { tags, summary: 'What messages cost on some days, by month, ticket, agent, queue, flow, campaign …' },
      },
    )
    .get(
      '/costs/month',
      async ({ who }) => {
        demand(who, 'dashboard:view')
        return costMonth(db, who.companyId, await today(who.companyId))
      },
      { detail: { tags, summary: 'This month so far and at its end, and the free answers of each number' } },
    )
    .get(
      '/message-prices',
      async ({ who }) => {
        demand(who, 'dashboard:view')
        return { prices: await pricesOf(db, who.companyId) }
      },
      { detail: { tags, summary: 'All prices of messages: given, the operator’s, the company’s own' } },
    )
    .post(
      '/message-prices',
      async ({ who, body: { forAll = false, ...price } }) => {
        demand(who, 'settings:write')
        if (!isRealDay(price.since)) throw wrong('body/since', 'a day')
        const companyId = placeOf(who, forAll)
        const { market, category, currency, since } = messagePrices
        const [row] = await db
          .insert(messagePrices)
          .values({ ...price, companyId })
          .onConflictDoUpdate({
            target: [messagePrices.companyId, market, category, currency, since],
            set: { micros: price.micros },
          })
          .returning()
        return row!
      },
      { body: newMessagePrice, detail: { tags, summary: 'Write a price from a day on' } },
    )
    .delete(
      '/message-prices/:id',
      async ({ who, params }) => {
        demand(who, 'settings:write')
        const companyId = await db
          .select({ of: messagePrices.companyId })
          .from(messagePrices)
          .where(eq(messagePrices.id, params.id))
          .then(([row]) => (row?.of === OPERATOR_COMPANY_ID && who.super ? OPERATOR_COMPANY_ID : who.companyId))
        if (companyId === OPERATOR_COMPANY_ID && !who.super) throw new DomainError('ERR_NO_PERMISSION')
        const gone = await db
          .delete(messagePrices)
          .where(and(eq(messagePrices.companyId, companyId), eq(messagePrices.id, params.id)))
          .returning({ id: messagePrices.id })
        if (gone.length === 0) throw new DomainError('ERR_NO_MESSAGE_PRICE_FOUND')
        return {}
      },
      { params: idParams, detail: { tags, summary: 'Delete a price: the one below it holds again' } },
    )
}
