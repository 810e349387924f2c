import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { chatMessages, chats, chatUsers } from '../../schema/chats/chats.table.ts'
import { newId } from '../../schema/ids.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { deleteUser } from '../users/users.writes.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

/** A company of three; `ana` makes the chats. */
async function bakery() {
  const { db } = t.database
  const company = await t.eg.company()
  const person = async (name: string, profile: 'user' | 'admin' = 'user') => {
    const user = await t.eg.user(company.id, { name, profile })
    const token = await t.login(user.email)
    const call = (method: string, path: string, body?: unknown) => t.call(method, path, { token, body })
    return { id: user.id, name, call, token }
  }
  const [ana, bia, caio] = [await person('Ana'), await person('Bia'), await person('Caio', 'admin')]
  const chatOf = async (...users: { id: number }[]) => {
    const { status, body } = await ana.call('POST', '/chats', { title: ' Padaria ', users: users.map(({ id }) => id) })
    expect(status).toBe(200)
    return body as { id: number; uuid: string; title: string; ownerId: number; users: { userId: number }[] }
  }
  /** What each member has not read, by user id. */
  const unreads = async (chatId: number) =>
    Object.fromEntries(
      (await db.select().from(chatUsers).where(eq(chatUsers.chatId, chatId))).map((row) => [row.userId, row.unreads]),
    )
  const stored = async (chatId: number) => (await db.select().from(chats).where(eq(chats.id, chatId)))[0]
  const told = async (from: number, count: number) => {
    const until = Date.now() + 3_000
    const news = () => t.emitted.slice(from).filter(({ name }) => name.startsWith('chat'))
    while (news().length < count && Date.now() < until) await Bun.sleep(5)
    return news().map(({ name, action, audience }) => [name, action, audience?.userId ?? audience?.userIds])
  }
  return { db, company, ana, bia, caio, chatOf, unreads, stored, told }
}
const outcome = ({ status, body }: { status: number; body: { error?: string } }) => body.error ?? status

