import { sql } from 'drizzle-orm'
import { promptUsage } from '../../schema/prompts/prompts.table.ts'
import type { BotUsage } from '../bots/bots.answer.ts'
import type { Db, Tx } from '../db/database.ts'
import { monthOf } from './prompts.queries.ts'

/** Counts an answer. */
export async function countPromptUse(db: Db | Tx, companyId: number, usage: BotUsage, now: Date): Promise<void> {
  const tokens = usage.inputTokens + usage.outputTokens
  await db
    .insert(promptUsage)
    .values({ companyId, month: monthOf(companyId, now) as unknown as string, tokens, answers: 1 })
    .onConflictDoUpdate({
      target: [promptUsage.companyId, promptUsage.month],
      set: { tokens: sql`${promptUsage.tokens} + ${tokens}`, answers: sql`${promptUsage.answers} + 1` },
    })
}
