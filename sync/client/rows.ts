import type { Changes } from './changes.ts'
import type { Sql } from './statements.ts'
import { id, list, type LocalColumn, type LocalTable, named } from './tables.ts'

/** A row, or part of one, as Postgres text: what shapes carry and what statements here are given. */
export type TextRow = Record<string, string | null>

/** Rows in one statement: beyond this the JSON gets slower to parse than another statement costs. */
const statementRows = 2_000

/** A JavaScript value of a row as Postgres text for a column of `type`. */
export function toText(value: unknown, type: string): string | null {
  if (value === null || value === undefined) return null
  if (type === 'jsonb' || type === 'json') return JSON.stringify(value)
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value))
    return `{${value.map((item) => (item === null ? 'NULL' : JSON.stringify(String(item)))).join(',')}}`
  return String(value)
}

const recordset = (columns: readonly LocalColumn[]) =>
  `json_to_recordset($1::json) AS x(${columns.map((c) => `${id(c.name)} text`).join(', ')})`
const cast = (column: LocalColumn) => `x.${id(column.name)}::${column.type}`
const onKey = (table: LocalTable, columns: readonly LocalColumn[]) =>
  columns
    .filter((c) => table.primaryKey.includes(c.name))
    .map((c) => `t.${id(c.name)} = ${cast(c)}`)
    .join(' AND ')

function* chunks<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let i = 0; i < rows.length; i += statementRows) yield rows.slice(i, i + statementRows)
}

/** Inserts whole rows, or makes the rows of those keys equal to them. A column that is missing becomes null. */
export async function upsertRows(
  tx: Sql,
  table: LocalTable,
  rows: readonly TextRow[],
  changes: Changes,
): Promise<void> {
  const rest = table.columns.filter((c) => !table.primaryKey.includes(c.name))
  const conflict = `ON CONFLICT (${table.primaryKey.map(id).join(', ')}) DO ${
    rest.length > 0 ? `UPDATE SET ${rest.map((c) => `${id(c.name)} = excluded.${id(c.name)}`).join(', ')}` : 'NOTHING'
  }`
  const bulk = rows.length > statementRows / 4
  if (bulk) changes.addAll(table)
  const sql = `INSERT INTO ${named(table)} AS t (${list(table.columns)}) SELECT ${table.columns.map(cast).join(', ')} FROM ${recordset(table.columns)} ${conflict} ${bulk ? '' : changes.returning(table)}`
  for (const chunk of chunks(rows)) {
    const result = await tx.query<Record<string, unknown>>(sql, [JSON.stringify(chunk)])
    if (!bulk) changes.add(table, result.rows)
  }
}

/** Changes some columns of rows that exist; every row names its primary key. Unknown keys are left alone. */
export async function patchRows(tx: Sql, table: LocalTable, rows: readonly TextRow[], changes: Changes): Promise<void> {
  const groups = new Map<string, TextRow[]>()
  for (const row of rows) {
    const shape = Object.keys(row).sort().join('\0')
    const group = groups.get(shape)
    if (group) group.push(row)
    else groups.set(shape, [row])
  }
  for (const group of groups.values()) {
    const columns = table.columns.filter((c) => c.name in group[0]!)
    const set = columns.filter((c) => !table.primaryKey.includes(c.name))
    if (set.length === 0) continue
    const sql = `UPDATE ${named(table)} AS t SET ${set.map((c) => `${id(c.name)} = ${cast(c)}`).join(', ')} FROM ${recordset(columns)} WHERE ${onKey(table, columns)} ${changes.returning(table)}`
    for (const chunk of chunks(group))
      changes.add(table, (await tx.query<Record<string, unknown>>(sql, [JSON.stringify(chunk)])).rows)
  }
}

/** Deletes rows by primary key; other columns of `keys` are ignored. */
export async function deleteRows(
  tx: Sql,
  table: LocalTable,
  keys: readonly TextRow[],
  changes: Changes,
): Promise<void> {
  const columns = table.columns.filter((c) => table.primaryKey.includes(c.name))
  const sql = `DELETE FROM ${named(table)} AS t USING ${recordset(columns)} WHERE ${onKey(table, columns)} ${changes.returning(table)}`
  for (const chunk of chunks(keys))
    changes.add(table, (await tx.query<Record<string, unknown>>(sql, [JSON.stringify(chunk)])).rows)
}

/** Deletes every row whose key is not among `rows`. */
export async function keepOnly(tx: Sql, table: LocalTable, rows: readonly TextRow[], changes: Changes): Promise<void> {
  const columns = table.columns.filter((c) => table.primaryKey.includes(c.name))
  const keys = rows.map((row) => Object.fromEntries(columns.map((c) => [c.name, row[c.name]])))
  const gone = await tx.query<Record<string, unknown>>(
    `DELETE FROM ${named(table)} AS t WHERE NOT EXISTS (SELECT FROM ${recordset(columns)} WHERE ${onKey(table, columns)}) ${changes.returning(table)}`,
    [JSON.stringify(keys)],
  )
  changes.add(table, gone.rows)
}
