import { Type } from '@sinclair/typebox'
import { command, type CommandContext, type Decision, type FactReader, type RowChange } from '../command.ts'
import { DomainError } from '../errors.ts'
import { widOf } from '../ids.ts'
import { clientId, messageBody, messageId, MOST_CARDS, nullable, rowId, sharedCard, sharedPlace } from '../inputs.ts'
import { canAnswer, type Principal } from '../permissions.ts'
import { undoable } from '../undo.inputs.ts'
import { heldIf } from '../undo.ts'
import { templateValues } from '../templates/templates.inputs.ts'
import { sayingBy } from '../templates/templates.state.ts'
import { visible } from '../tickets/tickets.commands.ts'
import { isSnoozed } from '../tickets/tickets.snooze.ts'
import type { Ticket } from '../tickets/tickets.table.ts'
import { demandOffer } from '../whatsapps/whatsapps.providers.ts'
import type { MessageAbout } from './messages.content.ts'
import { lastWord, lineOf, ownPreview } from './messages.line.ts'
import { EDIT_WINDOW_MS, ownMessage, REVOKE_WINDOW_MS, TAKEN_BACK } from './messages.own.ts'
import type { Message } from './messages.table.ts'
import { bodyOf, textsOf, wholeOf, withEarlier } from './messages.text.ts'

/** A file of ours that is to be sent; the bytes are already in the media store when the command runs on the server. */
export const outgoingFile = Type.Object(
  {
    /** Path in the media store; null in the browser, where the bytes wait in the outbox. */
    path: nullable(Type.String({ maxLength: 255 })),
    name: Type.String({ minLength: 1, maxLength: 255 }),
    mimetype: Type.String({ minLength: 3, maxLength: 127 }),
    /** Bytes. */
    size: Type.Integer({ minimum: 1 }),
    voice: Type.Boolean(),
  },
  { additionalProperties: false },
)

/** The message and its ticket, for those who may see that. */
async function messageFacts(input: { messageId: string }, read: FactReader, who: Principal) {
  const message = await read.need('messages', input.messageId)
  return { message, ticket: visible(await read.need('tickets', message.ticketId), who) }
}

/** By which wire the message came or goes. */
const wireOf = async ({ whatsappId }: Message, read: FactReader) =>
  whatsappId === null ? undefined : read.provider(whatsappId)

/** The same, and whether it is what the ticket's line in the list shows. */
async function shownFacts(input: { messageId: string }, read: FactReader, who: Principal) {
  const facts = await messageFacts(input, read, who)
  return { ...facts, isLast: (await read.lastMessage(facts.ticket.id)) === facts.message.id }
}

/** The same of a message that the wire is to be told something about. */
async function wireFacts(input: { messageId: string }, read: FactReader, who: Principal) {
  const facts = await shownFacts(input, read, who)
  return { ...facts, provider: await wireOf(facts.message, read) }
}

/** @throws ERR_TICKET_NOT_OPEN, ERR_TICKET_TAKEN unless this person may write in the ticket */
function demandAnswer(ticket: Ticket, who: Principal): void {
  if (ticket.status !== 'open') throw new DomainError('ERR_TICKET_NOT_OPEN', { ticketId: ticket.id })
  if (!canAnswer(who, ticket)) throw new DomainError('ERR_TICKET_TAKEN', { ticketId: ticket.id })
}

