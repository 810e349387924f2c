import { expect, test } from 'bun:test'
import type { Batch } from './applier.ts'
import type { LiveSocket } from './live-socket.ts'
import { eventually } from './replica.fixture.ts'
import { startStream } from './streams.ts'

const row = (id: string) => ({ key: `"public"."tags"/"${id}"`, value: { id }, headers: { operation: 'insert' } })
const upToDate = { headers: { control: 'up-to-date' } }

test('a refusal in words that are not our server’s is no answer: it is asked again, and the line counts as gone', async () => {
  const strange = [
    new Response('<html>Blocked</html>', { status: 403 }),
    Response.json({ message: 'Sign in to the network' }, { status: 401 }),
  ]
  const batches: Batch[] = []
  const reached: boolean[] = []
  const renewed: boolean[] = []
  const end = new AbortController()
  startStream(
    'tags',
    undefined,
    {
      url: 'http://balcao.test/sync/shape',
      scope: '1-1',
      fetch: async () => {
        const headers = { 'electric-handle': 'h', 'electric-offset': '1_0', 'electric-schema': '{}' }
        return strange.shift() ?? Response.json([row('1'), upToDate], { headers })
      },
      socket: { request: () => new Promise(() => undefined) } as unknown as LiveSocket,
      token: async (refresh) => (renewed.push(refresh), 'token'),
      apply: async (batch) => void batches.push(batch),
      received: () => undefined,
      upToDate: () => undefined,
      behind: () => undefined,
      reachable: (yes) => void reached.push(yes),
      outdated: () => undefined,
      ended: () => undefined,
    },
    end.signal,
  )
  try {
    await eventually(() => batches.length > 0, Boolean, 5_000)
  } finally {
    end.abort()
  }
  expect(reached.slice(0, 3)).toEqual([false, false, true])
  expect(renewed).not.toContain(true)
})

test('[R2] rows that come in parts are applied when the last part says that the shape is up to date, with its offset', async () => {
  const parts: Record<string, [string, unknown[]]> = {
    '-1': ['0_0', [row('1')]],
    '0_0': ['0_1', [row('2')]],
    '0_1': ['7_0', [row('3'), upToDate]],
  }
  const asked: string[] = []
  const batches: Batch[] = []
  const end = new AbortController()
  startStream(
    'tags',
    undefined,
    {
      url: 'http://balcao.test/sync/shape',
      scope: '1-1',
      fetch: async (input) => {
        const from = new URL(String(input)).searchParams.get('offset')!
        asked.push(from)
        const part = parts[from]
        // What happens afterwards is waited for.
        if (!part) return new Promise<Response>(() => undefined)
        const [offset, messages] = part
        const headers = { 'electric-handle': 'h', 'electric-offset': offset, 'electric-schema': '{}' }
        return Response.json(messages, { headers })
      },
      socket: { request: () => new Promise(() => undefined) } as unknown as LiveSocket,
      token: async () => 'token',
      apply: async (batch) => void batches.push(batch),
      received: () => undefined,
      upToDate: () => undefined,
      behind: () => undefined,
      reachable: () => undefined,
      outdated: () => undefined,
      ended: () => undefined,
    },
    end.signal,
  )
  try {
    await eventually(() => batches.length > 0, Boolean, 3_000)
  } finally {
    end.abort()
  }
  expect(asked.slice(0, 3)).toEqual(['-1', '0_0', '0_1'])
  expect(batches).toHaveLength(1)
  expect(batches[0]).toMatchObject({
    handle: 'h',
    offset: '7_0',
    whole: true,
    upserts: [{ id: '1' }, { id: '2' }, { id: '3' }],
  })
})
