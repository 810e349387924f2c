import { join } from 'node:path'
import { serveLink } from '../../sync/shape-server/link.ts'
import { startShapeServer } from '../../sync/shape-server/shape-server.ts'
import type { Config } from '../config.ts'
import { startEmbeddedPostgres } from '../db/embedded-postgres.ts'
import type { Logger } from '../log.ts'
import { GROUND_VERSION, type Ground, type GroundAt } from './upgrade.words.ts'

/** Two servers work on it while one takes over from the other. */
const MAX_CONNECTIONS = 120

/**
 * What outlives a server: the embedded Postgres and the shape server with its logs, as far as the configuration names no
 * others. Servers come and go beside it, and browsers go on with what they have.
 * @param at where it was before, that servers which run still find it
 */
export async function startGround(
  config: Config,
  { log, at }: { log: Logger; at: GroundAt },
): Promise<{ ground: Ground; at: GroundAt; stop(): Promise<void> }> {
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const end of stops.splice(0).reverse())
      await end().catch((err: unknown) => log.error({ err }, 'a part did not stop cleanly'))
  }
  try {
    const ground: Ground = { version: GROUND_VERSION }
    let databaseUrl = config.database.url
    if (databaseUrl === undefined) {
      const postgres = await startEmbeddedPostgres({
        ...{ dataDir: config.dataDir, maxConnections: MAX_CONNECTIONS, log: log.child({ part: 'postgres' }) },
        ...(at.databasePort !== undefined && { port: at.databasePort }),
      })
      stops.push(postgres.stop)
      ground.databaseUrl = databaseUrl = postgres.url
    }
    const found: GroundAt = { secret: at.secret }
    if (ground.databaseUrl !== undefined) found.databasePort = Number(new URL(databaseUrl).port)
    if (!config.electric) {
      const shapes = await startShapeServer({
        ...{ databaseUrl, mode: 'closed', replicationId: 'balcao', spillDir: join(config.dataDir, 'shapes') },
        log: log.child({ part: 'shapes' }),
      })
      stops.push(() => shapes.stop())
      const link = serveLink(shapes, { secret: at.secret, port: at.shapesPort })
      stops.push(() => link.stop())
      found.shapesPort = link.port
      ground.shapes = { url: `ws://127.0.0.1:${link.port}`, secret: at.secret }
    }
    return { ground, at: found, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
