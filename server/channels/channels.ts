import { DomainError } from '../../schema/errors.ts'
import { cannot, type Capability } from '../../schema/whatsapps/whatsapps.providers.ts'
import type { SessionChange } from '../../schema/whatsapps/whatsapps.session.ts'
import type { AnyChannel, Channels } from './channel.port.ts'

interface Deps {
  /** No two serve the same provider. */
  wires: readonly AnyChannel[]
  /** `whatsapps.provider`; undefined where there is no such connection. */
  providerOf(whatsappId: number): Promise<string | undefined>
  /** The wanted connections that have none of these providers. */
  wantedBesides(providers: readonly string[]): Promise<{ id: number }[]>
  onSession(whatsappId: number, change: SessionChange): Promise<void>
}

/**
 * All wires as one. A message goes by the wire that speaks for its connection in this process, so that nothing is read to
 * find it; what begins or ends a link goes by the connection's provider.
 */
export function createChannels({ wires, providerOf, wantedBesides, onSession }: Deps): Channels {
  const speaking = (id: number): AnyChannel | undefined => {
    for (const wire of wires) if (wire.speaksFor(id)) return wire
    return undefined
  }
  /** @throws ERR_WAPP_NOT_INITIALIZED where no wire speaks for it here */
  const wireOf = (id: number): AnyChannel => {
    const found = speaking(id)
    if (!found) throw new DomainError('ERR_WAPP_NOT_INITIALIZED', { whatsappId: id })
    return found
  }
  /** The wire that serves the connection, whether or not it speaks for it; undefined where nobody does. */
  const served = async (id: number): Promise<AnyChannel | undefined> => {
    const known = speaking(id)
    if (known) return known
    const provider = await providerOf(id)
    if (provider === undefined) throw new DomainError('ERR_NO_WAPP_FOUND', { whatsappId: id })
    return wires.find(({ providers }) => providers.includes(provider))
  }
  const unserved = (id: number) => onSession(id, { status: 'DISCONNECTED', qrcode: '', lastError: 'unserved' })
  /** @throws ERR_CHANNEL_UNSERVED, and whoever looks at the connection sees why it stands still */
  const need = async (id: number): Promise<AnyChannel> => {
    const found = await served(id)
    if (found) return found
    await unserved(id)
    throw new DomainError('ERR_CHANNEL_UNSERVED', { whatsappId: id })
  }
  const able = <M extends keyof AnyChannel>(wire: AnyChannel, method: M, capability: Capability | 'file') => {
    const own = wire[method]
    if (!own) throw cannot(capability)
    return own
  }

  return {
    async resume() {
      await Promise.all(wires.map((wire) => wire.resume()))
      for (const { id } of await wantedBesides(wires.flatMap(({ providers }) => providers))) await unserved(id)
    },
    start: async (id) => (await need(id)).start(id),
    restart: async (id) => {
      const wire = await served(id)
      // One of many that are begun again: the others go on.
      await (wire ? wire.restart(id) : unserved(id))
    },
    logout: async (id) => (await served(id))?.logout(id),
    // Its row may be gone.
    forget: async (id) => {
      await Promise.all(wires.map((wire) => wire.forget(id)))
    },
    stop: async () => {
      await Promise.all(wires.map((wire) => wire.stop()))
    },
    speaksFor: (id) => speaking(id) !== undefined,
    openIds: () => (wires.length === 1 ? wires[0]!.openIds() : wires.flatMap((wire) => wire.openIds())),
    health: (id) => speaking(id)?.health(id) ?? null,

    async send(message) {
      const wire = wireOf(message.whatsappId)
      if (message.to.kind === 'group' && !wire.offers.groups) throw cannot('groups')
      if (message.content.type === 'template' && !wire.offers.templates) throw cannot('templates')
      return wire.send(message)
    },
    edit: async (target, body) => able(wireOf(target.whatsappId), 'edit', 'edit')(target, body),
    revoke: async (target) => able(wireOf(target.whatsappId), 'revoke', 'revoke')(target),
    react: async (target, emoji) => able(wireOf(target.whatsappId), 'react', 'react')(target, emoji),
    async markRead(targets) {
      const [first] = targets
      if (first) await able(wireOf(first.whatsappId), 'markRead', 'read')(targets)
    },
    presence: async (id, chat, state) => able(wireOf(id), 'presence', 'typing')(id, chat, state),
    newQr: async (id) => able(await need(id), 'newQr', 'pair')(id),
    requestPairingCode: async (id, number) => able(await need(id), 'requestPairingCode', 'pair')(id, number),
    checkNumber: async (id, number) => able(wireOf(id), 'checkNumber', 'checkNumber')(id, number),
    profilePicture: async (id, chat) => able(wireOf(id), 'profilePicture', 'picture')(id, chat),
    rejectCall: async (id, callId) => able(wireOf(id), 'rejectCall', 'call')(id, callId),
    templates: async (id) => able(await need(id), 'templates', 'templates')(id),
    makeTemplate: async (id, template) => able(await need(id), 'makeTemplate', 'templates')(id, template),
    changeTemplate: async (id, metaId, template) =>
      able(await need(id), 'changeTemplate', 'templates')(id, metaId, template),
    sampleFile: async (id, file) => able(await need(id), 'sampleFile', 'templates')(id, file),
    dropTemplate: async (id, template) => able(await need(id), 'dropTemplate', 'templates')(id, template),
    fetchMedia: async (id, wid, sink) => able(wireOf(id), 'fetchMedia', 'file')(id, wid, sink),
    ahead: async (id, people) => wireOf(id).ahead?.(id, people),
    async held(id, wids) {
      // What a link left behind is known without one.
      const known = speaking(id)
      const found = await Promise.all((known ? [known] : wires).map(async (wire) => wire.held?.(id, wids)))
      return new Set(found.flatMap((some) => [...(some ?? [])]))
    },
  }
}
