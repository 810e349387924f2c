import { useQueues, useUsers, type UserRow } from '../replica/directory.ts'
import { usePrincipal } from '../session/session.tsx'

/** Whether somebody takes no conversations now, by their own word. @param now milliseconds since 1970 */
export const isAwayAt = ({ awayAt, awayUntil }: Pick<UserRow, 'awayAt' | 'awayUntil'>, now: number): boolean =>
  awayAt !== null && (awayUntil === null || awayUntil > now)

/**
 * What a person may say of being there: only where one of their queues gives tickets by itself or takes them back, or they are away already.
 * @returns null where it means nothing
 */
export function useAway(now: number): { isAway: boolean; until: number | null } | null {
  const { userId, queueIds } = usePrincipal()
  const own = useUsers().byId.get(userId)
  const queues = useQueues().byId
  const isAway = own !== undefined && isAwayAt(own, now)
  const isGiven = queueIds.some((id) => {
    const queue = queues.get(id)
    return queue !== undefined && (queue.assignment !== 'manual' || queue.whenAway === 'queue')
  })
  return isAway || isGiven ? { isAway, until: own?.awayUntil ?? null } : null
}
