import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type postgres from 'postgres'
import { migrationsFolder, migrationsLock } from '../db/migrate.ts'
import { BackupError, type Manifest, type Progress, type TableDump, tableFile } from './backup.format.ts'

type Tx = postgres.TransactionSql

/** What of the manifest the database tells. */
export type DatabaseDump = Pick<Manifest, 'at' | 'postgres' | 'migrations' | 'tables' | 'sequences'>

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/**
 * Does the work in a transaction that sees one moment of the database, however much is written meanwhile. Nobody who
 * writes or polls waits for it; a migration does.
 */
export function atOneMoment<T>(sql: postgres.Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  return sql.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY', async (tx) => {
    await tx`SELECT set_config('idle_in_transaction_session_timeout', '0', true),
      set_config('statement_timeout', '0', true), set_config('synchronize_seqscans', 'off', true),
      pg_advisory_xact_lock_shared(${migrationsLock})`
    return work(tx)
  }) as Promise<T>
}

/** Names and columns of all tables. Columns of transaction numbers are left out: they mean nothing in another Postgres. */
const tablesOf = (tx: Tx) => tx<{ name: string; columns: string[] }[]>`
  SELECT c.relname AS name, array_agg(a.attname ORDER BY a.attnum) AS columns
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    AND a.attgenerated = '' AND a.atttypid <> 'xid8'::regtype
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
  GROUP BY c.relname ORDER BY c.relname`

/** Takes the bytes of a file of the backup, by its path in it. Resolves when they are kept. */
export type Sink = (path: string, bytes: AsyncIterable<Buffer>) => Promise<void>

/** Files in a folder, whose own folders exist. */
export const intoFolder =
  (folder: string): Sink =>
  (path, bytes) =>
    pipeline(bytes, createWriteStream(join(folder, path), { mode: 0o600 }))

/** Gives the rows of a table away, or only counts them where nobody takes them. */
async function dumpTable(
  tx: Tx,
  { name, columns }: { name: string; columns: string[] },
  sink: Sink | undefined,
  progress: Progress,
  signal: AbortSignal | undefined,
): Promise<TableDump> {
  const hasher = new Bun.CryptoHasher('sha256')
  let rows = 0
  let bytes = 0
  const rowsOut = await tx.unsafe(`COPY ${quoted(name)} (${columns.map(quoted).join(', ')}) TO STDOUT`).readable()
  const counted = async function* (parts: AsyncIterable<Buffer>) {
    for await (const part of gathered(parts)) {
      hasher.update(part)
      bytes += part.length
      // A line break within a value is written as two other characters.
      for (let at = part.indexOf(10); at !== -1; at = part.indexOf(10, at + 1)) rows++
      progress(`${name}: ${rows.toLocaleString('en')} rows`)
      if (sink) yield part
    }
  }
  if (!sink) await pipeline(rowsOut, counted, discard, { signal })
  else
    await pipeline(
      rowsOut,
      counted,
      createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
      (bytes: AsyncIterable<Buffer>) => sink(tableFile(name), bytes),
      { signal },
    )
  // The driver stops reading while rows wait, and does not begin again when the last of them were waiting.
  rowsOut._read(0)
  return { name, columns, rows, bytes, sha256: hasher.digest('hex') }
}

async function discard(parts: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of parts);
}

