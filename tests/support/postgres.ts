import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { connectDatabase, type Database } from '../../server/db/database.ts'
import { migrateDatabase, migrationsFolder } from '../../server/db/migrate.ts'

/** A database of a test's own, migrated, on a Postgres with `wal_level=logical` that all test processes share. */
export type TestDatabase = Database & {
  url: string
  /** Closes the pool and drops the database, its replication slots included. */
  close: () => Promise<void>
}

/**
 * Makes a database as a copy of the migrated template, in some 50 ms.
 * @param max most connections of the returned pool
 */
export async function testDatabase({ max = 10 }: { max?: number } = {}): Promise<TestDatabase> {
  const server = await testServer()
  const template = await templateOf(server)
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await asAdmin(server, (sql) => sql`CREATE DATABASE ${sql(name)} TEMPLATE ${sql(template)}`)
  return opened(server, name, max)
}

/** A database without tables, for tests of the migrations and of the shape server. */
export async function emptyTestDatabase({ max = 10 }: { max?: number } = {}): Promise<TestDatabase> {
  const server = await testServer()
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await asAdmin(server, (sql) => sql`CREATE DATABASE ${sql(name)}`)
  return opened(server, name, max)
}

function opened(server: string, name: string, max: number): TestDatabase {
  const url = urlOf(server, name)
  const database = connectDatabase(url, { max, name: 'balcao-test' })
  return {
    ...database,
    url,
    close: async () => {
      await database.close()
      await asAdmin(server, (sql) => drop(sql, name))
    },
  }
}

async function drop(sql: postgres.Sql, name: string): Promise<void> {
  // A database with a slot cannot be dropped, a slot in use not either.
  for (let attempt = 1; ; attempt++) {
    try {
      await sql`SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE database = ${name} AND active`
      await sql`SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE database = ${name} AND NOT active`
      await sql`DROP DATABASE IF EXISTS ${sql(name)} WITH (FORCE)`
      return
    } catch (error) {
      if (attempt === 20) throw error
      await Bun.sleep(50)
    }
  }
}

// ── the template ─────────────────────────────────────────────────────────────────────────────

let template: Promise<string> | undefined

/** The name of the migrated database that matches the migrations as they are now. */
function templateOf(server: string): Promise<string> {
  template ??= makeTemplate(server)
  return template
}

async function makeTemplate(server: string): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  for (const path of [...new Bun.Glob('**/*.{sql,json}').scanSync(migrationsFolder)].sort()) {
    hash.update(path).update(readFileSync(join(migrationsFolder, path)))
  }
  const name = `template_${hash.digest('hex').slice(0, 16)}`
  await asAdmin(server, async (sql) => {
    // One process makes it, the others wait here.
    await sql`SELECT pg_advisory_lock(${4_711})`
    const [found] = await sql`SELECT FROM pg_database WHERE datname = ${name}`
    if (found) return
    const draft = `draft_${randomUUID().replaceAll('-', '')}`
    await sql`CREATE DATABASE ${sql(draft)}`
    await migrateDatabase(urlOf(server, draft))
    await sql`ALTER DATABASE ${sql(draft)} RENAME TO ${sql(name)}`
  })
  return name
}

async function asAdmin<T>(server: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(server, { max: 1, onnotice: () => undefined })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

function urlOf(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

// ── the server, kept by a process of its own ─────────────────────────────────────────────────

const startWithinMs = 90_000
let attached: Promise<string> | undefined

/** Address of the shared server. It runs for as long as any process that asked for it. */
function testServer(): Promise<string> {
  attached ??= attach()
  return attached
}

async function attach(): Promise<string> {
  const copy = new Bun.CryptoHasher('sha256')
    .update(import.meta.dir)
    .digest('hex')
    .slice(0, 12)
  const place = join(tmpdir(), `balcao-tests-${userInfo().uid}-${copy}`)
  mkdirSync(place, { recursive: true, mode: 0o700 })
  const deadline = Date.now() + startWithinMs
  for (let attempt = 0; Date.now() < deadline; attempt++) {
    const url = await greet(join(place, 'socket'))
    if (url) return url
    // A keeper that finds another at work leaves at once, so asking again does no harm.
    if (attempt % 40 === 0) startKeeper(place)
    await Bun.sleep(50)
  }
  throw new Error(`No Postgres for the tests: ${readFileSync(join(place, 'keeper.log'), 'utf8').slice(-2_000)}`)
}

/** The server's address from the keeper; the connection stays, and tells it that we are here. */
function greet(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket: Socket = connect(path)
    socket.setEncoding('utf8')
    socket.once('error', () => resolve(undefined))
    socket.once('close', () => resolve(undefined))
    socket.once('data', (line) => {
      socket.unref()
      resolve(String(line).trim())
    })
  })
}

function startKeeper(place: string): void {
  const log = openSync(join(place, 'keeper.log'), 'a', 0o600)
  // Started through a shell that leaves at once: the test runner ends what it sees as its own children, and this one
  // serves the other test processes too.
  const keeper = spawn(
    '/bin/sh',
    ['-c', '"$0" "$1" "$2" &', process.execPath, join(import.meta.dir, 'postgres-keeper.ts'), place],
    {
      detached: true,
      stdio: ['ignore', log, log],
    },
  )
  keeper.unref()
  closeSync(log)
}
