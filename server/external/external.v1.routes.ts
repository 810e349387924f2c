import { and, eq, inArray } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import { type Decision, together } from '../../schema/command.ts'
import { numberVariants } from '../../schema/contacts/contacts.phone.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { mergedFields } from '../../schema/custom-fields/custom-fields.merge.ts'
import { patchFromKeys } from '../../schema/custom-fields/custom-fields.values.ts'
import { DomainError } from '../../schema/errors.ts'
import {
  changedProgramContact,
  contactQuery,
  listQuery,
  newProgramContact,
  type ProgramTicket,
  programMessage,
  programSaying,
  programTicket,
} from '../../schema/external/external.inputs.ts'
import {
  toApiConnection,
  toApiField,
  toApiMessage,
  toApiOptOut,
  toApiQueue,
  toApiTag,
  toApiUser,
} from '../../schema/external/external.rows.ts'
import { newId } from '../../schema/ids.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { dateOf } from '../../schema/inputs.ts'
import { newOptOut, revokedOptOut } from '../../schema/opt-outs/opt-outs.inputs.ts'
import { optOuts } from '../../schema/opt-outs/opt-outs.table.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { tags as tagTable } from '../../schema/tags/tags.table.ts'
import { fieldsDecision } from '../../schema/tickets/tickets.commands.ts'
import { taggedAs } from '../../schema/tickets/tickets.tagged.ts'
import { moveTicket } from '../../schema/tickets/tickets.move.ts'
import { type Ticket, tickets } from '../../schema/tickets/tickets.table.ts'
import { snoozedFor, untilAnswered, wokenBy } from '../../schema/tickets/tickets.snooze.ts'
import type { TicketMove } from '../../schema/tickets/tickets.transition.ts'
import { users } from '../../schema/users/users.table.ts'
import { changedWebhook, newWebhook } from '../../schema/webhooks/webhooks.inputs.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { connectionToAsk } from '../whatsapps/whatsapps.queries.ts'
import { applyDecision, type Change } from '../commands/apply.ts'
import { typedNumber } from '../contacts/contacts.typed.queries.ts'
import { fieldsOf } from '../commands/fields.ts'
import { demandOwned } from '../commands/owned.ts'
import type { Tx } from '../db/database.ts'
import type { AppDeps } from '../http/deps.ts'
import { idParams, inAddress } from '../http/inputs.ts'
import { activeOptOut } from '../opt-outs/opt-outs.queries.ts'
import { optOutCalls } from '../opt-outs/opt-outs.changes.ts'
import { lockTicket } from '../tickets/tickets.facts.ts'
import { webhookCalls } from '../webhooks/webhooks.routes.ts'
import type { KeyCaller } from './external.callers.ts'
import { programBulkRoutes } from './external.bulk.routes.ts'
import { programDeskRoutes } from './external.desk.routes.ts'
import { programContactRoutes } from './external.contacts.routes.ts'
import { programMessageRoutes } from './external.messages.routes.ts'
import { asContact, asTicket, keyedPatchOf, withPatch } from './external.fields.ts'
import { pageOf } from './external.pages.ts'
import { connectionFor, contactOf, ticketOf } from './external.queries.ts'
import { sendInTicket } from './external.send.ts'
import { programReportRoutes } from './external.reports.routes.ts'
import { createIntake } from './external.intake.routes.ts'
import { asAdmin, keyOf, needs, programs, sayingBodies } from './external.programs.routes.ts'
import { programServiceRoutes } from './external.service.routes.ts'

/** What programs call with a key: the company's tickets, messages and contacts, and what they hang on. */
export const apiV1Routes = (deps: AppDeps) =>
  new Elysia({ prefix: '/api/v1' })
    .use(programs(deps))
    .use(programMessageRoutes(deps))
    .use(programServiceRoutes(deps))
    .use(programDeskRoutes(deps))
    .use(programContactRoutes(deps))
    .use(programBulkRoutes(deps))
    .use(programReportRoutes(deps))
    .use(sending(deps))
    .use(ticketRecords(deps))
    .use(contactRecords(deps))
    .use(lists(deps))
    .use(optOutRecords(deps))
    .use(webhookRecords(deps))

