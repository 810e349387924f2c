import { isAway as isAwayBy } from '../../schema/assignment/assignment.presence.ts'
import { useQueues, useUsers } from '../replica/directory.ts'
import { usePrincipal } from '../session/session.tsx'

/**
 * What a person may say of being there: only where one of their queues gives tickets by itself or takes them back, or they are away already.
 * @returns null where it means nothing
 */
export function useAway(now: number): { isAway: boolean; until: number | null } | null {
  const { userId, queueIds } = usePrincipal()
  const own = useUsers().byId.get(userId)
  const queues = useQueues().byId
  const isAway = own !== undefined && isAwayBy(own, now)
  const isGiven = queueIds.some((id) => {
    const queue = queues.get(id)
    return queue !== undefined && (queue.assignment !== 'manual' || queue.whenAway === 'queue')
  })
  return isAway || isGiven ? { isAway, until: own?.awayUntil ?? null } : null
}
