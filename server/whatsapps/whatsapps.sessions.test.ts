import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { noNewChatFacts } from '../../schema/whatsapps/whatsapps.new-chats.ts'
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

test('what WhatsApp says of new chats stays with the connection until it says otherwise, or the account is forgotten', async () => {
  const { db } = database
  const [company] = await db.insert(companies).values({ name: 'Oficina' }).returning()
  const [connection] = await db
    .insert(whatsapps)
    .values({ companyId: company!.id, name: 'Oficina', token: 'another-token', status: 'CONNECTED', number: '5511' })
    .returning()
  const told: { name: string }[] = []
  const events = { emit: (event: { name: string }) => told.push(event) } as never
  const record = sessionRecorder({ db, events, now: () => new Date() })
  const row = async () => (await db.select().from(whatsapps).where(eq(whatsapps.id, connection!.id)))[0]!
  const newChatsLockedUntil = new Date('2030-01-01T17:20:00Z')
  await record(connection!.id, { newChats: { newChatsLockedUntil, newChatsLockKind: 'BIZ_QUALITY' } })
  await record(connection!.id, { newChats: { newChatsQuota: 50, newChatsUsed: 45, newChatsCapState: 'FIRST_WARNING' } })
  const before = told.length
  await record(connection!.id, { newChats: { newChatsLockedUntil, newChatsLockKind: 'BIZ_QUALITY' } })
  expect(told).toHaveLength(before)
  await record(connection!.id, { status: 'OPENING' })
  await record(connection!.id, { status: 'CONNECTED', number: '5511' })
  expect(await row()).toMatchObject({ newChatsLockedUntil, newChatsLockKind: 'BIZ_QUALITY', newChatsUsed: 45 })
  expect(new Set(told.map(({ name }) => name))).toEqual(new Set(['whatsappSession', 'whatsapp']))
  await record(connection!.id, { newChats: { newChatsLockedUntil: null, newChatsLockKind: null } })
  expect(await row()).toMatchObject({ newChatsLockedUntil: null, newChatsLockKind: null, newChatsUsed: 45 })
  await record(connection!.id, { status: 'PENDING', number: '' })
  expect(await row()).toMatchObject(noNewChatFacts)
})
