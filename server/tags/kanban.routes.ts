import { Elysia, t } from 'elysia'
import type { CommandName } from '../../schema/catalog.ts'
import { DomainError } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'
import { lanesOf } from '../../schema/tags/tags.lane.ts'
import { commandKey } from '../http/commands.routes.ts'
import { demandFeature } from '../commands/plan-features.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed } from '../http/guard.ts'
import { flag, idsOf, jsonIds, ticketIdParams, ticketTagParams } from '../http/inputs.ts'
import { boardTickets, findTicket } from '../tickets/tickets.queries.ts'
import { allTags, findTag } from './tags.queries.ts'

const tags = ['kanban']

/** The board for other clients of the family; ours reads its replica and sends commands. */
export function kanbanRoutes(deps: AppDeps) {
  const { db, runCommand } = deps
  const allowed = (who: Principal) => demandFeature(db, who.companyId, 'useKanban')
  const find = async (who: Principal, id: number) => {
    const ticket = await findTicket(db, who, { id })
    if (!ticket) throw new DomainError('ERR_NO_TICKET_FOUND')
    return ticket
  }
  const run = async (
    who: Principal,
    request: Request,
    name: CommandName,
    input: { ticketId: number; [key: string]: unknown },
  ) => {
    await runCommand(who, { id: commandKey(request), name, input })
    return find(who, input.ticketId)
  }

  return new Elysia()
    .use(authed(deps))
    .get(
      '/tags/kanban',
      async ({ who }) => {
        await allowed(who)
        return { lista: lanesOf(await allTags(db, who.companyId)) }
      },
      { detail: { tags, summary: 'The tags that are lanes, from left to right' } },
    )
    .get(
      '/ticket/kanban',
      async ({ who, query }) => {
        await allowed(who)
        return { tickets: await boardTickets(db, who, idsOf(query.queueIds, 'queueIds')) }
      },
      {
        query: t.Object({ queueIds: jsonIds, teste: flag }),
        detail: {
          tags,
          summary: 'Pending and open tickets that the caller may see, newest change first, at most 2,000',
        },
      },
    )
    .put(
      '/ticket-tags/:ticketId/:tagId',
      async ({ who, params: { ticketId, tagId }, request }) => {
        await allowed(who)
        const [ticket, tag] = [await find(who, ticketId), await findTag(db, who.companyId, tagId)]
        if (!tag) throw new DomainError('ERR_NO_TAG_FOUND')
        if (tag.kanban === 1) return run(who, request, 'tickets.setLane', { ticketId, tagId })
        return run(who, request, 'tickets.setTags', { ticketId, tagIds: [...new Set([...ticket.tagIds, tagId])] })
      },
      {
        params: ticketTagParams,
        detail: { tags, summary: 'Put a tag on a ticket; that of a lane takes the place of the one before' },
      },
    )
    .delete(
      '/ticket-tags/:ticketId',
      ({ who, params: { ticketId }, request }) => run(who, request, 'tickets.setLane', { ticketId, tagId: null }),
      {
        params: ticketIdParams,
        detail: { tags, summary: 'Take a ticket out of its lane; its other tags stay' },
      },
    )
}
