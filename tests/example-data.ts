import { chatMessages, chats, chatUserId, chatUsers } from '../schema/chats/chats.table.ts'
import { companies } from '../schema/companies/companies.table.ts'
import { contacts, type NewContact } from '../schema/contacts/contacts.table.ts'
import { newId, widOf } from '../schema/ids.ts'
import type { InboundMessage } from '../schema/messages/messages.inbound.ts'
import { messages, type NewMessage } from '../schema/messages/messages.table.ts'
import { principalFrom } from '../schema/permissions.ts'
import { plans } from '../schema/plans/plans.table.ts'
import { queues } from '../schema/queues/queues.table.ts'
import { tags } from '../schema/tags/tags.table.ts'
import { type NewTicket, tickets, ticketTrackings } from '../schema/tickets/tickets.table.ts'
import { passkeys } from '../schema/users/passkeys.table.ts'
import { sessions } from '../schema/users/sessions.table.ts'
import { type User, userQueues, users } from '../schema/users/users.table.ts'
import { whatsappQueues, whatsapps } from '../schema/whatsapps/whatsapps.table.ts'
import type { Db } from '../server/db/database.ts'

/** The smallest picture there is, a png. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/**
 * Builders with boring defaults: a test says only what matters to it. Each returns the row as stored.
 * @param passwordHash of the users where a test logs in: made beforehand, for hashing is slow on purpose
 */
