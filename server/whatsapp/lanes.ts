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
export const createLanes = (deps: LanesDeps): Lanes => new CompanyLanes(deps)

class CompanyLanes implements Lanes {
  /** By company, by lane. */
  private readonly waiting = new Map<number, Map<string, Delivery[]>>()
  private readonly busy = new Set<string>()
  /** Of each message that is on its way. */
  private readonly laneOfMessage = new Map<string, string>()
  /** The batch for which the rest of a company waits. */
  private readonly underWay = new Map<number, Delivery[]>()
  private readonly held = new Set<string>()
  private readonly finished: string[] = []
  private lingering: ReturnType<typeof setTimeout> | null = null
  private running = 0
  private count = 0
  private stopped = false
  private whenEmpty: (() => void)[] = []

  constructor(private readonly deps: LanesDeps) {}

  /** What is said of a message follows it, by whatever name of the chat it came: before it, it would be about nothing. */
  private following(delivery: Delivery): Delivery {
    const key = messageKey(delivery.event)
    if (!key) return delivery
    if (delivery.event.kind === 'message') this.laneOfMessage.set(key, delivery.lane)
    return { ...delivery, lane: this.laneOfMessage.get(key) ?? delivery.lane }
  }

  private pump(): void {
    while (this.running < concurrency && !this.stopped) {
      const batch = this.take()
      if (batch.length === 0) return
      const { companyId } = batch[0]!.event
      const letOthers = () => {
        if (this.underWay.get(companyId) === batch) this.underWay.delete(companyId)
        this.pump()
      }
      this.underWay.set(companyId, batch)
      const impatience = setTimeout(letOthers, slowTaskMs)
      this.running++
      void this.run(batch).finally(() => {
        this.running--
        clearTimeout(impatience)
        if (this.running === 0 && this.count === 0) {
          for (const done of this.whenEmpty) done()
          this.whenEmpty = []
        }
        letOthers()
      })
    }
  }

  /** Whole lanes of one company, oldest first, until the batch is full. */
  private take(): Delivery[] {
    const batch: Delivery[] = []
    for (const [companyId, lanes] of this.waiting) {
      if (this.underWay.has(companyId)) continue
      for (const [lane, queue] of lanes) {
        if (this.busy.has(lane)) continue
        batch.push(...queue.splice(0, batchSize - batch.length))
        if (queue.length === 0) lanes.delete(lane)
        this.busy.add(lane)
        if (batch.length >= batchSize) break
      }
      if (batch.length === 0) continue
      // To the end of the line, if there is more: the others are next.
      this.waiting.delete(companyId)
      if (lanes.size > 0) this.waiting.set(companyId, lanes)
      break
    }
    return batch
  }

  private async run(batch: Delivery[]): Promise<void> {
    const lanes = new Map<string, Delivery[]>()
    for (const delivery of batch) {
      const lane = lanes.get(delivery.lane)
      if (lane) lane.push(delivery)
      else lanes.set(delivery.lane, [delivery])
    }
    try {
      await this.hand(batch)
      this.release(lanes.keys())
    } catch (error) {
      this.deps.log.warn({ err: error, events: batch.length }, 'a batch of events failed; trying them one by one')
      // Each chat on its own, without holding a place: one bad event must not delay the others.
      for (const [lane, deliveries] of lanes) {
        void this.oneByOne(deliveries).finally(() => {
          this.release([lane])
          this.pump()
        })
      }
    }
  }

  private release(lanes: Iterable<string>): void {
    for (const lane of lanes) this.busy.delete(lane)
  }

  private async hand(batch: Delivery[]): Promise<void> {
    const prepare = this.deps.prepare
    const events = prepare ? await Promise.all(batch.map((d) => prepare(d.event))) : batch.map((d) => d.event)
    await this.deps.receive(events)
    this.settle(batch)
    for (const { journalId, taken } of batch) {
      if (journalId) this.finished.push(journalId)
      taken?.()
    }
    if (this.finished.length) this.lingering ??= setTimeout(() => this.forget(), lingerMs)
  }

  /** A row that outlives its event is received again one day, which `receive` allows for: no hurry. */
  private forget(): Promise<void> {
    if (this.lingering) clearTimeout(this.lingering)
    this.lingering = null
    const rows = this.finished.splice(0)
    if (rows.length === 0) return Promise.resolve()
    return this.deps
      .settled(rows)
      .catch((error) => this.deps.log.warn({ err: error }, 'the journal keeps what is done'))
      .finally(() => {
        // Only now: whoever reads the journal before would take the row for unfinished.
        for (const id of rows) this.held.delete(id)
      })
  }

  private settle(batch: Delivery[]): void {
    this.count -= batch.length
    for (const { event } of batch) if (event.kind === 'message') this.laneOfMessage.delete(messageKey(event)!)
    if (this.running === 0 && this.count === 0) {
      for (const done of this.whenEmpty) done()
      this.whenEmpty = []
    }
  }

  private async oneByOne(deliveries: Delivery[]): Promise<void> {
    for (const delivery of deliveries) {
      for (let attempt = 1; ; attempt++) {
        if (this.stopped) return
        try {
          await this.hand([delivery])
          break
        } catch (error) {
          if (attempt >= attemptsBeforeParking && !isTransient(error)) {
            this.deps.log.error(
              { err: error, kind: delivery.event.kind, whatsappId: delivery.event.whatsappId },
              'an event is parked',
            )
            this.settle([delivery])
            await this.deps
              .parked(delivery, attempt, error)
              .catch((failure) => this.deps.log.error({ err: failure }, 'parking failed'))
            if (delivery.journalId) this.held.delete(delivery.journalId)
            break
          }
          await new Promise((resolve) => setTimeout(resolve, backoffMs(attempt, Math.random(), backoff)))
        }
      }
    }
  }

  add(deliveries: Delivery[]): void {
    for (const given of deliveries) {
      if (given.journalId) {
        if (this.held.has(given.journalId)) continue
        this.held.add(given.journalId)
      }
      this.count++
      const delivery = this.following(given)
      const { companyId } = delivery.event
      const lanes = this.waiting.get(companyId) ?? new Map<string, Delivery[]>()
      this.waiting.set(companyId, lanes)
      const queue = lanes.get(delivery.lane)
      if (queue) queue.push(delivery)
      else lanes.set(delivery.lane, [delivery])
    }
    // A tick later, what arrives together travels together.
    queueMicrotask(() => this.pump())
  }

  holding(): ReadonlySet<string> {
    return this.held
  }

  size(): number {
    return this.count
  }

  async drain(ms: number): Promise<void> {
    if (this.count > 0) {
      await Promise.race([
        new Promise<void>((resolve) => this.whenEmpty.push(resolve)),
        new Promise((resolve) => setTimeout(resolve, ms)),
      ])
    }
    this.stopped = true
    await this.forget()
  }
}
