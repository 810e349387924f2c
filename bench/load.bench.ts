/**
 * A busy hour: two hundred agents of one company, each logged in, with the socket of live events and all shapes of a
 * browser, and all of them in the queue that everybody writes to, so that every message goes to every agent. The agents
 * are plain websockets of this process; one more, in Chromium, says when it is painted.
 */
import type { Page } from '@playwright/test'
import { until } from '../tests/support/stack.ts'
import { hashPassword } from '../server/auth/passwords.ts'
import { type ShapeName, shapeNames, shapesVersion } from '../sync/shapes.ts'
import { examples } from '../tests/example-data.ts'
import { type Bench, type Measure, often, percentile, spread } from './measure.ts'
import {
  addCompany,
  type Company,
  cpuSeconds,
  enter,
  link,
  openBrowser,
  openPage,
  password,
  residentMb,
  rounded,
  type Stage,
  startStage,
  synced,
  passFor,
} from './stage.ts'

const agentCount = Number(process.env['BENCH_AGENTS'] ?? 200)
const contactCount = 100
const perSecond = Number(process.env['BENCH_RATE'] ?? 50)
const wholeMs = 300_000
const withinMs = 500

const bench: Bench = {
  name: 'Load',
  async run(say) {
    const stage = await startStage()
    const browser = await openBrowser()
    try {
      const company = await addCompany(stage, { tickets: 200, messages: 2_000, days: 14 })
      const writers = await stage.sql<{ number: string; name: string; uuid: string }[]>`
        SELECT c.number, c.name, t.uuid FROM tickets t JOIN contacts c ON c.id = t."contactId"
        WHERE t."companyId" = ${company.id} AND t.status = 'open' ORDER BY t.id LIMIT ${contactCount}`
      const phone = await link(stage, await stage.stack.login(company.admin.email, password), company.whatsapp.id)
      for (const { number, name } of writers) {
        await stage.stack.phone.contact(number, name)
        // The first message of somebody makes the keys of their conversation, once for all.
        await stage.stack.phone.call('POST', `/ctl/contacts/${number}/messages`, { text: 'bom dia', to: phone })
      }
      const received = () => stage.sql<{ n: number }[]>`
        SELECT count(*)::int AS n FROM messages WHERE "companyId" = ${company.id} AND body = 'bom dia'`
      await until('everybody’s first message', received, ([row]) => row!.n === writers.length, 120_000)

      say(`${agentCount} agents log in`)
      const load = new Load(Math.ceil((often(1_000_000) / 1_000_000) * ((wholeMs * perSecond) / 1_000)))
      const agents = await logIn(stage, company, load)
      const page = await openPage(browser)
      await enter(page, stage, company.admin.email)
      await page.goto(`${stage.stack.url}/tickets/${writers[0]!.uuid}`)
      await page.locator('[data-message]').first().waitFor()
      await synced(page)
      await watch(page)
      await Bun.sleep(5_000)

      say(`${perSecond} messages a second for ${load.count / perSecond} s`)
      const pid = stage.stack.pid() ?? 0
      const memory: number[] = []
      const cpu = cpuSeconds(pid)
      const beginAt = performance.now()
      const sampling = setInterval(() => {
        memory.push(residentMb(pid))
        const so = load.latencies(load.sent - 5 * perSecond, load.sent - perSecond)
        say(
          `${Math.round((performance.now() - beginAt) / 1000)} s: ${load.sent} sent, ${Math.round(memory.at(-1)!)} MB, lately ${JSON.stringify(spread(so))}`,
        )
      }, 5_000)
      await write(stage, phone, writers, load)
      clearInterval(sampling)
      const seconds = (performance.now() - beginAt) / 1_000
      const busy = (cpuSeconds(pid) - cpu) / seconds
      await until(
        'all messages at all agents',
        async () => agents.reduce((n, agent) => n + agent.missing(), 0),
        (missing) => missing === 0,
        30_000,
      ).catch((error: unknown) => say(String(error)))
      await Bun.sleep(2_000)
      const painted = await page.evaluate(() => window.loadSeen)
      const [stored] = await stage.sql<{ n: number }[]>`
        SELECT count(DISTINCT body)::int AS n FROM messages WHERE "companyId" = ${company.id} AND body LIKE 'load %'`
      const lost = agents.reduce((n, agent) => n + agent.missing(), 0)
      const fifth = (n: number) =>
        mean(memory.slice(Math.floor((n * memory.length) / 5), Math.ceil(((n + 1) * memory.length) / 5)))
      const [first, second, last] = [fifth(0), fifth(1), fifth(4)]
      say(`server: ${rounded(busy * 100, 0)} % of a core`)
      for (const agent of agents) agent.close()

      const all = load.latencies(0, load.count)
      const atAgents = spread(all)
      const onScreen = Object.entries(painted).map(([n, at]) => at - load.sentAt[Number(n)]!)
      const screen = spread(onScreen)
      const measures: Measure[] = [
        {
          name: `${agentCount} agents, ${perSecond} messages/s for ${rounded(seconds, 0)} s: stanza on the wire → bytes at every agent`,
          target: `p99 ≤ ${withinMs} ms, none lost`,
          values: {
            ...atAgents,
            worst: rounded(percentile(all, 1)),
            'not stored': load.count - stored!.n,
            'not told': lost,
          },
          unit: 'ms',
          runs: all.length,
          ok: atAgents.p99 <= withinMs && lost === 0 && stored!.n === load.count,
        },
        {
          name: 'The same, stanza on the wire → painted in an agent’s open conversation',
          target: `p99 ≤ ${withinMs} ms`,
          values: screen,
          unit: 'ms',
          runs: onScreen.length,
          ok: screen.p99 <= withinMs && onScreen.length >= Math.floor(load.count / contactCount),
        },
        {
          name: 'The same, server memory (resident) in the first, second and last fifth of the time; the logs that clients resume from fill up to their bound in the first',
          target: 'flat: last ≤ 10 % above second',
          values: { first: rounded(first), second: rounded(second), last: rounded(last) },
          unit: 'MB',
          runs: memory.length,
          ok: last <= second * 1.1,
        },
      ]
      return measures
    } finally {
      await browser.close()
      await stage.stop()
    }
  },
}
export default bench

