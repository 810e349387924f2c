import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { roles } from '../../schema/roles/roles.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { createLogger } from '../log.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { createEvents, type LiveEvent } from './bus.ts'
import { markSilentOffline } from './presence.writes.ts'

let t: TestApp
let address: string
beforeAll(async () => {
  t = await testApp()
  await t.eg.company()
  t.app.listen({ port: 0, hostname: '127.0.0.1' })
  address = `ws://127.0.0.1:${t.app.server!.port}/events`
})
afterAll(async () => {
  await t.app.stop(true)
  await t.close()
})

const sockets: WebSocket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close()
})

async function until<T>(what: string, look: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  const deadline = Date.now() + 5_000
  for (;;) {
    const found = await look()
    if (found) return found
    if (Date.now() > deadline) throw new Error(`never: ${what}`)
    await Bun.sleep(5)
  }
}

interface Frame {
  event: string
  data: any
}

/** A socket that remembers what it was told. */
async function listen(token: string, by: 'token' | 'pass' = 'token') {
  const socket = new WebSocket(`${address}?${by}=${token}`)
  sockets.push(socket)
  const frames: Frame[] = []
  let closed: { code: number } | undefined
  socket.onmessage = (message) => frames.push(JSON.parse(String(message.data)) as Frame)
  socket.onclose = ({ code }) => (closed = { code })
  await until('ready', () => frames.some(({ event }) => event === 'ready'))
  let pings = 0
  return {
    socket,
    frames,
    closed: () => closed,
    send: (event: string, data?: unknown) => socket.send(JSON.stringify({ event, data })),
    of: (name: string) => frames.filter(({ event }) => event.endsWith(`-${name}`)).map(({ data }) => data),
    /** Done when everything sent before has been dealt with, and whatever it caused has arrived. */
    async settled() {
      const wanted = ++pings
      await until('quiet', () => (socket.readyState === WebSocket.OPEN ? true : undefined))
      socket.send(JSON.stringify({ event: 'ping' }))
      await until('pong', () => frames.filter(({ event }) => event === 'pong').length >= wanted)
    },
  }
}

async function office() {
  const { db } = t.database
  const company = await t.eg.company()
  const [sales, support] = [await t.eg.queue(company.id), await t.eg.queue(company.id)]
  const admin = await t.eg.user(company.id, { profile: 'admin' })
  const seller = await t.eg.user(company.id, { queueIds: [sales.id] })
  const helper = await t.eg.user(company.id, { queueIds: [support.id] })
  const whatsapp = await t.eg.whatsapp(company.id)
  const ticket = await t.eg.ticket(company.id, { queueId: sales.id, whatsappId: whatsapp.id })
  return {
    db,
    company,
    sales,
    support,
    admin,
    seller,
    helper,
    ticket,
    whatsapp,
    asAdmin: await t.login(admin.email),
    asSeller: await t.login(seller.email),
    asHelper: await t.login(helper.email),
  }
}

test('of a broken promise those hear who see the ticket, and nobody else', async () => {
  const o = await office()
  const [boss, seller, helper] = [await listen(o.asAdmin), await listen(o.asSeller), await listen(o.asHelper)]
  const { id, status, queueId, userId } = o.ticket
  const payload = { sla: { ticketId: id }, ticketIds: [id] }
  const audience = { ticket: { id, status, queueId, userId } }
  t.events.emit({ companyId: o.company.id, name: 'sla', action: 'breach', payload, audience })
  for (const one of [boss, seller, helper]) await one.settled()
  expect([boss, seller, helper].map((one) => one.of('sla').length)).toEqual([1, 1, 0])
})

