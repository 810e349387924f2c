/**
 * What the linked devices remember, in Postgres, sealed. Writes that must be durable together are one statement, and
 * statements that wait at the same time become one: the receipt of a message waits for a disk, so disks are shared.
 */
import type postgres from 'postgres'
import type { Logger } from 'pino'
import type { AuthenticationCreds, SignalDataSet, SignalDataTypeMap, SignalKeyStore, WAVersion } from './baileys.ts'
import { BufferJSON, initAuthCreds, proto } from './baileys.ts'
import { createSealer } from '../seal.ts'
import { isTransient } from './lanes.ts'
import type { Timer } from './session.timers.ts'

export interface JournalRow {
  id: string
  whatsappId: number
  wid: string
  /** JSON of an `InboundEvent`. */
  event: string
}

export interface ProtoRow {
  whatsappId: number
  wid: string
  message: Uint8Array
  /** Ours, leaving now: unconfirmed until the service says so. */
  awaitingAck: boolean
}

export interface Change {
  /** Values are JSON; null deletes. */
  keys?: { whatsappId: number; type: string; id: string; value: string | null }[]
  journal?: JournalRow[]
  protos?: ProtoRow[]
  /** Journal rows whose event the product has. */
  settled?: string[]
  confirmed?: { whatsappId: number; wid: string }[]
}

/** Mutations of a Signal transaction may carry rows of ours under these names: they commit with the ratchet. */
export interface RidingRows {
  'balcao-journal'?: Record<string, JournalRow>
  'balcao-proto'?: Record<string, ProtoRow>
  /** Kept among the keys of the device, by the name of the chat. */
  'balcao-timer'?: Record<string, Timer | null>
  /** The transaction ends before its write does, which is put here. Whoever asks sees the new values at once. */
  'balcao-write'?: { write: PendingWrite }
}

export interface PendingWrite {
  /** @throws StoreError, and from then on for every later write of the device until its next link begins */
  durable?: Promise<void>
}

/** What several changes of one write make of a message together. */
interface ProtoFate {
  whatsappId: number
  wid: string
  /** Null: the row keeps what it has. */
  message: Uint8Array | null
  awaiting: 'begins' | 'stays' | 'ends'
}

interface Waiting {
  change: Change
  /** Whose keys these are. */
  device?: number
  /** Others may have read what is not written yet. */
  builtUpon?: boolean
  done: () => void
  fail: (error: unknown) => void
}

/** The database refused or was away; nothing was written. */
export class StoreError extends Error {
  override name = 'StoreError'
}

/**
 * Baileys keeps the names of all who have a token in one row, and reads, writes and seals it whole for each person that a
 * message goes to: of ten thousand, half a megabyte each time. Here the rows themselves are the list.
 */
const TOKENS = '__index'

const TIMER = 'balcao-timer'

const cachedEntries = 20_000
/** Pre-keys are read once each; keeping 812 of them for every device would push out what is read all the time. */
const isCached = (type: string) => type !== 'pre-key' && type !== TIMER

export type WhatsappStore = ReturnType<typeof createStore>

