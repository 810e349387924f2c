import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** As the server asks for a key to be made, or to sign. */
interface Asked {
  challenge: string
  rp?: { id?: string }
  rpId?: string
  user?: { id: string }
}

/** What a test has the device do that a good one does not. */
interface Odd {
  origin?: string
  rpId?: string
  /** The person did not show who they are. */
  unverified?: boolean
  counter?: number
  challenge?: string
  userHandle?: string
}

const sha = (data: string | Buffer) => createHash('sha256').update(data).digest()
const text64 = (data: Buffer | string) => Buffer.from(data).toString('base64url')

/** Of CBOR only what a device says: maps, texts, bytes and small numbers. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, n: number) =>
    n < 24
      ? Buffer.from([(major << 5) | n])
      : n < 256
        ? Buffer.from([(major << 5) | 24, n])
        : Buffer.from([(major << 5) | 25, n >> 8, n & 255])
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const pairs = [...value].flatMap(([key, of]) => [cbor(key), cbor(of as Parameters<typeof cbor>[0])])
  return Buffer.concat([head(5, value.size), ...pairs])
}

/** A device that holds one key (ES256), as far as a server can see. */
export function createAuthenticator(origin: string) {
  const id = randomBytes(32)
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  let counter = 0
  let handle = ''

  const data = (rpId: string, { unverified, counter: forced }: Odd, more: Buffer = Buffer.alloc(0)) => {
    counter = forced ?? counter + 1
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const flags = 1 | (unverified ? 0 : 4) | (more.length > 0 ? 64 : 0)
    return Buffer.concat([sha(rpId), Buffer.from([flags]), count, more])
  }
  const client = (type: string, asked: Asked, odd: Odd) =>
    text64(
      JSON.stringify({
        type,
        challenge: odd.challenge ?? asked.challenge,
        origin: odd.origin ?? origin,
        crossOrigin: false,
      }),
    )

  return {
    id: text64(id),
    /** The answer to options for a new key. */
    make(asked: Asked, odd: Odd = {}) {
      handle = asked.user!.id
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseOf(publicKey)])
      const authData = data(odd.rpId ?? asked.rp!.id!, odd, credential)
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ])
      return {
        ...{ id: text64(id), rawId: text64(id), type: 'public-key', clientExtensionResults: {} },
        response: {
          clientDataJSON: client('webauthn.create', asked, odd),
          attestationObject: text64(cbor(attestation)),
          transports: ['internal'],
        },
      }
    },
    /** The answer to options for a signature. */
    sign(asked: Asked, odd: Odd = {}) {
      const authenticatorData = data(odd.rpId ?? asked.rpId!, odd)
      const clientDataJSON = client('webauthn.get', asked, odd)
      const signed = Buffer.concat([authenticatorData, sha(Buffer.from(clientDataJSON, 'base64url'))])
      return {
        ...{ id: text64(id), rawId: text64(id), type: 'public-key', clientExtensionResults: {} },
        response: {
          ...{ clientDataJSON, authenticatorData: text64(authenticatorData) },
          signature: text64(sign('sha256', signed, privateKey)),
          userHandle: odd.userHandle ?? handle,
        },
      }
    },
  }
}

function coseOf(key: KeyObject): Buffer {
  const { x, y } = key.export({ format: 'jwk' })
  return cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x!, 'base64url')],
      [-3, Buffer.from(y!, 'base64url')],
    ]),
  )
}
