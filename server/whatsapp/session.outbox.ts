/** What leaves on a link, again and again until the service says that it has it. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { ChatAddress, OutgoingMessage } from '../../schema/messages/messages.content.ts'
import type { InboundAck } from '../../schema/messages/messages.inbound.ts'
import { jidOf } from './addresses.ts'
import { askAhead, createDevices } from './session.ahead.ts'
import {
  type AnyMessageContent,
  type BinaryNode,
  generateWAMessage,
  isJidGroup,
  proto,
  type SignalAuthState,
  type SignalDataSet,
  type SignalKeyStore,
  type SignalRepositoryWithLIDStore,
  type WAMessageKey,
  withMediaHosts,
} from './baileys.ts'
import { type Device, encoded, laneOfEvent, type WhatsappTarget, ownOf, type Socket, within } from './session.device.ts'
import { contextOf } from './from-baileys.ts'
import { createFairQueue } from './session.turns.ts'
import type { RidingRows } from './store.rows.ts'
import { toBaileys } from './to-baileys.ts'

/** WhatsApp's refusal of a message that would begin a chat. */
const NO_NEW_CHATS = '463'
/** What must be durable before the bytes of the message at hand may leave. */
const beforeLeaving = new AsyncLocalStorage<Promise<void>>()

interface Unconfirmed {
  sentAt: number
  sends: number
  message: proto.IWebMessageInfo
}

/** What leaves on a link, until the service has confirmed it. */
export class Outbox {
  lastOutAt: Date | null = null
  readonly devices = createDevices()
  private readonly turns = createFairQueue()
  private readonly unconfirmed = new Map<string, Unconfirmed>()
  /** Chats whose typing this link asked to hear of. */
  private readonly watched = new Set<string>()
  /** What earlier links left behind goes first: an older edit must not come after a newer one, nor before its message. */
  private caughtUp: Promise<void> = Promise.resolve()

  constructor(private readonly device: Device) {}

  listen({ ws }: Socket): void {
    // The service's word on what we sent (ack 2, or its error) reaches no event of Baileys'.
    ws.on('CB:ack,class:message', (node: BinaryNode) => this.heardAck(node.attrs))
  }

  linkEnded(): void {
    this.watched.clear()
    void this.devices.flushAll()
  }

  /** The device is forgotten: nothing will be heard of what it sent. @param wids the messages that waited for a word */
  forget(wids: readonly string[]): void {
    for (const wid of wids) this.confirm(wid, { ack: 0, error: 'unlinked' })
    this.unconfirmed.clear()
  }

  /** Messages that left and that the service has not confirmed. */
  size(): number {
    return this.unconfirmed.size
  }

  /**
   * Resolves when the bytes have left, which promises nothing: ack 2 comes as an event, and what stays without it is
   * sent again under the same id. Repeating a call repeats the same message, and does not upload its file again.
   */
  async send(message: OutgoingMessage): Promise<{ sentAt: Date }> {
    const sock = await this.link()
    const stored = await this.device.ctx.store.message(this.device.id, message.wid)
    const composed = stored ?? (await this.compose(sock, message))
    await this.turns.take(message.by === 'agent', () => this.keepAndTransmit(sock, message.wid, composed))
    return { sentAt: new Date() }
  }

  private async link(): Promise<Socket> {
    this.device.open()
    await this.caughtUp
    return this.device.open()
  }

  private async keepAndTransmit(sock: Socket, wid: string, message: proto.IWebMessageInfo): Promise<void> {
    // Written while it is encrypted; the bytes wait for both.
    const kept = this.device.ctx.store.commit({
      protos: [{ whatsappId: this.device.id, wid, message: encoded(message), awaitingAck: true }],
    })
    await Promise.all([kept, beforeLeaving.run(kept, () => this.transmit(sock, wid, message, 1))])
  }

  /** Asks about many at once what their messages will need; that it fails costs nothing but time. */
  async ahead(people: readonly ChatAddress[]): Promise<void> {
    const sock = this.device.open()
    await askAhead(this.device, sock, this.devices, people).catch((error) =>
      this.device.log.info({ err: error }, 'devices and keys could not be asked for ahead'),
    )
  }

