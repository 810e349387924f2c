import { and, arrayContains, asc, eq, or } from 'drizzle-orm'
import { blank } from '../../schema/automation/automation.state.ts'
import { automationDecisions } from '../../schema/automation/automation.table.ts'
import { type Contact, contacts } from '../../schema/contacts/contacts.table.ts'
import { canSeeTicket, type Principal } from '../../schema/permissions.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { chooseTicket } from '../../schema/tickets/tickets.open.ts'
import { noPromise } from '../../schema/tickets/tickets.due.ts'
import { notSnoozed } from '../../schema/tickets/tickets.snooze.ts'
import type { Ticket } from '../../schema/tickets/tickets.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Db } from '../db/database.ts'
import { newestTicketNow } from '../tickets/tickets.facts.ts'
import { type CompanyRules, type ServiceFacts, serviceFacts } from './automation.facts.ts'

/** Why a message was answered, or was not; or why it was said. */
export async function decisionsOf(db: Db, companyId: number, messageId: string) {
  return db
    .select()
    .from(automationDecisions)
    .where(
      and(
        eq(automationDecisions.companyId, companyId),
        or(eq(automationDecisions.messageId, messageId), arrayContains(automationDecisions.replies, [messageId])),
      ),
    )
    .orderBy(asc(automationDecisions.createdAt))
    .limit(20)
}

/** The hours of a queue and a connection of the company; undefined for one that it does not have. */
export async function hoursOf(
  db: Db,
  companyId: number,
  { queueId, whatsappId }: { queueId: number | null; whatsappId: number | null },
) {
  const [queue, connection] = await Promise.all([
    queueId === null
      ? null
      : db
          .select({ schedules: queues.schedules, outOfHoursMessage: queues.outOfHoursMessage })
          .from(queues)
          .where(and(eq(queues.companyId, companyId), eq(queues.id, queueId)))
          .then(([row]) => row),
    db
      .select({ schedules: whatsapps.schedules, outOfHoursMessage: whatsapps.outOfHoursMessage })
      .from(whatsapps)
      .where(
        and(
          eq(whatsapps.companyId, companyId),
          whatsappId === null ? eq(whatsapps.isDefault, true) : eq(whatsapps.id, whatsappId),
        ),
      )
      .then(([row]) => row),
  ])
  return { queue, connection }
}

/** Somebody who never wrote, for who asks what would be answered to them. */
const stranger = (companyId: number, now: Date): Contact => ({
  ...{ id: 0, companyId, name: '', nameSource: 'number', number: '', numberAt: null, lid: null },
  ...{ username: null, email: '', isGroup: false },
  ...{
    profilePicUrl: null,
    extraInfo: [],
    fields: {},
    disableBot: false,
    activeOn: '',
    erasedAt: null,
    createdAt: now,
    updatedAt: now,
  },
})

/**
 * What a message of this contact would meet: their active ticket on the connection as it stands, or the one that would
 * begin or be reopened. Nothing is locked and nothing written. Undefined for a contact whom the company does not have.
 */
export async function serviceToTry(
  db: Db,
  own: CompanyRules,
  who: Principal,
  { whatsappId, contactId }: { whatsappId: number; contactId: number | null },
  now: Date,
): Promise<ServiceFacts | undefined> {
  const { companyId } = who
  const [contact] =
    contactId === null
      ? [stranger(companyId, now)]
      : await db
          .select()
          .from(contacts)
          .where(and(eq(contacts.companyId, companyId), eq(contacts.id, contactId)))
  if (!contact) return undefined
  const latest = contactId === null ? undefined : await newestTicketNow(db, contactId, whatsappId)
  // Where they stand with the contact in a ticket that `who` may not see is not told by what would be answered.
  const newest = latest && canSeeTicket(who, latest) ? latest : undefined
  const choice = chooseTicket(newest, contact.isGroup, now, own.company.reopenWindowMs)
  if (choice.use === 'active') return (await serviceFacts(db, [choice.ticket.id])).get(choice.ticket.id)
  const begun = { contact, serviceId: null, wasServed: false, memory: blank, run: null }
  if (choice.use === 'reopen')
    return { ...begun, ticket: { ...choice.ticket, status: 'pending', userId: null, updatedAt: now } }
  const queueIds = own.of(whatsappId, now)?.connection.queueIds ?? []
  const ticket: Ticket = {
    ...{ id: 0, uuid: '', companyId, contactId: contact.id, whatsappId, userId: null, status: 'pending' },
    queueId: queueIds.length === 1 ? queueIds[0]! : null,
    ...{ isGroup: false, lastMessage: '', lastMessageAt: now, lastMessageFromMe: false, lastMessageDeleted: false },
    ...{ unreadMessages: 1, chatbot: false, useIntegration: false, promptId: null, integrationId: null, tagIds: [] },
    ...notSnoozed,
    ...noPromise,
    ...{ supervisorCalledAt: null, supervisorCalledBy: null },
    ...{ fields: {}, mergedIntoId: null, createdAt: now, updatedAt: now },
  }
  return { ...begun, ticket }
}
