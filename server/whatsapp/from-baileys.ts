/**
 * What arrived, in the product's words. Pure: the same message and facts give the same event, so captured payloads
 * can be replayed. What is not for the product is a result too, with its reason, and is counted.
 */
import {
  type ChatAddress,
  type MessageAbout,
  type MessageContent,
  type NoticeKind,
  shortCard,
} from '../../schema/messages/messages.content.ts'
import type { InboundEvent } from '../../schema/messages/messages.inbound.ts'
import { waveformText } from '../../schema/messages/messages.waveform.ts'
import { namedMentions } from '../../schema/messages/messages.mentions.ts'
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
import { amountText, type Official, officialOf } from './official.ts'

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
  | 'second_copy'
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
  /** Who we are to those who write to us; absent where it does not matter. */
  me?: (Person & { name: string }) | null
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
const MOST_MENTIONS = 50
/** Of what somebody answers to, or came from. */
const ABOUT_LENGTH = 1_024
const ADDRESS_LENGTH = 2_048

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

  // Linked devices get only word of a picture that is to be seen once.
  const isUnseen = key.isViewOnce === true && !message.message
  const body = isUnseen ? {} : inside(message.message)
  if (!body) return ignored('empty')
  if (isSecondCopy(message.message, body)) return ignored('second_copy')

  const protocol = body.protocolMessage
  if (protocol) {
    const participant = inGroup && !fromMe ? sender : null
    const target = isId(protocol.key?.id) ? protocol.key.id : null
    switch (protocol.type) {
      case proto.Message.ProtocolMessage.Type.REVOKE:
        if (!target) return ignored('protocol')
        return { event: { ...from, kind: 'revoke', wid: target, chat, fromMe, participant, at } }
      case proto.Message.ProtocolMessage.Type.MESSAGE_EDIT: {
        const edited = inside(protocol.editedMessage)
        // A file without words is one whose caption was taken away.
        const text = textOf(edited) ?? (edited && fileOf(edited) ? '' : null)
        if (!target || text === null) return ignored('protocol')
        const { text: body, mentions } = withNames(words(text), edited, facts)
        return {
          event: {
            ...from,
            kind: 'edit',
            wid: target,
            chat,
            fromMe,
            participant,
            body,
            at,
            ...(mentions && { mentions }),
          },
        }
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

  const context = contextOf(body)
  const ad = adOf(context)
  const read = isUnseen
    ? ({ type: 'notice', kind: 'view_once', text: '' } as const)
    : contentOf(body, isViewOnce(message.message))
  if ('ignored' in read && !(read.ignored === 'empty' && ad)) return read
  const named: MessageContent =
    'ignored' in read ? { type: 'notice', kind: 'ad', text: words(ad!.title || ad!.text) } : read
  const { content, mentions } = namedIn(named, body, facts)
  const quoted = context?.stanzaId
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
      about: officialOf(body)?.pix ?? ad ?? answeredIn(context),
      ...(mentions && { mentions }),
      offline: facts.offline,
    },
  }
}

/** What is longer than anything that phones write is not even journalled. */
const words = (text: string | null | undefined) => clip(text ?? '', TEXT_LENGTH)

const notice = (kind: NoticeKind, ...said: (string | null | undefined)[]): MessageContent => ({
  type: 'notice',
  kind,
  text: words(
    said
      .map((line) => words(line).trim())
      .filter(Boolean)
      .join('\n'),
  ),
})

