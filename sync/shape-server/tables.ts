import type postgres from 'postgres'
import { quoteIdentifier, quoteLiteral, sqlState } from './database.ts'
import { RequestError } from './errors.ts'

export type Column = {
  name: string
  typeOid: number
  /** What a cast takes: `character varying(40)`, `public.mood[]`. */
  sqlType: string
  /** The same without length and precision, and without its domain: what a constant beside the column is taken for. */
  constantType: string
  /** `"pg_catalog"."C"`, where the type has one: which texts are equal, and which is less. */
  collation?: string
  /** Below a domain lies its base type. */
  baseType: string
  category: string
  /** As the `electric-schema` header says it. */
  schemaEntry: Record<string, string | number | boolean>
  /** `<` on text is the order of code points. */
  codePointOrder: boolean
  /** Equal text is equal bytes. */
  deterministic: boolean
}

export type Table = {
  oid: number
  schema: string
  name: string
  /** Quoted, for SQL. */
  sqlName: string
  /** Those the stream tells, in its order. */
  columns: Column[]
  /** Generated columns that the stream leaves out. */
  unreplicated: string[]
  /** Positions in `columns`: the primary key in its own order, or without one every column by name. */
  key: number[]
  primaryKey: string[]
  /** Changes whenever the table is no longer what we know; columns that came after the first look do not count. */
  fingerprint: string
  /** The same with all columns that we know now, and the number of the last of them. */
  seen: { fingerprint: string; last: number }
  /** How many columns it had when it was first looked at. */
  born: number
}

/** As Postgres folds a name: only the letters of ASCII. */
export function foldName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** `issues`, `app.issues`, `"Issues"`, `app."Issues of ""May"""`. Unquoted names fold to lower case. */
export function parseTableName(text: string): { schema: string; name: string } {
  const part = '(?:"((?:[^"]|"")+)"|([A-Za-z_\\u0080-\\uffff][\\w$\\u0080-\\uffff]*))'
  const match = new RegExp(`^\\s*(?:${part}\\s*\\.\\s*)?${part}\\s*$`).exec(text)
  if (!match) {
    throw RequestError.invalid({
      table: [
        text.trim() === ''
          ? 'Invalid zero-length delimited identifier'
          : `Invalid table name ${JSON.stringify(text)}: write name or schema.name, with double quotes around capitals and special characters`,
      ],
    })
  }
  const fold = (quoted?: string, plain?: string) => quoted?.replaceAll('""', '"') ?? (plain && foldName(plain))
  return { schema: fold(match[1], match[2]) ?? 'public', name: fold(match[3], match[4]) ?? '' }
}

/** Column names as the client sends them: quoted or plain, separated by commas. */
export function parseColumnList(text: string): string[] {
  const names: string[] = []
  const one = /(?:\s*"((?:[^"]|"")*)"\s*|([^",]*))(,|$)/y
  for (;;) {
    const at = one.lastIndex
    const match = one.exec(text)
    if (!match) throw RequestError.invalid({ columns: [`Invalid column list near ${JSON.stringify(text.slice(at))}`] })
    const name = match[1]?.replaceAll('""', '"') ?? foldName(match[2]?.trim() ?? '')
    if (name === '') throw RequestError.invalid({ columns: ['Invalid zero-length identifier'] })
    names.push(name)
    if (match[3] === '') return names
  }
}

/** @param last number of the last column that counts */
const fingerprintOf = (last: string) => `
  md5(concat_ws('|', n.nspname, c.relname, c.relkind,
    (SELECT string_agg(concat_ws(':', a.attnum, a.attname, a.atttypid, a.atttypmod, a.attnotnull, a.attgenerated), ',' ORDER BY a.attnum)
       FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum BETWEEN 1 AND ${last} AND NOT a.attisdropped),
    (SELECT i.indkey::text FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary)))`

const lastColumn = '32767'
const lastNumber =
  '(SELECT max(a.attnum) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)'

type TableRow = {
  oid: string
  relkind: string
  fingerprint: string
  last: number
  primary_key: string[] | null
  columns: {
    name: string
    type_oid: number
    sql_type: string
    constant_type: string
    collation: string | null
    type_name: string
    type_mod: number
    base_type: string
    category: string
    element_type: string | null
    dims: number
    not_null: boolean
    generated: '' | 's' | 'v'
    code_point_order: boolean
    deterministic: boolean
  }[]
}

