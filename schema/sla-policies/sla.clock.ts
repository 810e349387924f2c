import { meetsField } from '../custom-fields/custom-fields.conditions.ts'
import type { FieldPatch } from '../custom-fields/custom-fields.table.ts'
import { MINUTE_MS } from '../durations.ts'
import { afterOpen, type Calendar, openMs } from '../hours/hours.spans.ts'
import type { NextDue } from '../tickets/tickets.due.ts'
import { noPromise } from '../tickets/tickets.due.ts'
import type { Ticket } from '../tickets/tickets.table.ts'
import type { ContactAsked, SlaClock, SlaPolicy, SlaState } from './sla-policies.table.ts'
import { type SlaMetric, slaMetrics } from './sla.metrics.ts'

/**
 * What is promised to a contact, and what becomes of it: facts and a moment in, rows out. Rules by number in `SPEC.md`.
 * Nothing here looks at a clock.
 */

/** Of a ticket, what its promises follow from; as it is now. */
export type SlaTicket = Pick<
  Ticket,
  'id' | 'companyId' | 'status' | 'isGroup' | 'queueId' | 'tagIds' | 'snoozedUntil'
> & {
  /** The contact's extra information. */
  fields: readonly { name: string; value: string }[]
  /** Values of the contact's fields of the company's own. */
  contactFields: FieldPatch
}

/** What a company promises, and its hours. */
export interface SlaRules {
  /** The active ones, in their order. */
  policies: readonly SlaPolicy[]
  /** By which hours a policy counts for a ticket of this queue; null: always. */
  calendarOf(policy: Pick<SlaPolicy, 'calendar'>, queueId: number | null): Calendar | null
}

/** Who spoke in a ticket, where it is the contact or a person of the company; bots, campaigns and programs do not count. */
export interface Spoken {
  ticketId: number
  by: 'contact' | 'person'
  at: Date
}

export interface SlaFacts {
  ticket: SlaTicket
  /** Undefined for a ticket of which nothing is remembered yet. */
  state: SlaState | undefined
  /** Its open clocks, and of each metric the one that ended last: it may go on. */
  clocks: readonly SlaClock[]
}

/** What happened to a ticket, besides what it is now. */
export interface SlaHappened {
  /** In their order. */
  spoken: readonly Spoken[]
  /** Its end was taken back. */
  isResumed?: boolean
  /** A promise that begins, begins no earlier: nobody had promised anything before. */
  noEarlierThan?: Date
  /** Hours or policies have changed: what goes is counted anew. */
  recount?: boolean
  /** Whether what is overdue is told, also where it goes on. Only the clock asks for it. */
  tell?: boolean
}

/** What happened in a ticket while its clocks could not move; moments are ISO. */
export interface SlaMissed {
  ticketId: number
  /** When it happened, or the first of it. */
  at: string
  spoken: { by: Spoken['by']; at: string }[]
  isResumed: boolean
  /** Its service began then. */
  hasBegun: boolean
}

/** That a promise is at risk, or was broken: told once each. Rules and escalation begin here. */
export interface SlaTold {
  what: 'warning' | 'breach'
  clockId: string
  ticketId: number
  metric: SlaMetric
  policyId: number | null
}

export interface SlaOutcome {
  state: SlaState
  /** Whether `state` is another one than before. */
  isStateNew: boolean
  /** New and changed ones, whole. */
  clocks: SlaClock[]
  next: NextDue
  told: SlaTold[]
}

/** Whether a policy is for tickets like this one. */
export const fits = (
  policy: SlaPolicy,
  ticket: Pick<SlaTicket, 'queueId' | 'tagIds' | 'fields' | 'contactFields'>,
): boolean =>
  (policy.queueIds.length === 0 || (ticket.queueId !== null && policy.queueIds.includes(ticket.queueId))) &&
  (policy.tagIds.length === 0 || policy.tagIds.some((id) => ticket.tagIds.includes(id))) &&
  (policy.contactField === null || isAsked(policy.contactField, ticket))

const isAsked = (asked: ContactAsked, { fields, contactFields }: Pick<SlaTicket, 'fields' | 'contactFields'>) =>
  'op' in asked
    ? meetsField(asked, contactFields)
    : fields.some((field) => same(field.name, asked.name) && same(field.value, asked.value))

const same = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase()

/** The first one that fits. */
export const policyFor = (rules: Pick<SlaRules, 'policies'>, ticket: SlaTicket): SlaPolicy | undefined =>
  ticket.isGroup ? undefined : rules.policies.find((policy) => fits(policy, ticket))

