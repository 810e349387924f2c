import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { readXlsx, writeXlsx } from 'hucre/xlsx'
import type { ImportedRow, ImportProgress } from '../../schema/contacts/contacts.sheet.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import type { Profile } from '../../schema/users/users.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { workbookOf } from '../../tests/support/zip.ts'
import { contactOf } from './contacts.identity.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp({ maxUploadBytes: 10_000_000 })
})
afterAll(() => t.close())

async function agent(profile: Profile = 'supervisor') {
  const company = await t.eg.company()
  const user = await t.eg.user(company.id, { profile })
  return { companyId: company.id, token: await t.login(user.email) }
}
const contactsOf = (companyId: number) =>
  t.database.db.select().from(contacts).where(eq(contacts.companyId, companyId)).orderBy(contacts.id)

function form(content: BlobPart, name = 'contacts.csv'): FormData {
  const made = new FormData()
  made.set('file', new Blob([content]), name)
  return made
}
async function bring(token: string, content: BlobPart, query = '') {
  const { status, body } = await t.call('POST', `/contacts/import${query}`, { token, form: form(content) })
  if (status !== 200) return { status, error: body as { error: string }, rows: [] as ImportedRow[] }
  // A single line is JSON as a whole.
  const lines =
    typeof body === 'string'
      ? body
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [body]
  return { status, progress: lines as ImportProgress[], rows: (lines as ImportProgress[]).flatMap(({ rows }) => rows) }
}

describe('all contacts at once', () => {
  test('go out and come in with admins and supervisors; an agent is refused, before the file is read', async () => {
    for (const profile of ['admin', 'supervisor', 'user'] as const) {
      const { companyId, token } = await agent(profile)
      const expected = profile === 'user' ? 403 : 200
      expect([profile, (await t.call('GET', '/contacts/export', { token })).status]).toEqual([profile, expected])
      const { status, error } = await bring(token, 'name,number\nAna,5511911111111', '?mode=replace')
      expect([profile, status, error?.error]).toEqual([
        profile,
        expected,
        profile === 'user' ? 'ERR_NO_PERMISSION' : undefined,
      ])
      expect(await contactsOf(companyId)).toHaveLength(profile === 'user' ? 0 : 1)
    }
  })
})

