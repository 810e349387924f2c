import { and, eq, inArray } from 'drizzle-orm'
import type { Effect } from '../../schema/effects.ts'
import type { Language } from '../../schema/languages.ts'
import { canSeeTicket, ownQueues, type Principal } from '../../schema/permissions.ts'
import type { SlaTold } from '../../schema/sla-policies/sla.clock.ts'
import { slaPolicies } from '../../schema/sla-policies/sla-policies.table.ts'
import type { SlaMetric } from '../../schema/sla-policies/sla.metrics.ts'
import { type Ticket, tickets } from '../../schema/tickets/tickets.table.ts'
import { userQueues, users } from '../../schema/users/users.table.ts'
import type { Change } from '../commands/apply.ts'
import type { Db } from '../db/database.ts'
import type { EventAudience, Events, LiveEvent } from '../events/bus.ts'
import { addJobs } from '../jobs/queue.ts'
import type { Handlers } from '../jobs/worker.ts'
import { wakeBrowser } from '../push/push.changes.ts'
import { awakeBrowsers, findBrowser } from '../push/push.queries.ts'
import type { PushService } from '../push/push.sender.ts'
import type { CompanyFacts } from '../settings/settings.facts.ts'
import { holdersOf } from '../users/users.holders.queries.ts'
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
  const principals = async (ids: readonly number[]) =>
    (await Promise.all(ids.map(principalOf))).filter((who) => who !== null)
  /**
   * Who is told of what was broken beside those whose work it is: the people whom its policy names, who may have gone
   * since. Where neither they nor anybody in its queue would be told, those who keep the policies: admins, as a rule.
   */
  const alsoToldOf = async (companyId: number, told: readonly SlaTold[], ticketOf: ReadonlyMap<number, About>) => {
    const broken = told.filter(({ what }) => what === 'breach')
    const policies = await db
      .select({ id: slaPolicies.id, userIds: slaPolicies.escalateUserIds })
      .from(slaPolicies)
      .where(and(eq(slaPolicies.companyId, companyId), inArray(slaPolicies.id, [...new Set(broken.map(policyOf))])))
    const named = new Map<number, Principal[]>()
    for (const { id, userIds } of policies) named.set(id, await principals(userIds))
    const isUnserved = ({ ticketId }: SlaTold) => ticketOf.get(ticketId)?.userId === null
    const unheard = broken.filter((one) => isUnserved(one) && !named.get(policyOf(one))?.length)
    if (unheard.length === 0) return (one: SlaTold) => named.get(policyOf(one)) ?? []
    const served = await servedQueues(db, companyId)
    const promiseOf = (one: SlaTold) => `${one.ticketId} ${policyOf(one)}`
    const forsaken = new Set(
      unheard.filter(({ ticketId }) => !served.has(ticketOf.get(ticketId)?.queueId ?? null)).map(promiseOf),
    )
    const keepers = forsaken.size > 0 ? await principals(await holdersOf(db, companyId, 'sla:write', MOST_TOLD)) : []
    return (one: SlaTold) => (forsaken.has(promiseOf(one)) ? keepers : (named.get(policyOf(one)) ?? []))
  }
  return {
    'sla.recount': ({ contactId }, { companyId }) => recount(deps, companyId, contactId),

    'sla.catchUp': ({ missed }, { companyId }) => catchUp(deps, companyId, missed),
    'sla.told': async ({ told }, { companyId }) => {
      const about = await db
        .select({ ...place, uuid: tickets.uuid })
        .from(tickets)
        .where(
          and(eq(tickets.companyId, companyId), inArray(tickets.id, [...new Set(told.map((one) => one.ticketId))])),
        )
      const ticketOf = new Map(about.map((ticket) => [ticket.id, ticket]))
      const alsoTold = await alsoToldOf(companyId, told, ticketOf)
      for (const event of eventsOf(companyId, told, ticketOf, alsoTold)) events.emit(event)
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
            return isTheirs || (what === 'breach' && alsoTold(one).some((named) => named.userId === userId))
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

const policyOf = ({ policyId }: SlaTold) => policyId ?? 0

/** The queues, null for none, that somebody works in. */
async function servedQueues(db: Db, companyId: number): Promise<ReadonlySet<number | null>> {
  const [own, open] = await Promise.all([
    db.selectDistinct({ id: userQueues.queueId }).from(userQueues).where(eq(userQueues.companyId, companyId)),
    db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.companyId, companyId), eq(users.allTicket, true)))
      .limit(1),
  ])
  return new Set([...own.map(({ id }) => id), ...(open.length > 0 ? [null] : [])])
}

/** Whom a breach that nobody else would hear of may reach. */
const MOST_TOLD = 50

type About = Pick<Ticket, 'id' | 'uuid' | 'status' | 'queueId' | 'userId'>

/**
 * One event for all tickets of a kind that the same people see: thousands of promises may be broken at one moment. It
 * tells all of the first, and the ids of all.
 */
function eventsOf(
  companyId: number,
  told: readonly SlaTold[],
  ticketOf: ReadonlyMap<number, About>,
  alsoTold: (one: SlaTold) => readonly Principal[],
): LiveEvent[] {
  const known = told.flatMap((one) => {
    const ticket = ticketOf.get(one.ticketId)
    return ticket ? [{ ...one, ticket }] : []
  })
  type Known = (typeof known)[number]
  const event = (action: string, of: readonly Known[], audience: EventAudience): LiveEvent => {
    const { ticketId, metric, policyId, ticket } = of[0]!
    const sla = { ticketId, uuid: ticket.uuid, metric, policyId, userId: ticket.userId, queueId: ticket.queueId }
    const ticketIds = [...new Set(of.map((one) => one.ticketId))]
    return { companyId, name: 'sla', action, payload: { sla, ticketIds }, audience }
  }
  const seen = Map.groupBy(known, ({ what, ticket: { status, queueId, userId } }) =>
    [what, status, queueId, userId].join(),
  )
  // They are told of what they may see, and of nothing else.
  const named = [
    ...Map.groupBy(
      known.flatMap((one) =>
        one.what === 'breach'
          ? alsoTold(one).flatMap((who) =>
              who.companyId === companyId && canSeeTicket(who, one.ticket) ? [{ one, userId: who.userId }] : [],
            )
          : [],
      ),
      ({ one, userId }) => `${policyOf(one)} ${userId}`,
    ).values(),
  ]
  return [
    ...[...seen.values()].map((of) => {
      const { id, status, queueId, userId } = of[0]!.ticket
      return event(of[0]!.what, of, { ticket: { id, status, queueId, userId } })
    }),
    ...named.map((of) =>
      event(
        'escalated',
        of.map(({ one }) => one),
        { userIds: [of[0]!.userId] },
      ),
    ),
  ]
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
