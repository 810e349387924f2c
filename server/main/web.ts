import { join } from 'node:path'
import { sql as query } from 'drizzle-orm'
import packageJson from '../../package.json' with { type: 'json' }
import { widOf } from '../../schema/ids.ts'
import { createBounds } from '../../sync/server/bounds.ts'
import { createLiveSockets } from '../../sync/server/live-socket.ts'
import { createElectric, type Electric } from '../../sync/server/electric.ts'
import { type Backend, createShapeProxy } from '../../sync/server/shape-proxy.ts'
import { createCommandRunner, type RunCommand } from '../commands/run.ts'
import { countShape } from '../figures.ts'
import { createApp } from '../http/app.ts'
import { buildAppDeps } from '../http/build-deps.ts'
import type { AppDeps, Health } from '../http/deps.ts'
import { syncRoutes } from '../http/sync.routes.ts'
import { createRightOfWay } from '../right-of-way.ts'
import { connectionCounts } from '../whatsapps/whatsapps.queries.ts'
import type { Channels } from './channels.ts'
import type { Data } from './data.ts'
import type { House } from './house.ts'
import type { Work } from './work.ts'

export type Web = ReturnType<typeof buildWeb>

/** What people and programs call: the routes, the events, the shapes. It listens when `listen` is called. */
export function buildWeb(house: House, data: Data, channels: Channels, { webhooks }: Pick<Work, 'webhooks'>) {
  const { config, log, now, options, stops } = house
  const { db, sql, events, media, push, outside, sealer, facts, rules, graphs, committed, bulkFacts } = data
  const electric = electricOf(house, data)
  const clientsBeside = [...(options.lodging?.clientsBefore ?? [])]
  let isLeaving = false
  let listening: Bun.Server<unknown> | null = null
  const deps = buildAppDeps({
    ...{ db, sql, config, log, now, webhooks, events, media, push, outside, sealer, facts, rules, graphs },
    ...(data.between && { between: data.between }),
    sessions: channels.sessions,
    official: channels.official,
    templates: channels.wires,
    runCommand: runCommandOf(house, data, channels),
    committed: (changes) => committed(changes),
    bulkBegan: (companyId) => bulkFacts.began(companyId),
    writing: (companyId, isWriting) => {
      const { callsFirst } = channels
      if (!isWriting) {
        callsFirst.get(companyId)?.ends('calls')
        callsFirst.delete(companyId)
        return
      }
      const way = createRightOfWay({ mostMs: 5_000, patienceMs: 250 })
      way.begins('calls')
      callsFirst.set(companyId, way)
    },
    onRightsChanged: (userId) => {
      void sockets
        .dropUser(userId, 'rights')
        .catch((err: unknown) => log.error({ err, userId }, 'sync goes on with old rights'))
    },
    onDoorsChanged: (companyId) => {
      void sockets.recheck(companyId).catch((err: unknown) => log.error({ err, companyId }, 'sockets stay open'))
    },
    health: () => healthOf(data, channels, { electric, events: deps.hub, sockets, proxy }),
    version: packageJson.version,
    clientDir: options.clientDir ?? join(import.meta.dir, '..', '..', 'client', 'dist'),
    clientsBeside,
    leaving: () => isLeaving,
  })
  stops.push(() => deps.hub.close())
  const proxy = proxyOf(house, data, deps, electric)
  const sockets = createLiveSockets({ proxy, principalOf: (userId) => deps.auth.principalOf(userId) })
  stops.push(events.listen(forgetting(data, deps, sockets)))
  return {
    deps,
    sockets,
    /** @returns the port that it listens on */
    listen() {
      const app = createApp(deps).use(syncRoutes(deps, { proxy, sockets }))
      const at = { hostname: config.host, port: config.port }
      // In a house two servers have one port for a moment; nobody else is to be among them.
      const shares = options.lodging !== undefined && process.platform === 'linux'
      if (shares && !options.lodging?.beside && config.port !== 0) demandFree(at)
      app.listen({ ...at, reusePort: shares })
      listening = app.server
      stops.push(() => app.server?.stop(true))
      return app.server?.port
    },
    async leave(ms: number, client: string): Promise<void> {
      isLeaving = true
      if (client) clientsBeside.unshift(client)
      // Who comes now comes to the other one.
      void listening?.stop()
      sockets.move(ms)
      deps.hub.move(ms)
      const begun = performance.now()
      const isWithin = (most: number) => performance.now() - begun < most
      while (sockets.count() + deps.hub.size() > 0 && isWithin(ms + MOVED_MS)) await Bun.sleep(50)
      // Files that are on their way.
      while ((listening?.pendingRequests ?? 0) > 0 && isWithin(ANSWERED_MS)) await Bun.sleep(50)
    },
  }
}

/** After the last browser was asked to move, so long it may take. */
const MOVED_MS = 3_000
/** So long calls that were begun may take, from when browsers are asked to move. */
const ANSWERED_MS = 20_000

