import { HOUR_MS } from '../durations.ts'
import { offsetAt } from '../hours/hours.at.ts'
import { type Calendar, openMs } from '../hours/hours.spans.ts'
import { widOf } from '../ids.ts'
import type { BotEnd, Outcome, ReportHour, ReportService } from './reports.table.ts'

/**
 * What reports count, made of what happened to a ticket: no clock, no database. The same past always makes the same rows, so
 * that they may be made anew at any time. What each figure counts of them stands in `reports.figures.ts`.
 */

/** Which facts these are. With another number all companies' are made anew: raise it when this file makes other rows. */
export const REPORT_FACTS = 2

/** A service, in the order of its ticket's. */
export interface PastService {
  id: number
  whatsappId: number | null
  /** Where the ticket was when it ended. */
  queueId: number | null
  userId: number | null
  createdAt: Date
  /** When a person took it. */
  startedAt: Date | null
  finishedAt: Date | null
  ratingAt: Date | null
  rating: { rate: number; createdAt: Date; comment: string | null } | null
}

export interface PastMessage {
  id: string
  wid: string | null
  fromMe: boolean
  authorId: number | null
  createdAt: Date
}

export interface PastRun {
  flowId: number
  version: number
  createdAt: Date
  endedAt: Date | null
  reason: string | null
}

/** Who ended a service, of the timeline's lines. */
export interface PastEnd {
  at: Date
  kind: 'resolved' | 'expired' | 'merged_into'
  userId: number | null
}

/** All that reports ask of a ticket. Services and messages in their order. */
export interface TicketPast {
  companyId: number
  ticketId: number
  /** Where it is now: of the service that goes on, and of what ended before that was kept. */
  queueId: number | null
  whatsappId: number | null
  tagIds: readonly number[]
  services: readonly PastService[]
  messages: readonly PastMessage[]
  runs: readonly PastRun[]
  ends: readonly PastEnd[]
}

export interface ReportFacts {
  services: ReportService[]
  hours: ReportHour[]
}

type Voice = 'received' | 'sent' | 'automatic'

/**
 * Who speaks: the contact, a person of the company (also on the phone itself), or the product by itself. What left by itself
 * has the id that follows from ours, which a phone does not know.
 */
export const voiceOf = ({ id, wid, fromMe, authorId }: PastMessage): Voice =>
  !fromMe ? 'received' : authorId !== null || (wid !== null && wid !== widOf(id)) ? 'sent' : 'automatic'

const endsOfRuns: Record<string, BotEnd> = {
  done: 'solved',
  close: 'solved',
  queue: 'handedOver',
  agent: 'handedOver',
  menu: 'handedOver',
  takenOver: 'handedOver',
}

/** What the last run of a service came to. What people had to answer after all, no flow has solved alone. */
function botEndOf({ endedAt, reason }: PastRun, isAnswered: boolean): BotEnd {
  if (endedAt === null) return 'running'
  const end = endsOfRuns[reason ?? ''] ?? 'gaveUp'
  return end === 'solved' && isAnswered ? 'handedOver' : end
}

/**
 * The facts of a ticket's services.
 * @param calendar the hours that count for a queue
 */
export function factsOf(past: TicketPast, calendar: (queueId: number | null) => Calendar): ReportFacts {
  const facts: ReportFacts = { services: [], hours: [] }
  const { services } = past
  const byPlace = Map.groupBy(past.messages, (message) => placeOf(services, message))
  for (const [place, service] of services.entries()) {
    const said = byPlace.get(place) ?? []
    const hours = hoursOf(past, service, said, calendar(null).timeZone)
    facts.services.push({ ...serviceOf(past, service, said, place, calendar), ...sumsOf(hours) })
    facts.hours.push(...hours)
  }
  return facts
}

/** What reports would else add up of a service that lies within their days as a whole. */
function sumsOf(hours: readonly ReportHour[]) {
  const sum = (voice: Voice) => hours.reduce((all, hour) => all + hour[voice], 0)
  const moments = hours.map(({ hourAt }) => hourAt.getTime()).toSorted((a, b) => a - b)
  const [first, last] = [moments[0], moments.at(-1)]
  return {
    ...{ received: sum('received'), sent: sum('sent'), automatic: sum('automatic') },
    firstHourAt: first === undefined ? null : new Date(first),
    lastHourAt: last === undefined ? null : new Date(last),
  }
}

/**
 * The service that a message belongs to, by its place. What the contact writes after an end begins the next one, and comes
 * a moment before it; what we say after an end, such as a farewell, belongs to what has ended.
 */
function placeOf(services: readonly PastService[], { fromMe, createdAt }: PastMessage): number {
  let place = 0
  for (let next = 1; next < services.length; next++) {
    const from = fromMe ? services[next]!.createdAt : (services[next - 1]!.finishedAt ?? services[next]!.createdAt)
    if (fromMe ? createdAt < from : createdAt <= from) break
    place = next
  }
  return place
}

const queueOf = (past: TicketPast, service: PastService) =>
  service.finishedAt === null || service === past.services.at(-1) ? (service.queueId ?? past.queueId) : service.queueId

