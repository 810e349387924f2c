import type { TicketSight } from '../permissions.ts'

/**
 * A `TicketSight` as the text of a condition, for shapes and for the replica. `sees` is the predicate, and
 * `server/tickets/tickets.queries.ts` holds the condition of the server's lists; a test holds the three together.
 */

/**
 * As the text of a condition; null for who sees all. Equal sights give equal texts, so that people share a shape.
 *
 * @param put takes a parameter and answers its place, such as `$2`
 */
export function sightText(
  sight: TicketSight,
  at: { queueId: string; userId: string },
  put: (value: number) => string,
): string | null {
  if (sight === 'all') return null
  return [`"${at.userId}" = ${put(sight.userId)}`, ...queuesText(sight.queues, `"${at.queueId}"`, put)].join(' OR ')
}

/** The conditions that tickets of these queues meet, any of them; null is no queue. */
export function queuesText(
  queues: readonly (number | null)[],
  column: string,
  put: (value: number) => string,
): string[] {
  const ids = queues.filter((id) => id !== null).toSorted((a, b) => a - b)
  return [
    ...(ids.length > 0 ? [`${column} IN (${ids.map(put).join(', ')})`] : []),
    ...(queues.includes(null) ? [`${column} IS NULL`] : []),
  ]
}
