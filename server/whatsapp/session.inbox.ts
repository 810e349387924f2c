/**
 * What arrives on a link, journalled before WhatsApp hears that it did, in the product's words and in order.
 */
import { newId } from '../../schema/ids.ts'
import type { ChatAddress } from '../../schema/messages/messages.content.ts'
import type { InboundEvent } from '../../schema/messages/messages.inbound.ts'
import { doing } from '../heartbeat.ts'
import { letOthersIn } from '../others.ts'
import { type Person, personOf } from './addresses.ts'
import {
  type BinaryNode,
  type CacheStore,
  decodeMessageNode,
  isJidBroadcast,
  isJidGroup,
  isJidNewsletter,
  isJidStatusBroadcast,
  jidNormalizedUser,
  proto,
  type SignalAuthState,
  type SignalDataSet,
  type SignalKeyStoreWithTransaction,
  type SignalRepositoryWithLIDStore,
  unpadRandomMax16,
  type WAMessage,
  writeRandomPadMax16,
} from './baileys.ts'
import {
  type Converted,
  fromBaileys,
  type Ignored,
  inside,
  isId,
  shortened,
  type MessageFacts,
  receiptOf,
  timerOf,
} from './from-baileys.ts'
import type { Gate } from './gate.ts'
import type { Delivery } from './lanes.ts'
import { type Device, encoded, type Health, laneOfEvent, ownOf, type Socket, within } from './session.device.ts'
import type { Outbox } from './session.outbox.ts'
import type { Questions } from './session.questions.ts'
import { openSealedEdit } from './sealed-edit.ts'
import {
  type Change,
  type JournalRow,
  type PendingWrite,
  type ProtoRow,
  type RidingRows,
  StoreError,
} from './store.rows.ts'

const knownPairs = 5_000
const knownTicks = 5_000
/** Four times what the longest text takes: to read, keep and quote more of it would only hold up all others. */
const LETTER_BYTES = 1_048_576

/** What arrives on a link: read, written into the journal, then confirmed to WhatsApp and handed to the product. */
export class Inbox {
  lastInAt: Date | null = null
  /** What arrived and was not for the product, by reason. */
  readonly ignored: Health['ignored'] = {}
  private readonly pairs = new Set<string>()
  /** The envelope of each ciphertext that is being read: decryption is handed the letter alone. */
  private readonly stanzas = new WeakMap<Uint8Array, BinaryNode>()
  private readonly callers = new Map<string, string>()
  /** How far our messages got, as the journal or the product knows it. */
  private readonly reached = new Map<string, number>()
  /** Messages that could not be read and of which our own phone is about to be asked. */
  private readonly unread = new Map<string, unknown>()
  /** The same, as Baileys looks at it. */
  readonly resends: CacheStore = {
    get: <T>(id: string) => this.unread.get(id) as T | undefined,
    set: (id, value) => void this.unread.set(id, value),
    del: (id) => void this.unread.delete(id),
    flushAll: () => this.unread.clear(),
  }

  constructor(
    private readonly device: Device,
    private readonly outbox: Outbox,
    private readonly questions: Questions,
  ) {}

  listen(sock: Socket, gate: Gate, generation: number): void {
    const { ev, ws } = sock
    const { log } = this.device
    this.keepOrder(sock, gate, generation)
    // Before Baileys, which tells WhatsApp first that the receipt was heard.
    ws.prependListener('CB:receipt', (node: BinaryNode) => this.heardReceipt(node, gate, generation))
    ev.on('messages.upsert', ({ messages, requestId }) => {
      doing('messages of WhatsApp')
      // What the phone sent instead of a message we could not read; it did not pass through `decryptMessage`.
      if (!requestId) return
      for (const message of messages)
        void this.keepUnencrypted(message).catch((error) =>
          log.error({ err: error }, 'a message from the phone was lost'),
        )
    })
    ev.on('presence.update', ({ id, presences }) => {
      void this.heardPresence(id, presences).catch((error) => log.debug({ err: error }, 'typing was not told'))
    })
    ev.on('lid-mapping.update', ({ lid, pn }) => this.learnIdentity(personOf(lid, pn)))
    ev.on('messaging-history.set', (history) => {
      for (const { lid, pn } of history.lidPnMappings ?? []) this.learnIdentity(personOf(lid, pn))
    })
    ev.on('call', (calls) => {
      for (const call of calls) {
        if (call.status !== 'offer' || call.isGroup || !isId(call.id)) continue
        this.callers.set(call.id, call.from)
        setTimeout(() => this.callers.delete(call.id), 5 * 60_000).unref()
        const from: ChatAddress = { kind: 'person', ...personOf(call.from, call.callerPn, call.chatId) }
        const { id: callId, date: at, isVideo } = call
        this.tell({ ...ownOf(this.device), kind: 'call', callId, from, at, video: isVideo === true })
      }
    })
  }

