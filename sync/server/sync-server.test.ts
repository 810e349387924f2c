import { beforeEach, describe, expect, test } from 'bun:test'
import type { Principal } from '../../schema/permissions.ts'
import type { PlanFeature } from '../../schema/plans/plans.features.ts'
import { shapeNames, shapesVersion } from '../shapes.ts'
import { createBefore, heldNow } from './before.ts'
import { beginnings, createBounds, mostMessages, replicaSince, weekStart } from './bounds.ts'
import { createLiveSockets, type LiveSockets } from './live-socket.ts'
import { createElectric } from './electric.ts'
import { createShapeProxy, type GateBounds, type ShapeProxy, type ShapeProxyOptions } from './shape-proxy.ts'

const ana: Principal = {
  userId: 7,
  companyId: 3,
  name: 'Ana',
  profile: 'user',
  super: false,
  queueIds: [5],
  allTicket: false,
  whatsappId: null,
}
const live = 'offset=1_0&handle=h&live=true&cursor=&log=full'

let asked: URL[]
let backend: (request: Request) => Promise<Response>
let users: Map<number, Principal>
let planLacks: PlanFeature[]
let options: ShapeProxyOptions
let proxy: ShapeProxy
let sockets: LiveSockets
beforeEach(() => {
  asked = []
  backend = async () =>
    new Response('[]', { headers: { 'electric-handle': 'h', 'electric-offset': '0_0', 'electric-schema': '{}' } })
  users = new Map([[7, ana]])
  planLacks = []
  const principalOf = async (id: number) => users.get(id) ?? null
  const log = { warn: () => undefined, info: () => undefined }
  options = {
    backend: createElectric({
      fetch: (request) => {
        asked.push(new URL(request.url))
        return backend(request)
      },
      url: 'http://electric:3000',
      secret: 's3cret',
      log,
    }).ask,
    principalOf,
    since: async () => ({ since: new Date('2026-01-05T00:00:00Z') }),
    includes: async (companyId, feature) => companyId === ana.companyId && !planLacks.includes(feature),
    log,
  }
  proxy = createShapeProxy(options)
  sockets = createLiveSockets({ proxy, principalOf })
})
const get = (name: string, query = 'offset=-1', init?: RequestInit) =>
  proxy.handle({ who: ana }, name, new Request(`http://localhost/sync/shape/${name}?${query}`, init))
/** A backend that answers when it is told to, or never, when the request is given up. */
function held() {
  const waits: { answer(response: Response): void; request: Request }[] = []
  backend = (request) =>
    new Promise((resolve, reject) => {
      request.signal.addEventListener('abort', () => reject(new Error('aborted')))
      waits.push({ answer: resolve, request })
    })
  return waits
}

