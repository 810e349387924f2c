import type postgres from 'postgres'
import type { parseConfig } from '../config.ts'
import { type Finding, good, warning } from './doctor.finding.ts'

/** What is slow is named from here on. */
const SLOW_STATEMENT_MS = 50
const LONG_WAIT_SECONDS = 5
const LONG_TRANSACTION_SECONDS = 60
const FAR_BEHIND_BYTES = 256 * 1024 * 1024
const LATE_LOOP_SECONDS = 0.2
/** A company that makes so much of the last hour's work is named. */
const MOST_OF_IT = 0.5
const FEW_MESSAGES = 200
const NAMED = 3

/** Why it may be slow: statements, locks, replication, and who makes the load. Changes nothing. */
export async function slowness(
  sql: postgres.Sql,
  { longWait = LONG_WAIT_SECONDS, longTransaction = LONG_TRANSACTION_SECONDS } = {},
): Promise<Finding[]> {
  return [
    await statements(sql),
    await waits(sql, { longWait, longTransaction }),
    await replication(sql),
    await load(sql),
  ]
}

async function statements(sql: postgres.Sql): Promise<Finding> {
  const name = 'Statements'
  const uncounted = good(
    name,
    'not counted: with shared_preload_libraries = pg_stat_statements and CREATE EXTENSION pg_stat_statements the slowest are named here',
  )
  const [there] = await sql<{ view: string | null }[]>`SELECT to_regclass('pg_stat_statements')::text AS view`
  if (!there?.view) return uncounted
  const rows = await sql<{ text: string; calls: number; mean: number; share: number }[]>`
    SELECT left(regexp_replace("query", '\\s+', ' ', 'g'), 120) AS text, "calls"::float8 AS calls,
      "mean_exec_time"::float8 AS mean, ("total_exec_time" / nullif(sum("total_exec_time") OVER (), 0))::float8 AS share
    FROM pg_stat_statements WHERE "dbid" = (SELECT "oid" FROM pg_database WHERE "datname" = current_database())
    ORDER BY "total_exec_time" DESC LIMIT ${NAMED}`.catch(() => undefined)
  // The extension is made, and its library was not loaded.
  if (!rows) return uncounted
  const said = rows.map(
    ({ text, calls, mean, share }) =>
      `${Math.round((share ?? 0) * 100)} % of the time: ${calls} × ${mean.toFixed(1)} ms, ${text}`,
  )
  if (rows.every(({ mean }) => mean < SLOW_STATEMENT_MS)) return good(name, said.join('; ') || 'none yet')
  return warning(
    name,
    said.join('; '),
    'Look at its plan (EXPLAIN ANALYZE); ANALYZE the tables, and give Postgres memory (shared_buffers, work_mem).',
  )
}

async function waits(
  sql: postgres.Sql,
  { longWait, longTransaction }: { longWait: number; longTransaction: number },
): Promise<Finding> {
  const name = 'Locks'
  const blocked = await sql<{ pid: number; seconds: number; by: string }[]>`
    SELECT pid, extract(epoch FROM clock_timestamp() - query_start)::int AS seconds, array_to_string(pg_blocking_pids(pid), ', ') AS by
    FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
      AND clock_timestamp() - query_start > ${longWait} * interval '1 second'
    ORDER BY query_start LIMIT ${NAMED}`
  const long = await sql<{ pid: number; seconds: number; state: string; program: string }[]>`
    SELECT pid, extract(epoch FROM clock_timestamp() - xact_start)::int AS seconds, state, application_name AS program
    FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
      AND clock_timestamp() - xact_start > ${longTransaction} * interval '1 second'
    ORDER BY xact_start LIMIT ${NAMED}`
  const said = [
    ...blocked.map(({ pid, seconds, by }) => `process ${pid} has waited ${seconds} s for ${by}`),
    ...long.map(
      ({ pid, seconds, state, program }) =>
        `process ${pid} (${program || 'without a name'}, ${state}) has had a transaction open for ${seconds} s`,
    ),
  ]
  if (said.length === 0) return good(name, 'nobody waits for another')
  return warning(
    name,
    said.join('; '),
    'SELECT pg_terminate_backend(<process>) ends one; what it was at is done again.',
  )
}

