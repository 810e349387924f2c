import { widOf } from '../../schema/ids.ts'
import type { OutgoingMessage } from '../../schema/messages/messages.content.ts'
import type { Handlers } from '../jobs/worker.ts'

/** What is said to somebody without a ticket: that they get no more messages, or get them again. */
export function campaignEffects(deps: {
  send(message: OutgoingMessage): Promise<unknown>
}): Pick<Handlers, 'campaigns.say'> {
  return {
    'campaigns.say': async ({ whatsappId, number, lid, messageId, body }, { companyId }) => {
      await deps.send({
        ...{ messageId, companyId, whatsappId, wid: widOf(messageId), quoted: null },
        to: { kind: 'person', number, lid },
        content: { type: 'text', text: body },
      })
    },
  }
}
