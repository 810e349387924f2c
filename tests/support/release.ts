import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Sql } from '../../server/db/database.ts'
import { frozenName, migrationsFolder } from '../../server/db/migrate.ts'

/** One file for each release: its tables, a few rows of each, and which migrations made them. */
export const releasesFolder = join(import.meta.dir, '..', 'releases')
export const keptReleases = (): string[] =>
  existsSync(releasesFolder) ? readdirSync(releasesFolder).filter((name) => name.endsWith('.sql')) : []

const breakpoint = '\n--> statement-breakpoint\n'
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

/**
 * A database as the migrations of a folder left it, as text: their statements, and the rows that it holds. Nothing but a
 * server is needed to have it again, so that a release can be tried that nobody can build any more.
 */
export async function dumpRelease(sql: Sql, folder = migrationsFolder): Promise<string> {
  const migrations = readMigrationFiles({ migrationsFolder: folder })
  const statements = migrations.flatMap((migration) => migration.sql.map((text) => text.trim()).filter(Boolean))
  statements.push(
    'CREATE SCHEMA IF NOT EXISTS drizzle',
    'CREATE TABLE drizzle.__drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at bigint)',
    ...migrations.map(
      ({ hash, folderMillis }) =>
        `INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES (${quoted(hash)}, ${folderMillis})`,
    ),
    // The rows are there already: no trigger makes others of them.
    'SET session_replication_role = replica',
  )
  const columns = await sql<{ table: string; columns: string[] }[]>`
    SELECT table_name AS "table", array_agg(column_name::text ORDER BY ordinal_position) AS columns
    FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND is_generated = 'NEVER'
    GROUP BY table_name ORDER BY table_name`
  for (const { table, columns: names } of columns) {
    // Where a row lies in its table depends on what room there was: without an order, two equal databases tell two texts.
    const rows = await sql<{ row: string }[]>`
      SELECT row_to_json(t)::text AS row FROM ${sql(table)} t ORDER BY row_to_json(t)::text COLLATE "C"`
    const list = names.map((name) => `"${name}"`).join(', ')
    for (const { row } of rows)
      statements.push(
        `INSERT INTO "${table}" (${list}) OVERRIDING SYSTEM VALUE SELECT ${list} FROM json_populate_record(NULL::"${table}", ${quoted(row)})`,
      )
  }
  const sequences = await sql<{ name: string; last: string }[]>`
    SELECT sequencename AS name, last_value::text AS last FROM pg_sequences
    WHERE schemaname = 'public' AND last_value IS NOT NULL ORDER BY 1`
  for (const { name, last } of sequences) statements.push(`SELECT setval('"${name}"', ${last})`)
  statements.push('RESET session_replication_role')
  return `${statements.join(breakpoint)}\n`
}

/** Makes it again in an empty database. */
export async function restoreRelease(sql: Sql, text: string): Promise<void> {
  const own = await sql.reserve()
  try {
    for (const statement of text.split(breakpoint)) await own.unsafe(statement)
  } finally {
    own.release()
  }
}

/** Everything that a migration can make, told in a way that two databases can be compared by. */
export async function shapeOf(sql: Sql): Promise<string[]> {
  const rows = await sql<{ what: string }[]>`
    SELECT format('column %s.%s %s %s %s', table_name, column_name, udt_name, is_nullable, column_default) AS what
    FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
    UNION ALL SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t WHERE NOT tgisinternal
    UNION ALL SELECT pg_get_functiondef(p.oid) FROM pg_proc p WHERE pronamespace = 'public'::regnamespace
      AND prokind = 'f' AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
    UNION ALL SELECT format('identity %s %s', relname, relreplident) FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`
  return rows.map(({ what }) => what).sort()
}

/** How many rows each table holds. */
export async function countsOf(sql: Sql): Promise<Map<string, number>> {
  const tables = await sql<{ name: string }[]>`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`
  const counts = new Map<string, number>()
  for (const { name } of tables) {
    const [row] = await sql<{ n: number }[]>`SELECT count(*)::int AS n FROM ${sql(name)}`
    counts.set(name, row!.n)
  }
  return counts
}

const sumOf = (folder: string, file: string) =>
  createHash('sha256')
    .update(readFileSync(join(folder, file)))
    .digest('hex')

/** Each migration of a folder, and what it says. */
export const sumsOf = (folder = migrationsFolder): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((file) => file.endsWith('.sql'))
      .sort()
      .map((file) => [file, sumOf(folder, file)]),
  )

/** Those that a release has, and that nobody changes any more; none before the first. */
export const frozenSums = (folder = migrationsFolder): Record<string, string> => {
  const path = join(folder, frozenName)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>) : {}
}
