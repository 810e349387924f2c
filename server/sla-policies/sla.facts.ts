import { and, asc, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import type { Calendar } from '../../schema/hours/hours.spans.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import type { SlaFacts, SlaRules } from '../../schema/sla-policies/sla.clock.ts'
import {
  type SlaClock,
  slaClocks,
  slaPolicies,
  type SlaState,
  slaStates,
} from '../../schema/sla-policies/sla-policies.table.ts'
import { type Ticket, tickets, ticketTrackings } from '../../schema/tickets/tickets.table.ts'
import type { Db, Tx } from '../db/database.ts'

/** What a company promises now, and the hours that count for it. */
export async function loadRules(db: Db | Tx, companyId: number): Promise<SlaRules> {
  const [policies, [company], own] = await Promise.all([
    db
      .select()
      .from(slaPolicies)
      .where(and(eq(slaPolicies.companyId, companyId), eq(slaPolicies.active, true)))
      .orderBy(asc(slaPolicies.position), asc(slaPolicies.id)),
    db
      .select({ schedules: companies.schedules, holidays: companies.holidays, timeZone: companies.timeZone })
      .from(companies)
      .where(eq(companies.id, companyId)),
    db.select({ id: queues.id, schedules: queues.schedules }).from(queues).where(eq(queues.companyId, companyId)),
  ])
  const { schedules = [], holidays = [], timeZone = 'UTC' } = company ?? {}
  const byCompany: Calendar = { schedules, holidays, timeZone }
  // A queue that has set none goes by the company's.
  const byQueue = new Map(
    own
      .filter((queue) => queue.schedules.some(({ startTime, endTime }) => startTime && endTime))
      .map((queue): [number, Calendar] => [queue.id, { schedules: queue.schedules, holidays, timeZone }]),
  )
  return {
    policies,
    calendarOf: ({ calendar }, queueId) =>
      calendar === '24x7' ? null : (calendar === 'queue' && byQueue.get(queueId ?? 0)) || byCompany,
  }
}

/** Companies that promise something. */
export async function promisingCompanies(db: Db | Tx): Promise<Set<number>> {
  const rows = await db
    .selectDistinct({ companyId: slaPolicies.companyId })
    .from(slaPolicies)
    .where(eq(slaPolicies.active, true))
  return new Set(rows.map(({ companyId }) => companyId))
}

export interface TicketFacts extends SlaFacts {
  row: Ticket
  /** Its state is assumed, and stands nowhere yet. */
  isAdopted: boolean
}

/**
 * Of each of these tickets, which must be locked.
 * @param how.ended also what ended last of each metric
 * @param how.begun those whose service begins now: they have no past
 */
export async function slaFacts(
  tx: Tx,
  companyId: number,
  ids: readonly number[],
  { ended, now, begun }: { ended: boolean; now: Date; begun?: ReadonlySet<number> },
): Promise<TicketFacts[]> {
  const among = [...new Set(ids)]
  const [rows, open, last] = await Promise.all([
    tx
      .select({ row: tickets, fields: contacts.extraInfo, contactFields: contacts.fields, state: slaStates })
      .from(tickets)
      .innerJoin(contacts, eq(contacts.id, tickets.contactId))
      .leftJoin(slaStates, eq(slaStates.ticketId, tickets.id))
      .where(and(eq(tickets.companyId, companyId), inArray(tickets.id, among))),
    tx
      .select()
      .from(slaClocks)
      .where(and(inArray(slaClocks.ticketId, among), isNull(slaClocks.endedAt))),
    ended
      ? tx
          .selectDistinctOn([slaClocks.ticketId, slaClocks.metric])
          .from(slaClocks)
          .where(and(inArray(slaClocks.ticketId, among), isNotNull(slaClocks.endedAt)))
          .orderBy(slaClocks.ticketId, slaClocks.metric, desc(slaClocks.endedAt))
      : ([] as SlaClock[]),
  ])
  const clocksOf = Map.groupBy([...open, ...last], ({ ticketId }) => ticketId)
  const unknown = rows.filter(
    ({ row, state }) => state === null && row.status !== 'closed' && !row.isGroup && !begun?.has(row.id),
  )
  const adopted = await adoptedStates(
    tx,
    unknown.map(({ row }) => row),
    now,
  )
  return rows.map(({ row, fields, contactFields, state }) => ({
    row,
    ticket: { ...row, fields, contactFields },
    state: state ?? adopted.get(row.id),
    isAdopted: state === null && adopted.has(row.id),
    clocks: clocksOf.get(row.id) ?? [],
  }))
}

/**
 * What is assumed of tickets that were there before their company promised anything (K11): who took one has answered it, and
 * who waits waits from now on.
 */
async function adoptedStates(tx: Tx, list: readonly Ticket[], now: Date): Promise<Map<number, SlaState>> {
  if (list.length === 0) return new Map()
  const taken = await tx
    .select({ ticketId: ticketTrackings.ticketId, startedAt: ticketTrackings.startedAt })
    .from(ticketTrackings)
    .where(
      and(
        sql`${ticketTrackings.ticketId} = ANY(${sql.param(list.map(({ id }) => id))}::int[])`,
        isNull(ticketTrackings.finishedAt),
      ),
    )
  const startedAt = new Map(taken.map((one) => [one.ticketId, one.startedAt]))
  return new Map(
    list.map((ticket) => [
      ticket.id,
      {
        ...{ ticketId: ticket.id, companyId: ticket.companyId, policyId: null, serviceAt: now },
        answeredAt: startedAt.get(ticket.id) ?? null,
        waitingSince: ticket.lastMessage !== '' && !ticket.lastMessageFromMe ? now : null,
        isHeld: ticket.lastMessageFromMe,
      },
    ]),
  )
}
