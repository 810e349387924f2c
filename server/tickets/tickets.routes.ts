import { and, eq } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import type { CommandName } from '../../schema/catalog.ts'
import { readableBy } from '../../schema/contacts/contacts.masking.ts'
import { DomainError } from '../../schema/errors.ts'
import { nullable, optionalRowId, rowId } from '../../schema/inputs.ts'
import { canSeeTicket, type Principal } from '../../schema/permissions.ts'
import { listOrders } from '../../schema/tickets/tickets.list.ts'
import { bulkCommands, type BulkResult } from '../../schema/tickets/tickets.bulk.ts'
import { PART_MS } from '../../schema/tickets/tickets.merge.ts'
import { ticketUuid, transferNote, wishedSnooze } from '../../schema/tickets/tickets.inputs.ts'
import { ticketStatuses, tickets } from '../../schema/tickets/tickets.table.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import {
  day,
  fieldTestsOf,
  flag,
  idParams,
  idsOf,
  isRealDay,
  isTrue,
  jsonIds,
  jsonTests,
  pageNumber,
  searchParam,
} from '../http/inputs.ts'
import { commandKey } from '../http/commands.routes.ts'
import { releaseFiles } from '../media/media.usage.ts'
import { demandNoHold } from '../privacy/privacy.queries.ts'
import { createTicket, ExistingTicket } from './tickets.create.ts'
import {
  findTicket,
  listTickets,
  mediaOfTickets,
  mergeOf,
  MOST_COUNTED,
  MOST_LOOKED_THROUGH,
  type TicketRow,
} from './tickets.queries.ts'

const tags = ['tickets']

/** `false` is how old clients write none. */
const automationId = t.Union([rowId, t.Literal(false), t.Null()])

interface TicketWish {
  status?: 'pending' | 'open' | 'closed'
  userId?: number | null
  queueId?: number | null
  whatsappId?: number | null
  note?: string
  snoozedUntil?: string | null
  keep?: boolean
}

/**
 * The commands that a wished state of a ticket amounts to: old clients send the state, not what to do.
 * A transfer comes first, because a closed ticket cannot be transferred and an accepted one changes hands.
 */
export function commandsFor(ticket: TicketRow, wish: TicketWish, who: Principal): WishedCommand[] {
  return [...movesFor(ticket, wish, who), ...snoozeFor(ticket.id, wish)]
}

interface WishedCommand {
  name: CommandName
  input: Record<string, unknown>
}

/** Until a moment, or an answer; null takes it up again. What is done besides comes first: a transfer ends a snooze. */
function snoozeFor(ticketId: number, { snoozedUntil, keep, note }: TicketWish): WishedCommand[] {
  if (snoozedUntil === undefined) return []
  if (snoozedUntil === null) return [{ name: 'tickets.wake', input: { ticketId } }]
  const until = snoozedUntil === 'answer' ? null : snoozedUntil
  return [{ name: 'tickets.snooze', input: { ticketId, until, keep: keep ?? false, ...(note ? { note } : {}) } }]
}

