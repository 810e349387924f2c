/**
 * One linked device: a socket of Baileys' under the rules of `session.state.ts`. What is said on it is the inbox's,
 * the outbox's and the questions' business.
 */
import type { Logger } from 'pino'
import { DomainError } from '../../schema/errors.ts'
import { personOf } from './addresses.ts'
import {
  type AuthenticationCreds,
  Browsers,
  DEFAULT_CONNECTION_CONFIG,
  fetchLatestWaWebVersion,
  initAuthCreds,
  makeWASocket,
  proto,
  type UserFacingSocketConfig,
  type WAVersion,
} from './baileys.ts'
import { createGate, type Gate, type Wire } from './gate.ts'
import { type Device, type Health, type SessionContext, type Socket, within } from './session.device.ts'
import { Inbox } from './session.inbox.ts'
import { NewChats } from './session.new-chats.ts'
import { durableBeforeLeaving, Outbox } from './session.outbox.ts'
import { Questions } from './session.questions.ts'
import { Timers } from './session.timers.ts'
import { awaitPairing } from './session.pairing.ts'
import type { SessionChange } from '../../schema/whatsapps/whatsapps.session.ts'
import { type SessionAction, type SessionEvent, type SessionState, step } from './session.state.ts'

/** What WhatsApp sends after the scan where it wants the account's passkey. Baileys confirms them and does nothing. */
const passkeyNotices = ['passkey_prologue_request', 'crsc_continuation']

/** WhatsApp gives a pairing code to a device whose name is one of its own clients' only. */
const linkedAs = Browsers.macOS('Chrome')

/** One linked device: its link begins, ends and begins again as `session.state.ts` says. */
export class Session implements Device {
  readonly questions: Questions
  readonly timers: Timers
  readonly outbox: Outbox
  readonly inbox: Inbox
  readonly newChats: NewChats
  readonly log: Logger
  creds: AuthenticationCreds | null = null
  sock: Socket | null = null
  openedAt = 0
  private state: SessionState = { at: 'idle', problem: null }
  /** Counts sockets, so that what an old one still says is not taken for the new one's. */
  private generation = 0
  /** Counts devices, so that nothing is kept for one that is forgotten. */
  private device = 0
  private work: Promise<unknown> = Promise.resolve()
  private saving: Promise<unknown> = Promise.resolve()
  private retryTimer: ReturnType<typeof setTimeout> | undefined
  private version: WAVersion | null = null
  private lastError: string | null = null
  /** What the screen should know and the database did not take. */
  private untold: SessionChange | null = null
  private opens = 0

  constructor(
    readonly id: number,
    readonly companyId: number,
    readonly ctx: SessionContext,
  ) {
    this.log = ctx.log.child({ whatsappId: id })
    this.questions = new Questions(this)
    this.timers = new Timers(this)
    this.outbox = new Outbox(this)
    this.newChats = new NewChats(this, (newChats) => this.tellInTurn({ newChats }))
    this.inbox = new Inbox(this, this.outbox, this.questions)
  }

  // ---- the state machine's hands

  get at(): SessionState['at'] {
    return this.state.at
  }

  open(): Socket {
    if (this.state.at !== 'open' || !this.sock)
      throw new DomainError('ERR_WAPP_NOT_INITIALIZED', { whatsappId: this.id })
    return this.sock
  }

  isCurrent(generation: number): boolean {
    return generation === this.generation
  }

  /** Resolves when everything that follows from the event has been begun, and what is to be stored is stored. */
  dispatch(event: SessionEvent): Promise<void> {
    const { state, change, actions } = step(this.state, event, Math.random(), this.ctx.timing.backoff)
    this.state = state
    if (change?.lastError !== undefined) this.lastError = change.lastError
    if (state.at !== 'waiting') clearTimeout(this.retryTimer)
    if (change?.lastError === 'certificate')
      this.log.fatal('the server could not prove that it is WhatsApp: somebody may be listening in between')
    const done = this.work.then(async () => {
      // The screen learns of the wait before it begins, and of the wipe before the new QR.
      if (change) await this.tell(change)
      for (const action of actions) await this.perform(action)
    })
    this.work = done.catch((error) => {
      this.log.error({ err: error, event: event.on }, 'a session could not follow its state')
      this.retryLater()
    })
    return done
  }

