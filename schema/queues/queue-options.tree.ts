import type { QueueOption } from './queue-options.table.ts'

/** What contacts can be asked to read, and what one screen can show. */
export const MOST_OPTIONS = 300
export const MOST_BESIDE = 30
/** Levels: who is deeper has forgotten where the way began. */
export const DEEPEST = 8

type Placed = Pick<QueueOption, 'id' | 'parentId' | 'option'>

/** Those under an option, or at the top, in their order. */
export const below = <O extends Placed>(options: readonly O[], parentId: number | null): O[] =>
  options.filter((o) => o.parentId === parentId).toSorted((a, b) => a.option - b.option || a.id - b.id)

/** A level as a tree: each option with those under it, as clients of this family read it. */
export type Nested<O> = O & { children: Nested<O>[] }
export const nested = <O extends Placed>(options: readonly O[], parentId: number | null): Nested<O>[] =>
  below(options, parentId).map((option) => ({ ...option, children: nested(options, option.id) }))

/** An option and all under it, itself first. */
export function branch<O extends Placed>(options: readonly O[], id: number): O[] {
  const top = options.filter((o) => o.id === id)
  const found = new Set(top)
  // A set hands out what is added while it is gone through; what is in it twice is in it once.
  for (const o of found) for (const child of below(options, o.id)) found.add(child)
  return [...found]
}

/** How many levels down an option is; 1 at the top, 0 for null. */
export function depthOf(options: readonly Placed[], id: number | null): number {
  let depth = 0
  for (let at = id; at !== null && depth <= options.length; depth++)
    at = options.find((o) => o.id === at)?.parentId ?? null
  return depth
}

/** How many levels a branch has. */
export const heightOf = (options: readonly Placed[], id: number): number =>
  1 + Math.max(0, ...below(options, id).map((child) => heightOf(options, child.id)))

/**
 * The numbers of a level when an option is put into it: 1 to n without a gap, because contacts type them.
 * @param level those that stand there, in their order
 * @param id the one that is put there, which may be among them; null when one has gone
 * @param wished its number; undefined at the end
 * @returns the options whose number changes
 */
export function numbered(
  level: readonly Pick<Placed, 'id' | 'option'>[],
  id: number | null,
  wished?: number,
): { id: number; option: number }[] {
  const before = new Map(level.map((o) => [o.id, o.option]))
  const ids = level.map((o) => o.id).filter((other) => other !== id)
  if (id !== null) ids.splice(Math.max(0, (wished ?? Infinity) - 1), 0, id)
  return ids.map((at, i) => ({ id: at, option: i + 1 })).filter((o) => before.get(o.id) !== o.option)
}
