import { and, eq } from 'drizzle-orm'
import { queues } from '../../schema/queues/queues.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import type { Tx } from '../db/database.ts'
import type { Events } from '../events/bus.ts'

type Bot = { promptId: number } | { integrationId: number }

/** The queues and connections that go on without their bot. */
export interface Detached {
  queueIds: number[]
  whatsappIds: number[]
}

/** Takes a bot that is about to be deleted off the queues, connections and tickets that name it. */
export async function detachBot(tx: Tx, companyId: number, bot: Bot): Promise<Detached> {
  const without = async (table: typeof queues | typeof whatsapps | typeof tickets) => {
    const names = 'promptId' in bot ? eq(table.promptId, bot.promptId) : eq(table.integrationId, bot.integrationId)
    const rows = await tx
      .update(table)
      .set(
        'promptId' in bot
          ? { promptId: null }
          : { integrationId: null, ...(table === tickets && { useIntegration: false }) },
      )
      .where(and(eq(table.companyId, companyId), names))
      .returning({ id: table.id })
    return rows.map(({ id }) => id)
  }
  const detached = { queueIds: await without(queues), whatsappIds: await without(whatsapps) }
  await without(tickets)
  return detached
}

/** Tells those who have the lists of queues and connections open; after the commit. */
export function emitDetached(events: Events, companyId: number, bot: Bot, { queueIds, whatsappIds }: Detached): void {
  const none = 'promptId' in bot ? { promptId: null } : { integrationId: null }
  for (const id of queueIds)
    events.emit({ companyId, name: 'queue', action: 'update', payload: { queue: { id, ...none } } })
  for (const id of whatsappIds)
    events.emit({ companyId, name: 'whatsapp', action: 'update', payload: { whatsapp: { id, ...none } } })
}
