import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { newId } from '../../schema/ids.ts'
import { runningPostgres } from '../../server/db/embedded-postgres.ts'
import { knock } from '../../server/upgrade/upgrade.door.ts'
import { readUpgrades, type Upgrades, versionIn } from '../../server/upgrade/upgrade.state.ts'
import { dose, isSoak } from '../support/dose.ts'
import { adminEmail, adminPassword, type Api, fakeApi, login, startFake, until } from '../support/stack.ts'
import { launchVersion, type Launched, LightBrowser, nextVersion } from '../support/upgrade.ts'

/**
 * An installation with everything embedded is upgraded while contacts write, agents answer, and browsers look: nothing is
 * lost or doubled, nobody fetches anew, and what goes wrong on the way ends with one version that works.
 */
setDefaultTimeout(600_000)
const agents = dose(8, 200)
const perSecond = dose(8, 20)
const contacts = Array.from({ length: 4 }, (_, i) => `551197600000${i}`)

let fake: Awaited<ReturnType<typeof startFake>>
let phone: ReturnType<typeof fakeApi>
let env: Record<string, string>
let house: Launched
let api: Api & { token: string }
let tokens: string[]
let sql: postgres.Sql
const tickets = new Map<string, number>()
const root = join(import.meta.dir, '..', '..')
/** It adds, and takes nothing away: the version before works beside it. */
const next = nextVersion({
  migration: 'ALTER TABLE "tags" ADD COLUMN "nickname" text;',
  oldest: '0.0.1',
})
const contracting = nextVersion({ migration: 'ALTER TABLE "tags" DROP COLUMN "kanban";' })

function freePort(): number {
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } })
  probe.stop(true)
  return probe.port
}

beforeAll(async () => {
  fake = await startFake()
  phone = fakeApi(fake.phoneUrl)
  env = {
    ...{ PORT: String(freePort()), WHATSAPP_WS_URL: fake.wsUrl, WHATSAPP_CERT_KEY: fake.certKey },
    ...{ ADMIN_EMAIL: adminEmail, ADMIN_PASSWORD: adminPassword, LIMIT_CALLS: 'off', BALCAO_WATCH_MS: '5000' },
  }
  house = await launchVersion(env)
  sql = postgres(runningPostgres(house.dataDir)!, { max: 2, onnotice: () => undefined })
  api = await login(house.url, adminEmail, adminPassword)
  const { id } = (await api('POST', '/whatsapp', { name: 'Balcão' })) as { id: number }
  await api('POST', `/whatsappsession/${id}`)
  const status = () => api('GET', `/whatsapp/${id}`) as Promise<{ status: string; qrcode: string }>
  const { qrcode } = await until('a QR', status, (row) => row.qrcode !== '')
  await phone.scan(qrcode)
  await until('the link', status, (row) => row.status === 'CONNECTED')
  for (const number of contacts) {
    await phone.contact(number, `Pessoa ${number.slice(-1)}`)
    await phone.write(number, 'Bom dia')
  }
  const { tickets: waiting } = await until(
    'a ticket for each contact',
    () =>
      api('GET', '/tickets?showAll=true&status=pending') as Promise<{
        tickets: { id: number; contact: { number: string } }[]
      }>,
    (page) => page.tickets.length === contacts.length,
  )
  for (const ticket of waiting) {
    await api('POST', '/commands', { id: newId(), name: 'tickets.accept', input: { ticketId: ticket.id } })
    tickets.set(ticket.contact.number, ticket.id)
  }
  // A person has eight sockets at most.
  tokens = [api.token]
  for (let i = 0; tokens.length * 6 < agents; i++) {
    const email = `agent${i}@example.com`
    await api('POST', '/users', { name: `Agent ${i}`, email, password: 'balcao-agent-123', profile: 'admin' })
    tokens.push((await login(house.url, email, 'balcao-agent-123')).token)
  }
})
afterAll(async () => {
  await sql?.end({ timeout: 1 })
  await house?.stop()
  await fake?.stop()
  next.remove()
  contracting.remove()
  if (house) rmSync(house.dataDir, { recursive: true, force: true })
})

/** What was written, without what the product writes above it. */
const said = (body: string) => body.slice(Math.max(0, body.search(/(in|out) [0-9a-f]{8} /)))

