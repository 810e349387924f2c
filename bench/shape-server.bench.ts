/**
 * How fast the embedded shape server is, over real HTTP on this machine: clients are plain sockets in
 * this process, so that their cost stays small beside the server's.
 */
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { type Cluster, silentLog, startCluster } from '../sync/shape-server/shape-server.fixture.ts'
import { type ShapeServer, startShapeServer } from '../sync/shape-server/shape-server.ts'
import { type Bench, type Measure, spread } from './measure.ts'

const waiterCount = 1_000
const writeCount = 300

/** A figure whose median is to be at most so many ms. */
function within(mostMs: number, name: string, samples: readonly number[]): Measure {
  const values = spread(samples)
  return {
    name,
    target: `p50 ≤ ${mostMs} ms`,
    values,
    unit: 'ms',
    runs: samples.length,
    ok: values.p50 <= mostMs,
  }
}

/** Starts the measurements, prints progress with `say`, and returns one entry per figure. */
export async function run(say: (text: string) => void): Promise<Measure[]> {
  const cluster = await startCluster({ durable: true })
  const server = await startShapeServer({ databaseUrl: cluster.url, mode: 'open', log: silentLog })
  const http = Bun.serve({ port: 0, idleTimeout: 120, fetch: (request) => server.fetch(request) })
  const port = http.port ?? 0
  try {
    await cluster.sql`CREATE TABLE messages (id int PRIMARY KEY, company_id int, ticket_id int, body text, created_at timestamptz NOT NULL DEFAULT now())`
    const measures: Measure[] = []
    for (const [name, measure] of [
      ['write to a waiting client', () => writeToClient(cluster, server, port)],
      ['one write to a thousand clients', () => fanOut(cluster, server, port)],
      ['writes among thousands of shapes', () => amongShapes(cluster, server)],
      ['snapshot', () => snapshot(cluster, port)],
      ['large transaction', () => largeTransaction(cluster, server)],
      ['memory', () => memory(cluster)],
    ] as const) {
      say(name)
      measures.push(await measure())
    }
    return measures
  } finally {
    await server.stop()
    await http.stop(true)
    await cluster.stop()
  }
}

async function writeToClient(cluster: Cluster, server: ShapeServer, port: number): Promise<Measure> {
  const where = 'company_id=1'
  const client = await open(port)
  let at = await position(port, where)
  const samples: number[] = []
  for (let i = 0; i < writeCount; i++) {
    const answer = request(client, live(where, at))
    await Bun.sleep(5)
    const begin = performance.now()
    await cluster.sql`INSERT INTO messages VALUES (${i}, 1, ${i % 10}, 'Bom dia! Em que podemos ajudar?')`
    server.nudge()
    const response = await answer
    samples.push(performance.now() - begin)
    if (!response.includes(`"id":"${i}"`)) throw new Error('Another answer than expected')
    at = positionOf(response)
  }
  client.destroy()
  return within(6, 'Row written, its bytes at a waiting client (the write included)', samples)
}

async function fanOut(cluster: Cluster, server: ShapeServer, port: number): Promise<Measure> {
  const where = 'company_id=2'
  const clients = await Promise.all(Array.from({ length: waiterCount }, () => open(port)))
  let at = await position(port, where)
  const samples: number[] = []
  for (let round = 0; round < 20; round++) {
    const before = server.stats().waiters
    const answers = clients.map((client) => request(client, live(where, at)))
    while (server.stats().waiters < before + waiterCount) await Bun.sleep(1)
    const begin = performance.now()
    await cluster.sql`INSERT INTO messages VALUES (${100_000 + round}, 2, 1, 'Um momento, por favor.')`
    server.nudge()
    const responses = await Promise.all(answers)
    samples.push(performance.now() - begin)
    at = positionOf(responses[0] ?? '')
  }
  for (const client of clients) client.destroy()
  return within(100, `One write, the last of ${waiterCount} waiting clients served`, samples)
}

async function amongShapes(cluster: Cluster, server: ShapeServer): Promise<Measure> {
  const ask = (query: string, signal?: AbortSignal) =>
    server.fetch(new Request(`http://localhost/v1/shape?table=messages&${query}`, { signal }))
  const shapes = 5_000
  const aborter = new AbortController()
  for (let i = 0; i < shapes; i += 100) {
    await Promise.all(
      Array.from({ length: 100 }, async (_, j) => {
        const where = `where=company_id=3 AND ticket_id=${i + j}`
        const handle = (await ask(`${where}&offset=-1`)).headers.get('electric-handle')
        if (i + j > 0) void ask(`${where}&offset=0_inf&handle=${handle}&live=true`, aborter.signal)
      }),
    )
  }
  const where = 'where=company_id=3 AND ticket_id=0'
  const first = await ask(`${where}&offset=-1`)
  const handle = first.headers.get('electric-handle') ?? ''
  let offset = '0_inf'
  const samples: number[] = []
  for (let i = 0; i < writeCount; i++) {
    const answer = ask(`${where}&offset=${offset}&handle=${handle}&live=true`)
    const begin = performance.now()
    await cluster.sql`INSERT INTO messages VALUES (${200_000 + i}, 3, 0, 'Tudo certo.')`
    server.nudge()
    const response = await answer
    samples.push(performance.now() - begin)
    if (!(await response.text()).includes(`"id":"${200_000 + i}"`)) throw new Error('Another answer than expected')
    offset = response.headers.get('electric-offset') ?? ''
  }
  aborter.abort()
  return within(6, `The same while ${shapes} shapes are waited for (no HTTP)`, samples)
}

