import { createHash } from 'node:crypto'
import type postgres from 'postgres'
import { isWhole, type PastChunk, type PastTold, withChunks } from '../../schema/whatsapps/whatsapps.cloud-past.ts'
import { newId } from '../../schema/ids.ts'
import type { PastPiece } from '../../schema/messages/messages.past.ts'
import type { Sealer } from '../seal.ts'
import { openSecret } from './cloud.secrets.ts'
import type { SendState } from './from-cloud.ts'

/** How a connection reaches its number, secrets open. */
export interface CloudAccount {
  whatsappId: number
  companyId: number
  phoneNumberId: string
  accountId: string
  /** Within it people's ids are good: the portfolio, or the account where that is not known. */
  portfolio: string
  token: string
  version: string
  coexistence: boolean
  hook: string
  appMark: string
}

/** What of the service's bytes waits to be worked off. */
export interface WaitingHook {
  id: string
  hook: string
  appMark: string
  body: Buffer
  attempts: number
  createdAt: Date
}

export interface Sent {
  wid: string
  /** Our message's id, which travels with it; with a number behind it when it is sent anew. */
  callback: string
  wamid: string | null
  state: SendState
  tries: number
  askedAt: Date
  /** The name of its template. */
  template: string | null
}

/** A message that the service is about to be asked for. */
type Asked = Pick<Sent, 'wid' | 'callback' | 'template'>

export type CloudStore = ReturnType<typeof createCloudStore>

/** Claims of what waits are made one after the other, so that what one server has begun no other begins before it. */
const CLAIMS = 0x63_6c_6f_75
const LOCK = '60 seconds'
const MOST_SECRETS = 20
const MOST_ATTEMPTS = 8

const hookPlace = (hook: string) => `cloud_hooks:${hook}`

/** All statements of this folder. @param me names this server, also after it starts again */
export function createCloudStore(sql: postgres.Sql, sealer: Sealer, me: string) {
  return { ...numbers(sql, sealer), ...hooks(sql, sealer, me), ...sends(sql), ...received(sql), ...past(sql, sealer) }
}

function numbers(sql: postgres.Sql, sealer: Sealer) {
  type Row = Omit<CloudAccount, 'token'> & { token: string }
  const opened = (row: Row): CloudAccount => ({
    ...row,
    token: openSecret(sealer, row.token, row.whatsappId, 'token'),
  })
  const portfolio = sql`coalesce("portfolioId", "accountId")`
  const columns = sql`"whatsappId", "companyId", "phoneNumberId", "accountId", ${portfolio} AS "portfolio",
    "token", "version", "coexistence", "hook", "appMark"`
  return {
    /** Undefined where nobody has said how it is reached. */
    async account(whatsappId: number): Promise<CloudAccount | undefined> {
      const [row] = await sql<Row[]>`SELECT ${columns} FROM cloud_numbers WHERE "whatsappId" = ${whatsappId}`
      return row && opened(row)
    },
    /** The connections of these numbers, as far as their app has this secret: no other may speak for them. */
    accountsOf(appMark: string, phoneNumberIds: readonly string[]) {
      return sql<{ whatsappId: number; companyId: number; phoneNumberId: string; portfolio: string }[]>`
        SELECT "whatsappId", "companyId", "phoneNumberId", ${portfolio} AS "portfolio" FROM cloud_numbers
        WHERE "phoneNumberId" = ANY(${[...phoneNumberIds]}::text[]) AND "appMark" = ${appMark}`
    },
    /** The connections whose numbers are in this account, as far as their app has this secret. */
    numbersOf(appMark: string, accountId: string) {
      return sql<{ whatsappId: number; companyId: number; number: string }[]>`
        SELECT c."whatsappId", c."companyId", w."number" FROM cloud_numbers c JOIN whatsapps w ON w."id" = c."whatsappId"
        WHERE c."accountId" = ${accountId} AND c."appMark" = ${appMark}`
    },
    /** The secrets by which bytes for an address may be signed: one, and two while the app's secret is being changed. */
    async signersOf(hook: string): Promise<{ appMark: string; appSecret: string }[]> {
      const rows = await sql<{ whatsappId: number; appMark: string; appSecret: string }[]>`
        SELECT DISTINCT ON ("appMark") "whatsappId", "appMark", "appSecret" FROM cloud_numbers
        WHERE "hook" = ${hook} LIMIT ${MOST_SECRETS}`
      return rows.map(({ whatsappId, appMark, appSecret }) => ({
        appMark,
        appSecret: openSecret(sealer, appSecret, whatsappId, 'appSecret'),
      }))
    },
    /** The words by which an address may be claimed at the service: each number may have its own. */
    async verifyTokensOf(hook: string): Promise<string[]> {
      const rows = await sql<{ whatsappId: number; verifyToken: string }[]>`
        SELECT "whatsappId", "verifyToken" FROM cloud_numbers
        WHERE "hook" = ${hook} ORDER BY "updatedAt" DESC LIMIT ${MOST_SECRETS}`
      return rows.map(({ whatsappId, verifyToken }) => openSecret(sealer, verifyToken, whatsappId, 'verifyToken'))
    },
    /** What its connection shows, and since when at the latest; undefined where that is nothing. */
    async troubleOf(whatsappId: number): Promise<{ word: string; since: Date } | undefined> {
      const [row] = await sql<{ word: string; since: Date }[]>`SELECT "lastError" AS word, "updatedAt" AS since
        FROM whatsapps WHERE "id" = ${whatsappId} AND "lastError" IS NOT NULL`
      return row && { ...row, since: new Date(row.since) }
    },
    /** @returns whether it was another */
    async noteQuality(whatsappId: number, quality: string): Promise<boolean> {
      const { count } = await sql`UPDATE cloud_numbers SET "quality" = ${quality}
        WHERE "whatsappId" = ${whatsappId} AND "quality" IS DISTINCT FROM ${quality}`
      return count > 0
    },
  }
}

