import { and, eq, gt, isNull } from 'drizzle-orm'
import { chatMessages, chats, chatUsers } from '../../schema/chats/chats.table.ts'
import { readableBy } from '../../schema/contacts/contacts.masking.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import type { NewMessage } from '../../schema/effects.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { canSeeTicket, type Principal } from '../../schema/permissions.ts'
import { mentions } from '../../schema/mentions/mentions.table.ts'
import { ticketNotes } from '../../schema/notes/notes.table.ts'
import { isNotifiedOf } from '../../schema/tickets/tickets.notify.ts'
import { isSnoozed } from '../../schema/tickets/tickets.snooze.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { networksOf } from '../../schema/settings/settings.networks.ts'
import { users } from '../../schema/users/users.table.ts'
import type { Db } from '../db/database.ts'
import { addJobs } from '../jobs/queue.ts'
import type { Handlers } from '../jobs/worker.ts'
import type { CompanyConfig, CompanyFacts } from '../settings/settings.facts.ts'
import { wakeBrowser } from './push.changes.ts'
import { awakeBrowsers, findBrowser } from './push.queries.ts'
import type { PushPayload, PushService } from './push.sender.ts'

/** After this long a message is no news: the person finds it in the list. */
const NEWS_MS = 3_600_000
const MOST_TEXT = 180

/** A message that is news. */
interface News {
  payload: PushPayload
  /** Of the contact that it names. */
  number?: string | null
  concerns(who: Principal): boolean
}

interface Deps {
  db: Db
  push: Pick<PushService, 'send'>
  facts: CompanyFacts
  now(): Date
  principalOf(userId: number): Promise<Principal | null>
  /** Whether the user has the app open, here; then it tells them itself. */
  isHere(userId: number): boolean
  /** Jobs were written. */
  wake(): void
}

/** Reads what there is to tell, while it is news. */
function newsIn(db: Db, now: () => Date) {
  const isNew = (at: Date) => now().getTime() - at.getTime() < NEWS_MS

  async function ofContact(companyId: number, messageId: string): Promise<News | undefined> {
    const [row] = await db
      .select({ message: messages, ticket: tickets, contactName: contacts.name, contactNumber: contacts.number })
      .from(messages)
      .innerJoin(tickets, eq(tickets.id, messages.ticketId))
      .innerJoin(contacts, eq(contacts.id, tickets.contactId))
      .where(and(eq(messages.companyId, companyId), eq(messages.id, messageId)))
    if (!row || row.message.read || row.message.isDeleted || !isNew(row.message.createdAt)) return undefined
    return {
      payload: { ticket: row.ticket.uuid, title: row.contactName, body: shortened(row.ticket.lastMessage) },
      number: row.contactNumber,
      concerns: (who) => isNotifiedOf(who, row.ticket),
    }
  }

  async function ofColleague(companyId: number, messageId: string): Promise<News | undefined> {
    const [row] = await db
      .select({ message: chatMessages, chat: chats, senderName: users.name })
      .from(chatMessages)
      .innerJoin(chats, eq(chats.id, chatMessages.chatId))
      .innerJoin(users, eq(users.id, chatMessages.senderId))
      .where(and(eq(chatMessages.companyId, companyId), eq(chatMessages.id, messageId)))
    if (!row || !isNew(row.message.createdAt)) return undefined
    const { message, chat, senderName } = row
    const unread = await db
      .select({ userId: chatUsers.userId })
      .from(chatUsers)
      .where(and(eq(chatUsers.chatId, chat.id), gt(chatUsers.unreads, 0)))
    return {
      payload: { chat: chat.uuid, title: chat.title, body: shortened(`${senderName}: ${message.message}`) },
      concerns: ({ userId }) => userId !== message.senderId && unread.some((member) => member.userId === userId),
    }
  }

  async function ofNote(companyId: number, noteId: string): Promise<News | undefined> {
    const [row] = await db
      .select({ note: ticketNotes, ticket: tickets, contactName: contacts.name, contactNumber: contacts.number })
      .from(ticketNotes)
      .innerJoin(tickets, eq(tickets.id, ticketNotes.ticketId))
      .innerJoin(contacts, eq(contacts.id, tickets.contactId))
      .where(and(eq(ticketNotes.companyId, companyId), eq(ticketNotes.id, noteId)))
    if (!row || !isNew(row.note.createdAt)) return undefined
    const unread = await db
      .select({ userId: mentions.userId })
      .from(mentions)
      .where(and(eq(mentions.noteId, noteId), isNull(mentions.readAt)))
    const called = new Set(unread.map(({ userId }) => userId))
    return {
      payload: { ticket: row.ticket.uuid, title: `@ ${row.contactName}`, body: shortened(row.note.note) },
      number: row.contactNumber,
      concerns: (who) => called.has(who.userId) && canSeeTicket(who, row.ticket),
    }
  }

  /** A ticket that lay aside until now, for whoever is to go on with it; unless somebody has meanwhile. */
  async function ofWoken(companyId: number, ticketId: number, userId: number): Promise<News | undefined> {
    const [row] = await db
      .select({ ticket: tickets, contactName: contacts.name, contactNumber: contacts.number })
      .from(tickets)
      .innerJoin(contacts, eq(contacts.id, tickets.contactId))
      .where(and(eq(tickets.companyId, companyId), eq(tickets.id, ticketId)))
    if (!row || row.ticket.status === 'closed' || isSnoozed(row.ticket) || !isNew(row.ticket.updatedAt))
      return undefined
    const { ticket, contactName, contactNumber } = row
    return {
      payload: {
        ticket: ticket.uuid,
        title: contactName,
        body: `⏰ ${shortened(ticket.snoozeNote ?? ticket.lastMessage)}`,
      },
      number: contactNumber,
      concerns: (who) =>
        who.userId === userId && (ticket.userId === null || ticket.userId === userId) && canSeeTicket(who, ticket),
    }
  }

  /** What there is to tell of a message, while it is news. */
  return (companyId: number, of: NewMessage): Promise<News | undefined> =>
    'messageId' in of
      ? ofContact(companyId, of.messageId)
      : 'noteId' in of
        ? ofNote(companyId, of.noteId)
        : 'chatMessageId' in of
          ? ofColleague(companyId, of.chatMessageId)
          : ofWoken(companyId, of.wokenTicketId, of.userId)
}