describe('the gate', () => {
  test('[R1] who asks decides the rows and columns, whatever the request says', async () => {
    await get(
      'messages',
      'offset=-1&table=users&where=true&columns=passwordHash&params[1]=9&secret=guess&subset__where=true&replica=full',
    )
    const { searchParams } = asked[0]!
    expect(searchParams.get('table')).toBe('"messages"')
    expect(searchParams.get('where')).toBe(
      '"companyId" = $1 AND ("userScope" = $2 OR "queueScope" IN ($3)) AND "createdAt" >= $4',
    )
    expect([1, 2, 3, 4].map((n) => searchParams.get(`params[${n}]`))).toEqual([
      '3',
      '7',
      '5',
      '2026-01-05T00:00:00.000Z',
    ])
    expect(searchParams.get('columns')).toStartWith('"id","companyId",')
    expect(searchParams.get('secret')).toBe('s3cret')
    expect([...searchParams.keys()].filter((name) => name.startsWith('subset__') || name === 'replica')).toEqual([])
  })
  test('no shape carries a secret', async () => {
    for (const name of shapeNames) await get(name)
    for (const url of asked) expect(url.searchParams.get('columns')).not.toMatch(/passwordHash|refreshHash|token/i)
  })
  test('[V4] whose role hides numbers gets them masked, as rows of other shapes than everybody else’s', async () => {
    const role = { id: 1, permissions: [], ticketScope: 'queues' as const, maskNumbers: true }
    const row = {
      ...{ id: '9', name: '5511987651835', number: '5511987651835', email: 'eva@x.test' },
      // As JSON stands in the rows of a shape.
      reactions: '[{"emoji":"👍","by":"5511987651835"},{"emoji":"👍","by":"me"}]',
    }
    const hidden = {
      ...{ ...row, name: '+55 11 9••••-1835', number: '+55 11 9••••-1835' },
      reactions: '[{"emoji":"👍","by":"+55 11 9••••-1835"},{"emoji":"👍","by":"me"}]',
    }
    backend = async () => new Response(JSON.stringify([{ key: '"contacts"/"9"', value: row, headers: {} }]))
    const ask = async (who: Principal, name: string) => {
      const url = `http://localhost/sync/shape/${name}?offset=-1`
      const [told] = (await (await proxy.handle({ who }, name, new Request(url))).json()) as { value: typeof row }[]
      return { told: told!.value, where: asked.at(-1)!.searchParams.get('where') }
    }
    for (const name of ['contacts', 'messages']) {
      const whole = await ask(ana, name)
      expect(whole.told).toEqual(row)
      expect(await ask({ ...ana, role }, name)).toEqual({
        told: hidden,
        where: `${whole.where} AND TRUE`,
      })
      expect(await ask({ ...ana, role: { ...role, maskNumbers: false } }, name)).toEqual(whole)
    }
    // The company's own telephones are no secret.
    expect((await ask({ ...ana, role }, 'whatsapps')).told).toEqual(row)
    backend = async () => new Response('no rows, but a page of a proxy', { status: 200 })
    expect((await proxy.handle({ who: { ...ana, role } }, 'contacts', new Request('http://localhost/x'))).status).toBe(
      503,
    )
  })
  test('what the protocol needs passes', async () => {
    await get('tickets', 'offset=5_2&handle=h1&live=true&cursor=9&log=full&expired_handle=h0&cache-buster=x')
    expect(asked[0]!.search).toContain('offset=5_2')
    for (const [name, value] of Object.entries({
      handle: 'h1',
      live: 'true',
      cursor: '9',
      expired_handle: 'h0',
      'cache-buster': 'x',
    }))
      expect(asked[0]!.searchParams.get(name)).toBe(value)
  })
  test('[R5] an unknown shape, another method and an older app are refused without asking the shape service', async () => {
    expect([(await get('passwords')).status, (await get('toString')).status]).toEqual([404, 404])
    expect((await get('tickets', 'offset=-1', { method: 'POST', body: '{"table":"users"}' })).status).toBe(405)
    const outdated = await get('tickets', 'offset=-1&v=00000000')
    expect([outdated.status, await outdated.json()]).toEqual([400, { error: 'ERR_CLIENT_OUTDATED' }])
    expect(asked).toEqual([])
    expect((await get('tickets', `offset=-1&v=${shapesVersion}`)).status).toBe(200)
  })
  test('a browser of a release before goes on with the columns that it has, while they are there', async () => {
    const now = heldNow()
    const less = { ...now, tags: now.tags!.filter(([column]) => column !== 'color') }
    const known = createBefore({
      '0000000a': less,
      '0000000b': { ...now, tags: [...now.tags!, ['gone', 'text']] },
      '0000000c': { ...now, tags: now.tags!.map(([column = '']) => [column, 'bytea']) },
      '0000000d': { ...now, passwords: [['hash', 'text']] },
    })
    expect(['0000000a', '0000000b', '0000000c', '0000000d', shapesVersion, null].map(known.knows)).toEqual([
      true,
      false,
      false,
      false,
      true,
      true,
    ])
    const before = createShapeProxy({ ...options, before: known })
    const columns = async (version: string) => {
      const request = new Request(`http://localhost/sync/shape/tags?offset=-1&v=${version}`)
      expect((await before.handle({ who: ana }, 'tags', request)).status).toBe(200)
      return asked.at(-1)!.searchParams.get('columns')!.replaceAll('"', '').split(',')
    }
    expect(await columns('0000000a')).toEqual(less.tags.map(([column]) => column!))
    expect(await columns(shapesVersion)).toContain('color')
    const closes: number[] = []
    const all = createLiveSockets({ proxy: before, principalOf: async (id) => users.get(id) ?? null })
    for (const version of ['0000000a', '0000000b'])
      all.open({ send: () => undefined, close: (code) => closes.push(code) }, ana, version)
    expect(closes).toEqual([4409])
  })
  test('nobody gets rows of what the company’s plan leaves out, and a wait that begins asks again', async () => {
    const wheres = async () => {
      asked.length = 0
      for (const name of shapeNames) await get(name)
      return Object.fromEntries(shapeNames.map((name, i) => [name, asked[i]!.searchParams.get('where')!]))
    }
    const all = await wheres()
    planLacks = ['useSchedules']
    expect(await wheres()).toEqual({ ...all, schedules: `${all['schedules']} AND FALSE` })
    planLacks = ['useInternalChat']
    const cut = ['chats', 'chatUsers', 'chatMessages'].map((name) => [name, `${all[name]} AND FALSE`])
    expect(await wheres()).toEqual({ ...all, ...Object.fromEntries(cut) })
    planLacks = []
    expect(await wheres()).toEqual(all)
  })
  test('an answer goes on as it is, and into no cache', async () => {
    backend = async () =>
      new Response('[{"x":1}]', {
        status: 409,
        headers: {
          'electric-handle': 'new',
          'cache-control': 'public, max-age=604800',
          'content-encoding': 'gzip',
          'content-length': '3',
          'set-cookie': 'a=b',
        },
      })
    const response = await get('tickets')
    expect([response.status, await response.text()]).toEqual([409, '[{"x":1}]'])
    expect(response.headers.get('electric-handle')).toBe('new')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(response.headers.get('vary')).toBe('Authorization')
    expect(['content-encoding', 'content-length', 'set-cookie'].map((name) => response.headers.get(name))).toEqual([
      null,
      null,
      null,
    ])
  })
  test('a shape service that is away is said to be away', async () => {
    backend = async () => {
      throw new Error('connection refused')
    }
    const response = await get('tickets')
    expect([response.status, await response.json(), response.headers.get('retry-after')]).toEqual([
      503,
      { error: 'ERR_UNAVAILABLE' },
      '1',
    ])
  })
  test('who gives up is given up for at the shape service', async () => {
    const waits = held()
    const leaving = new AbortController()
    const response = get('tickets', live, { signal: leaving.signal })
    await Bun.sleep(1)
    expect(proxy.waiting()).toBe(1)
    leaving.abort()
    await response
    expect(waits[0]!.request.signal.aborted).toBe(true)
    expect(proxy.waiting()).toBe(0)
  })
  test('[R6] a wait goes on with new rights when they change, and ends when the user is gone', async () => {
    const waits = held()
    const response = get('tickets', live)
    await Bun.sleep(1)
    users.set(7, { ...ana, queueIds: [6] })
    proxy.dropUser(7, 'rights')
    await Bun.sleep(1)
    expect(asked.map((url) => url.searchParams.get('params[3]'))).toEqual(['5', '6'])
    users.delete(7)
    proxy.dropUser(7, 'rights')
    expect((await response).status).toBe(401)
    expect(waits).toHaveLength(2)
  })
})

