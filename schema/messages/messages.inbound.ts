import type { Bsuid, Renaming } from '../contacts/contacts.aliases.ts'
import type { Charge } from '../costs/costs.class.ts'
import type { ChatAddress, MessageAbout, MessageContent } from './messages.content.ts'

/**
 * What a WhatsApp session tells the product, in the product's words. `server/whatsapp` makes these values
 * (journalled before the receipt leaves, so a crash repeats them); `server/tickets` receives them and must
 * therefore be safe to call twice with the same value.
 */
export type InboundEvent =
  | InboundMessage
  | InboundEdit
  | InboundRevoke
  | InboundReaction
  | InboundAck
  | InboundCharge
  | InboundIdentity
  | InboundRename
  | InboundCall

interface FromSession {
  companyId: number
  whatsappId: number
}

export interface InboundMessage extends FromSession {
  kind: 'message'
  /** WhatsApp's message id; unique for one connection. */
  wid: string
  chat: ChatAddress
  /** In a group, the person who wrote; null for a person's own chat and for our own messages. */
  participant: { number: string | null; lid: string | null; pushName: string | null } | null
  /** True for what the owner typed on the paired phone or another linked device (never for what we sent ourselves). */
  fromMe: boolean
  /** The name the sender gave themselves; for a group chat, the group's subject. */
  chatName: string | null
  /** What the sender calls themselves on WhatsApp, without the @: a label, and no address. */
  username?: string | null
  sentAt: Date
  content: MessageContent
  quotedWid: string | null
  /** What choosing says that the contact pressed in a menu of ours, as if they had written it. */
  pressed?: string
  /** Not in journals of older versions. */
  about?: MessageAbout | null
  /** People whom the text names by the digits of an address, `@20005`. Not in journals of older versions. */
  mentions?: string[]
  /** True when redelivered after an absence; no automation notices about old things. */
  offline: boolean
}

export interface InboundEdit extends FromSession {
  kind: 'edit'
  /** The message that changed. */
  wid: string
  /** Where it was changed, and whether by us: nobody edits a message of another chat or of the other side. */
  chat: ChatAddress
  fromMe: boolean
  /** In a group, who changed it; nobody edits what another wrote. Not in journals of older versions. */
  participant?: { number: string | null; lid: string | null } | null
  body: string
  /** As of `InboundMessage`. */
  mentions?: string[]
  at: Date
}

export interface InboundRevoke extends FromSession {
  kind: 'revoke'
  /** The message that was deleted for everyone. */
  wid: string
  chat: ChatAddress
  fromMe: boolean
  /** In a group, who deleted it. Not in journals of older versions. */
  participant?: { number: string | null; lid: string | null } | null
  /** In a group, whether that is one of its admins, who may delete what others wrote; false where it is not known. */
  byAdmin?: boolean
  at: Date
}

export interface InboundReaction extends FromSession {
  kind: 'reaction'
  /** The message reacted to. */
  wid: string
  chat: ChatAddress
  /** Empty string removes the reaction. */
  emoji: string
  /** Who reacted: `me`, or the digits of a number or LID. */
  by: string
  at: Date
  /** Of a contact, over a wire where it lets one write to them for a time. */
  opens?: true
}

/** Raise-only: 0 error, 1 pending, 2 server, 3 delivered, 4 read, 5 played. */
export interface InboundAck extends FromSession {
  kind: 'ack'
  wid: string
  ack: 0 | 2 | 3 | 4 | 5
  /** WhatsApp's error code when ack is 0; with any other one of `messageRemarks`, or null. */
  error: string | null
  /** With ack 0: the server had taken it, and it did not reach the phone after all. */
  undelivered?: boolean
}

/** What a message is charged as, and that it was delivered. Comes for each state, also those that raise nothing. */
export interface InboundCharge extends FromSession, Charge {
  kind: 'charge'
}

/** WhatsApp told us that a number, and a LID or an id of the official API, are one person. */
export interface InboundIdentity extends FromSession {
  kind: 'identity'
  number: string
  lid: string | null
  bsuid?: Bsuid
  /** Not in journals of older versions. */
  at?: Date
}

/** Somebody goes by another number, or by another id of the official API, from then on. */
export interface InboundRename extends FromSession, Renaming {
  kind: 'renamed'
  at: Date
}

export interface InboundCall extends FromSession {
  kind: 'call'
  callId: string
  from: ChatAddress
  at: Date
  video: boolean
  /** It lets one write to them for a time: it is kept also where calls are welcome. */
  opens?: true
}
