/** A wire that can little: text out and text in, over a service that knows nothing of ids. In memory, for tests. */
import { DomainError } from '../../schema/errors.ts'
import type { OutgoingMessage } from '../../schema/messages/messages.content.ts'
import type { InboundEvent } from '../../schema/messages/messages.inbound.ts'
import { cannot, offersOf } from '../../schema/whatsapps/whatsapps.providers.ts'
import type { FakeWire, Other, Seen } from './channel.contract.ts'
import type { AnyChannel } from './channel.port.ts'

/** `whatsapps.provider` of its connections; the product knows none such. */
export const LITTLE = 'little'

interface Waiting {
  event: InboundEvent
  isConfirmed: boolean
}

/** The service at the other end, and what all processes of the product keep together. */
export class LittleService {
  /** How many texts it was given. */
  heard = 0
  readonly inboxes = new Map<string, Seen[]>()
  readonly refusing = new Set<string>()
  readonly waiting: Waiting[] = []
  /** Who speaks for a connection. */
  readonly owners = new Map<number, LittleChannel>()
  /** Which messages have left: it must be known before the service is asked, which would take them twice. */
  readonly left = new Map<string, Promise<void>>()
  readonly events: InboundEvent[] = []
  isFull = false
  /** Something could not be kept. */
  refused = Promise.withResolvers<void>()

  accept(number: string, wid: string, text: string): void {
    if (this.refusing.has(number)) throw new DomainError('ERR_CHANNEL_REFUSED', { reason: 'unwanted' })
    this.heard++
    const inbox = this.inboxes.get(number) ?? []
    inbox.push({ wid, text, isGone: false, reaction: '' })
    this.inboxes.set(number, inbox)
  }

  /** Brings what is not confirmed, as it does until it is. */
  async deliver(): Promise<void> {
    for (const one of this.waiting.filter(({ isConfirmed }) => !isConfirmed)) {
      const owner = this.owners.get(one.event.whatsappId)
      one.isConfirmed = (await owner?.hear(one.event)) ?? false
    }
  }

  /** The product keeps events. */
  keep(event: InboundEvent): void {
    if (this.isFull) {
      this.refused.resolve()
      throw new Error('disk full')
    }
    this.events.push(event)
  }
}

export class LittleChannel {
  readonly lines = new Map<
    number,
    { isUp: boolean; reconnects: number; lastInAt: Date | null; lastOutAt: Date | null }
  >()
  private isStopped = false

  constructor(
    readonly service: LittleService,
    readonly provider = LITTLE,
  ) {}

  /** @returns whether it is kept, which is all that the service waits for */
  async hear(event: InboundEvent): Promise<boolean> {
    const line = this.lines.get(event.whatsappId)
    if (!line?.isUp) return false
    try {
      this.service.keep(event)
    } catch {
      return false
    }
    line.lastInAt = new Date()
    return true
  }

  /** The link of a connection breaks, or comes back. */
  async turn(id: number, isUp: boolean): Promise<void> {
    const line = this.lines.get(id)!
    line.isUp = isUp
    if (isUp) line.reconnects++
    await this.service.deliver()
  }

  private async send({ whatsappId, wid, to, content }: OutgoingMessage): Promise<void> {
    const line = this.lines.get(whatsappId)
    if (!line?.isUp) throw new DomainError('ERR_WAPP_NOT_INITIALIZED', { whatsappId })
    if (content.type !== 'text' || to.kind !== 'person') throw cannot('file')
    const { left } = this.service
    const leaving =
      left.get(wid) ?? Promise.resolve().then(() => this.service.accept(to.number ?? '', wid, content.text))
    left.set(wid, leaving)
    await leaving
    line.lastOutAt = new Date()
  }

  private async start(id: number): Promise<void> {
    const { owners } = this.service
    if (this.isStopped || (owners.get(id) ?? this) !== this) throw new DomainError('ERR_UNAVAILABLE')
    owners.set(id, this)
    this.lines.set(id, { isUp: true, reconnects: 0, lastInAt: null, lastOutAt: null })
    await this.service.deliver()
  }

  private async end(id: number): Promise<void> {
    this.lines.delete(id)
    if (this.service.owners.get(id) === this) this.service.owners.delete(id)
  }

  /** As features are given it. */
  asChannel(): AnyChannel {
    return {
      providers: [this.provider],
      offers: offersOf(LITTLE),
      resume: async () => undefined,
      start: (id) => this.start(id),
      restart: async (id) => {
        await this.end(id)
        await this.start(id)
      },
      logout: (id) => this.end(id),
      forget: (id) => this.end(id),
      stop: async () => {
        this.isStopped = true
        for (const id of [...this.lines.keys()]) await this.end(id)
      },
      speaksFor: (id) => this.lines.has(id),
      openIds: () => [...this.lines].flatMap(([id, { isUp }]) => (isUp ? [id] : [])),
      send: (message) => this.send(message),
      health: (id) => {
        const line = this.lines.get(id)
        if (!line) return null
        const { isUp, ...rest } = line
        return { state: isUp ? 'open' : 'waiting', waitingAcks: 0, lastError: null, ...rest }
      },
    }
  }
}

/** The wire that can little, for the suite of the port. */
export function littleWire(): FakeWire {
  const service = new LittleService()
  const companyId = 1
  const owners = new Map<AnyChannel, LittleChannel>()
  let [connections, people, texts] = [0, 0, 0]
  return {
    companyId,
    channel() {
      const little = new LittleChannel(service)
      const channel = little.asChannel()
      owners.set(channel, little)
      return channel
    },
    connection: async () => ++connections,
    link: (channel, id) => channel.start(id),
    async whileDown(channel, id, work) {
      await owners.get(channel)!.turn(id, false)
      await work()
      await owners.get(channel)!.turn(id, true)
    },
    async whileFull(_channel, _id, work) {
      service.refused = Promise.withResolvers()
      service.isFull = true
      await work(() => service.refused.promise)
      service.isFull = false
      await service.deliver()
    },
    events: service.events,
    other(): Other {
      const number = `55119${String(80_000_000 + ++people)}`
      const address = { kind: 'person' as const, number, lid: null }
      return {
        address,
        seen: () => structuredClone(service.inboxes.get(number) ?? []),
        async says(whatsappId, text) {
          const wid = `L${++texts}`
          service.waiting.push({
            event: {
              ...{ companyId, whatsappId, kind: 'message', wid, chat: address, fromMe: false, chatName: null },
              ...{ participant: null, sentAt: new Date(), offline: false, quotedWid: null },
              content: { type: 'text', text },
            },
            isConfirmed: false,
          })
          await service.deliver()
          return wid
        },
        isConfirmed: (whatsappId, wid) =>
          service.waiting.some(
            ({ event, isConfirmed }) =>
              event.whatsappId === whatsappId && 'wid' in event && event.wid === wid && isConfirmed,
          ),
        refuse: () => void service.refusing.add(number),
      }
    },
    heard: () => service.heard,
    close: async () => {
      for (const channel of owners.keys()) await channel.stop()
    },
  }
}
