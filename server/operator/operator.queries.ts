import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { AnyPgTable } from 'drizzle-orm/pg-core'
import { backupRuns, type BackupWork } from '../../schema/backups/backups.table.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { jobs } from '../../schema/jobs/jobs.table.ts'
import { nearlyFull } from '../../schema/plans/plans.features.ts'
import { plans } from '../../schema/plans/plans.table.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { users } from '../../schema/users/users.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Db } from '../db/database.ts'
import { STOOD_STILL_KIND } from '../jobs/standstills.ts'

// What the operator sees of all companies: how things are, never what is said.

export interface Page<T> {
  records: T[]
  nextCursor: number | null
}

const pageOf = <T extends { id: number }>(rows: T[], limit: number): Page<T> => ({
  records: rows.slice(0, limit),
  nextCursor: rows.length > limit ? rows[limit - 1]!.id : null,
})

/** Connections of all companies by id; with `broken` those that should be linked and are not. */
export async function listConnections(
  db: Db,
  { cursor = 0, limit, broken }: { cursor?: number | undefined; limit: number; broken: boolean },
) {
  const rows = await db
    .select({
      id: whatsapps.id,
      name: whatsapps.name,
      company: { id: companies.id, name: companies.name },
      status: whatsapps.status,
      wanted: whatsapps.wanted,
      lastError: whatsapps.lastError,
      connectedAt: whatsapps.connectedAt,
      lastMessageInAt: whatsapps.lastMessageInAt,
      lastMessageOutAt: whatsapps.lastMessageOutAt,
    })
    .from(whatsapps)
    .innerJoin(companies, eq(companies.id, whatsapps.companyId))
    .where(
      and(
        gt(whatsapps.id, cursor),
        broken ? and(eq(whatsapps.wanted, true), sql`${whatsapps.status} <> 'CONNECTED'`) : undefined,
      ),
    )
    .orderBy(whatsapps.id)
    .limit(limit + 1)
  const page = pageOf(rows, limit)
  const ids = page.records.map(({ id }) => id)
  const waiting = ids.length
    ? await db
        .select({
          id: jobs.whatsappId,
          waiting: sql<number>`(count(*) FILTER (WHERE ${jobs.failedAt} IS NULL))::int`,
          failed: sql<number>`(count(*) FILTER (WHERE ${jobs.failedAt} IS NOT NULL))::int`,
        })
        .from(jobs)
        .where(inArray(jobs.whatsappId, ids))
        .groupBy(jobs.whatsappId)
    : []
  const jobsOf = new Map(waiting.map(({ id, ...counts }) => [id, counts]))
  return {
    ...page,
    records: page.records.map((row) => ({ ...row, jobs: jobsOf.get(row.id) ?? { waiting: 0, failed: 0 } })),
  }
}

/** How many connections there are of each kind. */
export async function countConnections(db: Db): Promise<{ all: number; broken: number }> {
  const [row] = await db
    .select({
      all: sql<number>`count(*)::int`,
      broken: sql<number>`(count(*) FILTER (WHERE ${whatsapps.wanted} AND ${whatsapps.status} <> 'CONNECTED'))::int`,
    })
    .from(whatsapps)
  return row ?? { all: 0, broken: 0 }
}

export interface BackupState {
  /** The last good ones; null where there is none. */
  made: { at: Date; rows: number | null; files: number | null; bytes: number | null } | null
  restored: { at: Date } | null
  /** Of the last try of each, where it failed. */
  failures: { work: BackupWork; at: Date; error: string }[]
}

/** How the backups are that the server makes by itself. */
export async function backupState(db: Db): Promise<BackupState> {
  const last = async (work: BackupWork, isGood: boolean) => {
    const [row] = await db
      .select()
      .from(backupRuns)
      .where(and(eq(backupRuns.work, work), isGood ? isNull(backupRuns.error) : undefined))
      .orderBy(desc(backupRuns.endedAt))
      .limit(1)
    return row
  }
  const [made, restored, ...tries] = await Promise.all([
    ...([last('made', true), last('restored', true)] as const),
    ...([last('made', false), last('restored', false)] as const),
  ])
  return {
    made: made ? { at: made.endedAt, rows: made.rows, files: made.files, bytes: made.bytes } : null,
    restored: restored ? { at: restored.endedAt } : null,
    failures: tries.flatMap((run) => (run?.error ? [{ work: run.work, at: run.endedAt, error: run.error }] : [])),
  }
}

