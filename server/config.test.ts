import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ConfigError, envExample, loadConfig, parseConfig, variables, variablesTable } from './config.ts'

const root = join(import.meta.dir, '..')
const key = Buffer.alloc(32, 7).toString('base64')
const dataDir = mkdtempSync(join(tmpdir(), 'balcao-config-'))
afterAll(() => rmSync(dataDir, { recursive: true }))

function complaints(env: Record<string, string>): string[] {
  try {
    parseConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.sentences
    throw error
  }
}

test('without any variable everything is embedded and only this machine can reach it', () => {
  expect(parseConfig({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    dataDir: resolve('data'),
    database: { url: undefined },
    electric: undefined,
    whatsapp: { wsUrl: undefined, certKey: undefined },
    cloudApiUrl: 'https://graph.facebook.com',
    maxUploadBytes: 100_000_000,
  })
})

test('a variable that is set but empty counts as not set', () => {
  expect(parseConfig({ PORT: '', DATABASE_URL: '  ' })).toEqual(parseConfig({}))
})

test('every wrong variable is named, each with one sentence, all at once', () => {
  expect(
    complaints({ PORT: 'abc', DATABASE_URL: 'mysql://x', ADMIN_PASSWORD: 'short', LOG_LEVEL: 'loud', JWT_SECRET: 'x' }),
  ).toEqual([
    'PORT must be a whole number from 0 to 65535, not "abc".',
    'DATABASE_URL must be an address beginning with postgres:// or postgresql://.',
    'ADMIN_PASSWORD must be 8 to 50 characters long.',
    'JWT_SECRET must be 32 to 1000 characters long.',
    'LOG_LEVEL must be one of debug, info, warn, error, silent, not "loud".',
  ])
})

test('a refused address is not repeated, for it may hold a password', () => {
  expect(complaints({ DATABASE_URL: 'http://me:hunter22@db' }).join()).not.toContain('hunter22')
})

describe('the key of a simulated WhatsApp', () => {
  test.each(['ws://127.0.0.1:4900/ws', 'ws://localhost:4900', 'ws://[::1]:4900', 'wss://127.9.9.9'])(
    'is accepted for %s',
    (url) => {
      expect(parseConfig({ WHATSAPP_WS_URL: url, WHATSAPP_CERT_KEY: key }).whatsapp.certKey).toHaveLength(32)
    },
  )
  test.each(['wss://web.whatsapp.com/ws/chat', 'ws://127.0.0.1.example.com', 'ws://10.0.0.1', ''])(
    'is refused for "%s"',
    (url) => {
      expect(complaints({ WHATSAPP_WS_URL: url, WHATSAPP_CERT_KEY: key })).toHaveLength(1)
    },
  )
  test('must be 32 bytes of base64', () => {
    expect(complaints({ WHATSAPP_WS_URL: 'ws://127.0.0.1', WHATSAPP_CERT_KEY: 'c2hvcnQ=' })).toHaveLength(1)
  })
})

test('Electric without its own database is refused: it could not follow the embedded one', () => {
  expect(complaints({ ELECTRIC_URL: 'http://electric:3000' })).toHaveLength(1)
  expect(complaints({ ELECTRIC_URL: 'http://electric:3000', DATABASE_URL: 'postgres://db/balcao' })).toEqual([])
})

test('secrets that are not set are made once, and kept where only their owner reads them', () => {
  const first = loadConfig({ DATA_DIR: dataDir })
  const second = loadConfig({ DATA_DIR: dataDir })
  expect(second).toEqual(first)
  expect(first.jwtSecret.length).toBeGreaterThanOrEqual(32)
  expect(first.encryptionKey).toHaveLength(32)
  for (const name of ['jwt.secret', 'encryption.key']) expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600)
  expect(loadConfig({ DATA_DIR: dataDir, JWT_SECRET: 'x'.repeat(40) }).jwtSecret).toBe('x'.repeat(40))
})

test('.env.example and the README list every variable as it is (`bun run check --fix` writes both)', () => {
  expect(readFileSync(join(root, '.env.example'), 'utf8')).toBe(envExample())
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(variablesTable())
  expect(Object.keys(variables).length).toBeGreaterThan(10)
})

test('a mail server needs a sender, and a user needs a password', () => {
  expect(parseConfig({}).mail).toBeUndefined()
  expect(parseConfig({ MAIL_HOST: 'mail.example.com', MAIL_FROM: 'Balcão <balcao@example.com>' }).mail).toEqual({
    host: 'mail.example.com',
    port: 587,
    user: undefined,
    password: undefined,
    from: 'Balcão <balcao@example.com>',
  })
  expect(complaints({ MAIL_HOST: 'mail.example.com', MAIL_USER: 'balcao' })).toEqual([
    'MAIL_HOST needs MAIL_FROM: a mail has a sender.',
    'MAIL_USER and MAIL_PASS are only used together.',
  ])
  for (const wrong of ['Balcão', 'Balcão <balcao@example.com', 'a@b.c\r\nBcc: x@y.z'])
    expect(complaints({ MAIL_FROM: wrong })).toHaveLength(1)
})

test('what may be called inside the network is a list of addresses, networks and names', () => {
  expect(parseConfig({}).outbound).toEqual({ allow: [], caFile: undefined })
  expect(parseConfig({ OUTBOUND_ALLOW: '10.0.0.0/8, erp.example.com' }).outbound.allow).toHaveLength(2)
  expect(complaints({ OUTBOUND_ALLOW: '10.0.0.0/8,http://erp' })).toEqual([
    'OUTBOUND_ALLOW must be addresses, networks (10.0.0.0/8) or names, separated by commas; "http://erp" is none of them.',
  ])
})
