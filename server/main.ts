import type { Config } from './config.ts'
import { lockDataDir } from './data-dir.ts'
import type { AppDeps } from './http/deps.ts'
import { learnStandstills } from './jobs/standstills.ts'
import { createLogger, type Logger } from './log.ts'
import { buildChannels } from './main/channels.ts'
import { startWorkOfClocks } from './main/clocks.ts'
import { buildData } from './main/data.ts'
import type { AppOptions, House } from './main/house.ts'
import { buildWeb, type Web } from './main/web.ts'
import { buildWork } from './main/work.ts'

export interface RunningApp {
  /** Where it listens, without a slash at the end. */
  url: string
  deps: AppDeps
  databaseUrl: string
  /** Asks browsers to move to another server that is there, within `ms`, and listens no more. */
  leave(ms: number, client: string): Promise<void>
  /** Drains what is at work and stops everything it started. */
  stop(): Promise<void>
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
    // Who keeps the house has the folder.
    if (!options.lodging) stops.push(lockDataDir(config.dataDir))
    const running = await build({ config, log, options, stops, now: () => new Date() })
    return { ...running, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function build(house: House): Promise<Omit<RunningApp, 'stop'>> {
  const { config, log } = house
  const packages = { postgres: import.meta.resolve('postgres'), sharp: import.meta.resolve('sharp') }
  log.debug({ packages }, 'packages that matter')
  const data = await buildData(house)
  // Before anything is answered or done.
  await learnStandstills(data.db, log)
  const channels = await buildChannels(house, data)
  const work = buildWork(house, data, channels, () => web.deps)
  const web: Web = buildWeb(house, data, channels, work)
  startWorkOfClocks(house, { data, channels, work, web })
  house.options.healthy?.(async () => (await web.deps.health()).ok)
  house.options.built?.()
  await house.options.mayListen
  const port = web.listen()
  // A port that is taken is told by the system at once, before anything is promised to anybody.
  void channels.wires
    .resume()
    .catch((err: unknown) => log.error({ err }, 'connections were not taken up; trying again'))
  return { url: `http://${config.host}:${port}`, deps: web.deps, databaseUrl: data.databaseUrl, leave: web.leave }
}
