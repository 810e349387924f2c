import { numberKey } from '../contacts/contacts.phone.ts'
import { type ChatAddress, type MediaType, storedForm } from './messages.content.ts'
import type { InboundMessage } from './messages.inbound.ts'

/**
 * A message's id belongs to whoever writes it, and the first with an id is the one that is kept. Whether what came later
 * is that message once more, as after an absence or a crash, or another one, which is then lost.
 */

/** What is kept of the first. */
export interface KnownMessage {
  fromMe: boolean
  mediaType: MediaType
  body: string
  isEdited: boolean
  isDeleted: boolean
  chat: ChatAddress
}

/** A line of ours in the place of what phones alone show may stand for the very message that comes later. */
const plain: ReadonlySet<MediaType> = new Set<MediaType>([
  ...(['chat', 'image', 'video', 'audio', 'sticker', 'application'] as const),
  ...(['locationMessage', 'contactMessage', 'vcard'] as const),
])

export function isOther(known: KnownMessage, event: InboundMessage): boolean {
  if (event.fromMe) return false
  if (known.fromMe || isElsewhere(known.chat, event.chat)) return true
  const { body, mediaType } = storedForm(event.content)
  if (!plain.has(mediaType) || !plain.has(known.mediaType)) return false
  if (mediaType !== known.mediaType) return true
  // It was changed since, or names people, who may have got other names.
  const isComparable = !known.isEdited && !known.isDeleted && !event.mentions?.length
  return isComparable && body !== known.body
}

export const knownAs = ({ fromMe, chat, content }: InboundMessage): KnownMessage => {
  const { body, mediaType } = storedForm(content)
  return { fromMe, chat, body, mediaType, isEdited: false, isDeleted: false }
}

/** A person has two addresses, of which each may be unknown here or there. */
function isElsewhere(a: ChatAddress, b: ChatAddress): boolean {
  if (a.kind === 'group' || b.kind === 'group')
    return a.kind !== b.kind || (a.kind === 'group' && b.kind === 'group' && a.groupId !== b.groupId)
  if (a.lid !== null && b.lid !== null) return a.lid !== b.lid
  return a.number !== null && b.number !== null && numberKey(a.number) !== numberKey(b.number)
}