describe('a chat', () => {
  test('has its owner among its members, and is in the lists of those and of nobody else', async () => {
    const { ana, bia, caio, chatOf } = await bakery()
    const chat = await chatOf(bia)
    expect(chat).toMatchObject({ title: 'Padaria', ownerId: ana.id })
    expect(chat.users).toEqual([
      { userId: ana.id, unreads: 0, user: { id: ana.id, name: 'Ana' } },
      { userId: bia.id, unreads: 0, user: { id: bia.id, name: 'Bia' } },
    ] as never)
    for (const [who, count] of [
      [ana, 1],
      [bia, 1],
      [caio, 0],
    ] as const)
      expect([who.name, (await who.call('GET', '/chats')).body.records.length]).toEqual([who.name, count])
    expect((await bia.call('GET', '/chats?searchParam=pádar&pageNumber=1')).body).toMatchObject({
      records: [{ id: chat.id }],
      hasMore: false,
    })
    expect((await bia.call('GET', '/chats?searchParam=outra')).body.records).toEqual([])
  })

  test('needs a title and at least one colleague, of the same company; the same person twice is one', async () => {
    const { ana, bia } = await bakery()
    const elsewhere = await bakery()
    const make = async (title: string, users: unknown[]) => outcome(await ana.call('POST', '/chats', { title, users }))
    expect(await make('  ', [bia.id])).toBe('ERR_VALIDATION')
    expect(await make('Só eu', [])).toBe('ERR_VALIDATION')
    expect(await make('Só eu', [ana.id])).toBe('ERR_VALIDATION')
    expect(await make('De fora', [bia.id, elsewhere.ana.id])).toBe('ERR_NO_USER_FOUND')
    // As the family's clients send them.
    const { body } = await ana.call('POST', '/chats', { title: 'Bia', users: [{ id: bia.id, name: 'Bia' }, bia.id] })
    expect(body.users).toHaveLength(2)
    expect((await ana.call('GET', '/chats')).body.records).toHaveLength(1)
  })

  test('is changed and deleted by its owner only, not even by an admin who is in it', async () => {
    const { ana, bia, caio, chatOf, stored } = await bakery()
    const chat = await chatOf(bia, caio)
    const change = { title: 'Nova', users: [bia.id] }
    expect(outcome(await caio.call('PUT', `/chats/${chat.id}`, change))).toBe('ERR_NO_PERMISSION')
    expect(outcome(await caio.call('DELETE', `/chats/${chat.id}`))).toBe('ERR_NO_PERMISSION')
    expect((await stored(chat.id))!.title).toBe('Padaria')
    const { body } = await ana.call('PUT', `/chats/${chat.id}`, change)
    expect(body).toMatchObject({ title: 'Nova', ownerId: ana.id })
    expect(body.users.map((u: { userId: number }) => u.userId)).toEqual([ana.id, bia.id])
    expect((await ana.call('DELETE', `/chats/${chat.id}`)).status).toBe(200)
    expect(await stored(chat.id)).toBeUndefined()
    expect(outcome(await ana.call('GET', `/chats/${chat.id}/messages`))).toBe('ERR_NO_CHAT_FOUND')
  })

  test('is closed to a colleague who is not in it, an admin too', async () => {
    const { bia, caio, chatOf, unreads } = await bakery()
    const chat = await chatOf(bia)
    for (const [method, path, body] of [
      ['GET', `/chats/${chat.id}/messages`],
      ['POST', `/chats/${chat.id}/messages`, { message: 'oi' }],
      ['POST', `/chats/${chat.id}/read`, { userId: bia.id }],
      ['PUT', `/chats/${chat.id}`, { title: 'x', users: [caio.id] }],
      ['DELETE', `/chats/${chat.id}`],
    ] as const) {
      const reply = await caio.call(method, path, body)
      expect([method, path, reply.status, reply.body]).toEqual([method, path, 403, { error: 'ERR_FORBIDDEN' }])
    }
    expect(Object.values(await unreads(chat.id))).toEqual([0, 0])
  })

  test('stays with the others when a member is deleted, and gets another owner when that was its own', async () => {
    const { db, company, ana, bia, caio, chatOf, stored } = await bakery()
    const chat = await chatOf(bia)
    await ana.call('POST', `/chats/${chat.id}/messages`, { message: 'até logo' })
    const admin = { companyId: company.id, userId: caio.id } as Parameters<typeof deleteUser>[1]
    await db.transaction((tx) => deleteUser(tx, admin, ana.id, new Date()))
    expect(await stored(chat.id)).toMatchObject({ ownerId: bia.id, memberIds: [bia.id] })
    const { body } = await bia.call('GET', `/chats/${chat.id}/messages`)
    expect(body.records).toMatchObject([{ message: 'até logo', senderId: null, sender: null }])
    await db.transaction((tx) => deleteUser(tx, admin, bia.id, new Date()))
    expect(await stored(chat.id)).toBeUndefined()
  })

  test('goes with its company', async () => {
    const { db, company, bia, chatOf, stored } = await bakery()
    const chat = await chatOf(bia)
    await db.delete(companies).where(eq(companies.id, company.id))
    expect(await stored(chat.id)).toBeUndefined()
  })
})

