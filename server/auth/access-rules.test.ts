import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PASSWORD, type TestApp, testApp } from '../../tests/support/app.ts'
import { rowsOf } from '../../tests/support/rows.ts'
import { hashOfCode } from './password-reset.codes.ts'
import { keepCode } from './password-reset.writes.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
  await t.eg.company()
})
afterAll(() => t.close())

const from = (address: string) => ({ 'x-forwarded-for': address })
async function office() {
  const company = await t.eg.company()
  const admin = await t.eg.user(company.id, { profile: 'admin', name: 'Marcela Padilha' })
  const token = await t.login(admin.email)
  const set = (key: string, value: string, address = '203.0.113.7') =>
    t.call('PUT', `/settings/${key}`, { token, body: { value }, headers: from(address) })
  return { company, admin, token, set }
}

describe('strong passwords', () => {
  test('are asked for where the company wishes, of new passwords only', async () => {
    const { admin, token, set } = await office()
    const make = async (password: string) => {
      const body = { name: 'Novo', email: `${crypto.randomUUID()}@example.test`, password }
      return (await t.call('POST', '/users', { token, body })).body.error as string | undefined
    }
    expect(await make('senha')).toBeUndefined()
    await set('passwordPolicy', 'strong')
    // Short, common, common with letters exchanged, one's own name.
    for (const weak of ['x9#mQ2!vL', 'senha12345', 'P@ssw0rd123', 'qwertyuiop'])
      expect([weak, await make(weak)]).toEqual([weak, 'ERR_PASSWORD_WEAK'])
    expect(await make('tartaruga azul dança')).toBeUndefined()
    expect(await make('Xk9#mQ2!vLpZ')).toBeUndefined()
    const own = { password: 'Marcela Padilha', currentPassword: PASSWORD }
    expect((await t.call('PUT', `/users/${admin.id}`, { token, body: own })).body.error).toBe('ERR_PASSWORD_WEAK')
    // Nobody has to change one that they have.
    expect(await t.login(admin.email)).toBeString()
  })

  test('are asked for where one is set by a code, which stays good', async () => {
    const { admin, company, set } = await office()
    await set('passwordPolicy', 'strong')
    const codeHash = hashOfCode(t.deps.tokens, 'ABCD-2345')
    const expiresAt = new Date(t.clock.now.getTime() + 60_000)
    await keepCode(t.database.db, { userId: admin.id, companyId: company.id, codeHash, expiresAt }, t.clock.now)
    const reset = (newPassword: string, token = 'ABCD-2345') =>
      t.call('POST', '/resetpasswords', { body: { email: admin.email, token, newPassword } })
    expect((await reset('Senha12345')).body.error).toBe('ERR_PASSWORD_WEAK')
    expect((await reset('Senha12345', 'WRONG-222')).body.error).toBe('ERR_RESET_CODE')
    expect((await reset('Xk9#mQ2!vLpZ')).status).toBe(200)
  })

  test('are judged in a moment, whatever they are', async () => {
    const { token, set } = await office()
    await set('passwordPolicy', 'strong')
    for (const password of ['p@$$w0rd'.repeat(6), '1@3$5|0!'.repeat(6), 'a'.repeat(50), '\u{1F600}'.repeat(25)]) {
      const body = { name: 'Novo', email: `${crypto.randomUUID()}@example.test`, password }
      expect((await t.call('POST', '/users', { token, body })).status).toBeLessThan(500)
    }
  })
})

