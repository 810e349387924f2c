import { linkedDevices, offersOf } from '../../schema/whatsapps/whatsapps.providers.ts'
import type { AnyChannel, LineTarget } from '../channels/channel.port.ts'
import { createWhatsapp, type WhatsappDeps } from './sessions.ts'

/** WhatsApp's wire for linked devices, as features know wires. */
export function baileysChannel(deps: WhatsappDeps) {
  const { edit, revoke, react, markRead, ...whatsapp } = createWhatsapp(deps)
  return {
    ...whatsapp,
    providers: linkedDevices,
    offers: offersOf(linkedDevices[0]),
    edit: (target, body) => edit(target.whatsappId, person(target), body),
    revoke: (target) => revoke(target.whatsappId, person(target)),
    react: (target, emoji) => react(target.whatsappId, person(target), emoji),
    markRead: (targets) => markRead(targets[0]?.whatsappId ?? 0, targets.map(person)),
  } satisfies AnyChannel
}

const person = ({ participant, ...target }: LineTarget) => ({
  ...target,
  participant: participant === null ? null : { number: participant, lid: null },
})
