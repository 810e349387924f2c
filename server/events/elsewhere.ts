import type { Between } from '../between.ts'

/** Who has the app open on a socket of another server. */
export interface Elsewhere {
  has(userId: number): boolean
  /** Somebody is here who was not, or is not any more. */
  came(userId: number): void
  went(userId: number): void
  /** Everybody who is here; said now and then, for servers that have heard nothing yet. */
  all(userIds: readonly number[]): void
  /** Nobody is here any more. */
  ends(): void
}

/** A server that said nothing for so long is gone; each says once a minute who is there. */
const SILENT_MS = 150_000
const IDS_AT_ONCE = 500

type Word =
  | { from: string; is: 'came' | 'went'; id: number }
  | { from: string; is: 'all'; ids: number[]; more: boolean }
  | { from: string; is: 'ends' }
  | { from: string; is: 'asks' }

/** @param here asked when a server begins and wants to know */
export function createElsewhere(between: Between, here: () => readonly number[], time = Date.now): Elsewhere {
  const me = crypto.randomUUID().slice(0, 8)
  const servers = new Map<string, { at: number; ids: Set<number> }>()
  const tell = (word: Word) => between.tell('here', word)
  const all = (userIds: readonly number[]) => {
    for (let at = 0; at === 0 || at < userIds.length; at += IDS_AT_ONCE)
      tell({ from: me, is: 'all', ids: userIds.slice(at, at + IDS_AT_ONCE), more: at > 0 })
  }
  between.hear('here', (told) => {
    const word = told as Word
    if (word.is === 'asks') return all(here())
    if (word.is === 'ends') return void servers.delete(word.from)
    const known = servers.get(word.from)
    const ids = known && !(word.is === 'all' && !word.more) ? known.ids : new Set<number>()
    servers.set(word.from, { at: time(), ids })
    if (word.is === 'all') for (const id of word.ids) ids.add(id)
    else if (word.is === 'came') ids.add(word.id)
    else ids.delete(word.id)
  })
  tell({ from: me, is: 'asks' })
  return {
    has(userId) {
      const since = time() - SILENT_MS
      for (const [from, { at, ids }] of servers) {
        if (at < since) servers.delete(from)
        else if (ids.has(userId)) return true
      }
      return false
    },
    came: (id) => tell({ from: me, is: 'came', id }),
    went: (id) => tell({ from: me, is: 'went', id }),
    all,
    ends: () => tell({ from: me, is: 'ends' }),
  }
}
