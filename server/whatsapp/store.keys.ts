/** One device's keys, as Baileys wants them. */
import type postgres from 'postgres'
import type { Sealer } from '../seal.ts'
import type { SignalDataSet, SignalDataTypeMap, SignalKeyStore } from './baileys.ts'
import { BufferJSON, proto } from './baileys.ts'
import { isCached, type KeyCache } from './store.cache.ts'
import { type KeyRow, keyPlace, type RidingRows, StoreError } from './store.rows.ts'
import { patiently, type StoreWrites } from './store.writes.ts'

/**
 * Baileys keeps the names of all who have a token in one row, and reads, writes and seals it whole for each person that a
 * message goes to: of ten thousand, half a megabyte each time. Here the rows themselves are the list.
 */
const TOKENS = '__index'

interface Parts {
  sql: postgres.Sql
  sealer: Sealer
  cache: KeyCache
  writes: StoreWrites
}

/**
 * Of one link: when the next begins, this one keeps nothing more.
 * @param isKnown false once the device is forgotten: what its old socket still wants to keep is let go
 * @param failed told before anybody else that the database refused: whoever asked may take it for an answer
 */
export function createKeyStore(
  parts: Parts,
  whatsappId: number,
  isKnown: () => boolean,
  failed: (error: unknown) => void,
): SignalKeyStore {
  const { cache, writes } = parts
  const link = writes.linkOf(whatsappId)
  let answeredTokens = false
  return {
    async get<T extends keyof SignalDataTypeMap>(type: T, ids: string[]) {
      const found: { [id: string]: SignalDataTypeMap[T] } = {}
      const missing: string[] = []
      for (const id of ids) {
        if (type === 'tctoken' && id === TOKENS) {
          // A link asks when it begins, and knows from then on whom it adds.
          if (!answeredTokens) found[id] = (await tokensOf(parts.sql, whatsappId)) as SignalDataTypeMap[T]
          answeredTokens = true
          continue
        }
        const known = cache.get(keyPlace(whatsappId, type, id))
        if (known === undefined) missing.push(id)
        else if (known !== null) found[id] = revived(type, known)
      }
      if (missing.length === 0) return found
      const values = await keysOf(parts, whatsappId, type, missing).catch((cause) => {
        const error = new StoreError('the WhatsApp store could not be read', { cause })
        failed(error)
        throw error
      })
      for (const id of missing) {
        const place = keyPlace(whatsappId, type, id)
        // What was written while the question was under way is newer than its answer.
        const written = cache.get(place)
        const value = written === undefined ? (values.get(id) ?? null) : written
        if (isCached(type)) cache.remember(place, value)
        if (value !== null) found[id] = revived(type, value)
      }
      return found
    },
    set(data) {
      if (!isKnown()) return
      // Baileys tries a write that failed again, when the next link may have begun: with a ratchet that was turned by
      // messages which were not stored, and which could then never be read.
      if (writes.linkOf(whatsappId) !== link) throw new StoreError('the link is over')
      const {
        'balcao-journal': journal,
        'balcao-proto': protos,
        'balcao-write': later,
        ...signal
      } = data as SignalDataSet & RidingRows
      const keys = changedKeys(cache, whatsappId, signal)
      const ended = cache.writing(keys.map((row) => keyPlace(row.whatsappId, row.type, row.id)))
      const durable = writes.commit(
        { keys, journal: Object.values(journal ?? {}), protos: Object.values(protos ?? {}) },
        { device: whatsappId, builtUpon: later !== undefined },
      )
      void durable.then(ended, (error: unknown) => {
        ended()
        failed(error)
      })
      if (!later) return durable
      later.write.durable = durable
    },
  }
}

/** Those that are not known to be so already; whoever asks sees them from now on. */
function changedKeys(cache: KeyCache, whatsappId: number, signal: SignalDataSet): KeyRow[] {
  const keys: KeyRow[] = []
  for (const [type, values] of Object.entries(signal)) {
    for (const [id, value] of Object.entries(values ?? {})) {
      if (type === 'tctoken' && id === TOKENS) continue
      const json = value == null ? null : JSON.stringify(value, BufferJSON.replacer)
      const place = keyPlace(whatsappId, type, id)
      // The ratchet of a message is written before it leaves, and once more by Baileys when it has left.
      if (json !== null && cache.get(place) === json && !cache.isUnderWay(place)) continue
      keys.push({ whatsappId, type, id, value: json })
      cache.remember(place, json)
    }
  }
  return keys
}

/** @returns JSON by id, of those that are there */
export async function keysOf(
  { sql, sealer }: Pick<Parts, 'sql' | 'sealer'>,
  whatsappId: number,
  type: string,
  ids?: readonly string[],
): Promise<Map<string, string>> {
  const rows = await patiently(
    () => sql<{ id: string; value: Buffer }[]>`
      SELECT "id", "value" FROM whatsapp_keys WHERE "whatsappId" = ${whatsappId} AND "type" = ${type}
      ${ids ? sql`AND "id" = ANY(${ids as string[]}::text[])` : sql``}`,
  )
  return new Map(rows.map((row) => [row.id, sealer.open(row.value, keyPlace(whatsappId, type, row.id)).toString()]))
}

async function tokensOf(sql: postgres.Sql, whatsappId: number): Promise<SignalDataTypeMap['tctoken']> {
  const rows = await patiently(
    () =>
      sql<{ id: string }[]>`SELECT "id" FROM whatsapp_keys WHERE "whatsappId" = ${whatsappId} AND "type" = 'tctoken'`,
  )
  return { token: Buffer.from(JSON.stringify(rows.map(({ id }) => id))) }
}

function revived<T extends keyof SignalDataTypeMap>(type: T, json: string): SignalDataTypeMap[T] {
  // A ratchet is read for every message and holds no bytes as a rule: looking for them would take fifteen times as long.
  const plain = type === 'session' && !json.includes('"Buffer"')
  const value: unknown = plain ? JSON.parse(json) : JSON.parse(json, BufferJSON.reviver)
  // Baileys calls methods of this one message; the others are plain values.
  return (
    type === 'app-state-sync-key' ? proto.Message.AppStateSyncKeyData.fromObject(value as object) : value
  ) as SignalDataTypeMap[T]
}
