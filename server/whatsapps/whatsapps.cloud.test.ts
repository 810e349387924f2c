import { afterAll, beforeAll, expect, test } from 'bun:test'
import { FakeCloudApi, signatureOf } from '../../tests/fakes/cloud-api/server.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'

let t: TestApp
let fake: FakeCloudApi
beforeAll(async () => {
  fake = await FakeCloudApi.open()
  t = await testApp({ cloudBase: fake.url })
  // The first company is the operator's.
  await t.eg.company()
})
afterAll(async () => {
  await fake.stop()
  await t.close()
})

async function office() {
  const company = await t.eg.company()
  const admin = await t.login((await t.eg.user(company.id, { profile: 'admin' })).email)
  const agent = await t.login((await t.eg.user(company.id)).email)
  const [app, number] = [fake.app(), fake.number()]
  const official = {
    ...{ phoneNumberId: number.id, accountId: number.account, token: fake.token(app, [number.account]) },
    ...{ appSecret: app.secret, verifyToken: 'a-word-of-ours' },
  }
  const make = (more: Record<string, unknown> = {}) =>
    t.call('POST', '/whatsapp', { token: admin, body: { name: 'Oficial', provider: 'official', official, ...more } })
  return { company, admin, agent, app, number, official, make }
}
async function eventually(probe: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 15_000; !probe(); await Bun.sleep(10))
    if (Date.now() > deadline) throw new Error('it never came true')
}

test('an official number becomes a connection; its secrets are never sent back, and its wire never changes', async () => {
  const { admin, agent, official, number, company, make } = await office()
  const made = await make()
  expect(made).toMatchObject({ status: 200, body: { provider: 'official', name: 'Oficial' } })
  const path = `/whatsapp/${made.body.id}/official`
  const shown = await t.call('GET', path, { token: admin })
  expect(shown.body).toEqual({
    ...{ phoneNumberId: number.id, accountId: number.account, version: 'v26.0', coexistence: false, quality: null },
    history: null,
    ...{ webhookPath: expect.stringMatching(/^\/cloud-api\/[\w-]{22}$/), ignored: [] },
  })
  const list = await t.call('GET', '/whatsapp', { token: admin })
  const told = JSON.stringify([made.body, shown.body, list.body, t.emitted.filter((e) => e.companyId === company.id)])
  for (const secret of [official.token, official.appSecret, official.verifyToken]) expect(told).not.toContain(secret)
  expect((await t.call('GET', path, { token: agent })).body.error).toBe('ERR_NO_PERMISSION')
  const changed = await t.call('PUT', `/whatsapp/${made.body.id}`, { token: admin, body: { provider: 'beta' } })
  expect(changed.body.error).toBe('ERR_VALIDATION')
})

test('without what it is reached by there is no official number, and no other connection has that', async () => {
  const { admin, official } = await office()
  for (const body of [{ provider: 'official' }, { provider: 'beta', official }, { official }])
    expect(
      (await t.call('POST', '/whatsapp', { token: admin, body: { name: 'Oficial', ...body } })).body,
    ).toMatchObject({
      ...{ error: 'ERR_VALIDATION', fields: [{ path: 'body/official' }] },
    })
})

test('only who can read a number at the service may have it, and only once', async () => {
  const first = await office()
  const thief = await office()
  const stolen = { ...thief.official, phoneNumberId: first.number.id }
  expect((await thief.make({ official: stolen })).body).toMatchObject({
    error: 'ERR_CLOUD_REFUSED',
    failure: 'request',
  })
  expect((await thief.make({ official: { ...thief.official, token: 'EAAinvented' } })).body).toMatchObject({
    ...{ error: 'ERR_CLOUD_REFUSED', failure: 'token' },
  })
  expect((await first.make()).status).toBe(200)
  expect((await first.make({ name: 'Outra vez' })).body.error).toBe('ERR_CLOUD_TAKEN')
})

