import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { listQuery, programCall, programJoin, programMacro, viewParams } from '../../schema/external/external.inputs.ts'
import { toApiMacro, toApiPolicy, toApiRule, toApiRuleRun, toApiView } from '../../schema/external/external.rows.ts'
import { type SavedFilter, savedFilters } from '../../schema/filters/filters.table.ts'
import { PART_MS } from '../../schema/tickets/tickets.merge.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { viewOf } from '../../schema/tickets/tickets.list.ts'
import { rowIdFor } from '../http/commands.routes.ts'
import type { AppDeps } from '../http/deps.ts'
import { idParams, inAddress, textCursorQuery } from '../http/inputs.ts'
import { findRule, listRules, pageOfRuns } from '../rules/rules.queries.ts'
import { usableMacros } from '../macros/macros.queries.ts'
import { policiesOf } from '../sla-policies/sla-policies.queries.ts'
import { listCondition } from '../tickets/tickets.list.queries.ts'
import { mergeOf } from '../tickets/tickets.queries.ts'
import { contactTimeline } from '../tickets/tickets.timeline.queries.ts'
import { asTicket } from './external.fields.ts'
import { pageOf } from './external.pages.ts'
import { asAdmin, commandKeyOf, needs, programs } from './external.programs.routes.ts'
import { contactOf, ticketOf } from './external.queries.ts'

/** What agents share for their work with tickets, and programs use, too: macros, rules, promises, and views of the list. */
export const programDeskRoutes = (deps: AppDeps) =>
  new Elysia()
    .use(macros(deps))
    .use(rules(deps))
    .use(promises(deps))
    .use(views(deps))
    .use(joined(deps))
    .use(calls(deps))

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

function promises(deps: AppDeps) {
  return new Elysia()
    .use(programs(deps))
    .get(
      '/sla-policies',
      async ({ of }) => ({ records: (await policiesOf(deps.db, of('tickets:read'))).map(toApiPolicy) }),
      {
        detail: needs(
          'listSlaPolicies',
          'tickets:read',
          'What is promised to contacts, in the order in which it is asked; the first active one that fits a ticket counts',
          'Of a ticket `nextDueAt` and `nextDueMetric` say what is due next, and `ticket.sla_warning` and `ticket.sla_breached` when.',
        ),
      },
    )
}

/** Two tickets of a contact become one, and one becomes two again; what happened in all of theirs. */
function joined(deps: AppDeps) {
  const { db, runCommand } = deps
  return new Elysia()
    .use(programs(deps))
    .post(
      '/tickets/:id/merge',
      async ({ caller, of, params, body, request }) => {
        const companyId = of('tickets:write')
        await runCommand(asAdmin(caller), {
          id: rowIdFor(asAdmin(caller), commandKeyOf(caller, request)),
          name: 'tickets.merge',
          input: { ticketId: params.id, ...body },
        })
        return (await asTicket(db, companyId))(await ticketOf(db, companyId, body.intoId))
      },
      {
        params: idParams,
        body: programJoin,
        detail: needs(
          'mergeTickets',
          'tickets:write',
          'Move what was said in this ticket to another of the same contact, which is answered',
          `This one is closed and leads there. It can be taken back for ${PART_MS / 3_600_000} hours.`,
        ),
      },
    )
    .post(
      '/tickets/:id/part',
      async ({ caller, of, params, request }) => {
        const companyId = of('tickets:write')
        const key = commandKeyOf(caller, request)
        const { id } = await ticketOf(db, companyId, params.id)
        const merge = await mergeOf(db, companyId, id)
        // Who asks again after the first answer was lost finds no merge any more: it is done.
        if (merge)
          await runCommand(asAdmin(caller), {
            id: rowIdFor(asAdmin(caller), key),
            name: 'tickets.part',
            input: { ticketId: id, intoId: merge.intoId, mergeId: merge.id },
          })
        return (await asTicket(db, companyId))(await ticketOf(db, companyId, id))
      },
      {
        params: idParams,
        detail: needs(
          'partTickets',
          'tickets:write',
          'Take back that this ticket was merged into another; where it is not, nothing changes',
        ),
      },
    )
    .get(
      '/contacts/:id/timeline',
      async ({ caller, of, params, query: { cursor, limit = 40 } }) => {
        const { id } = await contactOf(db, of('tickets:read'), params.id)
        return contactTimeline(db, asAdmin(caller), id, { cursor, limit })
      },
      {
        params: idParams,
        query: t.Object(textCursorQuery),
        detail: needs(
          'listContactTimeline',
          'tickets:read',
          'What happened and was noted over all tickets of a contact, the latest first',
        ),
      },
    )
}

/** A supervisor is called to a ticket, and needed no more. */
function calls(deps: AppDeps) {
  const { db, runCommand } = deps
  return new Elysia()
    .use(programs(deps))
    .post(
      '/tickets/:id/escalate',
      async ({ caller, of, params, body, request }) => {
        const companyId = of('tickets:write')
        await runCommand(asAdmin(caller), {
          id: rowIdFor(asAdmin(caller), commandKeyOf(caller, request)),
          name: 'tickets.callSupervisor',
          input: { ticketId: params.id, ...body },
        })
        return (await asTicket(db, companyId))(await ticketOf(db, companyId, params.id))
      },
      {
        params: idParams,
        body: programCall,
        detail: needs(
          'callSupervisor',
          'tickets:write',
          'Call a supervisor to an active ticket; called already, nothing changes',
        ),
      },
    )
    .delete(
      '/tickets/:id/escalate',
      async ({ caller, of, params, request }) => {
        const companyId = of('tickets:write')
        await runCommand(asAdmin(caller), {
          id: rowIdFor(asAdmin(caller), commandKeyOf(caller, request)),
          name: 'tickets.answerCall',
          input: { ticketId: params.id },
        })
        return (await asTicket(db, companyId))(await ticketOf(db, companyId, params.id))
      },
      { params: idParams, detail: needs('answerCall', 'tickets:write', 'Nobody is called to it any more') },
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
