import type { LiveQuery } from '../../sync/client/replica.types.ts'

/**
 * A live query with what belongs to it: how its rows become what the screen uses (dates as numbers, for instance) and
 * what tells them apart. Make `read` and `keyOf` module-level functions: the first ones given for a query are used.
 */
export interface Rows<Row extends object> {
  query: LiveQuery
  /** Without it, rows are used as the replica has them. */
  read?: (raw: Record<string, unknown>) => Row
  keyOf: (row: Row) => unknown
}

export interface RowsState<Row> {
  /** Undefined until the first answer. What an earlier visit saw is there at once. */
  rows: readonly Row[] | undefined
  /** They answer the query before this one, which has no answer yet. Only with `keepPrevious`. */
  previous: boolean
  error: Error | null
}

/** Milliseconds since 1970 of a moment as a database, JSON or a worker hands it over. */
export function msOf(value: unknown): number {
  if (typeof value === 'number') return value
  if (value instanceof Date) return value.getTime()
  if (typeof value !== 'string') return 0
  // Postgres' own text form has a blank and a short zone.
  const ms = Date.parse(value)
  return Number.isNaN(ms) ? Date.parse(value.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')) || 0 : ms
}

/** The path in the media store of an address that the REST API gave, or null. */
export function storePath(address: unknown): string | null {
  return typeof address === 'string' && address.startsWith('/public/') ? address.slice('/public/'.length) : null
}
