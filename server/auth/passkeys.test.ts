import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { generateSync } from 'otplib'
import { passkeyChallenges, passkeys } from '../../schema/users/passkeys.table.ts'
import { createAuthenticator } from '../../tests/support/authenticator.ts'
import { PASSWORD, type TestApp, testApp } from '../../tests/support/app.ts'
import { CHALLENGE_MS, MOST_PASSKEYS } from './passkeys.queries.ts'
import { DAY_MS } from '../../schema/durations.ts'

const ORIGIN = 'https://atende.example'
let t: TestApp
beforeAll(async () => {
  t = await testApp({ publicUrl: ORIGIN })
  await t.eg.company()
})
afterAll(() => t.close())

type Device = ReturnType<typeof createAuthenticator>
const device = () => createAuthenticator(ORIGIN)
const post = (path: string, body: unknown, token?: string) => t.call('POST', path, { token, body })
const begin = (token: string, currentPassword = PASSWORD) => post('/auth/passkeys/begin', { currentPassword }, token)
const add = async (token: string, of: Device, name = 'Notebook') =>
  post('/auth/passkeys', { name, response: of.make((await begin(token)).body) }, token)
/** Signs in by the key alone. */
const enter = async (of: Device, odd: Parameters<Device['sign']>[1] = {}) =>
  post('/auth/passkey/enter', { response: of.sign((await post('/auth/passkey/begin', {})).body, odd) })
const password = (email: string) => post('/auth/login', { email, password: PASSWORD })

async function person(profile: 'user' | 'admin' = 'user', companyId?: number) {
  const company = companyId === undefined ? await t.eg.company() : { id: companyId }
  const user = await t.eg.user(company.id, { profile, createdAt: t.clock.now })
  return { company, user, token: await t.login(user.email) }
}
/** A person whose device has a key. */
async function keyed(profile: 'user' | 'admin' = 'user') {
  const who = await person(profile)
  const own = device()
  const added = await add(who.token, own)
  expect(added.status).toBe(200)
  return { ...who, device: own, keyId: added.body.id as number }
}
async function withApp(token: string) {
  const { secret } = (await post('/auth/2fa/setup', { currentPassword: PASSWORD }, token)).body as { secret: string }
  const code = () => generateSync({ secret, epoch: Math.floor(t.clock.now.getTime() / 1_000) })
  expect((await post('/auth/2fa/enable', { code: code() }, token)).status).toBe(200)
  t.clock.advance(30_000)
  return code
}