/** Rows come one by one; together they are compressed and written in far fewer steps. */
async function* gathered(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let size = 0
  for await (const part of parts) {
    held.push(part)
    size += part.length
    if (size < 1 << 18) continue
    yield Buffer.concat(held)
    held = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(held)
}

/**
 * All rows of this moment.
 * @param sink takes a file for each table; without one the rows are only counted and hashed
 */
export async function dumpDatabase(
  sql: postgres.Sql,
  { sink, progress, signal }: { sink?: Sink; progress: Progress; signal?: AbortSignal | undefined },
): Promise<DatabaseDump> {
  return atOneMoment(sql, async (tx) => {
    const [moment] = await tx<{ at: Date; postgres: string; migrated: boolean }[]>`
      SELECT now() AS at, current_setting('server_version') AS postgres,
        to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS migrated`
    if (!moment?.migrated) throw new BackupError('The database has no tables of Balcão: there is nothing to back up.')
    const migrations = await tx<{ hash: string; at: string }[]>`
      SELECT hash, created_at::text AS at FROM drizzle.__drizzle_migrations ORDER BY created_at`
    const tables: TableDump[] = []
    for (const table of await tablesOf(tx)) {
      signal?.throwIfAborted()
      tables.push(await dumpTable(tx, table, sink, progress, signal))
    }
    // Sequences know no transactions. Read after the snapshot, they are ahead of every row in it.
    const names = await tx<{ name: string }[]>`
      SELECT sequencename AS name FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1`
    const sequences: Manifest['sequences'] = []
    for (const { name } of names) {
      const [row] = await tx.unsafe<{ last: string; called: boolean }[]>(
        `SELECT last_value::text AS last, is_called AS called FROM ${quoted(name)}`,
      )
      if (row) sequences.push({ name, ...row })
    }
    return {
      at: new Date(moment.at).toISOString(),
      postgres: moment.postgres,
      migrations: migrations.map(({ hash, at }) => ({ hash, at: Number(at) })),
      tables,
      sequences,
    }
  })
}

/** The migrations that made the backup's tables, as files of this version. @throws BackupError where one is unknown */
export function migrationsOf(manifest: Pick<Manifest, 'migrations' | 'version'>) {
  const known = new Map(readMigrationFiles({ migrationsFolder }).map((file) => [file.hash, file]))
  return manifest.migrations.map(({ hash, at }) => {
    const file = known.get(hash)
    if (!file)
      throw new BackupError(
        `The backup was made by version ${manifest.version}, whose tables this version does not know. Restore it with that version.`,
      )
    return { ...file, at }
  })
}

/**
 * Makes the backup's tables in an empty database and fills them, all or nothing. Indexes and references are made when
 * the rows are there, which also proves the references.
 * @param settle false leaves every row as it was, to be compared; otherwise `settleDatabase`
 * @throws BackupError where the database has tables, or rows are not those of the manifest
 */
export async function loadDatabase(
  sql: postgres.Sql,
  manifest: Manifest,
  { folder, progress, signal, settle }: { folder: string; progress: Progress; signal?: AbortSignal; settle: boolean },
): Promise<Settled> {
  const migrations = migrationsOf(manifest)
  return (await sql.begin(async (tx) => {
    await tx`SELECT set_config('statement_timeout', '0', true), set_config('maintenance_work_mem', '256MB', true),
      set_config('idle_in_transaction_session_timeout', '0', true), pg_advisory_xact_lock(${migrationsLock})`
    const [used] = await tx`SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' LIMIT 1`
    if (used) throw new BackupError('The database is not empty. Restore into one without tables.')

    progress('making the tables')
    await tx`CREATE SCHEMA IF NOT EXISTS drizzle`
    await tx`CREATE TABLE IF NOT EXISTS drizzle.__drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at bigint)`
    for (const { sql: statements, hash, at } of migrations) {
      for (const statement of statements) await tx.unsafe(statement)
      await tx`INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES (${hash}, ${at})`
    }
    const here = new Map((await tablesOf(tx)).map(({ name, columns }) => [name, columns]))
    for (const { name, columns } of manifest.tables)
      if (here.get(name)?.toSorted().join() !== columns.toSorted().join())
        throw new BackupError(`The table ${name} of the backup has other columns than its migrations make.`)

    const references = await tx<{ table: string; name: string; definition: string }[]>`
      SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
      FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`
    const indexes = await tx<{ name: string; definition: string }[]>`
      SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid AND c.relnamespace = 'public'::regnamespace
      WHERE NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid)`
    const stamps = await tx<{ table: string; name: string }[]>`
      SELECT tgrelid::regclass::text AS table, quote_ident(tgname) AS name FROM pg_trigger
      WHERE NOT tgisinternal AND tgfoid = to_regproc('stamp_change')`
    for (const { table, name } of references) await tx.unsafe(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`)
    for (const { name } of indexes) await tx.unsafe(`DROP INDEX ${name}`)
    for (const { name } of manifest.tables) {
      await tx.unsafe(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`)
      // What a migration wrote stands in the backup. Of a table without rows there is nothing to take away, and the audit
      // log lets nobody do it.
      const [row] = await tx.unsafe(`SELECT FROM ${quoted(name)} LIMIT 1`)
      if (row) await tx.unsafe(`TRUNCATE ${quoted(name)}`)
    }
    // Which transaction changed a row last: this one, so that programs are told of every row again.
    for (const { table, name } of stamps) await tx.unsafe(`ALTER TABLE ${table} ENABLE TRIGGER ${name}`)

    for (const table of manifest.tables) {
      signal?.throwIfAborted()
      progress(`${table.name}: ${table.rows.toLocaleString('en')} rows`)
      await loadTable(tx, table, join(folder, tableFile(table.name)), signal)
    }
    for (const { name, last, called } of manifest.sequences)
      await tx`SELECT setval(${quoted(name)}::regclass, ${last}::bigint, ${called})`
    for (const { name } of manifest.tables) await tx.unsafe(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`)
    for (const [n, { definition }] of indexes.entries()) {
      signal?.throwIfAborted()
      progress(`index ${n + 1} of ${indexes.length}`)
      await tx.unsafe(definition)
    }
    progress('references')
    for (const { table, name, definition } of references)
      await tx.unsafe(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`)
    const settled = settle ? await settleDatabase(tx) : { pausedCampaigns: 0, dueSchedules: 0 }
    signal?.throwIfAborted()
    return settled
  })) as Settled
}

