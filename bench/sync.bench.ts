/**
 * Rows on their way out, through the whole server: its gate, its websocket, its embedded shape server. The clients are
 * plain websockets of this process, so that they cost little beside the server.
 */
import { hashPassword } from '../server/auth/passwords.ts'
import { type ShapeName, shapeNames, shapesVersion } from '../sync/shapes.ts'
import { examples } from '../tests/example-data.ts'
import { type Bench, type Measure, often, spread } from './measure.ts'
import {
  addCompany,
  type Company,
  healthOf,
  passFor,
  password,
  residentMb,
  rounded,
  type Stage,
  startStage,
} from './stage.ts'

/** As many as one company may have. */
const clients = 1_000
/** Sockets that one user may have. */
const socketsEach = 8

const bench: Bench = {
  name: 'Sync',
  async run(say) {
    const stage = await startStage()
    try {
      const company = await addCompany(stage, { tickets: 500, messages: 5_000 })
      const others = await addCompany(stage, { tickets: 1, messages: 1 })
      say('logging in')
      const [token, ...tokens] = await admins(stage, company, 1 + clients / socketsEach)
      const warmers = await admins(stage, others, Math.ceil(100 / socketsEach))
      const [ticket] = await stage.sql<{ id: number; contactId: number }[]>`
        SELECT id, "contactId" FROM tickets WHERE "companyId" = ${company.id} ORDER BY id LIMIT 1`
      let written = 0
      /** One message more. @returns when its COMMIT was sent, and when Postgres had answered */
      const commit = () =>
        stage.sql.reserve().then(async (own) => {
          try {
            await own`BEGIN`
            await own`INSERT INTO messages (id, "companyId", "ticketId", "contactId", body) VALUES (${crypto.randomUUID()}, ${company.id}, ${ticket!.id}, ${ticket!.contactId}, ${`one more ${(written += 1)}`})`
            const sentAt = performance.now()
            await own`COMMIT`
            return { sentAt, answeredAt: performance.now() }
          } finally {
            own.release()
          }
        })

      say('one client')
      const one = await open(stage, token!)
      let at = await position(stage, token!, 'messages')
      const fromCommit: number[] = []
      const fromAnswer: number[] = []
      for (let run = -20; run < often(300); run++) {
        const answer = one.ask('messages', at)
        await Bun.sleep(5 + Math.random() * 15)
        const { sentAt, answeredAt } = await commit()
        const { at: next, heardAt } = await answer
        at = next
        if (run < 0) continue
        fromCommit.push(heardAt - sentAt)
        fromAnswer.push(heardAt - answeredAt)
      }
      const commits = spread(fromCommit)
      one.close()

      say(`${clients} clients`)
      const { pid } = stage.stack
      const memory = () => residentMb(pid() ?? 0) * 1024
      const crowd = await openMany(stage, warmers, 100)
      // The first hundred make the runtime grow for good.
      const theirs = await position(stage, warmers[0]!, 'messages')
      for (const client of crowd) void client.ask('messages', theirs)
      await waiting(stage, 100)
      await Bun.sleep(3_000)
      const before = memory()
      const many = await openMany(stage, tokens, clients)
      let answers = many.map((client) => client.ask('messages', at))
      await waiting(stage, 100 + clients)
      await Bun.sleep(3_000)
      const each = rounded((memory() - before) / clients)
      for (const client of crowd) client.close()
      await waiting(stage, clients)

      const rounds: number[] = []
      for (let round = -2; round < often(30); round++) {
        const { sentAt } = await commit()
        const heard = await Promise.all(answers)
        at = heard[0]!.at
        if (round >= 0) rounds.push(Math.max(...heard.map(({ heardAt }) => heardAt)) - sentAt)
        answers = many.map((client) => client.ask('messages', at))
        await waiting(stage, clients)
        await Bun.sleep(50)
      }
      for (const client of many) client.close()
      const lastServed = spread(rounds)

      say('whole browsers')
      await stage.restart()
      let counted = 0
      const browsers = async (users: string[]) => {
        const opened: Client[] = []
        for (const user of users) {
          const places = new Map<ShapeName, Position>()
          for (const name of shapeNames) places.set(name, await position(stage, user, name))
          for (const client of await openMany(stage, [user], socketsEach)) {
            opened.push(client)
            for (const name of shapeNames) void client.ask(name, places.get(name)!)
          }
        }
        await waiting(stage, (counted += opened.length) * shapeNames.length)
        return opened
      }
      const few = await browsers(tokens.slice(0, 3))
      await Bun.sleep(3_000)
      const beforeBrowsers = memory()
      const full = await browsers(tokens.slice(3, 28))
      await Bun.sleep(3_000)
      const browser = rounded((memory() - beforeBrowsers) / full.length)
      for (const client of [...few, ...full]) client.close()
      const measures: Measure[] = [
        {
          name: 'Postgres commit → bytes at a waiting sync client (from COMMIT being sent, its fsync included)',
          target: 'p50 ≤ 6 ms',
          values: { ...commits, 'after its answer p50': spread(fromAnswer).p50 },
          unit: 'ms',
          runs: fromCommit.length,
          ok: commits.p50 <= 6,
        },
        {
          name: `One write to ${clients.toLocaleString('en')} waiting sync clients, the last one served (from COMMIT being sent)`,
          target: '≤ 100 ms',
          values: lastServed,
          unit: 'ms',
          runs: rounds.length,
          ok: lastServed.p95 <= 100,
        },
        {
          name: `Server memory for each waiting sync client, its connection included; a whole browser waits for ${shapeNames.length} shapes`,
          target: '≤ 20 KB',
          values: { client: each, browser },
          unit: 'KB',
          runs: clients,
          ok: each <= 20,
        },
      ]
      return measures
    } finally {
      await stage.stop()
    }
  },
}
export default bench

