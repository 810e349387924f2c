import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { releaseFiles } from '../../tests/support/release-files.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

async function office() {
  const company = await t.eg.company()
  const login = async (profile: 'user' | 'supervisor' | 'admin') =>
    t.login((await t.eg.user(company.id, { profile })).email)
  const [ana, bruno, supervisor] = [await login('user'), await login('user'), await login('supervisor')]
  const make = (token: string, body: Record<string, unknown> = {}) =>
    t.call('POST', '/quick-messages', { token, body: { shortcode: 'oi', message: 'Olá!', ...body } })
  const codes = async (token: string, path = '/quick-messages/list') => {
    const { body } = await t.call('GET', path, { token })
    return (body.records ?? body).map((row: { shortcode: string }) => row.shortcode)
  }
  return { company, ana, bruno, supervisor, make, codes }
}
const form = (type = 'application/pdf', name = 'preço da loja.pdf', bytes = '%PDF-1.4 x') => {
  const made = new FormData()
  made.set('typeArch', 'quickMessage')
  made.set('file', new Blob([bytes], { type }), name)
  return made
}

describe('quick messages', () => {
  test('an agent uses their own and everybody’s, and sees nobody else’s', async () => {
    const { ana, bruno, supervisor, make, codes } = await office()
    await make(ana, { shortcode: '/minha' })
    await make(bruno, { shortcode: 'dele' })
    await make(supervisor, { shortcode: 'todos', geral: true })
    await make(ana, { shortcode: 'parada', status: false })
    expect(await codes(ana)).toEqual(['minha', 'todos'])
    expect(await codes(ana, '/quick-messages')).toEqual(['minha', 'parada', 'todos'])
    expect(await codes(supervisor)).toEqual(['todos'])
    expect(await codes(supervisor, '/quick-messages')).toEqual(['dele', 'minha', 'parada', 'todos'])
    expect(await codes(supervisor, '/quick-messages?searchParam=MINHA')).toEqual(['minha'])
  })

  test('a short name is taken once by each owner, and once for everybody', async () => {
    const { ana, bruno, supervisor, make } = await office()
    expect((await make(ana)).status).toBe(200)
    expect((await make(bruno)).status).toBe(200)
    expect((await make(supervisor, { geral: true })).status).toBe(200)
    for (const [token, geral] of [
      [ana, false],
      [supervisor, true],
    ] as const) {
      const again = await make(token, { shortcode: ' /oi ', geral })
      expect([again.status, again.body.error]).toEqual([400, 'ERR_QUICK_MESSAGE_ALREADY_EXISTS'])
    }
  })

  test('agents change only what is theirs alone; supervisors change any', async () => {
    const { ana, bruno, supervisor, make } = await office()
    const own = (await make(ana)).body
    const general = (await make(supervisor, { shortcode: 'todos', geral: true })).body
    const put = async (token: string, id: number, body: unknown) =>
      (await t.call('PUT', `/quick-messages/${id}`, { token, body })).status
    expect(await put(bruno, own.id, { message: 'x' })).toBe(404)
    expect(await put(ana, general.id, { message: 'x' })).toBe(403)
    expect(await put(ana, own.id, { geral: true })).toBe(403)
    expect((await make(ana, { shortcode: 'a', geral: true })).status).toBe(403)
    expect((await t.call('DELETE', `/quick-messages/${general.id}`, { token: ana })).status).toBe(403)
    expect(await put(ana, own.id, { message: 'Bom dia', shortcode: '/bd' })).toBe(200)
    expect(await put(supervisor, own.id, { geral: true })).toBe(200)
    const { body } = await t.call('GET', `/quick-messages/${own.id}`, { token: bruno })
    expect(body).toMatchObject({ shortcode: 'bd', message: 'Bom dia', geral: true, isMedia: false })
    expect((await t.call('DELETE', `/quick-messages/${own.id}`, { token: supervisor })).status).toBe(200)
    expect((await t.call('GET', `/quick-messages/${own.id}`, { token: ana })).body.error).toBe(
      'ERR_NO_QUICK_MESSAGE_FOUND',
    )
  })

  test('without a short name or a text there is none', async () => {
    const { ana, make } = await office()
    for (const wrong of [
      { shortcode: '' },
      { shortcode: ' / ' },
      { message: '  ' },
      { message: 7 },
      { shortcode: 'x'.repeat(61) },
    ])
      expect([wrong, (await make(ana, wrong)).body.error]).toEqual([wrong, 'ERR_VALIDATION'])
  })

  test('a file is kept with it for the company, replaced and taken off again', async () => {
    const { ana, bruno, make } = await office()
    const { id } = (await make(ana)).body
    const place = `/quick-messages/${id}/media-upload`
    const first = (await t.call('POST', place, { token: ana, form: form() })).body
    expect(first).toMatchObject({ mediaName: 'preço_da_loja.pdf', mediaMime: 'application/pdf', isMedia: true })
    expect((await t.call('GET', `/public/${first.mediaPath}`, { token: ana })).body).toBe('%PDF-1.4 x')
    expect((await t.call('POST', place, { token: bruno, form: form() })).status).toBe(404)
    expect((await t.call('POST', place, { token: ana, body: {} })).body.error).toBe('ERR_FILE_REQUIRED')
    expect(
      (await t.call('POST', place, { token: ana, form: form('image/png', 'a.png', 'no picture') })).body.error,
    ).toBe('ERR_FILE_TYPE')
    const second = (await t.call('POST', place, { token: ana, form: form() })).body
    // By jobs of the same commits: a process that dies here does not leave what was let go of.
    expect(await releaseFiles(t)).toEqual([first.mediaPath])
    expect((await t.call('DELETE', place, { token: ana })).body).toMatchObject({ mediaPath: null, isMedia: false })
    expect(await releaseFiles(t)).toEqual([second.mediaPath])
    const third = (await t.call('POST', place, { token: ana, form: form() })).body
    await t.call('DELETE', `/quick-messages/${id}`, { token: ana })
    expect(await releaseFiles(t)).toEqual([third.mediaPath])
    for (const { mediaPath } of [first, second, third]) expect(await t.deps.media.find(mediaPath)).toBeUndefined()
  })

  test('of files that come at the same moment only the one that is shown stays', async () => {
    const { ana, make } = await office()
    const { id } = (await make(ana)).body
    const uploads = await Promise.all(
      [1, 2, 3].map(() => t.call('POST', `/quick-messages/${id}/media-upload`, { token: ana, form: form() })),
    )
    expect(uploads.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await releaseFiles(t)).toHaveLength(2)
    const { body } = await t.call('GET', `/quick-messages/${id}`, { token: ana })
    expect(await t.deps.media.find(body.mediaPath)).toBeDefined()
  })

  test('people hear of it: of their own alone, of everybody’s all', async () => {
    const { company, ana, supervisor, make } = await office()
    t.emitted.length = 0
    await make(ana)
    await make(supervisor, { geral: true })
    const heard = t.emitted.filter((event) => event.companyId === company.id && event.name === 'quickmessage')
    expect(heard.map(({ action, audience }) => [action, audience !== undefined])).toEqual([
      ['create', true],
      ['create', false],
    ])
  })
})
