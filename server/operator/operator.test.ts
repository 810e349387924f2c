import { learnStandstills } from '../jobs/standstills.ts'
import { createLogger } from '../log.ts'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import { newId } from '../../schema/ids.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'

let t: TestApp
let operator: string
let stranger: string
let otherId: number
const TOKEN = 'what-prometheus-says'
const lines: Record<string, unknown>[] = []

beforeAll(async () => {
  t = await testApp({ metricsToken: TOKEN, log: (line) => lines.push(line) })
  const first = await t.eg.company()
  expect(first.id).toBe(OPERATOR_COMPANY_ID)
  operator = await t.login((await t.eg.user(first.id, { profile: 'admin', super: true })).email)
  const other = await t.eg.company({ plan: { users: 2, connections: 10, queues: 10 } })
  otherId = other.id
  stranger = await t.login((await t.eg.user(other.id, { profile: 'admin' })).email)
})
afterAll(() => t.close())

const get = (path: string) => t.call('GET', `/operator${path}`, { token: operator })

test('only the operator sees the installation', async () => {
  for (const path of [
    'system',
    'usage',
    'connections',
    'jobs',
    'plan-warnings',
    'usage/companies',
    'usage/companies/1',
  ]) {
    expect((await t.call('GET', `/operator/${path}`, { token: stranger })).body.error).toBe('ERR_NO_SUPER')
    expect((await t.call('GET', `/operator/${path}`)).status).toBe(401)
  }
})

test('the connections of all companies are there page by page, and those that need somebody by themselves', async () => {
  const made = []
  for (const [status, wanted] of [
    ['CONNECTED', true],
    ['PENDING', true],
    ['DISCONNECTED', false],
  ] as const)
    made.push(await t.eg.whatsapp(otherId, { status, wanted, greetingMessage: 'said to customers' }))
  const ids = made.map(({ id }) => id)
  await t.database
    .sql`INSERT INTO jobs (kind, payload, "whatsappId", "runAt") VALUES ('whatsapp.send', '{}', ${ids[0]!}, now() + interval '1 hour')`
  const first = (await get('/connections?limit=2')).body
  expect(first.records.map(({ id }: { id: number }) => id)).toEqual(ids.slice(0, 2))
  expect(first.records[0].jobs).toEqual({ waiting: 1, failed: 0 })
  const second = (await get(`/connections?limit=2&cursor=${first.nextCursor}`)).body
  expect(second).toMatchObject({ records: [{ id: ids[2], company: { id: otherId } }], nextCursor: null })
  expect((await get('/connections?state=broken')).body.records.map(({ id }: { id: number }) => id)).toEqual([ids[1]])
  expect(JSON.stringify([first, second])).not.toContain('said to customers')
  expect(JSON.stringify([first, second])).not.toContain(made[0]!.token)
  expect((await get('/system')).body).toMatchObject({
    version: '5.0.0',
    migrations: { pending: 0 },
    connections: { all: 3, broken: 1 },
    jobs: { waiting: 1 },
  })
  await t.database.sql`DELETE FROM jobs`
})

test('a job that was given up is tried again or forgotten, and never shows what it carries', async () => {
  const failed = async (error: string) => {
    const [row] = await t.database.sql<{ id: number }[]>`
      INSERT INTO jobs ("companyId", kind, payload, "lastError", "failedAt", attempts)
      VALUES (${otherId}, 'push.send', '{"body": "a secret word"}', ${error}, now(), 8) RETURNING id::int`
    return row!.id
  }
  const one = await failed('Failed query: insert …\nparams: a secret word,5511940001835')
  const two = await failed('no such address')
  const { body } = await get('/jobs?limit=1')
  expect(body).toMatchObject({ records: [{ id: two, kind: 'push.send', error: 'no such address' }], nextCursor: two })
  const rest = await get(`/jobs?cursor=${body.nextCursor}`)
  expect(rest.body).toMatchObject({ records: [{ id: one, error: 'Failed query: insert …' }], nextCursor: null })
  expect(JSON.stringify(rest.body)).not.toContain('secret word')

  const act = (method: string, path: string) => t.call(method, `/operator/jobs/${path}`, { token: operator })
  expect((await act('POST', `${one}/retry`)).status).toBe(200)
  expect((await act('DELETE', String(two))).status).toBe(200)
  const left = await t.database.sql`SELECT id::int, attempts, "failedAt" FROM jobs`
  expect([...left] as unknown[]).toEqual([{ id: one, attempts: 0, failedAt: null }])
  // It waits now: there is nothing to try again, and nothing to forget.
  expect((await act('POST', `${one}/retry`)).status).toBe(404)
  expect((await act('DELETE', String(one))).status).toBe(404)
  await t.database.sql`DELETE FROM jobs`
})

