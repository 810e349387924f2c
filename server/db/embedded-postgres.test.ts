import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { createLogger } from '../log.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'

// A first start writes 40 MB.
setDefaultTimeout(60_000)

const log = createLogger({ level: 'silent' })
let dataDir: string
let running: EmbeddedPostgres[]

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'balcao-postgres-'))
  running = []
})
afterEach(async () => {
  for (const server of running) await server.stop()
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

async function start(place = dataDir): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir: place, fast: true, log })
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

test('after the app was killed nothing keeps running, and the next start finds its data', async () => {
  const script = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(join(import.meta.dir, 'embedded-postgres.ts'))})
    const { createLogger } = await import(${JSON.stringify(join(import.meta.dir, '..', 'log.ts'))})
    const server = await startEmbeddedPostgres({
      dataDir: ${JSON.stringify(dataDir)}, fast: true, log: createLogger({ level: 'silent' }) })
    process.stdout.write(JSON.stringify({ url: server.url, pid: server.pid() }))`
  const app = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' })
  const { value } = await app.stdout.getReader().read()
  const { url, pid } = JSON.parse(Buffer.from(value ?? []).toString()) as { url: string; pid: number }
  await query(url, 'CREATE TABLE kept AS SELECT 1 AS one')
  app.kill('SIGKILL')
  await app.exited

  // It stops by itself, and the start neither minds nor waits for that.
  const next = await start()
  expect(next.pid()).not.toBe(pid)
  await expect(query(url, 'SELECT 1')).rejects.toThrow()
  expect([...(await query(next.url, 'SELECT one FROM kept'))]).toEqual([{ one: 1 }])
})

test('a database of another version is refused with a sentence, not touched', async () => {
  mkdirSync(join(dataDir, 'postgres'))
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '15\n')
  await expect(start()).rejects.toThrow(/made by Postgres 15/)
})
