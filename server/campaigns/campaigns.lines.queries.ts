import { asc, eq } from 'drizzle-orm'
import { newChatsOf, stepOn } from '../../schema/campaigns/campaigns.guard.ts'
import type { CampaignSettings } from '../../schema/campaigns/campaigns.settings.ts'
import { bulkLines } from '../../schema/campaigns/campaigns.table.ts'
import { dayIn } from '../../schema/companies/companies.subscription.ts'
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
