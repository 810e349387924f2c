import type { Decision } from '../command.ts'
import { nothing } from '../command.ts'
import { clip, legible } from '../texts.ts'
import { withReaction } from './messages.commands.ts'
import type { InboundAck, InboundEdit, InboundReaction, InboundRevoke } from './messages.inbound.ts'
import { lineOf } from './messages.line.ts'
import type { Message } from './messages.table.ts'
import { bodyOf, TEXT_LENGTH, wholeOf, withEarlier } from './messages.text.ts'

/** A stored message that WhatsApp tells something about, and whether its ticket's line in the list shows it. Both are locked. */
export interface ChangedFacts {
  message: Message
  /** All of what it says. */
  text: string
  isLast: boolean
}

/** Whether a member of the group, by whichever of their names, wrote the message. */
function isAuthor(message: Message, by: InboundEdit['participant']): boolean {
  const { fromMe, participantNumber } = message
  return !fromMe && participantNumber !== null && (participantNumber === by?.number || participantNumber === by?.lid)
}

/**
 * In a person's chat each deletes their own. In a group a member does, too; its admins delete what others wrote, and
 * our own phone may be one of them, which WhatsApp itself sees to.
 */
function mayRevoke(message: Message, event: InboundRevoke): boolean {
  if (event.chat.kind === 'person') return message.fromMe === event.fromMe
  return event.fromMe || event.byAdmin === true || isAuthor(message, event.participant)
}

/** An edit by who wrote the message. One that is told again, maybe with a newer one in between, changes nothing. */
export function editArrived({ message, text, isLast }: ChangedFacts, event: InboundEdit): Decision {
  // A document without words is shown by its name, as when it came.
  const said =
    legible(clip(event.body, TEXT_LENGTH)) || (message.mediaType === 'application' && message.mediaName) || ''
  if (said === '' && message.mediaState === 'none') return nothing
  const { body, isCut } = bodyOf(said)
  if (message.fromMe !== event.fromMe || text === said) return nothing
  const texts = [...message.earlierBodies.slice(1).map((earlier) => earlier.body), message.body]
  const at = event.at.toISOString()
  if (message.earlierBodies.some((earlier, i) => earlier.at === at && texts[i] === body)) return nothing
  if (event.chat.kind === 'group' && !event.fromMe && !isAuthor(message, event.participant)) return nothing
  const earlierBodies = withEarlier(message.earlierBodies, { body: message.body, at })
  const change = changed(
    { message, isLast },
    { body, isCut, isEdited: true, earlierBodies, updatedAt: later(message, event.at) },
  )
  return { ...change, texts: [{ messageId: message.id, text: wholeOf(said) }] }
}

/** A deletion by whoever may: see `mayRevoke`. */
export function revokeArrived({ message, isLast }: ChangedFacts, event: InboundRevoke): Decision {
  if (message.isDeleted || !mayRevoke(message, event)) return nothing
  return changed({ message, isLast }, { isDeleted: true, updatedAt: later(message, event.at) })
}

/** The longest there are, two people kissing, take half of it. */
const LONGEST_EMOJI = 32

/** A reaction; each person has one. */
export function reactionArrived({ message }: ChangedFacts, event: InboundReaction): Decision {
  const reactions = withReaction(
    message.reactions,
    event.by,
    legible(clip(event.emoji, LONGEST_EMOJI)),
    event.opens && event.at,
  )
  const values = { reactions, updatedAt: later(message, event.at) }
  return { rows: [{ table: 'messages', op: 'update', ids: [message.id], values }], effects: [] }
}

/**
 * How far messages of ours came. Only ever raises; an error is told only about what has not reached WhatsApp, or, where
 * WhatsApp says so, the phone. Programs order what they hear by `updatedAt`, so a tick moves it, too.
 */
export function acksArrived(
  acked: readonly { message: Pick<Message, 'id' | 'ack'>; events: InboundAck[] }[],
  now: Date,
): Decision {
  return {
    rows: acked.flatMap(({ message, events }) => {
      const highest = Math.max(...events.map(({ ack }) => ack))
      const failure = events.find(({ ack }) => ack === 0)
      const values =
        highest > message.ack
          ? { ack: highest, ackError: events.find(({ ack }) => ack === highest)?.error ?? null, updatedAt: now }
          : failure && (message.ack === 1 || (failure.undelivered && message.ack === 2))
            ? { ack: 0, ackError: failure.error ?? 'unknown', updatedAt: now }
            : undefined
      return values ? [{ table: 'messages', op: 'update', ids: [message.id], values }] : []
    }),
    effects: [],
  }
}

/** What happened late is told late: a message is never older than it was. */
const later = ({ updatedAt }: Pick<Message, 'updatedAt'>, at: Date): Date => (at > updatedAt ? at : updatedAt)

/** What changes of a message, and of the line that its ticket shows in the list. */
function changed({ message, isLast }: Pick<ChangedFacts, 'message' | 'isLast'>, values: Partial<Message>): Decision {
  const line = lineOf({ ...message, ...values })
  return {
    rows: [
      { table: 'messages', op: 'update', ids: [message.id], values },
      ...(isLast
        ? [
            {
              table: 'tickets' as const,
              op: 'update' as const,
              ids: [message.ticketId],
              values: { ...line, lastMessage: legible(line.lastMessage) },
            },
          ]
        : []),
    ],
    effects: [],
  }
}
