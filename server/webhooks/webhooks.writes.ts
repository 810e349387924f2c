import { and, asc, eq, gte, lte, sql } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import type { EffectOf } from '../../schema/effects.ts'
import { DomainError } from '../../schema/errors.ts'
import { toApiContact, toApiMessage, toApiTicket } from '../../schema/external/external.rows.ts'
import { newId } from '../../schema/ids.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { BOTH_SECRETS_MS, MOST_WEBHOOKS } from '../../schema/webhooks/webhooks.events.ts'
import type { WebhookInput } from '../../schema/webhooks/webhooks.inputs.ts'
import { payloadOf } from '../../schema/webhooks/webhooks.payload.ts'
import { type Webhook, webhookDeliveries, webhooks } from '../../schema/webhooks/webhooks.table.ts'
import { demandOwned } from '../commands/owned.ts'
import { fieldsOfAll } from '../custom-fields/custom-fields.queries.ts'
import type { Db } from '../db/database.ts'
import { type Sealer, sealText } from '../seal.ts'
import { newWebhookSecret } from '../signing.ts'
import { type KeptSecret, needWebhook, placeOf, secretsOf, shownDelivery } from './webhooks.queries.ts'

const seal = (sealer: Sealer, id: number, kept: KeptSecret) => sealText(sealer, JSON.stringify(kept), placeOf(id))

/**
 * @returns the secret in plain, for this once; it is kept sealed
 * @throws DomainError `ERR_WEBHOOK_LIMIT`, `ERR_NO_QUEUE_FOUND`
 */
export async function makeWebhook(
  db: Db,
  sealer: Sealer,
  companyId: number,
  input: Pick<WebhookInput, 'url' | 'events'> & Partial<WebhookInput>,
  now: Date,
): Promise<{ secret: string; row: Webhook }> {
  return db.transaction(async (tx) => {
    // Two at once are counted one after the other.
    await tx.select({ id: companies.id }).from(companies).where(eq(companies.id, companyId)).for('update')
    if ((await tx.$count(webhooks, eq(webhooks.companyId, companyId))) >= MOST_WEBHOOKS)
      throw new DomainError('ERR_WEBHOOK_LIMIT', { limit: MOST_WEBHOOKS })
    await demandOwned(tx, companyId, 'queues', input.queueIds)
    const { url, events, queueIds = [], active = true } = input
    const [made] = await tx
      .insert(webhooks)
      .values({ companyId, url, events, queueIds, active, secret: '', createdAt: now, updatedAt: now })
      .returning({ id: webhooks.id })
    const secret = newWebhookSecret()
    const [row] = await tx
      .update(webhooks)
      .set({ secret: seal(sealer, made!.id, { secret }) })
      .where(eq(webhooks.id, made!.id))
      .returning()
    return { secret, row: row! }
  })
}

/** @throws DomainError `ERR_NO_WEBHOOK_FOUND`, `ERR_NO_QUEUE_FOUND` */
export async function changeWebhook(
  db: Db,
  companyId: number,
  id: number,
  input: Partial<WebhookInput>,
  now: Date,
): Promise<Webhook> {
  return db.transaction(async (tx) => {
    await needWebhook(tx, companyId, id)
    await demandOwned(tx, companyId, 'queues', input.queueIds)
    const { url, events, queueIds, active } = input
    const [row] = await tx
      .update(webhooks)
      .set({
        ...(url !== undefined && { url }),
        ...(events !== undefined && { events }),
        ...(queueIds !== undefined && { queueIds }),
        // Who switches it on again gives it as much time as a new one has.
        ...(active !== undefined && { active, disabledReason: null, failingSince: null }),
        updatedAt: now,
      })
      .where(eq(webhooks.id, id))
      .returning()
    return row!
  })
}

/** Another secret; the one before signs as well for a day, so that its receiver has time to change it, too. */
export async function rotateSecret(db: Db, sealer: Sealer, companyId: number, id: number, now: Date): Promise<string> {
  return db.transaction(async (tx) => {
    const row = await needWebhook(tx, companyId, id)
    const [before = ''] = secretsOf(sealer, row, now)
    const secret = newWebhookSecret()
    await tx
      .update(webhooks)
      .set({
        secret: seal(sealer, id, { secret, before, until: now.getTime() + BOTH_SECRETS_MS }),
        updatedAt: now,
      })
      .where(eq(webhooks.id, id))
    return secret
  })
}