function hooks(sql: postgres.Sql, sealer: Sealer, me: string) {
  return {
    /** Keeps what the service told, in one statement. @returns false for the same bytes as before */
    async keep(hook: string, appMark: string, raw: Uint8Array): Promise<boolean> {
      const hash = createHash('sha256').update(hook).update('/').update(raw).digest()
      const { count } = await sql`
        INSERT INTO cloud_hooks ("id", "hook", "appMark", "hash", "body")
        VALUES (${newId()}, ${hook}, ${appMark}, ${hash}, ${sealer.seal(raw, hookPlace(hook))})
        ON CONFLICT ("hash") DO NOTHING`
      return count > 0
    },
    /**
     * The oldest that wait, oldest first; those of an app that another server is working on are left to it. What failed
     * waits for its time, and holds up nothing.
     */
    async claim(most: number): Promise<WaitingHook[]> {
      const rows = await sql.begin(async (tx) => {
        await tx`SELECT pg_advisory_xact_lock(${CLAIMS})`
        return tx<{ id: string; hook: string; appMark: string; body: Buffer; attempts: number; createdAt: Date }[]>`
          UPDATE cloud_hooks SET "lockedBy" = ${me}, "lockedUntil" = now() + ${LOCK}::interval, "attempts" = "attempts" + 1
          WHERE "id" IN (
            SELECT w."id" FROM cloud_hooks w
            WHERE w."body" IS NOT NULL AND w."parkedAt" IS NULL AND w."runAt" <= now()
              AND NOT EXISTS (SELECT FROM cloud_hooks o WHERE o."hook" = w."hook" AND o."body" IS NOT NULL
                AND o."lockedUntil" > now() AND o."lockedBy" <> ${me})
            ORDER BY w."id" LIMIT ${most})
          RETURNING "id", "hook", "appMark", "body", "attempts", "createdAt"`
      })
      return [...rows]
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map((row) => ({
          ...row,
          createdAt: new Date(row.createdAt),
          body: sealer.open(row.body, hookPlace(row.hook)),
        }))
    },
    /** Whether anything of what was told there waits to be worked off; what people are to look at does not. */
    async hasWaiting(hook: string): Promise<boolean> {
      const [row] = await sql<{ waits: boolean }[]>`SELECT EXISTS (SELECT FROM cloud_hooks
        WHERE "hook" = ${hook} AND "body" IS NOT NULL AND "parkedAt" IS NULL) AS waits`
      return row!.waits
    },
    /** Their bytes go; that they came is remembered. */
    async done(ids: readonly string[]): Promise<void> {
      await sql`UPDATE cloud_hooks SET "body" = NULL, "lockedUntil" = NULL WHERE "id" = ANY(${[...ids]}::uuid[])`
    },
    /** It is tried again later, and after the last time kept for people to look at. */
    async failed({ id, attempts }: WaitingHook, error: string): Promise<boolean> {
      const isParked = attempts >= MOST_ATTEMPTS
      await sql`UPDATE cloud_hooks SET "lockedUntil" = NULL, "error" = ${error.slice(0, 500)},
        "runAt" = now() + ${`${Math.min(2 ** attempts, 300)} seconds`}::interval,
        "parkedAt" = CASE WHEN ${isParked}::bool THEN now() END WHERE "id" = ${id}`
      return isParked
    },
    /** What was not worked on after all. */
    async letGo(ids: readonly string[]): Promise<void> {
      if (ids.length > 0)
        await sql`UPDATE cloud_hooks SET "lockedUntil" = NULL, "attempts" = "attempts" - 1 WHERE "id" = ANY(${[...ids]}::uuid[])`
    },
    async countIgnored(hook: string, reasons: ReadonlyMap<string, number>): Promise<void> {
      for (const [reason, count] of reasons)
        await sql`INSERT INTO cloud_ignored AS i ("hook", "reason", "count", "lastAt") VALUES (${hook}, ${reason}, ${count}, now())
          ON CONFLICT ("hook", "reason") DO UPDATE SET "count" = i."count" + excluded."count", "lastAt" = excluded."lastAt"`
    },
    /** The service tells things again for seven days, delivers for thirty, and keeps files for seven. */
    async prune(): Promise<void> {
      await sql`DELETE FROM cloud_hooks WHERE "createdAt" < now() - interval '8 days' AND "body" IS NULL`
      await sql`DELETE FROM cloud_sends WHERE "createdAt" < now() - interval '31 days'`
      await sql`DELETE FROM cloud_media WHERE "createdAt" < now() - interval '8 days'`
      await sql`DELETE FROM cloud_changes WHERE "at" < now() - interval '31 days'`
    },
  }
}

