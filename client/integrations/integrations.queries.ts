import type { BillingKey, IntegrationInput } from '../../schema/integrations/integrations.inputs.ts'
import { api } from '../session/api.ts'
import type { BotFailureFacts } from '../kit/bot-failures.ts'
import type { ListSource } from '../kit/data-list.tsx'
import { useFetched, usePages } from '../session/fetched.ts'
import { useCompanyEvent } from '../session/use-event.ts'
import { saveSetting } from '../settings/settings.queries.ts'

/** Only admins are given more than name and type. */
export interface Integration extends Omit<IntegrationInput, 'billingSystem'> {
  id: number
  billingSystem: IntegrationInput['billingSystem'] | null
}

export function useIntegrations(search: string): ListSource<Integration> {
  const list = usePages<Integration>('/queueIntegration', 'queueIntegrations', search)
  useCompanyEvent('queueIntegration', list.reload)
  return list
}

/** Those with Typebot, from which a block of a flow chooses: all of them. */
export function useTypebots(): ListSource<Integration> {
  const list = useFetched<{ queueIntegrations: Integration[] }>('/queueIntegration')
  useCompanyEvent('queueIntegration', list.reload)
  const { error, loading, reload } = list
  return { data: list.data?.queueIntegrations.filter(({ type }) => type === 'typebot'), error, loading, reload }
}

export interface IntegrationTry {
  messages: ({ text: string } | { mediaUrl: string; caption?: string })[]
  transferTo?: { queueId: number | null; userId?: number | null; reason?: string } | null
  stop?: boolean
  variables?: Record<string, string>
  failure: BotFailureFacts | null
}

export const integrations = {
  create: (input: Partial<IntegrationInput>) => api.post<Integration>('/queueIntegration', input),
  update: (id: number, input: Partial<IntegrationInput>) => api.put<Integration>(`/queueIntegration/${id}`, input),
  remove: (id: number) => api.delete(`/queueIntegration/${id}`),
  saveKey: (key: BillingKey, value: string) => saveSetting(key, value),
  try: (id: number, text: string, restart: boolean) =>
    api.post<IntegrationTry>(`/queueIntegration/${id}/test`, { text, restart }),
  testSession: (input: { projectName: string; jsonContent: string; language: string; id: number | null }) =>
    api.post<{ messages: string[] }>('/queueIntegration/testSession', input),
}