describe('the handshake', () => {
  test('needs a good token: otherwise there is no socket', async () => {
    for (const query of ['', '?token=', '?token=rubbish']) {
      const answer = await fetch(`${address.replace('ws', 'http')}${query}`, {
        headers: {
          upgrade: 'websocket',
          connection: 'Upgrade',
          'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
          'sec-websocket-version': '13',
        },
      })
      expect([query, answer.status]).toEqual([query, 401])
    }
  })

  test('takes a pass in place of the token, once; neither is ever written into the log', async () => {
    const lines: string[] = []
    const { asSeller } = await office()
    const log = t.deps.log as { error: unknown; warn: unknown; info: unknown; debug: unknown }
    const before = { ...log }
    for (const level of ['error', 'warn', 'info', 'debug'] as const)
      log[level] = (...said: unknown[]) => void lines.push(Bun.inspect(said))
    try {
      const body = { for: 'events' }
      const { pass } = (await t.call('POST', '/auth/passes', { token: asSeller, body })).body as { pass: string }
      const open = (query: string) =>
        new Promise<boolean>((resolve) => {
          const socket = new WebSocket(`${address}?${query}`)
          sockets.push(socket)
          socket.onopen = () => resolve(true)
          socket.onerror = () => resolve(false)
        })
      expect(await open(`pass=${pass}`)).toBe(true)
      expect(await open(`pass=${pass}`)).toBe(false)
      expect(await open(`pass=${asSeller}`)).toBe(false)
      expect(await open(`token=${asSeller}`)).toBe(true)
      // What fails inside is told with its path alone.
      const { byToken } = t.deps.auth
      t.deps.auth.byToken = () => Promise.reject(new Error('inside'))
      expect(await open(`token=${asSeller}`)).toBe(false)
      t.deps.auth.byToken = byToken
      expect(lines.join()).toContain('/events')
      for (const secret of [asSeller, pass]) expect(lines.join()).not.toContain(secret)
    } finally {
      Object.assign(log, before)
    }
  })
})

test('a tag is told as `tag`, and as `user` to older clients, which hear of it by that name', async () => {
  const company = await t.eg.company()
  const admin = await t.login((await t.eg.user(company.id, { profile: 'admin' })).email)
  const socket = await listen(admin)
  const { id } = (await t.call('POST', '/tags', { token: admin, body: { name: 'Evento' } })).body as { id: number }
  for (const name of ['tag', 'user']) {
    const told = await until(name, () => socket.of(name).find(({ tag }) => tag))
    expect(told).toMatchObject({ action: 'create', tag: { id, name: 'Evento' } })
  }
})

