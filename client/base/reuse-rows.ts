/**
 * The new rows, with every row that says the same as before replaced by the object from before, so that memoised
 * components skip it; the old list itself when nothing changed at all.
 */
export function reuseRows<Row extends object>(
  before: readonly Row[] | undefined,
  after: readonly Row[],
  keyOf: (row: Row) => unknown,
): readonly Row[] {
  if (!before) return after
  const known = new Map(before.map((row) => [keyOf(row), row]))
  let same = before.length === after.length
  const merged = after.map((row, index) => {
    const old = known.get(keyOf(row))
    const kept = old && (old === row || sameFields(old, row)) ? old : row
    if (kept !== before[index]) same = false
    return kept
  })
  return same ? before : merged
}

function sameFields(a: object, b: object): boolean {
  const names = Object.keys(b) as (keyof typeof b)[]
  return names.length === Object.keys(a).length && names.every((name) => sameValue((a as typeof b)[name], b[name]))
}

function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (a instanceof Date || b instanceof Date)
    return a instanceof Date && b instanceof Date && a.getTime() === b.getTime()
  if (Array.isArray(a) !== Array.isArray(b)) return false
  return sameFields(a, b)
}
