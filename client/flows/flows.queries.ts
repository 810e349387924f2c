import { useMemo } from 'react'
import type {
  FlowCampaignInput,
  FlowDefaultsInput,
  NewFlowSecret,
  WaitingRuns,
} from '../../schema/flows/flows.edits.inputs.ts'
import type { FlowProblem } from '../../schema/flows/flows.check.ts'
import type { FlowNode, Port } from '../../schema/flows/flows.graph.ts'
import type { FlowLogEntry } from '../../schema/flows/flows.log.ts'
import type { EndReason, HttpRequest } from '../../schema/flows/flows.run.ts'
import type { Flow, FlowCampaign as StoredCampaign, FlowVersion } from '../../schema/flows/flows.table.ts'
import type { ScheduleEntry } from '../../schema/hours/hours.open.ts'
import { plain } from '../../schema/plain.ts'
import { api } from '../session/api.ts'
import type { ListSource } from '../kit/data-list.tsx'
import { useRows } from '../replica/live-rows.ts'
import { useReplicaStatus } from '../replica/replica-hooks.ts'
import { useFetched, useRecords } from '../session/fetched.ts'
import { columnsOf, type RowOf } from '../replica/columns.ts'
import type { Rows } from '../replica/rows.ts'
import { useCompanyEvent } from '../session/use-event.ts'

/** A run, as the list of them tells; moments are ISO instants. */
export interface RunView {
  id: string
  flowId: number
  versionNumber: number
  startedAt: string
  endedAt: string | null
  reason: EndReason | null
  ticket: { id: number; uuid: string }
  contact: { id: number; name: string }
}

/** What it did. */
export interface WholeRun extends RunView {
  /** Only the last of very many happenings. */
  isCut: boolean
  entries: (FlowLogEntry & { id: number; at: string; isHidden: boolean })[]
  blocks: {
    version: string
    node: string
    type: string
    flowId: number
    flow: string
    words: string
    ports: Port[]
  }[]
  /** What is still called something, by id. */
  names: Record<'tags' | 'queues' | 'users', Record<string, string>>
}

export const useRuns = (flowId: number) => useRecords<RunView>(`/flowbuilder/${flowId}/runs`)
export const useRun = (id: string) => useFetched<WholeRun>(`/flowbuilder/run/${id}`)

const flow = columnsOf<'flows'>()({
  id: true,
  companyId: false,
  name: true,
  active: true,
  versionId: true,
  createdAt: false,
  // With its blocks: below.
  updatedAt: false,
})
export type FlowRow = RowOf<typeof flow>

export type FlowListRow = FlowRow & {
  nodes: number
  updatedAt: string | Date
}

const flowRows: Rows<FlowListRow> = {
  query: {
    sql: `SELECT ${flow.text('f')}, count(n.id)::int AS nodes, greatest(f."updatedAt", max(n."updatedAt")) AS "updatedAt"
      FROM flows f LEFT JOIN flow_nodes n ON n."flowId" = f.id
      GROUP BY ${flow.text('f')}, f."updatedAt" ORDER BY lower(f.name), f.id`,
    tables: ['flows', 'flow_nodes'],
  },
  read: (raw) => {
    const { nodes, updatedAt } = raw as unknown as FlowListRow
    return { ...flow.read(raw), nodes, updatedAt }
  },
  keyOf: (row) => row.id,
}

/** The company's flows out of this computer's rows, which hold them all. */
export function useFlows(search = ''): ListSource<FlowListRow> {
  const { rows } = useRows(flowRows)
  const { state } = useReplicaStatus()
  return useMemo(() => {
    // Before the rows have come for the first time, none is no answer.
    const isWaiting = !rows || (rows.length === 0 && (state === 'starting' || state === 'loading'))
    const wanted = plain(search.trim())
    return {
      data: isWaiting ? undefined : rows.filter(({ name }) => plain(name).includes(wanted)),
      error: null,
      loading: isWaiting,
      reload: () => undefined,
    }
  }, [rows, state, search])
}
/** One flow and the company's others; null where there is none of that id. */
export function useFlowRows(id: number): { flow: FlowRow | null | undefined; flows: readonly FlowRow[] } {
  const { data } = useFlows()
  return useMemo(() => ({ flow: data && (data.find((row) => row.id === id) ?? null), flows: data ?? [] }), [data, id])
}

