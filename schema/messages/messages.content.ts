import type { Bsuid } from '../contacts/contacts.aliases.ts'
import { clip, fileNameOf, legible, nameOf } from '../texts.ts'
import type { TemplateAbout } from '../templates/templates.parts.ts'
import type { Card } from './messages.cards.ts'
import type { Offer } from './messages.offer.ts'
import { bodyOf, wholeOf } from './messages.text.ts'

/**
 * What a message says, once it is past the door. `server/whatsapp` turns Baileys' protobufs into this union
 * (`from-baileys`) and this union into what Baileys sends (`to-baileys`); nothing else knows the protocol.
 */

/** The `mediaType` values on the wire: the first half of the MIME type, or a kind of its own. */
export const mediaTypes = [
  'chat',
  'image',
  'audio',
  'video',
  'application',
  'sticker',
  'locationMessage',
  'contactMessage',
  'vcard',
  'reactionMessage',
  'call_log',
  'ad',
  'pix',
  'order',
  'product',
  'poll',
  'event',
  'group_invite',
  'view_once',
  'phone_only',
] as const
export type MediaType = (typeof mediaTypes)[number]

/** What somebody sent that is no text of theirs and no file: its words, if it has any, are those of the thing itself. */
export type NoticeKind = Extract<
  MediaType,
  'ad' | 'pix' | 'order' | 'product' | 'poll' | 'event' | 'group_invite' | 'view_once' | 'phone_only'
>

/** What stands before a kind in the line of a list. */
export const noticeIcons: Record<NoticeKind, string> = {
  ad: '📣',
  pix: '💠',
  order: '🛒',
  product: '🛍️',
  poll: '📊',
  event: '📅',
  group_invite: '👥',
  view_once: '👁️',
  phone_only: '📱',
}

export const isNotice = (mediaType: string): mediaType is NoticeKind => Object.hasOwn(noticeIcons, mediaType)

/** What a message is said to, or where who wrote it came from: it travels with the message and is no words of theirs. */
export type MessageAbout =
  | { is: 'ad'; title: string; text: string; url: string | null }
  /** A status of ours that they answer. */
  | { is: 'status'; text: string }
  /** A message that is no row of ours, such as one from before the connection. */
  | { is: 'quote'; text: string }
  /** Said by a template: its name, and what it was filled with. */
  | TemplateAbout
  | { is: 'pix'; merchant: string; keyType: string; key: string }

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

/** A place on the map, in degrees. */
export interface Place {
  latitude: number
  longitude: number
  /** What it is called; may be empty. */
  name: string
}

export type MessageContent =
  | { type: 'text'; text: string }
  | { type: 'image' | 'video' | 'document' | 'sticker'; media: OfferedMedia; caption: string }
  | { type: 'audio'; media: OfferedMedia; voice: boolean; seconds: number | null; waveform?: string | null }
  | { type: 'location'; latitude: number; longitude: number; name: string; thumbnail: string | null }
  | { type: 'contacts'; cards: ContactCard[] }
  /** Shown as a line that says what arrived; keeps the conversation honest about what we cannot display. */
  | { type: 'notice'; kind: NoticeKind; text: string }

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
  /** As in `Effect`: an agent's leaves before whatever else waits for the connection. */
  by?: 'agent' | 'many' | undefined
}

export type OutgoingContent =
  /** `asksNumber`: with a button by which the contact tells their number, over a wire that has one. */
  /** `offer`: the menu that the text is, for wires whose contacts press what they choose. */
  | { type: 'text'; text: string; asksNumber?: boolean; offer?: Offer }
  /** `text`: what its reader will see, for wires that do not take templates. */
  /** `file`: the header of the template, where that is one. */
  | {
      type: 'template'
      template: TemplateAbout
      text: string
      file?: { mediaPath: string; mimetype: string; fileName: string }
    }
  | { type: 'location'; place: Place }
  | { type: 'contacts'; cards: Card[] }
  | {
      type: 'image' | 'video' | 'document' | 'audio'
      /** Path in our media store, relative to its root. */
      mediaPath: string
      mimetype: string
      fileName: string
      caption: string
      /** Of a picture: a very small JPEG in base64, and the width and height of the picture itself, in pixels. */
      preview?: { jpeg: string; width: number; height: number } | null
      /** Of a sound. */
      seconds?: number | null
    }
  | {
      type: 'voice'
      /** One channel of Opus in Ogg: phones play nothing else as a voice note. */
      ogg: Uint8Array
      seconds: number
      /** 64 values from 0 to 100, or undefined where nobody has listened to it. */
      waveform: Uint8Array | undefined
    }

/**
 * Where a chat lives on WhatsApp. A person has up to three addresses, of which each wire knows its own; a group has one.
 */
export type ChatAddress =
  | {
      kind: 'person' /** digits of the phone number */
      number: string | null /** digits of the LID */
      lid: string | null /** who they are in the official API, in the portfolio of the connection */
      bsuid?: Bsuid | null | undefined
    }
  | { kind: 'group' /** the part before @g.us */; groupId: string }

