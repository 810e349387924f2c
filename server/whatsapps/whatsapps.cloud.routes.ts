import { eq } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'
import {
  changedCloud,
  cloudPin,
  hookParams,
  subscribeInput,
  triedCloud,
} from '../../schema/whatsapps/whatsapps.cloud.inputs.ts'
import { whatsapps } from '../../schema/whatsapps/whatsapps.table.ts'
import { audit } from '../audit/audit.changes.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams } from '../http/inputs.ts'
import { fetchSoon } from '../templates/templates.changes.ts'
import { needWhatsapp } from './whatsapps.queries.ts'

const tags = ['connections']

/** How a connection reaches its number of the official API. */
export function cloudRoutes(deps: AppDeps) {
  const { db, official, sessions, config, now } = deps
  const known = async (who: Principal, id: number): Promise<number> => (await needWhatsapp(db, who.companyId, id)).id
  const need = (who: Principal, id: number): Promise<number> => {
    demand(who, 'connections-page:editOrDeleteConnection')
    return known(who, id)
  }
  return new Elysia()
    .use(authed(deps))
    .post(
      '/whatsapp-official/check',
      async ({ who, body }) => {
        demand(who, 'connections-page:addConnection')
        return official.check(body)
      },
      { body: triedCloud, detail: { tags, summary: 'What the official API says of these values' } },
    )
    .post(
      '/whatsapp/:id/official/check',
      async ({ who, params, body }) => official.check(body, await need(who, params.id)),
      {
        params: idParams,
        body: changedCloud,
        detail: {
          tags,
          summary: 'What the official API says of its values; those that are left out are the kept ones',
        },
      },
    )
    .get('/whatsapp/:id/official', async ({ who, params }) => official.shown(await need(who, params.id)), {
      params: idParams,
      detail: { tags, summary: 'How its number of the official API is reached; never a secret' },
    })
    .put(
      '/whatsapp/:id/official',
      async ({ who, params, body }) => {
        const id = await need(who, params.id)
        await official.shown(id)
        await db.transaction(async (tx) => {
          await official.change(tx, id, body)
          await tx.update(whatsapps).set({ updatedAt: now() }).where(eq(whatsapps.id, id))
          await fetchSoon(tx, who.companyId, id, now())
          const { version, coexistence, accountId } = body
          const facts = {
            ...{ version, coexistence, accountId },
            secrets: (['token', 'appSecret', 'verifyToken'] as const).filter((secret) => body[secret] !== undefined),
          }
          await audit(tx, { companyId: who.companyId, action: 'update', entity: 'connection', id, facts })
        })
        await sessions.start(id)
        return official.shown(id)
      },
      {
        params: idParams,
        body: changedCloud,
        detail: { tags, summary: 'Change how it is reached; secrets that are left out stay' },
      },
    )
    .post(
      '/whatsapp/:id/official/subscribe',
      async ({ who, params, body, request }) => {
        const id = await need(who, params.id)
        await official.subscribe(id, body?.here ? (config.publicUrl ?? new URL(request.url).origin) : undefined)
        await fetchSoon(db, who.companyId, id, now())
        return official.check({}, id)
      },
      {
        params: idParams,
        body: t.Optional(subscribeInput),
        detail: {
          tags,
          summary:
            'Has the account tell this app of its messages; with `here` this server, whatever the app’s address is',
        },
      },
    )
    .post(
      '/whatsapp/:id/official/history',
      async ({ who, params }) => {
        const id = await need(who, params.id)
        await official.askPast(id)
        return official.shown(id)
      },
      {
        params: idParams,
        detail: { tags, summary: 'Asks for the conversations and contacts of the phone that shares the number' },
      },
    )
    .post(
      '/whatsapp/:id/official/register',
      async ({ who, params, body }) => {
        const id = await need(who, params.id)
        await official.register(id, body.pin)
        return official.check({}, id)
      },
      { params: idParams, body: cloudPin, detail: { tags, summary: 'Registers the number with its PIN' } },
    )
}

/** What the official API tells: kept as it came, and answered at once. */
export function cloudWebhookRoutes({ official }: AppDeps) {
  const detail = { tags }
  const nobody = () => new DomainError('ERR_NOT_FOUND')
  return new Elysia({ prefix: '/cloud-api' })
    .get(
      '/:hook',
      async ({ params, request, set }) => {
        const asked = new URL(request.url).searchParams
        const challenge = asked.get('hub.challenge') ?? ''
        const isAsked = asked.get('hub.mode') === 'subscribe' && /^[\w.-]{1,200}$/.test(challenge)
        if (!isAsked || !(await official.isOurs(params.hook, asked.get('hub.verify_token') ?? ''))) throw nobody()
        set.headers['content-type'] = 'text/plain; charset=utf-8'
        return challenge
      },
      { params: hookParams, detail: { ...detail, summary: 'The official API asks whether this is its webhook' } },
    )
    .post(
      '/:hook',
      async ({ params, request, body }) => {
        const raw = body instanceof Uint8Array ? body : new Uint8Array()
        const taken = await official.take(params.hook, raw, request.headers.get('x-hub-signature-256') ?? '')
        if (taken === 'unknown') throw nobody()
        if (taken === 'forged') throw new DomainError('ERR_API_TOKEN')
        return { received: true }
      },
      {
        params: hookParams,
        detail: { ...detail, summary: 'The official API tells of messages; signed over its bytes' },
      },
    )
}
