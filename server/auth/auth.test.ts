import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { PASSWORD, type Reply, type TestApp, testApp } from '../../tests/support/app.ts'
import { testDatabase } from '../../tests/support/postgres.ts'
import { callerAddress } from '../http/caller.ts'
import { createAttempts } from './attempts.ts'
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
    const { user } = await someone()
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

  test('after eight wrong passwords the e-mail has to wait, even with the right one, and then may again', async () => {
    const { user } = await someone()
    for (let i = 0; i < 8; i++) expect((await login(user.email, 'wrong password')).status).toBe(401)
    const refused = await login(user.email)
    expect(refused).toMatchObject({ status: 429, body: { error: 'ERR_TOO_MANY_ATTEMPTS' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    t.clock.advance(refused.body.retryAfter * 1000 + 1)
    expect((await login(user.email)).status).toBe(200)
  })

  test('an address that guesses among many e-mails has to wait, and others do not', () => {
    const attempts = createAttempts()
    const start = new Date('2026-03-10T12:00:00Z')
    for (let i = 0; i < 60; i++) attempts.begin(`guess${i}@example.test`, '203.0.113.7', start)
    expect(() => attempts.begin('me@example.test', '203.0.113.7', start)).toThrow('ERR_TOO_MANY_ATTEMPTS')
    expect(() => attempts.begin('me@example.test', '203.0.113.8', start)).not.toThrow()
    expect(() => attempts.begin('me@example.test', '203.0.113.7', new Date(start.getTime() + 600_001))).not.toThrow()
  })

  test('guessing many at once is no way around, and the right ones of an office are not counted', async () => {
    const { user } = await someone()
    const replies = await Promise.all(Array.from({ length: 20 }, () => login(user.email, 'wrong password')))
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(8)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(12)
    const attempts = createAttempts()
    for (let i = 0; i < 200; i++) {
      attempts.begin(`agent${i}@example.test`, '203.0.113.9', t.clock.now)
      attempts.succeeded(`agent${i}@example.test`, '203.0.113.9')
    }
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
    expect(row).toMatchObject({ online: false, refreshHash: null })
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
      const [one, two] = await Promise.all([seedOperator(fresh.db, given), seedOperator(fresh.db, given)])
      const made = one ?? two
      expect([one, two].filter(Boolean)).toHaveLength(1)
      expect(made!.password!.length).toBeGreaterThanOrEqual(12)
      const [user] = await fresh.db.select().from(users)
      expect(user).toMatchObject({ companyId: 1, profile: 'admin', super: true, email: 'boss@example.test' })
      expect(await Bun.password.verify(made!.password!, user!.passwordHash)).toBe(true)
      expect(await seedOperator(fresh.db, given)).toBeUndefined()
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
      body: { error: 'ERR_UNAVAILABLE' },
    })
  } finally {
    await broken.close()
  }
})
