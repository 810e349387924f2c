import type { ConditionKind, RuleInput } from '../../schema/rules/rules.inputs.ts'
import type { ConditionMet, RuleOutcome, RuleResult } from '../../schema/rules/rules.table.ts'
import type { RuleTrigger } from '../../schema/rules/rules.triggers.ts'
import type { ListSource } from '../kit/data-list.tsx'
import { api } from '../session/api.ts'
import { useFetched, useRecords } from '../session/fetched.ts'
import { useCompanyEvent } from '../session/use-event.ts'

/** A rule as its form has it. */
export type RuleForm = Omit<RuleInput, 'position' | 'active'>

export interface RuleRow extends RuleInput {
  id: number
  version: number
  /** ISO instant; null: it never was live. */
  activeSince: string | null
}
export interface ListedRule extends RuleRow {
  /** What it did in seven days. */
  lately: Record<Exclude<RuleResult, 'passed'>, number>
}

/** A ticket by its name; null for one that the reader may not see. */
interface NamedTicket {
  id: number
  uuid: string
  name: string
}

export interface RunRow {
  id: string
  version: number
  trigger: RuleTrigger
  result: RuleResult
  depth: number
  met: ConditionMet[]
  outcome: RuleOutcome
  /** ISO instant. */
  createdAt: string
  ticket: NamedTicket | null
}

/** What a rule would have done in the last thirty days. */
export interface DryRunAnswer {
  matched: number
  looked: number
  isWhole: boolean
  tickets: (NamedTicket & { at: string; wouldDo: string[] })[]
  hidden: number
  unknowable: (ConditionKind | 'trigger')[]
  /** Since when what it answers is written down, where that is later than the days that were asked about. */
  since: string | null
}

interface RuleEvent {
  action: string
  /** Of `ran`: those that were asked. */
  ruleIds?: number[]
}

/** All of them, in their order: a company has a few. */
export function useRules(): ListSource<ListedRule> {
  const { data, ...list } = useFetched<{ records: ListedRule[] }>('/rules')
  // That rules are asked is told for each message; how often they acted lately may be a moment old.
  useCompanyEvent('rule', (data) => (data as RuleEvent).action !== 'ran' && list.reload())
  return { ...list, data: data?.records }
}

export function useRule(id: number) {
  const fetched = useFetched<RuleRow>(`/rules/${id}`)
  useCompanyEvent('rule', (data) => (data as RuleEvent).action !== 'ran' && fetched.reload())
  return fetched
}

export function useRuns(id: number, result: RuleResult | null): ListSource<RunRow> {
  const runs = useRecords<RunRow>(`/rules/${id}/runs`, result ? { result } : {})
  useCompanyEvent('rule', (data) => (data as RuleEvent).ruleIds?.includes(id) === true && runs.reload())
  return runs
}

export const rules = {
  create: (input: RuleForm) => api.post<RuleRow>('/rules', input),
  update: (id: number, input: Partial<RuleInput> & { version?: number }) => api.put<RuleRow>(`/rules/${id}`, input),
  remove: (id: number) => api.delete(`/rules/${id}`),
  dryRun: (rule: Omit<RuleForm, 'name' | 'stopOnMatch'>, signal: AbortSignal) => {
    const { trigger, minutes, byPeople, match, conditions, actions } = rule
    return api.post<DryRunAnswer>(
      '/rules/dry-run',
      { rule: { trigger, minutes, byPeople, match, conditions, actions } },
      { signal },
    )
  },
}
