import { and, eq, isNull, or, sql } from 'drizzle-orm'
import { numberKey } from '../../schema/contacts/contacts.phone.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { lidOf } from '../../schema/opt-outs/opt-outs.transition.ts'
import { type OptOut, optOuts } from '../../schema/opt-outs/opt-outs.table.ts'
import { erasedOptOuts } from '../../schema/privacy/privacy.table.ts'
import { besideOf, type Db, type Tx } from '../db/database.ts'
import type { Sealer } from '../seal.ts'

/** By what a contact is known to have opted out. @throws DomainError `ERR_NO_CONTACT_FOUND` */
export async function addressOf(db: Db, companyId: number, contactId: number) {
  const [row] = await db
    .select({ number: contacts.number, lid: contacts.lid })
    .from(contacts)
    .where(and(eq(contacts.companyId, companyId), eq(contacts.id, contactId)))
  if (!row) throw new DomainError('ERR_NO_CONTACT_FOUND')
  return { number: row.number, lid: lidOf({ id: contactId, ...row }) }
}

/** What is kept of an opt-out of somebody whose data were erased: a keyed hash of what `opt_outs.key` says. */
export const optOutMark = (sealer: Pick<Sealer, 'mark'>, companyId: number, key: string): string =>
  sealer.mark(`opt-out ${companyId} ${key}`)

/** Those of these keys that were opted out when their person was erased. */
async function erasedAmong(db: Db | Tx, companyId: number, keys: readonly string[]): Promise<Set<string>> {
  const sealer = besideOf(db).get('sealer') as Sealer | undefined
  if (keys.length === 0) return new Set()
  const [some] = await db
    .select({ companyId: erasedOptOuts.companyId })
    .from(erasedOptOuts)
    .where(eq(erasedOptOuts.companyId, companyId))
    .limit(1)
  if (!some) return new Set()
  if (!sealer) throw new Error('nobody has said by which key opt-outs are hashed')
  const marks = new Map(keys.map((key) => [optOutMark(sealer, companyId, key), key]))
  const rows = await db
    .select({ hash: erasedOptOuts.hash })
    .from(erasedOptOuts)
    .where(
      and(
        eq(erasedOptOuts.companyId, companyId),
        sql`${erasedOptOuts.hash} = ANY(${sql.param([...marks.keys()])}::text[])`,
      ),
    )
  return new Set(rows.map(({ hash }) => marks.get(hash)!))
}

/** The keys and LIDs, of these, of people who want no messages to many. */
export async function optOutsAmong(
  db: Db | Tx,
  companyId: number,
  /** `entries`: only those with an entry of their own, not who is known by a hash alone. */
  of: { keys: readonly string[]; lids?: readonly string[]; entries?: true },
): Promise<{ keys: ReadonlySet<string>; lids: ReadonlySet<string> }> {
  const ofKey = sql`${optOuts.key} = ANY(${sql.param(of.keys)}::text[])`
  const rows = await db
    .select({ key: optOuts.key, lid: optOuts.lid })
    .from(optOuts)
    .where(
      and(
        eq(optOuts.companyId, companyId),
        isNull(optOuts.revokedAt),
        of.lids ? or(ofKey, sql`${optOuts.lid} = ANY(${sql.param(of.lids)}::text[])`) : ofKey,
      ),
    )
  const lids = of.lids ?? []
  const names = of.entries ? [] : [...of.keys, ...lids.map((lid) => `lid:${lid}`)]
  const erased = await erasedAmong(db, companyId, names)
  return {
    keys: new Set([...rows.map(({ key }) => key), ...of.keys.filter((key) => erased.has(key))]),
    lids: new Set([...rows.flatMap(({ lid }) => lid ?? []), ...lids.filter((lid) => erased.has(`lid:${lid}`))]),
  }
}

/** The entry of a number that wants no messages to many, however it is spelt. */
export async function activeOptOut(db: Db, companyId: number, number: string): Promise<OptOut | undefined> {
  const [row] = await db
    .select()
    .from(optOuts)
    .where(and(eq(optOuts.companyId, companyId), eq(optOuts.key, numberKey(number)), isNull(optOuts.revokedAt)))
  return row
}
