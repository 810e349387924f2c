import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { generateSync } from 'otplib'
import { eq } from 'drizzle-orm'
import { twoFactors } from '../../schema/users/two-factor.table.ts'
import { PASSWORD, type TestApp, testApp } from '../../tests/support/app.ts'
import { DAY_MS } from '../../schema/durations.ts'
import { hashOfCode } from './password-reset.codes.ts'
import { keepCode } from './password-reset.writes.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
  await t.eg.company()
})
afterAll(() => t.close())

/** What the app on the phone shows now, or steps of half a minute from now. */
const codeOf = (secret: string, steps = 0) =>
  generateSync({ secret, epoch: Math.floor(t.clock.now.getTime() / 1_000) + steps * 30 })
const nextStep = () => t.clock.advance(30_000)
const enter = (email: string, password = PASSWORD) => t.call('POST', '/auth/login', { body: { email, password } })
const verify = (challenge: string, code: string) => t.call('POST', '/auth/2fa/verify', { body: { challenge, code } })
const challengeOf = async (email: string) => {
  const { status, body } = await enter(email)
  expect([status, body.needs]).toEqual([200, '2fa'])
  return body.challenge as string
}

/** A person with an app on their phone. */
async function guarded(profile: 'user' | 'admin' = 'user') {
  const company = await t.eg.company()
  const user = await t.eg.user(company.id, { profile })
  const token = await t.login(user.email)
  const setup = await t.call('POST', '/auth/2fa/setup', { token, body: { currentPassword: PASSWORD } })
  const { secret, uri } = setup.body as { secret: string; uri: string }
  const enabled = await t.call('POST', '/auth/2fa/enable', { token, body: { code: codeOf(secret) } })
  expect(enabled.status).toBe(200)
  nextStep()
  return { company, user, token, secret, uri, recovery: enabled.body.recoveryCodes as string[] }
}

test('eight wrong passwords are eight, wherever somebody who is signed in says them', async () => {
  const company = await t.eg.company()
  const user = await t.eg.user(company.id)
  const headers = { 'x-forwarded-for': '203.0.113.77' }
  const signed = await t.call('POST', '/auth/login', { headers, body: { email: user.email, password: PASSWORD } })
  const token = signed.body.token as string
  const cookie = signed.headers
    .getSetCookie()
    .find((one) => one.startsWith('jdv='))!
    .split(';')[0]!
  const ask = (path: string, body: object, method = 'POST') => t.call(method, path, { token, headers, body })
  const doors = (currentPassword: string) => [
    () => ask('/auth/2fa/setup', { currentPassword }),
    () => ask('/auth/2fa/disable', { currentPassword, code: '000000' }),
    () => ask('/auth/passkeys/begin', { currentPassword }),
    () => ask(`/users/${user.id}`, { password: 'outra senha 1', currentPassword }, 'PUT'),
  ]
  const enterAgain = (known: boolean, password: string, from = headers) =>
    t.call('POST', '/auth/login', {
      headers: { ...from, ...(known && { cookie }) },
      body: { email: user.email, password },
    })
  for (let i = 0; i < 7; i++) {
    const { body } = await doors('errada')[i % 4]!()
    expect(body.error).toBe('ERR_CURRENT_PASSWORD')
  }
  expect((await enterAgain(true, 'errada')).body.error).toBe('ERR_INVALID_CREDENTIALS')
  for (const door of doors(PASSWORD)) expect((await door()).body.error).toBe('ERR_TOO_MANY_ATTEMPTS')
  for (const known of [true, false]) expect((await enterAgain(known, PASSWORD)).status).toBe(429)
  // A stranger does not keep the person out, nor does this keep them from coming in elsewhere.
  expect((await enterAgain(false, PASSWORD, { 'x-forwarded-for': '203.0.113.78' })).status).toBe(200)
})

