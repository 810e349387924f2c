import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createECDH, randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { decodeJwt } from 'jose'
import { passwordResets } from '../../schema/users/password-resets.table.ts'
import { pushSubscriptions } from '../../schema/push/push.table.ts'
import { sessions } from '../../schema/users/sessions.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { PASSWORD, type Reply, type TestApp, testApp } from '../../tests/support/app.ts'
import { sweepJobs } from '../jobs/sweep.ts'
import { hashOfCode } from './password-reset.codes.ts'
import { keepCode } from './password-reset.writes.ts'
import { DAY_MS } from '../../schema/durations.ts'

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'

let t: TestApp
/** What the server wrote into its log of authentication. */
const written: Record<string, unknown>[] = []
beforeAll(async () => {
  t = await testApp({ log: (line) => written.push(line) })
  await t.eg.company()
})
afterAll(() => t.close())

const db = () => t.database.db
const from = (address: string, userAgent = CHROME) => ({ 'x-forwarded-for': address, 'user-agent': userAgent })
const enter = (email: string, headers: Record<string, string> = {}, password = PASSWORD) =>
  t.call('POST', '/auth/login', { body: { email, password }, headers })
const cookieOf = (reply: Reply) =>
  reply.headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith('jrt='))!
    .split(';')[0]!
const renew = (cookie: string) => t.call('POST', '/auth/refresh_token', { headers: { cookie } })

/** A person who is signed in, with a browser that may be woken. */
async function awake() {
  const company = await t.eg.company()
  const admin = await t.eg.user(company.id, { profile: 'admin' })
  const user = await t.eg.user(company.id)
  const signedIn = await enter(user.email, from('203.0.113.7'))
  const token = signedIn.body.token as string
  await subscribe(token)
  return { company, admin, user, token, cookie: cookieOf(signedIn) }
}
async function subscribe(token: string) {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  const body = {
    endpoint: `http://127.0.0.1:9/${randomBytes(8).toString('hex')}`,
    keys: { p256dh: ecdh.getPublicKey().toString('base64url'), auth: randomBytes(16).toString('base64url') },
  }
  expect((await t.call('POST', '/push/subscriptions', { token, body })).status).toBe(200)
}
const wakened = async (userId: number) =>
  (await db().select().from(pushSubscriptions).where(eq(pushSubscriptions.userId, userId))).length

describe('a browser is woken no more', () => {
  type Awake = Awaited<ReturnType<typeof awake>>
  const ends: Record<string, (a: Awake) => Promise<unknown>> = {
    'after a logout': ({ token }) => t.call('DELETE', '/auth/logout', { token }),
    'after a login elsewhere': ({ user }) => enter(user.email),
    'after a new password of one’s own': ({ user, token }) =>
      t.call('PUT', `/users/${user.id}`, { token, body: { password: 'outra senha', currentPassword: PASSWORD } }),
    'after a new password set by an admin': async ({ user, admin }) =>
      t.call('PUT', `/users/${user.id}`, { token: await t.login(admin.email), body: { password: 'outra senha' } }),
    'after a new password by a code': async ({ user, company }) => {
      const codeHash = hashOfCode(t.deps.tokens, 'ABCD-2345')
      const expiresAt = new Date(t.clock.now.getTime() + 60_000)
      await keepCode(db(), { userId: user.id, companyId: company.id, codeHash, expiresAt }, t.clock.now)
      const body = { email: user.email, token: 'ABCD-2345', newPassword: 'Novissima1' }
      expect((await t.call('POST', '/resetpasswords', { body })).status).toBe(200)
    },
    'after an old cookie came back': async ({ cookie }) => {
      await renew(cookie)
      t.clock.advance(60_000)
      expect((await renew(cookie)).status).toBe(401)
    },
    'after the user is deleted': async ({ user, admin }) =>
      t.call('DELETE', `/users/${user.id}`, { token: await t.login(admin.email) }),
  }
  for (const [when, end] of Object.entries(ends))
    test(when, async () => {
      const a = await awake()
      expect(await wakened(a.user.id)).toBe(1)
      await end(a)
      expect(await wakened(a.user.id)).toBe(0)
      expect((await t.call('GET', '/auth/me', { token: a.token })).status).toBe(401)
    })

  test('when the session has run out', async () => {
    const a = await awake()
    await db()
      .update(sessions)
      .set({ expiresAt: new Date(Date.now() - 1_000) })
      .where(eq(sessions.userId, a.user.id))
    await sweepJobs(t.database.sql)
    expect(await wakened(a.user.id)).toBe(0)
  })

  test('but stays awake through renewals, and what others do', async () => {
    const a = await awake()
    await renew(a.cookie)
    await enter(a.admin.email)
    expect(await wakened(a.user.id)).toBe(1)
  })
})

