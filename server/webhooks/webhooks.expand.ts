import { and, asc, count, eq, inArray, or, sql } from 'drizzle-orm'
import { type Campaign, campaigns, shippings } from '../../schema/campaigns/campaigns.table.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import {
  type ApiTicket,
  toApiCampaign,
  toApiContact,
  toApiMessage,
  toApiOptOut,
  toApiTicket,
} from '../../schema/external/external.rows.ts'
import type { CustomField, FieldPatch } from '../../schema/custom-fields/custom-fields.table.ts'
import { byKey } from '../../schema/custom-fields/custom-fields.values.ts'
import { newId } from '../../schema/ids.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { type OptOut, optOuts } from '../../schema/opt-outs/opt-outs.table.ts'
import { ticketEvents, tickets } from '../../schema/tickets/tickets.table.ts'
import { type EventData, payloadOf } from '../../schema/webhooks/webhooks.payload.ts'
import { webhookDeliveries, webhookOutbox, webhooks } from '../../schema/webhooks/webhooks.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { fieldsOfAll } from '../custom-fields/custom-fields.queries.ts'
import type { Db, Tx } from '../db/database.ts'

/** So many in one transaction. */
const BATCH = 200

type Row = typeof webhookOutbox.$inferSelect
const OPTED_OUT = 'contact.opted_out'

/**
 * Makes deliveries of what has been written down: a body for each event, a row for each webhook that wants it.
 * What was written down goes in the same transaction, so each is made once, whenever a process dies.
 * @returns how many events were taken up
 */
export async function expandOutbox(db: Db, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const rows = await tx
      .select()
      .from(webhookOutbox)
      .orderBy(asc(webhookOutbox.id))
      .limit(BATCH)
      .for('update', { skipLocked: true })
    if (rows.length === 0) return 0
    const companyIds = [...new Set(rows.map(({ companyId }) => companyId))]
    const [hooks, fields, known] = await Promise.all([
      tx
        .select()
        .from(webhooks)
        .where(and(inArray(webhooks.companyId, companyIds), eq(webhooks.active, true))),
      fieldsOfAll(tx, companyIds),
      load(tx, rows),
    ])
    const deliveries = rows.flatMap((row) => {
      const found = dataOf(known, row, fields.get(row.companyId) ?? [])
      if (!found) return []
      const eventId = newId()
      const wanting = hooks.filter(
        (hook) =>
          hook.companyId === row.companyId &&
          hook.events.includes(row.type) &&
          (hook.queueIds.length === 0 || !found.ticket || hook.queueIds.includes(found.ticket.queueId ?? 0)),
      )
      if (wanting.length === 0) return []
      const payload = payloadOf(row.type, row.createdAt, found.data, Buffer.byteLength)
      return wanting.map(({ id }) => ({
        ...{ companyId: row.companyId, webhookId: id, eventId, type: row.type, payload },
        ...{ nextAt: now, createdAt: now },
      }))
    })
    if (deliveries.length > 0) await tx.insert(webhookDeliveries).values(deliveries)
    await tx.delete(webhookOutbox).where(
      inArray(
        webhookOutbox.id,
        rows.map(({ id }) => id),
      ),
    )
    return rows.length
  })
}

interface Told {
  data: EventData
  /** By whose queue a webhook may leave it out. */
  ticket?: Pick<ApiTicket, 'queueId'>
}

