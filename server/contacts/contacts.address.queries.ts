import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { contactAliases } from '../../schema/contacts/aliases.table.ts'
import type { Contact } from '../../schema/contacts/contacts.table.ts'
import type { ChatAddress } from '../../schema/messages/messages.content.ts'
import { cloudNumbers } from '../../schema/whatsapps/cloud-store.table.ts'
import type { Db, Tx } from '../db/database.ts'
import { addressOf } from './contacts.identity.ts'

/** Where people's ids of a number of the official API are good: its portfolio, or its account where that is not known. */
export const portfolioSql = sql<string>`coalesce(${cloudNumbers.portfolioId}, ${cloudNumbers.accountId})`

/** That one of `contacts` is whom a LID names, or what `lidOf` gives in its place. An index finds either. */
export const isKnownAs = (lid: SQL): SQL =>
  sql`(contacts."lid" = ${lid} OR (contacts."lid" IS NULL AND contacts."id" = CASE WHEN ${lid} ~ '^[0-9]{1,10}$' THEN (${lid})::bigint END))`

/** Where a contact is reached over a connection: by their id there, too, where no number of theirs is known. */
export async function addressOn(
  db: Db | Tx,
  contact: Pick<Contact, 'id' | 'number' | 'lid' | 'isGroup'>,
  whatsappId: number,
): Promise<ChatAddress> {
  const address = addressOf(contact)
  if (address.kind === 'group' || address.number) return address
  const [own] = await db
    .select({ portfolio: contactAliases.scope, id: contactAliases.value })
    .from(contactAliases)
    .innerJoin(cloudNumbers, and(eq(cloudNumbers.whatsappId, whatsappId), eq(contactAliases.scope, portfolioSql)))
    .where(
      and(eq(contactAliases.contactId, contact.id), eq(contactAliases.kind, 'bsuid'), isNull(contactAliases.until)),
    )
  return own ? { ...address, bsuid: { ...own, parent: null } } : address
}
