import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { listQuery, programMacro, viewParams } from '../../schema/external/external.inputs.ts'
import { toApiMacro, toApiRule, toApiRuleRun, toApiView } from '../../schema/external/external.rows.ts'
import { type SavedFilter, savedFilters } from '../../schema/filters/filters.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { viewOf } from '../../schema/tickets/tickets.list.ts'
import { rowIdFor } from '../http/commands.routes.ts'
import type { AppDeps } from '../http/deps.ts'
import { idParams, inAddress, textCursorQuery } from '../http/inputs.ts'
import { findRule, listRules, pageOfRuns } from '../rules/rules.queries.ts'
import { usableMacros } from '../macros/macros.queries.ts'
import { listCondition } from '../tickets/tickets.list.queries.ts'
import { asTicket } from './external.fields.ts'
import { pageOf } from './external.pages.ts'
import { asAdmin, commandKeyOf, needs, programs } from './external.programs.routes.ts'
import { ticketOf } from './external.queries.ts'

/** What agents share for their work with tickets, and programs use, too: macros, rules, and views of the list. */
export const programDeskRoutes = (deps: AppDeps) => new Elysia().use(macros(deps)).use(rules(deps)).use(views(deps))

function macros(deps: AppDeps) {
  const { db, runCommand } = deps
  return new Elysia()
    .use(programs(deps))
    .get(
      '/macros',
      async ({ caller, of }) => {
        of('tickets:read')
        return { records: (await usableMacros(db, asAdmin(caller))).map(toApiMacro) }
      },
      { detail: needs('listMacros', 'tickets:read', 'Macros that are everybody’s, by name') },
    )
    .post(
      '/macros/:id/run',
      async ({ caller, of, params, body, request }) => {
        const companyId = of('tickets:write')
        const who = asAdmin(caller)
        await runCommand(who, {
          // What it says and notes has its ids of this one: a repeat with the same key makes nothing twice.
          id: rowIdFor(who, commandKeyOf(caller, request)),
          name: 'macros.run',
          input: { ...body, macroId: params.id },
        })
        return (await asTicket(db, companyId))(await ticketOf(db, companyId, body.ticketId))
      },
      {
        params: idParams,
        body: programMacro,
        detail: needs(
          'runMacro',
          'tickets:write',
          'Do with a ticket what a macro says: all of it, or nothing',
          'A refusal says at which action (`step`, the first is 1). With `version`, a macro that was changed since is 409 `ERR_MACRO_CHANGED`. What hands the ticket to whoever runs it is refused: a program is nobody.',
        ),
      },
    )
}

function rules(deps: AppDeps) {
  const { db, now } = deps
  return new Elysia()
    .use(programs(deps))
    .get('/rules', async ({ of }) => ({ records: (await listRules(db, of('tickets:read'), now())).map(toApiRule) }), {
      detail: needs('listRules', 'tickets:read', 'Rules in the order in which they are asked'),
    })
    .get(
      '/rules/:id/runs',
      async ({ of, params, query: { cursor, limit = 40 } }) => {
        const companyId = of('tickets:read')
        if (!(await findRule(db, companyId, params.id))) throw new DomainError('ERR_NO_RULE_FOUND')
        const { rows, nextCursor } = await pageOfRuns(db, companyId, params.id, { cursor, limit, result: undefined })
        return { records: rows.map(({ run }) => toApiRuleRun(run)), nextCursor }
      },
      {
        params: idParams,
        query: t.Object(textCursorQuery),
        detail: needs(
          'listRuleRuns',
          'tickets:read',
          'What a rule did, the latest first, for 90 days; for 7 where it had nothing to do',
        ),
      },
    )
}

/** What is one's own, or asks for one's own, says nothing to a program. */
const isShared = and(
  ne(savedFilters.sharing, 'own'),
  sql`NOT coalesce((${savedFilters.filter}->>'mine')::boolean, false)`,
)

function views(deps: AppDeps) {
  const { db } = deps
  /** @throws DomainError `ERR_NOT_FOUND` */
  const viewFor = async (companyId: number, id: string): Promise<SavedFilter> => {
    const [row] = await db
      .select()
      .from(savedFilters)
      .where(and(eq(savedFilters.companyId, companyId), eq(savedFilters.id, id), isShared))
    if (!row) throw new DomainError('ERR_NOT_FOUND')
    return row
  }
  return new Elysia()
    .use(programs(deps))
    .get(
      '/views',
      async ({ of }) => {
        const rows = await db
          .select()
          .from(savedFilters)
          .where(and(eq(savedFilters.companyId, of('tickets:read')), isShared))
          .orderBy(asc(savedFilters.position), asc(savedFilters.createdAt), asc(savedFilters.id))
        return { records: rows.map(toApiView) }
      },
      { detail: needs('listViews', 'tickets:read', 'Views of the list of tickets that people share, in their order') },
    )
    .get(
      '/views/:id/tickets',
      async ({ caller, of, params, query }) => {
        const companyId = of('tickets:read')
        const { filter } = await viewFor(companyId, params.id)
        const where = listCondition(companyId, viewOf({ ...filter, queueIds: filter.queueIds ?? [] }, asAdmin(caller)))
        return pageOf(db, tickets, companyId, query, await asTicket(db, companyId), where)
      },
      {
        params: viewParams,
        query: inAddress(listQuery),
        detail: needs(
          'listViewTickets',
          'tickets:read',
          'Tickets of a view, as they change',
          'All that the view holds for who sees all tickets. A ticket that leaves the view is not told: ask without `cursor` for what it holds now.',
        ),
      },
    )
}