describe('events about a ticket', () => {
  test('reach those who asked for it and may see it, in full', async () => {
    const o = await office()
    const [admin, seller] = [await listen(o.asAdmin), await listen(o.asSeller)]
    seller.send('joinChatBox', o.ticket.id)
    admin.send('joinTickets', 'pending')
    await seller.settled()
    await admin.settled()
    const message = await t.eg.messageIn(o.ticket, { body: 'chegou' })
    t.events.emit({
      companyId: o.company.id,
      name: 'appMessage',
      action: 'create',
      id: message.id,
      ticketId: o.ticket.id,
    })
    for (const socket of [admin, seller]) {
      const [event] = await until('the message', () => socket.of('appMessage').length > 0 && socket.of('appMessage'))
      expect(event).toMatchObject({
        action: 'create',
        message: { id: message.id, body: 'chegou' },
        ticket: { id: o.ticket.id },
        contact: { id: o.ticket.contactId },
      })
      expect(socket.frames.at(-1)!.event).toBe(`company-${o.company.id}-appMessage`)
    }
  })

  test('tell whose role hides numbers no number, and everybody else the whole one', async () => {
    const o = await office()
    const [role] = await o.db
      .insert(roles)
      .values({ companyId: o.company.id, name: 'Sem números', ticketScope: 'all', maskNumbers: true })
      .returning()
    const reader = await t.eg.user(o.company.id, { roleId: role!.id })
    const [admin, hidden] = [await listen(o.asAdmin), await listen(await t.login(reader.email))]
    const contact = await t.eg.contact(o.company.id, { name: 'Eva', number: '5511987651835' })
    t.events.emit({ companyId: o.company.id, name: 'contact', action: 'update', id: contact.id })
    for (const [socket, number] of [
      [admin, '5511987651835'],
      [hidden, '+55 11 9••••-1835'],
    ] as const) {
      const [event] = await until('the contact', () => socket.of('contact').length > 0 && socket.of('contact'))
      expect(event).toMatchObject({ action: 'update', contact: { id: contact.id, name: 'Eva', number } })
    }
  })

  test('never reach an agent without the queue, or another company, whatever they join', async () => {
    const o = await office()
    const stranger = await office()
    const [seller, helper, foreign] = [
      await listen(o.asSeller),
      await listen(o.asHelper),
      await listen(stranger.asAdmin),
    ]
    for (const socket of [seller, helper, foreign]) {
      socket.send('joinNotification')
      socket.send('joinTickets', 'pending')
      socket.send('joinChatBox', o.ticket.id)
      socket.send('joinChatBox', o.ticket.uuid)
      await socket.settled()
    }
    for (const socket of [helper, foreign]) {
      expect(socket.frames.filter(({ event }) => event === 'error').map(({ data }) => data.error)).toEqual([
        'ERR_NO_TICKET_FOUND',
        'ERR_NO_TICKET_FOUND',
      ])
    }
    t.events.emit({ companyId: o.company.id, name: 'ticket', action: 'update', id: o.ticket.id })
    t.events.emit({
      companyId: o.company.id,
      name: 'typing',
      action: 'composing',
      payload: {},
      audience: { ticket: { ...o.ticket } },
    })
    await until('the event', () => seller.of('typing').length > 0)
    await helper.settled()
    await foreign.settled()
    expect(seller.of('ticket')).toHaveLength(1)
    for (const socket of [helper, foreign])
      expect(socket.frames.filter(({ event }) => event.startsWith('company-'))).toEqual([])
  })

  test('a ticket that moves out of sight is reported gone, to those who had it', async () => {
    const o = await office()
    const [seller, helper] = [await listen(o.asSeller), await listen(o.asHelper)]
    for (const socket of [seller, helper]) {
      socket.send('joinTickets', 'pending')
      await socket.settled()
    }
    const tell = () => t.events.emit({ companyId: o.company.id, name: 'ticket', action: 'update', id: o.ticket.id })
    tell()
    await until('the ticket', () => seller.of('ticket').length === 1)
    await o.db.update(tickets).set({ queueId: o.support.id }).where(eq(tickets.id, o.ticket.id))
    tell()
    await until('its leaving', () => seller.of('ticket').length === 2)
    expect(seller.of('ticket')[1]).toEqual({ action: 'delete', ticketId: o.ticket.id })
    await until('its coming', () => helper.of('ticket').length === 1)
    expect(helper.of('ticket')[0]).toMatchObject({ action: 'update', ticket: { id: o.ticket.id } })
  })

  test('a ticket that leaves the status somebody listens to is reported gone, also to who only had it from a list', async () => {
    const o = await office()
    const [seller, helper, admin] = [await listen(o.asSeller), await listen(o.asHelper), await listen(o.asAdmin)]
    seller.send('joinTickets', 'pending')
    helper.send('joinTickets', 'pending')
    admin.send('joinTickets', 'open')
    for (const socket of [seller, helper, admin]) await socket.settled()
    const put = (token: string, body: unknown) => t.call('PUT', `/tickets/${o.ticket.id}`, { token, body })
    await put(o.asAdmin, { status: 'open' })
    await until('its leaving', () => seller.of('ticket').length === 1)
    expect(seller.of('ticket')).toEqual([{ action: 'delete', ticketId: o.ticket.id }])
    await until('its coming', () => admin.of('ticket').length === 1)
    expect(admin.of('ticket')[0]).toMatchObject({ action: 'update', ticket: { id: o.ticket.id, status: 'open' } })
    await put(o.asAdmin, { status: 'closed' })
    await until('its end', () => admin.of('ticket').some(({ action }) => action === 'delete'))
    await helper.settled()
    expect(helper.of('ticket')).toEqual([])
    expect(seller.of('ticket')).toHaveLength(1)
  })

  test('follow rights that change while the socket is open', async () => {
    const o = await office()
    const helper = await listen(o.asHelper)
    helper.send('joinNotification')
    await helper.settled()
    await t.call('PUT', `/users/${o.helper.id}`, { token: o.asAdmin, body: { queueIds: [o.sales.id] } })
    await until('the event', async () => {
      t.events.emit({ companyId: o.company.id, name: 'ticket', action: 'update', id: o.ticket.id })
      await helper.settled()
      return helper.of('ticket').length > 0
    })
  })

  test('are not even loaded while nobody asks for them', async () => {
    const o = await office()
    await listen(o.asSeller)
    let loads = 0
    const { db } = t.deps
    const select = db.select.bind(db)
    db.select = ((...args: []) => (loads++, select(...args))) as typeof db.select
    try {
      for (let i = 0; i < 50; i++)
        t.events.emit({
          companyId: o.company.id,
          name: 'appMessage',
          action: 'create',
          id: `m${i}`,
          ticketId: o.ticket.id,
        })
      await Bun.sleep(20)
      expect(loads).toBe(0)
    } finally {
      db.select = select
    }
  })
})

