import { id, type LocalTable } from './tables.ts'

/** Columns by whose values live queries distinguish rows of a table (`only`), besides the primary key. */
export type WatchedColumns = (table: string) => readonly string[]

/**
 * Which rows one local transaction changed, as far as live queries care: for each table the values of the watched
 * columns before and after, or the whole table when it was too much to tell.
 */
export class Changes {
  readonly #tables = new Map<string, 'all' | Map<string, Set<string>>>()

  readonly #columns = new Map<string, readonly string[]>()

  constructor(private readonly watchedNow: WatchedColumns) {}

  /** The same for the whole life of these changes, whoever subscribes meanwhile: results are read by position. */
  private watched(table: string): readonly string[] {
    let columns = this.#columns.get(table)
    if (!columns) this.#columns.set(table, (columns = this.watchedNow(table)))
    return columns
  }

  /** `RETURNING …` for a statement on `table`, whose rows `add` then takes. */
  returning(table: LocalTable): string {
    const columns = this.watched(table.name)
    const parts = columns.flatMap((column, i) => [`OLD.${id(column)} AS "o${i}"`, `NEW.${id(column)} AS "n${i}"`])
    return `RETURNING ${parts.length > 0 ? parts.join(', ') : '1 AS "changed"'}`
  }

  add(table: LocalTable, rows: readonly Record<string, unknown>[]): void {
    if (rows.length === 0) return
    let columns = this.#tables.get(table.name)
    if (columns === 'all') return
    if (!columns) this.#tables.set(table.name, (columns = new Map()))
    for (const [i, column] of this.watched(table.name).entries()) {
      let values = columns.get(column)
      if (!values) columns.set(column, (values = new Set()))
      for (const row of rows) {
        if (row[`o${i}`] != null) values.add(String(row[`o${i}`]))
        if (row[`n${i}`] != null) values.add(String(row[`n${i}`]))
      }
    }
  }

  addAll(table: LocalTable): void {
    this.#tables.set(table.name, 'all')
  }

  /** The values that a watched column had or has in the changed rows. */
  values(table: string, column: string): 'all' | Iterable<string> {
    const columns = this.#tables.get(table)
    if (!columns) return []
    return columns === 'all' ? 'all' : (columns.get(column) ?? 'all')
  }

  get empty(): boolean {
    return this.#tables.size === 0
  }

  /** Whether a query that reads `table`, perhaps only where `column` is `value`, may have another answer now. */
  touch(table: string, only?: { column: string; value: string | number }): boolean {
    const columns = this.#tables.get(table)
    if (!columns) return false
    if (columns === 'all' || !only) return true
    // A column that nobody watched when the rows were written says nothing.
    return columns.get(only.column)?.has(String(only.value)) ?? true
  }
}