function contentOf(m: proto.IMessage, viewOnce = false): MessageContent | { ignored: Ignored } {
  const official = officialOf(m)
  if (official) return officialContent(official)
  const text = textOf(m, false)
  if (text !== null) return { type: 'text', text: words(text) }
  const file = fileOf(m)
  // Whoever may see it once was given its key; linked devices were not.
  if (file && (viewOnce || ('viewOnce' in file && file.viewOnce)) && !file.mediaKey?.length)
    return notice('view_once', 'caption' in file ? file.caption : '')
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
  const sticker = m.stickerMessage
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

  const poll = m.pollCreationMessage ?? m.pollCreationMessageV2 ?? m.pollCreationMessageV3 ?? m.pollCreationMessageV5
  if (poll)
    return notice(
      'poll',
      poll.name,
      ...(poll.options ?? []).slice(0, MOST_OPTIONS).map((o) => `• ${words(o.optionName)}`),
    )
  if (m.eventMessage) {
    const { name, description, location, joinLink } = m.eventMessage
    return notice('event', name, description, location?.name, location?.address, joinLink)
  }
  if (m.groupInviteMessage) {
    const { groupName, caption, inviteCode } = m.groupInviteMessage
    const link = inviteCode && /^\w{1,64}$/.test(inviteCode) ? `https://chat.whatsapp.com/${inviteCode}` : null
    return notice('group_invite', groupName, caption, link)
  }
  if (m.orderMessage) {
    const { orderTitle, message, itemCount, totalAmount1000, totalCurrencyCode } = m.orderMessage
    const total = priceText(totalAmount1000, totalCurrencyCode)
    return notice('order', orderTitle, message, [itemCount && `${itemCount} ×`, total].filter(Boolean).join(' '))
  }
  if (m.productMessage) {
    const { product, catalog, body, footer } = m.productMessage
    const price = priceText(product?.salePriceAmount1000 || product?.priceAmount1000, product?.currencyCode)
    const said = [product?.title ?? catalog?.title, price, product?.description ?? catalog?.description]
    return notice('product', ...said, product?.url, body, footer)
  }
  const payment = m.requestPaymentMessage ?? m.sendPaymentMessage
  if (payment) {
    const { amount1000, currencyCodeIso4217 } = m.requestPaymentMessage ?? {}
    return notice('phone_only', textOf(inside(payment.noteMessage)), priceText(amount1000, currencyCodeIso4217))
  }

  // An edit that did not open: its message stays as it is.
  if (m.secretEncryptedMessage) return { ignored: 'encrypted_addon' }
  if (m.encReactionMessage || m.encCommentMessage || m.encEventResponseMessage || m.pollUpdateMessage)
    return { ignored: 'encrypted_addon' }
  if (m.albumMessage) return { ignored: 'album' }
  if (m.pinInChatMessage || m.keepInChatMessage || m.callLogMesssage) return { ignored: 'protocol' }
  const [rest] = saying(m).filter((name) => !wordless.has(name))
  if (!rest) return { ignored: m.senderKeyDistributionMessage ? 'key_distribution' : 'empty' }
  // Whatever it is, what can be read of it is told, and never what its makers call it.
  const part: unknown = m[rest]
  const said = typeof part === 'object' && part !== null ? carrying.map((name) => (part as Named)[name]) : []
  return notice('phone_only', ...said.filter((value) => typeof value === 'string'))
}

type Named = Record<string, unknown>
const carrying = ['title', 'name', 'text', 'caption', 'note', 'description']

function officialContent({ text, header, pix, isOrder }: Official): MessageContent {
  const above = header ? contentOf(header) : null
  if (above && 'caption' in above) return { ...above, caption: text }
  if (pix && !isOrder) return notice('pix', text)
  if (isOrder) return notice('order', text)
  return text ? { type: 'text', text } : notice('phone_only')
}

const priceText = (thousandths: unknown, currency: string | null | undefined): string | null => {
  const amount = thousandths == null ? 0 : seconds(thousandths) / 1000
  return amount > 0 ? amountText(amount, currency) : null
}

/** Which parts of a message say something. */
const saying = (m: proto.IMessage) =>
  (Object.keys(m) as (keyof proto.IMessage)[]).filter((name) => !silent.has(name) && m[name] != null)

/**
 * A message without what it is wrapped in: phones put messages into messages, and find new reasons for it each year. A
 * part that has a message in it is a wrapping, whatever it is called.
 */