/** Reads what a table is. @throws RequestError 400 when there is no such table */
export async function loadTable(
  sql: postgres.Sql,
  schema: string,
  name: string,
  versionNumber: number,
): Promise<Table> {
  const [row] = await sql.unsafe<{ found: string }[]>(`
    SELECT json_build_object('oid', c.oid::text, 'relkind', c.relkind, 'fingerprint', ${fingerprintOf(lastColumn)}, 'last', ${lastNumber},
      'primary_key', (
        SELECT json_agg(a.attname ORDER BY k.position)
        FROM pg_index i, unnest(i.indkey::int2[]) WITH ORDINALITY AS k(attnum, position), pg_attribute a
        WHERE i.indrelid = c.oid AND i.indisprimary AND k.position <= i.indnkeyatts
          AND a.attrelid = c.oid AND a.attnum = k.attnum),
      'columns', (
        SELECT json_agg(json_build_object(
          'name', a.attname, 'type_oid', a.atttypid::int8, 'sql_type', format_type(a.atttypid, a.atttypmod),
          'constant_type', format_type(coalesce(base.oid, t.oid), NULL),
          'collation', CASE WHEN co.oid IS NOT NULL THEN format('%I.%I', cn.nspname, co.collname) END,
          'type_name', t.typname, 'type_mod', a.atttypmod, 'base_type', coalesce(base.typname, t.typname),
          'category', t.typcategory, 'dims', a.attndims, 'not_null', a.attnotnull, 'generated', a.attgenerated,
          'element_type', (SELECT e.typname FROM pg_type e WHERE e.oid = t.typelem AND t.typcategory = 'A'),
          'deterministic', coalesce(co.collisdeterministic, true),
          'code_point_order', coalesce(co.collprovider = 'b' OR co.collname IN ('C', 'POSIX', 'ucs_basic')
            OR (co.collprovider = 'd' AND (d.datlocprovider = 'b'
              OR (d.datlocprovider = 'c' AND d.datcollate IN ('C', 'POSIX', 'C.UTF-8', 'C.utf8')))), false)
          ) ORDER BY a.attnum)
        FROM pg_attribute a
        JOIN pg_type t ON t.oid = a.atttypid
        LEFT JOIN pg_type base ON t.typtype = 'd' AND base.oid = t.typbasetype
        LEFT JOIN pg_collation co ON co.oid = a.attcollation
        LEFT JOIN pg_namespace cn ON cn.oid = co.collnamespace
        CROSS JOIN (SELECT datlocprovider, datcollate FROM pg_database WHERE datname = current_database()) d
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped))::text AS found
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = ${quoteLiteral(schema)} AND c.relname = ${quoteLiteral(name)}
      AND c.relkind IN ('r', 'p', 'v', 'm', 'f')`)
  const label = `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`
  if (!row) {
    throw RequestError.invalid({
      table: [
        `Table ${label} does not exist. If the table name contains capitals or special characters you must quote it.`,
      ],
    })
  }
  const found = JSON.parse(row.found) as TableRow
  if (found.relkind !== 'r' && found.relkind !== 'p') {
    throw RequestError.invalid({ table: [`${label} is not a table: only tables can be followed`] })
  }
  const primaryKey = found.primary_key ?? []
  // Postgres 18 replicates stored generated columns, none replicates virtual ones.
  const isReplicated = (c: TableRow['columns'][number]) =>
    c.generated === '' || (c.generated === 's' && versionNumber >= 180_000)
  const columns = (found.columns ?? []).filter(isReplicated).map(
    (c): Column => ({
      name: c.name,
      typeOid: c.type_oid,
      sqlType: c.sql_type,
      constantType: c.constant_type,
      ...(c.collation && { collation: c.collation }),
      baseType: c.base_type,
      category: c.category,
      schemaEntry: schemaEntry(c, primaryKey.indexOf(c.name)),
      codePointOrder: c.code_point_order,
      deterministic: c.deterministic,
    }),
  )
  const positionOf = (column: string) => columns.findIndex((c) => c.name === column)
  const unreplicated = (found.columns ?? []).filter((c) => !isReplicated(c)).map((c) => c.name)
  if (columns.length === 0 || primaryKey.some((name) => unreplicated.includes(name))) {
    throw RequestError.invalid({ table: [`${label} has no key that is replicated`] })
  }
  const byName = columns.map((c) => c.name).sort()
  return {
    oid: Number(found.oid),
    schema,
    name,
    sqlName: label,
    columns,
    unreplicated,
    primaryKey,
    key: (primaryKey.length > 0 ? primaryKey : byName).map(positionOf),
    fingerprint: found.fingerprint,
    seen: { fingerprint: found.fingerprint, last: found.last },
    born: columns.length,
  }
}

