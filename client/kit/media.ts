import { useEffect, useState } from 'react'
import { afterPaint } from '../base/after-paint.ts'
import { ApiError, requestBlob } from '../session/api.ts'
import { useReplica } from '../replica/replica.tsx'
import { usePrincipal } from '../session/session.tsx'
import { session } from '../session/session-store.ts'

/**
 * Files of conversations. They are private: only who may see the ticket gets one, so they are fetched with the token
 * and kept in a cache of this user, `balcao-media-<userId>`, which goes with the replica when the session ends.
 */
export const mediaCacheName = (userId: number) => `balcao-media-${userId}`

/** Object addresses held at once; the least recently used one is given back first. */
const keptUrls = 150

const urls = new Map<string, string>()
const running = new Map<string, Promise<Blob>>()

session.onEnd(() => {
  for (const url of urls.values()) URL.revokeObjectURL(url)
  urls.clear()
  running.clear()
  opened.clear()
})

/** Forgets every file that is kept here: somebody whose they may be was erased. */
export async function forgetMedia(userId: number): Promise<void> {
  for (const url of urls.values()) URL.revokeObjectURL(url)
  urls.clear()
  opened.clear()
  await globalThis.caches?.delete(mediaCacheName(userId)).catch(() => false)
}

const addressOf = (path: string) => `/public/${path.split('/').map(encodeURIComponent).join('/')}`

/**
 * The bytes of `path` in the media store: from this user's cache, else from the server.
 *
 * @throws ApiError as {@link requestBlob}
 */
export function loadMedia(userId: number, path: string): Promise<Blob> {
  const key = `${userId}:${path}`
  const known = running.get(key)
  if (known) return known
  const loading = fetchMedia(userId, path).finally(() => running.delete(key))
  running.set(key, loading)
  return loading
}

/** Opened once: it takes the page's thread some ms, and a list of people has a picture in each row. */
const opened = new Map<number, Promise<Cache | null>>()

/** Cache Storage is missing on plain http by address; a file is then fetched each time it is needed. */
function openedCache(userId: number): Promise<Cache | null> {
  let cache = opened.get(userId)
  if (!cache) {
    const { promise: painted, resolve } = Promise.withResolvers<void>()
    afterPaint(resolve)
    cache = painted.then(() => caches.open(mediaCacheName(userId))).catch(() => null)
    opened.set(userId, cache)
  }
  return cache
}

async function fetchMedia(userId: number, path: string): Promise<Blob> {
  const cache = await openedCache(userId)
  const found = await cache?.match(addressOf(path))
  if (found) return found.blob()
  const blob = await requestBlob(addressOf(path))
  const owner = session.get()?.user.id
  // A login of somebody else meanwhile must not find this file.
  if (cache && owner === userId) {
    await cache
      .put(
        addressOf(path),
        new Response(blob, { headers: { 'content-type': blob.type || 'application/octet-stream' } }),
      )
      .catch(() => undefined)
  }
  return blob
}

function urlOf(key: string, blob: Blob): string {
  const known = urls.get(key)
  if (known) return known
  const url = URL.createObjectURL(blob)
  urls.set(key, url)
  if (urls.size > keptUrls) {
    const [oldest, oldUrl] = urls.entries().next().value!
    urls.delete(oldest)
    URL.revokeObjectURL(oldUrl)
  }
  return url
}

export interface Media {
  url: string | null
  blob: Blob | null
  error: ApiError | null
  loading: boolean
  retry: () => void
}

export type MediaSource = { path: string } | { outboxEntry: string } | { blob: Blob; name: string } | null

/** The file as an address for `<img>`, `<audio>` …; fetched only while `wanted`. */
export function useMedia(source: MediaSource, wanted = true): Media {
  const replica = useReplica()
  const { userId } = usePrincipal()
  const key =
    source === null
      ? null
      : `${userId}:${'path' in source ? source.path : 'blob' in source ? `sent:${source.name}` : `outbox:${source.outboxEntry}`}`
  const [state, setState] = useState<{
    key: string | null
    url: string | null
    blob: Blob | null
    error: ApiError | null
  }>(() => ({
    key,
    url: key ? (urls.get(key) ?? null) : null,
    blob: null,
    error: null,
  }))
  const [attempt, setAttempt] = useState(0)

  useEffect(() => {
    if (!wanted || key === null || source === null) return
    let left = false
    const load =
      'path' in source
        ? loadMedia(userId, source.path)
        : 'blob' in source
          ? Promise.resolve(source.blob)
          : replica.outbox.file(source.outboxEntry)
    load.then(
      (blob) => {
        if (!left && blob) setState({ key, url: urlOf(key, blob), blob, error: null })
      },
      (error: unknown) => {
        if (!left)
          setState({
            key,
            url: null,
            blob: null,
            error: error instanceof ApiError ? error : new ApiError('ERR_NO_FILE_FOUND', 0),
          })
      },
    )
    return () => {
      left = true
    }
    // `key` stands for the source and the user.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [key, wanted, attempt, replica])

  const mine = state.key === key ? state : { url: key ? (urls.get(key) ?? null) : null, blob: null, error: null }
  return {
    url: mine.url,
    blob: mine.blob,
    error: mine.error,
    loading: wanted && key !== null && mine.url === null && mine.error === null,
    retry: () => {
      setState({ key, url: null, blob: null, error: null })
      setAttempt((n) => n + 1)
    },
  }
}

/** True from the moment on that the element came near the window. */
export function useSeen(): [(element: Element | null) => void, boolean] {
  const [seen, setSeen] = useState(false)
  const [element, setElement] = useState<Element | null>(null)
  useEffect(() => {
    if (!element || seen) return
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setSeen(true),
      { rootMargin: '300px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [element, seen])
  return [setElement, seen]
}

/** Hands a file to the browser to keep. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
