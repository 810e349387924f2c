import { isRecord } from '../outside/outside.call.ts'

/** What the Graph, in which the official API lies, answers to calls of ours. */
export interface GraphDeps {
  /** Where it is, without version and without a slash at its end. */
  base: string
  timeoutMs?: number
}

/** Where a call goes, and with whose right. */
export interface GraphAccess {
  version: string
  token: string
}

/** It refused, and said why. */
export class GraphError extends Error {
  override readonly name = 'GraphError'
  constructor(
    readonly code: number | undefined,
    readonly status: number,
    /** As the service words it; for logs and for the admin who sets a number up. */
    readonly details: string,
    readonly traceId: string | undefined,
    /** What of the call it refuses, where it says so. */
    readonly subcode?: number,
  ) {
    super(`the official API refused: ${code ?? status} ${details}`)
  }
}

/** The call came to nothing. `isAsked`: the service may have done what it was asked for, and only its answer was lost. */
export class GraphSilence extends Error {
  override readonly name = 'GraphSilence'
  constructor(
    readonly isAsked: boolean,
    options?: ErrorOptions,
  ) {
    super('the official API did not answer', options)
  }
}

export type Graph = ReturnType<typeof createGraph>

const TIMEOUT_MS = 30_000
/** Files of 100 MB take their time. */
const UPLOAD_MS = 300_000
const MOST_ANSWER_BYTES = 1_000_000
const DETAILS_LENGTH = 500

/** Before these nothing of a call has left. */
const unasked = new Set(['ConnectionRefused', 'ECONNREFUSED', 'ENOTFOUND', 'FailedToOpenSocket', 'EAI_AGAIN'])

/** The only way by which this folder calls the service. */
export function createGraph({ base, timeoutMs = TIMEOUT_MS }: GraphDeps) {
  /**
   * @param path without the version, such as `123/messages`
   * @throws GraphError, GraphSilence
   */
  async function call(
    { version, token }: GraphAccess,
    path: string,
    {
      method = 'GET',
      body,
      form,
      file,
    }: {
      method?: string
      body?: unknown
      form?: FormData
      /** Bytes of an upload that was begun; the service wants another word before the token there. */
      file?: Blob
    } = {},
  ): Promise<Record<string, unknown>> {
    let response: Response
    let text: string
    try {
      response = await Bun.fetch(`${base}/${version}/${path}`, {
        method,
        headers: {
          authorization: `${file ? 'OAuth' : 'Bearer'} ${token}`,
          ...(file && { file_offset: '0' }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        body: file ?? form ?? (body === undefined ? null : JSON.stringify(body)),
        redirect: 'error',
        // On a kept connection that the other side has closed meanwhile a call would be made again by itself.
        ...(method === 'GET' ? {} : { keepalive: false }),
        signal: AbortSignal.timeout(form || file ? UPLOAD_MS : timeoutMs),
      })
      text = await bounded(response)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      throw new GraphSilence(!unasked.has(code), { cause: error })
    }
    const answer = parsed(text)
    const refused = isRecord(answer) && isRecord(answer['error']) ? answer['error'] : undefined
    if (response.ok && !refused && isRecord(answer)) return answer
    // What stands between us and the service, such as a proxy, knows nothing of what became of the call.
    if (!refused && (response.status >= 500 || response.ok)) throw new GraphSilence(true)
    const { code, message, fbtrace_id: traceId, error_data: data, error_subcode: subcode } = refused ?? {}
    const forPeople = refused?.['error_user_msg']
    const details =
      isRecord(data) && typeof data['details'] === 'string'
        ? data['details']
        : typeof forPeople === 'string'
          ? forPeople
          : message
    throw new GraphError(
      typeof code === 'number' ? code : undefined,
      response.status,
      (typeof details === 'string' ? details : '').slice(0, DETAILS_LENGTH),
      typeof traceId === 'string' ? traceId : undefined,
      typeof subcode === 'number' ? subcode : undefined,
    )
  }

  return { call }
}

async function bounded(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > MOST_ANSWER_BYTES) throw new Error('the answer is too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
