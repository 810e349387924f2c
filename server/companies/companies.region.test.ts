import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'

let t: TestApp
let operator: string
let planId: number
beforeAll(async () => {
  t = await testApp()
  const first = await t.eg.company()
  operator = await t.login((await t.eg.user(first.id, { profile: 'admin', super: true })).email)
  const [plan] = await t.database.db.insert(plans).values({ name: 'Básico' }).returning()
  planId = plan!.id
})
afterAll(() => t.close())

const stored = async (id: number) => {
  const [row] = await t.database.db.select().from(companies).where(eq(companies.id, id))
  return { timeZone: row!.timeZone, language: row!.language }
}
async function companyWithAdmin() {
  const company = await t.eg.company()
  const admin = await t.login((await t.eg.user(company.id, { profile: 'admin' })).email)
  const put = (path: string, body: object, token = admin) =>
    t.call('PUT', `/companies/${company.id}${path}`, { token, body })
  return { company, admin, put }
}

test('a company that moves to another zone opens and closes by its clock at once', async () => {
  const { company, admin, put } = await companyWithAdmin()
  await t.call('PUT', '/settings/scheduleType', { token: admin, body: { value: 'company' } })
  const nine = { weekday: 'Segunda-feira', weekdayEn: 'monday', startTime: '09:00', endTime: '18:00' }
  await put('/schedules', { schedules: [nine] })
  // A Monday: 9:30 in São Paulo, 8:30 in Manaus.
  const at = '2026-11-23T12:30:00.000Z'
  const { id: whatsappId } = await t.eg.whatsapp(company.id, { outOfHoursMessage: 'Voltamos às 9h.' })
  const isOpen = async () => (await t.call('POST', '/hours/test', { token: admin, body: { at, whatsappId } })).body.open
  expect(await isOpen()).toBe(true)
  t.emitted.length = 0
  expect(await put('/region', { timeZone: 'America/Manaus' })).toMatchObject({
    status: 200,
    body: { id: company.id, timeZone: 'America/Manaus', language: 'pt' },
  })
  expect(await isOpen()).toBe(false)
  expect(t.emitted.map(({ companyId, name, action }) => [companyId, name, action])).toEqual([
    [company.id, 'company', 'update'],
  ])
  // So do new hours.
  await put('/schedules', { schedules: [{ ...nine, startTime: '08:00' }] })
  expect(await isOpen()).toBe(true)
})

test('numbers typed without a calling code are of the company’s country, and a stored one stays as it is', async () => {
  const { admin, put } = await companyWithAdmin()
  const made = async (name: string, number: string) =>
    (await t.call('POST', '/contacts', { token: admin, body: { name, number } })).body as { id: number; number: string }
  expect((await made('Rui', '(11) 98888-7766')).number).toBe('5511988887766')
  const foreign = await made('Kurt', '+49 30 123456')
  expect(foreign.number).toBe('4930123456')
  expect(await put('/region', { callingCode: '1' })).toMatchObject({ status: 200, body: { callingCode: '1' } })
  expect((await made('Ann', '(202) 555-0123')).number).toBe('12025550123')
  expect((await made('Bob', '+44 7700 900123')).number).toBe('447700900123')
  // As long as a number of there, but it was so before.
  const renamed = await t.call('PUT', `/contacts/${foreign.id}`, {
    token: admin,
    body: { name: 'Kurt Weiss', number: '4930123456' },
  })
  expect(renamed.body).toMatchObject({ name: 'Kurt Weiss', number: '4930123456' })
  expect((await put('/region', { callingCode: '999' })).body.error).toBe('ERR_VALIDATION')
})

test('the last day of a company ends when its own clock says so', async () => {
  const { company, admin, put } = await companyWithAdmin()
  await t.database.db.update(companies).set({ dueDate: '2026-11-20' }).where(eq(companies.id, company.id))
  // The 21st has begun in São Paulo; in Manaus it is still the 20th.
  t.clock.now = new Date('2026-11-21T03:30:00Z')
  const status = async () => (await t.call('GET', '/queue', { token: admin })).status
  await put('/region', { timeZone: 'America/Manaus' })
  const manaus = await t.call('PUT', `/companies/${company.id}`, {
    token: operator,
    body: { timeZone: 'America/Manaus' },
  })
  expect(manaus.body).toMatchObject({ timeZone: 'America/Manaus' })
  expect(await status()).toBe(200)
  await t.call('PUT', `/companies/${company.id}/region`, { token: operator, body: { timeZone: 'America/Sao_Paulo' } })
  expect(await status()).toBe(402)
})

