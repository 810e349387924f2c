import { demandCovers, lockRole } from '../roles/roles.queries.ts'
import { randomBytes } from 'node:crypto'
import { Elysia, t } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { can, type Principal } from '../../schema/permissions.ts'
import { type UserChange, userChange } from '../../schema/users/users.change.ts'
import { away, changedUser, newUser } from '../../schema/users/users.inputs.ts'
import { users } from '../../schema/users/users.table.ts'
import { readNumbers, userWire } from '../../schema/wire.ts'
import { type Count, createAttempts } from '../auth/attempts.ts'
import { forgetCodes, setPassword } from '../auth/auth.changes.ts'
import { createPasswordProof } from '../auth/current-password.ts'
import { demandStrong } from '../auth/password-policy.ts'
import { forgetPasskeys } from '../auth/passkeys.changes.ts'
import { forgetFactor } from '../auth/two-factor.changes.ts'
import { hashPassword } from '../auth/passwords.ts'
import { audit } from '../audit/audit.changes.ts'
import { demandRoom } from '../companies/plan-limits.queries.ts'
import type { Tx } from '../db/database.ts'
import { callerAddress } from '../http/caller.ts'
import { forgetSubjects } from '../oidc/oidc.changes.ts'
import { demandNoBreakGlass } from '../oidc/oidc.queries.ts'
import { networkOf } from '../network.ts'
import { commandKey } from '../http/commands.routes.ts'
import type { AppDeps } from '../http/deps.ts'
import { asDomainError } from '../http/errors.ts'
import { demandOwned } from '../commands/owned.ts'
import { authed, demand } from '../http/guard.ts'
import { idParams, pageQuery } from '../http/inputs.ts'
import {
  allUsers,
  demandConnection,
  demandOtherAdmin,
  findUser,
  listUsers,
  seesAll,
  shownTo,
  type UserRow,
} from './users.queries.ts'
import { changeUser, deleteUser, setQueues } from './users.writes.ts'

const tags = ['users']

/** E-mails that turn out to be somebody's. */
const TAKEN_PER_HOUR = { user: 10, company: 20, network: 40 }

/** The people of a company. */
export function userRoutes(deps: AppDeps) {
  // Made and changed, an e-mail that is somebody's counts alike.
  const writeEmail = emailWriter(deps)
  return new Elysia()
    .use(readUsers(deps))
    .use(invitations(deps, writeEmail))
    .use(changes(deps, writeEmail))
    .use(absences(deps))
    .use(removals(deps))
}

/** What the parts of the routes do with one user. */
function userCalls({ db, events }: AppDeps) {
  const need = async (who: Principal, id: number): Promise<UserRow> => {
    const user = await findUser(db, who.companyId, id)
    if (!user) throw new DomainError('ERR_NO_USER_FOUND')
    return user
  }
  /** Events go to all of the company, so they carry what a colleague may see. */
  const emit = (action: string, user: UserRow) => {
    const { id, name, profile: role, companyId, online } = user
    events.emit({
      companyId,
      name: 'user',
      action,
      id,
      payload: { user: { id, name, profile: role, companyId, online } },
    })
  }
  return { need, emit }
}

type WriteEmail = ReturnType<typeof emailWriter>

/**
 * Writes an e-mail. That somebody has it already, perhaps in another company, must be told; how often that may be
 * heard is limited, or any e-mail could be asked for.
 */
function emailWriter({ now, between }: AppDeps) {
  const attempts = createAttempts({ topic: 'email', between })
  return async <T>(who: Principal, address: string | null, write: () => Promise<T>): Promise<T> => {
    const counts: Count[] = [
      { name: `taken by ${who.userId}`, most: TAKEN_PER_HOUR.user, minutes: 60 },
      { name: `taken in ${who.companyId}`, most: TAKEN_PER_HOUR.company, minutes: 60 },
      ...(address ? [{ name: `taken at ${networkOf(address)}`, most: TAKEN_PER_HOUR.network, minutes: 60 }] : []),
    ]
    attempts.begin(counts, now())
    try {
      const written = await write()
      attempts.succeeded(counts)
      return written
    } catch (error) {
      if (asDomainError(error)?.code !== 'ERR_DUPLICATED_EMAIL') attempts.succeeded(counts)
      throw error
    }
  }
}

