import { Elysia, t } from 'elysia'
import { capacityOf } from '../assignment/assignment.facts.ts'
import { cached } from '../cached.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idsOf, jsonIds } from '../http/inputs.ts'
import { companyWall, wallOf } from './wall.queries.ts'

/** So old may be what is told, at most, in milliseconds: all walls of a company ask the database once in this time. */
const AGE_MS = 900

/** What happens at this moment, for a television that hangs where everybody sees it. */
export function wallRoutes(deps: AppDeps) {
  const { db, now, facts } = deps
  const walls = cached(
    async (companyId) => companyWall(db, companyId, capacityOf(await facts.of(companyId)), now()),
    AGE_MS,
  )
  return new Elysia({ prefix: '/wall' }).use(authed(deps)).get(
    '/',
    async ({ who, query }) => {
      demand(who, 'wall:read')
      return wallOf(await walls.of(who.companyId), idsOf(query.queueIds, 'queueIds') ?? [])
    },
    {
      query: t.Object({ queueIds: jsonIds }),
      detail: {
        tags: ['dashboard'],
        summary: 'What happens at this moment: who waits, since when, what is at risk, agents and connections',
        description:
          '`queueIds` narrows it; 0 stands for tickets without a queue. At most a second old. `risk` is null where nothing is promised.',
      },
    },
  )
}
