import type { PromptInput } from '../../schema/prompts/prompts.inputs.ts'
import { api } from '../session/api.ts'
import type { BotFailureFacts } from '../kit/bot-failures.ts'
import type { ListSource } from '../kit/data-list.tsx'
import { useFetched } from '../session/fetched.ts'
import { useCompanyEvent } from '../session/use-event.ts'

/** Only admins are given more than the first line. */
export interface Prompt extends Omit<PromptInput, 'queueId'> {
  id: number
  queueId: number | null
  queue: { id: number; name: string; color: string } | null
}

export function usePrompts(): ListSource<Prompt> {
  const list = useFetched<{ prompts: Prompt[] }>('/prompt')
  useCompanyEvent('prompt', list.reload)
  const { error, loading, reload } = list
  return { data: list.data?.prompts, error, loading, reload }
}

/** What the company's assistants used this month. */
export interface PromptUse {
  /** Its first day, `YYYY-MM-DD`. */
  month: string
  tokens: number
  answers: number
  /** 0: no limit. */
  limit: number
}
export const usePromptUse = (wanted: boolean) => useFetched<PromptUse>(wanted ? '/prompt/usage' : null)

export interface PromptTry {
  messages: string[]
  transfer?: { reason: string | null } | null
  usage?: { inputTokens: number; outputTokens: number } | null
  /** Ogg in base64. */
  voice?: string | null
  failure: BotFailureFacts | null
}

export const prompts = {
  create: (input: PromptInput) => api.post<Prompt>('/prompt', input),
  update: (id: number, input: PromptInput) => api.put<Prompt>(`/prompt/${id}`, input),
  remove: (id: number) => api.delete(`/prompt/${id}`),
  try: (id: number, text: string, history: { from: 'contact' | 'us'; text: string }[]) =>
    api.post<PromptTry>(`/prompt/${id}/test`, { text, history }),
}
