import { eq } from 'drizzle-orm'
import { DomainError, statusOf } from '../../schema/errors.ts'
import { type Principal, principalFrom } from '../../schema/permissions.ts'
import { userQueues, users } from '../../schema/users/users.table.ts'
import { type Call, createCommandRunner, type RunCommand } from '../../server/commands/run.ts'
import { runTogether } from '../../server/commands/together.ts'
import { createBounds } from '../../sync/server/bounds.ts'
import { createLiveSockets, type LiveSession } from '../../sync/server/live-socket.ts'
import { createShapeProxy, type GateBounds } from '../../sync/server/shape-proxy.ts'
import { startShapeServer } from '../../sync/shape-server/shape-server.ts'
import { connectDatabase } from '../../server/db/database.ts'
import { migrateDatabase } from '../../server/db/migrate.ts'
import { companyFacts } from '../../server/settings/settings.facts.ts'
import { startCluster } from '../../sync/shape-server/shape-server.fixture.ts'

const ignore = () => undefined
export const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore }

/**
 * Everything that a replica talks to, and nothing else: Postgres, shape server, gate, websocket, commands. A user's
 * token is their id. What a test wants to go wrong, it says in `faults`.
 */
export async function startSyncServer({ files, bounds }: { files?: string; bounds?: Partial<GateBounds> } = {}) {
  // Not the Postgres that all tests share: making a slot waits for every transaction of the whole server.
  const cluster = await startCluster()
  await migrateDatabase(cluster.url)
  const database = connectDatabase(cluster.url, { name: 'sync-test' })
  const { db, sql } = database
  const shapeServer = await startShapeServer({
    databaseUrl: cluster.url,
    mode: 'closed',
    replicationId: 'sync',
    log: silent,
  })

  const principalOf = async (userId: number): Promise<Principal | null> => {
    const [user] = await db.select().from(users).where(eq(users.id, userId))
    if (!user) return null
    const own = await db.select({ queueId: userQueues.queueId }).from(userQueues).where(eq(userQueues.userId, userId))
    return principalFrom(
      user,
      own.map((q) => q.queueId),
    )
  }
  const facts = companyFacts(db, 0)
  const proxy = createShapeProxy({
    backend: (query, answered) => shapeServer.hold(query, answered),
    principalOf,
    since: createBounds({
      now: () => new Date(),
      countMessages: async ({ where, params }) => {
        const [row] = await sql.unsafe<{ n: number }[]>(
          `SELECT count(*)::int AS n FROM messages WHERE ${where}`,
          params,
        )
        return row?.n ?? 0
      },
    }),
    includes: async (companyId, feature) => !(await facts.of(companyId)).planLacks.includes(feature),
    log: silent,
    ...(bounds && { bounds }),
  })
  const sockets = createLiveSockets({ proxy, principalOf })
  const runCommand = createCommandRunner({ db, now: () => new Date(), committed: () => shapeServer.nudge() })

  const faults = {
    /** Answers nothing: connections are cut. */
    down: false,
    /** Takes requests for rows and says nothing, for ever. */
    silent: false,
    /** Does the command and loses the answer. */
    loseAnswers: false,
  }
  const commands: { id: string; name: string; input: unknown }[] = []
  const requests: number[] = []
  const who = async (token: string | null) => (token && /^\d+$/.test(token) ? principalOf(Number(token)) : null)

  async function answer(request: Request, server: Bun.Server<SocketData>): Promise<Response | undefined> {
    const url = new URL(request.url)
    if (ours.test(url.pathname)) {
      if (faults.down) return Response.json({ error: 'ERR_UNAVAILABLE' }, { status: 503 })
      const asker = await who(url.searchParams.get('pass') ?? request.headers.get('authorization')?.slice(7) ?? null)
      if (!asker) return Response.json({ error: 'ERR_TOKEN_EXPIRED' }, { status: 403 })
      if (url.pathname === '/sync')
        return server.upgrade(request, { data: { who: asker, version: url.searchParams.get('v'), session: null } })
          ? undefined
          : new Response(null, { status: 400 })
      // A user's pass is their id, too.
      if (url.pathname === '/auth/passes') return Response.json({ pass: String(asker.userId) })
      if (url.pathname === '/commands') return command(request, asker)
      if (url.pathname === '/commands/batch') return several(request, asker)
      if (faults.silent) return new Promise(() => undefined)
      return proxy.handle({ who: asker }, url.pathname.slice('/sync/shape/'.length), request)
    }
    if (!files) return new Response(null, { status: 404 })
    const file = Bun.file(`${files}${url.pathname === '/' ? '/index.html' : url.pathname}`)
    return (await file.exists()) ? new Response(file) : new Response(null, { status: 404 })
  }

  async function command(request: Request, asker: Principal): Promise<Response> {
    const form = request.headers.get('content-type')?.startsWith('multipart/') ? await request.formData() : null
    const call = form ? JSON.parse(String(form.get('command'))) : await request.json()
    const file = form?.get('file')
    if (file instanceof Blob && call.input.file) call.input.file.path = `test/${call.id}`
    try {
      const outcome = await runCommand(asker, call)
      commands.push(call)
      if (faults.loseAnswers) return new Response('<html>gateway</html>', { status: 502 })
      return Response.json(outcome)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      return Response.json({ error: error.code, ...error.params }, { status: statusOf(error) })
    }
  }

  async function several(request: Request, asker: Principal): Promise<Response> {
    const list = ((await request.json()) as { commands: (Call & { lane: string })[] }).commands
    requests.push(list.length)
    const run: RunCommand = async (who, call) => {
      const outcome = await runCommand(who, call)
      commands.push(call)
      return outcome
    }
    const lined = list.map(({ lane, ...call }) => ({ lane, call }))
    const results = await runTogether(run, asker, lined, (error) => {
      throw error
    })
    return faults.loseAnswers ? new Response('<html>gateway</html>', { status: 502 }) : Response.json({ results })
  }

  const http = Bun.serve<SocketData>({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    fetch: answer,
    websocket: {
      open(ws) {
        const peer = {
          send: (text: string) => void ws.send(text),
          close: (code: number, reason: string) => ws.close(code, reason),
        }
        ws.data.session = sockets.open(peer, ws.data.who, ws.data.version)
        open.add(ws)
      },
      message: (ws, text) => ws.data.session?.message(String(text)),
      close(ws) {
        ws.data.session?.closed()
        open.delete(ws)
      },
    },
  })
  const open = new Set<Bun.ServerWebSocket<SocketData>>()

  return {
    ...database,
    url: http.url.origin,
    runCommand,
    principalOf,
    proxy,
    sockets,
    shapeServer,
    faults,
    /** Every command that was done, repeats included. */
    commands,
    /** How many commands each request had that brought several. */
    requests,
    /** Cuts every websocket. */
    cut: () => {
      for (const ws of open) ws.terminate()
    },
    /** Rows whose command another process did: tells the shape server. */
    nudge: () => shapeServer.nudge(),
    stop: async () => {
      await shapeServer.stop()
      await http.stop(true)
      await database.close()
      await cluster.stop()
    },
  }
}

const ours = /^\/(sync(\/.*)?|commands(\/batch)?|auth\/passes)$/

interface SocketData {
  who: Principal
  version: string | null
  session: LiveSession | null
}

export type SyncServer = Awaited<ReturnType<typeof startSyncServer>>
