import { expect, test } from 'bun:test'
import { LiveSocket } from './live-socket.ts'

/** A line on which nothing is answered, as after a change of networks: it neither opens nor closes. */
class Silent {
  static made: Silent[] = []
  readyState = 0
  closed = false
  onopen: (() => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null
  constructor() {
    Silent.made.push(this)
  }
  close() {
    this.closed = true
  }
}

test('a connection that does not come about holds up nobody: a wait that is given up ends, and the next dials anew', async () => {
  const socket = new LiveSocket({
    url: 'ws://nowhere.invalid/sync',
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