  private async tell(change: SessionChange): Promise<void> {
    const newChats = { ...this.untold?.newChats, ...change.newChats }
    const news = { ...this.untold, ...change, ...(Object.keys(newChats).length > 0 && { newChats }) }
    this.untold = null
    await this.ctx.onSession(this.id, news).catch((error) => {
      this.untold = news
      this.log.error({ err: error }, 'the change of a connection is not stored yet')
    })
  }

  /** After what was said before it. */
  private tellInTurn(change: SessionChange): Promise<void> {
    const done = this.work.then(() => this.tell(change))
    this.work = done
    return done
  }

  /** The store is away: the session comes back with it. */
  private retryLater(): void {
    if (this.state.at === 'connecting')
      void this.dispatch({ on: 'closed', code: 500, linked: this.linked, openMs: 0 }).catch(() => {})
  }

  private get linked(): boolean {
    return Boolean(this.creds?.account)
  }

  private async perform(action: SessionAction): Promise<void> {
    switch (action.do) {
      case 'connect':
        return this.connect()
      case 'disconnect':
        return this.disconnect()
      case 'wipe':
        return this.forget()
      case 'refreshVersion':
        return this.refreshVersion()
      case 'wait':
        clearTimeout(this.retryTimer)
        this.retryTimer = setTimeout(() => void this.dispatch({ on: 'retry' }).catch(() => {}), action.ms)
    }
  }

  private async forget(): Promise<void> {
    this.device++
    await this.saving
    this.creds = null
    this.outbox.forget(await this.ctx.store.wipe(this.id))
  }

  private async refreshVersion(): Promise<void> {
    const found = await fetchLatestWaWebVersion({ signal: AbortSignal.timeout(5_000) })
    if (!found.isLatest) return
    this.version = found.version
    await this.ctx.store.saveVersion(this.id, found.version)
  }

  private async connect(): Promise<void> {
    if (this.state.at !== 'connecting') return
    const { store, timing, wsUrl } = this.ctx
    await store.begin(this.id)
    await this.inbox.replay()
    if (!this.creds) {
      const stored = await store.loadCreds(this.id)
      this.creds = stored.creds
      this.version ??= stored.version
    }
    // A link that was begun and not finished leaves half an identity, with which the service lets nobody in.
    if (!this.linked) this.creds = initAuthCreds()
    if (this.state.at !== 'connecting') return

    const generation = ++this.generation
    const { device } = this
    const gate = createGate()
    const keys = store.keyStore(
      this.id,
      () => device === this.device,
      // Baileys would tell WhatsApp that the message is at fault.
      (error) => this.inbox.leaveUnanswered(error, gate, generation),
    )
    const config: UserFacingSocketConfig = {
      auth: { creds: this.creds, keys },
      browser: linkedAs,
      logger: this.log.child({ of: 'baileys' }, { level: process.env.BAILEYS_LOG ?? 'silent' }),
      ...(wsUrl ? { waWebSocketUrl: wsUrl } : {}),
      ...(this.version ? { version: this.version } : {}),
      connectTimeoutMs: timing.connectMs,
      keepAliveIntervalMs: timing.keepAliveMs,
      ...(timing.qrMs ? { qrTimeout: timing.qrMs } : {}),
      emitOwnEvents: false,
      syncFullHistory: false,
      // The last days' chunks carry the LIDs of the people one knows; their messages are not read (see README.md).
      shouldSyncHistoryMessage: ({ syncType }) => syncType !== proto.HistorySync.HistorySyncType.FULL,
      // What cannot be read is asked for anew at once: while Baileys waits, nothing else of the link is read.
      retryRequestDelayMs: 0,
      placeholderResendCache: this.inbox.resends,
      transactionOpts: { maxCommitRetries: 3, delayBetweenTriesMs: 300 },
      getMessage: async (key) => (key.id ? ((await store.message(this.id, key.id))?.message ?? undefined) : undefined),
      userDevicesCache: this.outbox.devices,
      cachedGroupMetadata: async (jid) => this.questions.cachedGroup(jid),
      makeSignalRepository: (auth, logger, lookUp) => {
        const repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(auth, logger, lookUp)
        return durableBeforeLeaving(this.inbox.journalling(repository, auth, gate, generation), auth, keys)
      },
    }
    const sock = makeWASocket(config)
    this.sock = sock
    const { socket: wire } = sock.ws as unknown as { socket?: Wire }
    if (!wire) throw new Error('Baileys no longer keeps its socket where it did')
    gate.guard(wire)
    this.listen(sock, gate, generation)
  }

