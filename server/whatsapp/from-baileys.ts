/**
 * What arrived, in the product's words. Pure: the same message and facts give the same event, so captured payloads
 * can be replayed. What is not for the product is a result too, with its reason, and is counted.
 */
import { type ChatAddress, type MessageContent, shortCard } from '../../schema/messages/messages.content.ts'
import type { InboundEvent } from '../../schema/messages/messages.inbound.ts'
import { waveformText } from '../../schema/messages/messages.waveform.ts'
import { TEXT_LENGTH } from '../../schema/messages/messages.text.ts'
import { clip, fileNameOf, nameOf } from '../../schema/texts.ts'
import { personOf, type Person } from './addresses.ts'
import {
  type BinaryNode,
  getBinaryNodeChildren,
  getStatusFromReceiptType,
  isJidBroadcast,
  isJidGroup,
  isJidNewsletter,
  isJidStatusBroadcast,
  normalizeMessageContent,
  proto,
  type WAMessage,
} from './baileys.ts'

export type Ignored =
  | 'status_broadcast'
  | 'newsletter'
  | 'group'
  | 'protocol'
  | 'key_distribution'
  | 'stub'
  | 'undecryptable'
  | 'empty'
  | 'encrypted_addon'
  | 'album'
  | 'no_sender'
  | 'no_id'

export interface MessageFacts {
  companyId: number
  whatsappId: number
  /** Redelivered after an absence. */
  offline: boolean
  /** Whether the company takes group traffic. */
  groups: boolean
  /** The other name of the sender (or, for our own, of the recipient), when our store knows it and the message does not. */
  known: Person | null
  /** The group's subject, when known. */
  subject: string | null
}

export type Converted = { event: InboundEvent } | { ignored: Ignored }

const ignored = (reason: Ignored): Converted => ({ ignored: reason })

/** Bounds of what else strangers choose; those of names and texts are in the schema. */
const REACTION_LENGTH = 64
const MIME_LENGTH = 127
const THUMBNAIL_BYTES = 30_000
/** WhatsApp's phones send no more than 257 at once, and polls have twelve. */
const MOST_CARDS = 300
const MOST_OPTIONS = 50

/** Whoever writes chooses the ids: one that no row can hold would fail each time that WhatsApp brings it again. */
export const isId = (id: string | null | undefined): id is string =>
  typeof id === 'string' && /^[\x21-\x7e]{1,128}$/.test(id)

/** What a protobuf says, in the product’s words; or why it is none of its business. Pure. */
export function fromBaileys(message: WAMessage, facts: MessageFacts): Converted {
  const { key } = message
  const jid = key.remoteJid
  if (!jid) return ignored('no_sender')
  if (!isId(key.id)) return ignored('no_id')
  if (isJidStatusBroadcast(jid)) return ignored('status_broadcast')
  if (isJidNewsletter(jid)) return ignored('newsletter')
  const inGroup = isJidGroup(jid) === true
  if (inGroup && !facts.groups) return ignored('group')
  if (message.messageStubType === proto.WebMessageInfo.StubType.CIPHERTEXT) return ignored('undecryptable')
  if (message.messageStubType) return ignored('stub')

  const fromMe = key.fromMe === true
  // A broadcast list is somebody writing to us alone.
  const broadcast = isJidBroadcast(jid) === true
  const other = broadcast ? personOf(key.participant, key.participantAlt) : personOf(jid, key.remoteJidAlt)
  const sender = inGroup ? personOf(key.participant, key.participantAlt) : other
  if (facts.known) {
    sender.number ??= facts.known.number
    sender.lid ??= facts.known.lid
  }
  if (!sender.number && !sender.lid && !(inGroup && fromMe)) return ignored('no_sender')
  const chat: ChatAddress = inGroup
    ? { kind: 'group', groupId: jid.slice(0, jid.indexOf('@')) }
    : { kind: 'person', ...sender }
  const at = new Date(seconds(message.messageTimestamp) * 1000)
  const from = { companyId: facts.companyId, whatsappId: facts.whatsappId }

  const body = normalizeMessageContent(message.message)
  if (!body) return ignored('empty')

  const protocol = body.protocolMessage
  if (protocol) {
    const participant = inGroup && !fromMe ? sender : null
    const target = isId(protocol.key?.id) ? protocol.key.id : null
    switch (protocol.type) {
      case proto.Message.ProtocolMessage.Type.REVOKE:
        if (!target) return ignored('protocol')
        return { event: { ...from, kind: 'revoke', wid: target, chat, fromMe, participant, at } }
      case proto.Message.ProtocolMessage.Type.MESSAGE_EDIT: {
        const text = textOf(normalizeMessageContent(protocol.editedMessage ?? undefined))
        if (!target || text === null) return ignored('protocol')
        return { event: { ...from, kind: 'edit', wid: target, chat, fromMe, participant, body: words(text), at } }
      }
      default:
        return ignored('protocol')
    }
  }

  const reaction = body.reactionMessage
  if (reaction) {
    const target = reaction.key?.id
    if (!isId(target)) return ignored('protocol')
    const by = fromMe ? 'me' : (sender.number ?? sender.lid ?? '')
    return {
      event: {
        ...from,
        kind: 'reaction',
        wid: target,
        chat,
        emoji: clip(reaction.text ?? '', REACTION_LENGTH),
        by,
        at,
      },
    }
  }

  const content = contentOf(body)
  if ('ignored' in content) return content
  const quoted = contextOf(body)?.stanzaId
  return {
    event: {
      ...from,
      kind: 'message',
      wid: key.id,
      chat,
      participant: inGroup && !fromMe ? { ...sender, pushName: nameOf(message.pushName) || null } : null,
      fromMe,
      chatName: nameOf(inGroup ? facts.subject : fromMe ? null : (message.pushName ?? message.verifiedBizName)) || null,
      sentAt: at,
      content,
      quotedWid: isId(quoted) ? quoted : null,
      offline: facts.offline,
    },
  }
}

