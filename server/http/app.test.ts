import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DomainError, statusOf } from '../../schema/errors.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { createApp } from './app.ts'
import { asDomainError } from './errors.ts'

const dir = mkdtempSync(join(tmpdir(), 'balcao-client-'))
let t: TestApp
beforeAll(async () => {
  mkdirSync(join(dir, 'assets'))
  writeFileSync(join(dir, 'index.html'), '<!doctype html><title>Balcão</title>')
  writeFileSync(join(dir, 'assets', 'app-1a2b3c.js'), `// ${'x'.repeat(5_000)}`)
  writeFileSync(join(dir, 'sw.js'), 'self')
  writeFileSync(join(dir, '..', 'outside.txt'), 'outside')
  t = await testApp({ clientDir: dir, maxUploadBytes: 50_000 })
})
afterAll(async () => {
  await t.close()
  rmSync(dir, { recursive: true, force: true })
})

const navigate = (path: string) =>
  t.call('GET', path, { headers: { 'sec-fetch-mode': 'navigate', accept: 'text/html' } })

describe('the client', () => {
  test('is what a person gets at every screen, also where a call has the same path', async () => {
    for (const path of ['/', '/login', '/tickets', '/tickets/1f0e', '/users', '/contacts?x=1', '/settings/']) {
      const page = await navigate(path)
      expect([path, page.status, String(page.body).includes('<title>Balcão')]).toEqual([path, 200, true])
      expect(page.headers.get('content-security-policy')).toContain("script-src 'self' 'wasm-unsafe-eval'")
      expect(page.headers.get('cache-control')).toBe('no-cache')
    }
    expect((await t.call('GET', '/tickets')).status).toBe(401)
    expect((await navigate('/health')).body.ok).toBe(true)
  })

  test('has files that may be kept for ever, and some that must be asked for again', async () => {
    const script = await t.call('GET', '/assets/app-1a2b3c.js')
    expect(script.status).toBe(200)
    expect((await t.call('GET', '/', { headers: { accept: 'text/html' } })).status).toBe(200)
    expect(script.headers.get('cache-control')).toContain('immutable')
    expect(script.headers.get('content-type')).toContain('javascript')
    const worker = await t.call('GET', '/sw.js')
    expect(worker.headers.get('cache-control')).toBe('no-cache')
    expect((await t.call('GET', '/sw.js', { headers: { 'if-none-match': worker.headers.get('etag')! } })).status).toBe(
      304,
    )
    const zipped = await t.app.handle(
      new Request('http://localhost/assets/app-1a2b3c.js', { headers: { 'accept-encoding': 'gzip, br' } }),
    )
    expect(zipped.headers.get('content-encoding')).toBe('gzip')
    expect(new TextDecoder().decode(Bun.gunzipSync(await zipped.bytes())).length).toBe(5_003)
  })

  test('is all there is of the disk', async () => {
    for (const path of [
      '/../outside.txt',
      '/%2e%2e/outside.txt',
      '/assets/..%2f..%2foutside.txt',
      '/..%5coutside.txt',
      '/%00',
      '/assets/missing.js',
      '/.env',
    ]) {
      const reply = await t.call('GET', path)
      expect([path, reply.status]).toEqual([path, 404])
    }
  })
})

