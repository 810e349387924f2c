import { cloudWord } from '../../schema/whatsapps/whatsapps.cloud-failures.ts'
import { DomainError } from '../../schema/errors.ts'
import type { ChatAddress } from '../../schema/messages/messages.content.ts'
import { jidDecode } from './baileys.ts'

/** A person by the two names WhatsApp has for them: digits of the phone number, digits of the LID. */
export interface Person {
  number: string | null
  lid: string | null
}

const lidServers = ['lid', 'hosted.lid']
const numberServers = ['s.whatsapp.net', 'c.us', 'hosted']

/** Numbers have at most 15 digits, LIDs a few more. */
const USER_LENGTH = 64

/** Reads a person from any of the addresses known for them; devices are dropped. */
export function personOf(...jids: (string | null | undefined)[]): Person {
  const person: Person = { number: null, lid: null }
  for (const jid of jids) {
    const decoded = jid ? jidDecode(jid) : undefined
    if (!decoded || decoded.user.length > USER_LENGTH) continue
    if (lidServers.includes(decoded.server)) person.lid ??= decoded.user
    else if (numberServers.includes(decoded.server)) person.number ??= decoded.user
  }
  return person
}

/**
 * The address to write to. The LID first: WhatsApp moves its chats there, and knows the session by it.
 * @throws ERR_CHANNEL_REFUSED for somebody who is known to the official API only
 */
export function jidOf(address: ChatAddress): string {
  if (address.kind === 'group') return `${address.groupId}@g.us`
  if (address.lid) return `${address.lid}@lid`
  if (address.number) return `${address.number}@s.whatsapp.net`
  throw new DomainError('ERR_CHANNEL_REFUSED', { reason: cloudWord('no_number') })
}

/** One key for one chat, whichever of its names is known. */
export function laneOf(address: ChatAddress): string {
  return address.kind === 'group' ? `g${address.groupId}` : address.lid ? `l${address.lid}` : `n${address.number}`
}