function readUsers(deps: AppDeps) {
  const { db } = deps
  const { need } = userCalls(deps)
  return new Elysia({ prefix: '/users' })
    .use(authed(deps))
    .onTransform(readNumbers)
    .get(
      '/',
      async ({ who, query }) => {
        const page = await listUsers(db, who.companyId, {
          search: query.searchParam?.trim(),
          byEmail: seesAll(who),
          pageNumber: query.pageNumber ?? 1,
        })
        return { ...page, users: page.users.map((user) => view(who, user)) }
      },
      { query: pageQuery, detail: { tags, summary: 'Users by name, 20 a page' } },
    )
    .get('/list', async ({ who }) => (await allUsers(db, who.companyId)).map((user) => view(who, user)), {
      detail: { tags, summary: 'All users' },
    })
    .get('/:id', async ({ who, params }) => view(who, await need(who, params.id)), {
      params: idParams,
      detail: { tags, summary: 'One user' },
    })
}

/** A new user, with a password or invited, and who is invited once more. */
function invitations(deps: AppDeps, writeEmail: WriteEmail) {
  const { config, db, invitations: invited } = deps
  const { need, emit } = userCalls(deps)

  return new Elysia({ prefix: '/users' })
    .use(authed(deps))
    .onTransform(readNumbers)
    .post(
      '/',
      async ({ who, body: given, request, server }) => {
        demand(who, 'users:write')
        demandNotActing(who)
        const body = userWire.read(given)
        const { companyId } = who
        if (body.password) await demandStrong(db, companyId, body.password, [body.name, body.email])
        // Nobody knows it; who is invited chooses another.
        const passwordHash = await hashPassword(body.password || randomBytes(24).toString('base64url'))
        const address = callerAddress(request, server, config.trustProxy)
        const profile = body.roleId ? 'user' : (body.profile ?? 'user')
        const insert = async (tx: Tx) => {
          const role = body.roleId ? await lockRole(tx, companyId, body.roleId, 'share') : null
          demandCovers(who, { profile, role })
          await demandRoom(tx, companyId, 'users')
          await demandOwned(tx, companyId, 'queues', body.queueIds)
          await demandOwned(tx, companyId, 'tags', body.skillIds)
          await demandConnection(tx, companyId, body.whatsappId)
          const [row] = await tx
            .insert(users)
            .values({
              companyId,
              name: body.name.trim(),
              email: body.email.toLowerCase(),
              passwordHash,
              passwordIsKnown: Boolean(body.password),
              profile,
              roleId: body.roleId ?? null,
              allTicket: body.allTicket ?? false,
              whatsappId: body.whatsappId ?? null,
              capacity: body.capacity ?? null,
              skillIds: body.skillIds ?? [],
            })
            .returning({ id: users.id })
          const userId = row!.id
          await setQueues(tx, companyId, userId, body.queueIds ?? [])
          return { userId, code: body.password ? undefined : await invited.invite(tx, companyId, userId) }
        }
        const { userId: id, code } = await writeEmail(who, address, () => db.transaction(insert))
        const user = await need(who, id)
        emit('create', user)
        return {
          ...view(who, user),
          ...(code !== undefined && { invitation: invited.view(code) }),
        }
      },
      {
        body: newUser,
        detail: {
          tags,
          summary:
            'Make a user. Without a password they are invited: `invitation` has the code by which they choose one, told this once',
        },
      },
    )
    .post(
      '/:id/invitation',
      async ({ who, params }) => {
        demand(who, 'users:write')
        demandNotActing(who)
        const { companyId } = who
        const user = await need(who, params.id)
        if (user.super && !who.super) throw new DomainError('ERR_NO_PERMISSION')
        invited.count(companyId, user.id)
        const code = await db.transaction(async (tx) => {
          await demandNotAbove(tx, who, user)
          const again = await invited.inviteAgain(tx, companyId, user.id)
          await audit(tx, { companyId, action: 'update', entity: 'user', id: user.id })
          return again
        })
        return { ...view(who, user), invitation: invited.view(code) }
      },
      {
        params: idParams,
        detail: {
          tags,
          summary: 'Invite once more who has not come in yet: a new code, told this once; those before open nothing',
        },
      },
    )
}