describe('switching it on', () => {
  test('needs the password and a first code; the secret is sealed, the codes are hashed', async () => {
    const company = await t.eg.company()
    const user = await t.eg.user(company.id)
    const token = await t.login(user.email)
    const call = (path: string, body: unknown) => t.call('POST', `/auth/2fa/${path}`, { token, body })
    expect((await call('setup', { currentPassword: 'errada' })).body.error).toBe('ERR_CURRENT_PASSWORD')
    expect((await call('enable', { code: '123456' })).body.error).toBe('ERR_2FA_SETUP')
    const { secret, uri } = (await call('setup', { currentPassword: PASSWORD })).body
    expect(uri).toContain(`secret=${secret}`)
    expect((await call('enable', { code: codeOf(secret, 5) })).body.error).toBe('ERR_2FA_CODE')
    expect((await enter(user.email)).body.needs).toBeUndefined()
    const again = await t.login(user.email)
    const on = await t.call('POST', '/auth/2fa/enable', { token: again, body: { code: codeOf(secret) } })
    expect(on.body.recoveryCodes).toHaveLength(10)
    const [row] = await t.database.db.select().from(twoFactors).where(eq(twoFactors.userId, user.id))
    expect(JSON.stringify(row)).not.toContain(secret)
    expect(JSON.stringify(row)).not.toContain(on.body.recoveryCodes[0].replace('-', ''))
    expect((await t.call('GET', '/auth/2fa', { token: again })).body).toEqual({
      ...{ enabled: true, recoveryLeft: 10, passkeys: 0, requiredFrom: null },
    })
  })

  test('one that is on is not replaced, and is switched off by password and code only', async () => {
    const { token, secret, user } = await guarded()
    const call = (path: string, body: unknown) => t.call('POST', `/auth/2fa/${path}`, { token, body })
    expect((await call('setup', { currentPassword: PASSWORD })).body.error).toBe('ERR_2FA_ENABLED')
    const off = (code: string, currentPassword = PASSWORD) => call('disable', { code, currentPassword })
    expect((await off(codeOf(secret), 'errada')).body.error).toBe('ERR_CURRENT_PASSWORD')
    expect((await off('000000')).body.error).toBe('ERR_2FA_CODE')
    expect((await off(codeOf(secret))).status).toBe(200)
    expect((await enter(user.email)).body.token).toBeString()
  })
})

describe('who has lost phone and codes', () => {
  test('is helped by an admin, which is in the audit log; nobody helps themselves', async () => {
    const { company, user, token } = await guarded()
    const admin = await t.eg.user(company.id, { profile: 'admin' })
    const asAdmin = await t.login(admin.email)
    const forget = (id: number, by: string) => t.call('DELETE', `/users/${id}/2fa`, { token: by })
    expect((await forget(user.id, token)).status).toBe(403)
    expect((await forget(admin.id, asAdmin)).status).toBe(403)
    expect((await t.call('GET', `/users/${user.id}`, { token: asAdmin })).body.twoFactor).toBe(true)
    expect((await forget(user.id, asAdmin)).body.twoFactor).toBe(false)
    const { records } = (await t.call('GET', '/audit?limit=1', { token: asAdmin })).body
    expect(records[0]).toMatchObject({
      ...{ action: 'update', entity: 'user', entityId: String(user.id), actorId: admin.id },
      after: { twoFactor: false },
    })
    expect((await enter(user.email)).body.token).toBeString()
  })
})