const wall = () => performance.timeOrigin + performance.now()
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** What was sent and who heard it when; times are wall clock, ms. */
class Load {
  readonly sentAt: Float64Array
  sent = 0
  private readonly heard: Float64Array[] = []

  constructor(readonly count: number) {
    this.sentAt = new Float64Array(count)
  }

  /** One agent's ears: 0 where it has not heard a message yet. */
  listener(): Float64Array {
    const heard = new Float64Array(this.count)
    this.heard.push(heard)
    return heard
  }

  /** Of the messages from `from` to `to`, as far as they were heard. */
  latencies(from: number, to: number): number[] {
    const found: number[] = []
    for (const heard of this.heard)
      for (let n = Math.max(0, from); n < to; n++)
        if (heard[n]! > 0 && this.sentAt[n]! > 0) found.push(heard[n]! - this.sentAt[n]!)
    return found
  }
}

/** Each contact in turn, at an even pace whether or not the server keeps up. */
async function write(stage: Stage, to: string, writers: { number: string }[], load: Load): Promise<void> {
  const begin = performance.now()
  const failures: unknown[] = []
  const underWay = new Set<Promise<void>>()
  for (let n = 0; n < load.count; n++) {
    const wait = begin + (n * 1_000) / perSecond - performance.now()
    if (wait > 0) await Bun.sleep(wait)
    const { number } = writers[n % writers.length]!
    const one: Promise<void> = stage.stack.phone
      .call('POST', `/ctl/contacts/${number}/messages`, { text: `load ${n}#`, to })
      .then((answer) => {
        load.sentAt[n] = (answer as { sentAt: number }).sentAt
        load.sent = Math.max(load.sent, n + 1)
      })
      .catch((error: unknown) => void failures.push(error))
      .finally(() => underWay.delete(one))
    underWay.add(one)
  }
  await Promise.all(underWay)
  if (failures.length > 0) throw failures[0]
}

// ── agents ───────────────────────────────────────────────────────────────────────────────────

interface Agent {
  /** Messages that it has not heard of. */
  missing(): number
  close(): void
}

async function logIn(stage: Stage, company: Company, load: Load): Promise<Agent[]> {
  const eg = examples(stage.db)
  const passwordHash = await hashPassword(password)
  const agents: Agent[] = []
  const lane = async () => {
    while (agents.length + underWay < agentCount) {
      underWay++
      const user = await eg.user(company.id, { passwordHash, queueIds: [company.queue.id] })
      const { token } = await stage.stack.login(user.email, password)
      agents.push(await openAgent(stage, token, load))
      underWay--
    }
  }
  let underWay = 0
  await Promise.all([lane(), lane(), lane(), lane()])
  return agents
}

interface Place {
  handle: string
  offset: string
}

