import { Elysia, t } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { dateOf } from '../../schema/inputs.ts'
import type { Principal } from '../../schema/permissions.ts'
import { changedWebhook, deliveryQuery, newWebhook, replaySpan as span } from '../../schema/webhooks/webhooks.inputs.ts'
import { demandFeature } from '../commands/plan-features.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams } from '../http/inputs.ts'
import {
  changeWebhook,
  makeTest,
  makeWebhook,
  removeWebhook,
  replayOne,
  replaySpan,
  rotateSecret,
} from './webhooks.writes.ts'
import { listDeliveries, listWebhooks, needWebhook, shown } from './webhooks.queries.ts'

const tags = ['webhooks']
const deliveryParams = t.Object({ ...idParams.properties, deliveryId: idParams.properties.id })
const PER_PAGE = 40

/** What may be done with a company's webhooks, by its admins and by a key with `webhooks:write` alike. */
export function webhookCalls({ db, events, now, outside, sealer, webhooks }: AppDeps) {
  const emit = (companyId: number, action: string, webhookId: number) => {
    events.emit({ companyId, name: 'webhook', action, payload: { webhookId } })
    webhooks.look()
  }
  /** Hosts that the operator has admitted may be called without encryption. */
  const demandUrl = (url: string | undefined) => {
    if (url !== undefined && !outside.accepts(url, { httpsOnly: true }))
      throw new DomainError('ERR_URL_FORBIDDEN', { field: 'url' })
  }
  return {
    list: async (companyId: number) => ({ records: await listWebhooks(db, companyId) }),
    one: async (companyId: number, id: number) => shown(await needWebhook(db, companyId, id)),
    async make(companyId: number, input: typeof newWebhook.static) {
      demandUrl(input.url)
      const { secret, row } = await makeWebhook(db, sealer, companyId, input, now())
      emit(companyId, 'create', row.id)
      return { ...shown(row), secret }
    },
    async change(companyId: number, id: number, input: typeof changedWebhook.static) {
      demandUrl(input.url)
      const row = await changeWebhook(db, companyId, id, input, now())
      emit(companyId, 'update', id)
      return shown(row)
    },
    async remove(companyId: number, id: number) {
      await removeWebhook(db, companyId, id)
      emit(companyId, 'delete', id)
      return {}
    },
    async test(companyId: number, id: number) {
      const delivery = await makeTest(db, companyId, id, now())
      emit(companyId, 'update', id)
      return delivery
    },
    deliveries: (companyId: number, id: number, query: typeof deliveryQuery.static) =>
      listDeliveries(db, companyId, id, {
        state: query.state,
        before: query.cursor === undefined ? undefined : Number(query.cursor),
        limit: Number(query.limit ?? PER_PAGE),
      }),
    async replay(companyId: number, id: number, { from, to }: typeof span.static) {
      const done = await replaySpan(
        db,
        companyId,
        id,
        { from: dateOf(from, 'body/from'), to: dateOf(to, 'body/to') },
        now(),
      )
      emit(companyId, 'update', id)
      return done
    },
    async replayOne(companyId: number, id: number, deliveryId: number) {
      const delivery = await replayOne(db, companyId, id, deliveryId, now())
      emit(companyId, 'update', id)
      return delivery
    },
    async rotate(companyId: number, id: number) {
      return { secret: await rotateSecret(db, sealer, companyId, id, now()) }
    },
  }
}

/** Addresses that are told what happens. */
export function webhookRoutes(deps: AppDeps) {
  const calls = webhookCalls(deps)
  const admitted = async (who: Principal) => {
    await demandFeature(deps.db, who.companyId, 'useExternalApi')
    demand(who, 'webhooks:write')
    return who.companyId
  }
  return new Elysia({ prefix: '/webhooks' })
    .use(authed(deps))
    .get('/', async ({ who }) => calls.list(await admitted(who)), {
      detail: { tags, summary: 'The company’s webhooks' },
    })
    .get('/:id', async ({ who, params }) => calls.one(await admitted(who), params.id), {
      params: idParams,
      detail: { tags, summary: 'One webhook, without its secret' },
    })
    .post('/', async ({ who, body }) => calls.make(await admitted(who), body), {
      body: newWebhook,
      detail: { tags, summary: 'Make a webhook; `secret` is told this once' },
    })
    .put('/:id', async ({ who, params, body }) => calls.change(await admitted(who), params.id, body), {
      params: idParams,
      body: changedWebhook,
      detail: { tags, summary: 'Change a webhook, or switch it on again' },
    })
    .delete('/:id', async ({ who, params }) => calls.remove(await admitted(who), params.id), {
      params: idParams,
      detail: { tags, summary: 'Delete a webhook with its log' },
    })
    .post('/:id/rotate', async ({ who, params }) => calls.rotate(await admitted(who), params.id), {
      params: idParams,
      detail: { tags, summary: 'Another secret; the one before signs as well for 24 hours' },
    })
    .post('/:id/test', async ({ who, params }) => calls.test(await admitted(who), params.id), {
      params: idParams,
      detail: { tags, summary: 'Send `webhook.test`' },
    })
    .post('/:id/replay', async ({ who, params, body }) => calls.replay(await admitted(who), params.id, body), {
      params: idParams,
      body: span,
      detail: { tags, summary: 'Send again what was made in a span of time, at most 10,000 deliveries' },
    })
    .get('/:id/deliveries', async ({ who, params, query }) => calls.deliveries(await admitted(who), params.id, query), {
      params: idParams,
      query: deliveryQuery,
      detail: { tags, summary: 'The log of a webhook, newest first, 40 a page; kept for 30 days' },
    })
    .post(
      '/:id/deliveries/:deliveryId/replay',
      async ({ who, params }) => calls.replayOne(await admitted(who), params.id, params.deliveryId),
      { params: deliveryParams, detail: { tags, summary: 'Send one delivery again, under the same id' } },
    )
}
