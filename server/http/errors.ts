import { Elysia } from 'elysia'
import { DomainError, type ErrorCode, errorStatus, statusOf } from '../../schema/errors.ts'
import { actorNow } from '../actor.ts'
import { failuresIn } from '../db/failures.ts'
import type { Logger } from '../log.ts'
import { requestIdOf } from './request-id.ts'

/** Which code a broken rule of the database stands for, where two requests at once can break it. */
const constraintCodes: Record<string, ErrorCode> = {
  companies_name: 'ERR_COMPANY_ALREADY_EXISTS',
  roles_name: 'ERR_ROLE_NAME_ALREADY_EXISTS',
  plans_name_unique: 'ERR_PLAN_ALREADY_EXISTS',
  users_email: 'ERR_DUPLICATED_EMAIL',
  contact_lists_name: 'ERR_CONTACT_LIST_NAME_ALREADY_EXISTS',
  contact_list_items_number: 'ERR_DUPLICATED_CONTACT',
  segments_name: 'ERR_SEGMENT_NAME_ALREADY_EXISTS',
  queues_name: 'ERR_QUEUE_NAME_ALREADY_EXISTS',
  queues_color: 'ERR_QUEUE_COLOR_ALREADY_EXISTS',
  custom_fields_name: 'ERR_FIELD_NAME_TAKEN',
  tags_name: 'ERR_TAG_NAME_ALREADY_EXISTS',
  quick_messages_own: 'ERR_QUICK_MESSAGE_ALREADY_EXISTS',
  quick_messages_general: 'ERR_QUICK_MESSAGE_ALREADY_EXISTS',
  prompts_name: 'ERR_PROMPT_NAME_ALREADY_EXISTS',
  queue_integrations_name: 'ERR_INTEGRATION_NAME_ALREADY_EXISTS',
  whatsapps_name: 'ERR_WAPP_NAME_ALREADY_EXISTS',
  cloud_numbers_phone: 'ERR_CLOUD_TAKEN',
  contacts_number: 'ERR_DUPLICATED_CONTACT',
  contacts_lid: 'ERR_DUPLICATED_CONTACT',
  tickets_one_active: 'ERR_OTHER_OPEN_TICKET',
}

const lostDatabase = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
])

/** What a failure is called on the wire, or undefined for a bug of ours. */
export function asDomainError(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error
  const failure = failuresIn(error).find(({ code }) => typeof code === 'string')
  if (failure?.code === undefined) return undefined
  const { code, constraint_name: constraint } = failure
  if (code === '23505')
    return new DomainError((constraint && constraintCodes[constraint]) || 'ERR_IDEMPOTENCY_MISMATCH')
  // A row that the input names went away between looking and writing.
  if (code === '23503') return new DomainError('ERR_NOT_FOUND')
  // Text that Postgres cannot hold (NUL, half a character) or a number beyond its type.
  if (/^22(021|003|P02|P05|007|008|023)$/.test(code)) return new DomainError('ERR_VALIDATION', { fields: [] })
  if (code === '53100') return new DomainError('ERR_STORAGE_FULL')
  if (lostDatabase.has(code) || /^(08|57P0|53[23]00|25006)/.test(code)) return new DomainError('ERR_UNAVAILABLE')
  return undefined
}

interface FieldError {
  path: string
  message: string
}

/** Which fields are wrong and why; never their values, which may be secrets. */
function fieldErrors(error: { type?: string; all?: unknown }): FieldError[] {
  let all: unknown
  try {
    all = error.all
  } catch {
    all = undefined
  }
  if (!Array.isArray(all)) return []
  return (all as { path?: unknown; schema?: unknown }[]).slice(0, 20).map((item) => ({
    path: `${error.type ?? ''}${typeof item.path === 'string' ? item.path : ''}`,
    message: rule(item.schema as Record<string, unknown> | undefined),
  }))
}

/** The number of an address that is out of its bounds: the framework tells its value only. */
function numberIn(address: { [part: string]: unknown }, value: unknown): string {
  for (const [part, fields] of Object.entries(address))
    for (const [name, text] of Object.entries(fields ?? {})) if (Number(text) === value) return `${part}/${name}`
  return 'query'
}

