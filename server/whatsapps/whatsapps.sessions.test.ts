import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { testDatabase, type TestDatabase } from '../../tests/support/postgres.ts'
import { sessionRecorder } from './whatsapps.sessions.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

test('a connection that WhatsApp wants a passkey for is not begun by the next server, and keeps its reason', async () => {
  const { db } = database
  const [company] = await db.insert(companies).values({ name: 'Loja' }).returning()
  const [connection] = await db
    .insert(whatsapps)
    .values({ companyId: company!.id, name: 'Loja', token: 'a-token', wanted: true, status: 'qrcode', qrcode: 'x' })
    .returning()
  const told: unknown[] = []
  const record = sessionRecorder({
    db,
    events: { emit: (event: unknown) => told.push(event) } as never,
    now: () => new Date(),
  })
  const row = async () => (await db.select().from(whatsapps).where(eq(whatsapps.id, connection!.id)))[0]
  await record(connection!.id, { status: 'DISCONNECTED', qrcode: '', lastError: 'qr_expired' })
  expect(await row()).toMatchObject({ wanted: true, lastError: 'qr_expired' })
  await record(connection!.id, { status: 'DISCONNECTED', qrcode: '', lastError: 'passkey' })
  expect(await row()).toMatchObject({ wanted: false, lastError: 'passkey', status: 'DISCONNECTED' })
  expect(told).toHaveLength(4)
})
