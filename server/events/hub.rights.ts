import { DomainError, statusOf } from '../../schema/errors.ts'
import type { Authenticator } from '../auth/authenticator.ts'
import type { Logger } from '../log.ts'
import type { LiveEvent } from './bus.ts'
import {
  type Client,
  type Clients,
  CLOSE_COMPANY_BARRED,
  CLOSE_SESSION_ENDED,
  CLOSE_WORKS_AGAIN,
  frame,
} from './hub.clients.ts'

export interface RightsDeps {
  auth: Authenticator
  clients: Clients
  log: Logger
  /** Shows a socket out. */
  drop(client: Client, code: number, reason: string): void
}

/** What those who are here may: read again when it may have changed, and what it no longer allows is closed. */
export function createRights({ auth, clients, log, drop }: RightsDeps) {
  async function refresh(userId: number): Promise<void> {
    auth.forget(userId)
    await Promise.all(clients.ofUser(userId).map(recheck))
  }

  async function refreshCompany(companyId: number): Promise<void> {
    for (const client of [...(clients.of(companyId) ?? [])]) if (!client.gone) await recheck(client)
  }

  /** Of a company whose invoices or whose own row changed: whoever waits for it may be let in. */
  async function lookAgain(companyId: number): Promise<void> {
    for (const client of [...(clients.of(companyId) ?? [])]) {
      if (client.gone || !client.waits) continue
      auth.forget(client.who.userId)
      await recheck(client)
    }
  }

  async function recheck(client: Client): Promise<void> {
    try {
      const { address, waits: toWait } = client
      const now = await auth.again(client.who.userId, client.tokenVersion, { address, toWait })
      client.who = now.who
      if (toWait && !now.barred) drop(client, CLOSE_WORKS_AGAIN, '')
    } catch (error) {
      if (!(error instanceof DomainError) || statusOf(error) >= 500)
        return log.warn({ err: error }, 'rights could not be read again')
      drop(client, statusOf(error) === 402 ? CLOSE_COMPANY_BARRED : CLOSE_SESSION_ENDED, error.code)
    }
  }

  let rechecking = false
  /** One after the other: hundreds at once would stand before every other question to the database. */
  async function recheckAll(all: Client[]): Promise<void> {
    if (rechecking) return
    rechecking = true
    for (const client of all) if (!client.gone) await recheck(client)
    rechecking = false
  }
  function endSessions(event: LiveEvent, userId: number): void {
    auth.forget(userId)
    const { tokenVersion, only, by } = event.payload as { tokenVersion?: number; only?: number; by?: unknown }
    for (const client of clients.ofUser(userId)) {
      if (tokenVersion !== undefined && (client.tokenVersion >= tokenVersion || client.acting)) continue
      if (only !== undefined && client.tokenVersion !== only) continue
      // Only another login is news; who logged out knows.
      if (event.action === 'update')
        client.wire.send(
          frame(`company-${event.companyId}-auth`, {
            action: 'update',
            user: { id: userId, companyId: event.companyId },
            ...(by !== undefined && { by }),
          }),
        )
      drop(client, CLOSE_SESSION_ENDED, 'ERR_SESSION_EXPIRED')
    }
  }

  return { refresh, refreshCompany, lookAgain, recheckAll, endSessions }
}
