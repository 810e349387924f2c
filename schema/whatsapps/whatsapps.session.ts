import type { CloudFailure } from './whatsapps.cloud-failures.ts'
import type { NewChatFacts } from './whatsapps.new-chats.ts'
import type { ConnectionStatus } from './whatsapps.table.ts'

/** What a session tells of itself: `server/whatsapp` says it, and features keep and show it without knowing how. */
/** Why a session stands still, or what troubled it last. */
export type SessionProblem =
  | 'logged_out'
  | 'qr_expired'
  | 'replaced'
  | 'temporarily_banned'
  | 'locked'
  | 'banned'
  | 'outdated'
  | 'certificate'
  | 'relink'
  /** WhatsApp wants the account's passkey before it links a device; only its own programs can ask for one. */
  | 'passkey'
  /** Nobody here serves the wire of the connection. */
  | 'unserved'
  /** What the official API says, see `whatsapps.cloud-failures.ts`; `cloud_unset`: nobody has said how the number is reached. */
  | `cloud_${CloudFailure | 'unset'}`
  | `cloud_${CloudFailure}:${number}`
  | `code_${number}`

/** What changed for the people who look at the connection. */
export interface SessionChange {
  status?: ConnectionStatus
  /** The text of the QR to scan; empty when there is none. */
  qrcode?: string
  number?: string
  /** Failed attempts since the connection was last open. */
  retries?: number
  lastError?: SessionProblem | null
  /** What WhatsApp says of new chats; null takes it back. */
  newChats?: Partial<NewChatFacts>
}

/** What a process knows of the link that it holds. */
export interface SessionHealth {
  /** `open` when messages pass. */
  state: string
  lastInAt: Date | null
  lastOutAt: Date | null
  /** Times the link was made again since this process took the connection. */
  reconnects: number
  /** Messages that left and that WhatsApp has not confirmed. */
  waitingAcks: number
  lastError: string | null
}