test('what made the server stand still is listed with its reason; it can be forgotten, and there is nothing to try again', async () => {
  const told = [{ work: `${otherId} 7/ABC`, worker: '', doing: 'message' }]
  await learnStandstills(t.deps.db, createLogger({ level: 'silent' }), JSON.stringify(told))
  const [row] = (await get('/jobs')).body.records
  expect(row).toMatchObject({ company: { id: otherId }, kind: 'automation.stoodStill', mayRetry: false })
  expect(row.error).toBe('the server stood still while this was under way')
  const act = (method: string, path: string) => t.call(method, `/operator/jobs/${path}`, { token: operator })
  expect((await act('POST', `${row.id}/retry`)).status).toBe(404)
  expect((await get('/jobs')).body.records).toEqual([row])
  expect((await act('DELETE', String(row.id))).status).toBe(200)
  await learnStandstills(t.deps.db, createLogger({ level: 'silent' }), '[]')
})

test('the operator is told of a plan that is nearly full, and of one that is', async () => {
  await t.eg.user(otherId)
  // Counted when it is asked for, and not half an hour before.
  const mine = async () => {
    return (await get('/plan-warnings')).body.records.filter(
      ({ company }: { company: { id: number } }) => company.id === otherId,
    )
  }
  expect(await mine()).toMatchObject([{ what: 'users', used: 2, limit: 2 }])
  for (let n = 3; n < 8; n++) await t.eg.whatsapp(otherId)
  expect(await mine()).toMatchObject([
    { what: 'users', used: 2, limit: 2 },
    { what: 'connections', used: 8, limit: 10 },
  ])
})