describe('a message', () => {
  test('is unread for everybody but its sender until they read it; and the last one of its chat', async () => {
    const { ana, bia, caio, chatOf, unreads, stored } = await bakery()
    const chat = await chatOf(bia, caio)
    for (const message of ['um', 'dois']) await ana.call('POST', `/chats/${chat.id}/messages`, { message })
    await bia.call('POST', `/chats/${chat.id}/messages`, { message: 'três' })
    expect(await unreads(chat.id)).toEqual({ [ana.id]: 1, [bia.id]: 2, [caio.id]: 3 })
    expect((await stored(chat.id))!.lastMessage).toBe('três')
    const { body } = await caio.call('POST', `/chats/${chat.id}/read`, { userId: ana.id })
    expect(body.users.find((u: { userId: number }) => u.userId === caio.id).unreads).toBe(0)
    // Whose it is follows from the token, whatever the body says.
    expect(await unreads(chat.id)).toEqual({ [ana.id]: 1, [bia.id]: 2, [caio.id]: 0 })
    const listed = await ana.call('GET', '/chats')
    expect(listed.body.records[0]).toMatchObject({ lastMessage: 'três', users: [{ unreads: 1 }, { unreads: 2 }, {}] })
  })

  test('counts once for each of many who write at the same moment', async () => {
    const { ana, bia, caio, chatOf, unreads } = await bakery()
    const chat = await chatOf(bia, caio)
    await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        [ana, bia][i % 2]!.call('POST', `/chats/${chat.id}/messages`, { message: `n ${i}` }),
      ),
    )
    expect(await unreads(chat.id)).toEqual({ [ana.id]: 6, [bia.id]: 6, [caio.id]: 12 })
  })

  test('that came while the reading was on its way stays unread', async () => {
    const { ana, bia, chatOf, unreads } = await bakery()
    const chat = await chatOf(bia)
    for (const message of ['visto', 'visto também', 'novo'])
      await ana.call('POST', `/chats/${chat.id}/messages`, { message })
    const read = { id: newId(), name: 'chats.read', input: { chatId: chat.id, seen: 2 } }
    for (let i = 0; i < 2; i++) expect((await bia.call('POST', '/commands', read)).status).toBe(200)
    expect(await unreads(chat.id)).toEqual({ [ana.id]: 0, [bia.id]: 1 })
  })

  test('without a text is refused; sent again under its key it is the same one', async () => {
    const { db, ana, bia, chatOf, unreads } = await bakery()
    const chat = await chatOf(bia)
    expect(outcome(await ana.call('POST', `/chats/${chat.id}/messages`, { message: ' \n ' }))).toBe('ERR_VALIDATION')
    const send = () =>
      t.call('POST', `/chats/${chat.id}/messages`, {
        token: ana.token,
        body: { message: 'uma vez' },
        headers: { 'idempotency-key': `key-${chat.id}-000` },
      })
    expect((await send()).body).toEqual((await send()).body)
    expect(await unreads(chat.id)).toEqual({ [ana.id]: 0, [bia.id]: 1 })
    expect(await db.select().from(chatMessages).where(eq(chatMessages.chatId, chat.id))).toHaveLength(1)
  })

  test('is found by pages, the newest first, and before another one', async () => {
    const { db, company, ana, bia, chatOf } = await bakery()
    const chat = await chatOf(bia)
    const rows = Array.from({ length: 45 }, (_, i) => ({
      id: newId(),
      companyId: company.id,
      chatId: chat.id,
      senderId: ana.id,
      message: `n ${i}`,
      // Some of one moment: then the id decides.
      createdAt: new Date(1_700_000_000_000 + Math.floor(i / 3)),
    }))
    await db.insert(chatMessages).values(rows)
    const texts = async (query: string) => {
      const { body } = await bia.call('GET', `/chats/${chat.id}/messages?${query}`)
      return { first: body.records[0]?.message, last: body.records.at(-1)?.message, hasMore: body.hasMore }
    }
    expect(await texts('')).toEqual({ first: 'n 25', last: 'n 44', hasMore: true })
    expect(await texts('pageNumber=3')).toEqual({ first: 'n 0', last: 'n 4', hasMore: false })
    expect(await texts(`before=${rows[25]!.id}`)).toEqual({ first: 'n 5', last: 'n 24', hasMore: true })
    expect(await texts(`before=${rows[0]!.id}`)).toEqual({ first: undefined, last: undefined, hasMore: false })
  })

  test('is seen by whoever joins, and by nobody who has left', async () => {
    const { db, ana, bia, caio, chatOf } = await bakery()
    const chat = await chatOf(bia)
    await ana.call('POST', `/chats/${chat.id}/messages`, { message: 'antes' })
    const members = async () =>
      (await db.select().from(chatMessages).where(eq(chatMessages.chatId, chat.id)))[0]!.memberIds
    expect(await members()).toEqual([ana.id, bia.id])
    await ana.call('PUT', `/chats/${chat.id}`, { title: 'x', users: [caio.id] })
    expect(await members()).toEqual([ana.id, caio.id])
    expect((await caio.call('GET', `/chats/${chat.id}/messages`)).body.records).toHaveLength(1)
    expect((await bia.call('GET', `/chats/${chat.id}/messages`)).status).toBe(403)
  })
})

