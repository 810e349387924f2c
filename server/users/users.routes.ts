import { and, eq, sql } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { email, nullable, optionalRowId, password, personName, rowId } from '../../schema/inputs.ts'
import { can, type Principal } from '../../schema/permissions.ts'
import { profiles, users } from '../../schema/users/users.table.ts'
import { hashPassword } from '../auth/passwords.ts'
import { demandRoom } from '../companies/plan-limits.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams, pageQuery } from '../http/inputs.ts'
import {
  allUsers,
  deleteUser,
  demandConnection,
  demandOtherAdmin,
  demandQueues,
  findUser,
  listUsers,
  setQueues,
  shownTo,
  type UserRow,
} from './users.queries.ts'

const tags = ['users']
const profile = t.Union(profiles.map((name) => t.Literal(name)))
const allTicket = t.Union([t.Literal('enabled'), t.Literal('desabled')])
const queueIds = t.Array(rowId, { maxItems: 500 })
const noNewPassword = t.Union([t.Literal(''), t.Null()])

/** The people of a company. */
export function userRoutes(deps: AppDeps) {
  const { db, events, onRightsChanged, now } = deps

  const need = async (who: Principal, id: number): Promise<UserRow> => {
    const user = await findUser(db, who.companyId, id)
    if (!user) throw new DomainError('ERR_NO_USER_FOUND')
    return user
  }
  /** Events go to all of the company, so they carry what a colleague may see. */
  const tell = (action: string, user: UserRow) => {
    const { id, name, profile: role, companyId, online } = user
    events.emit({
      companyId,
      name: 'user',
      action,
      id,
      payload: { user: { id, name, profile: role, companyId, online } },
    })
  }

  return new Elysia({ prefix: '/users' })
    .use(authed(deps))
    .get(
      '/',
      async ({ who, query }) => {
        const page = await listUsers(db, who.companyId, {
          search: query.searchParam?.trim(),
          pageNumber: query.pageNumber ?? 1,
        })
        return { ...page, users: page.users.map((user) => shownTo(who, user)) }
      },
      { query: pageQuery, detail: { tags, summary: 'Users by name, 20 a page' } },
    )
    .get('/list', async ({ who }) => (await allUsers(db, who.companyId)).map((user) => shownTo(who, user)), {
      detail: { tags, summary: 'All users' },
    })
    .get('/:id', async ({ who, params }) => shownTo(who, await need(who, params.id)), {
      params: idParams,
      detail: { tags, summary: 'One user' },
    })
    .post(
      '/',
      async ({ who, body }) => {
        demand(who, 'users:write')
        const { companyId } = who
        const passwordHash = await hashPassword(body.password)
        const id = await db.transaction(async (tx) => {
          await demandRoom(tx, companyId, 'users')
          await demandQueues(tx, companyId, body.queueIds ?? [])
          await demandConnection(tx, companyId, body.whatsappId)
          const [row] = await tx
            .insert(users)
            .values({
              companyId,
              name: body.name.trim(),
              email: body.email.toLowerCase(),
              passwordHash,
              profile: body.profile ?? 'user',
              allTicket: body.allTicket ?? 'desabled',
              whatsappId: body.whatsappId ?? null,
            })
            .returning({ id: users.id })
          await setQueues(tx, companyId, row!.id, body.queueIds ?? [])
          return row!.id
        })
        const user = await need(who, id)
        tell('create', user)
        return user
      },
      {
        body: t.Object({
          name: personName,
          email,
          password,
          profile: t.Optional(profile),
          allTicket: t.Optional(allTicket),
          whatsappId: t.Optional(optionalRowId),
          queueIds: t.Optional(queueIds),
        }),
        detail: { tags, summary: 'Make a user' },
      },
    )
    .put(
      '/:id',
      async ({ who, params, body }) => {
        const { companyId } = who
        const before = await need(who, params.id)
        const admin = can(who, 'users:write')
        if (!admin && before.id !== who.userId) throw new DomainError('ERR_NO_PERMISSION')
        if (before.super && !who.super) throw new DomainError('ERR_NO_PERMISSION')
        // The profile dialog sends everything; what a person may not change must be as it was.
        const touches =
          (body.profile !== undefined && body.profile !== before.profile) ||
          (body.allTicket !== undefined && body.allTicket !== before.allTicket) ||
          (body.whatsappId !== undefined && body.whatsappId !== before.whatsappId)
        if (touches) demand(who, 'user-modal:editProfile')
        const moves = body.queueIds !== undefined && !sameIds(body.queueIds, before.queueIds)
        if (moves) demand(who, 'user-modal:editQueues')
        const passwordHash = body.password ? await hashPassword(body.password) : undefined

        await db.transaction(async (tx) => {
          if (before.profile === 'admin' && body.profile !== undefined && body.profile !== 'admin')
            await demandOtherAdmin(tx, companyId, before.id)
          await demandQueues(tx, companyId, body.queueIds ?? [])
          await demandConnection(tx, companyId, body.whatsappId)
          await tx
            .update(users)
            .set({
              ...(body.name !== undefined && { name: body.name.trim() }),
              ...(body.email !== undefined && { email: body.email.toLowerCase() }),
              ...(body.profile !== undefined && { profile: body.profile }),
              ...(body.allTicket !== undefined && { allTicket: body.allTicket }),
              ...(body.whatsappId !== undefined && { whatsappId: body.whatsappId }),
              // Whoever knew the old password is logged out.
              ...(passwordHash && { passwordHash, refreshHash: null, tokenVersion: sql`${users.tokenVersion} + 1` }),
              updatedAt: now(),
            })
            .where(and(eq(users.companyId, companyId), eq(users.id, before.id)))
          if (moves) await setQueues(tx, companyId, before.id, body.queueIds!)
        })
        onRightsChanged(before.id)
        const user = await need(who, before.id)
        if (passwordHash)
          events.emit({ companyId, name: 'auth', action: 'logout', payload: {}, audience: { userId: user.id } })
        tell('update', user)
        return user
      },
      {
        params: idParams,
        body: t.Object({
          name: t.Optional(personName),
          email: t.Optional(email),
          password: t.Optional(t.Union([password, noNewPassword])),
          profile: t.Optional(profile),
          allTicket: t.Optional(allTicket),
          whatsappId: t.Optional(nullable(rowId)),
          queueIds: t.Optional(queueIds),
        }),
        detail: { tags, summary: 'Change a user; everybody may change their own name, e-mail and password' },
      },
    )
    .delete(
      '/:id',
      async ({ who, params }) => {
        demand(who, 'users:write')
        const user = await need(who, params.id)
        if (user.id === who.userId) throw new DomainError('ERR_DELETE_SELF')
        if (user.super && !who.super) throw new DomainError('ERR_NO_PERMISSION')
        const freed = await db.transaction(async (tx) => {
          if (user.profile === 'admin') await demandOtherAdmin(tx, who.companyId, user.id)
          return deleteUser(tx, who, user.id, now())
        })
        onRightsChanged(user.id)
        events.emit({
          companyId: who.companyId,
          name: 'auth',
          action: 'logout',
          payload: {},
          audience: { userId: user.id },
        })
        events.emit({
          companyId: who.companyId,
          name: 'user',
          action: 'delete',
          id: user.id,
          payload: { userId: user.id },
        })
        for (const id of freed) events.emit({ companyId: who.companyId, name: 'ticket', action: 'update', id })
        return {}
      },
      { params: idParams, detail: { tags, summary: 'Delete a user; their open tickets wait for somebody else' } },
    )
}

const sameIds = (a: readonly number[], b: readonly number[]) => a.length === b.length && a.every((id) => b.includes(id))
