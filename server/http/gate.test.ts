import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PASSWORD, type TestApp, testApp } from '../../tests/support/app.ts'
import { isForeign } from './gate.ts'

describe('a call that changes something', () => {
  const foreign = (headers: Record<string, string>, config: { publicUrl?: string; trustProxy?: number } = {}) =>
    isForeign(new Request('http://10.0.0.5:3000/auth/login', { method: 'POST', headers }), {
      publicUrl: config.publicUrl,
      trustProxy: config.trustProxy ?? 0,
    })
  const host = '10.0.0.5:3000'

  test('of a program, which names no page, is heard', () => {
    expect(foreign({ host })).toBe(false)
  })

  test('of our own page is heard, also where the browser names only its origin', () => {
    expect(foreign({ host, 'sec-fetch-site': 'same-origin', origin: 'http://10.0.0.5:3000' })).toBe(false)
    expect(foreign({ host, origin: 'http://10.0.0.5:3000' })).toBe(false)
    // Typed by a person.
    expect(foreign({ host, 'sec-fetch-site': 'none' })).toBe(false)
  })

  test('of another page is not: another site, subdomain or port, or a page that hides where it is from', () => {
    expect(foreign({ host, 'sec-fetch-site': 'cross-site' })).toBe(true)
    expect(foreign({ host, 'sec-fetch-site': 'same-site' })).toBe(true)
    expect(foreign({ host, origin: 'http://10.0.0.5:4000' })).toBe(true)
    expect(foreign({ host, origin: 'https://evil.example' })).toBe(true)
    expect(foreign({ host, origin: 'null' })).toBe(true)
    expect(foreign({ host, origin: 'nonsense' })).toBe(true)
    // What a page can write itself changes nothing.
    expect(foreign({ host, 'sec-fetch-site': 'cross-site', 'x-forwarded-host': 'evil.example' })).toBe(true)
    expect(foreign({ host, origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' })).toBe(true)
  })

  test('is heard behind a proxy, which calls us by another name', () => {
    const origin = 'https://balcao.example'
    expect(foreign({ host, origin }, { publicUrl: 'https://balcao.example' })).toBe(false)
    expect(foreign({ host, origin, 'x-forwarded-host': 'balcao.example' }, { trustProxy: 1 })).toBe(false)
    expect(foreign({ host, origin }, { trustProxy: 1 })).toBe(true)
  })

  test('opens no socket from a page of another site', () => {
    const open = (headers: Record<string, string>) =>
      isForeign(new Request('http://10.0.0.5:3000/events', { headers: { host, upgrade: 'websocket', ...headers } }), {
        publicUrl: 'https://balcao.example',
        trustProxy: 0,
      })
    expect(open({ origin: 'https://evil.example' })).toBe(true)
    expect(open({ origin: 'https://evil.example', upgrade: 'WebSocket' })).toBe(true)
    expect(open({ origin: 'null' })).toBe(true)
    expect(open({ origin: 'https://balcao.example' })).toBe(false)
    expect(open({ origin: 'http://10.0.0.5:3000' })).toBe(false)
    // A program says none.
    expect(open({})).toBe(false)
  })

  test('and one that only reads is nobody’s business', () => {
    const request = new Request('http://x/tickets', { headers: { 'sec-fetch-site': 'cross-site' } })
    expect(isForeign(request, { publicUrl: undefined, trustProxy: 0 })).toBe(false)
  })
})

describe('limits', () => {
  let t: TestApp
  beforeAll(async () => {
    t = await testApp({ limitCalls: true })
  })
  afterAll(() => t.close())
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const flood = async (times: number, call: () => Promise<{ status: number }>) => {
    const told = new Map<number, number>()
    for (let i = 0; i < times; i++) {
      const { status } = await call()
      told.set(status, (told.get(status) ?? 0) + 1)
    }
    return told
  }

  test('count strangers by address, users by user; what one has used up, another has not', async () => {
    const company = await t.eg.company()
    const [ana, bruno] = [await t.eg.user(company.id), await t.eg.user(company.id)]
    const asAna = await t.login(ana.email)
    const asBruno = await t.login(bruno.email)
    const { token: ofProgram } = await t.eg.whatsapp(company.id)
    const program = (token: string) =>
      t.call('POST', '/api/messages/send', { token, body: {}, headers: from('198.51.100.1') })
    expect((await program(ofProgram)).status).toBe(400)
    const stranger = () => t.call('POST', '/auth/login', { body: { email: 'x' }, headers: from('198.51.100.1') })
    const told = await flood(2_200, stranger)
    expect(told).toEqual(
      new Map([
        [400, 2_000],
        [429, 200],
      ]),
    )
    const refused = await stranger()
    expect(refused.body).toEqual({ error: 'ERR_TOO_MANY_REQUESTS', retryAfter: 1 })
    expect(refused.headers.get('retry-after')).toBe('1')
    // A forged token makes nobody of a stranger; the network is one, whatever its last part.
    expect((await t.call('GET', '/auth/me', { token: 'a.b.c', headers: from('198.51.100.1') })).status).toBe(429)
    // Of a program that guesses, nobody is asked; one whose token was good before goes on.
    const asked: (string | null)[] = []
    const { connection } = t.deps.callers
    t.deps.callers.connection = (token) => {
      asked.push(token)
      return connection(token)
    }
    expect((await program('guess')).status).toBe(429)
    expect(asked).toEqual([])
    expect((await program(ofProgram)).status).toBe(400)
    // Whoever works in the same office goes on, and so does the load balancer.
    expect((await t.call('GET', '/auth/me', { token: asAna, headers: from('198.51.100.1') })).status).toBe(200)
    expect((await t.call('GET', '/health', { headers: from('198.51.100.1') })).status).toBe(200)
    expect(
      (
        await t.call('POST', '/auth/login', {
          body: { email: ana.email, password: PASSWORD },
          headers: from('198.51.100.2'),
        })
      ).status,
    ).toBe(200)

    // Wherever they call from.
    let n = 0
    const asUser = () =>
      t.call('PUT', '/users/x', { token: asBruno, raw: '[[', headers: from(`203.0.113.${n++ % 250}`) })
    const own = await flood(2_300, asUser)
    expect(own).toEqual(
      new Map([
        [400, 2_000],
        [429, 300],
      ]),
    )

    // A second later each may call forty times more.
    t.clock.advance(1_000)
    expect(await flood(50, stranger)).toEqual(
      new Map([
        [400, 40],
        [429, 10],
      ]),
    )
    expect(await flood(50, asUser)).toEqual(
      new Map([
        [400, 40],
        [429, 10],
      ]),
    )
  })
})

test('a request that says twice where it ends is refused, and nothing behind it is heard', async () => {
  const heard: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      heard.push(new URL(request.url).pathname)
      return new Response(await request.text())
    },
  })
  const say = (text: string) =>
    new Promise<string>((done) => {
      let answer = ''
      void Bun.connect({
        hostname: '127.0.0.1',
        port: server.port!,
        socket: {
          open: (socket) => void socket.write(text),
          data: (socket, bytes) => {
            answer += bytes.toString()
            socket.end()
          },
          close: () => done(answer),
        },
      })
    })
  const behind = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n'
  const head = (lines: string[]) => ['POST /front HTTP/1.1', 'Host: x', ...lines, '', ''].join('\r\n')
  try {
    for (const lines of [
      ['Content-Length: 5', 'Transfer-Encoding: chunked'],
      ['Transfer-Encoding: chunked', 'Content-Length: 5'],
      ['Content-Length: 5', 'Content-Length: 50'],
      ['Transfer-Encoding: identity, chunked, x'],
      ['Content-Length: +5'],
    ]) {
      const answer = await say(`${head(lines)}0\r\n\r\n${behind}`)
      expect([lines, /^HTTP\/1\.1 (4\d\d|5\d\d)/.test(answer) || answer === '']).toEqual([lines, true])
    }
    expect(heard).not.toContain('/smuggled')
  } finally {
    await server.stop(true)
  }
})
