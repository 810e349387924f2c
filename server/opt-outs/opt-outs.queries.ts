import { and, eq, isNull } from 'drizzle-orm'
import { numberKey } from '../../schema/contacts/contacts.phone.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { type OptOut, optOuts } from '../../schema/opt-outs/opt-outs.table.ts'
import type { Db } from '../db/database.ts'

/** By what a contact is known to have opted out. @throws DomainError `ERR_NO_CONTACT_FOUND` */
export async function addressOf(db: Db, companyId: number, contactId: number) {
  const [row] = await db
    .select({ number: contacts.number, lid: contacts.lid })
    .from(contacts)
    .where(and(eq(contacts.companyId, companyId), eq(contacts.id, contactId)))
  if (!row) throw new DomainError('ERR_NO_CONTACT_FOUND')
  return row
}

/** The entry of a number that wants no messages to many, however it is spelt. */
export async function activeOptOut(db: Db, companyId: number, number: string): Promise<OptOut | undefined> {
  const [row] = await db
    .select()
    .from(optOuts)
    .where(and(eq(optOuts.companyId, companyId), eq(optOuts.key, numberKey(number)), isNull(optOuts.revokedAt)))
  return row
}
