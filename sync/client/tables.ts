import { getTableColumns, getTableName } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { type Noun, nouns } from '../../schema/nouns.ts'
import { type ShapeDefinition, type ShapeName, shapeNames, shapes } from '../shapes.ts'

/** A synced table as the browser holds it. */
export interface LocalTable {
  shape: ShapeName
  /** The name in SQL, quoted where it is used. */
  name: string
  /** Where it lies, unless among the tables that screens query. */
  schema?: 'base'
  columns: readonly LocalColumn[]
  primaryKey: readonly string[]
}
export interface LocalColumn {
  name: string
  /** A type that PGlite understands; serials are plain integers here, because rows come with their ids. */
  type: string
}

export const localTables = Object.fromEntries(
  shapeNames.map((shape) => {
    const definition: ShapeDefinition = shapes[shape]
    const columns = Object.values(getTableColumns(definition.table) as Record<string, PgColumn>)
      .filter((column) => definition.columns.includes(column.name))
      .map((column) => ({ name: column.name, type: column.getSQLType().replace(/^(big|small)?serial$/, '$1int') }))
    return [shape, { shape, name: getTableName(definition.table), columns, primaryKey: definition.primaryKey }]
  }),
) as unknown as Record<ShapeName, LocalTable>

/** What lies in `base` of a table whose rows have an id. */
export const baseTable = (table: LocalTable): LocalTable => ({
  ...table,
  schema: 'base',
  columns: [...table.columns, { name: '_exists', type: 'boolean' }],
})

/** By the name in SQL. */
export const tableOfName: ReadonlyMap<string, LocalTable> = new Map(
  Object.values(localTables).map((table) => [table.name, table]),
)

/** The indexes that the screens' queries need. */
const indexesOf = ({ shape }: LocalTable): Readonly<Record<string, string>> => {
  const noun = Object.entries<Noun>(nouns).find(([name]) => name === shape)?.[1]
  return noun?.replicaIndexes ?? {}
}

export const id = (name: string) => `"${name.replaceAll('"', '""')}"`
/** A table as statements name it. */
export const named = (table: LocalTable) => (table.schema ? `${table.schema}.${id(table.name)}` : id(table.name))
export const list = (columns: readonly { name: string }[], prefix = '') =>
  columns.map((c) => prefix + id(c.name)).join(', ')

export const createIndexes = (table: LocalTable): string[] =>
  Object.entries(indexesOf(table)).map(
    ([name, on]) => `CREATE INDEX IF NOT EXISTS ${id(name)} ON ${id(table.name)} ${on}`,
  )
export const dropIndexes = (table: LocalTable): string[] =>
  Object.keys(indexesOf(table)).map((name) => `DROP INDEX IF EXISTS ${id(name)}`)

/**
 * Everything of a new replica. `public` holds the tables that screens query: the server's rows with the waiting
 * commands applied. `base` holds, for each row that a waiting command changed, what the server says it is, or that it
 * has none (`_exists` false). `sync.shapes` says how far each shape has been applied, and by which transactions lately; it
 * is written with the rows.
 *
 * There are no foreign keys, defaults or NOT NULL: shapes arrive one by one, and the server has checked already.
 */
export const schemaSql: string = [
  'CREATE SCHEMA IF NOT EXISTS base',
  'CREATE SCHEMA IF NOT EXISTS sync',
  'CREATE TABLE IF NOT EXISTS sync.shapes ("shape" text PRIMARY KEY, "handle" text NOT NULL, "offset" text NOT NULL, "txids" text NOT NULL)',
  ...Object.values(localTables).flatMap((table) => {
    const columns = table.columns.map((c) => `${id(c.name)} ${c.type}`).join(', ')
    const key = `PRIMARY KEY (${table.primaryKey.map(id).join(', ')})`
    return [
      `CREATE TABLE IF NOT EXISTS ${id(table.name)} (${columns}, ${key})`,
      `CREATE TABLE IF NOT EXISTS base.${id(table.name)} (${columns}, "_exists" boolean NOT NULL, ${key})`,
      ...createIndexes(table),
    ]
  }),
].join(';\n')

/** Files of one PGlite minor cannot be opened by another, nor with settings of other sizes: part of their names. */
export const engineVersion = 'pg05w1'

/** Changes with anything in `schemaSql`; part of the names of replicas and of their template. FNV-1a. */
export const schemaVersion: string = (() => {
  let h = 0x811c9dc5
  for (let i = 0; i < schemaSql.length; i++) h = Math.imul(h ^ schemaSql.charCodeAt(i), 0x01000193)
  return (h >>> 0).toString(16).padStart(8, '0')
})()
