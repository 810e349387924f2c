import { type Static, Type } from '@sinclair/typebox'
import { moment, patterned, requiring, rowId } from '../inputs.ts'
import { webhookEvents } from './webhooks.events.ts'

/** What people write of a webhook. */
export const webhookInput = Type.Object({
  url: patterned({ minLength: 1, maxLength: 2_000, pattern: '^https?://\\S+$', description: 'https' }),
  events: Type.Array(Type.Union(webhookEvents.map((event) => Type.Literal(event))), {
    minItems: 1,
    maxItems: webhookEvents.length,
    uniqueItems: true,
  }),
  queueIds: Type.Array(rowId, { maxItems: 100, uniqueItems: true }),
  active: Type.Boolean(),
})
export type WebhookInput = Static<typeof webhookInput>

export const newWebhook = requiring(webhookInput, ['url', 'events'])
export const changedWebhook = requiring(webhookInput, [])

/** Which deliveries are sent again: those that were made in this time. */
export const replaySpan = Type.Object({ from: moment, to: moment })

export const deliveryQuery = Type.Object({
  state: Type.Optional(Type.Union([Type.Literal('waiting'), Type.Literal('delivered'), Type.Literal('failed')])),
  cursor: Type.Optional(patterned({ minLength: 1, maxLength: 18, pattern: '^[0-9]+$' })),
  limit: Type.Optional(patterned({ minLength: 1, maxLength: 3, pattern: '^([1-9][0-9]?|100)$' })),
})

export const webhookForm = Type.Object({ url: webhookInput.properties.url })
