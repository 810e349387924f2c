/** What a message of the official API says. Pure; every length is bounded, because strangers choose it. */
import { escapedLine } from '../../schema/messages/messages.cards.ts'
import type { ContactCard, MessageContent, NoticeKind, OfferedMedia } from '../../schema/messages/messages.content.ts'
import { TEXT_LENGTH } from '../../schema/messages/messages.text.ts'
import { clip } from '../../schema/texts.ts'
import { isRecord } from '../outside/outside.call.ts'

export interface CloudContent {
  content: MessageContent
  mediaId?: string
  /** What choosing says that was pressed in a menu of ours. */
  pressed?: string
}

type Given = Record<string, unknown>

const MIME_LENGTH = 127
const MOST_CARDS = 300
const MOST_FIELDS = 20
const MOST_ITEMS = 100

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
export const words = (text: string): string => clip(text, TEXT_LENGTH)

/** Whoever writes chooses the ids: one that no row can hold would fail each time that it comes again. */
export const idOf = (id: unknown): string | undefined =>
  typeof id === 'string' && /^[\x21-\x7e]{1,200}$/.test(id) ? id : undefined

export const digitsOf = (number: unknown): string | undefined =>
  typeof number === 'string' && /^\+?\d{5,20}$/.test(number) ? number.replace('+', '') : undefined

const recordOf = (value: unknown): Given => (isRecord(value) ? value : {})
const listOf = (value: unknown): Given[] => (Array.isArray(value) ? (value as unknown[]).filter(isRecord) : [])

const notice = (kind: NoticeKind, ...said: unknown[]): CloudContent => ({
  content: {
    type: 'notice',
    kind,
    text: words(
      said
        .map((line) => words(textOf(line)).trim())
        .filter(Boolean)
        .join('\n'),
    ),
  },
})
const text = (...said: unknown[]): CloudContent => {
  const { content } = notice('phone_only', ...said)
  const body = content.type === 'notice' ? content.text : ''
  return body === '' ? notice('phone_only') : { content: { type: 'text', text: body } }
}

/** What every kind of message says to an agent; `ignored` for those that say nothing. */
export function contentOf(type: string, given: Given): CloudContent | { ignored: string } {
  const part = recordOf(given[type])
  switch (type) {
    case 'text':
      return { content: { type: 'text', text: words(textOf(part['body'])) } }
    case 'image':
    case 'video':
    case 'document':
    case 'sticker':
    case 'audio':
      return fileOf(type, part)
    case 'location':
      return placeOf(part)
    case 'contacts':
      return { content: { type: 'contacts', cards: listOf(given['contacts']).slice(0, MOST_CARDS).map(cardOf) } }
    case 'interactive':
      return interactiveOf(part)
    case 'button':
      return text(textOf(part['text']) || part['payload'])
    case 'order':
      return orderOf(part)
    case 'system':
      return notice('phone_only', part['body'])
    case 'request_welcome':
    case 'ephemeral':
      return { ignored: type }
    default:
      // Also `unsupported`: whatever it is, something came, and the contact's phone shows it.
      return notice('phone_only', part['text'], part['body'], part['caption'])
  }
}

function fileOf(type: 'image' | 'video' | 'document' | 'sticker' | 'audio', part: Given): CloudContent {
  const mediaId = idOf(part['id'])
  const caption = words(textOf(part['caption']))
  // It could not be fetched by the service itself (131052).
  if (mediaId === undefined) return notice('phone_only', caption)
  const media: OfferedMedia = {
    mimetype: clip(textOf(part['mime_type']).split(';')[0]!.trim(), MIME_LENGTH) || usual[type],
    fileName: textOf(part['filename']) || null,
    size: null,
  }
  if (type === 'audio') return { content: { type, media, voice: part['voice'] === true, seconds: null }, mediaId }
  return { content: { type, media, caption: type === 'sticker' ? '' : caption }, mediaId }
}
const usual = {
  image: 'image/jpeg',
  video: 'video/mp4',
  audio: 'audio/ogg',
  document: 'application/octet-stream',
  sticker: 'image/webp',
}