/** Drizzle has the driver leave moments as texts. */
const sentOf = (row: Sent): Sent => ({ ...row, askedAt: new Date(row.askedAt) })

function sends(sql: postgres.Sql) {
  const columns = sql`"wid", "callback", "wamid", "state", "tries", "askedAt", "template"`
  return {
    async sent(whatsappId: number, wid: string): Promise<Sent | undefined> {
      const [row] = await sql<
        Sent[]
      >`SELECT ${columns} FROM cloud_sends WHERE "whatsappId" = ${whatsappId} AND "wid" = ${wid}`
      return row && sentOf(row)
    },
    /** Before the service is asked. */
    async ask(whatsappId: number, { wid, callback, template }: Asked, now: Date): Promise<void> {
      await sql`INSERT INTO cloud_sends AS s ("whatsappId", "wid", "callback", "askedAt", "template")
        VALUES (${whatsappId}, ${wid}, ${callback}, ${now.toISOString()}, ${template})
        ON CONFLICT ("whatsappId", "wid") DO UPDATE SET "tries" = s."tries" + 1, "askedAt" = excluded."askedAt"`
    },
    /** The service has it, or says so later by its state. */
    async answered(whatsappId: number, wid: string, wamid: string): Promise<void> {
      await sql`UPDATE cloud_sends SET "wamid" = ${wamid} WHERE "whatsappId" = ${whatsappId} AND "wid" = ${wid} AND "wamid" IS NULL`
    },
    /** It had failed, and is asked for again. */
    async begunAnew(whatsappId: number, wid: string, callback: string): Promise<void> {
      await sql`UPDATE cloud_sends SET "callback" = ${callback}, "wamid" = NULL, "state" = 0, "tries" = 0
        WHERE "whatsappId" = ${whatsappId} AND "wid" = ${wid}`
    },
    /** It has not been taken: as if nobody had asked. */
    async unasked(whatsappId: number, wid: string): Promise<void> {
      await sql`UPDATE cloud_sends SET "tries" = "tries" - 1 WHERE "whatsappId" = ${whatsappId} AND "wid" = ${wid} AND "wamid" IS NULL`
      await sql`DELETE FROM cloud_sends WHERE "whatsappId" = ${whatsappId} AND "wid" = ${wid} AND "wamid" IS NULL AND "tries" <= 0`
    },
    async forgetSend(whatsappId: number, wid: string): Promise<void> {
      await sql`DELETE FROM cloud_sends WHERE "whatsappId" = ${whatsappId} AND "wid" = ${wid} AND "wamid" IS NULL`
    },
    /** Messages of ours by the service's ids. */
    async widsOf(whatsappId: number, wamids: readonly string[]): Promise<Map<string, string>> {
      if (wamids.length === 0) return new Map()
      const rows = await sql<{ wamid: string; wid: string }[]>`SELECT "wamid", "wid" FROM cloud_sends
        WHERE "whatsappId" = ${whatsappId} AND "wamid" = ANY(${[...wamids]}::text[])`
      return new Map(rows.map(({ wamid, wid }) => [wamid, wid]))
    },
    async wamidOf(whatsappId: number, wid: string): Promise<string | undefined> {
      const [row] = await sql<{ wamid: string | null }[]>`
        SELECT "wamid" FROM cloud_sends WHERE "whatsappId" = ${whatsappId} AND "wid" = ${wid}`
      return row?.wamid ?? undefined
    },
    /** Messages that states are told of: by the service's ids, or by our words where that id is not known yet. */
    async sendsOf(whatsappId: number, wamids: readonly string[], callbacks: readonly string[]): Promise<Sent[]> {
      const rows = await sql<Sent[]>`SELECT ${columns} FROM cloud_sends WHERE "whatsappId" = ${whatsappId}
        AND ("wamid" = ANY(${[...wamids]}::text[]) OR ("wamid" IS NULL AND "callback" = ANY(${[...callbacks]}::text[])))`
      return rows.map(sentOf)
    },
    /** They have come so far; what is lower changes nothing. */
    async reached(
      whatsappId: number,
      come: readonly { wid: string; wamid: string; state: SendState }[],
    ): Promise<void> {
      await sql`UPDATE cloud_sends s SET "state" = GREATEST(s."state", x.state), "wamid" = coalesce(s."wamid", x.wamid)
        FROM unnest(${come.map(({ wid }) => wid)}::text[], ${come.map(({ wamid }) => wamid)}::text[],
          ${come.map(({ state }) => state)}::int2[]) AS x(wid, wamid, state)
        WHERE s."whatsappId" = ${whatsappId} AND s."wid" = x.wid`
    },
  }
}

