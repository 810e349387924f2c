import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { contactListItems, contactLists } from '../../schema/contact-lists/contact-lists.table.ts'
import { mappingOf, readingOf } from '../../schema/contacts/contacts.reading.ts'
import { roles } from '../../schema/roles/roles.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { checkLists, type CheckDeps } from './contact-lists.check.ts'
import { importItems } from './contact-lists.import.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

async function office(plan: Record<string, boolean> = {}) {
  const company = await t.eg.company({ plan })
  const admin = await t.eg.user(company.id, { profile: 'admin' })
  const agent = await t.eg.user(company.id)
  const token = await t.login(admin.email)
  const make = async (name = 'Clientes') => (await t.call('POST', '/contact-lists', { token, body: { name } })).body
  return { company, token, agent: await t.login(agent.email), make }
}
const csv = (text: string) => {
  const form = new FormData()
  form.set('file', new Blob([text]), 'people.csv')
  return form
}
/** One line alone was read as JSON already. */
const linesOf = (body: unknown): any[] =>
  typeof body === 'string'
    ? body
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [body]
const itemsOf = (listId: number) =>
  t.database.db
    .select()
    .from(contactListItems)
    .where(eq(contactListItems.contactListId, listId))
    .orderBy(contactListItems.id)
const checking = (checkNumber: CheckDeps['checkNumber']): CheckDeps => ({
  db: t.database.db,
  now: () => t.clock.now,
  checkNumber,
  events: t.events,
  log: t.deps.log,
})
/** Turns the clock from one question to the next until nothing is asked any more. */
async function checkAll(deps: CheckDeps) {
  for (let quiet = 0; quiet < 2; t.clock.advance(1_000)) quiet = (await checkLists(deps)) > 0 ? 0 : quiet + 1
}

test('lists are made, found, renamed and deleted, and everybody is told', async () => {
  const { token, make } = await office()
  const list = await make()
  expect(list).toMatchObject({ name: 'Clientes', contactsCount: 0 })
  expect((await t.call('POST', '/contact-lists', { token, body: { name: 'Clientes' } })).body.error).toBe(
    'ERR_CONTACT_LIST_NAME_ALREADY_EXISTS',
  )
  expect((await t.call('GET', '/contact-lists?searchParam=cliéntes', { token })).body).toMatchObject({
    records: [{ id: list.id }],
    hasMore: false,
  })
  expect((await t.call('GET', '/contact-lists/list', { token })).body).toEqual([{ id: list.id, name: 'Clientes' }])
  const renamed = await t.call('PUT', `/contact-lists/${list.id}`, { token, body: { name: 'Antigos' } })
  expect(renamed.body.name).toBe('Antigos')
  expect((await t.call('DELETE', `/contact-lists/${list.id}`, { token })).status).toBe(200)
  expect((await t.call('GET', `/contact-lists/${list.id}`, { token })).body.error).toBe('ERR_NO_CONTACT_LIST_FOUND')
  const told = t.emitted.filter(({ name }) => name === 'ContactList').map(({ action }) => action)
  expect(told).toEqual(['create', 'update', 'delete'])
})

