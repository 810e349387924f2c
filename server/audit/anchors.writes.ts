import { and, asc, eq, gt, or, sql } from 'drizzle-orm'
import { auditAnchors, auditEntries, auditHeads } from '../../schema/audit/audit.table.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import type { Db } from '../db/database.ts'
import type { Logger } from '../log.ts'
import { type Sealer, sealText } from '../seal.ts'
import { type Anchor, anchorsOf, opened, placeOf, REGISTER } from './anchors.queries.ts'

const AT_ONCE = 500
export const sealed = (sealer: Sealer, companyId: number, { seq, hash }: Anchor) =>
  sealText(sealer, `${seq}:${hash}`, placeOf(companyId))

/**
 * Moves the anchors to where the logs are now. One that its log does not hold any more stays where it is, for people to
 * see. Done twice, or on two servers at once, it does the same.
 */
export async function anchorAudit({ db, sealer, log }: { db: Db; sealer: Sealer; log: Logger }): Promise<void> {
  await anchorNew(db, sealer).catch((err: unknown) => log.warn({ err }, 'new companies get their anchors later'))
  for (let after = REGISTER; ; ) {
    const rows = await db
      .select({ anchor: auditAnchors, head: auditHeads, held: auditEntries.hash })
      .from(auditAnchors)
      .innerJoin(auditHeads, eq(auditHeads.companyId, auditAnchors.companyId))
      .leftJoin(
        auditEntries,
        and(eq(auditEntries.companyId, auditAnchors.companyId), eq(auditEntries.seq, auditAnchors.seq)),
      )
      .where(and(gt(auditAnchors.companyId, after), sql`${auditHeads.seq} <> ${auditAnchors.seq}`))
      .orderBy(asc(auditAnchors.companyId))
      .limit(AT_ONCE)
    for (const { anchor, head, held } of rows) {
      const { companyId } = anchor
      const known = opened(sealer, anchor)
      if (!known || known.seq !== anchor.seq || head.seq < known.seq || known.hash !== (held ?? '')) {
        log.error({ companyId, anchor: anchor.seq, head: head.seq }, 'the audit log does not hold what it held')
        continue
      }
      await db
        .update(auditAnchors)
        .set({ seq: head.seq, seal: sealed(sealer, companyId, head) })
        .where(and(eq(auditAnchors.companyId, companyId), eq(auditAnchors.seq, anchor.seq)))
    }
    if (rows.length < AT_ONCE) return
    after = rows.at(-1)!.anchor.companyId
  }
}

/** Companies that came since, those that went again, too, get their first anchor, and stand in the register. */
async function anchorNew(db: Db, sealer: Sealer): Promise<void> {
  const [before] = await anchorsOf(db, sealer, [REGISTER])
  if (!before) return
  const isNew = or(gt(companies.id, before.seq), gt(auditHeads.companyId, before.seq))
  const [some] = await db.execute(sql`SELECT 1 WHERE
    EXISTS (SELECT FROM ${companies} WHERE ${gt(companies.id, before.seq)})
    OR EXISTS (SELECT FROM ${auditHeads} WHERE ${gt(auditHeads.companyId, before.seq)})`)
  if (!some) return
  await db.transaction(async (tx) => {
    // A company whose number is smaller may be in the making: it is waited for, or all wait for the next time.
    await tx.execute(sql`SET LOCAL lock_timeout = '2s'`)
    await tx.execute(sql`LOCK TABLE ${companies} IN SHARE MODE`)
    // A log stays when its company goes.
    const id = sql<number>`coalesce(${companies.id}, ${auditHeads.companyId})`
    const rows = await tx
      .select({ id, seq: auditHeads.seq, hash: auditHeads.hash })
      .from(companies)
      .fullJoin(auditHeads, eq(auditHeads.companyId, companies.id))
      .where(isNew)
      .orderBy(asc(id))
    for (const { id, seq, hash } of rows) {
      const anchor = { seq: seq ?? 0, hash: hash ?? '' }
      await tx
        .insert(auditAnchors)
        .values({ companyId: id, seq: anchor.seq, seal: sealed(sealer, id, anchor) })
        .onConflictDoNothing()
    }
    const upTo = rows.at(-1)?.id ?? before.seq
    await tx
      .update(auditAnchors)
      .set({ seq: upTo, seal: sealed(sealer, REGISTER, { seq: upTo, hash: '' }) })
      .where(and(eq(auditAnchors.companyId, REGISTER), eq(auditAnchors.seq, before.seq)))
  })
}
