import { Dexie, type EntityTable } from 'dexie'
import type { Entry } from './outbox.state.ts'
import type { DraftOf } from './replica.types.ts'

/** What must survive a rebuilt replica: waiting commands with their files, and drafts. */
export interface OutboxStorage {
  load(): Promise<Entry[]>
  /** Durable when it resolves. Adding what is there already is no error. */
  add(entry: Entry, file: Blob | null): Promise<void>
  put(entries: readonly Entry[]): Promise<void>
  remove(ids: readonly string[]): Promise<void>
  file(id: string): Promise<Blob | null>
  draft(of: DraftOf): Promise<string>
  setDraft(of: DraftOf, text: string): Promise<void>
  /** Forgets what was begun in the chats of which `gone` is true. */
  dropChatDrafts(gone: (chatId: number) => boolean): Promise<void>
  close(): void
}

/** Tickets came first and go by their number alone: an app of an older version, open in another tab, reads it, too. */
const ofChat = 'chat:'
const keyOf = (of: DraftOf) => ('ticketId' in of ? of.ticketId : `${ofChat}${of.chatId}`)
const isGone = (key: number | string, gone: (chatId: number) => boolean): boolean =>
  typeof key === 'string' && gone(Number(key.slice(ofChat.length)))

/** The storage of one user in this browser, in IndexedDB. Open in each tab and in the worker. */
export function dexieStorage(name: string): OutboxStorage {
  const db = new Dexie(name) as Dexie & {
    entries: EntityTable<Entry, 'id'>
    files: EntityTable<{ id: string; blob: Blob }, 'id'>
    /** `ticketId` is what `keyOf` says, of a chat as well. */
    drafts: EntityTable<{ ticketId: number | string; text: string; at: number }, 'ticketId'>
  }
  db.version(1).stores({ entries: 'id, seq', files: 'id', drafts: 'ticketId' })
  // Another tab deletes the database at logout, and waits for this.
  db.on('versionchange', () => db.close())
  return {
    load: () => db.entries.orderBy('seq').toArray(),
    add: (entry, file) =>
      db.transaction('rw', db.entries, db.files, async () => {
        if (await db.entries.get(entry.id)) return
        if (file) await db.files.put({ id: entry.id, blob: file })
        await db.entries.add(entry)
      }),
    // An entry that was removed meanwhile stays removed.
    put: (entries) =>
      db.transaction('rw', db.entries, async () => {
        const known = await db.entries.bulkGet(entries.map((entry) => entry.id))
        await db.entries.bulkPut(entries.filter((_, i) => known[i]))
      }),
    remove: (ids) =>
      db.transaction('rw', db.entries, db.files, async () => {
        await db.entries.bulkDelete([...ids])
        await db.files.bulkDelete([...ids])
      }),
    file: async (id) => (await db.files.get(id))?.blob ?? null,
    draft: async (of) => (await db.drafts.get(keyOf(of)))?.text ?? '',
    setDraft: async (of, text) => {
      if (text === '') await db.drafts.delete(keyOf(of))
      else await db.drafts.put({ ticketId: keyOf(of), text, at: Date.now() })
    },
    dropChatDrafts: async (gone) => {
      const keys = await db.drafts.where('ticketId').startsWith(ofChat).primaryKeys()
      await db.drafts.bulkDelete(keys.filter((key) => isGone(key, gone)))
    },
    close: () => db.close(),
  }
}

/** The same in memory: for a browser that refuses storage, and for tests. */
export function memoryStorage(): OutboxStorage {
  const entries = new Map<string, Entry>()
  const files = new Map<string, Blob>()
  const drafts = new Map<number | string, string>()
  return {
    load: async () => [...entries.values()].sort((a, b) => a.seq - b.seq),
    add: async (entry, file) => {
      if (entries.has(entry.id)) return
      entries.set(entry.id, entry)
      if (file) files.set(entry.id, file)
    },
    put: async (changed) => {
      for (const entry of changed) if (entries.has(entry.id)) entries.set(entry.id, entry)
    },
    remove: async (ids) => {
      for (const id of ids) for (const all of [entries, files]) all.delete(id)
    },
    file: async (id) => files.get(id) ?? null,
    draft: async (of) => drafts.get(keyOf(of)) ?? '',
    setDraft: async (of, text) => void (text === '' ? drafts.delete(keyOf(of)) : drafts.set(keyOf(of), text)),
    dropChatDrafts: async (gone) => {
      for (const key of drafts.keys()) if (isGone(key, gone)) drafts.delete(key)
    },
    close: () => undefined,
  }
}