/** What a program wants of a ticket, as the moves that anybody makes. */
async function moveFor(tx: Tx, caller: KeyCaller, ticket: Ticket, wish: ProgramTicket, now: Date): Promise<Decision> {
  const who = asAdmin(caller)
  const { companyId } = caller
  await demandOwned(tx, companyId, 'queues', [wish.queueId])
  await demandOwned(tx, companyId, 'users', [wish.userId])
  await demandOwned(tx, companyId, 'tags', wish.tagIds)
  const moves: TicketMove[] = []
  const queueId = wish.queueId === undefined ? ticket.queueId : wish.queueId
  if (wish.userId || (wish.queueId !== undefined && wish.queueId !== ticket.queueId))
    moves.push({ type: 'transfer', who, queueId, userId: wish.userId ?? null })
  if (wish.status === 'pending' || wish.userId === null) moves.push({ type: 'return', who })
  if (wish.status === 'closed')
    // Nobody has served who takes one that waits off the list.
    moves.push(ticket.userId === null ? { type: 'finish' } : { type: 'resolve', who })
  if (wish.snoozedUntil === null) moves.push({ type: 'wake', who })
  else if (wish.snoozedUntil !== undefined) {
    const answer = wish.snoozedUntil === 'answer'
    const until = answer ? untilAnswered : dateOf(wish.snoozedUntil, 'body/snoozedUntil')
    moves.push({ type: 'snooze', who, until, keep: !answer && wish.keep === true, note: null })
  }
  let moved = ticket
  const id = newId()
  const decisions: Decision[] = []
  for (const move of moves) {
    const data =
      move.type === 'snooze'
        ? { data: snoozedFor(move) }
        : move.type === 'wake'
          ? { data: wokenBy('person', moved) }
          : {}
    const done = moveTicket(moved, move, { id, userId: 0, now: now, eventId: `${id}:${move.type}`, ...data })
    if ('refused' in done) throw new DomainError(done.refused)
    decisions.push(done.decision)
    moved = done.ticket
  }
  if (wish.tagIds)
    decisions.push({
      rows: [
        {
          ...{ table: 'tickets', op: 'update', ids: [ticket.id] },
          values: { tagIds: wish.tagIds.toSorted((a, b) => a - b), updatedAt: now },
        },
      ],
      ...taggedAs(ticket, wish.tagIds),
      effects: [],
    })
  if (wish.fields) {
    const fields = await fieldsOf(tx, companyId)
    const patch = patchFromKeys(fields, 'ticket', wish.fields)
    decisions.push(fieldsDecision(ticket, fields, patch, { commandId: id, who: { userId: null }, now }))
  }
  return together(...decisions)
}

/** The number as WhatsApp writes it; as it is given while nobody can be asked. */
async function canonical({ db, sessions }: AppDeps, companyId: number, number: string): Promise<string> {
  const asked = await connectionToAsk(db, companyId)
  if (asked === undefined) return number
  const found = await sessions.checkNumber(asked, number).catch((error: unknown) => {
    if (error instanceof DomainError && error.code !== 'ERR_WAPP_CHECK_CONTACT') return { number }
    throw error
  })
  if (!found) throw new DomainError('ERR_CHECK_NUMBER', { number })
  return found.number
}

const withIds = (extraInfo: readonly { name: string; value: string }[]) =>
  extraInfo.map(({ name, value }) => ({ id: newId(), name, value }))

