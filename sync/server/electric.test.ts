import { beforeEach, expect, test } from 'bun:test'
import type { Answer } from './shape-proxy.ts'
import { createElectric, type Electric } from './electric.ts'

/** An Electric service whose answers the test gives, and what was logged of it. */
let answer: (address: URL, signal: AbortSignal) => Promise<Response>
let asked: URL[]
let logged: { details: object; message: string }[]
let now: number
let electric: Electric

const secret = 's3cret-of-electric'
const note = (details: object, message: string) => void logged.push({ details, message })
const log = { warn: note, info: note }
beforeEach(() => {
  asked = []
  logged = []
  now = 1_000
  answer = async () => new Response('[]', { headers: { 'electric-handle': 'h', 'content-type': 'application/json' } })
  electric = createElectric({
    fetch: (request) => {
      const address = new URL(request.url)
      asked.push(address)
      return answer(address, request.signal)
    },
    url: 'http://electric:3000',
    secret,
    log,
    now: () => now,
  })
})

/** What was asked for at once is under way. */
const turn = () => new Promise((resolve) => setImmediate(resolve))
const ask = (query: string, backend = electric): Promise<Answer> =>
  new Promise((resolve) => backend.ask(new URLSearchParams(query), resolve))
const bodyOf = ({ body }: Answer) => new Response(body).text()
const refused = () =>
  Promise.reject(Object.assign(new Error(`cannot connect to ${asked.at(-1)}`), { code: 'ECONNREFUSED' }))

test('the secret goes to Electric with each question, and nowhere else: an outage is told by its code, once', async () => {
  answer = refused
  expect((await ask('table="tickets"&offset=-1')).status).toBe(503)
  expect(asked[0]!.searchParams.get('secret')).toBe(secret)
  for (let i = 0; i < 50; i++) await ask(`table="tickets"&offset=${i}_0`)
  expect(logged).toEqual([{ details: { code: 'ECONNREFUSED' }, message: 'Electric is away' }])
  expect(JSON.stringify(logged)).not.toContain(secret)
})

test('while Electric is away it is asked once for all browsers, after pauses that grow to half a minute', async () => {
  answer = refused
  await ask('offset=-1')
  const pauses: number[] = []
  for (let i = 0; i < 8; i++) {
    const count = asked.length
    const told = await Promise.all([ask('offset=-1'), ask('offset=0_0&live=true'), ask('offset=3_0')])
    expect(asked.length).toBe(count)
    const seconds = Number(told[0]!.headers['retry-after'])
    expect(told.map(({ status, headers }) => [status, headers['retry-after']])).toEqual(
      Array(3).fill([503, String(seconds)]),
    )
    pauses.push(seconds)
    now += seconds * 1_000
    await Promise.all([ask('offset=-1'), ask('offset=0_0&live=true'), ask('offset=3_0')])
    expect(asked.slice(count).map(({ pathname }) => pathname)).toEqual(['/v1/health'])
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 30, 30, 30])

  now += 30_000
  answer = async ({ pathname }) =>
    pathname === '/v1/health' ? Response.json({ status: 'active' }) : new Response('[]')
  expect((await ask('offset=-1')).status).toBe(200)
  expect(logged.at(-1)).toEqual({ details: { seconds: 151 }, message: 'Electric is back' })
})

test('equal waits are one question, read once; the last who leaves ends it', async () => {
  const open = Promise.withResolvers<Response>()
  let signal: AbortSignal | undefined
  answer = ({ searchParams }) => (searchParams.has('where') ? new Promise(() => undefined) : open.promise)
  const told: Answer[] = []
  const wait = 'table="queues"&live=true&offset=1_0&handle=h&cursor=7'
  const held = Array.from({ length: 3 }, () => electric.ask(new URLSearchParams(wait), (given) => told.push(given)))
  electric.ask(new URLSearchParams(`${wait}&where="companyId" = $1`), () => undefined)
  await turn()
  expect(asked.length).toBe(2)
  held[0]!.cancel()
  open.resolve(new Response('[1]', { headers: { 'electric-offset': '2_0', 'content-length': '3', server: 'x' } }))
  while (told.length < 2) await turn()
  expect(told[0]).toBe(told[1]!)
  expect({ body: told[0]!.body, headers: told[0]!.headers }).toEqual({
    body: '[1]',
    headers: { 'electric-offset': '2_0' },
  })

  answer = (_address, ofRequest) => {
    signal = ofRequest
    return new Promise(() => undefined)
  }
  const [one, other] = [1, 2].map(() => electric.ask(new URLSearchParams(wait), () => undefined))
  await turn()
  one!.cancel()
  expect(signal!.aborted).toBe(false)
  other!.cancel()
  expect(signal!.aborted).toBe(true)
  // Who comes after them begins anew.
  electric.ask(new URLSearchParams(wait), () => undefined)
  await turn()
  expect(asked.length).toBe(4)
})

test('a wrong secret is our fault: no browser sees the 401, it is named once, and health says it', async () => {
  answer = async ({ pathname, searchParams }) =>
    pathname === '/v1/health'
      ? Response.json({ status: 'active' })
      : searchParams.get('secret') === 'the right one'
        ? new Response('{"errors":{"table":["is missing"]}}', { status: 400 })
        : new Response('{"message":"Unauthorized"}', { status: 401 })
  const told = await ask('offset=-1')
  expect([told.status, await bodyOf(told)]).toEqual([503, '{"error":"ERR_UNAVAILABLE"}'])
  expect(Number(told.headers['retry-after'])).toBeGreaterThan(0)
  await ask('offset=-1')
  expect(logged.map(({ message }) => message)).toEqual(['Electric refuses ELECTRIC_SECRET'])
  expect(await electric.health()).toBe('refuses ELECTRIC_SECRET')
  // Also where nobody has asked for a row yet.
  const fresh = createElectric({
    fetch: (request) => answer(new URL(request.url), request.signal),
    url: 'http://e',
    secret,
    log,
  })
  expect(await fresh.health()).toBe('refuses ELECTRIC_SECRET')
  const right = createElectric({
    fetch: (request) => answer(new URL(request.url), request.signal),
    url: 'http://e',
    secret: 'the right one',
    log,
  })
  expect(await right.health()).toBe('active')
  answer = refused
  expect(await right.health()).toBe('down')
})