/** @throws an error with the code EADDRINUSE where another program has the port */
function demandFree({ hostname, port }: { hostname: string; port: number }): void {
  void Bun.listen({ hostname, port, socket: { data: () => undefined } }).stop(true)
}

/** Commands; an agent's message has the right of way until WhatsApp has it. */
function runCommandOf({ now }: House, { db, committed }: Data, { agentsFirst }: Channels): RunCommand {
  const runCommand = createCommandRunner({ db, now, committed })
  return async (who, call) => {
    const isSaid = call.name === 'messages.send' || call.name === 'messages.sendTemplate'
    const wid = isSaid && widOfInput(call.input)
    if (!wid) return runCommand(who, call)
    agentsFirst.begins(wid)
    return runCommand(who, call).catch((error: unknown) => {
      agentsFirst.ends(wid)
      throw error
    })
  }
}

/** The WhatsApp id of the message that a command is about to send; its input is not checked yet. */
const widOfInput = (input: unknown): string | null =>
  typeof input === 'object' && input !== null && 'id' in input && typeof input.id === 'string' ? widOf(input.id) : null

/** Null where the shape server is this process's own. */
function electricOf({ config: { electric }, log }: House, { shapeLink }: Data): Electric | null {
  const said = log.child({ part: 'sync' })
  if (shapeLink) return createElectric({ url: 'http://shapes', secret: undefined, fetch: shapeLink.fetch, log: said })
  if (!electric) return null
  return createElectric({ ...electric, fetch: (request) => fetch(request), log: log.child({ part: 'sync' }) })
}

function proxyOf({ log, now }: House, { sql, facts, shapeServer }: Data, { auth }: AppDeps, electric: Electric | null) {
  const backend: Backend = electric ? electric.ask : (request, answered) => shapeServer!.hold(request, answered)
  return createShapeProxy({
    backend(request, answered) {
      const began = performance.now()
      return backend(request, (answer) => {
        const asked = request.has('live') ? 'wait' : 'rows'
        countShape(request.get('table') ?? '', asked, answer.status, performance.now() - began)
        answered(answer)
      })
    },
    principalOf: (userId) => auth.principalOf(userId),
    since: createBounds({
      now,
      countMessages: async ({ where, params }) => {
        const [row] = await sql.unsafe<{ n: number }[]>(
          `SELECT count(*)::int AS n FROM messages WHERE ${where}`,
          params,
        )
        return row?.n ?? 0
      },
    }),
    includes: async (companyId, feature) => !(await facts.of(companyId)).planLacks.includes(feature),
    log: log.child({ part: 'sync' }),
  })
}

/** What is remembered of the database is forgotten when an event says that it changed, here or on another server. */
function forgetting(
  { shared, facts, bulkFacts, rules }: Data,
  deps: AppDeps,
  sockets: ReturnType<typeof createLiveSockets>,
): Parameters<Data['events']['listen']>[0] {
  return (event) => {
    if (event.name === 'auth' && event.audience?.userId !== undefined)
      void sockets.dropUser(event.audience.userId, 'ended')
    // Another server changed the user. Here it is known already, and once more does no harm.
    if (shared && event.name === 'user' && typeof event.id === 'number') deps.onRightsChanged(event.id)
    if (event.name === 'settings' || event.name === 'company') facts.forget(event.companyId)
    if (event.name === 'campaign') bulkFacts.forget(event.companyId)
    if (changesRules.has(event.name)) rules.forget(event.companyId)
  }
}

/** After which of them what answers by itself may answer otherwise. */
const changesRules: ReadonlySet<string> = new Set([
  'settings',
  'company',
  'whatsapp',
  'queue',
  'prompt',
  'queueIntegration',
  'tag',
])

async function healthOf(
  { db, shapeServer }: Data,
  { wires }: Channels,
  parts: {
    electric: Electric | null
    events: AppDeps['hub']
    sockets: ReturnType<typeof createLiveSockets>
    proxy: ReturnType<typeof createShapeProxy>
  },
): Promise<Health> {
  const database = await within(2_000, db.execute(query`SELECT 1`)).then(
    () => 'up',
    () => 'down',
  )
  const sync = shapeServer ? shapeServer.health() : await parts.electric!.health()
  const connections = database === 'up' ? await connectionCounts(db).catch(() => undefined) : undefined
  return {
    // All servers share Electric: while it is away another one serves nobody better, and all but live rows works.
    ok: database === 'up' && (parts.electric !== null || sync === 'active'),
    database,
    sync,
    connections: { ...connections, openHere: wires.openIds().length },
    sockets: { events: parts.events.size(), sync: parts.sockets.count(), waiting: parts.proxy.waiting() },
    version: packageJson.version,
  }
}

function within<T>(ms: number, work: PromiseLike<T>): Promise<T> {
  return Promise.race([work, Bun.sleep(ms).then(() => Promise.reject(new Error(`no answer in ${ms} ms`)))])
}
