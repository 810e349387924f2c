import { and, eq, inArray } from 'drizzle-orm'
import type { Effect } from '../../schema/effects.ts'
import type { Language } from '../../schema/languages.ts'
import { canSeeTicket, ownQueues, type Principal } from '../../schema/permissions.ts'
import type { SlaTold } from '../../schema/sla-policies/sla.clock.ts'
import { slaPolicies } from '../../schema/sla-policies/sla-policies.table.ts'
import type { SlaMetric } from '../../schema/sla-policies/sla.metrics.ts'
import { userQueues } from '../../schema/users/users.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import type { Change } from '../commands/apply.ts'
import type { Db } from '../db/database.ts'
import type { Events } from '../events/bus.ts'
import { addJobs } from '../jobs/queue.ts'
import type { Handlers } from '../jobs/worker.ts'
import { wakeBrowser } from '../push/push.changes.ts'
import { awakeBrowsers, findBrowser } from '../push/push.queries.ts'
import type { PushService } from '../push/push.sender.ts'
import type { CompanyFacts } from '../settings/settings.facts.ts'
import { catchUp, recount } from './sla.due.ts'

interface Deps {
  db: Db
  push: Pick<PushService, 'send'>
  facts: CompanyFacts
  events: Pick<Events, 'emit'>
  now(): Date
  committed(changes: Change[]): void
  principalOf(userId: number): Promise<Principal | null>
  /** Whether the user has the app open, here; then it tells them itself. */
  isHere(userId: number): boolean
  /** Jobs were written. */
  wake(): void
}

