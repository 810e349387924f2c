/**
 * What the benches stand on: the whole product as processes of its own (server with embedded Postgres and shape
 * server, simulated WhatsApp), companies of any size in it, and browsers that look at it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { chromium, type Browser, type Page } from '@playwright/test'
import { hashPassword } from '../server/auth/passwords.ts'
import { connectDatabase } from '../server/db/database.ts'
import { examples } from '../tests/example-data.ts'
import type { FakeCloudApi } from '../tests/fakes/cloud-api/server.ts'
import { findChromium } from '../tests/support/chromium.ts'
import { adminEmail, adminPassword, type Api, startStack, until } from '../tests/support/stack.ts'

export const password = 'balcao-12345'

export type Stage = Awaited<ReturnType<typeof startStage>>
export type Company = Awaited<ReturnType<typeof addCompany>>

/**
 * The server, the simulated WhatsApp, and a connection to the database for filling and counting. The client is the one
 * of this working copy unless `CLIENT_DIR` names another build.
 *
 * @param fast Postgres does not wait for the disk, where only the browser is measured
 */
export async function startStage(env: Record<string, string> = {}, { fast = false }: { fast?: boolean } = {}) {
  const clientDir = process.env['CLIENT_DIR']
  const stack = await startStack({ env, fast, ...(clientDir ? { clientDir } : {}) })
  let database = connectDatabase(stack.databaseUrl, { max: 4, name: 'bench' })
  return {
    stack,
    get sql() {
      return database.sql
    },
    get db() {
      return database.db
    },
    /** Ends the server as a power cut would, and starts it again on what it left. */
    async restart(): Promise<void> {
      await database.close()
      await stack.kill()
      await stack.start()
      database = connectDatabase(stack.databaseUrl, { max: 4, name: 'bench' })
    },
    async stop(): Promise<void> {
      await database.close()
      await stack.stop()
    },
  }
}

/**
 * A company with an admin, a queue and a connection, and as many tickets and messages as asked: three quarters of the
 * tickets open and the admin's, the rest closed, the messages spread evenly over them and over the last `days`.
 */
export async function addCompany(
  stage: Stage,
  { tickets, messages, days = 14 }: { tickets: number; messages: number; days?: number },
) {
  const { sql, db } = stage
  const eg = examples(db)
  const { id } = await eg.company({ plan: { users: 1_000, connections: 1_000, queues: 100 } })
  const passwordHash = await hashPassword(password)
  const queue = await eg.queue(id, { name: 'Vendas' })
  const whatsapp = await eg.whatsapp(id, { status: 'DISCONNECTED', isDefault: true, queueIds: [queue.id] })
  const admin = await eg.user(id, {
    passwordHash,
    profile: 'admin',
    name: 'Ana',
    queueIds: [queue.id],
    whatsappId: whatsapp.id,
  })
  await sql`
    INSERT INTO contacts ("companyId", name, number, "nameSource", "activeOn")
    SELECT ${id}, 'Contact ' || n, '5531' || lpad((${id}::int * 1000000 + n)::text, 11, '0'), 'push', current_date FROM generate_series(1, ${tickets}::int) n`
  await sql`
    INSERT INTO tickets ("companyId", "contactId", "whatsappId", "queueId", "userId", status, "lastMessage", "lastMessageAt", "updatedAt", "createdAt")
    SELECT ${id}, c.id, ${whatsapp.id}, ${queue.id}, ${admin.id}, CASE WHEN n % 4 = 0 THEN 'closed' ELSE 'open' END,
      'The last message of ' || c.name, at, at, at - ${days}::int * interval '1 day'
    FROM (SELECT id, name, row_number() OVER (ORDER BY id) AS n FROM contacts WHERE "companyId" = ${id}) c,
      LATERAL (SELECT now() - c.n * interval '10 seconds' AS at) moment`
  // In portions, so that no single transaction has to be decoded and thrown away as a whole.
  const portion = 100_000
  for (let from = 0; from < messages; from += portion) {
    await sql`
      INSERT INTO messages (id, "companyId", "ticketId", "contactId", "whatsappId", wid, "fromMe", read, ack, body, "createdAt", "updatedAt")
      SELECT uuidv7((n - ${messages}::int) * (${days}::int * interval '1 day' / ${messages}::int))::text, ${id}, t.id, t."contactId", ${whatsapp.id}, 'W' || ${id}::int || '-' || n,
        n % 3 = 0, true, CASE WHEN n % 3 = 0 THEN 4 ELSE 1 END, 'Message ' || n || ': ' || repeat('some words of a customer ', 1 + (n % 5)::int), at, at
      FROM generate_series(${from}::int, ${Math.min(messages, from + portion) - 1}::int) n
      JOIN (SELECT id, "contactId", row_number() OVER (ORDER BY id) - 1 AS k FROM tickets WHERE "companyId" = ${id}) t ON t.k = n % ${tickets}::int,
        LATERAL (SELECT now() - (${messages}::int - n) * (${days}::int * interval '1 day' / ${messages}::int) AS at) moment`
  }
  await sql`ANALYZE`
  return { id, admin, queue, whatsapp }
}

