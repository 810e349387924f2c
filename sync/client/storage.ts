import { IdbFs, PGlite, type PGliteOptions, types } from '@electric-sql/pglite'
import { engineVersion, schemaSql, schemaVersion } from './tables.ts'

/** The replica's own name: a newer schema or engine begins a new one. */
export const replicaName = (prefix: string): string => `${prefix}-${engineVersion}-${schemaVersion}`

/** Every commit changes the end of the log, and files are written whole: its files are to be small. For `initdb`. */
export const initDbStartParams = ['--wal-segsize=1']

/** Dates stay the text that they are; moments become `Date`, as drizzle reads them on the server. */
const options: PGliteOptions = {
  relaxedDurability: true,
  parsers: { [types.DATE]: (text: string) => text },
  startParams: [
    ...PGlite.defaultStartParams,
    // Postgres fills its buffers with zeros at each start and never gives them back: 128 MB of its own accord. All files
    // lie in memory anyway, so a page that is not among the buffers costs a copy.
    ...['-c', 'shared_buffers=32MB'],
    // Files reach the disk as a picture of one moment, in which no page is half written.
    ...['-c', 'full_page_writes=off'],
    // Nobody waits for a log that has no end.
    ...['-c', 'min_wal_size=2MB', '-c', 'max_wal_size=4MB', '-c', 'wal_recycle=off', '-c', 'wal_init_zero=off'],
  ],
  initDbStartParams,
}

/** Where a replica lives. `memory` is for browsers that keep nothing. */
export type Place = 'idb' | 'memory'

/** Where Emscripten's IDBFS keeps files. */
const fileStore = 'FILE_DATA'

/** Changes are written to the disk this long after the first of them. */
const flushAfterMs = 2_000

/** A file or folder as Emscripten keeps it in memory. */
interface Node {
  mode: number
  /** Milliseconds since 1970. */
  mtime: number
  /** Of a folder: what is in it, by name. Of a file: its bytes, with room to grow. */
  contents: Uint8Array | Int8Array | Record<string, Node>
  usedBytes: number
}

/**
 * Postgres' files in memory, written to IndexedDB together, now and then, instead of after each statement: that would
 * cost 20 to 30 ms of this worker each time. Rows and offsets lie in the same files and are flushed in one IndexedDB
 * transaction, so what a crash loses is asked of the server again.
 *
 * Emscripten's own way of writing asks IndexedDB for all that it has before it writes. Nobody else writes there, so this
 * remembers it.
 */
class LazyIdbFs extends IdbFs {
  constructor(
    private readonly name: string,
    private readonly told: { reading?(): void; kept?(well: boolean): void; closed?(): void },
  ) {
    super(name)
  }

  #timer: ReturnType<typeof setTimeout> | undefined
  /** The write that waits for its turn: whether it went well. */
  #next = Promise.withResolvers<boolean>()
  /** The last one that began. */
  #last = Promise.resolve(true)
  /** What the disk has: when each file had last been changed. */
  #onDisk = new Map<string, number>()

  /** Postgres' program is here, however long it took to fetch. What follows is this machine's work alone. */
  override async initialSyncFs(): Promise<void> {
    this.told.reading?.()
    await super.initialSyncFs()
    for (const [path, { mtime }] of this.#files()) this.#onDisk.set(path, mtime)
  }

  override async syncToFs(): Promise<void> {
    this.#timer ??= setTimeout(() => this.flush(), flushAfterMs)
  }

  /** Writes at once what would wait for its turn. */
  flush(): void {
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    const { resolve } = this.#next
    this.#next = Promise.withResolvers<boolean>()
    this.#last = this.#write().then(
      () => true,
      // A disk that is full: what is not written now is tried again with the next change.
      () => false,
    )
    void this.#last.then((well) => {
      this.told.kept?.(well)
      resolve(well)
    })
  }

  /** Resolves when everything that was committed until now has been written; rejects when the disk did not take it. */
  async kept(): Promise<void> {
    const well = await (this.#timer === undefined ? this.#last : this.#next.promise)
    if (!well) throw new Error('The disk takes no more')
  }

  override async closeFs(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#last
    try {
      await this.#write()
    } finally {
      await super.closeFs()
      this.told.closed?.()
    }
  }

  get #mount(): string {
    return `/pglite/${this.name}`
  }

  #files(): Map<string, Node> {
    const files = new Map<string, Node>()
    const walk = (path: string, folder: Node) => {
      for (const [name, node] of Object.entries(folder.contents as Record<string, Node>)) {
        files.set(`${path}/${name}`, node)
        if (!ArrayBuffer.isView(node.contents)) walk(`${path}/${name}`, node)
      }
    }
    // Emscripten's types do not know what is inside of a node.
    walk(this.#mount, this.pg!.Module.FS.lookupPath(this.#mount).node as unknown as Node)
    return files
  }

  /** All changes in one IndexedDB transaction. They are read in one go: no statement runs meanwhile. */
  async #write(): Promise<void> {
    const database = (this.pg!.Module.IDBFS as { dbs: Record<string, IDBDatabase> }).dbs[this.#mount]
    if (!database) return
    const files = this.#files()
    const changed = [...files].filter(([path, { mtime }]) => this.#onDisk.get(path) !== mtime)
    const gone = [...this.#onDisk.keys()].filter((path) => !files.has(path))
    if (changed.length === 0 && gone.length === 0) return
    const now = Date.now()
    const times = changed.map(([path, { mtime }]) => [path, mtime] as const)
    const transaction = database.transaction(fileStore, 'readwrite', { durability: 'relaxed' })
    const store = transaction.objectStore(fileStore)
    try {
      for (const [path, { mode, mtime, contents, usedBytes }] of changed) {
        const timestamp = new Date(mtime)
        // A copy without the room to grow, which would be written, too.
        const bytes = ArrayBuffer.isView(contents) ? { contents: contents.slice(0, usedBytes) } : {}
        store.put({ timestamp, mode, ...bytes }, path)
      }
      for (const path of gone) store.delete(path)
    } catch (error) {
      // No memory for a copy. The files until here would be written by themselves: half of a picture, which is none.
      transaction.abort()
      throw error
    }
    // Said now, a page that is left before the answers come has written it all the same.
    transaction.commit()
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error ?? new Error('IndexedDB'))
    })
    for (const path of gone) this.#onDisk.delete(path)
    // A file may have been changed again in the millisecond of its reading: it is written once more.
    for (const [path, mtime] of times) this.#onDisk.set(path, mtime < now ? mtime : 0)
  }
}

