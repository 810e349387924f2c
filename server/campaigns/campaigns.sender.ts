import { and, asc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { heldBy, LATELY, type Lately, stepOn, stopBy } from '../../schema/campaigns/campaigns.guard.ts'
import { nextOpen } from '../../schema/campaigns/campaigns.hours.ts'
import { draw, fill } from '../../schema/campaigns/campaigns.message.ts'
import { midnightAfter } from '../../schema/campaigns/campaigns.forecast.ts'
import { CONFIRM_MS, gapAfter, isPaced } from '../../schema/campaigns/campaigns.pace.ts'
import type { CampaignSettings } from '../../schema/campaigns/campaigns.settings.ts'
import {
  type BulkLine,
  bulkLines,
  type Campaign,
  campaigns,
  type Shipping,
  shippings,
} from '../../schema/campaigns/campaigns.table.ts'
import { dayIn, isSubscribed } from '../../schema/companies/companies.subscription.ts'
import { numberKey } from '../../schema/contacts/contacts.phone.ts'
import { DomainError } from '../../schema/errors.ts'
import { widOf } from '../../schema/ids.ts'
import type { OutgoingContent, OutgoingMessage } from '../../schema/messages/messages.content.ts'
import { together } from '../../schema/command.ts'
import { applyDecision, type Change, violates } from '../commands/apply.ts'
import { CHECK_VALID_MS } from '../../schema/contact-lists/contact-lists.inputs.ts'
import { inEitherSpelling } from '../contacts/contacts.spelling.queries.ts'
import { noteNumber } from '../contact-lists/contact-lists.queries.ts'
import type { Db, Tx } from '../db/database.ts'
import type { Sessions } from '../http/deps.ts'
import { NotNow } from '../jobs/worker.ts'
import type { Logger } from '../log.ts'
import type { CompanyConfig, CompanyFacts } from '../settings/settings.facts.ts'
import { sayingId } from '../tickets/tickets.facts.ts'
import { allowanceOf, usedToday } from './campaigns.bulk.queries.ts'
import { piecesOf, shownAtOnce, type StoredPart } from './campaigns.shown.queries.ts'
import type { BulkFacts } from './campaigns.settings.queries.ts'

/**
 * Sends campaigns. Each connection has a line of its own: the next message is taken from the database in a transaction
 * that also says when the one after it may leave, so a process that dies repeats nothing but the message at hand, under
 * the same id. Nothing waits in the jobs of a chat: what agents write is never behind it.
 */
export interface SenderDeps {
  db: Db
  now(): Date
  log: Logger
  facts: CompanyFacts
  bulk: BulkFacts
  /** Connections that this process holds open. */
  openConnections(): number[]
  /** Resolves when the bytes have left; the same id is the same message. */
  send(message: OutgoingMessage): Promise<unknown>
  /** Resolves when no agent's message is on its way, or after a moment. */
  clear(): Promise<unknown>
  /** Asks WhatsApp at once what messages to these people will need. Nothing depends on it but time. */
  ahead(whatsappId: number, people: readonly Person[]): Promise<unknown>
  /** Which of these, by WhatsApp's ids, a connection has and sends again by itself until they are confirmed. */
  held(whatsappId: number, wids: readonly string[]): Promise<ReadonlySet<string>>
  checkNumber: Sessions['checkNumber']
  /** The content of a file of ours, as it leaves. */
  fileContent(companyId: number, file: StoredPart): Promise<OutgoingContent>
  changed(campaign: { id: number; companyId: number }): void
  /** Messages stand in tickets. */
  committed(changes: Change[]): void
}

type Person = OutgoingMessage['to'] & { kind: 'person' }

/** Without a pause so many may be on their way to WhatsApp at the same time, and so many are taken at once; with one, one. */
const MOST_LEAVING = 16
const TAKEN_AT_ONCE = 8
const POLL_MS = 500
const RETRY_MS = 5_000
const MOST_TRIES = 3
/** Who asks about a number has it to themselves for so long. */
const ASKING_MS = 60_000
/** Opted-out people that one transaction passes over. */
const PASS_AT_ONCE = 50

export type Step =
  | { kind: 'sent' | 'checked' | 'finished' }
  /** Nothing to do before `at`; null: until somebody changes something. */
  | { kind: 'wait'; at: Date | null }

type Claim =
  | { kind: 'wait'; at: Date | null }
  | { kind: 'again' }
  | { kind: 'check'; shipping: Shipping; gapMs: number }
  | { kind: 'send'; sends: Sending[]; campaign: Campaign; paced: boolean }

interface Sending {
  shipping: Shipping
  isQuestion: boolean
}

/** Sends what campaigns have planned, each connection by its own clock. */
export function createSender(deps: SenderDeps) {
  const { db, log } = deps
  const check = inEitherSpelling(deps.checkNumber)
  const running = new Map<number, Promise<void>>()
  const wakers = new Map<number, () => void>()
  /** Lines of which something changed while they were looked at. */
  const poked = new Set<number>()
  /** Without a pause: the delivery that a line is making. */
  const handing = new Map<number, Promise<void>>()
  /** What this process has handed over, or is handing over: whoever holds the connection sends it until it is confirmed. */
  const handed = new Set<number>()
  /** Connections of which something that was taken could not be handed over. */
  const leftBehind = new Set<number>()
  let stopping = false

  // ── the next message ───────────────────────────────────────────────────────────────────────

  async function claim(whatsappId: number): Promise<Claim> {
    const now = deps.now()
    const [owner] = await db
      .select({
        companyId: campaigns.companyId,
        leaving: sql<number>`(SELECT count(*)::int FROM ${shippings} s WHERE s."whatsappId" = ${whatsappId} AND s."ack" = 1)`,
      })
      .from(campaigns)
      .where(
        and(eq(campaigns.whatsappId, whatsappId), eq(campaigns.status, 'EM_ANDAMENTO'), isNotNull(campaigns.plannedAt)),
      )
      .limit(1)
    if (!owner) return { kind: 'wait', at: null }
    const { companyId } = owner
    // Asked before the transaction begins: one that waits for a second connection can starve the pool.
    const [company, { settings }] = await Promise.all([deps.facts.of(companyId), deps.bulk.of(companyId)])
    const later = (ms: number): Claim => ({ kind: 'wait', at: new Date(now.getTime() + ms) })
    if (!isPaced(settings) && owner.leaving > MOST_LEAVING - TAKEN_AT_ONCE) return later(POLL_MS)
    if (!isSubscribed(company.subscription, now) || company.planLacks.includes('useCampaigns')) return later(60_000)
    const touched: { id: number; companyId: number }[] = []
    const claimed = await db.transaction((tx) =>
      claimIn(tx, { whatsappId, companyId, company, settings, now, touched }),
    )
    for (const campaign of touched) deps.changed(campaign)
    return claimed
  }

  interface Claiming {
    whatsappId: number
    companyId: number
    company: CompanyConfig
    settings: CampaignSettings
    now: Date
    touched: { id: number; companyId: number }[]
  }

  async function claimIn(tx: Tx, claiming: Claiming): Promise<Claim> {
    const { whatsappId, companyId, settings, now, touched } = claiming
    const [line, running, leaving] = await Promise.all([
      lockLine(tx, whatsappId, companyId),
      tx
        .select()
        .from(campaigns)
        .where(
          and(
            eq(campaigns.whatsappId, whatsappId),
            eq(campaigns.status, 'EM_ANDAMENTO'),
            isNotNull(campaigns.plannedAt),
          ),
        )
        .orderBy(asc(campaigns.startedAt), asc(campaigns.id))
        .limit(10)
        .for('no key update'),
      tx
        .select({ id: shippings.id })
        .from(shippings)
        .where(and(eq(shippings.whatsappId, whatsappId), eq(shippings.ack, 1)))
        .limit(MOST_LEAVING + 1),
    ])
    if (line.stoppedAt || running.length === 0) return { kind: 'wait', at: null }
    const alive = new Set(leaving.map(({ id }) => id))
    for (const id of handed) if (!alive.has(id) && !sending.has(id)) handed.delete(id)
    if (line.nextAt && line.nextAt > now) {
      // Who has nobody left does not wait for the next one's turn to be over.
      for (const campaign of running) await finishServed(tx, campaign, now, touched)
      return { kind: 'wait', at: line.nextAt }
    }
    const paced = isPaced(settings)
    if (leaving.length >= (paced ? 1 : MOST_LEAVING)) return { kind: 'wait', at: new Date(now.getTime() + POLL_MS) }
    const wakes: Date[] = []
    for (const campaign of await answeredFirst(tx, running, now)) {
      const gate = campaign.bulkGuard ? await guardOf(tx, claiming, campaign, line) : { noNewChats: false }
      if ('paused' in gate) return { kind: 'again' }
      if ('at' in gate) {
        if (gate.at) wakes.push(gate.at)
        continue
      }
      // What guards a number is asked before each message.
      const most = paced || campaign.bulkGuard ? 1 : Math.min(TAKEN_AT_ONCE, MOST_LEAVING - leaving.length)
      const found = await pick(tx, claiming, campaign, line, { noNewChats: gate.noNewChats, most })
      if ('claim' in found) return found.claim
      if (found.at) wakes.push(found.at)
    }
    if (touched.length > 0) return { kind: 'again' }
    const [wake = null] = wakes.sort((a, b) => a.getTime() - b.getTime())
    return { kind: 'wait', at: wake }
  }

  /** Campaigns to whose question somebody has said yes come before others: they wait for it. */
  async function answeredFirst(tx: Tx, running: Campaign[], now: Date): Promise<Campaign[]> {
    if (running.length < 2 || !running.some(({ confirmation }) => confirmation)) return running
    const ids = sql.param(running.map(({ id }) => id))
    const rows = await tx.execute<{ id: number }>(sql`SELECT DISTINCT "campaignId" AS id FROM ${shippings}
      WHERE "campaignId" = ANY(${ids}::int[]) AND "turn" < 0 AND "state" = 'planned' AND "dueAt" <= ${now.toISOString()}::timestamptz`)
    const waited = new Set(rows.map(({ id }) => id))
    return running.toSorted((a, b) => Number(waited.has(b.id)) - Number(waited.has(a.id)))
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
      await tx
        .update(campaigns)
        .set({ status: 'PAUSADA', pauseReason: reason, updatedAt: now })
        .where(
          and(
            eq(campaigns.whatsappId, whatsappId),
            eq(campaigns.status, 'EM_ANDAMENTO'),
            eq(campaigns.bulkGuard, true),
          ),
        )
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
    { company, settings, now, touched, whatsappId }: Claiming,
    campaign: Campaign,
    line: BulkLine,
    { noNewChats, most }: { noNewChats: boolean; most: number },
  ): Promise<{ claim: Claim } | { at: Date | null }> {
    const planned = and(eq(shippings.campaignId, campaign.id), eq(shippings.state, 'planned'))
    // None of them but the last is followed by a pause.
    let wanted = 1
    while (wanted < most && gapAfter(settings, campaign.sends + wanted, campaign.seed) === 0) wanted++
    for (let passed = 0; passed < PASS_AT_ONCE; passed++) {
      const rows = await tx
        .select({
          shipping: shippings,
          isOut: isOut('shippings'),
        })
        .from(shippings)
        .where(
          and(
            planned,
            sql`${shippings.dueAt} <= ${now.toISOString()}::timestamptz`,
            noNewChats ? sql`NOT ${isBegun}` : undefined,
          ),
        )
        .orderBy(asc(shippings.turn), asc(shippings.id))
        .limit(wanted)
        .for('update', { of: shippings, skipLocked: true })
      if (rows.length === 0) return nothingDue(tx, campaign, now, noNewChats, company, touched)
      const out = rows.flatMap(({ shipping, isOut }) => (isOut ? shipping.id : []))
      if (out.length > 0) {
        await tx
          .update(shippings)
          .set({ state: 'skipped', reason: 'opted_out', dueAt: null })
          .where(inArray(shippings.id, out))
        touched.push(campaign)
      }
      const left = rows.flatMap(({ shipping, isOut }) => (isOut ? [] : shipping))
      const isChecked = ({ checkedAt }: Shipping) =>
        checkedAt !== null && now.getTime() - checkedAt.getTime() < CHECK_VALID_MS
      const [first] = left
      if (!first) continue
      if (!isChecked(first)) {
        await tx
          .update(shippings)
          .set({ dueAt: new Date(now.getTime() + ASKING_MS) })
          .where(eq(shippings.id, first.id))
        return { claim: { kind: 'check', shipping: first, gapMs: isPaced(settings) ? 1_000 : 0 } }
      }
      const end = left.findIndex((shipping) => !isChecked(shipping))
      const taken = end < 0 ? left : left.slice(0, end)
      return { claim: await take(tx, { whatsappId, company, settings, now }, campaign, taken, line) }
    }
    return { at: now }
  }

  async function nothingDue(
    tx: Tx,
    campaign: Campaign,
    now: Date,
    noNewChats: boolean,
    company: CompanyConfig,
    touched: { id: number; companyId: number }[],
  ): Promise<{ at: Date | null }> {
    // Whoever was asked and never answered is let go.
    await tx
      .update(shippings)
      .set({ state: 'skipped', reason: 'not_confirmed' })
      .where(
        and(
          eq(shippings.campaignId, campaign.id),
          eq(shippings.state, 'planned'),
          sql`${shippings.dueAt} IS NULL AND ${shippings.confirmationRequestedAt} < ${new Date(now.getTime() - CONFIRM_MS).toISOString()}::timestamptz`,
        ),
      )
    if (await finishServed(tx, campaign, now, touched)) return { at: null }
    const [left] = await tx.execute<{ due: Date | string | null }>(
      sql`SELECT min("dueAt") AS due FROM ${shippings} WHERE "campaignId" = ${campaign.id} AND "state" = 'planned' AND "dueAt" > ${now.toISOString()}::timestamptz
        AND NOT (${noNewChats} AND ${isBegun})`,
    )
    const due = left!.due ? new Date(left!.due) : new Date(now.getTime() + POLL_MS)
    if (!noNewChats) return { at: due }
    const midnight = midnightAfter(now, company.timeZone)
    return { at: left!.due && due < midnight ? due : midnight }
  }

  /** @returns whether everybody is served, and the campaign over */
  async function finishServed(
    tx: Tx,
    campaign: Campaign,
    now: Date,
    touched: { id: number; companyId: number }[],
  ): Promise<boolean> {
    const [left] = await tx.execute<{ open: boolean }>(sql`SELECT
      EXISTS (SELECT FROM ${shippings} WHERE "campaignId" = ${campaign.id} AND "state" = 'planned')
      OR EXISTS (SELECT FROM ${shippings} WHERE "whatsappId" = ${campaign.whatsappId} AND "ack" = 1 AND "campaignId" = ${campaign.id} AND "state" = 'sent') AS open`)
    if (left!.open) return false
    await tx
      .update(campaigns)
      .set({ status: 'FINALIZADA', completedAt: now, updatedAt: now })
      .where(eq(campaigns.id, campaign.id))
    touched.push(campaign)
    return true
  }

  /** The messages become these people's, and the line knows when the next one may leave. */
  async function take(
    tx: Tx,
    { whatsappId, company, settings, now }: Pick<Claiming, 'whatsappId' | 'company' | 'settings' | 'now'>,
    campaign: Campaign,
    taken: readonly Shipping[],
    line: BulkLine,
  ): Promise<Claim> {
    const drawn = taken.map((shipping): Sending => {
      const { text, confirmation } = draw(campaign, shipping.key)
      const isQuestion = campaign.confirmation && confirmation !== null && shipping.confirmedAt === null
      const { body } = fill(isQuestion ? confirmation : text, shipping, settings.variables)
      const attempts = isQuestion ? shipping.attempts : shipping.attempts + 1
      const messageId = sayingId(shipping.id, `campaign:${isQuestion ? 'question' : attempts}`)
      const wid = widOf(messageId)
      const values: Partial<Shipping> = isQuestion
        ? {
            ...{ confirmationBody: body, confirmationMessageId: messageId, confirmationWid: wid },
            confirmationRequestedAt: now,
          }
        : { state: 'sent', body, messageId, wid, attempts, sentAt: now, reason: null }
      return { shipping: { ...shipping, ...values, ack: 1, dueAt: null, whatsappId }, isQuestion }
    })
    const sends = campaign.sends + drawn.length
    const today = dayIn(company.timeZone, now)
    for (const { shipping } of drawn) handed.add(shipping.id)
    const given = JSON.stringify(drawn.map(({ shipping }) => shipping))
    await Promise.all([
      tx.execute(sql`UPDATE ${shippings} s SET "whatsappId" = ${whatsappId}, "ack" = 1, "dueAt" = NULL,
          ("state", "reason", "body", "messageId", "wid", "attempts", "sentAt",
            "confirmationBody", "confirmationMessageId", "confirmationWid", "confirmationRequestedAt") =
          (x."state", x."reason", x."body", x."messageId", x."wid", x."attempts", x."sentAt",
            x."confirmationBody", x."confirmationMessageId", x."confirmationWid", x."confirmationRequestedAt")
        FROM json_to_recordset(${given}::text::json) AS x("id" bigint, "state" text, "reason" text, "body" text,
          "messageId" text, "wid" text, "attempts" smallint, "sentAt" timestamptz, "confirmationBody" text,
          "confirmationMessageId" text, "confirmationWid" text, "confirmationRequestedAt" timestamptz)
        WHERE s."id" = x."id"`),
      tx.update(campaigns).set({ sends }).where(eq(campaigns.id, campaign.id)),
      tx
        .update(bulkLines)
        .set({
          nextAt: new Date(now.getTime() + gapAfter(settings, sends, campaign.seed)),
          warmupStep: stepOn(line.warmupStep, line.warmupDay, today),
          warmupDay: today,
        })
        .where(eq(bulkLines.whatsappId, whatsappId)),
    ])
    return { kind: 'send', sends: drawn, campaign, paced: isPaced(settings) }
  }

  // ── out ────────────────────────────────────────────────────────────────────────────────────

  const sending = new Set<number>()

  /** Hands it over; a link that is down leaves it for the next one, under the same id. */
  async function deliver(shipping: Shipping, campaign: Campaign, isQuestion: boolean): Promise<void> {
    handed.add(shipping.id)
    sending.add(shipping.id)
    try {
      for (let tries = 1; ; tries++) {
        try {
          if (!isQuestion && shipping.ticketId !== null) await show(shipping, campaign)
          for (const message of await partsOf(shipping, campaign, isQuestion)) await deps.send(message)
          deps.changed(campaign)
          return
        } catch (error) {
          if (error instanceof NotNow) {
            handed.delete(shipping.id)
            return
          }
          log.warn({ err: error, shipping: shipping.id }, 'a message of a campaign did not leave')
          if (tries >= MOST_TRIES || error instanceof DomainError) {
            await failed(shipping, error instanceof DomainError ? error.code : 'not_sent')
            deps.changed(campaign)
            return
          }
          await Bun.sleep(RETRY_MS)
          if (stopping) {
            handed.delete(shipping.id)
            return
          }
        }
      }
    } finally {
      sending.delete(shipping.id)
    }
  }

  /** Those taken together, one after the other. Each but the first is asked about once more while the one before it leaves. */
  async function deliverAll(whatsappId: number, sends: readonly Sending[], campaign: Campaign): Promise<void> {
    let may: ReadonlySet<number> = new Set(sends.map(({ shipping }) => shipping.id))
    for (const [i, one] of sends.entries()) {
      const rest = sends.slice(i + 1)
      try {
        const asked = rest.length > 0 ? mayLeave(rest) : may
        if (!stopping && may.has(one.shipping.id)) await deliver(one.shipping, campaign, one.isQuestion)
        else await giveBack([one.shipping.id])
        may = await asked
      } catch (error) {
        for (const { shipping } of sends.slice(i)) handed.delete(shipping.id)
        leftBehind.add(whatsappId)
        throw error
      }
    }
  }

  /** Who of them is still to be written to: their campaign goes on, and they have not left it. */
  async function mayLeave(sends: readonly Sending[]): Promise<Set<number>> {
    const ids = sql.param(sends.map(({ shipping }) => shipping.id))
    const rows = await db.execute<{ id: string }>(sql`SELECT s."id" FROM ${shippings} s
      JOIN ${campaigns} c ON c."id" = s."campaignId" AND c."status" = 'EM_ANDAMENTO'
      WHERE s."id" = ANY(${ids}::bigint[]) AND s."ack" = 1 AND NOT ${isOut('s')}`)
    return new Set(rows.map(({ id }) => Number(id)))
  }

  /** What was taken and has not left is as if it had not been: it leaves another time, under the same id. */
  async function giveBack(ids: readonly number[]): Promise<void> {
    await db.execute(sql`WITH back AS (
        SELECT s."id", c."status" = 'CANCELADA' AS cancelled, ${isOut('s')} AS out
        FROM ${shippings} s JOIN ${campaigns} c ON c."id" = s."campaignId"
        WHERE s."id" = ANY(${sql.param(ids)}::bigint[]) AND s."ack" = 1 FOR UPDATE OF s)
      UPDATE ${shippings} s SET "ack" = 0, "sentAt" = NULL,
        "confirmationRequestedAt" = CASE WHEN s."state" = 'sent' THEN s."confirmationRequestedAt" END,
        "attempts" = s."attempts" - (s."state" = 'sent')::int,
        "state" = CASE WHEN b.out THEN 'skipped' WHEN b.cancelled THEN 'cancelled' ELSE 'planned' END,
        "reason" = CASE WHEN b.out THEN 'opted_out' END,
        "dueAt" = CASE WHEN NOT b.out AND NOT b.cancelled THEN ${deps.now().toISOString()}::timestamptz END
      FROM back b WHERE s."id" = b."id"`)
    for (const id of ids) handed.delete(id)
  }

  async function failed(shipping: Shipping, reason: string): Promise<void> {
    const { messageId, companyId } = shipping
    await db
      .update(shippings)
      .set({ state: 'failed', ack: 0, reason })
      .where(and(eq(shippings.id, shipping.id), eq(shippings.ack, 1)))
    if (messageId === null || shipping.ticketId === null) return
    const values = { ack: 0, ackError: reason }
    const row = { table: 'messages' as const, op: 'update' as const, ids: [messageId], values }
    deps.committed(await db.transaction((tx) => applyDecision(tx, companyId, { rows: [row], effects: [] })))
  }

  async function partsOf(shipping: Shipping, campaign: Campaign, isQuestion: boolean): Promise<OutgoingMessage[]> {
    const { companyId, whatsappId } = shipping
    const base = {
      companyId,
      whatsappId: whatsappId!,
      to: personOf(shipping),
      quoted: null,
      by: 'many' as const,
    }
    if (isQuestion)
      return [
        {
          ...base,
          messageId: shipping.confirmationMessageId!,
          wid: shipping.confirmationWid!,
          content: { type: 'text', text: shipping.confirmationBody! },
        },
      ]
    const pieces = await piecesOf(db, shipping, campaign)
    return Promise.all(
      pieces.map(async ({ messageId, wid, body, file }) => {
        const content: OutgoingContent = file ? await deps.fileContent(companyId, file) : { type: 'text', text: body }
        return { ...base, messageId, wid, content }
      }),
    )
  }

  /** Whoever said yes has a ticket: what follows stands in it as it leaves. */
  async function show(shipping: Shipping, campaign: Campaign): Promise<void> {
    const changes = await db.transaction(async (tx) =>
      applyDecision(tx, shipping.companyId, together(...(await shownAtOnce(tx, shipping, campaign)))),
    )
    deps.committed(changes)
  }

  async function ask(whatsappId: number, shipping: Shipping, gapMs: number): Promise<void> {
    const now = deps.now()
    let found: Awaited<ReturnType<Sessions['checkNumber']>>
    try {
      found = await check(whatsappId, shipping.number)
    } catch (error) {
      log.warn({ err: error, shipping: shipping.id }, 'a number could not be checked')
      await Promise.all([one(shipping.id, { dueAt: now }), pauseLineFor(whatsappId, now, 15_000)])
      return
    }
    if (shipping.itemId !== null) await noteNumber(db, { id: shipping.itemId, number: shipping.number }, found, now)
    if (!found) {
      await Promise.all([
        one(shipping.id, { state: 'skipped', reason: 'not_on_whatsapp', dueAt: null, checkedAt: now, whatsappId }),
        pauseLineFor(whatsappId, now, gapMs),
      ])
      deps.changed({ id: shipping.campaignId, companyId: shipping.companyId })
      return
    }
    const values = { number: found.number, lid: found.lid ?? null, checkedAt: now, dueAt: now, turn: 0 }
    try {
      await one(shipping.id, { ...values, key: numberKey(found.number) })
    } catch (error) {
      if (!violates(error, 'shippings_person')) throw error
      // The same person by another spelling.
      await one(shipping.id, { state: 'skipped', reason: 'too_many', dueAt: null, checkedAt: now })
    }
  }

  const one = (id: number, values: Partial<Shipping>) =>
    db
      .update(shippings)
      .set(values)
      .where(and(eq(shippings.id, id), eq(shippings.state, 'planned')))
  const pauseLineFor = (whatsappId: number, now: Date, ms: number) =>
    db
      .update(bulkLines)
      .set({ nextAt: new Date(now.getTime() + ms) })
      .where(eq(bulkLines.whatsappId, whatsappId))

  /** What a process that died had taken, and what a link that broke did not take, is sent under its id. */
  async function recover(whatsappId: number): Promise<void> {
    const rows = await db
      .select({ shipping: shippings, campaign: campaigns })
      .from(shippings)
      .innerJoin(campaigns, eq(campaigns.id, shippings.campaignId))
      .where(and(eq(shippings.whatsappId, whatsappId), eq(shippings.ack, 1)))
      .orderBy(asc(shippings.id))
      .limit(100)
    const left = rows.filter(({ shipping }) => !handed.has(shipping.id))
    const stopped = left.filter(({ campaign }) => campaign.status !== 'EM_ANDAMENTO')
    const widOfRow = ({ state, wid, confirmationWid }: Shipping) => (state === 'planned' ? confirmationWid! : wid!)
    if (stopped.length > 0) {
      // What the link has already, it sends by itself until it is confirmed; the rest waits until somebody resumes.
      const wids = stopped.map(({ shipping }) => widOfRow(shipping))
      const held = await deps.held(whatsappId, wids)
      await giveBack(stopped.flatMap(({ shipping }) => (held.has(widOfRow(shipping)) ? [] : shipping.id)))
    }
    for (const { shipping, campaign } of left)
      if (campaign.status === 'EM_ANDAMENTO') await deliver(shipping, campaign, shipping.state === 'planned')
  }

  /** One step of a line, waited for. */
  async function step(whatsappId: number): Promise<Step> {
    await deps.clear()
    const claimed = await claim(whatsappId)
    switch (claimed.kind) {
      case 'wait':
        return claimed
      case 'again':
        return { kind: 'finished' }
      case 'check':
        await ask(whatsappId, claimed.shipping, claimed.gapMs)
        return { kind: 'checked' }
      case 'send': {
        const { sends, campaign, paced } = claimed
        const ready =
          sends.length > 1
            ? deps.ahead(
                whatsappId,
                sends.map(({ shipping }) => personOf(shipping)),
              )
            : undefined
        // A link writes one message after the other: with one of ours in it, an agent's waits for one, and not for eight.
        await Promise.all([handing.get(whatsappId), ready?.catch(() => undefined)])
        const delivery = deliverAll(whatsappId, sends, campaign)
        if (paced) await delivery
        else {
          const handed = delivery
            .catch((err: unknown) => log.error({ err }, 'a delivery failed'))
            .finally(() => {
              if (handing.get(whatsappId) === handed) handing.delete(whatsappId)
              poke(whatsappId)
            })
          handing.set(whatsappId, handed)
        }
        return { kind: 'sent' }
      }
    }
  }

  // ── the clock of a connection ──────────────────────────────────────────────────────────────

  async function run(whatsappId: number): Promise<void> {
    await recover(whatsappId)
    while (!stopping && deps.openConnections().includes(whatsappId)) {
      poked.delete(whatsappId)
      if (leftBehind.delete(whatsappId)) await recover(whatsappId)
      const done = await step(whatsappId)
      if (done.kind !== 'wait') continue
      if (poked.has(whatsappId)) continue
      if (!done.at) return
      await nap(whatsappId, Math.max(1, done.at.getTime() - deps.now().getTime()))
    }
  }

  const nap = (whatsappId: number, ms: number) =>
    new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        wakers.delete(whatsappId)
        resolve()
      }
      // Now and then it looks whether the world has changed.
      const timer = setTimeout(end, Math.min(ms, 1_000))
      wakers.set(whatsappId, end)
    })

  const poke = (whatsappId: number | null): void => {
    if (whatsappId === null) return
    poked.add(whatsappId)
    wakers.get(whatsappId)?.()
  }

  return {
    step,
    recover,
    poke,
    /** Looks which connections have something to send. Called every second, and when something changed. */
    async tick(): Promise<void> {
      const open = deps.openConnections()
      if (stopping || open.length === 0) return
      const due = await db
        .selectDistinct({ id: campaigns.whatsappId })
        .from(campaigns)
        .where(
          and(
            inArray(campaigns.whatsappId, open),
            eq(campaigns.status, 'EM_ANDAMENTO'),
            isNotNull(campaigns.plannedAt),
          ),
        )
      for (const { id } of due) {
        if (id === null || running.has(id)) continue
        const work = run(id)
          .catch((err: unknown) => log.error({ err, whatsappId: id }, 'a line of campaigns broke off; it goes on'))
          .finally(() => running.delete(id))
        running.set(id, work)
      }
    },
    async stop(): Promise<void> {
      stopping = true
      for (const wake of wakers.values()) wake()
      await Promise.allSettled(running.values())
      await Promise.allSettled(handing.values())
    },
  }
}