/** What the events are about, as it is now, but for what they themselves say of it. */
async function load(tx: Tx, rows: readonly Row[]) {
  const about = (kind: string) =>
    rows.filter(({ type }) =>
      kind === 'optOut' ? type === OPTED_OUT : type !== OPTED_OUT && type.startsWith(`${kind}.`),
    )
  const ids = (kind: string) => [...new Set(about(kind).map(({ subject }) => Number(subject)))]
  const among = <T>(list: readonly T[], find: () => PromiseLike<unknown[]>) => (list.length === 0 ? [] : find())
  const messageIds = [...new Set(about('message').map(({ subject }) => subject))]
  const [said, moved, who, known, lines, outs, bulk, counts] = await Promise.all([
    among(messageIds, () =>
      tx
        .select({ message: messages, ticket: tickets, contact: contacts })
        .from(messages)
        .innerJoin(tickets, eq(tickets.id, messages.ticketId))
        .innerJoin(contacts, eq(contacts.id, messages.contactId))
        .where(inArray(messages.id, messageIds)),
    ) as Promise<
      {
        message: typeof messages.$inferSelect
        ticket: typeof tickets.$inferSelect
        contact: typeof contacts.$inferSelect
      }[]
    >,
    among(ids('ticket'), () =>
      tx
        .select()
        .from(tickets)
        .where(inArray(tickets.id, ids('ticket'))),
    ) as Promise<(typeof tickets.$inferSelect)[]>,
    // The row of the timeline that the same transaction has written. Who did it is a user, or nobody of the company.
    among(ids('ticket'), () =>
      tx
        .select({
          ticketId: ticketEvents.ticketId,
          userId: ticketEvents.userId,
          xid: sql<string>`${ticketEvents}.xmin::text`,
        })
        .from(ticketEvents)
        .where(
          and(
            inArray(ticketEvents.ticketId, ids('ticket')),
            sql`${ticketEvents}.xmin::text = ANY(${sql.param(about('ticket').map(({ xid }) => xid))}::text[])`,
          ),
        ),
    ) as Promise<{ ticketId: number; userId: number | null; xid: string }[]>,
    among(ids('contact'), () =>
      tx
        .select()
        .from(contacts)
        .where(inArray(contacts.id, ids('contact'))),
    ) as Promise<(typeof contacts.$inferSelect)[]>,
    among(ids('connection'), () =>
      tx
        .select()
        .from(whatsapps)
        .where(inArray(whatsapps.id, ids('connection'))),
    ) as Promise<(typeof whatsapps.$inferSelect)[]>,
    among(ids('optOut'), () =>
      tx
        .select({ optOut: optOuts, contact: contacts })
        .from(optOuts)
        .leftJoin(
          contacts,
          and(
            eq(contacts.companyId, optOuts.companyId),
            or(
              sql`${optOuts.number} <> '' AND number_key(${contacts.number}) = ${optOuts.key}`,
              sql`${optOuts.lid} IS NOT NULL AND ${contacts.lid} = ${optOuts.lid}`,
            ),
          ),
        )
        .where(inArray(optOuts.id, ids('optOut'))),
    ) as Promise<{ optOut: OptOut; contact: typeof contacts.$inferSelect | null }[]>,
    among(ids('campaign'), () =>
      tx
        .select()
        .from(campaigns)
        .where(inArray(campaigns.id, ids('campaign'))),
    ) as Promise<Campaign[]>,
    among(ids('campaign'), () =>
      tx
        .select({ id: shippings.campaignId, state: shippings.state, n: count() })
        .from(shippings)
        .where(inArray(shippings.campaignId, ids('campaign')))
        .groupBy(shippings.campaignId, shippings.state),
    ) as Promise<{ id: number; state: string; n: number }[]>,
  ])
  const byId = <T extends { id: number }>(list: readonly T[]) => new Map(list.map((one) => [one.id, one]))
  return {
    messageOf: new Map(said.map((one) => [one.message.id, one])),
    ticketOf: byId(moved),
    contactOf: byId(known),
    lineOf: byId(lines),
    outOf: new Map(outs.map((one) => [one.optOut.id, one])),
    campaignOf: byId(bulk),
    countsOf: Map.groupBy(counts, ({ id }) => id),
    actorOf: new Map(who.map(({ ticketId, xid, userId }) => [`${ticketId}/${xid}`, userId])),
  }
}

/** What one event tells; undefined where what it is about is gone. */
function dataOf(
  known: Awaited<ReturnType<typeof load>>,
  { type, subject, data, xid }: Row,
  fields: readonly CustomField[],
): Told | undefined {
  const kind = type.split('.')[0]
  const { changes: stored = {}, ...then } = data as { changes?: Record<string, unknown> }
  // Written down by their ids.
  const { fields: filled } = stored as { fields?: [FieldPatch, FieldPatch] }
  const entity = kind === 'ticket' ? 'ticket' : 'contact'
  const changes = filled ? { ...stored, fields: filled.map((values) => byKey(fields, entity, values)) } : stored
  if (kind === 'message') {
    const found = known.messageOf.get(subject)
    if (!found) return undefined
    const ticket = toApiTicket(found.ticket, fields)
    // A tick is what it was, also when the next has come meanwhile.
    const message = { ...toApiMessage(found.message), ...(then as { ack?: number }) }
    return { data: { message, ticket, contact: toApiContact(found.contact, fields) }, ticket }
  }
  if (kind === 'ticket') {
    const found = known.ticketOf.get(Number(subject))
    if (!found) return undefined
    const ticket = { ...toApiTicket(found, fields), ...(then as Partial<ApiTicket>) }
    const userId = known.actorOf.get(`${found.id}/${xid}`)
    return { data: { ticket, changes, actor: userId ? { type: 'user', id: userId } : null }, ticket }
  }
  if (type === OPTED_OUT) {
    const found = known.outOf.get(Number(subject))
    const contact = found?.contact ? toApiContact(found.contact, fields) : null
    return found && { data: { contact, optOut: toApiOptOut(found.optOut) } }
  }
  if (kind === 'campaign') {
    const found = known.campaignOf.get(Number(subject))
    if (!found) return undefined
    const { status, reason } = then as { status: Campaign['status']; reason: string | null }
    const people = Object.fromEntries((known.countsOf.get(found.id) ?? []).map(({ state, n }) => [state, n]))
    return { data: { campaign: { ...toApiCampaign(found), status }, counts: people, reason } }
  }
  if (kind === 'contact') {
    const found = known.contactOf.get(Number(subject))
    return found && { data: { contact: toApiContact(found, fields), changes } }
  }
  const found = known.lineOf.get(Number(subject))
  if (!found) return undefined
  const { status, reason } = then as { status: string; reason: string | null }
  const { id, name, number } = found
  return { data: { connection: { id, name, number }, status, reason } }
}
