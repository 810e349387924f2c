import { FetchError, type Message, type Offset, ShapeStream } from '@electric-sql/client'
import { isOurWord } from '../../schema/errors.ts'
import { type ShapeName, shapesVersion } from '../shapes.ts'
import { type Batch, BatchBuffer } from './applier.ts'
import type { LiveSocket } from './live-socket.ts'
import type { TextRow } from './rows.ts'
import type { Fetch } from './wire.ts'

/** Silence beyond this means that the line is dead; a browser itself waits for minutes. */
const silenceMs = 30_000
/** A company whose subscription has expired is asked again after this: it may have been paid. */
const expiredMs = 30_000

export interface StreamDeps {
  /** Absolute address of `/sync/shape`. */
  url: string
  /** Whose rows: part of the address, so that no cache ever mixes users. */
  scope: string
  fetch: Fetch
  /** How long the server may say nothing while it is to answer. */
  silenceMs?: number
  socket: LiveSocket
  token(refresh: boolean): Promise<string | null>
  /** Writes a batch; the stream asks for more only after it. */
  apply(batch: Batch): Promise<void>
  /** Rows received and not applied yet have grown by `rows`. */
  received(rows: number): void
  upToDate(shape: ShapeName): void
  /** The shape starts anew, or the connection is lost: what is shown may be behind. */
  behind(shape: ShapeName): void
  reachable(yes: boolean): void
  outdated(): void
  /** The stream has ended and will not come back by itself. `restart` tells to begin from nothing. */
  ended(shape: ShapeName, error: Error, restart: boolean): void
}

/** One shape from the server, from where the replica left off. Ends with `signal`. */
export function startStream(
  shape: ShapeName,
  saved: { handle: string; offset: string } | undefined,
  deps: StreamDeps,
  signal: AbortSignal,
): ShapeStream<TextRow> {
  const buffer = new BatchBuffer(shape, !saved)
  const stream = new ShapeStream<TextRow>({
    url: `${deps.url}/${shape}`,
    params: { u: deps.scope, v: shapesVersion },
    ...(saved ? { handle: saved.handle, offset: saved.offset as Offset } : {}),
    signal,
    fetchClient: fetchFor(shape, deps),
    // Somebody looks at this screen: a server that is back is found within a second or two.
    backoffOptions: { initialDelay: 100, maxDelay: 1_500, multiplier: 2, onFailedAttempt: () => deps.behind(shape) },
    liveRequestTimeoutMs: 40_000,
    warnOnHttp: false,
    onError: (error) => {
      if (error instanceof FetchError) {
        if ((error.json as { error?: string } | undefined)?.error === 'ERR_CLIENT_OUTDATED') deps.outdated()
        // A token may be renewed: keep asking, unless the question itself is wrong.
        else if (error.status === 401 || error.status === 403) return {}
      }
      return undefined
    },
  })
  const onMessages = async (messages: Message<TextRow>[]): Promise<void> => {
    // The stream moves on while rows are written; these belong to this batch.
    const { shapeHandle, lastOffset } = stream
    let upToDate = false
    const before = buffer.size
    for (const message of messages) {
      const control = 'control' in message.headers ? message.headers.control : undefined
      upToDate = control === 'up-to-date'
      if (control === 'must-refetch') {
        buffer.restart()
        deps.behind(shape)
      } else buffer.add(message)
    }
    deps.received(buffer.size - before)
    if (!upToDate) return
    const batch = buffer.take(shapeHandle ?? '', lastOffset)
    try {
      if (batch) await deps.apply(batch)
      if (!signal.aborted) deps.upToDate(shape)
    } catch (error) {
      if (!signal.aborted) deps.ended(shape, error instanceof Error ? error : new Error(String(error)), true)
    }
  }
  stream.subscribe(onMessages, (error) => {
    if (!signal.aborted) deps.ended(shape, error, false)
  })
  return stream
}

/**
 * Live requests go over the shared websocket, the others over HTTP with a token. Rows stay the text that Postgres
 * wrote: without a schema the client library has nothing to parse them by.
 */
function fetchFor(shape: ShapeName, deps: StreamDeps): typeof fetch {
  const ask: Fetch = async (input, init) => {
    const url = new URL(String(input))
    if (url.searchParams.get('live') === 'true') {
      const response = await deps.socket.request(shape, url.search.slice(1), init?.signal, () => deps.upToDate(shape))
      deps.reachable(true)
      return response
    }
    for (const refresh of [false, true]) {
      const token = await deps.token(refresh)
      if (token === null) return new Response('{"error":"ERR_SESSION_EXPIRED"}', { status: 401 })
      const response = await whole(deps, url, {
        ...init,
        cache: 'no-store',
        headers: { ...(init?.headers as Record<string, string>), authorization: `Bearer ${token}` },
      })
      if ((response.status === 401 || response.status === 403) && !isOurWord(await saidBy(response)))
        throw new TypeError('somebody between the server and us answered')
      // The token has run out, and where it cannot be renewed nothing can be had.
      if (!refresh && (response.status === 401 || response.status === 403)) continue
      deps.reachable(true)
      if (response.status === 402) {
        await pause(expiredMs, init?.signal)
        return ask(input, init)
      }
      if (response.status !== 401) return asText(response)
    }
    return new Response('{"error":"ERR_SESSION_EXPIRED"}', { status: 401 })
  }
  const guarded: Fetch = async (input, init) => {
    try {
      return await ask(input, init)
    } catch (error) {
      if (!init?.signal?.aborted) deps.reachable(false)
      throw error
    }
  }
  return guarded as typeof fetch
}

/** An answer that is here with all of its body. @throws TypeError when the server falls silent before */
async function whole(
  { fetch, silenceMs: most = silenceMs }: StreamDeps,
  url: URL,
  init: RequestInit,
): Promise<Response> {
  const silence = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const answered = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(new TypeError('no answer')), most)
  }
  answered()
  try {
    const signal = AbortSignal.any([silence.signal, ...(init.signal ? [init.signal] : [])])
    const response = await fetch(url, { ...init, signal })
    const parts: Uint8Array<ArrayBuffer>[] = []
    for (const reader = response.body?.getReader(); reader; ) {
      answered()
      const { done, value } = await reader.read()
      if (done) break
      parts.push(value)
    }
    const { status, headers } = response
    return new Response(parts.length > 0 ? new Blob(parts) : null, { status, headers })
  } finally {
    clearTimeout(timer)
  }
}

/** The JSON of an answer, which can be read again after that. */
const saidBy = (response: Response): Promise<unknown> =>
  response
    .clone()
    .json()
    .catch(() => null)

/** @throws the signal's reason when it comes first */
function pause(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })
}

function asText(response: Response): Response {
  if (!response.headers.has('electric-schema')) return response
  const headers = new Headers(response.headers)
  headers.set('electric-schema', '{}')
  return new Response(response.body, { status: response.status, headers })
}