async function snapshot(cluster: Cluster, port: number): Promise<Measure> {
  await cluster.sql`INSERT INTO messages SELECT 1000000 + i, 4, i % 500, 'Mensagem ' || i || repeat(' com algum texto', 8) FROM generate_series(1, 20000) i`
  const samples: number[] = []
  for (let i = 0; i < 10; i++) {
    const begin = performance.now()
    // A new shape each time: another filter.
    const response = await fetch(
      `http://127.0.0.1:${port}/v1/shape?table=messages&offset=-1&where=${encodeURIComponent(`company_id=4 AND ${i}=${i}`)}`,
    )
    const { length } = await response.text()
    if (length < 4_000_000) throw new Error(`The snapshot has only ${length} characters`)
    samples.push(performance.now() - begin)
  }
  return within(500, 'Snapshot of 20,000 rows, taken and read', samples)
}

async function largeTransaction(cluster: Cluster, server: ShapeServer): Promise<Measure> {
  // A log holds two of them: beyond that a client is told to read anew.
  const rows = 20_000
  const ask = (query: string) =>
    server.fetch(new Request(`http://localhost/v1/shape?table=messages&where=company_id=5&${query}`))
  const handle = (await ask('offset=-1')).headers.get('electric-handle') ?? ''
  let offset = '0_inf'
  const samples: number[] = []
  for (let i = 0; i < 5; i++) {
    const answer = ask(`offset=${offset}&handle=${handle}&live=true`)
    await cluster.sql`INSERT INTO messages SELECT ${2_000_000 + i * rows}::int + i, 5, i % 500, 'Mensagem ' || i FROM generate_series(1, ${rows}::int) i`
    const begin = performance.now()
    server.nudge()
    const response = await answer
    await response.text()
    samples.push(rows / ((performance.now() - begin) / 1000))
    offset = response.headers.get('electric-offset') ?? ''
    // The rest of the log, chunk by chunk.
    while (response.headers.get('electric-up-to-date') === null) {
      const next = await ask(`offset=${offset}&handle=${handle}`)
      await next.text()
      offset = next.headers.get('electric-offset') ?? ''
      if (next.headers.get('electric-up-to-date') !== null) break
    }
  }
  const values = { p50: Math.round(spread(samples).p50) }
  return {
    name: `Rows per second of a transaction of ${rows} rows, from its commit to the first answer`,
    target: 'p50 ≥ 50,000 /s',
    values,
    unit: '/s',
    runs: samples.length,
    ok: values.p50 >= 50_000,
  }
}

async function memory(cluster: Cluster): Promise<Measure> {
  // Alone in a process of its own, where nothing else takes or gives memory.
  const probe = Bun.serve({ port: 0, fetch: () => new Response() })
  const port = probe.port ?? 0
  await probe.stop(true)
  const child = Bun.spawn([process.execPath, '--no-orphans', join(import.meta.dir, '../sync/shape-server/main.ts')], {
    env: {
      ...process.env,
      DATABASE_URL: cluster.url,
      ELECTRIC_INSECURE: 'true',
      ELECTRIC_PORT: String(port),
      HOST: '127.0.0.1',
      ELECTRIC_REPLICATION_STREAM_ID: 'memory',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    while (!(await fetch(`http://127.0.0.1:${port}/v1/health`).catch(() => undefined))?.ok) await Bun.sleep(20)
    const where = 'company_id=6'
    const at = await position(port, where)
    const hold = async (count: number): Promise<Socket[]> => {
      const clients = await Promise.all(Array.from({ length: count }, () => open(port)))
      for (const client of clients) request(client, live(where, at)).catch(() => undefined)
      await Bun.sleep(1_500)
      return clients
    }
    // The first hundred make the runtime grow for good.
    const warm = await hold(100)
    const before = residentKb(child.pid)
    const clients = await hold(waiterCount)
    const each = Math.round(((residentKb(child.pid) - before) / waiterCount) * 10) / 10
    for (const client of [...warm, ...clients]) client.destroy()
    return {
      name: 'Memory of the server per waiting client, its connection included',
      target: '≤ 20 KB',
      values: { each },
      unit: 'KB',
      runs: waiterCount,
      ok: each <= 20,
    }
  } finally {
    child.kill()
    await child.exited
  }
}

// ── a client that costs nothing ─────────────────────────────────────────────────────────────

type Position = { handle: string; offset: string }

async function position(port: number, where: string): Promise<Position> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/shape?table=messages&offset=-1&where=${where}`)
  await response.text()
  return { handle: response.headers.get('electric-handle') ?? '', offset: '0_inf' }
}

function live(where: string, { handle, offset }: Position): string {
  return `/v1/shape?table=messages&where=${where}&handle=${handle}&offset=${offset}&live=true`
}

function positionOf(response: string): Position {
  const header = (name: string) => new RegExp(`^${name}: (.*)\\r$`, 'mi').exec(response)?.[1] ?? ''
  return { handle: header('electric-handle'), offset: header('electric-offset') }
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.setNoDelay()
    socket.setEncoding('latin1')
    socket.once('connect', () => resolve(socket))
    socket.once('error', reject)
  })
}

/** Sends a GET and resolves with the whole response once the end of its JSON has come. */
function request(socket: Socket, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const read = (part: string) => {
      text += part
      if (!/\]\s*$/.test(text)) return
      socket.off('data', read)
      socket.off('close', reject)
      resolve(text)
    }
    socket.on('data', read)
    socket.once('close', reject)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  })
}

function residentKb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

export default { name: 'Shape server', run } satisfies Bench

if (import.meta.main) {
  for (const { name, target, values, unit, ok } of await run((text) => console.error(text))) {
    console.log(`${ok ? '✓' : '✗'} ${name}: ${JSON.stringify(values)} ${unit} (${target})`)
  }
  process.exit(0)
}
