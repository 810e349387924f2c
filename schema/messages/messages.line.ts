import { clip } from '../texts.ts'
import type { Ticket } from '../tickets/tickets.table.ts'
import { cardsOf } from './messages.cards.ts'
import { type MediaType, noticeIcons, placeOf } from './messages.content.ts'
import type { Message } from './messages.table.ts'

/** What a list says of a ticket's last message. */
export type LastLine = Pick<Ticket, 'lastMessage' | 'lastMessageDeleted'>

/** The columns of a ticket that show its last message. Nothing else sets them. */
export type LastWord = LastLine & Pick<Ticket, 'lastMessageAt' | 'lastMessageFromMe'>

/** What a ticket shows of a message that now stands last in it. */
export const lastWord = (line: string, fromMe: boolean, at: Date): LastWord => ({
  lastMessage: line,
  lastMessageDeleted: false,
  lastMessageAt: at,
  lastMessageFromMe: fromMe,
})

/** The line the ticket list shows for its last message, as that reads after it was edited or deleted. */
export const lineOf = (message: Previewed & Pick<Message, 'isDeleted'>): LastLine =>
  message.isDeleted
    ? { lastMessage: '🚫', lastMessageDeleted: true }
    : { lastMessage: ownPreview(message), lastMessageDeleted: false }

type Previewed = Pick<Message, 'mediaType' | 'body' | 'isVoice'> & { mediaName?: string | null }

/** What stands before the words; null where nothing does. */
const icons: Record<MediaType, string | null> = {
  ...noticeIcons,
  ...{ chat: null, image: '📷', video: '🎬', audio: '🎤', application: '📄' },
  ...{ sticker: null, locationMessage: '📍', contactMessage: '👤', vcard: '👤', reactionMessage: null, call_log: null },
}

/** The line the ticket list shows for a message of ours. */
export function ownPreview({ mediaType, body, isVoice, mediaName }: Previewed): string {
  if (mediaType === 'locationMessage') return lineWith(icons.locationMessage, placeOf(body)?.name ?? '')
  if (mediaType === 'contactMessage' || mediaType === 'vcard')
    return lineWith(
      icons[mediaType],
      cardsOf(body)
        .map(({ name }) => name)
        .join(', '),
    )
  // The name of a picture or a recording says nothing; that of a document does.
  const isNamed = mediaType !== 'application' && mediaName != null && body === mediaName
  return lineWith(icons[mediaType], isVoice || isNamed ? '' : body)
}

const lineWith = (icon: string | null, words: string): string => clip([icon, words].filter(Boolean).join(' '), 255)
