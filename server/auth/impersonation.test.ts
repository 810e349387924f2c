import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PASSWORD, type TestApp, testApp } from '../../tests/support/app.ts'

let t: TestApp
let operator: { id: number; email: string; companyId: number }
let token: string
beforeAll(async () => {
  t = await testApp()
  const house = await t.eg.company()
  operator = await t.eg.user(house.id, { profile: 'admin', super: true, name: 'Olga Operadora' })
  token = await t.login(operator.email)
})
afterAll(() => t.close())

const REASON = 'O cliente pediu ajuda com as filas'

async function office() {
  const company = await t.eg.company()
  const admin = await t.eg.user(company.id, { profile: 'admin', name: 'Ana Admin' })
  const agent = await t.eg.user(company.id, { name: 'Beto Agente' })
  const enter = async (body: object = {}, as = token) =>
    t.call('POST', `/companies/${company.id}/impersonate`, {
      token: as,
      body: { userId: admin.id, reason: REASON, ...body },
    })
  return { company, admin, agent, enter }
}

describe('the operator in the name of a user', () => {
  test('sees what the user sees, and changes nothing unless that was wished', async () => {
    const { admin, agent, enter } = await office()
    const { status, body } = await enter()
    expect(status).toBe(200)
    expect(body.user).toMatchObject({
      id: admin.id,
      super: false,
      acting: { name: 'Olga Operadora', reason: REASON, readOnly: true },
    })
    const as = body.token as string
    expect((await t.call('GET', '/auth/me', { token: as })).body).toMatchObject({
      id: admin.id,
      acting: { readOnly: true },
    })
    expect((await t.call('GET', '/users', { token: as })).body.users.map(({ id }: any) => id)).toContain(agent.id)
    const refused = { error: 'ERR_IMPERSONATION_READ_ONLY' }
    expect((await t.call('POST', '/tags', { token: as, body: { name: 'Urgente' } })).body).toEqual(refused)
    const command = { id: crypto.randomUUID(), name: 'tags.attach', input: {} }
    expect((await t.call('POST', '/commands', { token: as, body: command })).body).toEqual(refused)
    expect((await t.call('POST', '/commands/batch', { token: as, body: { commands: [command] } })).body).toEqual(
      refused,
    )
    expect((await t.call('POST', '/auth/passes', { token: as, body: { for: 'sync' } })).status).toBe(200)

    const writing = (await enter({ write: true })).body.token as string
    expect((await t.call('POST', '/tags', { token: writing, body: { name: 'Urgente' } })).status).toBe(200)
  })

  test('every route that writes refuses it, whatever it is called with', async () => {
    const { enter } = await office()
    const as = (await enter()).body.token as string
    const open =
      /^\/(?:auth\/(?:login|logout|refresh_token|2fa\/verify|passkey|passes|oidc\/begin)|companies\/cadastro|forgetpassword|resetpasswords|payments|cloud-api|api)(?:\/|$)/
    const writes = t.app.routes.filter(
      ({ method, path }) => /^(POST|PUT|PATCH|DELETE)$/.test(method) && !open.test(path),
    )
    expect(writes.length).toBeGreaterThan(100)
    const let_through: string[] = []
    for (const { method, path } of writes) {
      const { body } = await t.call(method, path.replaceAll(/:\w+/g, '1'), { token: as, body: {} })
      if (!/^ERR_IMPERSONATION_(READ_ONLY|OWN)$/.test(body?.error))
        let_through.push(`${method} ${path}: ${body?.error}`)
    }
    expect(let_through).toEqual([])
  })

  test('never takes what opens the company later, nor what is the user’s own', async () => {
    const { agent, enter, company } = await office()
    await t.eg.whatsapp(company.id)
    const as = (await enter({ write: true })).body.token as string
    const { body } = await t.call('GET', '/whatsapp', { token: as })
    expect(body).toHaveLength(1)
    expect(body[0].token).toBeUndefined()
    expect(
      (await t.call('POST', '/api-keys', { token: as, body: { name: 'Porta', scopes: ['messages:send'] } })).status,
    ).toBe(403)
    for (const [method, path, given] of [
      ['POST', '/auth/2fa/setup'],
      ['DELETE', '/auth/sessions/1'],
      ['POST', '/push/subscriptions'],
      // A colleague's password would open the company next week.
      ['PUT', `/users/${agent.id}`, { password: 'segredo9' }],
      ['PUT', `/users/${agent.id}`, { email: 'outra@example.test' }],
      ['DELETE', `/users/${agent.id}/2fa`],
      ['POST', '/users', { name: 'Porta', email: 'porta@example.test', password: 'segredo9' }],
    ] as [string, string, object?][])
      expect([path, (await t.call(method, path, { token: as, body: given ?? {} })).body.error]).toEqual([
        path,
        'ERR_IMPERSONATION_OWN',
      ])
    for (const key of ['supportAccess', 'ipAllowList', 'require2fa'])
      expect((await t.call('PUT', `/settings/${key}`, { token: as, body: { value: '' } })).body.error).toBe(
        'ERR_NO_PERMISSION',
      )
    expect((await t.call('PUT', `/users/${agent.id}`, { token: as, body: { name: 'Beto' } })).status).toBe(200)
  })

  test('is nobody but the operator, with a reason, and never another operator or one’s own company', async () => {
    const { admin, enter, company } = await office()
    const own = await t.login(admin.email)
    expect((await enter({}, own)).body).toEqual({ error: 'ERR_NO_SUPER' })
    expect((await t.call('GET', `/companies/${company.id}/users`, { token: own })).body).toEqual({
      error: 'ERR_NO_SUPER',
    })
    expect((await enter({ reason: 'porque' })).body.error).toBe('ERR_VALIDATION')
    expect((await enter({ reason: ' '.repeat(12) })).body.error).toBe('ERR_VALIDATION')
    const stranger = await office()
    expect((await enter({ userId: stranger.admin.id })).body.error).toBe('ERR_NO_USER_FOUND')
    const colleague = await t.eg.user(company.id, { profile: 'admin', super: true })
    expect((await enter({ userId: colleague.id })).body.error).toBe('ERR_NO_USER_FOUND')
    const house = `/companies/${operator.companyId}/impersonate`
    expect((await t.call('POST', house, { token, body: { userId: operator.id, reason: REASON } })).body.error).toBe(
      'ERR_FORBIDDEN',
    )
    const acting = (await enter()).body.token as string
    expect((await enter({}, acting)).status).toBe(403)
  })

  test('is let in by no company that forbids it', async () => {
    const { admin, enter } = await office()
    const own = await t.login(admin.email)
    await t.call('PUT', '/settings/supportAccess', { token: own, body: { value: 'disabled' } })
    expect((await enter()).body).toEqual({ error: 'ERR_IMPERSONATION_REFUSED' })
  })

  test('ends at once where the company comes to forbid it', async () => {
    const { admin, agent, enter } = await office()
    const theirs = await office()
    const tokens = [(await enter()).body.token, (await enter({ userId: agent.id, write: true })).body.token] as string[]
    const elsewhere = (await theirs.enter()).body.token as string
    const own = await t.login(admin.email)
    const me = async (as: string) => (await t.call('GET', '/auth/me', { token: as })).status
    const closed = Promise.withResolvers<void>()
    const acting = await t.deps.auth.byToken(tokens[1])
    t.deps.hub.join({ send: () => undefined, close: () => closed.resolve() }, acting)
    await t.call('PUT', '/settings/supportAccess', { token: own, body: { value: 'disabled' } })
    await closed.promise
    expect(await Promise.all([...tokens, own, elsewhere].map(me))).toEqual([401, 401, 200, 200])
    const { records } = (await t.call('GET', '/audit?limit=3', { token: own })).body
    expect(records.map(({ action }: any) => action).sort()).toEqual(['create', 'logout', 'logout'])
  })

  test('ends nobody’s session, and is ended by no login of the user', async () => {
    const { admin, enter } = await office()
    const own = await t.login(admin.email)
    const as = (await enter()).body.token as string
    expect((await t.call('GET', '/auth/me', { token: own })).status).toBe(200)
    const again = await t.login(admin.email)
    expect((await t.call('GET', '/auth/me', { token: as })).status).toBe(200)
    expect((await t.call('GET', '/auth/me', { token: again })).body.acting).toBeUndefined()
    expect((await t.call('GET', '/auth/me', { token })).body.id).toBe(operator.id)
  })

  test('ends after thirty minutes, and nothing renews it', async () => {
    const { enter } = await office()
    const answer = await enter()
    expect(answer.headers.getSetCookie()).toEqual([])
    const as = answer.body.token as string
    t.clock.advance(29 * 60_000)
    token = await t.login(operator.email)
    const fresh = await enter()
    // The operator has signed in anew: what hung on the session before has ended with it.
    expect((await t.call('GET', '/auth/me', { token: as })).status).toBe(401)
    t.clock.advance(14 * 60_000)
    expect((await t.call('GET', '/auth/me', { token: fresh.body.token })).status).toBe(200)
    t.clock.advance(16 * 60_000 + 1_000)
    expect((await t.call('GET', '/auth/me', { token: fresh.body.token })).status).toBe(403)
    expect((await t.call('POST', '/auth/refresh_token', { token: fresh.body.token })).status).toBe(401)
    token = await t.login(operator.email)
  })

  test('ends by its own end, which leaves the cookie of the browser alone', async () => {
    const { enter } = await office()
    const as = (await enter()).body.token as string
    const login = await t.call('POST', '/auth/login', { body: { email: operator.email, password: PASSWORD } })
    token = login.body.token
    const renewed = (await enter()).body.token as string
    const cookie = login.headers
      .getSetCookie()
      .find((one) => one.startsWith('jrt='))!
      .split(';')[0]!
    const ended = await t.call('DELETE', '/auth/logout', { token: renewed, headers: { cookie } })
    expect(ended.headers.getSetCookie()).toEqual([])
    for (const gone of [as, renewed]) expect((await t.call('GET', '/auth/me', { token: gone })).status).toBe(401)
    expect((await t.call('POST', '/auth/refresh_token', { headers: { cookie } })).body.user.id).toBe(operator.id)
  })

  test('ends with the operator’s own session, and by the user’s word', async () => {
    const { admin, enter } = await office()
    const as = (await enter()).body.token as string
    const own = await t.login(admin.email)
    const { sessions } = (await t.call('GET', '/auth/sessions', { token: own })).body
    const theirs = sessions.find(({ operator: by }: any) => by)
    expect(theirs).toMatchObject({ operator: { name: 'Olga Operadora', reason: REASON }, endedBy: null })
    expect((await t.call('DELETE', `/auth/sessions/${theirs.id}`, { token: own })).status).toBe(200)
    expect((await t.call('GET', '/auth/me', { token: as })).status).toBe(401)

    const second = (await enter()).body.token as string
    await t.call('DELETE', '/auth/logout', { token })
    expect((await t.call('GET', '/auth/me', { token: second })).status).toBe(401)
    token = await t.login(operator.email)
  })

  test('is asked for no second factor of the user, and stays in the operator’s networks', async () => {
    const { admin, enter } = await office()
    const own = await t.login(admin.email)
    const from = (address: string) => ({ 'x-forwarded-for': address })
    await t.call('PUT', '/settings/ipAllowList', {
      token: own,
      body: { value: '203.0.113.0/24' },
      headers: from('203.0.113.7'),
    })
    await t.call('PUT', '/settings/require2fa', { token: own, body: { value: 'all' }, headers: from('203.0.113.7') })
    t.clock.advance(8 * 24 * 3600_000)
    token = await t.login(operator.email)
    const { body } = await enter()
    expect(body.user.twoFactor.requiredFrom).toBeNull()
    const me = (address: string) => t.call('GET', '/auth/me', { token: body.token, headers: from(address) })
    expect((await me('198.51.100.1')).status).toBe(200)
    await t.call('PUT', '/settings/ipAllowList', {
      token,
      body: { value: '198.51.100.0/24' },
      headers: from('198.51.100.1'),
    })
    t.clock.advance(6_000)
    expect((await me('192.0.2.1')).body).toEqual({ error: 'ERR_IP_REFUSED' })
    expect((await me('198.51.100.1')).status).toBe(200)
    await t.call('PUT', '/settings/ipAllowList', { token, body: { value: '' }, headers: from('198.51.100.1') })
  })

  test('is told to the company’s admins, and stands in both audit logs with what was done', async () => {
    const { admin, agent, enter, company } = await office()
    const as = (await enter({ write: true })).body.token as string
    await t.call('POST', '/tags', { token: as, body: { name: 'Do suporte' } })
    await t.call('DELETE', '/auth/logout', { token: as })
    const own = await t.login(admin.email)
    const { records } = (await t.call('GET', '/audit?limit=20', { token: own })).body
    const by = { id: operator.id, name: 'Olga Operadora', reason: REASON }
    expect(
      records.slice(1, 4).map(({ action, entity, actorName, operator: who }: any) => [action, entity, actorName, who]),
    ).toEqual([
      ['logout', 'session', 'Ana Admin', by],
      ['create', 'tag', 'Ana Admin', by],
      ['impersonate', 'session', 'Ana Admin', by],
    ])
    const house = (await t.call('GET', '/audit?limit=20&action=impersonate', { token })).body.records
    expect(house[0]).toMatchObject({
      ...{ actorId: operator.id, entity: 'company', entityId: String(company.id) },
      after: { userId: admin.id, reason: REASON, readOnly: false },
    })
    const told = async (email: string) =>
      (await t.call('GET', '/announcements/list', { token: await t.login(email) })).body.records.map(
        ({ text }: any) => text,
      )
    expect((await told(admin.email)).join()).toContain(`Olga Operadora entrou em nome de Ana Admin`)
    expect((await told(admin.email)).join()).toContain(REASON)
    expect(await told(agent.email)).toEqual([])
    const elsewhere = await office()
    expect(await told(elsewhere.admin.email)).toEqual([])
  })

  test('leaves a notice that it can neither rewrite nor take back while it is told', async () => {
    const { admin, enter } = await office()
    await enter()
    const records = async () =>
      (await t.call('GET', '/announcements/list', { token: await t.login(admin.email) })).body.records as any[]
    const [notice] = await records()
    const form = new FormData()
    form.set('file', new File([new Uint8Array([1])], 'a.png', { type: 'image/png' }))
    const path = `/announcements/${notice.id}`
    for (const [method, to, how] of [
      ['PUT', path, { body: { text: 'Nada aconteceu' } }],
      ['PUT', path, { body: { status: false } }],
      ['PUT', path, { body: { endsAt: '2020-01-01T00:00:00Z' } }],
      ['PUT', path, { body: { companyIds: [] } }],
      ['POST', `${path}/media-upload`, { form }],
      ['DELETE', `${path}/media-upload`, {}],
      ['DELETE', path, {}],
    ] as const)
      expect([method, to, (await t.call(method, to, { token, ...how })).body.error]).toEqual([
        ...[method, to, 'ERR_ANNOUNCEMENT_KEPT'],
      ])
    expect(await records()).toEqual([notice])
    const now = t.clock.now
    t.clock.advance(8 * 24 * 3600_000)
    const later = await t.login(operator.email)
    expect((await t.call('PUT', path, { token: later, body: { endsAt: null } })).body.error).toBe(
      'ERR_ANNOUNCEMENT_KEPT',
    )
    expect((await t.call('DELETE', path, { token: later })).status).toBe(200)
    t.clock.now = now
    token = await t.login(operator.email)
  })

  test('is not taken for the user: they are not shown as here', async () => {
    const { agent, enter, company } = await office()
    const as = (await enter({ userId: agent.id, write: true })).body.token as string
    const frames: string[] = []
    const socket = t.deps.hub.join(
      { send: (text) => void frames.push(text), close: () => undefined },
      await t.deps.auth.byToken(as),
    )
    await socket.receive({ event: 'userStatus', data: {} })
    const { users } = (
      await t.call('GET', '/users', { token: await t.login((await t.eg.user(company.id, { profile: 'admin' })).email) })
    ).body
    expect(users.find(({ id }: any) => id === agent.id).online).toBe(false)
    expect(frames.join()).not.toContain('ERR_')
    socket.leave()
  })
})
