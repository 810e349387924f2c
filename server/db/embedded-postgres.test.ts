import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { createLogger } from '../log.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { migrateDatabase } from './migrate.ts'

// A first start writes 40 MB.
setDefaultTimeout(60_000)

const log = createLogger({ level: 'silent' })
let dataDir: string
let running: EmbeddedPostgres[]
let apps: Bun.Subprocess[]

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'balcao-postgres-'))
  running = []
  apps = []
})
afterEach(async () => {
  for (const app of apps) app.kill('SIGKILL')
  for (const server of running) await server.stop()
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

async function start(place = dataDir, superuser = false): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir: place, fast: true, superuser, log })
  running.push(server)
  return server
}

async function query<T extends postgres.MaybeRow[]>(url: string, text: string): Promise<T> {
  const sql = postgres(url, { max: 1, connect_timeout: 5 })
  try {
    return await sql.unsafe<T>(text)
  } finally {
    await sql.end()
  }
}

test('in a folder that only its owner may enter, it starts, keeps what it is given, and knows accents', async () => {
  const place = join(dataDir, 'closed', 'data')
  mkdirSync(place, { recursive: true })
  chmodSync(join(dataDir, 'closed'), 0o700)

  const first = await start(place)
  await query(first.url, `CREATE TABLE kept AS SELECT lower('ÁÉÇ') AS text`)
  await first.stop()

  const second = await start(place)
  expect([...(await query(second.url, 'SELECT text FROM kept'))]).toEqual([{ text: 'áéç' }])
  expect([...(await query(second.url, 'SHOW wal_level'))]).toEqual([{ wal_level: 'logical' }])
})

test('only the password opens it', async () => {
  const { url } = await start()
  const without = new URL(url)
  without.password = 'wrong'
  await expect(query(without.href, 'SELECT 1')).rejects.toThrow(/password/)
})

/** What the server needs and what it must not have. */
async function expectLeastRights(url: string): Promise<void> {
  const [role] = await query(
    url,
    `SELECT rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication FROM pg_roles WHERE rolname = current_user`,
  )
  expect(role).toEqual({
    rolsuper: false,
    rolcreaterole: false,
    rolcreatedb: false,
    rolbypassrls: false,
    rolreplication: true,
  })
  for (const refused of [
    `COPY (SELECT 1) TO PROGRAM 'true'`,
    `COPY (SELECT 1) TO '/dev/null'`,
    `SELECT pg_read_file('/etc/passwd')`,
    `ALTER SYSTEM SET work_mem = '1GB'`,
    `CREATE ROLE other SUPERUSER`,
    `ALTER ROLE balcao PASSWORD 'x'`,
    `SET ROLE balcao`,
  ])
    await expect(query(url, refused), refused).rejects.toThrow(/permission denied|must be/)
  const superuser = new URL(url)
  superuser.username = 'balcao'
  await expect(query(superuser.href, 'SELECT 1')).rejects.toThrow(/password/)
}

test('the server works as a role that owns its database and may replicate, and as nothing more', async () => {
  const { url } = await start()
  await migrateDatabase(url)
  await query(url, `CREATE PUBLICATION told FOR TABLE tickets`)
  await query(url, `SELECT pg_create_logical_replication_slot('told', 'pgoutput', true)`)
  await expectLeastRights(url)
})