describe('networks', () => {
  const enter = (email: string, address: string) =>
    t.call('POST', '/auth/login', { body: { email, password: PASSWORD }, headers: from(address) })

  test('let people in from there only, whatever they came with before', async () => {
    const { admin, token, set } = await office()
    expect((await set('ipAllowList', '203.0.113.0/24\n2001:db8::/32, 198.51.100.9')).status).toBe(200)
    const me = async (address: string) => (await t.call('GET', '/auth/me', { token, headers: from(address) })).body
    expect((await me('203.0.113.200')).id).toBe(admin.id)
    expect((await me('198.51.100.9')).id).toBe(admin.id)
    expect((await me('2001:db8::1')).id).toBe(admin.id)
    expect(await me('198.51.100.10')).toEqual({ error: 'ERR_IP_REFUSED' })
    expect((await enter(admin.email, '192.0.2.1')).body).toEqual({ error: 'ERR_IP_REFUSED' })
    expect((await enter(admin.email, '203.0.113.9')).body.token).toBeString()
  })

  test('hold for files, rows, sockets and renewals, too', async () => {
    const { admin, set } = await office()
    await set('ipAllowList', '203.0.113.0/24')
    const login = await enter(admin.email, '203.0.113.7')
    const token = login.body.token as string
    const cookie = login.headers
      .getSetCookie()
      .find((one) => one.startsWith('jrt='))!
      .split(';')[0]!
    const pass = async (use: object) =>
      (await t.call('POST', '/auth/passes', { token, body: use, headers: from('203.0.113.7') })).body.pass as string
    const path = 'x/y.png'
    const asked = async (address: string) => {
      const headers = from(address)
      const text = async (answer: Promise<{ body: unknown }>) => JSON.stringify((await answer).body)
      const rows = async (way: string, as?: string) => (await rowsOf(t)(as, way, headers)).text
      const answers: Record<string, string> = {
        rows: await rows('/sync/shape/tags?offset=-1', token),
        sync: await rows(`/sync?pass=${await pass({ for: 'sync' })}`),
        file: await text(t.call('GET', `/public/${path}`, { token, headers })),
        'file, by a pass': await text(
          t.call('GET', `/public/${path}?pass=${await pass({ for: 'media', path })}`, { headers }),
        ),
        events: await text(t.call('GET', `/events?token=${token}`, { headers })),
        'events, by a pass': await text(t.call('GET', `/events?pass=${await pass({ for: 'events' })}`, { headers })),
        renewal: await text(t.call('POST', '/auth/refresh_token', { headers: { ...headers, cookie } })),
      }
      return Object.keys(answers).filter((way) => answers[way]!.includes('ERR_IP_REFUSED'))
    }
    expect(await asked('192.0.2.1')).toEqual([
      ...['rows', 'sync', 'file', 'file, by a pass', 'events', 'events, by a pass', 'renewal'],
    ])
    // Whoever is back goes on where they were.
    expect(await asked('203.0.113.8')).toEqual([])
  })

  test('close the sockets of whoever is elsewhere, at once', async () => {
    const { admin, company, set } = await office()
    await t.database.sql`INSERT INTO settings ("companyId", "key", "value") VALUES (${company.id}, 'sessions', 'many')`
    const socket = async (address: string) => {
      const { body } = await enter(admin.email, address)
      const closed = Promise.withResolvers<string>()
      const wire = { send: () => undefined, close: (_: number, reason: string) => closed.resolve(reason) }
      const connection = t.deps.hub.join(wire, await t.deps.auth.byToken(body.token, { address }), address)
      return { closed: closed.promise, connection }
    }
    const elsewhere = await socket('192.0.2.1')
    const inside = await socket('203.0.113.7')
    const open = t.deps.hub.size()
    expect((await set('ipAllowList', '203.0.113.0/24')).status).toBe(200)
    expect(await elsewhere.closed).toBe('ERR_IP_REFUSED')
    expect(t.deps.hub.size()).toBe(open - 1)
    inside.connection.leave()
  })

  test('that leave out who writes them are refused, and so is what is none', async () => {
    const { admin, set } = await office()
    expect((await set('ipAllowList', '198.51.100.0/24')).body).toEqual({ error: 'ERR_IP_LOCKOUT' })
    expect((await set('ipAllowList', '203.0.113.0/24 escritório')).body.error).toBe('ERR_VALIDATION')
    expect((await set('ipAllowList', '')).status).toBe(200)
    expect((await enter(admin.email, '192.0.2.1')).status).toBe(200)
  })

  test('are those of one company', async () => {
    const { set } = await office()
    const { admin } = await office()
    await set('ipAllowList', '203.0.113.0/24')
    expect((await enter(admin.email, '192.0.2.1')).status).toBe(200)
  })
})