/**
 * Whether a database of Postgres' files holds any. One that was made and never written to, because its page was left
 * at once, would otherwise be taken for a replica, and Postgres would build everything in it from nothing.
 */
async function hasFiles(name: string): Promise<boolean> {
  const databases = await indexedDB.databases?.().catch(() => undefined)
  if (databases && !databases.some((database) => database.name === name)) return false
  const settled = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error ?? new Error('IndexedDB'))
    })
  const opening = indexedDB.open(name)
  // Nobody has made it: this must not either, or its tables would be missing for good.
  opening.onupgradeneeded = () => opening.transaction?.abort()
  const database = await settled(opening).catch(() => null)
  if (!database) return false
  try {
    const store = database.transaction(fileStore).objectStore(fileStore)
    return (await settled(store.count())) > 0
  } catch {
    return false
  } finally {
    database.close()
  }
}

/**
 * Waits until nobody has these files, and then has them. The lead passes on when a page is gone, but its worker may live
 * for some seconds more, and what it would write then into files that another has opened since is of another moment than
 * the rest: Postgres cannot start from such a picture. A browser takes this lock away only when the worker has ended.
 * @returns lets go of them
 */
async function holdFiles(database: string): Promise<() => void> {
  const { locks } = navigator
  // An insecure address has none, and keeps no files either.
  if (!locks) return () => undefined
  const done = Promise.withResolvers<void>()
  await new Promise<void>((resolve, reject) => {
    locks
      .request(database, () => {
        resolve()
        return done.promise
      })
      .catch(reject)
  })
  return done.resolve
}

const disks = new WeakMap<PGlite, LazyIdbFs>()

/** Brings to the disk what it lacks, when the page may be gone before the next turn. */
export const flushReplica = (db: PGlite): void => disks.get(db)?.flush()

/** Resolves when everything that was committed until now is on the disk; at once for a replica in memory. */
export const replicaKept = async (db: PGlite): Promise<void> => disks.get(db)?.kept()

/**
 * Opens the replica of that name with its tables, once no other worker has its files. One that fails leaves the database
 * of its files open: Postgres that did not start cannot be closed. It goes with the worker.
 * @param template the data directory of a new one; unused where there is one already
 * @param files told when it begins and ceases to wait for its files, and in which database they are
 * @param kept told after each write to the disk whether it went well
 */
export async function openReplica(
  name: string,
  place: Place,
  template?: () => Promise<File | undefined>,
  files?: (database: string, waits: boolean) => void,
  kept?: (well: boolean) => void,
): Promise<PGlite> {
  const database = `/pglite/${name}`
  if (place === 'idb') files?.(database, true)
  const closed = place === 'idb' ? await holdFiles(database) : undefined
  const known = place === 'idb' && (await hasFiles(database))
  if (place === 'idb') files?.(database, false)
  const loadDataDir = known ? undefined : await template?.()
  const disk =
    place === 'memory'
      ? null
      : new LazyIdbFs(name, {
          reading: () => files?.(database, true),
          ...(kept ? { kept } : {}),
          ...(closed ? { closed } : {}),
        })
  const home: PGliteOptions = disk ? { fs: disk } : { dataDir: 'memory://' }
  const db = new PGlite({ ...options, ...home, ...(loadDataDir ? { loadDataDir } : {}) })
  if (disk) disks.set(db, disk)
  await db.waitReady
  const { rows } = await db.query<{ made: boolean }>(`SELECT to_regclass('sync.shapes') IS NOT NULL AS made`)
  if (!rows[0]!.made) await db.transaction((tx) => tx.exec(schemaSql))
  return db
}
