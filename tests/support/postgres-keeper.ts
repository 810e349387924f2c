/**
 * Runs one Postgres for all test processes of this working copy, for as long as any of them is
 * connected to its socket, however they end. Started by `postgres.ts`; `argv[2]` is its folder.
 */
import { readdirSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { DataDirInUse, lockDataDir } from '../../server/data-dir.ts'
import { startEmbeddedPostgres } from '../../server/db/embedded-postgres.ts'
import { createLogger } from '../../server/log.ts'

const place = process.argv[2] ?? ''
const idleMs = 5_000

let release: () => void
try {
  release = lockDataDir(place)
} catch (error) {
  if (error instanceof DataDirInUse) process.exit(0)
  throw error
}

// A killed keeper could not clear up.
for (const left of readdirSync(place).filter((name) => name.startsWith('data-'))) {
  rmSync(join(place, left), { recursive: true, force: true })
}
const dataDir = join(place, `data-${process.pid}`)
const socketPath = join(place, 'socket')
rmSync(socketPath, { force: true })
const postgres = await startEmbeddedPostgres({
  dataDir,
  fast: true,
  // Each test has a database of its own.
  superuser: true,
  maxConnections: 300,
  replicationSlots: 60,
  log: createLogger({ level: 'error', pretty: false }),
})

const clients = new Set<Socket>()
let closing = false
let idle = setTimeout(close, idleMs)
const server = createServer((client) => {
  clearTimeout(idle)
  clients.add(client)
  client.on('error', () => undefined)
  client.on('close', () => {
    clients.delete(client)
    if (clients.size === 0) idle = setTimeout(close, idleMs)
  })
  client.resume()
  client.write(`${postgres.url}\n`)
})
server.listen(socketPath)

async function close(): Promise<void> {
  if (closing) return
  closing = true
  rmSync(socketPath, { force: true })
  server.close()
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
  release()
  process.exit(0)
}
process.on('SIGTERM', close)
process.on('SIGINT', close)
