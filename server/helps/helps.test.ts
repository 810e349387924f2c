import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { users } from '../../schema/users/users.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

test('the operator writes helps, and every company sees them', async () => {
  const operator = await t.eg.user((await t.eg.company()).id, { profile: 'admin' })
  await t.database.db.update(users).set({ super: true }).where(eq(users.id, operator.id))
  const [op, agent] = [await t.login(operator.email), await t.login((await t.eg.user((await t.eg.company()).id)).email)]
  const film = { title: ' Primeiros passos ', description: 'Em dois minutos', video: 'dQw4w9WgXcQ' }
  expect((await t.call('POST', '/helps', { token: agent, body: film })).body.error).toBe('ERR_NO_SUPER')
  const { status, body } = await t.call('POST', '/helps', { token: op, body: film })
  expect([status, body.title]).toEqual([200, 'Primeiros passos'])
  for (const path of ['/helps', '/helps/list'])
    expect((await t.call('GET', path, { token: agent })).body).toMatchObject([{ id: body.id, video: 'dQw4w9WgXcQ' }])
  for (const video of ['', 'short', 'https://evil.test', '../../../../x', 'a"onload=x'])
    expect([video, (await t.call('PUT', `/helps/${body.id}`, { token: op, body: { video } })).body.error]).toEqual([
      video,
      'ERR_VALIDATION',
    ])
  const changed = await t.call('PUT', `/helps/${body.id}`, { token: op, body: { description: '' } })
  expect(changed.body).toMatchObject({ title: 'Primeiros passos', description: '' })
  expect((await t.call('DELETE', `/helps/${body.id}`, { token: agent })).body.error).toBe('ERR_NO_SUPER')
  expect((await t.call('DELETE', `/helps/${body.id}`, { token: op })).status).toBe(200)
  expect((await t.call('DELETE', `/helps/${body.id}`, { token: op })).body.error).toBe('ERR_NO_HELP_FOUND')
})
