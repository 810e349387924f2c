import { Elysia } from 'elysia'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { DomainError, statusOf } from '../../schema/errors.ts'
import { type Outgoing, asForm, outgoing } from '../../schema/external/external.inputs.ts'
import { discard, isMultipart, readUpload, type UploadedFile } from '../http/body.ts'
import { givenKey } from '../http/commands.routes.ts'
import type { AppDeps } from '../http/deps.ts'
import { bearerOf } from '../http/guard.ts'
import { usedMedia } from '../messages/messages.queries.ts'
import { type ConnectionCaller, demandPrograms } from './external.callers.ts'

const check = TypeCompiler.Compile(outgoing)

/** What older programs look for in a refusal. */
const refused = () => new DomainError('ERR_API_TOKEN', { mensagem: 'Acesso não permitido' })

/** What programs send by a connection's token. */
export function externalRoutes(deps: AppDeps) {
  const { callers, config, db, facts, media, now } = deps

  const send = async (caller: ConnectionCaller, key: string | null, input: Outgoing, files: UploadedFile[]) => {
    const { number, body = '', queueId = null, userId = null, closeTicket = false, bulk = false } = input
    if (!/\S/.test(body) && files.length === 0)
      throw new DomainError('ERR_VALIDATION', { fields: [{ path: 'body/body', message: 'body or medias' }] })
    const { id, ids, ticketId } = await deps.sendForProgram({
      ...{ ...caller, key: key === null ? null : `whatsapp ${caller.whatsappId} ${key}` },
      ...{ number, body, queueId, userId, closeTicket, bulk },
      files: files.map(({ path, name, mimetype, size }) => ({ path, name, mimetype, size, voice: false })),
    })
    return { mensagem: 'Mensagem enviada', id, ...(ids.length > 1 && { ids }), ticketId }
  }

  return new Elysia({ prefix: '/api' })
    .derive(async ({ request }) => {
      const caller = await callers.connection(bearerOf(request))
      if (!caller) throw refused()
      await demandPrograms(facts, caller.companyId, now())
      return { caller }
    })
    .post(
      '/messages/send',
      async ({ caller, request, body }) => {
        const key = givenKey(request)
        if (!isMultipart(request)) return send(caller, key, inputOf(body), [])
        const { companyId, whatsappId } = caller
        const upload = await readUpload(request, {
          ...{ media, companyId, maxBytes: config.maxUploadBytes },
          // The same upload sent again lands in the same place.
          keyOf: (_fields, i) => (key === null ? undefined : `whatsapp ${whatsappId} ${key} ${i}`),
        })
        try {
          return await send(caller, key, inputOf(fieldsOf(upload.fields)), upload.files)
        } catch (error) {
          if (error instanceof DomainError && statusOf(error) < 500) {
            const used = await usedMedia(
              db,
              upload.files.map(({ path }) => path),
            )
            await discard(media, { files: upload.files.filter(({ path }) => !used.has(path)) })
          }
          throw error
        }
      },
      {
        detail: {
          tags: ['messages'],
          summary: 'Send a text or files to a number, by the token of a connection',
          description:
            'The token is the connection’s own. The number is looked up on WhatsApp where no contact has it yet. The ' +
            'message goes into the contact’s active ticket, or a new one that waits; `queueId`, `userId` and ' +
            '`closeTicket` are for tickets that nobody has taken.',
          requestBody: {
            content: {
              'application/json': { schema: outgoing as object },
              'multipart/form-data': { schema: asForm(outgoing) as object },
            },
            required: true,
          },
        },
      },
    )
}

/** @throws DomainError `ERR_VALIDATION` */
function inputOf(body: unknown): Outgoing {
  if (check.Check(body)) return body
  const fields = [...check.Errors(body)].slice(0, 20).map(({ path, message }) => ({ path: `body${path}`, message }))
  throw new DomainError('ERR_VALIDATION', { fields })
}

/** A form has text only. */
function fieldsOf({ number, body, queueId, userId, closeTicket, bulk }: Record<string, string>): unknown {
  const id = (text: string | undefined) => (text ? Number(text) : undefined)
  return {
    ...{ number, body: body ?? '' },
    ...(queueId && { queueId: id(queueId) }),
    ...(userId && { userId: id(userId) }),
    ...(closeTicket && { closeTicket: closeTicket === 'true' }),
    ...(bulk && { bulk: bulk === 'true' }),
  }
}