describe('registering a key', () => {
  test('asks for the password, names the person to the device by nothing that says who it is, and is listed', async () => {
    const { user, token } = await person()
    expect((await begin(token, 'errada')).body.error).toBe('ERR_CURRENT_PASSWORD')
    expect((await post('/auth/passkeys/begin', {}, token)).body.error).toBe('ERR_CURRENT_PASSWORD_REQUIRED')
    const { body: options } = await begin(token)
    expect(options).toMatchObject({
      rp: { id: 'atende.example' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    })
    expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(32)
    const own = device()
    const made = await post('/auth/passkeys', { name: ' Celular ', response: own.make(options) }, token)
    expect([made.status, made.body.name, made.body.lastUsedAt]).toEqual([200, 'Celular', null])
    const { passkeys: listed } = (await t.call('GET', '/auth/passkeys', { token })).body
    expect(listed).toEqual([made.body])
    expect(JSON.stringify(listed)).not.toContain(own.id)
    expect((await t.call('GET', '/auth/2fa', { token })).body).toMatchObject({ enabled: false, passkeys: 1 })
    const [row] = await t.deps.db.select().from(passkeys).where(eq(passkeys.userId, user.id))
    expect(row!.userHandle).toBe(options.user.id)
  })

  test('each question is answered once, in time, by who was asked', async () => {
    const { token } = await person()
    const { token: other } = await person()
    const { body: options } = await begin(token)
    const give = (by: string, response: unknown) => post('/auth/passkeys', { name: 'Chave', response }, by)
    const own = device()
    expect((await give(other, own.make(options))).body.error).toBe('ERR_PASSKEY_CHALLENGE')
    expect((await give(token, own.make(options))).body.error).toBe('ERR_PASSKEY_CHALLENGE')
    const { body: late } = await begin(token)
    t.clock.advance(CHALLENGE_MS)
    expect((await give(token, own.make(late))).body.error).toBe('ERR_PASSKEY_CHALLENGE')
    const { body: entering } = await post('/auth/passkey/begin', {})
    const forEntering = own.make({ ...options, challenge: entering.challenge })
    expect((await give(token, forEntering)).body.error).toBe('ERR_PASSKEY_CHALLENGE')
    expect((await add(token, own)).status).toBe(200)
    const left = await t.deps.db.select().from(passkeyChallenges)
    expect(left).toEqual([])
  })

  test('refuses another site, another name, and a device that did not ask who holds it', async () => {
    const { token } = await person()
    for (const odd of [{ origin: 'https://atende.example.evil.test' }, { rpId: 'evil.test' }, { unverified: true }]) {
      const response = device().make((await begin(token)).body, odd)
      expect([odd, (await post('/auth/passkeys', { name: 'Chave', response }, token)).body.error]).toEqual([
        odd,
        'ERR_PASSKEY',
      ])
    }
  })

  test('a key is registered once, and a person has so many', async () => {
    const { token } = await person()
    const own = device()
    expect((await add(token, own)).status).toBe(200)
    expect((await add(token, own)).body.error).toBe('ERR_PASSKEY_KNOWN')
    const { token: stranger } = await person()
    expect((await add(stranger, own)).body.error).toBe('ERR_PASSKEY_KNOWN')
    for (let n = 1; n < MOST_PASSKEYS; n++) expect((await add(token, device())).status).toBe(200)
    expect((await begin(token)).body).toMatchObject({ error: 'ERR_PASSKEY_LIMIT', limit: MOST_PASSKEYS })
  })

  test('is in the audit log, like its new name and its end, and no key is', async () => {
    const { token, keyId, device: own } = await keyed('admin')
    await t.call('PUT', `/auth/passkeys/${keyId}`, { token, body: { name: 'Celular' } })
    await post(`/auth/passkeys/${keyId}/remove`, { currentPassword: PASSWORD }, token)
    const { records } = (await t.call('GET', '/audit?limit=10', { token })).body
    const told = records.filter(({ entity }: { entity: string }) => entity === 'passkey').reverse()
    expect(told.map(({ action, after }: any) => [action, after?.name])).toEqual([
      ['create', 'Notebook'],
      ['update', 'Celular'],
      ['delete', undefined],
    ])
    expect(JSON.stringify(records)).not.toContain(own.id)
  })
})

describe('signing in by a key', () => {
  test('needs no e-mail, password or code, and is noted on the key', async () => {
    const { user, token, device: own } = await keyed()
    await withApp(token)
    const { body: options } = await post('/auth/passkey/begin', {})
    expect(options).toMatchObject({ rpId: 'atende.example', userVerification: 'required' })
    expect(options.allowCredentials ?? []).toEqual([])
    const entered = await enter(own)
    expect([entered.status, entered.body.user?.id]).toEqual([200, user.id])
    expect(entered.headers.get('set-cookie')).toContain('jrt=')
    const [key] = (await t.call('GET', '/auth/passkeys', { token: entered.body.token })).body.passkeys
    expect(key.lastUsedAt).toBe(t.clock.now.toISOString())
    // One login at a time, as with a password.
    expect((await t.call('GET', '/auth/me', { token })).status).toBe(401)
  })

  test('refuses a replay, a copy that counts anew, a stranger’s signature and who was not asked to show themselves', async () => {
    const { device: own, company } = await keyed()
    const { body: options } = await post('/auth/passkey/begin', {})
    const response = own.sign(options)
    expect((await post('/auth/passkey/enter', { response })).status).toBe(200)
    expect((await post('/auth/passkey/enter', { response })).body.error).toBe('ERR_PASSKEY_CHALLENGE')
    for (const odd of [
      { counter: 1 },
      { unverified: true },
      { origin: 'https://evil.test' },
      { rpId: 'evil.test' },
      { userHandle: 'AAAA' },
    ])
      expect([odd, (await enter(own, { counter: 50, ...odd })).body.error]).toEqual([odd, 'ERR_PASSKEY'])
    const { body: forging } = await post('/auth/passkey/begin', {})
    const good = own.sign(forging, { counter: 50 })
    const { signature } = device().sign(forging).response
    const forged = { ...good, response: { ...good.response, signature } }
    expect((await post('/auth/passkey/enter', { response: forged })).body.error).toBe('ERR_PASSKEY')
    expect((await enter(device(), { userHandle: 'AAAA' })).body.error).toBe('ERR_PASSKEY')
    const { token: admin } = await person('admin', company.id)
    let refused: unknown[] = []
    while (refused.length < 6) {
      const { records } = (await t.call('GET', '/audit?limit=50&action=refused', { token: admin })).body
      refused = records
    }
    expect(refused).toHaveLength(6)
    expect((await enter(own, { counter: 51 })).status).toBe(200)
  })

  test('takes too long, or was asked for something else: nobody comes in', async () => {
    const { device: own, user, token } = await keyed()
    const { body: late } = await post('/auth/passkey/begin', {})
    t.clock.advance(CHALLENGE_MS)
    expect((await post('/auth/passkey/enter', { response: own.sign(late) })).body.error).toBe('ERR_PASSKEY_CHALLENGE')
    await withApp(token)
    const { challenge } = (await password(user.email)).body
    const { body: second } = await post('/auth/passkey/begin', { challenge })
    // What a second step was asked for does not pass for a first.
    expect((await post('/auth/passkey/enter', { response: own.sign(second) })).body.error).toBe('ERR_PASSKEY_CHALLENGE')
  })

  test('is refused to whom the company lets in from nowhere near, and where its time is over', async () => {
    const { device: own, company } = await keyed()
    await t.database
      .sql`INSERT INTO settings ("companyId", key, value) VALUES (${company.id}, 'ipAllowList', '203.0.113.0/24')`
    expect((await enter(own)).body.error).toBe('ERR_IP_REFUSED')
    await t.database.sql`DELETE FROM settings WHERE "companyId" = ${company.id}`
    await t.database.sql`UPDATE companies SET "dueDate" = '2020-01-01' WHERE id = ${company.id}`
    expect((await enter(own)).body.error).toBe('ERR_SUBSCRIPTION_EXPIRED')
  })

  test('is limited for who only tries', async () => {
    const busy = await testApp({ publicUrl: ORIGIN })
    try {
      const own = device()
      const statuses = new Set<number>()
      for (let n = 0; n < 61; n++) {
        const options = (await busy.call('POST', '/auth/passkey/begin', { body: {} })).body
        statuses.add(
          (
            await busy.call('POST', '/auth/passkey/enter', {
              body: { response: own.sign(options, { userHandle: 'AAAA' }) },
            })
          ).status,
        )
      }
      expect([...statuses]).toEqual([400, 429])
    } finally {
      await busy.close()
    }
  })
})

describe('as second step', () => {
  test('stands in place of a code, and only for who has shown the password', async () => {
    const { user, token, device: own } = await keyed()
    await withApp(token)
    const half = await password(user.email)
    expect(half.body).toMatchObject({ needs: '2fa', methods: ['code', 'passkey'] })
    const { challenge } = half.body
    const { body: options } = await post('/auth/passkey/begin', { challenge })
    expect(options.allowCredentials.map(({ id }: { id: string }) => id)).toEqual([own.id])
    const entered = await post('/auth/passkey/enter', { challenge, response: own.sign(options, { unverified: true }) })
    expect([entered.status, entered.body.user.id]).toEqual([200, user.id])
    const other = await keyed()
    const { body: again } = await post('/auth/passkey/begin', { challenge })
    const theirs = await post('/auth/passkey/enter', { challenge, response: other.device.sign(again) })
    expect(theirs.body.error).toBe('ERR_PASSKEY')
    expect((await post('/auth/passkey/begin', { challenge: 'x' })).body.error).toBe('ERR_2FA_CHALLENGE')
  })

  test('is not asked of who has keys only not to type a password', async () => {
    const { user } = await keyed()
    expect((await password(user.email)).body.token).toBeString()
  })
})

describe('a company that asks for two-factor', () => {
  const asked = async () => {
    const who = await keyed()
    const { token: admin } = await person('admin', who.company.id)
    await t.call('PUT', '/settings/require2fa', { token: admin, body: { value: 'all' } })
    return { ...who, admin }
  }

  test('is content with a key, asks for it after the password, and lets nobody remove the last', async () => {
    const { user, device: own, keyId } = await asked()
    t.clock.advance(8 * DAY_MS)
    const half = await password(user.email)
    expect(half.body).toMatchObject({ needs: '2fa', methods: ['passkey'] })
    const entered = await enter(own)
    const { token } = entered.body
    expect(entered.body.user.twoFactor.enabled).toBe(true)
    expect((await t.call('GET', '/tags', { token })).status).toBe(200)
    const remove = (id: number) => post(`/auth/passkeys/${id}/remove`, { currentPassword: PASSWORD }, token)
    expect((await remove(keyId)).body.error).toBe('ERR_2FA_REQUIRED')
    const second = await add(token, device(), 'Celular')
    expect((await remove(keyId)).status).toBe(200)
    expect((await remove(second.body.id)).body.error).toBe('ERR_2FA_REQUIRED')
    const code = await withApp(token)
    expect((await remove(second.body.id)).status).toBe(200)
    const off = () => post('/auth/2fa/disable', { currentPassword: PASSWORD, code: code() }, token)
    expect((await off()).body.error).toBe('ERR_2FA_REQUIRED')
    expect((await add(token, device())).status).toBe(200)
    expect((await off()).status).toBe(200)
  })

  test('an admin lets in who has lost every device', async () => {
    const { user, device: own, admin } = await asked()
    const token = admin
    expect((await t.call('GET', `/users/${user.id}`, { token })).body.twoFactor).toBe(true)
    expect((await t.call('DELETE', `/users/${user.id}/2fa`, { token })).status).toBe(200)
    expect((await enter(own)).body.error).toBe('ERR_PASSKEY')
    expect((await password(user.email)).body.token).toBeString()
  })
})

describe('one’s own keys', () => {
  test('are renamed, and removed with the password', async () => {
    const { token, keyId, device: own } = await keyed()
    const rename = (name: string) => t.call('PUT', `/auth/passkeys/${keyId}`, { token, body: { name } })
    expect((await rename('  ')).status).toBe(400)
    expect((await rename('YubiKey')).body.name).toBe('YubiKey')
    const remove = (currentPassword: string) => post(`/auth/passkeys/${keyId}/remove`, { currentPassword }, token)
    expect((await remove('errada')).body.error).toBe('ERR_CURRENT_PASSWORD')
    expect((await remove(PASSWORD)).status).toBe(200)
    expect((await remove(PASSWORD)).body.error).toBe('ERR_NO_PASSKEY_FOUND')
    expect((await enter(own)).body.error).toBe('ERR_PASSKEY')
  })

  test('are nobody else’s, not even a colleague’s', async () => {
    const { keyId, company } = await keyed()
    const { token } = await person('admin', company.id)
    expect((await t.call('PUT', `/auth/passkeys/${keyId}`, { token, body: { name: 'Meu' } })).status).toBe(404)
    expect((await post(`/auth/passkeys/${keyId}/remove`, { currentPassword: PASSWORD }, token)).status).toBe(404)
    expect((await t.call('GET', '/auth/passkeys', { token })).body.passkeys).toEqual([])
  })

  test('go with the person', async () => {
    const { user, company, device: own } = await keyed()
    const { token } = await person('admin', company.id)
    expect((await t.call('DELETE', `/users/${user.id}`, { token })).status).toBe(200)
    expect(await t.deps.db.select().from(passkeys).where(eq(passkeys.userId, user.id))).toEqual([])
    expect((await enter(own)).body.error).toBe('ERR_PASSKEY')
  })

  test('are not the operator’s to touch who acts in a user’s name', async () => {
    const { user, company, keyId } = await keyed()
    const [first] = await t.database.sql<{ id: number }[]>`SELECT id FROM companies ORDER BY id LIMIT 1`
    const operator = await t.eg.user(first!.id, { profile: 'admin', super: true })
    const token = await t.login(operator.email)
    const body = { userId: user.id, reason: 'ajuda com o cadastro', write: true }
    const acting = (await t.call('POST', `/companies/${company.id}/impersonate`, { token, body })).body.token as string
    expect((await begin(acting)).body.error).toBe('ERR_IMPERSONATION_OWN')
    const renamed = await t.call('PUT', `/auth/passkeys/${keyId}`, { token: acting, body: { name: 'X' } })
    expect(renamed.body.error).toBe('ERR_IMPERSONATION_OWN')
  })
})

test('without a public address, a key is bound to the name that was called, and to no other', async () => {
  const open = await testApp()
  try {
    const company = await open.eg.company()
    const user = await open.eg.user(company.id)
    const token = await open.login(user.email)
    const { body: options } = await open.call('POST', '/auth/passkeys/begin', {
      ...{ token, body: { currentPassword: PASSWORD }, headers: { host: 'loja.example:3000' } },
    })
    expect(options.rp.id).toBe('loja.example')
    const response = createAuthenticator('https://loja.example:3000').make(options)
    const headers = { host: 'loja.example:3000' }
    const made = await open.call('POST', '/auth/passkeys', { token, body: { name: 'Chave', response }, headers })
    expect(made.status).toBe(200)
  } finally {
    await open.close()
  }
})
