import { and, eq, isNull } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { changedApiKey, newApiKey } from '../../schema/api-keys/api-keys.inputs.ts'
import { apiKeys } from '../../schema/api-keys/api-keys.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { dateOf } from '../../schema/inputs.ts'
import type { Principal } from '../../schema/permissions.ts'
import { demandFeature } from '../commands/plan-features.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams } from '../http/inputs.ts'
import { isNetwork } from '../outside/addresses.ts'
import { findApiKey, listApiKeys, shown } from './api-keys.queries.ts'
import { makeApiKey } from './api-keys.writes.ts'

const tags = ['api keys']

/** The keys by which programs call `/api/v1`. Admins make and revoke them. */
export function apiKeyRoutes(deps: AppDeps) {
  const { db, events, now } = deps
  const admitted = async (who: Principal) => {
    await demandFeature(db, who.companyId, 'useExternalApi')
    demand(who, 'api-keys:write')
  }
  const need = async (who: Principal, id: number) => {
    const row = await findApiKey(db, who.companyId, id)
    if (!row) throw new DomainError('ERR_NO_API_KEY_FOUND')
    return row
  }
  const emit = (companyId: number, action: string, id: number) => {
    deps.callers.forget()
    events.emit({ companyId, name: 'apiKey', action, payload: { apiKeyId: id } })
  }
  const check = (ipAllow: readonly string[] | undefined) => {
    const wrong = (ipAllow ?? []).findIndex((one) => !isNetwork(one))
    if (wrong >= 0)
      throw new DomainError('ERR_VALIDATION', {
        fields: [{ path: `body/ipAllow/${wrong}`, message: 'an address or a network' }],
      })
  }
  /** When a key ends, as it was written; `stored` is kept whatever the time is by now. */
  const endOf = (expiresAt: string | null, stored: Date | null): Date | null => {
    if (expiresAt === null) return null
    const end = dateOf(expiresAt, 'body/expiresAt')
    if (end <= now() && end.getTime() !== stored?.getTime())
      throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'body/expiresAt', message: 'in the future' }] })
    return end
  }

  return new Elysia({ prefix: '/api-keys' })
    .use(authed(deps))
    .get(
      '/',
      async ({ who }) => {
        await admitted(who)
        return { records: await listApiKeys(db, who.companyId) }
      },
      { detail: { tags, summary: 'The company’s keys, revoked ones at the end' } },
    )
    .get(
      '/:id',
      async ({ who, params }) => {
        await admitted(who)
        return shown(await need(who, params.id))
      },
      { params: idParams, detail: { tags, summary: 'One key, without the key itself' } },
    )
    .post(
      '/',
      async ({ who, body }) => {
        await admitted(who)
        check(body.ipAllow)
        const expiresAt = endOf(body.expiresAt ?? null, null)
        const { key, row } = await makeApiKey(db, who, { ...body, expiresAt }, now())
        emit(who.companyId, 'create', row.id)
        return { ...shown(row), key }
      },
      { body: newApiKey, detail: { tags, summary: 'Make a key; `key` is told this once' } },
    )
    .put(
      '/:id',
      async ({ who, params, body }) => {
        await admitted(who)
        check(body.ipAllow)
        const row = await need(who, params.id)
        const { expiresAt, name, ...rest } = body
        const values = {
          ...rest,
          ...(name !== undefined && { name: name.trim() }),
          ...(expiresAt !== undefined && { expiresAt: endOf(expiresAt, row.expiresAt) }),
        }
        if (Object.keys(values).length > 0)
          await db
            .update(apiKeys)
            .set(values)
            .where(and(eq(apiKeys.companyId, who.companyId), eq(apiKeys.id, row.id)))
        emit(who.companyId, 'update', row.id)
        return shown(await need(who, row.id))
      },
      { params: idParams, body: changedApiKey, detail: { tags, summary: 'Change a key; the key itself stays' } },
    )
    .delete(
      '/:id',
      async ({ who, params }) => {
        await admitted(who)
        const row = await need(who, params.id)
        await db
          .update(apiKeys)
          .set({ revokedAt: now() })
          .where(and(eq(apiKeys.companyId, who.companyId), eq(apiKeys.id, row.id), isNull(apiKeys.revokedAt)))
        emit(who.companyId, 'update', row.id)
        return {}
      },
      { params: idParams, detail: { tags, summary: 'Revoke a key: within a second it opens nothing' } },
    )
}