function changes(deps: AppDeps, writeEmail: WriteEmail) {
  const { authLog, config, db, events, onRightsChanged, now } = deps
  const { need, emit } = userCalls(deps)
  const demandPassword = createPasswordProof(deps)

  return new Elysia({ prefix: '/users' })
    .use(authed(deps))
    .onTransform(readNumbers)
    .put(
      '/:id',
      async ({ who, params, body: given, request, server }) => {
        const { companyId } = who
        const body = userWire.read(given)
        const before = await need(who, params.id)
        const admin = can(who, 'users:write')
        if (!admin && before.id !== who.userId) throw new DomainError('ERR_NO_PERMISSION')
        if (before.super && !who.super) throw new DomainError('ERR_NO_PERMISSION')
        const change = userChange(before, body)
        for (const permission of change.needs) demand(who, permission)
        const address = callerAddress(request, server, config.trustProxy)
        const renamed = change.isRenamed
        if (renamed || body.password) demandNotActing(who)
        const self = before.id === who.userId
        if (self && (renamed || body.password)) await demandPassword(who, body.currentPassword, address)
        if (body.password) await demandStrong(db, companyId, body.password, [before.name, before.email])
        const passwordHash = body.password ? await hashPassword(body.password) : undefined

        const update = async (tx: Tx) => {
          await demandNotAbove(tx, who, before)
          await demandPlace(tx, who, before, change)
          await demandOwned(tx, companyId, 'queues', body.queueIds)
          await demandOwned(tx, companyId, 'tags', body.skillIds)
          await demandConnection(tx, companyId, body.whatsappId)
          await changeUser(tx, before, change, now())
          // The old mailbox opens nothing any more.
          if (renamed) await forgetCodes(tx, before.id)
          if (passwordHash) await setPassword(tx, before, passwordHash, now())
        }
        await (renamed ? writeEmail(who, address, () => db.transaction(update)) : db.transaction(update))
        const facts = { userId: before.id, companyId, address, ...(!self && { byUserId: who.userId }) }
        if (renamed) authLog('email', facts)
        if (passwordHash) authLog('password', facts)
        onRightsChanged(before.id)
        const user = await need(who, before.id)
        if (passwordHash)
          events.emit({ companyId, name: 'auth', action: 'logout', payload: {}, audience: { userId: user.id } })
        emit('update', user)
        return view(who, user)
      },
      {
        params: idParams,
        body: changedUser,
        detail: {
          tags,
          summary:
            'Change a user; everybody may change their own name, e-mail and password, the latter two with `currentPassword`',
        },
      },
    )
}

/** Who takes no conversations for a while. */
function absences(deps: AppDeps) {
  const { runCommand } = deps
  const { need, emit } = userCalls(deps)
  return new Elysia({ prefix: '/users' })
    .use(authed(deps))
    .onTransform(readNumbers)
    .put(
      '/:id/away',
      async ({ who, params, body, request }) => {
        await runCommand(who, {
          id: commandKey(request),
          name: 'users.setAway',
          input: { ...body, userId: params.id },
        })
        const user = await need(who, params.id)
        emit('update', user)
        return view(who, user)
      },
      {
        params: idParams,
        body: t.Omit(away, ['userId']),
        detail: {
          tags,
          summary:
            'Say that somebody takes no conversations until a moment, or until it is said again: everybody of themselves, supervisors and admins of all',
        },
      },
    )
}