async function replication(sql: postgres.Sql): Promise<Finding> {
  const name = 'Replication'
  const rows = await sql<{ slot: string; active: boolean; behind: number; lost: boolean }[]>`
    SELECT slot_name AS slot, active, coalesce(wal_status IN ('lost', 'unreserved'), false) AS lost,
      coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn), 0)::float8 AS behind
    FROM pg_replication_slots WHERE database = current_database() ORDER BY behind DESC`
  const mb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
  const bad = rows.filter(({ active, behind, lost }) => lost || behind > FAR_BEHIND_BYTES || (!active && behind > 0))
  if (bad.length > 0)
    return warning(
      name,
      bad
        .slice(0, NAMED)
        .map(
          ({ slot, active, behind, lost }) =>
            `${slot} is ${mb(behind)} behind${lost ? ', and lost' : active ? '' : ', and nobody reads it'}`,
        )
        .join('; '),
      'Start whoever reads it (a server, Electric). Of one that is gone for good: SELECT pg_drop_replication_slot(<name>), or it fills the disk.',
    )
  return good(
    name,
    rows.length === 0 ? 'no server reads' : `${rows.length} readers, at most ${mb(rows[0]!.behind)} behind`,
  )
}

async function load(sql: postgres.Sql): Promise<Finding> {
  const name = 'Load'
  const rows = await sql<{ company: number; n: number; share: number }[]>`
    SELECT "companyId" AS company, count(*)::int AS n, (count(*) / sum(count(*)) OVER ())::float8 AS share
    FROM messages WHERE "createdAt" > now() - interval '1 hour' GROUP BY 1 ORDER BY n DESC LIMIT ${NAMED}`
  const jobs = await sql<{ company: number; n: number }[]>`
    SELECT "companyId" AS company, count(*)::int AS n FROM jobs
    WHERE "failedAt" IS NULL AND "runAt" < now() GROUP BY 1 ORDER BY n DESC LIMIT ${NAMED}`
  const said = [
    ...rows.map(
      ({ company, n, share }) => `company ${company}: ${n} messages in the last hour (${Math.round(share * 100)} %)`,
    ),
    ...jobs.map(({ company, n }) => `company ${company}: ${n} jobs wait`),
  ].join('; ')
  const [first] = rows
  if (rows.length > 1 && first && first.n > FEW_MESSAGES && first.share > MOST_OF_IT)
    return warning(name, said, 'Where others are slow meanwhile: its plan, its campaigns, or a server of its own.')
  return good(name, said || 'no message in the last hour')
}

/** As the running server says by its figures. */
export async function loopDelay({
  port,
  host,
  metricsToken,
}: Pick<ReturnType<typeof parseConfig>, 'port' | 'host' | 'metricsToken'>): Promise<Finding> {
  const name = 'Server'
  if (metricsToken === undefined || port === 0)
    return good(name, 'how late it comes to its work is told with METRICS_TOKEN and PORT set')
  const at = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}/metrics`
  const text = await fetch(at, {
    headers: { authorization: `Bearer ${metricsToken}` },
    signal: AbortSignal.timeout(10_000),
  }).then(
    (answer) => (answer.ok ? answer.text() : ''),
    () => '',
  )
  const seconds = Number(/^balcao_loop_delay_seconds\{of="99 %"\} (\S+)$/m.exec(text)?.[1] ?? Number.NaN)
  if (Number.isNaN(seconds)) return warning(name, 'it tells no figures', 'Compare METRICS_TOKEN; look at its log.')
  const says = `it comes ${Math.round(seconds * 1_000)} ms late to what it has to do`
  if (seconds > LATE_LOOP_SECONDS)
    return warning(
      name,
      says,
      'Its processor is short: give the machine more, or run several servers (docs/grown-up.md).',
    )
  return good(name, says)
}
