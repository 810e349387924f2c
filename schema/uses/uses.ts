import { type CampaignStatus, isAtWork } from '../campaigns/campaigns.state.ts'
import type { NodeType } from '../flows/flows.inputs.ts'
import type { Permission } from '../permissions.ts'

/**
 * Where something is used, and what becomes of the places when it is deleted. The dialog tells it before, the deletion
 * makes it true, and both read it here.
 */

/** What can be deleted while something else names it. */
export const usedNouns = [
  ...(['queue', 'user', 'tag', 'contactList', 'fileList', 'prompt', 'integration'] as const),
  ...(['segment', 'flow', 'connection', 'webhook'] as const),
] as const
export type UsedNoun = (typeof usedNouns)[number]

/** What may name it. */
export type UseKind =
  | 'flow'
  | 'campaign'
  | 'segment'
  | 'connection'
  | 'queue'
  | 'assistant'
  | 'schedule'
  | 'quickMessage'
  | 'webhook'
  | 'integration'
  | 'phrase'
  /** The flow that a contact's first message begins. */
  | 'firstFlow'
  /** The flow that any text without a phrase begins. */
  | 'defaultFlow'
  | 'user'
  | 'template'
  | 'macro'
  | 'rule'

/** What becomes of a place; the client has a sentence for each. */
export type Becoming =
  /** A block gives the conversation to whoever is there; hours of a queue that is gone count as open. */
  | 'flowLeavesToPeople'
  /** A block does nothing, and a comparison with it is never right. */
  | 'flowGoesPast'
  /** The block takes its way for errors; without one, people take over. */
  | 'flowTakesErrorWay'
  /** The block leads nowhere: the flow stops there, and people take over. */
  | 'flowStops'
  /** It goes on: who gets it is written down already. */
  | 'campaignGoesOn'
  /** Nothing is sent at its time before somebody has looked at it again. */
  | 'campaignUnscheduled'
  | 'campaignWithout'
  /** It is at work and needs it: the deletion is refused. */
  | 'campaignRefuses'
  /** It gathers or would gather its people without that segment; with nobody else it ends with nothing sent. */
  | 'campaignWithoutPeople'
  /** It is at work: what is left of it is cancelled. */
  | 'campaignEnds'
  /** At its time it ends with nothing sent, unless somebody chooses another connection before. */
  | 'campaignEndsUnsent'
  | 'campaignWithoutConnection'
  /** Who answers waits without a queue. */
  | 'repliesWithoutQueue'
  | 'ruleFindsNobody'
  | 'connectionWithoutQueue'
  | 'withoutAssistant'
  | 'withoutIntegration'
  | 'assistantWithoutQueue'
  /** Nobody is there any more who might send it. */
  | 'scheduleFails'
  | 'withoutOwner'
  | 'webhookWithoutQueue'
  /** It began the flow. */
  | 'beginsNoFlow'
  | 'goesToo'
  /** The default connection sends it; where there is none, nobody. */
  | 'scheduleByDefault'
  | 'userWithoutConnection'
  | 'queueNotOffered'
  /** The service keeps it. */
  | 'templateForgotten'
  /** It is refused as a whole until somebody has mended it. */
  | 'macroRefuses'
  /** It acts no more, or asks for what is never so, until somebody has mended it. */
  | 'ruleStops'

/** The fields of blocks that name something by its id. */
export const blockFields: Record<UsedNoun, readonly { type: NodeType; field: string }[]> = {
  queue: [
    { type: 'ticket', field: 'queueId' },
    { type: 'hours', field: 'queueId' },
  ],
  user: [{ type: 'agent', field: 'userId' }],
  tag: [{ type: 'tag', field: 'tagId' }],
  prompt: [{ type: 'ai', field: 'promptId' }],
  integration: [{ type: 'typebot', field: 'integrationId' }],
  flow: [{ type: 'flow', field: 'flowId' }],
  contactList: [],
  fileList: [],
  segment: [],
  connection: [],
  webhook: [],
}

/** What the comparisons of a flow call it: they know it by its id or its name. */
export const comparedAs: Partial<Record<UsedNoun, 'queue' | 'tag'>> = { queue: 'queue', tag: 'tag' }

