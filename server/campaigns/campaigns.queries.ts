import { and, asc, desc, eq, isNotNull, sql } from 'drizzle-orm'
import { areDifferent, endReason, shareOf } from '../../schema/campaigns/campaigns.report.ts'
import { messagesOf } from '../../schema/campaigns/campaigns.message.ts'
import { type ShippingState, shippingStates } from '../../schema/campaigns/campaigns.state.ts'
import { bulkLines, type Campaign, campaigns, shippings } from '../../schema/campaigns/campaigns.table.ts'
import { CONFIRM_MS } from '../../schema/campaigns/campaigns.pace.ts'
import { type Waiting, waitingOf } from '../../schema/campaigns/campaigns.waiting.ts'
import { dayIn } from '../../schema/companies/companies.subscription.ts'
import { contactLists } from '../../schema/contact-lists/contact-lists.table.ts'
import { readableBy } from '../../schema/contacts/contacts.masking.ts'
import { DomainError } from '../../schema/errors.ts'
import type { Principal, Rights } from '../../schema/permissions.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { allowanceOf, hasWritten, usedToday } from './campaigns.bulk.queries.ts'
import { campaignSettingsOf } from './campaigns.settings.queries.ts'
import { anywhere } from '../tickets/tickets.queries.ts'
import { newChatHoldOf } from '../whatsapps/whatsapps.new-chats.queries.ts'

export const CAMPAIGNS_PER_PAGE = 20
const RECIPIENTS_PER_PAGE = 40

const joined = (db: Db) =>
  db
    .select({
      campaign: campaigns,
      contactList: { id: contactLists.id, name: contactLists.name },
      whatsapp: { id: whatsapps.id, name: whatsapps.name, status: whatsapps.status },
    })
    .from(campaigns)
    .leftJoin(contactLists, eq(contactLists.id, campaigns.contactListId))
    .leftJoin(whatsapps, eq(whatsapps.id, campaigns.whatsappId))
type Joined = Awaited<ReturnType<typeof joined>>[number]
const dressed = ({ campaign, contactList, whatsapp }: Joined) => {
  const { seed: _, planCursor: _cursor, sends: _sends, ...shown } = campaign
  return { ...shown, contactList, whatsapp }
}
export type CampaignRow = ReturnType<typeof dressed>

export async function listCampaigns(
  db: Db,
  companyId: number,
  { search, pageNumber }: { search: string | undefined; pageNumber: number },
) {
  const where = and(
    eq(campaigns.companyId, companyId),
    search ? sql`plain(${campaigns.name}) LIKE plain(${anywhere(search)})` : undefined,
  )
  const [rows, count] = await Promise.all([
    joined(db)
      .where(where)
      .orderBy(desc(campaigns.id))
      .limit(CAMPAIGNS_PER_PAGE + 1)
      .offset((pageNumber - 1) * CAMPAIGNS_PER_PAGE),
    db.$count(campaigns, where),
  ])
  return { records: rows.slice(0, CAMPAIGNS_PER_PAGE).map(dressed), count, hasMore: rows.length > CAMPAIGNS_PER_PAGE }
}

/** A campaign of the company with the names that its screen shows; undefined where there is none. */
export async function findCampaign(db: Db, companyId: number, id: number): Promise<CampaignRow | undefined> {
  const [row] = await joined(db).where(and(eq(campaigns.companyId, companyId), eq(campaigns.id, id)))
  return row && dressed(row)
}

/** A campaign of the company as its row is; undefined where there is none. */
export async function storedCampaign(db: Db, companyId: number, id: number): Promise<Campaign | undefined> {
  const [row] = await db
    .select()
    .from(campaigns)
    .where(and(eq(campaigns.companyId, companyId), eq(campaigns.id, id)))
  return row
}

/** The stored campaign, locked until the commit: what may be done with it, its status says. @throws ERR_NO_CAMPAIGN_FOUND */
export async function lockCampaign(tx: Tx, companyId: number, id: number): Promise<Campaign> {
  const [campaign] = await tx
    .select()
    .from(campaigns)
    .where(and(eq(campaigns.companyId, companyId), eq(campaigns.id, id)))
    .for('update')
  if (!campaign) throw new DomainError('ERR_NO_CAMPAIGN_FOUND')
  return campaign
}

