import { Elysia } from 'elysia'
import { demandFeature } from '../commands/plan-features.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed } from '../http/guard.ts'
import { pageQuery } from '../http/inputs.ts'

const tags = ['automations']

/**
 * What can answer in an agent's place, for the lists that queues and connections choose from. Nothing can yet: a
 * company's lists are empty, and refused where its plan leaves them out.
 */
export function automationRoutes(deps: AppDeps) {
  const { db } = deps
  return new Elysia()
    .use(authed(deps))
    .get(
      '/prompt',
      async ({ who }) => {
        await demandFeature(db, who.companyId, 'useOpenAi')
        return { prompts: [], count: 0, hasMore: false }
      },
      { query: pageQuery, detail: { tags, summary: 'Prompts of AI assistants' } },
    )
    .get(
      '/queueIntegration',
      async ({ who }) => {
        await demandFeature(db, who.companyId, 'useIntegrations')
        return { queueIntegrations: [], count: 0, hasMore: false }
      },
      { query: pageQuery, detail: { tags, summary: 'Integrations with bots elsewhere' } },
    )
}
