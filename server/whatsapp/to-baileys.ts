import { Readable } from 'node:stream'
import { contactCardOf } from '../../schema/messages/messages.cards.ts'
import type { OutgoingContent } from '../../schema/messages/messages.content.ts'
import { clip } from '../../schema/texts.ts'
import type { AnyMessageContent } from './baileys.ts'

/**
 * What Baileys sees and does not look for itself: it would read the whole file in our own process, without limits (a
 * picture with sharp, a sound with music-metadata, a film with ffmpeg).
 */
const unseen = null as unknown as undefined

/** Of all people of a message of cards. */
const NAMES_LENGTH = 100

/** At once Baileys would encrypt the whole of it in one go. */
const PIECE_BYTES = 65_536

/** What Baileys sends for a content of ours. Pure. @param file where a content of our media store lies on disk */
export function toBaileys(content: OutgoingContent, file = ''): AnyMessageContent {
  // A template is refused before it comes here; its words are what it says.
  if (content.type === 'text' || content.type === 'template') return { text: content.text }
  if (content.type === 'location') {
    const { latitude, longitude, name } = content.place
    return { location: { degreesLatitude: latitude, degreesLongitude: longitude, name } }
  }
  if (content.type === 'contacts') {
    const cards = content.cards.map(contactCardOf)
    const displayName = clip(cards.map((card) => card.displayName).join(', '), NAMES_LENGTH)
    return { contacts: { displayName, contacts: cards } }
  }
  if (content.type === 'voice') {
    const { ogg, seconds, waveform } = content
    return {
      audio: { stream: Readable.from(piecesOf(ogg)) },
      mimetype: 'audio/ogg; codecs=opus',
      ptt: true,
      seconds,
      // Not in Baileys' types, yet passed on by it.
      ...{ waveform: waveform ?? unseen },
    }
  }
  const from = { url: file }
  const caption = content.caption || undefined
  switch (content.type) {
    case 'image':
      return {
        image: from,
        mimetype: content.mimetype,
        caption,
        jpegThumbnail: content.preview?.jpeg ?? unseen,
        ...(content.preview && { width: content.preview.width, height: content.preview.height }),
      }
    case 'video':
      return { video: from, mimetype: content.mimetype, caption, jpegThumbnail: unseen }
    case 'audio':
      return { audio: from, mimetype: content.mimetype, ptt: false, seconds: content.seconds ?? unseen }
    case 'document':
      return { document: from, mimetype: content.mimetype, fileName: content.fileName, caption }
  }
}

function* piecesOf(bytes: Uint8Array): Generator<Buffer> {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at < whole.length; at += PIECE_BYTES) yield whole.subarray(at, at + PIECE_BYTES)
}