  /**
   * One message after the other. Baileys looks up the sender's other name before it queues for the decryption, so that
   * the second message of a newcomer overtakes the first; and what was missed waits in a line of its own, which all that
   * comes meanwhile overtakes.
   */
  private keepOrder({ ws }: Socket, gate: Gate, generation: number): void {
    const [handle] = ws.listeners('CB:message') as ((node: BinaryNode) => Promise<void>)[]
    if (!handle) throw new Error('Baileys no longer listens to messages where it did')
    let turn: Promise<void> = Promise.resolve()
    let behind = 0
    ws.off('CB:message', handle)
    ws.on('CB:message', (node: BinaryNode) => {
      if (Array.isArray(node.content)) {
        for (const { tag, content } of node.content) {
          if (tag === 'enc' && content instanceof Uint8Array) this.stanzas.set(content, node)
        }
      }
      const { offline: _, ...attrs } = node.attrs
      behind++
      turn = turn
        .then(() => (behind > 1 ? letOthersIn() : undefined))
        // What an ended link had still to read is brought again on the next, which turns the same ratchets.
        .then(() => (this.device.isCurrent(generation) ? this.heardUnseen(node, gate, generation) : undefined))
        .then(() => (this.device.isCurrent(generation) ? handle({ ...node, attrs }) : undefined))
        .catch((error) => this.device.log.error({ err: error }, 'a message was not handled'))
        .finally(() => behind--)
    })
  }

  /**
   * Wraps the decryption so that ratchet, plaintext and message are one durable write, for which the gate holds the
   * receipt back. After it WhatsApp forgets its copy, and a second copy could not be decrypted.
   *
   * It also takes the lock that sending takes. Baileys locks the one by chat and the other by account, so that an
   * answer crossing a question can put back an older state of the same ratchet.
   */
  journalling(
    repository: SignalRepositoryWithLIDStore,
    auth: SignalAuthState,
    gate: Gate,
    generation: number,
  ): SignalRepositoryWithLIDStore {
    const keys = auth.keys as SignalKeyStoreWithTransaction
    const wrapped = async (ciphertext: Uint8Array, decrypt: () => Promise<Uint8Array>): Promise<Uint8Array> => {
      let deliveries: Delivery[] = []
      let decrypted = false
      let short: proto.IMessage | null = null
      const write: PendingWrite = {}
      try {
        const plain = await keys.transaction(async () => {
          const plain = await decrypt()
          decrypted = true
          const stanza = this.stanzas.get(ciphertext)
          if (stanza?.attrs.id) this.unread.delete(stanza.attrs.id)
          const kept = stanza && (await this.received(stanza, plain, keys))
          if (!stanza) this.count('unreadable')
          deliveries = kept?.deliveries ?? []
          short = kept?.short ?? null
          // The type of the store knows Baileys' own rows only; ours ride in the same commit.
          const riding: RidingRows = { ...kept?.rows, 'balcao-write': { write } }
          await keys.set(riding as unknown as SignalDataSet)
          return plain
        }, this.device.creds?.me?.id ?? 'linking')
        if (write.durable) this.deliverWhen(write.durable, deliveries, gate, generation)
        return short ? writeRandomPadMax16(proto.Message.encode(short).finish()) : plain
      } catch (error) {
        if (decrypted || error instanceof StoreError) this.leaveUnanswered(error, gate, generation)
        else {
          const known = await this.firstCopy(ciphertext).catch((failure) => {
            this.leaveUnanswered(failure, gate, generation)
            return null
          })
          if (known) return known
          this.askPhone(ciphertext)
        }
        throw error
      }
    }
    const { decryptMessage, decryptGroupMessage } = repository
    repository.decryptMessage = (opts) => wrapped(opts.ciphertext, () => decryptMessage.call(repository, opts))
    repository.decryptGroupMessage = (opts) => wrapped(opts.msg, () => decryptGroupMessage.call(repository, opts))
    return repository
  }

