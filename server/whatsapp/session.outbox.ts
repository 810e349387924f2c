/** What leaves on a link, again and again until the service says that it has it. */
import type { ChatAddress, OutgoingMessage } from '../../schema/messages/messages.content.ts'
import type { InboundAck } from '../../schema/messages/messages.inbound.ts'
import { jidOf } from './addresses.ts'
import { type BinaryNode, generateWAMessage, type proto, type WAMessageKey, withMediaHosts } from './baileys.ts'
import { type Device, encoded, laneOfEvent, type MessageTarget, ownOf, type Socket } from './session.device.ts'
import { toBaileys } from './to-baileys.ts'

interface Unconfirmed {
  sentAt: number
  sends: number
  message: proto.IWebMessageInfo
}

export class Outbox {
  lastOutAt: Date | null = null
  private readonly unconfirmed = new Map<string, Unconfirmed>()
  /** Chats whose typing this link asked to hear of. */
  private readonly watched = new Set<string>()

  constructor(private readonly device: Device) {}

  listen({ ws }: Socket): void {
    // The service's word on what we sent (ack 2, or its error) reaches no event of Baileys'.
    ws.on('CB:ack,class:message', (node: BinaryNode) => this.heardAck(node.attrs))
  }

  linkEnded(): void {
    this.watched.clear()
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
    const sock = this.device.open()
    const stored = await this.device.ctx.store.message(this.device.id, message.wid)
    const full: proto.IWebMessageInfo = stored ?? (await this.compose(sock, message))
    await this.device.ctx.store.commit({
      protos: [{ whatsappId: this.device.id, wid: message.wid, message: encoded(full), awaitingAck: true }],
    })
    await this.transmit(sock, message.wid, full, 1)
    return { sentAt: new Date() }
  }

  private async compose(sock: Socket, message: OutgoingMessage): Promise<proto.IWebMessageInfo> {
    const jid = jidOf(message.to)
    const { quoted } = message
    const original = quoted && (await this.device.ctx.store.message(this.device.id, quoted.wid))
    return withMediaHosts(() =>
      generateWAMessage(jid, toBaileys(message.content, this.device.ctx.mediaFile), {
        userJid: sock.user!.id,
        upload: sock.waUploadToServer,
        messageId: message.wid,
        logger: this.device.log.child({ of: 'baileys' }, { level: 'silent' }),
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
  }

  private async transmit(sock: Socket, wid: string, message: proto.IWebMessageInfo, sends: number): Promise<void> {
    // Counted before the bytes leave: the answer may be here before this call returns.
    this.unconfirmed.set(wid, { sentAt: Date.now(), sends, message })
    await sock.relayMessage(message.key!.remoteJid!, message.message!, { messageId: wid })
    this.lastOutAt = new Date()
  }

  async sendUnconfirmed(sock: Socket, generation: number): Promise<void> {
    for (const row of await this.device.ctx.store.unconfirmed(this.device.id)) {
      if (!this.device.isCurrent(generation)) return
      // Too old to be sent unasked: whoever wrote it decides.
      if (row.late) this.confirm(row.wid, { ack: 0, error: 'no_server_ack' })
      // A link that broke is no attempt that failed: only silence on an open link counts.
      else await this.transmit(sock, row.wid, row.message, this.unconfirmed.get(row.wid)?.sends ?? 1)
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
    this.confirm(id, error ? { ack: 0, error } : { ack: 2, error: null })
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

  private keyOf(target: MessageTarget): WAMessageKey {
    return {
      remoteJid: jidOf(target.chat),
      id: target.wid,
      fromMe: target.fromMe,
      ...(target.participant && target.chat.kind === 'group'
        ? { participant: jidOf({ kind: 'person', ...target.participant }) }
        : {}),
    }
  }

  async edit(target: MessageTarget, body: string): Promise<void> {
    const key = this.keyOf(target)
    await this.device.open().sendMessage(key.remoteJid!, { text: body, edit: key })
  }

  async revoke(target: MessageTarget): Promise<void> {
    const key = this.keyOf(target)
    await this.device.open().sendMessage(key.remoteJid!, { delete: key })
  }

  async react(target: MessageTarget, emoji: string): Promise<void> {
    const key = this.keyOf(target)
    await this.device.open().sendMessage(key.remoteJid!, { react: { text: emoji, key } })
  }

  async markRead(targets: MessageTarget[]): Promise<void> {
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
