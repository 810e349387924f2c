import { Elysia, t } from 'elysia'
import { DomainError } from '../../schema/errors.ts'
import { messageBody, messageId } from '../../schema/inputs.ts'
import type { Principal } from '../../schema/permissions.ts'
import { isMultipart, readUpload, type UploadedFile } from '../http/body.ts'
import { commandKey, rowIdFor } from '../http/commands.routes.ts'
import type { AppDeps } from '../http/deps.ts'
import { authed, byReading } from '../http/guard.ts'
import { flag, pageNumber, searchParam, ticketIdParams } from '../http/inputs.ts'
import { unlessRefused } from '../http/unless-refused.ts'
import { findTicket } from '../tickets/tickets.queries.ts'
import { findMessage, listMessages, placesIn, wholeText } from './messages.queries.ts'

const tags = ['messages']
const messageParams = t.Object({ id: messageId })

interface Sending {
  body: string
  quotedMsgId: string | null
  files: UploadedFile[]
}

/** A conversation: read it, write in it, change what was written. */
export const messageRoutes = (deps: AppDeps) =>
  new Elysia().use(readMessages(deps)).use(writeMessages(deps)).use(changeMessages(deps))

async function need(db: AppDeps['db'], who: Principal, id: string) {
  const message = await findMessage(db, who, id)
  if (!message) throw new DomainError('ERR_NO_MESSAGE_FOUND')
  return message
}

function readMessages(deps: AppDeps) {
  const { db, runCommand } = deps

  return new Elysia({ prefix: '/messages' })
    .use(authed(deps))
    .get(
      '/:ticketId',
      async ({ who, params, query }) => {
        const ticket = await findTicket(db, who, { id: params.ticketId })
        if (!ticket) throw new DomainError('ERR_NO_TICKET_FOUND')
        const page = await listMessages(db, who.companyId, ticket.id, {
          pageNumber: query.pageNumber ?? 1,
          before: query.before,
          after: query.after,
          around: query.around,
        })
        const unseen =
          ticket.userId === who.userId && query.seen !== 'false'
            ? page.messages.filter((message) => !message.fromMe && !message.read).map((message) => message.id)
            : []
        if (unseen.length > 0)
          await byReading(who, () =>
            runCommand(who, { id: crypto.randomUUID(), name: 'tickets.read', input: { ticketId: ticket.id } }),
          )
        return { ...page, ticket }
      },
      {
        params: ticketIdParams,
        query: t.Object({
          pageNumber,
          before: t.Optional(messageId),
          after: t.Optional(messageId),
          around: t.Optional(messageId),
          seen: flag,
        }),
        detail: {
          tags,
          summary: 'Messages, newest page first, 20 a page; reading marks them read for the ticket’s agent',
          description:
            'Beside a message: `before`, `after`, or `around` it, which answers a page on either side and `hasNewer`. ' +
            '`hasMore` is about what is older, with `after` about what is newer. With `seen=false` nothing is marked as read.',
        },
      },
    )
    .get(
      '/search/:ticketId',
      async ({ who, params, query }) => {
        const ticket = await findTicket(db, who, { id: params.ticketId })
        if (!ticket) throw new DomainError('ERR_NO_TICKET_FOUND')
        const search = query.searchParam?.trim() ?? ''
        return { found: search.length < 3 ? [] : await placesIn(db, who.companyId, ticket.id, search) }
      },
      {
        params: ticketIdParams,
        query: t.Object({ searchParam }),
        detail: { tags, summary: 'Where a text of three letters or more stands in a ticket, the newest first' },
      },
    )
    .get(
      '/text/:id',
      async ({ who, params }) => {
        const message = await need(db, who, params.id)
        return { id: message.id, body: await wholeText(db, message) }
      },
      {
        params: messageParams,
        detail: { tags, summary: 'All of what a message says, when its `body` is only the beginning' },
      },
    )
}

/**
 * One message for each file, or one for the text. `quotedMsg` of a form is JSON text of the message or its id. The
 * id of each message follows from the caller's key, so that a repeated request is the same messages.
 */
