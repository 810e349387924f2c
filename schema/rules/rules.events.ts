import { ANSWERED_WITHIN_MS } from '../automation/automation.decide.ts'
import type { RowChange, ServerDecision } from '../command.ts'
import type { Message } from '../messages/messages.table.ts'
import type { Ticket } from '../tickets/tickets.table.ts'
import type { RuleTrigger } from './rules.triggers.ts'

/** Of what rules do: with which event it began, and how many rules stand between. */
export interface RuleCause {
  root: string
  depth: number
}

/** Something that happened to a ticket, which rules may answer. */
export interface RuleEvent extends RuleCause {
  id: string
  trigger: RuleTrigger
  ticketId: number
  /** ISO instant. */
  at: string
  /** What was written, or what a ticket began with. */
  messageId?: string
  /** Of `created`: a person of the company began it. */
  byPerson?: boolean
  /** Of `tagged`. */
  added?: number[]
  /** Of `rated`. */
  rate?: number
  /** The only rule that is asked. */
  ruleId?: number
}

type Place = Pick<Ticket, 'status' | 'queueId' | 'userId'>

/** A message that was said by people, by its ticket. */
interface Said {
  id: string
  ticketId: number
  fromMe: boolean
  at: Date
}

/**
 * What happened to tickets by a decision, in the order in which rules are asked: that a ticket begins comes before what
 * is said in it. What the product says by itself is no event; what came late is for people alone.
 *
 * @param wanted what the company's rules answer
 */
export function eventsOf(
  decision: ServerDecision,
  wanted: ReadonlySet<RuleTrigger>,
  { now, newId }: { now: Date; newId: () => string },
): RuleEvent[] {
  const events: RuleEvent[] = []
  const add = (trigger: RuleTrigger, ticketId: number, at: Date, more: Partial<RuleEvent> = {}) => {
    if (!wanted.has(trigger)) return
    const id = newId()
    const cause = decision.byRule ?? { root: id, depth: 0 }
    events.push({ id, trigger, ticketId, at: at.toISOString(), ...cause, ...more })
  }
  const said = saidIn(decision, now)
  for (const row of decision.rows) {
    if (row.table !== 'tickets' || 'where' in row || row.op !== 'insert') continue
    const ticketId = Number(row.values.id)
    const begun = lineOf(decision, ticketId)
    const byPerson = begun !== undefined && begun !== null
    // What is kept closed from its beginning, as a campaign's message is, waits for nobody.
    if (!byPerson && row.values.status !== 'pending') continue
    const first = said.find((one) => one.ticketId === ticketId && !one.fromMe)
    add('created', ticketId, now, { byPerson, ...(first ? { messageId: first.id } : {}) })
  }
  for (const { id, ticketId, fromMe, at } of said)
    add(fromMe ? 'messageOut' : 'messageIn', ticketId, at, { messageId: id })
  for (const [ticketId, was, is] of movedIn(decision)) {
    if (was.status !== is.status) add('status', ticketId, now)
    if (was.queueId !== is.queueId) add('queue', ticketId, now)
    if (was.userId !== is.userId) add('user', ticketId, now)
  }
  for (const row of decision.rows) {
    if (row.table !== 'ticketEvents' || 'where' in row || row.op !== 'insert') continue
    const { kind, ticketId, data } = row.values
    if (kind !== 'campaign_replied') continue
    const messageId = data?.['messageId']
    add('campaignReply', Number(ticketId), now, typeof messageId === 'string' ? { messageId } : {})
  }
  const tagged = new Map<number, number[]>()
  for (const { ticketId, added } of decision.tagged ?? [])
    tagged.set(ticketId, [...new Set([...(tagged.get(ticketId) ?? []), ...added])])
  for (const [ticketId, added] of tagged) add('tagged', ticketId, now, { added })
  for (const { ticketId, rate } of decision.ratings ?? []) add('rated', ticketId, now, { rate })
  for (const effect of decision.effects)
    if (effect.kind === 'sla.told')
      for (const { what, ticketId } of effect.told) add(what === 'warning' ? 'slaWarning' : 'slaBreach', ticketId, now)
  return events
}

/** Who began a ticket, by its line in the timeline: null nobody of the company, undefined where there is no line. */
function lineOf({ rows }: ServerDecision, ticketId: number): number | null | undefined {
  for (const row of rows) {
    if (row.table !== 'ticketEvents' || 'where' in row || row.op !== 'insert') continue
    if (row.values.kind === 'created' && row.values.ticketId === ticketId) return row.values.userId || null
  }
  return undefined
}

function saidIn({ rows, spoken = [] }: ServerDecision, now: Date): Said[] {
  if (spoken.length === 0) return []
  const byPeople = new Set(spoken.map(({ ticketId, by }) => `${ticketId} ${by}`))
  return (rows as readonly RowChange[]).flatMap((row) => {
    if (row.table !== 'messages' || 'where' in row || row.op !== 'insert') return []
    const { id, ticketId, fromMe, createdAt } = row.values as Message
    if (!byPeople.has(`${ticketId} ${fromMe ? 'person' : 'contact'}`)) return []
    const at = createdAt ?? now
    return at.getTime() < now.getTime() - ANSWERED_WITHIN_MS ? [] : [{ id, ticketId, fromMe, at }]
  })
}

/** Where tickets were, and where they are. */
function movedIn({ moved = [], rows }: ServerDecision): [number, Place, Place][] {
  const before = new Map<number, Place>()
  for (const ticket of moved) if (!before.has(ticket.id)) before.set(ticket.id, ticket)
  return [...before].map(([id, was]) => {
    let is = was
    for (const row of rows)
      if (row.table === 'tickets' && !('where' in row) && row.op === 'update' && row.ids.includes(id))
        is = { ...is, ...(row.values as Partial<Place>) }
    return [id, was, is]
  })
}
