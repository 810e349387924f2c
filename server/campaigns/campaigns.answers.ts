import { DAY_MS } from '../../schema/durations.ts'
import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import { answerIn, answerOf } from '../../schema/campaigns/campaigns.answers.ts'
import { isLock } from '../../schema/campaigns/campaigns.guard.ts'
import { chance } from '../../schema/campaigns/campaigns.message.ts'
import {
  bulkSends,
  type Campaign,
  campaigns,
  type Shipping,
  shippings,
} from '../../schema/campaigns/campaigns.table.ts'
import type { CampaignSettings } from '../../schema/campaigns/campaigns.settings.ts'
import type { ShippingEvent } from '../../schema/campaigns/shippings.transition.ts'
import { isWord } from '../../schema/campaigns/campaigns.words.ts'
import { type Decision, together } from '../../schema/command.ts'
import { newId } from '../../schema/ids.ts'
import type { Arrival, FiledIn } from '../../schema/messages/messages.arrive.ts'
import type { InboundAck } from '../../schema/messages/messages.inbound.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { optOuts } from '../../schema/opt-outs/opt-outs.table.ts'
import { lidOf, optOutKey } from '../../schema/opt-outs/opt-outs.transition.ts'
import { legible } from '../../schema/texts.ts'
import { moveTicket } from '../../schema/tickets/tickets.move.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { applyDecision, type Change } from '../commands/apply.ts'
import { addJobs } from '../jobs/queue.ts'
import type { Tx } from '../db/database.ts'
import { endOptOutsOf, noteOptOuts } from '../opt-outs/opt-outs.changes.ts'
import type { CompanyConfig } from '../settings/settings.facts.ts'
import { leaveCampaigns } from './campaigns.bulk.changes.ts'
import { ofPerson } from './campaigns.bulk.queries.ts'
import type { BulkFacts } from './campaigns.settings.queries.ts'
import { shownIn } from './campaigns.shown.queries.ts'
import { newChatHoldOf } from '../whatsapps/whatsapps.new-chats.queries.ts'
import { stopLine } from './campaigns.stop.ts'
import { lockShippings, moveShippings } from './campaigns.writes.ts'

/** An answer so long after a message counts as one to it. */
const REPLY_MS = 7 * DAY_MS
/** Who confirms gets the message within so many milliseconds. */
const CONFIRMED_MS = 10_000

export interface AnswersDeps {
  bulk: BulkFacts
  changed(campaign: { id: number; companyId: number }): void
  /** The line of a connection may go on at once. */
  poke(whatsappId: number): void
}

/** A chat in which something arrived, and who it is with. */
interface Heard {
  contact: { id: number; number: string | null; lid: string | null; isGroup: boolean }
  whatsappId: number
  arrivals: Arrival[]
}

/** By what somebody is known; a contact may have neither number nor LID. */
type Known = Parameters<typeof ofPerson>[1]

/** What campaigns hear of what contacts and phones tell, in the transaction that files it. */
export type CampaignReplies = Awaited<ReturnType<ReturnType<typeof createCampaignReplies>>>

/** A company, while what arrived for it is filed in one transaction. */
interface Filing {
  companyId: number
  settings: CampaignSettings
  now: Date
  deps: AnswersDeps
  /** What is told after the commit. */
  after: (() => void)[]
}

/**
 * @returns what listens for a company; asked before the transaction begins. Undefined where it has never sent to many.
 */
export function createCampaignReplies(deps: AnswersDeps) {
  return async (companyId: number, company: CompanyConfig, now: Date) => {
    const { settings, isActive } = await deps.bulk.of(companyId)
    if (!isActive || company.planLacks.includes('useCampaigns')) return undefined
    const filing: Filing = { companyId, settings, now, deps, after: [] }
    return {
      acks: (tx: Tx, events: readonly InboundAck[]) => acks(filing, tx, events),
      words: <H extends Heard>(tx: Tx, chats: readonly H[]) => words(filing, tx, chats),
      replies: (tx: Tx, filed: readonly FiledIn[]) => replies(filing, tx, filed),
      /** Tells what changed. Call it after the commit. */
      committed: () => {
        for (const emit of filing.after.splice(0)) emit()
      },
      /** Of a try that failed nothing is told. */
      forget: () => void filing.after.splice(0),
    }
  }
}

