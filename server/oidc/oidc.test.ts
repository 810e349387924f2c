import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { generateSync } from 'otplib'
import { fakeOidc } from '../../tests/fakes/oidc/server.ts'
import { PASSWORD, type TestApp, testApp } from '../../tests/support/app.ts'

let t: TestApp
let idp: Awaited<ReturnType<typeof fakeOidc>>
beforeAll(async () => {
  t = await testApp()
  idp = await fakeOidc()
  await t.eg.company()
})
afterAll(async () => {
  await idp.stop()
  await t.close()
})

let count = 0
/** A company of its own domain, which trusts the provider. */
async function office(wish: object = {}) {
  const company = await t.eg.company()
  const domain = `loja${++count}.example`
  const admin = await t.eg.user(company.id, { profile: 'admin', email: `ana@${domain}` })
  const token = await t.login(admin.email)
  const put = (body: object = {}) =>
    t.call('PUT', '/auth/oidc/provider', {
      token,
      body: { issuer: idp.issuer, clientId: idp.clientId, secret: idp.secret, domains: [domain], ...wish, ...body },
    })
  expect((await put()).status).toBe(200)
  Object.assign(idp.says, { email: admin.email, email_verified: true, name: 'Ana Souza', seconds: 300 })
  for (const lie of ['nonce', 'issuer', 'audience', 'signedBy'] as const) delete idp.says[lie]
  return { company, admin, token, domain, put }
}

const cookieOf = (headers: Headers, name: string) =>
  headers
    .getSetCookie()
    .find((one) => one.startsWith(`${name}=`))
    ?.split(';')[0]

/** The way there: what the browser holds, and where the provider sends it back to. */
async function leave(body: object) {
  const begun = await t.call('POST', '/auth/oidc/begin', { body })
  if (begun.status !== 200) throw new Error(begun.body.error)
  const answer = await fetch(begun.body.url, { redirect: 'manual' })
  const back = new URL(answer.headers.get('location')!)
  return {
    cookie: cookieOf(begun.headers, 'jsso')!,
    path: `${back.pathname}${back.search}`,
    url: new URL(begun.body.url),
  }
}
const arrive = (path: string, cookie: string, address = '203.0.113.7') =>
  t.call('GET', path, { headers: { cookie, 'x-forwarded-for': address } })

/** All of it: where one ends, and who one is then. */
async function signIn(body: object, address?: string) {
  const { path, cookie } = await leave(body)
  const { status, headers } = await arrive(path, cookie, address)
  expect(status).toBe(303)
  const session = cookieOf(headers, 'jrt')
  const me = session ? (await t.call('POST', '/auth/refresh_token', { headers: { cookie: session } })).body : undefined
  return { at: headers.get('location'), user: me?.user }
}