describe('typing', () => {
  test('of the agent reaches the colleagues in the conversation and the contact', async () => {
    const o = await office()
    await o.db.update(tickets).set({ status: 'open', userId: o.seller.id }).where(eq(tickets.id, o.ticket.id))
    const [admin, seller] = [await listen(o.asAdmin), await listen(o.asSeller)]
    admin.send('joinChatBox', o.ticket.id)
    await admin.settled()
    seller.send('typing', { ticketId: o.ticket.id, state: 'composing' })
    await until('typing', () => admin.of('typing').length > 0)
    expect(admin.of('typing')[0]).toMatchObject({
      action: 'composing',
      ticketId: o.ticket.id,
      user: { name: o.seller.name },
    })
    await until('presence', () =>
      t.asked.some(
        ([name, ...args]) => name === 'presence' && args[1] === o.ticket.contactId && args[2] === 'composing',
      ),
    )
  })
})

describe('who is here', () => {
  const names = (viewed: { viewers: { name: string; typing: boolean }[] }) =>
    viewed.viewers.map(({ name, typing }) => (typing ? `${name} writes` : name)).sort()

  test('is told to everybody in the conversation: who looks, who writes, who has left', async () => {
    const o = await office()
    const [admin, seller] = [await listen(o.asAdmin), await listen(o.asSeller)]
    for (const socket of [admin, seller]) {
      socket.send('joinChatBox', o.ticket.id)
      socket.send('viewing', { ticketId: o.ticket.id })
      await socket.settled()
    }
    const both = [o.admin.name, o.seller.name].sort()
    for (const socket of [admin, seller])
      await until('both', () => socket.of('viewers').some((data) => Bun.deepEquals(names(data), both)))

    seller.send('typing', { ticketId: o.ticket.id, state: 'composing' })
    await until('typing', () => names(admin.of('viewers').at(-1)).includes(`${o.seller.name} writes`))
    seller.send('typing', { ticketId: o.ticket.id, state: 'paused' })
    await until('a pause', () => Bun.deepEquals(names(admin.of('viewers').at(-1)), both))

    seller.socket.close()
    await until('leaving', () => Bun.deepEquals(names(admin.of('viewers').at(-1)), [o.admin.name]))
    // Back after an interruption: the room has them again, and they hear of the room.
    const again = await listen(await t.login(o.seller.email))
    again.send('joinChatBox', o.ticket.id)
    again.send('viewing', { ticketId: o.ticket.id })
    await until('the room', () => again.of('viewers').some((data) => Bun.deepEquals(names(data), both)))
    again.send('viewing', { ticketId: null })
    await until('looking away', () => Bun.deepEquals(names(admin.of('viewers').at(-1)), [o.admin.name]))
  })

  test('stays among those who may see the ticket and have it open', async () => {
    const o = await office()
    const stranger = await office()
    const [admin, seller] = [await listen(o.asAdmin), await listen(o.asSeller)]
    const outsiders = [await listen(o.asHelper), await listen(stranger.asAdmin)]
    for (const socket of outsiders) {
      socket.send('joinNotification')
      socket.send('joinChatBox', o.ticket.id)
      socket.send('viewing', { ticketId: o.ticket.id })
      await socket.settled()
      expect(socket.frames.filter(({ event }) => event === 'error')).toHaveLength(2)
    }
    admin.send('joinNotification')
    seller.send('joinChatBox', o.ticket.id)
    seller.send('viewing', { ticketId: o.ticket.id })
    await until('the room', () => seller.of('viewers').length > 0)
    expect(names(seller.of('viewers')[0])).toEqual([o.seller.name])
    for (const socket of [admin, ...outsiders]) {
      await socket.settled()
      expect(socket.of('viewers')).toEqual([])
    }
  })
})

