import { lookup } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { Cron } from 'croner'
import { sql as query } from 'drizzle-orm'
import { DomainError } from '../schema/errors.ts'
import { createBounds } from '../sync/server/bounds.ts'
import { createLiveSockets } from '../sync/server/live-socket.ts'
import { backendOverHttp, createShapeProxy } from '../sync/server/shape-proxy.ts'
import { type ShapeServer, startShapeServer } from '../sync/shape-server/shape-server.ts'
import { widOf } from '../schema/ids.ts'
import { nouns } from '../schema/nouns.ts'
import packageJson from '../package.json' with { type: 'json' }
import { loadAccess } from './auth/auth.queries.ts'
import { passwordResetEffects } from './auth/password-reset.effects.ts'
import { anchorAudit } from './audit/anchors.writes.ts'
import { seedOperator } from './auth/seed-operator.ts'
import { chatTeller } from './chats/chats.events.ts'
import { countTrails, sweepAutomation } from './automation/automation.sweep.ts'
import { createBulkEars } from './campaigns/campaigns.answers.ts'
import { sweepBulk } from './campaigns/campaigns.bulk.writes.ts'
import { campaignEffects } from './campaigns/campaigns.effects.ts'
import { campaignTeller } from './campaigns/campaigns.events.ts'
import { planCampaigns, startDue } from './campaigns/campaigns.plan.ts'
import { createSender } from './campaigns/campaigns.sender.ts'
import { createBulkFacts } from './campaigns/campaigns.settings.queries.ts'
import { stopLine } from './campaigns/campaigns.stop.ts'
import { createBots } from './bots/bots.ask.ts'
import { createAnswers } from './automation/automation.answer.ts'
import { automationEffects } from './automation/automation.effects.ts'
import { rulesFacts } from './automation/automation.facts.ts'
import { createGraphs } from './automation/automation.graphs.ts'
import { tellRun, wakeRuns } from './automation/automation.runs.ts'
import type { Change } from './commands/apply.ts'
import { checkLists } from './contact-lists/contact-lists.check.ts'
import { createCommandRunner } from './commands/run.ts'
import type { Config } from './config.ts'
import { dataDirSecret, lockDataDir } from './data-dir.ts'
import { connectDatabase } from './db/database.ts'
import { startEmbeddedPostgres } from './db/embedded-postgres.ts'
import { migrateDatabase } from './db/migrate.ts'
import { createEvents } from './events/bus.ts'
import { openSecrets } from './flows/flow-secrets.queries.ts'
import { sweepFlowFiles } from './flows/flows.sweep.ts'
import { markSilentOffline } from './events/presence.writes.ts'
import { doing } from './heartbeat.ts'
import { createApp } from './http/app.ts'
import { buildAppDeps } from './http/build-deps.ts'
import type { AppDeps, Health } from './http/deps.ts'
import { syncRoutes } from './http/sync.routes.ts'
import { plainAddress } from './outside/addresses.ts'
import { optOutEffects } from './opt-outs/opt-outs.effects.ts'
import { createOutside } from './outside/outside.ts'
import { pushEffects } from './push/push.effects.ts'
import { createPushService } from './push/push.sender.ts'
import { createRightOfWay, type RightOfWay } from './right-of-way.ts'
import { createSealer } from './seal.ts'
import { demandKey } from './sealed.ts'
import { sweepJobs } from './jobs/sweep.ts'
import { learnStandstills } from './jobs/standstills.ts'
import { NotNow, startJobWorker } from './jobs/worker.ts'
import { createLogger, type Logger } from './log.ts'
import { createMailer } from './mail/mailer.ts'
import { createMediaLinks } from './media/media.links.ts'
import { createMediaStore, mediaPlace } from './media/media-store.ts'
import { companyEffects } from './companies/companies.removal.ts'
import { mediaEffects } from './media/media.effects.ts'
import { createMediaTools } from './media/media-tools.ts'
import { fileContent, messageEffects, type LineTarget, type WhatsappPort } from './messages/messages.effects.ts'
import { sendDueSchedules } from './schedules/schedules.due.ts'
import { scheduleTeller } from './schedules/schedules.events.ts'
import { companyFacts } from './settings/settings.facts.ts'
import { contactOfChat } from './tickets/tickets.events.ts'
import { ticketEffects } from './tickets/tickets.effects.ts'
import { closeIdleTickets } from './tickets/tickets.expiry.ts'
import { queueWaitingTickets } from './tickets/tickets.waiting.ts'
import { makeDueInvoices } from './invoices/invoices.due.ts'
import { noticeEffects, tellDue } from './invoices/invoices.notices.ts'
import { countUsage } from './operator/operator.usage.ts'
import { createReceiver } from './tickets/receive.ts'
import { createWhatsapp } from './whatsapp/sessions.ts'
import { createActivity } from './whatsapps/whatsapps.activity.ts'
import { connectionCounts } from './whatsapps/whatsapps.queries.ts'
import { callSessions } from './whatsapps/whatsapps.remote.ts'
import { startWebhooks, sweepDeliveries } from './webhooks/webhooks.deliver.ts'
import { webhookEffects } from './webhooks/webhooks.effects.ts'
import { sessionRecorder, sessionsFor } from './whatsapps/whatsapps.sessions.ts'

