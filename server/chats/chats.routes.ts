import { and, eq } from 'drizzle-orm'
import { Elysia, t } from 'elysia'
import { postedChat, postedChatMessage } from '../../schema/chats/chats.inputs.ts'
import { chats } from '../../schema/chats/chats.table.ts'
import { DomainError } from '../../schema/errors.ts'
import { clientId, rowId } from '../../schema/inputs.ts'
import type { Principal } from '../../schema/permissions.ts'
import { demandFeature } from '../commands/plan-features.ts'
import { commandKey, rowIdFor } from '../http/commands.routes.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed } from '../http/guard.ts'
import { idParams, pageNumber, pageQuery } from '../http/inputs.ts'
import { chatEvents } from './chats.events.ts'
import { demandChat, demandOwnChat, findChatMessage, listChatMessages, listChats } from './chats.queries.ts'
import { setMembers } from './chats.writes.ts'

const tags = ['chats']
const ofCompany = (who: Principal, id: number) => and(eq(chats.companyId, who.companyId), eq(chats.id, id))

/** Everybody who is to be in the chat. @throws DomainError `ERR_VALIDATION` when that is its owner alone */
function membersOf(who: Principal, given: (typeof postedChat.static)['users']): number[] {
  const others = given.map((user) => (typeof user === 'number' ? user : user.id)).filter((id) => id !== who.userId)
  if (others.length === 0)
    throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'body/users', message: 'at least one colleague' }] })
  return [who.userId, ...others]
}

/** Conversations among colleagues; seen by those who are in them. */
export function chatRoutes(deps: AppDeps) {
  const { db, events, runCommand, now } = deps
  const emit = chatEvents({ events })
  const allowed = (who: Principal) => demandFeature(db, who.companyId, 'useInternalChat')

  return new Elysia({ prefix: '/chats' })
    .use(authed(deps))
    .get(
      '/',
      async ({ who, query }) => {
        await allowed(who)
        return listChats(db, who, { search: query.searchParam?.trim(), pageNumber: query.pageNumber ?? 1 })
      },
      { query: pageQuery, detail: { tags, summary: 'Own chats, the latest first, 20 a page' } },
    )
    .post(
      '/',
      async ({ who, body }) => {
        await allowed(who)
        const members = membersOf(who, body.users)
        const chat = await db.transaction(async (tx) => {
          const at = now()
          const [row] = await tx
            .insert(chats)
            .values({
              companyId: who.companyId,
              title: body.title.trim(),
              ownerId: who.userId,
              createdAt: at,
              updatedAt: at,
            })
            .returning({ id: chats.id })
          await setMembers(tx, who.companyId, row!.id, members)
          return demandChat(tx, who, row!.id)
        })
        emit.created(who.companyId, chat)
        return chat
      },
      { body: postedChat, detail: { tags, summary: 'Make a chat' } },
    )
    .put(
      '/:id',
      async ({ who, params, body }) => {
        await allowed(who)
        const { before, chat } = await db.transaction(async (tx) => {
          const before = await demandOwnChat(tx, who, params.id)
          await tx.update(chats).set({ title: body.title.trim() }).where(ofCompany(who, before.id))
          await setMembers(tx, who.companyId, before.id, membersOf(who, body.users))
          return { before, chat: await demandChat(tx, who, before.id) }
        })
        emit.updated(who.companyId, before, chat)
        return chat
      },
      { params: idParams, body: postedChat, detail: { tags, summary: 'Change title and members: its owner' } },
    )
    .delete(
      '/:id',
      async ({ who, params }) => {
        await allowed(who)
        const chat = await db.transaction(async (tx) => {
          const own = await demandOwnChat(tx, who, params.id)
          await tx.delete(chats).where(ofCompany(who, own.id))
          return own
        })
        emit.deleted(who.companyId, chat)
        return {}
      },
      { params: idParams, detail: { tags, summary: 'Delete a chat with its messages: its owner' } },
    )
    .get(
      '/:id/messages',
      async ({ who, params, query }) => {
        await allowed(who)
        const chat = await demandChat(db, who, params.id)
        return listChatMessages(db, chat.id, { pageNumber: query.pageNumber ?? 1, before: query.before })
      },
      {
        params: idParams,
        query: t.Object({ pageNumber, before: t.Optional(clientId) }),
        detail: { tags, summary: 'Messages, 20 a page: the newest page first, oldest first inside it' },
      },
    )
    .post(
      '/:id/messages',
      async ({ who, params, body, request }) => {
        const key = commandKey(request)
        const id = body.id ?? rowIdFor(who, key)
        await runCommand(who, { id: key, name: 'chats.send', input: { id, chatId: params.id, message: body.message } })
        const message = await findChatMessage(db, who.companyId, id)
        if (!message) throw new DomainError('ERR_NO_MESSAGE_FOUND')
        return message
      },
      {
        params: idParams,
        body: postedChatMessage,
        detail: { tags, summary: 'Write to the members' },
      },
    )
    .post(
      '/:id/read',
      async ({ who, params, request }) => {
        await runCommand(who, { id: commandKey(request), name: 'chats.read', input: { chatId: params.id } })
        return demandChat(db, who, params.id)
      },
      {
        params: idParams,
        // Older clients say who they are; whoever calls is meant.
        body: t.Optional(t.Object({ userId: t.Optional(rowId) })),
        detail: { tags, summary: 'Everything in the chat is read by the caller' },
      },
    )
}