/** The id that a new campaign will have. */
export async function reserveCampaignId(tx: Tx): Promise<number> {
  const [row] = await tx.execute<{ id: number }>(sql`SELECT nextval('campaigns_id_seq')::int AS id`)
  return row!.id
}

/** How a campaign goes, in numbers. `delivered` counts everybody whose phone has it. */
export async function reportOf(db: Db, campaign: CampaignRow, { timeZone, now }: { timeZone: string; now: Date }) {
  const mine = sql`"campaignId" = ${campaign.id}`
  const [states, [sums], variants, hours, failures, waiting] = await Promise.all([
    db.execute<{ state: ShippingState; n: number }>(
      sql`SELECT "state", count(*)::int AS n FROM ${shippings} WHERE ${mine} GROUP BY 1`,
    ),
    db.execute<Record<'asked' | 'confirmed' | 'left' | 'delivered' | 'read' | 'replied' | 'optedOut', number>>(sql`
      SELECT count("confirmationRequestedAt")::int AS asked, count("confirmedAt")::int AS confirmed,
        count(*) FILTER (WHERE "sentAt" IS NOT NULL AND "ack" >= 2)::int AS "left", count("deliveredAt")::int AS delivered,
        count("readAt")::int AS read, count("repliedAt")::int AS replied, count("optedOutAt")::int AS "optedOut"
      FROM ${shippings} WHERE ${mine}`),
    db.execute<Record<'index' | 'sent' | 'delivered' | 'read' | 'replied' | 'optedOut', number>>(sql`
      SELECT "messageIndex"::int AS index, count("sentAt")::int AS sent, count("deliveredAt")::int AS delivered,
        count("readAt")::int AS read,
        count(*) FILTER (WHERE "repliedAt" < "sentAt" + interval '72 hours')::int AS replied,
        count("optedOutAt")::int AS "optedOut"
      FROM ${shippings} WHERE ${mine} AND "sentAt" IS NOT NULL GROUP BY 1 ORDER BY 1`),
    // Hours as the company's clocks have them, told as moments.
    db.execute<{ hour: string; sent: number; replied: number }>(sql`
      SELECT to_char(date_trunc('hour', "sentAt", ${timeZone}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS hour,
        count(*)::int AS sent, count("repliedAt")::int AS replied
      FROM ${shippings} WHERE ${mine} AND "sentAt" IS NOT NULL GROUP BY 1 ORDER BY 1 DESC LIMIT 200`),
    db.execute<{ state: ShippingState; reason: string | null; n: number }>(sql`
      SELECT "state", "reason", count(*)::int AS n FROM ${shippings}
      WHERE ${mine} AND ("state" IN ('skipped', 'failed') OR ("state" = 'cancelled' AND "reason" IS NOT NULL)) GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 50`),
    waitingIn(db, campaign, { timeZone, now }),
  ])
  const counts = Object.fromEntries(shippingStates.map((state) => [state, 0])) as Record<ShippingState, number>
  for (const { state, n } of states) counts[state] = n
  const all = Object.values(counts).reduce((a, b) => a + b, 0)
  const texts = messagesOf(campaign)
  const shares = [...variants].map((row) => shareOf(row.replied, row.sent))
  return {
    counts,
    ...sums!,
    /** People who get a message, did or were to. */
    valid: all - counts.skipped - counts.cancelled,
    duplicates: campaign.duplicates,
    variants: [...variants].map((row, i) => ({ ...row, text: texts[row.index] ?? '', replies: shares[i]! })),
    isDifferent: areDifferent(shares),
    hours: [...hours].reverse(),
    failures: [...failures],
    waiting,
    endReason: endReason(campaign.status, counts),
  }
}

