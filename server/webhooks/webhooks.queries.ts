import { and, asc, desc, eq, lt } from 'drizzle-orm'
import { DomainError } from '../../schema/errors.ts'
import {
  type Webhook,
  type WebhookDelivery,
  webhookDeliveries,
  webhooks,
} from '../../schema/webhooks/webhooks.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { openText, type Sealer } from '../seal.ts'

/** A webhook as it is shown: its secret is told when it is made, and never again. */
export const shown = ({ secret: _secret, companyId: _company, ...row }: Webhook) => row
export type WebhookRow = ReturnType<typeof shown>

export const shownDelivery = ({ companyId: _company, lockedUntil: _locked, lockedBy: _by, ...row }: WebhookDelivery) =>
  row

// ── secrets ──────────────────────────────────────────────────────────────────────────────────

/** What `secret` holds, sealed. */
export interface KeptSecret {
  secret: string
  /** The one before, which signs as well until then (milliseconds since 1970). */
  before?: string
  until?: number
}

export const placeOf = (id: number) => `webhooks:${id}:secret`

/** The secrets that sign now: the newest first. */
export function secretsOf(sealer: Sealer, row: Pick<Webhook, 'id' | 'secret'>, now: Date): string[] {
  const { secret, before, until = 0 } = JSON.parse(openText(sealer, row.secret, placeOf(row.id))) as KeptSecret
  return [secret, ...(before && until > now.getTime() ? [before] : [])]
}

// ── webhooks ─────────────────────────────────────────────────────────────────────────────────

export async function listWebhooks(db: Db, companyId: number): Promise<WebhookRow[]> {
  const rows = await db.select().from(webhooks).where(eq(webhooks.companyId, companyId)).orderBy(asc(webhooks.id))
  return rows.map(shown)
}

/** Ids of a company's webhooks, of those that are on alone where nothing else is said. */
export async function webhookIdsOf(db: Db | Tx, companyId: number, { alsoOff = false } = {}): Promise<Set<number>> {
  const rows = await db
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(and(eq(webhooks.companyId, companyId), alsoOff ? undefined : eq(webhooks.active, true)))
  return new Set(rows.map(({ id }) => id))
}

/** @throws DomainError `ERR_NO_WEBHOOK_FOUND` */
export async function needWebhook(db: Db | Tx, companyId: number, id: number): Promise<Webhook> {
  const [row] = await db
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.companyId, companyId), eq(webhooks.id, id)))
  if (!row) throw new DomainError('ERR_NO_WEBHOOK_FOUND')
  return row
}

// ── deliveries ───────────────────────────────────────────────────────────────────────────────

export interface DeliveryFilter {
  state?: WebhookDelivery['state'] | undefined
  /** Id of a delivery: only older ones. */
  before?: number | undefined
  limit: number
}

/** The log of a webhook, the newest first. */
export async function listDeliveries(
  db: Db,
  companyId: number,
  webhookId: number,
  { state, before, limit }: DeliveryFilter,
) {
  await needWebhook(db, companyId, webhookId)
  const rows = await db
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.webhookId, webhookId),
        eq(webhookDeliveries.companyId, companyId),
        state && eq(webhookDeliveries.state, state),
        before === undefined ? undefined : lt(webhookDeliveries.id, before),
      ),
    )
    .orderBy(desc(webhookDeliveries.id))
    .limit(limit + 1)
  const records = rows.slice(0, limit).map(shownDelivery)
  return { records, nextCursor: rows.length > limit ? String(records.at(-1)!.id) : null }
}
