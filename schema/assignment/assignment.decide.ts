import type { AssignmentRule, Queue } from '../queues/queues.table.ts'
import { type Agent, isAway, isPresent } from './assignment.presence.ts'

/** A person of the queue, as the choice looks at them. */
export interface Candidate extends Agent {
  id: number
  /** At so many open tickets they get no more; null: as many as come. */
  capacity: number | null
  /** Tags. */
  skillIds: readonly number[]
  /** Their open tickets in all queues, without groups. */
  open: number
}

/** A ticket for which somebody is looked for. */
export interface Seeking {
  id: number
  tagIds: readonly number[]
  /** Since when it waits. */
  since: Date
  /** Who served the contact last. */
  lastAgentId: number | null
  /** Who gave it back, or passed it on, since its service began. */
  gaveBack: readonly number[]
  /** Whose it is while they are away; null of one that waits. */
  heldBy: number | null
}

export type AssigningQueue = Pick<Queue, 'id' | 'assignment' | 'lastAgentFirst' | 'whenAway'>

export interface AssignmentFacts {
  queue: AssigningQueue
  people: readonly Candidate[]
  /** Those that wait longest first. */
  seeking: readonly Seeking[]
  /** Whose turn was last. */
  turn: number | null
}

/** Why somebody did not get it, by the first thing that spoke against them. */
export type PassedWhy = 'away' | 'offline' | 'full' | 'gaveBack' | 'lacksSkill'
export interface Passed {
  userId: number
  why: PassedWhy
}

/** What a ticket comes to. */
export interface Choice {
  ticketId: number
  /** Null: nobody is free, and it waits on. */
  userId: number | null
  rule: AssignmentRule | 'lastAgent'
  /** Open tickets of who gets it, before. */
  load: number
  capacity: number | null
  passed: Passed[]
}

/**
 * Who gets which ticket, and why; in the order in which they wait. Pure: presence, loads and turns are facts, and what is
 * given counts for what comes after it.
 * @returns a choice for each ticket, and whose turn was last then
 */
export function assignTickets(facts: AssignmentFacts, now: Date): { choices: Choice[]; turn: number | null } {
  const { queue } = facts
  const people = facts.people.map((one) => ({ ...one })).sort((a, b) => a.id - b.id)
  let { turn } = facts
  const choices = facts.seeking.map((one): Choice => {
    const passed = people.flatMap((who) => {
      const why = against(queue, people, who, one, now)
      return why ? [{ userId: who.id, why }] : []
    })
    const out = new Set(passed.map(({ userId }) => userId))
    const free = people.filter(({ id }) => !out.has(id))
    const last = queue.lastAgentFirst ? free.find(({ id }) => id === one.lastAgentId) : undefined
    const chosen = last ?? pick(queue.assignment, free, turn)
    const rule = last ? 'lastAgent' : queue.assignment
    if (!chosen) return { ticketId: one.id, userId: null, rule, load: 0, capacity: null, passed }
    if (!last) turn = chosen.id
    chosen.open += 1
    return {
      ...{ ticketId: one.id, userId: chosen.id, rule },
      ...{ load: chosen.open - 1, capacity: chosen.capacity, passed },
    }
  })
  return { choices, turn }
}

/** What speaks against somebody, or null. */
function against(
  queue: AssigningQueue,
  people: readonly Candidate[],
  who: Candidate,
  one: Seeking,
  now: Date,
): PassedWhy | null {
  if (isAway(who, now)) return 'away'
  if (!isPresent(who, now)) return 'offline'
  // Else it would come back to them at once.
  if (one.gaveBack.includes(who.id) || one.heldBy === who.id) return 'gaveBack'
  if (queue.assignment === 'skill' && knows(who, one) < mostKnown(people, one)) return 'lacksSkill'
  return who.capacity !== null && who.open >= who.capacity ? 'full' : null
}

/** How many of a ticket's tags are skills of somebody. */
const knows = (who: Pick<Candidate, 'skillIds'>, one: Seeking): number =>
  one.tagIds.filter((tag) => who.skillIds.includes(tag)).length

/** Of those who may get it, whoever knows most is waited for: also while they are away. A tag that is nobody's skill asks nothing. */
const mostKnown = (people: readonly Candidate[], one: Seeking): number =>
  Math.max(0, ...people.filter(({ id }) => !one.gaveBack.includes(id)).map((who) => knows(who, one)))

/** One of those who are free, in the order of their ids. */
function pick(rule: AssignmentRule, free: readonly Candidate[], turn: number | null): Candidate | undefined {
  const next = free.find(({ id }) => turn !== null && id > turn) ?? free[0]
  if (rule === 'manual') return undefined
  if (rule === 'roundRobin' || next === undefined) return next
  const least = Math.min(...free.map(({ open }) => open))
  // Among equals in turn, or the first of the list would get all of a quiet morning.
  const idle = free.filter(({ open }) => open === least)
  return idle.find(({ id }) => turn !== null && id > turn) ?? idle[0]
}

/** At most so many who were passed over stand in a line of the timeline. */
const MOST_PASSED = 12

/** What the line in the timeline keeps of a choice: whom it came to, by which rule, and who was passed over. */
export const traceOf = (choice: Choice, one: Pick<Seeking, 'since'>, name: string, now: Date) => ({
  user: name,
  rule: choice.rule,
  load: choice.load,
  capacity: choice.capacity,
  waitedSeconds: Math.max(0, Math.round((now.getTime() - one.since.getTime()) / 1_000)),
  // A line holds no lists.
  passed: choice.passed
    .slice(0, MOST_PASSED)
    .map(({ userId, why }) => `${userId}:${why}`)
    .join(' '),
  passedOver: choice.passed.length,
})

/** @returns what `traceOf` kept of those who were passed over */
export const readPassed = (text: unknown): Passed[] =>
  typeof text !== 'string' || text === ''
    ? []
    : text.split(' ').map((part) => {
        const [userId = '', why = ''] = part.split(':')
        return { userId: Number(userId), why: why as PassedWhy }
      })
