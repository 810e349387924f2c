import { type Decision, nothing } from '../command.ts'
import { DomainError } from '../errors.ts'
import { say } from '../messages/messages.say.ts'
import { noteOn } from '../notes/notes.row.ts'
import type { Principal } from '../permissions.ts'
import { fieldsDecision } from '../tickets/tickets.commands.ts'
import { moveTicket } from '../tickets/tickets.move.ts'
import { snoozedFor } from '../tickets/tickets.snooze.ts'
import type { TicketMove } from '../tickets/tickets.transition.ts'
import { filledBody, type Hands, type Turn, untilOf } from './actions.decide.ts'

/** In whose name the product acts by itself: it sees all, and is nobody. */
export const nobody = (companyId: number): Principal => ({
  ...{
    userId: 0,
    companyId,
    name: '',
    profile: 'admin',
    super: false,
    queueIds: [],
    allTicket: true,
    whatsappId: null,
  },
})

function moved(
  move: TicketMove,
  { stand, context }: Turn,
  data: Record<string, string | number | null> = {},
): Decision {
  const outcome = moveTicket(stand.ticket, move, {
    ...{ id: context.commandId, userId: null, now: context.now, data },
  })
  if ('refused' in outcome) throw new DomainError(outcome.refused)
  return outcome.decision
}

/**
 * The product does it: no agent is asked whether it is theirs, nothing is read by it, and nobody is asked for fields. What it
 * says is nobody's answer, so that clocks of promises go on and no rule answers it.
 */
export const itself: Hands = {
  place: (to, turn) => {
    const { facts, stand, context } = turn
    const { ticket } = stand
    if (to.userId === 'me') throw new DomainError('ERR_NO_USER_FOUND')
    const userId = to.userId ?? null
    const queueId = to.queueId ?? ticket.queueId
    const isThere = queueId === ticket.queueId && userId === ticket.userId
    if (isThere && ticket.status === (userId === null ? 'pending' : 'open')) return nothing
    const queue = queueId === null ? null : (facts.queues.get(queueId)?.name ?? null)
    const user = userId === null ? null : (facts.users.get(userId)?.name ?? null)
    const move = { type: 'transfer', who: context.who, queueId, userId } as const
    return moved(move, turn, { queue, user })
  },
  message: ({ body }, { facts, stand, context, rowId }) => {
    if (stand.ticket.whatsappId === null) throw new DomainError('ERR_NO_WAPP_FOUND')
    return say(stand.ticket, { id: rowId, isSaid: false, body: filledBody(body, facts, context), at: context.now })
  },
  note: ({ note }, { stand, context, rowId }) => ({
    rows: [noteOn(stand.ticket, { id: rowId, note, now: context.now })],
    effects: [],
  }),
  field: ({ fieldId, value }, { facts, stand, context: { commandId, now } }) =>
    fieldsDecision(stand.ticket, facts.fields, { [fieldId]: value }, { commandId, now, who: { userId: null } }),
  snooze: (action, turn) => {
    const move = { until: untilOf(action, turn), keep: false, note: null }
    return moved({ type: 'snooze', who: turn.context.who, ...move }, turn, snoozedFor(move))
  },
  giveBack: (turn) => moved({ type: 'return', who: turn.context.who }, turn),
  // Nobody has served who takes one that waits off the list.
  resolve: (_action, turn) =>
    moved(
      turn.stand.ticket.userId === null && turn.stand.ticket.status === 'pending'
        ? { type: 'finish' }
        : { type: 'resolve', who: turn.context.who },
      turn,
    ),
}