/** When each promise of a policy is broken, for a service whose first message comes at `startedAt`; null: none, or never. */
export const dueAts = (
  policy: Pick<SlaPolicy, SlaMetric>,
  calendar: Calendar | null,
  startedAt: Date,
): Record<SlaMetric, Date | null> =>
  Object.fromEntries(
    slaMetrics.map((metric) => {
      const minutes = policy[metric]
      return [metric, minutes === null ? null : afterOpen(calendar, startedAt, minutes * MINUTE_MS)]
    }),
  ) as Record<SlaMetric, Date | null>

/** A ticket's clocks while something happens to it. */
interface Walk {
  facts: SlaFacts
  now: Date
  policy: SlaPolicy | undefined
  calendar: Calendar | null
  state: SlaState
  open: Map<SlaMetric, SlaClock>
  changed: Map<string, SlaClock>
  told: SlaTold[]
  newId: () => string
}

/**
 * Moves the clocks of one ticket.
 * @param newId makes the ids of clocks that begin
 */
export function advance(
  rules: SlaRules,
  facts: SlaFacts,
  happened: SlaHappened,
  now: Date,
  newId: () => string,
): SlaOutcome {
  const { ticket } = facts
  const before = facts.state
  const isActive = ticket.status !== 'closed' && !ticket.isGroup
  const policy = isActive ? policyFor(rules, ticket) : undefined
  const walk: Walk = {
    ...{ facts, now, policy, newId },
    calendar: policy ? rules.calendarOf(policy, ticket.queueId) : null,
    state: before ?? blank(ticket),
    open: new Map(facts.clocks.filter(({ endedAt }) => endedAt === null).map((clock) => [clock.metric, clock])),
    changed: new Map(),
    told: [],
  }
  const wasActive = walk.state.serviceAt !== null
  const floor = happened.noEarlierThan
  if (isActive && !wasActive) begin(walk, happened, floor)
  // What ends or stands still was counted by the hours it went by until now.
  const counted = countedBy(rules, facts, walk)
  for (const spoken of happened.spoken) hear(walk, spoken, counted)
  if (!isActive) end(walk, counted)
  else {
    const isNew = before?.policyId !== (policy?.id ?? null)
    walk.state = { ...walk.state, policyId: policy?.id ?? null }
    reconcile(walk, { isNew, recount: happened.recount ?? false, floor, counted })
  }
  if (happened.tell) for (const clock of walk.open.values()) put(walk, settled(walk, clock, now, true))
  return {
    state: walk.state,
    isStateNew: before === undefined || !alike(before, walk.state),
    clocks: [...walk.changed.values()],
    next: isActive ? nextOf([...walk.open.values()]) : noPromise,
    told: walk.told,
  }
}

const blank = ({ id, companyId }: SlaTicket): SlaState => ({
  ...{ ticketId: id, companyId, policyId: null },
  ...{ serviceAt: null, answeredAt: null, waitingSince: null, isHeld: false },
})

const alike = (a: SlaState, b: SlaState) =>
  a.policyId === b.policyId &&
  a.isHeld === b.isHeld &&
  (['serviceAt', 'answeredAt', 'waitingSince'] as const).every((name) => a[name]?.getTime() === b[name]?.getTime())

/** The nearest of the promises whose clocks go. */
export function nextOf(open: readonly SlaClock[]): NextDue {
  const [first] = open
    .filter((clock) => clock.runningSince !== null && clock.dueAt !== null)
    .toSorted((a, b) => a.dueAt!.getTime() - b.dueAt!.getTime())
  return first ? { nextDueAt: first.dueAt, nextDueMetric: first.metric, nextRiskAt: first.riskAt } : noPromise
}

/** A service begins, or begins again. Of one whose end was taken back all goes on as if it had not ended. */
function begin(walk: Walk, { spoken, isResumed }: SlaHappened, floor: Date | undefined): void {
  const { facts, now } = walk
  const ended = facts.clocks.filter(({ endedAt }) => endedAt !== null)
  const last = Math.max(...ended.map(({ endedAt }) => endedAt!.getTime()))
  // An answer stays given.
  const wasOpen = ({ metric, metAt, endedAt }: SlaClock) =>
    endedAt!.getTime() === last && (metric === 'resolution' || metAt === null)
  const resumed = isResumed ? ended.filter(wasOpen) : []
  if (resumed.length > 0) {
    for (const clock of resumed) put(walk, aimed(walk, { ...clock, metAt: null, endedAt: null, tookMs: null }))
    const starts = resumed.map(({ startedAt }) => startedAt.getTime())
    walk.state = { ...walk.state, serviceAt: new Date(Math.min(...starts)) }
    return
  }
  if (isResumed && facts.state) {
    walk.state = { ...walk.state, serviceAt: now }
    return
  }
  const said = spoken[0]?.at ?? now
  const first = said < now ? said : now
  walk.state = { ...blank(facts.ticket), serviceAt: floor && floor > first ? floor : first }
}