  /**
   * What a message says that cannot be read because it was read before: its receipt was lost with the last link.
   * The library would refuse it, or ask for it anew, for which the sender's phone begins a new session.
   */
  private async firstCopy(ciphertext: Uint8Array): Promise<Uint8Array | null> {
    const stanza = this.stanzas.get(ciphertext)
    const { me } = this.device.creds ?? {}
    if (!stanza?.attrs.id || !me) return null
    const { key } = decodeMessageNode(stanza, me.id, me.lid ?? '').fullMessage
    const kept = await this.device.ctx.store.message(this.device.id, stanza.attrs.id)
    // An id is chosen by who sends: with another sender it is another message.
    const isSame = (['remoteJid', 'participant', 'fromMe'] as const).every(
      (part) => (kept?.key?.[part] || null) === (key[part] || null),
    )
    if (!kept?.message || !isSame) return null
    this.device.log.debug({ wid: stanza.attrs.id }, 'a second copy is confirmed')
    return writeRandomPadMax16(proto.Message.encode(kept.message).finish())
  }

  /**
   * Our own phone has the message too. Baileys would ask it before it asks the sender, and wait two seconds first, in
   * which nothing else of the link is read; when it is being asked already, it does not.
   */
  private askPhone(ciphertext: Uint8Array): void {
    const { creds, sock, log } = this.device
    const stanza = this.stanzas.get(ciphertext)
    if (!stanza?.attrs.id || !creds?.me || !sock || stanza.attrs.category === 'peer') return
    const { key } = decodeMessageNode(stanza, creds.me.id, creds.me.lid ?? '').fullMessage
    sock
      .requestPlaceholderResend(key)
      .catch((error) => log.debug({ err: error, wid: key.id }, 'the phone was not asked for a message'))
  }

  private deliverWhen(durable: Promise<void>, deliveries: Delivery[], gate: Gate, generation: number): void {
    gate.hold(durable)
    durable.then(
      () => this.deliver(deliveries),
      (error) => this.leaveUnanswered(error, gate, generation),
    )
  }

  /**
   * The fault is ours and nothing was stored. WhatsApp must not hear a word, not even of failure, which would be the
   * end of the message: it will send it again.
   */
  leaveUnanswered(error: unknown, gate: Gate, generation: number): void {
    gate.shut()
    if (!this.device.isCurrent(generation)) return
    this.device.log.error({ err: error }, 'what arrived could not be stored: the link ends unanswered')
    this.device.ended(generation, 500)
  }

  private async received(
    stanza: BinaryNode,
    plain: Uint8Array,
    keys: SignalKeyStoreWithTransaction,
  ): Promise<{
    deliveries: Delivery[]
    rows: RidingRows | null
    /** What Baileys is to read instead of a letter that is longer than any phone writes. */
    short?: proto.IMessage
  }> {
    // Between our own devices: keys and history, not conversation.
    if (stanza.attrs.category === 'peer') return { deliveries: [], rows: null }
    const { creds } = this.device
    if (!creds?.me) return { deliveries: [], rows: null }
    let message: WAMessage
    const isLong = plain.length > LETTER_BYTES
    try {
      const { fullMessage } = decodeMessageNode(stanza, creds.me.id, creds.me.lid ?? '')
      const letter = unpadRandomMax16(plain)
      // As a Buffer, whose texts are read natively: 4 MB of them take a hundredth of the time.
      const decoded = proto.Message.decode(Buffer.from(letter.buffer, letter.byteOffset, letter.byteLength))
      const said = decoded.deviceSentMessage?.message ?? decoded
      // By it later edits are opened; of what our own phone sent it stands outside.
      said.messageContextInfo ??= decoded.messageContextInfo
      message = { ...fullMessage, message: isLong ? shortened(said) : said }
    } catch (error) {
      // Nonsense from the other side. Baileys will find the same and say so; asking again would not help.
      this.device.log.warn({ err: error, wid: stanza.attrs.id }, 'a message could not be read')
      this.count('unreadable')
      return { deliveries: [], rows: null }
    }
    const converted = await this.convert(message, Boolean(stanza.attrs.offline), keys)
    return isLong ? { ...converted, short: message.message! } : converted
  }