describe('a session', () => {
  test('begins with a secret of its own, of 256 random bits, which a renewal replaces', async () => {
    const { user, cookie } = await awake()
    const secretIn = (one: string) => String(decodeJwt(one.replace('jrt=', '')).jti)
    const renewed = cookieOf(await renew(cookie))
    const secrets = [cookie, renewed, cookieOf(await enter(user.email)), cookieOf(await enter(user.email))].map(
      secretIn,
    )
    for (const secret of secrets) expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
    expect(new Set(secrets).size).toBe(4)
  })

  test('ends thirty days after the login, however often it is renewed', async () => {
    const { user } = await awake()
    let cookie = cookieOf(await enter(user.email))
    for (let day = 0; day < 29; day++) {
      t.clock.advance(DAY_MS)
      const renewed = await renew(cookie)
      expect(renewed.status).toBe(200)
      cookie = cookieOf(renewed)
    }
    t.clock.advance(DAY_MS - 60_000)
    const last = await renew(cookie)
    expect(last.status).toBe(200)
    // The browser forgets the cookie with the session.
    const age = Number(/Max-Age=(\d+)/.exec(last.headers.get('set-cookie')!)![1])
    expect(age).toBeLessThanOrEqual(60)
    t.clock.advance(60_001)
    expect((await t.call('GET', '/auth/me', { token: last.body.token })).status).toBeOneOf([401, 403])
    expect(await renew(cookieOf(last))).toMatchObject({ status: 401, body: { error: 'ERR_SESSION_EXPIRED' } })
    const { token } = (await enter(user.email)).body
    const listed = (await t.call('GET', '/auth/sessions', { token })).body.sessions
    // A login would have ended it, had it not been over already.
    expect(listed[1].endedBy).toBe('expired')
  })

  test('that has run out ends for the sockets that are open, too', async () => {
    const { user } = await awake()
    const { token } = (await enter(user.email)).body
    const { tokenVersion } = await t.deps.auth.byToken(token)
    t.clock.advance(30 * DAY_MS)
    await expect(t.deps.auth.again(user.id, tokenVersion)).rejects.toMatchObject({ code: 'ERR_SESSION_EXPIRED' })
  })

  test('does not begin with a password that was replaced while it was looked at', async () => {
    const { user } = await awake()
    const entering = enter(user.email)
    await db().update(users).set({ passwordHash: 'another' }).where(eq(users.id, user.id))
    expect((await entering).status).toBe(401)
  })

  test('says where and when else one was signed in', async () => {
    const { user } = await awake()
    t.clock.advance(3600_000)
    const there = await enter(user.email, from('198.51.100.4', IPHONE))
    t.clock.advance(600_000)
    const here = await enter(user.email, from('203.0.113.7'))
    const { body } = await t.call('GET', '/auth/sessions', { token: here.body.token })
    expect(body.sessions.slice(0, 2)).toMatchObject([
      {
        current: true,
        device: { browser: 'Chrome', system: 'Windows' },
        address: '203.0.113.7',
        createdAt: t.clock.now.toISOString(),
        endedAt: null,
        endedBy: null,
      },
      {
        current: false,
        device: { browser: 'Safari', system: 'iOS' },
        address: '198.51.100.4',
        endedAt: t.clock.now.toISOString(),
        endedBy: 'elsewhere',
      },
    ])
    expect(JSON.stringify(body)).not.toMatch(/hash|tokenVersion/i)
    // Whoever was signed in before learns where the other login came from: at once, and also when they come back later.
    expect(t.emitted.findLast(({ name }) => name === 'auth')?.payload).toMatchObject({
      by: { device: { browser: 'Chrome' }, address: '203.0.113.7', at: t.clock.now.toISOString() },
    })
    const by = { device: { browser: 'Chrome', system: 'Windows' }, address: '203.0.113.7' }
    for (const refused of [await t.call('GET', '/auth/me', { token: there.body.token }), await renew(cookieOf(there))])
      expect(refused).toMatchObject({ status: 401, body: { error: 'ERR_SESSION_EXPIRED', by } })
  })

  test('that a new password ended says so, whoever set it', async () => {
    const { user, admin, token, cookie } = await awake()
    const asAdmin = await t.login(admin.email)
    await t.call('PUT', `/users/${user.id}`, { token: asAdmin, body: { password: 'outra senha' } })
    for (const refused of [await t.call('GET', '/auth/me', { token }), await renew(cookie)])
      expect(refused).toMatchObject({ status: 401, body: { error: 'ERR_SESSION_EXPIRED', endedBy: 'password' } })
  })

  test('that was logged out is told nothing but that', async () => {
    const { user, token } = await awake()
    await t.call('DELETE', '/auth/logout', { token })
    expect((await t.call('GET', '/auth/me', { token })).body).toEqual({ error: 'ERR_SESSION_EXPIRED' })
    expect(await wakened(user.id)).toBe(0)
  })

  test('is kept for the record, the last twenty of a person and none of a stranger', async () => {
    const { user } = await awake()
    for (let i = 0; i < 22; i++) {
      t.clock.advance(1_000)
      await enter(user.email, from('not an address'))
    }
    const kept = await db().select().from(sessions).where(eq(sessions.userId, user.id))
    expect(kept).toHaveLength(20)
    expect(kept.at(-1)!.address).toBeNull()
    const other = await awake()
    expect((await t.call('GET', '/auth/sessions', { token: other.token })).body.sessions).toHaveLength(1)
  })

  test('ends with the codes that were sent before a new password or another e-mail', async () => {
    const { user, company, token } = await awake()
    const keep = () => {
      const expiresAt = new Date(t.clock.now.getTime() + 60_000)
      return keepCode(db(), { userId: user.id, companyId: company.id, codeHash: 'x', expiresAt }, t.clock.now)
    }
    const codes = () => db().$count(passwordResets, eq(passwordResets.userId, user.id))
    await keep()
    const put = (body: object) => t.call('PUT', `/users/${user.id}`, { token, body })
    expect((await put({ email: `novo${user.id}@example.test`, currentPassword: PASSWORD })).status).toBe(200)
    expect(await codes()).toBe(0)
    await keep()
    expect((await put({ password: 'outra senha', currentPassword: PASSWORD })).status).toBe(200)
    expect(await codes()).toBe(0)
  })
})

