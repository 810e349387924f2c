import { and, eq } from 'drizzle-orm'
import { integrations } from '../../schema/integrations/integrations.table.ts'
import { prompts } from '../../schema/prompts/prompts.table.ts'
import { queues } from '../../schema/queues/queues.table.ts'
import type { Db } from '../db/database.ts'
import { sealedSecrets } from '../integrations/integrations.queries.ts'
import { sealedKeys } from '../prompts/prompts.queries.ts'
import type { Sealer } from '../seal.ts'
import { writeSetting } from '../settings/settings.changes.ts'

/** Where the simulated services are, and the keys that they take. */
export interface DemoBots {
  urls: Record<'openai' | 'typebot' | 'webhook' | 'ixc', string>
  keys: Record<'openai' | 'webhook' | 'ixc', string>
}

/** An assistant and integrations that nothing uses until an admin chooses them; at a later start, their new addresses. */
export async function seedBots(
  db: Db,
  {
    companyId,
    bots,
    sealer,
    now,
    isNew,
  }: { companyId: number; bots: DemoBots; sealer: Sealer; now: Date; isNew: boolean },
): Promise<void> {
  const { urls, keys } = bots
  if (isNew) {
    const [queue] = await db.select({ id: queues.id }).from(queues).where(eq(queues.companyId, companyId)).limit(1)
    const [prompt] = await db
      .insert(prompts)
      .values({
        ...{ companyId, name: 'Assistente da padaria', model: 'local-model', transcriptionModel: 'local-whisper' },
        ...{ apiKey: '', queueId: queue?.id ?? null, maxTokens: 200, maxMessages: 10 },
        prompt:
          'Você é a assistente da Padaria Balcão. Responda com simpatia, em frases curtas, sobre horários, produtos, entregas e encomendas.',
      })
      .returning({ id: prompts.id })
    await db
      .update(prompts)
      .set(sealedKeys(sealer, prompt!.id, { apiKey: keys.openai }))
      .where(eq(prompts.id, prompt!.id))
    await db.insert(integrations).values([
      {
        companyId,
        type: 'typebot',
        name: 'Cardápio no Typebot',
        projectName: 'Cardápio no Typebot',
        typebotSlug: 'padaria',
      },
      {
        companyId,
        type: 'billing',
        name: 'Segunda via',
        projectName: 'Segunda via',
        options: { billingSystem: 'ixc' },
      },
    ])
    const name = 'Sistema de pedidos'
    const [hook] = await db
      .insert(integrations)
      .values({ companyId, type: 'webhook', name, projectName: name })
      .returning({ id: integrations.id })
    const sealed = await sealedSecrets(db, sealer, { companyId, id: hook!.id }, { secret: keys.webhook }, now)
    await db.update(integrations).set(sealed).where(eq(integrations.id, hook!.id))
  }
  const ofType = (type: 'typebot' | 'webhook') =>
    and(eq(integrations.companyId, companyId), eq(integrations.type, type))
  await db
    .update(prompts)
    .set({ baseUrl: `${urls.openai}/v1` })
    .where(and(eq(prompts.companyId, companyId), eq(prompts.model, 'local-model')))
  await db.update(integrations).set({ urlN8N: urls.typebot }).where(ofType('typebot'))
  await db
    .update(integrations)
    .set({ urlN8N: `${urls.webhook}/pedidos` })
    .where(ofType('webhook'))
  await writeSetting(db, sealer, companyId, 'ipixc', urls.ixc, now)
  await writeSetting(db, sealer, companyId, 'tokenixc', keys.ixc, now)
}
