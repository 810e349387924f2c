import { and, eq } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { changedProgramMessage, messageParams, messageSearch, reaction } from '../../schema/external/external.inputs.ts'
import { toApiMessage } from '../../schema/external/external.rows.ts'
import { type Message, messages } from '../../schema/messages/messages.table.ts'
import type { AppDeps } from '../http/deps.ts'
import { inAddress } from '../http/inputs.ts'
import { answerFile } from '../media/media.answer.ts'
import { servedType } from '../media/media-types.ts'
import { searchMessages } from '../messages/messages.queries.ts'
import { asAdmin, commandKeyOf, needs, programs } from './external.programs.routes.ts'

const PER_PAGE = 40

/** What programs read and change of what was said. */
export function programMessageRoutes(deps: AppDeps) {
  const { db, media, runCommand } = deps

  /** @throws DomainError `ERR_NO_MESSAGE_FOUND` */
  const messageOf = async (companyId: number, id: string): Promise<Message> => {
    const [message] = await db
      .select()
      .from(messages)
      .where(and(eq(messages.companyId, companyId), eq(messages.id, id)))
    if (!message) throw new DomainError('ERR_NO_MESSAGE_FOUND')
    return message
  }

  return new Elysia()
    .use(programs(deps))
    .get(
      '/messages',
      async ({ of, query: { search, ticketId, contactId, before, limit } }) => {
        const companyId = of('messages:read')
        const page = { ticketId, contactId, before, limit: limit ?? PER_PAGE }
        const { records, hasMore } = await searchMessages(db, companyId, search, page)
        return { records: records.map(toApiMessage), hasMore }
      },
      {
        query: inAddress(messageSearch),
        detail: needs(
          'searchMessages',
          'messages:read',
          'Messages that hold a text of three letters or more, the newest first',
          'Case and accents do not matter. `before` is the id of the last message of the page before.',
        ),
      },
    )
    .get('/messages/:id', async ({ of, params }) => toApiMessage(await messageOf(of('messages:read'), params.id)), {
      params: messageParams,
      detail: needs('getMessage', 'messages:read', 'One message'),
    })
    .get(
      '/messages/:id/file',
      async ({ of, params, request }) => {
        const message = await messageOf(of('messages:read'), params.id)
        const path = message.mediaState === 'ready' && !message.isDeleted ? message.mediaPath : null
        if (!path || !(await media.find(path)))
          throw new DomainError('ERR_NO_FILE_FOUND', { state: message.mediaState })
        const owner = { name: message.mediaName ?? 'file', mimetype: servedType(message.mediaMime), path }
        return answerFile(request, media, owner, true)
      },
      {
        params: messageParams,
        detail: needs(
          'getMessageFile',
          'messages:read',
          'The file of a message',
          'A received file is fetched from WhatsApp first: `message.file` tells when it is there, and `media.state` is then `ready`. Until then, and when it could not be fetched, 404 `ERR_NO_FILE_FOUND` with `state`.',
        ),
      },
    )
    .put(
      '/messages/:id',
      async ({ caller, of, params, body, request }) => {
        const companyId = of('messages:send')
        await runCommand(asAdmin(caller), {
          ...{ id: commandKeyOf(caller, request), name: 'messages.edit' },
          input: { messageId: params.id, body: body.body },
        })
        return toApiMessage(await messageOf(companyId, params.id))
      },
      {
        params: messageParams,
        body: changedProgramMessage,
        detail: needs('editMessage', 'messages:send', 'Change a text that was sent, for 15 minutes'),
      },
    )
    .delete(
      '/messages/:id',
      async ({ caller, of, params, request }) => {
        const companyId = of('messages:send')
        await runCommand(asAdmin(caller), {
          ...{ id: commandKeyOf(caller, request), name: 'messages.delete' },
          input: { messageId: params.id },
        })
        return toApiMessage(await messageOf(companyId, params.id))
      },
      {
        params: messageParams,
        detail: needs('deleteMessage', 'messages:send', 'Take a message that was sent back for everyone, for 60 hours'),
      },
    )
    .put(
      '/messages/:id/reaction',
      async ({ caller, of, params, body, request }) => {
        const companyId = of('messages:send')
        await runCommand(asAdmin(caller), {
          ...{ id: commandKeyOf(caller, request), name: 'messages.react' },
          input: { messageId: params.id, emoji: body.emoji },
        })
        return toApiMessage(await messageOf(companyId, params.id))
      },
      {
        params: messageParams,
        body: reaction,
        detail: needs(
          'reactToMessage',
          'messages:send',
          'React to a message, or take the reaction back with an empty emoji',
          'The ticket must be one that somebody serves (409 `ERR_TICKET_NOT_OPEN`).',
        ),
      },
    )
}
