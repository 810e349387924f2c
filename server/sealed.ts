import { randomBytes } from 'node:crypto'
import type postgres from 'postgres'
import { createSealer, type Sealer, sealText } from './seal.ts'

/** Thrown with a sentence for the operator: with this key nothing could be read that was sealed before. */
export class WrongKey extends Error {
  override readonly name = 'WrongKey'
}

interface Sample {
  what: string
  sealed: Buffer
  place: string
}

/** The newest of each kind of what a database keeps sealed, as far as there is one. */
async function samples(sql: postgres.Sql): Promise<Sample[]> {
  const [creds, keys, accounts, factors, push, anchors, cloud] = await Promise.all([
    sql<{ id: number; sealed: Buffer }[]>`
      SELECT "whatsappId" AS id, "creds" AS sealed FROM whatsapp_credentials ORDER BY "updatedAt" DESC LIMIT 1`,
    sql<{ whatsapp: number; type: string; id: string; sealed: Buffer }[]>`
      SELECT "whatsappId" AS whatsapp, "type", "id", "value" AS sealed FROM whatsapp_keys LIMIT 1`,
    sql<{ sealed: string }[]>`SELECT "secrets" AS sealed FROM payment_accounts WHERE "secrets" <> '' LIMIT 1`,
    sql<{ id: number; sealed: string }[]>`
      SELECT "userId" AS id, "secret" AS sealed FROM two_factors WHERE "secret" <> '' ORDER BY "userId" DESC LIMIT 1`,
    sql<{ id: number; sealed: string }[]>`SELECT "id", "privateKey" AS sealed FROM push_keys LIMIT 1`,
    sql<{ id: number; sealed: string }[]>`
      SELECT "companyId" AS id, "seal" AS sealed FROM audit_anchors WHERE "companyId" = 0`,
    sql<{ id: number; sealed: string }[]>`
      SELECT "whatsappId" AS id, "token" AS sealed FROM cloud_numbers WHERE "token" <> '' ORDER BY "updatedAt" DESC LIMIT 1`,
  ])
  const text = (sealed: string) => Buffer.from(sealed, 'base64')
  return [
    ...creds.map(({ id, sealed }) => ({ what: 'the WhatsApp sessions', sealed, place: `creds/${id}` })),
    ...keys.map(({ whatsapp, type, id, sealed }) => ({
      ...{ what: 'the WhatsApp sessions', sealed, place: `key/${whatsapp}/${type}/${id}` },
    })),
    ...accounts.map(({ sealed }) => ({
      ...{ what: 'how the operator is paid', sealed: text(sealed), place: 'payment_accounts' },
    })),
    ...factors.map(({ id, sealed }) => ({
      ...{ what: 'the second factors', sealed: text(sealed), place: `two-factor:${id}` },
    })),
    ...push.map(({ id, sealed }) => ({
      ...{ what: 'the key of notifications', sealed: text(sealed), place: `push_keys:${id}` },
    })),
    ...anchors.map(({ id, sealed }) => ({
      ...{ what: 'what the audit logs hold', sealed: text(sealed), place: `audit_anchor/${id}` },
    })),
    ...cloud.map(({ id, sealed }) => ({
      ...{ what: 'the numbers of the official API', sealed: text(sealed), place: `cloud_numbers:${id}:token` },
    })),
  ]
}

/**
 * Which kinds of sealed rows a key opens, and which not: a server that once ran with another key has some of both.
 * @param key undefined, or not 32 bytes: it opens nothing
 */
export async function openedBy(
  sql: postgres.Sql,
  key: Uint8Array | undefined,
): Promise<{ opened: string[]; refused: string[] }> {
  const sealer = key?.length === 32 ? createSealer(Buffer.from(key)) : undefined
  const opened = new Set<string>()
  const refused = new Set<string>()
  for (const { what, sealed, place } of await samples(sql)) {
    try {
      if (!sealer) throw new Error('no key')
      sealer.open(sealed, place)
      opened.add(what)
    } catch {
      refused.add(what)
    }
  }
  return { opened: [...opened], refused: [...refused] }
}

/**
 * A server that begins with a key that opens nothing would have every phone linked again, and seal more with it.
 * @param lost the right one will not come back: what it sealed is forgotten, so that it can be made anew
 * @throws WrongKey
 */
export async function demandKey(sql: postgres.Sql, key: Uint8Array, { lost }: { lost: boolean }): Promise<void> {
  const { opened, refused } = await openedBy(sql, key)
  if (opened.length > 0 || refused.length === 0) return
  if (lost) return forgetSealed(sql, createSealer(Buffer.from(key)))
  throw new WrongKey(
    `The encryption key is not the one of this database: it does not open ${refused.join(', ')}. Nothing was changed.
Put back encryption.key of the data folder from a backup, or set ENCRYPTION_KEY to it, and start again.
If it is lost for good, start once with ENCRYPTION_KEY_LOST=yes: phones are linked again, and keys of services typed again.`,
  )
}

/** Nobody reads it any more: links, what came over them and was not taken in, browsers that were told, and keys of services. */
async function forgetSealed(sql: postgres.Sql, sealer: Sealer): Promise<void> {
  await sql.begin(async (tx) => {
    for (const table of [
      ...['whatsapp_credentials', 'whatsapp_keys', 'whatsapp_journal', 'whatsapp_protos'],
      ...['push_keys', 'push_subscriptions', 'cloud_hooks'],
    ])
      await tx`DELETE FROM ${tx(table)}`
    // What they were, nobody can show any more: they hold from here on.
    for (const { companyId, seq, hash } of await tx<{ companyId: number; seq: number; hash: string }[]>`
      SELECT a."companyId", coalesce(h."seq", CASE WHEN a."companyId" = 0 THEN a."seq" ELSE 0 END)::int AS seq,
        coalesce(h."hash", '') AS hash
      FROM audit_anchors a LEFT JOIN audit_heads h ON h."companyId" = a."companyId" ORDER BY 1`)
      await tx`UPDATE audit_anchors SET "seq" = ${seq},
        "seal" = ${sealText(sealer, `${seq}:${hash}`, `audit_anchor/${companyId}`)} WHERE "companyId" = ${companyId}`
    await tx`UPDATE payment_accounts SET "secrets" = ''`
    await tx`UPDATE cloud_numbers SET "token" = '', "appSecret" = '', "verifyToken" = ''`
    // Nobody gets in without the second factor for that: a secret that no app has stays, and the recovery codes do.
    for (const { userId } of await tx<{ userId: number }[]>`SELECT "userId" FROM two_factors`)
      await tx`UPDATE two_factors SET "secret" = ${sealText(sealer, randomBytes(20).toString('hex'), `two-factor:${userId}`)}
        WHERE "userId" = ${userId}`
  })
}
