/** A company, numbers of a simulated official API, and the webhook's address, for the tests beside this file. */
import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import type { InboundEvent } from '../../schema/messages/messages.inbound.ts'
import type { TemplateNotice } from '../../schema/templates/templates.service.ts'
import type { SessionChange } from '../../schema/whatsapps/whatsapps.session.ts'
import { FakeCloudApi, type FakeApp, type FakeNumber } from '../../tests/fakes/cloud-api/server.ts'
import { testDatabase, type TestDatabase } from '../../tests/support/postgres.ts'
import { parseAllowed } from '../outside/addresses.ts'
import { createOutside } from '../outside/outside.ts'
import { createSealer, type Sealer } from '../seal.ts'
import {
  type CloudDeps,
  type CloudPreference,
  type CloudRefusal,
  type CloudWarning,
  createCloud,
} from './cloud.channel.ts'
import { hookOf, markOf, sealSecret } from './cloud.secrets.ts'

export type Cloud = ReturnType<typeof createCloud>

export async function until(probe: () => boolean, what: string, ms = 15_000): Promise<void> {
  for (const deadline = Date.now() + ms; !probe(); await Bun.sleep(10))
    if (Date.now() > deadline) throw new Error(`waited ${ms} ms for ${what}`)
}

export interface CloudConnection {
  id: number
  number: FakeNumber
  app: FakeApp
  token: string
}

export class CloudWorld {
  readonly events: InboundEvent[] = []
  readonly changes: { id: number; change: SessionChange }[] = []
  readonly templates: { connections: readonly unknown[]; notices: readonly TemplateNotice[] }[] = []
  readonly preferences: CloudPreference[] = []
  readonly refusals: CloudRefusal[] = []
  /** Whose accounts turned out to be. */
  readonly owners: string[] = []
  readonly warnings: { whatsappId: number; warning: CloudWarning }[] = []
  /** Of phones' histories, as they were kept. */
  readonly pieces: string[] = []
  readonly running: Cloud[] = []
  readonly sealer: Sealer = createSealer(randomBytes(32))
  /** Replaces the product's end of the line. */
  receive: ((events: InboundEvent[]) => Promise<void>) | null = null
  now: () => Date = () => new Date()
  companyId = 0
  private readonly web: ReturnType<typeof Bun.serve>

