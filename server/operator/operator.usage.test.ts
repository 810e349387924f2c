import { afterAll, beforeAll, expect, test } from 'bun:test'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { countUsage, listUsage } from './operator.usage.ts'

let t: TestApp
let companyId: number
let ticket: { id: number; contactId: number }

beforeAll(async () => {
  t = await testApp()
  const first = await t.eg.company({ timeZone: 'America/Sao_Paulo' })
  expect(first.id).toBe(OPERATOR_COMPANY_ID)
  companyId = (await t.eg.company()).id
  ticket = await t.eg.ticket(companyId)
  await t.database.sql`DELETE FROM ticket_trackings`
  await t.database.sql`UPDATE users SET "lastSeenAt" = NULL`
  await t.database.sql`UPDATE whatsapps SET status = 'DISCONNECTED'`
})
afterAll(() => t.close())

let serial = 0
const say = (at: string, fromMe: boolean) => t.database.sql`
  INSERT INTO messages (id, "companyId", "ticketId", "contactId", "fromMe", body, "createdAt")
  VALUES (${`m${++serial}`}, ${companyId}, ${ticket.id}, ${ticket.contactId}, ${fromMe}, 'x', ${at})`
const begin = (at: string) => t.database.sql`
  INSERT INTO ticket_trackings ("companyId", "ticketId", "createdAt", "finishedAt") VALUES (${companyId}, ${ticket.id}, ${at}, ${at})`
const count = (at: string) => countUsage(t.database.db, new Date(at))
const dayOf = async (day: string, at = '2031-03-20T12:00:00Z') =>
  (await listUsage(t.database.db, { days: 366 }, new Date(at))).records.find((row) => row.day === day)

test('a day of the operator’s zone is counted once it has begun, and once more when it is over', async () => {
  // In São Paulo, three hours behind, it is still the 9th.
  await say('2031-03-10T02:59:00Z', false)
  await say('2031-03-10T03:00:00Z', false)
  await say('2031-03-10T11:00:00Z', true)
  await begin('2031-03-10T11:00:00Z')
  await count('2031-03-10T12:00:00Z')
  expect(await dayOf('2031-03-09')).toMatchObject({ messagesIn: 1, messagesOut: 0, tickets: 0 })
  expect(await dayOf('2031-03-10')).toMatchObject({
    ...{ day: '2031-03-10', companies: 2, activeUsers: 0, messagesIn: 1, messagesOut: 1, tickets: 1, connections: 0 },
  })

  await say('2031-03-10T23:30:00Z', true)
  await count('2031-03-10T23:58:00Z')
  await count('2031-03-10T23:58:00Z')
  expect(await dayOf('2031-03-10')).toMatchObject({ messagesIn: 1, messagesOut: 2 })

  // Over since three: what came after the last count is counted, and from then on nothing changes it.
  await say('2031-03-11T02:30:00Z', false)
  await count('2031-03-11T03:28:00Z')
  expect(await dayOf('2031-03-10')).toMatchObject({ messagesIn: 2, messagesOut: 2 })
  await t.database.sql`DELETE FROM messages WHERE "createdAt" < '2031-03-11T03:00:00Z'`
  await count('2031-03-11T12:00:00Z')
  expect(await dayOf('2031-03-10')).toMatchObject({ messagesIn: 2, messagesOut: 2 })
})

test('nothing is counted of the time before the installation began', async () => {
  await t.database.sql`DELETE FROM usage_days`
  const began = '2031-03-09T12:00:00Z'
  await t.database.sql`UPDATE companies SET "createdAt" = ${began} WHERE id = ${OPERATOR_COMPANY_ID}`
  await count('2031-03-10T12:00:00Z')
  const { records } = await listUsage(t.database.db, { days: 366 }, new Date('2031-03-10T12:00:00Z'))
  expect(records.map(({ day }) => day)).toEqual(['2031-03-09', '2031-03-10'])
})

test('who was there and what was linked stays counted when they go', async () => {
  const person = await t.eg.user(companyId)
  await t.eg.whatsapp(companyId, { status: 'CONNECTED' })
  await t.database.sql`UPDATE users SET "lastSeenAt" = '2031-03-12T14:00:00Z' WHERE id = ${person.id}`
  await count('2031-03-12T14:28:00Z')
  expect(await dayOf('2031-03-12')).toMatchObject({ activeUsers: 1, connections: 1 })
  await t.database.sql`UPDATE users SET "lastSeenAt" = '2031-03-13T14:00:00Z' WHERE id = ${person.id}`
  await t.database.sql`UPDATE whatsapps SET status = 'DISCONNECTED'`
  await count('2031-03-13T14:28:00Z')
  expect(await dayOf('2031-03-12')).toMatchObject({ activeUsers: 1, connections: 1 })
  expect(await dayOf('2031-03-13')).toMatchObject({ activeUsers: 1, connections: 0 })
})

test('days on which no server ran have their messages, and say nothing of who was there', async () => {
  await say('2031-03-15T15:00:00Z', false)
  await count('2031-03-17T12:00:00Z')
  expect(await dayOf('2031-03-15')).toMatchObject({ messagesIn: 1, activeUsers: null, connections: null })
})

