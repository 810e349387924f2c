import { Elysia } from 'elysia'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { DomainError, type ErrorCode } from '../../schema/errors.ts'
import { type Outgoing, asForm, outgoing } from '../../schema/external/external.inputs.ts'
import { isMultipart, readUpload, type UploadedFile } from '../http/body.ts'
import { givenKey } from '../http/commands.routes.ts'
import type { AppDeps } from '../http/deps.ts'
import { bearerOf } from '../http/guard.ts'
import { unlessRefused } from '../http/unless-refused.ts'
import { type ConnectionCaller, demandPrograms } from './external.callers.ts'

const check = TypeCompiler.Compile(outgoing)

/** What older programs show of a refusal: they know no codes. */
const words: Partial<Record<ErrorCode, string>> = {
  ERR_API_TOKEN: 'Acesso não permitido',
  ERR_VALIDATION: 'Os dados da mensagem não estão certos: o número só com dígitos, e um texto ou um arquivo',
  ERR_CHECK_NUMBER: 'Este número não tem WhatsApp',
  ERR_OPTED_OUT: 'Esta pessoa não quer receber mensagens em massa',
  ERR_BULK_STOPPED: 'O envio em massa desta conexão está parado até que alguém o retome',
  ERR_NEW_CHATS_HELD: 'O WhatsApp não deixa esta conexão começar conversas novas até o momento em until',
  ERR_WINDOW_CLOSED:
    'A pessoa escreveu há mais de 24 horas: por esta conexão não se pode escrever a ela desde o momento em closedAt',
  ERR_NO_TEMPLATE_FOUND: 'A conexão não tem um modelo com este nome neste idioma',
  ERR_TEMPLATE_STOPPED: 'Por este modelo nada é enviado agora: reason diz por quê',
  ERR_TEMPLATE_VALUES: 'Faltam valores de variáveis do modelo: missing diz quais',
  ERR_NO_QUEUE_FOUND: 'Não existe fila com este id',
  ERR_NO_USER_FOUND: 'Não existe usuário com este id',
  ERR_WAPP_NOT_INITIALIZED: 'A conexão não está ligada ao WhatsApp',
  ERR_WAPP_CHECK_CONTACT: 'O WhatsApp não respondeu se o número existe. Tente de novo',
  ERR_IDEMPOTENCY_MISMATCH: 'Esta chave de idempotência já foi usada com outra mensagem',
  ERR_TOO_MANY_REQUESTS: 'Chamadas demais. Espere e tente de novo',
  ERR_FILE_TOO_LARGE: 'O arquivo é grande demais',
  ERR_FILE_TYPE: 'O arquivo não é do tipo que diz ser',
  ERR_BODY_TOO_LARGE: 'A mensagem é grande demais',
  ERR_SUBSCRIPTION_EXPIRED: 'A assinatura da empresa venceu',
  ERR_COMPANY_OFF: 'A empresa foi desativada',
  ERR_PLAN_FEATURE: 'O plano da empresa não tem a API de mensagens',
}
const inWords = ({ code, params }: DomainError) =>
  new DomainError(code, { mensagem: words[code] ?? 'A mensagem não pôde ser enviada', ...params })

/** What is refused meanwhile is refused in words. */
const spoken = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof DomainError ? inWords(error) : error
  })

const refused = () => inWords(new DomainError('ERR_API_TOKEN'))

/** What programs send by a connection's token. */
export function externalRoutes(deps: AppDeps) {
  const { callers, config, facts, media, now } = deps

  const send = async (caller: ConnectionCaller, key: string | null, input: Outgoing, files: UploadedFile[]) => {
    const {
      number,
      body = '',
      template = null,
      queueId = null,
      userId = null,
      closeTicket = false,
      bulk = false,
    } = input
    const isText = /\S/.test(body) || files.length > 0
    if (isText === (template !== null))
      throw new DomainError('ERR_VALIDATION', {
        fields: [{ path: 'body/body', message: 'body or medias, or template' }],
      })
    const { id, ids, ticketId } = await deps.sendForProgram({
      ...{ ...caller, key: key === null ? null : `whatsapp ${caller.whatsappId} ${key}` },
      ...{ number, body, template, queueId, userId, closeTicket, bulk },
      files: files.map(({ path, name, mimetype, size }) => ({ path, name, mimetype, size, voice: false })),
    })
    return { mensagem: 'Mensagem enviada', id, ...(ids.length > 1 && { ids }), ticketId }
  }

  const answer = async (caller: ConnectionCaller, request: Request, body: unknown) => {
    const key = givenKey(request)
    if (!isMultipart(request)) return send(caller, key, inputOf(body), [])
    const { companyId, whatsappId } = caller
    const upload = await readUpload(request, {
      ...{ media, companyId, maxBytes: config.maxUploadBytes },
      // The same upload sent again lands in the same place.
      keyOf: (_fields, i) => (key === null ? undefined : `whatsapp ${whatsappId} ${key} ${i}`),
    })
    return unlessRefused(deps, upload.files, () => send(caller, key, inputOf(fieldsOf(upload.fields)), upload.files))
  }

  return new Elysia({ prefix: '/api' })
    .derive(async ({ request }) => {
      const caller = await callers.connection(bearerOf(request))
      if (!caller) throw refused()
      await spoken(demandPrograms(facts, caller.companyId, now()))
      return { caller }
    })
    .post('/messages/send', ({ caller, request, body }) => spoken(answer(caller, request, body)), {
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
    })
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