test('a spreadsheet fills a list: what is wrong is told by row, a person stands on it once', async () => {
  const { token, make } = await office()
  const list = await make()
  const text =
    'Nome;Número;E-mail\nAna;+55 11 91234-5678;ANA@x.com\nsem;123;\nAna de novo;5511912345678;\nBeto;5521987654321;\n'
  const first = linesOf((await t.call('POST', `/contact-lists/${list.id}/upload`, { token, form: csv(text) })).body)
  expect(
    first
      .flatMap(({ rows }) => rows)
      .map(({ line, outcome, reason, firstLine }) => [line, outcome, reason ?? firstLine]),
  ).toEqual([
    [2, 'created', undefined],
    [3, 'invalid', 'number'],
    [4, 'duplicate', 2],
    [5, 'created', undefined],
  ])
  // The other spelling of a number that stands there.
  const second = linesOf(
    (await t.call('POST', `/contact-lists/${list.id}/upload`, { token, form: csv('name,number\nAna,551112345678\n') }))
      .body,
  )
  expect(second.at(-1).rows).toMatchObject([{ outcome: 'created' }])
  const third = linesOf(
    (await t.call('POST', `/contact-lists/${list.id}/upload`, { token, form: csv('name,number\nAna,552187654321\n') }))
      .body,
  )
  expect(third.at(-1).rows).toMatchObject([{ outcome: 'unchanged' }])
  expect((await itemsOf(list.id)).map(({ name, email }) => [name, email])).toEqual([
    ['Ana', 'ana@x.com'],
    ['Beto', ''],
    ['Ana', ''],
  ])
  const page = await t.call('GET', `/contact-list-items?contactListId=${list.id}&searchParam=beto`, { token })
  expect(page.body).toMatchObject({ contacts: [{ name: 'Beto' }], hasMore: false })
})

test('a full list takes nobody more', async () => {
  const { company, make } = await office()
  const list = await make('Cheia')
  await t.database.sql`INSERT INTO contact_list_items ("companyId", "contactListId", name, number, key)
    SELECT ${company.id}, ${list.id}, 'x', n::text, n::text FROM generate_series(10000001, 10049999) n`
  const sheet = {
    top: [['name', 'number']],
    total: 3,
    async *pieces() {
      yield [
        ['Um', '5511911110001'],
        ['Dois', '5511911110002'],
      ]
    },
    remove: async () => undefined,
  }
  const take = async (dryRun: boolean) => {
    const reading = readingOf(sheet, mappingOf(sheet, undefined), { country: '', dryRun })
    const rows = []
    for await (const step of importItems(
      t.database.db,
      { id: list.id, companyId: company.id },
      reading,
      () => t.clock.now,
    ))
      rows.push(...step.rows)
    return rows
  }
  const full = [{ outcome: 'created' }, { outcome: 'invalid', reason: 'full' }]
  // What is only tried says the same and takes no place.
  expect(await take(true)).toMatchObject(full)
  expect(await take(false)).toMatchObject(full)
})

test('numbers are asked about one a second, in the spelling that WhatsApp uses; a double goes', async () => {
  const { company, token, make } = await office()
  await t.eg.whatsapp(company.id, { isDefault: true, status: 'CONNECTED' })
  const list = await make()
  const add = (name: string, number: string) =>
    t.call('POST', '/contact-list-items', { token, body: { name, number, contactListId: list.id } })
  await add('Ana', '5511912340001')
  await add('Nobody', '5511900000000')
  await add('Other spelling', '5511934000001')
  const asked: [number, string][] = []
  const deps = checking(async (_, number) => {
    asked.push([t.clock.now.getTime(), number])
    if (number.endsWith('0000')) return null
    return { number: number === '5511934000001' ? '5511912340001' : number, lid: '777' }
  })
  await checkAll(deps)
  expect(asked.map(([, number]) => number)).toEqual(['5511912340001', '5511900000000', '5511934000001'])
  expect(asked[1]![0] - asked[0]![0]).toBeGreaterThanOrEqual(1_000)
  expect((await itemsOf(list.id)).map(({ name, isWhatsappValid, lid }) => [name, isWhatsappValid, lid])).toEqual([
    ['Ana', true, '777'],
    ['Nobody', false, null],
  ])
  expect((await t.call('GET', `/contact-lists/${list.id}`, { token })).body).toMatchObject({
    checkState: 'done',
    checkDone: 3,
    validCount: 1,
    invalidCount: 1,
  })
})