test('the values are tried against the service: each refusal has its name, and what the number is like is told', async () => {
  const { admin, agent, official, number, app, make } = await office()
  const check = (body: Record<string, unknown>, token = admin) =>
    t.call('POST', '/whatsapp-official/check', { token, body }).then((reply) => reply.body)
  const { verifyToken: _word, ...values } = official
  expect(await check(values)).toEqual({
    ...{
      failure: null,
      refused: null,
      code: null,
      details: '',
      missing: [],
      appId: app.id,
      number: number.display,
      name: 'Padaria',
    },
    ...{ quality: 'GREEN', throughput: 'STANDARD', limit: 'TIER_250', canSend: 'AVAILABLE', problems: [] },
    ...{ isSubscribed: false, webhook: { address: null, isHere: false, missing: [] }, portfolioId: null },
  })
  expect(await check({ ...values, token: 'EAAinvented' })).toMatchObject({
    ...{ failure: 'token', refused: 'token', code: 190 },
  })
  const half = fake.token(app, [number.account], ['whatsapp_business_messaging'])
  expect(await check({ ...values, token: half })).toMatchObject({
    ...{ failure: 'permission', refused: 'token', missing: ['whatsapp_business_management'] },
  })
  expect(await check({ ...values, phoneNumberId: '1' })).toMatchObject({
    ...{ failure: 'request', refused: 'phoneNumberId', code: 100 },
  })
  expect(await check({ ...values, accountId: '1' })).toMatchObject({ failure: 'request', refused: 'accountId' })
  expect(await check({ ...values, version: 'v26.5' })).toMatchObject({ failure: 'unknown', refused: 'version' })
  expect(await check({ ...values, appSecret: 'of-another-app' })).toMatchObject({
    ...{ failure: 'secret', refused: 'appSecret', number: number.display },
  })
  expect(await check(values, agent)).toMatchObject({ error: 'ERR_NO_PERMISSION' })

  const { body: made } = await make()
  const post = (what: string, body?: unknown) =>
    t.call('POST', `/whatsapp/${made.id}/official/${what}`, { token: admin, body }).then((reply) => reply.body)
  expect(await post('check', {})).toMatchObject({ failure: null, isSubscribed: false, number: number.display })
  expect(await post('check', { token: 'EAAinvented' })).toMatchObject({ failure: 'token', refused: 'token' })
  expect(await post('subscribe')).toMatchObject({ failure: null, isSubscribed: true })
  expect(await post('register', { pin: '12' })).toMatchObject({ error: 'ERR_VALIDATION' })
  await post('register', { pin: '123456' })
  expect(number).toMatchObject({ isRegistered: true, pin: '123456' })
  expect(await post('register', { pin: '654321' })).toMatchObject({
    ...{ error: 'ERR_CLOUD_REFUSED', failure: 'registration', code: 133005 },
  })
})

test('whether its webhook is reached, what is not told, how many it may write to and what keeps it from that is told', async () => {
  const { admin, official, number, app, make } = await office()
  const { body: made } = await make()
  const post = (what: string, body?: unknown) =>
    t.call('POST', `/whatsapp/${made.id}/official/${what}`, { token: admin, body }).then((reply) => reply.body)
  const { webhookPath } = (await t.call('GET', `/whatsapp/${made.id}/official`, { token: admin })).body
  app.callback = { url: `https://balcao.example${webhookPath}`, verifyToken: official.verifyToken }
  app.fields = ['messages', 'message_template_status_update']
  expect((await post('check', {})).webhook).toEqual({
    ...{ address: app.callback.url, isHere: true },
    missing: [
      ...['calls', 'user_preferences', 'account_update', 'message_template_quality_update'],
      ...['message_template_components_update', 'template_category_update'],
      ...['phone_number_quality_update', 'phone_number_name_update'],
    ],
  })
  expect((await post('check', { coexistence: true })).webhook.missing).toContain('smb_message_echoes')
  // The app tells another server of ours.
  app.callback.url = 'https://outro.example/cloud-api/abc'
  expect((await post('check', {})).webhook).toMatchObject({ address: app.callback.url, isHere: false })
  const error = { error_code: 141006, error_description: 'There is no payment method', possible_solution: 'Add one' }
  Object.assign(number, { health: 'BLOCKED', limit: 'TIER_2K', errors: [error] })
  expect(await post('check', {})).toMatchObject({
    ...{ failure: null, canSend: 'BLOCKED', limit: 'TIER_2K' },
    problems: [{ of: 'PHONE_NUMBER', code: 141006, cause: 'There is no payment method', remedy: 'Add one' }],
  })
})

