import { transition, type TicketMove } from '../../schema/tickets/tickets.transition.ts'
import { can, canAnswer, type Principal } from '../../schema/permissions.ts'
import { untilAnswered } from '../../schema/tickets/tickets.snooze.ts'
import type { TicketRow } from './tickets.rows.ts'

export type TicketAction = 'accept' | 'return' | 'resolve' | 'reopen' | 'transfer' | 'merge' | 'snooze' | 'wake'

const actions: readonly TicketAction[] = [
  'accept',
  'return',
  'resolve',
  'reopen',
  'transfer',
  'merge',
  'snooze',
  'wake',
]

/** What `who` can do with the ticket now: asked of the very table that decides when it is done. */
export function actionsFor(ticket: TicketRow, who: Principal): ReadonlySet<TicketAction> {
  return new Set(actions.filter((type) => changes(ticket, type, who)))
}

function changes(ticket: TicketRow, type: TicketAction, who: Principal): boolean {
  if (type === 'merge' && !can(who, 'tickets:merge')) return false
  // A queue, a time, or the other ticket, is chosen in the dialog; here only the right to it is asked for.
  const move: TicketMove =
    type === 'transfer'
      ? { type, who, queueId: 1, userId: null }
      : type === 'merge'
        ? { type, who, intoId: 0 }
        : type === 'snooze'
          ? { type, who, until: untilAnswered, keep: false, note: null }
          : { type, who }
  const outcome = transition({ ...ticket, companyId: who.companyId }, move, { now: new Date(0), cause: '' })
  return !('refused' in outcome) && outcome.event !== null
}

/** Whether the person may write in the conversation; if not, why. */
export function writingState(
  ticket: TicketRow,
  who: Pick<Principal, 'userId' | 'profile'>,
): 'open' | 'pending' | 'closed' | 'merged' | 'colleague' | 'no-connection' {
  if (ticket.mergedIntoId !== null) return 'merged'
  if (ticket.status !== 'open') return ticket.status
  if (!canAnswer(who, ticket)) return 'colleague'
  return ticket.whatsappId === null ? 'no-connection' : 'open'
}
