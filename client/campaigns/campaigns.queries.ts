import type { OptOutSource } from '../../schema/opt-outs/opt-outs.table.ts'
import type { Currency } from '../../schema/costs/costs.price.ts'
import type { CampaignWarning } from '../../schema/campaigns/campaigns.warnings.ts'
import type { CampaignInput } from '../../schema/campaigns/campaigns.inputs.ts'
import type { EndReason, Share } from '../../schema/campaigns/campaigns.report.ts'
import type { BulkLineInput, CampaignSettings } from '../../schema/campaigns/campaigns.settings.ts'
import type { WaitReason } from '../../schema/campaigns/campaigns.waiting.ts'
import type { CampaignMove, CampaignStatus, ShippingState } from '../../schema/campaigns/campaigns.state.ts'
import { api, requestBlob } from '../session/api.ts'
import { ownFile } from '../session/own-file.ts'
import type { ListSource } from '../kit/data-list.tsx'
import { useFetched, usePages } from '../session/fetched.ts'
import { useCompanyEvent } from '../session/use-event.ts'
import { importInto, type RunImport } from '../contacts/contacts.queries.ts'

/** A campaign as the server shows it; times are ISO instants. */
export interface Campaign extends Omit<CampaignInput, 'scheduledAt'> {
  id: number
  status: CampaignStatus
  pauseReason: string | null
  scheduledAt: string | null
  startedAt: string | null
  completedAt: string | null
  mediaName: string | null
  contactList: { id: number; name: string } | null
  whatsapp: { id: number; name: string; status: string } | null
}

export interface CampaignReport {
  counts: Record<ShippingState, number>
  asked: number
  confirmed: number
  left: number
  delivered: number
  read: number
  replied: number
  optedOut: number
  valid: number
  duplicates: number
  variants: {
    index: number
    sent: number
    delivered: number
    read: number
    replied: number
    optedOut: number
    text: string
    replies: Share
  }[]
  isDifferent: boolean
  /** `hour` is the moment at which it begins. */
  hours: { hour: string; sent: number; replied: number }[]
  failures: { state: ShippingState; reason: string | null; n: number }[]
  endReason: EndReason | null
  waiting: { reason: WaitReason; n: number; until: string | null }[]
}

export interface DryRun {
  willReceive: number
  skipped: Record<string, number>
  /** At most. */
  sends: { questions: number; messages: number }
  ifAllAnswer: { endsAt: string | null } | null
  days: { day: string; from: string; to: string; n: number }[]
  perHour: number
  endsAt: string | null
  variants: { index: number; n: number; text: string }[]
  warnings: CampaignWarning[]
  /** In millionths, if all are delivered; null where the wire costs nothing. */
  cost: { currency: Currency; category: string; micros: number; unpriced: number } | null
}

export interface Preview {
  number: string
  messageIndex: number
  body: string
  confirmation: string | null
  missing: string[]
  skipReason: string | null
}

export interface OptOut {
  /** What the contact is called of whom no number is known. */
  name: string | null
  id: number
  number: string
  source: OptOutSource
  text: string
  createdAt: string
  revokedAt: string | null
  reason: string | null
}

/** What a connection may send to many today, and has sent. */
export interface Line extends BulkLineInput {
  id: number
  name: string
  mostToday: number
  sentToday: number
  mostNewToday: number
  newToday: number
  stopReason: string | null
}

/** A campaign and one person. */
export interface Recipient {
  id: number
  name: string
  number: string
  state: ShippingState
  reason: string | null
  messageIndex: number
  body: string | null
  sentAt: string | null
  deliveredAt: string | null
  readAt: string | null
  repliedAt: string | null
  optedOutAt: string | null
  ticket: { id: number; uuid: string } | null
}

export const useRecipients = (id: number, query: { state?: ShippingState; reason?: string; cursor?: number }) =>
  useFetched<{ records: Recipient[]; nextCursor: number | null }>(`/campaigns/${id}/recipients`, query)

export function useCampaigns(search: string): ListSource<Campaign> {
  const list = usePages<Campaign>('/campaigns', 'records', search)
  useCompanyEvent('campaign', list.reload)
  return list
}

export function useOptOuts(search: string): ListSource<OptOut> {
  const list = usePages<OptOut>('/opt-outs', 'records', search)
  useCompanyEvent('optOut', list.reload)
  return list
}

/** What the dialog offers to choose from. */
export function useChoices() {
  return {
    lists: useFetched<{ id: number; name: string }[]>('/contact-lists/list').data ?? [],
    whatsapps: useFetched<{ id: number; name: string }[]>('/whatsapp', { session: 0 }).data ?? [],
    tags: useFetched<{ id: number; name: string }[]>('/tags/list').data ?? [],
    files: useFetched<{ files: { id: number; name: string }[] }>('/files').data?.files ?? [],
    segments: useFetched<{ records: { id: number; name: string }[] }>('/segments').data?.records ?? [],
    queues: useFetched<{ id: number; name: string }[]>('/queue').data ?? [],
    settings: settingsOf(useFetched<{ key: string; value: string }[]>('/campaign-settings').data),
  }
}

/** Values come as JSON. */
export const settingsOf = (rows: readonly { key: string; value: string }[] | undefined) =>
  rows && (Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value) as unknown])) as CampaignSettings)

export const campaigns = {
  create: (input: CampaignInput) => api.post<Campaign>('/campaigns', input),
  update: (id: number, input: CampaignInput) => api.put<Campaign>(`/campaigns/${id}`, input),
  remove: (id: number) => api.delete(`/campaigns/${id}`),
  move: (id: number, move: CampaignMove) => api.post<Campaign>(`/campaigns/${id}/${move}`),
  dryRun: (id: number) => api.post<DryRun>(`/campaigns/${id}/dry-run`),
  ...ownFile('/campaigns'),
  export: (id: number, language: string) => requestBlob(`/campaigns/${id}/export`, { query: { language } }),
  writeSettings: (settings: Partial<CampaignSettings>) => api.post('/campaign-settings', { settings }),
  importOptOuts: ((file, options, signal) => importInto('/opt-outs/import', file, options, signal)) satisfies RunImport,
  preview: (id: number, contactId: number) => api.get<Preview>(`/campaigns/${id}/preview`, { query: { contactId } }),
  writeLine: (id: number, values: Partial<BulkLineInput>) => api.put<Line>(`/campaign-settings/lines/${id}`, values),
  addOptOut: (number: string, text: string) => api.post('/opt-outs', { number, text }),
  revokeOptOut: (id: number, reason: string) => api.delete(`/opt-outs/${id}`, { body: { reason } }),
}
