import { rulesFacts } from '../../server/automation/automation.facts.ts'
import { createGraphs } from '../../server/automation/automation.graphs.ts'
import { createRuleBook } from '../../server/rules/rules.follow.ts'
import { createSla } from '../../server/sla-policies/sla.follow.ts'
import { companyFacts } from '../../server/settings/settings.facts.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beginAnchors } from '../../server/audit/anchors.changes.ts'
import { chatEmitter } from '../../server/chats/chats.events.ts'
import { type Change, followDecisions } from '../../server/commands/apply.ts'
import { createCommandRunner } from '../../server/commands/run.ts'
import { createEvents, type Events, type LiveEvent } from '../../server/events/bus.ts'
import { createApp } from '../../server/http/app.ts'
import { buildAppDeps } from '../../server/http/build-deps.ts'
import type { InboundEvent } from '../../schema/messages/messages.inbound.ts'
import type { AppDeps, Sessions } from '../../server/http/deps.ts'
import { createCloud } from '../../server/cloud/cloud.channel.ts'
import { stopRefused } from '../../server/campaigns/campaigns.stop.ts'
import { notePreferences } from '../../server/opt-outs/opt-outs.changes.ts'
import { fileSoon } from '../../server/tickets/history.changes.ts'
import { templatesChanged } from '../../server/templates/templates.changes.ts'
import { createCloudDesk } from '../../server/cloud/cloud.desk.ts'
import { tellAdmins } from '../../server/whatsapps/whatsapps.notices.ts'
import { adoptPortfolio } from '../../server/contacts/contacts.portfolio.ts'
import { createLogger } from '../../server/log.ts'
import { createMediaStore } from '../../server/media/media-store.ts'
import { parseAllowed } from '../../server/outside/addresses.ts'
import { createOutside } from '../../server/outside/outside.ts'
import { createPushService } from '../../server/push/push.sender.ts'
import { startWebhooks } from '../../server/webhooks/webhooks.deliver.ts'
import { scheduleEmitter } from '../../server/schedules/schedules.events.ts'
import { createSealer } from '../../server/seal.ts'
import { examples } from '../example-data.ts'
import { type TestDatabase, testDatabase } from './postgres.ts'

export const PASSWORD = 'segredo1'

export interface Reply {
  status: number
  headers: Headers
  // A test reads whatever the route answers.
  body: any
}

/** The app on a database of its own, with a clock that the test turns and WhatsApp sessions that only remember. */
export interface TestApp {
  /** The folder in which the app's files lie. */
  mediaRoot: string
  database: TestDatabase
  deps: AppDeps
  app: ReturnType<typeof createApp>
  events: Events
  emitted: LiveEvent[]
  /** What was asked of the sessions, in order. */
  asked: [string, ...unknown[]][]
  sessions: Sessions
  /** What the official API told, as the product is given it. */
  heard: InboundEvent[]
  clock: { now: Date; advance(ms: number): void }
  /** Builders of rows; the password of every user is `PASSWORD`. */
  eg: ReturnType<typeof examples>
  call(method: string, path: string, options?: CallOptions): Promise<Reply>
  login(email: string, password?: string): Promise<string>
  close(): Promise<void>
}

export interface CallOptions {
  token?: string | undefined
  body?: unknown
  form?: FormData
  raw?: BodyInit
  headers?: Record<string, string>
}

/** A hash names its own cost: this one is checked at once, where one of the product takes 19 MiB and 70 ms at each sign-in. */
const cheap = { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 } as const
let passwordHash: Promise<string> | undefined