/** A phone of its own for a connection, linked by its QR. @returns the phone's number */
export async function link(stage: Stage, api: Api, whatsappId: number): Promise<string> {
  const { phone } = stage.stack
  const number = `5511${String(800_000_000 + whatsappId)}`
  await phone.call('POST', '/ctl/phones', { number, name: `Phone ${whatsappId}` })
  await api('POST', `/whatsappsession/${whatsappId}`)
  const ask = () => api('GET', `/whatsapp/${whatsappId}`) as Promise<{ status: string; qrcode: string }>
  const { qrcode } = await until('a QR', ask, (row) => row.qrcode !== '')
  await phone.call('POST', '/ctl/scan', { qr: qrcode, phone: number })
  await until('the link', ask, (row) => row.status === 'CONNECTED')
  return number
}

/** A company with a connection of the official API, whose service is the fake that the stage was started with. */
export async function addOfficial(stage: Stage, fake: FakeCloudApi, kind: { coexistence?: boolean } = {}) {
  const company = await addCompany(stage, { tickets: 100, messages: 1_000 })
  const api = await stage.stack.login(company.admin.email, password)
  const [app, number] = [fake.app(), fake.number()]
  const official = {
    ...{ phoneNumberId: number.id, accountId: number.account, token: fake.token(app, [number.account]) },
    ...{ appSecret: app.secret, verifyToken: officialVerifyToken, ...kind },
  }
  const { id } = (await api('POST', '/whatsapp', { name: 'Oficial', provider: 'official', official })) as { id: number }
  const { webhookPath } = (await api('GET', `/whatsapp/${id}/official`)) as { webhookPath: string }
  return { company, api, app, number, id, webhookPath }
}
export const officialVerifyToken = 'a-word-of-ours'

// ── browsers ─────────────────────────────────────────────────────────────────────────────────

export const openBrowser = async (): Promise<Browser> =>
  chromium.launch({
    executablePath: await findChromium(console.log),
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  })

declare global {
  interface Window {
    /** Resolves with the wall clock, in ms, of the moment after the frame that first showed what `holds` looks for. */
    painted(holds: () => boolean): Promise<number>
    /** The wall clock of the last event of each of these kinds, as the browser stamped it. */
    eventAt: { click: number; keydown: number }
    /** What the replica last said of itself, and when. */
    sync?: { state: string; at: number }
  }
}

/** A page of a browser of its own, with what measures in it. Nothing it holds is shared with another. */
export async function openPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'pt-BR' })
  context.setDefaultTimeout(60_000)
  await context.addInitScript(() => {
    const now = () => performance.timeOrigin + performance.now()
    window.painted = (holds) =>
      new Promise((resolve) => {
        let seen = false
        const look = () => {
          if (seen || !holds()) return
          seen = true
          observer.disconnect()
          // A message posted in a frame is heard after that frame was painted.
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = () => resolve(now())
            port2.postMessage(0)
          })
        }
        const observer = new MutationObserver(look)
        observer.observe(document, { childList: true, subtree: true, characterData: true, attributes: true })
        look()
      })
    window.Worker = class extends Worker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options)
        this.addEventListener('message', ({ data }: MessageEvent<{ t?: string; status?: { state: string } }>) => {
          if (data.t === 'status' && data.status && data.status.state !== window.sync?.state)
            window.sync = { state: data.status.state, at: now() }
        })
      }
    }
    window.eventAt = { click: 0, keydown: 0 }
    for (const kind of ['click', 'keydown'] as const)
      addEventListener(kind, (event) => (window.eventAt[kind] = performance.timeOrigin + event.timeStamp), true)
  })
  return context.newPage()
}

