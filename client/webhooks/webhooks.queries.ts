import type { WebhookAttempt } from '../../schema/webhooks/webhooks.events.ts'
import type { WebhookInput } from '../../schema/webhooks/webhooks.inputs.ts'
import type { Webhook as Stored, WebhookDelivery } from '../../schema/webhooks/webhooks.table.ts'
import { api } from '../session/api.ts'
import type { ListSource } from '../kit/data-list.tsx'
import { type Fetched, useFetched } from '../session/fetched.ts'
import { usePlanFeature } from '../session/plan.ts'
import { useCan } from '../session/session.tsx'
import { useCompanyEvent } from '../session/use-event.ts'

/** A webhook as the list shows it. Times are ISO instants. */
export interface Webhook extends Pick<Stored, 'id' | 'url' | 'events' | 'queueIds' | 'active' | 'disabledReason'> {
  failingSince: string | null
}

export interface Delivery extends Pick<WebhookDelivery, 'id' | 'eventId' | 'type' | 'payload' | 'state' | 'tries'> {
  attempts: WebhookAttempt[]
  nextAt: string | null
  createdAt: string
}

export function useWebhooks(): ListSource<Webhook> {
  const list = useFetched<{ records: Webhook[] }>('/webhooks')
  useCompanyEvent('webhook', list.reload)
  return { ...list, data: list.data?.records }
}

/** What a rule may tell, for who looks after webhooks; nobody else is shown where they lead. */
export function useWebhookChoices(): readonly Pick<Webhook, 'id' | 'url'>[] {
  const isTheirs = useCan('webhooks:write')
  const included = usePlanFeature('useExternalApi')
  return useFetched<{ records: Webhook[] }>(isTheirs && included ? '/webhooks' : null).data?.records ?? []
}

export interface DeliveryPage {
  records: Delivery[]
  nextCursor: string | null
}

const refreshMs = 3_000

/** The log of a webhook; the newest page keeps itself fresh. */
export const useDeliveries = (
  webhookId: number,
  query: { state?: string; cursor?: string; limit?: number },
): Fetched<DeliveryPage> =>
  useFetched<DeliveryPage>(`/webhooks/${webhookId}/deliveries`, query, { everyMs: query.cursor ? false : refreshMs })

export const webhooks = {
  create: (input: WebhookInput) => api.post<Webhook & { secret: string }>('/webhooks', input),
  update: (id: number, input: Partial<WebhookInput>) => api.put<Webhook>(`/webhooks/${id}`, input),
  remove: (id: number) => api.delete(`/webhooks/${id}`),
  rotate: (id: number) => api.post<{ secret: string }>(`/webhooks/${id}/rotate`),
  test: (id: number) => api.post(`/webhooks/${id}/test`),
  replayOne: (id: number, deliveryId: number) => api.post(`/webhooks/${id}/deliveries/${deliveryId}/replay`),
  replay: (id: number, from: string, to: string) =>
    api.post<{ replayed: number; isMore: boolean }>(`/webhooks/${id}/replay`, { from, to }),
}
