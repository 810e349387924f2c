import { and, eq } from 'drizzle-orm'
import type { BulkLineInput } from '../../schema/campaigns/campaigns.settings.ts'
import { bulkLines } from '../../schema/campaigns/campaigns.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Db } from '../db/database.ts'

/** @throws DomainError `ERR_NO_WAPP_FOUND` */
export async function writeLine(
  db: Db,
  companyId: number,
  whatsappId: number,
  values: Partial<BulkLineInput>,
  now: Date,
): Promise<void> {
  const own = await db.$count(whatsapps, and(eq(whatsapps.companyId, companyId), eq(whatsapps.id, whatsappId)))
  if (own === 0) throw new DomainError('ERR_NO_WAPP_FOUND')
  const { dailyCap, newChatCap, stopped } = values
  await db
    .insert(bulkLines)
    .values({ whatsappId, companyId, dailyCap, newChatCap })
    .onConflictDoUpdate({
      target: bulkLines.whatsappId,
      set: {
        whatsappId,
        ...(dailyCap !== undefined && { dailyCap }),
        ...(newChatCap !== undefined && { newChatCap }),
        ...(stopped === false && { stoppedAt: null, stopReason: null, ratesSince: now }),
      },
    })
}
