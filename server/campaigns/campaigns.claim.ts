import { and, asc, eq, isNotNull, sql } from 'drizzle-orm'
import { midnightAfter } from '../../schema/campaigns/campaigns.forecast.ts'
import { heldBy, stepOn, stopBy } from '../../schema/campaigns/campaigns.guard.ts'
import { nextOpen } from '../../schema/campaigns/campaigns.hours.ts'
import { draw, fill, hasLongText } from '../../schema/campaigns/campaigns.message.ts'
import { gapAfter, isPaced } from '../../schema/campaigns/campaigns.pace.ts'
import { aboutFor, isLacking, templateStopOf } from '../../schema/campaigns/campaigns.template.ts'
import type { CampaignSettings } from '../../schema/campaigns/campaigns.settings.ts'
import {
  type BulkLine,
  bulkLines,
  type Campaign,
  campaigns,
  type Shipping,
  shippings,
} from '../../schema/campaigns/campaigns.table.ts'
import { changeCampaign } from '../../schema/campaigns/campaigns.transition.ts'
import { type MovedShipping, moveShipping } from '../../schema/campaigns/shippings.decide.ts'
import { lapsedBefore, nextAttempt, type ShippingEvent } from '../../schema/campaigns/shippings.transition.ts'
import { dayIn, isSubscribed } from '../../schema/companies/companies.subscription.ts'
import { CHECK_VALID_MS } from '../../schema/contact-lists/contact-lists.inputs.ts'
import { widOf } from '../../schema/ids.ts'
import type { Template } from '../../schema/templates/templates.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { applyDecision } from '../commands/apply.ts'
import type { Db, Tx } from '../db/database.ts'
import type { CompanyConfig, CompanyFacts } from '../settings/settings.facts.ts'
import { idIn } from '../tickets/tickets.facts.ts'
import { newChatHoldOf } from '../whatsapps/whatsapps.new-chats.queries.ts'
import { templateFor } from './campaigns.template.queries.ts'
import { allowanceOf, hasWritten, isBegun, isOut, latelyOf, usedToday } from './campaigns.bulk.queries.ts'
import { lockLine } from './campaigns.bulk.writes.ts'
import type { BulkFacts } from './campaigns.settings.queries.ts'
import { changeCampaigns, lockCampaigns, moveShippings } from './campaigns.writes.ts'

/**
 * What a connection sends next to many. It is taken from the database in a transaction that also says when the one after
 * it may leave, so a process that dies repeats nothing but the message at hand, under the same id.
 */
export interface ClaimDeps {
  db: Db
  now(): Date
  facts: CompanyFacts
  bulk: BulkFacts
  changed(campaign: { id: number; companyId: number }): void
}

/** Without a pause so many may be on their way to WhatsApp at the same time, and so many are taken at once; with one, one. */
const MOST_LEAVING = 16
const TAKEN_AT_ONCE = 8
const POLL_MS = 500
/** Each look asks of all who wait whether they have written. */
const LOCKED_LOOK_MS = 10_000
/**
 * Who asks about a number has it to themselves for so long, and whoever died asking keeps it. A sender asks about one number
 * after the other, so a slow answer is not asked for twice; after another server's death a second question does no harm.
 */
const ASKING_MS = 20_000
/** Opted-out people that one transaction passes over, and people without an answer that one lets go. */
const PASS_AT_ONCE = 50
const LAPSE_AT_ONCE = 1_000

export type Claim =
  /** `lookMs`: how soon it is looked again at the latest; what changes before that is told by a poke. */
  | { kind: 'wait'; at: Date | null; lookMs?: number }
  | { kind: 'again' }
  | { kind: 'check'; shipping: Shipping; gapMs: number }
  | { kind: 'send'; sends: Sending[]; campaign: Campaign; paced: boolean }

export interface Sending {
  shipping: Shipping
  isQuestion: boolean
}