export interface RunningApp {
  /** Where it listens, without a slash at the end. */
  url: string
  deps: AppDeps
  databaseUrl: string
  /** Drains what is at work and stops everything it started. */
  stop(): Promise<void>
}

/** For tests, which need no operator's setting. */
export interface AppOptions {
  /** Where the built client lies. */
  clientDir?: string | undefined
  /** The embedded Postgres does not wait for the disk. */
  fastPostgres?: boolean
}

/**
 * Builds the whole server: the only place that knows all parts. Everything embedded unless the configuration names a
 * Postgres or an Electric service.
 *
 * @throws DataDirInUse when another server works on the data directory
 */
export async function startApp(
  config: Config,
  log: Logger = createLogger({ level: config.logLevel }),
  options: AppOptions = {},
): Promise<RunningApp> {
  /** What must be ended, in the order of its beginning. */
  const stops: (() => unknown)[] = []
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) {
      try {
        await end()
      } catch (err) {
        log.error({ err }, 'a part did not stop cleanly')
      }
    }
  }
  try {
    stops.push(lockDataDir(config.dataDir))
    const running = await build(config, log, stops, options)
    return { ...running, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function build(
  config: Config,
  log: Logger,
  stops: (() => unknown)[],
  options: AppOptions,
): Promise<Omit<RunningApp, 'stop'>> {
  const now = () => new Date()
  const packages = { postgres: import.meta.resolve('postgres'), sharp: import.meta.resolve('sharp') }
  log.debug({ packages }, 'packages that matter')

  // ── the database ───────────────────────────────────────────────────────────────────────────
  let databaseUrl = config.database.url
  if (databaseUrl === undefined) {
    const postgres = await startEmbeddedPostgres({
      dataDir: config.dataDir,
      fast: options.fastPostgres ?? false,
      log: log.child({ part: 'postgres' }),
    })
    stops.push(postgres.stop)
    databaseUrl = postgres.url
  }
  await migrateDatabase(databaseUrl)
  const { sql, db, close } = connectDatabase(databaseUrl, { max: config.database.poolSize })
  stops.push(close)
  await demandKey(sql, config.encryptionKey, { lost: config.encryptionKeyLost })
  const sealer = createSealer(Buffer.from(config.encryptionKey))
  const seeded = await seedOperator(db, config.admin, sealer)
  if (seeded?.password)
    log.info(
      { email: seeded.email },
      `first start: the operator signs in as ${seeded.email} with the password ${seeded.password} (shown once)`,
    )

  const outside = createOutside({
    allow: config.outbound.allow,
    ca: config.outbound.caFile && readFileSync(config.outbound.caFile, 'utf8'),
    never: await placesOf(databaseUrl),
  })

  // ── what everything else asks ──────────────────────────────────────────────────────────────
  const facts = companyFacts(db)
  const media = await createMediaStore({ ...mediaPlace(config), secret: config.jwtSecret })
  // Only on a database of its own can a server be sure to be the only one.
  const shared = config.database.url !== undefined
  const events = await createEvents({ sql, log: log.child({ part: 'events' }), shared })
  stops.push(() => events.close())
  const push = createPushService({
    db,
    sealer,
    subject: config.publicUrl?.startsWith('https:') ? config.publicUrl : `mailto:${config.admin.email}`,
    outside,
  })
  stops.push(() => push.stop())
  await push.refresh()
  const mailer = config.mail && createMailer(config.mail)
  stops.push(() => mailer?.stop())
  const activity = createActivity({ db, events, now, log: log.child({ part: 'activity' }) })

  // ── the shapes ─────────────────────────────────────────────────────────────────────────────
  let shapeServer: ShapeServer | undefined
  if (!config.electric) {
    shapeServer = await startShapeServer({
      databaseUrl,
      mode: 'closed',
      replicationId: 'balcao',
      spillDir: join(config.dataDir, 'shapes'),
      log: log.child({ part: 'shapes' }),
    })
    stops.push(() => shapeServer?.stop())
  }

  // ── after a commit ─────────────────────────────────────────────────────────────────────────
  const tellChats = chatTeller({ db, events, log: log.child({ part: 'chats' }) })
  const tellSchedules = scheduleTeller({ db, events, log })
  const committed = (changes: Change[], jobs = true) => {
    shapeServer?.nudge()
    if (jobs) worker?.wake()
    tellChats(changes)
    tellSchedules(changes)
    webhooks.wake()
    for (const { companyId, table, action, id, ticketId, was } of changes) {
      const name = nouns[table].event
      // What is gone cannot be loaded; a ticket is deleted by a route, which knows who could see it.
      if (name && action !== 'delete')
        events.emit({ companyId, name, action, id, ...(ticketId && { ticketId }), ...(was && { was }) })
      else if (name === 'contact') events.emit({ companyId, name, action, id, payload: { contactId: id } })
    }
  }

  // Before anything is answered or done.
  await learnStandstills(db, log)

  // ── WhatsApp ───────────────────────────────────────────────────────────────────────────────
  const recordSession = sessionRecorder({ db, events, now })
  const graphs = createGraphs()
  const rules = rulesFacts(db, facts, graphs)
  const automationLog = log.child({ part: 'automation' })
  const answers = createAnswers({ rules, graphs, log: automationLog })
  const bulkFacts = createBulkFacts(db)
  const tellCampaign = campaignTeller({ db, events, log })
  const bulk = createBulkEars({ bulk: bulkFacts, changed: tellCampaign, poke: (id) => sender.poke(id) })
  const receive = createReceiver({ db, now, facts, committed, mayWake: push.mayWake, answers, bulk })
  // The same name after a restart, also after a crash: what this server had leased is its own still. Nobody else has it,
  // for the folder is locked; a copy of the folder on another machine is another server.
  const serverId = `${hostname()}/${dataDirSecret(config.dataDir, 'server.id', () => crypto.randomUUID())}`
  // An agent's message, from the call until WhatsApp has it.
  const agentsFirst = createRightOfWay({ mostMs: 150, patienceMs: 60 })
  // Whoever called is waiting, and what they said earlier is not: it leaves when the calls at hand are written.
  const callsFirst = new Map<number, RightOfWay>()
  const whatsapp = createWhatsapp({
    sql,
    encryptionKey: Buffer.from(config.encryptionKey),
    serverId,
    waSocket: {
      url: config.whatsapp.wsUrl ?? null,
      certKey: config.whatsapp.certKey ? Buffer.from(config.whatsapp.certKey) : null,
    },
    outside,
    localMedia: media.local,
    receive: async (inbound) => {
      await receive(inbound)
      for (const event of inbound) if (event.kind === 'ack') agentsFirst.ends(event.wid)
      activity.came(inbound)
    },
    onSession: async (id, change) => {
      await recordSession(id, change)
      shapeServer?.nudge()
      if (change.status === 'CONNECTED') worker?.wake()
      // The phone is unlinked: whether its campaigns go on over another one, a person says.
      if (change.status === 'PENDING')
        for (const campaign of await db.transaction((tx) => stopLine(tx, id, 'logout', now()))) tellCampaign(campaign)
    },
    onTyping: ({ companyId, whatsappId, chat, state }) => {
      void contactOfChat(db, companyId, whatsappId, chat)
        .then((ticket) => {
          if (ticket)
            events.emit({
              companyId,
              name: 'typing',
              action: state,
              payload: { ticketId: ticket.id, contactId: ticket.contactId },
              audience: { ticket },
            })
        })
        .catch((err: unknown) => log.debug({ err }, 'typing was not told'))
    },
    acceptsGroups: async (companyId) => (await facts.of(companyId)).settings.CheckMsgIsGroup === 'disabled',
    log,
  })
  const calls = await callSessions({ db, sql, runner: whatsapp, serverId, shared, log })
  stops.push(() => calls.close())
  const sessions = sessionsFor({ db, runner: calls })
  const person = ({ participant, ...target }: LineTarget) => ({
    ...target,
    participant: participant === null ? null : { number: participant, lid: null },
  })
  const port: WhatsappPort = {
    send: async (message) => {
      if (message.by === 'many') await agentsFirst.clear()
      await whenOpen(whatsapp.send(message))
      activity.went(message.whatsappId)
    },
    typing: (id, chat, state) => whenOpen(whatsapp.presence(id, chat, state)),
    edit: (target, body) => whenOpen(whatsapp.edit(target.whatsappId, person(target), body)),
    revoke: (target) => whenOpen(whatsapp.revoke(target.whatsappId, person(target))),
    react: (target, emoji) => whenOpen(whatsapp.react(target.whatsappId, person(target), emoji)),
    markRead: (targets) => whenOpen(whatsapp.markRead(targets[0]?.whatsappId ?? 0, targets.map(person))),
    fetchMedia: (id, wid, sink) => whenOpen(whatsapp.fetchMedia(id, wid, sink)),
    profilePicture: (id, chat) => whenOpen(whatsapp.profilePicture(id, chat)),
  }

  // ── jobs and clocks ────────────────────────────────────────────────────────────────────────
  const runsDeps = { db, rules, graphs, now, log: automationLog, committed }
  const tools = createMediaTools({ log: log.child({ part: 'media' }), media })
  const worker = startJobWorker({
    sql,
    log: log.child({ part: 'jobs' }),
    handlers: {
      ...messageEffects({
        db,
        whatsapp: port,
        media,
        tools,
        maxMediaBytes: config.maxUploadBytes,
        now,
        committed,
        beforeMany: async (companyId) => callsFirst.get(companyId)?.clear(),
        toldFlow: ({ runId, n }, at) =>
          tellRun(
            runsDeps,
            runId,
            at ? { kind: 'left', n, at: at.getTime() } : { kind: 'sendFailed', n },
            `${runId}:${n}:${at ? 'left' : 'failed'}`,
          ),
      }),
      ...automationEffects({
        ...runsDeps,
        bots: createBots({ db, sealer, outside, now }),
        openSecrets: (companyId, names, host) => openSecrets(db, sealer, companyId, names, host),
        mediaUrl: createMediaLinks(config, now).to,
        media,
        outside,
        maxMediaBytes: config.maxUploadBytes,
      }),
      ...ticketEffects({ db, facts, now, committed, rejectCall: (id, callId) => whatsapp.rejectCall(id, callId) }),
      ...pushEffects({
        db,
        push,
        facts,
        now,
        principalOf: (userId) => deps.auth.principalOf(userId),
        isHere: (userId) => deps.hub.isHere(userId),
        wake: () => worker.wake(),
      }),
      ...mediaEffects({ db, media }),
      ...campaignEffects({ send: port.send }),
      ...optOutEffects({ db, events, now }),
      ...webhookEffects({ db, mailer, publicUrl: config.publicUrl }),
      ...noticeEffects({ db, mailer, push, publicUrl: config.publicUrl, now }),
      'invoices.takeBack': (effect) => deps.payments.takeBack(effect),
      ...companyEffects({ db, media, events, forgetSession: (id) => sessions.forget(id) }),
      ...passwordResetEffects({
        db,
        mailer,
        hashOf: (text) => deps.tokens.hashOf(text),
        publicUrl: config.publicUrl,
        now,
      }),
    },
    openConnections: () => whatsapp.openIds(),
  })
  const sender = createSender({
    db,
    now,
    log: log.child({ part: 'campaigns' }),
    facts,
    bulk: bulkFacts,
    openConnections: () => whatsapp.openIds(),
    send: port.send,
    clear: () => agentsFirst.clear(),
    ahead: (id, people) => whatsapp.ahead(id, people),
    held: (id, wids) => whatsapp.held(id, wids),
    checkNumber: sessions.checkNumber,
    fileContent: (companyId, file) => fileContent(tools, companyId, file),
    changed: tellCampaign,
    committed,
  })
  stops.push(() => whatsapp.stop())
  stops.push(() => worker.stop())
  stops.push(() => sender.stop())

  const clock = (pattern: string, name: string, work: () => Promise<void>) => {
    const cron = new Cron(
      pattern,
      { protect: true, catch: (err) => log.error({ err, clock: name }, 'a clock failed') },
      () => {
        doing(`clock ${name}`)
        return work()
      },
    )
    stops.push(() => cron.stop())
    return cron
  }
  const { electric } = config
  const health = async (): Promise<Health> => {
    const database = await within(2_000, db.execute(query`SELECT 1`)).then(
      () => 'up',
      () => 'down',
    )
    const sync = shapeServer ? shapeServer.health() : await electricHealth(electric!.url)
    const connections = database === 'up' ? await connectionCounts(db).catch(() => undefined) : undefined
    return {
      ok: database === 'up' && sync === 'active',
      database,
      sync,
      connections: { ...connections, openHere: whatsapp.openIds().length },
      sockets: { events: deps.hub.size(), sync: sockets.count(), waiting: proxy.waiting() },
      version: packageJson.version,
    }
  }

  const webhooks = startWebhooks({
    ...{ db, sql, now, outside, sealer, events, log: log.child({ part: 'webhooks' }) },
    told: () => worker.wake(),
  })
  stops.push(() => webhooks.stop())

  // ── people ─────────────────────────────────────────────────────────────────────────────────
  const runCommand = createCommandRunner({ db, now, committed })
  const deps = buildAppDeps({
    db,
    sql,
    config,
    log,
    now,
    runCommand: async (who, call) => {
      const wid = call.name === 'messages.send' && widOfInput(call.input)
      if (!wid) return runCommand(who, call)
      agentsFirst.begins(wid)
      return runCommand(who, call).catch((error: unknown) => {
        agentsFirst.ends(wid)
        throw error
      })
    },
    committed: (changes) => committed(changes),
    bulkBegan: (companyId) => bulkFacts.began(companyId),
    writing: (companyId, isWriting) => {
      if (!isWriting) {
        callsFirst.get(companyId)?.ends('calls')
        callsFirst.delete(companyId)
        return
      }
      const way = createRightOfWay({ mostMs: 5_000, patienceMs: 250 })
      way.begins('calls')
      callsFirst.set(companyId, way)
    },
    webhooks,
    events,
    media,
    push,
    outside,
    sealer,
    facts,
    rules,
    graphs,
    sessions,
    onRightsChanged: (userId) => {
      void sockets
        .dropUser(userId, 'rights')
        .catch((err: unknown) => log.error({ err, userId }, 'sync goes on with old rights'))
    },
    onDoorsChanged: (companyId) => {
      void sockets.recheck(companyId).catch((err: unknown) => log.error({ err, companyId }, 'sockets stay open'))
    },
    health,
    version: packageJson.version,
    clientDir: options.clientDir ?? join(import.meta.dir, '..', 'client', 'dist'),
  })
  stops.push(() => deps.hub.close())

  // ── sync ───────────────────────────────────────────────────────────────────────────────────
  const principalOf = (userId: number) => deps.auth.principalOf(userId)
  const syncLog = log.child({ part: 'sync' })
  const embedded = shapeServer
  const proxy = createShapeProxy({
    backend: embedded
      ? (request, answered) => embedded.hold(request, answered)
      : backendOverHttp({ fetch: (request) => fetch(request), url: electric!.url, log: syncLog }),
    ...(electric ? { secret: electric.secret } : {}),
    principalOf,
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
    log: syncLog,
  })
  const sockets = createLiveSockets({ proxy, principalOf })
  stops.push(
    events.listen((event) => {
      if (event.name === 'auth' && event.audience?.userId !== undefined)
        void sockets.dropUser(event.audience.userId, 'ended')
      // Another server changed the user. Here it is known already, and once more does no harm.
      if (shared && event.name === 'user' && typeof event.id === 'number') deps.onRightsChanged(event.id)
      if (event.name === 'settings' || event.name === 'company') facts.forget(event.companyId)
      if (event.name === 'campaign') bulkFacts.forget(event.companyId)
      if (changesRules.has(event.name)) rules.forget(event.companyId)
    }),
  )
  clock('* * * * *', 'presence', async () => deps.tellPresence(await markSilentOffline(db, now())))
  clock('* * * * *', 'sockets', () => sockets.recheck())
  clock('* * * * *', 'idle tickets', async () =>
    committed(await closeIdleTickets({ db, now, facts, defaultHours: config.autoCloseHours })),
  )
  clock('* * * * *', 'waiting tickets', async () => committed(await queueWaitingTickets({ db, now })))
  clock('* * * * * *', 'flows', async () => {
    // As long as many are due, the next ones are taken up at once.
    while ((await wakeRuns(runsDeps, whatsapp.openIds())) >= 2_000);
  })
  clock('*/10 * * * * *', 'schedules', async () => {
    await sendDueSchedules({
      db,
      now,
      facts,
      principalOf: async (tx, userId) => (await loadAccess(tx, userId))?.who,
      committed,
      bulkBegan: (companyId) => bulkFacts.began(companyId),
    })
  })
  const planning = {
    db,
    now,
    log,
    changed: (campaign: { id: number; companyId: number; whatsappId: number | null }) => {
      bulkFacts.forget(campaign.companyId)
      tellCampaign(campaign)
    },
  }
  clock('* * * * * *', 'campaigns', async () => {
    await startDue(planning)
    await planCampaigns(planning)
    await sender.tick()
  })
  clock('* * * * * *', 'number checks', async () => {
    await checkLists({ db, now, checkNumber: sessions.checkNumber, events, log })
  })
  // Often, and once for each due date: a server that was off at an hour of the day would bill a day later.
  const bill = async () => void (await makeDueInvoices({ db, events, now }))
  clock('7 * * * *', 'invoices', bill)
  const notices = clock('17 * * * *', 'due notices', async () => {
    if ((await tellDue(db, now())) > 0) worker.wake()
  })
  // Shortly before an hour ends, wherever a day ends with it: who was there today is known today only.
  const usage = clock('28,58 * * * *', 'usage', () => countUsage(db, now()))
  clock('*/10 * * * * *', 'payments', () => deps.payments.check())
  clock('* * * * *', 'audit anchors', () => anchorAudit({ db, sealer, log }))
  clock('*/5 * * * *', 'flow counts', async () => void (await countTrails(sql)))
  clock('17 3 * * *', 'sweep', () => sweepJobs(sql))
  clock('37 3 * * *', 'sweep webhooks', () => sweepDeliveries(sql))
  clock('47 3 * * *', 'sweep bulk', async () => void (await sweepBulk(db, now())))
  clock('27 3 * * *', 'sweep automation', () => sweepAutomation(sql))
  clock('37 3 * * *', 'sweep flow files', async () => void (await sweepFlowFiles(db)))

  const app = createApp(deps).use(syncRoutes(deps, { proxy, sockets }))
  app.listen({ hostname: config.host, port: config.port })
  stops.push(() => app.server?.stop(true))
  // A new installation has something to show, too.
  void usage.trigger()
  // Who should have been told while no server was there is not told an hour later still.
  void notices.trigger()
  // A port that is taken is told by the system at once, before anything is promised to anybody.
  void whatsapp.resume().catch((err: unknown) => log.error({ err }, 'connections were not taken up; trying again'))
  return { url: `http://${config.host}:${app.server?.port}`, deps, databaseUrl }
}

/** The WhatsApp id of the message that a command is about to send; its input is not checked yet. */
const widOfInput = (input: unknown): string | null =>
  typeof input === 'object' && input !== null && 'id' in input && typeof input.id === 'string' ? widOf(input.id) : null

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

/** A link that went down between the claim of a job and its work is no failure of the job. */
async function whenOpen<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof DomainError && error.code === 'ERR_WAPP_NOT_INITIALIZED')
      throw new NotNow('the connection is not open')
    throw error
  }
}

/** Where the database is reached, as `OutsideDeps.never` names it. */
async function placesOf(databaseUrl: string): Promise<() => readonly string[]> {
  const { hostname, port } = new URL(databaseUrl)
  const found = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => [])
  const names = [hostname, ...found.map(({ address }) => plainAddress(address))]
  const places = names.map((name) => `${name}:${port || 5432}`)
  return () => places
}

async function electricHealth(url: string): Promise<string> {
  try {
    const response = await fetch(new URL('/v1/health', url), { signal: AbortSignal.timeout(2_000) })
    return ((await response.json()) as { status?: string }).status ?? 'unknown'
  } catch {
    return 'down'
  }
}

function within<T>(ms: number, work: PromiseLike<T>): Promise<T> {
  return Promise.race([work, Bun.sleep(ms).then(() => Promise.reject(new Error(`no answer in ${ms} ms`)))])
}
