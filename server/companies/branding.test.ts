import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PIXEL } from '../../tests/example-data.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'

let t: TestApp
let operator: string
let admin: string
beforeAll(async () => {
  const clientDir = mkdtempSync(join(tmpdir(), 'balcao-client-'))
  writeFileSync(join(clientDir, 'manifest.webmanifest'), '{"name":"Balcão","icons":[{"src":"/icons/icon-192.png"}]}')
  t = await testApp({ clientDir })
  const first = await t.eg.company()
  operator = await t.login((await t.eg.user(first.id, { profile: 'admin', super: true })).email)
  admin = await t.login((await t.eg.user((await t.eg.company()).id, { profile: 'admin' })).email)
})
afterAll(() => t.close())

const upload = (ref: string, bytes: BlobPart, name: string, type: string, token = operator) => {
  const form = new FormData()
  form.set('file', new Blob([bytes], { type }), name)
  return t.call('POST', `/settings/media-upload?ref=${ref}`, { token, form })
}
const shown = (place: string) => t.app.handle(new Request(`http://localhost/branding/${place}`))

test('the operator’s pictures are shown to everybody, before the login too, and can be taken away', async () => {
  const icon = await shown('favicon')
  expect([icon.status, icon.headers.get('location')]).toEqual([302, '/icons/mark.svg'])
  expect((await shown('login')).status).toBe(404)
  const { body } = await upload('login', PIXEL, 'logo.png', 'image/png')
  expect(body).toMatchObject({ mensagem: 'Arquivo Anexado', place: 'login', mime: 'image/png' })
  const logo = await shown('login')
  expect(logo.headers.get('content-type')).toBe('image/png')
  expect(Buffer.from(await logo.arrayBuffer())).toEqual(Buffer.from(PIXEL))
  expect((await t.call('GET', '/branding')).body).toMatchObject({ pictures: [{ place: 'login', size: PIXEL.length }] })
  await t.call('DELETE', '/settings/media-upload?ref=login', { token: operator })
  expect((await shown('login')).status).toBe(404)
})

test('a drawing is kept without what could run in it', async () => {
  const svg = '<svg viewBox="0 0 1 1" onload="x()"><script>alert(1)</script><path d="M0 0h1"/></svg>'
  expect((await upload('interno', svg, 'logo.svg', 'image/svg+xml')).body.mime).toBe('image/svg+xml')
  const kept = await shown('interno')
  expect(kept.headers.get('content-security-policy')).toContain("default-src 'none'")
  const text = await kept.text()
  expect(text).toContain('<path d="M0 0h1"/>')
  expect(text).not.toMatch(/script|onload/)
})

test('a file is judged by its content; others than the operator change nothing', async () => {
  for (const [bytes, name, type] of [
    ['<html></html>', 'logo.png', 'image/png'],
    ['<html></html>', 'logo.svg', 'image/svg+xml'],
    ['GIF89a', 'logo.gif', 'image/gif'],
  ] as const)
    expect((await upload('signup', bytes, name, type)).body.error).toBe('ERR_FILE_TYPE')
  expect((await upload('elsewhere', PIXEL, 'a.png', 'image/png')).body.error).toBe('ERR_VALIDATION')
  const large = new Uint8Array(300_001)
  large.set(PIXEL)
  expect((await upload('signup', large, 'a.png', 'image/png')).body.error).toBe('ERR_FILE_TOO_LARGE')
  expect((await upload('signup', PIXEL, 'a.png', 'image/png', admin)).body.error).toBe('ERR_NO_SUPER')
  const taken = await t.call('DELETE', '/settings/media-upload?ref=interno', { token: admin })
  expect(taken.body.error).toBe('ERR_NO_SUPER')
  expect((await shown('signup')).status).toBe(404)
})

test('a picture is fetched once for each version, and asked about where no version is named', async () => {
  const { updatedAt } = (await upload('login', PIXEL, 'logo.png', 'image/png')).body
  const version = Date.parse(updatedAt).toString(36)
  const get = (query: string, etag?: string) =>
    t.app.handle(
      new Request(`http://localhost/branding/login${query}`, { headers: etag ? { 'if-none-match': etag } : {} }),
    )
  const kept = async (query: string) => (await get(query)).headers.get('cache-control')
  expect(await kept(`?v=${version}`)).toBe('public, max-age=31536000, immutable')
  expect([await kept(''), await kept('?v=older')]).toEqual(['no-cache', 'no-cache'])
  const same = await get('', (await get('')).headers.get('etag')!)
  expect([same.status, (await same.arrayBuffer()).byteLength]).toEqual([304, 0])
  t.clock.advance(1_000)
  await upload('login', PIXEL, 'logo.png', 'image/png')
  expect((await get('', same.headers.get('etag')!)).status).toBe(200)
  await t.call('DELETE', '/settings/media-upload?ref=login', { token: operator })
})

test('the app is installed with the operator’s icon, where there is one', async () => {
  const icons = async () => (await t.call('GET', '/manifest.webmanifest')).body.icons
  expect(await icons()).toEqual([{ src: '/icons/icon-192.png' }])
  await upload('favicon-256x256', PIXEL, 'icon.png', 'image/png')
  expect(await icons()).toMatchObject([{ sizes: '256x256', type: 'image/png' }])
  const [{ src }] = await icons()
  expect((await t.app.handle(new Request(`http://localhost${src}`))).status).toBe(200)
})
