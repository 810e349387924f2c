import { quoteLiteral } from './database.ts'
import type { Tuple } from './pgoutput.ts'
import type { Column, Table } from './tables.ts'

/**
 * How rows and their keys are written. A key must come out the same from SQL, which writes the
 * snapshot, and from JavaScript, which writes the log.
 */

/** What `::text` makes of a value where that differs from how the log prints it. */
export function keyText(column: Column, value: string): string {
  if (column.baseType === 'bool') return value === 't' ? 'true' : 'false'
  if (column.baseType === 'bpchar') return unpadded(value)
  return value
}

/** `char(n)` without the blanks that fill it up, as a cast to text gives it. */
function unpadded(value: string): string {
  let end = value.length
  while (value[end - 1] === ' ') end--
  return value.slice(0, end)
}

/** Text of a column in the snapshot. */
function textSql(table: Table, column: Column): string {
  const name = `${aliasSql(table)}.${quoteColumn(column.name)}`
  // `::text` would add the length of the network mask, which the log does not print.
  if (column.baseType === 'inet') return `CASE WHEN ${name} IS NOT NULL THEN format('%s', ${name}) END`
  return `${name}::text`
}

/** The name by which a predicate may qualify its columns. */
export function aliasSql(table: Table): string {
  return quoteColumn(table.name)
}

function quoteColumn(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function keyPrefix(table: Table): string {
  const part = (name: string) => `"${name.replaceAll('.', '..').replaceAll('/', '//')}"`
  return `${part(table.schema)}.${part(table.name)}`
}

/** `"public"."issues"/"1"`: `/` in a value is doubled, NULL is `_`. */
export function rowKey(table: Table, prefix: string, tuple: Tuple): string {
  let key = prefix
  for (const position of table.key) {
    const value = tuple[position]
    const column = table.columns[position]
    key +=
      value === null || value === undefined || !column ? '/_' : `/"${keyText(column, value).replaceAll('/', '//')}"`
  }
  return key
}

/** Which rows a snapshot takes, beyond the columns. */
export type Selection = {
  where: string | undefined
  /** For a subset: the order of the rows as SQL, and which of them. */
  orderBy?: string
  limit?: number
  offset?: number
  /** Told with every row. */
  mark?: number
}

/**
 * One query that yields the snapshot's identity and every row as a finished message:
 * `(snapshot, position, null)` once and `(null, null, message)` per row. One statement is one snapshot.
 */
export function snapshotSql(table: Table, columns: number[], selection: Selection): string {
  const { where, orderBy, limit, offset, mark } = selection
  const keySql = table.key
    .map((position) => {
      const column = table.columns[position]
      if (!column) return "''"
      const text = textSql(table, column)
      return `coalesce('/"' || replace(${text}, '/', '//') || '"', '/_')`
    })
    .join(' || ')
  const selected = columns.map((position) => {
    const column = table.columns[position]
    return column ? `${textSql(table, column)} AS ${quoteColumn(column.name)}` : ''
  })
  const headers = JSON.stringify({ operation: 'insert', relation: [table.schema, table.name], snapshot_mark: mark })
  const clauses = [
    where === undefined ? '' : ` WHERE (${where})`,
    orderBy === undefined ? '' : ` ORDER BY ${orderBy}`,
    limit === undefined ? '' : ` LIMIT ${limit}`,
    offset === undefined ? '' : ` OFFSET ${offset}`,
  ]
  // The predicate stands in a query of its own, where each column has one meaning.
  return `SELECT pg_current_snapshot()::text, (pg_current_wal_insert_lsn() - '0/0')::text, NULL::text
    UNION ALL
    SELECT NULL, NULL, '{"key":' || to_json(${quoteLiteral(keyPrefix(table))} || ${keySql || "''"})::text
      || ',"value":' || row_to_json("shape value row")::text || ${quoteLiteral(`,"headers":${headers}}`)}
    FROM (SELECT * FROM ${table.sqlName} AS ${aliasSql(table)}${clauses.join('')}) AS ${aliasSql(table)}
    CROSS JOIN LATERAL (SELECT ${selected.join(', ')}) AS "shape value row"`
}

export type Change =
  | { operation: 'insert'; tuple: Tuple; keyChangedFrom?: string }
  | { operation: 'delete'; tuple: Tuple; keyChangedTo?: string }
  | { operation: 'update'; old: Tuple; tuple: Tuple }