/** What is asked about a connection, and what is known of it. */
interface Claiming {
  /** Until when WhatsApp lets the connection begin no chats; null where it may. */
  lockedUntil: Date | null
  whatsappId: number
  companyId: number
  company: CompanyConfig
  settings: CampaignSettings
  /** By which wire the connection speaks. */
  provider: string | null
  now: Date
  /** Of which somebody is told after the commit. */
  touched: { id: number; companyId: number }[]
  /** Told which rows have no word from WhatsApp yet. */
  leaving(ids: ReadonlySet<number>): void
}

const running = (whatsappId: number) =>
  and(eq(campaigns.whatsappId, whatsappId), eq(campaigns.status, 'EM_ANDAMENTO'), isNotNull(campaigns.plannedAt))

/** The next message of a connection, or when there is one. @param leaving is told which rows wait for WhatsApp's word */
export async function claimNext(deps: ClaimDeps, whatsappId: number, leaving: Claiming['leaving']): Promise<Claim> {
  const { db } = deps
  const now = deps.now()
  const [owner] = await db
    .select({
      companyId: campaigns.companyId,
      leaving: sql<number>`(SELECT count(*)::int FROM ${shippings} s WHERE s."whatsappId" = ${whatsappId} AND s."ack" = 1)`,
      provider: sql<string | null>`(SELECT w."provider" FROM ${whatsapps} w WHERE w."id" = ${whatsappId})`,
    })
    .from(campaigns)
    .where(running(whatsappId))
    .limit(1)
  if (!owner) return { kind: 'wait', at: null }
  const { companyId, provider } = owner
  // Asked before the transaction begins: one that waits for a second connection can starve the pool.
  const [company, { settings }] = await Promise.all([deps.facts.of(companyId), deps.bulk.of(companyId)])
  const later = (ms: number): Claim => ({ kind: 'wait', at: new Date(now.getTime() + ms) })
  if (!isPaced(settings) && owner.leaving > MOST_LEAVING - TAKEN_AT_ONCE) return later(POLL_MS)
  if (!isSubscribed(company.subscription, now) || company.planLacks.includes('useCampaigns')) return later(60_000)
  const touched: { id: number; companyId: number }[] = []
  const claimed = await db.transaction(async (tx) => {
    const lockedUntil = (await newChatHoldOf(tx, whatsappId, now))?.until ?? null
    return claimIn(tx, { lockedUntil, whatsappId, companyId, company, settings, provider, now, touched, leaving })
  })
  for (const campaign of touched) deps.changed(campaign)
  return claimed
}

async function claimIn(tx: Tx, claiming: Claiming): Promise<Claim> {
  const { whatsappId, companyId, settings, now, touched } = claiming
  const [line, atWork, leaving] = await Promise.all([
    lockLine(tx, whatsappId, companyId),
    tx
      .select()
      .from(campaigns)
      .where(running(whatsappId))
      .orderBy(asc(campaigns.startedAt), asc(campaigns.id))
      .limit(10)
      .for('no key update'),
    tx
      .select({ id: shippings.id })
      .from(shippings)
      .where(and(eq(shippings.whatsappId, whatsappId), eq(shippings.ack, 1)))
      .limit(MOST_LEAVING + 1),
  ])
  if (line.stoppedAt || atWork.length === 0) return { kind: 'wait', at: null }
  claiming.leaving(new Set(leaving.map(({ id }) => id)))
  if (line.nextAt && line.nextAt > now) {
    // Who has nobody left does not wait for the next one's turn to be over.
    for (const campaign of atWork) await finishServed(tx, claiming, campaign)
    return { kind: 'wait', at: line.nextAt }
  }
  const paced = isPaced(settings)
  if (leaving.length >= (paced ? 1 : MOST_LEAVING)) return { kind: 'wait', at: new Date(now.getTime() + POLL_MS) }
  const wakes: Date[] = []
  for (const campaign of await answeredFirst(tx, atWork, now)) {
    // Its variables have grown since it began.
    if (hasLongText(campaign, settings.variables)) {
      await changeCampaigns(tx, [campaign], { type: 'stop', reason: 'too_long' }, now)
      touched.push(campaign)
      continue
    }
    const template = await templateFor(tx, campaign)
    const stop = templateStopOf(campaign, claiming.provider, template)
    if (stop) {
      await changeCampaigns(tx, [campaign], { type: 'stop', reason: stop }, now)
      touched.push(campaign)
      continue
    }
    const gate = campaign.bulkGuard ? await guardOf(tx, claiming, campaign, line) : { noNewChats: false }
    if ('paused' in gate) return { kind: 'again' }
    if ('at' in gate) {
      if (gate.at) wakes.push(gate.at)
      continue
    }
    // What guards a number is asked before each message.
    const most = paced || campaign.bulkGuard ? 1 : Math.min(TAKEN_AT_ONCE, MOST_LEAVING - leaving.length)
    const found = await pick(tx, claiming, campaign, line, { noNewChats: gate.noNewChats, most, template })
    if ('claim' in found) return found.claim
    if (found.at) wakes.push(found.at)
  }
  if (touched.length > 0) return { kind: 'again' }
  const [wake = null] = wakes.sort((a, b) => a.getTime() - b.getTime())
  return { kind: 'wait', at: wake, ...(claiming.lockedUntil && { lookMs: LOCKED_LOOK_MS }) }
}

