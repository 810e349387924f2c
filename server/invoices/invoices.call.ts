import type { PaymentFailure } from '../../schema/invoices/invoices.failure.ts'
import { type Answer, callOutside, shortWord } from '../outside/outside.call.ts'
import { type Outside, type OutsideCall, OutsideError } from '../outside/outside.ts'

/** What the adapters of payment services need of the world. */
export interface CallDeps {
  outside: Pick<Outside, 'fetch'>
  now(): Date
}

/** A payment service that did not do what it was asked. */
export class PaymentFailed extends Error {
  /** What the service answered, as it said it: its status and a short word; or the network's word. Empty for neither. */
  readonly answer: string

  constructor(
    readonly why: PaymentFailure,
    /** In our words, for the log: with the host's name and nothing of its answer but a short code. */
    message: string,
    { answer: detail = '', ...options }: ErrorOptions & { answer?: string } = {},
  ) {
    super(message, options)
    this.name = 'PaymentFailed'
    this.answer = detail
  }
}

export type Reply = Omit<Answer, 'headers'>

/**
 * Calls a service and reads all of its answer, whatever its status.
 * @throws PaymentFailed when nothing was answered
 */
export async function callService({ outside }: CallDeps, address: string, call: OutsideCall): Promise<Reply> {
  try {
    return await callOutside(outside, address, call)
  } catch (cause) {
    if (!(cause instanceof OutsideError)) throw cause
    const detail = wordOf((cause.cause as { code?: unknown } | undefined)?.code)
    throw new PaymentFailed(silenceOf(cause, detail, call.identity !== undefined), cause.message, {
      cause,
      answer: detail,
    })
  }
}

/** Why nothing was answered. A service that does not take a certificate often says no more than that it hangs up. */
function silenceOf({ failure }: OutsideError, word: string, isIdentified: boolean): PaymentFailure {
  if (failure === 'timeout') return 'timeout'
  if (failure !== 'unreachable') return 'unreachable'
  if (isIdentified && /ECONNRESET|EPIPE|EPROTO|ALERT/.test(word)) return 'certificate'
  return /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO/.test(word) ? 'untrusted' : 'unreachable'
}

const wordOf = (code: unknown): string => shortWord(code) ?? ''

/** Why such an answer is none. @param code a short word of the service for it, such as `txid_duplicado` */
export function refusalOf({ status, host }: Reply, code: unknown): PaymentFailed {
  const detail = [status, wordOf(code)].filter(Boolean).join(' ')
  const why =
    status === 401 || status === 403 ? 'credentials' : status === 429 ? 'limit' : status >= 500 ? 'broken' : 'refused'
  return new PaymentFailed(why, `${host} answers ${detail}`, { answer: detail })
}

export const unreadable = ({ host, status }: Reply): PaymentFailed =>
  new PaymentFailed('unreadable', `${host} answers something that cannot be read`, { answer: String(status) })
