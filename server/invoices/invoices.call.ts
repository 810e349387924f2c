import { type Outside, type OutsideCall, OutsideError } from '../outside/outside.ts'

/** What the adapters of payment services need of the world. */
export interface CallDeps {
  outside: Pick<Outside, 'fetch'>
  now(): Date
}

/**
 * - `unreachable`: the call came to nothing; `credentials`: the keys are refused; `limit`: too many calls
 * - `refused`: it says no; `broken`: it failed itself; `unreadable`: its answer is none
 */
export type PaymentFailure = 'unreachable' | 'credentials' | 'limit' | 'refused' | 'broken' | 'unreadable'

/** A payment service that did not do what it was asked. */
export class PaymentFailed extends Error {
  constructor(
    readonly why: PaymentFailure,
    /** In our words, with the host's name and nothing of its answer but a short code. */
    readonly says: string,
    options?: ErrorOptions,
  ) {
    super(says, options)
    this.name = 'PaymentFailed'
  }
}

export interface Reply {
  status: number
  /** Parsed where it is JSON, else its text. */
  body: unknown
  host: string
}

/**
 * Calls a service and reads all of its answer, whatever its status.
 * @throws PaymentFailed when nothing was answered
 */
export async function callService({ outside }: CallDeps, address: string, call: OutsideCall): Promise<Reply> {
  try {
    const response = await outside.fetch(address, call)
    const text = await response.text()
    return { status: response.status, body: parsed(text), host: new URL(address).hostname }
  } catch (cause) {
    if (!(cause instanceof OutsideError)) throw cause
    throw new PaymentFailed('unreachable', cause.message, { cause })
  }
}

export const isGood = ({ status }: Reply): boolean => status >= 200 && status < 300

/** Why such an answer is none. @param code a short word of the service for it, such as `txid_duplicado` */
export function refusalOf({ status, host }: Reply, code: unknown): PaymentFailed {
  const word = typeof code === 'string' && /^[\w.-]{1,60}$/.test(code) ? ` (${code})` : ''
  const why =
    status === 401 || status === 403 ? 'credentials' : status === 429 ? 'limit' : status >= 500 ? 'broken' : 'refused'
  return new PaymentFailed(why, `${host} answers ${status}${word}`)
}

export const unreadable = ({ host }: Reply): PaymentFailed =>
  new PaymentFailed('unreadable', `${host} answers something that cannot be read`)

/** An address below another, which may end in a slash. */
export function below(base: string, path: string, query: Record<string, string> = {}): string {
  const url = new URL(base)
  let folder = url.pathname
  while (folder.endsWith('/')) folder = folder.slice(0, -1)
  url.pathname = folder + path
  url.search = new URLSearchParams(query).toString()
  return url.href
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
