import { afterAll, beforeAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { expectWithstood, startTarget, type Target } from '../support/attack.ts'
import { adminEmail, adminPassword } from '../support/stack.ts'

let target: Target
let token: string
beforeAll(async () => {
  target = await startTarget()
  token = (await target.login(adminEmail, adminPassword)).token
  const sql = postgres(target.databaseUrl, { max: 1, onnotice: () => undefined })
  // Some 20 MB for whoever reads them all.
  await sql`INSERT INTO contacts ("companyId", name, number)
    SELECT (SELECT min("companyId") FROM users), 'Contato ' || i || repeat(' x', 40), (5511900000000 + i)::text
    FROM generate_series(1, 40000) i`
  await sql.end()
}, 120_000)
afterAll(() => target?.stop())

const shape = (name: string, query: string) =>
  fetch(`${target.url}/sync/shape/${name}?${query}`, { headers: { authorization: `Bearer ${token}` } })

test('150 requests for a place that no shape has come to', async () => {
  const first = await shape('contacts', 'offset=-1')
  expect(first.status).toBe(200)
  await first.text()
  const cost = await target.under(async () => {
    const statuses: number[] = []
    await Promise.all(
      Array.from({ length: 10 }, async (_, chain) => {
        let handle = first.headers.get('electric-handle')!
        for (let i = 0; i < 15; i++) {
          const answer = await shape('contacts', `offset=999999999999_${chain}${i}&handle=${handle}`)
          await answer.text()
          statuses.push(answer.status)
          handle = answer.headers.get('electric-handle') ?? handle
        }
      }),
    )
    return statuses
  })
  expect(cost.result).toHaveLength(150)
  expect(new Set(cost.result).difference(new Set([409, 429]))).toEqual(new Set())
  expectWithstood(cost, { memoryMb: 350 })
}, 120_000)

test('100 readings from the beginning, of which nobody takes the bytes', async () => {
  const leaving = new AbortController()
  const cost = await target.under(async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        fetch(`${target.url}/sync/shape/contacts?offset=-1&cache-buster=${i}`, {
          headers: { authorization: `Bearer ${token}` },
          signal: leaving.signal,
        }).then(({ status }) => status),
      ),
    )
    await Bun.sleep(2_000)
    return answers
  })
  leaving.abort()
  expect(new Set(cost.result).difference(new Set([200, 429]))).toEqual(new Set())
  expectWithstood(cost, { memoryMb: 800 })
}, 120_000)

test.each([
  ['/sync', 8],
  ['/events', 32],
])(
  '400 sockets at %s of one person, who never reads and asks for hundreds of waits: %i stay',
  async (path, most) => {
    const sockets: WebSocket[] = []
    let closed = 0
    const cost = await target.under(async () => {
      for (let i = 0; i < 400; i++) {
        const socket = new WebSocket(`${target.url.replace('http', 'ws')}${path}?token=${token}`)
        socket.onclose = () => closed++
        socket.onopen = () => {
          for (let id = 1; id <= 100; id++)
            socket.send(
              path === '/sync'
                ? JSON.stringify({ id, shape: 'messages', query: `live=true&offset=0_inf&handle=no-${i}-${id}` })
                : JSON.stringify({ event: 'joinTickets', data: 'open' }),
            )
        }
        sockets.push(socket)
        if (i % 20 === 19) await Bun.sleep(10)
      }
      await Bun.sleep(3_000)
    })
    expect(400 - closed).toBeLessThanOrEqual(most)
    expectWithstood(cost)
    for (const socket of sockets) socket.close()
    // Another person, and this one a minute later, is served as ever.
    expect((await fetch(`${target.url}/health`)).status).toBe(200)
  },
  120_000,
)