test('the operator reads it by day, and as a file', async () => {
  t.clock.now = new Date('2031-03-17T13:00:00Z')
  const operator = await t.login((await t.eg.user(OPERATOR_COMPANY_ID, { super: true, profile: 'admin' })).email)
  const call = (path: string) => t.call('GET', path, { token: operator })
  const { body } = await call('/operator/usage?days=3')
  expect(body.records.map(({ day }: { day: string }) => day)).toEqual(['2031-03-15', '2031-03-16', '2031-03-17'])
  expect(body.countedAt).toBe('2031-03-17T12:00:00.000Z')
  const named = await call('/operator/usage?days=3&format=csv&language=pt')
  expect(String(named.body).trimStart().split('\r\n')[0]).toBe(
    'dia,empresas,usuários ativos,mensagens recebidas,mensagens enviadas,atendimentos,conexões',
  )
  const file = await call('/operator/usage?days=3&format=csv')
  expect(file.headers.get('content-type')).toContain('text/csv')
  const lines = String(file.body).replace('\uFEFF', '').trim().split('\r\n')
  expect(lines.slice(0, 2)).toEqual([
    'day,companies,activeUsers,messagesIn,messagesOut,tickets,connections',
    '2031-03-15,2,,1,0,0,',
  ])
  expect(lines).toHaveLength(4)
  expect((await call('/operator/usage?days=400')).body.error).toBe('ERR_VALIDATION')
})

test('the operator reads between two days, of all and of one company', async () => {
  t.clock.now = new Date('2031-03-17T13:00:00Z')
  const operator = await t.login((await t.eg.user(OPERATOR_COMPANY_ID, { super: true, profile: 'admin' })).email)
  const days = async (path: string) => {
    const { body } = await t.call('GET', `/operator/usage${path}`, { token: operator })
    return body.records?.map(({ day }: { day: string }) => day) ?? body.error
  }
  expect(await days('?from=2031-03-14&to=2031-03-15')).toEqual(['2031-03-14', '2031-03-15'])
  // One end is enough; the other is today, or the month before.
  expect(await days('?from=2031-03-16')).toEqual(['2031-03-16', '2031-03-17'])
  expect((await days('?to=2031-03-15')).at(-1)).toBe('2031-03-15')
  expect(await days(`/companies/${companyId}?from=2031-03-14&to=2031-03-15`)).toEqual(['2031-03-14', '2031-03-15'])
  expect(await days(`/companies/${companyId}?to=2031-03-15&days=2`)).toEqual(['2031-03-14', '2031-03-15'])
  for (const wrong of ['?from=2031-02-31', '?from=2031-03-15&to=2031-03-14', '?from=2029-01-01', '?from=x'])
    expect([wrong, await days(wrong), await days(`/companies/${companyId}${wrong}`)]).toEqual([
      wrong,
      'ERR_VALIDATION',
      'ERR_VALIDATION',
    ])
})

test('each company is told with what it did, in the order that is wished, page by page, and by name', async () => {
  const quiet = await t.eg.company({ name: 'Quieta' })
  const busy = await t.eg.company({ name: 'Ótica Sol' })
  const talk = await t.eg.ticket(busy.id, { status: 'open' })
  await t.eg.whatsapp(busy.id, { status: 'CONNECTED' })
  for (let n = 0; n < 3; n++)
    await t.database.sql`
      INSERT INTO messages (id, "companyId", "ticketId", "contactId", "fromMe", body, "createdAt", "mediaSize")
      VALUES (${`b${n}`}, ${busy.id}, ${talk.id}, ${talk.contactId}, ${n === 2}, 'a secret', '2031-03-17T10:00:00Z', 1000)`
  await count('2031-03-17T13:28:00Z')
  t.clock.now = new Date('2031-03-17T13:30:00Z')
  const operator = await t.login((await t.eg.user(OPERATOR_COMPANY_ID, { super: true, profile: 'admin' })).email)
  const call = async (path: string) =>
    (await t.call('GET', `/operator/usage/companies${path}`, { token: operator })).body

  const { records } = await call('?order=mediaBytes')
  expect(records[0]).toMatchObject({
    ...{ company: { id: busy.id, name: 'Ótica Sol' }, messagesIn: 2, messagesOut: 1, mediaBytes: 3000 },
    ...{ openTickets: 1, linked: 1, countedAt: '2031-03-17T13:28:00.000Z' },
  })
  expect(JSON.stringify(records)).not.toContain('a secret')
  const seen: number[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { records: { id: number }[]; nextCursor: string | null } = await call(
      `?order=messagesIn&limit=1${cursor && `&cursor=${cursor}`}`,
    )
    seen.push(...page.records.map(({ id }) => id))
    cursor = page.nextCursor
  }
  expect(seen.toSorted((a, b) => a - b)).toEqual(
    records.map(({ id }: { id: number }) => id).sort((a: number, b: number) => a - b),
  )
  expect(seen.indexOf(busy.id)).toBeLessThan(seen.indexOf(quiet.id))
  expect((await call('?searchParam=otica')).records.map(({ id }: { id: number }) => id)).toEqual([busy.id])
  expect((await call('?cursor=1')).error).toBe('ERR_VALIDATION')
  expect((await call('?order=name')).error).toBe('ERR_VALIDATION')

  const days = await call(`/${busy.id}?days=2`)
  expect(days).toMatchObject({
    company: { name: 'Ótica Sol' },
    records: [
      { day: '2031-03-16', messagesIn: 0, activeUsers: null },
      { day: '2031-03-17', messagesIn: 2, messagesOut: 1, mediaBytes: 3000, connections: 1 },
    ],
  })
  expect((await call('/999999')).error).toBe('ERR_NO_COMPANY_FOUND')
})

test('days of a company are forgotten after four hundred, those of the installation are not', async () => {
  await t.database.sql`INSERT INTO company_usage_days VALUES (${companyId}, '2030-01-01', 1, 1, 0, 1, NULL, NULL)`
  await count('2031-03-18T12:00:00Z')
  const rows = await t.database.sql`SELECT 1 FROM company_usage_days WHERE day = '2030-01-01'`
  expect(rows).toHaveLength(0)
})
