import type { Change } from '../commands/apply.ts'
import type { Db } from '../db/database.ts'
import type { Events } from '../events/bus.ts'
import type { Logger } from '../log.ts'
import { type ChatRow, findChat, findChatMessage } from './chats.queries.ts'

const membersOf = (chat: ChatRow) => chat.users.map(({ userId }) => userId)

/** Tells the members of a chat, and nobody else, what happened to it. */
export function chatEvents({ events }: { events: Pick<Events, 'emit'> }) {
  const toEach = (companyId: number, userIds: readonly number[], action: string, payload: Record<string, unknown>) => {
    for (const userId of userIds)
      events.emit({ companyId, name: `chat-user-${userId}`, action, payload, audience: { userId } })
  }
  const toAll = (companyId: number, chat: ChatRow, action: string, payload: Record<string, unknown>) => {
    for (const name of ['chat', `chat-${chat.id}`] as const)
      events.emit({ companyId, name, action, payload, audience: { userIds: membersOf(chat) } })
  }
  return {
    created: (companyId: number, chat: ChatRow) => toEach(companyId, membersOf(chat), 'create', { record: chat, chat }),
    /** @param before as it was: who is no longer in it learns that it is gone */
    updated(companyId: number, before: ChatRow, chat: ChatRow) {
      const was = membersOf(before)
      const are = membersOf(chat)
      const left = was.filter((id) => !are.includes(id))
      toEach(
        companyId,
        are.filter((id) => !was.includes(id)),
        'create',
        { record: chat, chat },
      )
      toEach(
        companyId,
        are.filter((id) => was.includes(id)),
        'update',
        { record: chat, chat },
      )
      toEach(companyId, left, 'delete', { id: chat.id })
      toAll(companyId, chat, 'update', { chat })
      if (left.length > 0)
        events.emit({
          companyId,
          name: 'chat',
          action: 'delete',
          payload: { id: chat.id },
          audience: { userIds: left },
        })
    },
    deleted(companyId: number, chat: ChatRow) {
      toEach(companyId, membersOf(chat), 'delete', { id: chat.id })
      toAll(companyId, chat, 'delete', { id: chat.id })
    },
    said: (companyId: number, chat: ChatRow, newMessage: unknown) =>
      toAll(companyId, chat, 'new-message', { newMessage, chat }),
    read: (companyId: number, chat: ChatRow) => toAll(companyId, chat, 'update', { chat }),
  }
}

/** Tells what commands changed in chats. Call it after the commit; it returns at once and keeps their order. */
export function chatEmitter({ db, events, log }: { db: Db; events: Pick<Events, 'emit'>; log: Logger }) {
  const emit = chatEvents({ events })
  let last: Promise<void> = Promise.resolve()

  async function emitChange({ companyId, table, id, chatId }: Change): Promise<void> {
    // A membership names its chat itself.
    const chat = await findChat(db, companyId, chatId ?? Number.parseInt(String(id)))
    // Deleted meanwhile, which is told by whoever deleted it.
    if (!chat) return
    if (table === 'chatUsers') return emit.read(companyId, chat)
    const message = await findChatMessage(db, companyId, String(id))
    if (message) emit.said(companyId, chat, message)
  }
  return (changes: readonly Change[]): void => {
    for (const change of changes) {
      if (change.table !== 'chatMessages' && change.table !== 'chatUsers') continue
      last = last.then(() => emitChange(change)).catch((err: unknown) => log.warn({ err }, 'a chat was not told of'))
    }
  }
}
