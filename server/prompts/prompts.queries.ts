import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { companies } from '../../schema/companies/companies.table.ts'
import { prompts, promptUsage } from '../../schema/prompts/prompts.table.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import { MASK } from '../../schema/secrets.ts'
import type { PromptSettings } from '../bots/bots.openai.ts'
import type { Db, Tx } from '../db/database.ts'
import { openText, type Sealer, sealText } from '../seal.ts'
import { readSetting } from '../settings/settings.queries.ts'
import { anywhere } from '../tickets/tickets.queries.ts'

export const PROMPTS_PER_PAGE = 20
/** What a picker is given, which asks for no page. */
const MOST_PROMPTS = 500

const withQueue = {
  prompt: prompts,
  queue: { id: queues.id, name: queues.name, color: queues.color },
}

/** A prompt with its queue; of its keys only whether they are set. */
export type PromptRow = Awaited<ReturnType<typeof listPrompts>>['prompts'][number]

const masked = ({ prompt, queue }: { prompt: typeof prompts.$inferSelect; queue: { id: number } | null }) => ({
  ...prompt,
  apiKey: prompt.apiKey && MASK,
  voiceKey: prompt.voiceKey && MASK,
  queue: queue as { id: number; name: string; color: string } | null,
})

function select(db: Db, where: SQL | undefined) {
  return db
    .select(withQueue)
    .from(prompts)
    .leftJoin(queues, eq(queues.id, prompts.queueId))
    .where(where)
    .orderBy(asc(sql`lower(${prompts.name})`), asc(prompts.id))
}

/** @param pageNumber undefined: all of them */
export async function listPrompts(
  db: Db,
  companyId: number,
  { search, pageNumber }: { search?: string | undefined; pageNumber?: number | undefined } = {},
) {
  const where = and(
    eq(prompts.companyId, companyId),
    search ? sql`plain(${prompts.name}) LIKE plain(${anywhere(search)})` : undefined,
  )
  const limit = pageNumber === undefined ? MOST_PROMPTS : PROMPTS_PER_PAGE
  const [rows, count] = await Promise.all([
    select(db, where)
      .limit(limit + 1)
      .offset(((pageNumber ?? 1) - 1) * limit),
    db.$count(prompts, where),
  ])
  return { prompts: rows.slice(0, limit).map(masked), count, hasMore: rows.length > limit }
}

export async function findPrompt(db: Db, companyId: number, id: number): Promise<PromptRow | undefined> {
  const [row] = await select(db, and(eq(prompts.companyId, companyId), eq(prompts.id, id)))
  return row && masked(row)
}

const placeOf = (id: number, key: 'apiKey' | 'voiceKey') => `prompts:${id}:${key}`

/** The keys that were written anew, as the row keeps them; a mask leaves the one before. */
export function sealedKeys(
  sealer: Sealer,
  id: number,
  given: { apiKey?: string | undefined; voiceKey?: string | undefined },
): { apiKey?: string; voiceKey?: string } {
  const keys = (['apiKey', 'voiceKey'] as const).flatMap((key) => {
    const text = given[key]
    return text === undefined || text === MASK ? [] : [[key, sealText(sealer, text, placeOf(id, key))] as const]
  })
  return Object.fromEntries(keys)
}

/** What a prompt is asked with, its keys in clear: for `askPrompt` and `transcribe`, and for nothing else. */
export async function openPrompt(
  db: Db | Tx,
  sealer: Sealer,
  companyId: number,
  id: number,
): Promise<PromptSettings | undefined> {
  const [row] = await db
    .select()
    .from(prompts)
    .where(and(eq(prompts.companyId, companyId), eq(prompts.id, id)))
  if (!row) return undefined
  const { prompt, baseUrl, model, transcriptionModel, voice, voiceRegion } = row
  const { maxTokens, temperature, maxMessages, queueId } = row
  return {
    ...{ prompt, baseUrl, model, transcriptionModel, voice, voiceRegion },
    ...{ maxTokens, temperature, maxMessages, queueId },
    apiKey: openText(sealer, row.apiKey, placeOf(id, 'apiKey')),
    voiceKey: openText(sealer, row.voiceKey, placeOf(id, 'voiceKey')),
  }
}

// ── what they used ───────────────────────────────────────────────────────────────────────────

/** The first day of the company's month. */
export const monthOf = (companyId: number, now: Date) =>
  sql`(SELECT date_trunc('month', ${now.toISOString()}::timestamptz AT TIME ZONE c."timeZone")::date
    FROM companies c WHERE c.id = ${companyId})`

export interface PromptUse {
  /** The month's first day, `YYYY-MM-DD`. */
  month: string
  tokens: number
  answers: number
  /** Tokens that may be used in a month; 0: as many as are needed. */
  limit: number
}

/** Tokens and answers of the company’s month, by its own clock, and its limit. */
export async function promptUse(db: Db, companyId: number, now: Date): Promise<PromptUse> {
  const [[row], limit] = await Promise.all([
    db
      .select({
        month: sql<string>`${monthOf(companyId, now)}::text`,
        tokens: promptUsage.tokens,
        answers: promptUsage.answers,
      })
      .from(companies)
      .leftJoin(
        promptUsage,
        and(eq(promptUsage.companyId, companies.id), eq(promptUsage.month, monthOf(companyId, now))),
      )
      .where(eq(companies.id, companyId)),
    readSetting(db, companyId, 'promptMonthlyTokens'),
  ])
  return { month: row?.month ?? '', tokens: row?.tokens ?? 0, answers: row?.answers ?? 0, limit: Number(limit) }
}

/** Whether the company's assistants may still answer this month. Ask before each answer; it may end just above the limit. */
export const mayAnswer = ({ tokens, limit }: Pick<PromptUse, 'tokens' | 'limit'>): boolean =>
  limit === 0 || tokens < limit