describe('the websocket', () => {
  function browser(version: string | null = shapesVersion, who = ana) {
    const frames: string[] = []
    const closes: number[] = []
    const session = sockets.open(
      { send: (text) => frames.push(text), close: (code) => closes.push(code) },
      who,
      version,
    )
    return {
      frames,
      closes,
      ask: (id: number, shape = 'tickets') => session.message(JSON.stringify({ id, shape, query: live })),
      session,
    }
  }
  test('waits of many shapes are held at once, and each is answered with its body untouched', async () => {
    const waits = held()
    const { ask, frames } = browser()
    ask(1)
    ask(2, 'messages')
    await Bun.sleep(1)
    waits[1]!.answer(
      new Response('[ {"a":\n1} ]', { headers: { 'electric-handle': 'h', 'electric-cursor': '5', 'x-other': 'no' } }),
    )
    await Bun.sleep(1)
    const [head, ...body] = frames[0]!.split('\n')
    expect(JSON.parse(head!)).toEqual({
      id: 2,
      status: 200,
      headers: { 'electric-handle': 'h', 'electric-cursor': '5' },
    })
    expect(body.join('\n')).toBe('[ {"a":\n1} ]')
    expect(proxy.waiting()).toBe(1)
  })
  test('a wait that is cancelled is not answered; a closed socket gives up all of its waits', async () => {
    const waits = held()
    const { ask, frames, session } = browser()
    ask(1)
    ask(2)
    await Bun.sleep(1)
    session.message('{"cancel":1}')
    await Bun.sleep(1)
    expect([proxy.waiting(), frames.length]).toEqual([1, 0])
    session.closed()
    await Bun.sleep(1)
    expect(proxy.waiting()).toBe(0)
    expect(waits.every((wait) => wait.request.signal.aborted)).toBe(true)
  })
  test('[R6] new rights hold for the waits that are under way and for those to come', async () => {
    held()
    const { ask } = browser()
    ask(1)
    await Bun.sleep(1)
    users.set(7, { ...ana, queueIds: [6] })
    await sockets.dropUser(7, 'rights')
    await Bun.sleep(1)
    ask(2)
    await Bun.sleep(1)
    // Both waits are one question now.
    expect(asked.map((url) => url.searchParams.get('params[3]'))).toEqual(['5', '6'])
    expect(proxy.waiting()).toBe(2)
  })
  test('rights that were changed while the browser connected hold from then on', async () => {
    held()
    users.set(7, { ...ana, queueIds: [6] })
    const { ask } = browser()
    ask(1)
    await Bun.sleep(1)
    ask(2)
    await Bun.sleep(1)
    expect(asked.at(-1)!.searchParams.get('params[3]')).toBe('6')
    expect(proxy.waiting()).toBe(2)
  })
  test('a logout closes the sockets of that user, and a look around those of people whose company has expired', async () => {
    held()
    const [bia, carlos] = [
      { ...ana, userId: 8 },
      { ...ana, userId: 9, companyId: 4 },
    ]
    for (const user of [bia, carlos]) users.set(user.userId, user)
    const [mine, colleague, stranger] = [browser(), browser(shapesVersion, bia), browser(shapesVersion, carlos)]
    await sockets.dropUser(7, 'ended')
    expect([mine.closes, colleague.closes]).toEqual([[4403], []])
    users.delete(bia.userId)
    await sockets.recheck()
    expect([colleague.closes, stranger.closes]).toEqual([[4403], []])
    expect(sockets.count()).toBe(1)
  })
  test('[R5] an older app is told to reload', () => {
    expect(browser('00000000').closes).toEqual([4409])
  })
  test.each([
    '',
    'null',
    '{',
    '{"id":1}',
    '{"id":"1","shape":"tickets","query":""}',
    `{"id":1,"shape":"tickets","query":"${'x'.repeat(20_000)}"}`,
  ])('a frame that means nothing closes the socket (%#)', (frame) => {
    const { closes, session } = browser()
    session.message(frame)
    expect(closes).toEqual([1008])
  })
  test('a browser that asks without end is closed', async () => {
    held()
    const { ask, closes } = browser()
    for (let id = 0; id < 200; id++) ask(id)
    expect(closes).toEqual([1008])
    await Bun.sleep(1)
    expect(proxy.waiting()).toBe(0)
  })
})

