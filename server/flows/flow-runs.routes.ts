import { Elysia, t } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { messageId } from '../../schema/inputs.ts'
import { forgetsRules } from '../automation/automation.facts.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { cursorQuery, day, idParams, isRealDay } from '../http/inputs.ts'
import { findRun, listRuns } from './flow-runs.queries.ts'
import { countsOf, demandFlow } from './flows.queries.ts'

const tags = ['flows']

/** Who went through a flow, and how. */
export function flowRuns(deps: AppDeps) {
  const { db } = deps

  return new Elysia()
    .use(authed(deps))
    .onAfterHandle(forgetsRules(deps))
    .get(
      '/flowbuilder/:id/runs',
      async ({ who, params, query }) => {
        demand(who, 'automations:trace')
        const flow = await demandFlow(db, who.companyId, params.id)
        return listRuns(db, who, flow.id, { cursor: query.cursor, limit: query.limit })
      },
      {
        params: idParams,
        query: t.Object({ cursor: t.Optional(messageId), limit: cursorQuery.limit }),
        detail: {
          tags,
          summary: 'Who went through a flow, the latest first',
          description: 'Of tickets that the caller may see. `cursor` is the `nextCursor` of the page before.',
        },
      },
    )
    .get(
      '/flowbuilder/run/:runId',
      async ({ who, params }) => {
        demand(who, 'automations:trace')
        const run = await findRun(db, who, params.runId)
        if (!run) throw new DomainError('ERR_NOT_FOUND')
        return run
      },
      {
        params: t.Object({ runId: messageId }),
        detail: {
          tags,
          summary: 'What a run of a flow did, block by block',
          description:
            'Each of `entries` is one happening: the `blocks` that were entered, and what went out and came back in `calls`, ' +
            'at most 2,000 characters of each. `heard` is what the contact wrote, `done` what the blocks said, kept in ' +
            'variables and changed, each with the place of its block in `blocks` and at most 300 characters. Secrets and ' +
            'what follows the question mark of an address are masked. Kept for 30 days.',
        },
      },
    )
    .get(
      '/flowbuilder/:id/counts',
      async ({ who, params, query }) => {
        demand(who, 'automations:write')
        for (const [name, given] of Object.entries(query))
          if (given && !isRealDay(given))
            throw new DomainError('ERR_VALIDATION', { fields: [{ path: `query/${name}`, message: 'not a day' }] })
        const flow = await demandFlow(db, who.companyId, params.id)
        return countsOf(db, flow.id, { ...(query.from && { from: query.from }), ...(query.to && { to: query.to }) })
      },
      {
        params: idParams,
        query: t.Object({ from: day, to: day }),
        detail: {
          tags,
          summary: 'How often the nodes of a flow were reached, were left in silence, and who waits there',
        },
      },
    )
}
