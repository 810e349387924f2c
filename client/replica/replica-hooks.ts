import { useMemo, useSyncExternalStore } from 'react'
import type { OutboxEntry, SyncStatus } from '../../sync/client/replica.types.ts'
import { useReplica } from './replica.tsx'

/** What waits, is refused or is on its way; of one ticket if given. */
export function useOutbox(ticketId?: number): readonly OutboxEntry[] {
  const { outbox } = useReplica()
  const entries = useSyncExternalStore(outbox.subscribe, outbox.get)
  return useMemo(
    () => (ticketId === undefined ? entries : entries.filter((entry) => entry.ticketId === ticketId)),
    [entries, ticketId],
  )
}

/** How the replica stands, in full. The top bar shows the digest in `sync-status.ts`, which needs no replica. */
export function useReplicaStatus(): SyncStatus {
  const { status } = useReplica()
  return useSyncExternalStore(status.subscribe, status.get)
}