/** Why those who have nothing yet wait, as the sender would say it now. */
async function waitingIn(
  db: Db,
  campaign: CampaignRow,
  { timeZone, now }: { timeZone: string; now: Date },
): Promise<Waiting[]> {
  const { whatsappId } = campaign
  if (campaign.status !== 'EM_ANDAMENTO' || whatsappId === null) return []
  const hold = await newChatHoldOf(db, whatsappId, now)
  const withoutChat = hold ? sql`NOT ${hasWritten('shippings', sql`${whatsappId}::int`)}` : sql`false`
  const [[counts], settings, [line], used] = await Promise.all([
    db.execute<
      Record<'ready' | 'readyNew' | 'readyWithoutChat' | 'asked', number> & { askedAt: Date | string | null }
    >(sql`SELECT
        count("dueAt")::int AS ready,
        count("dueAt") FILTER (WHERE "isNewChat" AND "confirmedAt" IS NULL)::int AS "readyNew",
        count("dueAt") FILTER (WHERE ${withoutChat})::int AS "readyWithoutChat",
        count("confirmationRequestedAt") FILTER (WHERE "confirmedAt" IS NULL)::int AS asked,
        max("confirmationRequestedAt") FILTER (WHERE "confirmedAt" IS NULL) AS "askedAt"
      FROM ${shippings} WHERE "campaignId" = ${campaign.id} AND "state" = 'planned'`),
    campaignSettingsOf(db, campaign.companyId),
    db.select().from(bulkLines).where(eq(bulkLines.whatsappId, whatsappId)),
    usedToday(db, whatsappId, { today: dayIn(timeZone, now), timeZone }),
  ])
  const { ready, readyNew, readyWithoutChat, asked, askedAt } = counts!
  return waitingOf({
    ...{ now, timeZone, ready, readyNew, readyWithoutChat, asked, lockedUntil: hold?.until ?? null },
    isConnected: campaign.whatsapp?.status === 'CONNECTED',
    askedUntil: askedAt === null ? null : new Date(new Date(askedAt).getTime() + CONFIRM_MS),
    guard: campaign.bulkGuard ? { hours: settings.hours, ...allowanceOf(line, settings, used) } : null,
  })
}

const recipientColumns = {
  id: shippings.id,
  name: shippings.name,
  number: shippings.number,
  state: shippings.state,
  reason: shippings.reason,
  messageIndex: shippings.messageIndex,
  body: shippings.body,
  attempts: shippings.attempts,
  confirmationRequestedAt: shippings.confirmationRequestedAt,
  confirmedAt: shippings.confirmedAt,
  sentAt: shippings.sentAt,
  deliveredAt: shippings.deliveredAt,
  readAt: shippings.readAt,
  repliedAt: shippings.repliedAt,
  optedOutAt: shippings.optedOutAt,
  ticketId: shippings.ticketId,
  ticket: { id: tickets.id, uuid: tickets.uuid },
}

/** @param cursor id after which it goes on */
export async function recipientsOf(
  db: Db,
  companyId: number,
  campaignId: number,
  { state, reason, cursor, limit }: { state?: ShippingState; reason?: string; cursor?: number; limit?: number },
) {
  const most = limit ?? RECIPIENTS_PER_PAGE
  const rows = await db
    .select(recipientColumns)
    .from(shippings)
    .leftJoin(tickets, eq(tickets.id, shippings.ticketId))
    .where(
      and(
        eq(shippings.companyId, companyId),
        eq(shippings.campaignId, campaignId),
        state ? eq(shippings.state, state) : undefined,
        reason ? eq(shippings.reason, reason) : undefined,
        cursor ? sql`${shippings.id} > ${cursor}` : undefined,
      ),
    )
    .orderBy(asc(shippings.id))
    .limit(most + 1)
  const records = rows.slice(0, most)
  return { records, nextCursor: rows.length > most ? records.at(-1)!.id : null }
}

/** All of them, as `who` may read them; never more than a page in memory. */
export async function* allRecipients(db: Db, who: Rights & Pick<Principal, 'companyId'>, campaignId: number) {
  for (let cursor: number | undefined; ; ) {
    const { records, nextCursor } = await recipientsOf(db, who.companyId, campaignId, {
      limit: 1_000,
      ...(cursor && { cursor }),
    })
    yield* readableBy(who, records)
    if (nextCursor === null) return
    cursor = nextCursor
  }
}

/** What clients of this family count their report from; bounded, for a campaign may have fifty thousand. */
export const firstShippings = (db: Db, campaignId: number) =>
  db
    .select({
      id: shippings.id,
      number: shippings.number,
      deliveredAt: shippings.deliveredAt,
      confirmationRequestedAt: shippings.confirmationRequestedAt,
      confirmation: isNotNull(shippings.confirmedAt),
    })
    .from(shippings)
    .where(eq(shippings.campaignId, campaignId))
    .orderBy(asc(shippings.id))
    .limit(1_000)
