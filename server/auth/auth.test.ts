import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { sessions } from '../../schema/users/sessions.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { PASSWORD, type Reply, type TestApp, testApp } from '../../tests/support/app.ts'
import { testDatabase } from '../../tests/support/postgres.ts'
import { callerAddress } from '../http/caller.ts'
import { createAttempts } from './attempts.ts'
import { hashPassword } from './passwords.ts'
import { createSignInLimits } from './sign-in-limits.ts'
import { seedOperator } from './seed-operator.ts'
import { dayIn, isSubscribed } from '../../schema/companies/companies.subscription.ts'
import { createTokens } from './tokens.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
  // The first company is the operator's, which never expires.
  await t.eg.company()
})
afterAll(() => t.close())

const db = () => t.database.db
const someone = async (values: Parameters<TestApp['eg']['user']>[1] = {}) => {
  const company = await t.eg.company()
  return { company, user: await t.eg.user(company.id, values) }
}
const login = (email: string, password = PASSWORD, headers: Record<string, string> = {}) =>
  t.call('POST', '/auth/login', { body: { email, password }, headers })
const cookieOf = (reply: Reply) => reply.headers.get('set-cookie')!.split(';')[0]!
const renew = (cookie: string) => t.call('POST', '/auth/refresh_token', { headers: { cookie } })