/** Jobs of all companies: those that wait, those given up, and how long the oldest has been due, in seconds. */
export async function jobCounts(db: Db): Promise<{ waiting: number; failed: number; oldestSeconds: number }> {
  const [row] = await db
    .select({
      waiting: sql<number>`(count(*) FILTER (WHERE ${jobs.failedAt} IS NULL))::int`,
      failed: sql<number>`(count(*) FILTER (WHERE ${jobs.failedAt} IS NOT NULL))::int`,
      oldestSeconds: sql<number>`coalesce(greatest(0, extract(epoch FROM now() - min(${jobs.runAt}) FILTER (WHERE ${jobs.failedAt} IS NULL))), 0)::float8`,
    })
    .from(jobs)
  return row ?? { waiting: 0, failed: 0, oldestSeconds: 0 }
}

/** Jobs that were given up, newest first, without what they carry: that are messages and names. */
export async function listFailedJobs(db: Db, { cursor, limit }: { cursor?: number | undefined; limit: number }) {
  const rows = await db
    .select({
      id: jobs.id,
      kind: jobs.kind,
      company: { id: companies.id, name: companies.name },
      whatsappId: jobs.whatsappId,
      attempts: jobs.attempts,
      error: jobs.lastError,
      createdAt: jobs.createdAt,
      failedAt: jobs.failedAt,
    })
    .from(jobs)
    .leftJoin(companies, eq(companies.id, jobs.companyId))
    .where(and(isNotNull(jobs.failedAt), cursor === undefined ? undefined : lt(jobs.id, cursor)))
    .orderBy(sql`${jobs.id} DESC`)
    .limit(limit + 1)
  return pageOf(
    rows.map((row) => ({
      ...row,
      error: row.error === null ? null : withoutValues(row.error),
      mayRetry: row.kind !== STOOD_STILL_KIND,
    })),
    limit,
  )
}

/** A statement that failed is told with its values, which are people's. */
const withoutValues = (error: string): string => error.split('\nparams:', 1)[0]!.slice(0, 300)

const MOST_WARNINGS = 200

export interface PlanWarning {
  company: { id: number; name: string }
  plan: string
  what: 'users' | 'connections' | 'queues'
  used: number
  limit: number
}

/**
 * Companies that use at least four fifths of what their plan allows, the fullest first, counted now: an operator who has
 * just given room, or taken it, sees so. Nobody is refused for it here. Each kind is counted by itself, side by side: one
 * statement for the three took twice as long.
 */
export async function planWarnings(db: Db): Promise<PlanWarning[]> {
  const counted = async (table: AnyPgTable, what: PlanWarning['what']) => {
    const rows = await db.execute<{ id: number; name: string } & Omit<PlanWarning, 'company' | 'what'>>(sql`
      SELECT c."id", c."name", p."name" AS plan, n.used, p.${sql.identifier(what)} AS "limit"
      FROM (SELECT "companyId", count(*)::int AS used FROM ${table} GROUP BY 1) n
      JOIN ${companies} c ON c."id" = n."companyId" AND c."removal" IS NULL
      JOIN ${plans} p ON p."id" = c."planId" AND n.used >= p.${sql.identifier(what)} * ${nearlyFull}::float8
      ORDER BY n.used::float8 / greatest(1, p.${sql.identifier(what)}) DESC, c."id"
      LIMIT ${MOST_WARNINGS}`)
    return rows.map(({ id, name, ...row }) => ({ company: { id, name }, what, ...row }))
  }
  const all = await Promise.all([counted(users, 'users'), counted(whatsapps, 'connections'), counted(queues, 'queues')])
  const fullness = ({ used, limit }: PlanWarning) => used / Math.max(1, limit)
  return all
    .flat()
    .sort(
      (a, b) =>
        fullness(b) - fullness(a) || a.company.id - b.company.id || (a.what < b.what ? -1 : a.what > b.what ? 1 : 0),
    )
    .slice(0, MOST_WARNINGS)
}