test('of several servers behind one app the one that asks for it is told of its account', async () => {
  const { admin, app, number, make } = await office()
  const { body: made } = await make()
  const { webhookPath } = (await t.call('GET', `/whatsapp/${made.id}/official`, { token: admin })).body
  // What the service calls when it asks for the address, answered by this server as its own web would.
  const asked: string[] = []
  const web = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    fetch: (request) => {
      asked.push(new URL(request.url).pathname)
      return t.app.handle(new Request(request.url.replace(/^http:\/\/[^/]+/, 'http://localhost'), request))
    },
  })
  try {
    app.callback = { url: 'http://127.0.0.1:1/cloud-api/outro', verifyToken: 'x' }
    const here = `http://127.0.0.1:${web.port}`
    await t.deps.official.subscribe(made.id, here)
    expect(asked).toEqual([webhookPath])
    const state = (await t.call('POST', `/whatsapp/${made.id}/official/check`, { token: admin, body: {} })).body
    expect(state).toMatchObject({ isSubscribed: true, webhook: { address: `${here}${webhookPath}`, isHere: true } })
    const before = asked.length
    await fake.text(fake.person(), number, 'oi')
    await eventually(() => asked.length > before)
    expect(asked.at(-1)).toBe(webhookPath)
  } finally {
    await web.stop(true)
  }
  // A server that the service does not reach, it refuses to tell.
  const refused = await t.call('POST', `/whatsapp/${made.id}/official/subscribe`, {
    token: admin,
    body: { here: true },
  })
  expect(refused.body).toMatchObject({ error: 'ERR_CLOUD_REFUSED', code: 100 })
})

test('numbers of one owner share what people are known by; where that cannot be read each account stands for itself', async () => {
  const first = await office()
  const accounts = [first.number.account, fake.number().account]
  for (const account of accounts) fake.portfolios.set(account, '506914307656634')
  const rights = ['whatsapp_business_messaging', 'whatsapp_business_management', 'business_management']
  const add = async (account: string, scopes: string[]) => {
    const number = fake.number(account)
    const token = fake.token(first.app, [account], scopes)
    const official = { ...first.official, phoneNumberId: number.id, accountId: account, token }
    const made = await first.make({ name: `Oficial ${number.id}`, official })
    const [row] = await t.database.sql<{ portfolioId: string | null }[]>`
      SELECT "portfolioId" FROM cloud_numbers WHERE "whatsappId" = ${made.body.id}`
    return row!.portfolioId
  }
  expect(await add(accounts[0]!, rights)).toBe('506914307656634')
  expect(await add(accounts[1]!, rights)).toBe('506914307656634')
  // As the numbers of the same account do.
  expect(await add(accounts[1]!, rights.slice(0, 2))).toBe('506914307656634')
  const third = fake.number().account
  expect(await add(third, rights.slice(0, 2))).toBeNull()
  fake.portfolios.set(third, '506914307656634')
  expect(await add(third, rights)).toBeNull()
})

