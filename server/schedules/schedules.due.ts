import { DAY_MS } from '../../schema/durations.ts'
import { and, asc, desc, eq, inArray, isNotNull, isNull, lte, notInArray, or, sql } from 'drizzle-orm'
import { isSubscribed, standingRefusal } from '../../schema/companies/companies.subscription.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { DomainError, type ErrorCode } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { type Decision, together } from '../../schema/command.ts'
import { storedFile } from '../../schema/messages/messages.own.ts'
import { say, type Saying } from '../../schema/messages/messages.say.ts'
import { ticketForOutbound } from '../../schema/tickets/tickets.begin.ts'
import { lidOf } from '../../schema/opt-outs/opt-outs.transition.ts'
import { type Schedule, schedules } from '../../schema/schedules/schedules.table.ts'
import { type ScheduleEvent, scheduleAfter, waitingStatuses } from '../../schema/schedules/schedules.transition.ts'
import { sayingBy } from '../../schema/templates/templates.state.ts'
import type { TemplateValues } from '../../schema/templates/templates.parts.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { noteBulk } from '../campaigns/campaigns.bulk.changes.ts'
import { optedOut, stoppedLines } from '../campaigns/campaigns.bulk.queries.ts'
import { applyDecision, type Change } from '../commands/apply.ts'
import type { Db, Tx } from '../db/database.ts'
import type { CompanyConfig, CompanyFacts } from '../settings/settings.facts.ts'
import { findTemplate } from '../templates/templates.queries.ts'
import { outboundFacts, sayingsFor, wordsFor } from '../tickets/tickets.facts.ts'
import { closedWindows } from '../whatsapps/whatsapps.window.queries.ts'
import { hasChat, hasWrittenSql, isHeldSql, newChatHoldOf } from '../whatsapps/whatsapps.new-chats.queries.ts'

/** What was due for longer than this while nobody was there is not sent any more. */
export const LATEST_MS = DAY_MS

/** So many in one go; the next one goes on. */
const BATCH = 200

export interface DueDeps {
  db: Db
  now(): Date
  facts: CompanyFacts
  /** A user with the rights they have at this moment. */
  principalOf(tx: Tx, userId: number): Promise<Principal | undefined>
  committed(changes: Change[]): void
  /** One of many has been sent. */
  bulkBegan?(companyId: number): void
}

/**
 * Sends what is due. Message, job and the schedule's new state are one transaction, so each is sent once, whenever a
 * process dies and however many of them look. What cannot be sent is `ERRO`, with a code; whoever sets another time
 * has it sent then. What would begin a chat that may not begin waits, and goes on by itself. Its author must be one who might write it at the screen at this moment.
 *
 * @returns how many were settled, sent or not
 * @throws the first failure, after the others were tried
 */
export async function sendDueSchedules(deps: DueDeps): Promise<number> {
  const failed: { id: string; error: unknown }[] = []
  let settled = 0
  for (let i = 0; i < BATCH; i++) {
    let id: string | undefined
    let bulkOf: number | undefined
    try {
      const changes = await deps.db.transaction(async (tx) => {
        const schedule = await nextDue(
          tx,
          deps.now(),
          failed.map((f) => f.id),
        )
        if (!schedule) return undefined
        id = schedule.id
        if (schedule.bulk) bulkOf = schedule.companyId
        return applyDecision(tx, schedule.companyId, await settle(deps, tx, schedule))
      })
      if (!changes) break
      settled++
      deps.committed(changes)
      if (bulkOf !== undefined) deps.bulkBegan?.(bulkOf)
    } catch (error) {
      // Without a row it was the database, which the next round asks again.
      if (id === undefined) throw error
      failed.push({ id, error })
    }
  }
  if (failed.length > 0) throw failed[0]!.error
  return settled
}

/** What kept one waiting is over before its moment: the lock is lifted, or the contact has written. */
const mayBegin = (now: Date) => sql`NOT EXISTS (SELECT FROM ${whatsapps} w
  WHERE w."companyId" = ${schedules.companyId} AND (${schedules.whatsappId} IS NULL OR w."id" = ${schedules.whatsappId})
    AND ${isHeldSql('w', now)} AND NOT ${hasWrittenSql(sql`${schedules.contactId}`, sql`w."id"`)})`

/** The oldest due one that nobody else is about to send. */
async function nextDue(tx: Tx, now: Date, except: string[]): Promise<Schedule | undefined> {
  const [row] = await tx
    .select()
    .from(schedules)
    .where(
      and(
        inArray(schedules.status, waitingStatuses),
        lte(schedules.sendAt, now),
        or(isNull(schedules.waitsUntil), lte(schedules.waitsUntil, now), mayBegin(now)),
        except.length > 0 ? notInArray(schedules.id, except) : undefined,
      ),
    )
    .orderBy(asc(schedules.sendAt), asc(schedules.id))
    .limit(1)
    .for('update', { skipLocked: true })
  return row
}