  private async disconnect(): Promise<void> {
    const sock = this.sock
    this.sock = null
    this.generation++
    this.outbox.linkEnded()
    this.timers.linkEnded()
    if (sock) await within(2_000, sock.end(undefined)).catch(() => {})
  }

  ended(generation: number, code: number): void {
    if (!this.isCurrent(generation)) return
    const openMs = this.state.at === 'open' ? Date.now() - this.openedAt : 0
    const sock = this.sock
    this.generation++
    this.sock = null
    this.outbox.linkEnded()
    this.timers.linkEnded()
    if (sock) void Promise.resolve(sock.end(undefined)).catch(() => {})
    this.log.info({ code, state: this.state.at }, 'the link ended')
    void this.dispatch({ on: 'closed', code, linked: this.linked, openMs }).catch(() => {})
  }

  // ---- listening

  private listen(sock: Socket, gate: Gate, generation: number): void {
    const { ev, ws } = sock
    const current = () => this.isCurrent(generation)

    // An upgrade that is answered with anything but 101 is silent in Baileys.
    const unanswered = setTimeout(() => this.ended(generation, 408), this.ctx.timing.connectMs)
    ws.once('frame', () => clearTimeout(unanswered))
    ws.once('close', () => clearTimeout(unanswered))
    this.guardFrames(sock, generation)
    this.inbox.listen(sock, gate, generation)
    this.outbox.listen(sock)
    this.questions.listen(sock)
    this.newChats.listen(sock, current)

    for (const type of passkeyNotices)
      ws.on(`CB:notification,type:${type}`, () => {
        if (current()) void this.dispatch({ on: 'passkeyAsked' }).catch(() => {})
      })
    ev.on('creds.update', (update) => {
      if (!current() || !this.creds) return
      Object.assign(this.creds, update)
      this.saveCreds()
    })
    ev.on('connection.update', (update) => {
      if (!current()) return
      if (update.qr) void this.dispatch({ on: 'qr', text: update.qr }).catch(() => {})
      if (update.isNewLogin) void this.dispatch({ on: 'scanned' }).catch(() => {})
      if (update.connection === 'open') this.opened(sock, generation)
      if (update.connection === 'close') {
        clearTimeout(unanswered)
        const error = update.lastDisconnect?.error as { output?: { statusCode?: number } } | undefined
        this.ended(generation, error?.output?.statusCode ?? 428)
      }
    })
  }

  /**
   * A frame that cannot be read rejects inside Baileys' listener, where nobody catches it, and leaves a session that
   * is deaf until the keep-alive notices. It ends this session's socket at once, and nothing else.
   */
  private guardFrames(sock: Socket, generation: number): void {
    const [listener] = sock.ws.listeners('message') as ((data: Uint8Array) => Promise<void>)[]
    if (!listener) throw new Error('Baileys no longer listens to frames where it did')
    sock.ws.off('message', listener)
    sock.ws.on('message', (data: Uint8Array) => {
      Promise.resolve(listener(data)).catch((error) => {
        this.log.warn({ err: error }, 'a frame could not be read')
        this.ended(generation, 500)
      })
    })
  }

