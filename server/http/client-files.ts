import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join, normalize } from 'node:path'
import { escapeHTML, gzipSync } from 'bun'
import { OUR_NAME } from '../../schema/companies/product-name.ts'
import { serverPrefixes } from '../../schema/server-paths.ts'

const isServerOnly = (path: string) =>
  serverPrefixes.always.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))

const callPrefixes: ReadonlySet<string> = new Set(serverPrefixes.shared.map((prefix) => prefix.slice(1)))

/** The app needs its own scripts and wasm, workers made of its own blobs, and pictures it has fetched. */
const contentPolicy = (host: string) =>
  [
    "default-src 'self'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self' blob:",
    // To some browsers 'self' names no websockets; any host at all would let a script that got in send all out.
    `connect-src 'self' ws://${host} wss://${host} blob: data:`,
    "img-src 'self' data: blob:",
    "media-src 'self' data: blob:",
    "font-src 'self' data:",
    // Radix positions its popovers by inline styles.
    "style-src 'self' 'unsafe-inline'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    // The player of helps, which is asked for nothing before somebody starts a film.
    'frame-src https://www.youtube-nocookie.com',
    "frame-ancestors 'none'",
  ].join('; ')

/** Of what is no page. A worker is governed by the policy of its own script, so that one says nothing of what may be loaded. */
const filePolicy = "object-src 'none'; base-uri 'none'; frame-ancestors 'none'"

/** The host that the browser asked, as far as it is one. */
function hostOf(request: Request): string {
  const said = request.headers.get('host') ?? ''
  return /^[a-z0-9.-]+(:\d+)?$|^\[[0-9a-f:]+\](:\d+)?$/i.test(said) ? said : new URL(request.url).host
}

const isHashed = (path: string) => path.startsWith('/assets/')

const compressible = /\.(html|js|css|svg|json|webmanifest|wasm|data|txt|map)$/
/** Below this, compressing gains nothing. */
const MIN_COMPRESSED_BYTES = 1_024

/** So long a page waits for what the product is called. */
const NAME_MS = 500

export interface ClientFiles {
  /** The answer to a browser that asks for a file or a screen of the client; undefined when it is not one. */
  answer(request: Request, wanted: 'file' | 'screen'): Promise<Response | undefined>
  /** Whether somebody navigates to a screen, whose path may also be a call (`/tickets`). */
  isNavigation(request: Request): boolean
  /** Whether it is for a file or a screen, and no call. */
  isFile(request: Request): boolean
}

/**
 * @param dir of the built client
 * @param product what it is called: the page says so before any script does
 * @param beside of other versions, whose pages are still open and ask for their parts
 */
export function createClientFiles(
  dir: string,
  product: () => Promise<string>,
  beside: readonly string[] = [],
): ClientFiles {
  let last = OUR_NAME
  /** The app opens also while the database does not answer: then as it was called last. */
  const named = () =>
    Promise.race([product().then((name) => (last = name)), Bun.sleep(NAME_MS).then(() => last)]).catch(() => last)
  const zipped = new Map<string, { etag: string; bytes: Uint8Array<ArrayBuffer> }>()

  const serve = async (request: Request, path: string): Promise<Response | undefined> => {
    const relative = normalize(path)
    if (relative.includes('\0') || relative.split(/[/\\]/).includes('..')) return undefined
    // A hashed name means the same bytes wherever it lies.
    const places = [dir, ...(isHashed(relative) ? beside : [])].map((folder) => join(folder, relative))
    let place = ''
    let found: Stats | undefined
    for (place of places) {
      found = await stat(place).catch(() => undefined)
      if (found?.isFile()) break
    }
    if (!found?.isFile()) return undefined
    const file = Bun.file(place)
    const isPage = relative === '/index.html'
    const name = isPage ? await named() : OUR_NAME
    const version = [found.size, Math.floor(found.mtimeMs), ...(name === OUR_NAME ? [] : [Bun.hash(name)])]
    const etag = `W/"${version.map((part) => part.toString(36)).join('-')}"`
    const headers: Record<string, string> = {
      'content-type': relative.endsWith('.webmanifest') ? 'application/manifest+json' : file.type,
      // A hashed name never means other bytes; everything else may be replaced by the next release.
      'cache-control': isHashed(relative) ? 'public, max-age=31536000, immutable' : 'no-cache',
      'content-security-policy': isPage ? contentPolicy(hostOf(request)) : filePolicy,
      etag,
    }
    if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
    if (!compressible.test(relative)) return new Response(file, { headers })
    headers.vary = 'accept-encoding'
    const content =
      name === OUR_NAME ? file : new Blob([(await file.text()).replaceAll(OUR_NAME, () => escapeHTML(name))])
    if (found.size < MIN_COMPRESSED_BYTES || !/\bgzip\b/.test(request.headers.get('accept-encoding') ?? ''))
      return new Response(content, { headers })
    let kept = zipped.get(place)
    if (kept?.etag !== etag) {
      kept = { etag, bytes: gzipSync(await content.bytes()) }
      zipped.set(place, kept)
    }
    return new Response(kept.bytes, { headers: { ...headers, 'content-encoding': 'gzip' } })
  }

  const isNavigation = (request: Request) =>
    request.method === 'GET' && request.headers.get('sec-fetch-mode') === 'navigate'
  return {
    isNavigation,
    isFile(request) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return false
      const { pathname } = new URL(request.url)
      if (isServerOnly(pathname)) return false
      return isNavigation(request) || !callPrefixes.has(pathname.split('/', 2)[1] ?? '')
    },
    async answer(request, wanted) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
      let path: string
      try {
        path = decodeURIComponent(new URL(request.url).pathname)
      } catch {
        return undefined
      }
      if (isServerOnly(path)) return undefined
      const file = path === '/' ? undefined : await serve(request, path)
      if (file) return file
      const screen = wanted === 'screen' || (request.headers.get('accept') ?? '').includes('text/html')
      return screen && !/\.[a-z0-9]{1,8}$/i.test(path) ? serve(request, '/index.html') : undefined
    },
  }
}
