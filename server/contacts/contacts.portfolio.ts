import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { contactAliases, type ContactAlias } from '../../schema/contacts/aliases.table.ts'
import { mayBeOne } from '../../schema/contacts/contacts.aliases.ts'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import { cloudNumbers } from '../../schema/whatsapps/cloud-store.table.ts'
import type { Change } from '../commands/apply.ts'
import type { Tx } from '../db/database.ts'
import { mergeContacts } from './contacts.merge.ts'

/** An account of the official API, and whose it is. */
export interface Owned {
  companyId: number
  accountId: string
  portfolioId: string
}

/**
 * The service tells whose an account is, for which the account stood until then: by what people were known there they are
 * known over all that its owner has. Who is known by the same id over another account of theirs is the same person. What is
 * filed at that moment under the account's id is found the next time. Done again it changes nothing.
 */
export async function adoptPortfolio(tx: Tx, { companyId, accountId, portfolioId }: Owned): Promise<Change[]> {
  const ofAccount = and(eq(cloudNumbers.companyId, companyId), eq(cloudNumbers.accountId, accountId))
  await tx
    .update(cloudNumbers)
    .set({ portfolioId })
    .where(and(ofAccount, isNull(cloudNumbers.portfolioId)))
  const [named] = await tx
    .select({ portfolioId: cloudNumbers.portfolioId })
    .from(cloudNumbers)
    .where(ofAccount)
    .limit(1)
  // Of another owner nothing is made by itself.
  if (named?.portfolioId !== portfolioId || portfolioId === accountId) return []
  // Most have one id, and nobody else has it.
  await tx.execute(sql`UPDATE ${contactAliases} a SET "scope" = ${portfolioId}
    WHERE a."companyId" = ${companyId} AND a."kind" = 'bsuid' AND a."scope" = ${accountId}
      AND NOT EXISTS (SELECT FROM ${contactAliases} o WHERE o."companyId" = a."companyId" AND o."kind" = 'bsuid'
        AND o."scope" = ${portfolioId} AND (o."value" = a."value" OR (o."contactId" = a."contactId" AND o."until" IS NULL)))`)
  const left = await tx
    .select()
    .from(contactAliases)
    .where(
      and(
        ...[eq(contactAliases.companyId, companyId), eq(contactAliases.kind, 'bsuid')],
        eq(contactAliases.scope, accountId),
      ),
    )
    .orderBy(contactAliases.since, contactAliases.id)
  const changes: Change[] = []
  for (const alias of left) changes.push(...(await moved(tx, alias, portfolioId)))
  return changes
}

/** One id that meets what is known in the portfolio. */
async function moved(tx: Tx, { id }: ContactAlias, portfolioId: string): Promise<Change[]> {
  // As it is after those before it.
  const [alias] = await tx.select().from(contactAliases).where(eq(contactAliases.id, id))
  if (!alias) return []
  const there = await tx
    .select()
    .from(contactAliases)
    .where(
      and(
        ...[eq(contactAliases.companyId, alias.companyId), eq(contactAliases.kind, 'bsuid')],
        ...[eq(contactAliases.scope, portfolioId)],
        sql`(${contactAliases.value} = ${alias.value} OR ${contactAliases.contactId} = ${alias.contactId})`,
      ),
    )
  const same = there.find(({ value }) => value === alias.value)
  if (same) {
    await tx.delete(contactAliases).where(eq(contactAliases.id, id))
    if (alias.since < same.since)
      await tx.update(contactAliases).set({ since: alias.since }).where(eq(contactAliases.id, same.id))
    return same.contactId === alias.contactId ? [] : asOne(tx, [same.contactId, alias.contactId])
  }
  // Of two ids in a portfolio the one that was told later is today's.
  const other = there.find(({ contactId, until }) => contactId === alias.contactId && until === null)
  const isOver = alias.until === null && other !== undefined && alias.since <= other.since
  if (alias.until === null && other && !isOver)
    await tx.update(contactAliases).set({ until: alias.since }).where(eq(contactAliases.id, other.id))
  const until = isOver ? other.since : alias.until
  await tx.update(contactAliases).set({ scope: portfolioId, until }).where(eq(contactAliases.id, id))
  return []
}

/** Two contacts that go by one id, unless something else says that they are two. */
async function asOne(tx: Tx, ids: readonly number[]): Promise<Change[]> {
  const rows = await tx
    .select()
    .from(contacts)
    .where(inArray(contacts.id, [...ids]))
    .orderBy(contacts.id)
    .for('update')
  const aliases = await tx
    .select()
    .from(contactAliases)
    .where(inArray(contactAliases.contactId, [...ids]))
  const known = rows.map(({ id, lid }) => ({ lid, aliases: aliases.filter(({ contactId }) => contactId === id) }))
  const [kept, gone] = rows
  if (!kept || !gone || !mayBeOne(known[0]!, known[1]!)) return []
  return (await mergeContacts(tx, kept, gone, null)).changes
}