test('the asking waits while no connection is open, ends when it is cancelled, and starts again', async () => {
  const { company, token, make } = await office()
  const line = await t.eg.whatsapp(company.id, { isDefault: true, status: 'DISCONNECTED' })
  const list = await make()
  for (const n of [1, 2])
    await t.call('POST', '/contact-list-items', {
      token,
      body: { name: `P${n} P`, number: `551191234000${n}`, contactListId: list.id },
    })
  let asked = 0
  const deps = checking(async (_, number) => {
    asked++
    return { number }
  })
  await checkLists(deps)
  expect(asked).toBe(0)
  await t.database.sql`UPDATE whatsapps SET status = 'CONNECTED' WHERE id = ${line.id}`
  t.clock.advance(15_000)
  await checkLists(deps)
  expect(asked).toBe(1)
  expect((await t.call('DELETE', `/contact-lists/${list.id}/check`, { token })).body.checkState).toBe('cancelled')
  await checkAll(deps)
  expect(asked).toBe(1)
  await t.call('POST', `/contact-lists/${list.id}/check`, { token })
  await checkAll(deps)
  expect(asked).toBe(2)
  const [row] = await t.database.db.select().from(contactLists).where(eq(contactLists.id, list.id))
  expect(row!.checkState).toBe('done')
})

test('only who writes campaigns reads, fills and deletes lists; without the plan there are none', async () => {
  const { token, agent, make } = await office()
  const list = await make()
  const item = await t.call('POST', '/contact-list-items', {
    token,
    body: { name: 'Ana', number: '(11) 91234-5678', contactListId: list.id },
  })
  expect(item.body).toMatchObject({ number: '5511912345678', isWhatsappValid: null })
  for (const [method, path] of [
    ['GET', '/contact-lists'],
    ['GET', `/contact-list-items/${item.body.id}`],
    ['DELETE', `/contact-list-items/${item.body.id}`],
    ['DELETE', `/contact-lists/${list.id}`],
  ] as const)
    expect([path, (await t.call(method, path, { token: agent })).body.error]).toEqual([path, 'ERR_NO_PERMISSION'])
  expect((await t.call('DELETE', `/contact-list-items/${item.body.id}`, { token })).status).toBe(200)
  const poor = await office({ useCampaigns: false })
  expect((await t.call('GET', '/contact-lists', { token: poor.token })).body.error).toBe('ERR_PLAN_FEATURE')
})

test('who writes campaigns takes somebody off a list only with the permission that deleting a contact asks', async () => {
  const { company, token, make } = await office()
  const list = await make()
  const body = { name: 'Ana', number: '(11) 91234-5678', contactListId: list.id }
  const { id } = (await t.call('POST', '/contact-list-items', { token, body })).body
  for (const [permissions, status] of [
    [['campaigns:write'], 403],
    [['campaigns:write', 'contacts-page:deleteContact'], 200],
  ] as const) {
    const values = { companyId: company.id, name: `${status}`, ticketScope: 'all' as const }
    const [role] = await t.database.db
      .insert(roles)
      .values({ ...values, permissions: [...permissions] })
      .returning()
    const theirs = await t.login((await t.eg.user(company.id, { roleId: role!.id })).email)
    const renamed = await t.call('PUT', `/contact-list-items/${id}`, { token: theirs, body: { name: 'Ana Lima' } })
    expect(renamed.status).toBe(200)
    expect((await t.call('DELETE', `/contact-list-items/${id}`, { token: theirs })).status).toBe(status)
  }
})

test('the sample is a spreadsheet that the import reads', async () => {
  const { token, make } = await office()
  const list = await make()
  const response = await t.app.handle(
    new Request('http://localhost/contact-lists/sample', { headers: { authorization: `Bearer ${token}` } }),
  )
  const form = new FormData()
  form.set('file', await response.blob(), 'sample.xlsx')
  const lines = linesOf((await t.call('POST', `/contact-lists/${list.id}/upload`, { token, form })).body)
  expect(lines.flatMap(({ rows }) => rows).map(({ outcome }) => outcome)).toEqual(['created', 'created'])
})
