import { and, eq, gt, ne, sql } from 'drizzle-orm'
import { automationStates } from '../../schema/automation/automation.table.ts'
import { companies } from '../../schema/companies/companies.table.ts'
import { tickets } from '../../schema/tickets/tickets.table.ts'
import type { Db } from '../db/database.ts'
import { openIntegration, type OpenIntegration } from '../integrations/integrations.queries.ts'
import { mayAnswer, openPrompt, promptUse } from '../prompts/prompts.queries.ts'
import type { Sealer } from '../seal.ts'
import type { BotAnswer, BotConversation, BotFailure } from './bots.answer.ts'
import { askBilling } from './bots.billing.ts'
import type { BotDeps } from './bots.call.ts'
import { askDialogflow } from './bots.dialogflow.ts'
import { askPrompt, MOST_SOUND_BYTES, transcribe } from './bots.openai.ts'
import { askTypebot } from './bots.typebot.ts'
import { sendWebhook, webhookEvent } from './bots.webhook.ts'
import { DAY_MS } from '../../schema/durations.ts'

interface Deps extends BotDeps {
  db: Db
  sealer: Sealer
}

/**
 * Asks a company's bots, each by its own wire.
 *
 * @returns a function that answers undefined where there is no such bot; `queueId` is where its conversations go on
 */
export function createBots(deps: Deps) {
  const { db, sealer } = deps
  return {
    async ask(
      companyId: number,
      bot: { by: 'prompt' | 'integration'; id: number },
      conversation: BotConversation,
      { tries, instructions = '', type }: { tries: number; instructions?: string; type?: 'typebot' },
    ): Promise<{ result: BotAnswer | BotFailure; queueId: number | null; name: string } | undefined> {
      if (bot.by === 'integration') {
        const open = await openIntegration(db, sealer, companyId, bot.id, deps.now())
        // What became a flow meanwhile answers from the next message on.
        if (!open || open.type === 'flowbuilder' || (type && open.type !== type)) return undefined
        const result = await askIntegration(deps, open, conversation, {
          delivery: { id: `message-${conversation.message.id}`, tries },
          lookups: () => lookupsBefore(deps, conversation),
        })
        return { result, queueId: null, name: open.name }
      }
      const settings = await openPrompt(db, sealer, companyId, bot.id)
      if (!settings) return undefined
      const { queueId } = settings
      if (!mayAnswer(await promptUse(db, companyId, deps.now()))) {
        const spent: BotFailure = { failed: 'final', why: 'limit', says: 'the month’s tokens are used up' }
        return { result: spent, queueId, name: settings.prompt.slice(0, 40) }
      }
      const prompt = [settings.prompt, instructions].filter((part) => part.trim() !== '').join('\n\n')
      return { result: await askPrompt(deps, { ...settings, prompt }, conversation), queueId, name: settings.model }
    },

    async transcribe(
      companyId: number,
      promptId: number,
      { bytes, size, mimetype }: { bytes(): Promise<Uint8Array<ArrayBuffer>>; size: number; mimetype: string },
    ): Promise<{ text: string } | (BotFailure & { queueId: number | null }) | undefined> {
      const settings = await openPrompt(db, sealer, companyId, promptId)
      if (!settings || settings.transcriptionModel === '') return undefined
      // Nothing is read of what would not be sent.
      if (size > MOST_SOUND_BYTES || !mayAnswer(await promptUse(db, companyId, deps.now()))) return undefined
      const [company] = await db
        .select({ language: companies.language })
        .from(companies)
        .where(eq(companies.id, companyId))
      const { language = 'pt' } = company ?? {}
      const said = await transcribe(deps, settings, { bytes: await bytes(), mimetype, language })
      return 'failed' in said ? { ...said, queueId: settings.queueId } : said
    },
  }
}

interface Asked {
  /** Of a webhook's event, see `sendWebhook`. */
  delivery: { id: string; tries: number }
  /** How many documents the contact has looked up in other conversations. */
  lookups?(): Promise<number>
}

/** What the bot of an integration answers. A flow is none: it is not asked, it begins. */
export async function askIntegration(
  deps: BotDeps,
  open: Exclude<OpenIntegration, { type: 'flowbuilder' }>,
  conversation: BotConversation,
  { delivery, lookups = async () => 0 }: Asked,
): Promise<BotAnswer | BotFailure> {
  switch (open.type) {
    case 'typebot':
      return askTypebot(deps, open.settings, conversation)
    case 'n8n':
    case 'webhook':
      return sendWebhook(deps, open.settings, webhookEvent(conversation, deps.now()), delivery)
    case 'dialogflow':
      return askDialogflow(deps, open.settings, conversation)
    case 'billing':
      return askBilling(deps, open.settings, conversation, await lookups())
  }
}

/** Documents that the contact has looked up within a day in other conversations. */
async function lookupsBefore({ db, now }: Deps, { contact, ticket }: BotConversation): Promise<number> {
  const since = new Date(now().getTime() - DAY_MS)
  const [row] = await db
    .select({ lookups: sql<number>`coalesce(sum((${automationStates.session}->>'lookups')::int), 0)::int` })
    .from(automationStates)
    .innerJoin(tickets, eq(tickets.id, automationStates.ticketId))
    .where(and(eq(tickets.contactId, contact.id), ne(tickets.id, ticket.id), gt(automationStates.sessionAt, since)))
  return row?.lookups ?? 0
}