export async function removeWebhook(db: Db, companyId: number, id: number): Promise<void> {
  await needWebhook(db, companyId, id)
  await db.delete(webhooks).where(and(eq(webhooks.companyId, companyId), eq(webhooks.id, id)))
}

/** An event of no consequence, for whoever sets a webhook up. */
export async function makeTest(db: Db, companyId: number, id: number, now: Date) {
  await needWebhook(db, companyId, id)
  const eventId = newId()
  const payload = payloadOf('webhook.test', now, { webhookId: id }, Buffer.byteLength)
  const [row] = await db
    .insert(webhookDeliveries)
    .values({ companyId, webhookId: id, eventId, type: 'webhook.test', payload, nextAt: now, createdAt: now })
    .returning()
  return shownDelivery(row!)
}

/**
 * What a rule tells a webhook of a ticket, as it is now. Asked for twice it is told once; one that is off, or gone, is told
 * nothing, and of what is gone nobody is told.
 */
export async function makeOfRule(
  db: Db,
  companyId: number,
  { webhookId, ticketId, eventId, rule, messageId }: EffectOf<'webhooks.rule'>,
  now: Date,
): Promise<void> {
  const [hook] = await db
    .select({ active: webhooks.active })
    .from(webhooks)
    .where(and(eq(webhooks.companyId, companyId), eq(webhooks.id, webhookId)))
  if (!hook?.active) return
  const [found] = await db
    .select({ ticket: tickets, contact: contacts })
    .from(tickets)
    .innerJoin(contacts, eq(contacts.id, tickets.contactId))
    .where(and(eq(tickets.companyId, companyId), eq(tickets.id, ticketId)))
  if (!found) return
  const [message] = messageId
    ? await db
        .select()
        .from(messages)
        .where(and(eq(messages.companyId, companyId), eq(messages.id, messageId)))
    : []
  const fields = (await fieldsOfAll(db, [companyId])).get(companyId) ?? []
  const data = {
    ...{ rule, ticket: toApiTicket(found.ticket, fields), contact: toApiContact(found.contact, fields) },
    message: message ? toApiMessage(message) : null,
  }
  const payload = payloadOf('rule.acted', now, data, Buffer.byteLength)
  await db
    .insert(webhookDeliveries)
    .values({ companyId, webhookId, eventId, type: 'rule.acted', payload, nextAt: now, createdAt: now })
    .onConflictDoNothing()
}

/** What is sent again is the same event: same id, same body. Its tries begin anew; those before stay in the log. */
const again = (now: Date) => ({ state: 'waiting' as const, tries: 0, nextAt: now, lockedUntil: null })

/** @throws DomainError `ERR_NO_DELIVERY_FOUND` */
export async function replayOne(db: Db, companyId: number, webhookId: number, deliveryId: number, now: Date) {
  await needWebhook(db, companyId, webhookId)
  const [row] = await db
    .update(webhookDeliveries)
    .set(again(now))
    .where(
      and(
        eq(webhookDeliveries.companyId, companyId),
        eq(webhookDeliveries.webhookId, webhookId),
        eq(webhookDeliveries.id, deliveryId),
      ),
    )
    .returning()
  if (!row) throw new DomainError('ERR_NO_DELIVERY_FOUND')
  return shownDelivery(row)
}

/** So many in one call; who wants more asks again from where it ended. */
const MOST_REPLAYED = 10_000

/** @returns how many are sent again */
export async function replaySpan(
  db: Db,
  companyId: number,
  webhookId: number,
  { from, to }: { from: Date; to: Date },
  now: Date,
): Promise<{ replayed: number; isMore: boolean }> {
  await needWebhook(db, companyId, webhookId)
  const rows = await db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.companyId, companyId),
        eq(webhookDeliveries.webhookId, webhookId),
        gte(webhookDeliveries.createdAt, from),
        lte(webhookDeliveries.createdAt, to),
      ),
    )
    .orderBy(asc(webhookDeliveries.id))
    .limit(MOST_REPLAYED + 1)
  const ids = rows.slice(0, MOST_REPLAYED).map(({ id }) => id)
  if (ids.length > 0)
    await db
      .update(webhookDeliveries)
      .set(again(now))
      .where(sql`${webhookDeliveries.id} = ANY(${sql.param(ids)}::bigint[])`)
  return { replayed: ids.length, isMore: rows.length > ids.length }
}