describe('one login at a time', () => {
  test('the earlier socket is told and closed, the new one stays', async () => {
    const o = await office()
    const first = await listen(o.asSeller)
    const second = await listen(await t.login(o.seller.email))
    await until('closing', () => first.closed())
    expect(first.of('auth')).toMatchObject([
      { action: 'update', user: { id: o.seller.id, companyId: o.company.id }, by: { device: null, address: null } },
    ])
    expect(first.closed()).toEqual({ code: 4001 })
    await second.settled()
  })

  test('logging out, a new password and being deleted close the sockets', async () => {
    const o = await office()
    const [admin, seller, helper] = [await listen(o.asAdmin), await listen(o.asSeller), await listen(o.asHelper)]
    await t.call('DELETE', '/auth/logout', { token: o.asSeller })
    await until('logout', () => seller.closed())
    await t.call('PUT', `/users/${o.helper.id}`, { token: o.asAdmin, body: { password: 'nova senha' } })
    await until('password', () => helper.closed())
    const again = await listen(await t.login(o.helper.email, 'nova senha'))
    await t.call('DELETE', `/users/${o.helper.id}`, { token: o.asAdmin })
    expect((await until('deletion', () => again.closed())).code).toBe(4001)
    await admin.settled()
  })

  test('a company that expires loses its sockets', async () => {
    const o = await office()
    const seller = await listen(o.asSeller)
    await o.db.update(companies).set({ dueDate: '2020-01-01' }).where(eq(companies.id, o.company.id))
    await t.deps.hub.refresh(o.seller.id)
    expect((await until('closing', () => seller.closed())).code).toBe(4002)
  })

  test('who waits for a company to work again hears that, its invoices, and nothing else', async () => {
    const o = await office()
    const set = (values: Partial<typeof companies.$inferInsert>) =>
      o.db.update(companies).set(values).where(eq(companies.id, o.company.id))
    const again = async () => {
      for (const { id } of [o.admin, o.seller]) t.deps.auth.forget(id)
      const token = async (access: string) =>
        (await t.call('POST', '/auth/passes', { token: access, body: { for: 'events' } })).body.pass as string
      return [await listen(await token(o.asAdmin), 'pass'), await listen(await token(o.asSeller), 'pass')] as const
    }
    for (const barred of [{ dueDate: '2020-01-01' }, { status: false }]) {
      await set(barred)
      const [admin, seller] = await again()
      seller.send('joinTickets', 'open')
      seller.send('joinChatBox', o.ticket.id)
      await seller.settled()
      const tell = (name: 'tag' | 'payment' | 'company', payload: object) =>
        t.deps.events.emit({ companyId: o.company.id, name, action: 'update', payload: { ...payload } })
      tell('tag', { tag: { id: 1 } })
      t.deps.events.emit({ companyId: o.company.id, name: 'ticket', action: 'update', id: o.ticket.id })
      tell('payment', {})
      await until('invoices', () => admin.of('payment').length > 0)
      await Promise.all([admin.settled(), seller.settled()])
      expect(
        [...admin.frames, ...seller.frames].map(({ event }) => event.replace(/^company-\d+-/, '')).toSorted(),
      ).toEqual(['payment', 'pong', 'pong', 'pong', 'ready', 'ready'])
      // Another server has let it work again: this one has it only from the event.
      await set({ dueDate: null, status: true })
      tell('company', { company: { id: o.company.id } })
      for (const socket of [admin, seller]) expect((await until('closing', () => socket.closed())).code).toBe(4003)
    }
  })
})

