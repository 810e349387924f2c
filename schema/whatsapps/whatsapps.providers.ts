import { DomainError } from '../errors.ts'

/** What a wire may be able to, besides a text out and a text in. Each is one interface of `server/channels/channel.port.ts`. */
export const capabilities = [
  /** Changes the text of a message that has left. */
  'edit',
  /** Takes a message back for everyone. */
  'revoke',
  'react',
  /** Tells a contact that what they wrote was read. */
  'read',
  /** Shows a contact that somebody is typing. */
  'typing',
  /** Is linked by the owner's phone: by a QR, or by a code that is typed there. */
  'pair',
  /** Says whether there is anybody at a number. */
  'checkNumber',
  /** Has chats of several people. */
  'groups',
  /** Gives the pictures of contacts. */
  'picture',
  /** Refuses calls. */
  'call',
  /** Sends by templates that the service has looked at, also to who may not be written to otherwise. */
  'templates',
] as const
export type Capability = (typeof capabilities)[number]
export type Capabilities = Readonly<Record<Capability, boolean>>

/** A phone of the company, of which the server is a linked device. */
const linkedDevice: Capabilities = {
  edit: true,
  revoke: true,
  react: true,
  read: true,
  typing: true,
  pair: true,
  checkNumber: true,
  groups: true,
  picture: true,
  call: true,
  templates: false,
}

/** A number of WhatsApp's official API (Cloud API): no phone has to be on, and what phones do besides writing it cannot. */
const officialApi: Capabilities = {
  edit: false,
  revoke: false,
  react: true,
  read: true,
  typing: true,
  pair: false,
  checkNumber: false,
  groups: false,
  picture: false,
  call: false,
  templates: true,
}

/**
 * The meaning of `whatsapps.provider`: by which wire a connection speaks, and what that wire can. A connection keeps the
 * wire that it was made with. `beta` and `stable` are the linked device both: clients of this family write either of them.
 */
const wires = {
  beta: linkedDevice,
  stable: linkedDevice,
  official: officialApi,
} as const satisfies Record<string, Capabilities>
export type Provider = keyof typeof wires

/** The providers whose connections are a linked device. */
export const linkedDevices = ['beta', 'stable'] as const satisfies Provider[]
/** The providers whose connections speak the official API. */
export const officialApis = ['official'] as const satisfies Provider[]
/** Those over which a contact may be written to only for a time after they wrote, see `messages.window.ts`. */
export const windowedProviders: readonly Provider[] = officialApis
/** Whether a contact may be written to over this connection only for a time after they wrote. */
export const hasWindow = (provider: string | null | undefined): boolean =>
  windowedProviders.some((windowed) => windowed === provider)

/**
 * The kinds of connection that people may make, each with the wire that it speaks from then on. `phone` is linked by its
 * owner's phone, by a QR; `api` is reached by numbers and keys that an admin copies from Meta's pages.
 */
export const connectionKinds = { phone: 'beta', api: 'official' } as const satisfies Record<string, Provider>
export type ConnectionKind = keyof typeof connectionKinds

/** Of which kind a connection is; null where nobody serves its wire, `phone` where its row is not known yet. */
export function kindOf(provider: string | null | undefined): ConnectionKind | null {
  if (provider == null || linkedDevices.some((device) => device === provider)) return 'phone'
  return officialApis.some((api) => api === provider) ? 'api' : null
}

export const providers = Object.keys(wires) as [Provider, ...Provider[]]

const every = (offered: boolean) =>
  Object.fromEntries(capabilities.map((capability) => [capability, offered])) as Capabilities
const [nothing, all] = [every(false), every(true)]

/**
 * What a connection offers. One whose wire nobody serves, such as one that a newer version made, offers nothing.
 * @param provider null or undefined where the row is not known: then the server says what it refuses
 */
export function offersOf(provider: string | null | undefined): Capabilities {
  if (provider == null) return all
  return isProvider(provider) ? wires[provider] : nothing
}

export const isProvider = (provider: string): provider is Provider => Object.hasOwn(wires, provider)

/** Whether to show typing over this connection also tells the contact that what they wrote was read. */
export const typingReads = (provider: string | null | undefined): boolean =>
  officialApis.some((api) => api === provider)

/** The providers whose connections offer this. */
export const providersThat = (capability: Capability): Provider[] =>
  providers.filter((provider) => wires[provider][capability])

/** What is asked of a wire that cannot. */
export const cannot = (capability: Capability | 'file'): DomainError =>
  new DomainError('ERR_CHANNEL_CANNOT', { capability })

/** Whether a wire has refused something that it will never be able to. */
export const isCannot = (error: unknown): boolean => error instanceof DomainError && error.code === 'ERR_CHANNEL_CANNOT'

/** @throws ERR_CHANNEL_CANNOT unless connections of this provider offer it */
export function demandOffer(provider: string | null | undefined, capability: Capability): void {
  if (!offersOf(provider)[capability]) throw cannot(capability)
}
