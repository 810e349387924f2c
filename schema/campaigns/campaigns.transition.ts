import { nothing, type ServerDecision } from '../command.ts'
import type { ByTable } from '../decided.ts'
import { DomainError, type ErrorCode } from '../errors.ts'
import { textFields } from './campaigns.inputs.ts'
import {
  type CampaignMove,
  type CampaignStatus,
  editable,
  isTooLate,
  type PauseReason,
  statusBySchedule,
} from './campaigns.state.ts'
import type { Campaign, PlanCursor } from './campaigns.table.ts'

/**
 * The life of a campaign, as one table: for each status and event a rule, or the code of the refusal. Everything that
 * changes a campaign goes through `campaignAfter`. The rules by number are in `SPEC.md`.
 */
export type CampaignEvent =
  /** A person makes a move. `isTooLong`: a text of it would lose its end, see `hasLongText`. `templateStop`: why its template sends nothing. */
  | { [M in CampaignMove]: { type: M; isTooLong: boolean; templateStop?: PauseReason | null } }[CampaignMove]
  /** Its date has come. */
  | { type: 'due'; isTooLong: boolean; templateStop?: PauseReason | null }
  /** A rule, WhatsApp or the phone stops it. */
  | { type: 'stop'; reason: PauseReason }
  /** Everybody is served, or nobody sends it. */
  | { type: 'finish' }
  /** More of its rows stand; `cursor` is null when all do. */
  | { type: 'plan'; duplicates: number; cursor: PlanCursor | null }
  /** So many more have left. */
  | { type: 'send'; count: number }
  /** A person writes what stands in it. */
  | { type: 'write'; values: Partial<Campaign> }
  /** A person sets its file, or takes it off. */
  | { type: 'file'; file: Partial<Campaign> }
  /** What it names is deleted; `isNeeded`: without it nobody can say whom it would reach, or with what. */
  | { type: 'lose'; field: 'contactListId' | 'tagListId' | 'fileListId' | 'replyQueueId'; isNeeded: boolean }
  | { type: 'remove' }

type CampaignOutcome = { patch: Partial<Campaign> } | { refused: ErrorCode }
type Rule = (campaign: Campaign, event: never, now: Date) => CampaignOutcome
type EventOf<T extends CampaignEvent['type']> = Extract<CampaignEvent, { type: T }>

const refuse = (refused: ErrorCode) => (): CampaignOutcome => ({ refused })
const never = refuse('ERR_CAMPAIGN_STATE')
const unchanged = (): CampaignOutcome => ({ patch: {} })

/** It sends, from now on or again. */
const goOn = (
  { startedAt }: Campaign,
  { isTooLong, templateStop = null }: EventOf<'start' | 'restart' | 'resume' | 'retry'>,
  now: Date,
): CampaignOutcome =>
  isTooLong || templateStop
    ? { refused: isTooLong ? 'ERR_CAMPAIGN_TEXT_LONG' : 'ERR_CAMPAIGN_TEMPLATE' }
    : {
        patch: {
          ...{ status: 'EM_ANDAMENTO', pauseReason: null, startedAt: startedAt ?? now, completedAt: null },
          updatedAt: now,
        },
      }
/** Nobody is there who could be refused: it stands still, and says why. */
const begin = (
  _campaign: Campaign,
  { isTooLong, templateStop = null }: EventOf<'due'>,
  now: Date,
): CampaignOutcome => ({
  patch:
    isTooLong || templateStop
      ? { status: 'PAUSADA', pauseReason: isTooLong ? 'too_long' : templateStop, updatedAt: now }
      : { status: 'EM_ANDAMENTO', startedAt: now, updatedAt: now },
})
const cancel = (_campaign: Campaign, _event: unknown, now: Date): CampaignOutcome => ({
  patch: { status: 'CANCELADA', pauseReason: null, updatedAt: now },
})
const pause = (_campaign: Campaign, _event: unknown, now: Date): CampaignOutcome => ({
  patch: { status: 'PAUSADA', pauseReason: 'hand', updatedAt: now },
})
const stop = (_campaign: Campaign, { reason }: EventOf<'stop'>, now: Date): CampaignOutcome => ({
  patch: { status: 'PAUSADA', pauseReason: reason, updatedAt: now },
})
const finish = (_campaign: Campaign, _event: unknown, now: Date): CampaignOutcome => ({
  patch: { status: 'FINALIZADA', completedAt: now, updatedAt: now },
})
const plan = (campaign: Campaign, { duplicates, cursor }: EventOf<'plan'>, now: Date): CampaignOutcome =>
  campaign.plannedAt !== null
    ? { patch: {} }
    : {
        patch: {
          ...{ duplicates: campaign.duplicates + duplicates, planCursor: cursor },
          ...(cursor === null && { plannedAt: now }),
        },
      }
const send = ({ sends }: Campaign, { count }: EventOf<'send'>): CampaignOutcome => ({ patch: { sends: sends + count } })

