import type { ApiCampaign, ApiContact, ApiMessage, ApiOptOut, ApiTicket } from '../external/external.rows.ts'
import type { RuleTrigger } from '../rules/rules.triggers.ts'
import { clip } from '../texts.ts'
import type { DeliveredType } from './webhooks.events.ts'

/** Bytes of a body. */
export const MOST_PAYLOAD_BYTES = 20_000

/** What an event says, by what it is about. */
export interface EventDataOf {
  message: { message: ApiMessage; ticket: ApiTicket; contact: ApiContact }
  ticket: { ticket: ApiTicket; changes: Record<string, unknown>; actor: { type: 'user'; id: number } | null }
  contact: { contact: ApiContact; changes: Record<string, unknown> }
  /** Who wants no more messages to many need not be a contact. */
  optOut: { contact: ApiContact | null; optOut: ApiOptOut }
  campaign: { campaign: ApiCampaign; counts: Record<string, number>; reason: string | null }
  connection: { connection: { id: number; name: string; number: string }; status: string; reason: string | null }
  webhook: { webhookId: number }
  /** A rule acted, and says so to this webhook. */
  rule: {
    rule: { id: number; name: string; version: number; trigger: RuleTrigger }
    ticket: ApiTicket
    contact: ApiContact
    /** What was written, where the rule answers that. */
    message: ApiMessage | null
  }
}
export type EventData = EventDataOf[keyof EventDataOf]

/** The body of an event, as it is signed. Texts are cut until it is short enough. */
export function payloadOf(type: DeliveredType, at: Date, data: EventData, bytes: (text: string) => number): string {
  const body = (given: unknown) => JSON.stringify({ type, timestamp: at.toISOString(), data: given })
  let text = body(data)
  for (let most = 4_096; bytes(text) > MOST_PAYLOAD_BYTES && most >= 16; most = Math.floor(most / 2))
    text = body(shortened(data, most))
  return text
}

/** The same with no text longer than `most`. */
function shortened(value: unknown, most: number): unknown {
  if (typeof value === 'string') return value.length > most ? `${clip(value, most - 1)}…` : value
  if (Array.isArray(value)) return value.slice(0, 50).map((one) => shortened(one, most))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner, most)]))
}
