import { and, asc, desc, eq, gt, gte, lt, lte, sql } from 'drizzle-orm'
import type { AuditAction, AuditEntity } from '../../schema/audit/audit.nouns.ts'
import { type AuditEntry, auditEntries, auditHeads } from '../../schema/audit/audit.table.ts'
import type { Sealer } from '../seal.ts'
import type { Db } from '../db/database.ts'
import { readAnchor } from './anchors.queries.ts'
import { type AuditNames, withNames } from './audit.names.ts'

/** Whether an entry about something tells these facts already. */
export async function isNoted(
  db: Db,
  entry: { companyId: number; entity: AuditEntity; id: string | number; facts: Record<string, unknown> },
): Promise<boolean> {
  const { companyId, entity, id, facts } = entry
  const [found] = await db
    .select({ seq: auditEntries.seq })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.companyId, companyId),
        eq(auditEntries.entity, entity),
        eq(auditEntries.entityId, String(id)),
        sql`${auditEntries.after} @> ${JSON.stringify(facts)}::text::jsonb`,
      ),
    )
    .limit(1)
  return found !== undefined
}

export interface AuditWish {
  entity: AuditEntity | undefined
  entityId: string | undefined
  action: AuditAction | undefined
  userId: number | undefined
  from: Date | undefined
  to: Date | undefined
}

const wished = (companyId: number, { entity, entityId, action, userId, from, to }: AuditWish) =>
  and(
    eq(auditEntries.companyId, companyId),
    entity && eq(auditEntries.entity, entity),
    entityId ? eq(auditEntries.entityId, entityId) : undefined,
    action && eq(auditEntries.action, action),
    userId === undefined ? undefined : and(eq(auditEntries.actorKind, 'user'), eq(auditEntries.actorId, userId)),
    from && gte(auditEntries.at, from),
    to && lte(auditEntries.at, to),
  )

/** Entries, the latest first, with what the things they name are called. */
export async function listAudit(
  db: Db,
  companyId: number,
  wish: AuditWish,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<{ records: (AuditEntry & { names: AuditNames })[]; nextCursor: string | null }> {
  const rows = await db
    .select()
    .from(auditEntries)
    .where(and(wished(companyId, wish), before === undefined ? undefined : lt(auditEntries.seq, before)))
    .orderBy(desc(auditEntries.seq))
    .limit(limit + 1)
  const records = rows.slice(0, limit)
  return {
    records: await withNames(db, companyId, records),
    nextCursor: rows.length > limit ? String(records.at(-1)!.seq) : null,
  }
}

/** Entries that a file is made of are read so many at a time. */
const PAGE = 500

/** Every entry, the oldest first; never more than a page in memory. */
export async function* auditRows(db: Db, companyId: number, wish: AuditWish): AsyncGenerator<AuditEntry> {
  for (let after = 0; ; ) {
    const page = await db
      .select()
      .from(auditEntries)
      .where(and(wished(companyId, wish), gt(auditEntries.seq, after)))
      .orderBy(asc(auditEntries.seq))
      .limit(PAGE)
    yield* page
    if (page.length < PAGE) return
    after = page.at(-1)!.seq
  }
}

/** Entries that are counted again in one statement. */
const CHECKED = 2_000

export interface AuditProof {
  intact: boolean
  /** Entries that were looked at. */
  count: number
  /** The last one's; whoever keeps it elsewhere can show later that nothing before it was changed. */
  hash: string
  /** The first entry that is not what it was, or is missing. */
  brokenAt: number | null
}

/**
 * Whether each entry is what it was when it was written, follows the one before, and none is missing; and whether the
 * log still holds what this server has sealed of it. Where it does not, no entry is vouched for.
 */
export async function verifyAudit(db: Db, sealer: Sealer, companyId: number): Promise<AuditProof> {
  // Before the log, which only grows.
  const anchor = await readAnchor(db, sealer, companyId)
  let held = anchor === 'none'
  // What is added meanwhile is not looked at.
  const [head] = await db.select().from(auditHeads).where(eq(auditHeads.companyId, companyId))
  let hash = ''
  for (let after = 0; after < (head?.seq ?? 0); ) {
    const rows = await db.execute<{ seq: number; hash: string; prevHash: string; counted: string }>(sql`
      SELECT e."seq"::int AS seq, e."hash" AS hash, e."prevHash" AS "prevHash", audit_hash(e) AS counted
      FROM ${auditEntries} e
      WHERE e."companyId" = ${companyId} AND e."seq" > ${after} AND e."seq" <= ${head!.seq}
      ORDER BY e."seq" LIMIT ${CHECKED}`)
    for (const row of rows) {
      if (row.seq !== after + 1 || row.prevHash !== hash || row.counted !== row.hash)
        return { intact: false, count: after, hash, brokenAt: after + 1 }
      after = row.seq
      hash = row.hash
      if (typeof anchor === 'object' && anchor.seq === after) held = anchor.hash === hash
    }
    if (rows.length === 0) return { intact: false, count: after, hash, brokenAt: after + 1 }
  }
  const count = head?.seq ?? 0
  if (hash !== (head?.hash ?? '')) return { intact: false, count, hash, brokenAt: count }
  if (typeof anchor === 'object') {
    if (anchor.seq > count) return { intact: false, count, hash, brokenAt: count + 1 }
    if (anchor.seq === 0) held = true
  }
  return { intact: held, count, hash, brokenAt: held ? null : 1 }
}
