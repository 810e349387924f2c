/**
 * A simulated Signal device: one contact's phone, or the account owner's own phone.
 * Uses the same Signal implementation Baileys ships, reached through its public config object.
 */
import '../../../server/whatsapp/baileys.ratchet.ts'
import {
  addTransactionCapability,
  Curve,
  DEFAULT_CONNECTION_CONFIG,
  generateRegistrationId,
  proto,
  signedKeyPair,
  unpadRandomMax16,
  writeRandomPadMax16,
  type BinaryNode,
  type KeyPair,
  type SignalDataTypeMap,
  type SignalKeyStore,
  type SignalKeyStoreWithTransaction,
  type SignalRepositoryWithLIDStore,
  type SignedKeyPair,
} from '@whiskeysockets/baileys'

const silent: Parameters<typeof addTransactionCapability>[1] = {
  level: 'silent',
  child: () => silent,
  trace() {},
  debug() {},
  info() {},
  warn() {},
  error() {},
}

/** What a device's Signal store holds, by `type|id`. */
type Memory = Map<string, unknown>

const memoryKeys = (memory: Memory): SignalKeyStore => ({
  async get<T extends keyof SignalDataTypeMap>(type: T, ids: string[]) {
    const out: { [id: string]: SignalDataTypeMap[T] } = {}
    for (const id of ids) {
      const value = memory.get(`${type}|${id}`)
      if (value != null) out[id] = value as SignalDataTypeMap[T]
    }
    return out
  },
  async set(data) {
    for (const [type, values] of Object.entries(data)) {
      for (const [id, value] of Object.entries(values ?? {})) {
        if (value == null) memory.delete(`${type}|${id}`)
        else memory.set(`${type}|${id}`, value)
      }
    }
  },
})

export interface PeerState {
  identity: KeyPair
  registrationId: number
  signedPreKey: SignedKeyPair
  memory: [string, unknown][]
  nextPreKey: number
  known: string[]
}

export const be = (n: number, len: number) => {
  const b = Buffer.alloc(len)
  b.writeUIntBE(n, 0, len)
  return b
}
export const beNum = (b: Uint8Array) => Buffer.from(b).readUIntBE(0, b.length)

/** what a device publishes so that others can open a session with it */
export interface Bundle {
  registrationId: number
  identity: Uint8Array
  skey: { id: number; value: Uint8Array; signature: Uint8Array }
  key?: { id: number; value: Uint8Array }
}

export const bundleToUserNode = (jid: string, b: Bundle): BinaryNode => ({
  tag: 'user',
  attrs: { jid },
  content: [
    { tag: 'registration', attrs: {}, content: be(b.registrationId, 4) },
    { tag: 'type', attrs: {}, content: Buffer.from([5]) },
    { tag: 'identity', attrs: {}, content: b.identity },
    {
      tag: 'skey',
      attrs: {},
      content: [
        { tag: 'id', attrs: {}, content: be(b.skey.id, 3) },
        { tag: 'value', attrs: {}, content: b.skey.value },
        { tag: 'signature', attrs: {}, content: b.skey.signature },
      ],
    },
    ...(b.key
      ? [
          {
            tag: 'key',
            attrs: {},
            content: [
              { tag: 'id', attrs: {}, content: be(b.key.id, 3) },
              { tag: 'value', attrs: {}, content: b.key.value },
            ],
          },
        ]
      : []),
  ],
})

const djb = (k: Uint8Array) => Buffer.concat([Buffer.from([5]), k])

export class SignalPeer {
  readonly identity: KeyPair
  readonly registrationId: number
  private readonly signedPreKey: SignedKeyPair
  private readonly memory: Memory
  private readonly keys: SignalKeyStoreWithTransaction
  private readonly repo: SignalRepositoryWithLIDStore
  private nextPreKey: number
  private readonly known: Set<string>

  constructor(saved?: PeerState) {
    const identity = saved?.identity ?? Curve.generateKeyPair()
    this.identity = identity
    this.registrationId = saved?.registrationId ?? generateRegistrationId()
    this.signedPreKey = saved?.signedPreKey ?? signedKeyPair(identity, 1)
    this.nextPreKey = saved?.nextPreKey ?? 1
    this.known = new Set(saved?.known)
    this.memory = new Map(saved?.memory)
    this.keys = addTransactionCapability(memoryKeys(this.memory), silent, {
      maxCommitRetries: 1,
      delayBetweenTriesMs: 5,
    })
    this.repo = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(
      {
        creds: { signedIdentityKey: identity, signedPreKey: this.signedPreKey, registrationId: this.registrationId },
        keys: this.keys,
      },
      silent,
      async () => [],
    )
  }

  state(): PeerState {
    const { identity, registrationId, signedPreKey, nextPreKey } = this
    return { identity, registrationId, signedPreKey, nextPreKey, memory: [...this.memory], known: [...this.known] }
  }

  async bundle(): Promise<Bundle> {
    const id = this.nextPreKey++
    const kp = Curve.generateKeyPair()
    await this.keys.set({ 'pre-key': { [id]: kp } })
    return {
      registrationId: this.registrationId,
      identity: this.identity.public,
      skey: {
        id: this.signedPreKey.keyId,
        value: this.signedPreKey.keyPair.public,
        signature: this.signedPreKey.signature,
      },
      key: { id, value: kp.public },
    }
  }

  hasSession(addr: string) {
    return this.known.has(addr)
  }
  /** simulate a reinstall on this side: the next inbound message will not decrypt */
  forget(addr: string) {
    this.known.delete(addr)
    return this.repo.deleteSession([addr])
  }

  async openSession(addr: string, b: Bundle) {
    await this.repo.injectE2ESession({
      jid: addr,
      session: {
        registrationId: b.registrationId,
        identityKey: djb(b.identity),
        signedPreKey: { keyId: b.skey.id, publicKey: djb(b.skey.value), signature: b.skey.signature },
        ...(b.key ? { preKey: { keyId: b.key.id, publicKey: djb(b.key.value) } } : {}),
      },
    })
    this.known.add(addr)
  }

  async encrypt(addr: string, message: proto.IMessage) {
    return this.repo.encryptMessage({ jid: addr, data: writeRandomPadMax16(proto.Message.encode(message).finish()) })
  }
  async decrypt(addr: string, type: 'pkmsg' | 'msg', ciphertext: Uint8Array) {
    const raw = await this.repo.decryptMessage({ jid: addr, type, ciphertext: Buffer.from(ciphertext) })
    this.known.add(addr)
    return proto.Message.decode(unpadRandomMax16(raw))
  }
  async encryptGroup(group: string, self: string, message: proto.IMessage) {
    return this.repo.encryptGroupMessage({
      group,
      meId: self,
      data: writeRandomPadMax16(proto.Message.encode(message).finish()),
    })
  }
  async decryptGroup(group: string, author: string, msg: Uint8Array) {
    return proto.Message.decode(
      unpadRandomMax16(await this.repo.decryptGroupMessage({ group, authorJid: author, msg: Buffer.from(msg) })),
    )
  }
  acceptSenderKey(author: string, item: proto.Message.ISenderKeyDistributionMessage) {
    return this.repo.processSenderKeyDistributionMessage({ authorJid: author, item })
  }
}