/** Campaigns to whose question somebody has said yes come before others: they wait for it. */
async function answeredFirst(tx: Tx, atWork: Campaign[], now: Date): Promise<Campaign[]> {
  if (atWork.length < 2 || !atWork.some(({ confirmation }) => confirmation)) return atWork
  const ids = sql.param(atWork.map(({ id }) => id))
  const rows = await tx.execute<{ id: number }>(sql`SELECT DISTINCT "campaignId" AS id FROM ${shippings}
    WHERE "campaignId" = ANY(${ids}::int[]) AND "turn" < 0 AND "state" = 'planned' AND "dueAt" <= ${now.toISOString()}::timestamptz`)
  const waited = new Set(rows.map(({ id }) => id))
  return atWork.toSorted((a, b) => Number(waited.has(b.id)) - Number(waited.has(a.id)))
}

/** What the rules that protect a number say now. */
async function guardOf(
  tx: Tx,
  { whatsappId, company, settings, now, touched }: Claiming,
  campaign: Campaign,
  line: BulkLine,
): Promise<{ paused: true } | { at: Date | null } | { noNewChats: boolean }> {
  const { timeZone } = company
  const open = nextOpen(settings.hours, now, timeZone)
  if (!open || open > now) return { at: open }
  const reason = stopBy(await latelyOf(tx, whatsappId, now, line.ratesSince ?? new Date(0)))
  if (reason) {
    const guarded = and(
      ...[eq(campaigns.whatsappId, whatsappId), eq(campaigns.status, 'EM_ANDAMENTO'), eq(campaigns.bulkGuard, true)],
    )
    await changeCampaigns(tx, await lockCampaigns(tx, guarded), { type: 'stop', reason }, now)
    await tx
      .update(bulkLines)
      .set({ warmupStep: 0, warmupDay: null, ratesSince: now })
      .where(eq(bulkLines.whatsappId, whatsappId))
    touched.push(campaign)
    return { paused: true }
  }
  const today = dayIn(timeZone, now)
  const used = await usedToday(tx, whatsappId, { today, timeZone })
  const held = heldBy(allowanceOf(line, settings, used), today)
  return held === 'all' ? { at: midnightAfter(now, timeZone) } : { noNewChats: held === 'new_chats' }
}