/** By which hours a clock has gone until now: those of the policy that it was begun by, where that is still there. */
function countedBy(rules: SlaRules, { ticket }: SlaFacts, walk: Walk): (clock: SlaClock) => Calendar | null {
  return ({ policyId }) => {
    const own = rules.policies.find(({ id }) => id === policyId) ?? walk.policy
    return own ? rules.calendarOf(own, ticket.queueId) : null
  }
}

type Counted = ReturnType<typeof countedBy>

function hear(walk: Walk, { by, at: said }: Spoken, counted: Counted): void {
  const { state, now } = walk
  const at = said < now ? said : now
  if (by === 'contact') {
    walk.state = { ...state, waitingSince: state.waitingSince ?? at, isHeld: false }
    const resolution = walk.open.get('resolution')
    if (resolution && state.isHeld && !isAside(walk)) put(walk, resumed(walk, resolution, at))
    startAnswer(walk)
    return
  }
  // What was written before the contact wrote answers nothing: it was only told of later.
  if (state.waitingSince !== null && at < state.waitingSince) return
  walk.state = { ...state, answeredAt: state.answeredAt ?? at, waitingSince: null, isHeld: true }
  for (const metric of ['firstAnswer', 'nextAnswer'] as const) {
    const clock = walk.open.get(metric)
    if (clock && clock.startedAt <= at) put(walk, met(walk, clock, at, counted(clock)))
  }
  const resolution = walk.open.get('resolution')
  if (resolution) put(walk, paused(walk, resolution, at, counted(resolution)))
}

const isAside = ({ facts }: Walk) => facts.ticket.snoozedUntil !== null

/** The promise of an answer, where somebody waits for one. */
function answerWanted({ state, policy }: Walk): SlaMetric | null {
  if (!policy || state.waitingSince === null) return null
  if (state.answeredAt === null && policy.firstAnswer !== null) return 'firstAnswer'
  return policy.nextAnswer === null ? null : 'nextAnswer'
}

const isSame = (a: SlaClock, b: SlaClock) =>
  a.policyId === b.policyId &&
  a.minutes === b.minutes &&
  (['riskAt', 'dueAt', 'nextAt'] as const).every((name) => a[name]?.getTime() === b[name]?.getTime())

function startAnswer(walk: Walk, floor?: Date): void {
  const metric = answerWanted(walk)
  if (metric && !walk.open.has(metric)) start(walk, metric, latest(walk.state.waitingSince!, floor))
}

const latest = (a: Date, b: Date | undefined) => (b && b > a ? b : a)

function start(walk: Walk, metric: SlaMetric, at: Date): void {
  const { facts, policy, newId } = walk
  const minutes = policy![metric]!
  const same = facts.clocks.find(
    (clock) => clock.metric === metric && clock.endedAt !== null && clock.startedAt.getTime() === at.getTime(),
  )
  // An answer stays given, also where it is heard of again.
  if (same && same.metAt !== null && metric !== 'resolution') return
  // What another policy had ended goes on: it is the same waiting, and is told no second time.
  if (same && same.metAt === null) {
    put(walk, aimed(walk, { ...same, policyId: policy!.id, minutes, endedAt: null }))
    return
  }
  put(
    walk,
    aimed(walk, {
      ...{ id: newId(), companyId: facts.ticket.companyId, ticketId: facts.ticket.id, policyId: policy!.id },
      ...{ metric, minutes, startedAt: at, runningSince: at, usedMs: 0, pausedAt: null, pausedMs: 0 },
      ...{ riskAt: null, dueAt: null, nextAt: null, warnedAt: null, breachedAt: null },
      ...{ metAt: null, endedAt: null, tookMs: null },
    }),
  )
}

/** Holds the open clocks against what is promised now. */
function reconcile(
  walk: Walk,
  how: { isNew: boolean; recount: boolean; floor: Date | undefined; counted: Counted },
): void {
  const { policy, state, now } = walk
  const wanted = new Set<SlaMetric | null>([
    answerWanted(walk),
    policy && policy.resolution !== null ? 'resolution' : null,
  ])
  for (const clock of walk.open.values()) {
    // A first answer that is no longer promised may be a later one's now, and the other way round.
    if (!wanted.has(clock.metric)) put(walk, over(walk, clock, now))
    else if (how.isNew || how.recount) {
      const anew = aimed(walk, { ...clock, policyId: policy!.id, minutes: policy![clock.metric]! })
      if (!isSame(anew, clock)) put(walk, anew)
    }
  }
  startAnswer(walk, how.floor)
  if (wanted.has('resolution') && !walk.open.has('resolution'))
    start(walk, 'resolution', latest(state.serviceAt!, how.floor))
  const resolution = walk.open.get('resolution')
  if (!resolution) return
  const stands = state.isHeld || isAside(walk)
  if (stands) put(walk, paused(walk, resolution, now, how.counted(resolution)))
  else if (resolution.runningSince === null) put(walk, resumed(walk, resolution, now))
}

