import { useCallback, useSyncExternalStore } from 'react'
import { useReplica } from './replica.tsx'

/** Whether the server can be reached, as the replica sees it. */
export function useOnline(): boolean {
  const { status } = useReplica()
  const subscribe = useCallback((listener: () => void) => status.subscribe(listener), [status])
  return useSyncExternalStore(subscribe, () => status.get().online)
}