/** What is longer than anything that phones write is not even journalled. */
const words = (text: string | null | undefined) => clip(text ?? '', TEXT_LENGTH)

function contentOf(m: proto.IMessage): MessageContent | { ignored: Ignored } {
  const text = textOf(m, false)
  if (text !== null) return { type: 'text', text: words(text) }
  if (m.imageMessage)
    return { type: 'image', media: offered(m.imageMessage, 'image/jpeg'), caption: words(m.imageMessage.caption) }
  const video = m.videoMessage ?? m.ptvMessage
  if (video) return { type: 'video', media: offered(video, 'video/mp4'), caption: words(video.caption) }
  if (m.audioMessage) {
    return {
      type: 'audio',
      media: offered(m.audioMessage, 'audio/ogg'),
      voice: m.audioMessage.ptt === true,
      seconds: m.audioMessage.seconds ?? null,
      ...(m.audioMessage.ptt === true && { waveform: waveformText(m.audioMessage.waveform) }),
    }
  }
  if (m.documentMessage) {
    return {
      type: 'document',
      media: offered(
        m.documentMessage,
        'application/octet-stream',
        m.documentMessage.fileName ?? m.documentMessage.title,
      ),
      caption: words(m.documentMessage.caption),
    }
  }
  const sticker = m.stickerMessage ?? m.lottieStickerMessage?.message?.stickerMessage
  if (sticker) return { type: 'sticker', media: offered(sticker, 'image/webp'), caption: '' }
  const place = m.locationMessage ?? m.liveLocationMessage
  if (place) {
    return {
      type: 'location',
      latitude: place.degreesLatitude ?? 0,
      longitude: place.degreesLongitude ?? 0,
      name: words(
        ('name' in place && place.name) ||
          ('address' in place && place.address) ||
          ('caption' in place && place.caption) ||
          '',
      ),
      thumbnail:
        place.jpegThumbnail?.length && place.jpegThumbnail.length <= THUMBNAIL_BYTES
          ? Buffer.from(place.jpegThumbnail).toString('base64')
          : null,
    }
  }
  if (m.contactMessage) return { type: 'contacts', cards: [cardOf(m.contactMessage)] }
  if (m.contactsArrayMessage)
    return { type: 'contacts', cards: (m.contactsArrayMessage.contacts ?? []).slice(0, MOST_CARDS).map(cardOf) }

  const poll = m.pollCreationMessage ?? m.pollCreationMessageV2 ?? m.pollCreationMessageV3
  if (poll)
    return {
      type: 'unsupported',
      what: words(
        [poll.name, ...(poll.options ?? []).slice(0, MOST_OPTIONS).map((o) => `• ${words(o.optionName)}`)].join('\n'),
      ),
    }
  if (m.eventMessage) return { type: 'unsupported', what: words(m.eventMessage.name ?? 'event') }
  if (m.groupInviteMessage)
    return { type: 'unsupported', what: words(m.groupInviteMessage.groupName ?? 'group invite') }
  if (m.orderMessage) return { type: 'unsupported', what: words(m.orderMessage.orderTitle ?? 'order') }
  if (m.productMessage) return { type: 'unsupported', what: words(m.productMessage.product?.title ?? 'product') }

  if (m.encReactionMessage || m.encCommentMessage || m.encEventResponseMessage || m.pollUpdateMessage)
    return { ignored: 'encrypted_addon' }
  if (m.albumMessage) return { ignored: 'album' }
  if (m.pinInChatMessage || m.keepInChatMessage || m.callLogMesssage) return { ignored: 'protocol' }
  const rest = Object.keys(m).filter((name) => !silent.has(name) && m[name as keyof proto.IMessage] != null)
  if (rest.length === 0) return { ignored: m.senderKeyDistributionMessage ? 'key_distribution' : 'empty' }
  return { type: 'unsupported', what: rest[0]!.replace(/Message.*$/, '') }
}

