import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PIXEL } from '../../tests/example-data.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { releaseFiles } from '../../tests/support/release-files.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

async function office() {
  const company = await t.eg.company()
  const ana = await t.login((await t.eg.user(company.id, { profile: 'supervisor' })).email)
  const make = (options: { name: string }[] = [], name = 'Catálogo') =>
    t.call('POST', '/files', { token: ana, body: { name, message: 'Segue o catálogo', options } })
  const upload = (id: number, parts: [File | Blob, string, Record<string, string>][]) => {
    const form = new FormData()
    form.set('fileId', String(id))
    form.set('typeArch', 'fileList')
    for (const [file, name, beside] of parts) {
      form.append('files', file, name)
      for (const [key, value] of Object.entries(beside)) form.append(key, value)
    }
    return t.call('POST', `/files/uploadList/${id}`, { token: ana, form })
  }
  return { company, ana, make, upload }
}
const pdf = (says = 'x') => new Blob([`%PDF-1.4 ${says}`], { type: 'application/pdf' })
const png = () => new Blob([PIXEL], { type: 'image/png' })
const names = (body: { options: { name: string; path: string | null }[] }) =>
  body.options.map(({ name, path }) => [name, path !== null])

describe('a file list', () => {
  test('has a name, a message and files in their order', async () => {
    const { ana, make } = await office()
    const made = await make([{ name: 'Preços' }, { name: 'Fotos' }])
    expect(made.status).toBe(200)
    expect(made.body).toMatchObject({ name: 'Catálogo', message: 'Segue o catálogo' })
    expect(names(made.body)).toEqual([
      ['Preços', false],
      ['Fotos', false],
    ])
    await make([], 'Açaí')
    const { body } = await t.call('GET', '/files?searchParam=ACAI', { token: ana })
    expect([body.files.map(({ name }: { name: string }) => name), body.hasMore]).toEqual([['Açaí'], false])
    for (const wrong of [{ name: 'ab' }, { message: ' ' }, { options: [{ name: '' }] }])
      expect([
        wrong,
        (await t.call('POST', '/files', { token: ana, body: { name: 'Lista', message: 'x', ...wrong } })).body.error,
      ]).toEqual([wrong, 'ERR_VALIDATION'])
  })

  test('takes the files of old clients, each for the option whose id and name stand beside it', async () => {
    const { ana, make, upload } = await office()
    const { body } = await make([{ name: 'Preços' }, { name: 'Fotos' }])
    const [prices, photos] = body.options
    const sent = await upload(body.id, [
      [pdf(), 'precos novos.pdf', { mediaType: 'application/pdf', name: 'Preços', id: String(prices.id) }],
      [png(), 'a.png', { mediaType: 'image/png', name: 'Fotos', id: 'undefined' }],
    ])
    expect(sent.status).toBe(200)
    expect(sent.body.options).toMatchObject([
      { id: prices.id, name: 'Preços', mediaType: 'application/pdf', mediaName: 'precos_novos.pdf', mediaSize: 10 },
      { id: photos.id, name: 'Fotos', mediaType: 'image/png' },
    ])
    expect((await t.call('GET', `/public/${sent.body.options[0].path}`, { token: ana })).body).toBe('%PDF-1.4 x')
    // One that nobody announced is added by its own name.
    const more = await upload(body.id, [[pdf(), 'contrato.pdf', {}]])
    expect(names(more.body).at(-1)).toEqual(['contrato.pdf', true])
  })

  test('lets go of files that are replaced, left out or deleted with it', async () => {
    const { ana, make, upload } = await office()
    const { body } = await make([{ name: 'Um' }, { name: 'Dois' }])
    const [one, two] = body.options
    const first = (await upload(body.id, [[pdf('1'), 'a.pdf', { id: String(one.id) }]])).body.options[0].path
    const second = (await upload(body.id, [[pdf('2'), 'a.pdf', { id: String(one.id) }]])).body.options[0].path
    expect(await releaseFiles(t)).toEqual([first])
    const put = await t.call('PUT', `/files/${body.id}`, {
      token: ana,
      body: { options: [{ id: two.id, name: 'Dois' }, { name: 'Três' }] },
    })
    expect(names(put.body).map(([name]) => name)).toEqual(['Dois', 'Três'])
    expect(await releaseFiles(t)).toEqual([second])
    const third = (await upload(body.id, [[pdf('3'), 'a.pdf', { id: String(two.id) }]])).body.options[0].path
    expect((await t.call('DELETE', `/files/${body.id}`, { token: ana })).status).toBe(200)
    expect(await releaseFiles(t)).toEqual([third])
    expect((await t.call('GET', `/files/${body.id}`, { token: ana })).body.error).toBe('ERR_NO_FILE_LIST_FOUND')
    for (const path of [first, second, third]) expect(await t.deps.media.find(path)).toBeUndefined()
  })

  test('refuses what is not what it says, more than twenty files, and the options of another list', async () => {
    const { ana, make, upload } = await office()
    const { body } = await make()
    const lie = await upload(body.id, [[new Blob(['no picture'], { type: 'image/png' }), 'a.png', {}]])
    expect(lie.body.error).toBe('ERR_FILE_TYPE')
    const large = await upload(body.id, [[new Blob(['x'.repeat(1_100_000)]), 'a.txt', {}]])
    expect(large.body.error).toBe('ERR_FILE_TOO_LARGE')
    const twenty = Array.from({ length: 20 }, (_, i): [Blob, string, Record<string, string>] => [pdf(), `${i}.pdf`, {}])
    expect((await upload(body.id, twenty)).body.options).toHaveLength(20)
    expect((await upload(body.id, [[pdf(), '21.pdf', {}]])).body.error).toBe('ERR_VALIDATION')
    expect((await t.call('GET', `/files/${body.id}`, { token: ana })).body.options).toHaveLength(20)
    const other = (await make([{ name: 'Dela' }])).body
    const stolen = { options: [{ id: other.options[0].id, name: 'Minha' }] }
    expect((await t.call('PUT', `/files/${body.id}`, { token: ana, body: stolen })).body.error).toBe(
      'ERR_NO_FILE_FOUND',
    )
    expect((await t.call('GET', `/files/${body.id}`, { token: ana })).body.options).toHaveLength(20)
  })

  test('is told to the company with its files', async () => {
    const { company, ana, make } = await office()
    t.emitted.length = 0
    const { body } = await make([{ name: 'Um' }])
    await t.call('DELETE', `/files/${body.id}`, { token: ana })
    expect(t.emitted.map(({ companyId, name, action, payload }) => [companyId, name, action, payload])).toMatchObject([
      [company.id, 'file', 'create', { files: { id: body.id, options: [{ name: 'Um' }] } }],
      [company.id, 'file', 'delete', { fileId: body.id }],
    ])
  })
})
