/**
 * What a message says, once it is past the door. `server/whatsapp` turns Baileys' protobufs into this union
 * (`from-baileys`) and this union into what Baileys sends (`to-baileys`); nothing else knows the protocol.
 */

/** The `mediaType` values on the wire: the first half of the MIME type, or a kind of its own. */
export type MediaType =
  | 'chat'
  | 'image'
  | 'audio'
  | 'video'
  | 'application'
  | 'sticker'
  | 'locationMessage'
  | 'contactMessage'
  | 'vcard'
  | 'reactionMessage'
  | 'call_log'

/** A file that the other side offers. It is fetched to our own store by a job; `source` stays with `server/whatsapp`. */
export interface OfferedMedia {
  mimetype: string
  /** The sender's file name, for documents; a name is made from the kind and the time otherwise. */
  fileName: string | null
  /** Bytes, as announced by the sender; null when not announced. */
  size: number | null
}

export interface ContactCard {
  displayName: string
  vcard: string
}

export type MessageContent =
  | { type: 'text'; text: string }
  | { type: 'image' | 'video' | 'document' | 'sticker'; media: OfferedMedia; caption: string }
  | { type: 'audio'; media: OfferedMedia; voice: boolean; seconds: number | null }
  | { type: 'location'; latitude: number; longitude: number; name: string; thumbnail: string | null }
  | { type: 'contacts'; cards: ContactCard[] }
  /** Shown as a line that says what arrived; keeps the conversation honest about what we cannot display. */
  | { type: 'unsupported'; what: string }

/** A message of ours on its way to the phone: everything `to-baileys` needs, and nothing it must look up. */
export interface OutgoingMessage {
  messageId: string
  companyId: number
  whatsappId: number
  /** The WhatsApp message id, chosen by us before the first attempt so that a retry is the same message. */
  wid: string
  to: ChatAddress
  content: OutgoingContent
  quoted: { wid: string; fromMe: boolean; participant: string | null; body: string } | null
}

export type OutgoingContent =
  | { type: 'text'; text: string }
  | {
      type: 'image' | 'video' | 'document' | 'audio'
      /** Path in our media store, relative to its root. */
      mediaPath: string
      mimetype: string
      fileName: string
      caption: string
    }
  | {
      type: 'voice'
      /** One channel of Opus in Ogg: phones play nothing else as a voice note. */
      ogg: Uint8Array
      seconds: number
      /** 64 values from 0 to 100, or undefined where nobody has listened to it. */
      waveform: Uint8Array | undefined
    }

/** Where a chat lives on WhatsApp. A person has up to two addresses; a group has one. */
export type ChatAddress =
  | {
      kind: 'person' /** digits of the phone number */
      number: string | null /** digits of the LID */
      lid: string | null
    }
  | { kind: 'group' /** the part before @g.us */; groupId: string }

/** The stored form of a content: the columns `body` and `mediaType` of a message. */
export function storedForm(content: MessageContent): { body: string; mediaType: MediaType } {
  switch (content.type) {
    case 'text':
      return { body: content.text, mediaType: 'chat' }
    case 'image':
    case 'video':
      return { body: content.caption || content.media.fileName || '', mediaType: content.type }
    case 'sticker':
      return { body: '', mediaType: 'sticker' }
    case 'document':
      return { body: content.caption || content.media.fileName || '', mediaType: 'application' }
    case 'audio':
      return { body: content.media.fileName ?? '', mediaType: 'audio' }
    case 'location':
      return {
        body: [
          content.thumbnail ? `data:image/jpeg;base64,${content.thumbnail}` : '',
          `https://maps.google.com/maps?q=${content.latitude}%2C${content.longitude}&z=17`,
          content.name || `${content.latitude}, ${content.longitude}`,
        ].join('|'),
        mediaType: 'locationMessage',
      }
    case 'contacts':
      return {
        body: content.cards.map((card) => card.vcard).join('\n'),
        mediaType: content.cards.length > 1 ? 'vcard' : 'contactMessage',
      }
    case 'unsupported':
      return { body: content.what, mediaType: 'chat' }
  }
}

/** The line a ticket shows as its last message, without markup. At most 255 characters. */
export function previewOf(content: MessageContent): string {
  const icon: Partial<Record<MessageContent['type'], string>> = {
    image: '📷',
    video: '🎬',
    document: '📄',
    audio: '🎤',
    sticker: '🩷',
    location: '📍',
    contacts: '👤',
  }
  const text =
    content.type === 'text'
      ? content.text
      : content.type === 'location'
        ? content.name
        : content.type === 'contacts'
          ? content.cards.map((card) => card.displayName).join(', ')
          : content.type === 'unsupported'
            ? content.what
            : content.type === 'audio'
              ? ''
              : content.type === 'sticker'
                ? ''
                : content.caption || content.media.fileName || ''
  return [icon[content.type], text].filter(Boolean).join(' ').slice(0, 255)
}

/** The line in place of a message that was taken back: no words, because each reader has a language. Nobody types it. */
export const DELETED_LINE = '🚫\u2063'

/** `mediaType` of a file: the first half of its MIME type where that is a kind of its own. */
export function mediaTypeOf(mimetype: string): MediaType {
  const kind = mimetype.split('/')[0]
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'application'
}