/** Ticks of messages of campaigns. */
async function acks(filing: Filing, tx: Tx, events: readonly InboundAck[]): Promise<void> {
  const { companyId, now, deps, after } = filing
  const asked = sql`unnest(${sql.param(events.map((e) => e.whatsappId))}::int[], ${sql.param(events.map((e) => e.wid))}::text[]) AS x(c, w)`
  const rows = await lockShippings(
    tx,
    sql`${shippings.id} IN (SELECT s."id" FROM ${shippings} s JOIN ${asked} ON s."whatsappId" = x.c AND s."wid" = x.w
      UNION ALL SELECT s."id" FROM ${shippings} s JOIN ${asked} ON s."whatsappId" = x.c AND s."confirmationWid" = x.w)`,
  )
  await acksOfOthers(filing, tx, events)
  if (rows.length === 0) return
  const byMessage = Map.groupBy(events, (e) => `${e.whatsappId}/${e.wid}`)
  const refused = new Map<number, 'refused' | 'logout'>()
  const happened = rows.flatMap((row) =>
    [row.wid, row.confirmationWid].flatMap((wid): { row: Shipping; event: ShippingEvent }[] => {
      const found = byMessage.get(`${row.whatsappId}/${wid}`) ?? []
      const isQuestion = wid !== row.wid
      if (found.length === 0 || (isQuestion && row.sentAt !== null)) return []
      const level = Math.max(...found.map(({ ack }) => ack))
      const failure = level === 0 ? found.find(({ ack }) => ack === 0) : undefined
      if (!failure || row.ack !== 1) return [{ row, event: { type: 'tick', level, isQuestion } }]
      if (isLock(failure.error)) refused.set(row.whatsappId!, 'refused')
      if (failure.error === 'unlinked') refused.set(row.whatsappId!, 'logout')
      return [{ row, event: { type: 'fail', reason: failure.error ?? 'unknown' } }]
    }),
  )
  if ((await moveShippings(tx, companyId, happened, now)).length === 0) return
  // What is known to end goes on by itself.
  for (const [whatsappId, reason] of refused)
    if (reason === 'logout' || !(await newChatHoldOf(tx, whatsappId, now)))
      for (const campaign of await stopLine(tx, whatsappId, reason, now)) after.push(() => deps.changed(campaign))
  for (const id of new Set(rows.map(({ campaignId }) => campaignId))) after.push(() => deps.changed({ id, companyId }))
  for (const id of new Set(rows.map(({ whatsappId }) => whatsappId!))) after.push(() => deps.poke(id))
}

/** WhatsApp refuses what a program or a schedule said to one of many: nothing more goes to many on that connection. */
async function acksOfOthers({ now, deps, after }: Filing, tx: Tx, events: readonly InboundAck[]): Promise<void> {
  const locks = events.filter(({ ack, error }) => ack === 0 && isLock(error))
  if (locks.length === 0) return
  const rows = await tx
    .selectDistinct({ whatsappId: bulkSends.whatsappId })
    .from(messages)
    .innerJoin(bulkSends, eq(bulkSends.messageId, messages.id))
    .where(or(...locks.map(({ whatsappId, wid }) => and(eq(messages.whatsappId, whatsappId), eq(messages.wid, wid)))))
  for (const { whatsappId } of rows)
    if (!(await newChatHoldOf(tx, whatsappId, now)))
      for (const campaign of await stopLine(tx, whatsappId, 'refused', now)) after.push(() => deps.changed(campaign))
}

/**
 * The words by which people want no more messages, or want them again, open no ticket; nor does a bare yes or no to
 * the question of a campaign, unless it wants one (M13).
 * @returns what is left of what arrived, in its order, and whether jobs were written
 */
