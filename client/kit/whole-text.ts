import { api } from '../session/api.ts'

/** All of what a message says, whose row holds only the beginning. @throws ApiError */
export async function wholeText(id: string): Promise<string> {
  return (await api.get<{ body: string }>(`/messages/text/${encodeURIComponent(id)}`)).body
}