/** The columns `body`, `isCut` and `mediaType` of a message, and what of its text the body cannot hold. */
export interface StoredForm {
  body: string
  isCut: boolean
  mediaType: MediaType
  /** The whole text, for `message_texts`; null when `body` is all. */
  whole: string | null
}

/** The stored form of a content, never longer than the bounds of `messages.text.ts` and of this file. */
export function storedForm(content: MessageContent): StoredForm {
  const said = (text: string, mediaType: MediaType): StoredForm => {
    const words = legible(text)
    return { ...bodyOf(words), mediaType, whole: wholeOf(words) }
  }
  switch (content.type) {
    case 'text':
      return said(content.text, 'chat')
    case 'image':
    case 'video':
      return said(content.caption || nameOfFile(content.media), content.type)
    case 'sticker':
      return said('', 'sticker')
    case 'document':
      return said(content.caption || nameOfFile(content.media), 'application')
    case 'audio':
      return said(nameOfFile(content.media), 'audio')
    case 'location':
      return {
        body: [
          content.thumbnail && content.thumbnail.length <= THUMBNAIL_LENGTH
            ? `data:image/jpeg;base64,${content.thumbnail}`
            : '',
          `https://maps.google.com/maps?q=${content.latitude}%2C${content.longitude}&z=17`,
          nameOf(content.name, PLACE_LENGTH) || `${content.latitude}, ${content.longitude}`,
        ].join('|'),
        isCut: false,
        mediaType: 'locationMessage',
        whole: null,
      }
    case 'contacts':
      return {
        body: boundedCards(content.cards),
        isCut: false,
        mediaType: content.cards.length > 1 ? 'vcard' : 'contactMessage',
        whole: null,
      }
    case 'notice':
      return said(content.text, content.kind)
  }
}

const nameOfFile = ({ fileName }: OfferedMedia): string => fileNameOf(fileName)

/** The place that a stored `locationMessage` shows; undefined where the body is none. */
export function placeOf(body: string): Place | undefined {
  const [, address = '', ...name] = body.split('|')
  const [, latitude, longitude] = /[?&]q=(-?[0-9.]{1,20})%2C(-?[0-9.]{1,20})&/.exec(address) ?? []
  if (latitude === undefined || longitude === undefined) return undefined
  return { latitude: Number(latitude), longitude: Number(longitude), name: name.join('|') }
}

/** Base64 of the little map; WhatsApp's are a tenth of it. */
const THUMBNAIL_LENGTH = 40_000
/** A place's name or address. */
const PLACE_LENGTH = 255
/** All cards of a message together: some two hundred that phones make. */
const CARDS_LENGTH = 32_768
/** A card that is longer loses its pictures and long lines. */
const CARD_LENGTH = 2_000
const CARD_LINE_LENGTH = 250
/** How far a long card is read: behind its picture there may be more. */
const CARD_READ = 1_000_000
/** What of a long card is kept. */
const cardLine = /^(?:item\d{1,3}\.)?(?:FN|N|ORG|TEL|EMAIL)[;:]/i

/** The cards, one behind the other, as many as there is room for; always whole ones. */
function boundedCards(cards: readonly ContactCard[]): string {
  const kept: string[] = []
  let room = CARDS_LENGTH
  for (const { vcard } of cards) {
    const card = shortCard(vcard)
    room -= card.length + 1
    if (room < 0) break
    kept.push(card)
  }
  return kept.join('\n')
}

/** A card; a long one without what makes it long: pictures, notes, hundreds of lines. Only its beginning is read. */
export function shortCard(vcard: string): string {
  if (vcard.length <= CARD_LENGTH) return legible(vcard)
  const lines: string[] = []
  let room = CARD_LENGTH
  const end = Math.min(vcard.length, CARD_READ)
  for (let at = 0, next: number; at < end && room > 0; at = next + 1) {
    next = vcard.indexOf('\n', at)
    if (next < 0) next = end
    if (next - at > CARD_LINE_LENGTH) continue
    const line = legible(vcard.slice(at, next).trimEnd())
    if (!cardLine.test(line)) continue
    room -= line.length + 1
    if (room >= 0) lines.push(line)
  }
  return ['BEGIN:VCARD', 'VERSION:3.0', ...lines, 'END:VCARD'].join('\n')
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
          ? content.cards
              .slice(0, 20)
              .map((card) => nameOf(card.displayName))
              .join(', ')
          : content.type === 'notice'
            ? content.text
            : content.type === 'audio'
              ? content.seconds
                ? minutesOf(content.seconds)
                : ''
              : content.type === 'sticker'
                ? ''
                : // The name of a picture says nothing; that of a document does.
                  content.caption || (content.type === 'document' && content.media.fileName) || ''
  const mark = content.type === 'notice' ? noticeIcons[content.kind] : icon[content.type]
  return legible(clip([mark, clip(text, 1_000)].filter(Boolean).join(' '), 255))
}

/** A length as people read it: `0:22`. */
const minutesOf = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.round(seconds) % 60).padStart(2, '0')}`

/** `mediaType` of a file: the first half of its MIME type where that is a kind of its own. */
export function mediaTypeOf(mimetype: string): MediaType {
  const kind = mimetype.split('/')[0]
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'application'
}
