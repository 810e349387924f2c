import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { cloudNumbers } from '../../schema/whatsapps/cloud-store.table.ts'
import { noNewChatFacts } from '../../schema/whatsapps/whatsapps.new-chats.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { testDatabase, type TestDatabase } from '../../tests/support/postgres.ts'
import { connectionNoticeEffects, tellAdmins } from './whatsapps.notices.ts'
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

test('admins are told by mail that an official number sends no more, once for each time, and not of what passes', async () => {
  const { db } = database
  const [company] = await db.insert(companies).values({ name: 'Empório' }).returning()
  const person = (profile: 'admin' | 'user', name: string) => ({
    ...{ companyId: company!.id, name, profile, email: `${name}@emporio.test`, passwordHash: 'x' },
  })
  const [admin] = await db
    .insert(users)
    .values([person('admin', 'Eva'), person('user', 'Ivo')])
    .returning()
  const [connection] = await db
    .insert(whatsapps)
    .values({
      companyId: company!.id,
      name: 'Oficial',
      token: 'a-third-token',
      provider: 'official',
      status: 'CONNECTED',
    })
    .returning()
  const { id } = connection!
  let at = new Date('2026-11-30T12:00:00Z')
  const record = sessionRecorder({ db, events: { emit: () => undefined } as never, now: () => at })
  const letters = async () => {
    const rows = await db.select().from(jobs).where(eq(jobs.companyId, company!.id)).orderBy(jobs.id)
    return rows.map(({ kind, payload }) => [
      kind,
      (payload as { userId: number }).userId,
      (payload as { problem: string }).problem,
    ])
  }
  await record(id, { status: 'DISCONNECTED', qrcode: '', lastError: 'cloud_passing' })
  expect(await letters()).toEqual([])
  await record(id, { status: 'DISCONNECTED', qrcode: '', lastError: 'cloud_token' })
  // A server that starts finds the same.
  await record(id, { status: 'DISCONNECTED', qrcode: '', lastError: 'cloud_token' })
  expect(await letters()).toEqual([['mail.connection', admin!.id, 'token']])
  await record(id, { status: 'CONNECTED', lastError: null })
  await record(id, { status: 'DISCONNECTED', qrcode: '', lastError: 'cloud_token' })
  expect(await letters()).toHaveLength(1)
  await record(id, { status: 'CONNECTED', lastError: null })
  at = new Date('2026-11-30T19:00:00Z')
  await record(id, { lastError: 'cloud_setup:131042' })
  await record(id, { status: 'DISCONNECTED', qrcode: '', lastError: 'cloud_token' })
  expect((await letters()).slice(1)).toEqual([
    ['mail.connection', admin!.id, 'setup'],
    ['mail.connection', admin!.id, 'token'],
  ])
  const sent: { to: string; subject: string; text: string }[] = []
  const effects = connectionNoticeEffects({
    ...{ db, publicUrl: 'https://balcao.example', now: () => at },
    mailer: { send: async (letter) => void sent.push(letter as (typeof sent)[number]), stop: () => undefined },
    push: { send: async () => 'sent' },
  })
  const mail = (problem: 'token' | 'setup' | 'quality' | 'name_refused') =>
    effects['mail.connection'](
      { kind: 'mail.connection', userId: admin!.id, whatsappId: id, problem, at: at.toISOString() },
      { companyId: company!.id } as Parameters<(typeof effects)['mail.connection']>[1],
    )
  await mail('token')
  // Of what is over nobody is told late.
  await mail('setup')
  expect(sent).toEqual([
    {
      ...{ to: 'Eva@emporio.test', subject: 'Oficial não está enviando mensagens' },
      text: 'Olá, Eva.\n\nA conexão Oficial não está enviando mensagens: o token de acesso não vale mais.\n\nO que fazer está em https://balcao.example/connections\n',
    },
  ])
  // What wants a person while it sends, told as long as it is so.
  await db.insert(cloudNumbers).values({
    ...{ whatsappId: id, companyId: company!.id, phoneNumberId: '1', accountId: '2', token: '', appSecret: '' },
    ...{ verifyToken: '', hook: 'h', appMark: 'm', version: 'v26.0', quality: 'RED' },
  })
  await db.transaction((tx) => tellAdmins(tx, company!.id, id, 'quality', at))
  expect((await letters()).at(-1)).toEqual(['mail.connection', admin!.id, 'quality'])
  await mail('quality')
  expect(sent.at(-1)).toMatchObject({ subject: 'A qualidade de Oficial está baixa' })
  await db.update(cloudNumbers).set({ quality: 'YELLOW' }).where(eq(cloudNumbers.whatsappId, id))
  await mail('quality')
  await mail('name_refused')
  expect(sent.map(({ subject }) => subject).slice(1)).toEqual([
    'A qualidade de Oficial está baixa',
    'A Meta recusou o nome de exibição de Oficial',
  ])
  await record(id, { lastError: 'cloud_withdrawn' })
  expect((await letters()).at(-1)).toEqual(['mail.connection', admin!.id, 'withdrawn'])
})
