import type { DecisionStep } from '../../schema/automation/automation.table.ts'
import type { HoursAt } from '../../schema/hours/hours.at.ts'
import { api } from '../session/api.ts'
import { type RowOf, someOf } from '../replica/columns.ts'
import type { Rows } from '../replica/rows.ts'

/** Why a message was answered, or not; moments are ISO instants. */
export interface DecisionView {
  trigger: 'message' | 'timer' | 'answer' | 'rule' | 'asked'
  messageId: string | null
  createdAt: string
  /** Who does not hold `automations:trace` is told the last one alone. */
  steps: DecisionStep[]
  actions: Record<string, unknown>[]
  /** Of a flow: which, and the blocks that it went through. Null for who does not hold `automations:trace`. */
  by: {
    flowId?: number
    runId?: string
    nodes?: string[]
    model?: string
    inputTokens?: number
    outputTokens?: number
  } | null
}

const block = someOf<'flowNodes'>()({
  id: true,
  flowId: true,
  node: true,
  type: true,
  x: true,
  y: true,
  data: true,
  exits: true,
})

/** The blocks of these ids, in whatever flow they are. A start's id is no block's own. */
export const blocksOf = (nodes: readonly string[]): Rows<RowOf<typeof block>> => ({
  query: {
    sql: `SELECT ${block.text()} FROM flow_nodes
      WHERE type <> 'start' AND node IN (${nodes.map((_, i) => `$${i + 1}`).join(', ')})`,
    params: [...nodes],
    tables: ['flow_nodes'],
  },
  read: block.read,
  keyOf: ({ id }) => id,
})

export const decisionPath = (messageId: string) => `/messages/${encodeURIComponent(messageId)}/decision`

export interface Preview {
  steps: DecisionStep[]
  actions: Record<string, unknown>[]
  replies: { body: string; file: { name: string; mimetype: string } | null }[]
  stateAfter: { status: string; queueId: number | null; userId: number | null; flowId: number | null }
}

/** `nextOpen` is an ISO instant. */
export type HoursAnswer = Omit<HoursAt, 'nextOpen'> & { nextOpen: string | null }

/** What would be. Nothing of it is written, and nobody outside is asked. */
export const tries = {
  preview: (question: { whatsappId: number; body: string; contactId: number | null; at?: string | undefined }) =>
    api.post<Preview>('/automations/preview', question),
  hours: (question: { whatsappId: number | null; queueId: number | null; at?: string | undefined }) =>
    api.post<HoursAnswer>('/hours/test', question),
}

const flow = someOf<'flows'>()({ id: true, name: true })
export type FlowName = RowOf<typeof flow>

/** The flows that this browser holds: those of who draws them. */
export const flowNames: Rows<FlowName> = {
  query: { sql: `SELECT ${flow.text()} FROM flows`, tables: ['flows'] },
  read: flow.read,
  keyOf: ({ id }) => id,
}
