import { and, eq } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { can, type Principal } from '../../schema/permissions.ts'
import { changedPrompt, newPrompt, tryInput } from '../../schema/prompts/prompts.inputs.ts'
import { prompts } from '../../schema/prompts/prompts.table.ts'
import { DEFAULT_BASE_URL, NO_VOICE } from '../../schema/prompts/prompts.voices.ts'
import { MASK } from '../../schema/secrets.ts'
import { isFailure, reasonOf } from '../bots/bots.answer.ts'
import { detachBot, emitDetached } from '../bots/bots.detach.ts'
import { askPrompt } from '../bots/bots.openai.ts'
import { sampleConversation } from '../bots/bots.sample.ts'
import { isSpeakable, speak } from '../bots/bots.voice.ts'
import { demandFeature } from '../commands/plan-features.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams, pageQuery } from '../http/inputs.ts'
import { limits } from '../limits.ts'
import { demandOwned } from '../commands/owned.ts'
import { countPromptUse } from './prompts.changes.ts'
import {
  findPrompt,
  listPrompts,
  mayAnswer,
  openPrompt,
  type PromptRow,
  promptUse,
  sealedKeys,
} from './prompts.queries.ts'

const tags = ['automations']

/** Assistants that answer by a language model. */
export const promptRoutes = (deps: AppDeps) => new Elysia().use(assistants(deps)).use(trials(deps))

/** What both parts of the routes need. */
function promptCalls({ db, events }: AppDeps) {
  const admitted = async (who: Principal) => {
    await demandFeature(db, who.companyId, 'useOpenAi')
    demand(who, 'automations:write')
  }
  const need = async (who: Principal, id: number): Promise<PromptRow> => {
    const row = await findPrompt(db, who.companyId, id)
    if (!row) throw new DomainError('ERR_NO_PROMPT_FOUND')
    return row
  }
  /** Everybody in the company hears of it, and learns of it what a list shows. */
  const emit = (action: string, row: PromptRow) =>
    events.emit({
      companyId: row.companyId,
      name: 'prompt',
      action,
      payload: action === 'delete' ? { promptId: row.id } : { prompt: brief(row) },
    })
  return { admitted, need, emit }
}

function assistants(deps: AppDeps) {
  const { db, events, outside, sealer, now } = deps
  const { admitted, need, emit } = promptCalls(deps)

  const demandAddress = (baseUrl: string | undefined) => {
    if (baseUrl && !outside.accepts(baseUrl)) throw new DomainError('ERR_ADDRESS_REFUSED', { field: 'baseUrl' })
  }

  return new Elysia({ prefix: '/prompt' })
    .use(authed(deps))
    .get(
      '/',
      async ({ who, query }) => {
        await demandFeature(db, who.companyId, 'useOpenAi')
        const search = query.searchParam?.trim()
        const found = await listPrompts(db, who.companyId, { search, pageNumber: query.pageNumber })
        return can(who, 'automations:write') ? found : { ...found, prompts: found.prompts.map(brief) }
      },
      { query: pageQuery, detail: { tags, summary: 'Assistants by name; without `pageNumber` all of them' } },
    )
    .get(
      '/usage',
      async ({ who }) => {
        await admitted(who)
        return promptUse(db, who.companyId, now())
      },
      { detail: { tags, summary: 'Tokens that the company’s assistants used this month, and how many they may use' } },
    )
    .get(
      '/:id',
      async ({ who, params }) => {
        await admitted(who)
        return need(who, params.id)
      },
      { params: idParams, detail: { tags, summary: 'One assistant; its keys are masked' } },
    )
    .post(
      '/',
      async ({ who, body }) => {
        await admitted(who)
        if (body.apiKey === MASK) throw new DomainError('ERR_PROMPT_KEY_REQUIRED')
        demandAddress(body.baseUrl)
        await demandOwned(db, who.companyId, 'queues', [body.queueId])
        const id = await db.transaction(async (tx) => {
          const [made] = await tx
            .insert(prompts)
            .values({
              ...body,
              ...{ companyId: who.companyId, name: body.name.trim(), apiKey: '', voiceKey: '' },
              ...{ createdAt: now(), updatedAt: now() },
            })
            .returning({ id: prompts.id })
          await tx
            .update(prompts)
            .set(sealedKeys(sealer, made!.id, { voiceKey: '', ...body }))
            .where(eq(prompts.id, made!.id))
          return made!.id
        })
        const row = await need(who, id)
        emit('create', row)
        return row
      },
      { body: newPrompt, detail: { tags, summary: 'Make an assistant' } },
    )
    .put(
      '/:id',
      async ({ who, params, body }) => {
        await admitted(who)
        const before = await need(who, params.id)
        demandAddress(body.baseUrl)
        if (body.queueId !== undefined) await demandOwned(db, who.companyId, 'queues', [body.queueId])
        const hasNewKey = body.apiKey !== undefined && body.apiKey !== MASK
        // Whoever may write here may not read the key that another wrote, by having it sent to a server of their own.
        if (!hasNewKey && placeOf(body.baseUrl ?? before.baseUrl) !== placeOf(before.baseUrl))
          throw new DomainError('ERR_PROMPT_KEY_REQUIRED')
        const { apiKey: _apiKey, voiceKey: _voiceKey, ...values } = body
        await db
          .update(prompts)
          .set({
            ...values,
            ...(body.name !== undefined && { name: body.name.trim() }),
            ...sealedKeys(sealer, before.id, body),
            updatedAt: now(),
          })
          .where(and(eq(prompts.companyId, who.companyId), eq(prompts.id, before.id)))
        const row = await need(who, before.id)
        emit('update', row)
        return row
      },
      {
        params: idParams,
        body: changedPrompt,
        detail: { tags, summary: 'Change an assistant; a masked key stays as it is' },
      },
    )
    .delete(
      '/:id',
      async ({ who, params }) => {
        await admitted(who)
        const row = await need(who, params.id)
        const detached = await db.transaction(async (tx) => {
          const found = await detachBot(tx, who.companyId, { promptId: row.id })
          await tx.delete(prompts).where(and(eq(prompts.companyId, who.companyId), eq(prompts.id, row.id)))
          return found
        })
        emit('delete', row)
        emitDetached(events, who.companyId, { promptId: row.id }, detached)
        return { message: 'Prompt deleted' }
      },
      {
        params: idParams,
        detail: { tags, summary: 'Delete an assistant; queues, connections and tickets go on without' },
      },
    )
}