describe('logging in', () => {
  test('gives a token, the user with company, queues and settings, and a cookie no script can read', async () => {
    const company = await t.eg.company()
    const queue = await t.eg.queue(company.id)
    const user = await t.eg.user(company.id, { queueIds: [queue.id] })
    const reply = await login(user.email.toUpperCase())
    expect(reply.status).toBe(200)
    expect(reply.body.user).toMatchObject({
      id: user.id,
      company: { id: company.id, name: company.name },
      queues: [{ id: queue.id }],
      queueIds: [queue.id],
    })
    expect(reply.body.user.company.settings).toContainEqual({ key: 'CheckMsgIsGroup', value: 'enabled' })
    expect(JSON.stringify(reply.body)).not.toContain('argon2')
    const cookie = reply.headers.get('set-cookie')!
    for (const part of ['jrt=', 'HttpOnly', 'SameSite=Lax', 'Path=/auth']) expect(cookie).toContain(part)
    expect((await t.call('GET', '/auth/me', { token: reply.body.token })).body.id).toBe(user.id)
  })

  test('a wrong password and an unknown e-mail are the same refusal, in about the same time', async () => {
    // With the product's own hash: the one of the tests costs nothing.
    const { user } = await someone({ passwordHash: await hashPassword(PASSWORD) })
    await login('nobody@example.test', 'x')
    const timed = async (email: string) => {
      const start = performance.now()
      const reply = await login(email, 'wrong password')
      expect(reply).toMatchObject({ status: 401, body: { error: 'ERR_INVALID_CREDENTIALS' } })
      return performance.now() - start
    }
    const known = await timed(user.email)
    const unknown = await timed('somebody.else@example.test')
    // Both hash once; without the hash the unknown one would be ten times faster.
    expect(unknown).toBeGreaterThan(known / 4)
  })

  const from = (address: string) => ({ 'x-forwarded-for': address })
  const wrong = async (email: string, times: number, address: string) => {
    for (let i = 0; i < times; i++) expect((await login(email, 'wrong', from(address))).status).toBe(401)
  }

  test('after eight wrong passwords from one place that place has to wait, even with the right one, and then may again', async () => {
    const { user } = await someone()
    await wrong(user.email, 8, '203.0.113.20')
    const refused = await login(user.email, PASSWORD, from('203.0.113.20'))
    expect(refused).toMatchObject({ status: 429, body: { error: 'ERR_TOO_MANY_ATTEMPTS' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    t.clock.advance(refused.body.retryAfter * 1000 + 1)
    await wrong(user.email, 7, '203.0.113.20')
    // Getting it right makes up for what went before.
    expect((await login(user.email, PASSWORD, from('203.0.113.20'))).status).toBe(200)
    await wrong(user.email, 8, '203.0.113.20')
  })

  test('a stranger’s wrong passwords lock nobody else out', async () => {
    const { user } = await someone()
    await wrong(user.email, 8, '203.0.113.21')
    expect((await login(user.email, 'wrong', from('203.0.113.21'))).status).toBe(429)
    expect((await login(user.email, PASSWORD, from('203.0.113.22'))).status).toBe(200)
  })

  test('a browser that was signed in with before gets in, whatever is tried beside it and everywhere', async () => {
    const { user, company } = await someone()
    const first = await login(user.email, PASSWORD, from('203.0.113.23'))
    const known = first.headers
      .getSetCookie()
      .find((cookie) => cookie.startsWith('jdv='))!
      .split(';')[0]!
    // Somebody in the same office, and a hundred other places.
    await wrong(user.email, 8, '203.0.113.23')
    const slow: number[] = []
    const signIn = createSignInLimits(createAttempts(), async (ms) => slow.push(ms))
    const attack = { email: user.email, device: undefined }
    for (let i = 0; i < 100; i++) await signIn.begin({ ...attack, address: `198.51.100.${i}` }, t.clock.now, () => {})
    const cookie = { ...from('203.0.113.23'), cookie: known }
    expect((await login(user.email, PASSWORD, cookie)).status).toBe(200)
    await signIn.begin({ ...attack, address: '203.0.113.23', device: 'hers' }, t.clock.now, () => {})
    // What comes from everywhere is only slow, and the known browser is not.
    expect(slow).toEqual(Array.from({ length: 70 }, () => 3_000))

    // It may not guess without end either; and it is known for those who have signed in with it, nobody else.
    const other = await t.eg.user(company.id)
    for (let i = 0; i < 8; i++) expect((await login(user.email, 'wrong', cookie)).status).toBe(401)
    expect((await login(user.email, PASSWORD, cookie)).status).toBe(429)
    await wrong(other.email, 8, '203.0.113.24')
    expect((await login(other.email, PASSWORD, { ...from('203.0.113.24'), cookie: known })).status).toBe(429)
    const forged = { ...from('203.0.113.24'), cookie: `jdv=${first.body.token}` }
    expect((await login(other.email, PASSWORD, forged)).status).toBe(429)
  })

  test('while many places try one e-mail, two tries at a time are looked at, slowly', async () => {
    let go = () => {}
    const gate = new Promise<void>((resolve) => (go = resolve))
    const signIn = createSignInLimits(createAttempts(), () => gate)
    const email = 'busy@example.test'
    const begin = (i: number) =>
      signIn.begin({ email, address: `198.51.100.${i}`, device: undefined }, t.clock.now, () => {})
    for (let i = 0; i < 30; i++) await begin(i)
    const tries = [30, 31, 32, 33].map((i) =>
      begin(i).then(
        () => 'in',
        (error: Error) => error.message,
      ),
    )
    expect(await Promise.all(tries.slice(2))).toEqual(['ERR_TOO_MANY_ATTEMPTS', 'ERR_TOO_MANY_ATTEMPTS'])
    go()
    expect(await Promise.all(tries.slice(0, 2))).toEqual(['in', 'in'])
    // Nobody is made to wait for what was tried on another e-mail, nor after ten quiet minutes.
    const later = new Date(t.clock.now.getTime() + 600_001)
    await signIn.begin({ email, address: '198.51.100.34', device: undefined }, later, () => {})
  })

  test('an address that guesses among many e-mails has to wait, and others do not', async () => {
    const signIn = createSignInLimits(createAttempts())
    const start = new Date('2026-03-10T12:00:00Z')
    const begin = (email: string, address: string, now = start) =>
      signIn.begin({ email, address, device: undefined }, now, () => {})
    for (let i = 0; i < 60; i++) await begin(`guess${i}@example.test`, '203.0.113.7')
    await expect(begin('me@example.test', '203.0.113.7')).rejects.toThrow('ERR_TOO_MANY_ATTEMPTS')
    await begin('me@example.test', '203.0.113.8')
    await begin('me@example.test', '203.0.113.7', new Date(start.getTime() + 600_001))
    // A line with IPv6 has as many addresses as it likes.
    for (let i = 0; i < 60; i++) await begin(`guess${i}@example.test`, `2001:db8::${i.toString(16)}`)
    await expect(begin('me@example.test', '2001:db8:0:0:abcd::1')).rejects.toThrow('ERR_TOO_MANY_ATTEMPTS')
    await begin('me@example.test', '2001:db8:0:1::1')
  })

  test('guessing many at once is no way around, and the right ones of an office are not counted', async () => {
    const { user } = await someone()
    const replies = await Promise.all(Array.from({ length: 20 }, () => login(user.email, 'wrong password')))
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(8)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(12)
    const signIn = createSignInLimits(createAttempts())
    for (let i = 0; i < 200; i++) {
      const of = { email: `agent${i}@example.test`, address: '203.0.113.9', device: undefined }
      const succeeded = await signIn.begin(of, t.clock.now, () => {})
      succeeded()
    }
  })

  test('what is remembered of tries is bounded, and the oldest goes first', () => {
    const attempts = createAttempts({ mostNames: 3 })
    for (const name of ['a', 'b', 'c', 'd']) attempts.begin([{ name, most: 1 }], t.clock.now)
    expect(['a', 'b', 'c', 'd'].map((name) => attempts.failures({ name, most: 1 }, t.clock.now))).toEqual([0, 1, 1, 1])
  })

  test('behind proxies the address is the one that the trusted proxy saw, whatever the caller wrote', () => {
    const request = new Request('http://localhost/', { headers: { 'x-forwarded-for': '6.6.6.6, 198.51.100.4' } })
    const server = { requestIP: () => ({ address: '10.0.0.1' }) }
    expect(callerAddress(request, server, 0)).toBe('10.0.0.1')
    expect(callerAddress(request, server, 1)).toBe('198.51.100.4')
    expect(callerAddress(new Request('http://localhost/'), server, 1)).toBe('10.0.0.1')
  })

  test('a second login logs the first one out', async () => {
    const { user } = await someone()
    const first = await login(user.email)
    const second = await login(user.email)
    expect(await t.call('GET', '/auth/me', { token: first.body.token })).toMatchObject({
      status: 401,
      body: { error: 'ERR_SESSION_EXPIRED' },
    })
    expect((await renew(cookieOf(first))).status).toBe(401)
    expect((await t.call('GET', '/auth/me', { token: second.body.token })).status).toBe(200)
    expect(t.emitted).toContainEqual(
      expect.objectContaining({ name: 'auth', action: 'update', audience: { userId: user.id } }),
    )
  })
})

describe('the access token', () => {
  test('without it, or with somebody else’s writing, a call is 401; run out, it is 403 and asks for renewal', async () => {
    const { user, company } = await someone()
    const { body } = await login(user.email)
    expect((await t.call('GET', '/tickets')).status).toBe(401)
    expect((await t.call('GET', '/tickets', { token: 'x.y.z' })).status).toBe(401)
    const forged = await createTokens('another secret of thirty-two characters').signAccess(
      { userId: user.id, companyId: company.id, name: '', profile: 'admin', tokenVersion: 1 },
      t.clock.now,
    )
    expect((await t.call('GET', '/tickets', { token: forged })).status).toBe(401)
    t.clock.advance(15 * 60_000 + 1000)
    expect(await t.call('GET', '/tickets', { token: body.token })).toMatchObject({
      status: 403,
      body: { error: 'ERR_TOKEN_EXPIRED' },
    })
  })

  test('a refresh token is no access token', async () => {
    const { user } = await someone()
    const reply = await login(user.email)
    expect((await t.call('GET', '/tickets', { token: cookieOf(reply).slice(4) })).status).toBe(401)
  })

  test('rights are what the database says, not what the token said at login', async () => {
    const { user } = await someone({ profile: 'admin' })
    const { body } = await login(user.email)
    expect(
      (await t.call('POST', '/queue', { token: body.token, body: { name: 'Vendas', color: '#112233' } })).status,
    ).toBe(200)
    await db().update(users).set({ profile: 'user' }).where(eq(users.id, user.id))
    t.clock.advance(6_000)
    expect(
      await t.call('POST', '/queue', { token: body.token, body: { name: 'Outra', color: '#112234' } }),
    ).toMatchObject({
      status: 403,
      body: { error: 'ERR_NO_PERMISSION' },
    })
  })
})

describe('renewal', () => {
  test('works with the cookie alone, also when the access token has run out, and replaces the cookie', async () => {
    const { user } = await someone()
    const first = await login(user.email)
    t.clock.advance(16 * 60_000)
    const renewed = await renew(cookieOf(first))
    expect(renewed.status).toBe(200)
    expect(cookieOf(renewed)).not.toBe(cookieOf(first))
    expect((await t.call('GET', '/auth/me', { token: renewed.body.token })).status).toBe(200)
  })

  test('two tabs that renew at the same moment get the same cookie and both stay', async () => {
    const { user } = await someone()
    const cookie = cookieOf(await login(user.email))
    const [one, two] = await Promise.all([renew(cookie), renew(cookie)])
    expect([one!.status, two!.status]).toEqual([200, 200])
    expect(cookieOf(one!).split('.')[1]).toBe(cookieOf(two!).split('.')[1]!)
    expect((await renew(cookieOf(two!))).status).toBe(200)
  })

  test('an old cookie that comes back later ends the session for whoever has a copy', async () => {
    const { user } = await someone()
    const stolen = cookieOf(await login(user.email))
    const mine = await renew(stolen)
    t.clock.advance(60_000)
    expect((await renew(stolen)).status).toBe(401)
    expect((await renew(cookieOf(mine))).status).toBe(401)
    expect((await t.call('GET', '/auth/me', { token: mine.body.token })).status).toBe(401)
  })

  test('without a cookie, with rubbish, or after seven days there is none, and the cookie is cleared', async () => {
    const { user } = await someone()
    const cookie = cookieOf(await login(user.email))
    expect((await t.call('POST', '/auth/refresh_token')).status).toBe(401)
    expect((await renew('jrt=rubbish')).status).toBe(401)
    t.clock.advance(8 * 24 * 3600_000)
    const late = await renew(cookie)
    expect(late.status).toBe(401)
    expect(late.headers.get('set-cookie')).toContain('Max-Age=0')
  })
})

describe('logging out', () => {
  test('ends the session, with a token that has run out, too', async () => {
    const { user } = await someone()
    const reply = await login(user.email)
    t.clock.advance(20 * 60_000)
    const out = await t.call('DELETE', '/auth/logout', { token: reply.body.token })
    expect(out.status).toBe(200)
    expect(out.headers.get('set-cookie')).toContain('Max-Age=0')
    expect((await renew(cookieOf(reply))).status).toBe(401)
    const [row] = await db().select().from(users).where(eq(users.id, user.id))
    expect(row).toMatchObject({ online: false })
    const [session] = await db().select().from(sessions).where(eq(sessions.userId, user.id))
    expect(session).toMatchObject({ refreshHash: null, endedBy: 'logout' })
  })

  test('of nobody is no error, and an old token cannot log a newer session out', async () => {
    const { user } = await someone()
    const first = await login(user.email)
    const second = await login(user.email)
    expect((await t.call('DELETE', '/auth/logout')).status).toBe(200)
    expect((await t.call('DELETE', '/auth/logout', { token: first.body.token })).status).toBe(200)
    expect((await t.call('GET', '/auth/me', { token: second.body.token })).status).toBe(200)
  })
})

describe('a company whose subscription has ended', () => {
  const expired = { dueDate: '2020-01-31' }

  test('is told so at login, with the date, and only by the right password', async () => {
    const company = await t.eg.company(expired)
    const user = await t.eg.user(company.id)
    expect((await login(user.email, 'wrong password')).status).toBe(401)
    expect(await login(user.email)).toMatchObject({
      status: 402,
      body: { error: 'ERR_SUBSCRIPTION_EXPIRED', dueDate: '2020-01-31' },
    })
  })

  test('gets 402 for every other call, also in a session that began before', async () => {
    const company = await t.eg.company()
    const user = await t.eg.user(company.id)
    const reply = await login(user.email)
    await db().update(companies).set(expired).where(eq(companies.id, company.id))
    t.clock.advance(6_000)
    for (const path of ['/tickets', '/auth/me', '/contacts', '/settings']) {
      expect(await t.call('GET', path, { token: reply.body.token })).toMatchObject({
        status: 402,
        body: { dueDate: '2020-01-31' },
      })
    }
    expect((await renew(cookieOf(reply))).status).toBe(402)
    expect((await t.call('DELETE', '/auth/logout', { token: reply.body.token })).status).toBe(200)
  })

  test('that was switched off is told so, wherever it asks, whatever its last day is', async () => {
    const company = await t.eg.company()
    const admin = await t.eg.user(company.id, { profile: 'admin' })
    const reply = await login(admin.email)
    await db().update(companies).set({ status: false, dueDate: '2020-01-31' }).where(eq(companies.id, company.id))
    t.clock.advance(6_000)
    const off = { status: 402, body: { error: 'ERR_COMPANY_OFF' } }
    expect(await t.call('GET', '/tickets', { token: reply.body.token })).toMatchObject(off)
    expect(await renew(cookieOf(reply))).toMatchObject(off)
    expect(await login(admin.email)).toMatchObject(off)
    expect(await login(admin.email, 'wrong password')).toMatchObject({ status: 401 })
    expect((await login(admin.email)).body).not.toHaveProperty('dueDate')
  })

  test('may work to the end of its last day, in its own time zone', () => {
    const company = { id: 2, status: true, dueDate: '2026-03-10', timeZone: 'America/Sao_Paulo' }
    expect(isSubscribed(company, new Date('2026-03-11T02:59:59Z'))).toBe(true)
    expect(isSubscribed(company, new Date('2026-03-11T03:00:00Z'))).toBe(false)
    expect(isSubscribed({ ...company, timeZone: 'Asia/Tokyo' }, new Date('2026-03-10T15:00:00Z'))).toBe(false)
    expect(isSubscribed({ ...company, id: 1 }, new Date('2030-01-01'))).toBe(true)
    expect(isSubscribed({ ...company, dueDate: null }, new Date('2030-01-01'))).toBe(true)
    expect(isSubscribed({ ...company, status: false }, new Date('2026-03-01'))).toBe(false)
    expect(dayIn('Asia/Tokyo', new Date('2026-03-10T15:00:00Z'))).toBe('2026-03-11')
  })
})

describe('the first start', () => {
  test('makes the operator once, with the password given or one shown once', async () => {
    const fresh = await testDatabase()
    try {
      const given = { email: 'boss@example.test', password: undefined }
      const [one, two] = await Promise.all([
        seedOperator(fresh.db, given, t.deps.sealer),
        seedOperator(fresh.db, given, t.deps.sealer),
      ])
      const made = one ?? two
      expect([one, two].filter(Boolean)).toHaveLength(1)
      expect(made!.password!.length).toBeGreaterThanOrEqual(12)
      const [user] = await fresh.db.select().from(users)
      expect(user).toMatchObject({ companyId: 1, profile: 'admin', super: true, email: 'boss@example.test' })
      expect(await Bun.password.verify(made!.password!, user!.passwordHash)).toBe(true)
      expect(await seedOperator(fresh.db, given, t.deps.sealer)).toBeUndefined()
      const [next] = await fresh.db.insert(companies).values({ name: 'Second' }).returning()
      expect(next!.id).toBe(2)
    } finally {
      await fresh.close()
    }
  })
})

test('a database that is not there is 503, not a stack', async () => {
  const broken = await testApp()
  try {
    const company = await broken.eg.company()
    const token = await broken.login((await broken.eg.user(company.id)).email)
    await broken.database.sql.end({ timeout: 0 })
    broken.clock.advance(6_000)
    expect(await broken.call('GET', '/tickets', { token })).toMatchObject({
      status: 503,
      body: { error: 'ERR_UNAVAILABLE', requestId: expect.any(String) },
    })
  } finally {
    await broken.close()
  }
})
