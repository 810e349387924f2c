import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'bun'
import { parseAllowed } from './addresses.ts'
import { createOutside, type OutsideDeps, OutsideError, type OutsideFailure } from './outside.ts'

/** Calls go nowhere: what would be called is noted, and answered by a table. */
function world(
  names: Record<string, string[] | string[][]>,
  answers: Record<string, Response> = {},
  deps: OutsideDeps = {},
) {
  const asked: string[] = []
  const called: { url: string; init: BunFetchRequestInit }[] = []
  const outside = createOutside({
    resolve: async (name) => {
      asked.push(name)
      const found = names[name]
      if (!found) throw new Error('ENOTFOUND')
      // A list of lists is a name that says something else each time.
      return (Array.isArray(found[0]) ? (found as string[][]).shift()! : found) as string[]
    },
    connect: async (url, init) => {
      called.push({ url, init })
      const { host } = init.headers as Record<string, string>
      const to = new URL(url)
      return answers[`${to.protocol}//${host}${to.pathname}`]?.clone() ?? new Response('hello')
    },
    ...deps,
  })
  return { outside, asked, called, urls: () => called.map(({ url }) => url) }
}

async function failureOf(work: Promise<unknown>): Promise<OutsideFailure | 'none'> {
  return work.then(
    () => 'none' as const,
    (error: unknown) => {
      if (error instanceof OutsideError) return error.failure
      throw error
    },
  )
}
const moved = (location: string, status = 302) => new Response(null, { status, headers: { location } })

describe('an address that somebody else named', () => {
  test('is called where it is outside, in IPv4 and in IPv6, under its own name', async () => {
    const { outside, called } = world({ 'a.example.com': ['142.250.78.10'], 'b.example.com': ['2607:f8b0::200e'] })
    await outside.fetch('https://a.example.com/x?y=1#z')
    await outside.fetch('http://b.example.com:8080/')
    await outside.fetch('https://142.250.78.10/')
    await outside.fetch('https://[2607:f8b0::200e]/')
    expect(called.map(({ url, init }) => [url, (init.headers as { host: string }).host, init.tls?.serverName])).toEqual(
      [
        ['https://142.250.78.10/x?y=1', 'a.example.com', 'a.example.com'],
        ['http://[2607:f8b0::200e]:8080/', 'b.example.com:8080', undefined],
        ['https://142.250.78.10/', '142.250.78.10', undefined],
        ['https://[2607:f8b0::200e]/', '[2607:f8b0::200e]', undefined],
      ],
    )
  })

  test('is not called where it is inside, however that is written', async () => {
    const { outside, called } = world({
      'rebound.example.com': ['127.0.0.1'],
      'half.example.com': ['142.250.78.10', '10.0.0.1'],
      'mapped.example.com': ['::ffff:10.0.0.1'],
      'nat64.example.com': ['64:ff9b::7f00:1'],
      'cloud.example.com': ['169.254.169.254'],
    })
    for (const [address, failure] of [
      ['https://rebound.example.com/', 'inside'],
      ['https://half.example.com/', 'inside'],
      ['https://mapped.example.com/', 'inside'],
      ['https://nat64.example.com/', 'inside'],
      ['https://cloud.example.com/', 'inside'],
      ['https://127.0.0.1/', 'inside'],
      ['http://2130706433/', 'inside'],
      ['http://0x7f000001/', 'inside'],
      ['http://0177.0.0.1/', 'inside'],
      ['http://127.1/', 'inside'],
      ['http://１２７.0.0.1/', 'inside'],
      ['http://[::1]/', 'inside'],
      ['http://[::ffff:127.0.0.1]/', 'inside'],
      ['http://[64:ff9b::10.0.0.1]/', 'inside'],
      ['http://[fe80::1]/', 'inside'],
      ['http://localhost/', 'inside'],
      ['http://localhost./', 'inside'],
      ['http://db/', 'inside'],
      ['http://printer.local/', 'inside'],
      ['http://metadata.google.internal/', 'inside'],
      ['https://nobody.example.com/', 'unknown_host'],
      ['https://user@rebound.example.com/', 'address'],
      ['https://:pass@rebound.example.com/', 'address'],
      ['https://a.example.com:25/', 'address'],
      ['file:///etc/passwd', 'address'],
      ['s3://bucket/key', 'address'],
      ['data:text/plain,x', 'address'],
      ['unix:///x', 'address'],
      ['nonsense', 'address'],
      [`https://a.example.com/${'x'.repeat(3_000)}`, 'address'],
    ] as const)
      expect([address.slice(0, 60), await failureOf(outside.fetch(address))]).toEqual([address.slice(0, 60), failure])
    expect(called).toEqual([])
  })

  test('is called where it was looked at, whatever its name says a moment later', async () => {
    const { outside, asked, urls } = world({ 'changing.example.com': [['142.250.78.10'], ['127.0.0.1'], ['8.8.8.8']] })
    await outside.fetch('https://changing.example.com/')
    expect(await failureOf(outside.fetch('https://changing.example.com/'))).toBe('inside')
    await outside.fetch('https://changing.example.com/')
    expect(asked).toHaveLength(3)
    expect(urls()).toEqual(['https://142.250.78.10/', 'https://8.8.8.8/'])
  })

  test('is tried at its next address when there is no connection to the first, and at no other failure', async () => {
    const tried: string[] = []
    const refusing = (code: string): OutsideDeps => ({
      connect: async (url) => {
        tried.push(url)
        if (tried.length === 1) throw Object.assign(new Error('no'), { code })
        return new Response('hello')
      },
    })
    const names = { 'two.example.com': ['2607:f8b0::200e', '142.250.78.10'] }
    const { outside } = world(names, {}, refusing('ECONNREFUSED'))
    expect(await (await outside.fetch('https://two.example.com/')).text()).toBe('hello')
    expect(tried).toEqual(['https://142.250.78.10/', 'https://[2607:f8b0::200e]/'])
    tried.length = 0
    expect(await failureOf(world(names, {}, refusing('ECONNRESET')).outside.fetch('https://two.example.com/'))).toBe(
      'unreachable',
    )
    expect(tried).toHaveLength(1)
  })

  test('may be held to encryption and to ports', async () => {
    const { outside } = world({ 'a.example.com': ['142.250.78.10'] })
    const rules = { httpsOnly: true, ports: [443] }
    expect(outside.accepts('https://a.example.com/', rules)).toBe(true)
    expect(outside.accepts('http://a.example.com/', rules)).toBe(false)
    expect(outside.accepts('https://a.example.com:8443/', rules)).toBe(false)
    expect(outside.accepts('https://a.example.com:8443/')).toBe(true)
    expect(await failureOf(outside.fetch('http://a.example.com/', rules))).toBe('address')
  })
})