/** An assistant is asked before a contact meets it. */
function trials(deps: AppDeps) {
  const { db, outside, sealer, now, botBases } = deps
  const { admitted, need } = promptCalls(deps)
  const tries = deps.limiter('promptTrials', limits.promptTrials)

  return new Elysia({ prefix: '/prompt' }).use(authed(deps)).post(
    '/:id/test',
    async ({ who, params, body }) => {
      await admitted(who)
      const row = await need(who, params.id)
      const retryAfter = tries.take(String(who.companyId))
      if (retryAfter > 0) throw new DomainError('ERR_TOO_MANY_REQUESTS', { retryAfter })
      const use = await promptUse(db, who.companyId, now())
      if (!mayAnswer(use)) throw new DomainError('ERR_PROMPT_TOKENS', { limit: use.limit })
      const settings = await openPrompt(db, sealer, who.companyId, row.id)
      if (!settings) throw new DomainError('ERR_NO_PROMPT_FOUND')
      const bots = { outside, now, bases: botBases }
      const conversation = sampleConversation(who, body.text, { history: body.history ?? [] })
      const answer = await askPrompt(bots, { ...settings, voice: NO_VOICE }, conversation)
      if (isFailure(answer)) return { messages: [], failure: reasonOf(answer) }
      if (answer.usage) await countPromptUse(db, who.companyId, answer.usage, now())
      const texts = answer.messages.flatMap((message) => ('text' in message ? [message.text] : []))
      const [first = '', ...others] = texts
      // A long one would go as text.
      const isSpoken = settings.voice !== NO_VOICE && first !== '' && others.length === 0 && isSpeakable(first)
      const spoken = isSpoken ? await speak(bots, settings, first) : undefined
      return {
        messages: texts,
        transfer: answer.transferTo ? { reason: answer.transferTo.reason ?? null } : null,
        usage: answer.usage ?? null,
        voice: spoken && !isFailure(spoken) ? Buffer.from(spoken.voice).toString('base64') : null,
        failure: spoken && isFailure(spoken) ? reasonOf(spoken) : null,
      }
    },
    {
      params: idParams,
      body: tryInput,
      detail: {
        tags,
        summary: 'Try an assistant: what it would answer. Nothing is sent; the tokens count',
      },
    },
  )
}

const placeOf = (baseUrl: string): string => new URL(baseUrl || DEFAULT_BASE_URL).origin

/** What everybody may know of an assistant. */
const brief = ({ id, companyId, name, queueId, queue, maxTokens, voice }: PromptRow) => ({
  ...{ id, companyId, name, queueId, queue, maxTokens, voice },
})
