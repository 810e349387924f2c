import { type Static, Type } from '@sinclair/typebox'
import { patterned } from '../inputs.ts'
import type { CloudFailure } from './whatsapps.cloud-failures.ts'

/** The version of the service that new numbers speak; each lives some two years. */
export const CLOUD_VERSION = 'v26.0'

const metaId = patterned({ maxLength: 32, pattern: '^[0-9]{1,32}$' })
/** Printed signs without a gap: what somebody copies from Meta's pages. */
const secret = patterned({ minLength: 8, maxLength: 1_000, pattern: '^[!-~]+$' })
const version = patterned({ maxLength: 8, pattern: '^v[0-9]{1,3}\\.[0-9]$' })
/** Of the two-step verification of a number. */
const pin = patterned({ minLength: 6, maxLength: 6, pattern: '^[0-9]{6}$' })

/** How a number of the official API is reached. */
export const cloudInput = Type.Object({
  phoneNumberId: metaId,
  /** Of the account that the number is in (WABA). */
  accountId: metaId,
  token: secret,
  appSecret: secret,
  /** Any word; it is written at the service, too, beside the webhook's address. */
  verifyToken: secret,
  version: Type.Optional(version),
  /** The number is used in the Business app besides. */
  coexistence: Type.Optional(Type.Boolean()),
})
export type CloudInput = Static<typeof cloudInput>

/** What may change of it; a secret that is left out stays. The number is the connection's for good. */
export const changedCloud = Type.Object({
  accountId: Type.Optional(metaId),
  token: Type.Optional(secret),
  appSecret: Type.Optional(secret),
  verifyToken: Type.Optional(secret),
  version: Type.Optional(version),
  coexistence: Type.Optional(Type.Boolean()),
})
export type ChangedCloud = Static<typeof changedCloud>

/** Values to be tried before they are kept. */
export const triedCloud = Type.Object({ ...changedCloud.properties, phoneNumberId: Type.Optional(metaId) })
export type TriedCloud = Static<typeof triedCloud>

export const cloudPin = Type.Object({ pin })
export const hookParams = Type.Object({ hook: patterned({ maxLength: 64, pattern: '^[A-Za-z0-9_-]{1,64}$' }) })

/** Rights that a token needs. */
export const cloudRights = ['whatsapp_business_messaging', 'whatsapp_business_management'] as const
export type CloudRight = (typeof cloudRights)[number]

/** The values that the service can refuse one by one. */
export type CloudValue = 'token' | 'version' | 'phoneNumberId' | 'accountId' | 'appSecret'

/** What the service says of these values. */
export interface CloudState {
  /** Null: it works. */
  failure: CloudFailure | null
  /** The value that is to blame; null where none is, or it cannot be told. */
  refused: CloudValue | null
  /** The service's code, and its own words, for whoever sets it up. */
  code: number | null
  details: string
  missing: CloudRight[]
  /** The app whose secret signs webhooks; null where the token does not say. */
  appId: string | null
  number: string | null
  name: string | null
  quality: string | null
  throughput: string | null
  /** How many people a day that have not written its owner may write to: TIER_250 and so on. */
  limit: string | null
  /** Whether it may send: AVAILABLE, LIMITED, BLOCKED. */
  canSend: string | null
  /** What keeps it from that. */
  problems: CloudProblem[]
  /** Whether the account tells this app of its messages; null where nobody could ask. */
  isSubscribed: boolean | null
  /** Where it tells of them; null where nobody could ask. */
  webhook: CloudWebhook | null
  /** Whose account it is; null where the token may not read it. */
  portfolioId: string | null
}

export interface CloudProblem {
  /** PHONE_NUMBER, WABA, BUSINESS, APP, MESSAGE_TEMPLATE. */
  of: string
  code: number | null
  /** In the service's own words. */
  cause: string
  remedy: string
}

export interface CloudWebhook {
  address: string | null
  /** It ends with the path of ours. */
  isHere: boolean
  /** Fields that are not told, and that we need. */
  missing: string[]
}

/** What the service must tell of. */
export const hookFields = (coexistence: boolean): string[] => [
  ...['messages', 'calls', 'user_preferences', 'account_update', 'message_template_status_update'],
  ...['message_template_quality_update', 'message_template_components_update', 'template_category_update'],
  ...['phone_number_quality_update', 'phone_number_name_update'],
  ...(coexistence ? ['history', 'smb_app_state_sync', 'smb_message_echoes'] : []),
]

/** `here`: the account's notices come to this server, whatever address the app has. */
export const subscribeInput = Type.Object({ here: Type.Optional(Type.Boolean()) })

/**
 * The past of a phone that shares its number: asked for, being told, told to its end; or its owner shares none, the day in
 * which it may be asked for is over, the service refuses.
 */
export type CloudHistoryState = 'asked' | 'coming' | 'told' | 'declined' | 'late' | 'refused'

/** How far that past has come here. */
export interface CloudHistory {
  /** Null: nobody has asked for it. */
  state: CloudHistoryState | null
  /** Of its messages, as far as they are told, in hundredths. */
  progress: number
  /** Messages that are filed. */
  count: number
  /** Pieces that are told and not filed yet. */
  waiting: number
  askedAt: Date | null
}

/** What a person who sets a number up is shown of it; never a secret. */
export interface CloudShown {
  phoneNumberId: string
  accountId: string
  version: string
  coexistence: boolean
  quality: string | null
  /** Null where no phone shares the number. */
  history: CloudHistory | null
  /** Below the server's own address. */
  webhookPath: string
  /** What came over the webhook and was no message, by its reason. */
  ignored: { reason: string; count: number; lastAt: Date }[]
}
