import { widOf } from '../../schema/ids.ts'
import { and, eq } from 'drizzle-orm'
import { contacts } from '../../schema/contacts/contacts.table.ts'
import type { ChatAddress, OutgoingMessage } from '../../schema/messages/messages.content.ts'
import { addressOn } from '../contacts/contacts.address.queries.ts'
import type { Db } from '../db/database.ts'
import type { Handlers } from '../jobs/worker.ts'

/** What is said to somebody without a ticket: that they get no more messages, or get them again. */
export function campaignEffects(deps: {
  db: Db
  send(message: OutgoingMessage): Promise<unknown>
}): Pick<Handlers, 'campaigns.say'> {
  /** Where they are reached now. */
  const placeOf = async (companyId: number, contactId: number | undefined, whatsappId: number) => {
    if (contactId === undefined) return undefined
    const isThis = and(eq(contacts.companyId, companyId), eq(contacts.id, contactId))
    const [contact] = await deps.db.select().from(contacts).where(isThis)
    return contact && addressOn(deps.db, contact, whatsappId)
  }
  return {
    'campaigns.say': async ({ whatsappId, number, lid, contactId, messageId, body }, { companyId }) => {
      const known: ChatAddress = { kind: 'person', number, lid }
      // Who is known by number or LID is written to as they wrote.
      const to = number || lid ? known : ((await placeOf(companyId, contactId, whatsappId)) ?? known)
      await deps.send({
        ...{ messageId, companyId, whatsappId, wid: widOf(messageId), quoted: null },
        to,
        content: { type: 'text', text: body },
      })
    },
  }
}