function received(sql: postgres.Sql) {
  return {
    async keepMedia(whatsappId: number, files: readonly { wid: string; mediaId: string }[]): Promise<void> {
      for (const { wid, mediaId } of files)
        await sql`INSERT INTO cloud_media ("whatsappId", "wid", "mediaId") VALUES (${whatsappId}, ${wid}, ${mediaId})
          ON CONFLICT ("whatsappId", "wid") DO NOTHING`
    },
    async mediaOf(whatsappId: number, wid: string): Promise<string | undefined> {
      const [row] = await sql<{ mediaId: string }[]>`
        SELECT "mediaId" FROM cloud_media WHERE "whatsappId" = ${whatsappId} AND "wid" = ${wid}`
      return row?.mediaId
    },
    /** Whether a change is newer than what is known of its thing. */
    async isLatest(whatsappId: number, { key, wid, at }: { key: string; wid: string; at: Date }): Promise<boolean> {
      const [row] = await sql<{ wid: string; at: Date }[]>`
        SELECT "wid", "at" FROM cloud_changes WHERE "whatsappId" = ${whatsappId} AND "key" = ${key}`
      return !row || (at >= new Date(row.at) && wid !== row.wid)
    },
    async noteChange(whatsappId: number, { key, wid, at }: { key: string; wid: string; at: Date }): Promise<void> {
      await sql`INSERT INTO cloud_changes ("whatsappId", "key", "wid", "at") VALUES (${whatsappId}, ${key}, ${wid}, ${at.toISOString()})
        ON CONFLICT ("whatsappId", "key") DO UPDATE SET "wid" = excluded."wid", "at" = excluded."at"`
    },
    async noteChat(whatsappId: number, number: string, wid: string, at: Date): Promise<void> {
      await sql`INSERT INTO cloud_chats AS c ("whatsappId", "number", "wid", "at") VALUES (${whatsappId}, ${number}, ${wid}, ${at.toISOString()})
        ON CONFLICT ("whatsappId", "number") DO UPDATE SET "wid" = excluded."wid", "at" = excluded."at" WHERE c."at" <= excluded."at"`
    },
    /** The last message of a contact. */
    async lastOf(whatsappId: number, numbers: readonly string[]): Promise<string | undefined> {
      const [row] = await sql<{ wid: string }[]>`SELECT "wid" FROM cloud_chats
        WHERE "whatsappId" = ${whatsappId} AND "number" = ANY(${[...numbers]}::text[]) ORDER BY "at" DESC LIMIT 1`
      return row?.wid
    },
  }
}

