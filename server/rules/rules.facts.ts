import { and, asc, eq, gt, inArray, lte, or } from 'drizzle-orm'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import type { FieldPatch } from '../../schema/custom-fields/custom-fields.table.ts'
import { HOUR_MS } from '../../schema/durations.ts'
import { hoursAt } from '../../schema/hours/hours.at.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import type { Done } from '../../schema/rules/rules.ask.ts'
import type { RuleEvent } from '../../schema/rules/rules.events.ts'
import type { RuleCondition } from '../../schema/rules/rules.inputs.ts'
import { type Rule, ruleRuns, rules } from '../../schema/rules/rules.table.ts'
import type { Ticket } from '../../schema/tickets/tickets.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Db, Tx } from '../db/database.ts'
import type { CompanyConfig } from '../settings/settings.facts.ts'

/** A company's rules in their order. */
export const rulesOf = (db: Db | Tx, companyId: number): Promise<Rule[]> =>
  db.select().from(rules).where(eq(rules.companyId, companyId)).orderBy(asc(rules.position), asc(rules.id))

/** Those that answer an event: they were live when it happened. */
export const rulesFor = (db: Db | Tx, companyId: number, event: RuleEvent): Promise<Rule[]> =>
  db
    .select()
    .from(rules)
    .where(
      and(
        ...[eq(rules.companyId, companyId), eq(rules.active, true), eq(rules.trigger, event.trigger)],
        ...[lte(rules.activeSince, new Date(event.at)), event.ruleId && eq(rules.id, event.ruleId)].filter(
          (one) => !!one,
        ),
      ),
    )
    .orderBy(asc(rules.position), asc(rules.id))

/** What rules have done in a ticket within the hour, or after the same root. */
export const doneIn = (db: Db | Tx, ticketId: number, root: string, now: Date): Promise<Done[]> =>
  db
    .select({ ruleId: ruleRuns.ruleId, root: ruleRuns.root, at: ruleRuns.createdAt })
    .from(ruleRuns)
    .where(
      and(
        ...[eq(ruleRuns.ticketId, ticketId), eq(ruleRuns.result, 'done')],
        or(gt(ruleRuns.createdAt, new Date(now.getTime() - HOUR_MS)), eq(ruleRuns.root, root)),
      ),
    )

/** Whether rules were asked about an event already: all of them are, in one transaction. */
export async function wasAsked(db: Db | Tx, runIds: readonly string[]): Promise<boolean> {
  const [one] = await db
    .select({ id: ruleRuns.id })
    .from(ruleRuns)
    .where(inArray(ruleRuns.id, [...runIds]))
    .limit(1)
  return one !== undefined
}

export async function textOf(db: Db | Tx, companyId: number, messageId: string | undefined): Promise<string | null> {
  if (messageId === undefined) return null
  const [row] = await db
    .select({ body: messages.body })
    .from(messages)
    .where(and(eq(messages.companyId, companyId), eq(messages.id, messageId)))
  return row?.body ?? null
}

export async function contactFieldsOf(db: Db | Tx, companyId: number, contactId: number): Promise<FieldPatch> {
  const [row] = await db
    .select({ fields: contacts.fields })
    .from(contacts)
    .where(and(eq(contacts.companyId, companyId), eq(contacts.id, contactId)))
  return row?.fields ?? {}
}

/** Whether the counter of a ticket is open at a moment. */
export type OpenAt = (ticket: Pick<Ticket, 'queueId' | 'whatsappId'>, at: Date) => boolean

export const asksHours = (conditions: readonly RuleCondition[]): boolean =>
  conditions.some(({ kind }) => kind === 'hours')

/** The hours of a company, its queues and its connections, as they are now. */
export async function openAt(db: Db | Tx, companyId: number, company: CompanyConfig): Promise<OpenAt> {
  const [ofQueues, ofConnections] = await Promise.all([
    db
      .select({ id: queues.id, schedules: queues.schedules, outOfHoursMessage: queues.outOfHoursMessage })
      .from(queues)
      .where(eq(queues.companyId, companyId)),
    db
      .select({ id: whatsapps.id, schedules: whatsapps.schedules, outOfHoursMessage: whatsapps.outOfHoursMessage })
      .from(whatsapps)
      .where(eq(whatsapps.companyId, companyId)),
  ])
  const queueOf = new Map(ofQueues.map((queue) => [queue.id, queue]))
  const connectionOf = new Map(ofConnections.map((connection) => [connection.id, connection]))
  const { scheduleType } = company.settings
  return ({ queueId, whatsappId }, at) =>
    hoursAt(
      {
        ...{ scheduleType, timeZone: company.timeZone, company, queue: queueOf.get(queueId ?? 0) ?? null },
        connection: connectionOf.get(whatsappId ?? 0) ?? { schedules: [], outOfHoursMessage: '' },
      },
      at,
    ).open
}