/** A second factor that is lost, and a user who leaves. */
function removals(deps: AppDeps) {
  const { authLog, db, events, onRightsChanged, now } = deps
  const { need, emit } = userCalls(deps)
  return new Elysia({ prefix: '/users' })
    .use(authed(deps))
    .onTransform(readNumbers)
    .delete(
      '/:id/2fa',
      async ({ who, params }) => {
        demand(who, 'users:write')
        demandNotActing(who)
        const user = await need(who, params.id)
        // Their own they switch off with password and code.
        if (user.id === who.userId || (user.super && !who.super)) throw new DomainError('ERR_NO_PERMISSION')
        await db.transaction(async (tx) => {
          await demandNotAbove(tx, who, user)
          await forgetFactor(tx, who.companyId, user.id)
          await forgetPasskeys(tx, who.companyId, user.id)
        })
        onRightsChanged(user.id)
        emit('update', user)
        return view(who, await need(who, user.id))
      },
      {
        params: idParams,
        detail: { tags, summary: 'For who has lost phone, codes and keys: the next login asks for the password alone' },
      },
    )
    .delete(
      '/:id/provider',
      async ({ who, params }) => {
        demand(who, 'users:write')
        demandNotActing(who)
        const user = await need(who, params.id)
        if (user.super && !who.super) throw new DomainError('ERR_NO_PERMISSION')
        await db.transaction(async (tx) => {
          await demandNotAbove(tx, who, user)
          await forgetSubjects(tx, who.companyId, user.id)
        })
        emit('update', user)
        return view(who, await need(who, user.id))
      },
      {
        params: idParams,
        detail: {
          tags,
          summary:
            'For who has another account at the company’s provider: it knows them by whichever comes next with their e-mail',
        },
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
          await demandNotAbove(tx, who, user)
          if (user.profile === 'admin') {
            await demandOtherAdmin(tx, who.companyId, user.id)
            await demandNoBreakGlass(tx, who.companyId, user.id)
          }
          return deleteUser(tx, who, user.id, now())
        })
        authLog('deleted', { userId: user.id, companyId: who.companyId, byUserId: who.userId })
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

/**
 * With a password, or a mailbox for a new one, the operator who acts for somebody could come back without being seen.
 * @throws DomainError `ERR_IMPERSONATION_OWN`
 */
function demandNotActing(who: Principal): void {
  if (who.acting) throw new DomainError('ERR_IMPERSONATION_OWN')
}

/**
 * Nobody changes a colleague who may do more than they: with that one's password they could, too.
 * @throws DomainError `ERR_ROLE_GRANT`
 */
async function demandNotAbove(tx: Tx, who: Principal, user: UserRow): Promise<void> {
  if (user.id === who.userId) return
  const role = user.roleId === null ? null : await lockRole(tx, who.companyId, user.roleId, 'share')
  demandCovers(who, { profile: user.profile, role })
}

/**
 * That they may be placed so: nobody gives what they do not have, and neither the last admin goes nor the one who can do
 * without the provider.
 * @throws DomainError `ERR_ROLE_GRANT`, `ERR_NO_ROLE_FOUND`, `ERR_LAST_ADMIN`, `ERR_BREAK_GLASS_KEPT`
 */
async function demandPlace(tx: Tx, who: Principal, before: UserRow, change: UserChange): Promise<void> {
  const { profile = before.profile, roleId = before.roleId } = change.patch
  if (change.isPlacedAnew)
    demandCovers(who, { profile, role: roleId ? await lockRole(tx, who.companyId, roleId, 'share') : null })
  if (!change.isNoAdminAnyMore) return
  await demandOtherAdmin(tx, who.companyId, before.id)
  await demandNoBreakGlass(tx, who.companyId, before.id)
}

/** What they see of the user, as the wire spells it. */
function view(who: Principal, user: UserRow) {
  const shown = shownTo(who, user)
  return 'allTicket' in shown ? userWire.write(shown) : shown
}