function past(sql: postgres.Sql, sealer: Sealer) {
  const place = (whatsappId: number) => `cloud_history:${whatsappId}`
  return {
    /** @returns their ids, in their order */
    async keepHistory(whatsappId: number, pieces: readonly PastPiece[]): Promise<string[]> {
      const ids: string[] = []
      for (const piece of pieces) {
        const id = newId()
        const body = sealer.seal(Buffer.from(JSON.stringify(piece)), place(whatsappId))
        await sql`INSERT INTO cloud_history ("id", "whatsappId", "body") VALUES (${id}, ${whatsappId}, ${body})`
        ids.push(id)
      }
      return ids
    },
    async pieceOf(id: string): Promise<PastPiece | undefined> {
      const [row] = await sql<{ whatsappId: number; body: Buffer }[]>`
        SELECT "whatsappId", "body" FROM cloud_history WHERE "id" = ${id}`
      return row && (JSON.parse(sealer.open(row.body, place(row.whatsappId)).toString()) as PastPiece)
    },
    /** It is filed, with so many messages; the last one of what was told ends the history. */
    async filedPiece(id: string, count: number): Promise<void> {
      await sql`WITH gone AS (DELETE FROM cloud_history WHERE "id" = ${id} RETURNING "whatsappId")
        UPDATE cloud_numbers n SET "historyCount" = n."historyCount" + ${count} FROM gone WHERE n."whatsappId" = gone."whatsappId"`
    },
    /** What the service has told of it: in any order, more than once. */
    async noteHistory(
      whatsappId: number,
      { chunks, isDeclined }: { chunks: readonly PastChunk[]; isDeclined: boolean },
    ): Promise<void> {
      if (isDeclined) await sql`UPDATE cloud_numbers SET "historyState" = 'declined' WHERE "whatsappId" = ${whatsappId}`
      else if (chunks.length > 0)
        await sql.begin(async (tx) => {
          const [row] = await tx<{ told: PastTold }[]>`
            SELECT "historyChunks" AS told FROM cloud_numbers WHERE "whatsappId" = ${whatsappId} FOR UPDATE`
          if (!row) return
          const told = withChunks(row.told, chunks)
          const progress = Math.max(...chunks.map((chunk) => chunk.progress))
          await tx`UPDATE cloud_numbers SET "historyChunks" = ${JSON.stringify(told)}::text::jsonb,
            "historyProgress" = GREATEST("historyProgress", ${progress}::int), "historyState" = ${isWhole(told) ? 'told' : 'coming'}
            WHERE "whatsappId" = ${whatsappId}`
        })
    },
  }
}
