/** The smallest sensible program around the library's socket: memory for keys, a restart on 515, a log of events. */
import '../../../server/whatsapp/baileys.ts'
import makeWASocket, {
  type AnyMessageContent,
  type AuthenticationCreds,
  type BaileysEventMap,
  type BinaryNode,
  initAuthCreds,
  type MiscMessageGenerationOptions,
  type proto,
  type SignalDataSet,
  type SignalDataTypeMap,
  type SignalKeyStore,
  type UserFacingSocketConfig,
  type WAMessage,
} from '@whiskeysockets/baileys'
import { pino } from 'pino'
import type { Account, Companion, FakeWhatsapp } from './server.ts'

type Events = BaileysEventMap & { ack: BinaryNode['attrs'] }

export class Driver {
  creds: AuthenticationCreds = initAuthCreds()
  readonly memory = new Map<string, unknown>()
  sock!: ReturnType<typeof makeWASocket>
  readonly closes: number[] = []
  readonly heard: { [E in keyof Events]: { event: E; data: Events[E] } }[keyof Events][] = []
  readonly sent = new Map<string, proto.IMessage>()
  /** While set, writing keys fails: the database of a real program is away. */
  broken = false

  constructor(
    readonly fake: FakeWhatsapp,
    readonly config: Partial<UserFacingSocketConfig> = {},
  ) {}

  private readonly keys: SignalKeyStore = {
    get: async <T extends keyof SignalDataTypeMap>(type: T, ids: string[]) => {
      const found: { [id: string]: SignalDataTypeMap[T] } = {}
      for (const id of ids) {
        const value = this.memory.get(`${type}|${id}`)
        if (value != null) found[id] = value as SignalDataTypeMap[T]
      }
      return found
    },
    set: async (data: SignalDataSet) => {
      if (this.broken) throw new Error('no database')
      for (const [type, values] of Object.entries(data)) {
        for (const [id, value] of Object.entries(values ?? {})) {
          if (value == null) this.memory.delete(`${type}|${id}`)
          else this.memory.set(`${type}|${id}`, value)
        }
      }
    },
  }

  start(onQr?: (qr: string) => void): this {
    const sock = makeWASocket({
      auth: { creds: this.creds, keys: this.keys },
      waWebSocketUrl: this.fake.wsUrl,
      logger: pino({ level: 'silent' }),
      getMessage: async ({ id }) => this.sent.get(id ?? ''),
      ...this.config,
    })
    this.sock = sock
    sock.ev.process((map) => {
      for (const [event, data] of Object.entries(map)) this.heard.push({ event, data } as Driver['heard'][number])
    })
    sock.ev.on('creds.update', (update) => Object.assign(this.creds, update))
    sock.ws.on('CB:ack,class:message', ({ attrs }: BinaryNode) => this.heard.push({ event: 'ack', data: attrs }))
    sock.ev.on('connection.update', (update) => {
      if (update.qr) onQr?.(update.qr)
      if (update.connection !== 'close') return
      const error = update.lastDisconnect?.error as { output?: { statusCode?: number } } | undefined
      const code = error?.output?.statusCode ?? 0
      this.closes.push(code)
      if (code === 515) this.start(onQr)
    })
    return this
  }

  /** The first answer that `check` gives for an event of this kind, past or to come. */
  async on<E extends keyof Events, T>(event: E, check: (data: Events[E]) => T, ms = 6_000): Promise<NonNullable<T>> {
    const deadline = Date.now() + ms
    for (let at = 0; ; ) {
      for (; at < this.heard.length; at++) {
        const entry = this.heard[at]!
        const hit = entry.event === event ? check(entry.data as Events[E]) : undefined
        if (hit) return hit
      }
      if (Date.now() > deadline) throw new Error(`no ${event} within ${ms} ms`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  message(id: string, ms?: number): Promise<WAMessage> {
    return this.on('messages.upsert', ({ messages }) => messages.find((m) => m.key.id === id && m.message), ms)
  }

  closed(ms?: number): Promise<number> {
    return this.on(
      'connection.update',
      ({ connection, lastDisconnect }) => {
        const error = lastDisconnect?.error as { output?: { statusCode?: number } } | undefined
        return connection === 'close' && error?.output?.statusCode !== 515 ? (error?.output?.statusCode ?? 0) : 0
      },
      ms,
    )
  }

  async pair(account: Account): Promise<Companion> {
    this.start((qr) => this.fake.scan(account, qr))
    await this.on('connection.update', ({ connection }) => connection === 'open')
    await this.on('messaging-history.set', () => true)
    return [...account.companions.values()].at(-1)!
  }

  async send(jid: string, content: AnyMessageContent, options?: MiscMessageGenerationOptions): Promise<WAMessage> {
    const message = (await this.sock.sendMessage(jid, content, options))!
    if (message.key.id && message.message) this.sent.set(message.key.id, message.message)
    return message
  }

  stop(): Promise<void> {
    return this.sock.end(undefined)
  }
}
