import { createStore, useStore } from '../base/store.ts'

/** What the top bar tells about the local replica and the outbox. The sync client sets it; the shell only shows it. */
export interface SyncStatus {
  /** Whether the sync client reaches the server. */
  online: boolean
  /** Whether the screens show what was known last, or rows are being fetched that they lack. */
  syncing: boolean
  /** Mutations made here that the server has not confirmed. */
  pending: number
  /** Mutations that the server refused, waiting for the person to retry or discard them. */
  failed: number
  /** The replica does not work, a part of its program did not come, or what it holds is gone after a reload. */
  trouble: 'failed' | 'unfetched' | 'unkept' | null
}

export const calm: SyncStatus = { online: true, syncing: false, pending: 0, failed: 0, trouble: null }
export const syncStatus = createStore<SyncStatus>(calm)

export const useSyncStatus = (): SyncStatus => useStore(syncStatus)
