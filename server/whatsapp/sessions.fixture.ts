/** A company, a connection and a simulated WhatsApp, for the tests beside this file. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { pino } from 'pino'
import type { OutgoingContent } from '../../schema/messages/messages.content.ts'
import type { InboundEvent } from '../../schema/messages/messages.inbound.ts'
import {
  type Account,
  type Companion,
  type Contact,
  FakeWhatsapp,
  type Received,
} from '../../tests/fakes/whatsapp/server.ts'
import { testDatabase, type TestDatabase } from '../../tests/support/postgres.ts'
import { usualTiming } from './session.device.ts'
import type { NewChatFacts } from '../../schema/whatsapps/whatsapps.new-chats.ts'
import type { SessionChange } from '../../schema/whatsapps/whatsapps.session.ts'
import { createWhatsapp, type TypingEvent, type Whatsapp, type WhatsappDeps } from './sessions.ts'

export interface Row {
  status: string
  qrcode: string
  number: string
  retries: number
  lastError: string | null
  newChats?: Partial<NewChatFacts>
}

let phones = 0
export const phone = () => `55119${String(90_000_000 + ++phones)}`

/** Waits until `probe` returns something. @throws with what it last saw after `ms`. */
export async function until<T>(probe: () => T | Promise<T>, what: string, ms = 8_000): Promise<NonNullable<T>> {
  const deadline = Date.now() + ms
  for (;;) {
    const seen = await probe()
    if (seen) return seen
    if (Date.now() > deadline) throw new Error(`waited ${ms} ms for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

export class World {
  readonly events: InboundEvent[] = []
  readonly typing: TypingEvent[] = []
  readonly changes: { id: number; change: SessionChange }[] = []
  readonly rows = new Map<number, Row>()
  readonly running: Whatsapp[] = []
  readonly encryptionKey = randomBytes(32)
  groups = false
  /** The settings cannot be read just now. */
  troubled = false
  /** Replaces the product's end of the line. */
  receive: ((events: InboundEvent[]) => Promise<void>) | null = null
  companyId = 0

  private constructor(
    readonly database: TestDatabase,
    readonly fake: FakeWhatsapp,
  ) {}

  static async open(options: ConstructorParameters<typeof FakeWhatsapp>[0] = {}): Promise<World> {
    const database = await testDatabase()
    const world = new World(database, new FakeWhatsapp(options))
    const [company] = await database.sql<{ id: number }[]>`
      INSERT INTO companies ("name") VALUES ('Padaria') RETURNING "id"`
    world.companyId = company!.id
    return world
  }

  async close(): Promise<void> {
    await Promise.all(this.running.map((whatsapp) => whatsapp.stop()))
    await this.fake.stop()
    await this.database.close()
  }

  /** A connection that nobody has started. Nobody wants it yet: another server of the same test would take it up. */
  async connection(): Promise<number> {
    const token = randomBytes(8).toString('hex')
    const [row] = await this.database.sql<{ id: number }[]>`
      INSERT INTO whatsapps ("companyId", "name", "token", "wanted") VALUES (${this.companyId}, ${token}, ${token}, false) RETURNING "id"`
    this.rows.set(row!.id, { status: 'DISCONNECTED', qrcode: '', number: '', retries: 0, lastError: null })
    return row!.id
  }

  /** One server process. */
  server(overrides: Partial<WhatsappDeps> = {}): Whatsapp {
    const whatsapp = createWhatsapp({ ...this.deps(), ...overrides })
    this.running.push(whatsapp)
    return whatsapp
  }

  /** What a server process brings. */
  deps(): WhatsappDeps {
    return {
      sql: this.database.sql,
      encryptionKey: this.encryptionKey,
      serverId: randomBytes(4).toString('hex'),
      waSocket: { url: this.fake.wsUrl, certKey: Buffer.from(this.fake.noise.root.public) },
      localMedia: (path, work) => work(path),
      receive: async (events) => {
        if (this.receive) await this.receive(events)
        this.events.push(...events)
      },
      onSession: async (id, change) => {
        this.changes.push({ id, change })
        const row = this.rows.get(id)
        const newChats = { ...row?.newChats, ...change.newChats }
        if (row) Object.assign(row, change, { newChats })
      },
      onTyping: (event) => this.typing.push(event),
      acceptsGroups: () => {
        if (this.troubled) throw new Error('the settings are away')
        return this.groups
      },
      log: pino({ level: process.env.LOG ?? 'silent' }),
      timing: { ...usualTiming, backoff: { baseMs: 30, capMs: 200 }, connectMs: 3_000, ackMs: 1_000 },
    }
  }

  /** Starts a connection and scans its QR. */
  async linked(whatsapp: Whatsapp, account: Account = this.fake.account(phone())): Promise<Linked> {
    const id = await this.connection()
    await whatsapp.start(id)
    await this.database.sql`UPDATE whatsapps SET "wanted" = true WHERE "id" = ${id}`
    const qr = await this.qr(id)
    this.fake.scan(account, qr)
    await this.at(id, 'CONNECTED')
    return { id, account, companion: [...account.companions.values()].at(-1)! }
  }

  /**
   * A server process to be killed, whose product takes nothing.
   * @param seen it has the usual leases, and others look whether it lives
   */
  child(id: number, { seen = false } = {}): Bun.Subprocess {
    return Bun.spawn([process.execPath, join(import.meta.dir, 'sessions.child.ts')], {
      env: {
        ...process.env,
        DATABASE_URL: this.database.url,
        WS_URL: this.fake.wsUrl,
        CERT_KEY: Buffer.from(this.fake.noise.root.public).toString('base64'),
        KEY: this.encryptionKey.toString('base64'),
        ID: String(id),
        ...(seen && { SEEN: 'yes' }),
      },
      stdout: 'inherit',
      stderr: 'inherit',
    })
  }

  /** The server that comes after one that was killed. */
  async takeOver(id: number): Promise<Whatsapp> {
    const next = this.server()
    await until(
      async () => {
        await next.resume()
        return next.openIds().includes(id)
        // It takes up the connections of all tests before, one after the other.
      },
      'the lease of the dead process to run out',
      30_000,
    )
    return next
  }

  /** While the work goes on, nothing can be journalled. */
  async fullDisk(work: () => Promise<void>): Promise<void> {
    const { sql } = this.database
    await sql.unsafe(`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'disk full'; END $$;
      CREATE TRIGGER full_disk BEFORE INSERT ON whatsapp_journal EXECUTE FUNCTION full_disk()`)
    try {
      await work()
    } finally {
      await sql.unsafe('DROP TRIGGER full_disk ON whatsapp_journal; DROP FUNCTION full_disk()')
    }
  }

  qr(id: number): Promise<string> {
    return until(() => this.rows.get(id)!.qrcode, `the QR of ${id}`)
  }

  async at(id: number, status: string, ms?: number): Promise<Row> {
    await until(() => this.rows.get(id)!.status === status, `${id} to be ${status}`, ms)
    return this.rows.get(id)!
  }

  contact(name = 'Ana'): Contact {
    return this.fake.contact(phone(), name)
  }

  event<K extends InboundEvent['kind']>(
    kind: K,
    wid: string,
    check: (event: Extract<InboundEvent, { kind: K }>) => boolean = () => true,
  ): Promise<Extract<InboundEvent, { kind: K }>> {
    return until(
      () =>
        this.events.find(
          (event): event is Extract<InboundEvent, { kind: K }> =>
            event.kind === kind &&
            'wid' in event &&
            event.wid === wid &&
            check(event as Extract<InboundEvent, { kind: K }>),
        ),
      `${kind} ${wid}`,
    )
  }

  async arrived(who: Contact, wid: string): Promise<Received> {
    return until(() => who.inbox.find((received) => received.id === wid), `${wid} on the phone of ${who.name}`)
  }

  journal() {
    return this.database.sql<{ wid: string; error: string | null; attempts: number }[]>`
      SELECT "wid", "error", "attempts" FROM whatsapp_journal ORDER BY "id"`
  }
}

export interface Linked {
  id: number
  account: Account
  companion: Companion
}

export const wid = () => `3EB0${randomBytes(9).toString('hex').toUpperCase()}`

/** A message of ours to a contact. */
export function outgoing(world: World, id: number, to: Contact, content: OutgoingContent | string) {
  return {
    messageId: crypto.randomUUID(),
    companyId: world.companyId,
    whatsappId: id,
    wid: wid(),
    to: { kind: 'person' as const, number: to.pn, lid: null as string | null },
    content: typeof content === 'string' ? { type: 'text' as const, text: content } : content,
    quoted: null as { wid: string; fromMe: boolean; participant: string | null; body: string } | null,
  }
}
