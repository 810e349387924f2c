import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { randomBytes, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { messages } from '../../schema/messages/messages.table.ts'
import { pushKeys, pushSubscriptions } from '../../schema/push/push.table.ts'
import { roles } from '../../schema/roles/roles.table.ts'
import { sessions } from '../../schema/users/sessions.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { createReceiver } from '../tickets/receive.ts'
import { companyFacts } from '../settings/settings.facts.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { startJobWorker } from '../jobs/worker.ts'
import { examples } from '../../tests/example-data.ts'
import { fakePushService } from '../../tests/fakes/push/service.ts'
import { createOutside } from '../outside/outside.ts'
import { createSealer } from '../seal.ts'
import { pushEffects } from './push.effects.ts'
import { createPushService } from './push.sender.ts'

let t: TestApp
let service: ReturnType<typeof fakePushService>
let worker: ReturnType<typeof startJobWorker>
let here: Set<number>
let sample: ReturnType<typeof examples>
beforeAll(async () => {
  t = await testApp()
  sample = examples(t.database.db)
  service = fakePushService()
  const { db, sql } = t.database
  worker = startJobWorker({
    sql,
    log: t.deps.log,
    handlers: pushEffects({
      db,
      push: t.deps.push,
      facts: companyFacts(db, 0),
      now: () => t.clock.now,
      principalOf: (id) => t.deps.auth.principalOf(id),
      isHere: (id) => here.has(id),
      wake: () => worker.wake(),
    }) as Parameters<typeof startJobWorker>[0]['handlers'],
    openConnections: () => [],
    pollMs: 20,
  })
})
beforeEach(() => {
  here = new Set()
  t.clock.now = new Date()
})
afterAll(async () => {
  await worker.stop()
  await service.stop()
  await t.close()
})

async function desk(values: Parameters<TestApp['eg']['user']>[1] = {}) {
  const company = await t.eg.company({ timeZone: 'America/Sao_Paulo' })
  const queue = await t.eg.queue(company.id)
  const user = await t.eg.user(company.id, { queueIds: [queue.id], ...values })
  const connection = await t.eg.whatsapp(company.id)
  return { company, queue, user, connection, token: await t.login(user.email) }
}
const subscribe = async (token: string, answer?: number) => {
  const { browser, input } = service.subscribe(answer)
  const reply = await t.call('POST', '/push/subscriptions', { token, body: input })
  expect(reply.status).toBe(200)
  return { browser, ...input }
}
/** A message comes in; done when nothing of it waits any more, or waits for another try. */
async function inbound(d: Awaited<ReturnType<typeof desk>>, text = 'Bom dia', number = '5511900000001') {
  const { db } = t.database
  const receive = createReceiver({
    db,
    now: () => t.clock.now,
    facts: companyFacts(db, 0),
    mayWake: t.deps.push.mayWake,
    committed: () => worker.wake(),
  })
  await receive([
    sample.inbound(d.connection, { number, content: { type: 'text', text } } as Parameters<typeof sample.inbound>[1]),
  ])
  await settled(d.company.id)
}
async function settled(companyId: number) {
  const deadline = Date.now() + 5_000
  for (;;) {
    const waiting = await t.database.db.select().from(jobs).where(eq(jobs.companyId, companyId))
    const own = waiting.filter(({ kind, failedAt, lastError }) => kind.startsWith('push.') && !failedAt && !lastError)
    if (own.length === 0) return waiting.filter(({ kind }) => kind.startsWith('push.'))
    if (Date.now() > deadline) throw new Error(`still waiting: ${JSON.stringify(own)}`)
    await Bun.sleep(10)
  }
}

/** In a company whose quiet hours are 22:00 to 07:00, a message wakes a browser by day only. */
async function atNightAndAtNoon(write: () => Promise<unknown>, browser: { tries: number }) {
  const day = new Date().toISOString().slice(0, 10)
  for (const [time, tries] of [
    // 22:30 where the company is, then 12:00.
    ['01:30', 0],
    ['15:00', 1],
  ] as const) {
    t.clock.now = new Date(`${day}T${time}:00Z`)
    await write()
    expect(browser.tries).toBe(tries)
  }
}

describe('a message for somebody who is away', () => {
  test('wakes their browser with who and what, encrypted for it, signed by this server, one line a ticket', async () => {
    const d = await desk({ allTicket: true })
    const { browser } = await subscribe(d.token)
    await inbound(d, 'Bom dia, tudo bem? 🙂')
    expect(browser.heard).toHaveLength(1)
    const [{ payload, headers, vapidKey }] = browser.heard as [(typeof browser.heard)[0]]
    const [message] = await t.database.db.select().from(messages).where(eq(messages.companyId, d.company.id))
    expect(payload).toMatchObject({ body: 'Bom dia, tudo bem? 🙂' })
    const { body: ticket } = await t.call('GET', `/tickets/${message!.ticketId}`, { token: d.token })
    expect(payload.ticket).toBe(ticket.uuid)
    expect(headers.get('topic')).toBe(ticket.uuid.replaceAll('-', ''))
    expect(vapidKey).toBe((await t.call('GET', '/push/key', { token: d.token })).body.publicKey)
    const [stored] = await t.database.db.select().from(pushKeys)
    // 32 bytes of key would be 43 characters; sealed they are more, and another server key does not open them.
    expect(Buffer.from(stored!.privateKey, 'base64').length).toBeGreaterThan(60)
  })

  test('names no number to whom a role hides them, not even where it is the name', async () => {
    const d = await desk({ allTicket: true })
    const [role] = await t.database.db
      .insert(roles)
      .values({ companyId: d.company.id, name: 'Sem números', ticketScope: 'all', maskNumbers: true })
      .returning()
    const reader = await t.eg.user(d.company.id, { roleId: role!.id, allTicket: true })
    const whole = await subscribe(d.token)
    const hidden = await subscribe(await t.login(reader.email))
    await t.eg.contact(d.company.id, { name: '5511987651835', nameSource: 'edited', number: '5511987651835' })
    await inbound(d, 'Bom dia', '5511987651835')
    expect(whole.browser.heard.map(({ payload }) => payload['title'])).toEqual(['5511987651835'])
    expect(hidden.browser.heard.map(({ payload }) => payload['title'])).toEqual(['+55 11 9••••-1835'])
    await t.eg.contact(d.company.id, { name: 'Zé 912 345-678', nameSource: 'edited', number: '351912345678' })
    await inbound(d, 'Bom dia', '351912345678')
    expect(hidden.browser.heard.map(({ payload }) => payload).at(-1)).toEqual({
      ...{ ticket: expect.any(String), title: 'Zé ••• ••5-678', body: 'Bom dia' },
    })
  })

  test('says that there is one, and nothing of it, where the company is read from its networks only', async () => {
    const d = await desk({ allTicket: true })
    const { browser } = await subscribe(d.token)
    const { sql } = t.database
    await sql`UPDATE companies SET name = 'Banco', language = 'es' WHERE id = ${d.company.id}`
    await sql`INSERT INTO settings ("companyId", key, value) VALUES (${d.company.id}, 'ipAllowList', '203.0.113.0/24')`
    await inbound(d, 'A senha é 1234')
    const [ticket] = await sql`SELECT uuid FROM tickets WHERE "companyId" = ${d.company.id}`
    expect(browser.heard.map(({ payload }) => payload)).toEqual([
      { ticket: ticket!.uuid, title: 'Banco', body: 'Mensaje nuevo' },
    ])
    await sql`UPDATE settings SET value = '' WHERE "companyId" = ${d.company.id} AND key = 'ipAllowList'`
    await inbound(d, 'Bom dia', '5511900000002')
    expect(browser.heard.at(-1)!.payload).toMatchObject({ body: 'Bom dia' })
  })

  test('wakes nobody whom it does not concern', async () => {
    const d = await desk()
    const { browser: withoutQueue } = await subscribe(d.token)
    const other = await desk({ allTicket: true })
    const { browser: elsewhere } = await subscribe(other.token)
    await inbound(d)
    expect([withoutQueue.tries, elsewhere.tries]).toEqual([0, 0])
  })

  test('lets them be while the app is open, in quiet hours, and when they said so', async () => {
    const d = await desk({ allTicket: true })
    const { browser } = await subscribe(d.token)
    here.add(d.user.id)
    await inbound(d)
    expect(browser.tries).toBe(0)
    here.clear()
    const prefer = (body: object) => t.call('PUT', '/push/preferences', { token: d.token, body })
    await prefer({ enabled: false, quietFrom: '00:00', quietTo: '00:00' })
    await inbound(d)
    expect(browser.tries).toBe(0)
    await prefer({ enabled: true, quietFrom: '22:00', quietTo: '07:00' })
    await atNightAndAtNoon(() => inbound(d), browser)
  })

  test('costs no job where nobody of the company is subscribed', async () => {
    const d = await desk()
    const receive = createReceiver({
      db: t.database.db,
      now: () => t.clock.now,
      facts: companyFacts(t.database.db, 0),
      mayWake: t.deps.push.mayWake,
      committed: () => undefined,
    })
    await receive([sample.inbound(d.connection, { number: '5511900000009' } as Parameters<typeof sample.inbound>[1])])
    const written = await t.database.db.select().from(jobs).where(eq(jobs.companyId, d.company.id))
    expect(written.map(({ kind }) => kind)).not.toContain('push.notify')
  })
})

describe('a message from a colleague', () => {
  /** Ana and Bia in a chat, Bia with a browser that may be woken; Caio of the same company is not in it. */
  async function chat() {
    const ana = await desk()
    const colleague = async (name: string) => {
      const user = await t.eg.user(ana.company.id, { name })
      const token = await t.login(user.email)
      return { ...user, token, ...(await subscribe(token)) }
    }
    const [bia, caio] = [await colleague('Bia'), await colleague('Caio')]
    const made = await t.call('POST', '/chats', { token: ana.token, body: { title: 'Escala', users: [bia.id] } })
    const write = async (message: string, by: { id: number } = ana.user) => {
      // A token would not live from one hour of these tests to another, and a login would end what is woken.
      const [user] = await t.database.db.select().from(users).where(eq(users.id, by.id))
      const { id: userId, companyId, name, profile, tokenVersion } = user!
      const token = await t.deps.tokens.signAccess({ userId, companyId, name, profile, tokenVersion }, t.clock.now)
      const reply = await t.call('POST', `/chats/${made.body.id}/messages`, { token, body: { message } })
      expect(reply.status).toBe(200)
      await settled(ana.company.id)
    }
    return { ana, bia, caio, write, uuid: made.body.uuid as string }
  }

  test('wakes the others of the chat with who says what where, and nobody else', async () => {
    const { ana, bia, caio, write, uuid } = await chat()
    const own = await subscribe(ana.token)
    await write('Você abre no sábado?')
    expect(bia.browser.heard.map(({ payload }) => payload)).toEqual([
      { chat: uuid, title: 'Escala', body: `${ana.user.name}: Você abre no sábado?` },
    ])
    expect(bia.browser.heard[0]!.headers.get('topic')).toBe(uuid.replaceAll('-', ''))
    await write('Abro', bia)
    expect(own.browser.heard.map(({ payload }) => payload.body)).toEqual(['Bia: Abro'])
    expect([bia.browser.tries, caio.browser.tries]).toEqual([1, 0])
  })

  test('lets them be while the app is open, and in quiet hours', async () => {
    const { bia, write } = await chat()
    here.add(bia.id)
    await write('Está aí?')
    expect(bia.browser.tries).toBe(0)
    here.clear()
    const body = { enabled: true, quietFrom: '22:00', quietTo: '07:00' }
    await t.call('PUT', '/push/preferences', { token: bia.token, body })
    await atNightAndAtNoon(() => write('Bom dia'), bia.browser)
  })

  test('that was read before its turn came wakes nobody', async () => {
    const { bia, write } = await chat()
    bia.browser.answer = 503
    await write('Corre aqui')
    expect(bia.browser.tries).toBe(1)
    const [{ id }] = (await t.call('GET', '/chats', { token: bia.token })).body.records
    await t.call('POST', `/chats/${id}/read`, { token: bia.token })
    bia.browser.answer = 201
    await t.database.sql`UPDATE jobs SET "runAt" = now(), "lastError" = NULL WHERE "companyId" = ${bia.companyId}`
    await settled(bia.companyId)
    expect(bia.browser.tries).toBe(1)
  })
})

describe('a subscription', () => {
  /** A push service with the given addresses, which takes everything. */
  const serviceAt = (...addresses: string[]) => {
    const called: string[] = []
    const push = createPushService({
      db: t.database.db,
      sealer: createSealer(Buffer.alloc(32, 7)),
      subject: 'mailto:test@example.test',
      outside: createOutside({
        resolve: async () => addresses,
        connect: async (url) => (called.push(url), new Response(null, { status: 201 })),
      }),
    })
    const { keys } = service.subscribe().input
    const send = (endpoint: string) => push.send({ endpoint, ...keys }, { ticket: randomUUID(), title: 'a', body: 'b' })
    return { push, send, called }
  }

  test('at a service that has an IPv4 address is woken', async () => {
    const { send, called } = serviceAt('142.250.78.10')
    expect(await send('https://fcm.googleapis.com/fcm/send/abc')).toBe('sent')
    expect(called).toEqual(['https://142.250.78.10/fcm/send/abc'])
  })

  test('whose service leads inside is not called, and not taken for given up by its browser', async () => {
    const { send, called } = serviceAt('127.0.0.1')
    expect(await send('https://fcm.googleapis.com/fcm/send/abc')).toBe('refused')
    expect(called).toEqual([])
  })

  test('is taken at a public https address on its usual port only', () => {
    const { push } = serviceAt('142.250.78.10')
    expect(push.accepts('https://updates.push.services.mozilla.com/wpush/v2/abc')).toBe(true)
    for (const refused of [
      ...['http://fcm.googleapis.com/abc', 'https://push.example.com:8443/', 'https://user:pass@push.example.com/'],
      ...['https://127.0.0.1/abc', 'https://2130706433/abc', 'https://[::ffff:10.0.0.1]/abc', 'https://db/abc'],
      ...['https://localhost/abc', 'https://metadata.google.internal/', 'file:///etc/passwd', 'nonsense'],
    ])
      expect([refused, push.accepts(refused)]).toEqual([refused, false])
  })

  test('that the browser has given up is forgotten; one that fails for a moment is tried again; the others are woken', async () => {
    const d = await desk({ allTicket: true })
    await subscribe(d.token, 410)
    const busy = await subscribe(d.token, 503)
    const good = await subscribe(d.token)
    await inbound(d)
    expect(good.browser.heard).toHaveLength(1)
    const left = await t.database.db.select().from(pushSubscriptions).where(eq(pushSubscriptions.userId, d.user.id))
    expect(left.map(({ endpoint }) => endpoint).sort()).toEqual([busy.endpoint, good.endpoint].sort())
    busy.browser.answer = 201
    await t.database.sql`UPDATE jobs SET "runAt" = now() WHERE "companyId" = ${d.company.id}`
    const deadline = Date.now() + 5_000
    while (busy.browser.heard.length === 0 && Date.now() < deadline) await Bun.sleep(10)
    expect(busy.browser.heard).toHaveLength(1)
    expect(good.browser.tries).toBe(1)
  })

  test('belongs to whoever is logged in on that browser, and to nobody who only knows its address', async () => {
    const ana = await desk()
    const bia = await desk()
    const { input } = service.subscribe()
    const put = (token: string, body: object) => t.call('POST', '/push/subscriptions', { token, body })
    await put(ana.token, input)
    const guessed = { ...input, keys: { ...input.keys, auth: randomBytes(16).toString('base64url') } }
    expect((await put(bia.token, guessed)).status).toBe(400)
    const owner = async () =>
      (await t.database.db.select().from(pushSubscriptions).where(eq(pushSubscriptions.endpoint, input.endpoint)))[0]
    expect((await owner())!.userId).toBe(ana.user.id)
    await put(bia.token, input)
    expect(await owner()).toMatchObject({ userId: bia.user.id, companyId: bia.company.id })
    await t.call('DELETE', '/push/subscriptions', { token: ana.token, body: { endpoint: input.endpoint } })
    expect((await owner())!.userId).toBe(bia.user.id)
    await t.call('DELETE', '/push/subscriptions', { token: bia.token, body: { endpoint: input.endpoint } })
    expect(await owner()).toBeUndefined()
  })

  test('of a session that has run out is not woken, and one that moved to a new session is', async () => {
    const d = await desk({ allTicket: true })
    const one = await subscribe(d.token)
    await t.database.db
      .update(sessions)
      .set({ expiresAt: new Date(t.clock.now.getTime() - 1_000) })
      .where(eq(sessions.userId, d.user.id))
    await inbound(d)
    expect(one.browser.tries).toBe(0)
    const token = await t.login(d.user.email)
    // The same browser, at the start of the app.
    const { endpoint, keys } = one
    expect((await t.call('POST', '/push/subscriptions', { token, body: { endpoint, keys } })).status).toBe(200)
    await inbound(d)
    expect(one.browser.tries).toBe(1)
  })

  test('at an address inside, or with keys that are none, is refused', async () => {
    const d = await desk()
    const { input } = service.subscribe()
    for (const body of [
      { ...input, endpoint: 'https://10.0.0.1/push' },
      { ...input, endpoint: 'http://push.example.com/1' },
      { ...input, keys: { ...input.keys, p256dh: 'A'.repeat(87) } },
    ])
      expect((await t.call('POST', '/push/subscriptions', { token: d.token, body })).status).toBe(400)
  })

  test('of a browser too many takes the place of the oldest', async () => {
    const d = await desk()
    const all: string[] = []
    for (let i = 0; i < 12; i++) {
      t.clock.advance(1_000)
      all.push((await subscribe(d.token)).endpoint)
    }
    const left = await t.database.db.select().from(pushSubscriptions).where(eq(pushSubscriptions.userId, d.user.id))
    expect(left.map(({ endpoint }) => endpoint).sort()).toEqual(all.slice(2).sort())
  })
})