describe('every answer', () => {
  test('tells the browser not to guess and not to be framed', async () => {
    for (const path of ['/version', '/nothing', '/docs', '/tickets']) {
      const { headers } = await t.call('GET', path)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('referrer-policy')).toBe('same-origin')
    }
  })

  test('has a policy: what is no page loads nothing and is framed by nobody', async () => {
    for (const path of ['/version', '/nothing', '/tickets', '/docs/json', '/health', '/metrics', '/branding'])
      expect([path, (await t.call('GET', path)).headers.get('content-security-policy')]).toEqual([
        path,
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      ])
    // A worker may load only what its own script's policy lets it.
    for (const path of ['/sw.js', '/assets/app-1a2b3c.js'])
      expect([path, (await t.call('GET', path)).headers.get('content-security-policy')]).toEqual([
        path,
        "object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      ])
    for (const path of ['/', '/docs']) {
      const { headers } = await t.call('GET', path, { headers: { accept: 'text/html' } })
      const policy = headers.get('content-security-policy')!
      for (const part of ["base-uri 'none'", "frame-ancestors 'none'"])
        expect([path, policy]).toEqual([path, expect.stringContaining(part)])
      expect([path, /object-src 'none'|default-src 'none'/.test(policy), /script-src 'self'/.test(policy)]).toEqual([
        path,
        true,
        true,
      ])
      expect(/script-src[^;]*'unsafe-(inline|eval)'/.test(policy)).toBe(false)
    }
  })

  test('to a call is kept by no cache', async () => {
    const company = await t.eg.company()
    const token = await t.login((await t.eg.user(company.id, { profile: 'admin' })).email)
    for (const path of ['/tickets', '/contacts', '/users', '/settings', '/auth/me', '/nothing', '/version'])
      expect([path, (await t.call('GET', path, { token })).headers.get('cache-control')]).toEqual([path, 'no-store'])
  })

  test('lets no page of another origin read it', async () => {
    for (const [method, path] of [
      ['GET', '/version'],
      ['GET', '/tickets'],
      ['OPTIONS', '/tickets'],
      ['GET', '/docs/json'],
      ['GET', '/'],
    ] as const) {
      const { headers } = await t.call(method, path, { headers: { origin: 'https://evil.example' } })
      for (const name of ['origin', 'credentials', 'methods', 'headers'])
        expect([path, headers.get(`access-control-allow-${name}`)]).toEqual([path, null])
    }
  })

  test('to JSON under another name is a refusal: a page of another site may send that unasked', async () => {
    const raw = JSON.stringify({ email: 'a@b.co', password: 'segredo1' })
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', ''])
      expect((await t.call('POST', '/auth/login', { raw, headers: { 'content-type': type } })).body).toMatchObject({
        error: 'ERR_VALIDATION',
        fields: [{ path: 'header/content-type' }],
      })
  })

  test('says what it is, and text in which letters', async () => {
    const typeOf = async (path: string) =>
      (await t.call('GET', path, { headers: { accept: 'text/html' } })).headers.get('content-type')?.replace('; ', ';')
    expect(await typeOf('/')).toBe('text/html;charset=utf-8')
    expect(await typeOf('/docs')).toBe('text/html;charset=utf-8')
    expect(await typeOf('/sw.js')).toMatch(/^text\/javascript;charset=utf-8$/)
    for (const path of ['/version', '/docs/json', '/health', '/nothing.json'])
      expect([path, await typeOf(path)]).toEqual([path, expect.stringMatching(/^application\/json/)])
  })

  test('answers no TRACE and lists no folder', async () => {
    const traced = await t.call('TRACE', '/version', { headers: { 'x-secret': 'echo' } }).catch(() => undefined)
    expect(traced === undefined || (traced.status === 404 && !JSON.stringify(traced.body).includes('echo'))).toBe(true)
    for (const path of ['/assets', '/assets/', '/public', '/public/']) {
      const { status, body } = await t.call('GET', path)
      expect([path, [401, 404].includes(status), JSON.stringify(body)]).toEqual([
        path,
        true,
        expect.not.stringContaining('1a2b3c'),
      ])
    }
  })

  test('asks for https for a year where the operator says that people come by it', async () => {
    const config = t.deps.config as { publicUrl: string | undefined }
    for (const [publicUrl, expected] of [
      ['https://balcao.example.com', 'max-age=31536000'],
      ['http://balcao.example.com', null],
      [undefined, null],
    ] as const) {
      config.publicUrl = publicUrl
      const app = createApp(t.deps)
      for (const path of ['/version', '/nothing', '/', '/assets/app-1a2b3c.js']) {
        const headers = { accept: 'text/html' }
        const answer = await app.handle(new Request(`http://localhost${path}`, { headers }))
        expect([path, answer.headers.get('strict-transport-security')]).toEqual([path, expected])
      }
    }
    config.publicUrl = undefined
  })

  test('lets a page speak with the host it came from, and with no other', async () => {
    const policyFor = async (host: string) => {
      const headers = { 'sec-fetch-mode': 'navigate', accept: 'text/html', host }
      const answer = await t.app.handle(new Request('http://localhost/login', { headers }))
      return answer.headers
        .get('content-security-policy')!
        .split('; ')
        .find((part) => part.startsWith('connect-src'))
    }
    expect(await policyFor('balcao.example.com')).toBe(
      "connect-src 'self' ws://balcao.example.com wss://balcao.example.com blob: data:",
    )
    expect(await policyFor('[::1]:3000')).toBe("connect-src 'self' ws://[::1]:3000 wss://[::1]:3000 blob: data:")
    for (const forged of ['*', 'a b', "x; script-src 'unsafe-inline'", 'a/*'])
      expect(await policyFor(forged)).toBe("connect-src 'self' ws://localhost wss://localhost blob: data:")
  })

  test('about what is up is yes or no; of the parts only the operator is told', async () => {
    const company = await t.eg.company()
    const admin = await t.login((await t.eg.user(company.id, { profile: 'admin' })).email)
    const operator = await t.login((await t.eg.user(company.id, { profile: 'admin', super: true })).email)
    for (const token of [undefined, 'rubbish', admin])
      expect((await t.call('GET', '/health', { token })).body).toEqual({ ok: true })
    expect((await t.call('GET', '/health', { token: operator })).body).toEqual({ ok: true, database: 'up' })
  })

  test('to a call that does not exist is 404 with a code', async () => {
    expect(await t.call('GET', '/nothing')).toMatchObject({ status: 404, body: { error: 'ERR_NOT_FOUND' } })
    expect(await t.call('PATCH', '/tickets')).toMatchObject({ status: 404, body: { error: 'ERR_NOT_FOUND' } })
  })

  test('to a wrong number in an address names it', async () => {
    const company = await t.eg.company()
    const token = await t.login((await t.eg.user(company.id)).email)
    const paths = async (path: string) =>
      (await t.call('GET', path, { token })).body.fields.map((field: { path: string }) => field.path)
    expect(await paths('/tickets?pageNumber=0')).toEqual(['query/pageNumber'])
    expect(await paths('/tickets?searchParam=a&pageNumber=x')).toEqual(['query/pageNumber'])
    expect(await paths('/tickets/0')).toEqual(['params/id'])
  })

  test('to a broken or too large body is 4xx with a code', async () => {
    const json = { 'content-type': 'application/json' }
    expect(await t.call('POST', '/auth/login', { raw: '{"email":', headers: json })).toMatchObject({
      status: 400,
      body: { error: 'ERR_VALIDATION' },
    })
    expect((await t.call('POST', '/auth/login', { raw: '', headers: json })).status).toBe(400)
    const large = JSON.stringify({ email: 'x'.repeat(3_000_000), password: 'x' })
    expect(
      await t.call('POST', '/auth/login', { raw: large, headers: { ...json, 'content-length': String(large.length) } }),
    ).toMatchObject({ status: 413, body: { error: 'ERR_BODY_TOO_LARGE' } })
    const company = await t.eg.company()
    const token = await t.login((await t.eg.user(company.id)).email)
    expect((await t.call('POST', '/commands', { raw: large, headers: json, token })).status).toBe(413)
    expect((await t.call('POST', '/commands', { raw: '[]', headers: json, token })).status).toBe(400)
    expect(
      (
        await t.call('POST', '/commands', {
          raw: '--x',
          headers: { 'content-type': 'multipart/form-data; boundary=x' },
          token,
        })
      ).status,
    ).toBe(400)
  })
})

describe('failures', () => {
  const database = (code: string, constraint_name?: string) =>
    new Error('query failed', { cause: Object.assign(new Error('database'), { code, constraint_name }) })
  test('of the database have the code of what they mean', () => {
    expect(asDomainError(database('23505', 'queues_color'))?.code).toBe('ERR_QUEUE_COLOR_ALREADY_EXISTS')
    expect(asDomainError(database('23505', 'users_email'))?.code).toBe('ERR_DUPLICATED_EMAIL')
    expect(asDomainError(database('23503'))?.code).toBe('ERR_NOT_FOUND')
    expect(asDomainError(database('22021'))?.code).toBe('ERR_VALIDATION')
    for (const code of ['CONNECTION_CLOSED', 'ECONNREFUSED', '57P01', '53300', '08006'])
      expect(asDomainError(database(code))?.code).toBe('ERR_UNAVAILABLE')
    expect(asDomainError(database('53100'))?.code).toBe('ERR_STORAGE_FULL')
    expect(statusOf(asDomainError(new DomainError('ERR_NO_TICKET_FOUND'))!)).toBe(404)
    expect(asDomainError(database('42P01'))).toBeUndefined()
    expect(asDomainError(new TypeError('bug'))).toBeUndefined()
  })

  test('of ours are 500 with a number to find them by, and nothing of the inside', async () => {
    const health = t.deps.health
    t.deps.health = () => Promise.reject(new Error('secret of the inside'))
    try {
      const reply = await t.call('GET', '/health')
      expect(reply.status).toBe(500)
      expect(Object.keys(reply.body).sort()).toEqual(['error', 'requestId'])
      expect(reply.body.error).toBe('INTERNAL_SERVER_ERROR')
    } finally {
      t.deps.health = health
    }
  })
})

describe('the description', () => {
  interface Operation {
    summary?: string
    security?: unknown[]
    parameters?: { name: string; in: string }[]
    requestBody?: { content: Record<string, { schema?: unknown }> }
    responses?: Record<string, unknown>
  }
  let calls: [call: string, Operation][]
  beforeAll(async () => {
    const { body } = await t.call('GET', '/docs/json')
    calls = Object.entries(body.paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, call]): [string, Operation] => [`${method.toUpperCase()} ${path}`, call]),
    )
  })
  const which = (wrong: (call: Operation) => boolean) => calls.filter(([, call]) => wrong(call)).map(([name]) => name)

  test('holds every call, says what each is for, and asks nobody else for anything', async () => {
    expect(calls.length).toBeGreaterThan(50)
    expect(which((call) => !call.summary)).toEqual([])
    const page = (await t.call('GET', '/docs')).body as string
    const script = (await t.call('GET', '/docs/page.js')).body as string
    expect(`${page}${script}`).not.toMatch(/https?:\/\//)
  })

  test('says what a body looks like wherever a call takes one', () => {
    const bodies = t.app.routes
      .filter(({ hooks, method }) => hooks.body !== undefined && method !== 'GET')
      .map(({ method, path }) => `${method} ${path.replace(/:([^/]+)/g, '{$1}')}`)
    expect(bodies.length).toBeGreaterThan(20)
    for (const name of bodies) {
      const call = calls.find(([known]) => known === name)?.[1]
      expect([name, Object.keys(call?.requestBody?.content['application/json']?.schema ?? {})]).toEqual([
        name,
        expect.arrayContaining(['type', 'properties']),
      ])
    }
    expect(
      which(({ requestBody }) => requestBody !== undefined && Object.keys(requestBody.content).length === 0),
    ).toEqual([])
  })

  test('says which calls need no token, what a failure looks like, and where a key makes a repeat safe', async () => {
    expect(which((call) => !call.responses?.['default'])).toEqual([])
    for (const [name, { security }] of calls) {
      const [method, path] = name.split(' ') as [string, string]
      // Asks for a cookie, not for a token.
      if (path === '/auth/refresh_token') continue
      const address = path
        .replace('{path}', 'company1/x.pdf')
        .replace(/{(id|ticketId)}/g, '1')
        .replace(/{[^}]*}/g, 'x')
      const { status } = await t.call(method, address)
      // Without a word of its own, a call needs the token of a session.
      expect([name, status === 401]).toEqual([name, security?.length !== 0])
    }
    const keyed = which(({ parameters }) => parameters?.some((one) => one.name === 'Idempotency-Key') === true)
    expect(keyed).toContain('POST /messages/{ticketId}')
    expect(keyed).not.toContain('POST /queue/')
  })
})