async function words<H extends Heard>(
  filing: Filing,
  tx: Tx,
  chats: readonly H[],
): Promise<{ left: H[]; jobs: boolean }> {
  const { optOutWords, returnWords } = filing.settings
  let jobs = false
  const left: H[] = []
  for (const chat of chats) {
    if (chat.contact.isGroup) {
      left.push(chat)
      continue
    }
    const arrivals: Arrival[] = []
    for (const arrival of chat.arrivals) {
      const text = wordsOf(arrival)
      const wish = isWord(text, optOutWords) ? 'out' : isWord(text, returnWords) ? 'back' : undefined
      const taken =
        wish !== undefined &&
        (await isAboutBulk(filing, tx, chat)) &&
        (await obey(filing, tx, chat, arrival.event.wid, text, wish))
      // What stands in a ticket already is followed there.
      const isTaken = taken !== false || (arrivals.length === 0 && (await tookAnswer(filing, tx, chat, arrival, text)))
      if (!isTaken) arrivals.push(arrival)
      jobs ||= taken === 'answered'
    }
    left.push({ ...chat, arrivals })
  }
  return { left, jobs }
}

/** Whether it is a bare answer to a question, and no ticket is opened for it: then it is kept with the question. */
async function tookAnswer(filing: Filing, tx: Tx, chat: Heard, { id, event }: Arrival, text: string): Promise<boolean> {
  const { says, isAll } = answerIn(text)
  if (!isAll || says === 'other') return false
  const { contact, whatsappId } = chat
  const [known] = await tx
    .select({ id: shippings.id })
    .from(shippings)
    .where(and(ofPerson(filing.companyId, contact), eq(shippings.answerWid, event.wid)))
    .limit(1)
  if (known) return true
  const answered = await answeredBy(filing, tx, contact)
  if (!answered || answered.event !== 'answer') return false
  const { shipping, campaign } = answered
  if (campaign.answersOpenTickets || shipping.whatsappId !== whatsappId) return false
  if (await isSpokenTo(tx, chat, shipping.confirmationRequestedAt!)) return false
  const kept = { messageId: id, wid: event.wid, body: text }
  const shippingEvent: ShippingEvent =
    says === 'no'
      ? { type: 'decline', ticketId: null, kept }
      : { type: 'confirm', ticketId: null, kept, dueAt: servedAt(filing.now, campaign, shipping) }
  await answer(filing, tx, contact, shipping, shippingEvent)
  emitAfter(filing, campaign)
  return true
}

/** Whether a ticket is open, or somebody of ours has said something to them since. */
async function isSpokenTo(tx: Tx, { contact, whatsappId }: Heard, since: Date): Promise<boolean> {
  const [row] = await tx.execute<{ spoken: boolean }>(sql`SELECT EXISTS (
      SELECT FROM ${tickets} t WHERE t."contactId" = ${contact.id} AND t."whatsappId" = ${whatsappId}
      AND (t."status" <> 'closed' OR EXISTS (SELECT FROM ${messages} m WHERE m."ticketId" = t."id" AND m."fromMe"
        AND m."createdAt" > ${since.toISOString()}::timestamptz))) AS spoken`)
  return row!.spoken
}

/** Whether nobody talks with them, or a campaign did last. */
async function isAboutBulk({ companyId }: Filing, tx: Tx, { contact, whatsappId }: Heard): Promise<boolean> {
  const [active] = await tx
    .select({ id: tickets.id })
    .from(tickets)
    .where(
      and(eq(tickets.contactId, contact.id), eq(tickets.whatsappId, whatsappId), sql`${tickets.status} <> 'closed'`),
    )
  if (!active) return true
  const [row] = await tx.execute<{ bulk: boolean }>(sql`SELECT EXISTS (
      SELECT FROM (SELECT "id" FROM ${messages} WHERE "ticketId" = ${active.id} AND "fromMe" ORDER BY "createdAt" DESC LIMIT 1) said
      JOIN ${bulkSends} b ON b."messageId" = said."id")
    OR (SELECT max(coalesce("sentAt", "confirmationRequestedAt")) FROM ${shippings} WHERE ${ofPerson(companyId, contact)})
    >= coalesce((SELECT max("createdAt") FROM ${messages} WHERE "ticketId" = ${active.id} AND "fromMe"), '-infinity') AS bulk`)
  return row?.bulk === true
}

