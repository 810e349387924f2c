/** Who a device is to WhatsApp: kept when it is linked, wiped when it is forgotten. */
import type postgres from 'postgres'
import type { Sealer } from '../seal.ts'
import type { AuthenticationCreds, WAVersion } from './baileys.ts'
import { BufferJSON, initAuthCreds } from './baileys.ts'
import type { KeyCache } from './store.cache.ts'
import { credsPlace, StoreError } from './store.rows.ts'
import type { StoreWrites } from './store.writes.ts'

export interface CredentialsDeps {
  sql: postgres.Sql
  sealer: Sealer
  cache: KeyCache
  writes: StoreWrites
  /** As `createStore` knows it. */
  owner: string | undefined
}

export function createCredentials({ sql, sealer, cache, writes, owner }: CredentialsDeps) {
  async function loadCreds(
    whatsappId: number,
  ): Promise<{ creds: AuthenticationCreds; linked: boolean; version: WAVersion | null }> {
    // Another process may have spoken for this device since we last did.
    cache.forgetDevice(whatsappId)
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
    const { count } = await sql`
      INSERT INTO whatsapp_credentials ("whatsappId", "creds", "linked") SELECT ${whatsappId}, ${sealed}, ${linked}
      ${owner === undefined ? sql`` : sql`FROM whatsapp_leases l WHERE l."whatsappId" = ${whatsappId} AND l."owner" = ${owner} FOR SHARE`}
      ON CONFLICT ("whatsappId") DO UPDATE SET "creds" = excluded."creds", "linked" = excluded."linked", "updatedAt" = now()`
    if (count === 0) throw new StoreError('another server speaks for the device')
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
    await writes.commit({})
    const unconfirmed = await sql.begin(async (tx) => {
      await tx`DELETE FROM whatsapp_credentials WHERE "whatsappId" = ${whatsappId}`
      await tx`DELETE FROM whatsapp_keys WHERE "whatsappId" = ${whatsappId}`
      return tx<{ wid: string }[]>`
        UPDATE whatsapp_protos SET "awaitingAckSince" = NULL
        WHERE "whatsappId" = ${whatsappId} AND "awaitingAckSince" IS NOT NULL RETURNING "wid"`
    })
    cache.forgetDevice(whatsappId)
    return unconfirmed.map(({ wid }) => wid)
  }

  return { loadCreds, saveCreds, saveVersion, wipe }
}
