import { and, eq, inArray } from 'drizzle-orm'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import type { Principal } from '../../schema/permissions.ts'
import { isQuiet } from '../../schema/push/push.quiet.ts'
import { pushPreferences, pushSubscriptions } from '../../schema/push/push.table.ts'
import { isNotifiedOf } from '../../schema/tickets/tickets.notify.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import type { Db } from '../db/database.ts'
import { addJobs } from '../jobs/queue.ts'
import { GiveUp, type Handlers } from '../jobs/worker.ts'
import type { CompanyFacts } from '../settings/settings.facts.ts'
import type { PushService } from './push.sender.ts'

/** After this long a message is no news: the person finds it in the list. */
const NEWS_MS = 3_600_000
const MOST_TEXT = 180

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
  /** The message and its ticket, while it is news. */
  async function newsOf(companyId: number, messageId: string) {
    const [row] = await db
      .select({ message: messages, ticket: tickets, contactName: contacts.name })
      .from(messages)
      .innerJoin(tickets, eq(tickets.id, messages.ticketId))
      .innerJoin(contacts, eq(contacts.id, tickets.contactId))
      .where(and(eq(messages.companyId, companyId), eq(messages.id, messageId)))
    if (!row || row.message.read || row.message.isDeleted) return undefined
    return now().getTime() - row.message.createdAt.getTime() < NEWS_MS ? row : undefined
  }

  return {
    'push.notify': async ({ messageId }, { companyId }) => {
      const news = await newsOf(companyId, messageId)
      if (!news) return
      const subscribed = await db
        .select({
          id: pushSubscriptions.id,
          userId: pushSubscriptions.userId,
          enabled: pushPreferences.enabled,
          quietFrom: pushPreferences.quietFrom,
          quietTo: pushPreferences.quietTo,
        })
        .from(pushSubscriptions)
        .leftJoin(pushPreferences, eq(pushPreferences.userId, pushSubscriptions.userId))
        .where(eq(pushSubscriptions.companyId, companyId))
      const { timeZone } = await facts.of(companyId)
      const awake = subscribed.filter(
        ({ userId, enabled, quietFrom, quietTo }) =>
          enabled !== false &&
          !isHere(userId) &&
          !(quietFrom !== null && quietTo !== null && isQuiet({ quietFrom, quietTo }, now(), timeZone)),
      )
      const told = new Set<number>()
      for (const userId of new Set(awake.map((one) => one.userId))) {
        const who = await principalOf(userId)
        if (who && who.companyId === companyId && isNotifiedOf(who, news.ticket)) told.add(userId)
      }
      // A job for each browser: one that does not answer keeps nobody else from being woken, nor wakes them twice.
      await addJobs(
        db,
        companyId,
        awake
          .filter(({ userId }) => told.has(userId))
          .map(({ id }) => ({ kind: 'push.send', subscriptionId: id, messageId })),
      )
      wake()
    },

    'push.send': async ({ subscriptionId, messageId }, { companyId }) => {
      const news = await newsOf(companyId, messageId)
      const [subscription] = await db
        .select()
        .from(pushSubscriptions)
        .where(and(eq(pushSubscriptions.companyId, companyId), eq(pushSubscriptions.id, subscriptionId)))
      // Meanwhile the person may have come back by themselves.
      if (!news || !subscription || isHere(subscription.userId)) return
      const outcome = await push.send(subscription, {
        ticket: news.ticket.uuid,
        title: news.contactName,
        body: [...news.ticket.lastMessage].slice(0, MOST_TEXT).join(''),
      })
      if (outcome === 'gone') await db.delete(pushSubscriptions).where(inArray(pushSubscriptions.id, [subscription.id]))
      if (outcome === 'refused') throw new GiveUp('the push service refuses')
    },
  }
}