/** A date makes it a scheduled one, and taking it away makes it inactive again. */
const write = (campaign: Campaign, { values }: EventOf<'write'>, now: Date): CampaignOutcome => {
  if (editable(campaign, now) !== 'all') return { refused: 'ERR_CAMPAIGN_STATE' }
  const scheduledAt = values.scheduledAt === undefined ? campaign.scheduledAt : values.scheduledAt
  if (isTooLate(scheduledAt, campaign.scheduledAt, now)) return { refused: 'ERR_CAMPAIGN_DATE' }
  return { patch: { ...values, status: statusBySchedule(scheduledAt), updatedAt: now } }
}
/** Of what may go on, only the words. */
const writeTexts = (_campaign: Campaign, { values }: EventOf<'write'>, now: Date): CampaignOutcome => ({
  patch: {
    ...Object.fromEntries(textFields.flatMap((field) => (field in values ? [[field, values[field]]] : []))),
    updatedAt: now,
  },
})
const setFile = (campaign: Campaign, { file }: EventOf<'file'>, now: Date): CampaignOutcome =>
  editable(campaign, now) === 'all' ? { patch: { ...file, updatedAt: now } } : { refused: 'ERR_CAMPAIGN_STATE' }

const lose = (_campaign: Campaign, { field }: EventOf<'lose'>, now: Date): CampaignOutcome => ({
  patch: { [field]: null, updatedAt: now },
})
/** It does not begin by itself until somebody has looked at it. */
const loseDate = (_campaign: Campaign, { field, isNeeded }: EventOf<'lose'>, now: Date): CampaignOutcome => ({
  patch: { [field]: null, ...(isNeeded && { status: 'INATIVA', scheduledAt: null }), updatedAt: now },
})

const noMoves: Record<CampaignMove, Rule> = {
  ...{ start: never, cancel: never, restart: never, pause: never, resume: never, retry: never },
}
/** What the machinery tells of a campaign that does not run: it was stopped meanwhile. */
const asleep = {
  ...{ due: unchanged, stop: unchanged, finish: unchanged, plan: unchanged, send: unchanged },
  ...{ write: never, file: never, lose, remove: unchanged },
} satisfies Partial<Record<CampaignEvent['type'], Rule>>
const atWork = refuse('ERR_CAMPAIGN_RUNNING')

export const campaignTransitions: { [S in CampaignStatus]: { [T in CampaignEvent['type']]: Rule } } = {
  INATIVA: { ...noMoves, ...asleep, start: goOn, write, file: setFile },
  PROGRAMADA: { ...noMoves, ...asleep, start: goOn, cancel, due: begin, write, file: setFile, lose: loseDate },
  EM_ANDAMENTO: { ...noMoves, ...asleep, cancel, pause, stop, finish, plan, send, remove: atWork },
  PAUSADA: { ...noMoves, ...asleep, cancel, resume: goOn, retry: goOn, remove: atWork },
  CANCELADA: { ...noMoves, ...asleep, restart: goOn, retry: goOn, write: writeTexts },
  FINALIZADA: { ...noMoves, ...asleep, retry: goOn },
}

/** What becomes of a campaign, or the code of the refusal. */
export function campaignAfter(
  campaign: Campaign,
  event: CampaignEvent,
  now: Date,
): { patch: ByTable<Campaign> } | { refused: ErrorCode } {
  // The table is checked by its type; only the pairing of an event with its own rule is beyond the compiler here.
  const rule = campaignTransitions[campaign.status][event.type] as (
    campaign: Campaign,
    event: CampaignEvent,
    now: Date,
  ) => { patch: ByTable<Campaign> } | { refused: ErrorCode }
  return rule(campaign, event, now)
}

/**
 * The same as a decision: nothing where nothing changes.
 * @throws DomainError the code of the refusal (`status`)
 */
export function changeCampaign(
  campaign: Campaign,
  event: CampaignEvent,
  now: Date,
): { campaign: Campaign; decision: ServerDecision } {
  const outcome = campaignAfter(campaign, event, now)
  if ('refused' in outcome) throw new DomainError(outcome.refused, { status: campaign.status })
  const { patch } = outcome
  const { id } = campaign
  if (event.type === 'remove')
    return { campaign, decision: { ...nothing, rows: [{ table: 'campaigns', op: 'delete', ids: [id] }] } }
  if (Object.keys(patch).length === 0) return { campaign, decision: nothing }
  return {
    campaign: { ...campaign, ...patch },
    decision: { ...nothing, rows: [{ table: 'campaigns', op: 'update', ids: [id], values: patch }] },
  }
}

/** With it a campaign begins; with a date it is scheduled. */
export function newCampaignRow(
  values: Partial<Campaign> & { id: number; seed: number },
  { companyId, userId }: { companyId: number; userId: number },
): ServerDecision {
  const status = statusBySchedule(values.scheduledAt ?? null)
  return { ...nothing, rows: [{ table: 'campaigns', op: 'insert', values: { ...values, companyId, userId, status } }] }
}

/** Whether a person may make a move now: buttons ask. */
export const mayMove = (status: CampaignStatus, move: CampaignMove): boolean =>
  campaignTransitions[status][move] !== never