function serviceOf(
  past: TicketPast,
  service: PastService,
  said: readonly PastMessage[],
  place: number,
  calendar: (queueId: number | null) => Calendar,
): Omit<ReportService, keyof ReturnType<typeof sumsOf>> {
  const { createdAt: openedAt, finishedAt: closedAt } = service
  const queueId = queueOf(past, service)
  const hours = calendar(queueId)
  const heard = said.find((message) => voiceOf(message) === 'received')
  const byPeople = said.filter((message) => voiceOf(message) === 'sent' && message.createdAt >= openedAt)
  // Who writes first answers nobody.
  const answer = heard && byPeople.find(({ createdAt }) => createdAt >= heard.createdAt)
  const isAnswered = byPeople.length > 0
  const run = past.runs.findLast(({ createdAt }) => isWithin(past.services, place, createdAt))
  const botEnd = run ? botEndOf(run, isAnswered) : null
  const seconds = (to: Date | null | undefined) =>
    to ? Math.max(0, Math.round((to.getTime() - openedAt.getTime()) / 1_000)) : null
  const open = (to: Date | null | undefined) => (to ? Math.round(openMs(hours, openedAt, to) / 1_000) : null)
  return {
    ...{ trackingId: service.id, companyId: past.companyId, ticketId: past.ticketId },
    ...{ whatsappId: service.whatsappId ?? past.whatsappId, queueId, userId: service.userId },
    ...{ openedAt, answeredAt: answer?.createdAt ?? null, closedAt, isReopened: place > 0 },
    outcome: outcomeOf(past, service, { isAnswered, isHeard: heard !== undefined, botEnd }),
    ...{ answerSeconds: seconds(answer?.createdAt), answerOpenSeconds: open(answer?.createdAt) },
    ...{ closeSeconds: seconds(closedAt), closeOpenSeconds: open(closedAt) },
    ...{ askedAt: service.ratingAt, ratedAt: service.rating?.createdAt ?? null },
    ...{ rate: service.rating?.rate ?? null, comment: service.rating?.comment ?? null },
    ...{ botAt: run?.createdAt ?? null, flowId: run?.flowId ?? null, flowVersion: run?.version ?? null, botEnd },
    tagIds: [...past.tagIds],
  }
}

/** A run begins after its service did, or a moment before. */
function isWithin(services: readonly PastService[], place: number, at: Date): boolean {
  return placeOf(services, { id: '', wid: null, authorId: null, fromMe: false, createdAt: at }) === place
}

function outcomeOf(
  { ends }: TicketPast,
  { finishedAt }: PastService,
  { isAnswered, isHeard, botEnd }: { isAnswered: boolean; isHeard: boolean; botEnd: BotEnd | null },
): Outcome {
  if (finishedAt === null) return 'active'
  if (isAnswered) return 'served'
  const end = ends.findLast(({ at }) => Math.abs(at.getTime() - finishedAt.getTime()) < 1_000)
  // Nobody was left: what was said stands in another ticket.
  if (end?.kind === 'merged_into' || !isHeard) return 'empty'
  const byItself = end?.kind === 'resolved' && end.userId === null
  return botEnd === 'solved' || (byItself && botEnd !== 'handedOver') ? 'bot' : 'abandoned'
}

function hoursOf(past: TicketPast, service: PastService, said: readonly PastMessage[], timeZone: string): ReportHour[] {
  const hours = new Map<string, ReportHour>()
  const { whatsappId, userId } = service
  for (const message of said) {
    const voice = voiceOf(message)
    const authorId = voice === 'sent' ? (message.authorId ?? 0) : 0
    const at = hourOf(message.createdAt, timeZone)
    const key = `${at} ${authorId}`
    let hour = hours.get(key)
    if (!hour) {
      hour = {
        ...{ trackingId: service.id, companyId: past.companyId, hourAt: new Date(at), authorId },
        ...{ whatsappId: whatsappId ?? past.whatsappId, queueId: queueOf(past, service), userId },
        ...{ received: 0, sent: 0, automatic: 0 },
      }
      hours.set(key, hour)
    }
    hour[voice]++
  }
  return [...hours.values()]
}

/** To ask a zone's clock costs more than all else here. Clocks change at quarters of an hour. */
const offsets = new Map<string, Map<number, number>>()
const MOST_OFFSETS = 100_000

function offsetOf(at: Date, timeZone: string): number {
  const quarter = Math.floor(at.getTime() / (HOUR_MS / 4))
  let known = offsets.get(timeZone)
  if (!known || known.size > MOST_OFFSETS) offsets.set(timeZone, (known = new Map()))
  let offset = known.get(quarter)
  if (offset === undefined) known.set(quarter, (offset = offsetAt(at, timeZone)))
  return offset
}

/** The beginning of the hour by the clock of a zone, in milliseconds since 1970. */
function hourOf(at: Date, timeZone: string): number {
  const offset = offsetOf(at, timeZone)
  return Math.floor((at.getTime() + offset) / HOUR_MS) * HOUR_MS - offset
}