async function pick(
  tx: Tx,
  claiming: Claiming,
  campaign: Campaign,
  line: BulkLine,
  { noNewChats, most, template }: { noNewChats: boolean; most: number; template: Template | undefined },
): Promise<{ claim: Claim } | { at: Date | null }> {
  const { companyId, settings, now, touched } = claiming
  const due = and(
    ...[eq(shippings.campaignId, campaign.id), eq(shippings.state, 'planned')],
    sql`${shippings.dueAt} <= ${now.toISOString()}::timestamptz`,
    mayLeaveNow(claiming, noNewChats),
  )
  // None of them but the last is followed by a pause.
  let wanted = 1
  while (wanted < most && gapAfter(settings, campaign.sends + wanted, campaign.seed) === 0) wanted++
  for (let passed = 0; passed < PASS_AT_ONCE; passed++) {
    const rows = await tx
      .select({ shipping: shippings, isOut: isOut('shippings') })
      .from(shippings)
      .where(due)
      .orderBy(asc(shippings.turn), asc(shippings.id))
      .limit(wanted)
      .for('update', { of: shippings, skipLocked: true })
    if (rows.length === 0) return nothingDue(tx, claiming, campaign, noNewChats)
    const out = rows.flatMap(({ shipping, isOut }) => (isOut ? shipping : []))
    if (out.length > 0) {
      await happened(tx, companyId, out, { type: 'optOut' }, now)
      touched.push(campaign)
    }
    const lacks = (shipping: Shipping) =>
      template !== undefined && isLacking(template, campaign.templateValues, shipping, settings.variables)
    const [left, lacking] = parted(
      rows.flatMap(({ shipping, isOut }) => (isOut ? [] : shipping)),
      (shipping) => !lacks(shipping),
    )
    if (lacking.length > 0) {
      await happened(tx, companyId, lacking, { type: 'lack' }, now)
      touched.push(campaign)
    }
    // Nobody can be asked about an id, which was told.
    const isChecked = ({ checkedAt, number }: Shipping) =>
      number === '' || (checkedAt !== null && now.getTime() - checkedAt.getTime() < CHECK_VALID_MS)
    const [first] = left
    if (!first) continue
    if (!isChecked(first)) {
      await happened(tx, companyId, [first], { type: 'check', until: new Date(now.getTime() + ASKING_MS) }, now)
      return { claim: { kind: 'check', shipping: first, gapMs: isPaced(settings) ? 1_000 : 0 } }
    }
    const end = left.findIndex((shipping) => !isChecked(shipping))
    return { claim: await take(tx, claiming, { campaign, template }, end < 0 ? left : left.slice(0, end), line) }
  }
  return { at: now }
}

/** Those of which it holds, and the others. */
const parted = <T>(all: readonly T[], holds: (one: T) => boolean): [T[], T[]] => [
  all.filter(holds),
  all.filter((one) => !holds(one)),
]

/** The same to each of these. */
const happened = (tx: Tx, companyId: number, rows: readonly Shipping[], event: ShippingEvent, now: Date) =>
  moveShippings(
    tx,
    companyId,
    rows.map((row) => ({ row, event })),
    now,
  )

/** Those to whom a message would begin no chat that may not begin, by the company's caps or by WhatsApp's word. */
const mayLeaveNow = ({ lockedUntil, whatsappId }: Claiming, noNewChats: boolean) =>
  and(
    noNewChats ? sql`NOT ${isBegun}` : undefined,
    // That they have written to another connection of the company makes them no chat of this one.
    lockedUntil ? hasWritten('shippings', sql`${whatsappId}::int`) : undefined,
  )