  private async compose(sock: Socket, message: OutgoingMessage): Promise<proto.IWebMessageInfo> {
    const jid = jidOf(message.to)
    const { quoted } = message
    const [original, timer] = await Promise.all([
      quoted && this.device.ctx.store.message(this.device.id, quoted.wid),
      this.device.timers.of(message.to),
    ])
    const { content } = message
    const make = (file?: string) =>
      withMediaHosts(() =>
        generateWAMessage(jid, toBaileys(content, file), {
          ...this.making(sock),
          messageId: message.wid,
          ...(timer && { ephemeralExpiration: timer.seconds }),
          ...(quoted
            ? {
                quoted: {
                  key: {
                    remoteJid: jid,
                    id: quoted.wid,
                    fromMe: quoted.fromMe,
                    participant: original?.key?.participant ?? quoted.participant ?? undefined,
                  },
                  message: original?.message ?? { conversation: quoted.body },
                },
              }
            : {}),
        }),
      )
    const made = await ('mediaPath' in content ? this.device.ctx.localMedia(content.mediaPath, make) : make())
    // The phone asks when the timer was set that a message goes by, which Baileys does not tell.
    const context = timer && timer.setAt > 0 ? contextOf(made.message ?? {}) : null
    if (context) context.ephemeralSettingTimestamp = timer!.setAt
    return made
  }

  private making(sock: Socket) {
    return {
      userJid: sock.user!.id,
      upload: sock.waUploadToServer,
      logger: this.device.log.child({ of: 'baileys' }, { level: 'silent' }),
    }
  }

  private async transmit(sock: Socket, wid: string, message: proto.IWebMessageInfo, sends: number): Promise<void> {
    // Counted before the bytes leave: the answer may be here before this call returns.
    this.unconfirmed.set(wid, { sentAt: Date.now(), sends, message })
    const edit = editAttribute(message.message?.protocolMessage)
    await sock.relayMessage(message.key!.remoteJid!, message.message!, {
      messageId: wid,
      ...(edit ? { additionalAttributes: { edit } } : {}),
    })
    this.lastOutAt = new Date()
  }

  linkOpened(sock: Socket, generation: number): void {
    const { log, ctx } = this.device
    // What the service does not answer holds up new messages no longer than it would itself be waited for.
    this.caughtUp = within(ctx.timing.ackMs, this.sendUnconfirmed(sock, generation)).catch((error) =>
      log.error({ err: error }, 'unconfirmed messages still wait'),
    )
  }

  private async sendUnconfirmed(sock: Socket, generation: number): Promise<void> {
    for (const row of await this.device.ctx.store.unconfirmed(this.device.id)) {
      if (!this.device.isCurrent(generation)) return
      // Too old to be sent unasked: whoever wrote it decides.
      if (row.late) this.confirm(row.wid, { ack: 0, error: 'no_server_ack' })
      // A link that broke is no attempt that failed: only silence on an open link counts.
      else
        await this.transmit(sock, row.wid, row.message, this.unconfirmed.get(row.wid)?.sends ?? 1).catch((error) =>
          // It keeps nobody waiting: it is tried again with those that get no answer.
          this.device.log.warn({ err: error, wid: row.wid }, 'sending again failed'),
        )
    }
  }

  private async again(sock: Socket, wid: string, sends: number, message: proto.IWebMessageInfo): Promise<void> {
    if (sends >= this.device.ctx.timing.sends) return this.confirm(wid, { ack: 0, error: 'no_server_ack' })
    this.device.log.info({ wid, sends }, 'no word from the service: sending again under the same id')
    await this.transmit(sock, wid, message, sends + 1).catch((error) =>
      this.device.log.warn({ err: error, wid }, 'sending again failed'),
    )
  }

  /** Called every second while the link is up. */
  tick(sock: Socket, now: number): void {
    for (const [wid, { sentAt, sends, message }] of this.unconfirmed) {
      const since = Math.max(sentAt, this.device.openedAt)
      if (now - since < this.device.ctx.timing.ackMs) continue
      this.unconfirmed.set(wid, { sentAt: now, sends, message })
      void this.again(sock, wid, sends, message)
    }
  }

  private heardAck({ id, error }: BinaryNode['attrs']): void {
    if (!id || !this.unconfirmed.has(id)) return
    const word = error ? { ack: 0 as const, error } : { ack: 2 as const, error: null }
    if (error !== NO_NEW_CHATS) return this.confirm(id, word)
    // Whoever hears of the refusal knows then until when no chats are begun.
    void this.device.newChats.refused().then(() => {
      if (this.unconfirmed.has(id)) this.confirm(id, word)
    })
  }

  private confirm(wid: string, word: Pick<InboundAck, 'ack' | 'error'>): void {
    this.unconfirmed.delete(wid)
    this.device.ctx.lanes.add([this.ackDelivery(wid, word, true)])
  }

