import { and, asc, eq, sql } from 'drizzle-orm'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { type Campaign, campaigns, type Shipping, shippings } from '../../schema/campaigns/campaigns.table.ts'
import { decideShippings } from '../../schema/campaigns/shippings.decide.ts'
import { together } from '../../schema/command.ts'
import { DomainError } from '../../schema/errors.ts'
import type { OutgoingContent, OutgoingMessage } from '../../schema/messages/messages.content.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { applyDecision, type Change } from '../commands/apply.ts'
import { addressOn, isKnownAs } from '../contacts/contacts.address.queries.ts'
import type { Db } from '../db/database.ts'
import { templateContent } from '../../schema/messages/messages.own.ts'
import { GiveUp, NotNow } from '../jobs/worker.ts'
import type { Logger } from '../log.ts'
import { hasWritten, isOut } from './campaigns.bulk.queries.ts'
import { isHeldSql } from '../whatsapps/whatsapps.new-chats.queries.ts'
import type { Sending } from './campaigns.claim.ts'
import { piecesOf, shownAtOnce, type StoredPart } from './campaigns.shown.queries.ts'
import { lockShippings, moveShippings } from './campaigns.writes.ts'

/** Hands what was taken to the connection. */
export interface DeliveryDeps {
  db: Db
  now(): Date
  log: Logger
  /** Resolves when the bytes have left; the same id is the same message. */
  send(message: OutgoingMessage): Promise<unknown>
  /** Which of these, by WhatsApp's ids, a connection has and sends again by itself until they are confirmed. */
  held(whatsappId: number, wids: readonly string[]): Promise<ReadonlySet<string>>
  /** The content of a file of ours, as it leaves. */
  fileContent(companyId: number, file: StoredPart): Promise<OutgoingContent>
  changed(campaign: { id: number; companyId: number }): void
  /** Messages stand in tickets. */
  committed(changes: Change[]): void
}

const RETRY_MS = 5_000
const MOST_TRIES = 3

export type Person = OutgoingMessage['to'] & { kind: 'person' }
export const personOf = ({ number, lid }: Shipping): Person => ({ kind: 'person', number, lid })

/** Where somebody is reached now: who had no number by what their contact is known by over that connection. */
async function placeOf(db: Db, shipping: Shipping): Promise<OutgoingMessage['to']> {
  if (shipping.number !== '') return personOf(shipping)
  const { companyId, lid, whatsappId } = shipping
  const [contact] = await db
    .select()
    .from(contacts)
    .where(and(eq(contacts.companyId, companyId), isKnownAs(sql`${lid}::text`)))
    .orderBy(sql`${contacts.lid} IS NULL`)
    .limit(1)
  return contact ? addressOn(db, contact, whatsappId ?? 0) : { kind: 'person', number: null, lid: null }
}

/** What a process has in its hands. */
export class InHand {
  /** What was handed over, or is being: whoever holds the connection sends it until it is confirmed. */
  readonly handed = new Set<number>()
  /** What is being handed over at this moment. */
  readonly sending = new Set<number>()
  /** Connections of which something that was taken could not be handed over. */
  readonly leftBehind = new Set<number>()
  stopping = false

  took(sends: readonly Sending[]): void {
    for (const { shipping } of sends) this.handed.add(shipping.id)
  }
  /** It could not leave now: the line looks at it again after so long, also while it is open all the time. */
  later(whatsappId: number, ms: number): void {
    setTimeout(() => this.leftBehind.add(whatsappId), ms).unref()
  }
  /** What WhatsApp has said a word about is nobody's any more. */
  keepOnly(leaving: ReadonlySet<number>): void {
    for (const id of this.handed) if (!leaving.has(id) && !this.sending.has(id)) this.handed.delete(id)
  }
}