describe('an import', () => {
  test('reports each row: created, updated, repeated in the file, refused and why', async () => {
    const { companyId, token } = await agent()
    await t.eg.contact(companyId, { number: '5511911111111', name: '5511911111111', nameSource: 'number' })
    const { rows, progress } = await bring(
      token,
      [
        'Nome;Número;E-mail;Cidade',
        'Ana;+55 (11) 91111-1111;ana@x.com;Santos',
        'Bia;5511982222222;;',
        'Bia de novo;551182222222;;',
        ';5511933333333;;Campinas',
        'Sem número;;;',
        'Torto;5,51E+12;;',
        'Dora;5511944444444;dora@;',
        '',
      ].join('\r\n'),
    )
    expect(progress!.at(-1)).toMatchObject({ total: 7, done: 7 })
    expect(rows.map(({ line, outcome, reason, firstLine }) => [line, outcome, reason ?? firstLine])).toEqual([
      [2, 'updated', undefined],
      [3, 'created', undefined],
      [4, 'duplicate', 3],
      [5, 'created', undefined],
      [6, 'invalid', 'number_missing'],
      [7, 'invalid', 'number'],
      [8, 'created', 'email'],
    ])
    const stored = await contactsOf(companyId)
    expect(stored[0]).toMatchObject({ name: 'Ana', nameSource: 'edited', email: 'ana@x.com' })
    expect(stored[0]!.extraInfo).toMatchObject([{ name: 'Cidade', value: 'Santos' }])
    expect(stored.at(-2)).toMatchObject({ name: '5511933333333', nameSource: 'number' })
    // A field that cannot be kept costs no person.
    expect(stored.at(-1)).toMatchObject({ name: 'Dora', email: '' })
  })

  test('of the same file again changes nothing', async () => {
    const { token } = await agent()
    const file = 'name,number,email,City\nAna,5511911111111,ana@x.com,Santos\nBia,5511922222222,,'
    expect((await bring(token, file)).rows.map(({ outcome }) => outcome)).toEqual(['created', 'created'])
    expect((await bring(token, file, '?mode=replace')).rows.map(({ outcome }) => outcome)).toEqual([
      'unchanged',
      'unchanged',
    ])
  })

  test('reads numbers as other programs write them, by the company’s country where none is named', async () => {
    const { companyId, token } = await agent()
    await t.database.db.update(companies).set({ callingCode: '54' }).where(eq(companies.id, companyId))
    const file = [
      'nome,telefone',
      'Ana,5511941208001.0',
      'Bia,00 55 11 94120-8002',
      'Caio,"=""5511941208003"""',
      'Davi,\u202a+55 11 94120\u20118004\u202c',
      'Eva,11 5123-8005',
      'Fim,5123-8006',
    ].join('\n')
    const { rows } = await bring(token, file)
    expect(rows.map(({ number, outcome, reason }) => [number, reason ?? outcome])).toEqual([
      ['5511941208001', 'created'],
      ['5511941208002', 'created'],
      ['5511941208003', 'created'],
      ['5511941208004', 'created'],
      ['541151238005', 'created'],
      ['5123-8006', 'number'],
    ])
    // Empty is none, said on purpose.
    expect((await bring(token, 'nome,telefone\nEva,11 5123-8005', '?country=')).rows).toMatchObject([
      { reason: 'number' },
    ])
  })

  test('and a message of the same person by another spelling make one contact', async () => {
    const { companyId, token } = await agent()
    await bring(token, 'nome,telefone\nImportada,+54 11 5123-8001\nDo México,+52 55 1234 8001')
    const day = '2026-11-28'
    for (const [number, name] of [
      ['5491151238001', 'Importada'],
      ['5215512348001', 'Do México'],
    ] as const) {
      const chat = { kind: 'person' as const, number, lid: `7${number}` }
      const found = await t.database.db.transaction((tx) =>
        contactOf(tx, companyId, chat, { name: 'No telefone', day, at: new Date() }),
      )
      // WhatsApp says how the number is written.
      expect(found).toMatchObject({ created: false, name, number, lid: chat.lid })
    }
    expect(await contactsOf(companyId)).toHaveLength(2)
    const typed = { name: 'Outra vez', number: '+54 11 5123-8001' }
    expect((await t.call('POST', '/contacts', { token, body: typed })).body).toMatchObject({ alreadyExists: true })
    // Two that were there already become one as soon as the person writes.
    await t.eg.contact(companyId, { number: '551188888001' })
    await t.eg.contact(companyId, { number: '5511988888001' })
    const chat = { kind: 'person' as const, number: '551188888001', lid: null }
    const { merged } = await t.database.db.transaction((tx) =>
      contactOf(tx, companyId, chat, { name: null, day, at: new Date() }),
    )
    expect(merged).not.toEqual([])
    expect(await contactsOf(companyId)).toHaveLength(3)
  })

  test('finds the contact whose number WhatsApp writes without the ninth digit', async () => {
    const { companyId, token } = await agent()
    await t.eg.contact(companyId, { number: '551188887777' })
    const { rows } = await bring(
      token,
      'name,number\nAna,(11) 98888-7777\nRepetida,551188887777',
      '?country=55&mode=keep',
    )
    expect(rows.map(({ outcome, firstLine }) => [outcome, firstLine])).toEqual([
      ['unchanged', undefined],
      ['duplicate', 2],
    ])
    expect(await contactsOf(companyId)).toHaveLength(1)
  })

  test('reads a workbook, where numbers are numbers, and Windows text', async () => {
    const { companyId, token } = await agent()
    const workbook = await writeXlsx({
      sheets: [
        {
          name: 'A',
          rows: [
            ['Nome', 'Número', 'Código'],
            ['José', 5511955555555, 42],
          ],
        },
      ],
    })
    expect((await bring(token, workbook as BlobPart)).rows).toMatchObject([
      { outcome: 'created', number: '5511955555555' },
    ])
    const latin = Buffer.from('Nome;Número\nÂngela;5511966666666', 'latin1')
    expect((await bring(token, latin)).rows).toMatchObject([{ outcome: 'created', name: 'Ângela' }])
    // What spreadsheets call Unicode text.
    const wide = Buffer.from('\ufeffNome\tNúmero\nÉrica\t5511977777777', 'utf16le')
    expect((await bring(token, wide)).rows).toMatchObject([{ outcome: 'created', name: 'Érica' }])
    const swapped = Buffer.from('\ufeffNome;Número\nÍris;5511988888888', 'utf16le').swap16()
    expect((await bring(token, swapped)).rows).toMatchObject([{ outcome: 'created', name: 'Íris' }])
    expect((await contactsOf(companyId)).map(({ name }) => name)).toEqual(['José', 'Ângela', 'Érica', 'Íris'])
  })

  test('refuses what it cannot read, with a reason', async () => {
    const { token } = await agent()
    const refused = async (content: BlobPart) => {
      const { status, error } = await bring(token, content)
      return [status, error?.error]
    }
    expect(await refused(new Uint8Array([0, 1, 2, 3]))).toEqual([415, 'ERR_FILE_TYPE'])
    expect(await refused('')).toEqual([415, 'ERR_FILE_TYPE'])
    expect(await refused('%PDF-1.4\n1 0 obj\n<</Type /Catalog>>\nendobj\n')).toEqual([415, 'ERR_FILE_TYPE'])
    expect(await refused('name,number\nAna\u0002,5511911111111')).toEqual([415, 'ERR_FILE_TYPE'])
    expect(await refused('PK\u0003\u0004 broken')).toEqual([415, 'ERR_FILE_TYPE'])
    expect(await refused('name,city\nAna,Santos')).toEqual([400, 'ERR_VALIDATION'])
    expect(await refused('name,number')).toEqual([400, 'ERR_VALIDATION'])
    expect(await refused(`name,number\n${'x,5511911111111\n'.repeat(50_001)}`)).toEqual([413, 'ERR_FILE_TOO_LARGE'])
    expect(await refused(new Uint8Array(5_000_001))).toEqual([413, 'ERR_FILE_TOO_LARGE'])
    const none = await t.call('POST', '/contacts/import', { token, form: new FormData() })
    expect(none.body.error).toBeOneOf(['ERR_FILE_REQUIRED', 'ERR_VALIDATION'])
    expect(none.status).toBe(400)
    expect((await t.call('POST', '/contacts/import', { token, body: {} })).body.error).toBe('ERR_FILE_REQUIRED')
  })

  test('an entity of a workbook names no file, and unfolds to nothing', async () => {
    const { companyId, token } = await agent()
    const entities = `<!DOCTYPE sst [<!ENTITY own SYSTEM "file:///etc/passwd"><!ENTITY a "${'x'.repeat(1_000)}">${Array.from(
      { length: 20 },
      (_, at) => `<!ENTITY b${at} "${`&${at === 0 ? 'a' : `b${at - 1}`};`.repeat(10)}">`,
    ).join('')}]>`
    const rows = [
      '<row r="1"><c t="inlineStr"><is><t>name</t></is></c><c t="inlineStr"><is><t>number</t></is></c></row>',
      '<row r="2"><c t="s"><v>0</v></c><c t="inlineStr"><is><t>5511912345678</t></is></c></row>',
    ].join('')
    const book = workbookOf(rows, '<si><t>&own;&b19;</t></si>', entities)
    await bring(token, book as BlobPart)
    const names = (await contactsOf(companyId)).map(({ name }) => name).join()
    expect(names).not.toMatch(/root:|xxxx/)
    expect(names.length).toBeLessThan(200)
  })

  test('that unfolds to far more than it weighs is not unfolded', async () => {
    const { token } = await agent()
    const bomb = await writeXlsx({ sheets: [{ name: 'A', rows: [['number'], ['A'.repeat(130_000_000)]] }] }).catch(
      () => null,
    )
    if (!bomb) throw new Error('the workbook could not be made')
    expect(bomb.length).toBeLessThan(5_000_000)
    expect(await bring(token, bomb as BlobPart)).toMatchObject({ status: 415, error: { error: 'ERR_FILE_TYPE' } })
  }, 30_000)

  test('is tried first: nothing is written, and the counts are those of the import that follows', async () => {
    const { companyId, token } = await agent()
    await t.eg.contact(companyId, { number: '5511911111111', name: '5511911111111', nameSource: 'number' })
    await t.eg.contact(companyId, { number: '5511922222222', name: 'Bia', nameSource: 'edited' })
    const file = [
      'Clientes da loja;;',
      'Quem;Aparelho;Bairro',
      'Ana;5511911111111;Centro',
      'Bia;5511922222222;',
      'Caio;11 93333-3333;Centro',
      'Caio;5511933333333;',
      'Sem;;',
    ].join('\n')
    const first = await bring(token, file, '?dryRun=true&country=55')
    const mapping = { headerLine: 2, name: 0, number: 1, email: null, extra: [2] }
    expect(first.progress![0]!.sheet).toMatchObject({ mapping, lines: { length: 7 } })
    expect(first.progress!.at(-1)!.counts).toEqual({ created: 1, updated: 1, unchanged: 1, duplicate: 1, invalid: 1 })
    expect(first.rows.map(({ line, outcome }) => [line, outcome])).toEqual([
      [6, 'duplicate'],
      [7, 'invalid'],
    ])
    expect((await contactsOf(companyId)).map(({ name }) => name)).toEqual(['5511911111111', 'Bia'])
    // Read as somebody says: no extra information, the names where they are not.
    const said = encodeURIComponent(JSON.stringify({ ...mapping, name: 2, extra: [] }))
    const { rows } = await bring(token, file, `?country=55&mapping=${said}`)
    expect(rows.map(({ outcome }) => outcome)).toEqual(['updated', 'unchanged', 'created', 'duplicate', 'invalid'])
    expect((await contactsOf(companyId)).map(({ name, extraInfo }) => [name, extraInfo])).toEqual([
      ['Centro', []],
      ['Bia', []],
      ['Centro', []],
    ])
  })

  test('asks which column has the numbers, and refuses columns that cannot be', async () => {
    const { companyId, token } = await agent()
    const { progress } = await bring(token, 'name,city\nAna,Santos', '?dryRun=true')
    expect(progress).toMatchObject([{ total: 1, sheet: { mapping: { number: null, name: 0 } } }])
    for (const wrong of ['{}', 'x', JSON.stringify({ headerLine: 1, name: null, number: 900, email: null, extra: [] })])
      expect(await bring(token, 'name,city\nAna,Santos', `?mapping=${encodeURIComponent(wrong)}`)).toMatchObject({
        status: 400,
        error: { error: 'ERR_VALIDATION' },
      })
    expect(await contactsOf(companyId)).toEqual([])
  })

  test('stops when nobody listens any more; what was done stays, and the rest can be done later', async () => {
    const { companyId, token } = await agent()
    const lines = Array.from({ length: 5_000 }, (_, i) => `Contato ${i},55119${String(10_000_000 + i)}`)
    const file = `name,number\n${lines.join('\n')}`
    const response = await t.app.handle(
      new Request('http://localhost/contacts/import', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: form(file),
      }),
    )
    const reader = response.body!.getReader()
    await reader.read()
    await reader.read()
    await reader.cancel()
    const made = (await contactsOf(companyId)).length
    expect(made).toBeGreaterThan(0)
    expect(made).toBeLessThan(5_000)
    await Bun.sleep(200)
    expect(await contactsOf(companyId)).toHaveLength(made)
    const outcomes = Map.groupBy((await bring(token, file)).rows, ({ outcome }) => outcome)
    expect([outcomes.get('unchanged')?.length, outcomes.get('created')?.length]).toEqual([made, 5_000 - made])
  }, 30_000)
})