/** The ticket is closed: what was promised of its end is kept, and of answers nobody waits any more. */
function end(walk: Walk, counted: Counted): void {
  const { now } = walk
  for (const clock of walk.open.values())
    put(walk, clock.metric === 'resolution' ? met(walk, clock, now, counted(clock)) : over(walk, clock, now))
  if (walk.state.serviceAt !== null) walk.state = { ...walk.state, serviceAt: null, policyId: null }
}

function put(walk: Walk, clock: SlaClock): void {
  if (walk.open.get(clock.metric) === clock) return
  walk.changed.set(clock.id, clock)
  if (clock.endedAt === null) walk.open.set(clock.metric, clock)
  else walk.open.delete(clock.metric)
}

// ── one clock ────────────────────────────────────────────────────────────────────────────────

/** When it is at risk and when it is broken, from where it goes on. What was told stays told, and is not told again. */
function aimed({ policy, calendar }: Walk, clock: SlaClock): SlaClock {
  const { runningSince, usedMs, minutes, warnedAt, breachedAt } = clock
  if (runningSince === null) return { ...clock, riskAt: null, dueAt: null, nextAt: null }
  const whole = minutes * MINUTE_MS
  const dueAt = breachedAt ?? afterOpen(calendar, runningSince, whole - usedMs)
  const share = policy?.warnAt ?? 100
  const riskAt = warnedAt ?? (breachedAt ? dueAt : afterOpen(calendar, runningSince, (whole * share) / 100 - usedMs))
  return { ...clock, dueAt, riskAt, nextAt: breachedAt ? null : warnedAt ? dueAt : (riskAt ?? dueAt) }
}

/** What is due at a moment is told: of one that is broken not first that it is at risk. */
function settled(walk: Walk, clock: SlaClock, at: Date, warns: boolean): SlaClock {
  const { dueAt, riskAt, breachedAt, warnedAt } = clock
  if (clock.runningSince === null || breachedAt !== null) return clock
  const tell = (what: SlaTold['what']) =>
    walk.told.push({
      what,
      clockId: clock.id,
      ticketId: clock.ticketId,
      metric: clock.metric,
      policyId: clock.policyId,
    })
  // What is done at the very moment is done in time.
  if (dueAt !== null && (warns ? dueAt <= at : dueAt < at)) {
    tell('breach')
    return { ...clock, breachedAt: dueAt, nextAt: null }
  }
  if (!warns || warnedAt !== null || riskAt === null || riskAt > at) return clock
  tell('warning')
  return { ...clock, warnedAt: riskAt, nextAt: dueAt }
}

/** Never before it began to go. */
const notBefore = (clock: SlaClock, at: Date) => latest(at, clock.runningSince ?? clock.pausedAt ?? undefined)

/** Stands still: the contact is waited for, or it lies aside. */
function paused(walk: Walk, given: SlaClock, moment: Date, calendar: Calendar | null): SlaClock {
  if (given.runningSince === null) return given
  const at = notBefore(given, moment)
  const clock = settled(walk, given, at, false)
  const usedMs = clock.usedMs + openMs(calendar, clock.runningSince!, at)
  return { ...clock, usedMs, runningSince: null, pausedAt: at, riskAt: null, dueAt: null, nextAt: null }
}

function resumed(walk: Walk, clock: SlaClock, moment: Date): SlaClock {
  if (clock.runningSince !== null) return clock
  const at = notBefore(clock, moment)
  const pausedMs = clock.pausedMs + (at.getTime() - clock.pausedAt!.getTime())
  return aimed(walk, { ...clock, pausedMs, pausedAt: null, runningSince: at })
}

/** Done, in time or late. */
function met(walk: Walk, given: SlaClock, moment: Date, calendar: Calendar | null): SlaClock {
  const at = notBefore(given, moment)
  const ended = over(walk, given, at)
  const went = given.runningSince === null ? 0 : openMs(calendar, given.runningSince, at)
  return { ...ended, metAt: at, tookMs: given.usedMs + went }
}

/** Nothing is to be done any more: it stays broken where it was, and is kept in neither count where it was not. */
function over(walk: Walk, given: SlaClock, moment: Date): SlaClock {
  const at = notBefore(given, moment)
  return { ...settled(walk, given, at, false), endedAt: at, nextAt: null }
}
