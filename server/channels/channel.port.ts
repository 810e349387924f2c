import type { ChatAddress, OutgoingMessage } from '../../schema/messages/messages.content.ts'
import type { MessageTarget } from '../../schema/messages/messages.target.ts'
import type { TemplateService } from '../../schema/templates/templates.service.ts'
import type { Capabilities, Capability } from '../../schema/whatsapps/whatsapps.providers.ts'
import type { SessionHealth } from '../../schema/whatsapps/whatsapps.session.ts'

/** A message on its connection; its author is digits of a number or LID. */
export type LineTarget = MessageTarget<string> & { whatsappId: number }

/**
 * A wire, such as WhatsApp's for linked devices: it speaks for many connections, named by their ids (`whatsapps.id`). What
 * it may be able to besides stands below, one interface for each capability of `whatsapps.providers.ts`; a method that it
 * lacks is missing.
 *
 * Its errors are the same for every wire; whatever else fails may pass, and is tried again:
 * - `ERR_WAPP_NOT_INITIALIZED`: not now, the link is down, or the service wants it slower. What was asked waits for it, for
 *   `retryInMs` where the wire knows.
 * - `ERR_CHANNEL_REFUSED`: refused for good, with the `reason`. A wire that says so later tells an ack 0 instead.
 * - `ERR_CHANNEL_CANNOT`: the wire has no such thing. It has changed nothing, and never will.
 *
 * What it hears it gives to the product (`InboundEvent`) when that is durable, and confirms it to the other side no sooner.
 */
export interface Channel {
  /** The values of `whatsapps.provider` that it serves. */
  readonly providers: readonly string[]
  readonly offers: Capabilities
  /** Takes up every wanted connection of its providers that no other process speaks for. */
  resume(): Promise<void>
  /** @throws ERR_UNAVAILABLE when another process speaks for it, ERR_NO_WAPP_FOUND when it is not there */
  start(whatsappId: number): Promise<void>
  /** Ends the link and begins it again, with what it knows. */
  restart(whatsappId: number): Promise<void>
  /** Leaves the account; the connection stays, and may be started again. */
  logout(whatsappId: number): Promise<void>
  /** The connection is being deleted: the account is left, and nothing of it stays here. */
  forget(whatsappId: number): Promise<void>
  /** Lets go of every connection, so that another process may take them. */
  stop(): Promise<void>
  /** Whether this process speaks for the connection, be its link up or down. Asked for each message: keep it quick. */
  speaksFor(whatsappId: number): boolean
  /** The connections whose link is up in this process: only for these can it send. */
  openIds(): number[]
  /**
   * Resolves when the bytes have left; that the other side has them is told later, as an ack. Repeated with the same
   * `wid`, it is the same message, and the contact sees it once.
   */
  send(message: OutgoingMessage): Promise<unknown>
  /** Null for a connection that this process does not speak for. */
  health(whatsappId: number): SessionHealth | null
}

export interface Edits {
  edit(target: LineTarget, body: string): Promise<unknown>
}
export interface Revokes {
  revoke(target: LineTarget): Promise<unknown>
}
export interface Reacts {
  /** An empty emoji takes the reaction back. */
  react(target: LineTarget, emoji: string): Promise<unknown>
}
export interface MarksRead {
  /** @param targets messages of one connection */
  markRead(targets: LineTarget[]): Promise<unknown>
}
export interface ShowsTyping {
  /** Shows the contact that somebody writes, or no longer does. */
  presence(whatsappId: number, chat: ChatAddress, state: 'composing' | 'paused'): Promise<void>
}
export interface Pairs {
  /** Forgets the phone, if there is one, and asks for a scan. */
  newQr(whatsappId: number): Promise<void>
  /** @returns the code to type on the phone. @throws ERR_WAPP_NOT_INITIALIZED when the service does not answer */
  requestPairingCode(whatsappId: number, number: string): Promise<string>
}
export interface ChecksNumbers {
  /** @throws ERR_WAPP_CHECK_CONTACT when the service does not answer */
  checkNumber(whatsappId: number, number: string): Promise<{ number: string; lid?: string | null; exists: boolean }>
}
export interface HasPictures {
  /** A contact's picture, or null when there is none to see. */
  profilePicture(whatsappId: number, chat: ChatAddress): Promise<{ data: Uint8Array; mimetype: string } | null>
}
export interface RefusesCalls {
  rejectCall(whatsappId: number, callId: string): Promise<void>
}

/** A wire whose service keeps messages that it has looked at. */
export type HasTemplates = TemplateService

/** A wire whose messages have files. */
export interface FetchesFiles {
  /** Hands the bytes of an offered file to `sink`. @throws ERR_WAPP_DOWNLOAD_MEDIA when it is gone */
  fetchMedia(
    whatsappId: number,
    wid: string,
    sink: (bytes: AsyncIterable<Uint8Array>) => Promise<void>,
  ): Promise<unknown>
}
/** A wire that must ask about people before it writes to them. */
export interface AsksAhead {
  /** Asks about people who are written to next, so that their messages need not. */
  ahead(whatsappId: number, people: readonly ChatAddress[]): Promise<void>
}
/** A wire that sends again by itself what nobody has confirmed. */
export interface SendsAgain {
  /** Which of our messages were handed over here, and leave again by themselves until they are confirmed. */
  held(whatsappId: number, wids: readonly string[]): Promise<ReadonlySet<string>>
}

type Optional = Edits &
  HasTemplates &
  Revokes &
  Reacts &
  MarksRead &
  ShowsTyping &
  Pairs &
  ChecksNumbers &
  HasPictures &
  RefusesCalls &
  FetchesFiles &
  AsksAhead &
  SendsAgain

/** A wire with whatever it can. */
export type AnyChannel = Channel & Partial<Optional>

/** All connections, by whichever wire: what features know of them. What a wire cannot is refused. */
export type Channels = Omit<Channel, 'providers' | 'offers'> & Optional

/** What jobs do over a connection. While its link is down they wait (`NotNow`); what is refused for good ends them (`GiveUp`). */
export type JobChannel = Pick<
  Channels,
  'send' | 'presence' | 'edit' | 'revoke' | 'react' | 'markRead' | 'fetchMedia' | 'profilePicture' | 'rejectCall'
>

/** The methods that a capability stands for; groups are chats like others, and have none of their own. */
export const methodsOf = {
  edit: ['edit'],
  revoke: ['revoke'],
  react: ['react'],
  read: ['markRead'],
  typing: ['presence'],
  pair: ['newQr', 'requestPairingCode'],
  checkNumber: ['checkNumber'],
  groups: [],
  picture: ['profilePicture'],
  call: ['rejectCall'],
  templates: ['templates', 'makeTemplate', 'dropTemplate'],
} as const satisfies Record<Capability, readonly (keyof Optional)[]>
