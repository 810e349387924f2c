import type { Config } from '../config.ts'
import type { Logger } from '../log.ts'
import type { Lodging } from '../upgrade/upgrade.words.ts'

/** For tests, which need no operator's setting. */
export interface AppOptions {
  /** Where the built client lies. */
  clientDir?: string | undefined
  /** The embedded Postgres does not wait for the disk. */
  fastPostgres?: boolean
  /** In a house that is kept by another process, what it was told there (`server/upgrade`). */
  lodging?: Lodging | undefined
  /** Beside another server: resolves when this one is to listen. */
  mayListen?: Promise<void> | undefined
  /** Everything is built, and nothing listens yet. */
  built?: () => void
  /** Is given how it is asked whether the server is well. */
  healthy?: (ask: () => Promise<boolean>) => void
}

/** What each builder is given besides the parts that it stands on. */
export interface House {
  config: Config
  log: Logger
  options: AppOptions
  now: () => Date
  /** What must be ended, in the order of its beginning. */
  stops: (() => unknown)[]
}