/** Contacts write, agents answer and rows change, from now until `end`; then all of it is there, once. */
async function traffic() {
  const mark = crypto.randomUUID().slice(0, 8)
  const browsers = Array.from(
    { length: agents },
    (_, i) =>
      new LightBrowser({
        ...{ url: house.url, token: tokens[i % tokens.length]!, shapes: ['tags', 'messages'] as const },
        // Of an answer without the name above it.
        key: (row) => String(row.name ?? said(String(row.body))),
      }),
  )
  await until(
    'live browsers',
    async () => browsers.filter(({ isLive }) => !isLive).length,
    (n) => n === 0,
    120_000,
  )
  const before = browsers.map(({ bytes }) => bytes)
  for (const browser of browsers) browser.wholes = 0
  const ticks = new Map<string, number>()
  const written: string[] = []
  const asked = new Set<Promise<void>>()
  let n = 0
  const timer = setInterval(() => {
    const i = n++
    // Straight into the database, as any server might: when browsers see it says how long they saw nothing.
    const name = `tick ${mark} ${i}`
    const tick = sql`INSERT INTO tags ("companyId", "name", "color", "updatedAt") VALUES (1, ${name}, '#123456', now())`
      .then(() => void ticks.set(name, performance.now()))
      .catch(() => undefined)
    const number = contacts[i % contacts.length]!
    const body = `${mark} ${i}`
    if (i % 2 === 0) written.push(`in ${body}`)
    else written.push(`out ${body}`)
    const sent =
      i % 2 === 0
        ? phone.write(number, `in ${body}`).then(() => undefined)
        : say({
            id: newId(),
            name: 'messages.send',
            input: { id: newId(), ticketId: tickets.get(number)!, body: `out ${body}` },
          })
    const both = Promise.all([tick, sent]).then(() => void asked.delete(both))
    asked.add(both)
  }, 1_000 / perSecond)

  return {
    browsers,
    async end() {
      clearInterval(timer)
      await Promise.all(asked)
      const wanted = [...written.map((body) => `messages ${body}`), ...[...ticks.keys()].map((name) => `tags ${name}`)]
      const missing = async () =>
        browsers.reduce((sum, { rows }) => sum + wanted.filter((key) => !rows.has(key)).length, 0)
      await until('everything in the browsers', missing, (left) => left === 0, 120_000)
      const stored = (await sql<{ body: string }[]>`SELECT "body" FROM messages WHERE "body" LIKE ${`%${mark} %`}`).map(
        ({ body }) => said(body),
      )
      expect(stored.toSorted()).toEqual(written.toSorted())
      const out = written.filter((body) => body.startsWith('out'))
      // What is sent again after a kill has the id that it had, by which a phone shows it once.
      const arrived = async () => {
        const all = (await Promise.all(contacts.map((number) => phone.inbox(number)))).flat()
        const texts = new Map(
          all.map(({ id, message }) => [id, message.conversation ?? message.extendedTextMessage?.text ?? '']),
        )
        return [...texts.values()].filter((text) => text.includes(`${mark} `)).map(said)
      }
      await until('every answer at its contact', arrived, (all) => all.length >= out.length, 60_000)
      expect((await arrived()).toSorted()).toEqual(out.toSorted())
      const worst = browsers
        .map(({ rows }) =>
          Math.max(...[...ticks].map(([name, at]) => (rows.get(`tags ${name}`) ?? Number.POSITIVE_INFINITY) - at)),
        )
        .toSorted((a, b) => a - b)
      const bytes = browsers.map((browser, i) => browser.bytes - before[i]!)
      for (const browser of browsers) browser.close()
      expect(browsers.flatMap(({ ended }) => ended)).toEqual([])
      expect(browsers.filter(({ outdated }) => outdated)).toEqual([])
      const figures = {
        messages: written.length,
        noRowsMs: { p50: Math.round(worst[worst.length >> 1]!), worst: Math.round(worst.at(-1)!) },
        httpBytes: Math.max(...bytes),
        refetches: browsers.reduce((sum, one) => sum + one.refetches + one.wholes, 0),
      }
      process.stderr.write(`${JSON.stringify(figures)}\n`)
      return figures
    },
  }
}