test('a zone that is none is refused, and nothing changes', async () => {
  const { company, put } = await companyWithAdmin()
  const before = await stored(company.id)
  for (const timeZone of ['America/Padaria', 'Mars/Olympus', 'Localtime/x'])
    for (const [path, token] of [['/region'], ['', operator]] as const)
      expect([timeZone, (await put(path, { timeZone, language: 'en' }, token)).body.error]).toEqual([
        timeZone,
        'ERR_UNKNOWN_TIME_ZONE',
      ])
  for (const timeZone of ['', '+03:00', '-3', "UTC'; --", 'x'.repeat(65), 'a b', 7])
    expect([timeZone, (await put('/region', { timeZone, language: 'en' })).body.error]).toEqual([
      timeZone,
      'ERR_VALIDATION',
    ])
  expect((await put('/region', { language: 'fr' })).body.error).toBe('ERR_VALIDATION')
  expect(await stored(company.id)).toEqual(before)
  const wished = { name: 'Nova', email: 'nova@example.test', planId, password: 'segredo1', timeZone: 'Nowhere/Nada' }
  const count = await t.database.db.$count(companies)
  expect((await t.call('POST', '/companies', { token: operator, body: wished })).body.error).toBe(
    'ERR_UNKNOWN_TIME_ZONE',
  )
  expect(await t.database.db.$count(companies)).toBe(count)
})

test('both ends know every zone that the list offers', async () => {
  const { put } = await companyWithAdmin()
  const refused: string[] = []
  for (const timeZone of [...Intl.supportedValuesOf('timeZone'), 'UTC', 'Etc/GMT+12', 'Asia/Kolkata', 'Asia/Calcutta'])
    if ((await put('/region', { timeZone })).status !== 200) refused.push(timeZone)
  expect(refused).toEqual([])
}, 30_000)

test('the operator says where a new company is; others only where their own is', async () => {
  const values = { name: 'Manauara', email: 'manauara@example.test', planId, password: 'segredo1' }
  const made = await t.call('POST', '/companies', {
    token: operator,
    body: { ...values, timeZone: 'America/Manaus', language: 'es' },
  })
  expect(made.body).toMatchObject({ timeZone: 'America/Manaus', language: 'es' })
  const mine = await companyWithAdmin()
  const theirs = await companyWithAdmin()
  const agent = await t.login((await t.eg.user(mine.company.id)).email)
  expect((await mine.put('/region', { language: 'en' }, agent)).body.error).toBe('ERR_NO_PERMISSION')
  expect((await mine.put('/region', { language: 'en' }, theirs.admin)).body.error).toBe('ERR_NO_COMPANY_FOUND')
  expect(await stored(mine.company.id)).toEqual({ timeZone: 'America/Sao_Paulo', language: 'pt' })
})

test('whoever signs up is where their browser is, where that is a place', async () => {
  await t.call('PUT', '/settings/allowregister', { token: operator, body: { value: 'enabled' } })
  t.clock.now = new Date('2026-11-21T12:00:00Z')
  let serial = 0
  const signedUp = async (timeZone: unknown) => {
    const name = `Loja ${++serial}`
    const body = { name, email: `loja${serial}@example.test`, password: 'segredo', planId, timeZone }
    const { status, body: made } = await t.call('POST', '/companies/cadastro', { body })
    return [status, (await stored(made.company.id)).timeZone, made.company.dueDate]
  }
  expect(await signedUp('America/Manaus')).toEqual([200, 'America/Manaus', '2026-11-24'])
  // Already the 22nd.
  expect(await signedUp('Pacific/Kiritimati')).toEqual([200, 'Pacific/Kiritimati', '2026-11-25'])
  for (const odd of ['Etc/Unknown', '+03:00', '', undefined])
    expect(await signedUp(odd)).toEqual([200, 'America/Sao_Paulo', '2026-11-24'])
})