function placeOf(part: Given): CloudContent {
  const degrees = (value: unknown, most: number) => {
    const number = typeof value === 'number' ? value : Number(textOf(value))
    return Number.isFinite(number) && Math.abs(number) <= most ? number : 0
  }
  const name = words(textOf(part['name']) || textOf(part['address']))
  const [latitude, longitude] = [degrees(part['latitude'], 90), degrees(part['longitude'], 180)]
  return { content: { type: 'location', latitude, longitude, name, thumbnail: null } }
}

function interactiveOf(part: Given): CloudContent {
  const { type } = part
  if (type === 'button_reply') {
    const { id, title } = recordOf(part['button_reply'])
    return { ...text(title), ...pressedIn(id) }
  }
  if (type === 'list_reply') {
    const { id, title, description } = recordOf(part['list_reply'])
    const pressed = pressedIn(id)
    // Below a title that was too long stands the whole of it.
    return pressed && textOf(description) !== ''
      ? { ...text(description), ...pressed }
      : { ...text(title, description), ...pressed }
  }
  if (type === 'nfm_reply') return formOf(recordOf(part['nfm_reply']))
  return notice('phone_only')
}

/** In the id of a choice stands what it says; another program over the same number has ids of its own. */
const PRESSED = '='
export const pressedId = (answer: string): string => `${PRESSED}${answer}`
function pressedIn(id: unknown): { pressed: string } | undefined {
  const said = words(textOf(id))
  return said.startsWith(PRESSED) && said.length > 1 ? { pressed: said.slice(1) } : undefined
}

/** What somebody filled in, a line for each field. */
function formOf(reply: Given): CloudContent {
  let filled: unknown
  try {
    filled = JSON.parse(words(textOf(reply['response_json'])))
  } catch {
    filled = undefined
  }
  const lines = Object.entries(recordOf(filled))
    .filter(([name, value]) => name !== 'flow_token' && ['string', 'number', 'boolean'].includes(typeof value))
    .slice(0, MOST_FIELDS)
    .map(([name, value]) => `${name}: ${String(value)}`)
  return text(...(lines.length > 0 ? lines : [reply['body']]))
}

function orderOf(part: Given): CloudContent {
  const items = listOf(part['product_items'])
    .slice(0, MOST_ITEMS)
    .map((item) => {
      const amount = typeof item['item_price'] === 'number' ? `${item['item_price']} ${textOf(item['currency'])}` : ''
      return `${Number(item['quantity']) || 1} × ${textOf(item['product_retailer_id'])} ${amount}`.trim()
    })
  return notice('order', part['text'], ...items)
}

/** A card as phones write it, of what the service took apart. */
function cardOf(contact: Given): ContactCard {
  const name = recordOf(contact['name'])
  const displayName = line(textOf(name['formatted_name']) || textOf(name['first_name']))
  const phones = listOf(contact['phones']).slice(0, MOST_FIELDS)
  const mails = listOf(contact['emails']).slice(0, MOST_FIELDS)
  const company = line(textOf(recordOf(contact['org'])['company']))
  const vcard = [
    ...['BEGIN:VCARD', 'VERSION:3.0', `N:;${escapedLine(displayName)};;;`, `FN:${escapedLine(displayName)}`],
    ...(company ? [`ORG:${escapedLine(company)};`] : []),
    ...phones.map((phone) => {
      const waid = digitsOf(phone['wa_id'])
      return `TEL;type=CELL${waid ? `;waid=${waid}` : ''}:${line(textOf(phone['phone']))}`
    }),
    ...mails.map((mail) => `EMAIL:${line(textOf(mail['email']))}`),
    'END:VCARD',
  ].join('\n')
  return { displayName, vcard }
}

const line = (value: string) => clip(value, 250).replaceAll(/[\r\n]+/g, ' ')