/** Tells people of promises that are at risk or broken: those who have the app open by an event, the others' browsers by push. */
export function slaEffects(deps: Deps): Pick<Handlers, 'sla.told' | 'sla.recount' | 'sla.catchUp' | 'push.sla'> {
  const { db, push, facts, events, now, principalOf, isHere, wake } = deps
  return {
    'sla.recount': (_, { companyId }) => recount(deps, companyId),

    'sla.catchUp': ({ missed }, { companyId }) => catchUp(deps, companyId, missed),
    'sla.told': async ({ told }, { companyId }) => {
      const [about, policies] = await Promise.all([
        db
          .select({ ...place, uuid: tickets.uuid })
          .from(tickets)
          .where(
            and(eq(tickets.companyId, companyId), inArray(tickets.id, [...new Set(told.map((one) => one.ticketId))])),
          ),
        db
          .select({ id: slaPolicies.id, escalateUserIds: slaPolicies.escalateUserIds })
          .from(slaPolicies)
          .where(eq(slaPolicies.companyId, companyId)),
      ])
      const queueIds = about.flatMap(({ userId, queueId }) => (userId === null && queueId !== null ? [queueId] : []))
      const served =
        queueIds.length === 0
          ? []
          : await db
              .select({ queueId: userQueues.queueId, userId: userQueues.userId })
              .from(userQueues)
              .where(and(eq(userQueues.companyId, companyId), inArray(userQueues.queueId, [...new Set(queueIds)])))
      const servedBy = Map.groupBy(served, (one) => one.queueId)
      const ticketOf = new Map(about.map((ticket) => [ticket.id, ticket]))
      const alsoTold = new Map(policies.map(({ id, escalateUserIds }) => [id, escalateUserIds]))
      for (const { what, ticketId, metric, policyId } of told) {
        const ticket = ticketOf.get(ticketId)
        if (!ticket) continue
        const { uuid, ...audience } = ticket
        const event = {
          companyId,
          name: 'sla',
          action: what,
          payload: { sla: { ticketId, uuid, metric, policyId, userId: ticket.userId, queueId: ticket.queueId } },
        } as const
        events.emit({ ...event, audience: { ticket: audience } })
        // Our own screens join no tickets: who has to do with it is told by name.
        const own =
          ticket.userId !== null ? [ticket.userId] : (servedBy.get(ticket.queueId ?? 0) ?? []).map((one) => one.userId)
        if (own.length > 0) events.emit({ ...event, audience: { userIds: own } })
        const userIds = what === 'breach' ? (alsoTold.get(policyId ?? 0) ?? []) : []
        if (userIds.length > 0) events.emit({ ...event, action: 'escalated', audience: { userIds } })
      }
      const { timeZone } = await facts.of(companyId)
      const awake = (await awakeBrowsers(db, companyId, { timeZone, at: now() })).filter(
        ({ userId }) => !isHere(userId),
      )
      const jobs: Effect[] = []
      for (const [userId, browsers] of Map.groupBy(awake, (one) => one.userId)) {
        const who = await principalOf(userId)
        if (who?.companyId !== companyId) continue
        for (const what of ['warning', 'breach'] as const) {
          const own = told.filter((one) => {
            const ticket = one.what === what ? ticketOf.get(one.ticketId) : undefined
            if (!ticket || !canSeeTicket(who, ticket)) return false
            const isTheirs = ticket.userId === null ? ownQueues(who).includes(ticket.queueId) : ticket.userId === userId
            return isTheirs || (what === 'breach' && alsoTold.get(one.policyId ?? 0)?.includes(userId) === true)
          })
          if (own.length > 0)
            jobs.push(...browsers.map(({ id }): Effect => ({ kind: 'push.sla', subscriptionId: id, what, told: own })))
        }
      }
      // A job for each browser: one that does not answer keeps nobody else from being told.
      await addJobs(db, companyId, jobs)
      if (jobs.length > 0) wake()
    },

    'push.sla': async ({ subscriptionId, what, told }, { companyId }) => {
      const browser = await findBrowser(db, companyId, subscriptionId, now())
      const [first] = told
      if (!browser || !first || isHere(browser.userId)) return
      const who = await principalOf(browser.userId)
      const [ticket] = await db
        .select({ ...place, uuid: tickets.uuid })
        .from(tickets)
        .where(and(eq(tickets.companyId, companyId), eq(tickets.id, first.ticketId)))
      if (!who || !ticket || !canSeeTicket(who, ticket)) return
      const { language } = await facts.of(companyId)
      const said = words[language]
      const body = told.length === 1 ? said.one(first.ticketId, said.metrics[first.metric]) : said.many(told.length)
      await wakeBrowser({ db, push }, browser, { ticket: ticket.uuid, title: said[what], body })
    },
  }
}

const place = { id: tickets.id, status: tickets.status, queueId: tickets.queueId, userId: tickets.userId }

/** Without the contact's name: it goes by the browser's own service to wherever the device is. */
const words: Record<
  Language,
  Record<SlaTold['what'], string> & {
    metrics: Record<SlaMetric, string>
    one(ticketId: number, metric: string): string
    many(count: number): string
  }
> = {
  pt: {
    warning: 'Prazo perto do fim',
    breach: 'Prazo vencido',
    metrics: { firstAnswer: 'primeira resposta', nextAnswer: 'próxima resposta', resolution: 'resolução' },
    one: (id, metric) => `Atendimento nº ${id}: ${metric}`,
    many: (count) => `${count} atendimentos`,
  },
  es: {
    warning: 'Plazo por vencer',
    breach: 'Plazo vencido',
    metrics: { firstAnswer: 'primera respuesta', nextAnswer: 'próxima respuesta', resolution: 'resolución' },
    one: (id, metric) => `Atención n.º ${id}: ${metric}`,
    many: (count) => `${count} atenciones`,
  },
  en: {
    warning: 'Deadline is near',
    breach: 'Deadline has passed',
    metrics: { firstAnswer: 'first answer', nextAnswer: 'next answer', resolution: 'resolution' },
    one: (id, metric) => `Ticket ${id}: ${metric}`,
    many: (count) => `${count} tickets`,
  },
}