  private async convert(
    message: WAMessage,
    offline: boolean,
    keys: SignalKeyStoreWithTransaction,
  ): Promise<{ deliveries: Delivery[]; rows: RidingRows | null }> {
    const { key } = message
    const { me } = this.device.creds ?? {}
    const group = isJidGroup(key.remoteJid ?? '') === true
    const said = group ? personOf(key.participant, key.participantAlt) : personOf(key.remoteJid, key.remoteJidAlt)
    const facts: MessageFacts = {
      ...ownOf(this.device),
      offline,
      groups: group && (await this.device.ctx.acceptsGroups(this.device.companyId)),
      known: said.number && said.lid ? null : await this.otherName(said, keys),
      subject: group ? (this.questions.cachedGroup(key.remoteJid!)?.subject ?? null) : null,
      me: me ? { ...personOf(me.id, me.lid), name: me.name ?? '' } : null,
    }
    const timer = await this.timerRows(message, said, facts)
    let converted: Converted
    try {
      converted = fromBaileys(await this.unsealed(message, facts), facts)
    } catch (error) {
      // A shape that nobody foresaw. It would be the same the next time, so it must not end the link for ever: the
      // message is kept as it came, to be read by a later version.
      this.device.log.error({ err: error, wid: key.id }, 'a message could not be understood')
      this.count('unreadable')
      return { deliveries: [], rows: this.kept(message) }
    }
    if ('ignored' in converted) {
      const { ignored } = converted
      this.count(ignored)
      // The keys of a group come before the message in one stanza: that they were read says nothing of it.
      const isRead = ignored !== 'no_id' && ignored !== 'key_distribution'
      return { deliveries: [], rows: isRead ? { ...this.kept({ key, message: {} }), ...timer } : timer }
    }
    const { event } = converted
    this.lastInAt = new Date()
    const journal: JournalRow = {
      id: newId(),
      whatsappId: this.device.id,
      wid: key.id!,
      event: JSON.stringify(event),
    }
    const lane = laneOfEvent(event)
    const deliveries: Delivery[] = [{ journalId: journal.id, lane, event }]
    const identity = this.newIdentity(said)
    // A message of a person's own chat names both itself.
    if (identity && (group || event.kind !== 'message')) deliveries.unshift({ journalId: null, lane, event: identity })
    return {
      deliveries,
      rows: {
        'balcao-journal': { [journal.id]: journal },
        ...this.kept(event.kind === 'message' ? message : { key, message: {} }),
        ...timer,
      },
    }
  }

  /** What a message tells of the time that its chat's messages stay, to be written with it; null when it is no news. */
  private async timerRows(message: WAMessage, said: Person, facts: MessageFacts): Promise<RidingRows | null> {
    const timer = timerOf(message.message)
    const jid = message.key.remoteJid ?? ''
    const isGroup = isJidGroup(jid) === true
    if (
      !timer ||
      (isGroup && !facts.groups) ||
      isJidStatusBroadcast(jid) ||
      isJidBroadcast(jid) ||
      isJidNewsletter(jid)
    )
      return null
    const chat: ChatAddress = isGroup
      ? { kind: 'group', groupId: jid.slice(0, jid.indexOf('@')) }
      : {
          kind: 'person',
          number: said.number ?? facts.known?.number ?? null,
          lid: said.lid ?? facts.known?.lid ?? null,
        }
    const news = await this.device.timers.received(chat, timer)
    return news && { 'balcao-timer': news }
  }

