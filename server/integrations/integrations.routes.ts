import { and, eq } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { flows } from '../../schema/flows/flows.table.ts'
import {
  changedIntegration,
  type IntegrationInput,
  integrationTry,
  missingFields,
  newIntegration,
  testSessionInput,
} from '../../schema/integrations/integrations.inputs.ts'
import { integrations } from '../../schema/integrations/integrations.table.ts'
import { can, type Principal } from '../../schema/permissions.ts'
import { MASK } from '../../schema/secrets.ts'
import { isFailure, reasonOf } from '../bots/bots.answer.ts'
import { askIntegration } from '../bots/bots.ask.ts'
import type { BotDeps } from '../bots/bots.call.ts'
import { detachBot, emitDetached } from '../bots/bots.detach.ts'
import { serviceAccountOf, testDialogflow } from '../bots/bots.dialogflow.ts'
import { sampleConversation } from '../bots/bots.sample.ts'
import { isWebhookSecret } from '../signing.ts'
import { demandFeature } from '../commands/plan-features.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams, pageQuery } from '../http/inputs.ts'
import { limits } from '../limits.ts'
import {
  findIntegration,
  type IntegrationRow,
  listIntegrations,
  openIntegration,
  sealedSecrets,
} from './integrations.queries.ts'

const tags = ['automations']
/** So many people may be in the middle of trying a bot. */
const MOST_TRIALS = 500

type Given = Partial<IntegrationInput>

/** Bots elsewhere that answer in an agent's place. */
export const integrationRoutes = (deps: AppDeps) => new Elysia().use(integrationList(deps)).use(trials(deps))

/** What both parts of the routes need. */
function integrationCalls({ db }: AppDeps) {
  const admitted = async (who: Principal) => {
    await demandFeature(db, who.companyId, 'useIntegrations')
    demand(who, 'automations:write')
  }
  const need = async (who: Principal, id: number): Promise<IntegrationRow> => {
    const row = await findIntegration(db, who.companyId, id)
    if (!row) throw new DomainError('ERR_NO_INTEGRATION_FOUND')
    return row
  }
  return { admitted, need }
}

function integrationList(deps: AppDeps) {
  const { db, events, sealer, now } = deps
  const { admitted, need } = integrationCalls(deps)

  const emit = (action: string, row: IntegrationRow) =>
    events.emit({
      companyId: row.companyId,
      name: 'queueIntegration',
      action,
      payload: action === 'delete' ? { integrationId: row.id } : { queueIntegration: brief(row) },
    })

  return new Elysia({ prefix: '/queueIntegration' })
    .use(authed(deps))
    .get(
      '/',
      async ({ who, query }) => {
        await demandFeature(db, who.companyId, 'useIntegrations')
        const search = query.searchParam?.trim()
        const found = await listIntegrations(db, who.companyId, { search, pageNumber: query.pageNumber })
        return can(who, 'automations:write')
          ? found
          : { ...found, queueIntegrations: found.queueIntegrations.map(brief) }
      },
      { query: pageQuery, detail: { tags, summary: 'Integrations by name; without `pageNumber` all of them' } },
    )
    .get(
      '/:id',
      async ({ who, params }) => {
        await admitted(who)
        return need(who, params.id)
      },
      { params: idParams, detail: { tags, summary: 'One integration; its secrets are masked' } },
    )
    .post(
      '/',
      async ({ who, body }) => {
        await admitted(who)
        if (body.jsonContent === MASK || body.secret === MASK)
          throw new DomainError('ERR_INTEGRATION_FIELD', { field: body.secret === MASK ? 'secret' : 'jsonContent' })
        await demandSound(deps, who, body, body)
        const { companyId } = who
        const id = await db.transaction(async (tx) => {
          const [made] = await tx
            .insert(integrations)
            .values({ ...columnsOf(body, body.type, body.name), companyId, createdAt: now(), updatedAt: now() })
            .returning({ id: integrations.id })
          const sealed = await sealedSecrets(tx, sealer, { companyId, id: made!.id }, body, now())
          if (Object.keys(sealed).length > 0)
            await tx.update(integrations).set(sealed).where(eq(integrations.id, made!.id))
          return made!.id
        })
        const row = await need(who, id)
        emit('create', row)
        return row
      },
      { body: newIntegration, detail: { tags, summary: 'Make an integration' } },
    )
    .put(
      '/:id',
      async ({ who, params, body }) => {
        await admitted(who)
        const before = await need(who, params.id)
        const { billingSystem, ...kept } = before
        const whole = { ...kept, ...(billingSystem && { billingSystem }), ...body }
        await demandSound(deps, who, body, whole)
        const { companyId } = who
        await db.transaction(async (tx) => {
          const sealed = await sealedSecrets(tx, sealer, { companyId, id: before.id }, body, now())
          await tx
            .update(integrations)
            .set({ ...columnsOf(body, whole.type, whole.name), ...sealed, updatedAt: now() })
            .where(and(eq(integrations.companyId, companyId), eq(integrations.id, before.id)))
        })
        const row = await need(who, before.id)
        emit('update', row)
        return row
      },
      {
        params: idParams,
        body: changedIntegration,
        detail: { tags, summary: 'Change an integration; a masked secret stays as it is' },
      },
    )
    .delete(
      '/:id',
      async ({ who, params }) => {
        await admitted(who)
        const row = await need(who, params.id)
        const detached = await db.transaction(async (tx) => {
          const found = await detachBot(tx, who.companyId, { integrationId: row.id })
          await tx
            .delete(integrations)
            .where(and(eq(integrations.companyId, who.companyId), eq(integrations.id, row.id)))
          return found
        })
        emit('delete', row)
        emitDetached(events, who.companyId, { integrationId: row.id }, detached)
        return {}
      },
      {
        params: idParams,
        detail: { tags, summary: 'Delete an integration; queues, connections and tickets go on without' },
      },
    )
}

