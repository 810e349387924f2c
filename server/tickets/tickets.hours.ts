import { and, desc, eq, sql } from 'drizzle-orm'
import { isSubscribed } from '../../schema/companies/companies.subscription.ts'
import { NOTICE_EVERY_MS, outOfHoursNotice } from '../../schema/hours/hours.notice.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { ticketEvents, type Ticket } from '../../schema/tickets/tickets.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Change } from '../commands/apply.ts'
import type { Tx } from '../db/database.ts'
import type { CompanyConfig } from '../settings/settings.facts.ts'
import { wordsFor } from './tickets.facts.ts'
import { sayIn } from './tickets.say.ts'

/**
 * Tells the contact of a pending ticket, who has just written, that nobody is there now, if so; at most once in five
 * minutes. Asks the database for nothing where hours do not count.
 *
 * @param cause the message that is answered
 */
export async function tellHours(
  tx: Tx,
  ticket: Ticket,
  company: CompanyConfig,
  cause: string,
  now: Date,
): Promise<Change[]> {
  const { scheduleType } = company.settings
  if (scheduleType === 'disabled' || ticket.status !== 'pending' || ticket.isGroup || ticket.whatsappId === null)
    return []
  const [row] = await tx
    .select({
      connection: { schedules: whatsapps.schedules, outOfHoursMessage: whatsapps.outOfHoursMessage },
      queue: { schedules: queues.schedules, outOfHoursMessage: queues.outOfHoursMessage },
    })
    .from(whatsapps)
    .leftJoin(queues, ticket.queueId === null ? sql`false` : eq(queues.id, ticket.queueId))
    .where(eq(whatsapps.id, ticket.whatsappId))
  if (!row || !isSubscribed(company.subscription, now)) return []
  const facts = { ...row, scheduleType, timeZone: company.timeZone, ticket, company, lastNoticeAt: null }
  // Most messages come in time: only then is looked up when the ticket was told the last time.
  if (outOfHoursNotice(facts, now) === null) return []
  const since = new Date(now.getTime() - NOTICE_EVERY_MS)
  const [last] = await tx
    .select({ at: ticketEvents.createdAt })
    .from(ticketEvents)
    .where(
      and(
        eq(ticketEvents.ticketId, ticket.id),
        eq(ticketEvents.kind, 'out_of_hours'),
        sql`${ticketEvents.createdAt} > ${since.toISOString()}::timestamptz`,
      ),
    )
    .orderBy(desc(ticketEvents.createdAt))
    .limit(1)
  const notice = outOfHoursNotice({ ...facts, lastNoticeAt: last?.at ?? null }, now)
  if (notice === null) return []
  const written = await tx
    .insert(ticketEvents)
    .values({
      id: `hours:${cause}`,
      companyId: ticket.companyId,
      ticketId: ticket.id,
      kind: 'out_of_hours',
      queueScope: ticket.queueId,
      userScope: ticket.userId,
      createdAt: now,
    })
    .onConflictDoNothing()
    .returning({ id: ticketEvents.id })
  if (written.length === 0) return []
  const words = await wordsFor(tx, ticket.id, company, now)
  // After the message that it answers, also where the clock is too coarse to tell.
  return sayIn(tx, ticket, `hours:${cause}`, words(notice), new Date(now.getTime() + 1))
}
