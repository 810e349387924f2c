import { inArray } from 'drizzle-orm'
import { auditAnchors } from '../../schema/audit/audit.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { openText, type Sealer } from '../seal.ts'

/*
 * The entries of a log hold each other, and say nothing when all of them go, or are written anew from one on. So the
 * server seals how long each log is, and the hash of its last entry, with a key that the database does not have. Each
 * company has such an anchor; up to which company that is so, the register says, sealed as well. What is missing is
 * therefore missed. Who has the key, too, or puts back the whole of an older database, is not found out by this: for
 * that there is the hash that `GET /audit/verify` tells, kept elsewhere.
 */

/** In place of a company. */
export const REGISTER = 0

export interface Anchor {
  /** How many entries there were. */
  seq: number
  /** The last one's. */
  hash: string
}

export const placeOf = (companyId: number) => `audit_anchor/${companyId}`

/** Undefined for one that this server has not sealed. */
export function opened(sealer: Sealer, { companyId, seal }: { companyId: number; seal: string }): Anchor | undefined {
  try {
    const [seq, hash = ''] = openText(sealer, seal, placeOf(companyId)).split(':')
    return seq === '' ? undefined : { seq: Number(seq), hash }
  } catch {
    return undefined
  }
}

export const anchorsOf = async (db: Db | Tx, sealer: Sealer, companyIds: readonly number[]) => {
  const rows = await db
    .select()
    .from(auditAnchors)
    .where(inArray(auditAnchors.companyId, [...companyIds]))
  return companyIds.map((companyId) => {
    const row = rows.find((one) => one.companyId === companyId)
    return row && opened(sealer, row)
  })
}

/** What a company's log must still hold; `none` where it is too new to have an anchor, `missing` where that is gone or not ours. */
export async function readAnchor(db: Db, sealer: Sealer, companyId: number): Promise<Anchor | 'none' | 'missing'> {
  // At once: between two looks it would get its anchor, and would be missed in the one and in the register of the other.
  const [anchor, register] = await anchorsOf(db, sealer, [companyId, REGISTER])
  if (anchor) return anchor
  return register && companyId > register.seq ? 'none' : 'missing'
}