/** A bot is asked before a contact meets it. */
function trials(deps: AppDeps) {
  const { db, outside, sealer, now, botBases } = deps
  const { admitted, need } = integrationCalls(deps)
  const bots: BotDeps = { outside, now, bases: botBases }
  const tries = deps.limiter('integrationTrials', limits.integrationTrials)
  /** What a bot wants to be told again, by person and integration. */
  const trials = new Map<string, unknown>()

  const demandTry = (who: Principal) => {
    const retryAfter = tries.take(String(who.companyId))
    if (retryAfter > 0) throw new DomainError('ERR_TOO_MANY_REQUESTS', { retryAfter })
  }
  const open = (who: Principal, id: number) => openIntegration(db, sealer, who.companyId, id, now(), botBases?.asaas)

  return new Elysia({ prefix: '/queueIntegration' })
    .use(authed(deps))
    .post(
      '/testSession',
      async ({ who, body }) => {
        await admitted(who)
        demandTry(who)
        const kept = body.jsonContent === MASK && body.id ? await open(who, body.id) : undefined
        if (body.jsonContent === MASK && kept?.type !== 'dialogflow') throw new DomainError('ERR_NO_INTEGRATION_FOUND')
        const jsonContent = kept?.type === 'dialogflow' ? kept.settings.jsonContent : body.jsonContent
        const answer = await testDialogflow(bots, { ...body, jsonContent })
        if (isFailure(answer)) throw new DomainError('ERR_TEST_SESSION_DIALOG', reasonOf(answer))
        return answer
      },
      {
        body: testSessionInput,
        detail: { tags, summary: 'Greet a Dialogflow agent, before or after it is saved: what it says' },
      },
    )
    .post(
      '/:id/test',
      async ({ who, params, body }) => {
        await admitted(who)
        const row = await need(who, params.id)
        demandTry(who)
        const integration = await open(who, row.id)
        if (!integration) throw new DomainError('ERR_NO_INTEGRATION_FOUND')
        const trial = `${who.userId}:${row.id}`
        if (body.restart) trials.delete(trial)
        const conversation = sampleConversation(who, body.text, { session: trials.get(trial) })
        const delivery = { id: `test_${crypto.randomUUID()}`, tries: 0 }
        // A flow is tried beside its canvas.
        const answer =
          integration.type === 'flowbuilder'
            ? { messages: [] }
            : await askIntegration(bots, integration, conversation, { delivery })
        if (isFailure(answer)) return { messages: [], failure: reasonOf(answer) }
        if (answer.session !== undefined) {
          trials.delete(trial)
          if (answer.session !== null) trials.set(trial, answer.session)
          if (trials.size > MOST_TRIALS) trials.delete(trials.keys().next().value!)
        }
        return {
          messages: answer.messages.map((message) => ('voice' in message ? { text: '' } : message)),
          transferTo: answer.transferTo ?? null,
          stop: answer.stop ?? false,
          variables: answer.variables ?? {},
          failure: null,
        }
      },
      {
        params: idParams,
        body: integrationTry,
        detail: {
          tags,
          summary: 'Try an integration with a conversation that nobody has: what it would answer. A webhook is called',
        },
      },
    )
}

/**
 * What no schema says: what the type needs, and what the fields mean.
 * @throws DomainError `ERR_INTEGRATION_FIELD`, `ERR_ADDRESS_REFUSED`, `ERR_NOT_FOUND`
 */
async function demandSound(
  { db, outside }: AppDeps,
  who: Principal,
  input: Given,
  whole: Given & Pick<IntegrationInput, 'type'>,
): Promise<void> {
  const [missing] = missingFields(whole)
  if (missing) throw new DomainError('ERR_INTEGRATION_FIELD', { field: missing })
  if (input.urlN8N && !outside.accepts(input.urlN8N)) throw new DomainError('ERR_ADDRESS_REFUSED', { field: 'urlN8N' })
  const { jsonContent, secret, flowId } = input
  const isWrongKey =
    whole.type === 'dialogflow' && jsonContent && jsonContent !== MASK && !serviceAccountOf(jsonContent)
  if (isWrongKey) throw new DomainError('ERR_INTEGRATION_FIELD', { field: 'jsonContent' })
  if (secret && secret !== MASK && !isWebhookSecret(secret))
    throw new DomainError('ERR_INTEGRATION_FIELD', { field: 'secret' })
  if (flowId) {
    const [flow] = await db
      .select({ id: flows.id })
      .from(flows)
      .where(and(eq(flows.companyId, who.companyId), eq(flows.id, flowId)))
    if (!flow) throw new DomainError('ERR_NOT_FOUND')
  }
}

/** The columns of what was given. Only Dialogflow has a project; old clients expect one of the others, too. */
function columnsOf(given: Given, type: IntegrationInput['type'], name: string) {
  const { billingSystem, jsonContent: _jsonContent, secret: _secret, ...rest } = given
  return {
    ...rest,
    ...{ type, name: name.trim() },
    ...(type !== 'dialogflow' && { projectName: name.trim() }),
    ...(billingSystem !== undefined && { options: { billingSystem } }),
  }
}

/** What everybody may know of an integration. */
const brief = ({ id, companyId, name, type, projectName, language }: IntegrationRow) => ({
  ...{ id, companyId, name, type, projectName, language },
})
