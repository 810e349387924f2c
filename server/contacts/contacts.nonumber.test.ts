import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { contactAliases } from '../../schema/contacts/aliases.table.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { testApp, type TestApp } from '../../tests/support/app.ts'
import { contactOf, renameContact } from './contacts.identity.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const at = (minute: number) => new Date(Date.UTC(2026, 10, 29, 12, minute))
const heard = (name: string | null, minute: number, username?: string) => ({
  ...{ name, username, day: '2026-11-29', at: at(minute) },
})
const by = (id: string, number: string | null = null, parent: string | null = null) => ({
  ...{ kind: 'person' as const, number, lid: null, bsuid: { portfolio: '7', id, parent } },
})

async function company() {
  const { id: companyId } = await t.eg.company()
  const admin = await t.eg.user(companyId, { profile: 'admin' })
  const token = await t.login(admin.email)
  const { db } = t.database
  const arrive = (...args: [Parameters<typeof contactOf>[2], Parameters<typeof contactOf>[3]]) =>
    db.transaction((tx) => contactOf(tx, companyId, ...args))
  const rows = () => db.select().from(contacts).where(eq(contacts.companyId, companyId)).orderBy(contacts.id)
  return { companyId, token, db, arrive, rows }
}

test('a contact without a number is listed, found, exported, and never called by an id', async () => {
  const { token, arrive } = await company()
  const ana = await arrive(by('BR.1'), heard('Ana', 0, 'ana.p'))
  const nameless = await arrive(by('BR.2'), heard(null, 0))
  const labelled = await arrive(by('BR.3'), heard(null, 0, 'bia'))
  expect([ana.name, nameless.name, labelled.name]).toEqual(['Ana', '', '@bia'])
  const list = (await t.call('GET', '/contacts', { token })).body as { contacts: { number: null }[] }
  expect(list.contacts.map(({ number }) => number)).toEqual([null, null, null])
  const found = (await t.call('GET', '/contacts?searchParam=%40ana.p', { token })).body
  expect(found).toMatchObject({ contacts: [{ id: ana.id, username: 'ana.p' }] })
  const sheet = String((await t.call('GET', '/contacts/export?format=csv', { token })).body)
  expect(sheet).toContain('Ana')
  expect(sheet).not.toMatch(/null|undefined|BR\.\d/)
})

test('who tells their number is joined with the contact that has it', async () => {
  const { arrive, rows } = await company()
  const byNumber = await arrive({ kind: 'person', number: '5511988880001', lid: '77' }, heard('Ana', 0))
  const byId = await arrive(by('BR.1'), heard('Ana P.', 1))
  expect(byId.created).toBe(true)
  const joined = await arrive(by('BR.1', '5511988880001'), heard('Ana P.', 2))
  expect(joined).toMatchObject({ id: byNumber.id, number: '5511988880001', lid: '77' })
  expect(await rows()).toHaveLength(1)
  // Another account with that number is another person, and has it from then on.
  const other = await arrive(by('BR.9', '5511988880001'), heard('Caio', 3))
  expect(other.id).not.toBe(joined.id)
  expect((await rows()).map(({ name, number }) => [name, number])).toEqual([
    ['Ana P.', null],
    ['Caio', '5511988880001'],
  ])
  // What the first had written before comes late, and is theirs.
  const late = await arrive({ kind: 'person', number: '5511988880001', lid: null }, heard(null, 2))
  expect(late.id).toBe(joined.id)
})

test('who changes their number stays one contact, whichever is told first', async () => {
  const { companyId, arrive, rows, db } = await company()
  const renamed = () =>
    db.transaction((tx) =>
      renameContact(tx, companyId, { before: by('BR.1', '5511988880002'), after: by('BR.2', '5511988880003') }, at(5)),
    )
  const first = await arrive(by('BR.1', '5511988880002'), heard('Ana', 0))
  const second = await arrive(by('BR.2', '5511988880003'), heard('Ana', 6))
  expect(second.created).toBe(true)
  await renamed()
  await renamed()
  expect(await rows()).toMatchObject([{ id: first.id, number: '5511988880003' }])
  const aliases = await db.select().from(contactAliases).where(eq(contactAliases.companyId, companyId))
  expect(aliases.map(({ value, until }) => [value, until?.toISOString() ?? null]).sort()).toEqual([
    ['5511988880002', at(5).toISOString()],
    ['BR.1', at(5).toISOString()],
    ['BR.2', null],
  ])
})

test('a number that an agent writes down is the contact’s, beside the id by which they are known', async () => {
  const { token, arrive, rows } = await company()
  const { id } = await arrive(by('BR.1'), heard('Ana', 0))
  const body = { name: 'Ana', number: '+55 11 98888-0004' }
  expect((await t.call('PUT', `/contacts/${id}`, { token, body })).body).toMatchObject({ number: '5511988880004' })
  expect((await arrive(by('BR.1'), heard('Ana', 1))).id).toBe(id)
  // Another number is another account's.
  await t.call('PUT', `/contacts/${id}`, { token, body: { number: '+55 11 98888-0005' } })
  expect((await arrive(by('BR.1'), heard('Ana', 2))).id).not.toBe(id)
  expect(await rows()).toHaveLength(2)
  // One that somebody else has is refused.
  const taken = await t.call('PUT', `/contacts/${(await rows())[1]!.id}`, { token, body: { number: '5511988880005' } })
  expect([taken.status, (taken.body as { error: string }).error]).toEqual([409, 'ERR_DUPLICATED_CONTACT'])
})

test('the id of one company’s contact finds nobody of another', async () => {
  const [one, two] = [await company(), await company()]
  const ana = await one.arrive(by('BR.1', null, 'BR.ENT.1'), heard('Ana', 0))
  const other = await two.arrive(by('BR.1', null, 'BR.ENT.1'), heard('Ana', 0))
  expect([other.created, other.id === ana.id, other.companyId]).toEqual([true, false, two.companyId])
})
