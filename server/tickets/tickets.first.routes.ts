import { Elysia, t } from 'elysia'
import { readableBy } from '../../schema/contacts/contacts.masking.ts'
import { can } from '../../schema/permissions.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed } from '../http/guard.ts'
import { flag, isTrue } from '../http/inputs.ts'
import { firstRows } from './tickets.first.queries.ts'

/** What a browser that holds nothing yet draws, before its database has started. */
export const firstRoutes = (deps: AppDeps) =>
  new Elysia({ prefix: '/sync' })
    .use(authed(deps))
    .get(
      '/first',
      async ({ who, query }) =>
        readableBy(who, await firstRows(deps.db, who, isTrue(query.showAll) && can(who, 'tickets-manager:showall'))),
      {
        query: t.Object({ showAll: flag }),
        detail: {
          tags: ['sync'],
          summary: 'The first lists of the inbox and what they refer to, for a browser that holds nothing yet',
          description: 'Rows as the shapes have them. What changes afterwards is told by the shapes alone.',
        },
      },
    )
