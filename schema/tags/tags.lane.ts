import type { Tag } from './tags.table.ts'

/** What the board knows of a tag. */
export type LaneTag = Pick<Tag, 'id' | 'name' | 'kanban' | 'laneOrder'>

/** The tags that are lanes, from left to right: by their place, then by name. */
export function lanesOf<T extends LaneTag>(tags: readonly T[]): T[] {
  return tags
    .filter(({ kanban }) => kanban === 1)
    .sort(
      (a, b) =>
        (a.laneOrder ?? Infinity) - (b.laneOrder ?? Infinity) || a.name.localeCompare(b.name, 'pt') || a.id - b.id || 0,
    )
}

/**
 * The lane that a ticket stands in, or null for the first one, of those that were put nowhere. A ticket with the tags of
 * several lanes, which the tags of a conversation allow, stands once: in the first of them.
 */
export const laneOf = (tagIds: readonly number[], lanes: readonly Pick<Tag, 'id'>[]): number | null =>
  lanes.find(({ id }) => tagIds.includes(id))?.id ?? null

/** The tags of a ticket that is put into a lane: it leaves all others, and keeps the tags that are no lanes. */
export const tagsInLane = (tagIds: readonly number[], laneIds: ReadonlySet<number>, laneId: number | null): number[] =>
  [...tagIds.filter((id) => id !== laneId && !laneIds.has(id)), ...(laneId === null ? [] : [laneId])].sort(
    (a, b) => a - b,
  )