function sending(deps: AppDeps) {
  const { db } = deps
  const intake = createIntake(deps)
  return new Elysia()
    .use(programs(deps))
    .post(
      '/messages',
      async ({ caller, of, request, body: json, set }) => {
        const companyId = of('messages:send')
        const call = { request, json, schema: programMessage, companyId, key: keyOf(caller, request) }
        const { id, ids, ticketId } = await intake.take(call, async (input, said) => {
          const {
            number = '',
            contactId = null,
            queueId = null,
            userId = null,
            closeTicket = false,
            bulk = false,
          } = input
          if ((number === '') === (contactId === null))
            throw new DomainError('ERR_VALIDATION', {
              fields: [{ path: 'body/number', message: 'one of: number, contactId' }],
            })
          const whatsappId = await connectionFor(db, companyId, input.whatsappId)
          return deps.sendForProgram({
            ...{ companyId, whatsappId, number, contactId, ...said, queueId, userId, closeTicket, bulk },
            key: call.key,
          })
        })
        set.status = 202
        return { id, ...(ids.length > 1 && { ids }), ticketId, ack: 1 }
      },
      {
        detail: {
          ...needs(
            'sendMessage',
            'messages:send',
            'Send a text, a file, a place or contact cards to a number or a contact',
            'To `number`, or to `contactId`: people of the official API may have no number. Stored when it is answered, not delivered: `message.ack` tells how far it got. Without `whatsappId` the default connection sends it.',
          ),
          requestBody: sayingBodies(programMessage),
        },
      },
    )
    .post(
      '/tickets/:id/messages',
      async ({ caller, of, params, request, body: json, set }) => {
        const companyId = of('messages:send')
        const call = { request, json, schema: programSaying, companyId, key: keyOf(caller, request) }
        const { id, ids, ticketId } = await intake.take(call, (_input, said) =>
          sendInTicket(deps, { companyId, ticketId: params.id, key: call.key, ...said }),
        )
        set.status = 202
        return { id, ...(ids.length > 1 && { ids }), ticketId, ack: 1 }
      },
      {
        params: idParams,
        detail: {
          ...needs(
            'sendTicketMessage',
            'messages:send',
            'Say something in a ticket that waits or is served',
            'Whoever serves it goes on. A closed one is refused: 409 `ERR_TICKET_NOT_OPEN`; write to the number, and it opens again.',
          ),
          requestBody: sayingBodies(programSaying),
        },
      },
    )
}

function ticketRecords(deps: AppDeps) {
  const { db, now } = deps
  return new Elysia()
    .use(programs(deps))
    .get(
      '/tickets',
      async ({ of, query }) => {
        const companyId = of('tickets:read')
        return pageOf(db, tickets, companyId, query, await asTicket(db, companyId))
      },
      {
        query: inAddress(listQuery),
        detail: needs('listTickets', 'tickets:read', 'Tickets as they change'),
      },
    )
    .get(
      '/tickets/:id',
      async ({ of, params }) => {
        const companyId = of('tickets:read')
        return (await asTicket(db, companyId))(await ticketOf(db, companyId, params.id))
      },
      {
        params: idParams,
        detail: needs('getTicket', 'tickets:read', 'One ticket'),
      },
    )
    .get(
      '/tickets/:id/messages',
      async ({ of, params, query }) => {
        const companyId = of('messages:read')
        const ticket = await ticketOf(db, companyId, params.id)
        return pageOf(db, messages, companyId, query, toApiMessage, eq(messages.ticketId, ticket.id))
      },
      {
        params: idParams,
        query: inAddress(listQuery),
        detail: needs('listTicketMessages', 'messages:read', 'Messages of a ticket as they change'),
      },
    )
    .put(
      '/tickets/:id',
      async ({ caller, of, params, body }) => {
        const companyId = of('tickets:write')
        const changes: Change[] = await db.transaction(async (tx) => {
          const ticket = await lockTicket(tx, params.id)
          if (ticket?.companyId !== companyId) throw new DomainError('ERR_NO_TICKET_FOUND')
          return applyDecision(tx, companyId, await moveFor(tx, caller, ticket, body, now()))
        })
        deps.committed(changes)
        return (await asTicket(db, companyId))(await ticketOf(db, companyId, params.id))
      },
      {
        params: idParams,
        body: programTicket,
        detail: needs(
          'updateTicket',
          'tickets:write',
          'Transfer a ticket, return it to its queue, close it, set its tags, or fill in its fields',
        ),
      },
    )
}

