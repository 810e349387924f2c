import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '../schema/ids.ts'
import { type TestApp, testApp } from './support/app.ts'
import { MARK, twoCompanies } from './support/two-companies.ts'

/**
 * Every call of the published description with input that is right, nearly right and absurd. Whatever comes: no 5xx,
 * nothing of another company, and its rows stay as they were.
 */
let t: TestApp
let world: Awaited<ReturnType<typeof twoCompanies>>
beforeAll(async () => {
  t = await testApp()
  world = await twoCompanies(t)
})
afterAll(() => t.close())

const seed = Number(process.env.FUZZ_SEED ?? 20_261_120)
const TRIES_PER_CALL = 40

interface Schema {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
}
interface Call {
  parameters?: { name: string; in: string; schema: Schema; required?: boolean }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

/** Mulberry32: the same input again for the same seed. */
function randomOf(state: number) {
  let s = state
  return () => {
    s = (s + 0x6d2b79f5) | 0
    let x = Math.imul(s ^ (s >>> 15), 1 | s)
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x
    return ((x ^ (x >>> 14)) >>> 0) / 4_294_967_296
  }
}

test(`no input breaks a call (seed ${seed})`, async () => {
  const random = randomOf(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const { owned, stranger } = world
  const ids: (string | number)[] = [
    owned.ticket.id,
    owned.queue.id,
    owned.user.id,
    owned.contact.id,
    owned.whatsapp.id,
    owned.tag.id,
    owned.company.id,
    owned.message.id,
    owned.own.id,
    owned.noteId,
    owned.scheduleId,
    owned.quickMessage.id,
    owned.chat.id,
    owned.chat.messageId,
    owned.ticket.uuid,
    stranger.ticket.id,
    stranger.queue.id,
    stranger.contact.id,
    stranger.whatsapp.id,
    stranger.ticket.uuid,
    stranger.chat.id,
    stranger.chat.messageId,
  ]
  const texts = [
    '',
    ' ',
    'a',
    'abc',
    'Olá, mundo',
    '0',
    '-1',
    '1e9',
    '2147483648',
    '99999999999999999999',
    'null',
    'true',
    '[]',
    '[1,2]',
    '{"a":1}',
    '"',
    "'",
    '\\',
    '%',
    '_',
    '\0',
    'x\0y',
    '\ud800',
    '🙂'.repeat(30),
    'é'.repeat(5_000),
    '../../etc/passwd',
    "' OR 1=1 --",
    '<script>',
    '2026-02-30',
    '2026-03-10',
    '#abcdef',
    '#ABC',
    'a@b.co',
    '5511987654321',
    'open',
    'closed',
    'enabled',
    'monday',
    '08:00',
    newId(),
    '__proto__',
    'constructor',
    'NaN',
    'Infinity',
    '\r\nx: y',
  ]
  const absurd = (): unknown =>
    pick<() => unknown>([
      () => pick(texts),
      () => pick(ids),
      () => null,
      () => true,
      () => [],
      () => ({}),
      () => [[[[]]]],
      () => -1,
      () => 0,
      () => 1.5,
      () => 1e308,
      () => 2 ** 31,
      () => 2 ** 53,
      () => Array.from({ length: 600 }, (_, i) => i),
      () => ({ __proto__: { x: 1 }, id: pick(ids) }),
      () => [pick(ids), pick(texts)],
    ])()

  const fitting = (schema: Schema | undefined, depth = 0): unknown => {
    if (!schema || depth > 6 || random() < 0.12) return absurd()
    if ('const' in schema) return schema.const
    if (schema.enum) return pick(schema.enum)
    if (schema.anyOf) return fitting(pick(schema.anyOf), depth + 1)
    switch (Array.isArray(schema.type) ? pick(schema.type) : schema.type) {
      case 'object': {
        const made: Record<string, unknown> = {}
        for (const [key, value] of Object.entries(schema.properties ?? {})) {
          if (schema.required?.includes(key) ? random() < 0.97 : random() < 0.6) made[key] = fitting(value, depth + 1)
        }
        return made
      }
      case 'array':
        return Array.from({ length: Math.floor(random() * 4) }, () => fitting(schema.items, depth + 1))
      case 'integer':
      case 'number':
        return random() < 0.6
          ? pick(ids.filter((id) => typeof id === 'number'))
          : Math.floor((schema.minimum ?? 0) + random() * 100)
      case 'boolean':
        return random() < 0.5
      case 'null':
        return null
      default: {
        const text = random() < 0.3 ? String(pick(ids)) : pick(texts)
        return schema.maxLength !== undefined && random() < 0.9
          ? text.slice(0, schema.maxLength).padEnd(Math.min(schema.minLength ?? 0, 50), 'a')
          : text
      }
    }
  }

  const before = await world.snapshot()
  const { body: description } = await t.call('GET', '/docs/json')
  let { token } = stranger
  let calls = 0
  const seen = new Map<number, number>()
  for (const [path, methods] of Object.entries(description.paths as Record<string, Record<string, Call>>)) {
    if (path.startsWith('/auth/login') || path === '/events') continue
    for (const [method, call] of Object.entries(methods)) {
      for (let i = 0; i < TRIES_PER_CALL; i++) {
        const query = new URLSearchParams()
        let address = path
        for (const parameter of call.parameters ?? []) {
          const value = fitting(parameter.schema)
          const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
          if (parameter.in === 'path')
            address = address.replace(
              `{${parameter.name}}`,
              encodeURIComponent((random() < 0.7 ? String(pick(ids)) : text || 'x').toWellFormed()),
            )
          else if (parameter.in === 'query' && random() < 0.6) query.set(parameter.name, text)
        }
        address = address
          .replace('{*}', encodeURIComponent(pick(texts).toWellFormed()) || 'x')
          .replace('/*', `/${pick([owned.file.path, 'x', '%2e%2e/x'])}`)
        const schema = call.requestBody?.content['application/json']?.schema
        const kind = random()
        const content = !call.requestBody
          ? {}
          : kind < 0.9
            ? { body: fitting(schema) ?? null }
            : {
                raw: pick(['', '{', '[', 'null', '"x"', '\0', '{"a":', 'x=1']),
                headers: {
                  'content-type': pick([
                    'application/json',
                    'text/plain',
                    'application/x-www-form-urlencoded',
                    'multipart/form-data',
                    'multipart/form-data; boundary=x',
                    'x',
                  ]),
                },
              }
        const reply = await t.call(method.toUpperCase(), `${address}?${query}`, { token, ...content })
        calls++
        seen.set(reply.status, (seen.get(reply.status) ?? 0) + 1)
        const told = `${method} ${address}?${query} ${JSON.stringify(content).slice(0, 600)} → ${reply.status} ${JSON.stringify(reply.body).slice(0, 300)}`
        if (reply.status >= 500 || JSON.stringify(reply.body).includes(MARK)) throw new Error(told)
        // Some of it is right: the stranger has logged out, or changed their own password.
        if (reply.status === 401 && path !== '/auth/refresh_token') {
          await t.database
            .sql`UPDATE users SET "passwordHash" = (SELECT "passwordHash" FROM users WHERE id = ${owned.user.id}), email = 'stranger@example.test' WHERE id = ${stranger.user.id}`
          token = await t.login('stranger@example.test')
        }
      }
    }
  }
  expect(await world.snapshot()).toBe(before)
  expect(calls).toBeGreaterThan(1_000)
  // Much of it was understood: otherwise only the door was tried.
  expect(seen.get(200) ?? 0).toBeGreaterThan(calls / 20)
}, 120_000)
