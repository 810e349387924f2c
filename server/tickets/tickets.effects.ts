import { eq } from 'drizzle-orm'
import { isSubscribed } from '../../schema/companies/companies.subscription.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { say } from '../../schema/messages/messages.say.ts'
import { endService } from '../../schema/ratings/ratings.decide.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { applyDecision, type Change } from '../commands/apply.ts'
import type { Db } from '../db/database.ts'
import type { Handlers } from '../jobs/worker.ts'
import type { CompanyFacts } from '../settings/settings.facts.ts'
import { isCannot } from '../../schema/whatsapps/whatsapps.providers.ts'
import { acceptedNotice, callsRefusedNotice, transferNotice } from './tickets.notices.ts'
import { lockTicket, sayingsFor, wentOn } from './tickets.facts.ts'
import { endFacts } from './tickets.rating.ts'
import { trimTicket } from './tickets.trim.ts'

interface Deps {
  db: Db
  facts: CompanyFacts
  now(): Date
  committed(changes: Change[]): void
  rejectCall(whatsappId: number, callId: string): Promise<unknown>
}

type TicketEffects = Pick<
  Handlers,
  'tickets.accepted' | 'tickets.transferred' | 'tickets.closed' | 'tickets.trim' | 'calls.refused'
>

/** What contacts are told when their ticket moves. Each notice is written once for its cause, however often the job runs. */
export function ticketEffects(deps: Deps): TicketEffects {
  const { db, facts } = deps

  async function load(ticketId: number) {
    const [row] = await db
      .select({ ticket: tickets, contact: contacts })
      .from(tickets)
      .innerJoin(contacts, eq(contacts.id, tickets.contactId))
      .where(eq(tickets.id, ticketId))
    return row
  }

  /** Says it once for its cause, in the ticket as it is now. */
  const sayIn = async (ticketId: number, cause: string, body: string) =>
    deps.committed(
      await db.transaction(async (tx) => {
        const ticket = await lockTicket(tx, ticketId)
        if (!ticket) return []
        const { said } = await sayingsFor(tx, ticketId, { said: cause })
        return applyDecision(tx, ticket.companyId, say(ticket, { ...said, body, at: deps.now() }))
      }),
    )

  return {
    'tickets.accepted': async ({ ticketId, userId, cause }) => {
      const row = await load(ticketId)
      if (!row || row.ticket.isGroup) return
      const company = await facts.of(row.ticket.companyId)
      if (company.settings.sendGreetingAccepted !== 'enabled') return
      const [agent] = await db.select({ name: users.name }).from(users).where(eq(users.id, userId))
      await sayIn(
        ticketId,
        `accepted:${cause}`,
        acceptedNotice(deps.now(), company, { contact: row.contact.name, agent: agent?.name ?? '' }),
      )
    },

    'tickets.transferred': async ({ ticketId, queueId, userId, cause }) => {
      const row = await load(ticketId)
      if (!row || row.ticket.isGroup) return
      const company = await facts.of(row.ticket.companyId)
      if (company.settings.sendMsgTransfTicket !== 'enabled') return
      const [queue] = queueId ? await db.select({ name: queues.name }).from(queues).where(eq(queues.id, queueId)) : []
      const [agent] = userId ? await db.select({ name: users.name }).from(users).where(eq(users.id, userId)) : []
      await sayIn(
        ticketId,
        `transferred:${cause}`,
        transferNotice(company, { queue: queue?.name ?? null, agent: agent?.name ?? null }),
      )
    },

    'tickets.closed': async ({ ticketId, cause }) => {
      const row = await load(ticketId)
      if (!row || row.ticket.isGroup) return
      const company = await facts.of(row.ticket.companyId)
      deps.committed(
        await db.transaction(async (tx) => {
          const ticket = await lockTicket(tx, ticketId)
          // Held for a moment, in which the contact may have begun anew: nobody says goodbye to who has just written.
          if (ticket?.status !== 'closed') return []
          // Or it was opened and resolved again: then this end was none, and the later one says goodbye.
          if (await wentOn(tx, ticketId, cause)) return []
          const now = deps.now()
          const end = await endFacts(tx, ticket, company, cause, now)
          return applyDecision(tx, ticket.companyId, endService(end, now))
        }),
      )
    },

    'tickets.trim': ({ ticketId }) => trimTicket(db, ticketId),

    'calls.refused': async ({ ticketId, whatsappId, callId }) => {
      const row = await load(ticketId)
      if (!row) return
      const company = await facts.of(row.ticket.companyId)
      if (!isSubscribed(company.subscription, deps.now())) return
      // A wire that cannot has it ring: what is said to the caller is said all the same.
      await deps.rejectCall(whatsappId, callId).catch((error: unknown) => {
        if (!isCannot(error)) throw error
      })
      await sayIn(ticketId, `call:${whatsappId}:${callId}`, callsRefusedNotice(company))
    },
  }
}
