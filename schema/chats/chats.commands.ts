import { Type } from '@sinclair/typebox'
import { command, type FactReader } from '../command.ts'
import { DomainError } from '../errors.ts'
import { clientId, rowId } from '../inputs.ts'
import type { Principal } from '../permissions.ts'
import { chatText } from './chats.inputs.ts'
import { type Chat, type ChatUser, chatUserId } from './chats.table.ts'

/** @throws DomainError `ERR_NO_CHAT_FOUND`, and `ERR_FORBIDDEN` to a colleague who is not in it */
async function membership(read: FactReader, chatId: number, who: Principal): Promise<{ chat: Chat; member: ChatUser }> {
  const chat = await read.need('chats', chatId)
  const member = await read.get('chatUsers', chatUserId(chatId, who.userId))
  if (!member) throw new DomainError('ERR_FORBIDDEN')
  return { chat, member }
}

export const chatCommands = {
  /** That it is unread for the others is counted where their rows are: in the database. */
  'chats.send': command({
    name: 'chats.send',
    needs: null,
    feature: 'useInternalChat',
    input: Type.Object({ id: clientId, chatId: rowId, message: chatText }, { additionalProperties: false }),
    facts: ({ chatId }, read, who) => membership(read, chatId, who),
    decide: ({ id, message }, { chat }, { who, now }) => ({
      rows: [
        {
          table: 'chatMessages',
          op: 'insert',
          values: { id, companyId: who.companyId, chatId: chat.id, senderId: who.userId, message, createdAt: now },
        },
        { table: 'chats', op: 'update', ids: [chat.id], values: { lastMessage: message, updatedAt: now } },
      ],
      effects: [{ kind: 'push.notify', chatMessageId: id }],
      result: { id },
    }),
  }),

  /**
   * `seen`: how many unread messages were before the reader's eyes; without it, all. What came while the command was
   * on its way stays unread.
   */
  'chats.read': command({
    name: 'chats.read',
    needs: null,
    feature: 'useInternalChat',
    input: Type.Object({ chatId: rowId, seen: Type.Optional(rowId) }, { additionalProperties: false }),
    facts: ({ chatId }, read, who) => membership(read, chatId, who),
    decide: ({ seen = Infinity }, { member }, { now }) => ({
      rows:
        member.unreads === 0
          ? []
          : [
              {
                table: 'chatUsers',
                op: 'update',
                ids: [member.id],
                values: { unreads: Math.max(0, member.unreads - seen), readAt: now },
              },
            ],
      effects: [],
    }),
  }),
}