async function openAgent(stage: Stage, token: string, load: Load): Promise<Agent> {
  const { url } = stage.stack
  const heard = load.listener()
  const places = new Map<ShapeName, Place>()
  for (const name of shapeNames) places.set(name, await position(url, token, name))

  const events = await socket(`${url.replace('http', 'ws')}/events?pass=${await passFor(url, token, 'events')}`)
  events.send(JSON.stringify({ event: 'userStatus' }))
  const keepAlive = setInterval(() => events.send(JSON.stringify({ event: 'userStatus' })), 60_000)
  const pass = await passFor(url, token, 'sync')
  const sync = await socket(`${url.replace('http', 'ws')}/sync?pass=${pass}&v=${shapesVersion}`)
  const waits = new Map<number, ShapeName>()
  let next = 1
  const ask = (name: ShapeName) => {
    const id = next++
    waits.set(id, name)
    const query = new URLSearchParams({ live: 'true', ...places.get(name)!, cursor: '', v: shapesVersion })
    sync.send(JSON.stringify({ id, shape: name, query: query.toString() }))
  }
  sync.onmessage = ({ data }) => {
    const at = wall()
    const frame = String(data)
    const end = frame.indexOf('\n')
    const { id, status, headers } = JSON.parse(frame.slice(0, end)) as {
      id: number
      status: number
      headers: Record<string, string>
    }
    const name = waits.get(id)!
    waits.delete(id)
    if (name === 'messages')
      for (const [, n] of frame.slice(end).matchAll(/"body":"load (\d+)#"/g)) heard[Number(n)] ||= at
    if (status === 200) {
      places.set(name, { handle: headers['electric-handle']!, offset: headers['electric-offset']! })
      ask(name)
    } else if (status === 409)
      void position(url, token, name, (body) => {
        if (name === 'messages') for (const [, n] of body.matchAll(/"body":"load (\d+)#"/g)) heard[Number(n)] ||= at
      }).then((place) => (places.set(name, place), ask(name)))
    else throw new Error(`${name}: ${status} ${frame.slice(end)}`)
  }
  for (const name of shapeNames) ask(name)
  return {
    missing: () => {
      let count = 0
      for (let n = 0; n < load.count; n++) if (heard[n] === 0) count++
      return count
    },
    close: () => {
      clearInterval(keepAlive)
      events.close()
      sync.close()
    },
  }
}

async function socket(url: string): Promise<WebSocket> {
  const made = new WebSocket(url)
  await new Promise<void>((resolve, reject) => {
    made.onopen = () => resolve()
    made.onerror = () => reject(new Error('no websocket'))
  })
  return made
}

/** Reads a shape from its beginning, as a browser does, to where it ends now. */
async function position(url: string, token: string, shape: ShapeName, read?: (body: string) => void): Promise<Place> {
  let place: Place = { handle: '', offset: '-1' }
  for (;;) {
    const query = new URLSearchParams({ offset: place.offset, v: shapesVersion })
    if (place.handle) query.set('handle', place.handle)
    const response = await fetch(`${url}/sync/shape/${shape}?${query.toString()}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    if (response.status === 409) {
      await response.text()
      place = { handle: '', offset: '-1' }
      continue
    }
    if (!response.ok) throw new Error(`${shape}: ${response.status} ${await response.text()}`)
    const body = await response.text()
    read?.(body)
    place = {
      handle: response.headers.get('electric-handle') ?? '',
      offset: response.headers.get('electric-offset') ?? '',
    }
    if (response.headers.has('electric-up-to-date')) return place
  }
}

// ── the screen ───────────────────────────────────────────────────────────────────────────────

declare global {
  interface Window {
    /** Wall clock of the moment after the frame that first showed each message of the load, by its number. */
    loadSeen: Record<string, number>
  }
}

/** From now on the page notes when a message of the load is first painted in the conversation that is open. */
async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.loadSeen = {}
    const known = new Set<string>()
    const look = () => {
      const fresh: string[] = []
      for (const bubble of [...document.querySelectorAll('[data-message]')].slice(-20)) {
        const n = /load (\d+)#/.exec(bubble.textContent ?? '')?.[1]
        if (n !== undefined && !known.has(n)) {
          known.add(n)
          fresh.push(n)
        }
      }
      if (fresh.length === 0) return
      // A message posted in a frame is heard after that frame was painted.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => {
          for (const n of fresh) window.loadSeen[n] = performance.timeOrigin + performance.now()
        }
        port2.postMessage(0)
      })
    }
    new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true })
  })
}
