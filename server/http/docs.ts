import { fileURLToPath } from 'node:url'
import { toOpenAPISchema } from '@elysiajs/openapi'
import { escapeHTML } from 'bun'
import { type AnyElysia, Elysia, type InternalRoute } from 'elysia'
import { errorStatus } from '../../schema/errors.ts'
import { answers, described, examples, requests, told } from './docs.examples.ts'

/** Where the description of the API is. */
export const DOCS_PATH = '/docs'

/** Calls that need no token. */
const open = new Set([
  'GET /health',
  'GET /health/live',
  'GET /health/ready',
  'GET /version',
  'POST /auth/login',
  'POST /auth/2fa/verify',
  'POST /auth/passkey/begin',
  'POST /auth/passkey/enter',
  'POST /auth/refresh_token',
  'GET /auth/oidc/',
  'POST /auth/oidc/begin',
  'GET /auth/oidc/callback',
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
  'GET /cloud-api/{hook}',
  'POST /cloud-api/{hook}',
  'GET /branding',
  'GET /branding/{place}',
  'GET /manifest.webmanifest',
  'POST /companies/cadastro',
])

/** Calls that are commands: repeated with the same key they are done once. */
const keyed = new Set([
  'PUT /tickets/{id}',
  'PUT /tickets/{id}/fields',
  'PUT /contacts/{id}/fields',
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
  'PUT /api/v1/messages/{id}',
  'DELETE /api/v1/messages/{id}',
  'PUT /api/v1/messages/{id}/reaction',
  'POST /api/v1/tickets/{id}/messages',
  'POST /api/v1/tickets/{id}/notes',
  'POST /api/v1/macros/{id}/run',
  'POST /api/v1/tickets/{id}/merge',
  'POST /api/v1/tickets/{id}/part',
  'POST /api/v1/tickets/{id}/escalate',
  'DELETE /api/v1/tickets/{id}/escalate',
  'POST /tickets/bulk',
  'POST /macros/{id}/run',
  'POST /mentions/read',
  'POST /tickets/{id}/merge',
  'POST /tickets/{id}/part',
  'POST /tickets/{id}/escalate',
  'DELETE /tickets/{id}/escalate',
  'PUT /users/{id}/away',
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

interface Body {
  content?: Record<string, { schema?: unknown; example?: unknown }>
}
const withExample = (body: Body | undefined, example: unknown): Body => ({
  ...body,
  content: Object.fromEntries(
    Object.entries(body?.content ?? {}).map(([type, content]) => [
      type,
      type === 'application/json' ? { ...content, example } : content,
    ]),
  ),
})
/** What is answered when all went well, by status. */
function done(name: string): Record<number, object> {
  const { schema, statuses = [200] } = answers[name] ?? {}
  const example = examples[name]
  const content = { ...(schema && { schema }), ...(example !== undefined && { example }) }
  const answer = {
    description: 'Done',
    ...(Object.keys(content).length > 0 && { content: { 'application/json': content } }),
  }
  return Object.fromEntries(statuses.map((status) => [status, answer]))
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
        ...(requests[name] !== undefined && {
          requestBody: withExample((call as { requestBody?: Body }).requestBody, requests[name]),
        }),
        ...(parameters.length > 0 && { parameters }),
        ...(open.has(name) && { security: [] }),
        responses: {
          ...done(name),
          default: {
            description: 'Refused or failed',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
          },
        },
      }
    }
  }
  return plainly({
    openapi: '3.1.2',
    info: {
      version,
      description:
        'Failures are `{error: CODE, …}`. Send `Authorization: Bearer <token>`; a 403 `ERR_TOKEN_EXPIRED` asks for `POST /auth/refresh_token`. ' +
        'Calls with an `Idempotency-Key` among their parameters are done once, however often they are repeated with the same key.',
    },
    security: [{ bearer: [] }],
    paths,
    webhooks: described,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The token of a person, or of a connection' },
        apiKey: { type: 'http', scheme: 'bearer', description: 'A key of the company, for /api/v1' },
      },
      schemas: { ...(components.schemas as object), ...told, Failure: failure },
    },
  })
}