describe('bounds', () => {
  const bia: Principal = { ...ana, userId: 8 }
  const carlos: Principal = { ...ana, userId: 9, companyId: 4 }
  const bounded = (bounds: Partial<GateBounds>) =>
    createShapeProxy({
      backend: (query, answered) => {
        if (query.get('live') !== 'true')
          queueMicrotask(() => answered({ status: query.has('handle') ? 409 : 200, headers: {}, body: '[]' }))
        return { cancel: () => undefined }
      },
      principalOf: async (id) => users.get(id) ?? null,
      since: async () => ({ since: new Date(0) }),
      includes: async () => true,
      log: { warn: () => undefined },
      bounds,
    })
  const askOf = (gate: ShapeProxy, who: Principal, query: string) => {
    const answers: { status: number; headers: Readonly<Record<string, string>> }[] = []
    const wait = gate.ask({ who }, 'tickets', query, (answer) => answers.push(answer))
    return { answers, wait, refused: async () => (await Bun.sleep(2), answers[0]?.status === 429) }
  }
  test('[B1] a user, a company and all together have so many waits; one more is told when to come back', async () => {
    const gate = bounded({ waits: { user: 2, company: 3, all: 4 } })
    const [first] = [askOf(gate, ana, live), askOf(gate, ana, live)]
    const third = askOf(gate, ana, live)
    expect([await third.refused(), third.answers[0]!.headers['retry-after']]).toEqual([true, '2'])
    expect(await askOf(gate, bia, live).refused()).toBe(false)
    expect(await askOf(gate, bia, live).refused()).toBe(true)
    expect(await askOf(gate, carlos, live).refused()).toBe(false)
    expect(await askOf(gate, carlos, live).refused()).toBe(true)
    first!.wait.cancel()
    expect(await askOf(gate, carlos, live).refused()).toBe(false)
    expect(gate.waiting()).toBe(4)
  })
  test('[B1] who begins again and again is told to wait, and nobody else is', async () => {
    const gate = bounded({ starts: 4 })
    expect(await askOf(gate, ana, 'offset=-1').refused()).toBe(false)
    // Told to begin again, three times.
    for (let i = 0; i < 3; i++) expect(await askOf(gate, ana, 'offset=9_0&handle=h').refused()).toBe(false)
    const refused = askOf(gate, ana, 'offset=9_0&handle=h')
    expect(await refused.refused()).toBe(true)
    expect(Number(refused.answers[0]!.headers['retry-after'])).toBeWithin(1, 61)
    expect(await askOf(gate, bia, 'offset=-1').refused()).toBe(false)
  })
  test('[B2] a user’s newest sockets win, and where the company is full its own oldest makes room', () => {
    sockets = createLiveSockets({ proxy, principalOf: async () => ana, most: { user: 2, company: 3, all: 10 } })
    const open = (who: Principal) => {
      const closes: number[] = []
      sockets.open({ send: () => undefined, close: (code) => closes.push(code) }, who, shapesVersion)
      return closes
    }
    const [one, two, three] = [open(ana), open(ana), open(ana)]
    expect([one, two, three]).toEqual([[4429], [], []])
    const [hers, next] = [open(bia), open(bia)]
    expect([hers, next, two, three]).toEqual([[4429], [], [], []])
    expect(open({ ...ana, userId: 10 })).toEqual([4429])
    expect(open(carlos)).toEqual([])
    expect(sockets.count()).toBe(4)
  })
  test('a socket that never stops asking is closed', async () => {
    const closes: number[] = []
    const session = sockets.open({ send: () => undefined, close: (code) => closes.push(code) }, ana, shapesVersion)
    for (let i = 0; i < 3_001; i++) session.message(JSON.stringify({ cancel: i }))
    expect(closes).toEqual([1008])
  })
})