/**
 * Which of these tables are still what they were, and those that are followed still replicated in full; and which of them
 * have got columns behind those that we know.
 * @param isFollowed whether we have published it
 */
export async function unchangedTables(
  sql: postgres.Sql,
  tables: Table[],
  publication: string,
  isFollowed: (table: Table) => boolean,
): Promise<{ unchanged: Set<number>; grown: Set<number> }> {
  if (tables.length === 0) return { unchanged: new Set(), grown: new Set() }
  const rows = await sql.unsafe<{ oid: string; fingerprint: string; published: boolean; last: number }[]>(`
    SELECT c.oid::text, ${fingerprintOf('k.last')} AS fingerprint, ${lastNumber} AS last,
      (c.relreplident = 'f' OR c.relkind = 'p')
      AND EXISTS (SELECT 1 FROM pg_publication_rel r JOIN pg_publication p ON p.oid = r.prpubid
                  WHERE r.prrelid = c.oid AND p.pubname = ${quoteLiteral(publication)}) AS published
    FROM (VALUES ${tables.map((t) => `(${t.oid}::oid, ${t.seen.last})`).join(',')}) AS k(oid, last)
    JOIN pg_class c ON c.oid = k.oid JOIN pg_namespace n ON n.oid = c.relnamespace`)
  const now = new Map(rows.map((r) => [Number(r.oid), r]))
  const isUnchanged = (table: Table) => {
    const row = now.get(table.oid)
    return row?.fingerprint === table.seen.fingerprint && (row.published || !isFollowed(table))
  }
  const unchanged = tables.filter(isUnchanged)
  const grown = unchanged.filter((table) => now.get(table.oid)!.last > table.seen.last)
  return { unchanged: new Set(unchanged.map((t) => t.oid)), grown: new Set(grown.map((t) => t.oid)) }
}

const isSameColumn = (a: Column, b: Column | undefined) => JSON.stringify(a) === JSON.stringify(b)

/**
 * Takes up columns that were added behind those that we know. Whoever has chosen columns notices nothing of them.
 * @returns whether it is that table still, and nothing else of it has changed
 */
export function grow(table: Table, fresh: Table): boolean {
  const isSame =
    table.oid === fresh.oid &&
    JSON.stringify(table.primaryKey) === JSON.stringify(fresh.primaryKey) &&
    table.columns.every((column, i) => isSameColumn(column, fresh.columns[i]))
  if (!isSame) return false
  table.columns.push(...fresh.columns.slice(table.columns.length))
  Object.assign(table, { unreplicated: fresh.unreplicated, seen: fresh.seen })
  return true
}

export type Server = { versionNumber: number; walLevel: string; replicationAllowed: boolean }

/** What a Postgres must have for its log to be followed; the caller refuses what lacks it. */
export async function inspectServer(sql: postgres.Sql): Promise<Server> {
  const [row] = await sql.unsafe<{ version: string; wal_level: string; allowed: boolean }[]>(`
    SELECT current_setting('server_version_num') AS version, current_setting('wal_level') AS wal_level,
      (SELECT rolreplication OR rolsuper FROM pg_roles WHERE rolname = current_user) AS allowed`)
  return {
    versionNumber: Number(row?.version),
    walLevel: row?.wal_level ?? '',
    replicationAllowed: row?.allowed === true,
  }
}

/** Creates the publication, empty, unless it stands. */
export async function ensurePublication(sql: postgres.Sql, publication: string, versionNumber: number): Promise<void> {
  const hasGenerated = versionNumber >= 180_000
  const [found] = await sql.unsafe<{ complete: boolean }[]>(
    `SELECT ${hasGenerated ? "pubgencols = 's'" : 'true'} AS complete FROM pg_publication WHERE pubname = ${quoteLiteral(publication)}`,
  )
  if (found?.complete) return
  if (found) {
    await sql.begin('READ WRITE', (tx) =>
      tx.unsafe(`ALTER PUBLICATION ${quoteIdentifier(publication)} SET (publish_generated_columns = stored)`),
    )
    return
  }
  const generated = hasGenerated ? ', publish_generated_columns = stored' : ''
  try {
    await sql.begin('READ WRITE', (tx) =>
      tx.unsafe(
        `CREATE PUBLICATION ${quoteIdentifier(publication)} WITH (publish_via_partition_root = true${generated})`,
      ),
    )
  } catch (error) {
    // Another server with the same name was quicker.
    if (sqlState(error) !== '42710' && sqlState(error) !== '23505') throw error
  }
}

