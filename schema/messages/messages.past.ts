import { type Decision, together } from '../command.ts'
import type { Effect } from '../effects.ts'
import { beginTicket } from '../tickets/tickets.begin.ts'
import type { Ticket } from '../tickets/tickets.table.ts'
import { clip, fileNameOf, legible } from '../texts.ts'
import { type MessageContent, previewOf, storedForm } from './messages.content.ts'
import { lastWord } from './messages.line.ts'
import type { ChatAddress } from './messages.content.ts'
import type { NewMessage } from './messages.table.ts'

/** A message that was written before the product knew of it: told late, by the history of a phone. As it travels in JSON. */
export interface PastMessage {
  /** Unique for one connection. */
  wid: string
  chat: ChatAddress
  fromMe: boolean
  /** Ms since 1970. */
  sentAt: number
  /** How far one of ours came; of theirs 1. */
  ack: 0 | 1 | 2 | 3 | 4 | 5
  content: MessageContent
  /** Its file can be fetched. */
  hasFile: boolean
}

/** Somebody in the phone's contact book. */
export interface PastPerson {
  /** Digits. */
  number: string
  name: string
  /** Ms since 1970. */
  at: number
}

/** What is filed together. */
export interface PastPiece {
  messages: PastMessage[]
  people: PastPerson[]
}

/** What of the past stands in one chat. */
export interface PastChat {
  contact: { id: number; isGroup: boolean }
  /** The ticket of before; undefined where the contact has none, or only one that began with a message we heard ourselves. */
  ticket: Ticket | undefined
  newTicketId: number
  queueId: number | null
  messages: (PastMessage & { id: string })[]
  /** Stored messages whose files were not told of until now. */
  completed: (PastMessage & { id: string })[]
}

/**
 * Files what was written before: in a ticket that is closed, so that nobody waits, nothing counts as unread and nothing
 * answers. In any order, and again.
 */
export function filePast(
  { companyId, whatsappId, now }: { companyId: number; whatsappId: number; now: Date },
  chats: readonly PastChat[],
): Decision {
  return together(...chats.map((chat) => inChat({ companyId, whatsappId, now }, chat)))
}

interface Where {
  companyId: number
  whatsappId: number
  now: Date
}

function inChat({ companyId, whatsappId, now }: Where, chat: PastChat): Decision {
  const { contact, messages, completed, queueId } = chat
  const fetching = (some: readonly { id: string; hasFile: boolean }[]): Effect[] =>
    some.flatMap(({ id, hasFile }) => (hasFile ? [{ kind: 'media.fetch', messageId: id, whatsappId }] : []))
  const files: Decision = {
    rows: completed.map((past) => ({
      ...{ table: 'messages' as const, op: 'update' as const, ids: [past.id] },
      values: { ...contentOf(past), updatedAt: now },
    })),
    effects: fetching(completed),
  }
  if (messages.length === 0) return files
  const inOrder = messages.toSorted((a, b) => a.sentAt - b.sentAt)
  const [first, last] = [inOrder[0]!, inOrder.at(-1)!]
  const begun = chat.ticket
    ? { decision: { rows: [], effects: [] }, ticket: chat.ticket }
    : beginTicket(
        {
          ...{ id: chat.newTicketId, companyId, contactId: contact.id, isGroup: contact.isGroup, whatsappId },
          ...{ queueId, userId: null, status: 'closed' },
        },
        { id: first.wid, eventId: `${whatsappId}:past:${first.wid}`, userId: null, now: new Date(first.sentAt) },
      )
  const { ticket } = begun
  const at = new Date(last.sentAt)
  const isLast = !chat.ticket || !ticket.lastMessageAt || ticket.lastMessageAt <= at
  const touch = isLast ? { ...lastWord(previewOf(last.content), last.fromMe, at), updatedAt: at } : {}
  return together(
    begun.decision,
    {
      rows: [
        ...inOrder.map((past) => ({
          table: 'messages' as const,
          op: 'insert' as const,
          values: rowOf({ companyId, whatsappId, now }, ticket.id, contact.id, past),
        })),
        ...(isLast ? [{ table: 'tickets' as const, op: 'update' as const, ids: [ticket.id], values: touch }] : []),
      ],
      texts: inOrder.flatMap(({ id, content }) => {
        const { whole } = storedForm(content)
        return whole === null ? [] : [{ messageId: id, text: whole }]
      }),
      effects: fetching(inOrder),
    },
    files,
  )
}

/** What a message holds, as its row has it. */
function contentOf({ content, hasFile }: PastMessage) {
  const { body, isCut, mediaType } = storedForm(content)
  const media = 'media' in content ? content.media : null
  return {
    ...{ body, isCut, mediaType },
    mediaState: media && hasFile ? ('pending' as const) : media ? ('failed' as const) : ('none' as const),
    mediaName: fileNameOf(media?.fileName) || null,
    mediaMime: media ? legible(clip(media.mimetype, 127)) : null,
    isVoice: content.type === 'audio' && content.voice,
  }
}

const rowOf = (
  { companyId, whatsappId, now }: Where,
  ticketId: number,
  contactId: number,
  past: PastMessage & { id: string },
) =>
  ({
    ...{ id: past.id, companyId, ticketId, contactId, whatsappId, wid: past.wid, fromMe: past.fromMe },
    ...contentOf(past),
    ...{ read: true, ack: past.ack, createdAt: new Date(past.sentAt), updatedAt: now },
  }) satisfies NewMessage