/** What becomes of a schedule that is due: it is sent, or it failed for a reason that it then shows. */
async function settle(deps: DueDeps, tx: Tx, schedule: Schedule): Promise<Decision> {
  const now = deps.now()
  const becomes = (event: ScheduleEvent): Decision => {
    const values = scheduleAfter(schedule, event, now)
    return { rows: values ? [{ table: 'schedules', op: 'update', ids: [schedule.id], values }] : [], effects: [] }
  }
  const refuse = (error: ErrorCode) => becomes({ type: 'refuse', error })

  const [row] = await tx
    .select({
      contact: { id: contacts.id, isGroup: contacts.isGroup, number: contacts.number, lid: contacts.lid },
      company: {
        id: companies.id,
        status: companies.status,
        dueDate: companies.dueDate,
        timeZone: companies.timeZone,
      },
      allowed: plans.useSchedules,
    })
    .from(schedules)
    .innerJoin(contacts, eq(contacts.id, schedules.contactId))
    .innerJoin(companies, eq(companies.id, schedules.companyId))
    .leftJoin(plans, eq(plans.id, companies.planId))
    .where(eq(schedules.id, schedule.id))
  if (!row) return refuse('ERR_NO_CONTACT_FOUND')
  // What a lock kept waiting is not late for it.
  const since = Math.max(schedule.sendAt.getTime(), schedule.waitsUntil?.getTime() ?? 0)
  if (now.getTime() - since > LATEST_MS) return refuse('ERR_SCHEDULE_LATE')
  if (!isSubscribed(row.company, now)) return refuse(standingRefusal(row.company, now).code)
  if (row.allowed === false) return refuse('ERR_PLAN_FEATURE')
  const author = schedule.userId === null ? undefined : await deps.principalOf(tx, schedule.userId)
  if (author?.companyId !== schedule.companyId) return refuse('ERR_SCHEDULE_AUTHOR')
  const known = { number: row.contact.number, lid: lidOf(row.contact) }
  if (schedule.bulk && (await optedOut(tx, schedule.companyId, [known]))(known)) return refuse('ERR_OPTED_OUT')
  const whatsappId = await connectionFor(tx, schedule)
  if (whatsappId === undefined) return refuse('ERR_NO_DEF_WAPP_FOUND')
  if (schedule.bulk && (await stoppedLines(tx, [whatsappId])).size > 0) return refuse('ERR_BULK_STOPPED')
  const hold = await newChatHoldOf(tx, whatsappId, now)
  if (hold && !(await hasChat(tx, whatsappId, row.contact))) return becomes({ type: 'wait', until: hold.until })

  const company: CompanyConfig = await deps.facts.of(schedule.companyId)
  // A schedule that failed and was set to another time is another message.
  const cause = `schedule:${schedule.id}:${schedule.sendAt.toISOString()}`
  const { companyId } = schedule
  const to = { companyId, contactId: row.contact.id, isGroup: row.contact.isGroup, whatsappId, author }
  const facts = await outboundFacts(tx, to, company)
  const place = ticketForOutbound(to, facts, { id: cause, userId: author.userId, now })
  // What they might not do at the screen now is not done for them either.
  if ('refused' in place) return refuse(place.refused === 'ERR_NO_TICKET_FOUND' ? 'ERR_SCHEDULE_AUTHOR' : place.refused)
  const { decision: filing, ticket } = place
  const { said } = await sayingsFor(tx, ticket.id, { said: cause })
  const words = await wordsFor(tx, ticket, company, now, author)
  const spoken = await spokenBy(tx, schedule, { whatsappId, contact: row.contact, words, now })
  if ('refused' in spoken) return refuse(spoken.refused)
  if (schedule.bulk) await noteBulk(tx, companyId, [{ messageId: said.id, whatsappId, contactId: row.contact.id }], now)
  const saying = say(ticket, { ...said, ...spoken, authorId: author.userId, at: now, toMany: true })
  return together(filing, saying, becomes({ type: 'send' }))
}

/** What it says at its time: by its template where it has one, else a text, which is said only while the window is open. */
async function spokenBy(
  tx: Tx,
  schedule: Schedule,
  at: {
    whatsappId: number
    contact: { id: number; number: string | null }
    words(text: string): string | null
    now: Date
  },
): Promise<{ refused: ErrorCode } | Pick<Saying, 'body' | 'file' | 'about'>> {
  const { whatsappId, contact, words, now } = at
  const { companyId, templateId } = schedule
  const file = storedFile(schedule)
  if (templateId === null) {
    const person = { whatsappId, number: contact.number ?? '', contactId: contact.id }
    if ((await closedWindows(tx, companyId, [person], now)).size > 0) return { refused: 'ERR_WINDOW_CLOSED' }
    const body = words(schedule.body)
    return body === null ? { refused: 'ERR_TEXT_LONG' } : { body, file }
  }
  const template = await findTemplate(tx, companyId, templateId)
  if (template?.whatsappId !== whatsappId) return { refused: 'ERR_NO_TEMPLATE_FOUND' }
  const values: TemplateValues = {}
  for (const [key, value] of Object.entries(schedule.templateValues)) {
    const filled = words(value)
    if (filled === null) return { refused: 'ERR_TEXT_LONG' }
    values[key] = filled
  }
  try {
    const spoken = sayingBy(template, values, file)
    return { ...spoken, ...(file && { file: { ...file, voice: false } }) }
  } catch (error) {
    if (error instanceof DomainError) return { refused: error.code }
    throw error
  }
}

/** Its own connection, else the company's default, else the one over which the contact was last spoken to. */
async function connectionFor(tx: Tx, schedule: Schedule): Promise<number | undefined> {
  if (schedule.whatsappId !== null) return schedule.whatsappId
  const [standard] = await tx
    .select({ id: whatsapps.id })
    .from(whatsapps)
    .where(and(eq(whatsapps.companyId, schedule.companyId), eq(whatsapps.isDefault, true)))
  if (standard) return standard.id
  const [last] = await tx
    .select({ id: tickets.whatsappId })
    .from(tickets)
    .where(and(eq(tickets.contactId, schedule.contactId), isNotNull(tickets.whatsappId)))
    .orderBy(desc(tickets.updatedAt))
    .limit(1)
  return last?.id ?? undefined
}