/**
 * The same as generators of clients understand it best: a choice of words is an enumeration, and a number that comes as
 * text of the address is a number.
 */
function plainly<T>(value: T): T {
  if (Array.isArray(value)) return value.map(plainly) as T
  if (typeof value !== 'object' || value === null) return value
  const { anyOf, ...rest } = value as { anyOf?: Record<string, unknown>[] }
  const choices = Array.isArray(anyOf) ? anyOf : []
  const words = choices.filter(({ const: word }) => typeof word === 'string')
  const number = choices.find(({ type }) => type === 'number' || type === 'integer')
  if (number && choices.some(({ type, format }) => type === 'string' && (format === 'numeric' || format === 'integer')))
    return plainly({ ...rest, ...number, type: number['multipleOf'] === 1 ? 'integer' : number['type'] }) as T
  if (words.length > 0 && words.length === choices.length)
    return { ...rest, type: 'string', enum: words.map(({ const: word }) => word) } as T
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plainly(one)])) as T
}

/**
 * The description at `/docs/json`, and a page that shows it and tries its calls. Nothing of it comes from elsewhere.
 * @param product what it is called
 */
export function docsRoutes(version: string, product: () => Promise<string>) {
  let described: { routes: number; text: ReturnType<typeof describe> } | undefined
  const app = new Elysia()
  return app
    .get(
      `${DOCS_PATH}/json`,
      async () => {
        const { length } = routesOf(app)
        // Made at the first question: routes are added until the server listens.
        if (described?.routes !== length) described = { routes: length, text: describe(app, version) }
        return { ...described.text, info: { title: await product(), ...described.text.info } }
      },
      { detail: { hide: true } },
    )
    .get(DOCS_PATH, async () => page(pageHtml(await product()), 'text/html; charset=utf-8'), { detail: { hide: true } })
    .get(`${DOCS_PATH}/viewer.js`, () => page(viewer('swagger-ui-bundle.js'), 'text/javascript; charset=utf-8'), {
      detail: { hide: true },
    })
    .get(`${DOCS_PATH}/viewer.css`, () => page(viewer('swagger-ui.css'), 'text/css; charset=utf-8'), {
      detail: { hide: true },
    })
    .get(`${DOCS_PATH}/page.js`, () => page(pageScript, 'text/javascript; charset=utf-8'), { detail: { hide: true } })
    .get(`${DOCS_PATH}/page.css`, () => page(pageStyle, 'text/css; charset=utf-8'), { detail: { hide: true } })
}

const page = (content: string | Blob, type: string) =>
  new Response(content, {
    headers: {
      'content-type': type,
      'cache-control': 'no-cache',
      'content-security-policy':
        // The viewer writes styles into its elements and draws its icons from data; scripts are only our own files.
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
  })

/** Of the published viewer, served by ourselves: its files are read when somebody looks at the page. */
const viewer = (name: 'swagger-ui-bundle.js' | 'swagger-ui.css') =>
  Bun.file(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`)))

const pageHtml = (product: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHTML(product)} API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${DOCS_PATH}/viewer.css">
<link rel="stylesheet" href="${DOCS_PATH}/page.css">
<main id="calls" aria-live="polite">Loading…</main>
<script src="${DOCS_PATH}/viewer.js"></script>
<script src="${DOCS_PATH}/page.js"></script>
</html>`

const pageStyle = `body{margin:0;background:#fff;color:#3b4151}
.swagger-ui .info{margin:1.5rem 0}
/* The viewer has no dark theme: its colours are turned over, those of examples back. */
@media (prefers-color-scheme:dark){
body{background:#15191c}
#calls{filter:invert(.9) hue-rotate(180deg)}
.swagger-ui .highlight-code,.swagger-ui img{filter:invert(1) hue-rotate(180deg)}
}`

const pageScript = `SwaggerUIBundle({
  url: '${DOCS_PATH}/json',
  domNode: document.getElementById('calls'),
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  tryItOutEnabled: true,
  persistAuthorization: false,
  displayRequestDuration: true,
  // Nothing is asked of anybody else.
  validatorUrl: null,
})
`