function movesFor(ticket: TicketRow, wish: TicketWish, who: Principal): WishedCommand[] {
  const ticketId = ticket.id
  const toUser = wish.userId ?? null
  const queueId = wish.queueId === undefined ? ticket.queueId : wish.queueId
  const takes = toUser === who.userId
  const elsewhere =
    (wish.queueId !== undefined && wish.queueId !== ticket.queueId) ||
    (wish.whatsappId != null && wish.whatsappId !== ticket.whatsappId) ||
    (toUser !== null && toUser !== ticket.userId && (!takes || (ticket.status === 'open' && wish.status === undefined)))
  if (wish.status === 'closed') return [{ name: 'tickets.resolve', input: { ticketId } }]
  if (ticket.status === 'closed') {
    if (wish.status === 'open') {
      const reopen = { name: 'tickets.reopen' as const, input: { ticketId } }
      // Who reopens a ticket has it; for somebody else it goes on to them.
      return toUser === null || toUser === who.userId
        ? [reopen]
        : [reopen, { name: 'tickets.transfer', input: { ticketId, queueId, userId: toUser } }]
    }
    if (wish.status === 'pending')
      return [
        { name: 'tickets.reopen', input: { ticketId } },
        { name: 'tickets.return', input: { ticketId } },
      ]
    return elsewhere ? [{ name: 'tickets.transfer', input: { ticketId, queueId, userId: toUser } }] : []
  }
  if (elsewhere)
    return [
      {
        name: 'tickets.transfer',
        input: {
          ticketId,
          queueId,
          userId: toUser,
          whatsappId: wish.whatsappId ?? null,
          ...(wish.note ? { note: wish.note } : {}),
        },
      },
    ]
  if (wish.status === 'pending' && ticket.status === 'open') return [{ name: 'tickets.return', input: { ticketId } }]
  // As it is wished, perhaps by this very request, asked again.
  if (ticket.status === 'open' && ticket.userId === (toUser ?? who.userId)) return []
  // Also when a colleague has it already: then the command says so.
  if (wish.status === 'open' || (takes && ticket.status === 'pending'))
    return [{ name: 'tickets.accept', input: { ticketId } }]
  return []
}

interface AutomationWish {
  useIntegration?: boolean | null
  promptId?: number | false | null
  integrationId?: number | false | null
}

/**
 * Old clients send these along: empty, or as the ticket has them. Each change by a person ends the automation; what
 * starts it are queues, connections and flows, so a wish for anything else is refused instead of being passed over.
 */
function refuseAutomation(ticket: TicketRow, wish: AutomationWish): void {
  const fields = (['useIntegration', 'promptId', 'integrationId'] as const)
    .filter((field) => wish[field] && wish[field] !== ticket[field])
    .map((field) => ({ path: `body/${field}`, message: 'none, or as it is' }))
  if (fields.length > 0) throw new DomainError('ERR_VALIDATION', { fields })
}

/** A ticket that stands in the way: whole for who may see it; others are told whose it is. */
function asFarAsKnown(who: Principal, ticket: TicketRow) {
  if (canSeeTicket(who, ticket)) return ticket
  const { id, queueId, userId, queue, user } = ticket
  return { id, queueId, userId, queue, user }
}

/** Tickets: lists, one, and what the family's clients do to them. */
export const ticketRoutes = (deps: AppDeps) =>
  new Elysia().use(readTickets(deps)).use(changeTickets(deps)).use(mergeRoutes(deps)).use(callRoutes(deps))

async function need(db: AppDeps['db'], who: Principal, ref: { id: number } | { uuid: string }): Promise<TicketRow> {
  const ticket = await findTicket(db, who, ref)
  if (!ticket) throw new DomainError('ERR_NO_TICKET_FOUND')
  return ticket
}

function readTickets(deps: AppDeps) {
  const { db } = deps

  return new Elysia({ prefix: '/tickets' })
    .use(authed(deps))
    .get(
      '/',
      ({ who, query }) => {
        for (const name of ['date', 'updatedAt'] as const) {
          if (query[name] && !isRealDay(query[name]))
            throw new DomainError('ERR_VALIDATION', { fields: [{ path: `query/${name}`, message: 'a day' }] })
        }
        const status = ticketStatuses.find((known) => known === query.status)
        return listTickets(
          db,
          who,
          {
            status,
            showAll: isTrue(query.showAll),
            queueIds: idsOf(query.queueIds, 'queueIds'),
            tagIds: idsOf(query.tags, 'tags'),
            userIds: idsOf(query.users, 'users'),
            fields: fieldTestsOf(query.fields, 'fields'),
            search: query.searchParam?.trim() || undefined,
            createdOn: query.date || undefined,
            updatedOn: query.updatedAt || undefined,
            withUnreadMessages: isTrue(query.withUnreadMessages),
            snoozed: isTrue(query.snoozed),
            order: query.order,
          },
          query.pageNumber ?? 1,
        )
      },
      {
        query: t.Object({
          searchParam,
          pageNumber,
          status: t.Optional(t.Union([...ticketStatuses.map((status) => t.Literal(status)), t.Literal('')])),
          showAll: flag,
          withUnreadMessages: flag,
          snoozed: flag,
          order: t.Optional(t.Union(listOrders.map((order) => t.Literal(order)))),
          queueIds: jsonIds,
          tags: jsonIds,
          users: jsonIds,
          fields: jsonTests,
          date: day,
          updatedAt: day,
        }),
        detail: {
          tags,
          summary: 'Tickets the caller may see, newest change first, 40 a page',
          description: `Those that lie aside stand in no list of a status but in the one with \`snoozed\`, and searches find them. \`count\` is exact up to ${MOST_COUNTED.toLocaleString('en')}; more tickets are told as that many. A search counts to the end of its page, and one more where \`hasMore\`; \`found\` is the newest message that holds its text, among the ticket's last ${MOST_LOOKED_THROUGH}, or null.`,
        },
      },
    )
    .get('/:id', ({ who, params }) => need(db, who, params), {
      params: idParams,
      detail: { tags, summary: 'One ticket' },
    })
    .get('/u/:uuid', ({ who, params }) => need(db, who, params), {
      params: t.Object({
        uuid: ticketUuid,
      }),
      detail: { tags, summary: 'One ticket, by its uuid' },
    })
}