describe('an export', () => {
  const values = { email: 'eva@x.com', extraInfo: [{ id: 'a', name: 'Cidade', value: '=cmd|calc' }] }
  test('holds the own contacts, has no live formula, and is read back by the import', async () => {
    const { companyId, token } = await agent()
    const other = await agent()
    await t.eg.contact(companyId, { name: '+Eva "a", b', number: '5511977777777', ...values })
    await t.eg.contact(companyId, { name: 'Grupo', number: '120363', isGroup: true })
    await t.eg.contact(other.companyId, { name: 'De outra' })
    const csv = await t.call('GET', '/contacts/export?format=csv', { token })
    expect(csv.body.trimStart().split('\r\n')).toEqual([
      'name,number,email,Cidade',
      `"'+Eva ""a"", b",5511977777777,eva@x.com,'=cmd|calc`,
      '',
    ])
    for (const [language, header] of [
      ['pt', 'nome,número,e-mail,Cidade'],
      ['es', 'nombre,número,correo,Cidade'],
    ]) {
      const named = await t.call('GET', `/contacts/export?format=csv&language=${language}`, { token })
      expect(named.body.trimStart().split('\r\n')[0]).toBe(header)
      expect((await bring(other.token, named.body)).rows[0]!.outcome).toBeOneOf(['created', 'unchanged'])
    }
    const xlsx = await t.app.handle(
      new Request('http://localhost/contacts/export', { headers: { authorization: `Bearer ${token}` } }),
    )
    expect(xlsx.headers.get('content-disposition')).toMatch(/contacts-.*\.xlsx/)
    const file = new Uint8Array(await xlsx.arrayBuffer())
    const [sheet] = (await readXlsx(file)).sheets
    expect(sheet!.rows).toEqual([
      ['name', 'number', 'email', 'Cidade'],
      ['+Eva "a", b', '5511977777777', 'eva@x.com', '=cmd|calc'],
    ])
    expect([...(sheet!.cells?.values() ?? [])].some((cell) => cell.formula)).toBe(false)
    for (const content of [csv.body, file]) {
      const { rows } = await bring(other.token, content)
      expect(rows[0]!.outcome).toBeOneOf(['created', 'unchanged'])
    }
    expect((await contactsOf(other.companyId)).at(-1)).toMatchObject({ name: '+Eva "a", b', email: 'eva@x.com' })
  })
  test('of some contacts holds these, with the columns that they need, and nobody’s of another company', async () => {
    const { companyId, token } = await agent()
    const other = await agent()
    const eva = await t.eg.contact(companyId, { name: 'Eva', number: '5511977777771', ...values })
    const leo = await t.eg.contact(companyId, { name: 'Léo', number: '5511977777772', extraInfo: [] })
    await t.eg.contact(companyId, { name: 'Ivo', number: '5511977777773', extraInfo: [] })
    const theirs = await t.eg.contact(other.companyId, { name: 'De outra', number: '5511977777774' })
    const lines = async (ids: unknown) => {
      const { status, body } = await t.call('GET', `/contacts/export?format=csv&ids=${JSON.stringify(ids)}`, { token })
      return status === 200 ? body.trim().split('\r\n').slice(1) : status
    }
    expect(await lines([leo.id, theirs.id])).toEqual(['Léo,5511977777772,'])
    expect(await lines([eva.id, leo.id])).toEqual(["Eva,5511977777771,eva@x.com,'=cmd|calc", 'Léo,5511977777772,,'])
    expect(await lines([])).toEqual([])
    expect(await lines(['x'])).toBe(400)
  })
})