/** An agent's message in an open ticket: it is stored, it is sent, and what they answer is read. */
function saidIn(
  ticket: Ticket,
  said: {
    input: Parameters<typeof ownMessage>[0]
    about: MessageAbout | null
    quotedMsgId: string | null
    unread: string[]
    asksNumber?: boolean
  },
  { who, now }: Pick<CommandContext, 'who' | 'now'>,
): Decision {
  const { input, about, quotedMsgId, unread, asksNumber = false } = said
  if (ticket.whatsappId === null) throw new DomainError('ERR_NO_WAPP_FOUND')
  const message: Message = {
    ...ownMessage(input, who.userId),
    companyId: who.companyId,
    contactId: ticket.contactId,
    whatsappId: ticket.whatsappId,
    wid: widOf(input.id),
    quotedMsgId,
    about,
    queueScope: ticket.queueId,
    userScope: ticket.userId,
    createdAt: now,
    updatedAt: now,
  }
  const rows: RowChange[] = [
    { table: 'messages', op: 'insert', values: message },
    {
      table: 'tickets',
      op: 'update',
      ids: [ticket.id],
      values: {
        ...{ ...lastWord(ownPreview(message), true, now), unreadMessages: 0, updatedAt: now },
        // Of what lay aside somebody was to be reminded: they have answered.
        ...(ticket.snoozeNote !== null && !isSnoozed(ticket) ? { snoozeNote: null } : {}),
      },
    },
  ]
  if (unread.length > 0) rows.push({ table: 'messages', op: 'update', ids: unread, values: { read: true } })
  const { whatsappId, contactId: chat } = ticket
  return {
    rows,
    texts: textsOf(input.id, input.body),
    spoken: [{ ticketId: ticket.id, by: 'person', at: now }],
    effects: [
      { kind: 'whatsapp.send', messageId: input.id, whatsappId, chat, by: 'agent', ...(asksNumber && { asksNumber }) },
      ...(unread.length > 0 ? [{ kind: 'whatsapp.read' as const, messageIds: unread, whatsappId, chat }] : []),
    ],
    result: { messageId: input.id, ticketId: ticket.id },
  }
}