describe('by the company’s provider', () => {
  test('a person signs in, by their e-mail or by their company, and asks for what the standard wants', async () => {
    const { admin, company } = await office()
    const { url } = await leave({ email: admin.email })
    const asked = Object.fromEntries(url.searchParams)
    expect(asked).toMatchObject({
      response_type: 'code',
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      login_hint: admin.email,
    })
    for (const once of ['state', 'nonce', 'code_challenge']) expect(asked[once]!.length).toBeGreaterThan(30)
    expect(await signIn({ email: admin.email })).toMatchObject({ at: '/login#entered', user: { id: admin.id } })
    expect(await signIn({ company: company.id })).toMatchObject({ at: '/login#entered', user: { id: admin.id } })
    expect((await t.call('GET', `/auth/oidc?company=${company.id}`)).body).toEqual({ available: true })
    expect((await t.call('GET', `/auth/oidc?company=${company.id + 1}`)).body).toEqual({ available: false })
    expect((await t.call('POST', '/auth/oidc/begin', { body: { email: 'alguem@nenhuma.example' } })).body.error).toBe(
      'ERR_OIDC_UNKNOWN',
    )
  })

  test('nobody gets in by a token that is forged, of somebody else, for somebody else, old, or of another attempt', async () => {
    const { company } = await office()
    const lies: Partial<typeof idp.says>[] = [
      { signedBy: 'stranger' },
      { signedBy: 'secret' },
      { signedBy: 'nobody' },
      { issuer: 'https://evil.example' },
      { audience: 'another' },
      { nonce: 'another' },
      { seconds: -600 },
    ]
    const { says } = idp
    for (const lie of lies) {
      const before = { ...says }
      Object.assign(says, lie)
      expect([lie, (await signIn({ company: company.id })).at]).toEqual([lie, '/login#error=ERR_OIDC_PROVIDER'])
      for (const key of Object.keys(says)) delete (says as unknown as Record<string, unknown>)[key]
      Object.assign(says, before)
    }
    expect((await signIn({ company: company.id })).at).toBe('/login#entered')
  })

  test('the answer counts in the browser that asked, once, and not for long', async () => {
    const { company } = await office()
    const mine = await leave({ company: company.id })
    const other = await leave({ company: company.id })
    const at = async (path: string, cookie: string) => (await arrive(path, cookie)).headers.get('location')
    expect(await at(mine.path, '')).toBe('/login#error=ERR_OIDC_STATE')
    expect(await at(mine.path, other.cookie)).toBe('/login#error=ERR_OIDC_STATE')
    expect(await at(mine.path.replace(/state=[^&]*/, 'state=x'), mine.cookie)).toBe('/login#error=ERR_OIDC_STATE')
    expect(await at(`${mine.path}&iss=https%3A%2F%2Fevil.example`, mine.cookie)).toBe('/login#error=ERR_OIDC_STATE')
    expect(await at(mine.path, mine.cookie)).toBe('/login#entered')
    // The provider takes a code once.
    expect(await at(mine.path, mine.cookie)).toBe('/login#error=ERR_OIDC_PROVIDER')
    const late = await leave({ company: company.id })
    t.clock.advance(11 * 60_000)
    expect(await at(late.path, late.cookie)).toBe('/login#error=ERR_OIDC_STATE')
    t.clock.advance(-11 * 60_000)
  })

  test('only a verified e-mail of its domains opens anybody, and only of that company', async () => {
    const { company, domain } = await office()
    const other = await office()
    const at = async (says: Partial<typeof idp.says>) => {
      Object.assign(idp.says, says)
      return (await signIn({ company: company.id })).at
    }
    const refused = '/login#error=ERR_OIDC_EMAIL'
    expect(await at({ email: `ana@${domain}`, email_verified: false })).toBe(refused)
    expect(await at({ email_verified: undefined })).toBe(refused)
    expect(await at({ email: other.admin.email, email_verified: true })).toBe(refused)
    expect(await at({ email: `ninguem@${domain}` })).toBe(refused)
    // Of its domain, and a user of another company.
    const elsewhere = await t.eg.user(other.company.id, { email: `eva@${domain}` })
    expect(await at({ email: elsewhere.email })).toBe(refused)
    expect(await at({ email: `ANA@${domain.toUpperCase()}` })).toBe('/login#entered')
  })

  test('who comes for the first time becomes a user where the company wants that, with the role it named', async () => {
    const { company, token, put, domain, admin } = await office()
    const role = (await t.call('POST', '/roles', { token, body: { name: 'Novato', ticketScope: 'own' } })).body.id
    expect((await put({ makesUsers: true, roleId: role })).body.provider).toMatchObject({
      makesUsers: true,
      roleId: role,
      secret: '••••••••',
    })
    Object.assign(idp.says, { email: `caio@${domain}`, name: 'Caio Novo' })
    const { user } = await signIn({ company: company.id })
    expect(user).toMatchObject({ name: 'Caio Novo', profile: 'user', companyId: company.id, role: { id: role } })
    expect((await signIn({ company: company.id })).user.id).toBe(user.id)
    // Nobody who is somebody else's already.
    const other = await t.eg.company()
    const taken = await t.eg.user(other.id, { email: `dora@${domain}` })
    Object.assign(idp.says, { email: taken.email })
    expect((await signIn({ company: company.id })).at).toBe('/login#error=ERR_OIDC_EMAIL')
    expect(admin.companyId).toBe(company.id)
  })

  test('a second factor, the company’s networks and its subscription hold as with a password', async () => {
    const { company, admin, token } = await office()
    const set = (value: string) =>
      t.call('PUT', '/settings/ipAllowList', { token, body: { value }, headers: { 'x-forwarded-for': '203.0.113.7' } })
    await set('203.0.113.0/24')
    expect((await signIn({ company: company.id }, '192.0.2.1')).at).toBe('/login#error=ERR_IP_REFUSED')
    const inside = async () => signIn({ company: company.id })
    expect((await inside()).at).toBe('/login#entered')
    const again = (
      await t.call('POST', '/auth/login', {
        body: { email: admin.email, password: PASSWORD },
        headers: { 'x-forwarded-for': '203.0.113.7' },
      })
    ).body.token
    const as = (method: string, path: string, body?: object) =>
      t.call(method, path, { token: again, body, headers: { 'x-forwarded-for': '203.0.113.7' } })
    const { secret } = (await as('POST', '/auth/2fa/setup', { currentPassword: PASSWORD })).body
    const code = () => generateSync({ secret, epoch: Math.floor(t.clock.now.getTime() / 1000) })
    expect((await as('POST', '/auth/2fa/enable', { code: code() })).status).toBe(200)
    const { at, user } = await inside()
    expect(user).toBeUndefined()
    const challenge = /^\/login#challenge=([^&]+)&methods=code$/.exec(at ?? '')![1]!
    t.clock.advance(31_000)
    const entered = await t.call('POST', '/auth/2fa/verify', {
      body: { challenge, code: code() },
      headers: { 'x-forwarded-for': '203.0.113.7' },
    })
    expect(entered.body.user.id).toBe(admin.id)
    await t.database.sql`UPDATE companies SET status = false WHERE id = ${company.id}`
    await t.database.sql`DELETE FROM two_factors WHERE "companyId" = ${company.id}`
    expect((await inside()).at).toBe('/login#error=ERR_SUBSCRIPTION_EXPIRED')
  })
})

