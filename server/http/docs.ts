import { openapi } from '@elysiajs/openapi'
import { Elysia } from 'elysia'

/** Where the description of the API is. */
export const DOCS_PATH = '/docs'

/**
 * The OpenAPI description, made from the routes themselves, at `/docs/json`, and a page that shows it. The page is
 * our own: the usual viewers load their scripts from other people's servers.
 */
export function docsRoutes(version: string) {
  return new Elysia()
    .use(
      openapi({
        path: DOCS_PATH,
        provider: null,
        specPath: `${DOCS_PATH}/json`,
        documentation: {
          info: {
            title: 'Balcão',
            version,
            description:
              'Failures are `{error: CODE, …}`. Send `Authorization: Bearer <token>`; a 403 `ERR_TOKEN_EXPIRED` asks for `POST /auth/refresh_token`. ' +
              'Writing calls take an `Idempotency-Key`: repeated with the same key they are done once.',
          },
          components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
        },
      }),
    )
    .get(DOCS_PATH, () => page(pageHtml, 'text/html; charset=utf-8'), { detail: { hide: true } })
    .get(`${DOCS_PATH}/page.js`, () => page(pageScript, 'text/javascript; charset=utf-8'), { detail: { hide: true } })
    .get(`${DOCS_PATH}/page.css`, () => page(pageStyle, 'text/css; charset=utf-8'), { detail: { hide: true } })
}

const page = (text: string, type: string) =>
  new Response(text, {
    headers: {
      'content-type': type,
      'cache-control': 'no-cache',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors 'none'",
    },
  })

const pageHtml = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Balcão API</title>
<link rel="stylesheet" href="${DOCS_PATH}/page.css">
<header><h1>Balcão API</h1><p id="about"></p><label>Find <input id="find" type="search" autocomplete="off"></label> <a href="${DOCS_PATH}/json">OpenAPI JSON</a></header>
<main id="calls" aria-live="polite">Loading…</main>
<script src="${DOCS_PATH}/page.js"></script>
</html>`

const pageStyle = `:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1.5rem}
h2{margin:2rem 0 .5rem;text-transform:capitalize}
details{border:1px solid color-mix(in srgb,currentColor 20%,transparent);border-radius:.5rem;margin:.25rem 0;padding:.4rem .75rem}
summary{cursor:pointer}
code,pre{font:13px/1.45 ui-monospace,monospace}
pre{overflow:auto;background:color-mix(in srgb,currentColor 7%,transparent);padding:.75rem;border-radius:.4rem}
.method{display:inline-block;min-width:4.5rem;font-weight:600}
input{font:inherit;padding:.2rem .5rem}`

const pageScript = `const find = document.getElementById('find')
const calls = document.getElementById('calls')
const element = (tag, text, ...children) => {
  const made = document.createElement(tag)
  if (text) made.textContent = text
  made.append(...children)
  return made
}
const block = (title, value) => (value ? [element('h4', title), element('pre', JSON.stringify(value, null, 2))] : [])
fetch('${DOCS_PATH}/json').then(answer => answer.json()).then(spec => {
  document.getElementById('about').textContent = spec.info.version + ' · ' + spec.info.description
  const show = () => {
    const wanted = find.value.trim().toLowerCase()
    const groups = new Map()
    for (const [path, methods] of Object.entries(spec.paths)) {
      for (const [method, call] of Object.entries(methods)) {
        const text = (method + ' ' + path + ' ' + (call.summary || '')).toLowerCase()
        if (!text.includes(wanted)) continue
        const group = (call.tags || ['other'])[0]
        const method_ = element('code', method.toUpperCase())
        method_.className = 'method'
        const line = element('summary', '', method_, element('code', path), ' ' + (call.summary || ''))
        const body = call.requestBody && call.requestBody.content
        const one = element('details', '', line, ...block('Parameters', call.parameters), ...block('Body', body))
        groups.set(group, [...(groups.get(group) || []), one])
      }
    }
    calls.replaceChildren(...[...groups].flatMap(([name, list]) => [element('h2', name), ...list]))
  }
  find.addEventListener('input', show)
  show()
}).catch(() => { calls.textContent = 'The description could not be loaded.' })
`