  private constructor(
    readonly database: TestDatabase,
    readonly fake: FakeCloudApi,
  ) {
    this.web = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => this.hook(request) })
  }

  static async open(): Promise<CloudWorld> {
    const world = new CloudWorld(await testDatabase(), await FakeCloudApi.open())
    world.companyId = await world.company()
    return world
  }

  async company(): Promise<number> {
    const [row] = await this.database.sql<{ id: number }[]>`
      INSERT INTO companies ("name") VALUES (${randomBytes(4).toString('hex')}) RETURNING "id"`
    return row!.id
  }

  async close(): Promise<void> {
    await this.fake.stop()
    await Promise.all(this.running.map(({ channel }) => channel.stop()))
    await this.web.stop(true)
    await this.database.close()
  }

  /** As the route does it, without the rest of the web; any server of the database may be asked. */
  private async hook(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const hook = pathname.slice(1)
    const cloud = this.running.at(-1)
    if (!cloud) return new Response('', { status: 503 })
    if (request.method === 'GET') {
      const isOurs = await cloud.inbox.isOurs(hook, searchParams.get('hub.verify_token') ?? '')
      return isOurs ? new Response(searchParams.get('hub.challenge')) : new Response('', { status: 403 })
    }
    const raw = new Uint8Array(await request.arrayBuffer())
    const taken = await cloud.inbox
      .take(hook, raw, request.headers.get('x-hub-signature-256') ?? '')
      .catch(() => 'full' as const)
    return new Response('', { status: { kept: 200, unknown: 404, forged: 401, full: 503 }[taken] })
  }

  deps(): CloudDeps {
    return {
      sql: this.database.sql,
      sealer: this.sealer,
      serverId: randomBytes(4).toString('hex'),
      base: this.fake.url,
      outside: createOutside({ allow: [parseAllowed('127.0.0.1')] }),
      localMedia: (path, work) => work(path),
      receive: async (events) => {
        if (this.receive) await this.receive(events)
        this.events.push(...events)
      },
      onTemplates: async (connections, notices) => void this.templates.push({ connections, notices }),
      onPreferences: async (told) => void this.preferences.push(...told),
      onRefused: async (_connection, refusal) => void this.refusals.push(refusal),
      onOwner: async ({ accountId, portfolioId }) => {
        await this.database
          .sql`UPDATE cloud_numbers SET "portfolioId" = ${portfolioId} WHERE "accountId" = ${accountId}`
        this.owners.push(portfolioId)
      },
      onWarning: async ({ whatsappId }, warning) => void this.warnings.push({ whatsappId, warning }),
      onHistory: async (_connection, pieces) => void this.pieces.push(...pieces),
      onSession: async (id, change) => {
        if (change.lastError !== undefined)
          await this.database
            .sql`UPDATE whatsapps SET "lastError" = ${change.lastError}, "updatedAt" = ${this.now().toISOString()}
            WHERE "id" = ${id}`
        this.changes.push({ id, change })
      },
      now: () => this.now(),
      log: pino({ level: process.env.LOG ?? 'silent' }),
      timing: { probe: 60, probeDown: 40, tick: 20, poll: 50, await: 400, look: 20 },
    }
  }

  server(overrides: Partial<CloudDeps> = {}): Cloud {
    const cloud = createCloud({ ...this.deps(), ...overrides })
    this.running.push(cloud)
    return cloud
  }

  /** A connection that nobody has started, and the number that it is to speak over. */
  async connection(given: { companyId?: number; app?: FakeApp; number?: FakeNumber } = {}): Promise<CloudConnection> {
    const { companyId = this.companyId, app = this.fake.app(), number = this.fake.number() } = given
    const name = randomBytes(8).toString('hex')
    const { sql } = this.database
    const [row] = await sql<{ id: number }[]>`INSERT INTO whatsapps ("companyId", "name", "token", "provider", "wanted")
      VALUES (${companyId}, ${name}, ${name}, 'official', false) RETURNING "id"`
    const { id } = row!
    const token = this.fake.token(app, [number.account])
    const secret = (text: string, which: Parameters<typeof sealSecret>[3]) => sealSecret(this.sealer, text, id, which)
    await sql`INSERT INTO cloud_numbers ("whatsappId", "companyId", "phoneNumberId", "accountId", "token", "appSecret", "verifyToken",
      "hook", "appMark", "version") VALUES (${id}, ${companyId}, ${number.id}, ${number.account}, ${secret(token, 'token')},
      ${secret(app.secret, 'appSecret')}, ${secret('a word', 'verifyToken')}, ${hookOf(app.secret)}, ${markOf(app.secret)}, 'v26.0')`
    return { id, number, app, token }
  }

  hookUrl = (app: FakeApp) => `http://127.0.0.1:${this.web.port}/${hookOf(app.secret)}`

  /** Starts it, and does at the service what an admin does there. */
  async link({ channel }: Pick<Cloud, 'channel'>, { id, number, app }: CloudConnection): Promise<void> {
    await channel.start(id)
    if (!(await this.fake.setCallback(app, this.hookUrl(app), 'a word'))) throw new Error('the address was not taken')
    this.subscribe(number, app)
  }

  subscribe(number: FakeNumber, app: FakeApp): void {
    const apps = this.fake.subscribed.get(number.account) ?? new Set()
    this.fake.subscribed.set(number.account, apps.add(app))
  }

  /** Started, and heard of. */
  async linked(given: Parameters<CloudWorld['connection']>[0] = {}) {
    const cloud = this.server()
    const connection = await this.connection(given)
    await this.link(cloud, connection)
    return { cloud, ...connection }
  }

  async ignored(): Promise<Record<string, number>> {
    const rows = await this.database.sql<{ reason: string; count: number }[]>`
      SELECT "reason", sum("count")::int AS count FROM cloud_ignored GROUP BY 1`
    return Object.fromEntries(rows.map(({ reason, count }) => [reason, count]))
  }

  async fullDisk(work: () => Promise<void>): Promise<void> {
    const { sql } = this.database
    await sql.unsafe(`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'disk full'; END $$;
      CREATE TRIGGER full_disk BEFORE INSERT ON cloud_hooks EXECUTE FUNCTION full_disk()`)
    try {
      await work()
    } finally {
      await sql.unsafe('DROP TRIGGER full_disk ON cloud_hooks; DROP FUNCTION full_disk()')
    }
  }
}
