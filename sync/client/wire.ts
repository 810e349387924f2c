import type { ErrorCode } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'
import type { RowOrPlace } from './live-queries.ts'
import type { Entry } from './outbox.state.ts'
import type { LiveQuery, SyncStatus } from './replica.types.ts'

/** `fetch` without what a runtime adds to it. */
export type Fetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>

/** What a tab says to the worker. `r` numbers a request that wants a `done`. */
export type FromTab =
  | { t: 'hello'; visible: boolean }
  | { t: 'bye' }
  | { t: 'visible'; visible: boolean }
  /** The network is gone: what is not on the disk now could not be asked of the server after a reload. */
  | { t: 'keep' }
  | { t: 'live'; queries: { q: number; query: LiveQuery }[] }
  | { t: 'unlive'; q: number }
  | { t: 'query'; r: number; sql: string; params: unknown[] }
  | { t: 'search'; r: number; text: string; ticketId: number | undefined }
  /** Shown at once; sent after `stored`. */
  /** `awaited`: the tab tells its person when the rows that are here refuse it. */
  | { t: 'mutate'; r: number; entry: Entry; awaited: boolean }
  /** `memory`: the disk did not take it, nor its file, if it has one. It is sent from here. */
  | { t: 'stored'; id: string; memory?: { file: Blob | null } }
  | { t: 'retry' | 'discard'; r: number; id: string }
  | { t: 'wake' }
  /** Ends the work; `done` comes when every database is closed. */
  | { t: 'close'; r: number }
  /** `lost`: it could not be renewed for now. */
  | { t: 'token'; r: number; token: string | null; lost: boolean }

/** What the worker says to a tab. */
export type ToTab =
  /** To be shown in one go. */
  | { t: 'rows'; answers: { q: number; rows: RowOrPlace[]; whole: boolean }[] }
  | { t: 'failed'; q: number; message: string }
  | {
      t: 'done'
      r: number
      value?: unknown
      error?: { message: string; code?: ErrorCode; params?: Record<string, unknown> }
    }
  | { t: 'status'; status: SyncStatus }
  /** What is new in the outbox since it was last told; all that is in it where it is `whole`. */
  | { t: 'outbox'; whole: boolean; changed: readonly Entry[]; gone: readonly string[] }
  /** Asked of the leader only. */
  | { t: 'token'; r: number; refresh: boolean }
  /** The worker is at work: say everything that it must know of you. */
  | { t: 'ready' }

/**
 * What the worker tells its leader of the opening, which may end it and begin another: a trap in Postgres or a
 * database that somebody holds can leave a worker that neither succeeds nor fails.
 */
export type OfOpening =
  /** It begins or ceases to wait for the files of this database, whose trouble is then theirs. */
  { t: 'files'; database: string; waits: boolean } | { t: 'opened' } | { t: 'unopened'; message: string }

/** Why an opening failed: Postgres' program did not come. */
export const unfetched = 'unfetched'

/** What a tab or the worker says to all tabs. A tab answers `up` by saying `here`, which is the worker's to hear. */
export type ToTabs =
  | { t: 'up' }
  | { t: 'here'; tab: string }
  | { t: 'destroy' }
  | { t: 'restart'; rebuild: boolean }
  /** The replica does not open, and another attempt is on its way. */
  | { t: 'trouble'; message: string }

/** The leader's first word to its worker. */
export interface WorkerStart {
  t: 'start'
  /** Names of databases and channels begin with it. */
  name: string
  leader: string
  who: Principal
  /** Absolute. */
  baseUrl: string
  /** False where the browser cannot keep two tabs apart: the replica then lives in memory. */
  persistent: boolean
}
