import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Server } from 'bun'
import { api, ApiError, renewToken, requestLines, withQuery } from './api.ts'
import { keys } from '../base/local.ts'
import { session } from './session-store.ts'
import { login, logout } from './session.tsx'
import { sessionUser } from './session.fixture.ts'

const ana = sessionUser()

// A real server, spoken to as the browser would: the app uses paths, which only a page can resolve.
let server: Server<undefined>
const calls: { path: string; token: string | null }[] = []
let answer: (path: string, token: string | null) => Response | Promise<Response>
const realFetch = globalThis.fetch
const realStorage = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')
const stored = new Map<string, string>()

beforeAll(() => {
  server = Bun.serve({
    port: 0,
    fetch(request) {
      const path = new URL(request.url).pathname
      const token = request.headers.get('authorization')?.replace('Bearer ', '') ?? null
      calls.push({ path, token })
      return answer(path, token)
    },
  })
  globalThis.fetch = Object.assign(
    (input: string | URL | Request, init?: RequestInit) => realFetch(new URL(String(input), server.url), init),
    {
      preconnect: realFetch.preconnect,
    },
  )
  // A Map is enough of localStorage for this module, which also lists its keys.
  const storage = new Proxy(
    {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    },
    {
      ownKeys: () => [...stored.keys()],
      getOwnPropertyDescriptor: (target, key) =>
        typeof key === 'string' && stored.has(key)
          ? { enumerable: true, configurable: true, value: stored.get(key) }
          : Object.getOwnPropertyDescriptor(target, key),
    },
  )
  Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true })
})
afterAll(async () => {
  globalThis.fetch = realFetch
  if (realStorage) Object.defineProperty(globalThis, 'localStorage', realStorage)
  else Reflect.deleteProperty(globalThis, 'localStorage')
  await server.stop(true)
})
beforeEach(() => {
  session.begin('old', ana)
  calls.length = 0
})
afterEach(async () => {
  await session.end('logout')
  stored.clear()
})

const json = (body: unknown, status = 200) => Response.json(body, { status })
const serverWith = (good: string) => (path: string, token: string | null) => {
  if (path === '/auth/refresh_token') return json({ token: good, user: ana })
  return token === good ? json({ fine: true }) : json({ error: 'ERR_TOKEN_EXPIRED' }, 403)
}
const failure = async (work: Promise<unknown>): Promise<ApiError> => {
  const error: unknown = await work.then(
    () => new Error('it succeeded'),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ApiError)
  return error as ApiError
}

describe('a token that has run out', () => {
  test('is renewed once, and the call repeated with the new one', async () => {
    answer = serverWith('new')
    expect(await api.get<{ fine: boolean }>('/contacts')).toEqual({ fine: true })
    expect(calls.map(({ path, token }) => [path, token])).toEqual([
      ['/contacts', 'old'],
      ['/auth/refresh_token', null],
      ['/contacts', 'new'],
    ])
    expect(session.get()?.token).toBe('new')
  })

  test('is renewed once for many calls at the same time', async () => {
    answer = serverWith('new')
    await Promise.all(Array.from({ length: 8 }, () => api.get('/contacts')))
    expect(calls.filter(({ path }) => path === '/auth/refresh_token')).toHaveLength(1)
  })

  test('is not renewed again when another tab has just done it', async () => {
    answer = serverWith('from the other tab')
    const current = session.get()!
    stored.set(keys.session, JSON.stringify({ ...current, token: 'from the other tab' }))
    await api.get('/contacts')
    expect(calls.some(({ path }) => path === '/auth/refresh_token')).toBe(false)
  })

  test('that cannot be renewed ends the session', async () => {
    answer = (path) =>
      path === '/auth/refresh_token'
        ? json({ error: 'ERR_SESSION_EXPIRED' }, 401)
        : json({ error: 'ERR_TOKEN_EXPIRED' }, 403)
    expect((await failure(api.get('/contacts'))).code).toBe('ERR_SESSION_EXPIRED')
    expect(session.get()).toBeNull()
  })

  test('without a network leaves the session as it is', async () => {
    answer = (path) =>
      path === '/auth/refresh_token'
        ? new Promise<Response>(() => undefined)
        : json({ error: 'ERR_TOKEN_EXPIRED' }, 403)
    const real = globalThis.fetch
    globalThis.fetch = Object.assign(
      (input: string | URL | Request, init?: RequestInit) =>
        String(input) === '/auth/refresh_token' ? Promise.reject(new TypeError('Failed to fetch')) : real(input, init),
      { preconnect: real.preconnect },
    )
    try {
      expect((await failure(api.get('/contacts'))).code).toBe('ERR_OFFLINE')
      expect(session.get()?.token).toBe('old')
    } finally {
      globalThis.fetch = real
    }
  })
})