/**
 * Whether a person of `shippings`, which goes by that name in the statement, wants no messages to many.
 * Named in full: inside the subquery a bare "key" would be the opt-out's.
 */
function isOut(table: 's' | 'shippings') {
  const row = sql.identifier(table)
  return sql<boolean>`EXISTS (SELECT FROM opt_outs o WHERE o."companyId" = ${row}."companyId" AND o."revokedAt" IS NULL
    AND (o."key" = ${row}."key" OR o."lid" = ${row}."lid"))`
}

/** Whether writing to a person of `shippings` begins a chat: who said yes has written. */
const isBegun = sql`(${shippings.isNewChat} AND ${shippings.confirmedAt} IS NULL)`

const personOf = ({ number, lid }: Shipping): Person => ({ kind: 'person', number, lid })

export type Sender = ReturnType<typeof createSender>

async function lockLine(tx: Tx, whatsappId: number, companyId: number): Promise<BulkLine> {
  const read = () => tx.select().from(bulkLines).where(eq(bulkLines.whatsappId, whatsappId)).for('update')
  const [line] = await read()
  if (line) return line
  await tx.insert(bulkLines).values({ whatsappId, companyId }).onConflictDoNothing()
  return (await read())[0]!
}

const DAY_MS = 24 * 3_600_000

