import type { TicketSight } from '../permissions.ts'
import { seenBy, waysOf } from './tickets.list.ts'

/**
 * A `TicketSight` as the text of a condition, for shapes; null for who sees all. Equal sights give equal texts, so that
 * people share a shape. `sees` is the predicate, and lists hold what is seen by `seenBy`; a test holds the three together.
 *
 * @param at how the columns are called
 * @param put takes a parameter and answers its place, such as `$2`
 */
export function sightText(
  sight: TicketSight,
  at: { queueId: string; userId: string },
  put: (value: number) => string,
): string | null {
  const [seen] = seenBy(sight)
  if (!seen) return null
  const names: Record<string, string> = at
  return waysOf(seen, { column: (name) => `"${names[name] ?? name}"`, put: (value) => put(Number(value)) }).join(' OR ')
}