async function obey(
  { companyId, settings, now, deps, after }: Filing,
  tx: Tx,
  { contact, whatsappId }: Heard,
  wid: string,
  text: string,
  wish: 'out' | 'back',
): Promise<false | 'known' | 'answered'> {
  const { number } = contact
  const lid = lidOf(contact)
  const mine = or(eq(optOuts.key, optOutKey({ number, lid })), lid ? eq(optOuts.lid, lid) : undefined)
  const [found] = await tx
    .select({ id: optOuts.id })
    .from(optOuts)
    .where(
      and(eq(optOuts.companyId, companyId), mine, or(eq(optOuts.messageId, wid), eq(optOuts.revokedMessageId, wid))),
    )
  if (found) return 'known'
  if (wish === 'back') {
    const back = await endOptOutsOf(tx, companyId, mine, { type: 'return', wid, text }, now)
    // Who never left writes like everybody.
    if (back.length === 0) return false
  } else {
    const who = { number: number ?? '', lid, source: 'word' as const, messageId: wid, text }
    const made = await noteOptOuts(tx, companyId, [who], now)
    // They said it before, and were answered then.
    if (made.length === 0) return 'known'
    for (const campaign of await leaveCampaigns(tx, companyId, { number, lid }, now))
      after.push(() => deps.changed(campaign))
  }
  const reply = wish === 'out' ? settings.optOutReply : settings.returnReply
  if (!reply.trim()) return 'known'
  await addJobs(tx, companyId, [
    {
      kind: 'campaigns.say',
      whatsappId,
      number: contact.number,
      lid: contact.lid,
      contactId: contact.id,
      messageId: newId(),
      body: reply,
    },
  ])
  return 'answered'
}

const emitAfter = ({ deps, after }: Filing, campaign: Campaign) => {
  after.push(() => deps.changed(campaign))
  const { whatsappId } = campaign
  if (whatsappId !== null) after.push(() => deps.poke(whatsappId))
}

const servedAt = (now: Date, { seed }: Campaign, { key }: Shipping) =>
  new Date(now.getTime() + Math.round(chance(seed, `wait ${key}`) * CONFIRMED_MS))

/**
 * What somebody who writes is about: the last that they got lately (`reply`), a question that waits for its answer
 * (`answer`), or one whose answer stands in no ticket yet (`meet`).
 */
async function answeredBy(
  { companyId, now }: Filing,
  tx: Tx,
  who: Known,
): Promise<{ shipping: Shipping; campaign: Campaign; event: 'reply' | 'answer' | 'meet' } | undefined> {
  const lately = sql`${new Date(now.getTime() - REPLY_MS).toISOString()}::timestamptz`
  const [found] = await tx
    .select({ shipping: shippings, campaign: campaigns })
    .from(shippings)
    .innerJoin(campaigns, eq(campaigns.id, shippings.campaignId))
    .where(
      and(
        ofPerson(companyId, who),
        or(
          and(inArray(shippings.state, ['sent', 'delivered', 'read']), sql`${shippings.sentAt} > ${lately}`),
          and(
            eq(shippings.state, 'planned'),
            sql`${shippings.confirmationRequestedAt} IS NOT NULL AND ${shippings.confirmedAt} IS NULL`,
            // What is paused goes on.
            inArray(campaigns.status, ['EM_ANDAMENTO', 'PAUSADA']),
          ),
          and(
            inArray(shippings.state, ['planned', 'skipped']),
            sql`${shippings.answeredAt} > ${lately} AND ${shippings.ticketId} IS NULL`,
          ),
        ),
      ),
    )
    .orderBy(sql`coalesce(${shippings.sentAt}, ${shippings.confirmationRequestedAt}) DESC`)
    .limit(1)
    .for('update', { of: shippings })
  if (!found) return undefined
  const { state, answeredAt } = found.shipping
  const event = state !== 'planned' && state !== 'skipped' ? 'reply' : answeredAt === null ? 'answer' : 'meet'
  return { ...found, event }
}

