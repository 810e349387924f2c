import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Engine } from '../../sync/client/engine.ts'
import { memoryStorage } from '../../sync/client/outbox.dexie.ts'
import { agent, memoryReplica } from '../../sync/client/replica.fixture.ts'
import { type Cluster, startCluster } from '../../sync/shape-server/shape-server.fixture.ts'
import { adminEmail, adminPassword, type Api, type Stack, startStack, until } from '../support/stack.ts'

/**
 * The grown-up form: a Postgres outside, a shape service outside that is asked as Electric is (here the embedded one,
 * alone and with a secret), and two servers on them, of which only one can hold the WhatsApp connection.
 */
let cluster: Cluster
let electric: Bun.Subprocess
let startElectric: () => void
let holder: Stack
let other: Stack
let atHolder: Api & { token: string }
let atOther: Api & { token: string }
let whatsappId: number
let browser: Engine
/** The server that the browser's next call goes to, as a round robin may send it to any. */
let at: () => string
/** What it fetched of the shapes. */
let fetched: { status: number; bytes: number }[] = []
const sockets = new Set<WebSocket>()
const lia = { number: '5511970000001', name: 'Lia Moura' }

beforeAll(async () => {
  cluster = await startCluster()
  const electricPort = 20_000 + Math.floor(Math.random() * 20_000)
  startElectric = () => {
    electric = Bun.spawn([process.execPath, '--no-orphans', join(import.meta.dir, '../../sync/shape-server/main.ts')], {
      env: {
        ...process.env,
        DATABASE_URL: cluster.url,
        ELECTRIC_SECRET: 'between-servers',
        ELECTRIC_PORT: String(electricPort),
        HOST: '127.0.0.1',
        LOG_LEVEL: 'error',
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
  }
  startElectric()
  const env = {
    DATABASE_URL: cluster.url,
    ELECTRIC_URL: `http://127.0.0.1:${electricPort}`,
    ELECTRIC_SECRET: 'between-servers',
    JWT_SECRET: 'the-same-at-every-server-thirty-two-characters',
    ENCRYPTION_KEY: Buffer.alloc(32, 3).toString('base64'),
  }
  holder = await startStack({ env })
  other = await startStack({ env, beside: holder })
  atHolder = await holder.login(adminEmail, adminPassword)
  whatsappId = ((await atHolder('POST', '/whatsapp', { name: 'Balcão' })) as { id: number }).id
  await holder.pair(atHolder, whatsappId)
  await holder.phone.contact(lia.number, lia.name)
  // One login at a time: the other server takes the token of the first.
  atOther = other.as(atHolder.token)
  at = () => other.url
  const me = (await atOther('GET', '/auth/me')) as { id: number; companyId: number }
  browser = new Engine({
    who: { ...agent, userId: me.id, companyId: me.companyId, profile: 'admin', super: true },
    baseUrl: other.url,
    token: async () => atOther.token,
    storage: memoryStorage(),
    openDatabase: memoryReplica,
    async fetch(input, init) {
      const answer = await fetch(String(input).replace(other.url, at()), init)
      const bytes = await answer.arrayBuffer()
      fetched.push({ status: answer.status, bytes: bytes.byteLength })
      // An answer without rows may have no body.
      return new Response([204, 304].includes(answer.status) ? null : bytes, answer)
    },
    WebSocket: class extends WebSocket {
      constructor(address: string | URL) {
        super(String(address).replace(other.url.replace('http', 'ws'), at().replace('http', 'ws')))
        sockets.add(this)
      }
    },
    hasNetwork: () => true,
    statusChanged: () => undefined,
    outboxChanged: () => undefined,
  })
  await browser.start()
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await other?.stop()
  await holder?.stop()
  electric?.kill()
  await cluster?.stop()
}, 60_000)

const bodies = async () =>
  (await browser.query('SELECT "body" FROM messages ORDER BY "createdAt"', [])).map(
    (row) => (row as { body: string }).body,
  )

test('a message that one server receives is in a browser at the other, and the answer given there reaches the phone', async () => {
  await until(
    'sync',
    async () => browser.status().state,
    (state) => state === 'live',
  )
  await holder.phone.write(lia.number, 'Bom dia, já abriram?')
  await until('the message', bodies, (all) => all.includes('Bom dia, já abriram?'))

  const { tickets } = (await atOther('GET', '/tickets?showAll=true&status=pending')) as { tickets: { id: number }[] }
  const ticketId = tickets[0]!.id
  await atOther('PUT', `/tickets/${ticketId}`, { status: 'open' })
  await atOther('POST', `/messages/${ticketId}`, { body: 'Abrimos às oito' })
  await until(
    'the answer',
    () => holder.phone.lines(lia.number),
    (lines) => lines.some((line) => line.by === 'business' && line.text.includes('Abrimos às oito')),
  )
  await until('its row', bodies, (all) => all.some((body) => body.includes('Abrimos às oito')))
}, 60_000)

test('a browser that is moved to another server goes on with what it has', async () => {
  fetched = []
  at = () => holder.url
  const begun = performance.now()
  for (const socket of sockets) socket.close()
  await holder.phone.write(lia.number, 'E sábado?')
  await until('the message', bodies, (all) => all.includes('E sábado?'))
  const ms = Math.round(performance.now() - begun)
  const bytes = fetched.reduce((sum, one) => sum + one.bytes, 0)
  process.stderr.write(`moved to another server: a message was there ${ms} ms later; ${bytes} bytes were fetched\n`)
  expect(fetched.filter(({ status }) => status === 409)).toEqual([])
  expect(bytes).toBeLessThan(50_000)
  at = () => other.url
  for (const socket of sockets) socket.close()
  await until(
    'sync',
    async () => browser.status().state,
    (state) => state === 'live',
  )
  expect(fetched.filter(({ status }) => status === 409)).toEqual([])
}, 60_000)

test('what is asked of a connection at the other server is done by the one that holds it', async () => {
  const health = () =>
    atOther('GET', `/whatsapp/${whatsappId}/health`) as Promise<{ state: string; lastMessageInAt: string }>
  expect(await health()).toMatchObject({ state: 'open', lastMessageInAt: expect.stringMatching(/^\d{4}-/) })

  await holder.phone.contact('5511970000404', 'Nobody')
  await holder.phone.call('POST', '/ctl/contacts/5511970000404', { exists: false })
  const stranger = atOther('POST', '/contacts', { name: 'Ninguém', number: '5511970000404' })
  expect(String(await stranger.catch((error: unknown) => error))).toContain('ERR_WAPP_INVALID_CONTACT')
  await holder.phone.contact('5511970000002', 'Rosa')
  await atOther('POST', '/contacts', { name: 'Rosa', number: '5511970000002' })

  await atOther('DELETE', `/whatsappsession/${whatsappId}`)
  await until('the end of the link', health, ({ state }) => state !== 'open')
  await other.pair(atOther, whatsappId)
  await until('the link', health, ({ state }) => state === 'open')
}, 60_000)

test('when the server that holds the connection dies, the other takes it over, and nothing that was written meanwhile is lost', async () => {
  const leases = async () => (await cluster.sql`SELECT "owner" FROM whatsapp_leases`).map((row) => row.owner as string)
  const [before] = await leases()
  await holder.kill()
  await holder.phone.write(lia.number, 'Ainda estão aí?')
  await until('the message', bodies, (all) => all.includes('Ainda estão aí?'), 90_000)
  const [after] = await leases()
  expect(after).not.toBe(before)
}, 120_000)

test('while the shape service is away the server is up, and what came meanwhile is in the browser when it is back', async () => {
  electric.kill()
  await electric.exited
  await until(
    'the loss of the line',
    async () => browser.status().state,
    (state) => state !== 'live',
  )
  await holder.phone.write(lia.number, 'E agora?')
  const { ok, sync } = (await atOther('GET', '/health')) as { ok: boolean; sync: string }
  expect([ok, sync]).toEqual([true, 'down'])
  startElectric()
  await until('the message', bodies, (all) => all.includes('E agora?'), 90_000)
}, 120_000)
