/**
 * A loopback WhatsApp service: enough of the multi-device protocol for the real Baileys client to pair,
 * log in, exchange end-to-end encrypted messages with simulated contacts, move media, use groups,
 * and be disconnected in every way that matters. Binds to 127.0.0.1 only.
 */
import { EventEmitter } from 'node:events'
import { createCipheriv, createDecipheriv, createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import {
  aesDecryptGCM,
  aesEncryptGCM,
  Curve,
  decodeBinaryNode,
  encodeBinaryNode,
  getBinaryNodeChild,
  getBinaryNodeChildBuffer,
  getBinaryNodeChildren,
  hkdf,
  jidDecode,
  proto,
  QueryIds,
  type BinaryNode,
  type MediaType,
} from '@whiskeysockets/baileys'
import { NoiseIdentity, NoiseResponder, type NoiseState } from './noise.ts'
import { be, beNum, bundleToUserNode, type PeerState, SignalPeer, type Bundle } from './peer.ts'
import { openMedia, sealMedia } from './media.ts'

const S = 's.whatsapp.net'
const n = (tag: string, attrs: Record<string, string> = {}, content?: BinaryNode['content']): BinaryNode => ({
  tag,
  attrs,
  ...(content === undefined ? {} : { content }),
})
const kids = (x: BinaryNode | undefined): BinaryNode[] =>
  Array.isArray(x?.content) ? (x!.content as BinaryNode[]) : []
const unix = () => Math.floor(Date.now() / 1000)
const eq = (a: Uint8Array, b: Uint8Array) => Buffer.compare(Buffer.from(a), Buffer.from(b)) === 0

export const messageId = () => '3A' + randomBytes(9).toString('hex').toUpperCase()

/** By what a stanza and the client's word on it belong together: of one message there are several receipts. */
const nameOf = (tag: string, { id, type, participant }: BinaryNode['attrs']) =>
  [tag, id, ...(tag === 'receipt' ? [type, participant] : [])].filter(Boolean).join(':')

/** one linked device of an account, as the server knows it */
export class Companion {
  preKeys: NonNullable<Bundle['key']>[] = []
  conn?: Conn
  /** stanzas the client has not confirmed yet; re-sent with `offline` after a reconnect */
  readonly unconfirmed = new Map<string, BinaryNode>()
  seeded = false
  constructor(
    readonly account: Account,
    readonly deviceId: number,
    readonly noiseStatic: Uint8Array,
    readonly identity: Uint8Array,
    readonly registrationId: number,
    public skey: Bundle['skey'],
  ) {}
  get lidJid() {
    return `${this.account.lid}:${this.deviceId}@lid`
  }
  get pnJid() {
    return `${this.account.pn}:${this.deviceId}@${S}`
  }
  bundle(): Bundle {
    return { registrationId: this.registrationId, identity: this.identity, skey: this.skey, key: this.preKeys.shift() }
  }
}

/** the phone's owner did all that is theirs, and the service wants a passkey before it links the device */
export class PasskeyAsked extends Error {}

/** what the service says of the chats that an account may begin; moments are seconds since 1970 */
export interface NewChats {
  lock: { ends: number | null; type: string } | null
  cap: { total: number; used: number; status: string; cycleEnds: number } | null
}

/** names of devices for which the service gives pairing codes: its own clients in browsers that it knows */
const knownDevice = /^(Chrome|Edge|Firefox|Opera|Safari) \((Mac OS|Windows|Ubuntu)\)$/

/** the phone that owns the account and scans the QR */
export class Account {
  readonly companions = new Map<number, Companion>()
  nextDevice = 1
  /** conversations handed over in the first history sync */
  history: proto.IConversation[] = []
  privacy: Record<string, string> = {
    readreceipts: 'all',
    last: 'all',
    online: 'all',
    profile: 'all',
    status: 'all',
    groupadd: 'all',
    calladd: 'all',
    messages: 'all',
  }
  /** it has a passkey, for which the service asks before it links a device */
  passkey = false
  /** the service gives no pairing code for it, and answers with this code */
  refuseCode?: string
  newChats: NewChats = { lock: null, cap: null }
  constructor(
    readonly pn: string,
    readonly lid: string,
    readonly name: string,
    readonly phone = new SignalPeer(),
  ) {}
}

export interface Received {
  id: string
  message: proto.IMessage
  chat: string
  from: Companion
  node: BinaryNode
}

/** somebody the account can talk to */
export class Contact {
  readonly inbox: Received[] = []
  readonly sent = new Map<string, { message: proto.IMessage; to: Account; group?: Group; edit?: string }>()
  readonly mediaKeys = new Map<string, { mediaKey: Uint8Array; directPath: string }>()
  /** what this person's phone does with what it receives */
  behaviour: Behaviour = { deliver: true, read: false, play: false, delayMs: 0 }
  addressing: 'lid' | 'pn' = 'lid'
  exists = true
  /** make the server refuse messages to this contact with this ack error */
  refuseWith?: string
  constructor(
    readonly pn: string,
    readonly lid: string,
    public name: string,
    readonly peer = new SignalPeer(),
  ) {}
  get jid() {
    return this.addressing === 'lid' ? `${this.lid}@lid` : `${this.pn}@${S}`
  }
  get alt(): Record<string, string> {
    return this.addressing === 'lid' ? { sender_pn: `${this.pn}@${S}` } : { sender_lid: `${this.lid}@lid` }
  }
}

export class Group {
  addressing: 'lid' | 'pn' = 'lid'
  readonly members = new Map<Contact | Account, Role>()
  /** companions that already hold a contact's sender key: `${contact.lid}>${device jid}` */
  readonly keyed = new Set<string>()
  constructor(
    readonly id: string,
    public subject: string,
    readonly owner: Contact | Account,
    readonly created = unix(),
  ) {}
  get jid() {
    return `${this.id}@g.us`
  }
}

/** Half-way through linking by code. */
interface CodeStage {
  pn: string
  ref: Buffer
  wrapped: Buffer
  agreed?: { account: Account; shared: Uint8Array }
}

export class Conn {
  noise: NoiseResponder
  companion?: Companion
  /** device created on this (not yet restarted) pairing connection */
  linked?: Companion
  pairing?: {
    refs: string[]
    identity: Uint8Array
    registrationId: number
    skey: Bundle['skey']
    codeStage?: CodeStage
  }
  work: Promise<unknown> = Promise.resolve()
  closed = false
  /** the client asked for what it missed: before that nothing new is brought */
  active = false
  /** when set, the server swallows everything (simulates a dead link) */
  frozen = false
  constructor(
    readonly ws: { sendBinary(b: Uint8Array): number; close(c?: number, r?: string): void; terminate(): void },
    id: NoiseIdentity,
  ) {
    this.noise = new NoiseResponder(id, (b) => {
      this.ws.sendBinary(b)
    })
  }
  send(node: BinaryNode) {
    if (this.closed || this.frozen) return
    this.noise.sendTransport(encodeBinaryNode(node))
  }
}

export interface FakeOptions {
  port?: number
  /** The address to listen on; clients still come from this machine alone. */
  hostname?: string
  /** What an earlier process left: the same world goes on. */
  world?: WorldState
  /** Where files are kept between processes; in memory only without it. */
  files?: { load(path: string): Uint8Array | undefined; save(path: string, bytes: Uint8Array): void }
  /** serve wss/https with this certificate instead of plain ws/http (the client process needs it as a trusted CA) */
  tls?: { cert: string; key: string }
  /** answer `<ack error>` etc. from a hook; return true when handled */
  intercept?: (node: BinaryNode, conn: Conn) => boolean | Promise<boolean>
  /** number of QR references sent per pairing attempt */
  refs?: number
  /** send a first history sync after pairing (otherwise Baileys buffers for 20 s) */
  history?: boolean
  trace?: (dir: '<' | '>', node: BinaryNode) => void
  /** handles `/` and /ctl/* requests, so that another process, or a person, can drive the world */
  control?: (req: Request, url: URL, srv: FakeWhatsapp) => Response | Promise<Response>
}

export interface FakeEvents {
  message: [Contact, Received]
  own: [Account, proto.IMessage]
  receipt: [BinaryNode, Companion]
  presence: [BinaryNode, Companion]
  chatstate: [BinaryNode, Companion]
  login: [Companion]
  paired: [Companion]
  logout: [Companion]
  unhandled: [BinaryNode]
  upload: [string, Uint8Array]
  error: [unknown]
  /** A contact wrote: text, file, edit, deletion, reaction. */
  said: [Contact, Account, string, proto.IMessage, Group | undefined]
  /** The owner wrote on the phone itself. */
  typed: [Account, Contact, string, proto.IMessage]
  callRejected: [Companion, string]
  /** Anything a snapshot or a screen would show differently. */
  changed: []
}

/** The world between two processes. Buffers survive through `BufferJSON`. */
export interface WorldState {
  noise: NoiseState
  accounts: {
    pn: string
    lid: string
    name: string
    nextDevice: number
    newChats?: NewChats
    phone: PeerState
    companions: {
      deviceId: number
      noiseStatic: Uint8Array
      identity: Uint8Array
      registrationId: number
      skey: Bundle['skey']
      preKeys: NonNullable<Bundle['key']>[]
      unconfirmed: [string, BinaryNode][]
      seeded: boolean
    }[]
  }[]
  contacts: {
    pn: string
    lid: string
    name: string
    peer: PeerState
    behaviour: Behaviour
    addressing: 'lid' | 'pn'
    exists: boolean
    refuseWith?: string
    mediaKeys: [string, { mediaKey: Uint8Array; directPath: string }][]
    sent: { id: string; message: Uint8Array; to: string; group?: string; edit?: string }[]
  }[]
  groups: {
    id: string
    subject: string
    owner: string
    created: number
    addressing: 'lid' | 'pn'
    members: [string, Role][]
    keyed: string[]
  }[]
}

export interface Behaviour {
  deliver: boolean
  read: boolean
  play: boolean
  delayMs: number
}
type Role = 'admin' | 'superadmin' | ''

export class FakeWhatsapp extends EventEmitter<FakeEvents> {
  readonly noise: NoiseIdentity
  readonly accounts = new Map<string, Account>()
  readonly contacts = new Map<string, Contact>()
  readonly groups = new Map<string, Group>()
  private readonly blobs = new Map<string, Uint8Array>()
  readonly conns = new Set<Conn>()
  /** paths that answer with this HTTP status instead of the blob */
  readonly mediaFaults = new Map<string, number>()
  /** refuse new sockets with this HTTP status */
  refuseUpgrade?: number
  /** answer the next logins/registrations with <failure reason=...> (405 outdated client, 403, 402 temporary ban ...) */
  failLogin?: string
  private readonly users = new Map<string, Account | Contact>()
  private readonly refs = new Map<string, Conn>()
  private seq = 0
  readonly server: ReturnType<typeof Bun.serve>

  constructor(readonly opts: FakeOptions = {}) {
    super()
    this.noise = new NoiseIdentity(opts.world?.noise)
    if (opts.world) this.restore(opts.world)
    this.server = Bun.serve<{ conn: Conn | null }>({
      hostname: opts.hostname ?? '127.0.0.1',
      port: opts.port ?? 0,
      ...(opts.tls ? { tls: opts.tls } : {}),
      // Screens listen for hours, and a burst takes its time.
      idleTimeout: 0,
      maxRequestBodySize: 1 << 30,
      fetch: async (req, srv) => {
        const url = new URL(req.url)
        if (url.pathname === '/ws/chat') {
          if (this.refuseUpgrade) return new Response('no', { status: this.refuseUpgrade })
          return srv.upgrade(req, { data: { conn: null } })
            ? undefined
            : new Response('upgrade expected', { status: 426 })
        }
        if (opts.control && (url.pathname === '/' || url.pathname.startsWith('/ctl/')))
          return opts.control(req, url, this)
        return this.http(req, url)
      },
      websocket: {
        maxPayloadLength: 64 << 20,
        idleTimeout: 0,
        perMessageDeflate: false,
        open: (ws) => {
          const c = new Conn(ws, this.noise)
          ws.data.conn = c
          this.conns.add(c)
        },
        message: (ws, msg) => {
          const c = ws.data.conn
          if (!c || c.frozen) return
          // strictly one stanza at a time per socket
          c.work = c.work
            .then(() => this.onBytes(c, msg as Buffer))
            .catch((e) => {
              this.emit('error', e)
              c.ws.close(1011)
            })
        },
        close: (ws) => {
          if (ws.data.conn) this.onClose(ws.data.conn)
        },
      },
    })
    this.on('error', () => {})
  }

  get port() {
    return this.server.port!
  }
  get host() {
    return `127.0.0.1:${this.port}`
  }
  get wsUrl() {
    return `${this.opts.tls ? 'wss' : 'ws'}://${this.host}/ws/chat`
  }
  async stop() {
    for (const c of this.conns) c.ws.terminate()
    await this.server.stop(true)
  }

  // ---------------------------------------------------------------- between two processes

  snapshot(): WorldState {
    return {
      noise: this.noise.state(),
      accounts: [...this.accounts.values()].map((a) => ({
        pn: a.pn,
        lid: a.lid,
        name: a.name,
        nextDevice: a.nextDevice,
        newChats: a.newChats,
        phone: a.phone.state(),
        companions: [...a.companions.values()].map((c) => ({
          deviceId: c.deviceId,
          noiseStatic: c.noiseStatic,
          identity: c.identity,
          registrationId: c.registrationId,
          skey: c.skey,
          preKeys: c.preKeys,
          unconfirmed: [...c.unconfirmed],
          seeded: c.seeded,
        })),
      })),
      contacts: [...this.contacts.values()].map((c) => ({
        pn: c.pn,
        lid: c.lid,
        name: c.name,
        peer: c.peer.state(),
        behaviour: c.behaviour,
        addressing: c.addressing,
        exists: c.exists,
        ...(c.refuseWith ? { refuseWith: c.refuseWith } : {}),
        mediaKeys: [...c.mediaKeys],
        // Only what was written lately is ever asked for again.
        sent: [...c.sent].slice(-200).map(([id, m]) => ({
          id,
          message: proto.Message.encode(m.message).finish(),
          to: m.to.pn,
          ...(m.group ? { group: m.group.jid } : {}),
          ...(m.edit ? { edit: m.edit } : {}),
        })),
      })),
      groups: [...this.groups.values()].map((g) => ({
        id: g.id,
        subject: g.subject,
        owner: g.owner.pn,
        created: g.created,
        addressing: g.addressing,
        members: [...g.members].map(([member, role]): [string, Role] => [member.pn, role]),
        keyed: [...g.keyed],
      })),
    }
  }

  private restore(world: WorldState): void {
    for (const saved of world.accounts) {
      const account = this.join(new Account(saved.pn, saved.lid, saved.name, new SignalPeer(saved.phone)))
      account.nextDevice = saved.nextDevice
      account.newChats = saved.newChats ?? account.newChats
      for (const c of saved.companions) {
        const companion = new Companion(account, c.deviceId, c.noiseStatic, c.identity, c.registrationId, c.skey)
        companion.preKeys = c.preKeys
        companion.seeded = c.seeded
        for (const [key, node] of c.unconfirmed) companion.unconfirmed.set(key, node)
        account.companions.set(c.deviceId, companion)
      }
    }
    for (const saved of world.contacts) {
      const contact = this.join(new Contact(saved.pn, saved.lid, saved.name, new SignalPeer(saved.peer)))
      Object.assign(contact, {
        behaviour: saved.behaviour,
        addressing: saved.addressing,
        exists: saved.exists,
        refuseWith: saved.refuseWith,
      })
      for (const [id, key] of saved.mediaKeys) contact.mediaKeys.set(id, key)
    }
    for (const saved of world.groups) {
      const group = new Group(saved.id, saved.subject, this.users.get(saved.owner)!, saved.created)
      group.addressing = saved.addressing
      for (const [pn, role] of saved.members) group.members.set(this.users.get(pn)!, role)
      for (const key of saved.keyed) group.keyed.add(key)
      this.groups.set(group.jid, group)
    }
    for (const { pn, sent } of world.contacts) {
      for (const m of sent) {
        this.contacts.get(pn)!.sent.set(m.id, {
          message: proto.Message.decode(m.message),
          to: this.accounts.get(m.to)!,
          ...(m.group ? { group: this.groups.get(m.group) } : {}),
          ...(m.edit ? { edit: m.edit } : {}),
        })
      }
    }
  }

  private keep(path: string, bytes: Uint8Array): void {
    if (this.opts.files) this.opts.files.save(path, bytes)
    else this.blobs.set(path, bytes)
  }
  private file(path: string): Uint8Array | undefined {
    return this.opts.files ? this.opts.files.load(path) : this.blobs.get(path)
  }

  // ---------------------------------------------------------------- world building

  private join<T extends Account | Contact>(who: T): T {
    if (who instanceof Account) this.accounts.set(who.pn, who)
    else this.contacts.set(who.pn, who)
    this.users.set(who.pn, who)
    this.users.set(who.lid, who)
    this.emit('changed')
    return who
  }

  account(pn: string, name = 'Demo Owner'): Account {
    return this.join(new Account(pn, `1${pn.padStart(14, '0')}`, name))
  }
  contact(pn: string, name: string): Contact {
    return this.join(new Contact(pn, `2${pn.padStart(14, '0')}`, name))
  }
  group(subject: string, owner: Contact | Account, members: (Contact | Account)[], known?: string): Group {
    const id = known ?? `12036${String(Date.now()).slice(-9)}${String(this.seq++).padStart(4, '0')}`
    const g = new Group(id, subject, owner)
    g.members.set(owner, 'superadmin')
    for (const m of members) if (!g.members.has(m)) g.members.set(m, '')
    this.groups.set(g.jid, g)
    return g
  }
  /** The contact with this address. */
  who(jid: string | undefined): Contact | undefined {
    const found = this.resolve(jid)?.who
    return found instanceof Contact ? found : undefined
  }
  /** Devices that wait to be linked. */
  waiting(): { qrs: number; codes: string[] } {
    const open = [...this.conns].filter((c) => c.pairing && !c.linked)
    return { qrs: open.length, codes: open.flatMap((c) => c.pairing?.codeStage?.pn ?? []) }
  }
  private resolve(jid: string | undefined) {
    const d = jid ? jidDecode(jid) : undefined
    return d ? { who: this.users.get(d.user), device: d.device ?? 0, server: d.server } : undefined
  }

  // ---------------------------------------------------------------- socket plumbing

  private async onBytes(c: Conn, msg: Buffer) {
    const { ready, frames } = c.noise.feed(msg)
    if (ready) await this.onHandshake(c)
    for (const f of frames) {
      const node = await decodeBinaryNode(f)
      this.opts.trace?.('<', node)
      if (this.opts.intercept && (await this.opts.intercept(node, c))) continue
      await this.onNode(c, node)
    }
  }
  send(c: Conn, node: BinaryNode) {
    this.opts.trace?.('>', node)
    c.send(node)
  }

  private onClose(c: Conn) {
    c.closed = true
    this.conns.delete(c)
    this.emit('changed')
    if (c.companion?.conn === c) c.companion.conn = undefined
    for (const [ref, owner] of this.refs) if (owner === c) this.refs.delete(ref)
  }
  private id() {
    return `${unix()}-${++this.seq}`
  }

  private async onHandshake(c: Conn) {
    const p = c.noise.payload
    if (this.failLogin) {
      this.send(c, n('failure', { reason: this.failLogin, location: 'cln' }))
      c.ws.close()
      return
    }
    if (p.devicePairingData) {
      const d = p.devicePairingData
      c.pairing = {
        refs: Array.from(
          { length: this.opts.refs ?? 6 },
          () => '2@' + randomBytes(32).toString('base64').replaceAll(',', ''),
        ),
        identity: d.eIdent!,
        registrationId: beNum(d.eRegid!),
        skey: { id: beNum(d.eSkeyId!), value: d.eSkeyVal!, signature: d.eSkeySig! },
      }
      for (const r of c.pairing.refs) this.refs.set(r, c)
      this.emit('changed')
      this.send(
        c,
        n('iq', { from: S, type: 'set', id: this.id(), xmlns: 'md' }, [
          n(
            'pair-device',
            {},
            c.pairing.refs.map((r) => n('ref', {}, Buffer.from(r))),
          ),
        ]),
      )
      return
    }
    const acc = this.accounts.get(String(p.username))
    const comp = acc?.companions.get(p.device ?? 0)
    if (!comp || !eq(comp.noiseStatic, c.noise.clientStatic)) {
      this.send(c, n('failure', { reason: '401', location: 'lla' }))
      c.ws.close()
      return
    }
    if (comp.conn) this.disconnect(comp, 'replaced')
    comp.conn = c
    c.companion = comp
    this.send(
      c,
      n('success', {
        t: String(unix()),
        lid: comp.lidJid,
        props: '27',
        companion_enc_static: '',
        location: 'lla',
        creation: '1700000000',
      }),
    )
    this.emit('login', comp)
    this.emit('changed')
  }

  // ---------------------------------------------------------------- pairing

  /** the owner's phone scans the QR text that Baileys emitted */
  scan(account: Account, qr: string): Companion {
    const [ref, noiseB64, identB64, advB64] = qr.slice(qr.indexOf('#') + 1).split(',')
    const c = this.refs.get(ref!)
    if (!c) throw new Error('unknown or expired ref')
    if (account.passkey) this.askPasskey(c)
    if (!eq(Buffer.from(noiseB64!, 'base64'), c.noise.clientStatic)) throw new Error('noise key mismatch')
    if (!eq(Buffer.from(identB64!, 'base64'), c.pairing!.identity)) throw new Error('identity mismatch')
    return this.link(account, c, Buffer.from(advB64!, 'base64'))
  }

  /** The device that is to be linked is told to ask the phone for a passkey; it is not linked. */
  private askPasskey(c: Conn): never {
    for (const type of ['passkey_prologue_request', 'crsc_continuation'])
      this.send(c, n('notification', { from: S, type, id: this.id(), t: String(unix()) }, [n(type, {})]))
    throw new PasskeyAsked()
  }

  private link(account: Account, c: Conn, advSecret: Uint8Array): Companion {
    const p = c.pairing!
    const comp = new Companion(
      account,
      account.nextDevice++,
      Buffer.from(c.noise.clientStatic),
      p.identity,
      p.registrationId,
      p.skey,
    )
    account.companions.set(comp.deviceId, comp)
    const details = proto.ADVDeviceIdentity.encode({
      rawId: randomBytes(4).readUInt32BE(),
      timestamp: unix(),
      keyIndex: comp.deviceId,
      accountType: proto.ADVEncryptionType.E2EE,
      deviceType: proto.ADVEncryptionType.E2EE,
    }).finish()
    const signed = proto.ADVSignedDeviceIdentity.encode({
      details,
      accountSignatureKey: account.phone.identity.public,
      accountSignature: Curve.sign(
        account.phone.identity.private as Buffer,
        Buffer.concat([Buffer.from([6, 0]), details, p.identity]),
      ),
    }).finish()
    const wrapped = proto.ADVSignedDeviceIdentityHMAC.encode({
      details: signed,
      hmac: createHmac('sha256', advSecret).update(signed).digest(),
    }).finish()
    for (const r of p.refs) this.refs.delete(r)
    this.send(
      c,
      n('iq', { from: S, type: 'set', id: `pair-${comp.deviceId}`, xmlns: 'md', t: String(unix()) }, [
        n('pair-success', {}, [
          n('device-identity', {}, wrapped),
          n('device', { jid: comp.pnJid, lid: comp.lidJid }),
          n('platform', { name: 'android' }),
        ]),
      ]),
    )
    c.linked = comp
    this.emit('changed')
    return comp
  }

  /** the owner types an 8-character pairing code on the phone */
  enterPairingCode(account: Account, code: string) {
    for (const c of this.conns) {
      const st = c.pairing?.codeStage
      if (!st || st.pn !== account.pn) continue
      if (account.passkey) this.askPasskey(c)
      const key = (salt: Uint8Array) => pbkdf2Sync(Buffer.from(code), salt, 2 << 16, 32, 'sha256')
      const w: Buffer = st.wrapped
      const dec = createDecipheriv('aes-256-ctr', key(w.subarray(0, 32)), w.subarray(32, 48))
      const companionEph = Buffer.concat([dec.update(w.subarray(48, 80)), dec.final()])
      const eph = Curve.generateKeyPair()
      const salt = randomBytes(32),
        iv = randomBytes(16)
      const enc = createCipheriv('aes-256-ctr', key(salt), iv)
      st.agreed = { account, shared: Curve.sharedKey(eph.private, companionEph) }
      this.send(
        c,
        n('notification', { from: S, type: 'link_code_companion_reg', id: this.id(), t: String(unix()) }, [
          n('link_code_companion_reg', { stage: 'primary_hello' }, [
            n('link_code_pairing_ref', {}, st.ref),
            n('primary_identity_pub', {}, account.phone.identity.public),
            n(
              'link_code_pairing_wrapped_primary_ephemeral_pub',
              {},
              Buffer.concat([salt, iv, enc.update(eph.public), enc.final()]),
            ),
          ]),
        ]),
      )
      return
    }
    throw new Error('no pairing-code request for this number')
  }

  private onLinkCode(c: Conn, iq: BinaryNode, reg: BinaryNode) {
    if (reg.attrs.stage === 'companion_hello') {
      const display = getBinaryNodeChildBuffer(reg, 'companion_platform_display')
      if (!knownDevice.test(Buffer.from(display ?? '').toString())) return this.iqError(c, iq, '400', 'bad-request')
      const refusal = this.accounts.get(jidDecode(reg.attrs.jid!)!.user)?.refuseCode
      if (refusal) return this.iqError(c, iq, refusal, refusal === '429' ? 'rate-overlimit' : 'bad-request')
      const ref = Buffer.from('ref-' + randomBytes(8).toString('hex'))
      c.pairing!.codeStage = {
        pn: jidDecode(reg.attrs.jid!)!.user,
        ref,
        wrapped: Buffer.from(getBinaryNodeChildBuffer(reg, 'link_code_pairing_wrapped_companion_ephemeral_pub')!),
      }
      this.result(c, iq, [
        n('link_code_companion_reg', { stage: 'companion_hello' }, [n('link_code_pairing_ref', {}, ref)]),
      ])
      return
    }
    const st = c.pairing?.codeStage?.agreed
    if (!st) return this.iqError(c, iq, '400', 'bad-request')
    const w = Buffer.from(getBinaryNodeChildBuffer(reg, 'link_code_pairing_wrapped_key_bundle')!)
    const k = hkdf(st.shared, 32, { salt: w.subarray(0, 32), info: 'link_code_pairing_key_bundle_encryption_key' })
    const bundle = aesDecryptGCM(w.subarray(44), k, w.subarray(32, 44), Buffer.alloc(0))
    const companionIdentity = bundle.subarray(0, 32),
      random = bundle.subarray(64, 96)
    const sharedIdentity = Curve.sharedKey(st.account.phone.identity.private, companionIdentity)
    const adv = hkdf(Buffer.concat([st.shared, sharedIdentity, random]), 32, { info: 'adv_secret' })
    this.result(c, iq)
    this.link(st.account, c, Buffer.from(adv))
  }

  // ---------------------------------------------------------------- disconnects

  /** every way the service ends a session */
  disconnect(
    comp: Companion,
    how: 'restart' | 'replaced' | 'removed' | 'drop' | 'freeze' | 'streamend' | 'unavailable' | { code: string },
  ) {
    const c = comp.conn
    if (how === 'removed') comp.account.companions.delete(comp.deviceId)
    if (!c) return
    switch (how) {
      case 'restart':
        this.send(c, n('stream:error', { code: '515' }))
        break
      case 'replaced':
        this.send(c, n('stream:error', {}, [n('conflict', { type: 'replaced' })]))
        break
      case 'removed':
        this.send(c, n('stream:error', { code: '401' }, [n('conflict', { type: 'device_removed' })]))
        break
      case 'unavailable':
        this.send(c, n('stream:error', { code: '503' }))
        break
      case 'streamend':
        this.send(c, n('xmlstreamend'))
        break
      case 'drop':
        c.ws.terminate()
        return
      case 'freeze':
        c.frozen = true
        return
      default:
        this.send(c, n('stream:error', { code: how.code }))
    }
    comp.conn = undefined
    setTimeout(() => c.ws.close(), 50)
  }

  // ---------------------------------------------------------------- stanza dispatch

  private result(c: Conn, iq: BinaryNode, content?: BinaryNode[]) {
    this.send(c, n('iq', { from: iq.attrs.to || S, type: 'result', id: iq.attrs.id! }, content))
  }
  private iqError(c: Conn, iq: BinaryNode, code: string, text: string) {
    this.send(c, n('iq', { from: iq.attrs.to || S, type: 'error', id: iq.attrs.id! }, [n('error', { code, text })]))
  }

  private async onNode(c: Conn, node: BinaryNode) {
    const comp = c.companion
    switch (node.tag) {
      case 'iq':
        return this.onIq(c, node)
      case 'message':
        return this.onMessage(c, comp!, node)
      case 'receipt':
        return this.onReceipt(c, comp!, node)
      case 'ack':
        comp?.unconfirmed.delete(nameOf(node.attrs.class ?? '', node.attrs))
        return
      case 'presence':
        if (comp) this.emit('presence', node, comp)
        return
      case 'chatstate':
        if (comp) this.emit('chatstate', node, comp)
        return
      case 'call':
        this.send(c, n('ack', { class: 'call', id: node.attrs.id ?? '', from: node.attrs.to ?? S }))
        if (comp && kids(node)[0]?.tag === 'reject') this.emit('callRejected', comp, kids(node)[0]!.attrs['call-id']!)
        return
      case 'ib':
        return
      default:
        this.emit('unhandled', node)
    }
  }

  private async onIq(c: Conn, iq: BinaryNode) {
    const child = kids(iq)[0]
    if (iq.attrs.type === 'result') {
      const linked = c.linked
      if (linked && iq.attrs.id === `pair-${linked.deviceId}` && child?.tag === 'pair-device-sign') {
        this.emit('paired', linked)
        this.send(c, n('stream:error', { code: '515' }))
        setTimeout(() => c.ws.close(), 50)
      }
      return
    }
    const comp = c.companion
    switch (iq.attrs.xmlns) {
      case 'w:p':
        return this.result(c, iq)
      case 'md':
        if (child?.tag === 'link_code_companion_reg') return this.onLinkCode(c, iq, child)
        if (child?.tag === 'remove-companion-device' && comp) {
          comp.account.companions.delete(comp.deviceId)
          this.result(c, iq)
          this.emit('logout', comp)
          this.send(c, n('stream:error', { code: '401' }, [n('conflict', { type: 'device_removed' })]))
          setTimeout(() => c.ws.close(), 20)
          return
        }
        return this.result(c, iq)
      case 'encrypt':
        return this.onEncrypt(c, comp!, iq, child)
      case 'passive':
        this.result(c, iq)
        if (child?.tag === 'active') await this.onActive(comp!)
        return
      case 'usync':
        return this.onUsync(c, iq, child!)
      case 'abt':
        return this.result(c, iq, [n('props', { protocol: '1', hash: 'loopback' }, [])])
      case 'blocklist':
        return this.result(c, iq, [n('list', {}, [])])
      case 'privacy':
        if (iq.attrs.type === 'get') {
          return this.result(c, iq, [
            n(
              'privacy',
              {},
              Object.entries(comp!.account.privacy).map(([name, value]) => n('category', { name, value })),
            ),
          ])
        }
        return this.result(c, iq)
      case 'w:m':
        return this.result(c, iq, [
          n('media_conn', { auth: 'loopback', ttl: '3600', auth_ttl: '3600', max_buckets: '12' }, [
            n('host', { hostname: this.host }),
          ]),
        ])
      case 'w:sync:app:state':
        return this.result(c, iq, [
          n(
            'sync',
            {},
            getBinaryNodeChildren(child, 'collection').map((x) =>
              n('collection', { name: x.attrs.name!, version: x.attrs.version ?? '0' }),
            ),
          ),
        ])
      case 'w:g2':
        return this.onGroup(c, comp!, iq, child!)
      case 'w:profile:picture':
        return iq.attrs.type === 'get' ? this.iqError(c, iq, '404', 'item-not-found') : this.result(c, iq)
      case 'w:mex':
        return this.result(c, iq, [n('result', {}, Buffer.from(JSON.stringify({ data: this.mexOf(comp, child) })))])
      case 'w:biz':
      case 'w:stats':
      case 'status':
      case 'disappearing_mode':
      case 'urn:xmpp:whatsapp:dirty':
      case 'w:chat':
        return this.result(c, iq)
      default:
        this.emit('unhandled', iq)
        return this.result(c, iq)
    }
  }

  /** what the service answers to a question in GraphQL, by the question's id */
  private mexOf(comp: Companion | undefined, query: BinaryNode | undefined): object {
    if (!comp) return {}
    const { lock, cap } = newChatsAsTold(comp.account)
    switch (query?.attrs.query_id) {
      case QueryIds.REACHOUT_TIMELOCK:
        return { xwa2_fetch_account_reachout_timelock: lock }
      case QueryIds.MESSAGE_CAPPING_INFO:
        return { xwa2_message_capping_info: cap }
      default:
        return {}
    }
  }

  /** The account may begin no chats, or may again; its devices are told, and strangers are refused meanwhile. */
  lockNewChats(account: Account, lock: NewChats['lock']): void {
    account.newChats.lock = lock
    const told = { xwa2_notify_account_reachout_timelock: newChatsAsTold(account).lock }
    this.notifyMex(account, 'NotificationUserReachoutTimelockUpdate', told)
  }

  /** How much of its cap of new chats the account has used; its devices are told. */
  capNewChats(account: Account, cap: NewChats['cap']): void {
    account.newChats.cap = cap
    const told = { xwa2_notify_new_chat_messages_capping_info_update: newChatsAsTold(account).cap }
    this.notifyMex(account, 'MessageCappingInfoNotification', told)
  }

  private notifyMex(account: Account, op_name: string, data: object): void {
    for (const { conn } of account.companions.values())
      if (conn?.active)
        this.send(
          conn,
          n('notification', { from: S, type: 'mex', id: this.id(), t: String(unix()) }, [
            n('update', { op_name }, Buffer.from(JSON.stringify({ data }))),
          ]),
        )
    this.emit('changed')
  }

  /** Whether a message to them would begin a chat that the account may not begin. */
  private isHeld({ account }: Companion, to: Contact): boolean {
    const { lock, cap } = account.newChats
    const isLocked = lock !== null && (lock.ends === null || lock.ends > Date.now() / 1_000)
    const isCapped = cap?.status === 'CAPPED' && cap.cycleEnds > Date.now() / 1_000
    return (isLocked || isCapped) && ![...to.sent.values()].some((said) => said.to === account && !said.group)
  }

  /** the client declared itself active: replay what it missed, then seed a fresh link */
  private async onActive(comp: Companion) {
    const c = comp.conn!
    const missed = [...comp.unconfirmed.values()]
    if (missed.length)
      this.send(
        c,
        n('ib', { from: S }, [
          n('offline_preview', {
            count: String(missed.length),
            message: String(missed.length),
            receipt: '0',
            notification: '0',
            appdata: '0',
          }),
        ]),
      )
    missed.forEach((m) => this.send(c, { ...m, attrs: { ...m.attrs, offline: '0' } }))
    c.active = true
    this.send(c, n('ib', { from: S }, [n('offline', { count: String(missed.length) })]))
    // by now the client has published its pre-keys, so the phone can reach it
    if (!comp.seeded) await this.seed(comp)
  }

  /** what the owner's phone does right after linking: keys for app state, then the first history chunk */
  private async seed(comp: Companion) {
    comp.seeded = true
    if (this.opts.history === false) return
    await this.phoneToCompanion(comp, {
      protocolMessage: {
        type: proto.Message.ProtocolMessage.Type.APP_STATE_SYNC_KEY_SHARE,
        appStateSyncKeyShare: {
          keys: [
            {
              keyId: { keyId: Buffer.concat([Buffer.alloc(2), randomBytes(4)]) },
              keyData: {
                keyData: randomBytes(32),
                fingerprint: { rawId: 1, currentIndex: 0, deviceIndexes: [0] },
                timestamp: Date.now(),
              },
            },
          ],
        },
      },
    })
    const hist = proto.HistorySync.encode({
      syncType: proto.HistorySync.HistorySyncType.INITIAL_BOOTSTRAP,
      conversations: comp.account.history,
      chunkOrder: 1,
      progress: 100,
      pushnames: [...this.contacts.values()].map((x) => ({ id: `${x.pn}@${S}`, pushname: x.name })),
      phoneNumberToLidMappings: [...this.contacts.values()].map((x) => ({
        pnJid: `${x.pn}@${S}`,
        lidJid: `${x.lid}@lid`,
      })),
    }).finish()
    await this.phoneToCompanion(comp, {
      protocolMessage: {
        type: proto.Message.ProtocolMessage.Type.HISTORY_SYNC_NOTIFICATION,
        historySyncNotification: {
          syncType: proto.HistorySync.HistorySyncType.INITIAL_BOOTSTRAP as number,
          initialHistBootstrapInlinePayload: deflateSync(hist),
          chunkOrder: 1,
          progress: 100,
        },
      },
    })
  }

  private async encFor(peer: SignalPeer, comp: Companion, message: proto.IMessage, extra: Record<string, string> = {}) {
    if (!peer.hasSession(comp.lidJid)) await peer.openSession(comp.lidJid, this.takeBundle(comp))
    const { type, ciphertext } = await peer.encrypt(comp.lidJid, message)
    return n('enc', { v: '2', type, ...extra }, ciphertext)
  }
  private takeBundle(comp: Companion): Bundle {
    const b = comp.bundle()
    if (comp.preKeys.length < 5 && comp.conn) {
      this.send(
        comp.conn,
        n('notification', { from: S, type: 'encrypt', id: this.id(), t: String(unix()) }, [
          n('count', { value: String(comp.preKeys.length) }),
        ]),
      )
    }
    return b
  }

  async phoneToCompanion(comp: Companion, message: proto.IMessage) {
    const enc = await this.encFor(comp.account.phone, comp, message)
    this.deliver(
      comp,
      n(
        'message',
        {
          from: `${comp.account.pn}@${S}`,
          id: messageId(),
          type: 'text',
          category: 'peer',
          t: String(unix()),
          notify: comp.account.name,
        },
        [enc],
      ),
    )
  }

  /** the owner writes to somebody on the phone itself; every linked device gets a fromMe copy */
  async fromPhone(acc: Account, to: Contact, message: proto.IMessage, id = messageId()) {
    for (const comp of acc.companions.values()) {
      const enc = await this.encFor(acc.phone, comp, { deviceSentMessage: { destinationJid: to.jid, message } })
      const me = to.addressing === 'lid' ? `${acc.lid}@lid` : `${acc.pn}@${S}`
      this.deliver(
        comp,
        n(
          'message',
          {
            id,
            from: me,
            recipient: to.jid,
            type: 'text',
            t: String(unix()),
            notify: acc.name,
            ...(to.addressing === 'lid'
              ? { peer_recipient_pn: `${to.pn}@${S}` }
              : { peer_recipient_lid: `${to.lid}@lid` }),
          },
          [enc],
        ),
      )
    }
    this.emit('typed', acc, to, id, message)
    this.emit('changed')
    return id
  }

  private deliver(comp: Companion, node: BinaryNode) {
    comp.unconfirmed.set(nameOf(node.tag, node.attrs), node)
    if (comp.conn?.active) this.send(comp.conn, node)
  }

  // ---------------------------------------------------------------- keys & directory

  private async onEncrypt(c: Conn, comp: Companion, iq: BinaryNode, child?: BinaryNode) {
    if (iq.attrs.type === 'set') {
      if (child?.tag === 'rotate') {
        comp.skey = this.parseSkey(kids(child)[0]!)
        return this.result(c, iq)
      }
      for (const k of kids(getBinaryNodeChild(iq, 'list'))) {
        comp.preKeys.push({
          id: beNum(getBinaryNodeChildBuffer(k, 'id')!),
          value: getBinaryNodeChildBuffer(k, 'value')!,
        })
      }
      const s = getBinaryNodeChild(iq, 'skey')
      if (s) comp.skey = this.parseSkey(s)
      return this.result(c, iq)
    }
    if (child?.tag === 'count') return this.result(c, iq, [n('count', { value: String(comp.preKeys.length) })])
    if (child?.tag === 'digest')
      return this.result(c, iq, [n('digest', {}, [n('registration', {}, be(comp.registrationId, 4))])])
    if (child?.tag === 'key') {
      const users: BinaryNode[] = []
      for (const u of kids(child)) {
        const b = await this.bundleOf(u.attrs.jid!)
        if (b) users.push(bundleToUserNode(u.attrs.jid!, b))
      }
      return this.result(c, iq, [n('list', {}, users)])
    }
    return this.result(c, iq)
  }
  private parseSkey(s: BinaryNode): Bundle['skey'] {
    return {
      id: beNum(getBinaryNodeChildBuffer(s, 'id')!),
      value: getBinaryNodeChildBuffer(s, 'value')!,
      signature: getBinaryNodeChildBuffer(s, 'signature')!,
    }
  }
  private async bundleOf(jid: string): Promise<Bundle | undefined> {
    const r = this.resolve(jid)
    if (r?.who instanceof Contact) return r.who.exists ? r.who.peer.bundle() : undefined
    if (r?.who instanceof Account) {
      if (!r.device) return r.who.phone.bundle()
      const comp = r.who.companions.get(r.device)
      return comp && this.takeBundle(comp)
    }
  }

  private onUsync(c: Conn, iq: BinaryNode, usync: BinaryNode) {
    const wants = new Set(kids(getBinaryNodeChild(usync, 'query')).map((x) => x.tag))
    const out: BinaryNode[] = []
    for (const u of kids(getBinaryNodeChild(usync, 'list'))) {
      const phone = kids(u).find((x) => x.tag === 'contact')?.content
      const digits = phone
        ? String(Buffer.isBuffer(phone) || phone instanceof Uint8Array ? Buffer.from(phone) : phone).replace(/\D/g, '')
        : undefined
      const jid = u.attrs.jid ?? (digits ? `${digits}@${S}` : undefined)
      if (!jid) continue
      const r = this.resolve(jid)
      const who = r?.who && (r.who instanceof Account || r.who.exists) ? r.who : undefined
      const sub: BinaryNode[] = []
      if (wants.has('contact')) sub.push(n('contact', { type: who ? 'in' : 'out' }))
      if (who && wants.has('lid') && r!.server !== 'lid') sub.push(n('lid', { val: `${who.lid}@lid` }))
      if (who && wants.has('devices')) {
        const ids: [number, string?][] = [[0]]
        if (who instanceof Account) for (const d of who.companions.keys()) ids.push([d, String(d)])
        sub.push(
          n('devices', {}, [
            n(
              'device-list',
              {},
              ids.map(([id, ki]) => n('device', { id: String(id), ...(ki ? { 'key-index': ki } : {}) })),
            ),
            n('key-index-list', { ts: String(unix()) }),
          ]),
        )
      }
      if (wants.has('status')) sub.push(n('status', { t: '0' }))
      out.push(n('user', { jid }, sub))
    }
    this.result(c, iq, [
      n(
        'usync',
        {
          sid: usync.attrs.sid ?? '',
          index: '0',
          last: 'true',
          mode: usync.attrs.mode ?? 'query',
          context: usync.attrs.context ?? '',
        },
        [n('result', {}, []), n('list', {}, out)],
      ),
    ])
  }

  // ---------------------------------------------------------------- messages from the client

  private async onMessage(c: Conn, comp: Companion, node: BinaryNode) {
    const { id, to } = node.attrs as { id: string; to: string }
    const sender = comp.lidJid
    const group = this.groups.get(to)
    const target = group ? undefined : this.resolve(to)?.who
    const ack = (extra: Record<string, string> = {}) =>
      this.send(c, n('ack', { class: 'message', id, from: to, t: String(unix()), ...extra }))
    if (target instanceof Contact && target.refuseWith) return ack({ error: target.refuseWith })
    if (target instanceof Contact && this.isHeld(comp, target)) return ack({ error: '463' })
    if (!group && !target) return ack({ error: '404' })
    ack()

    const targets = [...kids(getBinaryNodeChild(node, 'participants'))]
    const direct = getBinaryNodeChild(node, 'enc')
    if (!group && direct && !targets.length) targets.push(n('to', { jid: to }, [direct])) // peer message or retry
    for (const t of targets) {
      const enc = getBinaryNodeChild(t, 'enc')!
      const who = this.resolve(t.attrs.jid)
      if (!who?.who) continue
      if (who.who instanceof Account && who.device) {
        // a sibling device of the sender gets its own copy
        const sib = who.who.companions.get(who.device)
        if (sib && sib !== comp && !group)
          this.deliver(
            sib,
            n(
              'message',
              {
                id,
                from: sender,
                recipient: node.attrs.recipient ?? to,
                type: node.attrs.type ?? 'text',
                t: String(unix()),
                notify: who.who.name,
              },
              [enc],
            ),
          )
        continue
      }
      const peer = who.who instanceof Contact ? who.who.peer : who.device === 0 ? who.who.phone : undefined
      if (!peer) continue
      let msg: proto.Message
      try {
        msg = await peer.decrypt(sender, enc.attrs.type as 'pkmsg' | 'msg', enc.content as Uint8Array)
      } catch {
        if (who.who instanceof Contact) await this.askRetry(comp, who.who, id, group)
        continue
      }
      if (msg.senderKeyDistributionMessage) await peer.acceptSenderKey(sender, msg.senderKeyDistributionMessage)
      if (group) continue
      if (who.who instanceof Account) this.emit('own', who.who, msg)
      else this.arrive(comp, who.who, { id, message: msg, chat: who.who.jid, from: comp, node })
    }
    if (group && direct) {
      for (const m of group.members.keys()) {
        if (!(m instanceof Contact)) continue
        try {
          const message = await m.peer.decryptGroup(group.jid, sender, direct.content as Uint8Array)
          this.arrive(comp, m, { id, message, chat: group.jid, from: comp, node }, group)
        } catch {
          await this.askRetry(comp, m, id, group)
        }
      }
    }
  }

  private arrive(comp: Companion, who: Contact, r: Received, group?: Group) {
    who.inbox.push(r)
    this.emit('message', who, r)
    this.emit('changed')
    const act = () => {
      const b = who.behaviour
      if (b.deliver) this.receiptFrom(who, comp, [r.id], undefined, group)
      if (b.read) this.receiptFrom(who, comp, [r.id], 'read', group)
      if (b.play) this.receiptFrom(who, comp, [r.id], 'played', group)
    }
    if (who.behaviour.delayMs) setTimeout(act, who.behaviour.delayMs)
    else act()
  }

  /** delivery (no type) / read / played / sender receipts travelling back to the client */
  receiptFrom(who: Contact, comp: Companion, ids: string[], type?: 'read' | 'played' | 'read-self', group?: Group) {
    this.deliver(
      comp,
      n(
        'receipt',
        {
          id: ids[0]!,
          t: String(unix()),
          ...(group ? { from: group.jid, participant: who.jid } : { from: who.jid }),
          ...(type ? { type } : {}),
        },
        ids.length > 1
          ? [
              n(
                'list',
                {},
                ids.slice(1).map((i) => n('item', { id: i })),
              ),
            ]
          : undefined,
      ),
    )
  }

  private async askRetry(comp: Companion, who: Contact, id: string, group?: Group) {
    const b = await who.peer.bundle()
    const user = bundleToUserNode(who.jid, b)
    const [registration, ...keys] = kids(user)
    this.deliver(
      comp,
      n(
        'receipt',
        {
          id,
          type: 'retry',
          t: String(unix()),
          ...(group ? { from: group.jid, participant: who.jid } : { from: who.jid }),
        },
        [n('retry', { count: '1', id, t: String(unix()), v: '1' }), registration!, n('keys', {}, keys)],
      ),
    )
  }

  private async onReceipt(c: Conn, comp: Companion, node: BinaryNode) {
    const a = node.attrs
    this.send(
      c,
      n('ack', {
        class: 'receipt',
        id: a.id!,
        from: a.to ?? S,
        ...(a.type ? { type: a.type } : {}),
        ...(a.participant ? { participant: a.participant } : {}),
      }),
    )
    this.emit('receipt', node, comp)
    this.emit('changed')
    if (a.type === 'retry') return this.onRetry(comp, node)
    if (a.type === 'server-error') return this.onMediaRetry(comp, node)
    const ids = [a.id!, ...kids(getBinaryNodeChild(node, 'list')).map((x) => x.attrs.id!)]
    for (const id of ids) comp.unconfirmed.delete(`message:${id}`)
  }

  /** Baileys could not decrypt one of our messages and wants it again */
  private async onRetry(comp: Companion, node: BinaryNode) {
    const asked = this.resolve(node.attrs.participant ?? node.attrs.to)
    const who = asked?.who
    const sibling = who instanceof Account ? who.companions.get(asked!.device) : undefined
    if (sibling && sibling !== comp) {
      // A copy that another linked device made: that one makes it anew.
      const { id, recipient } = node.attrs as Record<'id' | 'recipient', string>
      comp.unconfirmed.delete(`message:${id}`)
      const attrs = { id, type: 'retry', from: comp.lidJid, t: String(unix()), ...(recipient ? { recipient } : {}) }
      return this.deliver(sibling, n('receipt', attrs, node.content))
    }
    if (!(who instanceof Contact)) return
    const orig = who.sent.get(node.attrs.id!)
    if (!orig) return
    const keys = getBinaryNodeChild(node, 'keys')
    const key = getBinaryNodeChild(keys, 'key')
    await who.peer.openSession(
      comp.lidJid,
      keys && key
        ? {
            registrationId: comp.registrationId,
            identity: getBinaryNodeChildBuffer(keys, 'identity')!,
            skey: this.parseSkey(getBinaryNodeChild(keys, 'skey')!),
            key: { id: beNum(getBinaryNodeChildBuffer(key, 'id')!), value: getBinaryNodeChildBuffer(key, 'value')! },
          }
        : this.takeBundle(comp),
    )
    comp.unconfirmed.delete(`message:${node.attrs.id}`)
    const count = getBinaryNodeChild(node, 'retry')?.attrs.count ?? '1'
    if (orig.group) orig.group.keyed.delete(`${who.lid}>${comp.lidJid}`)
    await this.sendTo(comp, who, node.attrs.id!, orig.message, { group: orig.group, edit: orig.edit, count })
  }

  /** the media link died; the phone re-uploads and answers with a fresh path */
  private onMediaRetry(comp: Companion, node: BinaryNode) {
    const id = node.attrs.id!
    const rmr = getBinaryNodeChild(node, 'rmr')!
    const who = this.resolve(rmr.attrs.participant ?? rmr.attrs.jid)?.who
    const m = who instanceof Contact ? who.mediaKeys.get(id) : undefined
    const base = { from: `${comp.account.pn}@${S}`, type: 'mediaretry', id, t: String(unix()) }
    if (!m) return this.deliver(comp, n('notification', base, [n('rmr', rmr.attrs), n('error', { code: '2' })]))
    const fresh = `/v/fresh-${randomBytes(6).toString('hex')}`
    this.keep(fresh, this.file(m.directPath)!)
    const plain = proto.MediaRetryNotification.encode({
      stanzaId: id,
      directPath: fresh,
      result: proto.MediaRetryNotification.ResultType.SUCCESS,
    }).finish()
    const iv = randomBytes(12)
    const k = hkdf(m.mediaKey, 32, { info: 'WhatsApp Media Retry Notification' })
    this.deliver(
      comp,
      n('notification', base, [
        n('encrypt', {}, [n('enc_p', {}, aesEncryptGCM(plain, k, iv, Buffer.from(id))), n('enc_iv', {}, iv)]),
        n('rmr', rmr.attrs),
      ]),
    )
  }

  // ---------------------------------------------------------------- messages to the client

  /** a contact writes to the account (or to a group the account is in) */
  async say(who: Contact, to: Account, message: proto.IMessage, o: { group?: Group; edit?: string; id?: string } = {}) {
    const id = o.id ?? messageId()
    who.sent.set(id, { message, to, group: o.group, edit: o.edit })
    this.emit('said', who, to, id, message, o.group)
    this.emit('changed')
    for (const comp of to.companions.values()) await this.sendTo(comp, who, id, message, o)
    return id
  }
  private async sendTo(
    comp: Companion,
    who: Contact,
    id: string,
    message: proto.IMessage,
    o: { group?: Group; edit?: string; count?: string },
  ) {
    const mediatype = message.imageMessage
      ? 'image'
      : message.videoMessage
        ? 'video'
        : message.audioMessage
          ? message.audioMessage.ptt
            ? 'ptt'
            : 'audio'
          : message.documentMessage
            ? 'document'
            : message.stickerMessage
              ? 'sticker'
              : message.contactMessage
                ? 'vcard'
                : message.locationMessage
                  ? 'location'
                  : ''
    const extra = { ...(mediatype ? { mediatype } : {}), ...(o.count ? { count: o.count } : {}) }
    const attrs: Record<string, string> = {
      id,
      type: mediatype ? 'media' : 'text',
      t: String(unix()),
      notify: who.name,
      addressing_mode: who.addressing,
      ...(o.edit ? { edit: o.edit } : {}),
    }
    const g = o.group
    if (!g) {
      const enc = await this.encFor(who.peer, comp, message, extra)
      return this.deliver(comp, n('message', { ...attrs, from: who.jid, ...who.alt }, [enc]))
    }
    const content: BinaryNode[] = []
    const { ciphertext, senderKeyDistributionMessage } = await who.peer.encryptGroup(g.jid, who.jid, message)
    const tag = `${who.lid}>${comp.lidJid}`
    if (!g.keyed.has(tag)) {
      g.keyed.add(tag)
      content.push(
        await this.encFor(who.peer, comp, {
          senderKeyDistributionMessage: {
            groupId: g.jid,
            axolotlSenderKeyDistributionMessage: senderKeyDistributionMessage,
          },
        }),
      )
    }
    content.push(n('enc', { v: '2', type: 'skmsg', ...extra }, ciphertext))
    this.deliver(
      comp,
      n(
        'message',
        {
          ...attrs,
          from: g.jid,
          participant: who.jid,
          ...(who.addressing === 'lid' ? { participant_pn: `${who.pn}@${S}` } : { participant_lid: `${who.lid}@lid` }),
        },
        content,
      ),
    )
  }

  /** What is to be seen once: phones have it, and linked devices an envelope that says so. */
  async onlyToPhones(who: Contact, to: Account) {
    const id = messageId()
    const attrs = { id, type: 'media', t: String(unix()), notify: who.name, addressing_mode: who.addressing }
    for (const comp of to.companions.values())
      this.deliver(
        comp,
        n('message', { ...attrs, from: who.jid, ...who.alt }, [n('unavailable', { type: 'view_once' })]),
      )
    return id
  }

  text(
    who: Contact,
    to: Account,
    text: string,
    o: { group?: Group; quote?: { id: string; participant: string; message: proto.IMessage } } = {},
  ) {
    return this.say(
      who,
      to,
      o.quote
        ? {
            extendedTextMessage: {
              text,
              contextInfo: { stanzaId: o.quote.id, participant: o.quote.participant, quotedMessage: o.quote.message },
            },
          }
        : { conversation: text },
      o,
    )
  }
  edit(who: Contact, to: Account, id: string, text: string, group?: Group) {
    return this.say(
      who,
      to,
      {
        editedMessage: {
          message: {
            protocolMessage: {
              type: proto.Message.ProtocolMessage.Type.MESSAGE_EDIT,
              timestampMs: Date.now(),
              key: { id, fromMe: true, remoteJid: group?.jid ?? `${to.lid}@lid` },
              editedMessage: { conversation: text },
            },
          },
        },
      },
      { edit: '1', group },
    )
  }
  revoke(who: Contact, to: Account, id: string, group?: Group) {
    return this.say(
      who,
      to,
      {
        protocolMessage: {
          type: proto.Message.ProtocolMessage.Type.REVOKE,
          key: { id, fromMe: true, remoteJid: group?.jid ?? `${to.lid}@lid` },
        },
      },
      { edit: '7', group },
    )
  }
  react(who: Contact, to: Account, key: proto.IMessageKey, emoji: string) {
    return this.say(who, to, { reactionMessage: { key, text: emoji, senderTimestampMs: Date.now() } })
  }
  /** @param map the small picture of the place that phones send along */
  location(who: Contact, to: Account, lat: number, lng: number, name?: string, map?: Uint8Array) {
    const jpegThumbnail = map && { jpegThumbnail: map }
    return this.say(who, to, {
      locationMessage: { degreesLatitude: lat, degreesLongitude: lng, name, ...jpegThumbnail },
    })
  }
  card(who: Contact, to: Account, displayName: string, phone: string) {
    return this.say(who, to, {
      contactMessage: {
        displayName,
        vcard: `BEGIN:VCARD\nVERSION:3.0\nFN:${displayName}\nTEL;type=CELL;waid=${phone}:+${phone}\nEND:VCARD`,
      },
    })
  }
  async media(
    who: Contact,
    to: Account,
    kind: 'image' | 'video' | 'audio' | 'document' | 'sticker',
    data: Uint8Array,
    props: Record<string, unknown> = {},
    o: { group?: Group } = {},
  ) {
    const s = await sealMedia(data, kind as MediaType)
    const directPath = `/v/t62.${randomBytes(9).toString('hex')}`
    this.keep(directPath, s.blob)
    const body = {
      url: `https://${this.host}${directPath}`,
      directPath,
      mediaKey: s.mediaKey,
      fileSha256: s.fileSha256,
      fileEncSha256: s.fileEncSha256,
      fileLength: s.fileLength,
      mediaKeyTimestamp: unix(),
      ...props,
    }
    const id = messageId()
    who.mediaKeys.set(id, { mediaKey: s.mediaKey, directPath })
    await this.say(who, to, { [`${kind}Message`]: body } as proto.IMessage, { id, ...o })
    return id
  }
  typing(who: Contact, to: Account, state: 'composing' | 'paused' = 'composing') {
    for (const c of to.companions.values()) if (c.conn) this.send(c.conn, n('chatstate', { from: who.jid }, [n(state)]))
  }
  /** The contact's phone begins to ring ours. */
  call(who: Contact, to: Account, video = false) {
    const callId = randomBytes(8).toString('hex').toUpperCase()
    for (const c of to.companions.values()) {
      this.deliver(
        c,
        n('call', { from: who.jid, id: this.id(), t: String(unix()), notify: who.name }, [
          n(
            'offer',
            { 'call-id': callId, 'call-creator': who.jid, caller_pn: `${who.pn}@${S}` },
            video ? [n('video')] : [],
          ),
        ]),
      )
    }
    return callId
  }
  presence(who: Contact, to: Account, online: boolean) {
    for (const c of to.companions.values())
      if (c.conn)
        this.send(
          c.conn,
          n('presence', { from: who.jid, ...(online ? {} : { type: 'unavailable', last: String(unix()) }) }),
        )
  }
  /** open a media message the account sent, the way the recipient's phone would */
  async openReceived(
    m: { url?: string | null; directPath?: string | null; mediaKey?: Uint8Array | null },
    kind: MediaType,
  ) {
    return openMedia(this.file(m.directPath ?? new URL(m.url!).pathname)!, m.mediaKey!, kind)
  }

  // ---------------------------------------------------------------- groups

  private groupNode(g: Group) {
    const jidOf = (m: Contact | Account) => (g.addressing === 'lid' ? `${m.lid}@lid` : `${m.pn}@${S}`)
    return n(
      'group',
      {
        id: g.id,
        subject: g.subject,
        creation: String(g.created),
        creator: jidOf(g.owner),
        s_t: String(g.created),
        s_o: jidOf(g.owner),
        addressing_mode: g.addressing,
        size: String(g.members.size),
      },
      [...g.members].map(([m, role]) =>
        n('participant', {
          jid: jidOf(m),
          ...(g.addressing === 'lid' ? { phone_number: `${m.pn}@${S}` } : { lid: `${m.lid}@lid` }),
          ...(role ? { type: role } : {}),
        }),
      ),
    )
  }
  private onGroup(c: Conn, comp: Companion, iq: BinaryNode, child: BinaryNode) {
    const g = this.groups.get(iq.attrs.to!)
    switch (child.tag) {
      case 'query':
        return g ? this.result(c, iq, [this.groupNode(g)]) : this.iqError(c, iq, '404', 'item-not-found')
      case 'participating':
        return this.result(c, iq, [
          n(
            'groups',
            {},
            [...this.groups.values()].filter((x) => x.members.has(comp.account)).map((x) => this.groupNode(x)),
          ),
        ])
      case 'create': {
        const members = getBinaryNodeChildren(child, 'participant')
          .map((p) => this.resolve(p.attrs.jid)?.who)
          .filter(Boolean) as Contact[]
        const made = this.group(child.attrs.subject!, comp.account, members)
        return this.result(c, iq, [this.groupNode(made)])
      }
      case 'subject':
        if (g) g.subject = Buffer.from(child.content as Uint8Array).toString()
        return this.result(c, iq)
      case 'add':
      case 'remove':
      case 'promote':
      case 'demote': {
        const out: BinaryNode[] = []
        for (const p of getBinaryNodeChildren(child, 'participant')) {
          const m = this.resolve(p.attrs.jid)?.who
          if (g && m) {
            if (child.tag === 'add') g.members.set(m, '')
            else if (child.tag === 'remove') g.members.delete(m)
            else g.members.set(m, child.tag === 'promote' ? 'admin' : '')
          }
          out.push(n('participant', { jid: p.attrs.jid! }))
        }
        return this.result(c, iq, [n(child.tag, {}, out)])
      }
      case 'leave':
        for (const x of kids(child)) this.groups.get(x.attrs.id!)?.members.delete(comp.account)
        return this.result(c, iq)
      default:
        return this.result(c, iq)
    }
  }
  /** group change seen by the account: subject / add / remove / promote ... */
  groupNotify(g: Group, to: Account, by: Contact, change: BinaryNode) {
    for (const comp of to.companions.values()) {
      this.deliver(
        comp,
        n(
          'notification',
          {
            from: g.jid,
            type: 'w:gp2',
            id: this.id(),
            participant: by.jid,
            t: String(unix()),
            notify: by.name,
            addressing_mode: by.addressing,
          },
          [change],
        ),
      )
    }
  }

  // ---------------------------------------------------------------- media host

  private async http(req: Request, url: URL): Promise<Response> {
    const fault = this.mediaFaults.get(url.pathname)
    if (fault) return new Response('fault', { status: fault })
    if (req.method === 'POST' && /^\/(mms|pps|product)\//.test(url.pathname)) {
      const body = new Uint8Array(await req.arrayBuffer())
      const expect = url.searchParams.get('token') ?? ''
      const hash = createHash('sha256').update(body).digest('base64url')
      if (expect.replace(/=+$/, '') !== hash) return Response.json({ error: 'hash mismatch' }, { status: 400 })
      const directPath = `/v/u-${hash}`
      this.keep(directPath, body)
      this.emit('upload', directPath, body)
      return Response.json({ url: `https://${this.host}${directPath}`, direct_path: directPath })
    }
    const blob = this.file(url.pathname)
    if (!blob) return new Response('gone', { status: 404 })
    const range = /^bytes=(\d+)-(\d*)$/.exec(req.headers.get('range') ?? '')
    if (range) return new Response(blob.slice(+range[1]!, range[2] ? +range[2] + 1 : undefined), { status: 206 })
    return new Response(blob as Uint8Array<ArrayBuffer>)
  }
}

/** as the service writes it: moments are strings of seconds */
function newChatsAsTold({ newChats: { lock, cap } }: Account) {
  return {
    lock: lock
      ? {
          is_active: true,
          ...(lock.ends === null ? {} : { time_enforcement_ends: String(lock.ends) }),
          enforcement_type: lock.type,
        }
      : { is_active: false },
    cap: cap && {
      total_quota: cap.total,
      used_quota: cap.used,
      cycle_start_timestamp: String(cap.cycleEnds - 86_400),
      cycle_end_timestamp: String(cap.cycleEnds),
      server_sent_timestamp: String(unix()),
      ote_status: 'NOT_ELIGIBLE',
      mv_status: 'NOT_ELIGIBLE',
      capping_status: cap.status,
    },
  }
}