async function send(
  { db, runCommand }: AppDeps,
  who: Principal,
  ticketId: number,
  key: string,
  { body, quotedMsgId, files }: Sending,
) {
  const ids: string[] = []
  for (const [i, file] of (files.length > 0 ? files : [undefined]).entries()) {
    const commandId = i === 0 ? key : `${key}-${i}`
    const id = rowIdFor(who, commandId)
    const input = {
      id,
      ticketId,
      // The caption stands under the first of several; what follows goes by its name.
      body: file && files.length > 1 && (body === '' || i > 0) ? file.name : body,
      quotedMsgId,
      ...(file && {
        file: { path: file.path, name: file.name, mimetype: file.mimetype, size: file.size, voice: isVoice(file) },
      }),
    }
    await runCommand(who, { id: commandId, name: 'messages.send', input })
    ids.push(id)
  }
  return { messages: await Promise.all(ids.map((id) => findMessage(db, who, id))) }
}

function writeMessages(deps: AppDeps) {
  const { db, media, config } = deps

  return new Elysia({ prefix: '/messages' }).use(authed(deps)).post(
    '/:ticketId',
    async ({ who, params, request, body: json }) => {
      const key = commandKey(request)
      if (!isMultipart(request)) {
        const { body, quotedMsg } = (json ?? {}) as Record<string, unknown>
        return send(deps, who, params.ticketId, key, {
          body: textOf(body),
          quotedMsgId: quotedIdOf(quotedMsg),
          files: [],
        })
      }
      // Before any byte is stored: the ticket must be one to write to.
      const ticket = await findTicket(db, who, { id: params.ticketId })
      if (!ticket) throw new DomainError('ERR_NO_TICKET_FOUND')
      const upload = await readUpload(request, {
        media,
        companyId: who.companyId,
        maxBytes: config.maxUploadBytes,
        keyOf: (_fields, i) => `${who.userId} ${key} ${i}`,
      })
      // Of several files the first may have gone out before a later one was refused.
      return unlessRefused(deps, upload.files, async () => {
        const { body, quotedMsg } = upload.fields
        return send(deps, who, params.ticketId, key, {
          body: textOf(body),
          quotedMsgId: quotedIdOf(quotedMsg),
          files: upload.files,
        })
      })
    },
    {
      params: ticketIdParams,
      detail: {
        tags,
        summary: 'Write to the contact of an open ticket: a text, or files with a caption',
        requestBody: {
          content: {
            'application/json': {
              schema: t.Object({ body: t.String(), quotedMsg: t.Optional(t.Object({ id: t.String() })) }),
            },
            'multipart/form-data': {
              schema: t.Object({
                medias: t.Array(t.String({ format: 'binary' }), { maxItems: 20 }),
                body: t.Optional(t.String({ description: 'The caption' })),
                quotedMsg: t.Optional(t.String({ description: 'Id of the message answered to' })),
              }),
            },
          },
          required: true,
        },
      },
    },
  )
}

function changeMessages(deps: AppDeps) {
  const { db, runCommand } = deps

  return new Elysia({ prefix: '/messages' })
    .use(authed(deps))
    .post(
      '/edit/:id',
      async ({ who, params, body, request }) => {
        await runCommand(who, {
          id: commandKey(request),
          name: 'messages.edit',
          input: { messageId: params.id, body: body.body },
        })
        return need(db, who, params.id)
      },
      {
        params: messageParams,
        body: t.Object({ body: messageBody }),
        detail: { tags, summary: 'Change the text of an own message, for 15 minutes' },
      },
    )
    .put(
      '/:id',
      async ({ who, params, request }) => {
        const message = await need(db, who, params.id)
        if (!message.fromMe && !message.read)
          await runCommand(who, {
            id: commandKey(request),
            name: 'tickets.read',
            input: { ticketId: message.ticketId, seen: [message.id] },
          })
        return need(db, who, params.id)
      },
      { params: messageParams, detail: { tags, summary: 'Mark one message read' } },
    )
    .delete(
      '/:id',
      async ({ who, params, request }) => {
        await runCommand(who, { id: commandKey(request), name: 'messages.delete', input: { messageId: params.id } })
        return need(db, who, params.id)
      },
      { params: messageParams, detail: { tags, summary: 'Take an own message back for everyone' } },
    )
}

/** @throws DomainError `ERR_VALIDATION` */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string')
    throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'body/body', message: 'text' }] })
  return value
}

/** The message answered to: clients send the whole message, its JSON text, or its id. */
function quotedIdOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'string' && !value.startsWith('{')) return value
  try {
    const { id } = (typeof value === 'string' ? JSON.parse(value) : value) as { id?: unknown }
    return typeof id === 'string' ? id : null
  } catch {
    return null
  }
}

/** Recorders of the family's clients name what they record so. */
const isVoice = (file: UploadedFile) =>
  file.mimetype.startsWith('audio/') && /^(audio-record-site|voice)/.test(file.name)
