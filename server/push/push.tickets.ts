import { and, eq } from 'drizzle-orm'
import { readableBy } from '../../schema/contacts/contacts.masking.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import type { Effect } from '../../schema/effects.ts'
import type { Principal } from '../../schema/permissions.ts'
import { calledTo } from '../../schema/tickets/tickets.supervisor.ts'
import { type Ticket, tickets } from '../../schema/tickets/tickets.table.ts'
import { networksOf } from '../../schema/settings/settings.networks.ts'
import type { Db } from '../db/database.ts'
import { addJobs } from '../jobs/queue.ts'
import type { Handlers } from '../jobs/worker.ts'
import type { CompanyConfig, CompanyFacts } from '../settings/settings.facts.ts'
import { holdersOf } from '../users/users.holders.queries.ts'
import { wakeBrowser } from './push.changes.ts'
import { awakeBrowsers, findBrowser } from './push.queries.ts'
import type { PushService } from './push.sender.ts'

type TicketNews = Extract<Effect, { kind: 'push.ticket' }>

/** People who are asked whether a call is theirs. */
const MOST_CALLED = 200

const words: Record<CompanyConfig['language'], Record<TicketNews['why'], string>> = {
  pt: { assigned: 'Novo atendimento para você', supervisor: 'Um supervisor foi chamado' },
  es: { assigned: 'Nuevo ticket para ti', supervisor: 'Llamaron a un supervisor' },
  en: { assigned: 'A new ticket for you', supervisor: 'A supervisor was called' },
}

/**
 * Wakes the browsers of who was given a ticket, or of the supervisors who are called to one: a job for all, which writes
 * one for each browser. What is no longer so is not told.
 */
export function ticketPushEffects({
  db,
  push,
  facts,
  now,
  principalOf,
  isHere,
  wake,
}: {
  db: Db
  push: Pick<PushService, 'send'>
  facts: CompanyFacts
  now(): Date
  principalOf(userId: number): Promise<Principal | null>
  isHere(userId: number): boolean
  wake(): void
}): Pick<Handlers, 'push.ticket'> {
  /** Whom it concerns now. */
  async function concerned(companyId: number, news: TicketNews, ticket: Ticket): Promise<number[]> {
    if (news.why === 'assigned') return ticket.status === 'open' && ticket.userId === news.userId ? [news.userId!] : []
    if (ticket.supervisorCalledAt === null) return []
    const able = await holdersOf(db, companyId, 'tickets:supervise', MOST_CALLED)
    const people = await Promise.all(able.map(principalOf))
    const known = people.filter((who): who is Principal => who !== null && who.companyId === companyId)
    return calledTo(known, ticket, news.by ?? 0).map(({ userId }) => userId)
  }

  return {
    'push.ticket': async (news, { companyId }) => {
      const [found] = await db
        .select({ ticket: tickets, name: contacts.name, number: contacts.number })
        .from(tickets)
        .innerJoin(contacts, eq(contacts.id, tickets.contactId))
        .where(and(eq(tickets.companyId, companyId), eq(tickets.id, news.ticketId)))
      if (!found) return
      const { ticket, name, number } = found
      const company = await facts.of(companyId)
      if (news.subscriptionId === undefined) {
        const of = (await concerned(companyId, news, ticket)).filter((userId) => !isHere(userId))
        if (of.length === 0) return
        const awake = await awakeBrowsers(db, companyId, { timeZone: company.timeZone, at: now(), of })
        await addJobs(
          db,
          companyId,
          awake.map(({ id, userId }) => ({ ...news, userId, subscriptionId: id })),
        )
        wake()
        return
      }
      const browser = await findBrowser(db, companyId, news.subscriptionId, now())
      if (!browser || isHere(browser.userId)) return
      if (!(await concerned(companyId, news, ticket)).includes(browser.userId)) return
      const reader = await principalOf(browser.userId)
      if (!reader) return
      // Where a company names its networks, who it is about is read in the app.
      const title = networksOf(company.settings.ipAllowList).length > 0 ? company.name : name
      const payload = { ticket: ticket.uuid, title, body: words[company.language][news.why], number }
      const { number: _, ...told } = readableBy(reader, payload)
      await wakeBrowser({ db, push }, browser, told)
    },
  }
}
