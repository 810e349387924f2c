import type { Decision } from '../command.ts'
import { nothing, together } from '../command.ts'
import type { Effect } from '../effects.ts'
import { say } from '../messages/messages.say.ts'
import { moveTicket, timelineRow } from '../tickets/tickets.move.ts'
import type { Ticket } from '../tickets/tickets.table.ts'
import type { Action } from './automation.decide.ts'

/** What the automation does of its own accord; flows have more, see `automation.turn.ts`. */
export type PlainAction = Extract<Action, { kind: 'say' | 'queue' | 'toldHours' | 'ask' }>

export interface ActContext {
  /** The message, or the moment, that is answered; ids of rows derive from it. */
  cause: string
  now: Date
  /** So many messages were said at this moment already. */
  after: number
  /** The id of the n-th message said for this cause. */
  idOf(n: number): string
  /** What the timeline says of a queue. */
  queueName(queueId: number): string
}

/** What actions make of a ticket: a decision, the ticket as it is then, and the ids of what was said. */
export function act(
  ticket: Ticket,
  actions: readonly PlainAction[],
  { cause, now, after, idOf, queueName }: ActContext,
): { decision: Decision; ticket: Ticket; replies: string[] } {
  let current = ticket
  const replies: string[] = []
  const decisions = actions.map((action, n): Decision => {
    const by = { id: `auto:${cause}:${n}`, eventId: `auto:${cause}:${n}`, userId: null, now }
    switch (action.kind) {
      case 'say': {
        const id = idOf(n)
        replies.push(id)
        // After what it answers and in this order, also where the clock is too coarse to tell.
        const at = new Date(now.getTime() + after + replies.length)
        const { body, file, typingMs = 0, offer } = action
        return say(current, { id, isSaid: false, body, file, at, typingMs, offer })
      }
      case 'toldHours':
        return { rows: [timelineRow(current, 'out_of_hours', by)], effects: [] }
      case 'queue': {
        const queue = action.queueId === null ? null : queueName(action.queueId)
        const data = { queue, ...(action.by && { by: action.by }) }
        const moved = moveTicket(current, { type: 'choose', queueId: action.queueId }, { ...by, data })
        if ('refused' in moved) return nothing
        current = moved.ticket
        return moved.decision
      }
      case 'ask': {
        const ask: Effect = {
          kind: 'automation.ask',
          ticketId: ticket.id,
          messageId: cause,
          by: action.by,
          id: action.id,
        }
        return { rows: [], effects: [ask] }
      }
    }
  })
  return { decision: together(...decisions), ticket: current, replies }
}
