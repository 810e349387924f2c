import type { Decision } from '../command.ts'
import { nothing } from '../command.ts'
import { widOf } from '../ids.ts'
import type { Language } from '../languages.ts'
import { noteOn } from '../notes/notes.row.ts'
import type { Ticket } from '../tickets/tickets.table.ts'
import type { Card } from './messages.cards.ts'
import type { Place } from './messages.content.ts'
import type { TemplateAbout } from '../templates/templates.parts.ts'
import { lastWord, ownPreview } from './messages.line.ts'
import type { Offer } from './messages.offer.ts'
import { type OwnFile, ownMessage } from './messages.own.ts'
import { TEXT_LENGTH, textsOf } from './messages.text.ts'

/** A message that the product writes to a contact. */
export interface Saying {
  /** Follows from the cause, so that saying it again for the same cause can be recognised. */
  id: string
  /** It is stored already: nothing is said. */
  isSaid: boolean
  body: string
  /** The colleague in whose name it is said. */
  authorId?: number | null
  file?: OwnFile | null
  /** In place of a text. */
  place?: Place | null
  cards?: readonly Card[] | null
  /** By which template it is said; `body` is what its reader sees. */
  about?: TemplateAbout | null
  /** A message of the same contact that it answers. */
  quotedMsgId?: string | null
  at: Date
  /** Typing is shown for so long before it. */
  typingMs?: number
  /** The menu that the body is. */
  offer?: Offer | undefined
  /** The run of a flow that waits until it has left, and its number there. */
  flow?: { runId: string; n: number } | undefined
  /** It is one of many, which wait for whatever else the connection has to say. */
  toMany?: boolean
}

/** Stores a message of the product's own in a ticket and has it sent. What is unread stays so: nobody has read it. */
export function say(
  ticket: Pick<Ticket, 'id' | 'companyId' | 'contactId' | 'whatsappId' | 'queueId' | 'userId'>,
  {
    id,
    isSaid,
    body,
    authorId = null,
    file,
    place,
    cards,
    about = null,
    quotedMsgId = null,
    at,
    typingMs = 0,
    offer,
    flow,
    toMany,
  }: Saying,
): Decision {
  const { whatsappId, contactId } = ticket
  if (whatsappId === null || isSaid) return nothing
  const message = {
    ...ownMessage({ id, ticketId: ticket.id, body, ...(file ? { file } : {}), place, cards }, authorId),
    companyId: ticket.companyId,
    contactId,
    whatsappId,
    wid: widOf(id),
    quotedMsgId,
    about,
    queueScope: ticket.queueId,
    userScope: ticket.userId,
    createdAt: at,
    updatedAt: at,
  }
  return {
    rows: [
      { table: 'messages', op: 'insert', values: message },
      {
        table: 'tickets',
        op: 'update',
        ids: [ticket.id],
        values: lastWord(ownPreview(message), true, at),
      },
    ],
    texts: textsOf(id, body),
    effects: [
      {
        ...{ kind: 'whatsapp.send', messageId: id, whatsappId, chat: contactId },
        ...(typingMs > 0 ? { typingMs } : {}),
        ...(flow ? { flow } : {}),
        ...(offer ? { offer } : {}),
        ...(toMany ? { by: 'many' } : {}),
      },
    ],
  }
}

const unsaid: Record<Language, string> = {
  pt: 'Um texto da conexão não foi enviado ao contato: com as variáveis preenchidas, é mais longo do que uma mensagem pode ser.',
  en: 'A text of the connection was not sent to the contact: with its variables filled in, it is longer than a message may be.',
  es: 'Un texto de la conexión no se envió al contacto: con las variables completadas, es más largo de lo que puede ser un mensaje.',
}

/**
 * Says a text that was filled in. Of one that no message holds nobody gets the beginning: a note in the ticket tells
 * that it was not said.
 * @param body null: longer than a message may be
 */
export function sayWhole(
  ticket: Ticket,
  { body, ...saying }: Omit<Saying, 'body'> & { body: string | null },
  language: Language,
): Decision {
  if (body !== null && body.length <= TEXT_LENGTH) return say(ticket, { ...saying, body })
  if (ticket.whatsappId === null || saying.isSaid) return nothing
  return { rows: [noteOn(ticket, { id: saying.id, note: unsaid[language], now: saying.at })], effects: [] }
}
