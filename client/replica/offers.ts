import { type Capabilities, type Capability, hasWindow, offersOf } from '../../schema/whatsapps/whatsapps.providers.ts'
import { useConnections } from './directory.ts'

/** What a connection offers; all of it while the connection is not known here, since the server says what it refuses. */
export function useOffers(whatsappId: number | null): Capabilities {
  const { byId } = useConnections()
  return offersOf(whatsappId === null ? undefined : byId.get(whatsappId)?.provider)
}

/** Whether any connection of the company offers this; also while it has none, or they are not known yet. */
export function useAnyOffers(capability: Capability): boolean {
  const { list } = useConnections()
  return list.length === 0 || list.some(({ provider }) => offersOf(provider)[capability])
}

/** Whether the company has a connection over which each message is charged. */
export function useIsCharged(): boolean {
  return useConnections().list.some(({ provider }) => hasWindow(provider))
}