export const messageCommands = {
  /** Writes to the contact of an open ticket: a text, one file with an optional caption, a place, or cards of people. */
  'messages.send': command({
    name: 'messages.send',
    needs: null,
    input: Type.Object(
      {
        id: clientId,
        ticketId: rowId,
        body: Type.String({ maxLength: 65_536 }),
        quotedMsgId: Type.Optional(nullable(messageId)),
        file: Type.Optional(outgoingFile),
        /** It asks for the contact's number: with a button for it where the wire has one. */
        asksNumber: Type.Optional(Type.Literal(true)),
        place: Type.Optional(sharedPlace),
        cards: Type.Optional(Type.Array(sharedCard, { minItems: 1, maxItems: MOST_CARDS })),
      },
      { additionalProperties: false },
    ),
    facts: async (input, read, who) => {
      const ticket = visible(await read.need('tickets', input.ticketId), who)
      const quoted = input.quotedMsgId ? await read.get('messages', input.quotedMsgId) : undefined
      return {
        ticket,
        quoted: quoted?.contactId === ticket.contactId ? quoted : undefined,
        unread: await read.unreadMessages(ticket.id),
      }
    },
    decide: (input, { ticket, quoted, unread }, { who, now }) => {
      demandAnswer(ticket, who)
      const things = [input.file, input.place, input.cards].filter(Boolean).length
      if (things === 0 && !/\S/.test(input.body)) throw new DomainError('ERR_CREATING_MESSAGE', { reason: 'empty' })
      // A place and a card have no words beside them.
      if (things > 1 || ((input.place || input.cards) && input.body !== ''))
        throw new DomainError('ERR_CREATING_MESSAGE', { reason: 'mixed' })
      const asksNumber = input.asksNumber === true && things === 0
      return saidIn(ticket, { input, about: null, quotedMsgId: quoted?.id ?? null, unread, asksNumber }, { who, now })
    },
  }),

  /**
   * Says something by a message template, which may be said at any time: the only thing that may outside the window. What
   * stands in the conversation is what its reader sees.
   */
  'messages.sendTemplate': command({
    name: 'messages.sendTemplate',
    needs: null,
    input: Type.Object(
      { id: clientId, ticketId: rowId, templateId: rowId, values: templateValues, file: Type.Optional(outgoingFile) },
      { additionalProperties: false },
    ),
    facts: async (input, read, who) => {
      const ticket = visible(await read.need('tickets', input.ticketId), who)
      return {
        ticket,
        template: await read.need('templates', input.templateId),
        unread: await read.unreadMessages(ticket.id),
      }
    },
    decide: ({ id, values, file }, { ticket, template, unread }, { who, now }) => {
      demandAnswer(ticket, who)
      // A template is the connection's own.
      if (template.whatsappId !== ticket.whatsappId) throw new DomainError('ERR_NO_TEMPLATE_FOUND')
      const { body, about } = sayingBy(template, values, file ?? null)
      return saidIn(
        ticket,
        {
          input: { id, ticketId: ticket.id, body, ...(file && { file: { ...file, voice: false } }) },
          about,
          quotedMsgId: null,
          unread,
        },
        { who, now },
      )
    },
  }),

  /** Replaces the text of an own message, as the phone does, within `EDIT_WINDOW_MS`. */
  'messages.edit': command({
    name: 'messages.edit',
    needs: null,
    input: Type.Object({ messageId, body: messageBody }, { additionalProperties: false }),
    facts: wireFacts,
    decide: ({ body: said }, { message, ticket, isLast, provider }, { who, now }) => {
      if (!canAnswer(who, ticket)) throw new DomainError('ERR_TICKET_TAKEN', { ticketId: ticket.id })
      const late = now.getTime() - message.createdAt.getTime() > EDIT_WINDOW_MS
      if (!message.fromMe || message.isDeleted || late || message.mediaType !== 'chat' || message.whatsappId === null)
        throw new DomainError('ERR_EDITING_WAPP_MSG')
      demandOffer(provider, 'edit')
      const { body, isCut } = bodyOf(said)
      const whole = wholeOf(said)
      // Two long texts may begin alike.
      if (message.body === body && !message.isCut && !isCut) return { rows: [], effects: [] }
      const rows: RowChange[] = [
        {
          table: 'messages',
          op: 'update',
          ids: [message.id],
          values: {
            body,
            isCut,
            isEdited: true,
            earlierBodies: withEarlier(message.earlierBodies, { body: message.body, at: now.toISOString() }),
            updatedAt: now,
          },
        },
      ]
      if (isLast)
        rows.push({
          table: 'tickets',
          op: 'update',
          ids: [ticket.id],
          values: lineOf({ ...message, body }),
        })
      return {
        rows,
        texts: [{ messageId: message.id, text: whole }],
        effects: [
          {
            kind: 'whatsapp.edit',
            messageId: message.id,
            body: said,
            whatsappId: message.whatsappId,
            chat: ticket.contactId,
          },
        ],
      }
    },
  }),

  /** Takes an own message back for everyone, within `REVOKE_WINDOW_MS`. Its text stays with us, marked deleted. */
  'messages.delete': command({
    name: 'messages.delete',
    needs: null,
    input: Type.Object({ messageId, undoable }, { additionalProperties: false }),
    facts: wireFacts,
    decide: ({ undoable: isHeld }, { message, ticket, isLast, provider }, { who, now, commandId }) => {
      if (!canAnswer(who, ticket)) throw new DomainError('ERR_TICKET_TAKEN', { ticketId: ticket.id })
      if (!message.fromMe || message.whatsappId === null) throw new DomainError('ERR_DELETE_WAPP_MSG')
      if (message.isDeleted) return { rows: [], effects: [] }
      demandOffer(provider, 'revoke')
      // What failed has reached nobody.
      if (message.ack > 0 && now.getTime() - message.createdAt.getTime() > REVOKE_WINDOW_MS)
        throw new DomainError('ERR_FETCH_WAPP_MSG')
      const rows: RowChange[] = [
        { table: 'messages', op: 'update', ids: [message.id], values: { isDeleted: true, updatedAt: now } },
      ]
      if (isLast)
        rows.push({
          table: 'tickets',
          op: 'update',
          ids: [ticket.id],
          values: lineOf({ ...message, isDeleted: true }),
        })
      return {
        rows,
        ...heldIf(isHeld, commandId, [
          { kind: 'whatsapp.revoke', messageId: message.id, whatsappId: message.whatsappId, chat: ticket.contactId },
        ]),
      }
    },
  }),

  /** Takes back an own `messages.delete`, given as undoable, before the contact's phone hears of it. */
  'messages.undelete': command({
    name: 'messages.undelete',
    needs: null,
    input: Type.Object({ messageId, commandId: clientId }, { additionalProperties: false }),
    facts: shownFacts,
    decide: ({ commandId }, { message, ticket, isLast }, { who, now }) => {
      if (!canAnswer(who, ticket)) throw new DomainError('ERR_TICKET_TAKEN', { ticketId: ticket.id })
      if (!message.fromMe || !message.isDeleted || message.whatsappId === null) throw new DomainError('ERR_UNDO_LATE')
      // It was about to leave when it was deleted, and did not.
      const isHeldUp = message.ack === 0 && message.ackError === TAKEN_BACK
      const values = { isDeleted: false, updatedAt: now, ...(isHeldUp ? { ack: 1, ackError: null } : {}) }
      const rows: RowChange[] = [{ table: 'messages', op: 'update', ids: [message.id], values }]
      if (isLast)
        rows.push({
          table: 'tickets',
          op: 'update',
          ids: [ticket.id],
          values: lineOf({ ...message, isDeleted: false }),
        })
      const { whatsappId } = message
      return {
        rows,
        takesBack: [commandId],
        effects: isHeldUp
          ? [{ kind: 'whatsapp.send', messageId: message.id, whatsappId, chat: ticket.contactId, by: 'agent' }]
          : [],
      }
    },
  }),

  /** Reacts to a message, or takes the reaction back with an empty emoji. */
  'messages.react': command({
    name: 'messages.react',
    needs: null,
    input: Type.Object({ messageId, emoji: Type.String({ maxLength: 16 }) }, { additionalProperties: false }),
    facts: async (input, read, who) => {
      const facts = await messageFacts(input, read, who)
      return { ...facts, provider: await wireOf(facts.message, read) }
    },
    decide: ({ emoji }, { message, ticket, provider }, { who, now }) => {
      if (ticket.status !== 'open') throw new DomainError('ERR_TICKET_NOT_OPEN', { ticketId: ticket.id })
      if (!canAnswer(who, ticket)) throw new DomainError('ERR_TICKET_TAKEN', { ticketId: ticket.id })
      if (message.whatsappId === null || message.isDeleted) throw new DomainError('ERR_SENDING_WAPP_MSG')
      demandOffer(provider, 'react')
      return {
        rows: [
          {
            table: 'messages',
            op: 'update',
            ids: [message.id],
            values: { reactions: withReaction(message.reactions, 'me', emoji), updatedAt: now },
          },
        ],
        effects: [
          {
            kind: 'whatsapp.react',
            messageId: message.id,
            emoji,
            whatsappId: message.whatsappId,
            chat: ticket.contactId,
          },
        ],
      }
    },
  }),

  /**
   * Sends a message again that WhatsApp or the network refused. The same message, under the same id; whoever asks may
   * write in the ticket as it is now, whoever wrote it then.
   */
  'messages.retry': command({
    name: 'messages.retry',
    needs: null,
    input: Type.Object({ messageId }, { additionalProperties: false }),
    facts: messageFacts,
    decide: (_input, { message, ticket }, { who, now }) => {
      if (ticket.status !== 'open') throw new DomainError('ERR_TICKET_NOT_OPEN', { ticketId: ticket.id })
      if (!canAnswer(who, ticket)) throw new DomainError('ERR_TICKET_TAKEN', { ticketId: ticket.id })
      if (!message.fromMe || message.ack !== 0 || message.isDeleted || message.whatsappId === null)
        throw new DomainError('ERR_SENDING_WAPP_MSG')
      return {
        rows: [
          { table: 'messages', op: 'update', ids: [message.id], values: { ack: 1, ackError: null, updatedAt: now } },
        ],
        effects: [
          {
            ...{ kind: 'whatsapp.send', messageId: message.id, whatsappId: message.whatsappId, chat: ticket.contactId },
            by: 'agent',
          },
        ],
      }
    },
  }),
}

/** One reaction for each person: a new one replaces theirs, an empty one removes it. */
export function withReaction(
  reactions: Message['reactions'],
  by: string,
  emoji: string,
  at?: Date,
): Message['reactions'] {
  const others = reactions.filter((r) => r.by !== by)
  return emoji ? [...others, { emoji, by, ...(at && { at: at.toISOString() }) }] : others
}
