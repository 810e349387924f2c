/**
 * Server ("responder") half of Noise_XX_25519_AESGCM_SHA256 as WhatsApp Web uses it,
 * plus the 3-byte length framing. Counterpart of the client handler in Baileys.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto'
import { Curve, type KeyPair, NOISE_MODE, NOISE_WA_HEADER, proto } from '@whiskeysockets/baileys'

const sha256 = (...parts: Uint8Array[]) => {
  const h = createHash('sha256')
  for (const p of parts) h.update(p)
  return h.digest()
}
const iv = (n: number) => {
  const b = Buffer.alloc(12)
  b.writeUInt32BE(n, 8)
  return b
}
const gcmSeal = (key: Uint8Array, n: number, aad: Uint8Array, data: Uint8Array) => {
  const c = createCipheriv('aes-256-gcm', key, iv(n))
  c.setAAD(aad)
  return Buffer.concat([c.update(data), c.final(), c.getAuthTag()])
}
const gcmOpen = (key: Uint8Array, n: number, aad: Uint8Array, data: Uint8Array) => {
  const d = createDecipheriv('aes-256-gcm', key, iv(n))
  d.setAAD(aad)
  d.setAuthTag(data.subarray(data.length - 16))
  return Buffer.concat([d.update(data.subarray(0, data.length - 16)), d.final()])
}

export interface NoiseState {
  root: KeyPair
  intermediate: KeyPair
  server: KeyPair
}

/** The three-level trust of the real service, rebuilt with keys we own. */
export class NoiseIdentity {
  /** long-term root; the client must be told to trust `root.public` */
  readonly root: KeyPair
  private readonly intermediate: KeyPair
  /** the static key proven in the handshake */
  readonly server: KeyPair
  readonly certChain: Uint8Array

  constructor(saved?: NoiseState) {
    this.root = saved?.root ?? Curve.generateKeyPair()
    this.intermediate = saved?.intermediate ?? Curve.generateKeyPair()
    this.server = saved?.server ?? Curve.generateKeyPair()
    const D = proto.CertChain.NoiseCertificate.Details
    const now = Math.floor(Date.now() / 1000)
    const span = { notBefore: now - 3600, notAfter: now + 365 * 86400 }
    // the client insists on issuerSerial 0 for the intermediate
    const inter = D.encode({ serial: 1, issuerSerial: 0, key: this.intermediate.public, ...span }).finish()
    const leaf = D.encode({ serial: 2, issuerSerial: 1, key: this.server.public, ...span }).finish()
    this.certChain = proto.CertChain.encode({
      intermediate: { details: inter, signature: Curve.sign(this.root.private, inter) },
      leaf: { details: leaf, signature: Curve.sign(this.intermediate.private, leaf) },
    }).finish()
  }

  state(): NoiseState {
    return { root: this.root, intermediate: this.intermediate, server: this.server }
  }
}

type Phase = 'intro' | 'hello' | 'finish' | 'open'

export class NoiseResponder {
  private phase: Phase = 'intro'
  private buf: Buffer = Buffer.alloc(0)
  private hash: Buffer = Buffer.from(NOISE_MODE) // exactly 32 bytes, so it is the initial hash itself
  private salt: Buffer = this.hash
  private key: Buffer = this.hash
  private n = 0
  private rx!: Buffer
  private tx!: Buffer
  private rxN = 0
  private txN = 0
  private readonly eph: KeyPair = Curve.generateKeyPair()
  clientStatic!: Buffer
  payload!: proto.ClientPayload

  constructor(
    private readonly id: NoiseIdentity,
    private readonly send: (b: Buffer) => void,
  ) {}

  private mixHash(d: Uint8Array) {
    this.hash = sha256(this.hash, d)
  }
  private split(ikm: Uint8Array): [Buffer, Buffer] {
    const o = Buffer.from(hkdfSync('sha256', ikm, this.salt, Buffer.alloc(0), 64))
    return [o.subarray(0, 32), o.subarray(32)]
  }
  private mixKey(ikm: Uint8Array) {
    ;[this.salt, this.key] = this.split(ikm)
    this.n = 0
  }
  private seal(d: Uint8Array) {
    const c = gcmSeal(this.key, this.n++, this.hash, d)
    this.mixHash(c)
    return c
  }
  private open(d: Uint8Array) {
    const p = gcmOpen(this.key, this.n++, this.hash, d)
    this.mixHash(d)
    return p
  }

  private frame(d: Uint8Array) {
    const f = Buffer.allocUnsafe(3 + d.length)
    f.writeUIntBE(d.length, 0, 3)
    f.set(d, 3)
    this.send(f)
  }

  /** encrypt + frame one encoded node (transport phase) */
  sendTransport(d: Uint8Array) {
    this.frame(gcmSeal(this.tx, this.txN++, Buffer.alloc(0), d))
  }

  /** feed raw socket bytes; returns decrypted transport payloads, or 'ready' when the handshake completes */
  feed(data: Uint8Array): { ready?: true; frames: Buffer[] } {
    this.buf = this.buf.length ? Buffer.concat([this.buf, data]) : Buffer.from(data)
    const out: { ready?: true; frames: Buffer[] } = { frames: [] }
    if (this.phase === 'intro') {
      // optional edge-routing prelude: 'ED' 0 1 len(3) routing-info
      if (this.buf[0] === 0x45 && this.buf[1] === 0x44) this.buf = this.buf.subarray(7 + this.buf.readUIntBE(4, 3))
      if (this.buf.length < 4) return out
      if (!this.buf.subarray(0, 4).equals(Buffer.from(NOISE_WA_HEADER))) throw new Error('bad intro header')
      this.buf = this.buf.subarray(4)
      this.mixHash(NOISE_WA_HEADER)
      this.phase = 'hello'
    }
    while (this.buf.length >= 3) {
      const len = this.buf.readUIntBE(0, 3)
      if (this.buf.length < len + 3) break
      const f = this.buf.subarray(3, 3 + len)
      this.buf = this.buf.subarray(3 + len)
      if (this.phase === 'open') {
        out.frames.push(gcmOpen(this.rx, this.rxN++, Buffer.alloc(0), f))
        continue
      }
      const hs = proto.HandshakeMessage.decode(f)
      if (this.phase === 'hello') {
        const ce = Buffer.from(hs.clientHello!.ephemeral!)
        this.mixHash(ce)
        this.mixHash(this.eph.public)
        this.mixKey(Curve.sharedKey(this.eph.private, ce))
        const encStatic = this.seal(this.id.server.public)
        this.mixKey(Curve.sharedKey(this.id.server.private, ce))
        const payload = this.seal(this.id.certChain)
        this.frame(
          proto.HandshakeMessage.encode({
            serverHello: { ephemeral: this.eph.public, static: encStatic, payload },
          }).finish(),
        )
        this.phase = 'finish'
      } else {
        this.clientStatic = this.open(Buffer.from(hs.clientFinish!.static!))
        this.mixKey(Curve.sharedKey(this.eph.private, this.clientStatic))
        this.payload = proto.ClientPayload.decode(this.open(Buffer.from(hs.clientFinish!.payload!)))
        ;[this.rx, this.tx] = this.split(new Uint8Array(0)) // first half is the client's write key
        this.phase = 'open'
        out.ready = true
      }
    }
    return out
  }
}
