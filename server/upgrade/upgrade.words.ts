/**
 * What the process that keeps the house says to those that it started, and they to it. A house may be kept by an older
 * version than the one that moves in: words are added, and never change their meaning. Imports nothing, for it is used
 * before any package is installed.
 */

/** Raised when a server needs something of what it stands on that older ones do not give; then an upgrade needs a stop. */
export const GROUND_VERSION = 1

/** What servers stand on, and what outlives them: the embedded Postgres and the shape server. */
export interface Ground {
  version: number
  /** Of the embedded Postgres; unset where the database is an outside one. */
  databaseUrl?: string
  /** Of the shape server's link; unset where there is an Electric. */
  shapes?: { url: string; secret: string }
}

/** Never more than three: the one that leaves, the one that comes, and while it goes back another of the version before. */
export const slots = ['a', 'b', 'c'] as const
export type Slot = (typeof slots)[number]

/** What a server is told when it is started in a house. */
export interface Lodging {
  ground: Ground
  /** Servers in one house have names of their own. */
  slot: Slot
  /** The port is another server's still: it listens when it is told to. The oldest version that works beside it. */
  beside?: { version: string }
  /** Where clients of versions before lie, whose pages are still open. */
  clientsBefore: string[]
}

/** The variable that carries it, as JSON. */
export const LODGING = 'BALCAO_LODGING'
/** The variable by which the ground learns where it lay before it was started again, as JSON: `GroundAt`. */
export const GROUND_AT = 'BALCAO_GROUND_AT'
export interface GroundAt {
  secret: string
  databasePort?: number
  shapesPort?: number
}

export type FromHouse =
  | { ask: 'listen' }
  | { ask: 'health'; n: number }
  /** Others do the work now: browsers are asked to move within `ms`, then it ends. @param client of the one that stays */
  | { ask: 'leave'; ms: number; client: string }

export type FromServer = { say: 'built' } | { say: 'listens' } | { say: 'health'; n: number; ok: boolean }
export type FromGround = { say: 'ground'; ground: Ground; at: GroundAt }