/** Hands it over; a link that is down leaves it for the next one, under the same id. */
async function deliver(deps: DeliveryDeps, inHand: InHand, { shipping, isQuestion }: Sending, campaign: Campaign) {
  inHand.handed.add(shipping.id)
  inHand.sending.add(shipping.id)
  try {
    for (let tries = 1; ; tries++) {
      try {
        if (!isQuestion && shipping.ticketId !== null) await show(deps, shipping, campaign)
        for (const message of await partsOf(deps, shipping, campaign, isQuestion)) await deps.send(message)
        deps.changed(campaign)
        return
      } catch (error) {
        if (error instanceof NotNow) {
          inHand.handed.delete(shipping.id)
          inHand.later(shipping.whatsappId!, error.retryInMs)
          return
        }
        deps.log.warn({ err: error, shipping: shipping.id }, 'a message of a campaign did not leave')
        if (tries >= MOST_TRIES || error instanceof DomainError || error instanceof GiveUp) {
          await failed(deps, shipping, reasonOf(error))
          deps.changed(campaign)
          return
        }
        await Bun.sleep(RETRY_MS)
        if (inHand.stopping) {
          inHand.handed.delete(shipping.id)
          return
        }
      }
    }
  } finally {
    inHand.sending.delete(shipping.id)
  }
}

/** A word of ours, or what the service says. */
function reasonOf(error: unknown): string {
  if (error instanceof GiveUp) return error.message
  if (!(error instanceof DomainError)) return 'not_sent'
  const { reason } = error.params
  return error.code === 'ERR_CHANNEL_REFUSED' && typeof reason === 'string' ? reason : error.code
}

/** Those taken together, one after the other. Each but the first is asked about once more while the one before it leaves. */
export async function deliverAll(
  deps: DeliveryDeps,
  inHand: InHand,
  whatsappId: number,
  { sends, campaign }: { sends: readonly Sending[]; campaign: Campaign },
): Promise<void> {
  let may: ReadonlySet<number> = new Set(sends.map(({ shipping }) => shipping.id))
  for (const [i, one] of sends.entries()) {
    const rest = sends.slice(i + 1)
    try {
      const asked =
        rest.length > 0
          ? mayLeave(
              deps.db,
              rest.map(({ shipping }) => shipping.id),
              deps.now(),
            )
          : may
      if (!inHand.stopping && may.has(one.shipping.id)) await deliver(deps, inHand, one, campaign)
      else await giveBack(deps, inHand, [one.shipping.id])
      may = await asked
    } catch (error) {
      for (const { shipping } of sends.slice(i)) inHand.handed.delete(shipping.id)
      inHand.leftBehind.add(whatsappId)
      throw error
    }
  }
}

/**
 * Who of them is still to be written to: their campaign goes on, they have not left it, and no chat is begun with them
 * that WhatsApp lets nobody begin.
 */
async function mayLeave(db: Db, shippingIds: readonly number[], now: Date): Promise<Set<number>> {
  const ids = sql.param(shippingIds)
  const rows = await db.execute<{ id: string }>(sql`SELECT s."id" FROM ${shippings} s
    JOIN ${campaigns} c ON c."id" = s."campaignId" AND c."status" = 'EM_ANDAMENTO'
    JOIN ${whatsapps} w ON w."id" = s."whatsappId"
    WHERE s."id" = ANY(${ids}::bigint[]) AND s."ack" = 1 AND NOT ${isOut('s')}
      AND (NOT ${isHeldSql('w', now)} OR ${hasWritten('s', sql`w."id"`)})`)
  return new Set(rows.map(({ id }) => Number(id)))
}

/** What was taken and has not left is as if it had not been: it leaves another time, under the same id. */
async function giveBack({ db, now }: DeliveryDeps, inHand: InHand, ids: readonly number[]): Promise<void> {
  const at = now()
  await db.transaction(async (tx) => {
    const rows = await tx
      .select({ row: shippings, status: campaigns.status, isOut: isOut('shippings') })
      .from(shippings)
      .innerJoin(campaigns, eq(campaigns.id, shippings.campaignId))
      .where(sql`${shippings.id} = ANY(${sql.param(ids)}::bigint[])`)
      .orderBy(asc(shippings.id))
      .for('update', { of: shippings })
    for (const [companyId, own] of Map.groupBy(rows, ({ row }) => row.companyId))
      await moveShippings(
        tx,
        companyId,
        own.map(({ row, status, isOut }) => ({
          row,
          event: { type: 'giveBack', isOut, isCancelled: status === 'CANCELADA' },
        })),
        at,
      )
  })
  for (const id of ids) inHand.handed.delete(id)
}

