import { sql } from 'drizzle-orm'
import { settings } from '../../schema/settings/settings.table.ts'
import { readDays, type RetentionKind } from '../../schema/privacy/privacy.terms.ts'
import type { Db } from '../db/database.ts'
import { addJobs } from '../jobs/queue.ts'
import type { Logger } from '../log.ts'
import { oldOf } from './privacy.old.ts'

/** So many rows are one transaction: the tables are written to on the message path. */
const AT_ONCE = 500

const kindOf: Readonly<Record<string, RetentionKind>> = {
  retentionMessages: 'messages',
  retentionMedia: 'media',
  retentionTraces: 'traces',
}

/**
 * Lets go of what companies keep no longer: what messages say, their files, why something was answered. Rows of messages
 * stay, without a word, so that figures do. Broken off, it goes on the next night.
 * @returns how many rows
 */
export async function letGoOfOld({
  db,
  now,
  log,
}: {
  db: Db
  now(): Date
  log: Pick<Logger, 'info'>
}): Promise<number> {
  let all = 0
  const rows = await db
    .select({ companyId: settings.companyId, key: settings.key, value: settings.value })
    .from(settings)
    .where(sql`${settings.key} = ANY(${sql.param(Object.keys(kindOf))}::text[])`)
    .orderBy(settings.companyId, settings.key)
  for (const { companyId, key, value } of rows) {
    const days = readDays(value) ?? 0
    if (days === 0) continue
    const gone = await letGo(db, companyId, kindOf[key]!, days, now())
    if (gone > 0) log.info({ company: companyId, kind: kindOf[key], rows: gone }, 'what is kept no longer is gone')
    all += gone
  }
  return all
}

async function letGo(db: Db, companyId: number, kind: RetentionKind, days: number, now: Date): Promise<number> {
  let gone = 0
  for (const old of oldOf(kind, companyId, days, now)) {
    const table = sql.identifier(old.table)
    const at = sql.identifier(old.at)
    // What is done is not read again: of a table of years that would be most of it.
    for (let after = new Date(0); ; ) {
      const some = sql`WITH found AS (
        SELECT t.ctid AS place, t.${at} AS at ${old.table === 'messages' ? sql`, t."id" AS id, t."mediaPath" AS path` : sql``}
        FROM ${table} t WHERE ${old.which} AND t.${at} >= ${after.toISOString()}::timestamptz
        ORDER BY t.${at} LIMIT ${AT_ONCE} FOR UPDATE)`
      const done = await db.transaction(async (tx) => {
        if (old.table !== 'messages')
          return tx.execute<{ at: string }>(
            sql`${some} DELETE FROM ${table} t USING found WHERE t.ctid = found.place RETURNING found.at`,
          )
        const rows = await tx.execute<{ at: string; id: string; path: string | null }>(
          sql`${some} UPDATE ${table} t SET ${kind === 'media' ? withoutFile : withoutWords}, "updatedAt" = ${now.toISOString()}::timestamptz
            FROM found WHERE t.ctid = found.place RETURNING found.at, found.id, found.path`,
        )
        const ids = sql`${sql.param([...rows].map(({ id }) => id))}::text[]`
        if (kind === 'messages')
          for (const beside of ['message_texts', 'voice_transcripts'])
            await tx.execute(sql`DELETE FROM ${sql.identifier(beside)} WHERE "messageId" = ANY(${ids})`)
        const paths = [...rows].flatMap(({ path }) => path ?? [])
        await addJobs(
          tx,
          companyId,
          [...new Set(paths)].map((path) => ({ kind: 'media.release', path })),
        )
        return rows
      })
      gone += done.length
      if (done.length < AT_ONCE) break
      after = [...done].reduce((last, { at: of }) => (new Date(of) > last ? new Date(of) : last), after)
    }
    if (kind === 'messages') await forgetLastLines(db, companyId, days, now)
  }
  return gone
}

const withoutFile = sql`"mediaPath" = NULL, "mediaName" = NULL, "mediaState" = 'none', "waveform" = NULL`
const withoutWords = sql`${withoutFile}, "body" = '', "isCut" = false, "isDeleted" = true, "isEdited" = false,
  "mediaType" = 'chat', "mediaMime" = NULL, "mediaSize" = NULL, "mediaSeconds" = NULL, "isVoice" = false,
  "participantName" = NULL, "participantNumber" = NULL, "ackError" = NULL, "earlierBodies" = '[]', "reactions" = '[]',
  "quotedMsgId" = NULL, "about" = NULL`

/** The line that lists show of a conversation whose last message is gone. */
async function forgetLastLines(db: Db, companyId: number, days: number, now: Date): Promise<void> {
  const before = new Date(now.getTime() - days * 86_400_000).toISOString()
  for (;;) {
    const rows = await db.execute<{ id: number }>(sql`
      WITH found AS (SELECT t.id FROM tickets t WHERE t."companyId" = ${companyId} AND t."lastMessage" <> ''
        AND t."lastMessageAt" < ${before}::timestamptz AND NOT EXISTS (SELECT FROM messages m
          WHERE m."ticketId" = t.id AND m."createdAt" >= t."lastMessageAt" - interval '1 second' AND NOT m."isDeleted")
        LIMIT ${AT_ONCE} FOR UPDATE)
      UPDATE ${sql.identifier('tickets')} t SET "lastMessage" = '', "lastMessageDeleted" = true FROM found
      WHERE t.id = found.id RETURNING t.id`)
    if (rows.length < AT_ONCE) return
  }
}