describe('a redirection', () => {
  const names = { 'a.example.com': ['142.250.78.10'], 'b.example.com': ['8.8.8.8'], 'in.example.com': ['10.0.0.1'] }

  test('is the answer itself, unless it is asked to be followed', async () => {
    const { outside, called } = world(names, { 'https://a.example.com/': moved('http://127.0.0.1/') })
    expect((await outside.fetch('https://a.example.com/')).status).toBe(302)
    expect(called).toHaveLength(1)
  })

  test('to inside, to no encryption, to another scheme or in a circle is not followed', async () => {
    for (const [location, failure] of [
      ['https://in.example.com/', 'inside'],
      ['https://127.0.0.1/', 'inside'],
      ['https://[::ffff:10.0.0.1]/', 'inside'],
      ['https://169.254.169.254/latest/meta-data', 'inside'],
      ['http://b.example.com/', 'address'],
      ['file:///etc/passwd', 'address'],
      ['https://user:pass@b.example.com/', 'address'],
      ['/', 'redirects'],
    ] as const) {
      const { outside } = world(names, { 'https://a.example.com/': moved(location) })
      expect([location, await failureOf(outside.fetch('https://a.example.com/', { redirects: 3 }))]).toEqual([
        location,
        failure,
      ])
    }
  })

  test('to another host takes no secret along', async () => {
    const { outside, called } = world(names, {
      'https://a.example.com/': moved('/next', 307),
      'https://a.example.com/next': moved('https://b.example.com/', 307),
    })
    const headers = { Authorization: 'Bearer x', 'X-Api-Key': 'y', Cookie: 'z', 'Content-Type': 'application/json' }
    await outside.fetch('https://a.example.com/', { method: 'POST', body: '{}', headers, redirects: 3 })
    const sent = called.map(({ init }) => Object.keys(init.headers as object).sort())
    expect(sent[1]).toEqual(['authorization', 'content-type', 'cookie', 'host', 'x-api-key'])
    expect(sent[2]).toEqual(['content-type', 'host'])
    expect(called.map(({ init }) => [init.method, init.body])).toEqual([
      ['POST', '{}'],
      ['POST', '{}'],
      ['POST', '{}'],
    ])
  })

  test('after a form is fetched, not posted again', async () => {
    const { outside, called } = world(names, { 'https://a.example.com/': moved('/done', 303) })
    await outside.fetch('https://a.example.com/', { method: 'POST', body: 'x', redirects: 1 })
    expect(called[1]!.init.method).toBe('GET')
    expect(called[1]!.init.body).toBeUndefined()
  })
})