describe('a login', () => {
  test('asks for a code after the password, and for the password first', async () => {
    const { user, secret } = await guarded()
    expect((await enter(user.email, 'errada')).body).toEqual({ error: 'ERR_INVALID_CREDENTIALS' })
    const first = await enter(user.email)
    expect(first.body).toEqual({ needs: '2fa', challenge: expect.any(String), methods: ['code'] })
    expect(first.headers.getSetCookie()).toEqual([])
    const second = await verify(first.body.challenge, codeOf(secret))
    expect(second.status).toBe(200)
    expect(second.headers.getSetCookie().join()).toContain('jrt=')
    expect((await t.call('GET', '/auth/me', { token: second.body.token })).body.twoFactor).toEqual({
      ...{ enabled: true, requiredFrom: null },
    })
  })

  test('takes the code of a clock that is half a minute off, and of no more', async () => {
    const { user, secret } = await guarded()
    expect((await verify(await challengeOf(user.email), codeOf(secret, 2))).body.error).toBe('ERR_2FA_CODE')
    expect((await verify(await challengeOf(user.email), codeOf(secret, 1))).status).toBe(200)
  })

  test('takes a code once, whoever comes with it again', async () => {
    const { user, secret } = await guarded()
    const code = codeOf(secret)
    const answers = await Promise.all(
      [await challengeOf(user.email), await challengeOf(user.email)].map((one) => verify(one, code)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    expect((await verify(await challengeOf(user.email), code)).body.error).toBe('ERR_2FA_CODE')
    expect((await verify(await challengeOf(user.email), codeOf(secret, -1))).body.error).toBe('ERR_2FA_CODE')
  })

  test('takes a recovery code once, as people write it', async () => {
    const { user, recovery } = await guarded()
    const typed = ` ${recovery[3]!.toUpperCase().replace('-', ' ')}`
    expect((await verify(await challengeOf(user.email), typed)).status).toBe(200)
    expect((await verify(await challengeOf(user.email), recovery[3]!)).body.error).toBe('ERR_2FA_CODE')
    const [row] = await t.database.db.select().from(twoFactors).where(eq(twoFactors.userId, user.id))
    expect(row!.recovery).toHaveLength(9)
  })

  test('looks at no code for fifteen minutes after five wrong ones', async () => {
    const { user, secret } = await guarded()
    const challenge = await challengeOf(user.email)
    const answers = []
    for (let i = 0; i < 5; i++) answers.push((await verify(challenge, '000000')).body)
    expect(answers.map(({ error }) => error)).toEqual([
      ...Array.from({ length: 4 }, () => 'ERR_2FA_CODE'),
      'ERR_TOO_MANY_ATTEMPTS',
    ])
    expect(answers.at(-1).retryAfter).toBe(900)
    expect((await verify(challenge, codeOf(secret))).status).toBe(429)
    t.clock.advance(15 * 60_000)
    expect((await verify(await challengeOf(user.email), codeOf(secret))).status).toBe(200)
  })

  test('has five minutes for its second half, and not another password meanwhile', async () => {
    const { user, secret, company } = await guarded()
    const late = await challengeOf(user.email)
    t.clock.advance(6 * 60_000)
    expect((await verify(late, codeOf(secret))).body.error).toBe('ERR_2FA_CHALLENGE')
    const before = await challengeOf(user.email)
    const admin = await t.eg.user(company.id, { profile: 'admin' })
    const asAdmin = await t.login(admin.email)
    await t.call('PUT', `/users/${user.id}`, { token: asAdmin, body: { password: 'outra senha' } })
    expect((await verify(before, codeOf(secret))).body.error).toBe('ERR_2FA_CHALLENGE')
    expect((await verify('nada', codeOf(secret))).body.error).toBe('ERR_2FA_CHALLENGE')
  })
})

test('who sets a password by a mailed code is asked for the second step all the same', async () => {
  const { company, user, secret } = await guarded()
  const codeHash = hashOfCode(t.deps.tokens, 'ABCD-2345')
  const expiresAt = new Date(t.clock.now.getTime() + 60_000)
  await keepCode(t.database.db, { userId: user.id, companyId: company.id, codeHash, expiresAt }, t.clock.now)
  const body = { email: user.email, token: 'ABCD-2345', newPassword: 'Novissima1' }
  const reset = await t.call('POST', '/resetpasswords', { body })
  expect([reset.status, reset.body]).toEqual([200, {}])
  expect(reset.headers.getSetCookie().join()).not.toContain('jrt=')
  const { body: half } = await enter(user.email, 'Novissima1')
  expect([half.needs, half.token]).toEqual(['2fa', undefined])
  expect((await verify(half.challenge, codeOf(secret))).status).toBe(200)
})

describe('a company that asks for it', () => {
  async function asking(rule: 'admins' | 'all') {
    const company = await t.eg.company()
    const since = t.clock.now
    const admin = await t.eg.user(company.id, { profile: 'admin', createdAt: since })
    const agent = await t.eg.user(company.id, { createdAt: since })
    const token = await t.login(admin.email)
    expect((await t.call('PUT', '/settings/require2fa', { token, body: { value: rule } })).status).toBe(200)
    return { admin, agent, company }
  }

  test('lets people in for seven days, and then to switch it on only', async () => {
    const { agent } = await asking('all')
    const early = await t.login(agent.email)
    expect((await t.call('GET', '/auth/me', { token: early })).body.twoFactor.requiredFrom).toBeString()
    expect((await t.call('GET', '/tags', { token: early })).status).toBe(200)
    t.clock.advance(8 * DAY_MS)
    const token = await t.login(agent.email)
    expect((await t.call('GET', '/tags', { token })).body).toEqual({ error: 'ERR_2FA_REQUIRED' })
    expect((await t.call('GET', '/auth/me', { token })).status).toBe(200)
    const { secret } = (await t.call('POST', '/auth/2fa/setup', { token, body: { currentPassword: PASSWORD } })).body
    expect((await t.call('POST', '/auth/2fa/enable', { token, body: { code: codeOf(secret) } })).status).toBe(200)
    expect((await t.call('GET', '/tags', { token })).status).toBe(200)
    nextStep()
    const body = { code: codeOf(secret), currentPassword: PASSWORD }
    expect((await t.call('POST', '/auth/2fa/disable', { token, body })).body.error).toBe('ERR_2FA_REQUIRED')
  })

  test('may ask it of admins alone', async () => {
    const { admin, agent } = await asking('admins')
    t.clock.advance(8 * DAY_MS)
    expect((await t.call('GET', '/tags', { token: await t.login(agent.email) })).status).toBe(200)
    expect((await t.call('GET', '/tags', { token: await t.login(admin.email) })).status).toBe(403)
  })

  test('asks it of whoever has an admin’s permissions by a role, as soon as they have them', async () => {
    const { agent, admin } = await asking('admins')
    const asAdmin = await t.login(admin.email)
    const role = async (permissions: string[]) =>
      (
        await t.call('POST', '/roles', {
          token: asAdmin,
          body: { name: permissions.join(), permissions, ticketScope: 'all' },
        })
      ).body.id as number
    const [looks, writes] = [await role(['dashboard:view', 'contacts:export']), await role(['users:write'])]
    const put = (roleId: number) => t.call('PUT', `/users/${agent.id}`, { token: asAdmin, body: { roleId } })
    expect((await put(looks)).status).toBe(200)
    const token = await t.login(agent.email)
    expect((await t.call('GET', '/auth/me', { token })).body.twoFactor.requiredFrom).toBeNull()
    expect((await put(writes)).status).toBe(200)
    expect((await t.call('GET', '/auth/me', { token })).body.twoFactor.requiredFrom).toBeString()
    t.clock.advance(8 * DAY_MS)
    const later = await t.login(agent.email)
    expect((await t.call('GET', '/users', { token: later })).body).toEqual({ error: 'ERR_2FA_REQUIRED' })
  })

  test('is not asked itself by the rule for operators', async () => {
    const company = await t.eg.company()
    const operator = await t.eg.user(company.id, { profile: 'admin', super: true, createdAt: t.clock.now })
    const admin = await t.eg.user(company.id, { profile: 'admin', createdAt: t.clock.now })
    const token = await t.login(operator.email)
    await t.call('PUT', '/settings/requireOperator2fa', { token, body: { value: 'enabled' } })
    t.clock.advance(8 * DAY_MS)
    expect((await t.call('GET', '/tags', { token: await t.login(operator.email) })).status).toBe(403)
    expect((await t.call('GET', '/tags', { token: await t.login(admin.email) })).status).toBe(200)
  })
})

describe('sessions', () => {
  async function many() {
    const company = await t.eg.company()
    const admin = await t.eg.user(company.id, { profile: 'admin' })
    const token = await t.login(admin.email)
    await t.call('PUT', '/settings/sessions', { token, body: { value: 'many' } })
    return { user: admin, token, other: await t.login(admin.email) }
  }
  const works = async (token: string) => (await t.call('GET', '/auth/me', { token })).status

  test('one login at a time is the rule until a company sets another', async () => {
    const { user, token, other } = await many()
    expect([await works(token), await works(other)]).toEqual([200, 200])
    await t.call('PUT', '/settings/sessions', { token, body: { value: 'one' } })
    const last = await t.login(user.email)
    expect([await works(token), await works(other), await works(last)]).toEqual([401, 401, 200])
  })

  test('each ends by itself: by its logout, or from another', async () => {
    const { user, token, other } = await many()
    const third = await t.login(user.email)
    await t.call('DELETE', '/auth/logout', { token: third })
    expect([await works(token), await works(other), await works(third)]).toEqual([200, 200, 401])
    const listed = (await t.call('GET', '/auth/sessions', { token })).body.sessions as any[]
    const open = listed.filter(({ endedBy }) => endedBy === null)
    expect(open).toHaveLength(2)
    const stranger = open.find(({ current }) => !current)
    expect((await t.call('DELETE', `/auth/sessions/${stranger.id}`, { token })).status).toBe(200)
    expect([await works(token), await works(other)]).toEqual([200, 401])
    expect((await t.call('DELETE', `/auth/sessions/${stranger.id}`, { token })).status).toBe(404)
    const [row] = (await t.call('GET', '/auth/sessions', { token })).body.sessions.filter(
      ({ id }: { id: number }) => id === stranger.id,
    )
    expect(row.endedBy).toBe('remote')
  })

  test('a new password ends all of them', async () => {
    const { user, token, other } = await many()
    const body = { password: 'outra senha', currentPassword: PASSWORD }
    expect((await t.call('PUT', `/users/${user.id}`, { token, body })).status).toBe(200)
    expect([await works(token), await works(other)]).toEqual([401, 401])
  })

  test('a login ends the one before it in the same browser, also where several are allowed', async () => {
    const { user, token, other } = await many()
    const cookieIn = ({ headers }: { headers: Headers }) =>
      headers
        .getSetCookie()
        .find((one) => one.startsWith('jrt='))!
        .split(';')[0]!
    const enterHere = (email: string, cookie?: string) =>
      t.call('POST', '/auth/login', { headers: cookie ? { cookie } : {}, body: { email, password: PASSWORD } })
    const first = await enterHere(user.email)
    const second = await enterHere(user.email, cookieIn(first))
    expect([await works(first.body.token), await works(second.body.token)]).toEqual([401, 200])
    expect([await works(token), await works(other)]).toEqual([200, 200])
    // Also one of somebody else, who can leave it no more.
    const colleague = await t.eg.user(user.companyId)
    const third = await enterHere(colleague.email, cookieIn(second))
    expect([await works(second.body.token), await works(third.body.token)]).toEqual([401, 200])
  })

  test('nobody ends another’s', async () => {
    const { token } = await many()
    const { token: theirs } = await many()
    const [session] = (await t.call('GET', '/auth/sessions', { token })).body.sessions
    expect((await t.call('DELETE', `/auth/sessions/${session.id}`, { token: theirs })).status).toBe(404)
  })
})