export function inside(message: proto.IMessage | null | undefined): proto.IMessage | undefined {
  let m = normalizeMessageContent(message ?? undefined)
  for (let depth = 0; m && depth < 8; depth++) {
    const [wrapping] = saying(m)
    const part = wrapping && wrapping !== 'protocolMessage' ? (m[wrapping] as { message?: unknown }) : undefined
    const { message: inner } = typeof part === 'object' ? part : {}
    if (typeof inner !== 'object' || inner === null) break
    m = normalizeMessageContent(inner as proto.IMessage)
  }
  return m
}

const isViewOnce = (message: proto.IMessage | null | undefined): boolean => {
  const m = message?.ephemeralMessage?.message ?? message
  return Boolean(m?.viewOnceMessage ?? m?.viewOnceMessageV2 ?? m?.viewOnceMessageV2Extension)
}

/** Phones send a picture at once, and then once more, sharper or with what moves in it: the first is kept. */
function isSecondCopy(message: proto.IMessage | null | undefined, body: proto.IMessage): boolean {
  const { HD_IMAGE_DUAL_UPLOAD, HD_VIDEO_DUAL_UPLOAD, HEVC_VIDEO_DUAL_UPLOAD, MOTION_PHOTO } =
    proto.MessageAssociation.AssociationType
  const { messageAssociation } = body.messageContextInfo ?? message?.messageContextInfo ?? {}
  const copies: unknown[] = [HD_IMAGE_DUAL_UPLOAD, HD_VIDEO_DUAL_UPLOAD, HEVC_VIDEO_DUAL_UPLOAD, MOTION_PHOTO]
  return Boolean(messageAssociation?.parentMessageKey?.id) && copies.includes(messageAssociation?.associationType)
}

/** The part of a message that is a file. */
const fileOf = (m: proto.IMessage) =>
  m.imageMessage ?? m.videoMessage ?? m.ptvMessage ?? m.audioMessage ?? m.documentMessage ?? m.stickerMessage ?? null

/** The ad that somebody pressed. Other programs put a preview of a link in the same place, without saying that it is one. */
function adOf(context: proto.IContextInfo | null): Extract<MessageAbout, { is: 'ad' }> | null {
  const ad = context?.externalAdReply
  if (!ad) return null
  const title = clip(ad.title ?? '', ABOUT_LENGTH).trim()
  const text = clip(ad.body ?? '', ABOUT_LENGTH).trim()
  if (!title && !text) return null
  const address = ad.sourceUrl ?? ad.mediaUrl ?? ''
  const isLink = address.length <= ADDRESS_LENGTH && /^https?:\/\/[^\s]+$/.test(address)
  return { is: 'ad', title, text, url: isLink ? address : null }
}

/** What the message answers to, as it travelled along. */
function answeredIn(context: proto.IContextInfo | null): MessageAbout | null {
  const quoted = inside(context?.quotedMessage)
  const isStatus = isJidStatusBroadcast(context?.remoteJid ?? '') === true
  if (!quoted && !isStatus) return null
  const read = quoted ? contentOf(quoted) : null
  const said =
    !read || 'ignored' in read
      ? ''
      : 'caption' in read
        ? read.caption || read.media.fileName || ''
        : read.type === 'text' || read.type === 'notice'
          ? read.text
          : read.type === 'location'
            ? read.name
            : ''
  if (!said && !isStatus) return null
  return { is: isStatus ? 'status' : 'quote', text: clip(said, ABOUT_LENGTH) }
}

/** Our own name in place of the digits of our address, and whose digits else the text names. */
function withNames(
  text: string,
  m: proto.IMessage | undefined,
  { me }: MessageFacts,
): { text: string; mentions: string[] | null } {
  const mentioned = (m && contextOf(m)?.mentionedJid) ?? []
  if (mentioned.length === 0 || !text.includes('@')) return { text, mentions: null }
  const users = mentioned.slice(0, MOST_MENTIONS).flatMap((jid) => {
    const { number, lid } = personOf(jid)
    return lid ?? number ?? []
  })
  const isMe = (user: string) => user === me?.lid || user === me?.number
  const named = me?.name && users.some(isMe) ? namedMentions(text, (user) => (isMe(user) ? me.name : null)) : text
  const others = [...new Set(users.filter((user) => !isMe(user)))]
  return { text: clip(named, TEXT_LENGTH), mentions: others.length > 0 ? others : null }
}

