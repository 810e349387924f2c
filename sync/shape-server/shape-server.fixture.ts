import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { startEmbeddedPostgres } from '../../server/db/embedded-postgres.ts'
import { createLogger } from '../../server/log.ts'

/** A Postgres of one's own: making a slot waits for every transaction of the whole cluster. */
export type Cluster = { url: string; sql: postgres.Sql; pid: () => number | undefined; stop: () => Promise<void> }

/** @param durable whether commits wait for the disk, as in earnest */
export async function startCluster({ durable = false }: { durable?: boolean } = {}): Promise<Cluster> {
  const dataDir = mkdtempSync(join(tmpdir(), 'shape-server-'))
  const server = await startEmbeddedPostgres({
    dataDir,
    fast: !durable,
    // Tests make roles, and set the server's own settings.
    superuser: true,
    log: createLogger({ level: 'silent' }),
  })
  const sql = postgres(server.url, { max: 8, fetch_types: false, onnotice: () => undefined, backoff: () => 0.1 })
  return {
    url: server.url,
    sql,
    pid: server.pid,
    stop: async () => {
      await sql.end({ timeout: 1 })
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const ignore = () => undefined
export const silentLog = { debug: ignore, info: ignore, warn: ignore, error: ignore }

/** Polls until the condition holds. @throws Error with the last failure after the deadline */
export async function eventually(condition: () => unknown, withinMs = 15_000): Promise<void> {
  const deadline = Date.now() + withinMs
  for (;;) {
    try {
      if ((await condition()) !== false) return
      if (Date.now() > deadline) throw new Error('The condition did not come true in time')
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
    await Bun.sleep(10)
  }
}
