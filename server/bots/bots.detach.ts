import { and, eq } from 'drizzle-orm'
import { queues } from '../../schema/queues/queues.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Tx } from '../db/database.ts'

/** Takes a bot that is about to be deleted off the queues, connections and tickets that name it. */
export async function detachBot(
  tx: Tx,
  companyId: number,
  bot: { promptId: number } | { integrationId: number },
): Promise<void> {
  for (const table of [queues, whatsapps, tickets]) {
    const names = 'promptId' in bot ? eq(table.promptId, bot.promptId) : eq(table.integrationId, bot.integrationId)
    await tx
      .update(table)
      .set(
        'promptId' in bot
          ? { promptId: null }
          : { integrationId: null, ...(table === tickets && { useIntegration: false }) },
      )
      .where(and(eq(table.companyId, companyId), names))
  }
}