function changeTickets(deps: AppDeps) {
  const { db, events, runCommand, now } = deps

  return new Elysia({ prefix: '/tickets' })
    .use(authed(deps))
    .post(
      '/bulk',
      async ({ who, body, request }): Promise<BulkResult> => {
        const { result } = await runCommand(who, { id: commandKey(request), name: 'tickets.bulk', input: body })
        return result as BulkResult
      },
      {
        body: bulkCommands['tickets.bulk'].input,
        detail: {
          tags,
          summary: 'Do one thing with up to 200 tickets; those that it may not be done with are named',
          description: 'Of each ticket the same is asked as if it were alone. All that may be done is done together.',
        },
      },
    )
    .post(
      '/',
      async ({ who, body, set }) => {
        try {
          const wish = {
            contactId: body.contactId,
            queueId: body.queueId ?? null,
            whatsappId: body.whatsappId ?? null,
            userId: body.userId ?? null,
          }
          const ticket = await createTicket(db, who, wish, now())
          events.emit({ companyId: who.companyId, name: 'ticket', action: 'create', id: ticket.id })
          return ticket
        } catch (error) {
          if (!(error instanceof ExistingTicket)) throw error
          // The new-ticket dialog parses it, to say whose it is or to open it.
          set.status = 409
          return { error: JSON.stringify(readableBy(who, asFarAsKnown(who, error.ticket))) }
        }
      },
      {
        body: t.Object({
          contactId: rowId,
          queueId: t.Optional(optionalRowId),
          whatsappId: t.Optional(optionalRowId),
          userId: t.Optional(optionalRowId),
          status: t.Optional(t.Literal('open')),
        }),
        detail: {
          tags,
          summary:
            'Begin a conversation; 409 with the existing ticket when there is one (of a hidden one: id, queue and user)',
        },
      },
    )
    .put(
      '/:id',
      async ({ who, params, body, request }) => {
        const ticket = await need(db, who, params)
        refuseAutomation(ticket, body)
        const key = commandKey(request)
        for (const [i, command] of commandsFor(ticket, body, who).entries())
          await runCommand(who, { id: i === 0 ? key : `${key}-${i}`, ...command })
        // Transferred out of the caller's own sight: the last state they may know.
        return (await findTicket(db, who, params)) ?? ticket
      },
      {
        params: idParams,
        body: t.Object({
          status: t.Optional(t.Union(ticketStatuses.map((status) => t.Literal(status)))),
          userId: t.Optional(nullable(rowId)),
          queueId: t.Optional(nullable(rowId)),
          whatsappId: t.Optional(nullable(rowId)),
          note: t.Optional(transferNote),
          snoozedUntil: t.Optional(wishedSnooze),
          keep: t.Optional(t.Boolean()),
          useIntegration: t.Optional(nullable(t.Boolean())),
          promptId: t.Optional(automationId),
          integrationId: t.Optional(automationId),
        }),
        detail: {
          tags,
          summary: 'Accept, return, resolve, reopen, transfer or snooze, by the wished status, user, queue and moment',
          description:
            '`snoozedUntil` puts the ticket aside: until a moment, or with `answer` until its contact answers (told as the end of the year 9999); `keep`: not even that wakes it; null takes it up again. Each of these ends the automation of the ticket. `useIntegration`, `promptId` and `integrationId` may be empty (null, false) or as the ticket has them; other values are refused.',
        },
      },
    )
    .delete(
      '/:id',
      async ({ who, params }) => {
        demand(who, 'ticket-options:deleteTicket')
        const ticket = await need(db, who, params)
        await db.transaction(async (tx) => {
          await demandNoHold(tx, who.companyId, ticket.contactId, now())
          await releaseFiles(tx, who.companyId, await mediaOfTickets(tx, who.companyId, { ticketId: ticket.id }))
          await tx.delete(tickets).where(and(eq(tickets.companyId, who.companyId), eq(tickets.id, ticket.id)))
        })
        const { id, queueId, userId, status } = ticket
        events.emit({
          companyId: who.companyId,
          name: 'ticket',
          action: 'delete',
          payload: { ticketId: id },
          audience: { ticket: { id, queueId, userId, status } },
        })
        return {}
      },
      { params: idParams, detail: { tags, summary: 'Delete a ticket with its messages and files' } },
    )
}