export function examples(db: Db, { passwordHash = '-' }: { passwordHash?: string } = {}) {
  let n = 0
  const next = () => ++n
  // Names are unique in a whole test run, so tests may share a database.
  const run = Math.random().toString(36).slice(2, 7)

  const one = <T>(rows: T[]): T => rows[0] as T

  return {
    async company(values: Partial<typeof companies.$inferInsert> & { plan?: Partial<typeof plans.$inferInsert> } = {}) {
      const { plan, ...own } = values
      const made = one(
        await db
          .insert(plans)
          .values({ name: `Plan ${run} ${next()}`, users: 10, connections: 10, queues: 10, ...plan })
          .returning(),
      )
      return one(
        await db
          .insert(companies)
          .values({
            name: `Company ${run} ${next()}`,
            planId: made.id,
            dueDate: '2099-12-31',
            timeZone: 'America/Sao_Paulo',
            ...own,
          })
          .returning(),
      )
    },

    async queue(companyId: number, values: Partial<typeof queues.$inferInsert> = {}) {
      const i = next()
      return one(
        await db
          .insert(queues)
          .values({ companyId, name: `Queue ${i}`, color: `#${i.toString(16).padStart(6, '0')}`, ...values })
          .returning(),
      )
    },

    /** As after a login with which the user's `tokenVersion` became what it is. */
    async session(
      { id: userId, companyId, tokenVersion }: Pick<User, 'id' | 'companyId' | 'tokenVersion'>,
      values: Partial<typeof sessions.$inferInsert> = {},
    ) {
      const now = new Date()
      const times = { createdAt: now, lastSeenAt: now, expiresAt: new Date('2099-12-31') }
      return one(
        await db
          .insert(sessions)
          .values({ userId, companyId, tokenVersion, ...times, ...values })
          .returning(),
      )
    },

    async passkey(
      { id: userId, companyId }: Pick<User, 'id' | 'companyId'>,
      values: Partial<typeof passkeys.$inferInsert> = {},
    ) {
      const credentialId = `key-${run}-${next()}`
      const key = { name: 'Notebook', credentialId, publicKey: 'AA', userHandle: 'AA', transports: [], synced: false }
      return one(
        await db
          .insert(passkeys)
          .values({ userId, companyId, ...key, createdAt: new Date(), ...values })
          .returning(),
      )
    },

    async user(companyId: number, values: Partial<typeof users.$inferInsert> & { queueIds?: number[] } = {}) {
      const { queueIds = [], ...own } = values
      const i = next()
      const user = one(
        await db
          .insert(users)
          .values({ companyId, name: `User ${i}`, email: `user-${run}-${i}@example.com`, passwordHash, ...own })
          .returning(),
      )
      if (queueIds.length > 0)
        await db.insert(userQueues).values(queueIds.map((queueId) => ({ companyId, userId: user.id, queueId })))
      return { ...user, who: principalFrom(user, queueIds) }
    },

    async whatsapp(companyId: number, values: Partial<typeof whatsapps.$inferInsert> & { queueIds?: number[] } = {}) {
      const { queueIds = [], ...own } = values
      const i = next()
      const row = one(
        await db
          .insert(whatsapps)
          .values({ companyId, name: `Connection ${i}`, token: newId(), status: 'CONNECTED', ...own })
          .returning(),
      )
      if (queueIds.length > 0)
        await db.insert(whatsappQueues).values(queueIds.map((queueId) => ({ companyId, whatsappId: row.id, queueId })))
      return row
    },

    async contact(companyId: number, values: Partial<NewContact> = {}) {
      const i = next()
      return one(
        await db
          .insert(contacts)
          .values({
            companyId,
            name: `Contact ${i}`,
            number: `5511${String(900_000_000 + i)}`,
            nameSource: 'push',
            ...values,
          })
          .returning(),
      )
    },

    async tag(companyId: number, values: Partial<typeof tags.$inferInsert> = {}) {
      return one(
        await db
          .insert(tags)
          .values({ companyId, name: `Tag ${next()}`, color: '#0ea5e9', ...values })
          .returning(),
      )
    },

    /** With a contact of its own where none is named. */
    async ticket(companyId: number, values: Partial<NewTicket> = {}) {
      const contactId = values.contactId ?? (await this.contact(companyId)).id
      const ticket = one(
        await db
          .insert(tickets)
          .values({ companyId, contactId, ...values })
          .returning(),
      )
      if (ticket.status !== 'closed')
        await db.insert(ticketTrackings).values({ companyId, ticketId: ticket.id, queuedAt: new Date() })
      return ticket
    },

    async message(companyId: number, values: Pick<NewMessage, 'ticketId' | 'contactId'> & Partial<NewMessage>) {
      return one(
        await db
          .insert(messages)
          .values({ companyId, id: newId(), body: `Message ${next()}`, ...values })
          .returning(),
      )
    },

    /** A chat of these people, which the first of them owns. */
    async chat(companyId: number, userIds: readonly number[], values: Partial<typeof chats.$inferInsert> = {}) {
      const chat = one(
        await db
          .insert(chats)
          .values({ companyId, title: `Chat ${next()}`, ownerId: userIds[0]!, ...values })
          .returning(),
      )
      await db
        .insert(chatUsers)
        .values(userIds.map((userId) => ({ id: chatUserId(chat.id, userId), companyId, chatId: chat.id, userId })))
      return chat
    },

    async chatMessage(
      companyId: number,
      values: Pick<typeof chatMessages.$inferInsert, 'chatId' | 'senderId'> & Partial<typeof chatMessages.$inferInsert>,
    ) {
      return one(
        await db
          .insert(chatMessages)
          .values({ companyId, id: newId(), message: `Chat message ${next()}`, ...values })
          .returning(),
      )
    },

    /** The same, as it came over the ticket's connection. */
    async messageIn(
      ticket: { id: number; companyId: number; contactId: number; whatsappId: number | null },
      values: Partial<NewMessage> = {},
    ) {
      const { id: ticketId, companyId, contactId, whatsappId } = ticket
      const id = values.id ?? newId()
      return this.message(companyId, { id, ticketId, contactId, whatsappId, wid: widOf(id), ...values })
    },

    /** What a session tells when somebody writes; its chat is a person known by number and LID. */
    inbound(
      from: { companyId: number; id: number },
      values: Partial<InboundMessage> & { number?: string | null; lid?: string | null; text?: string } = {},
    ): InboundMessage {
      const { number, lid, text, ...own } = values
      const i = next()
      return {
        kind: 'message',
        companyId: from.companyId,
        whatsappId: from.id,
        wid: `WID${run}${i}`,
        chat: { kind: 'person', number: number === undefined ? `5521${900_000_000 + i}` : number, lid: lid ?? null },
        participant: null,
        fromMe: false,
        chatName: 'Ana',
        sentAt: new Date('2026-11-20T12:00:00Z'),
        content: { type: 'text', text: text ?? `hello ${i}` },
        quotedWid: null,
        offline: false,
        ...own,
      }
    },
  }
}
