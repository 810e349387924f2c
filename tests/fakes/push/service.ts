import { createDecipheriv, createECDH, createHmac, createPublicKey, type ECDH, randomBytes, verify } from 'node:crypto'
import type { Certificate } from '../../support/certificate.ts'

/** A push service on this machine that holds a browser's keys and reads what it is sent, as the RFCs say; over TLS with a certificate. */
export function fakePushService(certificate?: Certificate) {
  interface Browser {
    ecdh: ECDH
    auth: Buffer
    answer: number
    heard: { payload: Record<string, string>; headers: Headers; vapidKey: string }[]
    tries: number
  }
  const browsers = new Map<string, Browser>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    ...(certificate && { tls: certificate }),
    async fetch(request) {
      const browser = browsers.get(new URL(request.url).pathname)!
      browser.tries++
      if (browser.answer !== 201) return new Response(null, { status: browser.answer })
      const body = Buffer.from(await request.arrayBuffer())
      const vapidKey = verifiedVapid(request)
      browser.heard.push({ payload: JSON.parse(opened(body, browser)), headers: request.headers, vapidKey })
      return new Response(null, { status: 201 })
    },
  })
  return {
    stop: () => server.stop(true),
    subscribe(answer = 201) {
      const ecdh = createECDH('prime256v1')
      ecdh.generateKeys()
      const browser: Browser = { ecdh, auth: randomBytes(16), answer, heard: [], tries: 0 }
      const path = `/${randomBytes(8).toString('hex')}`
      browsers.set(path, browser)
      const keys = { p256dh: ecdh.getPublicKey().toString('base64url'), auth: browser.auth.toString('base64url') }
      return { browser, input: { endpoint: `http${certificate ? 's' : ''}://127.0.0.1:${server.port}${path}`, keys } }
    },
  }
}

const hmac = (key: Buffer, ...parts: Uint8Array[]) => createHmac('sha256', key).update(Buffer.concat(parts)).digest()
const expanded = (prk: Buffer, info: Uint8Array, length: number) => hmac(prk, info, Buffer.of(1)).subarray(0, length)

/** RFC 8291 over RFC 8188, one record. */
function opened(body: Buffer, { ecdh, auth }: { ecdh: ECDH; auth: Buffer }): string {
  const salt = body.subarray(0, 16)
  const keyLength = body[20]!
  const serverKey = body.subarray(21, 21 + keyLength)
  const sealed = body.subarray(21 + keyLength)
  const secret = ecdh.computeSecret(serverKey)
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), serverKey])
  const ikm = expanded(hmac(auth, secret), keyInfo, 32)
  const prk = hmac(salt, ikm)
  const key = expanded(prk, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = expanded(prk, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16))
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  return plain.subarray(0, plain.lastIndexOf(2)).toString()
}

/** RFC 8292: who signed, for whom. @throws when the signature is not of the key it names */
function verifiedVapid(request: Request): string {
  const [, token, key] = /^vapid t=([^,]+), *k=(.+)$/.exec(request.headers.get('authorization') ?? '')!
  const [head, claims, signature] = token!.split('.')
  const raw = Buffer.from(key!, 'base64url')
  const coordinate = (from: number) => raw.subarray(from, from + 32).toString('base64url')
  const publicKey = createPublicKey({
    format: 'jwk',
    key: { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) },
  })
  const good = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature!, 'base64url'),
  )
  const { aud, exp } = JSON.parse(Buffer.from(claims!, 'base64url').toString())
  if (!good || aud !== new URL(request.url).origin || exp * 1_000 < Date.now()) throw new Error('a bad signature')
  return key!
}