/** A message with the beginning of its words and without all that is not needed to read them. */
export function shortened(message: proto.IMessage): proto.IMessage {
  const { senderKeyDistributionMessage, messageContextInfo, protocolMessage } = message
  const rest = {
    ...(senderKeyDistributionMessage && { senderKeyDistributionMessage }),
    ...(messageContextInfo && { messageContextInfo }),
  }
  if (protocolMessage) {
    const conversation = words(textOf(normalizeMessageContent(protocolMessage.editedMessage ?? undefined)))
    return {
      ...rest,
      protocolMessage: { ...protocolMessage, ...(conversation && { editedMessage: { conversation } }) },
    }
  }
  const body = normalizeMessageContent(message)
  const content = body ? contentOf(body) : { ignored: 'empty' as const }
  if ('ignored' in content) return rest
  if ('media' in content) return message
  if (content.type === 'contacts') return { ...rest, contactsArrayMessage: { contacts: content.cards } }
  if (content.type === 'location') return message
  return { ...rest, conversation: content.type === 'text' ? content.text : content.what }
}

const silent = new Set([
  'senderKeyDistributionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
  'messageContextInfo',
])

/** The words of a message. `captions`: also of a file, for an edit replaces those. */
function textOf(m: proto.IMessage | undefined, captions = true): string | null {
  if (!m) return null
  const said =
    m.conversation ||
    m.extendedTextMessage?.text ||
    m.buttonsResponseMessage?.selectedDisplayText ||
    m.templateButtonReplyMessage?.selectedDisplayText ||
    m.listResponseMessage?.title ||
    m.interactiveResponseMessage?.body?.text ||
    // Menus that another company's bot sends to this number.
    m.buttonsMessage?.contentText ||
    m.listMessage?.description ||
    m.templateMessage?.hydratedTemplate?.hydratedContentText ||
    m.interactiveMessage?.body?.text
  if (said) return said
  if (!captions) return null
  return m.imageMessage?.caption ?? m.videoMessage?.caption ?? m.documentMessage?.caption ?? null
}

interface Offer {
  mimetype?: string | null
  fileLength?: unknown
}

const offered = (offer: Offer, usual: string, fileName?: string | null) => ({
  mimetype: clip(offer.mimetype || usual, MIME_LENGTH),
  fileName: fileNameOf(fileName) || null,
  size: offer.fileLength == null ? null : seconds(offer.fileLength),
})

const cardOf = (card: proto.Message.IContactMessage) => ({
  displayName: nameOf(card.displayName),
  vcard: shortCard(card.vcard ?? ''),
})

function contextOf(m: proto.IMessage): proto.IContextInfo | null {
  for (const part of Object.values(m) as unknown[]) {
    if (typeof part === 'object' && part !== null && 'contextInfo' in part && part.contextInfo)
      return part.contextInfo as proto.IContextInfo
  }
  return null
}

/** A protobuf number: a JavaScript number, or a Long. */
function seconds(value: unknown): number {
  return typeof value === 'number' ? value : Number(String(value ?? 0))
}

/** The file of a message, with what Baileys needs to fetch it; null when there is none. */
export function mediaOf(message: proto.IMessage | null | undefined) {
  const m = normalizeMessageContent(message ?? undefined)
  if (!m) return null
  const video = m.videoMessage ?? m.ptvMessage
  const sticker = m.stickerMessage ?? m.lottieStickerMessage?.message?.stickerMessage
  if (m.imageMessage)
    return {
      type: 'image' as const,
      part: m.imageMessage,
      fileName: null,
      mimetype: m.imageMessage.mimetype || 'image/jpeg',
    }
  if (video) return { type: 'video' as const, part: video, fileName: null, mimetype: video.mimetype || 'video/mp4' }
  if (m.audioMessage)
    return {
      type: 'audio' as const,
      part: m.audioMessage,
      fileName: null,
      mimetype: m.audioMessage.mimetype || 'audio/ogg',
    }
  if (sticker)
    return { type: 'sticker' as const, part: sticker, fileName: null, mimetype: sticker.mimetype || 'image/webp' }
  if (m.documentMessage) {
    return {
      type: 'document' as const,
      part: m.documentMessage,
      fileName: m.documentMessage.fileName ?? m.documentMessage.title ?? null,
      mimetype: m.documentMessage.mimetype || 'application/octet-stream',
    }
  }
  return null
}

/** Which messages of ours a receipt is about, and how far they got; null when it says nothing of the kind. */
export function receiptOf({ attrs, content }: BinaryNode): { wids: string[]; ack: 3 | 4 | 5 } | null {
  // With a recipient, another device of ours tells what it did with a message of others.
  if (attrs.recipient) return null
  const ack = getStatusFromReceiptType(attrs.type)
  if (ack !== 3 && ack !== 4 && ack !== 5) return null
  const [list] = Array.isArray(content) ? content : []
  const more = list ? getBinaryNodeChildren(list, 'item').map((item) => item.attrs.id) : []
  const wids = [attrs.id, ...more].filter(isId)
  return wids.length > 0 ? { wids, ack } : null
}
