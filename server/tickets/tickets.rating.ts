import { and, desc, eq, isNotNull } from 'drizzle-orm'
import { asksForRating, rateOf, ratingRequest } from '../../schema/ratings/ratings.rules.ts'
import { ratings } from '../../schema/ratings/ratings.table.ts'
import { ticketEvents, ticketTrackings, type Ticket } from '../../schema/tickets/tickets.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Change } from '../commands/apply.ts'
import type { Tx } from '../db/database.ts'
import type { CompanyConfig } from '../settings/settings.facts.ts'
import { wordsFor } from './tickets.facts.ts'
import { sayIn } from './tickets.say.ts'

async function lastService(tx: Tx, ticketId: number) {
  const [row] = await tx
    .select()
    .from(ticketTrackings)
    .where(eq(ticketTrackings.ticketId, ticketId))
    .orderBy(desc(ticketTrackings.id))
    .limit(1)
  return row
}

async function goodbye(tx: Tx, ticket: Ticket, company: CompanyConfig, cause: string, now: Date): Promise<Change[]> {
  if (ticket.whatsappId === null) return []
  const [whatsapp] = await tx
    .select({ text: whatsapps.complationMessage })
    .from(whatsapps)
    .where(eq(whatsapps.id, ticket.whatsappId))
  if (!whatsapp?.text.trim()) return []
  const words = await wordsFor(tx, ticket.id, company, now)
  return sayIn(tx, ticket, cause, words(whatsapp.text), now)
}

/** The last words of a service: the question how it was, or the farewell. Said once, however often it is called. */
export async function endService(
  tx: Tx,
  ticket: Ticket,
  company: CompanyConfig,
  cause: string,
  now: Date,
): Promise<Change[]> {
  const [service] = await tx
    .select()
    .from(ticketTrackings)
    .where(and(eq(ticketTrackings.ticketId, ticket.id), isNotNull(ticketTrackings.finishedAt)))
    .orderBy(desc(ticketTrackings.id))
    .limit(1)
    .for('update')
  // Each service ends once, so whoever was asked about this one was asked by this very end.
  if (service?.ratingAt) return []
  const asks =
    service !== undefined &&
    ticket.status === 'closed' &&
    asksForRating({
      ...service,
      userRating: company.settings.userRating,
      isGroup: ticket.isGroup,
      userId: service.userId,
    })
  if (!asks || ticket.whatsappId === null) return goodbye(tx, ticket, company, `closed:${cause}`, now)
  const [whatsapp] = await tx
    .select({ text: whatsapps.ratingMessage })
    .from(whatsapps)
    .where(eq(whatsapps.id, ticket.whatsappId))
  await tx.update(ticketTrackings).set({ ratingAt: now }).where(eq(ticketTrackings.id, service.id))
  const words = await wordsFor(tx, ticket.id, company, now)
  return sayIn(tx, ticket, `rating:${cause}`, ratingRequest(words(whatsapp?.text ?? ''), company.language), now)
}

export interface GivenRate {
  rate: 1 | 2 | 3
  trackingId: number
  userId: number | null
}

/** What a contact answered about the last service of a ticket that is closed; undefined for a message like any other. */
export async function rateGiven(tx: Tx, ticket: Ticket, text: string | null, at: Date): Promise<GivenRate | undefined> {
  const service = await lastService(tx, ticket.id)
  const rate = rateOf(text, service, at)
  return service && rate ? { rate, trackingId: service.id, userId: service.userId } : undefined
}

/** Keeps the rate and says goodbye. The ticket stays closed. */
export async function keepRate(
  tx: Tx,
  ticket: Ticket,
  { rate, trackingId, userId }: GivenRate,
  company: CompanyConfig,
  now: Date,
): Promise<Change[]> {
  const { companyId } = ticket
  await tx.insert(ratings).values({ companyId, ticketId: ticket.id, trackingId, userId, rate, createdAt: now })
  await tx.update(ticketTrackings).set({ rated: true }).where(eq(ticketTrackings.id, trackingId))
  await tx.insert(ticketEvents).values({
    id: `rated:${trackingId}`,
    companyId,
    ticketId: ticket.id,
    kind: 'rated',
    data: { rate },
    queueScope: ticket.queueId,
    userScope: ticket.userId,
    createdAt: now,
  })
  // After the answer, also where the clock is too coarse to tell.
  return goodbye(tx, ticket, company, `rated:${trackingId}`, new Date(now.getTime() + 1))
}
