import { afterAll, beforeAll, expect, test } from 'bun:test'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { testDatabase, type TestDatabase } from '../../tests/support/postgres.ts'
import { linkedDevices } from '../../schema/whatsapps/whatsapps.providers.ts'
import { createLease } from '../leases/lease.ts'
import { connectionToAsk, providerOf, wantedBesides } from './whatsapps.queries.ts'

let database: TestDatabase
let companyId: number
const ids: Record<string, number> = {}
beforeAll(async () => {
  database = await testDatabase()
  const [company] = await database.db.insert(companies).values({ name: 'Loja' }).returning()
  companyId = company!.id
  for (const provider of ['telepathy', 'beta', 'stable']) {
    const [row] = await database.db
      .insert(whatsapps)
      .values({
        ...{ companyId, name: provider, token: provider, wanted: true, status: 'CONNECTED' },
        ...{ provider: provider as 'beta', isDefault: provider === 'telepathy' },
      })
      .returning()
    ids[provider] = row!.id
  }
})
afterAll(() => database.close())

test('the linked device takes up its own connections, and leaves those of other wires to others', async () => {
  const lease = createLease(database.sql, 'a server', linkedDevices)
  expect((await lease.claim(await lease.free())).map(({ id }) => id)).toEqual([ids['beta']!, ids['stable']!])
  expect(await lease.claim([ids['telepathy']!])).toEqual([])
})

test('the wanted connections that nobody serves are known', async () => {
  const { db } = database
  expect(await wantedBesides(db, linkedDevices)).toEqual([{ id: ids['telepathy']! }])
  expect(await wantedBesides(db, [...linkedDevices, 'telepathy'])).toEqual([])
  expect(await providerOf(db, ids['telepathy']!)).toBe('telepathy')
  expect(await providerOf(db, 999)).toBeUndefined()
})

test('about numbers the connection is asked that can tell, though another is the default', async () => {
  const { db } = database
  expect(await connectionToAsk(db, companyId)).toBe(ids['beta']!)
  expect(await connectionToAsk(db, companyId + 1)).toBeUndefined()
})
