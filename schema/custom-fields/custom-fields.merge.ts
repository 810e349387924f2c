import type { DecidedTable } from '../command.ts'
import type { FieldPatch } from './custom-fields.table.ts'

/**
 * Fields are written by key: a change names those that it changes, with null for what it empties. Two people who fill in
 * two fields at once both have theirs. Whoever writes a change down, in Postgres or in the replica, asks here.
 */
const holders: ReadonlySet<string> = new Set(['tickets', 'contacts'] satisfies DecidedTable[])

/** Whether a change of this column of this table is one by key. */
export const isByKey = (table: DecidedTable, column: string): boolean => column === 'fields' && holders.has(table)

/** What fields become by a change. */
export function mergedFields(before: FieldPatch | null | undefined, change: FieldPatch): FieldPatch {
  const all = Object.entries({ ...before, ...change })
  return Object.fromEntries(all.filter(([, value]) => value !== null))
}
