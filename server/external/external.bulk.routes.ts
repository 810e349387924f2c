import { and, eq, sql } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { campaigns, shippings } from '../../schema/campaigns/campaigns.table.ts'
import type { ShippingState } from '../../schema/campaigns/campaigns.state.ts'
import { DomainError } from '../../schema/errors.ts'
import { costReportQuery, listQuery, peopleQuery, reportQuery } from '../../schema/external/external.inputs.ts'
import { toApiCampaign } from '../../schema/external/external.rows.ts'
import { findCampaign, recipientsOf, storedCampaign } from '../campaigns/campaigns.queries.ts'
import { moveCampaign } from '../campaigns/campaigns.moves.ts'
import { demandFeature } from '../commands/plan-features.ts'
import { costReport } from '../costs/costs.report.queries.ts'
import { costDaysOf } from '../costs/costs.routes.ts'
import { attendants, calendarOf, counters, servicesOf } from '../dashboard/dashboard.queries.ts'
import type { AppDeps } from '../http/deps.ts'
import { idParams, inAddress, isRealDay } from '../http/inputs.ts'
import { pageOf } from './external.pages.ts'
import { needs, programs } from './external.programs.routes.ts'

const moves = {
  start: 'Begin now, also what has no date',
  pause: 'Stand still',
  resume: 'Go on; also where a rule or WhatsApp itself stopped it',
  cancel: 'Stop within one message',
} as const
type Wish = keyof typeof moves

const iso = (at: Date | null): string | null => at && at.toISOString()

/** Campaigns and figures, for programs. */
export function programBulkRoutes(deps: AppDeps) {
  const { db, events } = deps

  /** @throws DomainError `ERR_NO_CAMPAIGN_FOUND` */
  const campaignOf = async (companyId: number, id: number) => {
    const campaign = await storedCampaign(db, companyId, id)
    if (!campaign) throw new DomainError('ERR_NO_CAMPAIGN_FOUND')
    return campaign
  }
  /** A campaign, and how many of its people are how far. */
  const counted = async (companyId: number, id: number) => {
    const campaign = await campaignOf(companyId, id)
    const rows = await db
      .select({ state: shippings.state, n: sql<number>`count(*)::int` })
      .from(shippings)
      .where(and(eq(shippings.companyId, companyId), eq(shippings.campaignId, id)))
      .groupBy(shippings.state)
    const counts = Object.fromEntries(rows.map(({ state, n }) => [state, n])) as Partial<Record<ShippingState, number>>
    return { ...toApiCampaign(campaign), counts }
  }

  const app = new Elysia().use(programs(deps))
  for (const wish of Object.keys(moves) as Wish[])
    app.post(
      `/campaigns/:id/${wish}`,
      async ({ of, params }) => {
        const companyId = of('campaigns:send')
        await demandFeature(db, companyId, 'useCampaigns')
        await moveCampaign(deps, companyId, params.id, wish)
        const record = await findCampaign(db, companyId, params.id)
        events.emit({ companyId, name: 'campaign', action: 'update', payload: { record } })
        return counted(companyId, params.id)
      },
      { params: idParams, detail: needs(`${wish}Campaign`, 'campaigns:send', moves[wish]) },
    )
  return app
    .get(
      '/campaigns',
      async ({ of, query }) => {
        const companyId = of('campaigns:read')
        await demandFeature(db, companyId, 'useCampaigns')
        return pageOf(db, campaigns, companyId, query, toApiCampaign)
      },
      { query: inAddress(listQuery), detail: needs('listCampaigns', 'campaigns:read', 'Campaigns as they change') },
    )
    .get(
      '/campaigns/:id',
      async ({ of, params }) => {
        const companyId = of('campaigns:read')
        await demandFeature(db, companyId, 'useCampaigns')
        return counted(companyId, params.id)
      },
      {
        params: idParams,
        detail: needs('getCampaign', 'campaigns:read', 'One campaign, with how many of its people are how far'),
      },
    )
    .get(
      '/campaigns/:id/people',
      async ({ of, params, query }) => {
        const companyId = of('campaigns:read')
        await demandFeature(db, companyId, 'useCampaigns')
        const { id } = await campaignOf(companyId, params.id)
        const { records, nextCursor } = await recipientsOf(db, companyId, id, query)
        return {
          records: records.map((row) => ({
            ...{ id: row.id, name: row.name, number: row.number, state: row.state, reason: row.reason },
            ...{ body: row.body, ticketId: row.ticketId, sentAt: iso(row.sentAt) },
            ...{ deliveredAt: iso(row.deliveredAt), readAt: iso(row.readAt), repliedAt: iso(row.repliedAt) },
            optedOutAt: iso(row.optedOutAt),
          })),
          nextCursor,
        }
      },
      {
        params: idParams,
        query: inAddress(peopleQuery),
        detail: needs('listCampaignPeople', 'campaigns:read', 'Who a campaign is for, and how far each is'),
      },
    )
    .use(reports(deps))
}

/** Figures of the company. */
function reports(deps: AppDeps) {
  const { db, now } = deps
  return new Elysia()
    .use(programs(deps))
    .get(
      '/reports/service',
      async ({ of, query: { from, to } }) => {
        const companyId = of('reports:read')
        for (const [name, value] of Object.entries({ from, to }))
          if (!isRealDay(value))
            throw new DomainError('ERR_VALIDATION', { fields: [{ path: `query/${name}`, message: 'a day' }] })
        const { zone } = await calendarOf(db, companyId, now())
        const days = { from, to }
        const [own, people, services] = await Promise.all([
          counters(db, companyId, days, zone),
          attendants(db, companyId, days, zone),
          servicesOf(db, companyId, days, zone),
        ])
        return {
          ...{ from, to, timeZone: zone, open: own.supportHappening, pending: own.supportPending },
          finished: own.supportFinished,
          ...{ averageServiceMinutes: own.avgSupportTime, averageWaitMinutes: own.avgWaitTime },
          users: people.map(({ id, name, rating, avgSupportTime }) => ({
            ...{ id, name, services: services.get(id) ?? 0, averageServiceMinutes: avgSupportTime, rating },
          })),
        }
      },
      {
        query: reportQuery,
        detail: needs('getServiceReport', 'reports:read', 'The figures of the dashboard for some days, by colleague'),
      },
    )
    .get(
      '/reports/costs',
      async ({ of, query }) => {
        const companyId = of('reports:read')
        const { today } = await calendarOf(db, companyId, now())
        const days = costDaysOf(query, today)
        const by = query.by ?? 'month'
        return { ...days, by, ...(await costReport(db, companyId, { ...days, by })) }
      },
      {
        query: costReportQuery,
        detail: needs(
          'getCostReport',
          'reports:read',
          'What messages over the official API cost, by month, ticket, agent, queue, flow, campaign, template …',
        ),
      },
    )
}