  private saveCreds(): void {
    const { creds } = this
    if (!creds) return
    // In turn, and each time whole: the last write is the truth.
    this.saving = this.saving
      .then(() => (this.creds === creds ? this.ctx.store.saveCreds(this.id, creds) : undefined))
      .catch((error) => this.log.error({ err: error }, 'credentials were not stored'))
  }

  private opened(sock: Socket, generation: number): void {
    this.openedAt = Date.now()
    this.opens++
    const me = personOf(sock.user?.id)
    void this.dispatch({ on: 'opened', number: me.number ?? '' }).catch(() => {})
    // Before the first upload Baileys does not know the media hosts, and a re-upload would go to the wrong one.
    void sock.refreshMediaConn().catch((error) => this.log.warn({ err: error }, 'no media hosts yet'))
    this.outbox.linkOpened(sock, generation)
    this.newChats.linkOpened(sock)
  }

  // ---- linking and leaving

  /** @throws ERR_WAPP_NOT_INITIALIZED, ERR_PAIRING_REFUSED with WhatsApp's `reason`, ERR_PAIRING_UNANSWERED */
  async requestPairingCode(phone: string): Promise<string> {
    if (!['connecting', 'qr'].includes(this.state.at)) await this.dispatch({ on: 'start' })
    const deadline = Date.now() + this.ctx.timing.connectMs
    // The service must have greeted the device before it takes a number.
    while (this.state.at !== 'qr') {
      if (Date.now() > deadline || this.state.at === 'open' || this.state.at === 'idle')
        throw new DomainError('ERR_WAPP_NOT_INITIALIZED', { whatsappId: this.id })
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    const sock = this.sock
    if (!sock) throw new DomainError('ERR_WAPP_NOT_INITIALIZED', { whatsappId: this.id })
    const code = await awaitPairing(sock, phone.replace(/\D/g, ''), this.ctx.timing.queryMs)
    await this.dispatch({ on: 'codeRequested' })
    return code
  }

  /** Tells WhatsApp goodbye, when it can hear, and forgets the device. */
  async logout(): Promise<void> {
    await this.goodbye()
    await this.dispatch({ on: 'stop' })
    await this.forget()
    await this.ctx.onSession(this.id, { status: 'DISCONNECTED', qrcode: '', number: '' })
  }

  /** Forgets the device and asks for a new one. */
  async relink(): Promise<void> {
    await this.goodbye()
    await this.dispatch({ on: 'wipe' })
  }

  private async goodbye(): Promise<void> {
    const sock = this.sock
    if (this.state.at !== 'open' || !sock) return
    // From here on its closing is ours, not news.
    this.generation++
    this.sock = null
    // What was read before is written first, or the gate would keep the word back until the socket is closed.
    const done = this.ctx.store.commit({}).then(() => sock.logout())
    await within(2_000, done).catch(() => {})
  }

  /** Ends the link without a word to the screen: the process is going, or another one has the lease. */
  async suspend(): Promise<void> {
    this.state = { at: 'idle', problem: null }
    clearTimeout(this.retryTimer)
    await this.disconnect()
    await this.work.catch(() => {})
    await this.saving
  }

  /** Called every second. */
  tick(now: number): void {
    if (this.state.at === 'open' && this.sock) this.outbox.tick(this.sock, now)
    if (this.untold) this.work = this.work.then(() => (this.untold ? this.tell({}) : undefined))
  }

  health(): Health {
    return {
      state: this.state.at,
      lastInAt: this.inbox.lastInAt,
      lastOutAt: this.outbox.lastOutAt,
      reconnects: Math.max(0, this.opens - 1),
      waitingAcks: this.outbox.size(),
      lastError: this.lastError,
      ignored: { ...this.inbox.ignored },
    }
  }
}