describe('a renewal that a server takes and never answers', () => {
  const silent = {
    'not at all': () => new Promise<Response>(() => undefined),
    'after its first bytes': () =>
      new Response(new ReadableStream({ start: (body) => body.enqueue(Buffer.from('{')) })),
  }
  test.each(Object.entries(silent))('%s is given up, and the next call renews', async (_, hang) => {
    answer = (path, token) => (path === '/auth/refresh_token' ? hang() : serverWith('new')(path, token))
    const begin = performance.now()
    expect((await failure(renewToken(session.get()!, 200))).code).toBe('ERR_OFFLINE')
    expect(performance.now() - begin).toBeLessThan(2_000)
    expect(session.get()?.token).toBe('old')
    answer = serverWith('new')
    expect(await api.get<{ fine: boolean }>('/contacts')).toEqual({ fine: true })
  })

  test('is waited for once by all that need the token, not by one after the other', async () => {
    answer = silent['not at all']
    const used = session.get()!
    const begin = performance.now()
    const codes = await Promise.all(Array.from({ length: 8 }, async () => (await failure(renewToken(used, 300))).code))
    expect(new Set(codes)).toEqual(new Set(['ERR_OFFLINE']))
    expect(calls).toHaveLength(1)
    expect(performance.now() - begin).toBeLessThan(2_000)
  })
})

describe('a refusal', () => {
  test('for lack of permission renews the session once, for the rights may be new, and is told with its code', async () => {
    answer = (path) =>
      path === '/auth/refresh_token'
        ? json({ token: 'new', user: { ...ana, profile: 'supervisor' } })
        : json({ error: 'ERR_NO_PERMISSION' }, 403)
    const refused = await failure(api.delete('/contacts/1'))
    expect([refused.code, refused.status]).toEqual(['ERR_NO_PERMISSION', 403])
    expect(calls.map(({ path, token }) => [path, token])).toEqual([
      ['/contacts/1', 'old'],
      ['/auth/refresh_token', null],
      ['/contacts/1', 'new'],
    ])
    expect(session.get()?.user.profile).toBe('supervisor')
    // What is refused again and again does not go round and round.
    await failure(api.delete('/contacts/2'))
    await failure(api.delete('/contacts/3'))
    expect(calls.filter(({ path }) => path === '/auth/refresh_token')).toHaveLength(1)
  })

  test('for lack of permission succeeds where the rights have come meanwhile', async () => {
    answer = (path, token) =>
      path === '/auth/refresh_token'
        ? json({ token: 'with rights', user: ana })
        : token === 'with rights'
          ? json({ fine: true })
          : json({ error: 'ERR_FORBIDDEN' }, 403)
    expect(await api.get<{ fine: boolean }>('/reports')).toEqual({ fine: true })
  })

  test('for lack of permission that cannot be renewed without a network is told as what it is', async () => {
    answer = (path) =>
      path === '/auth/refresh_token' ? new Response('', { status: 502 }) : json({ error: 'ERR_NO_PERMISSION' }, 403)
    expect((await failure(api.delete('/contacts/1'))).code).toBe('ERR_NO_PERMISSION')
    expect(session.get()).not.toBeNull()
  })

  test('by the plan renews nothing', async () => {
    answer = () => json({ error: 'ERR_PLAN_FEATURE' }, 403)
    expect((await failure(api.get('/campaigns'))).code).toBe('ERR_PLAN_FEATURE')
    expect(calls).toHaveLength(1)
  })

  test('401 ends the session, and a login waits until the features have cleaned up', async () => {
    answer = () => json({ error: 'ERR_SESSION_EXPIRED' }, 401)
    const order: string[] = []
    const release = Promise.withResolvers<void>()
    const stop = session.onEnd(async (why) => {
      await release.promise
      order.push(`cleaned after ${why}`)
    })
    const refused = failure(api.get('/contacts'))
    const waiting = refused.then(
      () => undefined,
      () => undefined,
    )
    while (session.get()) await Bun.sleep(1)
    const next = session.cleaned().then(() => order.push('next login'))
    release.resolve()
    await Promise.all([waiting, next])
    stop()
    expect(order).toEqual(['cleaned after expired', 'next login'])
    expect(stored.has(keys.session)).toBe(false)
  })

  test('who leaves and enters again at once keeps the cookie of the new login: it waits for the answer that takes the old one', async () => {
    const heard = Promise.withResolvers<void>()
    answer = async (path) => {
      if (path === '/auth/logout') await heard.promise
      return json(path === '/auth/login' ? { token: 'new', user: ana } : {})
    }
    const leaving = logout()
    const entering = login(ana.email, 'balcao123')
    await Bun.sleep(20)
    expect(calls.map(({ path }) => path)).toEqual(['/auth/logout'])
    heard.resolve()
    await Promise.all([leaving, entering])
    expect(calls.map(({ path }) => path)).toEqual(['/auth/logout', '/auth/login'])
    expect(session.get()?.token).toBe('new')
  })

  test('401 that names another login, or a new password, is remembered with it, for the login screen and the other tabs', async () => {
    const by = {
      device: { browser: 'Chrome', system: 'Windows' },
      address: '203.0.113.7',
      at: '2026-11-22T10:00:00.000Z',
    }
    answer = () => json({ error: 'ERR_SESSION_EXPIRED', by }, 401)
    await failure(api.get('/contacts'))
    expect(session.lastEnd()).toEqual({ why: 'elsewhere', by })
    session.begin('again', ana)
    answer = () => json({ error: 'ERR_SESSION_EXPIRED', endedBy: 'password' }, 401)
    await failure(api.get('/contacts'))
    expect(session.lastEnd()?.why).toBe('password')
    session.begin('once more', ana)
    // What is none is not shown.
    answer = () => json({ error: 'ERR_SESSION_EXPIRED', by: { at: 'yesterday', device: 7 } }, 401)
    await failure(api.get('/contacts'))
    expect(session.lastEnd()).toEqual({ why: 'expired', by: undefined })
  })

  test('401 of an earlier login does not end the one that another tab has made since', async () => {
    answer = () => {
      stored.set(keys.session, JSON.stringify({ id: 'another login', token: 'theirs', user: ana }))
      return json({ error: 'ERR_SESSION_EXPIRED' }, 401)
    }
    await failure(api.get('/contacts'))
    expect(session.get()?.id).toBe('another login')
  })

  test('wrong credentials at login end no session', async () => {
    answer = () => json({ error: 'ERR_INVALID_CREDENTIALS' }, 401)
    expect((await failure(api.post('/auth/login', {}, { auth: false }))).code).toBe('ERR_INVALID_CREDENTIALS')
    expect(session.get()).not.toBeNull()
  })

  test('because a ticket exists already brings that ticket', async () => {
    answer = () => json({ error: JSON.stringify({ id: 12, userId: 4 }) }, 409)
    const refused = await failure(api.post('/tickets', {}))
    expect(refused.code).toBe('ERR_OTHER_OPEN_TICKET')
    expect(refused.params['ticket']).toEqual({ id: 12, userId: 4 })
  })

  test('by something that is not our server says so instead of failing to read it', async () => {
    answer = () => new Response('<html>Bad gateway</html>', { status: 502, headers: { 'content-type': 'text/html' } })
    expect((await failure(api.get('/contacts'))).code).toBe('ERR_UNAVAILABLE')
    answer = () => new Response('<html>hotel login</html>', { headers: { 'content-type': 'text/html' } })
    expect((await failure(api.get('/contacts'))).code).toBe('ERR_UNREADABLE')
  })
})

