/** What the parts of a session share: whose it is, what it may lean on, and the link if there is one. */
import type { Logger } from 'pino'
import type { ChatAddress } from '../../schema/messages/messages.content.ts'
import type { InboundEvent } from '../../schema/messages/messages.inbound.ts'
import type { MessageTarget } from '../../schema/messages/messages.target.ts'
import type { SessionChange, SessionHealth } from '../../schema/whatsapps/whatsapps.session.ts'
import { laneOf, type Person } from './addresses.ts'
import { type AuthenticationCreds, type makeWASocket, proto } from './baileys.ts'
import type { Ignored } from './from-baileys.ts'
import type { Lanes } from './lanes.ts'
import type { Backoff, SessionState } from './session.state.ts'
import type { NewChats } from './session.new-chats.ts'
import type { Timers } from './session.timers.ts'
import type { WhatsappStore } from './store.ts'

export type Socket = ReturnType<typeof makeWASocket>

export interface Timing {
  backoff: Backoff
  /** From opening the socket to the service's first word; Baileys itself never notices a refused upgrade. */
  connectMs: number
  keepAliveMs: number
  /** How long a QR lives; undefined is WhatsApp's own 60 and 20 seconds. */
  qrMs: number | undefined
  /** Without a word from the service for so long, a message is sent again. */
  ackMs: number
  /** How often a message leaves before it counts as failed. */
  sends: number
  /** How long a question to the service may take. */
  queryMs: number
}

export const usualTiming: Timing = {
  backoff: { baseMs: 1_000, capMs: 60_000 },
  connectMs: 20_000,
  keepAliveMs: 30_000,
  qrMs: undefined,
  ackMs: 15_000,
  sends: 4,
  queryMs: 10_000,
}

/** Somebody is writing, or stopped. Shown while it lasts and never stored. */
export interface TypingEvent {
  companyId: number
  whatsappId: number
  chat: ChatAddress
  state: 'composing' | 'paused'
}

export interface Health extends SessionHealth {
  state: SessionState['at']
  /** What arrived and was not for the product, by reason. */
  ignored: Partial<Record<Ignored | 'unreadable', number>>
}

export interface SessionContext {
  wsUrl: string | null
  store: WhatsappStore
  lanes: Lanes
  timing: Timing
  /** Gives a file of our media store to `work`, by a path on disk that is good until its promise has settled. */
  localMedia<T>(mediaPath: string, work: (file: string) => Promise<T>): Promise<T>
  onSession(whatsappId: number, change: SessionChange): Promise<void>
  onTyping(event: TypingEvent): void
  acceptsGroups(companyId: number): boolean | Promise<boolean>
  log: Logger
}

/** A message, with who wrote it as WhatsApp addresses people. */
export type WhatsappTarget = MessageTarget<Person>

/** A session, as its parts see it. */
export interface Device {
  readonly id: number
  readonly companyId: number
  readonly ctx: SessionContext
  readonly log: Logger
  readonly creds: AuthenticationCreds | null
  /** Null while there is no link. */
  readonly sock: Socket | null
  readonly timers: Timers
  readonly newChats: NewChats
  /** When the link came up, by the wall clock. */
  readonly openedAt: number
  /** @throws ERR_WAPP_NOT_INITIALIZED unless the link is up */
  open(): Socket
  /** Whether this socket is the one of the link, or an old one. */
  isCurrent(generation: number): boolean
  /** A socket is over, whoever noticed first. */
  ended(generation: number, code: number): void
}

export const ownOf = ({ id, companyId }: Device) => ({ companyId, whatsappId: id })

/** The line in which an event keeps its order: that of its chat, or of the person whom it is about. */
export function laneOfEvent(event: InboundEvent): string {
  switch (event.kind) {
    case 'message':
    case 'edit':
    case 'revoke':
    case 'reaction':
      return `${event.whatsappId}/${laneOf(event.chat)}`
    case 'call':
      return `${event.whatsappId}/${laneOf(event.from)}`
    case 'identity':
      return `${event.whatsappId}/l${event.lid}`
    case 'renamed':
      return `${event.whatsappId}/n${event.after.number}`
    case 'ack':
    case 'charge':
      return `${event.whatsappId}/a${event.wid}`
  }
}

/** A message as its protobuf, as the journal keeps it. */
export function encoded(message: proto.IWebMessageInfo): Uint8Array {
  return proto.WebMessageInfo.encode(message).finish()
}

/** Rejects when the answer takes longer; Baileys' own questions wait for a minute, or for ever on a dead link. */
export async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    return await Promise.race([
      answer,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('no answer from WhatsApp')), ms)
      }),
    ])
  } finally {
    clearTimeout(timer)
  }
}
