/** What the linked devices remember, in Postgres, sealed. */
import type postgres from 'postgres'
import type { Logger } from 'pino'
import { createSealer } from '../seal.ts'
import type { SignalKeyStore } from './baileys.ts'
import type { Timer } from './session.timers.ts'
import { createKeyCache, TIMER } from './store.cache.ts'
import { createCredentials } from './store.credentials.ts'
import { createKeyStore, keysOf } from './store.keys.ts'
import { createMessages } from './store.messages.ts'
import { writeChanges } from './store.statement.ts'
import { createWrites } from './store.writes.ts'

export type WhatsappStore = ReturnType<typeof createStore>

/**
 * @param key 32 bytes
 * @param owner under whose lease devices are written; a process that lost a lease and does not know it yet is refused.
 *   Unset where there are no other processes
 */
export function createStore(sql: postgres.Sql, key: Buffer, log: Logger, owner?: string) {
  const sealer = createSealer(key)
  const cache = createKeyCache()
  const writes = createWrites((changes) => writeChanges(sql, sealer, changes, owner), cache, log)
  const { commit, begin } = writes
  return {
    commit,
    begin,
    keyStore: (
      whatsappId: number,
      isKnown: () => boolean,
      failed: (error: unknown) => void = () => undefined,
    ): SignalKeyStore => createKeyStore({ sql, sealer, cache, writes }, whatsappId, isKnown, failed),
    /** Of chats whose messages disappear. */
    async timers(whatsappId: number): Promise<Map<string, Timer>> {
      const rows = await keysOf({ sql, sealer }, whatsappId, TIMER)
      return new Map([...rows].map(([chat, value]) => [chat, JSON.parse(value) as Timer]))
    },
    ...createCredentials({ sql, sealer, cache, writes, owner }),
    ...createMessages(sql, sealer),
  }
}