/**
 * Puts a table into the publication and makes its changes tell the whole former row.
 *
 * The lock waits for every transaction that has already written to the table: what they wrote before
 * this moment will not be told, so it has to be visible to the first snapshot.
 */
export async function publishTable(sql: postgres.Sql, table: Table, publication: string): Promise<void> {
  const [state] = await sql.unsafe<{ published: boolean; not_full: string[] | null }[]>(`
    SELECT EXISTS (SELECT 1 FROM pg_publication_rel r JOIN pg_publication p ON p.oid = r.prpubid
                   WHERE r.prrelid = ${table.oid} AND p.pubname = ${quoteLiteral(publication)}) AS published,
      (SELECT json_agg(format('%I.%I', n.nspname, c.relname)) FROM pg_class c
         JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p') AND c.relreplident <> 'f'
          AND c.oid IN (SELECT ${table.oid}::oid UNION SELECT relid FROM pg_partition_tree(${table.oid}))) AS not_full`)
  const notFull = state?.not_full ?? []
  if (state?.published && notFull.length === 0) return
  try {
    await sql.begin('READ WRITE', async (tx) => {
      // Whoever wants the table queues behind us while we wait for it.
      await tx.unsafe(`SET LOCAL lock_timeout = '2s'`)
      for (const name of notFull) await tx.unsafe(`ALTER TABLE ${name} REPLICA IDENTITY FULL`)
      if (state?.published) return
      await tx.unsafe(`LOCK TABLE ${table.sqlName} IN SHARE MODE`)
      await tx.unsafe(`ALTER PUBLICATION ${quoteIdentifier(publication)} ADD TABLE ${table.sqlName}`)
    })
  } catch (error) {
    if (sqlState(error) === '42710') return
    if (sqlState(error) === '42501') {
      throw RequestError.invalid({
        table: [
          `The database user may not publish ${table.sqlName}: it must own the table and the publication ${quoteIdentifier(publication)}`,
        ],
      })
    }
    throw error
  }
}

const timeTypes = new Set(['time', 'timetz', 'timestamp', 'timestamptz'])

const intervalFields: [string, number][] = [
  ['YEAR', 1 << 2],
  ['MONTH', 1 << 1],
  ['DAY', 1 << 3],
  ['HOUR', 1 << 10],
  ['MINUTE', 1 << 11],
  ['SECOND', 1 << 12],
]

function schemaEntry(c: TableRow['columns'][number], keyPosition: number): Column['schemaEntry'] {
  const isArray = c.element_type !== null
  const entry: Column['schemaEntry'] = { type: c.element_type ?? c.type_name }
  if (isArray) entry.dims = Math.max(1, c.dims)
  if (c.not_null) entry.not_null = true
  if (keyPosition >= 0) entry.pk_index = keyPosition
  if (isArray) return entry
  const mod = c.type_mod
  if (c.type_name === 'varchar' && mod > 0) entry.max_length = mod - 4
  else if (c.type_name === 'bpchar' && mod > 0) entry.length = mod - 4
  else if ((c.type_name === 'bit' || c.type_name === 'varbit') && mod > 0) entry.length = mod
  else if (timeTypes.has(c.type_name) && mod >= 0) entry.precision = mod
  else if (c.type_name === 'numeric' && mod >= 4) {
    entry.precision = (mod - 4) >> 16
    entry.scale = ((mod - 4) << 16) >> 16
  } else if (c.type_name === 'interval' && mod >= 0) {
    const range = mod >> 16
    const precision = mod & 0xffff
    if (range !== 0x7fff) {
      const units = intervalFields.filter(([, mask]) => (range & mask) !== 0).map(([unit]) => unit)
      if (units.length > 0) entry.fields = units.length === 1 ? `${units[0]}` : `${units[0]} TO ${units.at(-1)}`
    }
    if (precision !== 0xffff) entry.precision = precision
  }
  return entry
}
