import { and, eq } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import type { Principal } from '../../schema/permissions.ts'
import { movedTo } from '../../schema/positions.ts'
import { dueAts } from '../../schema/sla-policies/sla.clock.ts'
import {
  changedSlaPolicy,
  newSlaPolicy,
  slaBounds,
  type SlaPolicyInput,
  triedSlaPolicy,
} from '../../schema/sla-policies/sla-policies.inputs.ts'
import { type SlaPolicy, slaPolicies } from '../../schema/sla-policies/sla-policies.table.ts'
import { fieldsOf } from '../commands/fields.ts'
import { demandOwned } from '../commands/owned.ts'
import type { Tx } from '../db/database.ts'
import { lockName } from '../db/locks.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams } from '../http/inputs.ts'
import { loadRules } from './sla.facts.ts'
import { policiesOf, shown } from './sla-policies.queries.ts'

const about = ['sla-policies']

const wrong = (path: string, message: string) => new DomainError('ERR_VALIDATION', { fields: [{ path, message }] })

/** What the company promises to contacts. Clocks that go are counted anew by a job that the database writes. */
export function slaPolicyRoutes(deps: AppDeps) {
  const { db, events, now } = deps
  const emit = (companyId: number) => events.emit({ companyId, name: 'slaPolicy', action: 'update' })
  const need = async (tx: Tx | AppDeps['db'], who: Principal, id: number) => {
    const [row] = await tx
      .select()
      .from(slaPolicies)
      .where(and(eq(slaPolicies.companyId, who.companyId), eq(slaPolicies.id, id)))
    if (!row) throw new DomainError('ERR_NO_SLA_POLICY_FOUND')
    return row
  }

  return new Elysia({ prefix: '/sla-policies' })
    .use(authed(deps))
    .get(
      '/',
      async ({ who }) => {
        demand(who, 'sla:write')
        return { records: (await policiesOf(db, who.companyId)).map(shown), nextCursor: null }
      },
      { detail: { tags: about, summary: 'Policies in their order; the first active one that fits a ticket counts' } },
    )
    .get(
      '/:id',
      async ({ who, params }) => {
        demand(who, 'sla:write')
        return shown(await need(db, who, params.id))
      },
      { params: idParams, detail: { tags: about, summary: 'One policy' } },
    )
    .post(
      '/',
      async ({ who, body }) => {
        demand(who, 'sla:write')
        const made = await db.transaction(async (tx) => {
          const own = await lockedPolicies(tx, who.companyId)
          if (own.length >= slaBounds.mostPolicies)
            throw new DomainError('ERR_SLA_POLICY_LIMIT', { limit: slaBounds.mostPolicies })
          await demandOwn(tx, who.companyId, body)
          const [row] = await tx
            .insert(slaPolicies)
            .values({ name: '', ...valuesOf(body), companyId: who.companyId, position: own.length + 1 })
            .onConflictDoNothing()
            .returning()
          if (!row) throw new DomainError('ERR_SLA_POLICY_NAME')
          if (body.position !== undefined) await place(tx, [...own, row], row.id, body.position)
          return need(tx, who, row.id)
        })
        emit(who.companyId)
        return shown(made)
      },
      {
        body: newSlaPolicy,
        detail: { tags: about, summary: 'Make a policy; it stands last unless `position` says where' },
      },
    )
    .put(
      '/:id',
      async ({ who, params, body }) => {
        demand(who, 'sla:write')
        const changed = await db.transaction(async (tx) => {
          const own = await lockedPolicies(tx, who.companyId)
          await need(tx, who, params.id)
          await demandOwn(tx, who.companyId, body)
          if (own.some(({ id, name }) => id !== params.id && name === body.name?.trim()))
            throw new DomainError('ERR_SLA_POLICY_NAME')
          await tx
            .update(slaPolicies)
            .set({ ...valuesOf(body), updatedAt: now() })
            .where(and(eq(slaPolicies.companyId, who.companyId), eq(slaPolicies.id, params.id)))
          if (body.position !== undefined) await place(tx, own, params.id, body.position)
          return need(tx, who, params.id)
        })
        emit(who.companyId)
        return shown(changed)
      },
      { params: idParams, body: changedSlaPolicy, detail: { tags: about, summary: 'Change a policy, or its place' } },
    )
    .delete(
      '/:id',
      async ({ who, params }) => {
        demand(who, 'sla:write')
        await need(db, who, params.id)
        await db.delete(slaPolicies).where(and(eq(slaPolicies.companyId, who.companyId), eq(slaPolicies.id, params.id)))
        emit(who.companyId)
        return {}
      },
      {
        params: idParams,
        detail: { tags: about, summary: 'Delete a policy; its clocks that go end in neither count' },
      },
    )
    .post(
      '/:id/test',
      async ({ who, params, body, query }) => {
        demand(who, 'sla:write')
        const policy = await need(db, who, params.id)
        const startedAt = new Date(body.startedAt)
        if (Number.isNaN(startedAt.getTime())) throw wrong('/startedAt', 'a moment')
        const rules = await loadRules(db, who.companyId)
        return {
          dueAts: dueAts(policy, rules.calendarOf(policy, query.queueId ?? policy.queueIds[0] ?? null), startedAt),
        }
      },
      {
        params: idParams,
        query: t.Object({ queueId: t.Optional(idParams.properties.id) }),
        body: triedSlaPolicy,
        detail: {
          tags: about,
          summary: 'When each promise would be broken for a service that begins then; nothing is stored',
        },
      },
    )
}

/** Held until the commit, so that two who write at once count the same. */
async function lockedPolicies(tx: Tx, companyId: number): Promise<SlaPolicy[]> {
  await lockName(tx, `sla-policies/${companyId}`)
  return policiesOf(tx, companyId)
}

/** Puts one at its place and numbers all of them anew. */
async function place(tx: Tx, all: readonly SlaPolicy[], id: number, position: number): Promise<void> {
  for (const one of movedTo(all, id, position))
    await tx.update(slaPolicies).set({ position: one.position }).where(eq(slaPolicies.id, one.id))
}

function valuesOf(body: Partial<SlaPolicyInput>) {
  const { escalate, name, ...rest } = body
  delete rest.position
  return {
    ...rest,
    ...(name !== undefined && { name: name.trim() }),
    ...(escalate && { escalateUserIds: escalate.userIds, escalateQueueId: escalate.queueId }),
  }
}

/** @throws DomainError the code of what a policy names and the company has not */
async function demandOwn(tx: Tx, companyId: number, body: Partial<SlaPolicyInput>): Promise<void> {
  const queueIds = [...(body.queueIds ?? []), ...(body.escalate?.queueId != null ? [body.escalate.queueId] : [])]
  await demandOwned(tx, companyId, 'queues', queueIds)
  await demandOwned(tx, companyId, 'tags', body.tagIds)
  await demandOwned(tx, companyId, 'users', body.escalate?.userIds)
  const asked = body.contactField
  if (!asked || !('op' in asked)) return
  const own = await fieldsOf(tx, companyId)
  if (!own.some(({ id, entity }) => id === asked.id && entity === 'contact'))
    throw wrong('/contactField/id', 'no such field')
}