describe('presence', () => {
  const isOnline = async (id: number) => (await t.database.db.select().from(users).where(eq(users.id, id)))[0]!.online

  test('begins with userStatus, is told to colleagues, and ends after silence', async () => {
    const o = await office()
    await o.db.update(users).set({ online: false }).where(eq(users.id, o.seller.id))
    const [admin, seller] = [await listen(o.asAdmin), await listen(o.asSeller)]
    seller.send('userStatus', {})
    await until('news', () => admin.of('user').some((data) => data.user.id === o.seller.id && data.user.online))
    expect(await isOnline(o.seller.id)).toBe(true)
    t.clock.advance(6 * 60_000)
    const silent = await markSilentOffline(o.db, t.clock.now)
    expect(silent.map(({ id }) => id)).toContain(o.seller.id)
    expect(await isOnline(o.seller.id)).toBe(false)
  })
})

describe('frames', () => {
  test('that mean nothing are answered with an error, and the socket goes on', async () => {
    const o = await office()
    const seller = await listen(o.asSeller)
    const bad = [
      '',
      '{',
      'null',
      '[]',
      '5',
      '{"event":5}',
      '{"event":"constructor"}',
      '{"event":"joinChatBox"}',
      '{"event":"joinChatBox","data":{}}',
      '{"event":"joinTickets","data":"lost"}',
      '{"event":"typing","data":null}',
      '{"event":"joinChatBox","data":"99999999999999999999"}',
    ]
    for (const text of bad) seller.socket.send(text)
    seller.socket.send(new Uint8Array([1, 2, 3]))
    await seller.settled()
    expect(seller.frames.filter(({ event }) => event === 'error').length).toBe(bad.length + 1)
  })

  test('that are too long or too many close the socket, and only that one', async () => {
    const o = await office()
    const [seller, helper, admin] = [await listen(o.asSeller), await listen(o.asHelper), await listen(o.asAdmin)]
    seller.socket.send(JSON.stringify({ event: 'ping', data: 'x'.repeat(70_000) }))
    await until('closing', () => seller.closed())
    for (let i = 0; i < 300; i++) helper.send('joinNotification')
    expect((await until('closing', () => helper.closed())).code).toBe(1008)
    await admin.settled()
  })
})

describe('too many sockets', () => {
  test('[B2] of one person: the newest stay, the oldest make room, and nobody else notices', async () => {
    const o = await office()
    const helper = await listen(o.asHelper)
    const many = await Promise.all(Array.from({ length: 40 }, () => listen(o.asSeller)))
    await until('room', () => many.filter((one) => one.closed()).length === 8)
    expect(new Set(many.flatMap((one) => one.closed()?.code ?? []))).toEqual(new Set([4429]))
    const last = await listen(o.asSeller)
    await last.settled()
    expect(last.closed()).toBeUndefined()
    await helper.settled()
  })
})

describe('several servers', () => {
  test('tell each other, large events as references', async () => {
    const { sql } = t.database
    const log = createLogger({ level: 'silent', pretty: false })
    const [one, two] = [await createEvents({ sql, log, shared: true }), await createEvents({ sql, log, shared: true })]
    try {
      const here: LiveEvent[] = []
      const there: LiveEvent[] = []
      one.listen((event) => here.push(event))
      two.listen((event) => there.push(event))
      one.emit({ companyId: 1, name: 'ticket', action: 'update', id: 7 })
      one.emit({ companyId: 1, name: 'queue', action: 'update', id: 8, payload: { text: 'é'.repeat(10_000) } })
      one.emit({ companyId: 1, name: 'typing', action: 'composing', payload: async () => ({ ticketId: 3 }) })
      for (let i = 0; i < 500; i++) one.emit({ companyId: 1, name: 'contact', action: 'update', id: i })
      await until('all of them', () => there.length === 503)
      expect(here).toHaveLength(503)
      expect(there.filter(({ name }) => name !== 'contact')).toEqual([
        { companyId: 1, name: 'ticket', action: 'update', id: 7 },
        { companyId: 1, name: 'queue', action: 'update', id: 8 },
        { companyId: 1, name: 'typing', action: 'composing', payload: { ticketId: 3 } },
      ])
    } finally {
      await one.close()
      await two.close()
    }
  })
})