function contactRecords(deps: AppDeps) {
  const { db, events, now } = deps
  const emitContact = (companyId: number, action: 'create' | 'update', id: number) =>
    events.emit({ companyId, name: 'contact', action, id })
  return new Elysia()
    .use(programs(deps))
    .get(
      '/contacts',
      async ({ of, query: { number, ...query } }) => {
        const companyId = of('contacts:read')
        const where = number === undefined ? undefined : inArray(contacts.number, numberVariants(number))
        return pageOf(db, contacts, companyId, query, await asContact(db, companyId), where)
      },
      {
        query: inAddress(contactQuery),
        detail: needs('listContacts', 'contacts:read', 'Contacts as they change, or the one with a number'),
      },
    )
    .get(
      '/contacts/:id',
      async ({ of, params }) => {
        const companyId = of('contacts:read')
        return (await asContact(db, companyId))(await contactOf(db, companyId, params.id))
      },
      {
        params: idParams,
        detail: needs('getContact', 'contacts:read', 'One contact'),
      },
    )
    .post(
      '/contacts',
      async ({ of, body, set }) => {
        const companyId = of('contacts:write')
        const at = async (number: string) =>
          (
            await db
              .select()
              .from(contacts)
              .where(and(eq(contacts.companyId, companyId), inArray(contacts.number, numberVariants(number))))
          )[0]
        const given = await typedNumber(db, companyId, body.number, 'country')
        const known = await at(given)
        const told = await asContact(db, companyId)
        if (known) return told(known)
        const number = await canonical(deps, companyId, given)
        const { name, email = '', extraInfo = [], disableBot = false } = body
        const fields = await keyedPatchOf(db, companyId, 'contact', body.fields)
        const [made] = await db
          .insert(contacts)
          .values({
            ...{ companyId, number, email, disableBot, name: name.trim(), nameSource: 'edited' },
            ...{ extraInfo: withIds(extraInfo), fields: mergedFields({}, fields), createdAt: now(), updatedAt: now() },
          })
          .onConflictDoNothing()
          .returning()
        const contact = made ?? (await at(number))
        if (!contact) throw new DomainError('ERR_DUPLICATED_CONTACT')
        if (made) {
          emitContact(companyId, 'create', made.id)
          set.status = 201
        }
        return told(contact)
      },
      {
        body: newProgramContact,
        detail: needs(
          'createContact',
          'contacts:write',
          'Make a contact (201), or be told the one with that number (200)',
        ),
      },
    )
    .put(
      '/contacts/:id',
      async ({ of, params, body }) => {
        const companyId = of('contacts:write')
        await contactOf(db, companyId, params.id)
        const { name, extraInfo, fields: given, ...rest } = body
        const fields = await keyedPatchOf(db, companyId, 'contact', given)
        await db
          .update(contacts)
          .set({
            ...rest,
            ...(name !== undefined && { name: name.trim(), nameSource: 'edited' as const }),
            ...(extraInfo !== undefined && { extraInfo: withIds(extraInfo) }),
            ...(given !== undefined && { fields: withPatch(contacts.fields, fields) }),
            updatedAt: now(),
          })
          .where(and(eq(contacts.companyId, companyId), eq(contacts.id, params.id)))
        emitContact(companyId, 'update', params.id)
        return (await asContact(db, companyId))(await contactOf(db, companyId, params.id))
      },
      {
        params: idParams,
        body: changedProgramContact,
        detail: needs('updateContact', 'contacts:write', 'Change a contact'),
      },
    )
}