  /** A sealed edit, opened with the secret of the message that it changes; every other message as it is. */
  private async unsealed(message: WAMessage, { known }: MessageFacts): Promise<WAMessage> {
    const sealed = inside(message.message)?.secretEncryptedMessage
    const target = sealed?.targetMessageKey?.id
    if (sealed?.secretEncType !== proto.Message.SecretEncryptedMessage.SecretEncType.MESSAGE_EDIT || !isId(target))
      return message
    // The message may have come a moment ago, and is being written still.
    const { store } = this.device.ctx
    await store.commit({})
    const original = await store.message(this.device.id, target)
    const secret = original?.message?.messageContextInfo?.messageSecret
    if (!original || !secret?.length) return message
    const { key } = message
    const { me } = this.device.creds ?? {}
    const mine = [me?.lid, me?.id]
    const theirs = [key.participant, key.participantAlt, key.remoteJid, key.remoteJidAlt, original.key?.participant]
    const names = known ? [known.lid && `${known.lid}@lid`, known.number && `${known.number}@s.whatsapp.net`] : []
    const authors = (key.fromMe ? mine : [...theirs, ...names]).flatMap((jid) =>
      jid && !isJidGroup(jid) ? jidNormalizedUser(jid) : [],
    )
    const opened = openSealedEdit(sealed, secret, [...new Set(authors)])
    return opened ? { ...message, message: opened } : message
  }

  /**
   * What is to be seen once is sent to phones only: linked devices get an envelope that says so. It is kept and handed on
   * like a message, before Baileys confirms it.
   */
  private async heardUnseen(node: BinaryNode, gate: Gate, generation: number): Promise<void> {
    const { creds, sock, ctx } = this.device
    if (!creds?.me || !sock || !isUnseen(node)) return
    let message: WAMessage
    try {
      message = decodeMessageNode(node, creds.me.id, creds.me.lid ?? '').fullMessage
    } catch (error) {
      this.device.log.warn({ err: error, wid: node.attrs.id }, 'a message could not be read')
      return
    }
    message.key.isViewOnce = true
    try {
      const { deliveries, rows } = await this.convert(message, Boolean(node.attrs.offline), sock.authState.keys)
      if (rows) this.deliverWhen(ctx.store.commit(this.asChange(rows)), deliveries, gate, generation)
    } catch (error) {
      this.leaveUnanswered(error, gate, generation)
    }
  }

  private asChange(rows: RidingRows): Change {
    const timers = Object.entries(rows['balcao-timer'] ?? {})
    return {
      journal: Object.values(rows['balcao-journal'] ?? {}),
      protos: Object.values(rows['balcao-proto'] ?? {}),
      keys: timers.map(([id, timer]) => ({
        ...{ whatsappId: this.device.id, type: 'balcao-timer', id },
        value: timer && JSON.stringify(timer),
      })),
    }
  }

  /** By this a second copy is known; of what is no message its name is enough. */
  private kept(message: proto.IWebMessageInfo): RidingRows {
    const wid = message.key!.id!
    const row: ProtoRow = { whatsappId: this.device.id, wid, message: encoded(message), awaitingAck: false }
    return { 'balcao-proto': { [wid]: row } }
  }

  private async keepUnencrypted(message: WAMessage): Promise<void> {
    const sock = this.device.sock
    if (!sock) return
    const { deliveries, rows } = await this.convert(message, false, sock.authState.keys)
    if (!rows) return
    await this.device.ctx.store.commit(this.asChange(rows))
    this.deliver(deliveries)
  }

  /** WhatsApp says it once, so it is kept before it is confirmed. */
  private heardReceipt(node: BinaryNode, gate: Gate, generation: number): void {
    const receipt = receiptOf(node)
    // In a group everybody confirms everything: what is no news is not written.
    const news = receipt?.wids.filter((wid) => (this.reached.get(wid) ?? 0) < receipt.ack)
    if (!receipt || !news?.length) return
    const deliveries = news.map((wid) => ({
      ...this.outbox.ackDelivery(wid, { ack: receipt.ack, error: null }),
      journalId: newId(),
    }))
    const journal = deliveries.map(({ journalId, event }) => ({
      id: journalId,
      whatsappId: this.device.id,
      wid: event.wid,
      event: JSON.stringify(event),
    }))
    const durable = this.device.ctx.store.commit({ journal })
    this.deliverWhen(durable, deliveries, gate, generation)
    const remember = () => {
      for (const wid of news) this.reached.set(wid, receipt.ack)
      while (this.reached.size > knownTicks) this.reached.delete(this.reached.keys().next().value as string)
    }
    // The failure is told above.
    durable.then(remember, () => undefined)
  }

