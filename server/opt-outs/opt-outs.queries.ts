import { and, eq, isNull, or, sql } from 'drizzle-orm'
import { numberKey } from '../../schema/contacts/contacts.phone.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { lidOf } from '../../schema/opt-outs/opt-outs.transition.ts'
import { type OptOut, optOuts } from '../../schema/opt-outs/opt-outs.table.ts'
import type { Db, Tx } from '../db/database.ts'

/** By what a contact is known to have opted out. @throws DomainError `ERR_NO_CONTACT_FOUND` */
export async function addressOf(db: Db, companyId: number, contactId: number) {
  const [row] = await db
    .select({ number: contacts.number, lid: contacts.lid })
    .from(contacts)
    .where(and(eq(contacts.companyId, companyId), eq(contacts.id, contactId)))
  if (!row) throw new DomainError('ERR_NO_CONTACT_FOUND')
  return { number: row.number, lid: lidOf({ id: contactId, ...row }) }
}

/** The keys and LIDs, of these, of people who want no messages to many. */
export async function optOutsAmong(
  db: Db | Tx,
  companyId: number,
  of: { keys: readonly string[]; lids?: readonly string[] },
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
  return { keys: new Set(rows.map(({ key }) => key)), lids: new Set(rows.flatMap(({ lid }) => lid ?? [])) }
}

/** The entry of a number that wants no messages to many, however it is spelt. */
export async function activeOptOut(db: Db, companyId: number, number: string): Promise<OptOut | undefined> {
  const [row] = await db
    .select()
    .from(optOuts)
    .where(and(eq(optOuts.companyId, companyId), eq(optOuts.key, numberKey(number)), isNull(optOuts.revokedAt)))
  return row
}
