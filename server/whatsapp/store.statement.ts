/** One statement for all that several changes of the devices' memory come to. */
import type postgres from 'postgres'
import type { Sealer } from '../seal.ts'
import { type Change, type JournalRow, journalPlace, type KeyRow, keyPlace, protoPlace } from './store.rows.ts'

/** What several changes of one write make of a message together. */
interface ProtoFate {
  whatsappId: number
  wid: string
  /** Null: the row keeps what it has. */
  message: Uint8Array | null
  awaiting: 'begins' | 'stays' | 'ends'
}

interface Together {
  /** By their places. */
  keys: Map<string, KeyRow>
  protos: Map<string, ProtoFate>
  journal: JournalRow[]
  settled: string[]
}

type Part = postgres.PendingQuery<postgres.Row[]>
type Seal = (plain: string | Uint8Array, place: string) => string

/**
 * Writes the changes, all or none.
 * @param owner under whose lease the keys of devices are written; with another's, or none, nothing is
 * @returns the keys as they were written, by their places
 */
export async function writeChanges(
  sql: postgres.Sql,
  sealer: Sealer,
  changes: readonly Change[],
  owner?: string,
): Promise<Map<string, KeyRow>> {
  const all = together(changes)
  const sealed: Seal = (plain, place) =>
    sealer.seal(typeof plain === 'string' ? Buffer.from(plain) : plain, place).toString('base64')
  const parts = [...keyParts(sql, all, sealed), ...journalParts(sql, all, sealed), ...protoParts(sql, all, sealed)]
  const devices = owner === undefined ? [] : [...new Set([...all.keys.values()].map((row) => row.whatsappId))]
  if (devices.length > 0) parts.push(fence(sql, owner!, devices))
  const [first, ...rest] = parts
  if (!first) return all.keys
  const statement = rest.reduce((before, part) => sql`${before}, ${part}`, first)
  // Whoever lost a lease divides by zero, and all of the statement is undone.
  await sql`WITH ${statement} SELECT ${devices.length > 0 ? sql`1 / (SELECT ("count" = ${devices.length})::int FROM fence)` : sql`1`}`
  return all.keys
}

/** What several changes come to together: of each key and each message the last word. */
function together(changes: readonly Change[]): Together {
  const keys = new Map<string, KeyRow>()
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
  return { keys, protos, journal, settled }
}

/**
 * How many of the devices this process may write. Their rows stay as they are until it has: whoever takes a lease over
 * finds the keys as they were written last.
 */
const fence = (sql: postgres.Sql, owner: string, devices: readonly number[]): Part => sql`fence AS (
  SELECT count(*)::int AS "count" FROM (
    SELECT FROM whatsapp_leases WHERE "whatsappId" = ANY(${[...devices]}::int[]) AND "owner" = ${owner}
    ORDER BY "whatsappId" FOR SHARE) leased)`

function keyParts(sql: postgres.Sql, { keys }: Together, sealed: Seal): Part[] {
  const put = [...keys.values()].filter((row) => row.value !== null)
  const gone = [...keys.values()].filter((row) => row.value === null)
  const parts: Part[] = []
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
  return parts
}

function journalParts(sql: postgres.Sql, { journal, settled }: Together, sealed: Seal): Part[] {
  const parts: Part[] = []
  if (journal.length) {
    parts.push(sql`noted AS (
      INSERT INTO whatsapp_journal ("id", "whatsappId", "wid", "event")
      SELECT i, w, m, decode(e, 'base64')
      FROM unnest(${journal.map((r) => r.id)}::uuid[], ${journal.map((r) => r.whatsappId)}::int[], ${journal.map((r) => r.wid)}::text[],
        ${journal.map((r) => sealed(r.event, journalPlace(r.id)))}::text[]) AS x(i, w, m, e)
      ON CONFLICT ("id") DO NOTHING)`)
  }
  if (settled.length) {
    parts.push(sql`settled AS (DELETE FROM whatsapp_journal WHERE "id" = ANY(${settled}::uuid[]))`)
  }
  return parts
}

/** Each message is in one of the three: a statement may not touch a row twice. */
function protoParts(sql: postgres.Sql, { protos }: Together, sealed: Seal): Part[] {
  const messages = [...protos.values()].filter((row) => row.message !== null && row.awaiting !== 'ends')
  const answered = [...protos.values()].filter((row) => row.message !== null && row.awaiting === 'ends')
  const confirmed = [...protos.values()].filter((row) => row.message === null)
  const parts: Part[] = []
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
  if (confirmed.length) {
    parts.push(sql`confirmed AS (
      UPDATE whatsapp_protos p SET "awaitingAckSince" = NULL
      FROM unnest(${confirmed.map((r) => r.whatsappId)}::int[], ${confirmed.map((r) => r.wid)}::text[]) AS x(w, m)
      WHERE p."whatsappId" = x.w AND p."wid" = x.m)`)
  }
  return parts
}