/** It cannot be handed over; who has a ticket has it there, too. */
async function failed({ db, now, committed }: DeliveryDeps, shipping: Shipping, reason: string): Promise<void> {
  const { messageId, companyId } = shipping
  const changes = await db.transaction(async (tx) => {
    const rows = await lockShippings(tx, eq(shippings.id, shipping.id))
    const { decision } = decideShippings(
      rows.map((row) => ({ row, event: { type: 'fail', reason } })),
      now(),
    )
    const values = { ack: 0, ackError: reason }
    if (messageId !== null && shipping.ticketId !== null)
      decision.rows.push({ table: 'messages', op: 'update', ids: [messageId], values })
    return applyDecision(tx, companyId, decision)
  })
  if (changes.length > 0) committed(changes)
}

async function partsOf(
  { db, fileContent }: DeliveryDeps,
  shipping: Shipping,
  campaign: Campaign,
  isQuestion: boolean,
): Promise<OutgoingMessage[]> {
  const { companyId, whatsappId } = shipping
  const to = await placeOf(db, shipping)
  const base = { companyId, whatsappId: whatsappId!, to, quoted: null, by: 'many' as const }
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
      const { about } = shipping
      const content: OutgoingContent = about
        ? templateContent(about, body, file && { ...file, voice: false })
        : file
          ? await fileContent(companyId, file)
          : { type: 'text', text: body }
      return { ...base, messageId, wid, content }
    }),
  )
}

/** Whoever said yes has a ticket: what follows stands in it as it leaves. */
async function show({ db, committed }: DeliveryDeps, shipping: Shipping, campaign: Campaign): Promise<void> {
  const changes = await db.transaction(async (tx) =>
    applyDecision(tx, shipping.companyId, together(...(await shownAtOnce(tx, shipping, campaign)))),
  )
  committed(changes)
}

/** What a process that died had taken, and what a link that broke did not take, is sent under its id. */
export async function recoverLine(deps: DeliveryDeps, inHand: InHand, whatsappId: number): Promise<void> {
  const rows = await deps.db
    .select({ shipping: shippings, campaign: campaigns })
    .from(shippings)
    .innerJoin(campaigns, eq(campaigns.id, shippings.campaignId))
    .where(and(eq(shippings.whatsappId, whatsappId), eq(shippings.ack, 1)))
    .orderBy(asc(shippings.id))
    .limit(100)
  const left = rows.filter(({ shipping }) => !inHand.handed.has(shipping.id))
  const may = await mayLeave(
    deps.db,
    left.map(({ shipping }) => shipping.id),
    deps.now(),
  )
  const isStopped = ({ shipping, campaign }: (typeof left)[number]) =>
    campaign.status !== 'EM_ANDAMENTO' || !may.has(shipping.id)
  const stopped = left.filter(isStopped)
  const widOfRow = ({ state, wid, confirmationWid }: Shipping) => (state === 'planned' ? confirmationWid! : wid!)
  if (stopped.length > 0) {
    // What the link has already, it sends by itself until it is confirmed; the rest waits until somebody resumes.
    const wids = stopped.map(({ shipping }) => widOfRow(shipping))
    const held = await deps.held(whatsappId, wids)
    await giveBack(
      deps,
      inHand,
      stopped.flatMap(({ shipping }) => (held.has(widOfRow(shipping)) ? [] : shipping.id)),
    )
  }
  for (const one of left)
    if (!isStopped(one))
      await deliver(
        deps,
        inHand,
        { shipping: one.shipping, isQuestion: one.shipping.state === 'planned' },
        one.campaign,
      )
}
