import { type Language, languages } from '../../schema/languages.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OPERATOR_COMPANY_ID } from '../../schema/companies/companies.subscription.ts'
import { readProductName } from '../../schema/companies/product-name.ts'
import { settings } from '../../schema/settings/settings.table.ts'
import { PASSWORD, type TestApp, testApp } from '../../tests/support/app.ts'
import { passwordResetEffects } from '../auth/password-reset.effects.ts'
import type { Letter } from '../mail/mailer.ts'
import { readSetting } from '../settings/settings.queries.ts'

const clientDir = mkdtempSync(join(tmpdir(), 'balcao-client-'))
let t: TestApp
let operator: string
let admin: string
beforeAll(async () => {
  const built = { name: 'Balcão', short_name: 'Balcão', description: 'Atendimento', icons: [] }
  writeFileSync(join(clientDir, 'manifest.webmanifest'), JSON.stringify(built))
  writeFileSync(
    join(clientDir, 'index.html'),
    `<!doctype html><meta name="application-name" content="Balcão" /><title>Balcão</title>${' '.repeat(1_100)}`,
  )
  writeFileSync(join(clientDir, 'about.html'), '<!doctype html><title>Balcão</title>')
  t = await testApp({ clientDir, publicUrl: 'https://atende.example' })
  const first = await t.eg.company()
  expect(first.id).toBe(OPERATOR_COMPANY_ID)
  operator = await t.login((await t.eg.user(first.id, { profile: 'admin', super: true })).email)
  admin = await t.login((await t.eg.user((await t.eg.company()).id, { profile: 'admin' })).email)
})
afterAll(async () => {
  await t.close()
  rmSync(clientDir, { recursive: true, force: true })
})
beforeEach(async () => {
  await t.database.db.delete(settings)
})

const call = (value: string, token = operator) => t.call('PUT', '/settings/productName', { token, body: { value } })
const told = async () => (await t.call('GET', '/branding')).body.product
const page = (path: string, headers: Record<string, string> = {}) =>
  t.app.handle(new Request(`http://localhost${path}`, { headers: { accept: 'text/html', ...headers } }))

describe('the name of the product', () => {
  test('is ours until the operator writes another, which everybody is told before they log in', async () => {
    expect(await told()).toBe('Balcão')
    const { status, body } = await call('  Zap da Praça ')
    expect([status, body]).toEqual([200, { key: 'productName', value: 'Zap da Praça' }])
    expect(await told()).toBe('Zap da Praça')
    await call(' ')
    expect(await told()).toBe('Balcão')
  })

  test('is thirty letters at most, without what cannot be seen or turns round what is read', async () => {
    expect((await call('á'.repeat(30))).status).toBe(200)
    for (const wrong of [
      'a'.repeat(31),
      'a\nb',
      'a\u0000b',
      'Zap\u202egpj',
      'Zap\u2067',
      '\u200f',
      'a\u2028b',
      '\ud800',
    ])
      expect([wrong, (await call(wrong)).body.error]).toEqual([wrong, 'ERR_VALIDATION'])
    expect(await told()).toBe('á'.repeat(30))
    // A letter is one, however many units or marks it is written with.
    expect(readProductName('🍞'.repeat(30))).toBe('🍞'.repeat(30))
    expect(readProductName('a\u0301'.repeat(30))).toBe('á'.repeat(30))
  })

  test('is the operator’s to write, whose own company it is kept with', async () => {
    expect((await call('Alheio', admin)).body.error).toBe('ERR_NO_SUPER')
    const other = await t.eg.user((await t.eg.company()).id, { profile: 'admin', super: true })
    expect((await call('Zap Dois', await t.login(other.email))).status).toBe(200)
    expect(await readSetting(t.database.db, OPERATOR_COMPANY_ID, 'productName')).toBe('Zap Dois')
    const seen = (await t.call('GET', '/settings', { token: admin })).body as { key: string }[]
    expect(seen.some(({ key }) => key === 'productName')).toBe(false)
  })
})

describe('where the operator has named it, the product is called so', () => {
  test('by what browsers install', async () => {
    const manifest = async () => (await t.call('GET', '/manifest.webmanifest')).body
    expect(await manifest()).toMatchObject({ name: 'Balcão', short_name: 'Balcão' })
    await call('Zap Já')
    expect(await manifest()).toMatchObject({ name: 'Zap Já', short_name: 'Zap Já', description: 'Atendimento' })
  })

  test('by the page itself, so that its first drawing says it; what was kept of it is asked for anew', async () => {
    const ours = await page('/login')
    expect(await ours.text()).toContain('<title>Balcão</title>')
    await call(`R&D "<b>$&`)
    const etag = ours.headers.get('etag')!
    const named = await page('/login', { 'if-none-match': etag, 'accept-encoding': 'gzip' })
    expect([named.status, named.headers.get('content-encoding')]).toEqual([200, 'gzip'])
    const html = new TextDecoder().decode(Bun.gunzipSync(await named.bytes()))
    expect(html).toContain('content="R&amp;D &quot;&lt;b&gt;$&amp;"')
    expect(html).toContain('<title>R&amp;D &quot;&lt;b&gt;$&amp;</title>')
    const again = await page('/', { 'if-none-match': named.headers.get('etag')! })
    expect(again.status).toBe(304)
    // Of other files the bytes are as they were built.
    expect(await (await page('/about.html')).text()).toContain('Balcão')
  })

  test('by the mails that it sends', async () => {
    const letters: Letter[] = []
    const { 'mail.passwordReset': reset, 'mail.invitation': invite } = passwordResetEffects({
      db: t.database.db,
      mailer: { send: async (letter) => void letters.push(letter), stop: () => undefined },
      hashOf: t.deps.tokens.hashOf,
      publicUrl: 'https://atende.example',
      now: () => t.clock.now,
    })
    const lettersTo = async (language: Language) => {
      const { id: userId } = await t.eg.user((await t.eg.company({ language })).id)
      letters.length = 0
      await reset({ userId } as never, {} as never)
      await invite({ userId } as never, {} as never)
      expect(letters).toHaveLength(2)
      return letters.map(({ subject, text }) => `${subject}\n${text}`)
    }
    for (const text of await lettersTo('pt')) expect(text).toContain('Balcão')
    await call('Zap Já')
    for (const language of languages)
      for (const text of await lettersTo(language)) {
        expect(text).toContain('Zap Já')
        expect(text).not.toContain('Balcão')
      }
  })

  test('by authenticator apps and by devices that keep keys', async () => {
    const { email } = await t.eg.user((await t.eg.company()).id)
    const token = await t.login(email)
    const asked = async () => {
      const body = { currentPassword: PASSWORD }
      const app = (await t.call('POST', '/auth/2fa/setup', { token, body })).body.uri as string
      const key = (await t.call('POST', '/auth/passkeys/begin', { token, body })).body.rp.name as string
      return [new URL(app).searchParams.get('issuer'), key]
    }
    expect(await asked()).toEqual(['Balcão', 'Balcão'])
    await call('Zap Já')
    expect(await asked()).toEqual(['Zap Já', 'Zap Já'])
  })

  test('by the page of the API', async () => {
    await call('Zap <Já>')
    expect(await (await page('/docs')).text()).toContain('<title>Zap &lt;Já&gt; API</title>')
    expect((await t.call('GET', '/docs/json')).body.info.title).toBe('Zap <Já>')
  })
})