function namedIn(content: MessageContent, m: proto.IMessage, facts: MessageFacts) {
  if (content.type === 'text') {
    const { text, mentions } = withNames(content.text, m, facts)
    return { content: { ...content, text }, mentions }
  }
  if ('caption' in content) {
    const { text, mentions } = withNames(content.caption, m, facts)
    return { content: { ...content, caption: text }, mentions }
  }
  return { content, mentions: null }
}

/** A message with the beginning of its words and without all that is not needed to read them. */
export function shortened(message: proto.IMessage): proto.IMessage {
  const { senderKeyDistributionMessage, messageContextInfo, protocolMessage } = message
  const rest = {
    ...(senderKeyDistributionMessage && { senderKeyDistributionMessage }),
    ...(messageContextInfo && { messageContextInfo }),
  }
  if (protocolMessage) {
    const conversation = words(textOf(inside(protocolMessage.editedMessage)))
    return {
      ...rest,
      protocolMessage: { ...protocolMessage, ...(conversation && { editedMessage: { conversation } }) },
    }
  }
  const body = inside(message)
  const content = body ? contentOf(body) : { ignored: 'empty' as const }
  if ('ignored' in content) return rest
  if ('media' in content) return message
  if (content.type === 'contacts') return { ...rest, contactsArrayMessage: { contacts: content.cards } }
  if (content.type === 'location') return message
  return { ...rest, conversation: content.text }
}

/** What goes along with a message, and says nothing itself. */
const silent = new Set<string>([
  'senderKeyDistributionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
  'messageContextInfo',
])

/** Words and their wrappings that hold no word. */
const wordless = new Set<string>([
  'conversation',
  'extendedTextMessage',
  'stickerSyncRmrMessage',
  'messageHistoryBundle',
  'messageHistoryNotice',
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
    officialOf(m)?.text
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

export function contextOf(m: proto.IMessage): proto.IContextInfo | null {
  for (const part of Object.values(m) as unknown[]) {
    if (typeof part === 'object' && part !== null && 'contextInfo' in part && part.contextInfo)
      return part.contextInfo as proto.IContextInfo
  }
  return null
}

/** How long what is said in the chat stays, and since when, as the message says; null when it says nothing of it. */
export function timerOf(message: proto.IMessage | null | undefined): { seconds: number; setAt: number } | null {
  const m = inside(message)
  if (!m) return null
  const protocol = m.protocolMessage
  if (protocol?.type === proto.Message.ProtocolMessage.Type.EPHEMERAL_SETTING)
    return { seconds: boundedTimer(protocol.ephemeralExpiration), setAt: seconds(protocol.ephemeralSettingTimestamp) }
  if (protocol || m.reactionMessage || m.encReactionMessage || m.pollUpdateMessage || saying(m).length === 0)
    return null
  const context = contextOf(m)
  const timer = boundedTimer(context?.expiration)
  // Old phones wrap what disappears, and say no more of it.
  if (timer === 0 && message?.ephemeralMessage) return null
  return { seconds: timer, setAt: timer > 0 ? seconds(context?.ephemeralSettingTimestamp) : 0 }
}

/** Phones offer at most ninety days. */
const boundedTimer = (given: number | null | undefined) => Math.max(0, Math.min(given ?? 0, 31_536_000))

/** A protobuf number: a JavaScript number, or a Long. */
function seconds(value: unknown): number {
  return typeof value === 'number' ? value : Number(String(value ?? 0))
}

/** The file of a message, with what Baileys needs to fetch it; null when there is none. */
export function mediaOf(message: proto.IMessage | null | undefined) {
  const said = inside(message)
  if (!said) return null
  const m = officialOf(said)?.header ?? said
  const video = m.videoMessage ?? m.ptvMessage
  const sticker = m.stickerMessage
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
