import { DAY_MS } from '../durations.ts'
import type { EventDataOf } from './webhooks.payload.ts'

/** What a company's programs are notified of, each with what it is about: that says what stands in its `data`. */
const abouts = {
  'message.received': 'message',
  'message.sent': 'message',
  'message.ack': 'message',
  'message.edited': 'message',
  'message.deleted': 'message',
  'message.file': 'message',
  'ticket.created': 'ticket',
  'ticket.assigned': 'ticket',
  'ticket.transferred': 'ticket',
  'ticket.status_changed': 'ticket',
  'ticket.tagged': 'ticket',
  'ticket.rated': 'ticket',
  'ticket.updated': 'ticket',
  'ticket.sla_warning': 'ticket',
  'ticket.sla_breached': 'ticket',
  'contact.created': 'contact',
  'contact.updated': 'contact',
  'contact.merged': 'contact',
  'contact.opted_out': 'optOut',
  'contact.erased': 'contact',
  'campaign.started': 'campaign',
  'campaign.paused': 'campaign',
  'campaign.finished': 'campaign',
  'connection.status_changed': 'connection',
} as const satisfies Record<string, keyof EventDataOf>
export type WebhookEventType = keyof typeof abouts
export const webhookEvents = Object.keys(abouts) as readonly WebhookEventType[]
/** What is sent whatever is chosen: when somebody asks for a test, and when a rule says so. */
const unchosen = { 'webhook.test': 'webhook', 'rule.acted': 'rule' } as const satisfies Record<
  string,
  keyof EventDataOf
>
export type DeliveredType = WebhookEventType | keyof typeof unchosen
export const deliveredTypes = [...webhookEvents, 'webhook.test', 'rule.acted'] as const
export const aboutOf = (type: DeliveredType): keyof EventDataOf => ({ ...abouts, ...unchosen })[type]

/** So long a process has a delivery that it took up: longer than a call may take, and the calls that are made before it. */
export const DELIVERY_LOCK_MS = 90_000

export const MOST_WEBHOOKS = 10
/** Milliseconds after each failed try. */
export const RETRIES_MS = [
  5_000,
  5 * 60_000,
  30 * 60_000,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * 3_600_000),
] as const
/** How much later at most, so that what failed together does not come together. */
const JITTER = 0.1
/** Who fails for so long is switched off. */
export const FAILING_MS = 5 * DAY_MS
/** `Retry-After` of somebody who wants to be left alone for longer is not believed. */
const LONGEST_MS = DAY_MS
/** How long a secret that was changed signs as well. */
export const BOTH_SECRETS_MS = DAY_MS

/** One try of a delivery, as the log keeps it. */
export interface WebhookAttempt {
  /** ISO. */
  at: string
  /** Null where nobody answered. */
  status: number | null
  ms: number
  /** The beginning of the answer, at most 1 KB; or why there was none. */
  answer: string
}

/**
 * When a delivery that has failed is tried again, in milliseconds from now; null for never.
 * @param tries that have failed
 * @param retryAfterMs what the receiver asked for
 * @param chance 0 to 1
 */
export function retryIn(tries: number, retryAfterMs: number | null, chance: number): number | null {
  const pause = RETRIES_MS[tries - 1]
  if (pause === undefined) return null
  return Math.max(Math.round(pause * (1 + JITTER * chance)), Math.min(retryAfterMs ?? 0, LONGEST_MS))
}

/** Milliseconds that a `Retry-After` header asks for: seconds or a date; null for none. */
export function retryAfterOf(header: string | null, now: Date): number | null {
  if (header === null) return null
  if (/^\d{1,9}$/.test(header.trim())) return Number(header.trim()) * 1_000
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime())
}

/** What an answer means. A redirection is a failure: it would carry the event to a place that nobody named. */
export const outcomeOf = (status: number | null): 'delivered' | 'failed' | 'gone' =>
  status === null ? 'failed' : status === 410 ? 'gone' : status >= 200 && status < 300 ? 'delivered' : 'failed'
