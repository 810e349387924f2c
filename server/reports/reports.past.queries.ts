import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { flowRuns, flowVersions } from '../../schema/flows/flows.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { ratings } from '../../schema/ratings/ratings.table.ts'
import type { PastEnd, TicketPast } from '../../schema/reports/reports.facts.ts'
import { ticketEvents, tickets, ticketTrackings } from '../../schema/tickets/tickets.table.ts'
import type { Tx } from '../db/database.ts'

/** What happened to tickets, as far as reports go by it. Those without a service are left out. */
export async function pastOf(tx: Tx, companyId: number, ticketIds: readonly number[]): Promise<TicketPast[]> {
  const among = [...ticketIds]
  const [places, services, said, runs, ends] = await Promise.all([
    tx
      .select({ id: tickets.id, queueId: tickets.queueId, whatsappId: tickets.whatsappId, tagIds: tickets.tagIds })
      .from(tickets)
      .where(and(eq(tickets.companyId, companyId), inArray(tickets.id, among)))
      .orderBy(asc(tickets.id)),
    tx
      .select({ service: ticketTrackings, rating: ratings })
      .from(ticketTrackings)
      .leftJoin(ratings, eq(ratings.trackingId, ticketTrackings.id))
      .where(inArray(ticketTrackings.ticketId, among))
      .orderBy(asc(ticketTrackings.ticketId), asc(ticketTrackings.id)),
    tx
      .select({
        ticketId: messages.ticketId,
        id: messages.id,
        wid: messages.wid,
        fromMe: messages.fromMe,
        authorId: messages.authorId,
        createdAt: messages.createdAt,
      })
      .from(messages)
      .where(inArray(messages.ticketId, among))
      .orderBy(asc(messages.ticketId), asc(messages.createdAt), asc(messages.id)),
    // Runs are found by their contact.
    tx
      .select({
        ticketId: flowRuns.ticketId,
        flowId: flowRuns.flowId,
        version: flowVersions.number,
        createdAt: flowRuns.createdAt,
        endedAt: flowRuns.endedAt,
        reason: flowRuns.reason,
      })
      .from(flowRuns)
      .innerJoin(flowVersions, eq(flowVersions.id, flowRuns.versionId))
      .where(
        sql`${flowRuns.contactId} IN (SELECT ${tickets.contactId} FROM ${tickets} WHERE ${inArray(tickets.id, among)})
          AND ${inArray(flowRuns.ticketId, among)}`,
      )
      .orderBy(asc(flowRuns.createdAt), asc(flowRuns.id)),
    tx
      .select({
        ticketId: ticketEvents.ticketId,
        at: ticketEvents.createdAt,
        kind: ticketEvents.kind,
        userId: ticketEvents.userId,
      })
      .from(ticketEvents)
      .where(
        and(
          inArray(ticketEvents.ticketId, among),
          inArray(ticketEvents.kind, ['resolved', 'expired', 'merged_into'] satisfies PastEnd['kind'][]),
        ),
      )
      .orderBy(asc(ticketEvents.createdAt), asc(ticketEvents.id)),
  ])
  const [ofServices, ofMessages, ofRuns, ofEnds] = [
    Map.groupBy(services, ({ service }) => service.ticketId),
    Map.groupBy(said, ({ ticketId }) => ticketId),
    Map.groupBy(runs, ({ ticketId }) => ticketId),
    Map.groupBy(ends, ({ ticketId }) => ticketId),
  ]
  return places.flatMap(({ id, queueId, whatsappId, tagIds }) => {
    const own = ofServices.get(id)
    if (!own) return []
    return {
      ...{ companyId, ticketId: id, queueId, whatsappId, tagIds },
      services: own.map(({ service, rating }) => ({ ...service, rating })),
      messages: ofMessages.get(id) ?? [],
      runs: ofRuns.get(id) ?? [],
      ends: (ofEnds.get(id) ?? []) as PastEnd[],
    }
  })
}
