import { ask } from '../../schema/rules/rules.ask.ts'
import type { ConditionKind, RuleInput } from '../../schema/rules/rules.inputs.ts'
import type { Principal } from '../../schema/permissions.ts'
import type { Db } from '../db/database.ts'
import type { CompanyConfig } from '../settings/settings.facts.ts'
import {
  contactFields,
  type DryTicket,
  eventsIn,
  namesOf,
  type Sought,
  taggingsSince,
  ticketsWith,
  touchedTickets,
} from './rules.dry-run.queries.ts'
import { asksHours, openAt } from './rules.facts.ts'
import { named } from './rules.queries.ts'

/** So many tickets are looked at, and so many named. */
const MOST_TICKETS = 200_000
const MOST_NAMED = 1_000
/** So many in one go: each is a statement of some milliseconds, one at a time, and between them others have their turn. */
const PAGE = 250
/** A page that took so many times as long as the quickest stood in line with others: they go before the next one. */
const SLOWED = 1.5
/** They do for as long as it took, and no longer than this. */
const MOST_PAUSE_MS = 30
/** A run that takes longer says how far it came. */
const MOST_MS = 20_000

/** What a rule that never ran would have done. */
export interface DryRun {
  /** Tickets in which it would have acted. */
  matched: number
  /** Tickets that were looked at. */
  looked: number
  /** Whether all were: there may be more than are looked at, and it ends after 20 s. */
  isWhole: boolean
  /** The latest first. Null stands for one that the reader may not see. */
  tickets: { id: number; uuid: string; name: string; at: Date; wouldDo: string[] }[]
  /** Of matched tickets, those that the reader may not see. */
  hidden: number
  /**
   * What nobody has written down: a condition that is asked about the ticket as it is today, or `trigger`, where nothing at
   * all is written down of what the rule answers.
   */
  unknowable: (ConditionKind | 'trigger')[]
  /** Since when what it answers is written down, where that is later than the days that were asked about. */
  since: Date | null
}

/** What is asked about tickets as they are now, for how they were stands nowhere. */
const ofToday: readonly ConditionKind[] = ['status', 'queue', 'user', 'connection', 'tag', 'field']

type Tried = Pick<RuleInput, 'trigger' | 'minutes' | 'byPeople' | 'match' | 'conditions' | 'actions'>

/**
 * Asks a rule about what happened between two moments, by the function that is asked live, page by page. Nothing is
 * written, and nothing but the page is held.
 */
export async function dryRun(
  db: Db,
  who: Principal,
  rule: Tried,
  { company, from, to, signal }: { company: CompanyConfig; from: Date; to: Date; signal?: AbortSignal | undefined },
): Promise<DryRun> {
  const began = performance.now()
  const { conditions, match } = rule
  const unknowable: DryRun['unknowable'] = conditions
    .map(({ kind }) => kind)
    .filter((kind, at, all) => ofToday.includes(kind) && all.indexOf(kind) === at)
  const kept = rule.trigger === 'tagged' ? await taggingsSince(db, who.companyId) : from
  if (kept === null)
    return { ...{ matched: 0, looked: 0, isWhole: true, tickets: [], hidden: 0, since: null }, unknowable: ['trigger'] }
  // Where the database finds the words, the first message of a ticket that holds them stands for all.
  const each = conditions.some(
    (one) => one.kind === 'hours' || one.kind === 'status' || (one.kind === 'words' && (match === 'any' || one.not)),
  )
  const sought: Sought = { ...rule, each }
  const hours = asksHours(conditions) ? await openAt(db, who.companyId, company) : null
  const asksContact = conditions.some((one) => one.kind === 'field' && one.entity === 'contact')
  const all = await touchedTickets(db, who.companyId, { from, to }, rule, MOST_TICKETS + 1)
  const found = new Map<number, number>()
  let looked = 0
  const pauses = createPauses()
  for (; looked < Math.min(all.length, MOST_TICKETS); looked += PAGE) {
    if (signal?.aborted || performance.now() - began > MOST_MS) break
    await pauses.next()
    const page = all.slice(looked, looked + PAGE)
    const events = await eventsIn(db, page, { from, to }, sought)
    const touched = [...new Set(events.map(({ ticketId }) => ticketId))]
    const rows = touched.length > 0 ? await ticketsWith(db, touched) : []
    const tickets = new Map(rows.map((ticket) => [ticket.id, ticket]))
    const fieldsOf = asksContact ? await contactFields(db, contactsOf(tickets)) : null
    for (const event of events) {
      const ticket = tickets.get(event.ticketId)
      if (!ticket || found.has(ticket.id)) continue
      const at = new Date(event.at)
      const { holds } = ask(
        { match, conditions },
        {
          ticket: event.status ? { ...ticket, status: event.status } : ticket,
          ...{ contactFields: fieldsOf?.get(ticket.contactId) ?? {}, text: event.text ?? null },
          isOpen: () => hours?.(ticket, at) ?? true,
        },
        {
          ...(event.rate !== undefined ? { rate: event.rate } : {}),
          ...(event.added !== undefined ? { added: event.added } : {}),
        },
      )
      if (holds) found.set(ticket.id, event.at)
    }
  }
  const latest = [...found].sort(([, a], [, b]) => b - a).slice(0, MOST_NAMED)
  const names = new Map(
    (
      await namesOf(
        db,
        latest.map(([id]) => id),
      )
    ).map((row) => [row.id, named(who, row, row)]),
  )
  const wouldDo = rule.actions.map(({ type }) => type)
  const tickets = latest.flatMap(([id, at]) => {
    const ticket = names.get(id)
    return ticket ? [{ ...ticket, at: new Date(at), wouldDo }] : []
  })
  return {
    ...{ matched: found.size, looked: Math.min(looked, all.length), tickets, hidden: latest.length - tickets.length },
    ...{ isWhole: looked >= all.length, unknowable, since: kept > from ? kept : null },
  }
}

/** Stands back between pages while others are at work, as far as one's own pages tell. */
function createPauses() {
  let began: number | null = null
  let quickest = Infinity
  return {
    async next(): Promise<void> {
      const took = began === null ? 0 : performance.now() - began
      if (began !== null) quickest = Math.min(quickest, took)
      if (took > quickest * SLOWED) await Bun.sleep(Math.min(took, MOST_PAUSE_MS))
      began = performance.now()
    },
  }
}

const contactsOf = (tickets: ReadonlyMap<number, DryTicket>) => [
  ...new Set([...tickets.values()].map(({ contactId }) => contactId)),
]
