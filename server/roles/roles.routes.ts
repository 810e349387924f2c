import { and, eq } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { can, type Principal } from '../../schema/permissions.ts'
import { changedRole, MOST_ROLES, newRole } from '../../schema/roles/roles.inputs.ts'
import { roles } from '../../schema/roles/roles.table.ts'
import { users } from '../../schema/users/users.table.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams } from '../http/inputs.ts'
import { forgetRole } from '../oidc/oidc.changes.ts'
import { demandCovers, listRoles, lockRole, needRole, rightsOf, usersOfRole } from './roles.queries.ts'

const tags = ['roles']

/** What admins put together for their people. */
export function roleRoutes(deps: AppDeps) {
  const { db, events, now, onRightsChanged } = deps

  const emit = ({ companyId }: Principal, action: string, id: number) =>
    events.emit({ companyId, name: 'role', action, payload: { role: { id } } })
  /** Who has it is judged anew at once, on open sockets, too, and told so. */
  const rejudge = async ({ companyId }: Principal, roleId: number) => {
    for (const id of await usersOfRole(db, companyId, roleId)) {
      onRightsChanged(id)
      const payload = { user: { id } }
      events.emit({ companyId, name: 'user', action: 'update', id, payload, audience: { userId: id } })
    }
  }

  return new Elysia({ prefix: '/roles' })
    .use(authed(deps))
    .get(
      '/',
      async ({ who }) => {
        if (!can(who, 'roles:write')) demand(who, 'users:write')
        return { roles: await listRoles(db, who.companyId) }
      },
      { detail: { tags, summary: 'The company’s roles by name, each with how many have it and the first of them' } },
    )
    .post(
      '/',
      async ({ who, body }) => {
        demand(who, 'roles:write')
        const { companyId } = who
        const values = {
          name: body.name.trim(),
          permissions: body.permissions ?? [],
          ticketScope: body.ticketScope ?? ('queues' as const),
          maskNumbers: body.maskNumbers ?? false,
        }
        demandCovers(who, rightsOf({ id: 0, ...values }))
        const row = await db.transaction(async (tx) => {
          if ((await tx.$count(roles, eq(roles.companyId, companyId))) >= MOST_ROLES)
            throw new DomainError('ERR_ROLE_LIMIT', { limit: MOST_ROLES })
          const [made] = await tx
            .insert(roles)
            .values({ companyId, ...values })
            .returning({ id: roles.id })
          return needRole(tx, companyId, made!.id)
        })
        emit(who, 'create', row.id)
        return row
      },
      { body: newRole, detail: { tags, summary: 'Make a role' } },
    )
    .put(
      '/:id',
      async ({ who, params, body }) => {
        demand(who, 'roles:write')
        const { companyId } = who
        const row = await db.transaction(async (tx) => {
          const before = await lockRole(tx, companyId, params.id, 'update')
          const after = { ...before, ...body, ...(body.name && { name: body.name.trim() }) }
          // Neither one that has more than they do, nor one that would.
          demandCovers(who, rightsOf(before))
          demandCovers(who, rightsOf(after))
          const { name, permissions, ticketScope, maskNumbers } = after
          await tx
            .update(roles)
            .set({ name, permissions, ticketScope, maskNumbers, updatedAt: now() })
            .where(and(eq(roles.companyId, companyId), eq(roles.id, params.id)))
          return needRole(tx, companyId, params.id)
        })
        await rejudge(who, row.id)
        emit(who, 'update', row.id)
        return row
      },
      {
        params: idParams,
        body: changedRole,
        detail: { tags, summary: 'Change a role; it holds at once for everybody who has it' },
      },
    )
    .delete(
      '/:id',
      async ({ who, params }) => {
        demand(who, 'roles:write')
        const { companyId } = who
        await db.transaction(async (tx) => {
          const before = await lockRole(tx, companyId, params.id, 'update')
          demandCovers(who, rightsOf(before))
          const count = await tx.$count(users, and(eq(users.companyId, companyId), eq(users.roleId, before.id)))
          if (count > 0) throw new DomainError('ERR_ROLE_IN_USE', { users: count })
          await forgetRole(tx, companyId, before.id)
          await tx.delete(roles).where(and(eq(roles.companyId, companyId), eq(roles.id, before.id)))
        })
        emit(who, 'delete', params.id)
        return {}
      },
      { params: idParams, detail: { tags, summary: 'Delete a role that nobody has' } },
    )
}
