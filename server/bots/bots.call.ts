import { type Outside, type OutsideCall, OutsideError, type OutsideFailure } from '../outside/outside.ts'
import { type Answer, below as addressBelow, callOutside, shortWord } from '../outside/outside.call.ts'
import { BotFailed, type BotFailure, type BotFailureReason, fail } from './bots.answer.ts'

/** What every adapter needs of the world. */
export interface BotDeps {
  outside: Pick<Outside, 'fetch'>
  now(): Date
  /** For tests, which do not wait. */
  sleep?(ms: number): Promise<void>
  /** Where the services are whose address no admin names; for tests. Without a slash at the end. */
  bases?: { azure?: string; googleToken?: string; dialogflow?: string; asaas?: string } | undefined
}

export type BotReply = Answer

const reasons: Record<OutsideFailure, BotFailureReason> = {
  address: 'address',
  inside: 'address',
  unknown_host: 'unreachable',
  unreachable: 'unreachable',
  timeout: 'timeout',
  too_large: 'too_large',
  redirects: 'refused',
}

/** A call that came to nothing, as a bot's failure. */
export function failureOf(error: unknown): unknown {
  if (!(error instanceof OutsideError)) return error
  return fail(error.isPassing ? 'again' : 'final', reasons[error.failure], error.message)
}

/**
 * Calls a service and reads all of its answer, whatever its status.
 * @throws BotFailed when nothing was answered
 */
export async function callBot(deps: BotDeps, address: string, call: OutsideCall = {}): Promise<BotReply> {
  try {
    return await callOutside(deps.outside, address, call)
  } catch (error) {
    throw failureOf(error)
  }
}

/** The same, of bytes. */
export async function callForBytes(deps: BotDeps, address: string, call: OutsideCall) {
  try {
    const response = await deps.outside.fetch(address, call)
    const bytes = new Uint8Array(await response.arrayBuffer())
    return { status: response.status, headers: response.headers, bytes, host: new URL(address).hostname }
  } catch (error) {
    throw failureOf(error)
  }
}

/** Why such an answer is none. @param code a short word of the service for it, such as `model_not_found` */
export function refusalOf(reply: Pick<BotReply, 'status' | 'headers' | 'host'>, code?: unknown): BotFailed {
  const { status, host, headers } = reply
  const word = shortWord(code)
  const [failed, why] = reasonOf(status, word)
  const afterMs = failed === 'again' ? retryAfter(headers) : undefined
  return new BotFailed({
    ...{ failed, why, says: `${host} answers ${status}${word ? ` (${word})` : ''}`, status },
    ...(word && { code: word }),
    ...(afterMs !== undefined && { afterMs }),
  })
}

function reasonOf(status: number, code: string | undefined): [BotFailure['failed'], BotFailureReason] {
  if (status === 401 || status === 403) return ['final', 'credentials']
  if (status === 404 || status === 410) return ['final', 'not_found']
  if (status === 429) return [code === 'insufficient_quota' ? 'final' : 'again', 'limit']
  if (status === 408 || status === 425 || status >= 500) return ['again', 'broken']
  return ['final', 'refused']
}

/** An answer that is not what the service promises. Asking again would not help. */
export const unreadable = ({ host }: { host: string }): BotFailed =>
  fail('final', 'unreadable', `${host} answers something that cannot be read`)

/** Milliseconds; a day at most. A date is not understood: services that limit calls send seconds. */
export function retryAfter(headers: Headers): number | undefined {
  const seconds = headers.get('retry-after')
  return seconds && /^\d{1,6}(\.\d{1,3})?$/.test(seconds) ? Math.min(Number(seconds), 86_400) * 1000 : undefined
}

/** An address below another that an admin has written. @throws BotFailed where it cannot be read */
export function below(base: string, path: string): string {
  if (!URL.canParse(base)) throw fail('final', 'address', 'the address cannot be read')
  return addressBelow(base, path)
}
