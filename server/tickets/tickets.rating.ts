import { and, desc, eq, isNotNull } from 'drizzle-orm'
import type { EndFacts, GivenComment, GivenRate, LastWords } from '../../schema/ratings/ratings.decide.ts'
import { commentOf, rateOf } from '../../schema/ratings/ratings.rules.ts'
import { ratings } from '../../schema/ratings/ratings.table.ts'
import { ticketTrackings, type Ticket } from '../../schema/tickets/tickets.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Tx } from '../db/database.ts'
import type { CompanyConfig } from '../settings/settings.facts.ts'
import { sayingsFor, wordsFor } from './tickets.facts.ts'

/** What decides how a service ends. The ticket must be locked; so is its last service that is over. */
export async function endFacts(
  tx: Tx,
  ticket: Ticket,
  company: CompanyConfig,
  cause: string,
  now: Date,
): Promise<EndFacts> {
  const [service] = await tx
    .select()
    .from(ticketTrackings)
    .where(and(eq(ticketTrackings.ticketId, ticket.id), isNotNull(ticketTrackings.finishedAt)))
    .orderBy(desc(ticketTrackings.id))
    .limit(1)
    .for('update')
  const sayings = await sayingsFor(tx, ticket.id, { goodbye: `closed:${cause}`, question: `rating:${cause}` })
  const { userRating } = company.settings
  return { ticket, service, userRating, ...(await textsOf(tx, ticket, company, now)), ...sayings }
}

/** What is said when a service was rated, or the contact has said why. */
export async function lastWordsAfterRating(
  tx: Tx,
  ticket: Ticket,
  company: CompanyConfig,
  given: GivenRate | GivenComment,
  now: Date,
): Promise<LastWords> {
  const { trackingId } = given
  const { goodbye, why } = await sayingsFor(tx, ticket.id, { goodbye: `rated:${trackingId}`, why: `why:${trackingId}` })
  const asks = 'rate' in given && company.settings.askComment === 'enabled'
  return { ...(await textsOf(tx, ticket, company, now)), goodbye, ...(asks && { why }) }
}

async function textsOf(
  tx: Tx,
  ticket: Ticket,
  company: CompanyConfig,
  now: Date,
): Promise<Omit<LastWords, 'goodbye' | 'why'>> {
  const [texts] = await tx
    .select({ completionMessage: whatsapps.completionMessage, ratingMessage: whatsapps.ratingMessage })
    .from(whatsapps)
    .where(eq(whatsapps.id, ticket.whatsappId ?? 0))
  return {
    completionMessage: texts?.completionMessage ?? '',
    ratingMessage: texts?.ratingMessage ?? '',
    words: await wordsFor(tx, ticket, company, now),
    language: company.language,
  }
}

/** What a contact answered about the last service of a ticket that is closed; undefined for a message like any other. */
export async function rateGiven(
  tx: Tx,
  ticket: Ticket,
  company: Pick<CompanyConfig, 'settings'>,
  text: string | null,
  at: Date,
): Promise<GivenRate | GivenComment | undefined> {
  const [service] = await tx
    .select()
    .from(ticketTrackings)
    .where(eq(ticketTrackings.ticketId, ticket.id))
    .orderBy(desc(ticketTrackings.id))
    .limit(1)
  if (!service) return undefined
  const { id: trackingId, userId } = service
  const rate = rateOf(text, service, at)
  if (rate) return { rate, trackingId, userId }
  if (!service.rated || company.settings.askComment !== 'enabled') return undefined
  const [rating] = await tx.select().from(ratings).where(eq(ratings.trackingId, trackingId)).for('update')
  const comment = commentOf(text, rating, at)
  return comment === null ? undefined : { comment, trackingId }
}