test('a number that was added before its owner could be read learns it at the next look, and nobody becomes two', async () => {
  const [portfolioId, { sql }] = ['506914307656635', t.database]
  const first = await office()
  const companyId = first.company.id
  const old = (await first.make()).body.id
  const account = fake.number().account
  fake.portfolios.set(account, portfolioId)
  const rights = ['whatsapp_business_messaging', 'whatsapp_business_management', 'business_management']
  const known = fake.number(account)
  const official = { ...first.official, phoneNumberId: known.id, accountId: account }
  await first.make({ name: 'Outra', official: { ...official, token: fake.token(first.app, [account], rights) } })
  const person = async (name: string, ids: [scope: string, value: string, since: string][], number?: string) => {
    const [row] = await sql<{ id: number }[]>`INSERT INTO contacts ("companyId", "name", "number")
      VALUES (${companyId}, ${name}, ${number ?? null}) RETURNING "id"`
    for (const [scope, value, since] of ids)
      await sql`INSERT INTO contact_aliases ("companyId", "contactId", "kind", "scope", "value", "since")
        VALUES (${companyId}, ${row!.id}, 'bsuid', ${scope}, ${value}, ${since})`
    return row!.id
  }
  const own = first.number.account
  const day = (n: number) => `2026-11-0${n}T12:00:00Z`
  const ana = await person('Ana', [[own, 'BR.ANA', day(1)]])
  // Over the other number she had written, too, and was another contact.
  const bia = await person('Bia', [[own, 'BR.BIA', day(2)]], '5511988880001')
  await person('Bia de novo', [[portfolioId, 'BR.BIA', day(1)]])
  // She has another id since.
  const cris = await person('Cris', [
    [own, 'BR.CRIS', day(1)],
    [portfolioId, 'BR.CRIS2', day(3)],
  ])
  fake.portfolios.set(own, portfolioId)
  const look = () => t.call('POST', `/whatsapp/${old}/official/check`, { token: first.admin, body: {} })
  await look()
  const people = async () => {
    const rows = await sql<{ id: number; scope: string; value: string; isOver: boolean }[]>`
      SELECT c."id", a."scope", a."value", a."until" IS NOT NULL AS "isOver" FROM contacts c
      JOIN contact_aliases a ON a."contactId" = c."id" WHERE c."companyId" = ${companyId} ORDER BY c."id", a."value"`
    return rows.map(({ id, scope, value, isOver }) => [id, scope, value, isOver])
  }
  // The token may not read it yet.
  expect((await people()).filter(([, scope]) => scope === own)).toHaveLength(3)
  fake.tokens.get(first.official.token)!.scopes.push('business_management')
  await look()
  const after = await people()
  expect(after).toEqual([
    [ana, portfolioId, 'BR.ANA', false],
    [bia, portfolioId, 'BR.BIA', false],
    [cris, portfolioId, 'BR.CRIS', true],
    [cris, portfolioId, 'BR.CRIS2', false],
  ])
  const [row] = await sql<
    { portfolioId: string }[]
  >`SELECT "portfolioId" FROM cloud_numbers WHERE "whatsappId" = ${old}`
  expect(row).toEqual({ portfolioId })
  await look()
  expect(await people()).toEqual(after)
  expect(await sql`SELECT "id" FROM contacts WHERE "companyId" = ${companyId}`).toHaveLength(3)
})

test('what is changed of it is audited without its secrets; the address stays, and the old secret signs nothing any more', async () => {
  const { admin, official, app, number, make } = await office()
  const { body: made } = await make()
  const path = `/whatsapp/${made.id}/official`
  const { webhookPath } = (await t.call('GET', path, { token: admin })).body
  const post = (secret: string, id: string) => {
    const value = {
      ...{ metadata: { phone_number_id: number.id } },
      messages: [{ from: '5511912345678', id, timestamp: '1764417600', type: 'text', text: { body: 'oi' } }],
    }
    const raw = JSON.stringify({
      ...{ object: 'whatsapp_business_account', entry: [{ id: '1', changes: [{ field: 'messages', value }] }] },
    })
    return t.call('POST', webhookPath, { raw, headers: { 'x-hub-signature-256': signatureOf(secret, raw) } })
  }
  const heard = (id: string) => t.heard.some((event) => 'wid' in event && event.wid === id)
  expect((await post(app.secret, 'wamid.1')).status).toBe(200)
  await eventually(() => heard('wamid.1'))
  const next = 'another-secret-of-the-app'
  const changed = await t.call('PUT', path, { token: admin, body: { appSecret: next, version: 'v27.0' } })
  expect(changed.body).toMatchObject({ version: 'v27.0', webhookPath })
  expect((await post(app.secret, 'wamid.2')).body.error).toBe('ERR_API_TOKEN')
  expect((await post(next, 'wamid.3')).status).toBe(200)
  await eventually(() => heard('wamid.3'))
  expect(heard('wamid.2')).toBe(false)
  expect(t.asked.some(([what, id]) => what === 'start' && id === made.id)).toBe(true)
  const log = JSON.stringify((await t.call('GET', '/audit', { token: admin })).body)
  expect(log).toContain('v27.0')
  for (const secret of [next, official.token, official.verifyToken]) expect(log).not.toContain(secret)
})

