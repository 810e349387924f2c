/**
 * Events of one chat in order, different chats at the same time, many at once: what the sessions heard, on its way
 * to the domain. An event is settled when `receive` returned, or parked when it never will.
 */
import type { Logger } from 'pino'
import type { InboundEvent } from '../../schema/messages/messages.inbound.ts'
import { backoffMs } from './session.state.ts'

export interface Delivery {
  /** Row in the journal; null for what can be learned again (server acks, identities, calls). */
  journalId: string | null
  lane: string
  event: InboundEvent
  /** Called once the product has it: what may only then be forgotten elsewhere. */
  taken?(): void
}

export interface LanesDeps {
  receive(events: InboundEvent[]): Promise<void>
  /** Fills in what needs the network (a group's name). Must not throw. */
  prepare?(event: InboundEvent): Promise<InboundEvent>
  /** The product has it: the journal may forget. */
  settled(journalIds: string[]): Promise<void>
  /** The product cannot take it: keep it with the reason. */
  parked(delivery: Delivery, attempts: number, error: unknown): Promise<void>
  log: Logger
}

const batchSize = 100
const concurrency = 4
/** What comes to a company while a batch of its is under way waits for it, and goes together; but no longer than so. */
const slowTaskMs = 30
const attemptsBeforeParking = 5
/** Finished rows are deleted together, so long after the first of them. */
const lingerMs = 50
const backoff = { baseMs: 200, capMs: 30_000 }

/** The database is away or asks to be tried again: no fault of the event, however long it lasts. */
export function isTransient(error: unknown): boolean {
  // The query builder wraps the driver's error.
  for (let e = error as { code?: unknown; cause?: unknown } | null | undefined; e; e = e.cause as typeof e) {
    const code = String(e.code ?? '')
    if (/^(08|40|53|55P03|57)/.test(code) || /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE)/.test(code)) return true
  }
  return false
}

const messageKey = (event: InboundEvent) => ('wid' in event ? `${event.whatsappId}/${event.wid}` : null)

export interface Lanes {
  add(deliveries: Delivery[]): void
  /** The journal rows whose events are on their way, or done and about to be deleted. */
  holding(): ReadonlySet<string>
  size(): number
  /** Resolves when nothing is under way, or after so many milliseconds. What is left stays in the journal. */
  drain(ms: number): Promise<void>
}

