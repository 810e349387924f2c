import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Elysia } from 'elysia'
import { sessions } from '../../schema/users/sessions.table.ts'
import { createLiveSockets, type LiveSockets } from '../../sync/server/live-socket.ts'
import { createShapeProxy } from '../../sync/server/shape-proxy.ts'
import { shapesVersion } from '../../sync/shapes.ts'
import { type TestApp, testApp } from '../../tests/support/app.ts'
import { createApp } from './app.ts'
import { syncRoutes } from './sync.routes.ts'

let t: TestApp
let app: Elysia
let sockets: LiveSockets
let address: string
/** What the shape service was asked, and never answers but to `tickets`. */
const asked: string[] = []
beforeAll(async () => {
  t = await testApp()
  const principalOf = (userId: number) => t.deps.auth.principalOf(userId)
  const proxy = createShapeProxy({
    backend: (query, answered) => {
      asked.push(query.get('table')!)
      if (query.get('table') === '"tickets"')
        queueMicrotask(() => answered({ status: 200, headers: { 'electric-handle': 'h' }, body: '["ação"]' }))
      return { cancel: () => undefined }
    },
    principalOf,
    since: async () => ({ since: new Date(0) }),
    includes: async () => true,
    log: { warn: () => undefined },
  })
  sockets = createLiveSockets({ proxy, principalOf })
  app = createApp(t.deps).use(syncRoutes(t.deps, { proxy, sockets })) as unknown as Elysia
  app.listen({ port: 0, hostname: '127.0.0.1' })
  address = `http://127.0.0.1:${app.server!.port}/sync`
})
afterAll(async () => {
  await app.stop(true)
  await t.close()
})

/** A browser's socket, and how it ends. */
async function open(query: Record<string, string>) {
  const socket = new WebSocket(`${address.replace('http', 'ws')}?${new URLSearchParams(query)}`)
  const closed = new Promise<number>((resolve) => (socket.onclose = ({ code }) => resolve(code)))
  const frame = new Promise<string>((resolve) => (socket.onmessage = ({ data }) => resolve(String(data))))
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve()
    socket.onerror = () => reject(new Error('refused'))
  })
  return { socket, closed, frame }
}
async function token() {
  const company = await t.eg.company()
  const user = await t.eg.user(company.id)
  return { user, token: await t.login(user.email) }
}
const passOf = async (access: string) =>
  (await t.call('POST', '/auth/passes', { token: access, body: { for: 'sync' } })).body.pass as string
const pass = async () => passOf((await token()).token)
const handshake = {
  upgrade: 'websocket',
  connection: 'Upgrade',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-version': '13',
}

describe('the socket of all shapes', () => {
  test('needs a good pass, never a token, and to be a websocket', async () => {
    const { token: access } = await token()
    for (const query of ['', '?pass=', '?pass=rubbish', `?token=${access}`, `?pass=${access}`]) {
      const answer = await fetch(`${address}${query}`, { headers: handshake })
      expect([query, answer.status, await answer.json()]).toEqual([query, 401, { error: 'ERR_SESSION_EXPIRED' }])
    }
    const plain = await fetch(`${address}?pass=${await pass()}`)
    expect([plain.status, await plain.json()]).toMatchObject([400, { error: 'ERR_VALIDATION' }])
  })
  test('carries a question and its answer', async () => {
    const { socket, frame } = await open({ pass: await pass(), v: shapesVersion })
    socket.send(JSON.stringify({ id: 3, shape: 'tickets', query: 'live=true&offset=0_0&handle=h' }))
    expect(await frame).toBe('{"id":3,"status":200,"headers":{"electric-handle":"h"}}\n["ação"]')
    socket.close()
  })
  test.each([
    ['that is no question', '{}', 1008],
    ['of bytes', new Uint8Array([1, 2]), 1008],
    ['of great length', 'x'.repeat(70_000), 1006],
  ] as const)('is closed by a frame %s', async (_what, frame, code) => {
    const { socket, closed } = await open({ pass: await pass(), v: shapesVersion })
    socket.send(frame)
    expect([code, 1009]).toContain(await closed)
  })
  test('is closed when its user logs out, and what it waited for is forgotten', async () => {
    const { user, token: own } = await token()
    const { socket, closed } = await open({ pass: await passOf(own), v: shapesVersion })
    const before = asked.length
    socket.send(JSON.stringify({ id: 1, shape: 'messages', query: 'live=true&offset=0_0&handle=h' }))
    while (asked.length === before) await Bun.sleep(1)
    await sockets.dropUser(user.id, 'ended')
    expect(await closed).toBe(4403)
    const count = sockets.count()
    const other = await open({ pass: await pass(), v: '00000000' })
    expect(await other.closed).toBe(4409)
    expect(sockets.count()).toBe(count)
  })
  test('is closed at the next look when its session has ended and nobody said so, or has run out', async () => {
    const ended = await token()
    const [over, still] = [await open({ pass: await passOf(ended.token) }), await open({ pass: await pass() })]
    await t.database.db.update(sessions).set({ endedAt: t.clock.now }).where(eq(sessions.userId, ended.user.id))
    t.clock.advance(6_000)
    await sockets.recheck()
    expect(await over.closed).toBe(4403)
    expect(still.socket.readyState).toBe(WebSocket.OPEN)
    t.clock.advance(30 * 24 * 3600_000)
    await sockets.recheck()
    expect(await still.closed).toBe(4403)
  })
  test('opens once for a pass, and for none that is old or for something else', async () => {
    const { user, token: own } = await token()
    const given = await passOf(own)
    const { socket } = await open({ pass: given, v: shapesVersion })
    await expect(open({ pass: given, v: shapesVersion })).rejects.toThrow('refused')
    const other = (await t.call('POST', '/auth/passes', { token: own, body: { for: 'events' } })).body.pass
    await expect(open({ pass: other, v: shapesVersion })).rejects.toThrow('refused')
    const old = await passOf(own)
    t.clock.advance(61_000)
    await expect(open({ pass: old, v: shapesVersion })).rejects.toThrow('refused')
    const late = await passOf(own)
    await t.login(user.email)
    await expect(open({ pass: late, v: shapesVersion })).rejects.toThrow('refused')
    socket.close()
  })
})