test('the webhook answers the service alone, takes three megabytes, and no more', async () => {
  const { admin, app, make } = await office()
  const { body: made } = await make()
  const { webhookPath } = (await t.call('GET', `/whatsapp/${made.id}/official`, { token: admin })).body
  const ask = (word: string, challenge = '1158201444') =>
    t.call('GET', `${webhookPath}?hub.mode=subscribe&hub.challenge=${challenge}&hub.verify_token=${word}`)
  const right = await ask('a-word-of-ours')
  expect([right.status, right.headers.get('content-type'), right.body]).toEqual([
    200,
    'text/plain; charset=utf-8',
    1158201444,
  ])
  for (const reply of [await ask('guess'), await ask(''), await ask('a-word-of-ours', '%3Cscript%3E')])
    expect(reply.status).toBe(404)
  const send = (raw: string) =>
    t.call('POST', webhookPath, { raw, headers: { 'x-hub-signature-256': signatureOf(app.secret, raw) } })
  expect((await send(`{"object":"whatsapp_business_account","entry":[],"x":"${'a'.repeat(3_000_000)}"}`)).status).toBe(
    200,
  )
  expect((await send('a'.repeat(3_300_000))).body.error).toBe('ERR_BODY_TOO_LARGE')
  expect((await send('')).status).toBe(200)
  expect((await t.call('POST', webhookPath, { raw: '{}' })).body.error).toBe('ERR_API_TOKEN')
})

test('of the phone that shares the number it is asked once; why the service gives nothing stands there, and it is asked again', async () => {
  const { admin, agent, number, official, make } = await office()
  const { body: made } = await make({ official: { ...official, coexistence: true } })
  const path = `/whatsapp/${made.id}/official`
  const post = (what: string, token = admin) => t.call('POST', `${path}/${what}`, { token }).then((reply) => reply.body)
  const state = async () => (await t.call('GET', path, { token: admin })).body.history.state
  number.past = { asked: [], book: new Map(), threads: new Map(), isLate: true }
  // That it gives nothing of before does not keep it from telling what is new.
  expect(await post('subscribe')).toMatchObject({ failure: null, isSubscribed: true })
  expect(await state()).toBe('late')
  expect(await post('history')).toMatchObject({ error: 'ERR_CLOUD_REFUSED', failure: 'history', code: 2_593_108 })
  expect((await post('history', agent)).error).toBe('ERR_NO_PERMISSION')
  number.past.isLate = false
  // Its answer to the first was lost: what was asked for before is on its way.
  number.past.asked.push('smb_app_state_sync')
  expect(await post('history')).toMatchObject({ coexistence: true, history: { state: 'asked', count: 0, waiting: 0 } })
  expect(number.past.asked).toEqual(['smb_app_state_sync', 'history'])
  expect(await post('history')).toMatchObject({ history: { state: 'asked' } })

  const { admin: other, make: makeAnother } = await office()
  const { body: alone } = await makeAnother()
  const asked = await t.call('POST', `/whatsapp/${alone.id}/official/history`, { token: other })
  expect(asked.body.error).toBe('ERR_NOT_FOUND')
})

test('a campaign over it does not begin without a template', async () => {
  const { admin, make } = await office()
  const { body: made } = await make()
  const campaign = { name: 'Promoção', message1: 'Bolo hoje', whatsappId: made.id }
  const { body } = await t.call('POST', '/campaigns', { token: admin, body: campaign })
  expect((await t.call('POST', `/campaigns/${body.id}/start`, { token: admin })).body).toMatchObject({
    error: 'ERR_CAMPAIGN_TEMPLATE',
  })
})

test('a connection that is deleted is heard of no more, and its number may be another’s', async () => {
  const { admin, make } = await office()
  const { body: made } = await make()
  const { webhookPath } = (await t.call('GET', `/whatsapp/${made.id}/official`, { token: admin })).body
  await t.call('DELETE', `/whatsapp/${made.id}`, { token: admin })
  expect((await t.call('POST', webhookPath, { raw: '{}' })).status).toBe(404)
  expect((await make({ name: 'De novo' })).status).toBe(200)
})