test('a plan without the internal chat refuses every call and command of it', async () => {
  const { db, company, ana, bia, chatOf } = await bakery()
  const chat = await chatOf(bia)
  await db.update(plans).set({ useInternalChat: false }).where(eq(plans.id, company.planId!))
  const refused = { error: 'ERR_PLAN_FEATURE', feature: 'useInternalChat' }
  for (const [method, path, body] of [
    ['GET', '/chats'],
    ['POST', '/chats', { title: 'x', users: [bia.id] }],
    ['PUT', `/chats/${chat.id}`, { title: 'x', users: [bia.id] }],
    ['DELETE', `/chats/${chat.id}`],
    ['GET', `/chats/${chat.id}/messages`],
    ['POST', `/chats/${chat.id}/messages`, { message: 'oi' }],
    ['POST', `/chats/${chat.id}/read`, {}],
    ['POST', '/commands', { id: newId(), name: 'chats.send', input: { id: newId(), chatId: chat.id, message: 'oi' } }],
    ['POST', '/commands', { id: newId(), name: 'chats.read', input: { chatId: chat.id } }],
  ] as const) {
    const reply = await ana.call(method, path, body)
    expect([method, path, reply.status, reply.body]).toEqual([method, path, 403, refused])
  }
})

test('what happens in a chat is told to those who are in it', async () => {
  const { ana, bia, caio, chatOf, told } = await bakery()
  const start = t.emitted.length
  const chat = await chatOf(bia)
  expect(await told(start, 2)).toEqual([
    [`chat-user-${ana.id}`, 'create', ana.id],
    [`chat-user-${bia.id}`, 'create', bia.id],
  ])
  const both = [ana.id, bia.id]
  let from = t.emitted.length
  await ana.call('POST', `/chats/${chat.id}/messages`, { message: 'oi' })
  await bia.call('POST', `/chats/${chat.id}/read`, {})
  expect(await told(from, 4)).toEqual([
    ['chat', 'new-message', both],
    [`chat-${chat.id}`, 'new-message', both],
    ['chat', 'update', both],
    [`chat-${chat.id}`, 'update', both],
  ])
  expect(
    t.emitted.slice(from).find(({ name, action }) => name === 'chat' && action === 'new-message')!.payload,
  ).toMatchObject({
    newMessage: { message: 'oi', chatId: chat.id, sender: { id: ana.id, name: 'Ana' } },
    chat: { id: chat.id, lastMessage: 'oi' },
  })
  from = t.emitted.length
  await ana.call('PUT', `/chats/${chat.id}`, { title: 'Outra', users: [caio.id] })
  expect(await told(from, 6)).toEqual([
    [`chat-user-${caio.id}`, 'create', caio.id],
    [`chat-user-${ana.id}`, 'update', ana.id],
    [`chat-user-${bia.id}`, 'delete', bia.id],
    ['chat', 'update', [ana.id, caio.id]],
    [`chat-${chat.id}`, 'update', [ana.id, caio.id]],
    ['chat', 'delete', [bia.id]],
  ])
  from = t.emitted.length
  await ana.call('DELETE', `/chats/${chat.id}`)
  expect((await told(from, 4)).slice(2)).toEqual([
    ['chat', 'delete', [ana.id, caio.id]],
    [`chat-${chat.id}`, 'delete', [ana.id, caio.id]],
  ])
})

test('an event of a chat reaches the sockets of its members, and not a colleague’s who is not in it', async () => {
  const { ana, bia, caio, chatOf } = await bakery()
  const chat = await chatOf(bia)
  const listen = async ({ token }: { token: string }) => {
    const heard: string[] = []
    const send = (text: string) => {
      const { event, data } = JSON.parse(text) as { event: string; data: { action?: string } | null }
      if (data?.action) heard.push(`${event.replace(/^company-\d+-/, '')} ${data.action}`)
    }
    const connection = t.deps.hub.join({ send, close: () => undefined }, await t.deps.auth.byToken(token))
    return { heard, leave: connection.leave }
  }
  const [forAna, forBia, forCaio] = [await listen(ana), await listen(bia), await listen(caio)]
  await ana.call('POST', `/chats/${chat.id}/messages`, { message: 'oi' })
  // What everybody hears comes last.
  const end = Date.now() + 3_000
  const said = ['chat new-message', `chat-${chat.id} new-message`]
  while (forBia.heard.length < said.length && Date.now() < end) await Bun.sleep(5)
  t.events.emit({ companyId: (await t.deps.auth.byToken(caio.token)).who.companyId, name: 'tag', action: 'update' })
  while (forCaio.heard.length < 1 && Date.now() < end) await Bun.sleep(5)
  expect(forAna.heard).toEqual([...said, 'tag update'])
  expect(forBia.heard).toEqual([...said, 'tag update'])
  expect(forCaio.heard).toEqual(['tag update'])
  for (const { leave } of [forAna, forBia, forCaio]) leave()
})
