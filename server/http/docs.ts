import { toOpenAPISchema } from '@elysiajs/openapi'
import { type AnyElysia, Elysia, type InternalRoute } from 'elysia'
import { errorStatus } from '../../schema/errors.ts'

/** Where the description of the API is. */
export const DOCS_PATH = '/docs'

/** Calls that need no token. */
const open = new Set([
  'GET /health',
  'GET /version',
  'POST /auth/login',
  'POST /auth/refresh_token',
  'DELETE /auth/logout',
  'GET /forgetpassword',
  'POST /forgetpassword/{email}',
  'POST /resetpasswords',
  'POST /resetpasswords/{email}/{token}/{newPassword}',
  'GET /settings/trial',
  'GET /settings/allowregister',
  'GET /settings/viewregister',
  'GET /plans/list',
  'GET /plans/register',
  'POST /companies/cadastro',
])

/** Calls that are commands: repeated with the same key they are done once. */
const keyed = new Set([
  'PUT /tickets/{id}',
  'POST /tags/sync',
  'POST /messages/{ticketId}',
  'POST /messages/edit/{id}',
  'PUT /messages/{id}',
  'DELETE /messages/{id}',
  'POST /ticket-notes/',
  'DELETE /ticket-notes/{id}',
  'POST /schedules/',
  'PUT /schedules/{id}',
  'DELETE /schedules/{id}',
  'POST /chats/{id}/messages',
  'POST /chats/{id}/read',
  'POST /api/messages/send',
  'POST /api/v1/messages',
  'PUT /ticket-tags/{ticketId}/{tagId}',
  'DELETE /ticket-tags/{ticketId}',
])

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{8,64}$' },
  description: 'Made by the caller, one for each thing that is to be done',
}
const anyPath = { name: 'path', in: 'path', required: true, schema: { type: 'string' } }
const failure = {
  type: 'object',
  properties: { error: { type: 'string', description: `One of ${Object.keys(errorStatus).join(', ')}` } },
  required: ['error'],
  additionalProperties: true,
}

/** Routes of the whole app, whichever part of it is asked. The generator calls the same; only its type is hidden. */
const routesOf = (app: unknown) => (app as { getGlobalRoutes(): InternalRoute[] }).getGlobalRoutes()

/**
 * The OpenAPI description, made from the routes themselves.
 */
function describe(app: AnyElysia, version: string) {
  const routes = routesOf(app).map((route) => ({
    ...route,
    // Bodies are read by our own function, which takes JSON; the generator understands parsers by name only.
    hooks: { ...route.hooks, ...(route.hooks.body && { parse: [{ fn: 'json' }] }) },
  }))
  const { paths: generated, components } = toOpenAPISchema(
    Object.assign(Object.create(app) as AnyElysia, { getGlobalRoutes: () => routes }),
  )
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [path, methods] of Object.entries(generated)) {
    const calls = (paths[path.replace('*', '{path}')] = {} as Record<string, unknown>)
    for (const [method, call] of Object.entries(methods as Record<string, { parameters?: unknown[] }>)) {
      const name = `${method.toUpperCase()} ${path}`
      const parameters = [
        ...(call.parameters ?? []),
        ...(path.includes('*') ? [anyPath] : []),
        ...(keyed.has(name) ? [idempotencyKey] : []),
      ]
      calls[method] = {
        ...call,
        ...(parameters.length > 0 && { parameters }),
        ...(open.has(name) && { security: [] }),
        responses: {
          200: { description: 'Done' },
          default: {
            description: 'Refused or failed',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
          },
        },
      }
    }
  }
  return {
    openapi: '3.1.2',
    info: {
      title: 'Balcão',
      version,
      description:
        'Failures are `{error: CODE, …}`. Send `Authorization: Bearer <token>`; a 403 `ERR_TOKEN_EXPIRED` asks for `POST /auth/refresh_token`. ' +
        'Calls with an `Idempotency-Key` among their parameters are done once, however often they are repeated with the same key.',
    },
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { ...(components.schemas as object), Failure: failure },
    },
  }
}

/** The description at `/docs/json`, and a page that shows it: our own, as the usual viewers load other people's scripts. */
export function docsRoutes(version: string) {
  let described: { routes: number; text: ReturnType<typeof describe> } | undefined
  const app = new Elysia()
  return app
    .get(
      `${DOCS_PATH}/json`,
      () => {
        const { length } = routesOf(app)
        // Made at the first question: routes are added until the server listens.
        if (described?.routes !== length) described = { routes: length, text: describe(app, version) }
        return described.text
      },
      { detail: { hide: true } },
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