interface Position {
  handle: string
  offset: string
}
interface Client {
  /** Waits for what comes after a place. */
  ask(shape: string, at: Position): Promise<{ at: Position; heardAt: number }>
  close(): void
}

/** Where a shape ends now: read from its beginning, as a browser does. */
async function position(stage: Stage, token: string, shape: string): Promise<Position> {
  let at: Position = { handle: '', offset: '-1' }
  for (;;) {
    const query = new URLSearchParams({
      offset: at.offset,
      ...(at.handle ? { handle: at.handle } : {}),
      v: shapesVersion,
    })
    const response = await fetch(`${stage.stack.url}/sync/shape/${shape}?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    if (!response.ok) throw new Error(`${shape}: ${response.status} ${await response.text()}`)
    await response.text()
    at = {
      handle: response.headers.get('electric-handle') ?? '',
      offset: response.headers.get('electric-offset') ?? '',
    }
    if (response.headers.has('electric-up-to-date')) return at
  }
}

/** @returns tokens of so many admins of the company, who all see the same rows */
async function admins(stage: Stage, company: Company, count: number): Promise<string[]> {
  const eg = examples(stage.db)
  const passwordHash = await hashPassword(password)
  const tokens: string[] = []
  while (tokens.length < count) {
    const users = await Promise.all(
      Array.from({ length: Math.min(4, count - tokens.length) }, () =>
        eg.user(company.id, { passwordHash, profile: 'admin', queueIds: [company.queue.id] }),
      ),
    )
    const logins = await Promise.all(users.map(({ email }) => stage.stack.login(email, password)))
    tokens.push(...logins.map(({ token }) => token))
  }
  return tokens
}

/** So many sockets, as many of each user as one may have. */
async function openMany(stage: Stage, tokens: string[], count: number): Promise<Client[]> {
  const clients: Client[] = []
  while (clients.length < count)
    clients.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(50, count - clients.length) }, (_, i) =>
          open(stage, tokens[Math.floor((clients.length + i) / socketsEach)]!),
        ),
      )),
    )
  return clients
}

async function open(stage: Stage, token: string): Promise<Client> {
  const { url } = stage.stack
  const pass = await passFor(url, token, 'sync')
  const socket = new WebSocket(`${url.replace('http', 'ws')}/sync?pass=${pass}&v=${shapesVersion}`)
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve()
    socket.onerror = () => reject(new Error('no websocket'))
  })
  const waits = new Map<number, (frame: string, heardAt: number) => void>()
  let next = 1
  socket.onmessage = ({ data }) => {
    const heardAt = performance.now()
    const frame = String(data)
    const id = Number(/^\{"id":(\d+)/.exec(frame)?.[1])
    waits.get(id)?.(frame, heardAt)
    waits.delete(id)
  }
  return {
    ask: (shape, { handle, offset }) =>
      new Promise((resolve, reject) => {
        const id = next++
        waits.set(id, (frame, heardAt) => {
          const { status, headers } = JSON.parse(frame.slice(0, frame.indexOf('\n'))) as {
            status: number
            headers: Record<string, string>
          }
          if (status !== 200) reject(new Error(`${shape}: ${status}`))
          else
            resolve({
              at: { handle: headers['electric-handle'] ?? '', offset: headers['electric-offset'] ?? '' },
              heardAt,
            })
        })
        socket.send(
          JSON.stringify({
            id,
            shape,
            query: String(new URLSearchParams({ live: 'true', handle, offset, cursor: '', v: shapesVersion })),
          }),
        )
      }),
    close: () => socket.close(),
  }
}

/** Waits until the server holds that many requests (all, or fewer where it should be none). */
async function waiting(stage: Stage, wanted: number): Promise<void> {
  for (let tries = 0; tries < 2_000; tries++) {
    const { sockets } = await healthOf(stage)
    if (wanted === 0 ? sockets.waiting === 0 : sockets.waiting >= wanted) return
    await Bun.sleep(10)
  }
  throw new Error(`the server does not hold ${wanted} requests`)
}