async function loadTable(tx: Tx, table: TableDump, file: string, signal: AbortSignal | undefined): Promise<void> {
  const hasher = new Bun.CryptoHasher('sha256')
  const columns = table.columns.map(quoted).join(', ')
  const rowsIn = await tx.unsafe(`COPY ${quoted(table.name)} (${columns}) FROM STDIN`).writable()
  await pipeline(
    createReadStream(file),
    createZstdDecompress(),
    async function* (parts: AsyncIterable<Buffer>) {
      for await (const part of parts) {
        hasher.update(part)
        yield part
      }
    },
    rowsIn,
    { signal },
  )
  if (hasher.digest('hex') !== table.sha256)
    throw new BackupError(`The rows of ${table.name} are not those that were backed up.`)
}

export interface Settled {
  /** Campaigns that wait for a person. */
  pausedCampaigns: number
  /** Messages whose time came after the backup: they leave at the next start. */
  dueSchedules: number
}

/**
 * What must not go on as if no time had passed:
 * - Ratchets have turned since. One that is used twice is refused by the other side, and gives a key away. Without it a
 *   new session is begun with the next message; the phone stays linked.
 * - Campaigns would write again to those whom they reached after the backup: a person decides.
 * - Leases are those of servers that do not work on this database.
 */
async function settleDatabase(tx: Tx): Promise<Settled> {
  await tx`DELETE FROM whatsapp_keys WHERE type IN ('session', 'sender-key', 'sender-key-memory')`
  await tx`DELETE FROM whatsapp_leases`
  const paused = await tx`UPDATE campaigns SET status = 'PAUSADA', "pauseReason" = 'restored', "updatedAt" = now()
    WHERE status = 'EM_ANDAMENTO' OR (status = 'PROGRAMADA' AND "scheduledAt" <= now()) RETURNING id`
  const [due] = await tx<{ n: number }[]>`
    SELECT count(*)::int AS n FROM schedules WHERE status IN ('PENDENTE', 'AGENDADA') AND "sendAt" <= now()`
  return { pausedCampaigns: paused.length, dueSchedules: due?.n ?? 0 }
}