function lists(deps: AppDeps) {
  const { db } = deps
  return new Elysia()
    .use(programs(deps))
    .get('/queues', ({ of, query }) => pageOf(db, queues, of('tickets:read'), query, toApiQueue), {
      query: inAddress(listQuery),
      detail: needs('listQueues', 'tickets:read', 'Queues as they change'),
    })
    .get('/tags', ({ of, query }) => pageOf(db, tagTable, of('tickets:read'), query, toApiTag), {
      query: inAddress(listQuery),
      detail: needs('listTags', 'tickets:read', 'Tags as they change'),
    })
    .get('/custom-fields', async ({ of }) => ({ records: (await fieldsOf(db, of('tickets:read'))).map(toApiField) }), {
      detail: needs('listCustomFields', 'tickets:read', 'The company’s own fields of contacts and tickets'),
    })
    .get('/users', ({ of, query }) => pageOf(db, users, of('tickets:read'), query, toApiUser), {
      query: inAddress(listQuery),
      detail: needs('listUsers', 'tickets:read', 'Users as they change'),
    })
    .get('/connections', ({ of, query }) => pageOf(db, whatsapps, of('tickets:read'), query, toApiConnection), {
      query: inAddress(listQuery),
      detail: needs('listConnections', 'tickets:read', 'Connections as they change'),
    })
}

function optOutRecords(deps: AppDeps) {
  const { db } = deps
  const outs = optOutCalls(deps)
  return new Elysia()
    .use(programs(deps))
    .get('/opt-outs', ({ of, query }) => pageOf(db, optOuts, of('contacts:read'), query, toApiOptOut), {
      query: inAddress(listQuery),
      detail: needs('listOptOuts', 'contacts:read', 'Who wants no messages to many, as it changes'),
    })
    .post(
      '/opt-outs',
      async ({ of, body, set }) => {
        const companyId = of('contacts:write')
        const number = await typedNumber(db, companyId, body.number, 'country')
        const known = await activeOptOut(db, companyId, number)
        if (known) return toApiOptOut(known)
        const row = await outs.note(companyId, { ...body, number, source: 'api', userId: null })
        set.status = 201
        return toApiOptOut(row)
      },
      {
        body: newOptOut,
        detail: needs(
          'createOptOut',
          'contacts:write',
          'Note that somebody wants no messages to many (201), or be told the entry there is (200)',
        ),
      },
    )
    .delete(
      '/opt-outs/:id',
      async ({ of, params, body }) =>
        toApiOptOut(await outs.revoke(of('contacts:write'), params.id, { userId: null, reason: body.reason })),
      {
        params: idParams,
        body: revokedOptOut,
        detail: needs('revokeOptOut', 'contacts:write', 'Take it back, for a reason; the entry stays'),
      },
    )
}

function webhookRecords(deps: AppDeps) {
  const webhooks = webhookCalls(deps)
  return new Elysia()
    .use(programs(deps))
    .get('/webhooks', ({ of }) => webhooks.list(of('webhooks:write')), {
      detail: needs('listWebhooks', 'webhooks:write', 'The company’s webhooks'),
    })
    .get('/webhooks/:id', ({ of, params }) => webhooks.one(of('webhooks:write'), params.id), {
      params: idParams,
      detail: needs('getWebhook', 'webhooks:write', 'One webhook'),
    })
    .post(
      '/webhooks',
      ({ of, body, set }) => {
        const companyId = of('webhooks:write')
        set.status = 201
        return webhooks.make(companyId, body)
      },
      {
        body: newWebhook,
        detail: needs('createWebhook', 'webhooks:write', 'Make a webhook; `secret` is told this once'),
      },
    )
    .put('/webhooks/:id', ({ of, params, body }) => webhooks.change(of('webhooks:write'), params.id, body), {
      params: idParams,
      body: changedWebhook,
      detail: needs('updateWebhook', 'webhooks:write', 'Change a webhook'),
    })
    .delete('/webhooks/:id', ({ of, params }) => webhooks.remove(of('webhooks:write'), params.id), {
      params: idParams,
      detail: needs('deleteWebhook', 'webhooks:write', 'Delete a webhook'),
    })
    .post('/webhooks/:id/test', ({ of, params }) => webhooks.test(of('webhooks:write'), params.id), {
      params: t.Object(idParams.properties),
      detail: needs('testWebhook', 'webhooks:write', 'Send `webhook.test`'),
    })
}