describe('whom a company trusts', () => {
  test('is said by admins alone: whoever says it could be anybody', async () => {
    const { company, token } = await office()
    const supervisor = await t.login((await t.eg.user(company.id, { profile: 'supervisor' })).email)
    const role = (
      await t.call('POST', '/roles', { token, body: { name: 'Configura', permissions: ['settings:write'] } })
    ).body.id
    const writer = await t.login((await t.eg.user(company.id, { roleId: role })).email)
    for (const [as, error] of [
      [supervisor, 'ERR_NO_PERMISSION'],
      [writer, 'ERR_ROLE_GRANT'],
    ] as const)
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const body = method === 'PUT' ? { issuer: idp.issuer, clientId: 'x', domains: ['x.example'] } : undefined
        expect([method, (await t.call(method, '/auth/oidc/provider', { token: as, body })).body.error]).toEqual([
          method,
          error,
        ])
      }
  })

  test('is asked whether it is there; its secret is sealed, masked, and goes to no other address', async () => {
    const { token, put, company, domain } = await office()
    expect((await put({ issuer: 'http://10.0.0.1' })).body.error).toMatch(/ERR_ADDRESS_REFUSED|ERR_OIDC_PROVIDER/)
    expect((await put({ issuer: `${idp.issuer}/other` })).body).toMatchObject({ error: 'ERR_OIDC_PROVIDER' })
    const { provider, redirectUri } = (await t.call('GET', '/auth/oidc/provider', { token })).body
    expect(provider).toMatchObject({ issuer: idp.issuer, domains: [domain], secret: '••••••••' })
    expect(redirectUri).toBe('http://localhost/auth/oidc/callback')
    const stored = async () =>
      (
        await t.database.sql<{ secret: string }[]>`SELECT secret FROM oidc_providers WHERE "companyId" = ${company.id}`
      )[0]!.secret
    expect(await stored()).not.toContain(idp.secret)
    // Or the sign-in would end the session of who goes on here.
    await t.call('PUT', '/settings/sessions', { token, body: { value: 'many' } })
    await put({ secret: provider.secret })
    expect((await signIn({ company: company.id })).at).toBe('/login#entered')
    const second = await fakeOidc()
    expect((await put({ issuer: second.issuer, secret: provider.secret })).body).toMatchObject({ provider: {} })
    await second.stop()
    expect(await stored()).toBe('')
    expect((await t.call('DELETE', '/auth/oidc/provider', { token })).body.provider).toBeNull()
    expect((await t.call('GET', `/auth/oidc?company=${company.id}`)).body).toEqual({ available: false })
    const { records } = (await t.call('GET', '/audit?entity=signIn&limit=1', { token })).body
    expect(records[0]).toMatchObject({ action: 'delete', entity: 'signIn' })
  })
})
