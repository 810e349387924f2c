import { inArray, sql } from 'drizzle-orm'
import { messageTexts } from '../../schema/messages/messages.table.ts'
import type { Tx } from '../db/database.ts'

/** Keeps the texts that are longer than their messages' rows hold; null forgets what was kept of an earlier version. */
export async function keepTexts(
  tx: Tx,
  companyId: number,
  texts: readonly { messageId: string; text: string | null }[],
): Promise<void> {
  const gone = texts.filter(({ text }) => text === null).map(({ messageId }) => messageId)
  if (gone.length > 0) await tx.delete(messageTexts).where(inArray(messageTexts.messageId, gone))
  const kept = texts.flatMap(({ messageId, text }) => (text === null ? [] : [{ messageId, companyId, text }]))
  if (kept.length > 0)
    await tx
      .insert(messageTexts)
      .values(kept)
      .onConflictDoUpdate({ target: messageTexts.messageId, set: { text: sql`excluded."text"` } })
}