async function nothingDue(
  tx: Tx,
  claiming: Claiming,
  campaign: Campaign,
  noNewChats: boolean,
): Promise<{ at: Date | null }> {
  const { company, lockedUntil, now } = claiming
  // Whoever was asked and never answered is let go.
  const lapsed = await tx
    .select()
    .from(shippings)
    .where(
      and(
        ...[eq(shippings.campaignId, campaign.id), eq(shippings.state, 'planned')],
        sql`${shippings.dueAt} IS NULL AND ${shippings.confirmationRequestedAt} < ${lapsedBefore(now).toISOString()}::timestamptz`,
      ),
    )
    .orderBy(asc(shippings.id))
    .limit(LAPSE_AT_ONCE)
    .for('update')
  await happened(tx, campaign.companyId, lapsed, { type: 'lapse' }, now)
  if (await finishServed(tx, claiming, campaign)) return { at: null }
  const [left] = await tx.execute<{ due: Date | string | null }>(
    sql`SELECT min("dueAt") AS due FROM ${shippings} WHERE "campaignId" = ${campaign.id} AND "state" = 'planned' AND "dueAt" > ${now.toISOString()}::timestamptz
      AND ${mayLeaveNow(claiming, noNewChats) ?? sql`true`}`,
  )
  const due = left!.due ? new Date(left!.due) : new Date(now.getTime() + POLL_MS)
  if (!noNewChats && !lockedUntil) return { at: due }
  const midnight = noNewChats ? midnightAfter(now, company.timeZone) : now
  const begins = lockedUntil && lockedUntil > midnight ? lockedUntil : midnight
  return { at: left!.due && due < begins ? due : begins }
}

/** @returns whether everybody is served, and the campaign over */
async function finishServed(tx: Tx, { now, touched }: Claiming, campaign: Campaign): Promise<boolean> {
  const [left] = await tx.execute<{ open: boolean }>(sql`SELECT
    EXISTS (SELECT FROM ${shippings} WHERE "campaignId" = ${campaign.id} AND "state" = 'planned')
    OR EXISTS (SELECT FROM ${shippings} WHERE "whatsappId" = ${campaign.whatsappId} AND "ack" = 1 AND "campaignId" = ${campaign.id} AND "state" = 'sent') AS open`)
  if (left!.open) return false
  await changeCampaigns(tx, [campaign], { type: 'finish' }, now)
  touched.push(campaign)
  return true
}

/** The messages become these people's, and the line knows when the next one may leave. */
async function take(
  tx: Tx,
  { whatsappId, company, settings, now }: Claiming,
  { campaign, template }: { campaign: Campaign; template: Template | undefined },
  taken: readonly Shipping[],
  line: BulkLine,
): Promise<Claim> {
  const drawn = taken.flatMap((shipping) => leave(shipping, { campaign, template, settings, whatsappId, now }) ?? [])
  const counted = changeCampaign(campaign, { type: 'send', count: drawn.length }, now)
  const today = dayIn(company.timeZone, now)
  const rows = [...counted.decision.rows, ...drawn.map(({ change }) => change)]
  await applyDecision(tx, campaign.companyId, { rows, effects: [] }, () => [
    tx
      .update(bulkLines)
      .set({
        nextAt: new Date(now.getTime() + gapAfter(settings, counted.campaign.sends, campaign.seed)),
        warmupStep: stepOn(line.warmupStep, line.warmupDay, today),
        warmupDay: today,
      })
      .where(eq(bulkLines.whatsappId, whatsappId)),
  ])
  const sends = drawn.map(({ row, isQuestion }) => ({ shipping: row, isQuestion }))
  return { kind: 'send', sends, campaign, paced: isPaced(settings) }
}

/** What leaves for somebody: the question first, where the campaign asks one and they have not said yes. */
function leave(
  shipping: Shipping,
  {
    campaign,
    template,
    settings,
    whatsappId,
    now,
  }: {
    campaign: Campaign
    template: Template | undefined
    settings: CampaignSettings
    whatsappId: number
    now: Date
  },
): (MovedShipping & { isQuestion: boolean }) | undefined {
  const { text, confirmation } = draw(campaign, shipping.key)
  const isQuestion = campaign.confirmation && confirmation !== null && shipping.confirmedAt === null
  const { body } = fill(isQuestion ? confirmation : text, shipping, settings.variables)
  const messageId = idIn(shipping.id, `campaign:${isQuestion ? 'question' : nextAttempt(shipping)}`)
  const about = template ? aboutFor(template, campaign.templateValues, shipping, settings.variables) : null
  const leaving = { whatsappId, body, about, messageId, wid: widOf(messageId) }
  const moved = moveShipping(shipping, { type: isQuestion ? 'ask' : 'take', ...leaving }, now)
  return moved && { ...moved, isQuestion }
}