describe('a refusal by something between the server and the browser', () => {
  const pages = [
    () => new Response('<html>Blocked</html>', { status: 403, headers: { 'content-type': 'text/html' } }),
    () => new Response('<html>Sign in to the network</html>', { status: 401 }),
    () => json({ error: 'forbidden' }, 403),
    () => json({ message: 'Unauthorized' }, 401),
    () => new Response(null, { status: 407 }),
    () => new Response('<html>portal</html>', { status: 511 }),
  ]

  test('is no network: it ends no session and takes no right, in a call as in a renewal', async () => {
    for (const page of pages) {
      answer = page
      expect(await failure(api.get('/contacts'))).toMatchObject({ code: 'ERR_OFFLINE', status: 0 })
      // The token has run out meanwhile, and the renewal meets the page.
      answer = (path) => (path === '/auth/refresh_token' ? page() : json({ error: 'ERR_TOKEN_EXPIRED' }, 403))
      expect(await failure(api.get('/contacts'))).toMatchObject({ code: 'ERR_OFFLINE', status: 0 })
      expect(session.get()?.token).toBe('old')
    }
    answer = serverWith('new')
    expect(await api.get<{ fine: boolean }>('/contacts')).toEqual({ fine: true })
  })
})

test('lists in a query travel as JSON text, and what is undefined not at all', () => {
  expect(withQuery('/tickets', { queueIds: [1, 2], status: 'open', date: undefined, showAll: true })).toBe(
    '/tickets?queueIds=%5B1%2C2%5D&status=open&showAll=true',
  )
})

describe('long work', () => {
  const lines = async (body: ReadableStream | string, options: Parameters<typeof requestLines>[2] = {}) => {
    session.begin('token', ana)
    answer = () => new Response(body)
    const heard: unknown[] = []
    let failure: unknown
    try {
      for await (const value of requestLines('POST', '/things', options)) heard.push(value)
    } catch (error) {
      failure = error
    }
    return { heard, failure }
  }

  test('is told line by line, however the network cuts it', async () => {
    const cut = ['{"do', 'ne":1}\n{"done":2}\n{"na', 'me":"é"}\n']
    const stream = new ReadableStream({
      async pull(controller) {
        const piece = cut.shift()
        if (piece === undefined) return controller.close()
        controller.enqueue(new TextEncoder().encode(piece))
        await Bun.sleep(5)
      },
    })
    expect(await lines(stream)).toEqual({ heard: [{ done: 1 }, { done: 2 }, { name: 'é' }], failure: undefined })
  })

  test('that breaks off at the server ends with its code', async () => {
    const { heard, failure } = await lines('{"done":1}\n{"error":"INTERNAL_SERVER_ERROR"}\n')
    expect(heard).toEqual([{ done: 1 }])
    expect(failure).toMatchObject({ code: 'INTERNAL_SERVER_ERROR' })
  })
})