  private async heardPresence(
    id: string,
    presences: { [participant: string]: { lastKnownPresence: string } },
  ): Promise<void> {
    if (isJidGroup(id)) return
    const person = personOf(id)
    const keys = this.device.sock?.authState.keys
    const known = keys ? await this.otherName(person, keys).catch(() => null) : null
    const chat: ChatAddress = { kind: 'person', ...(known ?? person) }
    for (const { lastKnownPresence } of Object.values(presences)) {
      const writing = lastKnownPresence === 'composing' || lastKnownPresence === 'recording'
      this.device.ctx.onTyping({ ...ownOf(this.device), chat, state: writing ? 'composing' : 'paused' })
    }
  }

  /** The person's other name from our own store; never a question to the network, for a receipt waits. */
  private async otherName(person: Person, keys: SignalKeyStoreWithTransaction): Promise<Person | null> {
    const asked = person.lid ? `${person.lid}_reverse` : person.number
    if (!asked) return null
    const { [asked]: found } = await keys.get('lid-mapping', [asked])
    if (!found) return null
    return person.lid ? { number: String(found), lid: person.lid } : { number: person.number, lid: String(found) }
  }

  private newIdentity(person: Person): InboundEvent | null {
    if (!person.number || !person.lid) return null
    const pair = `${person.number}/${person.lid}`
    if (this.pairs.has(pair)) return null
    this.pairs.add(pair)
    if (this.pairs.size > knownPairs) this.pairs.delete(this.pairs.values().next().value as string)
    return { ...ownOf(this.device), kind: 'identity', number: person.number, lid: person.lid }
  }

  private learnIdentity(person: Person): void {
    const event = this.newIdentity(person)
    if (event) this.tell(event)
  }

  /** What can be learned again needs no journal. */
  private tell(event: InboundEvent): void {
    this.deliver([{ journalId: null, lane: laneOfEvent(event), event }])
  }

  private deliver(deliveries: Delivery[]): void {
    if (deliveries.length) this.device.ctx.lanes.add(deliveries)
  }

  private count(reason: Ignored | 'unreadable'): void {
    this.ignored[reason] = (this.ignored[reason] ?? 0) + 1
    this.device.log.debug({ reason }, 'not for the product')
  }

  /** What an earlier process heard and the product never stored. */
  async replay(): Promise<void> {
    const { lanes } = this.device.ctx
    // What was done while the question was under way is in the answer still.
    const before = new Set(lanes.holding())
    const rows = await this.device.ctx.store.journalOf(this.device.id)
    const deliveries = rows.flatMap((row) => {
      if (before.has(row.id) || lanes.holding().has(row.id)) return []
      const event = revivedEvent(row.event)
      // It came before the pause that ends here.
      if (event.kind === 'message') event.offline = true
      return [{ journalId: row.id, lane: laneOfEvent(event), event }]
    })
    if (deliveries.length) this.device.log.info({ events: deliveries.length }, 'replaying the journal')
    this.deliver(deliveries)
  }

  async rejectCall(callId: string): Promise<void> {
    const from = this.callers.get(callId)
    if (from) await within(this.device.ctx.timing.queryMs, this.device.open().rejectCall(callId, from))
  }
}

/** Whether a phone alone was given the message. */
const isUnseen = ({ content }: BinaryNode): boolean =>
  Array.isArray(content) &&
  content.some(({ tag, attrs }) => tag === 'unavailable' && /^view_once/.test(attrs.type ?? '')) &&
  !content.some(({ tag }) => tag === 'enc')

/** JSON knows no dates; the fields that are dates have these two names. */
function revivedEvent(json: string): InboundEvent {
  return JSON.parse(json, (name, value) =>
    (name === 'at' || name === 'sentAt') && typeof value === 'string' ? new Date(value) : value,
  ) as InboundEvent
}
