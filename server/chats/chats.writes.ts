import { and, eq, inArray, notInArray } from 'drizzle-orm'
import { chatUserId, chatUsers } from '../../schema/chats/chats.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { users } from '../../schema/users/users.table.ts'
import type { Tx } from '../db/database.ts'

/**
 * Makes these people, and no others, the members of a chat. Those who stay keep what they have not read.
 * @throws DomainError `ERR_NO_USER_FOUND` when one is not the company's
 */
export async function setMembers(tx: Tx, companyId: number, chatId: number, userIds: readonly number[]): Promise<void> {
  const wanted = [...new Set(userIds)]
  const found = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.companyId, companyId), inArray(users.id, wanted)))
  if (found.length !== wanted.length) throw new DomainError('ERR_NO_USER_FOUND')
  await tx
    .insert(chatUsers)
    .values(wanted.map((userId) => ({ id: chatUserId(chatId, userId), companyId, chatId, userId })))
    .onConflictDoNothing()
  await tx.delete(chatUsers).where(and(eq(chatUsers.chatId, chatId), notInArray(chatUsers.userId, wanted)))
}