export async function testApp({
  clientDir,
  maxUploadBytes = 1_000_000,
  mail,
  log: hear,
  limitCalls = false,
  botBases,
  publicUrl,
  metricsToken,
  resolveTxt = async () => [],
  // Nobody listens there.
  cloudBase = 'http://127.0.0.1:9',
  // No test leaves this machine: there are no names outside.
  outside = createOutside({ allow: [parseAllowed('127.0.0.1')], resolve: async () => [] }),
}: {
  clientDir?: string
  maxUploadBytes?: number
  mail?: AppDeps['config']['mail']
  /** Is told every line of the log, as its facts. */
  log?: (line: Record<string, unknown>) => void
  /** Tests call more often than anybody may. */
  limitCalls?: boolean
  /** Where fakes of services stand whose address no admin names. */
  botBases?: AppDeps['botBases']
  publicUrl?: string
  metricsToken?: string
  outside?: AppDeps['outside']
  /** Where the official API is. */
  cloudBase?: string
  /** What the DNS says. */
  resolveTxt?: AppDeps['resolveTxt']
} = {}): Promise<TestApp> {
  const database = await testDatabase()
  const root = mkdtempSync(join(tmpdir(), 'balcao-media-'))
  const log = createLogger({
    level: hear ? 'info' : 'silent',
    pretty: false,
    ...(hear && { write: (line) => hear(JSON.parse(line) as Record<string, unknown>) }),
  })
  const clock = {
    now: new Date(),
    advance(ms: number) {
      clock.now = new Date(clock.now.getTime() + ms)
    },
  }
  const now = () => clock.now
  const asked: TestApp['asked'] = []
  const told =
    (name: string) =>
    async (...args: unknown[]): Promise<void> => {
      asked.push([name, ...args])
    }
  const sessions: Sessions = {
    start: told('start'),
    newQr: told('newQr'),
    logout: told('logout'),
    restartAll: told('restartAll'),
    forget: told('forget'),
    presence: told('presence'),
    requestPairingCode: async (id, number) => {
      asked.push(['requestPairingCode', id, number])
      return 'ABCD1234'
    },
    checkNumber: async (id, number) => {
      asked.push(['checkNumber', id, number])
      return number.endsWith('0000') ? null : { number }
    },
    health: async () => null,
  }
  const events = await createEvents({ sql: database.sql, log, shared: false })
  const emitted: LiveEvent[] = []
  events.listen((event) => emitted.push(event))
  const emitChats = chatEmitter({ db: database.db, events, log })
  const emitSchedules = scheduleEmitter({ db: database.db, events, log })
  const committed = (changes: Change[]) => {
    emitChats(changes)
    emitSchedules(changes)
    for (const { companyId, table, action, id, was } of changes) {
      const name = ({ tickets: 'ticket', messages: 'appMessage', contacts: 'contact' } as const)[table as 'tickets']
      if (name) events.emit({ companyId, name, action, id, ...(was && { was }) })
    }
  }
  const runCommand = createCommandRunner({ db: database.db, now, committed })
  const sealer = createSealer(Buffer.alloc(32, 7))
  // As the first start does.
  await beginAnchors(database.db, sealer)
  const sla = createSla({ db: database.db, now, log })
  const ruleBook = createRuleBook({ db: database.db, now })
  followDecisions(database.db, sla.follower, ruleBook.follower)
  events.listen(({ name, companyId }) => {
    if (name === 'slaPolicy' || name === 'company' || name === 'queue') sla.forget(companyId)
    if (name === 'rule') ruleBook.forget()
  })
  const graphs = createGraphs()
  const facts = companyFacts(database.db, 0)
  const webhooks = startWebhooks({ db: database.db, sql: database.sql, now, outside, sealer, events, log, pollMs: 200 })
  const push = createPushService({ db: database.db, sealer, subject: 'mailto:test@example.test', outside })
  const heard: InboundEvent[] = []
  const media = await createMediaStore({ root, secret: 'media secret' })
  const cloud = createCloud({
    ...{ sql: database.sql, sealer, serverId: 'test', base: cloudBase, outside, now, log },
    localMedia: media.local,
    receive: async (told) => void heard.push(...told),
    onSession: async () => undefined,
    onRefused: async ({ whatsappId }, refusal) =>
      void (await database.db.transaction((tx) => stopRefused(tx, whatsappId, refusal, now()))),
    onOwner: async (owned) => void (await database.db.transaction((tx) => adoptPortfolio(tx, owned))),
    onWarning: async ({ companyId, whatsappId }, warning, at) =>
      database.db.transaction((tx) => tellAdmins(tx, companyId, whatsappId, warning, at)),
    onPreferences: async (told) => void (await notePreferences(database.db, told)),
    onHistory: async ({ companyId, whatsappId }, pieces) => fileSoon(database.db, companyId, whatsappId, pieces),
    onTemplates: (connections, notices) => templatesChanged(database.db, connections, notices, now()),
  })
  const deps = buildAppDeps({
    db: database.db,
    sql: database.sql,
    config: {
      publicUrl,
      metricsToken,
      trustProxy: 1,
      limitCalls,
      maxUploadBytes,
      mail,
      sessionDays: 30,
      jwtSecret: 'a secret of thirty-two characters or more',
    },
    log,
    now,
    limitTime: () => clock.now.getTime(),
    runCommand,
    committed,
    webhooks,
    events,
    media,
    push,
    outside,
    resolveTxt,
    sealer,
    facts,
    rules: rulesFacts(database.db, facts, graphs, 0),
    graphs,
    ...(botBases && { botBases }),
    sessions,
    official: {
      ...createCloudDesk({
        ...{ db: database.db, sealer, base: cloudBase, now },
        onOwner: async (owned) => committed(await database.db.transaction((tx) => adoptPortfolio(tx, owned))),
      }),
      isOurs: cloud.inbox.isOurs,
      take: cloud.inbox.take,
    },
    templates: cloud.channel,
    health: async () => ({ ok: true, database: 'up' }),
    version: '5.0.0',
    clientDir,
  })
  const app = createApp(deps)

  const call: TestApp['call'] = async (method, path, { token, body, form, raw, headers } = {}) => {
    const response = await app.handle(
      new Request(`http://localhost${path}`, {
        method,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: form ?? raw ?? (body === undefined ? null : JSON.stringify(body)),
      }),
    )
    const text = await response.text()
    let parsed: unknown = text
    try {
      parsed = JSON.parse(text)
    } catch {
      // Not every answer is JSON.
    }
    return { status: response.status, headers: response.headers, body: parsed }
  }
  passwordHash ??= Bun.password.hash(PASSWORD, cheap)
  return {
    database,
    eg: examples(database.db, { passwordHash: await passwordHash }),
    deps,
    app,
    events,
    emitted,
    asked,
    heard,
    sessions,
    clock,
    mediaRoot: root,
    call,
    async login(email, password = PASSWORD) {
      const { status, body } = await call('POST', '/auth/login', { body: { email, password } })
      if (status !== 200) throw new Error(`login of ${email}: ${status} ${JSON.stringify(body)}`)
      return body.token as string
    },
    async close() {
      deps.hub.close()
      await webhooks.stop()
      await cloud.channel.stop()
      push.stop()
      await events.close()
      await database.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