/** Fills the login form. Its Enter is left to the caller. */
export async function fillLogin(page: Page, stage: Stage, email: string): Promise<void> {
  await page.goto(`${stage.stack.url}/login?from=/tickets`)
  await page.locator('input[type=email]').fill(email)
  await page.locator('input[autocomplete=current-password]').fill(password)
}

/** Logs in, and waits until the inbox shows tickets. */
export async function enter(page: Page, stage: Stage, email: string): Promise<void> {
  await fillLogin(page, stage, email)
  await page.keyboard.press('Enter')
  await page.locator('[data-ticket]').first().waitFor()
}

/** Resolves when all of the user's rows are in the page's replica, with the wall clock of the moment it said so. */
export async function synced(page: Page, ms = 120_000): Promise<number> {
  const handle = await page.waitForFunction(() => window.sync?.state === 'live' && window.sync.at, undefined, {
    timeout: ms,
  })
  return (await handle.jsonValue()) as number
}

// ── memory ───────────────────────────────────────────────────────────────────────────────────

const status = (pid: number, file: string) => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/** What opens one socket in place of a token. */
export async function passFor(url: string, token: string, use: 'events' | 'sync'): Promise<string> {
  const answer = await fetch(`${url}/auth/passes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ for: use }),
  })
  return ((await answer.json()) as { pass: string }).pass
}

interface Health {
  connections: { openHere: number }
  sockets: { waiting: number }
}

const operators = new WeakMap<Stage, Api>()

/** What the server tells its operator of its parts; others are told that it is up. */
export async function healthOf(stage: Stage): Promise<Health> {
  for (let isNew = false; ; isNew = true) {
    let operator = isNew ? undefined : operators.get(stage)
    if (!operator) operators.set(stage, (operator = await stage.stack.login(adminEmail, adminPassword)))
    const health = (await operator('GET', '/health')) as Partial<Health>
    // A token ends after a quarter of an hour.
    if (health.sockets) return health as Health
    if (isNew) throw new Error('the operator is told nothing')
  }
}

/** Resident memory of a process, MB. */
export const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(status(pid, 'status'))?.[1] ?? Number.NaN) / 1024

function descendants(pid: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const parent = /^PPid:\s+(\d+)/m.exec(status(Number(name), 'status'))?.[1]
    if (parent) parents.set(Number(name), Number(parent))
  }
  const under = (id: number): boolean => {
    const parent = parents.get(id)
    return parent !== undefined && (parent === pid || under(parent))
  }
  return [...parents.keys()].filter(under)
}

/** Memory of all descendants of a process, MB; what they share is counted once (PSS). */
export function descendantsMb(pid: number): number {
  let kb = 0
  for (const id of descendants(pid)) kb += Number(/^Pss:\s+(\d+)/m.exec(status(id, 'smaps_rollup'))?.[1] ?? 0)
  return kb / 1024
}

/** Processor time that the descendants of a process have had so far, in seconds, of those that still run. */
export const descendantsCpuSeconds = (pid: number): number =>
  descendants(pid).reduce((sum, id) => sum + (cpuSeconds(id) || 0), 0)

/** Processor time that a process has had, in seconds. */
export function cpuSeconds(pid: number): number {
  const [, user, system] = /\) (?:\S+ ){11}(\d+) (\d+)/.exec(status(pid, 'stat')) ?? []
  return (Number(user) + Number(system)) / 100
}

export const rounded = (value: number, digits = 1): number => Math.round(value * 10 ** digits) / 10 ** digits
