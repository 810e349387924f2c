import { auditAnchors } from '../../schema/audit/audit.table.ts'
import type { Db, Tx } from '../db/database.ts'
import type { Sealer } from '../seal.ts'
import { REGISTER } from './anchors.queries.ts'
import { sealed } from './anchors.writes.ts'

/** Called once, by the start that makes the database its own: from then on a register that is missing was taken away. */
export async function beginAnchors(tx: Db | Tx, sealer: Sealer): Promise<void> {
  await tx
    .insert(auditAnchors)
    .values({ companyId: REGISTER, seq: 0, seal: sealed(sealer, REGISTER, { seq: 0, hash: '' }) })
    .onConflictDoNothing()
}
