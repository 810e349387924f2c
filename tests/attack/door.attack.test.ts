import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { expectWithstood, startTarget, type Target } from '../support/attack.ts'
import { adminEmail, adminPassword } from '../support/stack.ts'

let target: Target
let token: string
beforeAll(async () => {
  target = await startTarget()
  ;({ token } = await target.login(adminEmail, adminPassword))
})
afterAll(() => target.stop())

interface Reply {
  status: number
  body: { error?: string; fields?: { path: string; message: string }[] } & Record<string, unknown>
  headers: Headers
}

async function send(method: string, path: string, raw: BodyInit | null, headers: Record<string, string> = {}) {
  const response = await fetch(`${target.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: raw,
  })
  const text = await response.text()
  let body: unknown = text
  try {
    body = JSON.parse(text)
  } catch {
    // Not every answer is JSON.
  }
  return { status: response.status, body, headers: response.headers } as Reply
}

/** Nothing of this is put off until later. */
const under = <T>(attack: () => Promise<T>) => target.under(attack, { lingerMs: 100 })

/** Nothing of it costs more than an ordinary call. */
const noMatter = { memoryMb: 500 }

describe('80 KB of an e-mail that a careless pattern reads again from each letter', () => {
  const endless = `a@${'.a'.repeat(40_000)}@`
  const person = { name: 'Ana', password: 'segredo12', profile: 'user' }

  test.each<[string, string, Record<string, unknown>]>([
    ['POST', '/auth/login', { email: endless, password: 'x' }],
    ['POST', '/resetpasswords', { email: endless, token: '123456', newPassword: 'Segredo12' }],
    ['POST', '/companies/cadastro', { ...person, email: endless, phone: '11987654321', planId: 1 }],
    ['POST', '/companies/cadastro', { name: 'x'.repeat(10_000), email: endless, phone: '1', planId: [] }],
    ['POST', '/users', { ...person, email: endless }],
    ['PUT', '/users/1', { ...person, email: endless }],
    ['POST', '/contacts', { name: 'Ana', number: '5511987654321', email: endless }],
    ['PUT', '/contacts/1', { name: 'Ana', number: '5511987654321', email: endless }],
  ])('%s %s answers 400 at once', async (method, path, body) => {
    const cost = await under(async () => {
      const begin = performance.now()
      const replies = await Promise.all(Array.from({ length: 5 }, () => send(method, path, JSON.stringify(body))))
      return { replies, ms: performance.now() - begin }
    })
    for (const { status, body: said } of cost.result.replies) {
      expect(status).toBe(400)
      expect(said.error).toBe('ERR_VALIDATION')
    }
    expect(cost.result.ms).toBeLessThan(1_000)
    expectWithstood(cost, noMatter)
  })

  test('in an address, it is refused with the address', async () => {
    for (const path of [`/forgetpassword/${endless}`, `/resetpasswords/${endless}/123456/Segredo12`]) {
      const cost = await under(() => send('POST', path, null))
      expect(cost.result.status).toBeGreaterThanOrEqual(400)
      expect(cost.result.status).toBeLessThan(500)
      expectWithstood(cost, noMatter)
    }
  })
})

describe('a body of an absurd shape', () => {
  const deep = (n: number, open: string, close: string) => open.repeat(n) + close.repeat(n)
  const shapes: [string, string][] = [
    ['lists 100,000 deep', deep(100_000, '[', ']')],
    ['lists 40,000 deep, never closed', '['.repeat(40_000)],
    ['objects 16,000 deep', `${'{"a":'.repeat(16_000)}1${'}'.repeat(16_000)}`],
    ['deep inside a field', `{"email":${deep(45_000, '[', ']')},"password":"x"}`],
    ['10,000 names of fields', `{${Array.from({ length: 10_000 }, (_, i) => `"k${i}":1`).join()}}`],
    ['a list of 45,000', `[${'1,'.repeat(45_000)}1]`],
    ['a number of 90,000 digits', `{"email":${'9'.repeat(90_000)},"password":"x"}`],
    ['a number beyond all numbers', '{"email":"a@b.co","password":1e999999}'],
    ['a text cut in the middle of a letter', '{"email":"a@b.co\\ud800","password":"x"}'],
    ['a NUL', '{"email":"a\\u0000@b.co","password":"x"}'],
    ['a name with a NUL', '{"email":"a@b.co","password":"x","\\u0000":1}'],
    ['a prototype', '{"__proto__":{"email":"a@b.co"},"constructor":{"prototype":{}},"password":"x"}'],
    ['bytes that are no text', '\xff\xfe{"email":'],
  ]

  test.each(shapes)('%s breaks no call', async (_name, raw) => {
    const cost = await under(async () => {
      const replies: Reply[] = []
      for (const path of ['/auth/login', '/resetpasswords', '/contacts', '/commands', '/messages/1'])
        replies.push(await send('POST', path, raw))
      for (const path of ['/users/1', '/tickets/1', '/settings/userRating']) replies.push(await send('PUT', path, raw))
      return replies
    })
    // To a call that needs no field at all it is right: others are ignored.
    for (const { status, body } of cost.result) expect([200, 400, 404, 413], JSON.stringify(body)).toContain(status)
    // For `POST /contacts` all of it is wrong.
    expect(cost.result[2]!.body.error).toBe('ERR_VALIDATION')
    expectWithstood(cost, noMatter)
  })

  test('a list of a million, and 100,000 names of fields, are more than any body may hold', async () => {
    const cost = await under(async () => [
      await send('POST', '/commands', `{"id":"12345678","name":"x","input":[${'1,'.repeat(900_000)}1]}`),
      await send('POST', '/contacts', `[${'1,'.repeat(1_000_000)}1]`),
      await send('POST', '/contacts', `{${Array.from({ length: 100_000 }, (_, i) => `"k${i}":1`).join()}}`),
    ])
    expect(cost.result.map(({ status }) => status)).toEqual([400, 413, 413])
    expectWithstood(cost, noMatter)
  })

  test('deep JSON in a command that brings a file is refused, too', async () => {
    const form = new FormData()
    form.set('command', deep(100_000, '[', ']'))
    form.set('file', new File(['x'], 'x.txt', { type: 'text/plain' }))
    const cost = await under(async () => {
      const response = await fetch(`${target.url}/commands`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: form,
      })
      return { status: response.status, body: await response.text() }
    })
    expect(cost.result.status).toBe(400)
    expectWithstood(cost, noMatter)
  })
})

describe('a body that is too long', () => {
  test('is refused by its announced length, of which not a byte is read', async () => {
    for (const [path, most] of [
      ['/auth/login', 100_000],
      ['/contacts', 500_000],
      ['/commands', 2_000_000],
    ] as const) {
      const cost = await under(
        () =>
          new Promise<string>((resolve, reject) => {
            const { hostname, port } = new URL(target.url)
            const socket = connect(Number(port), hostname, () =>
              socket.write(
                `POST ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${token}\r\n` +
                  `content-type: application/json\r\ncontent-length: ${most + 1}\r\n\r\n{`,
              ),
            )
            socket.once('data', (bytes) => {
              resolve(bytes.toString())
              socket.destroy()
            })
            socket.once('error', reject)
          }),
      )
      expect(cost.result).toStartWith('HTTP/1.1 413')
      expect(cost.result).toContain(`"limit":${most}`)
      expectWithstood(cost, noMatter)
    }
  })

  test('is refused as soon as it is too long where no length is announced, and the rest is not kept', async () => {
    const piece = new Uint8Array(1_000_000).fill(0x20)
    const cost = await under(() =>
      Promise.all(
        Array.from({ length: 4 }, () => {
          let left = 90
          return send(
            'POST',
            '/auth/login',
            new ReadableStream({
              pull(controller) {
                if (left-- > 0) controller.enqueue(piece)
                else controller.close()
              },
            }),
          ).then(
            ({ status }) => status,
            // The server has hung up on who goes on talking.
            () => 413,
          )
        }),
      ),
    )
    expect(new Set(cost.result)).toEqual(new Set([413]))
    expectWithstood(cost, noMatter)
  })
})

describe('a form that is none', () => {
  const type = { 'content-type': 'multipart/form-data; boundary=x' }
  const part = (i: number) => `--x\r\ncontent-disposition: form-data; name="f${i}"\r\n\r\n1\r\n`
  const forms: [string, string, Record<string, string>][] = [
    ['10,000 parts', `${Array.from({ length: 10_000 }, (_, i) => part(i)).join('')}--x--\r\n`, type],
    ['10,000 parts of one name', `${Array.from({ length: 10_000 }, () => part(1)).join('')}--x--\r\n`, type],
    ['no end', part(1).repeat(3), type],
    ['a head without end', `--x\r\ncontent-disposition: ${'a'.repeat(400_000)}`, type],
    [
      'a head of nothing but quotes',
      `--x\r\ncontent-disposition: ${';name="\\'.repeat(2_000)}\r\n\r\n1\r\n--x--`,
      type,
    ],
    ['other delimiters', `--y\r\n\r\n1\r\n--y--`, type],
    ['no delimiter named', part(1), { 'content-type': 'multipart/form-data' }],
    ['a NUL in a field', `--x\r\ncontent-disposition: form-data; name="body"\r\n\r\na\0b\r\n--x--\r\n`, type],
  ]
  test.each(forms)('%s: 400', async (_name, raw, headers) => {
    const cost = await under(async () => [
      await send('POST', '/commands', raw, headers),
      await send('POST', '/messages/1', raw, headers),
      await send('POST', '/contacts/import', raw, headers),
    ])
    expect(cost.result.map(({ status }) => Math.floor(status / 100))).toEqual([4, 4, 4])
    expect(cost.result[0]!.body.error).toBe('ERR_VALIDATION')
    expectWithstood(cost, noMatter)
  })

  test('a form for a call that takes no file is refused unread', async () => {
    const { status } = await send('POST', '/auth/login', part(1), type)
    expect(status).toBe(400)
  })
})

describe('an address or a head of an absurd shape', () => {
  test('lists in a query may be broken, deep and long', async () => {
    const lists = ['[', '['.repeat(3_900), `${'['.repeat(1_900)}1${']'.repeat(1_900)}`, `[${'1,'.repeat(1_900)}1]`]
    lists.push('{"a":1}', 'null', '[1e999]', '["\\u0000"]', '[null]', '[[1]]', '[{}]', '[-1]')
    const cost = await under(async () => {
      const replies: [string, number][] = []
      for (const list of lists)
        for (const name of ['tags', 'users', 'queueIds']) {
          const { status } = await send('GET', `/tickets?${name}=${encodeURIComponent(list)}`, null)
          replies.push([`${name}=${list.slice(0, 20)}`, status])
        }
      return replies
    })
    expect(cost.result.filter(([, status]) => status !== 400 && status !== 200)).toEqual([])
    expectWithstood(cost, noMatter)
  })

  test('long addresses, queries, heads and cookies, broken escapes and NULs get an answer below 500', async () => {
    const asks: [string, Record<string, string>][] = [
      [`/tickets?${'a=1&'.repeat(3_000)}`, {}],
      [`/tickets?${'a[b]=1&'.repeat(1_500)}`, {}],
      [`/tickets?searchParam=${'%'.repeat(5_000)}`, {}],
      [`/tickets?searchParam=%00`, {}],
      ['/tickets?searchParam=%ff%fe', {}],
      ['/tickets/%zz', {}],
      ['/tickets/%00', {}],
      [`/tickets/${'9'.repeat(5_000)}`, {}],
      [`/${'a/'.repeat(6_000)}`, {}],
      [`/${'a'.repeat(100_000)}`, {}],
      [`/tickets?${'x'.repeat(100_000)}`, {}],
      [`/public/${'../'.repeat(3_000)}etc/passwd`, {}],
      ['/tickets', { cookie: 'jrt='.repeat(3_000) }],
      ['/tickets', { cookie: `jrt=${'='.repeat(10_000)}` }],
      ['/tickets', { cookie: '%E0%A4%A; a=%'.repeat(900) }],
      ['/tickets', { authorization: `Bearer ${'.'.repeat(12_000)}` }],
      ['/tickets', { authorization: `Bearer ${' '.repeat(12_000)}x y` }],
      ['/tickets', { 'x-forwarded-for': '1,'.repeat(6_000) }],
      ['/tickets', { 'x-long': 'x'.repeat(200_000) }],
      ['/public/x', { range: `bytes=${'0-1,'.repeat(3_000)}` }],
    ]
    const cost = await under(async () => {
      const replies: [string, number][] = []
      for (const [path, headers] of asks) {
        const status = await send('GET', path, null, headers).then(
          (reply) => reply.status,
          () => 431,
        )
        replies.push([`${path.slice(0, 30)} ${JSON.stringify(headers).slice(0, 30)}`, status])
      }
      replies.push([
        'refresh',
        (await send('POST', '/auth/refresh_token', null, { cookie: 'jrt=%'.repeat(2_500) })).status,
      ])
      return replies
    })
    expect(cost.result.filter(([, status]) => status >= 500)).toEqual([])
    expectWithstood(cost, noMatter)
  })
})

describe('frames of a websocket', () => {
  const deep = '['.repeat(20_000) + ']'.repeat(20_000)
  const frames = [
    deep,
    `{"event":"joinTicket","data":${deep}}`,
    `{"event":"joinTicket","data":{"ticketId":${deep}}}`,
    `{"event":${deep}}`,
    `{"id":1,"shape":"tickets","query":"${'a=1&'.repeat(10_000)}"}`,
    `{"id":${'9'.repeat(60_000)},"shape":"tickets","query":""}`,
    '{"id":1,"shape":"\\u0000","query":"\\ud800"}',
    '{"event":"\\u0000","data":"\\u0000"}',
    'null',
    '1',
    '"x"',
    '\0',
    '',
  ]
  test.each(['/events', '/sync'])('%s goes on, whatever they hold', async (path) => {
    const cost = await under(async () => {
      for (const frame of frames) {
        const given = await send('POST', '/auth/passes', JSON.stringify({ for: path.slice(1) }))
        const socket = new WebSocket(`${target.url.replace('http', 'ws')}${path}?pass=${String(given.body['pass'])}`)
        await new Promise((resolve, reject) => {
          socket.onopen = resolve
          socket.onerror = () => reject(new Error('no socket'))
        })
        socket.send(frame)
        await Bun.sleep(30)
        socket.close()
      }
    })
    expectWithstood(cost, noMatter)
    expect((await send('GET', '/auth/me', null)).status).toBe(200)
  })
})

describe('too many calls', () => {
  test('of a stranger are refused before anything of them is read, and others are served', async () => {
    const cost = await under(async () => {
      const told: Record<number, number> = {}
      let after: string | null = null
      for (let round = 0; round < 25; round++) {
        const replies = await Promise.all(
          Array.from({ length: 100 }, () =>
            fetch(`${target.url}/auth/login`, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{' }),
          ),
        )
        for (const reply of replies) {
          told[reply.status] = (told[reply.status] ?? 0) + 1
          if (reply.status === 429) after = reply.headers.get('retry-after')
        }
      }
      const own = await send('GET', '/auth/me', null)
      return { told, after, own: own.status }
    })
    expect(Object.keys(cost.result.told)).toEqual(['400', '429'])
    expect(cost.result.told[429]).toBeGreaterThan(200)
    expect(Number(cost.result.after)).toBeGreaterThan(0)
    expect(cost.result.own).toBe(200)
    expectWithstood(cost, noMatter)
  })

  test('of one user are refused, whatever the body', async () => {
    const cost = await under(async () => {
      let refused: Reply | undefined
      for (let round = 0; round < 30 && !refused; round++) {
        const replies = await Promise.all(Array.from({ length: 100 }, () => send('PUT', '/settings/none', '{}')))
        refused = replies.find(({ status }) => status === 429)
      }
      const garbage = await Promise.all(
        Array.from({ length: 100 }, () => send('POST', '/commands', '['.repeat(10_000))),
      )
      return { refused, garbage: new Set(garbage.map(({ status }) => status)) }
    })
    expect(cost.result.refused?.body).toMatchObject({ error: 'ERR_TOO_MANY_REQUESTS', retryAfter: expect.any(Number) })
    expect(cost.result.garbage).toContain(429)
    expectWithstood(cost, noMatter)
  })
})