/** As a browser's outbox does: under the same key until it is answered. */
async function say(command: { id: string; name: string; input: unknown }): Promise<void> {
  for (;;) {
    const response = await fetch(`${house.url}/commands`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${api.token}` },
      body: JSON.stringify(command),
      signal: AbortSignal.timeout(5_000),
    }).catch(() => undefined)
    if (response?.ok) return
    if (response && response.status < 500) throw new Error(`${response.status}: ${await response.text()}`)
    await Bun.sleep(50)
  }
}

const version = async () => ((await (await fetch(`${house.url}/version`)).json()) as { version: string }).version
const last = (): NonNullable<Upgrades['last']> => readUpgrades(house.dataDir).last!

/** Has the version in `folder` take over. @param at called with each sentence that is said meanwhile */
async function upgrade(folder: string, at: (sentence: string) => void = () => undefined) {
  const keeper = await knock(house.dataDir)
  const begun = performance.now()
  const end = await keeper!.upgrade(versionIn(folder), at)
  return { ...end, ms: Math.round(performance.now() - begun) }
}

const killAll = (pids: number[]) => {
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  return pids.length
}

test('a version that takes away what the one before works with is refused, and nothing was changed', async () => {
  const { ok } = await upgrade(contracting.folder)
  expect(ok).toBe(false)
  expect(house.said()).toContain('changes tables in a way that version')
  expect(await version()).toBe(versionIn(root).version)
  expect(
    (await sql`SELECT 1 FROM information_schema.columns WHERE table_name = 'tags' AND column_name = 'kanban'`).length,
  ).toBe(1)
})

test('a version that is killed while it starts takes nothing over', async () => {
  const killer = setInterval(() => killAll(house.servers(next.folder)), 50)
  const { ok, says } = await upgrade(next.folder)
  clearInterval(killer)
  expect([ok, says]).toEqual([false, expect.stringContaining('it ended when it was started')])
  expect(await version()).toBe(versionIn(root).version)
  expect(last()).toMatchObject({ state: 'back' })
})

const phases: { what: string; at: RegExp; kill: () => number; ok: boolean | undefined; always: boolean }[] = [
  {
    what: 'the new one while the old one leaves',
    at: /runs beside it/,
    kill: () => killAll(house.servers(next.folder)),
    ok: false,
    always: true,
  },
  {
    what: 'the new one while it is watched',
    at: /has ended/,
    kill: () => killAll(house.servers(next.folder)),
    ok: false,
    always: false,
  },
  {
    what: 'what the servers stand on, while the old one leaves',
    at: /runs beside it/,
    kill: () => killAll([house.ground()!]),
    ok: undefined,
    always: false,
  },
]
test.each(phases.filter(({ always }) => always || isSoak))(
  'killing $what loses and doubles nothing, and one version works',
  async ({ at, kill, ok }) => {
    const busy = await traffic()
    let killed = 0
    const end = await upgrade(next.folder, (sentence) => {
      if (at.test(sentence) && killed === 0) killed = kill()
    })
    process.stderr.write(`${JSON.stringify(end)}\n`)
    expect(killed).toBeGreaterThan(0)
    if (ok !== undefined) expect(end.ok).toBe(ok)
    expect(await version()).toBe(end.ok ? '99.0.0' : versionIn(root).version)
    const figures = await busy.end()
    // The shapes end with what they are on; with servers they do not.
    if (ok !== undefined) expect(figures.refetches).toBe(0)
    if (end.ok) expect((await upgrade(root)).ok).toBe(true)
  },
)

test.if(isSoak)('killing the old one, while the new one starts and while it leaves, hinders nobody', async () => {
  const busy = await traffic()
  let times = 0
  const killer = setInterval(() => {
    if (times === 0 && house.servers(next.folder).length > 0) times = killAll(house.servers(root))
  }, 20)
  const { ok } = await upgrade(next.folder, (sentence) => {
    if (/runs beside it/.test(sentence)) times += killAll(house.servers(root))
  })
  clearInterval(killer)
  expect([ok, times]).toEqual([true, 2])
  expect((await busy.end()).refetches).toBe(0)
  expect((await upgrade(root)).ok).toBe(true)
})

test.if(isSoak)(
  'killing who keeps the house in the middle leads back to the version before, and loses nothing',
  async () => {
    const busy = await traffic()
    const upgrading = upgrade(next.folder, (sentence) => {
      if (/runs beside it/.test(sentence)) house.child.kill('SIGKILL')
    }).catch(() => undefined)
    await house.child.exited
    await upgrading
    await sql.end({ timeout: 1 })
    house = await launchVersion(env, house.dataDir)
    sql = postgres(runningPostgres(house.dataDir)!, { max: 2, onnotice: () => undefined })
    expect(await version()).toBe(versionIn(root).version)
    expect(last()).toMatchObject({ state: 'back', why: 'it was interrupted' })
    await busy.end()
  },
)

test('under way nothing is lost or doubled, no browser fetches anew, and it sees rows all the time', async () => {
  const busy = await traffic()
  const { ok, says, ms } = await upgrade(next.folder)
  expect([ok, says]).toEqual([true, expect.stringContaining('Version 99.0.0 has taken over')])
  expect(await version()).toBe('99.0.0')
  expect(house.servers(root)).toEqual([])
  const figures = await busy.end()
  process.stderr.write(`upgraded in ${ms} ms\n`)
  expect(figures.refetches).toBe(0)
  expect(figures.noRowsMs.worst).toBeLessThan(isSoak ? 2_000 : 10_000)
  expect(last()).toMatchObject({ state: 'done', to: { version: '99.0.0' } })
})

test('a service that still starts the version before starts the one that took over from it', async () => {
  await sql.end({ timeout: 1 })
  await house.stop()
  house = await launchVersion(env, house.dataDir)
  sql = postgres(runningPostgres(house.dataDir)!, { max: 2, onnotice: () => undefined })
  expect(await version()).toBe('99.0.0')
  expect(readFileSync(join(house.dataDir, 'upgrade.json'), 'utf8')).toContain(root)
})