/** @param key 32 bytes. */
export function createStore(sql: postgres.Sql, key: Buffer, log: Logger) {
  const sealer = createSealer(key)
  const cache = new Map<string, string | null>()
  /** How many writes of a value are under way; what is in the cache and not here is what the database has. */
  const underWay = new Map<string, number>()
  const remember = (place: string, value: string | null) => {
    cache.delete(place)
    cache.set(place, value)
    if (cache.size > cachedEntries) cache.delete(cache.keys().next().value as string)
  }

  // ---- writing together

  let waiting: Waiting[] = []
  let writing = false
  /** Devices of which a write failed that others were built upon. */
  const broken = new Set<number>()
  /** How many links of a device have begun. */
  const links = new Map<number, number>()

  /** Durable when it resolves, in the order of the calls. @throws StoreError */
  function commit(change: Change, from?: Pick<Waiting, 'device' | 'builtUpon'>): Promise<void> {
    return new Promise<void>((done, fail) => {
      waiting.push({ ...from, change, done, fail })
      if (!writing) {
        writing = true
        queueMicrotask(() => void writeAll())
      }
    })
  }

  async function writeAll(): Promise<void> {
    while (waiting.length) {
      const batch = waiting
      waiting = []
      try {
        if (batch.some(isVain)) throw new Error('an earlier write of the device failed')
        await patiently(() => write(batch.map((w) => w.change)))
        for (const w of batch) w.done()
      } catch (error) {
        if (batch.length > 1)
          log.warn({ err: error, changes: batch.length }, 'a shared write failed; writing one by one')
        for (const w of batch) await writeAlone(w, batch.length === 1 ? error : undefined)
      }
    }
    writing = false
  }

  const isVain = ({ device }: Waiting) => device !== undefined && broken.has(device)

  async function writeAlone(w: Waiting, failure: unknown): Promise<void> {
    try {
      if (failure !== undefined) throw failure
      if (isVain(w)) throw new Error('an earlier write of the device failed')
      await write([w.change])
      w.done()
    } catch (cause) {
      if (w.builtUpon && w.device !== undefined) broken.add(w.device)
      for (const row of w.change.keys ?? []) cache.delete(keyPlace(row.whatsappId, row.type, row.id))
      w.fail(new StoreError('the WhatsApp store could not be written', { cause }))
    }
  }

  /** A database that was away for a moment costs no link. */
  async function patiently<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await work()
      } catch (error) {
        if (tries === 3 || !isTransient(error)) throw error
        await Bun.sleep(300)
      }
    }
  }

  async function write(changes: Change[]): Promise<void> {
    const keys = new Map<string, { whatsappId: number; type: string; id: string; value: string | null }>()
    const protos = new Map<string, ProtoFate>()
    const journal: JournalRow[] = []
    const settled: string[] = []
    for (const change of changes) {
      for (const row of change.keys ?? []) keys.set(keyPlace(row.whatsappId, row.type, row.id), row)
      for (const row of change.protos ?? []) {
        const place = protoPlace(row.whatsappId, row.wid)
        const awaiting = row.awaitingAck ? 'begins' : (protos.get(place)?.awaiting ?? 'stays')
        protos.set(place, { ...row, awaiting })
      }
      if (change.journal) journal.push(...change.journal)
      if (change.settled) settled.push(...change.settled)
      for (const row of change.confirmed ?? []) {
        const place = protoPlace(row.whatsappId, row.wid)
        protos.set(place, { ...(protos.get(place) ?? { ...row, message: null }), awaiting: 'ends' })
      }
    }
    const put = [...keys.values()].filter((row) => row.value !== null)
    const gone = [...keys.values()].filter((row) => row.value === null)
    const messages = [...protos.values()].filter((row) => row.message !== null && row.awaiting !== 'ends')
    const answered = [...protos.values()].filter((row) => row.message !== null && row.awaiting === 'ends')
    const confirmed = [...protos.values()].filter((row) => row.message === null)
    const sealed = (plain: string | Uint8Array, place: string) =>
      sealer.seal(typeof plain === 'string' ? Buffer.from(plain) : plain, place).toString('base64')

    const parts: postgres.PendingQuery<postgres.Row[]>[] = []
    if (put.length) {
      parts.push(sql`put AS (
        INSERT INTO whatsapp_keys ("whatsappId", "type", "id", "value")
        SELECT w, t, i, decode(v, 'base64')
        FROM unnest(${put.map((r) => r.whatsappId)}::int[], ${put.map((r) => r.type)}::text[], ${put.map((r) => r.id)}::text[],
          ${put.map((r) => sealed(r.value!, keyPlace(r.whatsappId, r.type, r.id)))}::text[]) AS x(w, t, i, v)
        ON CONFLICT ("whatsappId", "type", "id") DO UPDATE SET "value" = excluded."value")`)
    }
    if (gone.length) {
      parts.push(sql`gone AS (
        DELETE FROM whatsapp_keys k
        USING unnest(${gone.map((r) => r.whatsappId)}::int[], ${gone.map((r) => r.type)}::text[], ${gone.map((r) => r.id)}::text[]) AS x(w, t, i)
        WHERE k."whatsappId" = x.w AND k."type" = x.t AND k."id" = x.i)`)
    }
    if (journal.length) {
      parts.push(sql`noted AS (
        INSERT INTO whatsapp_journal ("id", "whatsappId", "wid", "event")
        SELECT i, w, m, decode(e, 'base64')
        FROM unnest(${journal.map((r) => r.id)}::uuid[], ${journal.map((r) => r.whatsappId)}::int[], ${journal.map((r) => r.wid)}::text[],
          ${journal.map((r) => sealed(r.event, journalPlace(r.id)))}::text[]) AS x(i, w, m, e)
        ON CONFLICT ("id") DO NOTHING)`)
    }
    // Each message is in one of the following three: a statement may not touch a row twice.
    if (messages.length) {
      parts.push(sql`kept AS (
        INSERT INTO whatsapp_protos ("whatsappId", "wid", "message", "awaitingAckSince")
        SELECT w, m, decode(p, 'base64'), CASE WHEN a = 1 THEN now() END
        FROM unnest(${messages.map((r) => r.whatsappId)}::int[], ${messages.map((r) => r.wid)}::text[],
          ${messages.map((r) => sealed(r.message!, protoPlace(r.whatsappId, r.wid)))}::text[], ${messages.map((r) => (r.awaiting === 'begins' ? 1 : 0))}::int[]) AS x(w, m, p, a)
        ON CONFLICT ("whatsappId", "wid") DO UPDATE SET "message" = excluded."message",
          "awaitingAckSince" = coalesce(excluded."awaitingAckSince", whatsapp_protos."awaitingAckSince"))`)
    }
    if (answered.length) {
      parts.push(sql`answered AS (
        INSERT INTO whatsapp_protos ("whatsappId", "wid", "message")
        SELECT w, m, decode(p, 'base64')
        FROM unnest(${answered.map((r) => r.whatsappId)}::int[], ${answered.map((r) => r.wid)}::text[],
          ${answered.map((r) => sealed(r.message!, protoPlace(r.whatsappId, r.wid)))}::text[]) AS x(w, m, p)
        ON CONFLICT ("whatsappId", "wid") DO UPDATE SET "message" = excluded."message", "awaitingAckSince" = NULL)`)
    }
    if (settled.length) {
      parts.push(sql`settled AS (DELETE FROM whatsapp_journal WHERE "id" = ANY(${settled}::uuid[]))`)
    }
    if (confirmed.length) {
      parts.push(sql`confirmed AS (
        UPDATE whatsapp_protos p SET "awaitingAckSince" = NULL
        FROM unnest(${confirmed.map((r) => r.whatsappId)}::int[], ${confirmed.map((r) => r.wid)}::text[]) AS x(w, m)
        WHERE p."whatsappId" = x.w AND p."wid" = x.m)`)
    }
    if (parts.length === 0) return
    const [first, ...rest] = parts as [
      postgres.PendingQuery<postgres.Row[]>,
      ...postgres.PendingQuery<postgres.Row[]>[],
    ]
    await sql`WITH ${rest.reduce((all, part) => sql`${all}, ${part}`, first)} SELECT 1`
    for (const [place, row] of keys) if (!isCached(row.type) && cache.get(place) === row.value) cache.delete(place)
  }

  /** A link of the device begins: what an earlier one could not store is no longer believed. */
  async function begin(whatsappId: number): Promise<void> {
    links.set(whatsappId, (links.get(whatsappId) ?? 0) + 1)
    // Writes go in turn: once this one is done, none of the earlier link's is under way.
    await commit({})
    if (broken.delete(whatsappId)) forgetCached(whatsappId)
  }

  function forgetCached(whatsappId: number): void {
    for (const place of cache.keys()) if (place.startsWith(`key/${whatsappId}/`)) cache.delete(place)
  }

  // ---- one device's keys, as Baileys wants them

  /**
   * Of one link: when the next begins, this one keeps nothing more.
   * @param isKnown false once the device is forgotten: what its old socket still wants to keep is let go
   * @param failed told before anybody else that the database refused: whoever asked may take it for an answer
   */
  function keyStore(
    whatsappId: number,
    isKnown: () => boolean,
    failed: (error: unknown) => void = () => undefined,
  ): SignalKeyStore {
    const link = links.get(whatsappId)
    let toldTokens = false
    return {
      async get<T extends keyof SignalDataTypeMap>(type: T, ids: string[]) {
        const found: { [id: string]: SignalDataTypeMap[T] } = {}
        const missing: string[] = []
        for (const id of ids) {
          if (type === 'tctoken' && id === TOKENS) {
            // A link asks when it begins, and knows from then on whom it adds.
            if (!toldTokens) found[id] = (await tokensOf(whatsappId)) as SignalDataTypeMap[T]
            toldTokens = true
            continue
          }
          const known = cache.get(keyPlace(whatsappId, type, id))
          if (known === undefined) missing.push(id)
          else if (known !== null) found[id] = revived(type, known)
        }
        if (missing.length) {
          const rows = await patiently(
            () => sql<{ id: string; value: Buffer }[]>`
              SELECT "id", "value" FROM whatsapp_keys WHERE "whatsappId" = ${whatsappId} AND "type" = ${type} AND "id" = ANY(${missing}::text[])`,
          ).catch((cause) => {
            const error = new StoreError('the WhatsApp store could not be read', { cause })
            failed(error)
            throw error
          })
          const values = new Map(
            rows.map((row) => [row.id, sealer.open(row.value, keyPlace(whatsappId, type, row.id)).toString()]),
          )
          for (const id of missing) {
            const place = keyPlace(whatsappId, type, id)
            // What was written while the question was under way is newer than its answer.
            const written = cache.get(place)
            const value = written === undefined ? (values.get(id) ?? null) : written
            if (isCached(type)) remember(place, value)
            if (value !== null) found[id] = revived(type, value)
          }
        }
        return found
      },
      set(data) {
        if (!isKnown()) return
        // Baileys tries a write that failed again, when the next link may have begun: with a ratchet that was turned by
        // messages which were not stored, and which could then never be read.
        if (links.get(whatsappId) !== link) throw new StoreError('the link is over')
        const {
          'balcao-journal': journal,
          'balcao-proto': protos,
          'balcao-write': later,
          ...signal
        } = data as SignalDataSet & RidingRows
        const keys: NonNullable<Change['keys']> = []
        for (const [type, values] of Object.entries(signal)) {
          for (const [id, value] of Object.entries(values ?? {})) {
            if (type === 'tctoken' && id === TOKENS) continue
            const json = value == null ? null : JSON.stringify(value, BufferJSON.replacer)
            const place = keyPlace(whatsappId, type, id)
            // The ratchet of a message is written before it leaves, and once more by Baileys when it has left.
            if (json !== null && cache.get(place) === json && !underWay.has(place)) continue
            keys.push({ whatsappId, type, id, value: json })
            remember(place, json)
          }
        }
        const places = keys.map((row) => keyPlace(row.whatsappId, row.type, row.id))
        for (const place of places) underWay.set(place, (underWay.get(place) ?? 0) + 1)
        const durable = commit(
          { keys, journal: Object.values(journal ?? {}), protos: Object.values(protos ?? {}) },
          { device: whatsappId, builtUpon: later !== undefined },
        )
        const ended = () => {
          for (const place of places) {
            const left = underWay.get(place)! - 1
            if (left > 0) underWay.set(place, left)
            else underWay.delete(place)
          }
        }
        void durable.then(ended, (error: unknown) => {
          ended()
          failed(error)
        })
        if (!later) return durable
        later.write.durable = durable
      },
    }
  }

  /** Of chats whose messages disappear. */
  async function timers(whatsappId: number): Promise<Map<string, Timer>> {
    const rows = await patiently(
      () => sql<{ id: string; value: Buffer }[]>`
        SELECT "id", "value" FROM whatsapp_keys WHERE "whatsappId" = ${whatsappId} AND "type" = ${TIMER}`,
    )
    return new Map(
      rows.map(({ id, value }) => [
        id,
        JSON.parse(sealer.open(value, keyPlace(whatsappId, TIMER, id)).toString()) as Timer,
      ]),
    )
  }

  async function tokensOf(whatsappId: number): Promise<SignalDataTypeMap['tctoken']> {
    const rows = await patiently(
      () =>
        sql<{ id: string }[]>`SELECT "id" FROM whatsapp_keys WHERE "whatsappId" = ${whatsappId} AND "type" = 'tctoken'`,
    )
    return { token: Buffer.from(JSON.stringify(rows.map(({ id }) => id))) }
  }

  // ---- credentials

  async function loadCreds(
    whatsappId: number,
  ): Promise<{ creds: AuthenticationCreds; linked: boolean; version: WAVersion | null }> {
    // Another process may have spoken for this device since we last did.
    forgetCached(whatsappId)
    const [row] = await sql<{ creds: Buffer; linked: boolean; version: WAVersion | null }[]>`
      SELECT "creds", "linked", "version" FROM whatsapp_credentials WHERE "whatsappId" = ${whatsappId}`
    if (!row) return { creds: initAuthCreds(), linked: false, version: null }
    const creds = JSON.parse(
      sealer.open(row.creds, credsPlace(whatsappId)).toString(),
      BufferJSON.reviver,
    ) as AuthenticationCreds
    return { creds, linked: row.linked, version: row.version }
  }

  async function saveCreds(whatsappId: number, creds: AuthenticationCreds): Promise<void> {
    const sealed = sealer.seal(Buffer.from(JSON.stringify(creds, BufferJSON.replacer)), credsPlace(whatsappId))
    const linked = Boolean(creds.account)
    await sql`
      INSERT INTO whatsapp_credentials ("whatsappId", "creds", "linked") VALUES (${whatsappId}, ${sealed}, ${linked})
      ON CONFLICT ("whatsappId") DO UPDATE SET "creds" = excluded."creds", "linked" = excluded."linked", "updatedAt" = now()`
  }

  async function saveVersion(whatsappId: number, version: WAVersion): Promise<void> {
    await sql`UPDATE whatsapp_credentials SET "version" = ${JSON.stringify(version)}::text::jsonb WHERE "whatsappId" = ${whatsappId}`
  }

  /**
   * Forgets the device. The messages stay: their files can still be fetched.
   * @returns those of ours that the service had not confirmed
   */
  async function wipe(whatsappId: number): Promise<string[]> {
    // Writes go in turn: once this one is done, none of the device's is under way.
    await commit({})
    const unconfirmed = await sql.begin(async (tx) => {
      await tx`DELETE FROM whatsapp_credentials WHERE "whatsappId" = ${whatsappId}`
      await tx`DELETE FROM whatsapp_keys WHERE "whatsappId" = ${whatsappId}`
      return tx<{ wid: string }[]>`
        UPDATE whatsapp_protos SET "awaitingAckSince" = NULL
        WHERE "whatsappId" = ${whatsappId} AND "awaitingAckSince" IS NOT NULL RETURNING "wid"`
    })
    forgetCached(whatsappId)
    return unconfirmed.map(({ wid }) => wid)
  }

  // ---- journal and messages

  async function journalOf(whatsappId: number): Promise<{ id: string; event: string }[]> {
    const rows = await sql<{ id: string; event: Buffer }[]>`
      SELECT "id", "event" FROM whatsapp_journal WHERE "whatsappId" = ${whatsappId} ORDER BY "id"`
    return rows.map((row) => ({ id: row.id, event: sealer.open(row.event, journalPlace(row.id)).toString() }))
  }

  async function park(journalId: string, attempts: number, error: unknown): Promise<void> {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    await sql`
      UPDATE whatsapp_journal SET "attempts" = "attempts" + ${attempts}, "error" = ${reason.slice(0, 2000)}, "parkedAt" = now()
      WHERE "id" = ${journalId}`
  }

  async function message(whatsappId: number, wid: string): Promise<proto.WebMessageInfo | null> {
    const [row] = await sql<{ message: Buffer }[]>`
      SELECT "message" FROM whatsapp_protos WHERE "whatsappId" = ${whatsappId} AND "wid" = ${wid}`
    return row ? proto.WebMessageInfo.decode(sealer.open(row.message, protoPlace(whatsappId, wid))) : null
  }

  async function held(whatsappId: number, wids: readonly string[]): Promise<Set<string>> {
    const rows = await sql<{ wid: string }[]>`
      SELECT "wid" FROM whatsapp_protos WHERE "whatsappId" = ${whatsappId} AND "wid" = ANY(${wids as string[]}::text[])`
    return new Set(rows.map(({ wid }) => wid))
  }

  /** Messages of ours that the service never confirmed, oldest first. `late`: for more than a day. */
  async function unconfirmed(
    whatsappId: number,
  ): Promise<{ wid: string; message: proto.WebMessageInfo; late: boolean }[]> {
    const rows = await sql<{ wid: string; message: Buffer; late: boolean }[]>`
      SELECT "wid", "message", "awaitingAckSince" < now() - interval '1 day' AS late FROM whatsapp_protos
      WHERE "whatsappId" = ${whatsappId} AND "awaitingAckSince" IS NOT NULL ORDER BY "createdAt", "wid"`
    return rows.map(({ wid, message, late }) => ({
      wid,
      message: proto.WebMessageInfo.decode(sealer.open(message, protoPlace(whatsappId, wid))),
      late,
    }))
  }

  /** @returns how many messages were older than 30 days. */
  async function prune(): Promise<number> {
    const gone = await sql`DELETE FROM whatsapp_protos WHERE "createdAt" < now() - interval '30 days'`
    return gone.count
  }

  return {
    commit,
    begin,
    keyStore,
    loadCreds,
    saveCreds,
    saveVersion,
    wipe,
    journalOf,
    park,
    message,
    held,
    unconfirmed,
    timers,
    prune,
  }
}

const keyPlace = (whatsappId: number, type: string, id: string) => `key/${whatsappId}/${type}/${id}`
const credsPlace = (whatsappId: number) => `creds/${whatsappId}`
const journalPlace = (id: string) => `journal/${id}`
const protoPlace = (whatsappId: number, wid: string) => `proto/${whatsappId}/${wid}`

function revived<T extends keyof SignalDataTypeMap>(type: T, json: string): SignalDataTypeMap[T] {
  // A ratchet is read for every message and holds no bytes as a rule: looking for them would take fifteen times as long.
  const plain = type === 'session' && !json.includes('"Buffer"')
  const value: unknown = plain ? JSON.parse(json) : JSON.parse(json, BufferJSON.reviver)
  // Baileys calls methods of this one message; the others are plain values.
  return (
    type === 'app-state-sync-key' ? proto.Message.AppStateSyncKeyData.fromObject(value as object) : value
  ) as SignalDataTypeMap[T]
}