test('a database that an older version worked in as superuser is given to that role, with all that is in it', async () => {
  const old = await start(dataDir, true)
  await migrateDatabase(old.url)
  await query(old.url, `CREATE PUBLICATION told FOR TABLE tickets`)
  await query(old.url, `CREATE TYPE "of day" AS ENUM ('am', 'pm')`)
  await query(old.url, `CREATE SEQUENCE "Counted"`)
  for (const statement of ['ALTER DATABASE balcao OWNER TO balcao', 'DROP OWNED BY balcao_app', 'DROP ROLE balcao_app'])
    await query(old.url, statement)
  await old.stop()
  rmSync(join(dataDir, 'postgres', 'balcao.role'))

  for (let i = 0; i < 2; i++) {
    const { url, stop } = await start()
    await migrateDatabase(url)
    await query(url, `ALTER TABLE companies ADD COLUMN added${i} int`)
    await query(url, `CREATE OR REPLACE FUNCTION plain(text) RETURNS text IMMUTABLE LANGUAGE sql RETURN lower($1)`)
    await query(url, `ALTER PUBLICATION told ADD TABLE messages, companies`)
    await query(url, `ALTER PUBLICATION told DROP TABLE messages, companies`)
    await query(url, `ALTER TYPE "of day" ADD VALUE 'later${i}'`)
    await query(url, `ALTER SEQUENCE "Counted" INCREMENT 2`)
    await expectLeastRights(url)
    const others = `SELECT relname FROM pg_class WHERE relnamespace IN ('public'::regnamespace, 'drizzle'::regnamespace) AND relowner <> 'balcao_app'::regrole`
    expect([...(await query(url, others))]).toEqual([])
    await stop()
    // The folder was copied without the mark: that is no harm.
    rmSync(join(dataDir, 'postgres', 'balcao.role'))
  }
})

test('when it dies it comes back at the same address with everything that was committed', async () => {
  const server = await start()
  await query(server.url, 'CREATE TABLE kept AS SELECT 1 AS one')
  const before = server.pid() ?? 0
  process.kill(before, 'SIGKILL')

  const deadline = Date.now() + 20_000
  let rows: unknown[] = []
  while (rows.length === 0 && Date.now() < deadline) {
    rows = await query(server.url, 'SELECT one FROM kept').catch(() => [])
  }
  expect([...rows]).toEqual([{ one: 1 }])
  expect(server.pid()).not.toBe(before)
})

/** Another process that runs the database of this test. */
async function startApp() {
  const script = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(join(import.meta.dir, 'embedded-postgres.ts'))})
    const { createLogger } = await import(${JSON.stringify(join(import.meta.dir, '..', 'log.ts'))})
    const server = await startEmbeddedPostgres({
      dataDir: ${JSON.stringify(dataDir)}, fast: true, log: createLogger({ level: 'silent' }) })
    process.stdout.write(JSON.stringify({ url: server.url, pid: server.pid() }))`
  const app = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' })
  apps.push(app)
  const { value } = await app.stdout.getReader().read()
  const { url, pid } = JSON.parse(Buffer.from(value ?? []).toString()) as { url: string; pid: number }
  await query(url, 'CREATE TABLE kept AS SELECT 1 AS one')
  return { app, url, pid }
}

test('after the app was killed nothing keeps running, and the next start finds its data', async () => {
  const { app, url, pid } = await startApp()
  app.kill('SIGKILL')
  await app.exited

  // It stops by itself, and the start neither minds nor waits for that.
  const next = await start()
  expect(next.pid()).not.toBe(pid)
  await expect(query(url, 'SELECT 1')).rejects.toThrow()
  expect([...(await query(next.url, 'SELECT one FROM kept'))]).toEqual([{ one: 1 }])
})

test('a Postgres that takes its time to end, and is then killed, is waited for, though nobody takes note of its end', async () => {
  const { app, pid } = await startApp()
  // An app that stands still does not ask how its child ended, which remains in the list of processes.
  app.kill('SIGSTOP')
  process.kill(pid, 'SIGSTOP')
  const starting = start()
  await Bun.sleep(2_000)
  process.kill(pid, 'SIGKILL')

  const next = await starting
  expect([...(await query(next.url, 'SELECT one FROM kept'))]).toEqual([{ one: 1 }])
})

test('a Postgres that comes to light only when the next one starts is ended', async () => {
  const { app, url } = await startApp()
  app.kill('SIGSTOP')
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
  renameSync(pidFile, `${pidFile}.hidden`)
  // Its look at the file is over when this returns; Postgres' own is still to come.
  const starting = start()
  renameSync(`${pidFile}.hidden`, pidFile)

  const next = await starting
  await expect(query(url, 'SELECT 1')).rejects.toThrow()
  expect([...(await query(next.url, 'SELECT one FROM kept'))]).toEqual([{ one: 1 }])
})

test('a database of another version is refused with a sentence, not touched', async () => {
  mkdirSync(join(dataDir, 'postgres'))
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '15\n')
  await expect(start()).rejects.toThrow(/made by Postgres 15/)
})
