import { expect, setSystemTime, test } from 'bun:test'
import { LiveSocket } from './live-socket.ts'

/** A line on which nothing is answered, as after a change of networks: it neither opens nor closes. */
class Silent {
  static made: Silent[] = []
  readyState = 0
  closed = false
  onopen: (() => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null
  constructor(readonly url: string) {
    Silent.made.push(this)
  }
  send() {}
  close() {
    this.closed = true
  }
}

test('a connection that does not come about holds up nobody: a wait that is given up ends, and the next dials anew', async () => {
  const socket = new LiveSocket({
    url: 'ws://nowhere.invalid/sync',
    passes: '/auth/passes',
    fetch: async () => Response.json({ pass: 'a/pass' }),
    version: '1',
    token: async () => 'token',
    WebSocket: Silent as unknown as typeof WebSocket,
    outdated: () => undefined,
    dialMs: 50,
  })
  const giveUp = new AbortController()
  const wait = socket.request('tickets', '', giveUp.signal)
  setTimeout(() => giveUp.abort(), 10)
  await expect(wait).rejects.toThrow()
  const another = socket.request('tickets', '')
  await expect(another).rejects.toThrow()
  expect(Silent.made.map(({ closed }) => closed)).toEqual([true])
  void socket.request('tickets', '').catch(() => undefined)
  await Bun.sleep(5)
  expect(Silent.made).toHaveLength(2)
  socket.close()
}, 2_000)

test('while no connection comes about, all shapes together dial once in a while, and at once when the network is back', async () => {
  let asked = 0
  const socket = new LiveSocket({
    url: 'ws://nowhere.invalid/sync',
    passes: '/auth/passes',
    fetch: async () => {
      asked++
      throw new TypeError('no network')
    },
    version: '1',
    token: async () => 'token',
    WebSocket: Silent as unknown as typeof WebSocket,
    outdated: () => undefined,
  })
  let isOver = false
  // Twenty streams that ask again as soon as they are refused.
  const streams = Array.from({ length: 20 }, async () => {
    while (!isOver) await socket.request('tickets', '').catch(() => undefined)
  })
  await Bun.sleep(650)
  // At once, at once, and then after pauses that double.
  expect(asked).toBeGreaterThan(2)
  expect(asked).toBeLessThan(8)
  const before = asked
  socket.checkUp()
  await Bun.sleep(1)
  expect(asked).toBeGreaterThan(before)
  isOver = true
  socket.checkUp()
  await Promise.all(streams)
  socket.close()
}, 5_000)

test('[B3] a browser that had to make room for another stays away for a while, and then comes back', async () => {
  Silent.made = []
  const socket = new LiveSocket({
    url: 'ws://nowhere.invalid/sync',
    passes: '/auth/passes',
    fetch: async () => Response.json({ pass: 'a/pass' }),
    version: '1',
    token: async () => 'token',
    WebSocket: Silent as unknown as typeof WebSocket,
    outdated: () => undefined,
    crowdedMs: 50,
  })
  const wait = socket.request('tickets', '')
  await Bun.sleep(1)
  Silent.made[0]!.onopen?.()
  await Bun.sleep(1)
  Silent.made[0]!.onclose?.({ code: 4429 })
  await expect(wait).rejects.toThrow()
  await expect(socket.request('tickets', '')).rejects.toThrow()
  expect(Silent.made).toHaveLength(1)
  await Bun.sleep(60)
  void socket.request('tickets', '').catch(() => undefined)
  await Bun.sleep(5)
  expect(Silent.made).toHaveLength(2)
  socket.close()
}, 2_000)

test('the token goes into no address: it buys a pass, and one that is refused is renewed before the next try', async () => {
  Silent.made = []
  const bought: (string | null)[] = []
  const renewed: boolean[] = []
  const socket = new LiveSocket({
    url: 'ws://nowhere.invalid/sync',
    passes: '/auth/passes',
    fetch: async (_input, init) => {
      bought.push(new Headers(init?.headers).get('authorization'))
      return bought.length === 1
        ? Response.json({ error: 'ERR_TOKEN_EXPIRED' }, { status: 403 })
        : Response.json({ pass: 'a/pass' })
    },
    version: '1',
    token: async (refresh) => (renewed.push(refresh), `secret${renewed.length}`),
    WebSocket: Silent as unknown as typeof WebSocket,
    outdated: () => undefined,
  })
  await expect(socket.request('tickets', '')).rejects.toThrow('no pass')
  void socket.request('tickets', '').catch(() => undefined)
  await Bun.sleep(5)
  expect(renewed).toEqual([false, true])
  expect(bought).toEqual(['Bearer secret1', 'Bearer secret2'])
  expect(Silent.made.map(({ url }) => url)).toEqual(['ws://nowhere.invalid/sync?pass=a%2Fpass&v=1'])
  socket.close()
})

test('[R7] a websocket that was silent for half a minute is dead: who waits is told, and asks again over another one', async () => {
  Silent.made = []
  const socket = new LiveSocket({
    url: 'ws://nowhere.invalid/sync',
    passes: '/auth/passes',
    fetch: async () => Response.json({ pass: 'a/pass' }),
    version: '1',
    token: async () => 'token',
    WebSocket: Silent as unknown as typeof WebSocket,
    outdated: () => undefined,
  })
  const wait = socket.request('tickets', '')
  await Bun.sleep(1)
  Silent.made[0]!.onopen?.()
  await Bun.sleep(1)
  socket.checkUp()
  expect(Silent.made[0]!.closed).toBe(false)
  setSystemTime(Date.now() + 31_000)
  try {
    socket.checkUp()
    await expect(wait).rejects.toThrow()
    expect(Silent.made[0]!.closed).toBe(true)
    void socket.request('tickets', '').catch(() => undefined)
    await Bun.sleep(5)
    expect(Silent.made).toHaveLength(2)
  } finally {
    setSystemTime()
    socket.close()
  }
}, 2_000)

test('a browser that is told to move asks again over a new socket before it closes the old one, and its waits notice nothing', async () => {
  const said: string[] = []
  let sockets = 0
  const server = Bun.serve<{ n: number }>({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request, all) => (all.upgrade(request, { data: { n: ++sockets } }) ? undefined : new Response(null)),
    websocket: {
      message(socket, text) {
        const { n } = socket.data
        const { id, shape } = JSON.parse(String(text)) as { id: number; shape: string }
        said.push(`${n} ${shape}`)
        if (n === 1 && shape === 'contacts') socket.send('{"move":true}')
        if (n === 2) socket.send(`${JSON.stringify({ id, status: 200, headers: {} })}\nof the second`)
      },
      close: ({ data }) => void said.push(`${data.n} closed`),
    },
  })
  const socket = new LiveSocket({
    url: `ws://127.0.0.1:${server.port}/sync`,
    passes: '/auth/passes',
    fetch: async () => Response.json({ pass: 'a/pass' }),
    version: '1',
    token: async () => 'token',
    WebSocket,
    outdated: () => undefined,
  })
  const answers = await Promise.all([socket.request('tickets', ''), socket.request('contacts', '')])
  expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['of the second', 'of the second'])
  expect(await (await socket.request('tags', '')).text()).toBe('of the second')
  expect(said.filter((line) => line !== '1 closed')).toEqual([
    '1 tickets',
    '1 contacts',
    '2 tickets',
    '2 contacts',
    '2 tags',
  ])
  expect(said).toContain('1 closed')
  socket.close()
  await server.stop(true)
}, 10_000)
