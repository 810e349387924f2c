import { and, eq, sql } from 'drizzle-orm'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { newId } from '../../schema/ids.ts'
import { can, type Principal } from '../../schema/permissions.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { beginTicket } from '../../schema/tickets/tickets.begin.ts'
import { userQueues, users } from '../../schema/users/users.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { applyDecision, violates } from '../commands/apply.ts'
import type { Db, Tx } from '../db/database.ts'
import { reserveTicketIds } from './tickets.facts.ts'
import { hasChat, newChatHoldOf } from '../whatsapps/whatsapps.new-chats.queries.ts'
import { activeTicketOf, type TicketRow, ticketOfCompany } from './tickets.queries.ts'

export interface NewTicketWish {
  contactId: number
  queueId: number | null
  whatsappId: number | null
  /** Who gets it; null is the person who asks. */
  userId: number | null
}

/** The contact has an active ticket on that connection; it travels in the answer. */
export class ExistingTicket extends Error {
  constructor(readonly ticket: TicketRow) {
    super('the contact has an active ticket')
    this.name = 'ExistingTicket'
  }
}

/**
 * A conversation begun by us: open, with an agent.
 * @throws ExistingTicket
 * @throws DomainError `ERR_NO_…_FOUND`, `ERR_QUEUE_REQUIRED`, `ERR_NO_PERMISSION`, `ERR_NO_DEF_WAPP_FOUND`,
 * `ERR_NEW_CHATS_HELD` (WhatsApp lets the connection begin no chats before `until`),
 * `ERR_CREATING_TICKET` (the database took no row, and shows none in its way)
 */
export async function createTicket(db: Db, who: Principal, wish: NewTicketWish, now: Date): Promise<TicketRow> {
  // One that a contact or a colleague begins at the same moment is found the second time, unless it is closed by then.
  for (let attempt = 1; attempt <= 2; attempt++) {
    try {
      return await create(db, who, wish, now)
    } catch (error) {
      if (!violates(error, 'tickets_one_active')) throw error
    }
  }
  throw new DomainError('ERR_CREATING_TICKET')
}

async function create(db: Db, who: Principal, wish: NewTicketWish, now: Date): Promise<TicketRow> {
  const { companyId } = who
  return db.transaction(async (tx) => {
    const [contact] = await tx
      .select({ id: contacts.id, isGroup: contacts.isGroup, erasedAt: contacts.erasedAt })
      .from(contacts)
      .where(and(eq(contacts.companyId, companyId), eq(contacts.id, wish.contactId)))
    if (!contact) throw new DomainError('ERR_NO_CONTACT_FOUND')
    if (contact.erasedAt) throw new DomainError('ERR_CONTACT_ERASED')
    if (wish.queueId === null && !can(who, 'tickets-manager:showall')) throw new DomainError('ERR_QUEUE_REQUIRED')
    if (wish.queueId !== null) {
      const [queue] = await tx
        .select({ id: queues.id })
        .from(queues)
        .where(and(eq(queues.companyId, companyId), eq(queues.id, wish.queueId)))
      if (!queue) throw new DomainError('ERR_NO_QUEUE_FOUND')
      if (!who.queueIds.includes(wish.queueId) && !can(who, 'tickets-manager:showall'))
        throw new DomainError('ERR_NO_QUEUE_FOUND')
    }
    const userId = wish.userId ?? who.userId
    if (userId !== who.userId) await demandColleague(tx, who, userId, wish.queueId)
    const whatsappId = await connectionFor(tx, who, wish.whatsappId)

    const existing = await activeTicketOf(tx, companyId, contact.id, whatsappId)
    if (existing) throw new ExistingTicket(existing)
    const hold = await newChatHoldOf(tx, whatsappId, now)
    if (hold && !(await hasChat(tx, whatsappId, contact)))
      throw new DomainError('ERR_NEW_CHATS_HELD', { by: hold.by, until: hold.until.toISOString() })
    const [id = 0] = await reserveTicketIds(tx, 1)
    const { decision } = beginTicket(
      {
        ...{ id, companyId, contactId: contact.id, isGroup: contact.isGroup },
        ...{ whatsappId, queueId: wish.queueId, userId, status: 'open' },
      },
      { id: newId(), userId: who.userId, now },
    )
    await applyDecision(tx, companyId, decision)
    return (await ticketOfCompany(tx, companyId, id))!
  })
}

/** Others may be given a ticket by those who manage others, and within the queue by anybody. */
async function demandColleague(tx: Tx, who: Principal, userId: number, queueId: number | null): Promise<void> {
  const [user] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.companyId, who.companyId), eq(users.id, userId)))
  if (!user) throw new DomainError('ERR_NO_USER_FOUND')
  if (can(who, 'tickets-manager:showall')) return
  const [member] = await tx
    .select({ userId: userQueues.userId })
    .from(userQueues)
    .where(and(eq(userQueues.userId, userId), queueId === null ? sql`false` : eq(userQueues.queueId, queueId)))
  if (!member) throw new DomainError('ERR_NO_PERMISSION')
}

/** The connection asked for, else the person's own, else the company's default. */
async function connectionFor(tx: Tx, who: Principal, wished: number | null): Promise<number> {
  const ofCompany = eq(whatsapps.companyId, who.companyId)
  const one = async (id: number) =>
    (
      await tx
        .select({ id: whatsapps.id })
        .from(whatsapps)
        .where(and(ofCompany, eq(whatsapps.id, id)))
    )[0]?.id
  if (wished !== null) {
    const found = await one(wished)
    if (!found) throw new DomainError('ERR_NO_WAPP_FOUND')
    return found
  }
  const own = who.whatsappId === null ? undefined : await one(who.whatsappId)
  if (own) return own
  const [fallback] = await tx
    .select({ id: whatsapps.id })
    .from(whatsapps)
    .where(and(ofCompany, eq(whatsapps.isDefault, true)))
  if (!fallback) throw new DomainError('ERR_NO_DEF_WAPP_FOUND')
  return fallback.id
}
