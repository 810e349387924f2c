import { mostBulk } from '../../schema/tickets/tickets.list.ts'
import { noSelection, type Selection } from './tickets.selection.ts'

const made = (ids: Iterable<number>, anchor: number | null): Selection => {
  const set = new Set(ids)
  return set.size === 0 ? noSelection : { ids: set, anchor }
}

/** One more is chosen, or is so no longer. Beyond as many as one command takes nothing is added. */
export function toggled({ ids, anchor }: Selection, id: number): Selection {
  if (ids.has(id))
    return made(
      [...ids].filter((other) => other !== id),
      id,
    )
  return ids.size >= mostBulk ? { ids, anchor } : made([...ids, id], id)
}

/** Everything from the one that was chosen last to this one, in the order of the list. */
export function rangedTo({ ids, anchor }: Selection, order: readonly number[], id: number): Selection {
  const [from, to] = [order.indexOf(anchor ?? id), order.indexOf(id)]
  if (to < 0) return { ids, anchor }
  const range = from < 0 ? [id] : order.slice(Math.min(from, to), Math.max(from, to) + 1)
  // From the anchor on: where not all of them fit, those nearest to it do.
  const added = from > to ? range.toReversed() : range
  return made([...new Set([...ids, ...added])].slice(0, mostBulk), from < 0 ? id : (anchor ?? id))
}

/** The first of them, as many as one command takes. */
export const allOf = (order: readonly number[]): Selection => made(order.slice(0, mostBulk), order[0] ?? null)

/** Without those that the list no longer has; the same where none is missing. */
export function keptOf(current: Selection, isThere: (id: number) => boolean): Selection {
  const ids = [...current.ids].filter(isThere)
  return ids.length === current.ids.size ? current : made(ids, current.anchor)
}
