import { eq } from 'drizzle-orm'
import { pushSubscriptions } from '../../schema/push/push.table.ts'
import type { Db } from '../db/database.ts'
import { GiveUp } from '../jobs/worker.ts'
import type { PushPayload, PushService } from './push.sender.ts'

/**
 * Sends one push to one browser, and forgets the browser that does not want any more.
 * @throws GiveUp when the push service refuses; another error when it is worth another try
 */
export async function wakeBrowser(
  { db, push }: { db: Db; push: Pick<PushService, 'send'> },
  browser: typeof pushSubscriptions.$inferSelect,
  payload: PushPayload,
): Promise<void> {
  const outcome = await push.send(browser, payload)
  if (outcome === 'gone') await db.delete(pushSubscriptions).where(eq(pushSubscriptions.id, browser.id))
  if (outcome === 'refused') throw new GiveUp('the push service refuses')
}
