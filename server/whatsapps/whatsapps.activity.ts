import { eq } from 'drizzle-orm'
import type { InboundEvent } from '../../schema/messages/messages.inbound.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Db } from '../db/database.ts'
import type { Events } from '../events/bus.ts'
import type { Logger } from '../log.ts'

const EVERY_MS = 60_000

/**
 * Writes when messages last went in and out of a connection, at most once a minute: fifty messages a second need not
 * write the row fifty times, nor tell every browser of it.
 */
export function createActivity({ db, events, now, log }: { db: Db; events: Events; now: () => Date; log: Logger }) {
  const written = new Map<string, number>()

  function note(whatsappId: number, column: 'lastMessageInAt' | 'lastMessageOutAt'): void {
    const at = now()
    const key = `${whatsappId}:${column}`
    if (at.getTime() - (written.get(key) ?? -EVERY_MS) < EVERY_MS) return
    written.set(key, at.getTime())
    void db
      .update(whatsapps)
      .set({ [column]: at })
      .where(eq(whatsapps.id, whatsappId))
      .returning({ companyId: whatsapps.companyId })
      .then(([row]) => {
        const whatsapp = { id: whatsappId, [column]: at }
        if (row) events.emit({ companyId: row.companyId, name: 'whatsapp', action: 'update', payload: { whatsapp } })
      })
      .catch((err: unknown) => {
        written.delete(key)
        log.warn({ err, whatsappId }, 'the last sign of life was not written')
      })
  }

  return {
    came(inbound: readonly InboundEvent[]): void {
      for (const event of inbound)
        if (event.kind === 'message' && !event.fromMe) note(event.whatsappId, 'lastMessageInAt')
    },
    went: (whatsappId: number): void => note(whatsappId, 'lastMessageOutAt'),
  }
}