describe('the log', () => {
  test('has every decision about who may enter, and no secret', async () => {
    written.length = 0
    const company = await t.eg.company()
    const user = await t.eg.user(company.id)
    const seen = () => written.map(({ auth }) => auth)
    await enter(user.email, from('203.0.113.9'), 'senha errada')
    await enter('ninguem.aqui@example.test', from('203.0.113.9'), 'senha errada')
    const first = await enter(user.email, from('203.0.113.9'))
    const second = await enter(user.email, from('203.0.113.9'))
    const stolen = cookieOf(second)
    await renew(stolen)
    t.clock.advance(60_000)
    await renew(stolen)
    const { token } = (await enter(user.email)).body
    await t.call('PUT', `/users/${user.id}`, { token, body: { password: 'outra senha' } })
    await t.call('PUT', `/users/${user.id}`, { token, body: { password: 'outra senha', currentPassword: 'errada' } })
    await t.call('PUT', `/users/${user.id}`, { token, body: { password: 'outra senha', currentPassword: PASSWORD } })
    const codeHash = hashOfCode(t.deps.tokens, 'ABCD-2345')
    const expiresAt = new Date(t.clock.now.getTime() + 60_000)
    await keepCode(db(), { userId: user.id, companyId: company.id, codeHash, expiresAt }, t.clock.now)
    const reset = (code: string) =>
      t.call('POST', '/resetpasswords', { body: { email: user.email, token: code, newPassword: 'Novissima1' } })
    await reset('AAAA-AAAA')
    await reset('ABCD-2345')
    const last = await enter(user.email, {}, 'Novissima1')
    await t.call('DELETE', '/auth/logout', { token: last.body.token })
    for (let i = 0; i < 10; i++) await enter(user.email, from('203.0.113.10'), 'senha errada')
    expect(seen()).toEqual([
      'refused',
      'refused',
      'login',
      'login',
      'reuse',
      'login',
      'refused',
      'password',
      'code-refused',
      'reset',
      'login',
      'logout',
      ...Array.from({ length: 8 }, () => 'refused'),
      'lock',
    ])
    expect(written[0]).toMatchObject({ userId: user.id, companyId: company.id, address: '203.0.113.9' })
    expect(written[1]!['userId']).toBeUndefined()
    const text = JSON.stringify(written)
    for (const secret of [
      PASSWORD,
      'senha errada',
      'outra senha',
      'Novissima1',
      'ABCD-2345',
      'AAAA-AAAA',
      'ninguem.aqui',
      first.body.token,
      stolen.slice(4),
    ])
      expect(text).not.toContain(secret)
  })
})
