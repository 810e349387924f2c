import type { Config } from '../config.ts'
import type { Logger } from '../log.ts'

/** For tests, which need no operator's setting. */
export interface AppOptions {
  /** Where the built client lies. */
  clientDir?: string | undefined
  /** The embedded Postgres does not wait for the disk. */
  fastPostgres?: boolean
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