/** Messages and questions alike: WhatsApp knows no difference. */
async function latelyOf(tx: Tx, whatsappId: number, now: Date, since: Date): Promise<Lately> {
  const from = sql`${since.toISOString()}::timestamptz`
  const [row] = await tx.execute<Record<keyof Lately, number>>(sql`
    WITH lately AS (
      SELECT * FROM ((SELECT "sentAt" AS at, "state" = 'failed' AS failed, false AS nobody, "state" = 'sent' AND "ack" = 2 AS held,
            "optedOutAt" IS NOT NULL AS out FROM ${shippings}
          WHERE "whatsappId" = ${whatsappId} AND "sentAt" >= ${from} ORDER BY "sentAt" DESC LIMIT ${LATELY})
        UNION ALL
        (SELECT "confirmationRequestedAt", "state" = 'failed' AND "sentAt" IS NULL, false,
            "state" IN ('planned', 'skipped') AND "confirmedAt" IS NULL AND "ack" = 2,
            "optedOutAt" IS NOT NULL AND "sentAt" IS NULL FROM ${shippings}
          WHERE "whatsappId" = ${whatsappId} AND "confirmationRequestedAt" >= ${from} ORDER BY "confirmationRequestedAt" DESC LIMIT ${LATELY})
        UNION ALL
        (SELECT "checkedAt", false, true, false, false FROM ${shippings}
          WHERE "whatsappId" = ${whatsappId} AND "state" = 'skipped' AND "reason" = 'not_on_whatsapp' AND "checkedAt" >= ${from}
            AND "campaignId" IN (SELECT "id" FROM ${campaigns} WHERE "whatsappId" = ${whatsappId} AND "status" = 'EM_ANDAMENTO')
          ORDER BY "checkedAt" DESC LIMIT ${LATELY})) all_kinds ORDER BY at DESC LIMIT ${LATELY})
    SELECT count(*)::int AS "all",
      count(*) FILTER (WHERE failed)::int AS "failed",
      count(*) FILTER (WHERE nobody)::int AS "notOnWhatsapp",
      count(*) FILTER (WHERE held AND at < ${new Date(now.getTime() - DAY_MS).toISOString()}::timestamptz)::int AS "undelivered",
      count(*) FILTER (WHERE out)::int AS "optedOut"
    FROM lately`)
  return row!
}
