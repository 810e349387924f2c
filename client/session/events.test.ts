import { afterAll, beforeAll, expect, test } from 'bun:test'
import { onConnect, onEvent, startEvents, stopEvents } from './events.ts'
import { sessionUser } from './session.fixture.ts'
import { session } from './session-store.ts'

// A real server, spoken to as the browser would: the app uses paths, which only a page can resolve.
const sockets: Bun.ServerWebSocket<undefined>[] = []
const closed: number[] = []
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request, all) {
    if (new URL(request.url).pathname === '/auth/passes') return Response.json({ pass: 'a/pass' })
    return all.upgrade(request) ? undefined : new Response(null, { status: 400 })
  },
  websocket: {
    open: (socket) => void sockets.push(socket),
    message: () => undefined,
    close: (socket) => void closed.push(sockets.indexOf(socket)),
  },
})
const realFetch = globalThis.fetch
const given = ['window', 'location'].map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)

beforeAll(() => {
  globalThis.fetch = Object.assign(
    (input: string | URL | Request, init?: RequestInit) => realFetch(new URL(String(input), server.url), init),
    { preconnect: realFetch.preconnect },
  )
  const nothing = () => undefined
  const values = {
    window: { addEventListener: nothing, removeEventListener: nothing },
    location: { href: server.url.href },
  }
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(globalThis, name, { value, configurable: true })
})
afterAll(async () => {
  stopEvents()
  globalThis.fetch = realFetch
  for (const [name, was] of given)
    if (was) Object.defineProperty(globalThis, name, was)
    else Reflect.deleteProperty(globalThis, name)
  await server.stop(true)
})

async function eventually(what: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 20_000; !what(); await Bun.sleep(5))
    if (Date.now() > deadline) throw new Error(`never: ${String(what)}`)
}

test('whoever is told to move is at the new server before it leaves the old one, and hears of everything once', async () => {
  const heard: unknown[] = []
  const connected: [boolean, boolean][] = []
  onEvent('note', (data) => heard.push(data))
  onConnect((first, moved) => connected.push([first, moved]))
  startEvents(session.begin('token', sessionUser()))
  await eventually(() => connected.length === 1)
  const tell = (socket: number, data: string) => sockets[socket]!.send(JSON.stringify({ event: 'note', data }))

  tell(0, 'before')
  sockets[0]!.send('{"event":"move","data":null}')
  // Still on its way to the new one, where this is told as well.
  tell(0, 'meanwhile')
  await eventually(() => connected.length === 2)
  tell(1, 'meanwhile')
  tell(1, 'by both')
  tell(0, 'by both')
  tell(0, 'by the old one')
  tell(1, 'by the new one')
  await eventually(() => heard.includes('by the old one') && heard.includes('by the new one'))
  expect(closed).toEqual([])
  await eventually(() => closed.includes(0))
  tell(1, 'afterwards')
  await eventually(() => heard.includes('afterwards'))
  expect(heard.toSorted()).toEqual(
    ['afterwards', 'before', 'by both', 'by the new one', 'by the old one', 'meanwhile'].toSorted(),
  )
  expect(connected).toEqual([
    [true, false],
    // It has missed nothing, so nothing is fetched anew.
    [true, true],
  ])
  expect(closed).toEqual([0])
}, 60_000)
