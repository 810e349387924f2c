import postgres from 'postgres'

export type Log = {
  debug: (details: object, message: string) => void
  info: (details: object, message: string) => void
  warn: (details: object, message: string) => void
  error: (details: object, message: string) => void
}

/**
 * How Postgres prints values. The snapshot and the replication connection must agree, or a row would
 * change its text by merely being updated.
 */
const display = {
  DateStyle: 'ISO, DMY',
  TimeZone: 'UTC',
  IntervalStyle: 'iso_8601',
  extra_float_digits: '1',
  bytea_output: 'hex',
  standard_conforming_strings: 'on',
  lc_monetary: 'C',
}

/** Connections that read. Writing needs an explicit `BEGIN READ WRITE`, which only tables.ts asks for. */
export function openPool(databaseUrl: string): postgres.Sql {
  return postgres(databaseUrl, {
    max: 6,
    fetch_types: false,
    prepare: false,
    idle_timeout: 60,
    connect_timeout: 10,
    // After a restart of Postgres the first request should not wait for a long pause to pass.
    backoff: () => 0.1,
    onnotice: () => {},
    connection: {
      application_name: 'shape server',
      ...display,
      default_transaction_read_only: true,
      default_transaction_isolation: 'repeatable read',
      lock_timeout: 10_000,
      // A predicate sees only the table's own columns and what Postgres itself brings.
      search_path: 'public',
    },
  })
}

/** A connection on which Postgres takes replication commands: one, without prepared statements, never given up for age. */
export function openReplicationConnection(databaseUrl: string): postgres.Sql {
  return postgres(databaseUrl, {
    max: 1,
    fetch_types: false,
    prepare: false,
    idle_timeout: undefined,
    max_lifetime: null,
    connect_timeout: 10,
    onnotice: () => {},
    connection: { application_name: 'shape server replication', ...display, replication: 'database' },
  })
}

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Needs `standard_conforming_strings`, which every connection here sets. */
export function quoteLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** SQLSTATE, when the failure came from Postgres itself. */
export function sqlState(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}