describe('what the operator admits', () => {
  test('is called inside, by any port and without encryption; the database never is', async () => {
    const { outside, urls } = world(
      { 'erp.example.com': ['10.1.2.3'], crm: ['10.1.2.4'], other: ['10.2.0.1'] },
      {},
      {
        allow: ['10.1.0.0/16', '127.0.0.1'].map(parseAllowed),
        never: () => ['127.0.0.1:5432'],
      },
    )
    await outside.fetch('http://erp.example.com/', { httpsOnly: false })
    await outside.fetch('http://crm:8069/')
    await outside.fetch('http://127.0.0.1:81/', { httpsOnly: true, ports: [443] })
    expect(await failureOf(outside.fetch('http://other/'))).toBe('inside')
    for (const address of ['http://127.0.0.1:5432/', 'http://[::ffff:127.0.0.1]:5432/'])
      expect([address, await failureOf(outside.fetch(address))]).toEqual([address, 'inside'])
    expect(urls()).toEqual(['http://10.1.2.3/', 'http://10.1.2.4:8069/', 'http://127.0.0.1:81/'])
  })
})

describe('over the wire', () => {
  const folder = mkdtempSync(join(tmpdir(), 'outside-'))
  let plain: Bun.Server<undefined>
  let secure: Bun.Server<undefined>
  let ca: string
  let hung = 0
  beforeAll(() => {
    const made = Bun.spawnSync(
      [
        ...['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
        ...['-keyout', 'key.pem', '-out', 'cert.pem', '-days', '2', '-subj', '/CN=hook.example.com'],
        ...['-addext', 'subjectAltName=DNS:hook.example.com'],
      ],
      { cwd: folder, stderr: 'pipe' },
    )
    if (made.exitCode !== 0) throw new Error(made.stderr.toString())
    ca = readFileSync(join(folder, 'cert.pem'), 'utf8')
    plain = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch(request) {
        const { pathname } = new URL(request.url)
        if (pathname === '/bomb')
          return new Response(gzipSync(new Uint8Array(50_000_000)), { headers: { 'content-encoding': 'gzip' } })
        if (pathname === '/zipped')
          return new Response(gzipSync(Buffer.from('hello hello hello')), { headers: { 'content-encoding': 'gzip' } })
        if (pathname === '/slow') return Bun.sleep(60_000).then(() => new Response())
        if (pathname === '/drip')
          return new Response(
            new ReadableStream({
              async pull(controller) {
                controller.enqueue(new TextEncoder().encode('x'))
                await Bun.sleep(50)
              },
              cancel: () => void hung++,
            }),
          )
        return new Response('hello')
      },
    })
    secure = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      tls: { key: readFileSync(join(folder, 'key.pem'), 'utf8'), cert: ca },
      fetch: async (request) => new Response(`${request.headers.get('host')} ${await request.text()}`),
    })
  })
  afterAll(async () => {
    await plain.stop(true)
    await secure.stop(true)
    rmSync(folder, { recursive: true })
  })
  const local = (deps: OutsideDeps = {}) =>
    createOutside({ allow: [parseAllowed('127.0.0.1')], resolve: async () => ['127.0.0.1'], ...deps })

  test('a certificate is checked against the name, though the address is called', async () => {
    const outside = local({ ca })
    const good = await outside.fetch(`https://hook.example.com:${secure.port}/`, { method: 'POST', body: 'body' })
    expect(await good.text()).toBe(`hook.example.com:${secure.port} body`)
    expect(await failureOf(outside.fetch(`https://other.example.com:${secure.port}/`))).toBe('unreachable')
    expect(await failureOf(local().fetch(`https://hook.example.com:${secure.port}/`))).toBe('unreachable')
  })

  test('an answer is read up to its limit, counted unpacked', async () => {
    const at = (path: string) => `http://127.0.0.1:${plain.port}${path}`
    const zipped = await local().fetch(at('/zipped'))
    expect([await zipped.text(), zipped.headers.get('content-encoding')]).toEqual(['hello hello hello', null])
    const before = process.memoryUsage().rss
    const bomb = await local().fetch(at('/bomb'), { maxBytes: 100_000 })
    expect(await failureOf(bomb.arrayBuffer())).toBe('too_large')
    expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000)
  })

  test('one time limit holds for the name, the answer and its last byte', async () => {
    const at = (path: string) => `http://127.0.0.1:${plain.port}${path}`
    expect(await failureOf(local().fetch(at('/slow'), { timeoutMs: 200 }))).toBe('timeout')
    const drip = await local().fetch(at('/drip'), { timeoutMs: 300 })
    expect(await failureOf(drip.text())).toBe('timeout')
    const never = local({ resolve: () => new Promise(() => undefined) })
    expect(await failureOf(never.fetch('https://a.example.com/', { timeoutMs: 100 }))).toBe('timeout')
  })

  test('what the caller gives up is given up', async () => {
    const given = new AbortController()
    const call = local().fetch(`http://127.0.0.1:${plain.port}/slow`, { signal: given.signal })
    given.abort(new Error('given up'))
    expect(call).rejects.toThrow('given up')
    await call.catch(() => undefined)
  })
})
