/**
 * What stands elsewhere once one row has gone to a place, in an order that counts from 1 without gaps.
 * @param all in their order
 * @returns ids and places of those whose place is another one now
 */
export function movedTo<T extends { id: number; position: number }>(
  all: readonly T[],
  id: number,
  position: number,
): { id: number; position: number }[] {
  const others = all.filter((one) => one.id !== id)
  const moved = all.filter((one) => one.id === id)
  return [...others.slice(0, position - 1), ...moved, ...others.slice(position - 1)].flatMap((one, at) =>
    one.position === at + 1 ? [] : { id: one.id, position: at + 1 },
  )
}
