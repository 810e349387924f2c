import type { CommandInput, CommandName } from '../../schema/catalog.ts'
import type { ErrorCode } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'

/**
 * What the screens use of the replica. Reads are SQL over local views that bear the tables' own names (`tickets`,
 * `messages`, `ticket_notes` …; columns are camelCase and quoted): the synced rows with the waiting commands applied.
 */
export interface Replica {
  /**
   * Runs `sql` now and again whenever rows it depends on change, here or by sync. Equal queries of all components
   * share one run. Returns the unsubscribe function. `fromLastTime` marks the rows that a query with `remember` had
   * when the app was last open: they are shown until the replica answers.
   */
  live<Row>(
    query: LiveQuery,
    onRows: (rows: Row[], fromLastTime: boolean) => void,
    onError?: (error: Error) => void,
  ): () => void
  /** What `live` would show of the last time before anything else, for a first drawing that has it already. */
  lastTime?<Row>(query: LiveQuery): Row[] | undefined
  /**
   * Answers out of another source, asked for only while the replica is being filled and nothing of the last time answers
   * `query`: they are shown, as those of the last time are, until the replica answers. Whatever goes wrong with them is
   * of no consequence.
   */
  first?(query: LiveQuery, answers: () => Promise<FirstAnswer[]>): Promise<void>
  query<Row>(sql: string, params?: unknown[]): Promise<Row[]>
  /**
   * Messages that say `text` anywhere, whatever its case and accents: the newest of each ticket, the newest first, of at
   * most 40; with `ticketId` those of one ticket, at most 500. An empty text finds nothing and prepares the next search,
   * which the first one has to wait for.
   */
  search(text: string, ticketId?: number): Promise<FoundMessage[]>
  /**
   * Does a command: shown at once, kept in the outbox, sent in order. Resolves with the outbox entry as soon as it is
   * durable in the outbox, or is kept in memory because the disk is full (`durable` of the status); what becomes of it is seen in `outbox`. Throws `DomainError` at once when the local facts
   * already refuse it.
   */
  mutate<N extends CommandName>(name: N, input: CommandInput<N>, options?: { file?: Blob }): Promise<OutboxEntry>
  outbox: Outbox
  drafts: Drafts
  status: Readable<SyncStatus>
  /** Sends and syncs right now; used when the network is back. */
  wake(): void
  /**
   * Opens the replica anew, in whichever tab leads, after it failed. With `rebuild` its rows are deleted before, and
   * fetched again; what waits to be sent is kept elsewhere and stays.
   */
  restart(options?: { rebuild?: boolean }): Promise<void>
  /**
   * Deletes every byte of this user from the machine, in all tabs: replica, outbox, drafts, cached files. With
   * `keepUnsent`, an outbox that holds commands the server has not accepted stays for this user's next login.
   */
  destroy(options?: { keepUnsent?: boolean }): Promise<void>
  /** Leaves the data, ends the work. */
  close(): Promise<void>
}

/** What a query with `remember` is answered with before the replica can. */
export interface FirstAnswer {
  query: LiveQuery
  rows: readonly unknown[]
}

export interface LiveQuery {
  sql: string
  params?: unknown[]
  /**
   * The tables read. With `only`, a change of rows whose column has another value does not rerun the query: a
   * conversation depends on `messages` only where `ticketId` is its own.
   */
  tables: readonly (string | { table: string; only: { column: string; value: string | number } })[]
  /** What somebody waits for: it is answered before all else, and has the next frame to itself. */
  first?: boolean
  /**
   * A name under which the first rows are kept for the next start, when they are there long before the replica is.
   * For the few queries of a first screen. Queries that differ only in how far they reach share a name. Of each kind,
   * which is the name up to its first blank, the latest are kept.
   */
  remember?: string
}

/** A message that says what was looked for. */
export interface FoundMessage {
  ticketId: number
  messageId: string
  body: string
  /** Milliseconds since 1970. */
  at: number
}

export interface Readable<T> {
  get(): T
  subscribe(fn: (value: T) => void): () => void
}

export interface SyncStatus {
  /** False while the machine or the server cannot be reached. */
  online: boolean
  /** `loading` until every shape was complete once; `catching-up` after an absence; `live`. */
  state: 'starting' | 'loading' | 'catching-up' | 'live' | 'failed'
  /** Rows received of the first load, for a progress bar. */
  loadedRows: number
  /** Commands kept on this machine that wait to be sent. */
  waiting: number
  /** Commands that the server refused and the user has not dealt with. */
  failed: number
  /** Why it has failed: `unfetched` where a part of the program did not come over the network, else what Postgres said. */
  error: string | null
  /** False where rows live in memory alone, because this browser keeps nothing or its disk is full. */
  durable: boolean
  /** The server's tables are newer than this app's: a reload is needed. */
  outdated: boolean
}

/**
 * `queued` waits for its turn or the network; `sending`; `sent` was accepted by the server and waits for its rows;
 * `failed` was refused, with the reason, for retry or discard. Entries leave the outbox when their rows have arrived.
 */
export interface OutboxEntry {
  /** The idempotency key. */
  id: string
  name: CommandName
  input: unknown
  state: 'queued' | 'sending' | 'sent' | 'failed'
  createdAt: number
  attempts: number
  error: { code: ErrorCode | 'NETWORK'; params: Record<string, unknown> } | null
  /** What it is about, so that a conversation can show its own. */
  ticketId: number | null
  file: { name: string; mimetype: string; size: number } | null
  /** How much of the file has left, from 0 to 1; absent while none is on its way. */
  uploaded?: number
}

/** What a person did and waits for; what the app keeps by itself, such as drafts, travels unlisted. */
export interface Outbox extends Readable<readonly OutboxEntry[]> {
  retry(id: string): Promise<void>
  /** Forgets a refused or waiting command; what it showed is taken back. */
  discard(id: string): Promise<void>
  /** The bytes of a file that waits, for the bubble's own preview. */
  file(id: string): Promise<Blob | null>
}

export type DraftOf = { ticketId: number } | { chatId: number }

/**
 * Texts on this machine that a crash must not lose: of a ticket those that `drafts.set` has not taken over yet, of a
 * chat what was begun in it.
 */
export interface Drafts {
  /** '' where there is none. */
  get(of: DraftOf): Promise<string>
  set(of: DraftOf, text: string): Promise<void>
}

export interface ReplicaOptions {
  /** Names the databases, so that two users never share one. */
  who: Principal
  /** Origin of the server; '' for the page's own. */
  baseUrl: string
  /**
   * A current access token; called for every request and after a 401/403. Null: logged out. Rejects where it could not
   * be renewed for now: that is a lost network, and is asked again.
   */
  token(refresh: boolean): Promise<string | null>
  /**
   * Where rows of the last time are there to be shown, the database is opened after this: at once, it would take its
   * processor from drawing them.
   */
  drawn?: Promise<void>
  /**
   * For somebody else's rows on this machine, until then (milliseconds since 1970): they are held in memory, apart from
   * what this browser keeps of its own user, and nothing of them is read at the next start. With `readOnly` no command
   * is taken.
   */
  passing?: { name: string; until: number; readOnly: boolean }
}
