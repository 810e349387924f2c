import { MINUTE_MS } from '../durations.ts'
import { randomCalendar, randomMoment, seeded } from '../hours/hours.fixture.ts'
import { isOpen } from '../hours/hours.open.ts'
import type { Calendar } from '../hours/hours.spans.ts'
import { policy, Story } from './sla.fixture.ts'
import type { SlaMetric } from './sla.metrics.ts'

/** What became of a promise, however it was counted. */
export interface Kept {
  metric: SlaMetric
  startedAt: number
  brokenAt: number | null
  metAt: number | null
  tookMs: number | null
  pausedMs: number
  isOpen: boolean
}

type Happening = 'contact' | 'person' | 'close' | 'reopen' | 'snooze' | 'wake'

/** A conversation at random, told to the rule and counted minute by minute. */
export function conversation(seed: number): { rule: Kept[]; oracle: Kept[] } {
  const chance = seeded(seed)
  const calendar = chance() < 0.1 ? null : randomCalendar(chance)
  const from = randomMoment(chance, calendar?.timeZone ?? 'UTC')
  const promise = () => (chance() < 0.2 ? null : 1 + Math.floor(chance() * 900))
  const promises = { firstAnswer: promise(), nextAnswer: promise(), resolution: promise() }
  const last = 1 + Math.floor(chance() * 4 * 1_440)
  const happenings = new Map<number, Happening>([[0, 'contact']])
  const kinds: Happening[] = ['contact', 'contact', 'person', 'person', 'close', 'reopen', 'snooze', 'wake']
  for (let i = 0; i < 12; i++) happenings.set(Math.floor(chance() * last), kinds[Math.floor(chance() * kinds.length)]!)
  return {
    rule: byRule({ calendar, from, promises, happenings, last }),
    oracle: byMinutes({ calendar, from, promises, happenings, last }),
  }
}

interface Given {
  calendar: Calendar | null
  from: Date
  promises: Record<SlaMetric, number | null>
  happenings: ReadonlyMap<number, Happening>
  /** Minutes. */
  last: number
}

const inOrder = (all: Kept[]) => all.toSorted((a, b) => a.startedAt - b.startedAt || a.metric.localeCompare(b.metric))

function byRule({ calendar, from, promises, happenings, last }: Given): Kept[] {
  const story = new Story([policy({ ...promises, calendar: 'company' })], { company: calendar })
  for (const [minute, what] of [...happenings].toSorted(([a], [b]) => a - b)) {
    const now = new Date(from.getTime() + minute * MINUTE_MS)
    const isClosed = story.ticket.status === 'closed'
    if (what === 'contact') story.contact(now)
    if (what === 'person' && !isClosed) story.person(now)
    if (what === 'close' && !isClosed) story.close(now)
    if (what === 'reopen' && isClosed) story.happen(now, { status: 'open' })
    if (what === 'snooze' && !isClosed) story.happen(now, { snoozedUntil: new Date(0) })
    if (what === 'wake') story.happen(now, { snoozedUntil: null })
  }
  const end = new Date(from.getTime() + last * MINUTE_MS)
  story.tell(end)
  return inOrder(
    [...story.clocks.values()].map((clock) => ({
      ...{ metric: clock.metric, startedAt: clock.startedAt.getTime(), brokenAt: clock.breachedAt?.getTime() ?? null },
      ...{ metAt: clock.metAt?.getTime() ?? null, tookMs: clock.tookMs, pausedMs: clock.pausedMs },
      isOpen: clock.endedAt === null,
    })),
  )
}

/** Counts by asking of each minute whether it is open, and knows nothing of the rule's arithmetic. */
function byMinutes({ calendar, from, promises, happenings, last }: Given): Kept[] {
  const all: (Kept & { used: number })[] = []
  let [isActive, hasAnswer, isHeld, isAside] = [false, false, false, false]
  let waiting: number | null = null
  const going = (metric: SlaMetric) => all.find((one) => one.isOpen && one.metric === metric)
  const begin = (metric: SlaMetric, startedAt: number) => {
    if (promises[metric] !== null && !going(metric))
      all.push({
        ...{
          metric,
          startedAt,
          brokenAt: null,
          metAt: null,
          tookMs: null,
          pausedMs: 0,
          isOpen: true,
          used: 0,
        },
      })
  }
  const finish = (metric: SlaMetric, at: number, isMet: boolean) => {
    const one = going(metric)
    if (!one) return
    // The paused part of one that ends while it stands still is not yet added up by the rule.
    Object.assign(one, { isOpen: false, ...(isMet && { metAt: at, tookMs: one.used * MINUTE_MS }) })
  }
  const gap = new Map<Kept, number>()
  for (let minute = 0; minute <= last; minute++) {
    const at = from.getTime() + minute * MINUTE_MS
    const what = happenings.get(minute)
    if (what === 'contact') {
      if (!isActive) {
        ;[isActive, hasAnswer, isHeld, waiting] = [true, false, false, null]
        begin('resolution', at)
      }
      isHeld = false
      waiting ??= at
    }
    if (what === 'person' && isActive) {
      finish('firstAnswer', at, true)
      finish('nextAnswer', at, true)
      ;[hasAnswer, isHeld, waiting] = [true, true, null]
    }
    if (what === 'close' && isActive) {
      finish('resolution', at, true)
      finish('firstAnswer', at, false)
      finish('nextAnswer', at, false)
      isActive = false
    }
    if (what === 'reopen' && !isActive) {
      ;[isActive, hasAnswer, isHeld, waiting] = [true, false, false, null]
      begin('resolution', at)
    }
    if (what === 'snooze' && isActive) isAside = true
    if (what === 'wake') isAside = false
    if (isActive && waiting !== null)
      begin(!hasAnswer && promises.firstAnswer !== null ? 'firstAnswer' : 'nextAnswer', waiting)
    for (const one of all) {
      if (!one.isOpen) continue
      const stands = one.metric === 'resolution' && (isHeld || isAside)
      if (!stands && gap.has(one)) {
        one.pausedMs += gap.get(one)!
        gap.delete(one)
      }
      if (stands) {
        gap.set(one, (gap.get(one) ?? 0) + MINUTE_MS)
        continue
      }
      // Broken where it goes on when all of its minutes are gone.
      if (one.used === promises[one.metric]) one.brokenAt ??= at
      if (minute === last) continue
      if (!calendar || isOpen(calendar.schedules, new Date(at), calendar.timeZone, calendar.holidays)) one.used++
    }
  }
  return inOrder(all.map(({ used: _used, ...one }) => one))
}
