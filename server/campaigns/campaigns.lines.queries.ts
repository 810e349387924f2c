import { and, asc, eq } from 'drizzle-orm'
import { newChatsOf, stepOn } from '../../schema/campaigns/campaigns.guard.ts'
import type { BulkLineInput, CampaignSettings } from '../../schema/campaigns/campaigns.settings.ts'
import { bulkLines } from '../../schema/campaigns/campaigns.table.ts'
import { dayIn } from '../../schema/companies/companies.subscription.ts'
import { DomainError } from '../../schema/errors.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Db } from '../db/database.ts'
import { usedToday } from './campaigns.bulk.queries.ts'

/** A company has a handful of connections. */
const MOST = 100

/** What each connection may send to many today, and has sent. */
export async function linesOf(
  db: Db,
  companyId: number,
  { dailyCap }: Pick<CampaignSettings, 'dailyCap'>,
  { now, timeZone }: { now: Date; timeZone: string },
) {
  const today = dayIn(timeZone, now)
  const rows = await db
    .select({ id: whatsapps.id, name: whatsapps.name, line: bulkLines })
    .from(whatsapps)
    .leftJoin(bulkLines, eq(bulkLines.whatsappId, whatsapps.id))
    .where(eq(whatsapps.companyId, companyId))
    .orderBy(asc(whatsapps.name), asc(whatsapps.id))
    .limit(MOST)
  return Promise.all(
    rows.map(async ({ id, name, line }) => {
      const { sent, fresh } = await usedToday(db, id, { today, timeZone })
      const step = stepOn(line?.warmupStep ?? 0, line?.warmupDay ?? null, today)
      return {
        ...{ id, name, dailyCap: line?.dailyCap ?? null, newChatCap: line?.newChatCap ?? null },
        ...{ mostToday: line?.dailyCap ?? dailyCap, sentToday: sent },
        ...{ mostNewToday: newChatsOf(step, line?.newChatCap ?? null), newToday: fresh },
        ...{ stopReason: line?.stopReason ?? null, lockedUntil: line?.lockedUntil ?? null },
      }
    }),
  )
}

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
