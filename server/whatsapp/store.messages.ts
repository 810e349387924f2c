/** The journal of what came, and the messages as the wire had them. */
import type postgres from 'postgres'
import type { Sealer } from '../seal.ts'
import { proto } from './baileys.ts'
import { journalPlace, protoPlace } from './store.rows.ts'

export function createMessages(sql: postgres.Sql, sealer: Sealer) {
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

  return { journalOf, park, message, held, unconfirmed, prune }
}
