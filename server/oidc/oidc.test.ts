import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { generateSync } from 'otplib'
import { DAY_MS } from '../../schema/durations.ts'
import { oidcProviders } from '../../schema/oidc/oidc.table.ts'
import { fakeOidc } from '../../tests/fakes/oidc/server.ts'
import { PASSWORD, type TestApp, testApp } from '../../tests/support/app.ts'
import { createAuthenticator } from '../../tests/support/authenticator.ts'
import { hashOfCode } from '../auth/password-reset.codes.ts'
import { keepCode } from '../auth/password-reset.writes.ts'
import { recheckDomains } from './oidc.recheck.ts'

let t: TestApp
/** The DNS. */
const records = new Map<string, string[]>()
let idp: Awaited<ReturnType<typeof fakeOidc>>
beforeAll(async () => {
  t = await testApp({
    resolveTxt: async (name) => records.get(name) ?? [],
    mail: { host: '127.0.0.1', port: 1, from: 'balcao@example.test', user: undefined, password: undefined },
  })
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
  const answer = await put()
  expect(answer.status).toBe(200)
  for (const { name, text } of answer.body.provider.proofs) records.set(name, [text])
  const prove = () => t.call('POST', '/auth/oidc/provider/domains', { token, body: { domain } })
  expect((await prove()).status).toBe(200)
  Object.assign(idp.says, { email: admin.email, email_verified: true, name: 'Ana Souza', seconds: 300 })
  for (const lie of ['nonce', 'issuer', 'audience', 'signedBy', 'claims', 'meanwhile', 'subject'] as const)
    delete idp.says[lie]
  return { company, admin, token, domain, put, prove }
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

  test('who is given the e-mail of somebody who has left is not let in as them, until an admin says so', async () => {
    const { admin, company, token, domain } = await office()
    const bia = await t.eg.user(company.id, { name: 'Bia', email: `bia@${domain}` })
    const shown = async () => (await t.call('GET', `/users/${bia.id}`, { token })).body.providerLinked
    Object.assign(idp.says, { email: bia.email, subject: 'person 1' })
    expect(await shown()).toBe(false)
    expect(await signIn({ company: company.id })).toMatchObject({ at: '/login#entered', user: { id: bia.id } })
    expect(await shown()).toBe(true)
    // Another person of the provider, with the same e-mail.
    idp.says.subject = 'person 2'
    expect(await signIn({ company: company.id })).toEqual({
      at: '/login#error=ERR_OIDC_SUBJECT',
      user: undefined,
    })
    // The same person with another e-mail is still Bia, also where that e-mail is a colleague's.
    for (const email of [`beatriz@${domain}`, admin.email]) {
      Object.assign(idp.says, { email, subject: 'person 1' })
      expect(await signIn({ company: company.id })).toMatchObject({ user: { id: bia.id } })
    }
    // In another company the provider's person is nobody.
    const other = await office()
    Object.assign(idp.says, { email: bia.email, subject: 'person 1' })
    expect((await signIn({ company: other.company.id })).at).toBe('/login#error=ERR_OIDC_EMAIL')
    // Nobody but an admin of the company lets go of it.
    const agent = await t.login((await t.eg.user(company.id)).email)
    const forget = (by: string) => t.call('DELETE', `/users/${bia.id}/provider`, { token: by })
    expect([(await forget(agent)).status, (await forget(other.token)).status]).toEqual([403, 404])
    expect((await forget(token)).body.providerLinked).toBe(false)
    idp.says.subject = 'person 2'
    expect(await signIn({ company: company.id })).toMatchObject({ user: { id: bia.id } })
    idp.says.subject = 'person 1'
    expect((await signIn({ company: company.id })).at).toBe('/login#error=ERR_OIDC_SUBJECT')
    const told = (await t.call('GET', '/audit?limit=100', { token })).body.records
    expect(
      told
        .filter(({ after }: { after?: object }) => after && 'providerLinked' in after)
        .map(({ entityId, after }: { entityId: string; after: { providerLinked: boolean } }) => [
          entityId,
          after.providerLinked,
        ]),
    ).toEqual([true, false, true].map((linked) => [String(bia.id), linked]))
  })

  test('two who come for the first time at once with one e-mail: one of them is that user', async () => {
    const { company, domain } = await office()
    const caio = await t.eg.user(company.id, { email: `caio@${domain}` })
    idp.says.email = caio.email
    const ways = []
    for (const subject of ['first', 'second']) {
      idp.says.subject = subject
      ways.push(await leave({ company: company.id }))
    }
    const ends = await Promise.all(ways.map(({ path, cookie }) => arrive(path, cookie)))
    const words = ends.map(({ headers }) => headers.get('location'))
    expect(words.toSorted()).toEqual(['/login#entered', '/login#error=ERR_OIDC_SUBJECT'])
    // It stays with whom it was.
    idp.says.subject = ['first', 'second'][words.indexOf('/login#entered')]!
    expect(await signIn({ company: company.id })).toMatchObject({ user: { id: caio.id } })
  })

  test('a domain that is not proven sends nobody to a provider, and opens nobody', async () => {
    const { company, admin, token, put, prove, domain } = await office({ makesUsers: true })
    const name = `_balcao.${domain}`
    const [text] = records.get(name)!
    const wish = (domains: string[]) => put({ domains })
    // A domain of somebody else is named: its people are not sent here, and theirs are not let in.
    const foreign = `banco${count}.example`
    await wish([domain, foreign])
    const begin = async (email: string) => (await t.call('POST', '/auth/oidc/begin', { body: { email } })).body.error
    expect(await begin(`diretora@${foreign}`)).toBe('ERR_OIDC_UNKNOWN')
    idp.says.email = `diretora@${foreign}`
    expect((await signIn({ company: company.id })).at).toBe('/login#error=ERR_OIDC_EMAIL')
    const check = (one: string) => t.call('POST', '/auth/oidc/provider/domains', { token, body: { domain: one } })
    expect((await check(foreign)).body).toMatchObject({
      ...{ error: 'ERR_OIDC_DOMAIN_UNPROVEN', domain: foreign, why: 'missing' },
    })
    // The proof of one domain, or of another company, proves no other.
    records.set(`_balcao.${foreign}`, ['v=spf1 -all', text!])
    expect((await check(foreign)).body.why).toBe('other')
    expect((await check('ninguem.example')).status).toBe(404)
    // What is named no more is proven no more.
    await wish([foreign])
    expect(await begin(admin.email)).toBe('ERR_OIDC_UNKNOWN')
    expect((await t.call('GET', `/auth/oidc?company=${company.id}`)).body).toEqual({ available: false })
    await wish([domain])
    expect(await begin(admin.email)).toBe('ERR_OIDC_UNKNOWN')
    records.delete(name)
    expect((await prove()).body.why).toBe('missing')
    records.set(name, [text!])
    expect((await prove()).status).toBe(200)
    expect(await begin(admin.email)).toBeUndefined()
  })

  test('a domain is proven for one company; others hear that it is not to be had, and not whose it is', async () => {
    const first = await office()
    const other = await office()
    const taken = await other.put({ domains: [other.domain, first.domain] })
    expect(taken).toMatchObject({
      status: 409,
      body: { error: 'ERR_OIDC_DOMAIN_TAKEN', domain: first.domain },
    })
    expect(JSON.stringify(taken.body)).not.toMatch(
      new RegExp(`"${first.company.id}"|:${first.company.id}[,}]|${first.company.name}`),
    )
    // Named by both before either has proven it: the first proof counts, the operator's word too.
    const shared = `rede${count}.example`
    for (const one of [first, other]) expect((await one.put({ domains: [one.domain, shared] })).status).toBe(200)
    const operator = await t.login((await t.eg.user(1, { profile: 'admin', super: true })).email)
    const say = (companyId: number, proven: boolean) =>
      t.call('PUT', '/operator/domains', { token: operator, body: { companyId, domain: shared, proven } })
    const stranger = await t.call('PUT', '/operator/domains', {
      token: first.token,
      body: { companyId: first.company.id, domain: shared, proven: true },
    })
    expect(stranger.body.error).toBe('ERR_NO_SUPER')
    const both = await Promise.all([say(first.company.id, true), say(other.company.id, true)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const { records: listed } = (await t.call('GET', '/operator/domains', { token: operator })).body
    expect(
      listed.filter((row: { domain: string }) => row.domain === shared).map((row: { proven: boolean }) => row.proven),
    ).toEqual([false, true])
    const winner = both[0]!.status === 200 ? first : other
    expect((await say(winner.company.id, false)).status).toBe(200)
    expect((await t.call('POST', '/auth/oidc/begin', { body: { email: `x@${shared}` } })).body.error).toBe(
      'ERR_OIDC_UNKNOWN',
    )
  })

  test('a proof is asked for again: without its record a domain stays for a week, and then opens nobody', async () => {
    const begun = t.clock.now
    const { admin, company, domain } = await office()
    await signIn({ company: company.id })
    const token = await t.login(admin.email)
    const provider = { issuer: idp.issuer, clientId: idp.clientId, domains: [domain] }
    const body = { ...provider, ssoOnly: true, breakGlassUserId: admin.id }
    expect((await t.call('PUT', '/auth/oidc/provider', { token, body })).status).toBe(200)
    const given = await office()
    const operator = await t.login((await t.eg.user(1, { profile: 'admin', super: true })).email)
    const word = { companyId: given.company.id, domain: given.domain, proven: true }
    expect((await t.call('PUT', '/operator/domains', { token: operator, body: word })).status).toBe(200)
    const name = `_balcao.${domain}`
    const [text] = records.get(name)!
    const dead = new Set<string>()
    const check = (days = 0) => {
      t.clock.advance(days * DAY_MS)
      const resolveTxt = async (asked: string) => {
        if (dead.has(asked)) throw new Error('nobody answers')
        return records.get(asked) ?? []
      }
      return recheckDomains({ db: t.database.db, now: t.deps.now, tokens: t.deps.tokens, resolveTxt })
    }
    const state = async () => {
      const [row] = await t.database.db.select().from(oidcProviders).where(eq(oidcProviders.companyId, company.id))
      const { provenDomains, ssoOnly, domainProofs } = row!
      return { proven: provenDomains.includes(domain), ssoOnly, since: domainProofs[domain]?.missingSince ?? null }
    }
    const fine = { proven: true, ssoOnly: true, since: null }
    await check()
    expect(await state()).toEqual(fine)
    records.delete(name)
    records.delete(`_balcao.${given.domain}`)
    await check()
    const { since } = await state()
    expect(since).not.toBeNull()
    const shown = (await t.call('GET', '/auth/oidc/provider', { token })).body.provider.proofs
    expect(shown).toMatchObject([
      { domain, proven: true, endsAt: new Date(Date.parse(since!) + 7 * DAY_MS).toISOString() },
    ])
    records.set(name, [text!])
    await check(6)
    expect(await state()).toEqual(fine)
    // A name server that is ill for months is no proof of anything.
    dead.add(name)
    await check(60)
    expect(await state()).toEqual(fine)
    dead.clear()
    records.set(name, ['v=spf1 -all'])
    await check()
    await check(6)
    expect(await state()).toMatchObject({ proven: true, ssoOnly: true })
    await check(1)
    expect(await state()).toEqual({ proven: false, ssoOnly: false, since: null })
    const begin = async (email: string) => (await t.call('POST', '/auth/oidc/begin', { body: { email } })).body.error
    expect(await begin(admin.email)).toBe('ERR_OIDC_UNKNOWN')
    // The operator's word needs no record.
    expect(await begin(given.admin.email)).toBeUndefined()
    records.set(name, [text!])
    const again = await t.login(admin.email)
    expect((await t.call('POST', '/auth/oidc/provider/domains', { token: again, body: { domain } })).status).toBe(200)
    // The provider of these tests has the clock of the machine.
    t.clock.now = begun
  })

  test('nobody gets in, or gets a role, by a provider that the company has let go of while it answered', async () => {
    const { admin, company, token, put, prove, domain } = await office({ makesUsers: true })
    const isTaken = () => t.call('GET', '/auth/me', { token })
    const sent = async (meanwhile: () => Promise<unknown>) => {
      idp.says.meanwhile = meanwhile
      return signIn({ company: company.id }).finally(() => delete idp.says.meanwhile)
    }
    const secret = (word: string) => put({ secret: word })
    // The secret was stolen, and is another one now.
    expect((await sent(() => secret('another'))).at).toBe('/login#error=ERR_OIDC_UNKNOWN')
    await secret(idp.secret)
    idp.says.email = `novo@${domain}`
    expect((await sent(() => t.call('DELETE', '/auth/oidc/provider', { token }))).at).toBe(
      '/login#error=ERR_OIDC_UNKNOWN',
    )
    const { users } = (await t.call('GET', '/users', { token })).body
    expect(users.map(({ email }: { email: string }) => email)).toEqual([admin.email])
    expect((await isTaken()).status).toBe(200)
    // What it says of groups is what counts when they come in.
    await put({ roleRules: [{ group: 'chefes', profile: 'admin', roleId: null }] })
    await prove()
    idp.says.claims = { groups: ['chefes'] }
    expect((await sent(() => put({ roleRules: [] }))).user).toMatchObject({ profile: 'user' })
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

  test('a provider that calls itself otherwise, by a single letter, is not the one that was named', async () => {
    const { put } = await office()
    expect((await put({ issuer: `${idp.issuer}/` })).body).toMatchObject({ error: 'ERR_OIDC_PROVIDER', why: 'issuer' })
    expect((await put({ issuer: idp.issuer })).status).toBe(200)
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
    // The plan counts them like everybody else, also where it was lowered since.
    const planOf = (most: number) =>
      t.database
        .sql`UPDATE plans SET users = ${most} WHERE id = (SELECT "planId" FROM companies WHERE id = ${company.id})`
    await planOf(1)
    Object.assign(idp.says, { email: `zeca@${domain}` })
    expect((await signIn({ company: company.id })).at).toBe('/login#error=ERR_PLAN_LIMIT')
    expect(await t.database.sql`SELECT id FROM users WHERE email = ${`zeca@${domain}`}`).toHaveLength(0)
    Object.assign(idp.says, { email: `caio@${domain}` })
    expect((await signIn({ company: company.id })).user.id).toBe(user.id)
    await planOf(10)
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
    expect((await inside()).at).toBe('/login#error=ERR_COMPANY_OFF')
  })
})

/** An office that lets its people in by the provider alone, but for the admin; the other admin has tried it. */
async function closedOffice() {
  const office_ = await office()
  const { company, admin, domain, token, put } = office_
  await t.call('PUT', '/settings/sessions', { token, body: { value: 'many' } })
  const bea = await t.eg.user(company.id, { profile: 'admin', email: `bea@${domain}`, name: 'Bea' })
  const leo = await t.eg.user(company.id, { email: `leo@${domain}`, name: 'Leo' })
  idp.says.email = bea.email
  expect((await signIn({ company: company.id })).user.id).toBe(bea.id)
  const close = () => put({ ssoOnly: true, breakGlassUserId: admin.id })
  return { ...office_, bea, leo, close }
}
const login = (email: string, password = PASSWORD) => t.call('POST', '/auth/login', { body: { email, password } })

describe('a company that lets its people in by its provider alone', () => {
  test('takes no password and no key of a device, and sends nobody a code; the provider and the one admin come in', async () => {
    const { company, admin, leo, bea, close } = await closedOffice()
    const device = createAuthenticator('http://localhost')
    const before = await t.login(leo.email)
    const options = await t.call('POST', '/auth/passkeys/begin', { token: before, body: { currentPassword: PASSWORD } })
    const key = { name: 'Notebook', response: device.make(options.body) }
    expect((await t.call('POST', '/auth/passkeys', { token: before, body: key })).status).toBe(200)
    const code = {
      codeHash: hashOfCode(t.deps.tokens, 'ABCD-2345'),
      expiresAt: new Date(t.clock.now.getTime() + 60_000),
    }
    await keepCode(t.deps.db, { userId: leo.id, companyId: company.id, ...code }, t.clock.now)

    expect((await close()).body.provider).toMatchObject({ ssoOnly: true, breakGlassUserId: admin.id, isTried: true })
    for (const { email } of [leo, bea]) expect((await login(email)).body).toEqual({ error: 'ERR_OIDC_ONLY' })
    // Who does not have the password learns nothing.
    expect((await login(leo.email, 'errada')).body.error).toBe('ERR_INVALID_CREDENTIALS')
    const asked = (await t.call('POST', '/auth/passkey/begin', { body: {} })).body
    const response = device.sign(asked)
    expect((await t.call('POST', '/auth/passkey/enter', { body: { response } })).body.error).toBe('ERR_OIDC_ONLY')
    expect((await t.call('POST', `/forgetpassword/${leo.email}`)).body.error).toBe('ERR_OIDC_ONLY')
    const reset = { email: leo.email, token: 'ABCD-2345', newPassword: 'Novissima1' }
    expect((await t.call('POST', '/resetpasswords', { body: reset })).body.error).toBe('ERR_OIDC_ONLY')

    idp.says.email = leo.email
    expect((await signIn({ company: company.id })).user.id).toBe(leo.id)
    expect((await login(admin.email)).body.user.id).toBe(admin.id)
    expect((await t.call('POST', `/forgetpassword/${admin.email}`)).body).toEqual({ status: 200 })
    // What is open goes on.
    expect((await t.call('GET', '/auth/me', { token: before })).body.id).toBe(leo.id)
  })

  test('does not take the second step of a login that began with a password before', async () => {
    const { company, leo, close } = await closedOffice()
    const before = await t.login(leo.email)
    const { secret } = (await t.call('POST', '/auth/2fa/setup', { token: before, body: { currentPassword: PASSWORD } }))
      .body
    const code = () => generateSync({ secret, epoch: Math.floor(t.clock.now.getTime() / 1000) })
    await t.call('POST', '/auth/2fa/enable', { token: before, body: { code: code() } })
    t.clock.advance(31_000)
    const verify = (challenge: string) => t.call('POST', '/auth/2fa/verify', { body: { challenge, code: code() } })
    const { challenge } = (await login(leo.email)).body
    expect((await close()).status).toBe(200)
    expect((await verify(challenge)).body.error).toBe('ERR_OIDC_ONLY')
    t.clock.advance(31_000)
    idp.says.email = leo.email
    const { at } = await signIn({ company: company.id })
    expect((await verify(/#challenge=([^&]+)/.exec(at!)![1]!)).body.user.id).toBe(leo.id)
  })

  test('keeps its operators', async () => {
    const { company, close } = await closedOffice()
    const operator = await t.eg.user(company.id, { super: true })
    await close()
    expect((await login(operator.email)).status).toBe(200)
  })

  test('whoever was made by the provider has no password, and cannot do without it before they have one', async () => {
    const { company, domain, put, token, bea } = await closedOffice()
    await put({ makesUsers: true, roleRules: [{ group: 'chefia', profile: 'admin', roleId: null }] })
    Object.assign(idp.says, { email: `nova@${domain}`, name: 'Nova', claims: { groups: ['chefia'] } })
    const { user: nova } = await signIn({ company: company.id })
    idp.says.claims = undefined
    const admins = async () => (await t.call('GET', '/auth/oidc/provider', { token })).body.admins
    expect(await admins()).toContainEqual({ id: nova.id, name: 'Nova', email: `nova@${domain}`, hasPassword: false })
    expect(await admins()).toContainEqual(expect.objectContaining({ id: bea.id, hasPassword: true }))
    const close = () => put({ ssoOnly: true, breakGlassUserId: nova.id })
    expect((await close()).body).toMatchObject({ error: 'ERR_BREAK_GLASS_PASSWORD', field: 'breakGlassUserId' })
    // A colleague gives her one.
    await t.call('PUT', `/users/${nova.id}`, { token, body: { password: 'segredo99' } })
    expect((await close()).body.provider).toMatchObject({ ssoOnly: true, breakGlassUserId: nova.id })
    expect((await login(`nova@${domain}`, 'segredo99')).status).toBe(200)
  })

  test('names an admin who can do without, and has seen an admin come in', async () => {
    const { admin, domain, put, company, token } = await office()
    const leo = await t.eg.user(company.id, { email: `leo@${domain}` })
    await t.call('PUT', '/settings/sessions', { token, body: { value: 'many' } })
    const stranger = (await office()).admin
    const on = { ssoOnly: true, breakGlassUserId: admin.id }
    const errorOf = async (body: object) => (await put(body)).body.error
    expect(await errorOf({ ssoOnly: true })).toBe('ERR_BREAK_GLASS')
    expect(await errorOf({ ssoOnly: true, breakGlassUserId: null })).toBe('ERR_BREAK_GLASS')
    expect(await errorOf({ ssoOnly: true, breakGlassUserId: leo.id })).toBe('ERR_BREAK_GLASS')
    expect(await errorOf({ ssoOnly: true, breakGlassUserId: stranger.id })).toBe('ERR_BREAK_GLASS')
    expect(await errorOf(on)).toBe('ERR_OIDC_UNTRIED')
    idp.says.email = leo.email
    await signIn({ company: company.id })
    expect(await errorOf(on)).toBe('ERR_OIDC_UNTRIED')
    idp.says.email = admin.email
    await signIn({ company: company.id })
    // With another secret it is another matter, and so it is with another client.
    expect(await errorOf({ ...on, secret: 'outro' })).toBe('ERR_OIDC_UNTRIED')
    expect(await errorOf(on)).toBeUndefined()
    expect(await errorOf({ clientId: 'outro' })).toBe('ERR_OIDC_UNTRIED')
    // A new secret alone is part of its life.
    expect((await put({ secret: 'novo' })).body.provider).toMatchObject({ ssoOnly: true, isTried: false })
    expect((await put({ clientId: 'outro', ssoOnly: false })).body.provider).toMatchObject({
      ...{ clientId: 'outro', ssoOnly: false, breakGlassUserId: null, isTried: false },
    })
  })

  test('keeps that admin, and passwords open everybody again when it trusts nobody any more', async () => {
    const { admin, bea, leo, token, close } = await closedOffice()
    await close()
    const path = `/users/${admin.id}`
    const byBea = await t.deps.tokens.signAccess(
      { userId: bea.id, companyId: bea.companyId, name: bea.name, profile: 'admin', tokenVersion: 1 },
      t.clock.now,
      new Date(t.clock.now.getTime() + 60_000),
    )
    expect((await t.call('DELETE', path, { token: byBea })).body.error).toBe('ERR_BREAK_GLASS_KEPT')
    for (const by of [byBea, token])
      expect((await t.call('PUT', path, { token: by, body: { profile: 'user' } })).body.error).toBe(
        'ERR_BREAK_GLASS_KEPT',
      )
    expect((await t.call('PUT', path, { token, body: { name: 'Ana de Novo' } })).status).toBe(200)
    const { records } = (await t.call('GET', '/audit?entity=signIn&limit=1', { token })).body
    expect(records[0]).toMatchObject({
      action: 'update',
      before: { ssoOnly: false, breakGlassUserId: null },
      after: { ssoOnly: true, breakGlassUserId: admin.id },
    })
    expect((await t.call('DELETE', '/auth/oidc/provider', { token })).status).toBe(200)
    expect((await login(leo.email)).status).toBe(200)
    expect((await t.call('PUT', path, { token: byBea, body: { profile: 'user' } })).status).toBe(200)
  })
})

describe('groups of the provider', () => {
  /** Rules that the company has, and who comes in with which groups. */
  async function grouped(claim: object = {}) {
    const made = await closedOffice()
    const { company, token, put } = made
    const body = { name: 'Caixa', permissions: ['contacts:export'], ticketScope: 'own' }
    const role = (await t.call('POST', '/roles', { token, body })).body.id as number
    const roleRules = [
      { group: 'Chefes', profile: 'admin', roleId: null },
      { group: 'Caixas', profile: 'user', roleId: role },
      { group: 'Todos', profile: 'user', roleId: null },
    ]
    expect((await put({ roleRules, ...claim })).body.provider.roleRules).toEqual(roleRules)
    const comes = async (email: string, groups: unknown, name = 'groups') => {
      Object.assign(idp.says, { email, claims: { [name]: groups } })
      return (await signIn({ company: company.id })).user
    }
    const newest = async () => (await t.call('GET', '/audit?entity=user&limit=1', { token })).body.records[0]
    return { ...made, role, comes, newest }
  }

  test('say which role somebody has: the first row that matches, at each sign-in; without one it stays', async () => {
    const { leo, role, comes, newest } = await grouped()
    expect(await comes(leo.email, ['Todos', 'Caixas'])).toMatchObject({ profile: 'user', role: { id: role } })
    expect(await newest()).toMatchObject({
      ...{ actorKind: 'provider', actorId: null, actorName: idp.issuer, action: 'update', entityId: String(leo.id) },
      ...{ before: { roleId: null }, after: { roleId: role } },
    })
    expect(t.emitted.findLast(({ name }) => name === 'user')).toMatchObject({ action: 'update', id: leo.id })
    for (const none of [[], ['Outros'], undefined, 7, { Chefes: true }])
      expect(await comes(leo.email, none)).toMatchObject({ role: { id: role } })
    expect(await comes(leo.email, 'Chefes')).toMatchObject({ profile: 'admin', role: null })
    expect(await comes(leo.email, ['Todos'])).toMatchObject({ profile: 'user', role: null })
  })

  test('are read from the claim that the company names, also from within another', async () => {
    const { leo, role, comes } = await grouped({ groupsClaim: 'realm.roles' })
    expect(await comes(leo.email, ['Caixas'])).toMatchObject({ role: null })
    expect(await comes(leo.email, { roles: ['Caixas'] }, 'realm')).toMatchObject({ role: { id: role } })
    expect(await comes(leo.email, ['Todos'], 'realm.roles')).toMatchObject({ role: null })
  })

  test('leave the last admin, the one who can do without, and operators as they are', async () => {
    const { company, admin, bea, close, comes, newest } = await grouped()
    const operator = await t.eg.user(company.id, {
      super: true,
      profile: 'admin',
      email: `op@${bea.email.split('@')[1]}`,
    })
    expect(await comes(operator.email, ['Todos'])).toMatchObject({ profile: 'admin' })
    await t.database.sql`DELETE FROM users WHERE id = ${operator.id}`
    await close()
    expect(await comes(admin.email, ['Todos'])).toMatchObject({ profile: 'admin' })
    expect(await comes(bea.email, ['Todos'])).toMatchObject({ profile: 'user' })
    expect(await newest()).toMatchObject({ actorKind: 'provider', after: { profile: 'user' } })
    await t.database.sql`UPDATE oidc_providers SET "ssoOnly" = false WHERE "companyId" = ${company.id}`
    expect(await comes(admin.email, ['Todos'])).toMatchObject({ id: admin.id, profile: 'admin' })
  })

  test('give who comes for the first time their role at once', async () => {
    const { domain, role, comes, newest, put } = await grouped()
    await put({ makesUsers: true })
    const made = await comes(`novo@${domain}`, ['Caixas'])
    expect(made).toMatchObject({ profile: 'user', role: { id: role } })
    expect(await newest()).toMatchObject({
      ...{ actorKind: 'provider', action: 'create', entityId: String(made.id), after: { roleId: role } },
    })
    expect(t.emitted.findLast(({ name }) => name === 'user')).toMatchObject({ action: 'create', id: made.id })
  })

  test('have only roles of the company, and none that is gone', async () => {
    const { leo, role, comes, put, token } = await grouped()
    const theirs = (await grouped()).role
    const rule = (roleId: number) => put({ roleRules: [{ group: 'Caixas', profile: 'admin', roleId }] })
    expect((await rule(theirs)).body.error).toBe('ERR_NO_ROLE_FOUND')
    // A role decides by itself.
    expect((await rule(role)).body.provider.roleRules).toEqual([{ group: 'Caixas', profile: 'user', roleId: role }])
    expect((await put({ roleRules: [{ group: ' ', profile: 'user', roleId: null }] })).status).toBe(400)
    expect((await t.call('DELETE', `/roles/${role}`, { token })).status).toBe(200)
    expect((await t.call('GET', '/auth/oidc/provider', { token })).body.provider.roleRules).toEqual([])
    expect(await comes(leo.email, ['Caixas'])).toMatchObject({ profile: 'user', role: null })
  })
})

describe('whom a company trusts', () => {
  test('is said by admins alone: whoever says it could be anybody', async () => {
    const { company, token } = await office()
    const supervisor = await t.login((await t.eg.user(company.id, { profile: 'supervisor' })).email)
    const role = (
      await t.call('POST', '/roles', { token, body: { name: 'Configura', permissions: ['security:write'] } })
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