  ackDelivery(wid: string, word: Pick<InboundAck, 'ack' | 'error'>, awaited = this.unconfirmed.delete(wid)) {
    // Forgotten only when the product has the tick: a crash in between sends the message again under its id, and the
    // service says once more what it said.
    const taken = () =>
      void this.device.ctx.store
        .commit({ confirmed: [{ whatsappId: this.device.id, wid }] })
        .catch((error) => this.device.log.warn({ err: error, wid }, 'a confirmation was not stored'))
    const event: InboundAck = { ...ownOf(this.device), kind: 'ack', wid, ...word }
    return { journalId: null, lane: laneOfEvent(event), event, ...(awaited ? { taken } : {}) }
  }

  private keyOf(target: WhatsappTarget): WAMessageKey {
    return {
      remoteJid: jidOf(target.chat),
      id: target.wid,
      fromMe: target.fromMe,
      ...(target.participant && target.chat.kind === 'group'
        ? { participant: jidOf({ kind: 'person', ...target.participant }) }
        : {}),
    }
  }

  edit(target: WhatsappTarget, body: string): Promise<void> {
    return this.tell(target, (key) => ({ text: body, edit: key }))
  }

  revoke(target: WhatsappTarget): Promise<void> {
    return this.tell(target, (key) => ({ delete: key }))
  }

  react(target: WhatsappTarget, emoji: string): Promise<void> {
    return this.tell(target, (key) => ({ react: { text: emoji, key } }))
  }

  /** A word about a message is a message too: it leaves until the service has it. */
  private async tell(target: WhatsappTarget, content: (key: WAMessageKey) => AnyMessageContent): Promise<void> {
    const sock = await this.link()
    const key = this.keyOf(target)
    const message = await generateWAMessage(key.remoteJid!, content(key), this.making(sock))
    await this.turns.take(true, () => this.keepAndTransmit(sock, message.key.id!, message))
  }

  async markRead(targets: WhatsappTarget[]): Promise<void> {
    const sock = this.device.open()
    await sock.readMessages(targets.map((target) => this.keyOf(target)))
    for (const { chat } of targets) await this.watch(sock, chat)
  }

  async presence(chat: ChatAddress, state: 'composing' | 'paused'): Promise<void> {
    const sock = this.device.open()
    await sock.sendPresenceUpdate(state, jidOf(chat))
    await this.watch(sock, chat)
  }

  /** WhatsApp tells who is typing only to those who asked; once for each chat and link. */
  private async watch(sock: Socket, chat: ChatAddress): Promise<void> {
    const jid = jidOf(chat)
    if (chat.kind === 'group' || this.watched.has(jid)) return
    this.watched.add(jid)
    await sock.presenceSubscribe(jid)
  }
}

/**
 * Wraps the encryption so that the turned ratchet is durable before its message leaves. Baileys keeps it when the
 * message has left: a process that dies in between would use the same key for another message, which the other side
 * refuses; and a session that only the other side knows of makes all unreadable that is said in it from then on.
 *
 * @param store what `auth.keys` writes to, without its transactions
 */
export function durableBeforeLeaving(
  repository: SignalRepositoryWithLIDStore,
  auth: SignalAuthState,
  store: SignalKeyStore,
): SignalRepositoryWithLIDStore {
  const turning = new AsyncLocalStorage<SignalDataSet>()
  const { keys } = auth
  const { set } = keys
  keys.set = async (data) => {
    await set.call(keys, data)
    const turned = turning.getStore()
    if (!turned) return
    if (data.session) turned.session = { ...turned.session, ...data.session }
    if (data['sender-key']) turned['sender-key'] = { ...turned['sender-key'], ...data['sender-key'] }
  }
  const durably = async <T>(encrypt: () => Promise<T>): Promise<T> => {
    const turned: SignalDataSet = {}
    const sealed = await turning.run(turned, encrypt)
    // Inside the transaction of a message: what is written here needs not be waited for once more at its end.
    const riding: RidingRows = { 'balcao-write': { write: {} } }
    if ('isInTransaction' in keys && keys.isInTransaction()) await set.call(keys, riding as unknown as SignalDataSet)
    await Promise.all([store.set(turned), beforeLeaving.getStore()])
    return sealed
  }
  const { encryptMessage, encryptGroupMessage } = repository
  repository.encryptMessage = (opts) => durably(() => encryptMessage.call(repository, opts))
  repository.encryptGroupMessage = (opts) => durably(() => encryptGroupMessage.call(repository, opts))
  return repository
}

/** How the envelope of an edit or a deletion names it; `relayMessage` leaves that to its caller. */
function editAttribute(protocol: proto.Message.IProtocolMessage | null | undefined): string | null {
  const { REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type
  if (protocol?.type === MESSAGE_EDIT) return '1'
  if (protocol?.type !== REVOKE) return null
  // In a group an admin may delete what others wrote.
  return isJidGroup(protocol.key?.remoteJid ?? '') && !protocol.key?.fromMe ? '8' : '7'
}
