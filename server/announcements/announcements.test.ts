import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { isShownTo } from '../../schema/announcements/announcements.audience.ts'
import { announcements } from '../../schema/announcements/announcements.table.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { profiles, users } from '../../schema/users/users.table.ts'
import { PIXEL } from '../../tests/example-data.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { releaseFiles } from '../../tests/support/release-files.ts'

let t: TestApp
let op: string
beforeAll(async () => {
  t = await testApp()
  const operator = await t.eg.user((await t.eg.company()).id, { profile: 'admin' })
  await t.database.db.update(users).set({ super: true }).where(eq(users.id, operator.id))
  op = await t.login(operator.email)
})
afterAll(() => t.close())

const write = (body: Record<string, unknown>) =>
  t.call('POST', '/announcements', { token: op, body: { title: 'Aviso', text: 'Olá', ...body } })
const titles = async (token: string, path = '/announcements') =>
  (await t.call('GET', path, { token })).body.records.map((row: { title: string }) => row.title)

describe('announcements', () => {
  test('are written, changed and taken back by the operator alone', async () => {
    const admin = await t.login((await t.eg.user((await t.eg.company()).id, { profile: 'admin' })).email)
    const made = await write({ title: ' Novidade ' })
    expect([made.status, made.body.title, made.body.priority, made.body.status]).toEqual([200, 'Novidade', 3, true])
    const path = `/announcements/${made.body.id}`
    for (const [method, at, body] of [
      ['POST', '/announcements', { title: 'x', text: 'x' }],
      ['GET', path],
      ['PUT', path, { title: 'x' }],
      ['DELETE', path],
      ['DELETE', `${path}/media-upload`],
    ] as const)
      expect([method, (await t.call(method, at, { token: admin, body })).body.error]).toEqual([method, 'ERR_NO_SUPER'])
    expect((await t.call('PUT', path, { token: op, body: { status: false } })).body.status).toBe(false)
    expect(await titles(admin)).toEqual([])
    expect(await titles(op)).toEqual(['Novidade'])
    expect(await titles(op, '/announcements/list')).toEqual([])
    for (const wrong of [
      { title: '' },
      { text: ' ' },
      { priority: 4 },
      { startsAt: '2026-02-30' },
      { startsAt: '2026-03-02T10:00:00Z', endsAt: '2026-03-02T10:00:00Z' },
    ])
      expect([wrong, (await t.call('PUT', path, { token: op, body: wrong })).body.error]).toEqual([
        wrong,
        'ERR_VALIDATION',
      ])
    expect((await t.call('DELETE', path, { token: op })).status).toBe(200)
    expect((await t.call('GET', path, { token: op })).body.error).toBe('ERR_NO_ANNOUNCEMENT_FOUND')
  })

  test('reach those that they are for, and in their time, by the same rule in the program and in the database', async () => {
    const { db } = t.database
    await db.delete(announcements)
    const company = await t.eg.company()
    const [plan] = await db
      .insert(plans)
      .values({ name: `Plano ${company.id}` })
      .returning()
    await db.update(companies).set({ planId: plan!.id }).where(eq(companies.id, company.id))
    const now = t.clock.now.getTime()
    const at = (hours: number) => new Date(now + hours * 3_600_000)
    const cases = [
      { title: 'todos' },
      { title: 'desligado', status: false },
      { title: 'ainda não', startsAt: at(1) },
      { title: 'já', startsAt: at(-1), endsAt: at(1) },
      { title: 'passou', endsAt: at(-1) },
      { title: 'acaba agora', endsAt: at(0) },
      { title: 'para ela', companyIds: [company.id, 1] },
      { title: 'para outra', companyIds: [1] },
      { title: 'para o plano', planIds: [plan!.id] },
      { title: 'para outro plano', planIds: [999_999] },
      { title: 'admins', profiles: ['admin' as const] },
      { title: 'agentes dela', companyIds: [company.id], profiles: ['user' as const, 'supervisor' as const] },
      { title: 'tudo junto', companyIds: [company.id], planIds: [plan!.id], profiles: ['user' as const] },
    ]
    const rows = await db
      .insert(announcements)
      .values(cases.map((one) => ({ text: 'x', ...one })))
      .returning()
    for (const profile of profiles) {
      const token = await t.login((await t.eg.user(company.id, { profile })).email)
      const told = rows.filter((row) =>
        isShownTo(row, { companyId: company.id, planId: plan!.id, profile }, t.clock.now),
      )
      expect([profile, (await titles(token)).sort()]).toEqual([profile, told.map(({ title }) => title).sort()])
      expect(told.map(({ title }) => title)).toContain(profile === 'admin' ? 'admins' : 'agentes dela')
      expect(told.length).toBeGreaterThan(4)
      expect(told.length).toBeLessThan(cases.length - 4)
    }
    const [alone] = await db
      .insert(companies)
      .values({ name: `Sem plano ${company.id}` })
      .returning()
    const free = await t.login((await t.eg.user(alone!.id)).email)
    expect((await titles(free)).sort()).toEqual(['já', 'todos'])
    await db.delete(announcements)
  })

  test('are told at once, their words only to companies of which everybody is told', async () => {
    const [one, two] = [await t.eg.company(), await t.eg.company()]
    const heard = (companyId: number) =>
      t.emitted
        .filter((event) => event.companyId === companyId && event.name === 'announcement')
        .map(({ action, payload }) => [action, Object.keys(payload as object)])
    t.emitted.length = 0
    const { body } = await write({ companyIds: [one.id] })
    expect(heard(one.id)).toEqual([['create', ['record']]])
    expect(heard(two.id)).toEqual([['delete', ['id']]])
    await t.call('PUT', `/announcements/${body.id}`, { token: op, body: { profiles: ['admin'] } })
    expect(heard(one.id)[1]).toEqual(['delete', ['id']])
    await t.call('DELETE', `/announcements/${body.id}`, { token: op })
    expect(heard(one.id)).toHaveLength(3)
  })

  test('do not say for whom else they are, neither when they are read nor when they are told', async () => {
    const [one, two] = [await t.eg.company(), await t.eg.company()]
    const reader = await t.login((await t.eg.user(one.id)).email)
    t.emitted.length = 0
    const { body } = await write({ companyIds: [one.id, two.id] })
    expect(body.companyIds).toEqual([one.id, two.id])
    const audience = ['companyIds', 'planIds', 'profiles']
    const shown = async (path: string) =>
      Object.keys((await t.call('GET', path, { token: reader })).body.records[0]).filter((key) =>
        audience.includes(key),
      )
    expect([await shown('/announcements'), await shown('/announcements/list')]).toEqual([[], []])
    const told = t.emitted.find((event) => event.companyId === one.id && event.name === 'announcement')!
    const { record } = told.payload as { record: object }
    expect(record).toMatchObject({ id: body.id, title: body.title })
    expect(Object.keys(record).filter((key) => audience.includes(key))).toEqual([])
    await t.call('DELETE', `/announcements/${body.id}`, { token: op })
  })

  test('carry a picture, for those who are told and nobody else', async () => {
    const [one, two] = [await t.eg.company(), await t.eg.company()]
    const [ana, bruno] = [
      await t.login((await t.eg.user(one.id)).email),
      await t.login((await t.eg.user(two.id)).email),
    ]
    const { body } = await write({ companyIds: [one.id] })
    const place = `/announcements/${body.id}/media-upload`
    const send = (bytes: BlobPart, type: string) => {
      const form = new FormData()
      form.set('file', new Blob([bytes], { type }), 'a foto.png')
      return t.call('POST', place, { token: op, form })
    }
    expect((await send('%PDF-1.4', 'application/pdf')).body.error).toBe('ERR_FILE_TYPE')
    const { mediaPath, mediaName } = (await send(PIXEL, 'image/png')).body
    expect(mediaName).toBe('a_foto.png')
    const seen = async (token: string) => (await t.call('GET', `/public/${mediaPath}`, { token })).status
    expect([await seen(ana), await seen(bruno), await seen(op)]).toEqual([200, 404, 200])
    expect((await t.call('DELETE', place, { token: op })).body.mediaPath).toBeNull()
    expect(await releaseFiles(t)).toEqual([mediaPath])
    expect(await seen(ana)).toBe(404)
  })
})