describe('how far back a replica reaches', () => {
  const now = new Date('2026-11-19T15:30:00Z')
  test('a week begins on Monday, UTC', () => {
    expect(weekStart(now)).toEqual(new Date('2026-11-16T00:00:00Z'))
    expect(weekStart(new Date('2026-11-16T00:00:00Z'))).toEqual(new Date('2026-11-16T00:00:00Z'))
    expect(weekStart(new Date('2026-11-15T23:59:59Z'))).toEqual(new Date('2026-11-09T00:00:00Z'))
  })
  test('four weeks, unless that is too much: then fewer weeks, then days', async () => {
    const perDay = (n: number) => async (since: Date) => (n * (now.getTime() - since.getTime())) / 86_400_000
    expect(await replicaSince(now, perDay(10))).toEqual(new Date('2026-10-19T00:00:00Z'))
    expect(await replicaSince(now, perDay(mostMessages / 12))).toEqual(new Date('2026-11-09T00:00:00Z'))
    expect(await replicaSince(now, perDay(mostMessages / 2))).toEqual(new Date('2026-11-18T00:00:00Z'))
    expect(await replicaSince(now, async () => Infinity)).toEqual(beginnings(now).at(-1)!)
  })
  test('it is counted once a day for all who see the same', async () => {
    let moment = now
    const counted: string[][] = []
    const bounds = createBounds({
      now: () => moment,
      countMessages: async ({ params }) => {
        counted.push(params)
        return 0
      },
    })
    await bounds(ana)
    await bounds({ ...ana })
    expect(counted).toHaveLength(1)
    await bounds({ ...ana, userId: 8 })
    expect(counted).toHaveLength(2)
    moment = new Date('2026-11-20T00:00:01Z')
    await bounds(ana)
    expect(counted).toHaveLength(3)
  })
})