/** One change as clients read it. Shapes that show the same of a row share it: there may be hundreds. */
export type Message = {
  readonly lsn: number
  readonly op: number
  readonly xid: number
  readonly json: string
  /** Of the JSON as UTF-8. */
  readonly bytes: number
}

const writers = new WeakMap<Table, Map<string, RowWriter>>()

/** The writer of all shapes with these columns. */
export function writerFor(table: Table, columns: number[], full: boolean): RowWriter {
  let own = writers.get(table)
  if (!own) writers.set(table, (own = new Map()))
  const key = `${columns.join()}${full ? ' full' : ''}`
  let writer = own.get(key)
  if (!writer) own.set(key, (writer = new RowWriter(table, columns, full)))
  return writer
}

/** Writes the log's messages of the shapes that show the same columns of a table. */
export class RowWriter {
  private readonly names: { position: number; json: string; inKey: boolean; isPadded: boolean }[]
  private readonly relation: string
  private readonly prefix: string
  /** What was written of the transaction at hand, by change. */
  private readonly written = new Map<string, { tuple: Tuple; message: Message }>()
  private writtenLsn = -1

  constructor(
    private readonly table: Table,
    columns: number[],
    private readonly full: boolean,
  ) {
    const keys = new Set(table.key)
    this.names = columns.map((position) => ({
      position,
      json: JSON.stringify(table.columns[position]?.name ?? ''),
      inKey: keys.has(position),
      isPadded: table.columns[position]?.baseType === 'bpchar',
    }))
    this.relation = JSON.stringify([table.schema, table.name])
    this.prefix = keyPrefix(table)
  }

  key(tuple: Tuple): string {
    return rowKey(this.table, this.prefix, tuple)
  }

  /** Whether an update touched a column that the shape shows. */
  isVisible(old: Tuple, tuple: Tuple): boolean {
    return this.names.some(({ position }) => old[position] !== tuple[position])
  }

  /** @param at the transaction, the change's place in it, and whether it is the shape's last one there */
  message(change: Change, at: { xid: number; lsn: number; op: number; last: boolean }): Message {
    if (at.lsn !== this.writtenLsn) {
      this.writtenLsn = at.lsn
      this.written.clear()
    }
    const { operation } = change
    const keyChange =
      operation === 'insert' ? change.keyChangedFrom : operation === 'delete' ? change.keyChangedTo : undefined
    const known = `${at.op} ${operation} ${at.last} ${keyChange !== undefined}`
    const written = this.written.get(known)
    if (written?.tuple === change.tuple) return written.message
    const json = this.json(change, at)
    const message = { lsn: at.lsn, op: at.op, xid: at.xid, json, bytes: Buffer.byteLength(json) }
    this.written.set(known, { tuple: change.tuple, message })
    return message
  }

  private json(change: Change, at: { xid: number; lsn: number; op: number; last: boolean }): string {
    const headers = `{"operation":"${change.operation}","relation":${this.relation},"txids":[${at.xid}],"lsn":"${at.lsn}","op_position":${at.op}${at.last ? ',"last":true' : ''}`
    const key = JSON.stringify(this.key(change.tuple))
    if (change.operation === 'insert') {
      const from = change.keyChangedFrom
      return `{"key":${key},"value":${this.values(change.tuple)},"headers":${headers}${from === undefined ? '' : `,"key_change_from":${JSON.stringify(from)}`}}}`
    }
    if (change.operation === 'delete') {
      const to = change.keyChangedTo
      const value = this.values(change.tuple, this.full ? undefined : () => false)
      return `{"key":${key},"value":${value},"headers":${headers}${to === undefined ? '' : `,"key_change_to":${JSON.stringify(to)}`}}}`
    }
    const { old, tuple } = change
    const changed = (position: number) => old[position] !== tuple[position]
    if (!this.full) return `{"key":${key},"value":${this.values(tuple, changed)},"headers":${headers}}}`
    return `{"key":${key},"value":${this.values(tuple)},"old_value":${this.values(old, changed, false)},"headers":${headers}}}`
  }

  private values(tuple: Tuple, only?: (position: number) => boolean, withKey = true): string {
    let json = '{'
    for (const { position, json: name, inKey, isPadded } of this.names) {
      if (only && !(inKey && withKey) && !only(position)) continue
      const value = tuple[position]
      const text = value === null || value === undefined ? 'null' : JSON.stringify(isPadded ? unpadded(value) : value)
      json += `${json === '{' ? '' : ','}${name}:${text}`
    }
    return `${json}}`
  }
}