/** What the messages that were filed in a ticket are to a campaign. */
function filedAs(
  { shipping, campaign, event }: { shipping: Shipping; campaign: Campaign; event: 'reply' | 'answer' | 'meet' },
  ticketId: number,
  waiting: readonly Arrival[],
  now: Date,
): ShippingEvent {
  if (event !== 'answer') return { type: event, ticketId }
  return answerOf(waiting.map(wordsOf)) === 'no'
    ? { type: 'decline', ticketId }
    : { type: 'confirm', ticketId, dueAt: servedAt(now, campaign, shipping) }
}

/** It is answered; and they have written: what other campaigns have for them begins no chat. */
async function answer(
  { companyId, now }: Filing,
  tx: Tx,
  who: Known,
  shipping: Shipping,
  event: ShippingEvent,
): Promise<void> {
  const others = await lockShippings(
    tx,
    and(
      ofPerson(companyId, who),
      ...[eq(shippings.state, 'planned'), eq(shippings.isNewChat, true)],
      isNull(shippings.confirmationRequestedAt),
    ),
  )
  const wrote = others.map((row) => ({ row, event: { type: 'wrote' } as const }))
  await moveShippings(tx, companyId, [{ row: shipping, event }, ...wrote], now)
}

/**
 * Answers to campaigns: the ticket shows what they answer to, and the campaign knows that they did.
 * @returns `silent`: tickets in which nothing answers by itself, because the campaign goes on talking
 */
async function replies(
  filing: Filing,
  tx: Tx,
  filed: readonly FiledIn[],
): Promise<{ changes: Change[]; silent: ReadonlySet<number> }> {
  const { companyId, now } = filing
  const silent = new Set<number>()
  const changes: Change[] = []
  const people = filed.filter(({ ticket, waiting }) => !ticket.isGroup && waiting.length > 0)
  if (people.length === 0) return { changes, silent }
  const rows = await tx.execute<Known & { id: number }>(sql`SELECT "id", "number", "lid" FROM contacts
    WHERE "id" = ANY(${sql.param(people.map(({ contact }) => contact.id))}::int[])`)
  const contactOf = new Map([...rows].map((row) => [row.id, row]))
  for (const { ticket, contact, waiting } of people) {
    const who = contactOf.get(contact.id)
    const answered = who && (await answeredBy(filing, tx, who))
    if (!answered) continue
    const { shipping, campaign } = answered
    if (answered.event === 'answer') silent.add(ticket.id)
    await answer(filing, tx, who, shipping, filedAs(answered, ticket.id, waiting, now))
    const shown = await shownIn(tx, ticket, shipping, campaign)
    const { replyQueueId } = campaign
    const moved =
      replyQueueId === null
        ? undefined
        : moveTicket(ticket, { type: 'campaignReply', queueId: replyQueueId }, { id: shipping.key, userId: null, now })
    const decision = together(
      ...shown,
      ...(shipping.ticketId === null ? [timeline(ticket, shipping, campaign, waiting[0]!.id, now)] : []),
      ...(moved && !('refused' in moved) ? [moved.decision] : []),
    )
    changes.push(...(await applyDecision(tx, companyId, decision)))
    emitAfter(filing, campaign)
  }
  return { changes, silent }
}

/** What somebody wrote to us; nothing where it is no text, or ours. */
const wordsOf = ({ event }: Arrival): string =>
  event.fromMe || event.content.type !== 'text' ? '' : legible(event.content.text)

/** @param messageId what they wrote first */
const timeline = (
  ticket: FiledIn['ticket'],
  shipping: Shipping,
  campaign: Campaign,
  messageId: string,
  now: Date,
): Decision => ({
  rows: [
    {
      table: 'ticketEvents',
      op: 'insert',
      values: {
        id: `campaign:${shipping.id}`,
        companyId: ticket.companyId,
        ticketId: ticket.id,
        kind: 'campaign_replied',
        userId: null,
        data: { campaign: campaign.name, campaignId: campaign.id, messageId },
        queueScope: ticket.queueId,
        userScope: ticket.userId,
        createdAt: now,
      },
    },
  ],
  effects: [],
})