/** The rule that was broken, in the schema's own words. */
function rule(schema: Record<string, unknown> | undefined): string {
  if (!schema) return 'invalid'
  const shownKeys = ['type', 'minLength', 'maxLength', 'minimum', 'maximum', 'pattern', 'format']
    .filter((key) => typeof schema[key] === 'string' || typeof schema[key] === 'number')
    .map((key) => `${key} ${String(schema[key])}`)
  return shownKeys.join(', ') || 'invalid'
}

/** Answers every failure as `{error: CODE, …params}`, once, for all routes. */
export function errorAnswers(log: Logger) {
  const noteRefusal = refusalLog(log)
  return new Elysia({ name: 'errors' }).onError({ as: 'global' }, ({ code, error, set, request, query, params }) => {
    const answer = (domain: DomainError) => {
      set.status = statusOf(domain)
      noteRefusal(domain, request)
      set.headers['cache-control'] = 'no-store'
      if (typeof domain.params.retryAfter === 'number') set.headers['retry-after'] = String(domain.params.retryAfter)
      if (domain.code === 'ERR_UNAVAILABLE') set.headers['retry-after'] = '2'
      return { error: domain.code, ...domain.params }
    }
    switch (code) {
      case 'NOT_FOUND':
        return answer(new DomainError('ERR_NOT_FOUND'))
      case 'VALIDATION':
        return answer(
          new DomainError('ERR_VALIDATION', {
            fields: fieldErrors(error).map(({ path, message }) => ({
              path: path === 'property' ? numberIn({ query, params }, error.value) : path,
              message,
            })),
          }),
        )
      case 'PARSE':
      case 'INVALID_COOKIE_SIGNATURE':
      case 'INVALID_FILE_TYPE':
        // What the reading of a body throws comes wrapped.
        if (error.cause instanceof DomainError) return answer(error.cause)
        return answer(new DomainError('ERR_VALIDATION', { fields: [{ path: 'body', message: 'unreadable' }] }))
    }
    const domain = asDomainError(error)
    if (domain) {
      if (domain.code !== 'ERR_UNAVAILABLE') return answer(domain)
      log.warn({ err: error, path: pathOf(request) }, 'no database for a request')
      return { ...answer(domain), requestId: requestIdOf(request) }
    }
    const requestId = requestIdOf(request)
    log.error({ err: error, method: request.method, path: pathOf(request) }, 'a request failed')
    set.headers['x-request-id'] = requestId
    set.status = errorStatus.INTERNAL_SERVER_ERROR
    return { error: 'INTERNAL_SERVER_ERROR', requestId }
  })
}

/** So often at most it is said that somebody calls too often: a flood is not to fill the log. */
const FLOOD_TOLD_MS = 60_000

/** Writes down what somebody may not: of a missing right each, of calls too many one a minute. */
export function refusalLog(log: Logger): (refusal: DomainError, request: Request) => void {
  let nextAt = 0
  return (refusal, request) => {
    const status = statusOf(refusal)
    const isFlood = refusal.code === 'ERR_TOO_MANY_REQUESTS'
    // A token that has run out is renewed a dozen times a day.
    if (!isFlood && (status !== 403 || refusal.code === 'ERR_TOKEN_EXPIRED')) return
    if (isFlood) {
      if (performance.now() < nextAt) return
      nextAt = performance.now() + FLOOD_TOLD_MS
    }
    const actor = actorNow()
    const who = actor && { ...('id' in actor && { [actor.kind]: actor.id }), address: actor.ip }
    log.info({ refused: refusal.code, method: request.method, path: pathOf(request), ...who }, 'a call was refused')
  }
}

/** Paths of older clients that hold e-mails, codes and passwords, and of connections that nobody else is to know. */
const withSecret = /^(\/(?:resetpasswords|forgetpassword|cloud-api))\/.*/s

/** Without the query, which may hold a token. */
export function pathOf(request: Request): string {
  return URL.canParse(request.url) ? new URL(request.url).pathname.replace(withSecret, '$1/…') : ''
}