/** Without which of them nobody is told its name; null: everybody may know. */
export const seenWith: Record<UseKind, Permission | null> = {
  flow: 'automations:write',
  campaign: 'campaigns:write',
  segment: 'campaigns:write',
  connection: null,
  queue: null,
  assistant: null,
  schedule: 'tickets-manager:showall',
  quickMessage: 'quick-messages:any',
  webhook: 'webhooks:write',
  integration: 'automations:write',
  phrase: 'automations:write',
  firstFlow: 'automations:write',
  defaultFlow: 'automations:write',
  user: 'users:write',
  template: 'templates:write',
  macro: 'macros:write',
  rule: 'rules:write',
}

/** A place where it is used. */
export interface Use {
  kind: UseKind
  id: number | string
  name: string
  becomes: Becoming
}

/** What of a campaign decides. */
export interface UsingCampaign {
  status: CampaignStatus
  /** All its people are written down. */
  isPlanned: boolean
}

/** What becomes of a campaign from which that is taken. */
export function campaignWithout(noun: UsedNoun, { status, isPlanned }: UsingCampaign): Becoming {
  if (noun === 'queue') return 'repliesWithoutQueue'
  if (noun === 'connection') {
    if (isAtWork(status)) return 'campaignEnds'
    return status === 'PROGRAMADA' ? 'campaignEndsUnsent' : 'campaignWithoutConnection'
  }
  if (noun === 'segment') return isAtWork(status) && isPlanned ? 'campaignGoesOn' : 'campaignWithoutPeople'
  if (isAtWork(status)) {
    // Files are read as each message leaves; lists and tags, until everybody is written down.
    if (noun === 'fileList' || !isPlanned) return 'campaignRefuses'
    return 'campaignGoesOn'
  }
  return status === 'PROGRAMADA' ? 'campaignUnscheduled' : 'campaignWithout'
}

/** What becomes of every other place. */
export function becomes(noun: UsedNoun, kind: Exclude<UseKind, 'campaign'>): Becoming {
  switch (kind) {
    case 'flow':
      if (noun === 'flow') return 'flowStops'
      if (noun === 'prompt' || noun === 'integration') return 'flowTakesErrorWay'
      return noun === 'tag' ? 'flowGoesPast' : 'flowLeavesToPeople'
    case 'segment':
      return 'ruleFindsNobody'
    case 'connection':
      if (noun === 'flow') return 'beginsNoFlow'
      if (noun === 'integration') return 'withoutIntegration'
      return noun === 'prompt' ? 'withoutAssistant' : 'connectionWithoutQueue'
    case 'queue':
      if (noun === 'flow') return 'beginsNoFlow'
      if (noun === 'connection') return 'queueNotOffered'
      return noun === 'integration' ? 'withoutIntegration' : 'withoutAssistant'
    case 'assistant':
      return 'assistantWithoutQueue'
    case 'schedule':
      return noun === 'connection' ? 'scheduleByDefault' : 'scheduleFails'
    case 'quickMessage':
      return 'withoutOwner'
    case 'webhook':
      return 'webhookWithoutQueue'
    case 'integration':
    case 'firstFlow':
    case 'defaultFlow':
      return 'beginsNoFlow'
    case 'phrase':
      return 'goesToo'
    case 'user':
      return 'userWithoutConnection'
    case 'template':
      return 'templateForgotten'
    case 'macro':
      return 'macroRefuses'
    case 'rule':
      return 'ruleStops'
  }
}

/** Places of one kind that are told by name. */
export const MOST_NAMED = 20

/** What somebody is told who is about to delete. */
export interface Uses {
  uses: Use[]
  /** Places that they may not see, and those beyond what is named. */
  others: number
  /** Whether the deletion would be refused now. */
  isRefused: boolean
}

/** What of all uses somebody may read. */
export function usesView(all: readonly Use[], may: (permission: Permission) => boolean): Uses {
  const named = new Map<UseKind, number>()
  const uses = all.filter(({ kind }) => {
    const needed = seenWith[kind]
    if (needed !== null && !may(needed)) return false
    const n = (named.get(kind) ?? 0) + 1
    named.set(kind, n)
    return n <= MOST_NAMED
  })
  return {
    uses,
    others: all.length - uses.length,
    isRefused: all.some((use) => use.becomes === 'campaignRefuses'),
  }
}
