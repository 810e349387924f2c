import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../tests/support/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
  // The first company is the operator's.
  await t.eg.company()
})
afterAll(() => t.close())

async function office() {
  const company = await t.eg.company()
  const connection = await t.eg.whatsapp(company.id)
  const admin = await t.login((await t.eg.user(company.id, { profile: 'admin' })).email)
  const agent = await t.login((await t.eg.user(company.id)).email)
  return { company, connection, admin, agent }
}

test('a connection’s token is for admins to see and to change; the one before opens nothing any more', async () => {
  const { company, connection, admin, agent } = await office()
  const path = `/whatsapp/${connection.id}`
  const before = (await t.call('GET', path, { token: admin })).body.token
  expect(before).toBeString()
  for (const shown of [
    (await t.call('GET', path, { token: agent })).body,
    (await t.call('GET', '/whatsapp', { token: agent })).body[0],
  ])
    expect(shown.token).toBeUndefined()
  expect((await t.call('POST', `${path}/token`, { token: agent })).body.error).toBe('ERR_NO_PERMISSION')
  const { body } = await t.call('POST', `${path}/token`, { token: admin })
  expect(body.token).toBeString()
  expect(body.token).not.toBe(before)
  const call = (bearer: string) => t.call('POST', '/api/messages/send', { token: bearer, body: {} })
  expect((await call(before)).status).toBe(401)
  // Understood, and then measured.
  expect((await call(body.token)).status).toBe(400)
  expect(JSON.stringify(t.emitted.filter(({ companyId }) => companyId === company.id))).not.toContain(body.token)
})

test('a connection may have hours of its own, in several periods; without, the company’s count', async () => {
  const { connection, admin } = await office()
  const period = (startTime: string, endTime: string) => ({ weekday: '', weekdayEn: 'monday', startTime, endTime })
  const put = (schedules: unknown) => t.call('PUT', `/whatsapp/${connection.id}`, { token: admin, body: { schedules } })
  const split = [period('08:00', '12:00'), period('13:30', '18:00')]
  expect((await put(split)).body.schedules).toEqual(split)
  expect((await put([period('25:00', '18:00')])).body.error).toBe('ERR_VALIDATION')
  expect((await put([])).body.schedules).toEqual([])
})
