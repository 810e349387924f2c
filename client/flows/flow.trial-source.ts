import { useEffect, useState, useSyncExternalStore } from 'react'
import type { RefObject } from 'react'
import { calledFlows, type FlowGraph } from '../../schema/flows/flows.graph.ts'
import { graphOf } from '../../schema/flows/flows.rows.ts'
import { leavingWords } from '../../schema/flows/flows.leaving.ts'
import type { FlowGraphs } from '../../schema/flows/flows.run.ts'
import type { FlowVersion } from '../../schema/flows/flows.table.ts'
import { newId } from '../../schema/ids.ts'
import { api } from '../session/api.ts'
import { useConnections, useQueues, useTags } from '../replica/directory.ts'
import { useRows } from '../replica/live-rows.ts'
import { bestTemplate } from '../../schema/templates/templates.state.ts'
import { useAllTemplates } from '../templates/templates.rows.ts'
import { useReplica } from '../replica/replica.tsx'
import { ownCompany } from '../replica/own-company.ts'
import { useUser } from '../session/session.tsx'
import { useSetting } from '../settings/settings.queries.ts'
import { useEditor } from './flow.editor.tsx'
import type { FlowRow } from './flows.queries.ts'
import { draftOf, queueHours } from './flows.rows.ts'
import { DRAFT, hoursTried, Trial, type TrialDeps, type TrialSetup, withHours } from './flow.trial.ts'

/** Keeps a test while its panel is closed. */
export type HeldTrial = RefObject<{ trial: Trial; source: Source } | null>
type Source = Pick<TrialDeps, 'graphs' | 'facts'>

/** The test of the flow that is open, on what this computer knows. */
export function useTrial(heldRef: HeldTrial): {
  trial: Trial
  /** What is not there yet would be missed at the first step. */
  ready: boolean
  /** Flows that this one calls are taken as they are drawn. */
  fromDrafts: boolean
  timeZone: string
} {
  const { flow, flows, draft, known } = useEditor()
  const { company } = useUser()
  const { graph } = useSyncExternalStore(draft.subscribe, draft.view)
  const { others, ready, fromDrafts } = useCalled(graph, flow, flows)
  const facts = useRows(ownCompany).rows?.[0]
  const hoursOf = useRows(queueHours).rows
  const { byId: queues } = useQueues()
  const { byId: tags } = useTags()
  const { list: connections } = useConnections()
  const templates = useAllTemplates()
  const connection = connections.find(({ isDefault }) => isDefault) ?? connections[0]

  const timeZone = facts?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const stop = useSetting('flowStopWords')
  const menu = useSetting('flowMenuWords')
  const leaving = { stop: leavingWords(stop), menu: leavingWords(menu) }
  const source: Source = {
    graphs: (): FlowGraphs => {
      const { hours } = heldRef.current?.trial.view().setup ?? { hours: 'clock' as const }
      const versions = [...others].map(([id, other]) => [String(id), withHours(other, hours)] as const)
      return {
        versions: { [DRAFT]: withHours(draft.view().graph, hours), ...Object.fromEntries(versions) },
        // What is drawn here is what this flow would be once it is published.
        live: { ...Object.fromEntries([...others.keys()].map((id) => [id, String(id)])), [flow.id]: DRAFT },
      }
    },
    facts: ({ contact, tags: tagIds, queueId, hours }) => ({
      timeZone,
      language: facts?.language ?? 'pt',
      leaving,
      contact,
      ticket: { id: 1 },
      queue: queueId === null ? null : { id: queueId, name: queues.get(queueId)?.name ?? '' },
      connection: connection ? { name: connection.name } : null,
      company: { name: company.name },
      templateOf: (name, language) => bestTemplate(templates ?? [], name, language),
      tags: tagIds.map((id) => ({ id, name: tags.get(id)?.name ?? '' })),
      hours: hoursTried(hours, {
        company: facts?.schedules ?? [],
        holidays: facts?.holidays ?? [],
        connection: known?.connections.find(({ id }) => id === connection?.id)?.schedules ?? [],
        queues: Object.fromEntries((hoursOf ?? []).map(({ id, schedules }) => [id, schedules ?? []])),
      }),
    }),
  }
  const [trial] = useState(() => {
    if (heldRef.current) return heldRef.current.trial
    // What it asks is always asked of the latest.
    return new Trial(
      {
        graphs: () => heldRef.current!.source.graphs(),
        facts: (at) => heldRef.current!.source.facts(at),
        now: Date.now,
        newId,
        seed: () => crypto.getRandomValues(new Uint32Array(1))[0]!,
      },
      somebody,
    )
  })
  heldRef.current = { trial, source }
  return { trial, ready: ready && facts !== undefined, fromDrafts, timeZone }
}

const somebody: TrialSetup = {
  ...{ name: 'Maria Souza', number: '5511987654321', email: 'maria@example.com', tags: [] },
  ...{ isNew: true, hours: 'clock' },
}

/** The flows that the draft calls, and those that they call: as they were published, or, without a network, as they are drawn. */
function useCalled(graph: FlowGraph, self: FlowRow, flows: readonly FlowRow[]) {
  const replica = useReplica()
  const [loaded, setLoaded] = useState<ReadonlyMap<number, { versionId: number; graph: FlowGraph; isDraft: boolean }>>(
    () => new Map(),
  )
  const wanted = new Set<number>()
  const look = (at: FlowGraph) => {
    for (const id of calledFlows(at)) {
      const other = flows.find((one) => one.id === id)
      if (id === self.id || wanted.has(id) || !other?.active || other.versionId === null) continue
      wanted.add(id)
      const there = loaded.get(id)
      if (there) look(there.graph)
    }
  }
  look(graph)
  const missing = [...wanted].filter((id) => {
    const there = loaded.get(id)
    return !there || there.versionId !== flows.find((one) => one.id === id)!.versionId
  })
  const key = missing.join(',')
  useEffect(() => {
    if (key === '') return
    let left = false
    const load = async (id: number) => {
      const versionId = flows.find((one) => one.id === id)!.versionId!
      try {
        const { nodes } = await api.get<FlowVersion>(`/flowbuilder/${id}/versions/${versionId}`)
        return [id, { versionId, graph: graphOf(nodes), isDraft: false }] as const
      } catch {
        const rows = await draftOf(replica, id)
        return [id, { versionId, graph: graphOf(rows), isDraft: true }] as const
      }
    }
    void Promise.all(key.split(',').map((id) => load(Number(id)))).then((found) => {
      if (!left) setLoaded((before) => new Map([...before, ...found]))
    })
    return () => {
      left = true
    }
    // `key` stands for the flows that are missing.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [key, replica])
  const there = [...wanted].flatMap((id) => {
    const one = loaded.get(id)
    return one ? [[id, one] as const] : []
  })
  return {
    others: new Map(there.map(([id, one]) => [id, one.graph])),
    ready: missing.length === 0,
    fromDrafts: there.some(([, one]) => one.isDraft),
  }
}