/** Wakes the browsers of those whom a message concerns and who have the app closed. */
export function pushEffects({
  db,
  push,
  facts,
  now,
  principalOf,
  isHere,
  wake,
}: Deps): Pick<Handlers, 'push.notify' | 'push.send'> {
  const newsOf = newsIn(db, now)

  const concerns = async (news: News, companyId: number, userId: number) => {
    const who = await principalOf(userId)
    return who !== null && who.companyId === companyId && news.concerns(who)
  }

  return {
    'push.notify': async (effect, { companyId }) => {
      const news = await newsOf(companyId, effect)
      if (!news) return
      const { timeZone } = await facts.of(companyId)
      const awake = (await awakeBrowsers(db, companyId, { timeZone, at: now() })).filter(
        ({ userId }) => !isHere(userId),
      )
      const notified = new Set<number>()
      for (const userId of new Set(awake.map((one) => one.userId)))
        if (await concerns(news, companyId, userId)) notified.add(userId)
      // A job for each browser: one that does not answer keeps nobody else from being woken, nor wakes them twice.
      await addJobs(
        db,
        companyId,
        awake
          .filter(({ userId }) => notified.has(userId))
          .map(({ id }) => ({ ...effect, kind: 'push.send', subscriptionId: id })),
      )
      wake()
    },

    'push.send': async (effect, { companyId }) => {
      const news = await newsOf(companyId, effect)
      const browser = await findBrowser(db, companyId, effect.subscriptionId, now())
      // Meanwhile the person may have come back by themselves, or read it elsewhere.
      if (!news || !browser || isHere(browser.userId)) return
      if (!(await concerns(news, companyId, browser.userId))) return
      const reader = await principalOf(browser.userId)
      if (!reader) return
      const company = await facts.of(companyId)
      const payload = hasNetworks(company) ? wordless(news.payload, company) : news.payload
      const { number: _, ...notified } = readableBy(reader, { ...payload, number: news.number })
      await wakeBrowser({ db, push }, browser, notified)
    },
  }
}

/** Whether a company names the networks from which it is read. */
const hasNetworks = ({ settings }: CompanyConfig) => networksOf(settings.ipAllowList).length > 0

const somethingNew: Record<CompanyConfig['language'], string> = {
  pt: 'Nova mensagem',
  es: 'Mensaje nuevo',
  en: 'New message',
}

/**
 * That there is something, and where, without who wrote what. A push goes by the browser's own service to wherever the
 * device is: the address from which it subscribed, or was seen last, says nothing of where it is now. So where a company
 * names its networks, what was written is read in the app, which asks at each call from where.
 */
const wordless = (payload: PushPayload, { name, language }: CompanyConfig): PushPayload => ({
  ...payload,
  title: name,
  body: somethingNew[language],
})

/** Whole characters, since a cut emoji is a blank box. */
const shortened = (text: string) => [...text].slice(0, MOST_TEXT).join('')