export interface VersionRow {
  id: number
  number: number
  note: string
  userId: number | null
  userName: string | null
  nodeCount: number
  createdAt: string
}
/** What an outside call that was tried has led to. */
export interface CallAnswer {
  ok: boolean
  status: number
  body: unknown
}
export type Published = { version: Omit<FlowVersion, 'nodes'> | null; problems: FlowProblem[] }

export const useVersions = (id: number) => useRecords<VersionRow>(`/flowbuilder/${id}/versions`)

/** What a draft may name beside rows that are synced. Others may change it: it is asked for again now and then. */
export const useKnownToDraft = (id: number) =>
  useFetched<KnownToDraft>(`/flowbuilder/${id}/known`, undefined, { everyMs: 30_000 })

export interface KnownToDraft {
  secrets: string[]
  filesGone: string[]
  /** Names of connections over which it begins and which send no templates. */
  withoutTemplates: string[]
  /** Filled in elsewhere: by other flows, or as fields of contacts. */
  variables: string[]
  /** The hours that each has for itself. */
  connections: { id: number; schedules: ScheduleEntry[] }[]
}

/** What contacts meet now; undefined while it is fetched, null where nothing was published. */
export const usePublished = (id: number, versionId: number | null) =>
  useFetched<FlowVersion>(versionId === null ? null : `/flowbuilder/${id}/versions/${versionId}`)

export const flows = {
  create: (name: string, nodes?: readonly FlowNode[]) =>
    api.post<Flow>('/flowbuilder', { name, ...(nodes && { nodes }) }),
  rename: (flowId: number, name: string) => api.put<Flow>('/flowbuilder', { flowId, name }),
  setActive: (flowId: number, active: boolean) => api.put<Flow>('/flowbuilder', { flowId, active }),
  duplicate: (flowId: number) => api.post<Flow>('/flowbuilder/duplicate', { flowId }),
  remove: (id: number) => api.delete(`/flowbuilder/${id}`),
  publish: (id: number, note: string, waiting: WaitingRuns) =>
    api.post<Published>(`/flowbuilder/${id}/publish`, { note, waiting }),
  call: (request: HttpRequest) => api.post<CallAnswer>('/flowbuilder/call', request),
  version: (id: number, versionId: number) => api.get<FlowVersion>(`/flowbuilder/${id}/versions/${versionId}`),
  restore: (id: number, versionId: number, publish: boolean) =>
    api.post<Published>(`/flowbuilder/${id}/versions/${versionId}/restore`, { publish }),
}

export type FlowCampaign = Pick<StoredCampaign, 'id' | 'name' | 'flowId' | 'whatsappId' | 'phrase' | 'status'> & {
  flowName: string
}

export function useFlowCampaigns(): ListSource<FlowCampaign> {
  const { data, ...rest } = useFetched<{ flow: FlowCampaign[] }>('/flowcampaign')
  useCompanyEvent('flowCampaign', rest.reload)
  return { ...rest, data: data?.flow }
}
export const flowCampaigns = {
  create: (input: FlowCampaignInput) => api.post<FlowCampaign>('/flowcampaign', input),
  update: (id: number, input: Partial<FlowCampaignInput>) => api.put<FlowCampaign>('/flowcampaign', { id, ...input }),
  remove: (id: number) => api.delete(`/flowcampaign/${id}`),
}

export const useFlowDefaults = () =>
  useFetched<{ flow: { flowIdWelcome: number | null; flowIdNotPhrase: number | null } | null }>('/flowdefault')
export const saveFlowDefaults = (input: FlowDefaultsInput) => api.put('/flowdefault', input)

export interface FlowSecret {
  id: number
  name: string
  /** The only ones that it is sent to. */
  hosts: string[]
  /** Who wrote it last, while they are there. */
  userName: string | null
  updatedAt: string
  /** Names of the flows that use it. */
  flows: string[]
}

export const useFlowSecrets = () => useFetched<{ secrets: FlowSecret[] }>('/flowsecret')
export const flowSecrets = {
  create: (input: NewFlowSecret) => api.post('/flowsecret', input),
  replace: (id: number, input: Omit<NewFlowSecret, 'name'>) => api.put(`/flowsecret/${id}`, input),
  remove: (id: number) => api.delete(`/flowsecret/${id}`),
}