/** Hands events to the product: of one chat in order, of all chats at once, what waits together in one batch. */
export function createLanes(deps: LanesDeps): Lanes {
  /** By company, by lane. */
  const waiting = new Map<number, Map<string, Delivery[]>>()
  const busy = new Set<string>()
  /** Of each message that is on its way. */
  const laneOfMessage = new Map<string, string>()
  /** The batch for which the rest of a company waits. */
  const underWay = new Map<number, Delivery[]>()
  const held = new Set<string>()
  const finished: string[] = []
  let lingering: ReturnType<typeof setTimeout> | null = null
  let running = 0
  let count = 0
  let stopped = false
  let whenEmpty: (() => void)[] = []

  /** What is said of a message follows it, by whatever name of the chat it came: before it, it would be about nothing. */
  function following(delivery: Delivery): Delivery {
    const key = messageKey(delivery.event)
    if (!key) return delivery
    if (delivery.event.kind === 'message') laneOfMessage.set(key, delivery.lane)
    return { ...delivery, lane: laneOfMessage.get(key) ?? delivery.lane }
  }

  function pump(): void {
    while (running < concurrency && !stopped) {
      const batch = take()
      if (batch.length === 0) return
      const { companyId } = batch[0]!.event
      const letOthers = () => {
        if (underWay.get(companyId) === batch) underWay.delete(companyId)
        pump()
      }
      underWay.set(companyId, batch)
      const impatience = setTimeout(letOthers, slowTaskMs)
      running++
      void run(batch).finally(() => {
        running--
        clearTimeout(impatience)
        if (running === 0 && count === 0) {
          for (const done of whenEmpty) done()
          whenEmpty = []
        }
        letOthers()
      })
    }
  }

  /** Whole lanes of one company, oldest first, until the batch is full. */
  function take(): Delivery[] {
    const batch: Delivery[] = []
    for (const [companyId, lanes] of waiting) {
      if (underWay.has(companyId)) continue
      for (const [lane, queue] of lanes) {
        if (busy.has(lane)) continue
        batch.push(...queue.splice(0, batchSize - batch.length))
        if (queue.length === 0) lanes.delete(lane)
        busy.add(lane)
        if (batch.length >= batchSize) break
      }
      if (batch.length === 0) continue
      // To the end of the line, if there is more: the others are next.
      waiting.delete(companyId)
      if (lanes.size > 0) waiting.set(companyId, lanes)
      break
    }
    return batch
  }

  async function run(batch: Delivery[]): Promise<void> {
    const lanes = new Map<string, Delivery[]>()
    for (const delivery of batch) {
      const lane = lanes.get(delivery.lane)
      if (lane) lane.push(delivery)
      else lanes.set(delivery.lane, [delivery])
    }
    try {
      await hand(batch)
      release(lanes.keys())
    } catch (error) {
      deps.log.warn({ err: error, events: batch.length }, 'a batch of events failed; trying them one by one')
      // Each chat on its own, without holding a place: one bad event must not delay the others.
      for (const [lane, deliveries] of lanes) {
        void oneByOne(deliveries).finally(() => {
          release([lane])
          pump()
        })
      }
    }
  }

  function release(lanes: Iterable<string>): void {
    for (const lane of lanes) busy.delete(lane)
  }

  async function hand(batch: Delivery[]): Promise<void> {
    const prepare = deps.prepare
    const events = prepare ? await Promise.all(batch.map((d) => prepare(d.event))) : batch.map((d) => d.event)
    await deps.receive(events)
    settle(batch)
    for (const { journalId, taken } of batch) {
      if (journalId) finished.push(journalId)
      taken?.()
    }
    if (finished.length) lingering ??= setTimeout(forget, lingerMs)
  }

  /** A row that outlives its event is received again one day, which `receive` allows for: no hurry. */
  function forget(): Promise<void> {
    if (lingering) clearTimeout(lingering)
    lingering = null
    const rows = finished.splice(0)
    if (rows.length === 0) return Promise.resolve()
    return deps
      .settled(rows)
      .catch((error) => deps.log.warn({ err: error }, 'the journal keeps what is done'))
      .finally(() => {
        // Only now: whoever reads the journal before would take the row for unfinished.
        for (const id of rows) held.delete(id)
      })
  }

  function settle(batch: Delivery[]): void {
    count -= batch.length
    for (const { event } of batch) if (event.kind === 'message') laneOfMessage.delete(messageKey(event)!)
    if (running === 0 && count === 0) {
      for (const done of whenEmpty) done()
      whenEmpty = []
    }
  }

  async function oneByOne(deliveries: Delivery[]): Promise<void> {
    for (const delivery of deliveries) {
      for (let attempt = 1; ; attempt++) {
        if (stopped) return
        try {
          await hand([delivery])
          break
        } catch (error) {
          if (attempt >= attemptsBeforeParking && !isTransient(error)) {
            deps.log.error(
              { err: error, kind: delivery.event.kind, whatsappId: delivery.event.whatsappId },
              'an event is parked',
            )
            settle([delivery])
            await deps
              .parked(delivery, attempt, error)
              .catch((failure) => deps.log.error({ err: failure }, 'parking failed'))
            if (delivery.journalId) held.delete(delivery.journalId)
            break
          }
          await new Promise((resolve) => setTimeout(resolve, backoffMs(attempt, Math.random(), backoff)))
        }
      }
    }
  }

  return {
    add(deliveries) {
      for (const given of deliveries) {
        if (given.journalId) {
          if (held.has(given.journalId)) continue
          held.add(given.journalId)
        }
        count++
        const delivery = following(given)
        const { companyId } = delivery.event
        const lanes = waiting.get(companyId) ?? new Map<string, Delivery[]>()
        waiting.set(companyId, lanes)
        const queue = lanes.get(delivery.lane)
        if (queue) queue.push(delivery)
        else lanes.set(delivery.lane, [delivery])
      }
      // A tick later, what arrives together travels together.
      queueMicrotask(pump)
    },
    holding: () => held,
    size: () => count,
    async drain(ms) {
      if (count > 0) {
        await Promise.race([
          new Promise<void>((resolve) => whenEmpty.push(resolve)),
          new Promise((resolve) => setTimeout(resolve, ms)),
        ])
      }
      stopped = true
      await forget()
    },
  }
}