/** Two tickets of a contact become one, and one becomes two again. */
function mergeRoutes(deps: AppDeps) {
  const { db, runCommand } = deps
  return new Elysia({ prefix: '/tickets' })
    .use(authed(deps))
    .post(
      '/:id/merge',
      async ({ who, params, body, request }) => {
        const key = commandKey(request)
        await runCommand(who, { id: key, name: 'tickets.merge', input: { ticketId: params.id, ...body } })
        return need(db, who, { id: body.intoId })
      },
      {
        params: idParams,
        body: t.Object({ intoId: rowId }),
        detail: {
          tags,
          summary: 'Move what was said in this ticket to another of the same contact, which is answered',
          description: `This one is closed and leads there. It can be taken back for ${PART_MS / 3_600_000} hours.`,
        },
      },
    )
    .post(
      '/:id/part',
      async ({ who, params, request }) => {
        demand(who, 'tickets:merge')
        const key = commandKey(request)
        const ticket = await need(db, who, params)
        const merge = await mergeOf(db, who.companyId, ticket.id)
        if (!merge) throw new DomainError('ERR_UNDO_LATE')
        const input = { ticketId: ticket.id, intoId: merge.intoId, mergeId: merge.id }
        await runCommand(who, { id: key, name: 'tickets.part', input })
        return need(db, who, params)
      },
      { params: idParams, detail: { tags, summary: 'Take back that this ticket was merged into another' } },
    )
}

/** Calls for a supervisor, and their answer. */
function callRoutes(deps: AppDeps) {
  const { db, runCommand } = deps
  return new Elysia({ prefix: '/tickets' })
    .use(authed(deps))
    .post(
      '/:id/escalate',
      async ({ who, params, body, request }) => {
        const input = { ticketId: params.id, ...(body.note && { note: body.note }) }
        await runCommand(who, { id: commandKey(request), name: 'tickets.callSupervisor', input })
        return need(db, who, params)
      },
      {
        params: idParams,
        body: t.Object({ note: t.Optional(transferNote) }),
        detail: { tags, summary: 'Call a supervisor to an active ticket; called already, nothing changes' },
      },
    )
    .delete(
      '/:id/escalate',
      async ({ who, params, request }) => {
        const input = { ticketId: params.id }
        await runCommand(who, { id: commandKey(request), name: 'tickets.answerCall', input })
        return need(db, who, params)
      },
      { params: idParams, detail: { tags, summary: 'Answer the call: a supervisor, or who called' } },
    )
}