test('figures are told to the token alone, can be read by Prometheus, and name no company', async () => {
  expect((await t.call('GET', '/metrics')).status).toBe(401)
  expect((await t.call('GET', '/metrics', { token: operator })).status).toBe(401)
  await t.call('GET', '/version')
  const { body, headers } = await t.call('GET', '/metrics', { token: TOKEN })
  expect(headers.get('content-type')).toContain('text/plain')
  const text = String(body)
  for (const line of text.split('\n').filter(Boolean))
    expect(line).toMatch(/^(# (HELP|TYPE) balcao_\w+ .+|balcao_\w+(\{(\w+="[^"]*",?)+\})? -?([0-9.e+-]+|\+Inf))$/)
  expect(text).toContain('balcao_info{version="5.0.0"} 1')
  expect(text).toContain('balcao_database_up 1')
  expect(text).toMatch(/balcao_http_request_seconds_count\{method="GET",status="2xx"\} [1-9]/)
  expect(text).toMatch(/balcao_route_seconds_count\{method="GET",route="\/version",status="2xx"\} [1-9]/)
  expect(text).toMatch(/balcao_loop_delay_seconds\{of="99 %"\} /)
  expect(text).not.toMatch(/company/i)
})

test('whatever strangers ask for, the figures of calls grow by no more than one line', async () => {
  const lines = async () =>
    String((await t.call('GET', '/metrics', { token: TOKEN })).body)
      .split('\n')
      .filter((line) => line.startsWith('balcao_route_seconds_count')).length
  await t.call('GET', '/no-such-thing')
  await lines()
  const before = await lines()
  for (let n = 0; n < 30; n++) await t.call('GET', `/no-such-thing-${n}?x=${n}`)
  expect(await lines()).toBe(before)
})

test('every answer has the id by which its failure is found in the log', async () => {
  const one = await t.call('GET', '/version')
  const other = await t.call('GET', '/version')
  expect(one.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(other.headers.get('x-request-id')).not.toBe(one.headers.get('x-request-id'))
  const { health } = t.deps
  t.deps.health = () => Promise.reject(new Error('a bug'))
  const failed = await t.call('GET', '/metrics', { token: TOKEN })
  t.deps.health = health
  expect(failed.status).toBe(500)
  const line = lines.find(({ requestId }) => requestId === failed.headers.get('x-request-id'))
  expect(line).toMatchObject({ msg: 'a request failed', path: '/metrics' })
  expect(failed.body.requestId).toBe(failed.headers.get('x-request-id'))
})

test('every line that is written for a call says which, and no other line does', async () => {
  const idOf = ({ headers }: { headers: Headers }) => headers.get('x-request-id')
  const from = lines.length
  // Both are answered at the same time, and written of deep inside.
  const [first, second] = await Promise.all(
    ['um@example.test', 'dois@example.test'].map((email) =>
      t.call('POST', '/auth/login', { body: { email, password: 'errada-mesmo' } }),
    ),
  )
  t.deps.log.info('of no call')
  const written = lines.slice(from)
  expect(written.filter(({ requestId }) => requestId === idOf(first!))).not.toEqual([])
  expect(written.filter(({ requestId }) => requestId === idOf(second!))).not.toEqual([])
  const ids = [idOf(first!), idOf(second!)]
  expect(
    written.filter(({ msg }) => msg !== 'of no call').every(({ requestId }) => ids.includes(String(requestId))),
  ).toBe(true)
  expect(written.find(({ msg }) => msg === 'of no call')).not.toHaveProperty('requestId')
})

test('what somebody may not is written down, with who asked for what', async () => {
  const company = await t.eg.company()
  const agent = await t.eg.user(company.id)
  const token = await t.login(agent.email)
  const from = lines.length
  const refused = () => lines.slice(from).filter((line) => 'refused' in line)
  expect((await t.call('POST', '/queue', { token, body: { name: 'Caixa', color: '#123456' } })).status).toBe(403)
  const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  expect((await t.call('POST', '/auth/login', { body: {}, headers })).status).toBe(403)
  const colleague = await t.eg.user(company.id)
  const command = { id: newId(), name: 'users.setAway', input: { userId: colleague.id, away: true } }
  await t.call('POST', '/commands/batch', { token, body: { commands: [command] } })
  expect(refused()).toMatchObject([
    { refused: 'ERR_NO_PERMISSION', method: 'POST', path: '/queue', user: agent.id, requestId: expect.any(String) },
    { refused: 'ERR_FORBIDDEN', method: 'POST', path: '/auth/login' },
    { refused: 'ERR_NO_PERMISSION', method: 'POST', path: '/commands/batch', user: agent.id },
  ])
  expect(JSON.stringify(refused())).not.toContain('Caixa')
})

test('a day in the log holds no text of anybody, no number and no token', async () => {
  const ticket = await t.eg.ticket(otherId)
  const words = 'palavra que ninguém mais lê'
  const number = '5511987651234'
  await t.eg.contact(otherId, { number })
  const said = {
    id: crypto.randomUUID(),
    name: 'messages.send',
    input: { id: crypto.randomUUID(), ticketId: ticket.id, body: words },
  }
  await t.call('POST', '/commands', { token: stranger, body: said })
  await t.call('POST', '/commands', { token: stranger, body: { ...said, input: { ...said.input, ticketId: -1 } } })
  await t.call('GET', `/contacts?searchParam=${number}`, { token: stranger })
  await t.call('POST', '/contacts', { token: stranger, body: { name: words, number } })
  await t.call('POST', '/auth/login', { body: { email: 'ninguem@example.test', password: words } })
  // What the database refuses comes back with its values.
  await t.database.sql`ALTER TABLE queues RENAME TO queues_away`
  await t.call('POST', '/queue', { token: stranger, body: { name: words, color: '#123123' } })
  await t.database.sql`ALTER TABLE queues_away RENAME TO queues`
  const log = JSON.stringify(lines)
  expect(log).toContain('a request failed')
  for (const secret of [words, number, stranger, operator, TOKEN]) expect(log).not.toContain(secret)
})
